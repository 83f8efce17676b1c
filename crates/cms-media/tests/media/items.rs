//! What holds of items: who finds and changes them.

use cms_accounts::audit::ListAudit;
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use cms_media::items::{DeleteMedia, GetMedia, ListMedia, UpdateMedia};
use serde_json::{Value, json};

use crate::files::{pdf, upload};

async fn found(app: &TestApp, input: Value) -> (Vec<String>, Option<Value>) {
    let page = app.call::<ListMedia>(Role::Subscriber, input).await.unwrap();
    let names = page["items"].as_array().unwrap().iter().map(|item| item["filename"].as_str().unwrap().to_owned());
    (names.collect(), page.get("nextCursor").cloned())
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
