//! List the authors of a collection.

use cms_domain::{access::Access, id::UserId, slug::CollectionSlug, user::Email};
use cms_frame::{
    Cx, Error,
    failures::{COLLECTION, Failures},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::READ_DRAFTS;
use crate::schema_cache;

/// List the users who own entries of a collection.
///
/// Entries in the trash do not count.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListAuthors {
    /// The collection.
    pub collection: CollectionSlug,
}

/// Authors.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuthorList {
    /// The users, by name, or by address where there is no name.
    pub items: Vec<AuthorView>,
}

/// A user who owns entries.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuthorView {
    /// Identifies the user.
    pub id: UserId,
    /// Name to show.
    pub name: Option<String>,
    /// Address.
    pub email: Email,
}

impl Operation for ListAuthors {
    const ID: &'static str = "content.authors";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("listContentAuthors", "/content/{collection}/authors");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION];
    type Output = AuthorList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AuthorList, Error> {
        let collection = schema_cache::collection(cx, &self.collection).await?;
        let authors = cx.read().entries().authors(collection.id).await?;
        let mut items: Vec<_> =
            authors.into_iter().map(|author| AuthorView { id: author.id, name: author.name, email: author.email }).collect();
        items.sort_by_cached_key(|author| (author.name.as_deref().unwrap_or(author.email.as_str()).to_lowercase(), author.id));
        Ok(AuthorList { items })
    }
}
