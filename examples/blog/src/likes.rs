//! An operation of the blog's own, with a permission, a code and an event: readers who are signed in say that they like a post.

use cms_core::{
    Code, CustomCode, Cx, Door, Error, Kind,
    content::entries::get::GetEntry,
    failures::{ENTRY, Failures},
    operation::{Http, Limit, Operation, Tool},
};
use cms_domain::{
    access::{Access, Actor, CustomPermission, Permission, Scope},
    event::Event,
    id::EntryId,
    slug::IdOrSlug,
    user::Role,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::POSTS;

/// Say that one likes a post.
pub const LIKE: Permission = Permission::Custom(&CustomPermission { name: "blog:like", least_role: Role::Subscriber });
/// Whoever wrote a post likes it anyway.
pub const OWN_POST: Code = Code::Custom(&CustomCode { name: "BLOG_OWN_POST", kind: Kind::Conflict, message: "you wrote this post" });
/// The event that somebody liked a post.
pub const LIKED: &str = "blog:liked";

/// Like a post.
///
/// Whoever wrote it hears of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LikePost {
    /// Id or slug of a published post.
    pub id: IdOrSlug,
}

/// What was liked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Liked {
    /// The post.
    pub post: EntryId,
}

impl Operation for LikePost {
    const ID: &'static str = "blog.like";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, LIKE);
    const HTTP: Http = Http::post("likePost", "/blog/posts/{id}/like");
    const TOOL: Tool = Tool::Write;
    const LIMIT: Option<Limit> = Some(Limit::FOLLOW);
    const FAILURES: Failures = &[ENTRY, &[OWN_POST]];
    type Output = Liked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Liked, Error> {
        // What is not published cannot be liked, whoever asks.
        let collection = POSTS.parse().map_err(Error::internal)?;
        let get = GetEntry { collection, id: self.id, locale: None, fields: None, include: None, format: Default::default() };
        let post = cx.cms().invoke(&Actor::Anonymous, Door::Local, get).await?.item;
        let by = cx.actor().user();
        if by.is_some() && by == post.author_id {
            return Err(Error::new(OWN_POST));
        }
        cx.audit("post", post.id, &json!({ "slug": post.slug }));
        cx.emit(Event::Custom { name: LIKED.to_owned(), details: json!({ "post": post.id, "slug": post.slug, "by": by }) });
        Ok(Liked { post: post.id })
    }
}
