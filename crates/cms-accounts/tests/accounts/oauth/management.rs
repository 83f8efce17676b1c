//! Applications: how they register, how admins and users manage them, and how they go.

use std::time::Duration;

use cms_accounts::oauth::{
    NEVER_USED_KEPT,
    clients::{CreateOAuthClient, DeleteOAuthClient, GetOAuthClient, ListOAuthClients, UpdateOAuthClient},
    device::RequestDeviceCode,
    grants::{ListGrants, NarrowGrant, RevokeGrant},
};
use cms_core::both;
use cms_domain::time::Timestamp;
use cms_frame::Code;
use cms_storage::StoredClient;

use super::*;

/// How many applications may have registered themselves.
const REGISTERED: i64 = 10_000;

/// An application that registered itself and was not used.
fn registered(n: i64, now: Timestamp) -> StoredClient {
    StoredClient {
        id: format!("app-{n}"),
        name: "App".to_owned(),
        redirect_uris: vec![CALLBACK.to_owned()],
        grant_types: vec!["authorization_code".to_owned()],
        scopes: None,
        registered: true,
        created_at: now,
        updated_at: now,
        last_used_at: None,
    }
}

both! {
    async fn an_application_registers_what_is_accepted_and_nothing_else(app: TestApp) {
        let wrong = [
            (json!({}), FaultCode::InvalidRedirectUri),
            (json!({ "redirect_uris": [] }), FaultCode::InvalidRedirectUri),
            (json!({ "redirect_uris": "https://app.example/" }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [1] }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": ["http://app.example/"] }), FaultCode::InvalidRedirectUri),
            (json!({ "redirect_uris": ["javascript:alert(1)"] }), FaultCode::InvalidRedirectUri),
            (json!({ "redirect_uris": vec![CALLBACK; 21] }), FaultCode::InvalidRedirectUri),
            (json!({ "redirect_uris": [CALLBACK], "grant_types": ["implicit"] }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "grant_types": [] }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "response_types": ["token"] }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "client_secret_post" }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "client_name": "" }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "client_name": "a\u{202e}b" }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "client_name": 7 }), FaultCode::InvalidClientMetadata),
            (json!({ "redirect_uris": [CALLBACK], "scope": "openid" }), FaultCode::InvalidClientMetadata),
        ];
        for (metadata, fault) in wrong {
            assert_eq!(register(&app, metadata.clone()).await.err(), Some(fault), "{metadata}");
        }
        let Value::Object(metadata) = json!({
            "redirect_uris": [CALLBACK], "client_name": " App ", "scope": "openid content:read", "logo_uri": "https://app.example/logo",
            "token_endpoint_auth_method": "none", "response_types": ["code"],
        }) else { unreachable!() };
        let made = ask(&app, RegisterOAuthClient { metadata }).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!((made.client_name.as_str(), made.scope.as_str()), ("App", "content:read"));
        assert_eq!(made.grant_types, ["authorization_code", "refresh_token"]);
        assert_eq!(made.client_id_issued_at, 1_798_761_600);
    }

    async fn one_address_registers_so_many_and_no_more(app: TestApp) {
        let send = async |app: &TestApp| {
            let Value::Object(metadata) = json!({ "redirect_uris": [CALLBACK] }) else { unreachable!() };
            let client = Client { address: Some([192, 0, 2, 1].into()), ..Client::default() };
            app.cms().call(&Actor::Anonymous, Door::Rest, &client, RegisterOAuthClient { metadata }).await.map(|_| ())
        };
        for _ in 0..10 {
            for _ in 0..10 {
                send(&app).await.unwrap();
            }
            assert_eq!(send(&app).await.unwrap_err().code(), Code::RateLimited);
            app.clock().advance(Duration::from_mins(1));
        }
        assert_eq!(send(&app).await.unwrap_err().code(), Code::RateLimited, "a hundred a day");
        app.clock().advance(Duration::from_hours(24));
        send(&app).await.unwrap();
    }

    async fn admins_manage_applications(app: TestApp) {
        let made = json!({ "id": "made", "name": "Made", "redirectUris": [CALLBACK], "scopes": ["content:read"] });
        let view = app.call::<CreateOAuthClient>(Role::Admin, made.clone()).await.unwrap();
        assert_eq!((&view["registered"], &view["grantTypes"]), (&json!(false), &json!(["authorization_code", "refresh_token"])));
        assert_eq!(app.call::<CreateOAuthClient>(Role::Admin, made.clone()).await.unwrap_err().code(), Code::Conflict);
        assert_eq!(app.call::<CreateOAuthClient>(Role::Editor, made).await.unwrap_err().code(), Code::InsufficientPermissions);
        for wrong in [
            json!({ "id": "x", "name": "X", "redirectUris": [] }),
            json!({ "id": "x", "name": "X", "redirectUris": ["http://app.example/"] }),
            json!({ "id": "x", "name": "X", "redirectUris": [CALLBACK], "scopes": [] }),
            json!({ "id": "x", "name": "\u{200b}", "redirectUris": [CALLBACK] }),
        ] {
            assert_eq!(app.call::<CreateOAuthClient>(Role::Admin, wrong).await.unwrap_err().code(), Code::ValidationError);
        }
        let changed = app.call::<UpdateOAuthClient>(Role::Admin, json!({ "id": "made", "name": "Other", "scopes": null })).await.unwrap();
        assert_eq!((&changed["name"], &changed["scopes"]), (&json!("Other"), &Value::Null));
        assert_eq!(app.call::<GetOAuthClient>(Role::Admin, json!({ "id": "made" })).await.unwrap(), changed);
        application(&app, CALLBACK).await;
        let first = app.call::<ListOAuthClients>(Role::Admin, json!({ "limit": 1 })).await.unwrap();
        let second = app.call::<ListOAuthClients>(Role::Admin, json!({ "limit": 1, "cursor": first["nextCursor"] })).await.unwrap();
        assert_eq!((first["items"].as_array().unwrap().len(), &second["items"][0]["id"]), (1, &json!("made")));
        assert!(second.get("nextCursor").is_none());
        app.call::<DeleteOAuthClient>(Role::Admin, json!({ "id": "made" })).await.unwrap();
        let error = app.call::<DeleteOAuthClient>(Role::Admin, json!({ "id": "made" })).await.unwrap_err();
        assert_eq!(error.code(), Code::NotFound);
        let actions = ["oauth_client.delete", "oauth.register", "oauth_client.update", "oauth_client.create"];
        assert_eq!(audited(&app).await, actions);
    }

    async fn whoever_fills_the_room_for_applications_keeps_nobody_out(app: TestApp) {
        let used = application(&app, CALLBACK).await;
        tokens(&app, Role::Editor, &used, &[Scope::ContentRead]).await;
        let waits = register(&app, json!({ "grant_types": ["urn:ietf:params:oauth:grant-type:device_code"] })).await.unwrap();
        let device = RequestDeviceCode { client_id: Some(waits.clone()), ..RequestDeviceCode::default() };
        ask(&app, device).await.map(drop).unwrap();
        let now = app.cms().now();
        let permit = Actor::System.permit(to::ManageConnections).unwrap();
        let tx = app.store().write().await.unwrap();
        for n in 2..REGISTERED {
            let client = StoredClient { created_at: now.after(Duration::from_millis(n.unsigned_abs())), ..registered(n, now) };
            tx.oauth_clients().insert(&permit, &client).await.unwrap();
        }
        tx.commit().await.unwrap();
        let there = async |id: &str| app.store().reader().oauth_clients().by_id(id).await.unwrap().is_some();
        let all = async || app.store().reader().oauth_clients().count_registered().await.unwrap();
        app.clock().advance(Duration::from_mins(1));
        let honest = application(&app, CALLBACK).await;
        assert!(!there("app-2").await && there("app-3").await && there(&honest).await, "the oldest gave way");
        assert!(there(&used).await && there(&waits).await, "whoever is granted something, or may be yet, stays");
        // What an admin makes needs none of the room.
        app.call::<CreateOAuthClient>(Role::Admin, json!({ "id": "made", "name": "Made", "redirectUris": [CALLBACK] })).await.unwrap();
        assert_eq!(all().await, REGISTERED);
        app.clock().advance(NEVER_USED_KEPT + Duration::from_mins(1));
        app.settle().await.unwrap();
        assert_eq!(all().await, 1, "the one that was granted something");
    }

    async fn a_room_that_is_full_of_applications_in_use_is_full(app: TestApp) {
        let now = app.cms().now();
        let permit = Actor::System.permit(to::ManageConnections).unwrap();
        let tx = app.store().write().await.unwrap();
        for n in 0..REGISTERED {
            tx.oauth_clients().insert(&permit, &StoredClient { last_used_at: Some(now), ..registered(n, now) }).await.unwrap();
        }
        tx.commit().await.unwrap();
        let Value::Object(metadata) = json!({ "redirect_uris": [CALLBACK] }) else { unreachable!() };
        let register = RegisterOAuthClient { metadata };
        let refused = app.cms().call(&Actor::Anonymous, Door::Rest, &Client::default(), register).await.map(drop).unwrap_err();
        assert_eq!((refused.code(), refused.details_json()), (Code::RateLimited, Some(&json!({ "retryAfter": 3600 }))));
        assert_eq!(audited(&app).await, [""; 0], "nothing was made");
    }

    async fn what_a_registration_repeats_is_stored_once_and_its_addresses_have_a_bound(app: TestApp) {
        let grants = ["refresh_token", "authorization_code"].repeat(500);
        let id = register(&app, json!({ "redirect_uris": vec![CALLBACK; 20], "grant_types": grants, "scope": "content:read ".repeat(100) }));
        let client = app.store().reader().oauth_clients().by_id(&id.await.unwrap()).await.unwrap().unwrap();
        assert_eq!((client.redirect_uris, client.grant_types.len()), (vec![CALLBACK.to_owned()], 2));
        let long: Vec<_> = (0..10).map(|n| format!("{CALLBACK}/{n}/{}", "x".repeat(800))).collect();
        assert_eq!(register(&app, json!({ "redirect_uris": long })).await.err(), Some(FaultCode::InvalidRedirectUri));
        let made = json!({
            "id": "made", "name": "Made", "redirectUris": [CALLBACK, CALLBACK], "grantTypes": ["refresh_token", "refresh_token", "authorization_code"],
        });
        let view = app.call::<CreateOAuthClient>(Role::Admin, made).await.unwrap();
        assert_eq!((&view["redirectUris"], &view["grantTypes"]), (&json!([CALLBACK]), &json!(["authorization_code", "refresh_token"])));
    }

    async fn users_see_and_take_back_what_they_granted(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let tokens = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        good_for(&app, &tokens).await.unwrap();
        app.settle().await.unwrap();
        let seen = app.call::<ListGrants>(Role::Editor, json!({})).await.unwrap();
        let grant = &seen["items"][0];
        assert_eq!((&grant["client"]["name"], &grant["scopes"]), (&json!("App"), &json!(["content:read"])));
        assert_eq!(grant["lastUsedAt"], "2027-01-01T00:00:00.000Z");
        assert_eq!(app.call::<ListGrants>(Role::Admin, json!({})).await.unwrap(), json!({ "items": [] }));
        let id = json!({ "id": grant["id"] });
        assert_eq!(app.call::<RevokeGrant>(Role::Admin, id.clone()).await.unwrap_err().code(), Code::NotFound);
        app.call::<RevokeGrant>(Role::Editor, id.clone()).await.unwrap();
        assert_eq!(good_for(&app, &tokens).await, None);
        assert_eq!(app.call::<RevokeGrant>(Role::Editor, id).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(audited(&app).await[0], "oauth.revoke_grant");
    }

    async fn users_narrow_what_they_granted_and_nobody_widens_it(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let tokens = tokens(&app, Role::Editor, &client, &[Scope::ContentRead, Scope::ContentWrite, Scope::SchemaRead]).await;
        let id = app.call::<ListGrants>(Role::Editor, json!({})).await.unwrap()["items"][0]["id"].clone();
        let narrow = async |role, scopes: &[&str]| app.call::<NarrowGrant>(role, json!({ "id": id, "scopes": scopes })).await;
        assert_eq!(narrow(Role::Admin, &["content:read"]).await.unwrap_err().code(), Code::NotFound, "it is not theirs");
        for wrong in [vec![], vec!["media:read"], vec!["content:read", "admin"]] {
            assert_eq!(narrow(Role::Editor, &wrong).await.unwrap_err().code(), Code::ValidationError, "{wrong:?}");
        }
        assert_eq!(good_for(&app, &tokens).await.unwrap().len(), 3);
        let left = narrow(Role::Editor, &["content:read"]).await.unwrap();
        assert_eq!(left["scopes"], json!(["content:read"]));
        assert_eq!(good_for(&app, &tokens).await, Some(vec![Scope::ContentRead]), "at once");
        assert_eq!(narrow(Role::Editor, &["content:read", "schema:read"]).await.unwrap_err().code(), Code::ValidationError);
        // Nor does the application get it back by itself.
        let tokens = ask(&app, refresh(&client, &tokens)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(tokens.scope, "content:read");
        assert!(audited(&app).await.contains(&"oauth.narrow_grant".to_owned()));
    }

    async fn what_nobody_uses_goes(app: TestApp) {
        let (idle, used) = (application(&app, CALLBACK).await, application(&app, CALLBACK).await);
        let first = tokens(&app, Role::Editor, &used, &[Scope::ContentRead]).await;
        let there = async || {
            let clients = app.store().reader().oauth_clients().list(None, 10).await.unwrap();
            clients.into_iter().map(|client| client.id).collect::<Vec<_>>()
        };
        app.clock().advance(Duration::from_hours(7 * 24 + 1));
        app.settle().await.unwrap();
        assert_eq!(there().await, std::slice::from_ref(&used), "{idle} was never used");
        let tokens = ask(&app, refresh(&used, &first)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        app.clock().advance(Duration::from_hours(90 * 24));
        app.settle().await.unwrap();
        assert_eq!(ask(&app, refresh(&used, &tokens)).await.err(), Some(FaultCode::InvalidClient));
        assert!(there().await.is_empty());
    }
}
