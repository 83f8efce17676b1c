//! What a reading wants: some values, and entries that come along.

use cms_content::entries::{delete::DeleteEntry, get::GetEntry, list::ListEntries};
use cms_core::both;
use cms_domain::user::Role;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

/// How many entries come along at most.
const INCLUDED: usize = 200;

/// The list of posts with what a request adds to it.
fn posts(more: Value) -> Value {
    let mut input = json!({ "collection": "posts", "orderBy": "createdAt", "order": "asc" });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

fn titles(included: &Value) -> Vec<&str> {
    let mut titles: Vec<_> = included.as_object().unwrap().values().map(|item| item["data"]["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles
}

both! {
    async fn only_the_fields_that_are_wanted_are_shown(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "body": "long", "price": 3, "tags": ["x"] })).await;
        let data = |fields: &'static str| json!({ "title": "A", "price": 3, "fields": fields });
        for role in [Role::Subscriber, Role::Editor] {
            for (fields, shown) in [
                ("title,price", json!({ "title": "A", "price": 3 })),
                ("price,title,price", json!({ "title": "A", "price": 3 })),
                ("link", json!({})),
                ("", json!({})),
            ] {
                let one = site.done::<GetEntry>(role, with(&entry, json!({ "fields": fields }))).await;
                assert_eq!(one["item"]["data"], shown, "{}", data(fields));
                let list = site.done::<ListEntries>(role, posts(json!({ "fields": fields }))).await;
                assert_eq!(list["items"][0]["data"], shown, "{}", data(fields));
                assert_eq!(list["items"][0], one["item"]);
            }
            // What was written for one wish is not the answer to another.
            let whole = site.done::<ListEntries>(role, posts(json!({}))).await;
            assert_eq!(whole["items"][0]["data"]["body"], "long");
        }
        site.update(&entry, json!({ "data": { "title": "B" } })).await;
        let edited = site.done::<GetEntry>(Role::Editor, with(&entry, json!({ "fields": "title" }))).await;
        assert_eq!((&edited["item"]["data"], &edited["item"]["liveData"]), (&json!({ "title": "B" }), &json!({ "title": "A" })));
    }

    async fn what_comes_along_is_no_larger_than_a_page(app: TestApp) {
        let site = Site::open(app).await;
        let mut large = Vec::new();
        for n in 0..4 {
            let entry = site.published(json!({ "title": n.to_string(), "any": "x".repeat(6 << 20) })).await;
            large.push(entry["item"]["id"].clone());
        }
        let two = site.published(json!({ "title": "Two", "related": large[..2] })).await;
        let four = site.published(json!({ "title": "Four", "related": large })).await;
        for role in [Role::Subscriber, Role::Editor] {
            let answer = site.done::<GetEntry>(role, with(&two, json!({ "include": "related" }))).await;
            assert_eq!(titles(&answer["included"]), ["0", "1"]);
            let refused = site.refused::<GetEntry>(role, with(&four, json!({ "include": "related" }))).await;
            assert_eq!(issues(&refused), ["include TOO_LARGE"]);
        }
    }

    async fn entries_that_are_referred_to_come_along_as_far_as_they_may_be_seen(app: TestApp) {
        let site = Site::open(app).await;
        let (a, b) = (site.published(json!({ "title": "A" })).await, site.draft(json!({ "title": "B" })).await);
        let trashed = site.published(json!({ "title": "T" })).await;
        let id = |entry: &Value| entry["item"]["id"].clone();
        let data = json!({ "title": "C", "related": [id(&a), id(&trashed)], "parent": id(&a) });
        let c = site.published(data).await;
        let d = site.published(json!({ "title": "D", "parent": id(&c) })).await;
        site.update(&d, json!({ "data": { "parent": id(&b) } })).await;
        site.done::<DeleteEntry>(Role::Author, named(&trashed)).await;

        let one = site.done::<GetEntry>(Role::Subscriber, with(&c, json!({ "include": "related,parent", "fields": "title" }))).await;
        assert_eq!(one["item"]["data"], json!({ "title": "C" }), "what is included need not be shown");
        assert_eq!(titles(&one["included"]), ["A"], "each once, and nothing from the trash");
        assert_eq!(one["included"][id(&a).as_str().unwrap()], site.get(Role::Subscriber, &a).await["item"]);
        assert!(site.get(Role::Subscriber, &c).await.get("included").is_none());

        let list = site.done::<ListEntries>(Role::Subscriber, posts(json!({ "include": "parent" }))).await;
        assert_eq!(titles(&list["included"]), ["A", "C"]);
        let list = site.done::<ListEntries>(Role::Editor, posts(json!({ "include": "parent" }))).await;
        assert_eq!(titles(&list["included"]), ["A", "B"], "of the draft, and a draft");
        assert_eq!(list["included"][id(&b).as_str().unwrap()]["status"], "draft");
        let none = site.done::<ListEntries>(Role::Editor, posts(json!({ "include": "" }))).await;
        assert_eq!(none["included"], json!({}));
    }

    async fn fields_that_are_not_there_or_refer_to_nothing_are_refused_by_name(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let wish = json!({ "fields": "title,nothing", "include": "title,parent,missing" });
        let expected = ["fields UNKNOWN_FIELD", "include UNKNOWN_FIELD", "include FIELD_NOT_REFERENCE"];
        assert_eq!(issues(&site.refused::<GetEntry>(Role::Subscriber, with(&entry, wish.clone())).await), expected);
        assert_eq!(issues(&site.refused::<ListEntries>(Role::Subscriber, posts(wish)).await), expected);
        let spelled = site.refused::<ListEntries>(Role::Subscriber, posts(json!({ "fields": "title, price" }))).await;
        assert!(spelled.message().contains("with commas between them"), "{spelled}");
    }

    async fn a_page_that_refers_to_too_many_entries_is_refused(app: TestApp) {
        let site = Site::open(app).await;
        let mut ids = Vec::new();
        for n in 0..=INCLUDED {
            ids.push(site.draft(json!({ "title": format!("{n}") })).await["item"]["id"].clone());
        }
        site.draft(json!({ "title": "R", "related": ids[1..] })).await;
        let list = || posts(json!({ "include": "related", "order": "desc", "limit": 2 }));
        let all = site.done::<ListEntries>(Role::Editor, list()).await;
        assert_eq!(all["included"].as_object().unwrap().len(), INCLUDED);
        site.draft(json!({ "title": "S", "related": ids[..1] })).await;
        assert_eq!(issues(&site.refused::<ListEntries>(Role::Editor, list()).await), ["include TOO_MANY"]);
    }
}
