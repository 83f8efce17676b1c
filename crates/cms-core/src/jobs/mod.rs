//! Jobs as people see them: listed, stopped, let go on. How one is declared is `cms_frame::jobs`, which hosts find here; what each does is where its kind is.

pub mod command;
pub mod get;
pub mod list;
pub mod list_failed_items;
pub mod list_tasks;
pub mod sample_content;
#[cfg(test)]
mod tests;
mod view;
pub mod watch;
pub(crate) mod worker;

pub use cms_frame::jobs::{Job, Kind, Order, Stride, Wanted, Work};
pub use view::JobView;

/// The kinds of jobs that every system has.
pub(crate) fn kinds() -> Vec<Kind> {
    let mut kinds = cms_content::jobs();
    kinds.extend(cms_media::jobs());
    kinds.extend(cms_import::jobs());
    kinds.push(Kind::of(sample_content::MakeSampleContent));
    kinds
}
