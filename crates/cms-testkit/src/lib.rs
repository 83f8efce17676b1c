//! For tests alone: a system behind both doors, on either database.

mod answer;
mod doors;
mod matrix;
pub mod site;

pub use answer::{Answer, Outcome};
pub use cms_core::{
    both,
    testing::{TestApp, TestClock, TestStore, run},
};
pub use doors::{Credential, Doors};
pub use matrix::access_matrix;
