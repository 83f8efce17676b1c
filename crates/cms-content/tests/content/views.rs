//! What holds of saved views.

use cms_accounts::audit::ListAudit;
use cms_content::{
    schema::{create_collection::CreateCollection, delete_collection::DeleteCollection},
    views::{CreateView, DeleteView, GetView, ListViews, UpdateView},
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::{Code, Error};
use serde_json::{Value, json};

/// A site with an empty collection.
async fn site(app: &TestApp) {
    let posts = json!({ "slug": "posts", "label": "Posts", "fields": [{ "slug": "title", "label": "Title", "type": "string" }] });
    app.call::<CreateCollection>(Role::Admin, posts).await.unwrap();
}

async fn create(app: &TestApp, role: Role, name: &str, is_shared: bool) -> Result<Value, Error> {
    let input = json!({ "collection": "posts", "name": name, "search": { "sort": "title" }, "isShared": is_shared });
    app.call::<CreateView>(role, input).await.map(|made| made["item"].clone())
}

/// What somebody finds: the name of each, whether it is theirs, and whether they may change it.
async fn found(app: &TestApp, role: Role) -> Vec<(String, bool, bool)> {
    let list = app.call::<ListViews>(role, json!({ "collection": "posts" })).await.unwrap();
    let of = |view: &Value| (view["name"].as_str().unwrap().to_owned(), view["isMine"] == true, view["mayEdit"] == true);
    list["items"].as_array().unwrap().iter().map(of).collect()
}

both! {
    async fn a_view_is_its_owners_until_it_is_shared_which_editors_may(app: TestApp) {
        site(&app).await;
        create(&app, Role::Author, "Mine", false).await.unwrap();
        let refused = create(&app, Role::Author, "Ours", true).await.unwrap_err();
        assert_eq!(refused.code(), Code::InsufficientPermissions);
        create(&app, Role::Editor, "Ours", true).await.unwrap();
        assert_eq!(found(&app, Role::Author).await, [("Mine".to_owned(), true, true), ("Ours".to_owned(), false, false)]);
        assert_eq!(found(&app, Role::Admin).await, [("Ours".to_owned(), false, true)]);
    }

    async fn somebody_elses_own_view_does_not_exist_and_a_shared_one_is_left_to_editors(app: TestApp) {
        site(&app).await;
        let mine = create(&app, Role::Author, "Mine", false).await.unwrap();
        let ours = create(&app, Role::Editor, "Ours", true).await.unwrap();
        for (role, view, expected) in [
            (Role::Admin, &mine, Code::NotFound),
            (Role::Author, &ours, Code::InsufficientPermissions),
        ] {
            let read = app.call::<GetView>(role, json!({ "id": view["id"] })).await.map(|read| read["item"]["name"] == "Ours");
            let readable = if expected == Code::NotFound { Err(expected) } else { Ok(true) };
            assert_eq!(read.map_err(|error| error.code()), readable);
            let input = json!({ "id": view["id"], "name": "Theirs" });
            assert_eq!(app.call::<UpdateView>(role, input).await.unwrap_err().code(), expected);
            let input = json!({ "id": view["id"] });
            assert_eq!(app.call::<DeleteView>(role, input).await.unwrap_err().code(), expected);
        }
        let shared = app.call::<UpdateView>(Role::Author, json!({ "id": mine["id"], "isShared": true })).await;
        assert_eq!(shared.unwrap_err().code(), Code::InsufficientPermissions);
        app.call::<DeleteView>(Role::Admin, json!({ "id": ours["id"] })).await.unwrap();
        assert_eq!(found(&app, Role::Author).await, [("Mine".to_owned(), true, true)]);
    }

    async fn a_name_that_nobody_sees_or_that_reaches_beyond_its_button_is_refused(app: TestApp) {
        site(&app).await;
        let view = create(&app, Role::Author, "Mine", false).await.unwrap();
        for name in [" ", "a\nb", "\u{202e}", "a\u{0}b"] {
            assert_eq!(create(&app, Role::Author, name, false).await.unwrap_err().code(), Code::ValidationError, "{name:?}");
            let renamed = app.call::<UpdateView>(Role::Author, json!({ "id": view["id"], "name": name })).await;
            assert_eq!(renamed.unwrap_err().code(), Code::ValidationError, "{name:?}");
        }
        assert_eq!(found(&app, Role::Author).await, [("Mine".to_owned(), true, true)]);
    }

    async fn an_update_with_a_stale_rev_is_refused_and_what_it_leaves_out_stays(app: TestApp) {
        site(&app).await;
        let view = create(&app, Role::Author, "Mine", false).await.unwrap();
        let renamed = json!({ "id": view["id"], "name": "Drafts", "_rev": view["_rev"] });
        let updated = app.call::<UpdateView>(Role::Author, renamed.clone()).await.unwrap();
        assert_eq!((&updated["item"]["name"], &updated["item"]["search"]), (&json!("Drafts"), &json!({ "sort": "title" })));
        assert_eq!(app.call::<UpdateView>(Role::Author, renamed).await.unwrap_err().code(), Code::Conflict);
    }

    async fn nobody_has_more_than_a_hundred(app: TestApp) {
        site(&app).await;
        for n in 0..100 {
            create(&app, Role::Author, &n.to_string(), false).await.unwrap();
        }
        assert_eq!(create(&app, Role::Author, "one more", false).await.unwrap_err().code(), Code::ViewLimit);
        create(&app, Role::Editor, "somebody else's", false).await.unwrap();
    }

    async fn the_views_of_a_collection_go_with_it(app: TestApp) {
        site(&app).await;
        create(&app, Role::Author, "Mine", false).await.unwrap();
        app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts" })).await.unwrap();
        site(&app).await;
        assert_eq!(found(&app, Role::Author).await, []);
        assert_eq!(app.store().reader().views().count(TestApp::user(Role::Author)).await.unwrap(), 0);
    }

    async fn whatever_is_done_to_a_view_leaves_its_line(app: TestApp) {
        site(&app).await;
        let view = create(&app, Role::Author, "Mine", false).await.unwrap();
        let address = json!({ "id": view["id"] });
        let renamed = json!({ "id": view["id"], "name": "Drafts" });
        app.call::<UpdateView>(Role::Author, renamed).await.unwrap();
        app.call::<DeleteView>(Role::Author, address).await.unwrap();
        let lines = app.call::<ListAudit>(Role::Admin, json!({ "resourceType": "view" })).await.unwrap();
        let lines = lines["items"].as_array().unwrap().iter().rev();
        let said: Vec<_> = lines.map(|line| json!([line["action"], line["resource"]["label"]])).collect();
        assert_eq!(said, [json!(["view.create", "Mine"]), json!(["view.update", "Drafts"]), json!(["view.delete", "Drafts"])]);
    }
}
