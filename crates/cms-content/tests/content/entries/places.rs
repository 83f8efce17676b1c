//! Slugs, ids, locales and dates: where an entry is, and when.

use cms_content::{
    entries::{
        compare::CompareEntry, create::CreateEntry, delete::DeleteEntry, duplicate::DuplicateEntry, get::GetEntry, publish::PublishEntry,
        revisions::ListRevisions, translations::ListTranslations, update::UpdateEntry,
    },
    schema::update_collection::UpdateCollection,
};
use cms_core::both;
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

both! {
    async fn a_slug_is_made_from_the_title_and_numbered_when_it_is_taken(app: TestApp) {
        let site = Site::open(app).await;
        let mut slugs = Vec::new();
        for title in ["Hello, World!", "Hello World", "hello world", "Trash", "!!!"] {
            slugs.push(site.draft(json!({ "title": title })).await["item"]["slug"].as_str().unwrap().to_owned());
        }
        assert_eq!(slugs, ["hello-world", "hello-world-1", "hello-world-2", "trash-1", "untitled-0ckr8de"]);
        let nameless = site.done::<CreateEntry>(Role::Author, json!({ "collection": "notes", "data": {} })).await;
        assert_eq!(nameless["item"]["slug"], Value::Null);
    }

    async fn many_entries_made_at_once_from_one_title_all_get_a_slug(app: TestApp) {
        let site = Site::open(app).await;
        let tasks: Vec<_> = (0..12)
            .map(|_| {
                let app = (*site).clone();
                tokio::spawn(async move { app.call::<CreateEntry>(Role::Author, json!({ "collection": "posts", "data": { "title": "A" } })).await })
            })
            .collect();
        let mut slugs = Vec::new();
        for task in tasks {
            slugs.push(task.await.unwrap().unwrap()["item"]["slug"].as_str().unwrap().to_owned());
        }
        slugs.sort();
        slugs.dedup();
        assert_eq!(slugs.len(), 12);
    }

    async fn a_given_slug_is_taken_as_it_is_or_refused(app: TestApp) {
        let site = Site::open(app).await;
        let new = |slug: &str| json!({ "collection": "posts", "data": { "title": "A" }, "slug": slug });
        let entry = site.done::<CreateEntry>(Role::Author, new("given")).await;
        assert_eq!(entry["item"]["slug"], "given");
        let refused = site.refused::<CreateEntry>(Role::Author, new("given")).await;
        assert_eq!((refused.code(), &refused.details_json().unwrap()["id"]), (Code::SlugConflict, &entry["item"]["id"]));
        for slug in ["", "a b", "a/b", "Ab", "authors", "trash", "reorder"] {
            assert_eq!(site.code::<CreateEntry>(Role::Author, new(slug)).await, Code::ValidationError, "{slug}");
        }
    }

    async fn a_staged_slug_that_is_taken_is_refused_when_it_is_saved_and_when_it_is_published(app: TestApp) {
        let site = Site::open(app).await;
        let first = site.published(json!({ "title": "A" })).await;
        let second = site.published(json!({ "title": "B" })).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Author, with(&first, json!({ "slug": "b" }))).await, Code::SlugConflict);
        // Both may stage the same free slug; the first to publish has it.
        site.update(&first, json!({ "slug": "c" })).await;
        site.update(&second, json!({ "slug": "c" })).await;
        site.publish(&first).await;
        assert_eq!(site.code::<PublishEntry>(Role::Author, named(&second)).await, Code::SlugConflict);
        assert_eq!(site.get(Role::Subscriber, &second).await["item"]["slug"], "b");
    }

    async fn an_entry_without_a_slug_is_not_published_where_entries_have_addresses(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "slug": null })).await;
        let refused = site.refused::<PublishEntry>(Role::Author, named(&entry)).await;
        assert_eq!(issues(&refused), ["slug REQUIRED"]);
        let public = site.published(json!({ "title": "B" })).await;
        let refused = site.refused::<UpdateEntry>(Role::Author, with(&public, json!({ "slug": null }))).await;
        assert_eq!(issues(&refused), ["slug REQUIRED"]);
        let note = json!({ "collection": "notes", "data": {}, "status": "published" });
        assert_eq!(site.done::<CreateEntry>(Role::Author, note).await["item"]["status"], "published");
    }

    async fn the_title_field_names_an_entry(app: TestApp) {
        let site = Site::open(app).await;
        site.admin::<UpdateCollection>(json!({ "slug": "notes", "titleField": "text" })).await;
        let note = site.done::<CreateEntry>(Role::Author, json!({ "collection": "notes", "data": { "text": "My Note" } })).await;
        assert_eq!(note["item"]["slug"], "my-note");
    }

    async fn every_route_takes_an_id_or_a_slug_and_a_locale(app: TestApp) {
        let site = Site::open(app).await;
        let english = site.published(json!({ "title": "A" })).await;
        let german = json!({ "collection": "posts", "data": { "title": "A" }, "locale": "de", "status": "published" });
        let german = site.done::<CreateEntry>(Role::Author, german).await;
        assert_eq!(german["item"]["slug"], "a");
        let at = |locale: &str| json!({ "collection": "posts", "id": "a", "locale": locale });
        for (locale, entry) in [("en", &english), ("de", &german), ("DE", &german)] {
            let id = &entry["item"]["id"];
            assert_eq!(site.done::<GetEntry>(Role::Subscriber, at(locale)).await["item"]["id"], *id);
            assert_eq!(site.done::<ListTranslations>(Role::Subscriber, at(locale)).await["translations"][0]["id"], *id);
            assert_eq!(site.done::<PublishEntry>(Role::Author, at(locale)).await["item"]["id"], *id);
            assert_eq!(site.done::<CompareEntry>(Role::Author, at(locale)).await["live"]["slug"], "a");
            assert_eq!(site.done::<ListRevisions>(Role::Author, at(locale)).await["items"][0]["entryId"], *id);
            assert_eq!(site.done::<DuplicateEntry>(Role::Author, at(locale)).await["item"]["locale"], entry["item"]["locale"]);
        }
        assert_eq!(issues(&site.refused::<GetEntry>(Role::Subscriber, at("fr")).await), ["locale UNKNOWN_LOCALE"]);
        let unlocated = json!({ "collection": "posts", "id": "a" });
        assert_eq!(site.done::<GetEntry>(Role::Subscriber, unlocated).await["item"]["id"], english["item"]["id"]);
    }

    async fn a_slug_in_several_locales_is_ambiguous_without_the_default_one(app: TestApp) {
        let site = Site::open(app).await;
        let site = Site { app: site.another(|options| options.locales = serde_json::from_value(json!(["en", "de", "fr"])).unwrap()) };
        for locale in ["de", "fr"] {
            let new = json!({ "collection": "posts", "data": { "title": "A" }, "locale": locale });
            site.done::<CreateEntry>(Role::Author, new).await;
        }
        let refused = site.refused::<GetEntry>(Role::Author, json!({ "collection": "posts", "id": "a" })).await;
        assert_eq!(refused.code(), Code::AmbiguousLocale);
        assert_eq!(refused.details_json().unwrap(), &json!({ "locales": ["de", "fr"] }));
    }

    async fn what_cannot_be_a_slug_is_not_found(app: TestApp) {
        let site = Site::open(app).await;
        for id in ["", "A B", "a\0b", "../x", "%", "01ARZ3NDEKTSV4RRFFQ69G5FAV", &"x".repeat(10_000)] {
            let named = json!({ "collection": "posts", "id": id });
            assert_eq!(site.code::<GetEntry>(Role::Author, named.clone()).await, Code::NotFound, "{id:?}");
            assert_eq!(site.code::<DeleteEntry>(Role::Author, named).await, Code::NotFound, "{id:?}");
        }
        let missing = json!({ "collection": "nope", "id": "a" });
        assert_eq!(site.code::<GetEntry>(Role::Author, missing).await, Code::CollectionNotFound);
    }

    async fn dates_are_kept_in_utc_whatever_their_offset(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({
            "collection": "posts", "data": { "title": "A", "at": "2027-01-01T12:00:00+02:00" },
            "createdAt": "2020-01-01T00:00:00-05:00", "publishedAt": "2021-01-01T00:00:00Z",
        });
        assert_eq!(site.code::<CreateEntry>(Role::Author, new.clone()).await, Code::InsufficientPermissions);
        let entry = site.done::<CreateEntry>(Role::Editor, new).await;
        assert_eq!(entry["item"]["createdAt"], "2020-01-01T05:00:00.000Z");
        assert_eq!(entry["item"]["publishedAt"], "2021-01-01T00:00:00.000Z");
        assert_eq!(entry["item"]["data"]["at"], "2027-01-01T10:00:00.000Z");
        let undated = json!({ "collection": "posts", "data": { "title": "B" }, "publishedAt": "2021-01-01" });
        assert_eq!(site.code::<CreateEntry>(Role::Editor, undated).await, Code::ValidationError);
    }
}
