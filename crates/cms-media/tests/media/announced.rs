//! What holds of files that are announced, sent and confirmed.

use std::{sync::Arc, time::Duration};

use cms_accounts::audit::ListAudit;
use cms_core::{Client, Door, both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::{Code, Error};
use cms_media::{
    announce::AnnounceMedia,
    arriving,
    confirm::ConfirmMedia,
    items::{GetMedia, ListMedia},
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::files::{bytes, kept_for_good, pdf, text, upload};

async fn announce(app: &TestApp, role: Role, bytes: &[u8]) -> Value {
    let input = json!({ "filename": "a.pdf", "contentType": "application/pdf", "size": bytes.len() });
    app.call::<AnnounceMedia>(role, input).await.unwrap()
}

/// Sends bytes as a door does: they arrive first, and then the operation is done.
async fn bring(app: &TestApp, role: Role, id: &Value, bytes: &[u8]) -> Result<Value, Error> {
    let cms = app.cms();
    let mut coming = arriving::begin(cms, 1 << 20, Some("application/pdf".to_owned())).unwrap();
    coming.write(bytes.to_vec().into()).await.unwrap();
    let arrived = coming.finish().await.unwrap();
    let members = json!({ "id": id }).as_object().unwrap().clone();
    let operation = cms.catalog().get("media.bring").unwrap().clone();
    let invocation = operation.read(members).unwrap().with(Arc::new(arrived.clone()));
    let answer = cms.perform(&TestApp::actor(role), Door::Rest, &Client::default(), invocation, None).await;
    let answer = answer.inspect_err(|_| arriving::let_go(cms, &arrived))?;
    Ok(serde_json::from_slice(&answer.to_json().unwrap()).unwrap())
}

async fn confirm(app: &TestApp, role: Role, id: &Value) -> Result<Value, Error> {
    app.call::<ConfirmMedia>(role, json!({ "id": id })).await
}

async fn listed(app: &TestApp) -> usize {
    app.call::<ListMedia>(Role::Admin, json!({})).await.unwrap()["items"].as_array().unwrap().len()
}

both! {
    async fn an_announced_file_is_an_item_once_it_is_confirmed(app: TestApp) {
        let target = announce(&app, Role::Contributor, &pdf(1)).await;
        let id = &target["mediaId"];
        assert_eq!((&target["existing"], &target["method"]), (&json!(false), &json!("PUT")));
        assert_eq!(target["uploadUrl"], json!(format!("/_cms/api/media/{}/upload", id.as_str().unwrap())));
        assert_eq!(target["headers"], json!({ "Content-Type": "application/pdf", "x-cms-request": "1" }));
        assert_eq!(confirm(&app, Role::Contributor, id).await.unwrap_err().code(), Code::FileNotFound);

        let brought = bring(&app, Role::Contributor, id, &pdf(1)).await.unwrap();
        assert_eq!((&brought["uploaded"], &brought["size"]), (&json!(true), &json!(pdf(1).len())));
        assert_eq!(listed(&app).await, 0, "nobody sees it yet");
        assert_eq!(bytes(&app, brought["storageKey"].as_str().unwrap()).await, None);

        let made = confirm(&app, Role::Contributor, id).await.unwrap();
        assert_eq!((&made["item"]["id"], &made["item"]["storageKey"]), (id, &brought["storageKey"]));
        assert_eq!(confirm(&app, Role::Contributor, id).await.unwrap()["item"], made["item"], "once more");
        assert_eq!(app.call::<GetMedia>(Role::Subscriber, json!({ "id": id })).await.unwrap()["item"], made["item"]);
        for action in ["media.bring", "media.confirm"] {
            let lines = app.call::<ListAudit>(Role::Admin, json!({ "action": action })).await.unwrap();
            assert_eq!(lines["items"].as_array().unwrap().len(), 1, "{action}");
        }
        assert_eq!(kept_for_good(&app).await, [text(&made["item"], "storageKey")]);
    }

    async fn bytes_other_than_those_that_were_announced_are_refused(app: TestApp) {
        let target = announce(&app, Role::Author, &pdf(1)).await;
        let id = &target["mediaId"];
        let error = bring(&app, Role::Author, id, &[pdf(1), pdf(1)].concat()).await.unwrap_err();
        assert_eq!(error.code(), Code::UploadSizeMismatch);
        let picture = b"\x89PNG\r\n\x1a\n";
        let mut same_length = picture.to_vec();
        same_length.resize(pdf(1).len(), 0);
        let mut coming = arriving::begin(app.cms(), 1 << 20, None).unwrap();
        coming.write(same_length.into()).await.unwrap();
        let arrived = Arc::new(coming.finish().await.unwrap());
        let operation = app.cms().catalog().get("media.bring").unwrap().clone();
        let invocation = operation.read(json!({ "id": id }).as_object().unwrap().clone()).unwrap().with(arrived);
        let refused = app.cms().perform(&TestApp::actor(Role::Author), Door::Rest, &Client::default(), invocation, None).await;
        assert_eq!(refused.err().unwrap().code(), Code::InvalidType);

        bring(&app, Role::Author, id, &pdf(1)).await.unwrap();
        let error = app.call::<ConfirmMedia>(Role::Author, json!({ "id": id, "size": 1 })).await.unwrap_err();
        assert_eq!(error.code(), Code::UploadSizeMismatch);
        confirm(&app, Role::Author, id).await.unwrap();
        assert_eq!(kept_for_good(&app).await.len(), 1);
    }

    async fn bytes_that_are_sent_again_replace_those_before(app: TestApp) {
        let target = announce(&app, Role::Author, &pdf(1)).await;
        let id = &target["mediaId"];
        let first = bring(&app, Role::Author, id, &pdf(1)).await.unwrap();
        let second = bring(&app, Role::Author, id, &pdf(2)).await.unwrap();
        assert_ne!(first["storageKey"], second["storageKey"]);
        let made = confirm(&app, Role::Author, id).await.unwrap();
        assert_eq!(bytes(&app, &text(&made["item"], "storageKey")).await, Some(pdf(2)));
        assert_eq!(kept_for_good(&app).await, [text(&made["item"], "storageKey")]);
    }

    async fn what_nobody_confirms_within_its_hour_goes(app: TestApp) {
        let target = announce(&app, Role::Author, &pdf(1)).await;
        bring(&app, Role::Author, &target["mediaId"], &pdf(1)).await.unwrap();
        app.clock().advance(Duration::from_hours(1));
        assert_eq!(confirm(&app, Role::Author, &target["mediaId"]).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(kept_for_good(&app).await, [""; 0]);
    }

    async fn others_go_on_with_an_announced_file_as_editors_alone(app: TestApp) {
        let target = announce(&app, Role::Author, &pdf(1)).await;
        let id = &target["mediaId"];
        let refused = bring(&app, Role::Contributor, id, &pdf(1)).await.unwrap_err();
        assert_eq!(refused.code(), Code::InsufficientPermissions);
        bring(&app, Role::Editor, id, &pdf(1)).await.unwrap();
        assert_eq!(confirm(&app, Role::Contributor, id).await.unwrap_err().code(), Code::InsufficientPermissions);
        let made = confirm(&app, Role::Editor, id).await.unwrap();
        assert_eq!(made["item"]["authorId"], json!(TestApp::user(Role::Author)));
    }

    async fn eight_who_confirm_at_once_make_one_item(app: TestApp) {
        let target = announce(&app, Role::Author, &pdf(1)).await;
        let id = target["mediaId"].clone();
        bring(&app, Role::Author, &id, &pdf(1)).await.unwrap();
        let mut confirming = JoinSet::new();
        for _ in 0..8 {
            let (app, id) = (app.clone(), id.clone());
            confirming.spawn(async move { confirm(&app, Role::Author, &id).await });
        }
        for made in confirming.join_all().await {
            assert_eq!(made.unwrap()["item"]["id"], id);
        }
        assert_eq!((listed(&app).await, kept_for_good(&app).await.len()), (1, 1));
    }

    async fn bytes_that_are_known_need_not_be_sent_and_are_no_second_item(app: TestApp) {
        let first = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap()["item"].clone();
        let input = json!({
            "filename": "b.pdf", "contentType": "application/pdf", "size": pdf(1).len(), "contentHash": first["contentHash"],
        });
        let known = app.call::<AnnounceMedia>(Role::Author, input).await.unwrap();
        assert_eq!((&known["existing"], &known["mediaId"], &known["url"]), (&json!(true), &first["id"], &first["url"]));

        let target = announce(&app, Role::Author, &pdf(1)).await;
        bring(&app, Role::Author, &target["mediaId"], &pdf(1)).await.unwrap();
        let made = confirm(&app, Role::Author, &target["mediaId"]).await.unwrap();
        assert_eq!((&made["item"]["id"], &made["deduplicated"]), (&first["id"], &json!(true)));
        assert_eq!(kept_for_good(&app).await, [text(&first, "storageKey")]);
    }

    async fn nobody_announces_more_files_than_they_send(app: TestApp) {
        for _ in 0..200 {
            announce(&app, Role::Author, &pdf(1)).await;
        }
        let input = json!({ "filename": "a.pdf", "contentType": "application/pdf", "size": 9 });
        assert_eq!(app.call::<AnnounceMedia>(Role::Author, input.clone()).await.unwrap_err().code(), Code::UploadLimit);
        assert!(app.call::<AnnounceMedia>(Role::Editor, input.clone()).await.is_ok(), "others do");
        app.clock().advance(Duration::from_hours(1));
        assert!(app.call::<AnnounceMedia>(Role::Author, input).await.is_ok());
    }
}
