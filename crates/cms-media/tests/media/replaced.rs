//! What holds of items that get other bytes.

use cms_core::both;
use cms_domain::user::Role;
use cms_frame::Code;
use cms_media::{
    items::{GetMedia, UpdateMedia},
    replace::ReplaceMedia,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::files::{bytes, data, kept_for_good, pdf, text, upload};

both! {
    async fn an_item_keeps_its_id_and_what_is_said_of_it_and_gets_another_key(app: TestApp) {
        let made = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"].clone();
        let said = app.call::<UpdateMedia>(Role::Author, json!({ "id": made["id"], "alt": "A" })).await.unwrap()["item"].clone();
        let input = json!({ "id": made["id"], "data": data(&pdf(2)), "_rev": said["_rev"] });
        let replaced = app.call::<ReplaceMedia>(Role::Author, input.clone()).await.unwrap()["item"].clone();
        assert_eq!((&replaced["id"], &replaced["alt"], &replaced["createdAt"]), (&made["id"], &json!("A"), &made["createdAt"]));
        assert_eq!(bytes(&app, &text(&replaced, "storageKey")).await, Some(pdf(2)));
        assert_eq!(bytes(&app, &text(&made, "storageKey")).await, None);
        assert_eq!(app.call::<ReplaceMedia>(Role::Author, input).await.unwrap_err().code(), Code::Conflict, "somebody was faster");
        assert_eq!(kept_for_good(&app).await, [text(&replaced, "storageKey")]);
    }

    async fn what_cannot_replace_an_item_leaves_it_as_it_is(app: TestApp) {
        let made = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"].clone();
        let other = upload(&app, Role::Editor, "b.pdf", &pdf(2)).await.unwrap()["item"].clone();
        let replace = async |role, id: &Value, bytes: &[u8]| app.call::<ReplaceMedia>(role, json!({ "id": id, "data": data(bytes) })).await;
        assert_eq!(replace(Role::Author, &made["id"], &pdf(2)).await.unwrap_err().code(), Code::Conflict, "another item has these bytes");
        assert_eq!(replace(Role::Author, &other["id"], &pdf(3)).await.unwrap_err().code(), Code::InsufficientPermissions);
        assert_eq!(replace(Role::Author, &made["id"], b"<html>").await.unwrap_err().code(), Code::InvalidType);
        let same = replace(Role::Author, &made["id"], &pdf(1)).await.unwrap();
        assert_eq!((&same["item"], &same["deduplicated"]), (&made, &json!(true)));
        assert_eq!(app.call::<GetMedia>(Role::Author, json!({ "id": made["id"] })).await.unwrap()["item"], made);
        assert_eq!(kept_for_good(&app).await.len(), 2);
    }

    async fn of_eight_who_replace_at_once_one_is_last_and_nothing_else_stays(app: TestApp) {
        let id = upload(&app, Role::Author, "a.pdf", &pdf(0)).await.unwrap()["item"]["id"].clone();
        let mut replacing = JoinSet::new();
        for n in 1..=8 {
            let (app, id) = (app.clone(), id.clone());
            replacing.spawn(async move { app.call::<ReplaceMedia>(Role::Author, json!({ "id": id, "data": data(&pdf(n)) })).await });
        }
        for replaced in replacing.join_all().await {
            replaced.unwrap();
        }
        let item = app.call::<GetMedia>(Role::Author, json!({ "id": id })).await.unwrap()["item"].clone();
        let key = text(&item, "storageKey");
        let bytes = bytes(&app, &key).await.unwrap();
        assert!((1..=8).any(|n| pdf(n) == bytes));
        assert_eq!(item["size"], json!(bytes.len()));
        assert_eq!(kept_for_good(&app).await, [key]);
    }
}
