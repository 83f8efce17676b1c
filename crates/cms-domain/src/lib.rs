//! The types and rules of a headless CMS: what a collection, a field, an entry and a permission are, and what may be done with them.
//!
//! Everything here is decided from values alone. Nothing is async, and nothing asks a database, a file or a clock, so a rule that lives here is tested
//! without a machine and is the same for whoever asks: the server, the command line, or a tool of yours that wants to know what is wrong with an article
//! before it sends it.
//!
//! # Is this content right?
//!
//! A [`Collection`](collection::Collection) has [`Field`](field::Field)s, and each of them knows which values it takes. [`complete`](field::validate::complete)
//! holds a document against them and, instead of stopping at the first mistake, tells all of them, each with the path of the value that is wrong:
//!
//! ```
//! use cms_domain::{
//!     collection::Collection,
//!     field::{Field, FieldSpec, FieldType, validate::{Defaults, complete}},
//!     id::{CollectionId, FieldId},
//!     time::Timestamp,
//! };
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let now = Timestamp::from_milliseconds(0);
//! let title = FieldSpec::new("title".parse()?, FieldType::String);
//! let title = FieldSpec { required: true, ..title };
//! let price = FieldSpec::new("price".parse()?, FieldType::Number);
//!
//! let id = CollectionId::from_parts(0, 1);
//! let mut books = Collection::new(id, "books".parse()?, now);
//! for (n, spec) in [(1, title), (2, price)] {
//!     let field = Field::new(FieldId::from_parts(0, n), spec, 0, now, now);
//!     books.fields.push(field.expect("the rules of both fields are sound"));
//! }
//!
//! let good = json!({ "title": "Emma", "price": 9.5 }).as_object().cloned().unwrap_or_default();
//! assert!(complete(&books, good, Defaults::Apply).is_ok());
//!
//! let bad = json!({ "price": "cheap" }).as_object().cloned().unwrap_or_default();
//! let issues = complete(&books, bad, Defaults::Apply).expect_err("it has no title");
//! let paths: Vec<_> = issues.iter().map(|issue| issue.path.as_str()).collect();
//! assert_eq!(paths, ["data.price", "data.title"]);
//! # Ok(())
//! # }
//! ```
//!
//! What comes out is [`ValidData`](field::validate::ValidData), which cannot be made in any other way: whoever asks for it in a signature need not check again.
//!
//! # Where to go on
//!
//! - [`field`] has the types of fields and their rules, [`field::json_schema`] the same rules as a JSON Schema, and [`typescript`] as types for a site's code.
//! - [`entry`] is the life of an entry: drafts, edits that wait beside what is published, schedules, the trash.
//!   [`Lifecycle::apply`](entry::Lifecycle::apply) says what a command does in which state.
//! - [`access`] says who may do what: [roles](user::Role), [scopes](access::Scope) of tokens, and the [`Permit`](access::Permit) that nothing is written without.
//! - [`event`] is what others are told of a change.
//!
//! Reading and writing rows is `cms-storage`, doing things is `cms-frame` and the areas above it, and the whole of it as one value is `cms-core`.

pub mod access;
pub mod bounded;
pub mod collection;
pub mod entry;
pub mod event;
pub mod field;
pub mod id;
pub mod issue;
pub mod job;
pub mod json;
pub mod locale;
pub mod media;
pub mod media_uses;
pub mod merge;
pub mod page;
pub mod patch;
pub mod portable_text;
pub mod product;
pub mod rev;
pub mod slug;
pub mod source;
pub mod text;
pub mod time;
pub mod time_zone;
pub mod typescript;
pub mod url_pattern;
pub mod user;
pub mod view;
