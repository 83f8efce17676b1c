//! Refresh tokens: each is good once.

use std::time::Duration;

use cms_accounts::{
    end_access::{EndUserAccess, RevokeUserGrant},
    oauth::clients::{DeleteOAuthClient, UpdateOAuthClient},
    users::{DisableUser, EnableUser},
};
use cms_core::{both, user_access::GetUserAccess};

use super::*;

both! {
    async fn a_refresh_token_gives_its_successor_and_its_second_use_ends_the_family(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let first = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        let second = ask(&app, refresh(&client, &first)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_ne!(first.refresh_token, second.refresh_token);
        assert!(good_for(&app, &first).await.is_some() && good_for(&app, &second).await.is_some());
        assert_eq!(ask(&app, refresh(&client, &first)).await.err(), Some(FaultCode::InvalidGrant));
        assert_eq!((good_for(&app, &first).await, good_for(&app, &second).await), (None, None));
        assert_eq!(ask(&app, refresh(&client, &second)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn of_fifty_uses_of_one_refresh_token_one_wins_and_the_family_ends(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let first = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        let (won, second) = at_once(&app, &refresh(&client, &first)).await;
        assert_eq!(won, 1);
        assert_eq!(good_for(&app, &second).await, None);
        assert_eq!(ask(&app, refresh(&client, &second)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn a_refresh_token_is_its_clients_alone_and_lasts_ninety_days(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let other = application(&app, CALLBACK).await;
        let first = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        assert_eq!(ask(&app, refresh(&other, &first)).await.err(), Some(FaultCode::InvalidGrant));
        app.clock().advance(Duration::from_hours(90 * 24 - 1));
        let second = ask(&app, refresh(&client, &first)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        app.clock().advance(Duration::from_hours(90 * 24));
        assert_eq!(ask(&app, refresh(&client, &second)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn a_grant_ends_at_its_age_however_often_it_is_refreshed(app: TestApp) {
        let app = app.another(|options| options.policies.grant_absolute = Duration::from_hours(24 * 100));
        let client = application(&app, CALLBACK).await;
        let mut last = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        for _ in 0..3 {
            app.clock().advance(Duration::from_hours(24 * 33));
            last = ask(&app, refresh(&client, &last)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        }
        // Half an hour is left of the grant then, and of the access token no more.
        app.clock().advance(Duration::from_mins(23 * 60 + 30));
        last = ask(&app, refresh(&client, &last)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(last.expires_in, 1800);
        app.clock().advance(Duration::from_mins(30));
        assert_eq!(good_for(&app, &last).await, None);
        assert_eq!(ask(&app, refresh(&client, &last)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn a_site_that_shortens_grants_ends_those_that_are_older(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let tokens = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        app.clock().advance(Duration::from_mins(30));
        let strict = app.another(|options| options.policies.grant_absolute = Duration::from_mins(30));
        assert!(good_for(&app, &tokens).await.is_some());
        assert_eq!(good_for(&strict, &tokens).await, None);
        assert_eq!(ask(&strict, refresh(&client, &tokens)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn a_refresh_gives_no_more_than_was_granted_and_is_still_allowed(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let first = tokens(&app, Role::Editor, &client, &[Scope::ContentRead, Scope::SchemaRead]).await;
        let more = IssueToken { scope: Some("content:read admin".to_owned()), ..refresh(&client, &first) };
        assert_eq!(ask(&app, more).await.err(), Some(FaultCode::InvalidScope));
        let elsewhere = IssueToken { resource: Some("https://other.example/".to_owned()), ..refresh(&client, &first) };
        assert_eq!(ask(&app, elsewhere).await.err(), Some(FaultCode::InvalidTarget));
        let here = IssueToken { resource: Some("http://localhost:8080/_cms/api/mcp".to_owned()), ..refresh(&client, &first) };
        assert!(ask(&app, here).await.is_ok(), "the grant is for no resource in particular, and no token was spent in vain");

        let second = tokens(&app, Role::Editor, &client, &[Scope::ContentRead, Scope::SchemaRead]).await;
        change_user(&app, TestApp::user(Role::Editor), |user| user.role = Role::Author).await;
        assert_eq!(good_for(&app, &second).await, Some(vec![Scope::ContentRead]), "at once");
        let third = ask(&app, refresh(&client, &second)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(third.scope, "content:read");
        app.call::<UpdateOAuthClient>(Role::Admin, json!({ "id": client, "scopes": ["media:read"] })).await.unwrap();
        assert_eq!(good_for(&app, &third).await, Some(Vec::new()), "at once");
        assert_eq!(ask(&app, refresh(&client, &third)).await.err(), Some(FaultCode::InvalidScope));
    }

    async fn what_somebody_granted_sleeps_while_they_are_disabled_and_wakes_only_if_it_is_asked_to(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let held = tokens(&app, Role::Author, &client, &[Scope::ContentRead]).await;
        let user = json!({ "id": TestApp::user(Role::Author) });
        let restored = json!({ "id": TestApp::user(Role::Author), "restoreAccess": true });
        app.call::<DisableUser>(Role::Admin, user.clone()).await.unwrap();
        assert_eq!(good_for(&app, &held).await, None);
        assert_eq!(ask(&app, refresh(&client, &held)).await.err(), Some(FaultCode::InvalidGrant));
        app.call::<EnableUser>(Role::Admin, restored).await.unwrap();
        assert!(good_for(&app, &held).await.is_some());
        // The refusal did not spend it.
        let next = ask(&app, refresh(&client, &held)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        app.call::<DisableUser>(Role::Admin, user.clone()).await.unwrap();
        app.call::<EnableUser>(Role::Admin, user).await.unwrap();
        assert_eq!(good_for(&app, &next).await, None);
        assert_eq!(ask(&app, refresh(&client, &next)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn an_admin_sees_and_takes_back_what_somebody_granted(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let held = tokens(&app, Role::Author, &client, &[Scope::ContentRead]).await;
        let user = json!({ "id": TestApp::user(Role::Author) });
        let seen = app.call::<GetUserAccess>(Role::Admin, user.clone()).await.unwrap()["grants"]["items"][0].clone();
        assert_eq!((&seen["client"]["id"], &seen["scopes"]), (&json!(client), &json!(["content:read"])));
        let end = json!({ "id": TestApp::user(Role::Author), "grantId": seen["id"] });
        app.call::<RevokeUserGrant>(Role::Admin, end.clone()).await.unwrap();
        assert_eq!(good_for(&app, &held).await, None);
        assert_eq!(app.call::<RevokeUserGrant>(Role::Admin, end).await.unwrap_err().code(), cms_frame::Code::NotFound);
        assert_eq!(audited(&app).await[0], "user.revoke_grant");

        let held = tokens(&app, Role::Author, &client, &[Scope::ContentRead]).await;
        let ended = app.call::<EndUserAccess>(Role::Admin, user).await.unwrap();
        assert_eq!(ended["grants"], json!(1));
        assert_eq!(good_for(&app, &held).await, None);
    }

    async fn a_client_that_is_gone_takes_its_tokens_along_on_every_server(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let other = app.another(|_| {});
        let tokens = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let tasks = tokio::spawn(cms_core::tasks::driver::run_tasks(other.cms().clone(), async { drop(stopped.await) }));
        assert!(good_for(&app, &tokens).await.is_some() && good_for(&other, &tokens).await.is_some());
        app.call::<DeleteOAuthClient>(Role::Admin, json!({ "id": client })).await.unwrap();
        assert_eq!(good_for(&app, &tokens).await, None);
        let gone = async {
            while good_for(&other, &tokens).await.is_some() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), gone).await.unwrap();
        drop(stop);
        tasks.await.unwrap();
        assert_eq!(ask(&app, refresh(&client, &tokens)).await.err(), Some(FaultCode::InvalidClient));
    }
}
