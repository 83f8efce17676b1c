//! What holds of items: who finds and changes them.

use cms_accounts::audit::ListAudit;
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::{Code, Error};
use cms_media::items::{DeleteMedia, GetMedia, ListMedia, UpdateMedia};
use serde_json::{Value, json};

use crate::files::{pdf, upload};

async fn found(app: &TestApp, input: Value) -> (Vec<String>, Option<Value>) {
    let page = app.call::<ListMedia>(Role::Subscriber, input).await.unwrap();
    let names = page["items"].as_array().unwrap().iter().map(|item| item["filename"].as_str().unwrap().to_owned());
    (names.collect(), page.get("nextCursor").cloned())
}

/// Where the first issue of a refusal is.
fn issue_path(error: &Error) -> String {
    error.details_json().unwrap()["issues"][0]["path"].as_str().unwrap().to_owned()
}

both! {
    async fn the_library_is_listed_from_the_newest_on_page_by_page(app: TestApp) {
        for (n, name) in ["a.pdf", "b.pdf", "c.pdf"].into_iter().enumerate() {
            upload(&app, Role::Author, name, &pdf(n)).await.unwrap();
        }
        let (first, next) = found(&app, json!({ "limit": 2 })).await;
        assert_eq!(first, ["c.pdf", "b.pdf"]);
        assert_eq!(found(&app, json!({ "limit": 2, "cursor": next })).await, (vec!["a.pdf".to_owned()], None));
        let elsewhere = app.call::<ListMedia>(Role::Author, json!({ "q": "a", "cursor": next })).await.unwrap_err();
        assert_eq!(elsewhere.code(), Code::InvalidCursor);
        assert_eq!(found(&app, json!({ "q": "B.P" })).await.0, ["b.pdf"]);
        assert_eq!(found(&app, json!({ "mimeType": "image/, application/pdf" })).await.0.len(), 3);
        assert_eq!(found(&app, json!({ "mimeType": "image/" })).await.0, [""; 0]);
        for input in [json!({ "folderId": "nowhere" }), json!({ "mimeType": "a/,".repeat(21) })] {
            assert_eq!(app.call::<ListMedia>(Role::Author, input).await.unwrap_err().code(), Code::ValidationError);
        }
    }

    async fn what_is_said_of_an_item_changes_by_who_may_and_knows_how_it_is(app: TestApp) {
        let made = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"].clone();
        let id = &made["id"];
        let change = json!({
            "id": id, "alt": "A lighthouse", "caption": "", "filename": "lighthouse", "focalPoint": { "x": 0.5, "y": 0 }, "_rev": made["_rev"],
        });
        let changed = app.call::<UpdateMedia>(Role::Author, change.clone()).await.unwrap()["item"].clone();
        assert_eq!((&changed["filename"], &changed["alt"], &changed["caption"]), (&json!("lighthouse.pdf"), &json!("A lighthouse"), &json!("")));
        assert_eq!((&changed["url"], &changed["focalPoint"]), (&made["url"], &json!({ "x": 0.5, "y": 0.0 })));
        assert_eq!(app.call::<UpdateMedia>(Role::Author, change).await.unwrap_err().code(), Code::Conflict);
        let cleared = app.call::<UpdateMedia>(Role::Editor, json!({ "id": id, "alt": null, "focalPoint": null })).await.unwrap()["item"].clone();
        assert_eq!((&cleared["alt"], &cleared["focalPoint"], &cleared["caption"]), (&Value::Null, &Value::Null, &json!("")));
        assert_eq!(app.call::<GetMedia>(Role::Subscriber, json!({ "id": id })).await.unwrap()["item"], cleared);
        for role in [Role::Subscriber, Role::Contributor] {
            let refused = app.call::<UpdateMedia>(role, json!({ "id": id, "alt": "Mine" })).await.unwrap_err();
            assert_eq!(refused.code(), Code::InsufficientPermissions);
        }
        let editors = upload(&app, Role::Editor, "b.pdf", &pdf(2)).await.unwrap()["item"]["id"].clone();
        let refused = app.call::<UpdateMedia>(Role::Author, json!({ "id": editors, "alt": "Mine" })).await.unwrap_err();
        assert_eq!(refused.code(), Code::InsufficientPermissions);
        assert_eq!(app.call::<DeleteMedia>(Role::Author, json!({ "id": editors })).await.unwrap_err().code(), Code::InsufficientPermissions);
        let nothing = app.call::<UpdateMedia>(Role::Editor, json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).await.unwrap_err();
        assert_eq!(nothing.code(), Code::NotFound);
    }

    async fn files_have_tags_and_texts_in_the_languages_of_the_site(app: TestApp) {
        let id = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"]["id"].clone();
        let update = async |change: Value| {
            let mut input = json!({ "id": id });
            input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            app.call::<UpdateMedia>(Role::Author, input).await
        };
        let item = update(json!({ "tags": ["Sea", "SEA", " harbour "], "translations": { "DE": { "alt": "Ein Leuchtturm" } } })).await.unwrap()["item"].clone();
        assert_eq!(item["tags"], json!(["Sea", "harbour"]));
        assert_eq!(item["translations"], json!({ "de": { "alt": "Ein Leuchtturm", "caption": null } }));
        let item = update(json!({ "alt": "A lighthouse" })).await.unwrap()["item"].clone();
        assert_eq!((item["tags"].as_array().unwrap().len(), item["translations"].as_object().unwrap().len()), (2, 1), "what is left out stays");
        assert_eq!(found(&app, json!({ "tag": "sea" })).await.0, ["a.pdf"]);
        assert_eq!(found(&app, json!({ "tag": "se" })).await.0, [""; 0]);
        for (change, path) in [
            (json!({ "translations": { "fr": { "alt": "Un phare" } } }), "translations.fr"),
            (json!({ "translations": { "en": { "alt": "A lighthouse" } } }), "translations.en"),
        ] {
            let refused = update(change).await.unwrap_err();
            assert_eq!((refused.code(), issue_path(&refused).as_str()), (Code::ValidationError, path));
        }
        for change in [json!({ "tags": [""] }), json!({ "tags": (0..51).map(|n| n.to_string()).collect::<Vec<_>>() }), json!({ "translations": { "de": { "title": "A" } } })] {
            assert_eq!(update(change).await.unwrap_err().code(), Code::ValidationError);
        }
        let item = update(json!({ "tags": [], "translations": { "de": null, "fr": null } })).await.unwrap()["item"].clone();
        assert_eq!((&item["tags"], &item["translations"]), (&json!([]), &json!({})));
    }

    async fn the_library_is_listed_by_size_time_and_what_nobody_says(app: TestApp) {
        let made = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"].clone();
        let (size, at) = (made["size"].as_u64().unwrap(), made["createdAt"].clone());
        assert_eq!(found(&app, json!({ "minSize": size, "maxSize": size, "createdFrom": at })).await.0, ["a.pdf"]);
        for input in [json!({ "minSize": size + 1 }), json!({ "maxSize": size - 1 }), json!({ "createdBefore": at }), json!({ "withoutAlt": true })] {
            assert_eq!(found(&app, input).await.0, [""; 0]);
        }
        for (input, path) in [(json!({ "minSize": 2, "maxSize": 1 }), "maxSize"), (json!({ "createdFrom": at, "createdBefore": at }), "createdBefore")] {
            let refused = app.call::<ListMedia>(Role::Author, input).await.unwrap_err();
            assert_eq!(issue_path(&refused), path);
        }
    }

    async fn the_audit_log_tells_what_was_done_to_a_file_and_what_it_was_called(app: TestApp) {
        let id = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"]["id"].clone();
        app.call::<UpdateMedia>(Role::Author, json!({ "id": id, "alt": "A" })).await.unwrap();
        app.call::<DeleteMedia>(Role::Author, json!({ "id": id })).await.unwrap();
        let lines = app.call::<ListAudit>(Role::Admin, json!({ "resourceType": "media" })).await.unwrap();
        let lines = lines["items"].as_array().unwrap().iter();
        let told: Vec<_> = lines.map(|line| (line["action"].as_str().unwrap(), line["resource"]["label"].as_str().unwrap())).collect();
        assert_eq!(told, [("media.delete", "a.pdf"), ("media.update", "a.pdf"), ("media.upload", "a.pdf")]);
    }
}
