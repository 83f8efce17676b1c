//! What the blog is made of: one collection, made at its first start.

use cms_core::{Cms, Code, Error, content::schema::create_collection::CreateCollection};
use cms_domain::access::Actor;
use serde_json::json;

use crate::{POSTS, ask};

/// Makes the collection unless it is there. From then on it is its editors' to change: the pages show what there is.
pub(crate) async fn ensure(cms: &Cms) -> Result<(), Error> {
    let posts = json!({
        "slug": POSTS,
        "label": "Posts",
        "labelSingular": "Post",
        "fields": [
            { "slug": "title", "label": "Title", "type": "string", "required": true },
            { "slug": "summary", "label": "Summary", "type": "text" },
            { "slug": "body", "label": "Body", "type": "text" },
            { "slug": "minutes", "label": "Minutes to read", "type": "integer" },
        ],
    });
    match ask::<CreateCollection>(cms, &Actor::System, posts).await {
        Err(error) if error.code() != Code::CollectionExists => Err(error),
        _ => Ok(()),
    }
}
