//! For each operation an input that succeeds for an administrator of the small site.

use serde_json::{Value, json};

use crate::world::World;

/// An input that succeeds once.
pub(crate) fn of(id: &str, world: &World) -> Option<Value> {
    let post = |slug: &str| json!({ "collection": "posts", "id": slug, "locale": "en" });
    let with = |slug: &str, more: Value| {
        let mut input = post(slug);
        for (name, value) in more.as_object().unwrap() {
            input[name] = value.clone();
        }
        input
    };
    Some(match id {
        "content.list" => json!({ "collection": "posts", "orderBy": "title", "order": "asc", "limit": 2, "includeTotal": true }),
        "content.create" => json!({ "collection": "posts", "data": { "title": "New", "tags": ["red"] }, "locale": "de" }),
        "content.get"
        | "content.compare"
        | "content.discard_draft"
        | "content.translations"
        | "content.publish"
        | "content.delete"
        | "content.duplicate"
        | "content.get_lock"
        | "content.acquire_lock"
        | "content.preview_url"
        | "content.revoke_previews"
        | "revision.list" => post("edited"),
        "content.update" => with("live", json!({ "data": { "title": "Changed" }, "seo": { "title": "Found" } })),
        "content.unpublish" | "content.release_lock" => post("live"),
        "content.schedule" => with("draft", json!({ "scheduledAt": "2027-05-01T02:00:00+02:00" })),
        "content.unschedule" => post("planned"),
        "content.restore" | "content.permanent_delete" => post("trashed"),
        "content.authors" | "content.list_trashed" | "schema.list_fields" => json!({ "collection": "posts" }),
        "content.preview" => json!({ "token": world.preview }),
        "revision.get" | "revision.restore" => json!({ "revisionId": world.revision }),
        "schema.list_collections" | "schema.list_orphans" | "schema.export" | "schema.typescript" | "token.list" => json!({}),
        "schema.create_collection" => json!({ "slug": "pages", "label": "Pages" }),
        "schema.get_collection" => json!({ "slug": "posts", "includeSchema": true }),
        "schema.update_collection" => json!({ "slug": "posts", "label": "Articles", "description": null }),
        "schema.delete_collection" => json!({ "slug": "posts", "force": true }),
        "schema.create_field" => json!({ "collection": "posts", "slug": "subtitle", "label": "Subtitle", "type": "string" }),
        "schema.get_field" | "schema.delete_field" => json!({ "collection": "posts", "fieldSlug": "price" }),
        "schema.update_field" => json!({ "collection": "posts", "fieldSlug": "price", "label": "Cost" }),
        "schema.reorder_collections" => json!({ "slugs": ["posts"] }),
        "schema.reorder_fields" => json!({ "collection": "posts", "fieldSlugs": ["tags", "price", "body", "title"] }),
        "schema.register_orphan" => json!({ "slug": "lost" }),
        "token.create" => json!({ "name": "another", "scopes": ["content:read"] }),
        "token.revoke" => json!({ "id": world.token }),
        _ => return None,
    })
}

/// A value for a member of a path that names nothing.
pub(crate) fn missing(id: &str, name: &str) -> Value {
    match (id, name) {
        ("token.revoke", _) | (_, "revisionId") => json!("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        _ => json!("missing"),
    }
}
