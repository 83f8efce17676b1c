//! What holds of folders.

use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use cms_media::{
    folders::{CreateFolder, DeleteFolder, GetFolder, ListFolders, UpdateFolder},
    items::{GetMedia, ListMedia, UpdateMedia},
    upload::UploadMedia,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::files::{data, pdf, upload};

async fn folder(app: &TestApp, name: &str) -> Value {
    app.call::<CreateFolder>(Role::Editor, json!({ "name": name })).await.unwrap()["item"].clone()
}

async fn names(app: &TestApp, input: Value) -> Vec<String> {
    let page = app.call::<ListFolders>(Role::Subscriber, input).await.unwrap();
    page["items"].as_array().unwrap().iter().map(|folder| folder["name"].as_str().unwrap().to_owned()).collect()
}

async fn inside(app: &TestApp, folder: &str) -> Vec<String> {
    let page = app.call::<ListMedia>(Role::Author, json!({ "folderId": folder })).await.unwrap();
    page["items"].as_array().unwrap().iter().map(|item| item["filename"].as_str().unwrap().to_owned()).collect()
}

both! {
    async fn folders_have_names_that_no_other_looks_like(app: TestApp) {
        let portraits = folder(&app, "  Portraits ").await;
        assert_eq!(portraits["name"], json!("Portraits"));
        folder(&app, "archive").await;
        assert_eq!(names(&app, json!({})).await, ["archive", "Portraits"]);
        assert_eq!(names(&app, json!({ "limit": 1 })).await, ["archive"]);
        let taken = app.call::<CreateFolder>(Role::Editor, json!({ "name": "PORTRAITS" })).await.unwrap_err();
        assert_eq!(taken.code(), Code::Conflict);
        let renamed = json!({ "id": portraits["id"], "name": "Archive" });
        assert_eq!(app.call::<UpdateFolder>(Role::Editor, renamed).await.unwrap_err().code(), Code::Conflict);
        for role in [Role::Author, Role::Contributor] {
            let refused = app.call::<CreateFolder>(role, json!({ "name": "Mine" })).await.unwrap_err();
            assert_eq!(refused.code(), Code::InsufficientPermissions);
        }
    }

    async fn a_folder_is_renamed_by_whoever_knows_how_it_is(app: TestApp) {
        let made = folder(&app, "Old").await;
        let rename = |name: &str| json!({ "id": made["id"], "name": name, "_rev": made["_rev"] });
        let renamed = app.call::<UpdateFolder>(Role::Editor, rename("New")).await.unwrap()["item"].clone();
        assert_eq!((&renamed["id"], &renamed["name"]), (&made["id"], &json!("New")));
        assert_eq!(app.call::<UpdateFolder>(Role::Editor, rename("Newer")).await.unwrap_err().code(), Code::Conflict);
        assert_eq!(app.call::<GetFolder>(Role::Subscriber, json!({ "id": made["id"] })).await.unwrap()["item"], renamed);
    }

    async fn what_is_in_a_deleted_folder_is_in_the_main_library_and_otherwise_as_it_was(app: TestApp) {
        let portraits = folder(&app, "Portraits").await;
        let id = portraits["id"].as_str().unwrap().to_owned();
        let input = json!({ "filename": "a.pdf", "data": data(&pdf(1)), "folderId": id, "alt": "A" });
        let made = app.call::<UploadMedia>(Role::Author, input).await.unwrap()["item"].clone();
        let other = upload(&app, Role::Author, "b.pdf", &pdf(2)).await.unwrap()["item"].clone();
        assert_eq!((inside(&app, &id).await, inside(&app, "unfiled").await), (vec!["a.pdf".to_owned()], vec!["b.pdf".to_owned()]));
        app.call::<UpdateMedia>(Role::Author, json!({ "id": other["id"], "folderId": id })).await.unwrap();
        assert_eq!(inside(&app, &id).await, ["b.pdf", "a.pdf"]);

        app.call::<DeleteFolder>(Role::Editor, json!({ "id": id })).await.unwrap();
        assert_eq!(app.call::<GetFolder>(Role::Editor, json!({ "id": id })).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(inside(&app, "unfiled").await, ["b.pdf", "a.pdf"]);
        let now = app.call::<GetMedia>(Role::Author, json!({ "id": made["id"] })).await.unwrap()["item"].clone();
        assert_eq!((&now["url"], &now["alt"], &now["folderId"]), (&made["url"], &made["alt"], &Value::Null));
        let gone = app.call::<UpdateMedia>(Role::Author, json!({ "id": other["id"], "folderId": id })).await.unwrap_err();
        assert_eq!(gone.code(), Code::NotFound);
    }

    async fn nothing_is_put_into_a_folder_that_goes_meanwhile(app: TestApp) {
        let id = folder(&app, "Portraits").await["id"].clone();
        let mut items = Vec::new();
        for n in 0..8 {
            items.push(upload(&app, Role::Author, "a.pdf", &pdf(n)).await.unwrap()["item"]["id"].clone());
        }
        let mut work = JoinSet::new();
        for item in items.clone() {
            let (app, id) = (app.clone(), id.clone());
            work.spawn(async move { app.call::<UpdateMedia>(Role::Author, json!({ "id": item, "folderId": id })).await.map(drop) });
        }
        let (deleting, folder) = (app.clone(), id.clone());
        work.spawn(async move { deleting.call::<DeleteFolder>(Role::Editor, json!({ "id": folder })).await.map(drop) });
        for done in work.join_all().await {
            assert!(done.is_ok_and(|()| true) || app.call::<GetFolder>(Role::Editor, json!({ "id": id })).await.is_err());
        }
        for item in items {
            let item = app.call::<GetMedia>(Role::Author, json!({ "id": item })).await.unwrap();
            assert_eq!(item["item"]["folderId"], Value::Null);
        }
    }
}
