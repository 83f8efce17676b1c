//! Translations: one a locale, equal in what is not translatable.

use cms_content::entries::{
    compare::CompareEntry, create::CreateEntry, delete::DeleteEntry, get::GetEntry, permanent_delete::PermanentDeleteEntry,
    publish::PublishEntry, revisions::ListRevisions, schedule::ScheduleEntry, translations::ListTranslations, update::UpdateEntry,
};
use cms_core::both;
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

impl Site {
    async fn translate(&self, source: &Value, data: Value, status: &str) -> Value {
        let new = json!({ "collection": "posts", "data": data, "locale": "de", "translationOf": source["item"]["id"], "status": status });
        self.done::<CreateEntry>(Role::Author, new).await
    }
}

both! {
    async fn an_unknown_locale_is_refused(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" }, "locale": "fr" });
        assert_eq!(issues(&site.refused::<CreateEntry>(Role::Author, new).await), ["locale UNKNOWN_LOCALE"]);
        let new = json!({ "collection": "posts", "data": { "title": "A" }, "locale": "DE" });
        assert_eq!(site.done::<CreateEntry>(Role::Author, new).await["item"]["locale"], "de");
    }

    async fn a_group_has_one_entry_a_locale(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.draft(json!({ "title": "A" })).await;
        let german = site.translate(&source, json!({ "title": "A" }), "draft").await;
        assert_eq!(german["item"]["translationGroup"], source["item"]["id"]);
        for locale in ["de", "en"] {
            let again = json!({ "collection": "posts", "data": { "title": "B" }, "locale": locale, "translationOf": german["item"]["id"] });
            assert_eq!(site.code::<CreateEntry>(Role::Author, again).await, Code::TranslationExists);
        }
    }

    async fn nobody_takes_the_place_of_an_entry_that_is_gone_among_its_translations(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.draft(json!({ "title": "A", "brand": "X" })).await;
        let german = site.translate(&source, json!({ "title": "B" }), "published").await;
        site.done::<DeleteEntry>(Role::Author, named(&source)).await;
        site.admin::<PermanentDeleteEntry>(named(&source)).await;
        for (collection, data) in [("posts", json!({ "title": "Another", "brand": "Y" })), ("plain", json!({ "title": "Another" }))] {
            let new = json!({ "collection": collection, "id": source["item"]["id"], "data": data });
            let refused = site.refused::<CreateEntry>(Role::Contributor, new).await;
            assert_eq!(refused.code(), Code::Conflict);
            assert_eq!(refused.details_json(), Some(&json!({ "id": source["item"]["id"] })));
        }
        assert_eq!(site.done::<ListTranslations>(Role::Author, named(&german)).await["translations"].as_array().unwrap().len(), 1);
        // Once they are gone too, nothing is in the way.
        site.done::<DeleteEntry>(Role::Author, named(&german)).await;
        site.admin::<PermanentDeleteEntry>(named(&german)).await;
        let new = json!({ "collection": "posts", "id": source["item"]["id"], "data": { "title": "Another" } });
        site.done::<CreateEntry>(Role::Contributor, new).await;
    }

    async fn a_translation_names_its_source_by_id_or_slug_in_any_locale(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.draft(json!({ "title": "A" })).await;
        let new = json!({ "collection": "posts", "data": { "title": "B" }, "locale": "de", "translationOf": "a" });
        let german = site.done::<CreateEntry>(Role::Author, new).await;
        assert_eq!(german["item"]["translationGroup"], source["item"]["translationGroup"]);
        let new = json!({ "collection": "posts", "data": { "title": "C" }, "locale": "de", "translationOf": "nope" });
        assert_eq!(site.code::<CreateEntry>(Role::Author, new).await, Code::NotFound);
    }

    async fn whoever_translates_an_entry_could_edit_it(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.draft(json!({ "title": "A" })).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" }, "locale": "de", "translationOf": source["item"]["id"] });
        assert_eq!(site.code::<CreateEntry>(Role::Contributor, new).await, Code::InsufficientPermissions);
    }

    async fn a_comparison_names_the_translations_that_publishing_changes_along(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = site.translate(&source, json!({ "title": "B" }), "draft").await;
        let along = async || site.done::<CompareEntry>(Role::Author, named(&german)).await["translations"].take();
        assert_eq!(along().await, json!([]));
        site.update(&german, json!({ "data": { "title": "C", "brand": "Y" } })).await;
        let reached =
            |deleted_at| json!([{ "id": source["item"]["id"], "locale": "en", "status": "published", "deletedAt": deleted_at, "fields": ["brand"] }]);
        assert_eq!(along().await, reached(Value::Null));
        site.publish(&german).await;
        assert_eq!(along().await, json!([]));
        assert_eq!(site.get(Role::Subscriber, &source).await["item"]["data"]["brand"], "Y");
        site.update(&german, json!({ "data": { "brand": "Z" } })).await;
        site.done::<DeleteEntry>(Role::Author, named(&source)).await;
        let trashed = along().await;
        assert!(trashed[0]["deletedAt"].is_string(), "{trashed}");
        assert_eq!(trashed, reached(trashed[0]["deletedAt"].clone()));
    }

    async fn a_translation_begins_with_the_values_that_are_not_translatable(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A", "brand": "X", "body": "b" })).await;
        site.update(&source, json!({ "data": { "brand": "staged" } })).await;
        let german = site.translate(&source, json!({ "title": "A", "brand": "mine" }), "draft").await;
        assert_eq!(german["item"]["data"]["brand"], "X");
        assert_eq!(german["item"]["data"].get("body"), None);
    }

    async fn a_shared_value_changes_no_translation_that_its_author_may_not_change(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = json!({ "collection": "posts", "data": { "title": "A" }, "locale": "de", "translationOf": source["item"]["id"], "status": "published" });
        let german = site.done::<CreateEntry>(Role::Editor, german).await;
        let brand = async || site.get(Role::Subscriber, &german).await["item"]["data"]["brand"].clone();
        // What is not shared concerns nobody else.
        site.update(&source, json!({ "data": { "title": "B" } })).await;
        site.publish(&source).await;
        site.update(&source, json!({ "data": { "brand": "Y" } })).await;
        for refused in [
            site.refused::<PublishEntry>(Role::Author, with(&source, json!({}))).await,
            site.refused::<ScheduleEntry>(Role::Author, with(&source, json!({ "scheduledAt": "2031-01-01T00:00:00Z" }))).await,
        ] {
            assert_eq!(refused.code(), Code::InsufficientPermissions);
            assert_eq!(refused.details_json().unwrap()["locale"], "de", "{refused}");
        }
        assert_eq!(brand().await, "X");
        site.done::<PublishEntry>(Role::Editor, with(&source, json!({}))).await;
        assert_eq!(brand().await, "Y");
        // What is public from now on is a revision that can be had back.
        let revisions = site.done::<ListRevisions>(Role::Editor, with(&german, json!({}))).await;
        assert_eq!(revisions["items"][0]["data"]["brand"], "Y", "{revisions}");
    }

    async fn a_published_value_that_is_not_translatable_reaches_the_translations(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = site.translate(&source, json!({ "title": "A" }), "published").await;
        let brand = async |answer: &Value| site.get(Role::Subscriber, answer).await["item"]["data"]["brand"].clone();
        site.update(&source, json!({ "data": { "brand": "Y", "title": "B" } })).await;
        assert_eq!(brand(&german).await, "X");
        site.publish(&source).await;
        assert_eq!(brand(&german).await, "Y");
        let after = site.get(Role::Author, &german).await;
        assert_eq!(after["item"]["version"], json!(german["item"]["version"].as_i64().unwrap() + 1));
        assert_eq!(after["item"]["data"]["title"], "A");
        // A value that is cleared is cleared for all.
        site.update(&german, json!({ "data": { "brand": null } })).await;
        site.publish(&german).await;
        assert_eq!(brand(&source).await, Value::Null);
    }

    async fn a_draft_of_a_translation_follows_unless_it_changed_the_value_itself(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = site.translate(&source, json!({ "title": "A" }), "published").await;
        site.update(&german, json!({ "data": { "title": "B" } })).await;
        let publish = async |brand: &str| {
            site.update(&source, json!({ "data": { "brand": brand } })).await;
            site.publish(&source).await;
            let item = site.get(Role::Author, &german).await["item"].clone();
            (item["liveData"]["brand"].clone(), item["data"]["brand"].clone())
        };
        assert_eq!(publish("Y").await, (json!("Y"), json!("Y")));
        site.update(&german, json!({ "data": { "brand": "own" } })).await;
        assert_eq!(publish("Z").await, (json!("Z"), json!("own")));
    }

    async fn with_one_locale_nothing_is_shared(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = site.translate(&source, json!({ "title": "A" }), "published").await;
        let single = Site { app: site.another(|options| options.locales = serde_json::from_value(json!(["en"])).unwrap()) };
        single.update(&source, json!({ "data": { "brand": "Y" } })).await;
        single.publish(&source).await;
        assert_eq!(site.get(Role::Subscriber, &german).await["item"]["data"]["brand"], "X");
    }

    async fn readers_see_published_translations_only(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.published(json!({ "title": "A" })).await;
        let german = site.translate(&source, json!({ "title": "A" }), "draft").await;
        let count = async |role| site.done::<ListTranslations>(role, named(&source)).await["translations"].as_array().unwrap().len();
        assert_eq!((count(Role::Subscriber).await, count(Role::Contributor).await), (1, 2));
        assert_eq!(site.code::<ListTranslations>(Role::Subscriber, named(&german)).await, Code::NotFound);
        site.publish(&german).await;
        let list = site.done::<ListTranslations>(Role::Subscriber, named(&german)).await;
        assert_eq!(list["translationGroup"], source["item"]["id"]);
        assert_eq!(list["translations"][0]["locale"], "de");
        // A staged slug is an editor's business.
        site.done::<UpdateEntry>(Role::Author, with(&german, json!({ "slug": "neu" }))).await;
        assert_eq!(site.done::<ListTranslations>(Role::Subscriber, named(&german)).await["translations"][0]["slug"], "a");
        assert_eq!(site.code::<GetEntry>(Role::Subscriber, json!({ "collection": "posts", "id": "neu" })).await, Code::NotFound);
    }
}
