//! The collection that journeys write to.

use serde_json::{Value, json};

use crate::Client;

/// Makes the collection `posts`: a title and a number, both indexed.
pub async fn make(client: &Client) {
    let fields = json!([
        { "slug": "title", "label": "Title", "type": "string", "required": true, "indexed": true },
        { "slug": "number", "label": "Number", "type": "integer", "indexed": true },
    ]);
    client.post("/schema/collections", &json!({ "slug": "posts", "label": "Posts", "fields": fields })).await;
}

/// The input of a new post.
pub fn new(slug: &str, number: u64) -> Value {
    json!({ "slug": slug, "data": { "title": slug, "number": number } })
}
