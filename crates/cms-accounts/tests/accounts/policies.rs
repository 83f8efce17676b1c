//! What holds of the policies of a site, and of whom they lock out.

use std::time::Duration;

use cms_accounts::{
    magic_link::{SendMagicLink, VerifyMagicLink},
    policies::ListPolicies,
    prove_by_link::SendProofLink,
    providers::GetAuthMode,
    recovery::SendRecovery,
    sign_up::RequestSignUp,
    tokens::{CreateToken, ListTokens},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::{Actor, Scope},
    user::Role,
};
use cms_frame::{Clock, Code, Door};
use serde_json::{Value, json};

use super::letters::{ask, letters, refused, secret, with_mail};

async fn signed_in(app: &TestApp, n: u8, role: Role) -> Browser {
    Browser { session: Some(app.sign_in(role).await.unwrap()), ..Browser::new(app, n) }
}

/// What is told of a policy.
async fn policy(app: &TestApp, setting: &str) -> Value {
    let policies = app.call::<ListPolicies>(Role::Admin, json!({})).await.unwrap();
    let found = policies["items"].as_array().unwrap().iter().find(|policy| policy["setting"] == setting);
    found.unwrap_or_else(|| panic!("{setting}: {policies}")).clone()
}

both! {
    async fn a_site_that_requires_user_verification_takes_no_passkey_without(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        browser.authenticator.verifies = false;
        browser.register("Plain").await.unwrap();
        let mut careful = signed_in(&app, 2, Role::Editor).await;
        careful.register("Careful").await.unwrap();
        let before = policy(&app, "sign_in.require_user_verification").await;
        assert_eq!((&before["value"], &before["inForce"]), (&json!(false), &json!(false)));
        assert_eq!(before["locksOut"], json!({ "users": 1, "emails": ["author@example.com"], "credentials": 0 }));

        let strict = app.another(|options| options.policies.require_user_verification = true);
        assert_eq!(policy(&strict, "sign_in.require_user_verification").await["locksOut"]["users"], 1);
        let mut browser = Browser { app: strict.clone(), session: None, ..browser };
        let mut careful = Browser { app: strict.clone(), session: None, ..careful };
        assert_eq!(browser.sign_in(None).await.unwrap_err().code(), Code::SignInFailed);
        careful.sign_in(None).await.unwrap();
        careful.authenticator.verifies = false;
        assert_eq!(careful.register("Careless").await.unwrap_err().code(), Code::PasskeyRejected);
        // An authenticator that can verify its user gets the passkey that it made before in again.
        browser.authenticator.verifies = true;
        browser.sign_in(None).await.unwrap();
        assert_eq!(policy(&strict, "sign_in.require_user_verification").await["locksOut"]["users"], 0);
    }

    async fn where_magic_links_are_off_only_recovery_signs_in_by_mail(app: TestApp) {
        let (app, post) = with_mail(&app);
        ask::<SendMagicLink>(&mut Browser::new(&app, 1), json!({ "email": "author@example.com" })).await.unwrap();
        let sent_before = secret(&app, &post, "magic-link").await;
        let strict = app.another(|options| options.policies.magic_links = false);
        let mut browser = Browser::new(&strict, 1);
        let answer = refused::<SendMagicLink>(&mut browser, json!({ "email": "editor@example.com" })).await;
        assert_eq!(answer, Code::MagicLinksOff);
        assert_eq!(refused::<VerifyMagicLink>(&mut browser, json!({ "token": sent_before })).await, Code::InvalidLink);
        assert!(!browser.call(GetAuthMode {}).await.unwrap().magic_link_enabled);
        let mut session = signed_in(&strict, 2, Role::Author).await;
        assert_eq!(refused::<SendProofLink>(&mut session, json!({})).await, Code::MagicLinksOff);
        // Nor does a letter to somebody who signs up and has an account bring one.
        ask::<RequestSignUp>(&mut browser, json!({ "email": "author@example.com" })).await.unwrap();
        assert!(letters(&strict, &post).await.is_empty());
        strict.call::<SendRecovery>(Role::Admin, json!({ "id": TestApp::user(Role::Author) })).await.unwrap();
        let recovery = secret(&strict, &post, "magic-link").await;
        ask::<VerifyMagicLink>(&mut browser, json!({ "token": recovery })).await.unwrap();
    }

    async fn switching_magic_links_off_locks_out_who_has_nothing_else(app: TestApp) {
        let (app, _) = with_mail(&app);
        signed_in(&app, 1, Role::Author).await.register("Key").await.unwrap();
        let told = policy(&app, "sign_in.magic_links").await;
        assert_eq!((&told["value"], &told["inForce"], &told["locksOut"]["users"]), (&json!(true), &json!(false), &json!(4)));
        assert!(!told["locksOut"]["emails"].as_array().unwrap().contains(&json!("author@example.com")));
    }

    async fn a_token_is_no_older_than_the_site_allows_however_it_was_made(app: TestApp) {
        let old = app.token_of(Role::Author, &[Scope::ContentRead]).await.unwrap();
        let strict = app.another(|options| options.policies.token_max_age = Some(Duration::from_hours(24)));
        let now = app.clock().now();
        let make = |hours: Option<u64>| {
            let expires_at = hours.map(|hours| now.after(Duration::from_hours(hours)));
            json!({ "name": "ci", "scopes": ["content:read"], "expiresAt": expires_at })
        };
        for hours in [None, Some(25)] {
            let refused = strict.call::<CreateToken>(Role::Author, make(hours)).await.unwrap_err();
            assert_eq!(refused.details_json().unwrap()["issues"][0]["code"], "TOO_LATE");
        }
        strict.call::<CreateToken>(Role::Author, make(Some(24))).await.unwrap();
        let listed = strict.run(Role::Author, ListTokens {}).await.unwrap().items;
        assert!(listed.iter().all(|token| token.expires_at == Some(now.after(Duration::from_hours(24)))), "{listed:?}");
        strict.cms().identify(&old).await.unwrap();
        assert_eq!(policy(&strict, "tokens.max_age").await["locksOut"], json!({ "users": 0, "emails": [], "credentials": 0 }));
        app.clock().advance(Duration::from_hours(24));
        assert_eq!(strict.cms().identify(&old).await.unwrap_err().code(), Code::InvalidToken);
        app.cms().identify(&old).await.unwrap();
        let told = policy(&strict, "tokens.max_age").await;
        assert_eq!((&told["value"], &told["locksOut"]), (&json!(86_400), &json!({ "users": 1, "emails": ["author@example.com"], "credentials": 1 })));
    }

    async fn the_operator_makes_no_older_token_either(app: TestApp) {
        let strict = app.another(|options| options.policies.token_max_age = Some(Duration::from_hours(1)));
        let user = Some("author@example.com".parse().unwrap());
        let make = CreateToken { user, name: "ci".to_owned(), scopes: [Scope::ContentRead].into(), expires_at: None };
        assert_eq!(strict.cms().invoke(&Actor::System, Door::Local, make).await.err().unwrap().code(), Code::ValidationError);
    }

    async fn only_admins_see_whom_a_policy_locks_out(app: TestApp) {
        assert_eq!(app.run(Role::Editor, ListPolicies {}).await.unwrap_err().code(), Code::InsufficientPermissions);
        assert_eq!(policy(&app, "sessions.absolute").await["value"], 30 * 24 * 3600);
    }
}
