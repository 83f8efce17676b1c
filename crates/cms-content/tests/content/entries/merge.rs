//! Merging: what only one side changed is kept, and what both changed is refused and told.

use cms_content::{
    entries::{
        create::CreateEntry, get::GetEntry, merge::MergeEntry, publish::PublishEntry, revisions::ListRevisions, update::UpdateEntry,
    },
    schema::create_collection::CreateCollection,
};
use cms_core::both;
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, races::at_once, with};

fn block(key: &str, text: &str) -> Value {
    let span = json!({ "_type": "span", "_key": "s", "text": text, "marks": [] });
    json!({ "_type": "block", "_key": key, "style": "normal", "markDefs": [], "children": [span] })
}

/// An entry with a text of some blocks.
async fn text(site: &Site, blocks: Value) -> Value {
    let field = json!([{ "slug": "body", "label": "Body", "type": "portableText" }]);
    site.admin::<CreateCollection>(json!({ "slug": "texts", "label": "Texts", "supports": ["drafts", "revisions"], "fields": field }))
        .await;
    site.done::<CreateEntry>(Role::Author, json!({ "collection": "texts", "slug": "a", "data": { "body": blocks } })).await
}

both! {
    async fn what_only_one_side_changed_is_kept(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A", "body": "a", "price": 1 })).await;
        site.update(&entry, json!({ "data": { "title": "B", "price": null } })).await;
        let mine = json!({ "base": { "body": "a", "title": "A", "price": 1 }, "data": { "body": "b", "title": "A", "price": 1 } });
        let merged = site.done::<MergeEntry>(Role::Author, with(&entry, mine)).await;
        let data = &merged["item"]["data"];
        assert_eq!((&data["title"], &data["body"], &data["price"]), (&json!("B"), &json!("b"), &Value::Null));
    }

    async fn rich_text_is_merged_block_by_block(app: TestApp) {
        let site = Site::open(app).await;
        let base = json!([block("a", "A"), block("b", "B")]);
        let entry = text(&site, base.clone()).await;
        site.done::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": { "body": [block("a", "A"), block("b", "B2"), block("c", "C")] } }))).await;
        let mine = json!({ "base": { "body": base }, "data": { "body": [block("m", "M"), block("a", "A1"), block("b", "B")] } });
        let merged = site.done::<MergeEntry>(Role::Author, with(&entry, mine)).await;
        assert_eq!(merged["item"]["data"]["body"], json!([block("m", "M"), block("a", "A1"), block("b", "B2"), block("c", "C")]));
    }

    async fn repeaters_are_merged_row_by_row_and_by_what_is_in_the_rows(app: TestApp) {
        let site = Site::open(app).await;
        let sub_fields = json!([{ "slug": "name", "type": "string", "label": "Name" }, { "slug": "size", "type": "integer", "label": "Size" }]);
        let field = json!([{ "slug": "rows", "label": "Rows", "type": "repeater", "validation": { "subFields": sub_fields } }]);
        site.admin::<CreateCollection>(json!({ "slug": "texts", "label": "Texts", "supports": ["drafts", "revisions"], "fields": field })).await;
        let rows = json!([{ "name": "a", "size": 1 }, { "name": "b", "size": 2 }]);
        let entry = site.done::<CreateEntry>(Role::Author, json!({ "collection": "texts", "slug": "a", "data": { "rows": rows } })).await;
        let base = entry["item"]["data"]["rows"].clone();
        let (a, b) = (&base[0]["_key"], &base[1]["_key"]);
        assert!(a.is_string() && b.is_string() && a != b, "{base}");
        let theirs = json!([{ "_key": b, "name": "b", "size": 3 }, { "_key": a, "name": "a", "size": 1 }]);
        site.done::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": { "rows": theirs } }))).await;
        let mine = json!([{ "_key": a, "name": "A", "size": 1 }, { "_key": b, "name": "B", "size": 2 }, { "_key": "m", "name": "m" }]);
        let merged = site.done::<MergeEntry>(Role::Author, with(&entry, json!({ "base": { "rows": base }, "data": { "rows": mine } }))).await;
        let expected = json!([{ "_key": b, "name": "B", "size": 3 }, { "_key": "m", "name": "m" }, { "_key": a, "name": "A", "size": 1 }]);
        assert_eq!(merged["item"]["data"]["rows"], expected);
        let mine = json!([{ "_key": a, "name": "A2", "size": 1 }, { "_key": b, "name": "b", "size": 2 }]);
        let refused = site.refused::<MergeEntry>(Role::Author, with(&entry, json!({ "base": { "rows": base }, "data": { "rows": mine } }))).await;
        assert_eq!(refused.details_json().unwrap()["conflicts"], json!([{ "path": ["rows", a, "name"], "base": "a", "mine": "A2", "theirs": "A" }]));
    }

    async fn what_both_changed_is_refused_and_told_and_nothing_is_written(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A", "body": "a" })).await;
        let theirs = site.update(&entry, json!({ "data": { "title": "B" } })).await;
        let mine = json!({ "base": { "title": "A", "body": "a" }, "data": { "title": "C", "body": "b" } });
        let refused = site.refused::<MergeEntry>(Role::Author, with(&entry, mine)).await;
        assert_eq!(refused.code(), Code::Conflict);
        let conflicts = json!([{ "path": ["title"], "base": "A", "mine": "C", "theirs": "B" }]);
        assert_eq!(refused.details_json(), Some(&json!({ "conflicts": conflicts, "_rev": theirs["_rev"] })));
        assert_eq!(site.get(Role::Author, &entry).await, theirs);
    }

    async fn a_merge_into_a_published_entry_is_staged_and_checked_like_any_edit(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "body": "a" })).await;
        site.done::<MergeEntry>(Role::Author, with(&entry, json!({ "base": { "body": "a" }, "data": { "body": "b" } }))).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["body"], "a");
        let wrong = json!({ "base": { "title": "A" }, "data": { "title": null, "price": "x", "nope": 1 } });
        let refused = site.refused::<MergeEntry>(Role::Author, with(&entry, wrong)).await;
        assert_eq!(issues(&refused), ["data.title REQUIRED", "data.price INVALID_TYPE", "data.nope UNKNOWN_FIELD"]);
        site.done::<PublishEntry>(Role::Author, named(&entry)).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["body"], "b");
    }

    async fn a_merge_that_changes_nothing_writes_nothing(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let same = with(&entry, json!({ "base": { "title": "X" }, "data": { "title": "A" } }));
        assert_eq!(site.done::<MergeEntry>(Role::Author, same).await["_rev"], entry["_rev"]);
        assert_eq!(site.done::<ListRevisions>(Role::Author, named(&entry)).await["items"].as_array().map(Vec::len), Some(1));
    }

    async fn many_at_once_lose_nothing(app: TestApp) {
        let site = Site::open(app).await;
        let base = json!([block("a", "A")]);
        let entry = text(&site, base.clone()).await;
        let mine = |n: usize| {
            let body = json!([block("a", "A"), block(&format!("m{n}"), "M")]);
            with(&entry, json!({ "base": { "body": base }, "data": { "body": body } }))
        };
        for merged in at_once::<MergeEntry>(&site, Role::Author, (0..16).map(mine)).await {
            merged.unwrap();
        }
        let after = site.done::<GetEntry>(Role::Author, named(&entry)).await;
        assert_eq!(after["item"]["data"]["body"].as_array().map(Vec::len), Some(17), "{after}");
    }
}
