//! Device codes: who waits, who approves, and how often one may ask.

use std::time::Duration;

use cms_accounts::oauth::{
    clients::DeleteOAuthClient,
    device::{DeviceCode, RequestDeviceCode},
    device_approval::{DecideDevice, DescribeDevice},
};
use cms_core::both;
use cms_frame::Code;
use tokio::task::JoinSet;

use super::*;

async fn wait(app: &TestApp, scope: &str) -> DeviceCode {
    let request = RequestDeviceCode { client_id: Some("cms-cli".to_owned()), scope: Some(scope.to_owned()), resource: None };
    ask(app, request).await.unwrap_or_else(|fault| panic!("{fault:?}"))
}

fn poll(waiting: &DeviceCode) -> IssueToken {
    IssueToken {
        grant_type: Some("urn:ietf:params:oauth:grant-type:device_code".to_owned()),
        client_id: Some("cms-cli".to_owned()),
        device_code: Some(waiting.device_code.clone()),
        ..IssueToken::default()
    }
}

async fn approve(app: &TestApp, role: Role, waiting: &DeviceCode) -> Result<Value, Error> {
    app.call::<DecideDevice>(role, json!({ "user_code": waiting.user_code })).await
}

both! {
    async fn a_program_waits_until_a_user_approves_what_they_leave_in(app: TestApp) {
        let waiting = wait(&app, "content:read content:write admin").await;
        assert_eq!(waiting.verification_uri, "http://localhost:8080/_cms/admin/device");
        assert_eq!(waiting.verification_uri_complete, format!("{}?code={}", waiting.verification_uri, waiting.user_code));
        assert_eq!(ask(&app, poll(&waiting)).await.err(), Some(FaultCode::AuthorizationPending));

        let typed = format!(" {} ", waiting.user_code.to_lowercase().replace('-', " "));
        let seen = app.call::<DescribeDevice>(Role::Author, json!({ "code": typed })).await.unwrap();
        assert_eq!((&seen["client"]["id"], &seen["userCode"]), (&json!("cms-cli"), &json!(waiting.user_code)));
        assert_eq!((&seen["scopes"][2]["scope"], &seen["scopes"][2]["allowed"]), (&json!("admin"), &json!(false)));

        let decision = json!({ "user_code": typed, "action": "approve", "scopes": ["content:read", "admin"] });
        assert_eq!(app.call::<DecideDevice>(Role::Author, decision).await.unwrap(), json!({ "authorized": true }));
        let tokens = ask(&app, poll(&waiting)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(tokens.scope, "content:read");
        assert_eq!(good_for(&app, &tokens).await, Some(vec![Scope::ContentRead]));
        assert_eq!(ask(&app, poll(&waiting)).await.err(), Some(FaultCode::InvalidGrant));
        assert!(good_for(&app, &tokens).await.is_some());
        let refresh = ask(&app, refresh("cms-cli", &tokens)).await;
        assert!(refresh.is_ok());
        assert_eq!(audited(&app).await, ["oauth.token", "oauth.token", "oauth.decide_device"]);
    }

    async fn of_fifty_programs_with_one_device_code_one_gets_in(app: TestApp) {
        let waiting = wait(&app, "content:read").await;
        approve(&app, Role::Author, &waiting).await.unwrap();
        let (won, tokens) = at_once(&app, &poll(&waiting)).await;
        assert_eq!(won, 1);
        assert!(good_for(&app, &tokens).await.is_some());
    }

    async fn of_fifty_who_approve_one_code_at_once_one_lets_the_program_in(app: TestApp) {
        let waiting = wait(&app, "content:read").await;
        let mut decisions = JoinSet::new();
        for n in 0..50 {
            // From many addresses, and by several users: all have a limit of their own.
            let actor = TestApp::actor(Role::ALL[usize::from(n) % Role::ALL.len()]);
            let client = Client { address: Some([192, 0, 2, n].into()), ..Client::default() };
            let decision: DecideDevice = serde_json::from_value(json!({ "user_code": waiting.user_code })).unwrap();
            let cms = app.cms().clone();
            decisions.spawn(async move {
                let decided = cms.call(&actor, Door::Rest, &client, decision).await;
                decided.map(|_| actor.user()).map_err(|error| error.code())
            });
        }
        let decided = decisions.join_all().await;
        let won: Vec<_> = decided.iter().filter_map(|decided| decided.ok()).collect();
        assert_eq!(won.len(), 1, "{decided:?}");
        assert!(decided.iter().all(|decided| matches!(decided, Ok(_) | Err(Code::InvalidCode))), "{decided:?}");
        let tokens = ask(&app, poll(&waiting)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(app.cms().identify(&tokens.access_token).await.unwrap().user(), won[0], "the rights are those of whoever won");
    }

    async fn who_asks_too_often_waits_longer_and_longer(app: TestApp) {
        let waiting = wait(&app, "content:read").await;
        let after = async |seconds| {
            app.clock().advance(Duration::from_secs(seconds));
            ask(&app, poll(&waiting)).await.err().unwrap()
        };
        assert_eq!(after(0).await, FaultCode::AuthorizationPending);
        assert_eq!(after(2).await, FaultCode::SlowDown);
        assert_eq!(after(5).await, FaultCode::SlowDown, "ten seconds by now");
        assert_eq!(after(15).await, FaultCode::AuthorizationPending);
        assert_eq!(after(14).await, FaultCode::AuthorizationPending, "a question may be quick on its way");
    }

    async fn who_denies_or_is_late_ends_the_wait(app: TestApp) {
        let denied = wait(&app, "content:read").await;
        let decision = json!({ "user_code": denied.user_code, "action": "deny" });
        assert_eq!(app.call::<DecideDevice>(Role::Author, decision.clone()).await.unwrap(), json!({ "authorized": false }));
        assert_eq!(app.call::<DecideDevice>(Role::Author, decision).await.unwrap_err().code(), Code::InvalidCode);
        assert_eq!(ask(&app, poll(&denied)).await.err(), Some(FaultCode::AccessDenied));
        assert_eq!(ask(&app, poll(&denied)).await.err(), Some(FaultCode::InvalidGrant));
        let late = wait(&app, "content:read").await;
        app.clock().advance(Duration::from_mins(15));
        assert_eq!(approve(&app, Role::Author, &late).await.unwrap_err().code(), Code::ExpiredCode);
        assert_eq!(ask(&app, poll(&late)).await.err(), Some(FaultCode::ExpiredToken));
        assert_eq!(ask(&app, poll(&late)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn a_program_asks_for_no_more_than_a_request_needs_and_for_resources_of_this_server(app: TestApp) {
        let ours = "http://localhost:8080/_cms/api/mcp";
        let long = format!("{ours}/{}", "x".repeat(2_000));
        let request = |client: &str, scope: &str, resource: Option<&str>| RequestDeviceCode {
            client_id: Some(client.to_owned()),
            scope: Some(scope.to_owned()),
            resource: resource.map(str::to_owned),
        };
        for (asked, fault) in [
            (request("cms-cli", "content:read", Some(&long)), FaultCode::InvalidRequest),
            (request("cms-cli", "content:read", Some("https://evil.example/")), FaultCode::InvalidTarget),
            (request("cms-cli", &"content:read ".repeat(200), None), FaultCode::InvalidRequest),
            (request(&"x".repeat(256), "content:read", None), FaultCode::InvalidRequest),
        ] {
            assert_eq!(ask(&app, asked).await.err(), Some(fault));
        }
        let waiting = ask(&app, request("cms-cli", "content:read", Some(ours))).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        approve(&app, Role::Author, &waiting).await.unwrap();
        for other in ["https://evil.example/", "http://localhost:8080/_cms"] {
            let elsewhere = IssueToken { resource: Some(other.to_owned()), ..poll(&waiting) };
            assert_eq!(ask(&app, elsewhere).await.err(), Some(FaultCode::InvalidTarget), "{other}");
        }
        let here = IssueToken { resource: Some(ours.to_owned()), ..poll(&waiting) };
        assert!(ask(&app, here).await.is_ok());
    }

    async fn a_code_of_another_client_is_none(app: TestApp) {
        let metadata = json!({ "grant_types": ["urn:ietf:params:oauth:grant-type:device_code"] });
        let other = register(&app, metadata).await.unwrap();
        let waiting = wait(&app, "content:read").await;
        approve(&app, Role::Author, &waiting).await.unwrap();
        let foreign = IssueToken { client_id: Some(other.clone()), ..poll(&waiting) };
        assert_eq!(ask(&app, foreign).await.err(), Some(FaultCode::InvalidGrant));
        let tokens = ask(&app, poll(&waiting)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert!(tokens.refresh_token.is_some());
        let request = RequestDeviceCode { client_id: Some("nobody".to_owned()), ..RequestDeviceCode::default() };
        assert_eq!(ask(&app, request).await.err(), Some(FaultCode::InvalidClient));
        let request = RequestDeviceCode { client_id: Some(other), scope: Some("openid".to_owned()), resource: None };
        assert_eq!(ask(&app, request).await.err(), Some(FaultCode::InvalidScope));
    }

    async fn nobody_approves_what_their_role_does_not_allow(app: TestApp) {
        let waiting = wait(&app, "schema:write").await;
        assert_eq!(approve(&app, Role::Editor, &waiting).await.unwrap_err().code(), Code::InsufficientRole);
        approve(&app, Role::Admin, &waiting).await.unwrap();
        change_user(&app, TestApp::user(Role::Admin), |user| user.role = Role::Author).await;
        assert_eq!(ask(&app, poll(&waiting)).await.err(), Some(FaultCode::InvalidScope));
    }

    async fn somebody_who_is_disabled_after_they_approved_lets_nobody_in(app: TestApp) {
        let waiting = wait(&app, "content:read").await;
        approve(&app, Role::Author, &waiting).await.unwrap();
        change_user(&app, TestApp::user(Role::Author), |user| user.disabled = true).await;
        assert_eq!(ask(&app, poll(&waiting)).await.err(), Some(FaultCode::InvalidGrant));
        change_user(&app, TestApp::user(Role::Author), |user| user.disabled = false).await;
        assert_eq!(ask(&app, poll(&waiting)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn codes_cannot_be_guessed_one_after_the_other(app: TestApp) {
        for n in 0..20 {
            // Each minute has a limit of its own for the address; this one is the user's.
            if n == 10 {
                app.clock().advance(Duration::from_mins(1));
            }
            let error = app.call::<DescribeDevice>(Role::Author, json!({ "code": "ABCD-EFGH" })).await.unwrap_err();
            assert_eq!(error.code(), Code::InvalidCode);
        }
        app.clock().advance(Duration::from_mins(1));
        let error = app.call::<DescribeDevice>(Role::Author, json!({ "code": "ABCD-EFGH" })).await.unwrap_err();
        assert_eq!(error.code(), Code::RateLimited);
        assert!(error.details_json().unwrap()["retryAfter"].as_u64().is_some());
        app.clock().advance(Duration::from_mins(5));
        let error = app.call::<DescribeDevice>(Role::Author, json!({ "code": "ABCD-EFGH" })).await.unwrap_err();
        assert_eq!(error.code(), Code::InvalidCode);
    }

    async fn the_command_line_comes_back_after_it_was_removed(app: TestApp) {
        let waiting = wait(&app, "content:read").await;
        app.call::<DeleteOAuthClient>(Role::Admin, json!({ "id": "cms-cli" })).await.unwrap();
        assert_eq!(ask(&app, poll(&waiting)).await.err(), Some(FaultCode::InvalidGrant));
        approve(&app, Role::Author, &wait(&app, "content:read").await).await.unwrap();
    }
}
