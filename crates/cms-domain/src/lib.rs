//! Pure types and rules: what a collection, a field, an entry and a permission are. No async, no I/O.

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
pub mod page;
pub mod patch;
pub(crate) mod portable_text;
pub mod rev;
pub mod slug;
pub mod source;
pub mod text;
pub mod time;
pub mod typescript;
pub mod url_pattern;
pub mod user;
