//! Entries: written, staged, published, scheduled, put away, and read.

pub mod authors;
mod change;
pub mod compare;
pub mod create;
pub mod dates;
pub mod delete;
pub mod discard_draft;
mod draft;
pub mod duplicate;
pub mod get;
mod history;
pub mod hooks;
pub mod import;
pub mod item;
pub mod lease;
pub mod list;
pub mod list_trashed;
pub mod listed;
pub mod lock;
pub mod permanent_delete;
pub mod preview;
pub mod preview_links;
pub mod preview_path;
pub mod publish;
pub mod publish_due;
mod references;
pub mod restore;
pub mod revisions;
mod save;
pub mod schedule;
pub mod seo;
mod siblings;
mod slugs;
mod target;
mod trail;
pub mod translations;
pub mod unpublish;
pub mod unschedule;
pub mod update;
mod wanted;

use cms_domain::access::{Access, Permission, Scope};

/// Members of content requests that areas to come will bring, each with what a request that names one is told today.
pub const LATER: &[(&str, &str)] = &[
    ("bylines", "credits are not available yet"),
    ("includeInferredBylines", "credits are not available yet"),
    ("taxonomies", "terms are not available yet"),
    ("q", "search is not available yet"),
    ("markdown", "rich text as Markdown is not available yet"),
];

/// Who may change an entry's content.
const EDIT: Access = Access::Owned {
    scope: Scope::ContentWrite,
    own: Permission::ContentEditOwn,
    any: Permission::ContentEditAny,
    own_draft: Some(Permission::ContentEditOwnDraft),
};

/// Who may make an entry public, now or later, or take it off the public site.
const PUBLISH: Access =
    Access::Owned { scope: Scope::ContentWrite, own: Permission::ContentPublishOwn, any: Permission::ContentPublishAny, own_draft: None };

/// Who may move an entry to the trash.
const DELETE: Access =
    Access::Owned { scope: Scope::ContentWrite, own: Permission::ContentDeleteOwn, any: Permission::ContentDeleteAny, own_draft: None };

/// Who may look at what is not public.
const READ_DRAFTS: Access = Access::Needs(Scope::ContentRead, Permission::ContentReadDrafts);
