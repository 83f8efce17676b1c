//! What holds of personal access tokens.

use std::time::Duration;

use cms_accounts::{
    tokens::{CreateToken, ListTokens, RevokeToken},
    users::DisableUser,
};
use cms_core::{both, testing::TestApp};
use cms_domain::{
    access::{Actor, Scope},
    time::Timestamp,
    user::Role,
};
use cms_frame::{Clock, Code, Door};
use serde_json::{Value, json};

async fn create(app: &TestApp, role: Role, scopes: Value, expires_at: Option<Timestamp>) -> Result<Value, cms_frame::Error> {
    app.call::<CreateToken>(role, json!({ "name": "ci", "scopes": scopes, "expiresAt": expires_at })).await
}

both! {
    async fn any_user_makes_tokens_no_wider_than_their_role_that_end_in_the_future(app: TestApp) {
        let now = app.clock().now();
        create(&app, Role::Subscriber, json!(["content:read"]), Some(now.after(Duration::from_secs(1)))).await.unwrap();
        for (scopes, expires_at) in [(json!(["content:write"]), None), (json!(["content:read"]), Some(now)), (json!([]), None)] {
            assert_eq!(create(&app, Role::Subscriber, scopes, expires_at).await.unwrap_err().code(), Code::ValidationError);
        }
    }

    async fn no_token_makes_or_ends_tokens(app: TestApp) {
        let widest = TestApp::token(Role::Admin, &[Scope::Admin]);
        let make = CreateToken { user: None, name: "x".to_owned(), scopes: [Scope::ContentRead].into(), expires_at: None };
        assert_eq!(app.cms().invoke(&widest, Door::Rest, make).await.err().unwrap().code(), Code::SessionRequired);
        let made = create(&app, Role::Admin, json!(["admin"]), None).await.unwrap();
        let revoke: RevokeToken = serde_json::from_value(json!({ "id": made["info"]["id"] })).unwrap();
        assert_eq!(app.cms().invoke(&widest, Door::Rest, revoke.clone()).await.unwrap_err().code(), Code::SessionRequired);
        assert_eq!(app.run(Role::Editor, revoke.clone()).await.unwrap_err().code(), Code::NotFound, "somebody else's");
        app.run(Role::Admin, revoke).await.unwrap();
        assert_eq!(app.cms().identify(made["token"].as_str().unwrap()).await.unwrap_err().code(), Code::InvalidToken);
    }

    async fn nobody_has_more_tokens_than_the_limit_even_when_asked_for_at_once(app: TestApp) {
        let expires_at = app.clock().now().after(Duration::from_hours(1));
        for _ in 0..48 {
            create(&app, Role::Author, json!(["content:read"]), Some(expires_at)).await.unwrap();
            app.clock().advance(Duration::from_secs(5));
        }
        let at_once = (0..5).map(|_| {
            let app = app.clone();
            tokio::spawn(async move { create(&app, Role::Author, json!(["content:read"]), None).await })
        });
        let mut made = Vec::new();
        for one in at_once.collect::<Vec<_>>() {
            made.push(one.await.unwrap());
        }
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 2);
        assert!(made.iter().all(|made| made.as_ref().err().is_none_or(|error| error.code() == Code::TokenLimit)), "{made:?}");
        app.clock().advance(Duration::from_hours(1));
        create(&app, Role::Author, json!(["content:read"]), None).await.unwrap();
        assert_eq!(app.run(Role::Author, ListTokens {}).await.unwrap().items.len(), 51, "ended ones are still seen");
        app.clock().advance(Duration::from_hours(31 * 24));
        app.settle().await.unwrap();
        assert_eq!(app.run(Role::Author, ListTokens {}).await.unwrap().items.len(), 3);
    }

    async fn the_operator_makes_no_token_for_a_disabled_user(app: TestApp) {
        app.run(Role::Admin, DisableUser { id: TestApp::user(Role::Author) }).await.unwrap();
        let user = Some("author@example.com".parse().unwrap());
        let make = CreateToken { user, name: "x".to_owned(), scopes: [Scope::ContentRead].into(), expires_at: None };
        assert_eq!(app.cms().invoke(&Actor::System, Door::Local, make).await.err().unwrap().code(), Code::AccountDisabled);
    }
}
