//! What becomes of what a stolen session approved: applications and devices that have not fetched their tokens yet.

use cms_accounts::{
    oauth::{
        device::{DeviceCode, RequestDeviceCode},
        device_approval::DecideDevice,
        grants::ListGrants,
    },
    sessions::RevokeOtherSessions,
    users::{DisableUser, EnableUser, RevokeUserSessions},
};
use cms_core::both;

use super::*;

/// What the author's stolen session approved: a code for an application, and a device.
async fn approve(app: &TestApp, client: &str) -> (IssueToken, IssueToken) {
    let code = code(app, Role::Author, client, &[Scope::ContentRead]).await;
    let asked = RequestDeviceCode { client_id: Some("cms-cli".to_owned()), scope: Some("content:read".to_owned()), resource: None };
    let DeviceCode { user_code, device_code, .. } = ask(app, asked).await.unwrap_or_else(|fault| panic!("{fault:?}"));
    app.call::<DecideDevice>(Role::Author, json!({ "user_code": user_code })).await.unwrap();
    let poll = IssueToken {
        grant_type: Some("urn:ietf:params:oauth:grant-type:device_code".to_owned()),
        client_id: Some("cms-cli".to_owned()),
        device_code: Some(device_code),
        ..IssueToken::default()
    };
    (exchange(client, &code), poll)
}

both! {
    async fn ending_sessions_ends_approvals_that_nobody_fetched_and_keeps_what_is_listed(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let known = tokens(&app, Role::Author, &client, &[Scope::ContentRead]).await;
        let author = json!({ "id": TestApp::user(Role::Author) });
        for remedy in 0..3 {
            let (exchange, poll) = approve(&app, &client).await;
            match remedy {
                0 => drop(app.run(Role::Author, RevokeOtherSessions {}).await.unwrap()),
                1 => drop(app.call::<RevokeUserSessions>(Role::Admin, author.clone()).await.unwrap()),
                _ => {
                    assert!(good_for(&app, &known).await.is_some(), "it is in the list of the user, who can end it");
                    app.call::<DisableUser>(Role::Admin, author.clone()).await.unwrap();
                    app.call::<EnableUser>(Role::Admin, author.clone()).await.unwrap();
                }
            }
            for request in [exchange, poll] {
                assert_eq!(ask(&app, request).await.err(), Some(FaultCode::InvalidGrant), "remedy {remedy}");
            }
        }
        assert!(app.run(Role::Author, ListGrants {}).await.unwrap().items.is_empty());
    }

    async fn a_code_that_comes_a_second_time_ends_its_grant_although_sessions_ended_in_between(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let (exchange, _) = approve(&app, &client).await;
        let tokens = ask(&app, exchange.clone()).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        app.run(Role::Author, RevokeOtherSessions {}).await.unwrap();
        assert!(good_for(&app, &tokens).await.is_some());
        assert_eq!(ask(&app, exchange).await.err(), Some(FaultCode::InvalidGrant));
        assert!(good_for(&app, &tokens).await.is_none());
    }
}
