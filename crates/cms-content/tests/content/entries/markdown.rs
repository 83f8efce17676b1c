//! Rich text as Markdown: what is read can be written back, and changes what was changed.

use cms_content::{
    entries::{compare::CompareEntry, create::CreateEntry, get::GetEntry, list::ListEntries, publish::PublishEntry, update::UpdateEntry},
    schema::create_collection::CreateCollection,
};
use cms_core::both;
use cms_domain::user::Role;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

fn block(key: &str, text: &str) -> Value {
    let span = json!({ "_type": "span", "_key": format!("{key}s"), "text": text, "marks": [] });
    json!({ "_type": "block", "_key": key, "style": "normal", "markDefs": [], "children": [span] })
}

fn body() -> Value {
    json!([block("a", "First."), { "_type": "poll", "_key": "b", "question": "Why?" }, block("c", "Last.")])
}

/// An entry with a text, which refers to another one.
async fn texts(site: &Site) -> (Value, Value) {
    let fields = json!([
        { "slug": "title", "label": "Title", "type": "string" },
        { "slug": "body", "label": "Body", "type": "portableText" },
        { "slug": "note", "label": "Note", "type": "portableText" },
        { "slug": "next", "label": "Next", "type": "reference", "options": { "collection": "texts" } },
    ]);
    let collection = json!({ "slug": "texts", "label": "Texts", "supports": ["drafts", "revisions"], "fields": fields });
    site.admin::<CreateCollection>(collection).await;
    let create =
        |data: Value| site.done::<CreateEntry>(Role::Author, json!({ "collection": "texts", "data": data, "status": "published" }));
    let other = create(json!({ "title": "Other", "body": [block("x", "Other.")] })).await;
    let entry = create(json!({ "title": "One", "body": body(), "next": other["item"]["id"] })).await;
    (entry, other)
}

both! {
    async fn what_is_read_as_markdown_is_written_back_without_a_change(app: TestApp) {
        let site = Site::open(app).await;
        let (entry, _) = texts(&site).await;
        let read = site.done::<GetEntry>(Role::Author, with(&entry, json!({ "format": "markdown" }))).await;
        let markdown = read["item"]["data"]["body"].as_str().unwrap();
        assert!(markdown.starts_with("First.\n\n```json:object\n{") && markdown.ends_with("\n```\n\nLast.\n"), "{markdown}");
        let same = json!({ "data": { "body": markdown }, "format": "markdown", "_rev": read["_rev"] });
        let written = site.done::<UpdateEntry>(Role::Author, with(&entry, same)).await;
        assert_eq!((&written["_rev"], &written["item"]["data"]["body"]), (&read["_rev"], &read["item"]["data"]["body"]));
        assert_eq!(site.get(Role::Author, &entry).await["item"]["data"]["body"], body());
    }

    async fn a_change_of_one_paragraph_changes_its_block_alone(app: TestApp) {
        let site = Site::open(app).await;
        let (entry, _) = texts(&site).await;
        let read = site.done::<GetEntry>(Role::Author, with(&entry, json!({ "format": "markdown" }))).await;
        let edited = read["item"]["data"]["body"].as_str().unwrap().replace("Last.", "The end.") + "\nNew.\n";
        let change = json!({ "data": { "body": edited, "note": [block("n", "A list passes.")] }, "format": "markdown", "_rev": read["_rev"] });
        site.done::<UpdateEntry>(Role::Author, with(&entry, change)).await;
        let now = site.get(Role::Author, &entry).await["item"]["data"].clone();
        assert_eq!(json!(now["body"].as_array().unwrap()[..2]), json!(body().as_array().unwrap()[..2]));
        assert_eq!(now["body"][2], json!({ "_type": "block", "_key": "c", "style": "normal", "markDefs": [],
            "children": [{ "_type": "span", "_key": "cs", "text": "The end.", "marks": [] }] }));
        assert!(now["body"][3]["_key"].is_string() && now["body"][3]["_key"] != "c", "{now}");
        assert_eq!(now["note"][0]["_key"], "n");
        let compared = site.done::<CompareEntry>(Role::Author, with(&entry, json!({ "format": "markdown" }))).await;
        assert_eq!(compared["changes"][0]["path"], "data.body");
        assert!(compared["changes"][0]["draft"].as_str().unwrap().ends_with("The end.\n\nNew.\n"), "{compared}");
        assert!(compared["live"]["data"]["body"].as_str().unwrap().ends_with("Last.\n"), "{compared}");
    }

    async fn what_a_field_cannot_hold_is_refused_with_its_line_and_changes_nothing(app: TestApp) {
        let site = Site::open(app).await;
        let (entry, _) = texts(&site).await;
        let change = json!({ "data": { "body": "Fine.\n\n> > deep\n", "note": "```json:object\n{\n```\n" }, "format": "markdown" });
        let refused = site.refused::<UpdateEntry>(Role::Author, with(&entry, change)).await;
        assert_eq!(issues(&refused), ["data.body MARKDOWN_LOSSY", "data.note MARKDOWN_INVALID"]);
        assert!(refused.details_json().unwrap()["issues"][0]["message"].as_str().unwrap().starts_with("line 3: "), "{refused:?}");
        assert_eq!(site.get(Role::Author, &entry).await["item"]["data"]["body"], body());
        let text = json!({ "data": { "body": "A text" } });
        assert_eq!(issues(&site.refused::<UpdateEntry>(Role::Author, with(&entry, text)).await), ["data.body INVALID_TYPE"]);
    }

    async fn lists_readers_and_what_comes_along_have_the_same_format(app: TestApp) {
        let site = Site::open(app).await;
        let (entry, other) = texts(&site).await;
        site.done::<PublishEntry>(Role::Author, named(&entry)).await;
        let id = other["item"]["id"].as_str().unwrap();
        for role in [Role::Subscriber, Role::Editor] {
            for format in ["json", "markdown", "json"] {
                let more = json!({ "format": format, "include": "next", "fields": "body,next" });
                let one = site.done::<GetEntry>(role, with(&entry, more)).await;
                assert_eq!(one["item"]["data"]["body"].is_string(), format == "markdown", "{one}");
                assert_eq!(one["included"][id]["data"]["body"].is_string(), format == "markdown", "{one}");
                assert!(one["item"]["data"]["title"].is_null(), "{one}");
                let list = site.done::<ListEntries>(role, json!({ "collection": "texts", "format": format, "fields": "body" })).await;
                for item in list["items"].as_array().unwrap() {
                    assert_eq!(item["data"]["body"].is_string(), format == "markdown", "{list}");
                }
            }
        }
    }

    async fn a_new_entry_is_written_in_markdown(app: TestApp) {
        let site = Site::open(app).await;
        texts(&site).await;
        let input = json!({ "collection": "texts", "data": { "title": "New", "body": "# Head\n\n- one\n- **two**\n" }, "format": "markdown" });
        let made = site.done::<CreateEntry>(Role::Author, input).await;
        assert_eq!(made["item"]["data"]["body"], "# Head\n\n- one\n- **two**\n");
        let body = site.get(Role::Author, &made).await["item"]["data"]["body"].clone();
        assert_eq!((&body[0]["style"], &body[2]["listItem"], &body[2]["children"][0]["marks"]), (&json!("h1"), &json!("bullet"), &json!(["strong"])));
        assert!(body[0]["_key"].is_string() && body[0]["children"][0]["_key"].is_string(), "{body}");
    }
}
