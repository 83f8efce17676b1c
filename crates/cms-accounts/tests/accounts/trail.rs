//! What holds of the audit log.

use std::time::Duration;

use cms_accounts::{audit::ListAudit, users::UpdateUser};
use cms_content::schema::{create_collection::CreateCollection, update_collection::UpdateCollection};
use cms_core::{both, testing::TestApp};
use cms_domain::{access::Scope, user::Role};
use cms_frame::{Client, Clock, Code, Door};
use serde_json::{Value, json};

async fn list(app: &TestApp, input: Value) -> Vec<Value> {
    app.call::<ListAudit>(Role::Admin, input).await.unwrap()["items"].as_array().unwrap().clone()
}

async fn rename(app: &TestApp, name: &str) {
    app.call::<UpdateUser>(Role::Admin, json!({ "id": TestApp::user(Role::Author), "name": name })).await.unwrap();
}

both! {
    async fn a_line_tells_who_did_what_to_what_from_where_and_when(app: TestApp) {
        let client = Client {
            address: Some("192.0.2.7".parse().unwrap()),
            agent: Some("Agent/1".to_owned()),
            request_id: Some("request-1".to_owned()),
            ..Client::default()
        };
        let operation: UpdateUser = serde_json::from_value(json!({ "id": TestApp::user(Role::Author), "role": 40 })).unwrap();
        app.cms().call(&TestApp::actor(Role::Admin), Door::Rest, &client, operation).await.unwrap();
        let line = list(&app, json!({})).await.remove(0);
        let email = "admin@example.com";
        let actor = json!({ "kind": "user", "id": TestApp::user(Role::Admin), "label": email, "name": "admin", "email": email });
        assert_eq!((&line["action"], &line["actor"]), (&json!("user.update"), &actor));
        assert_eq!(line["resource"], json!({ "type": "user", "id": TestApp::user(Role::Author), "label": "author@example.com" }));
        assert_eq!((&line["address"], &line["at"]), (&json!("192.0.2.7"), &json!(app.clock().now())));
        assert_eq!((&line["agent"], &line["requestId"], &line["door"]), (&json!("Agent/1"), &json!("request-1"), &json!("rest")));
        assert_eq!(line["changes"], json!([{ "member": "role", "from": 30, "to": 40 }]));
        assert_eq!(line["details"], Value::Null);
        assert_eq!(list(&app, json!({ "requestId": "request-1" })).await.len(), 1);
        assert!(list(&app, json!({ "requestId": "request-2" })).await.is_empty());
    }

    async fn a_line_keeps_what_people_were_called_then(app: TestApp) {
        let author = TestApp::user(Role::Author);
        rename(&app, "a").await;
        app.call::<UpdateUser>(Role::Admin, json!({ "id": author, "email": "other@example.com" })).await.unwrap();
        app.call::<UpdateUser>(Role::Admin, json!({ "id": TestApp::user(Role::Admin), "email": "boss@example.com" })).await.unwrap();
        let line = list(&app, json!({ "resourceId": author })).await.remove(1);
        assert_eq!(line["resource"]["label"], "author@example.com");
        assert_eq!((&line["actor"]["label"], &line["actor"]["email"]), (&json!("admin@example.com"), &json!("boss@example.com")));
    }

    async fn lines_are_found_page_by_page_by_what_they_say(app: TestApp) {
        let begin = app.clock().now();
        for name in ["a", "b", "c"] {
            rename(&app, name).await;
            app.clock().advance(Duration::from_secs(1));
        }
        app.sign_in(Role::Author).await.unwrap();
        assert_eq!(list(&app, json!({})).await.len(), 4);
        assert_eq!(list(&app, json!({ "action": "user.update" })).await.len(), 3);
        assert_eq!(list(&app, json!({ "actor": TestApp::user(Role::Author) })).await[0]["resource"]["type"], "session");
        assert_eq!(list(&app, json!({ "resourceType": "user", "resourceId": TestApp::user(Role::Author) })).await.len(), 3);
        let (from, to) = (begin.after(Duration::from_secs(1)), begin.after(Duration::from_secs(2)));
        assert_eq!(list(&app, json!({ "from": from, "to": to })).await[0]["changes"], json!([{ "member": "name", "from": "a", "to": "b" }]));
        let page = app.call::<ListAudit>(Role::Admin, json!({ "limit": 3 })).await.unwrap();
        assert_eq!(list(&app, json!({ "limit": 3, "cursor": page["nextCursor"] })).await.len(), 1);
        let other = app.call::<ListAudit>(Role::Admin, json!({ "action": "x", "cursor": page["nextCursor"] })).await;
        assert_eq!(other.unwrap_err().code(), Code::InvalidCursor);
        assert_eq!(app.call::<ListAudit>(Role::Editor, json!({})).await.unwrap_err().code(), Code::InsufficientPermissions);
        let narrow = app.cms().invoke(&TestApp::token(Role::Admin, &[Scope::SchemaWrite]), Door::Rest, ListAudit::default()).await;
        assert_eq!(narrow.unwrap_err().code(), Code::InsufficientScope);
    }

    async fn what_did_not_happen_leaves_no_line(app: TestApp) {
        let taken = json!({ "id": TestApp::user(Role::Author), "email": "editor@example.com" });
        app.call::<UpdateUser>(Role::Admin, taken).await.unwrap_err();
        assert!(list(&app, json!({})).await.is_empty());
    }

    async fn a_change_of_the_model_names_what_changed(app: TestApp) {
        let fields = json!([{ "slug": "title", "label": "Title", "type": "string" }]);
        app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts", "fields": fields })).await.unwrap();
        app.call::<UpdateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Articles", "hidden": true })).await.unwrap();
        let lines = list(&app, json!({ "resourceType": "collection", "resourceId": "posts" })).await;
        let details: Vec<_> = lines.iter().map(|line| line["details"].clone()).collect();
        assert_eq!(details, [json!({ "changed": ["label", "hidden"] }), json!({ "fields": ["title"] })]);
    }
}
