//! The admin application of a headless CMS: the screens in which people write, publish, and manage who else may.
//!
//! It is a program in the browser that asks the REST API like any other, and knows no rule of its own. This crate has its files inside, as they were built, and
//! serves them with the headers that they need, under a content security policy that allows nothing from elsewhere.
//!
//! ```
//! use axum::Router;
//! use cms_domain::product::Product;
//!
//! // Next to the API, below the same prefix: `/_cms/admin` and `/_cms/api`.
//! let pages: Router = Router::new();
//! let app = pages.merge(cms_admin::router(&Product::default()));
//! ```
//!
//! # What is inside
//!
//! A package of this crate comes with the built application. A checkout does not: the application is made of TypeScript in `ui/`, by Node, and the crate embeds
//! `ui/dist` if it is there when the crate is compiled. Without it, everything compiles and runs, and the page says how to build the application.
//!
//! # Where to go on
//!
//! - [`Product`](cms_domain::product::Product): where the API is, and the header with which scripts of the application say that they are its own.
//! - `cms-http-api` is what it talks to.

mod files;
mod page;
mod router;

pub use router::{entrances, router};
