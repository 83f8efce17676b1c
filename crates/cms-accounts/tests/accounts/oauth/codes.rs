//! Authorization codes: who gets one, and what it is good for.

use std::time::Duration;

use cms_accounts::oauth::{
    authorize::BeginAuthorization,
    clients::CreateOAuthClient,
    request::DescribeAuthorization,
    revoke::{RevokeGrantedToken, TokenRevoked},
};
use cms_core::both;
use cms_frame::Code;

use super::*;

/// What is wrong with a request.
type Change = fn(&mut IssueToken);

async fn begin(app: &TestApp, request: Value) -> Result<Option<String>, Error> {
    let begin: BeginAuthorization = serde_json::from_value(request).unwrap();
    Ok(app.cms().invoke(&Actor::Anonymous, Door::Rest, begin).await?.redirect)
}

fn without(mut request: Value, name: &str) -> Value {
    request.as_object_mut().unwrap().remove(name);
    request
}

fn with(mut request: Value, name: &str, value: &str) -> Value {
    request[name] = json!(value);
    request
}

both! {
    async fn a_code_gives_tokens_and_its_second_use_takes_them_back(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let code = code(&app, Role::Editor, &client, &[Scope::ContentRead, Scope::ContentWrite]).await;
        let tokens = ask(&app, exchange(&client, &code)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!((tokens.token_type, tokens.expires_in, tokens.scope.as_str()), ("Bearer", 3600, "content:read content:write"));
        assert_eq!(good_for(&app, &tokens).await, Some(vec![Scope::ContentRead, Scope::ContentWrite]));
        assert_eq!(ask(&app, exchange(&client, &code)).await.err(), Some(FaultCode::InvalidGrant));
        assert_eq!(good_for(&app, &tokens).await, None);
        assert_eq!(ask(&app, refresh(&client, &tokens)).await.err(), Some(FaultCode::InvalidGrant));
        assert_eq!(audited(&app).await, ["oauth.token", "oauth.token", "oauth.decide", "oauth.register"]);
    }

    async fn of_fifty_exchanges_of_one_code_one_wins_and_the_others_take_it_back(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let code = code(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        let (won, tokens) = at_once(&app, &exchange(&client, &code)).await;
        assert_eq!(won, 1);
        assert_eq!(good_for(&app, &tokens).await, None);
    }

    async fn whoever_tries_a_code_and_cannot_prove_it_spends_it(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let other = application(&app, CALLBACK).await;
        let wrong: [fn(&mut IssueToken, &str); 4] = [
            |request, other| request.client_id = Some(other.to_owned()),
            |request, _| request.code_verifier = Some("another-verifier-of-forty-three-characters-and-more".to_owned()),
            |request, _| request.redirect_uri = Some(format!("{CALLBACK}/")),
            |request, _| request.code_verifier = Some(challenge()),
        ];
        for change in wrong {
            let code = code(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
            let mut request = exchange(&client, &code);
            change(&mut request, &other);
            assert_eq!(ask(&app, request).await.err(), Some(FaultCode::InvalidGrant));
            assert_eq!(ask(&app, exchange(&client, &code)).await.err(), Some(FaultCode::InvalidGrant));
        }
    }

    async fn a_code_is_good_for_ten_minutes(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let code = code(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        app.clock().advance(Duration::from_mins(10));
        assert_eq!(ask(&app, exchange(&client, &code)).await.err(), Some(FaultCode::InvalidGrant));
    }

    async fn what_is_missing_is_named_and_spends_nothing(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let code = code(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        let wrong: [(Change, FaultCode); 6] = [
            (|request| request.grant_type = None, FaultCode::InvalidRequest),
            (|request| request.grant_type = Some("password".to_owned()), FaultCode::UnsupportedGrantType),
            (|request| request.client_id = None, FaultCode::InvalidRequest),
            (|request| request.client_id = Some("nobody".to_owned()), FaultCode::InvalidClient),
            (|request| request.client_id = Some("cms-cli".to_owned()), FaultCode::UnauthorizedClient),
            (|request| request.code_verifier = None, FaultCode::InvalidRequest),
        ];
        for (change, fault) in wrong {
            let mut request = exchange(&client, &code);
            change(&mut request);
            assert_eq!(ask(&app, request).await.err(), Some(fault));
        }
        let without_address = IssueToken { redirect_uri: None, ..exchange(&client, &code) };
        assert!(ask(&app, without_address).await.is_ok(), "as in OAuth 2.1");
    }

    async fn a_code_is_for_the_resource_that_it_was_asked_for(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let resource = "http://localhost:8080/_cms/api/mcp";
        let asked = with(request(&client, CALLBACK, "content:read"), "resource", resource);
        for (sent, fault) in [(Some("http://localhost:8080/_cms"), Some(FaultCode::InvalidTarget)), (Some(resource), None), (None, None)] {
            let redirect = decide(&app, Role::Admin, asked.clone(), "approve", &[Scope::ContentRead]).await.unwrap();
            let request = IssueToken { resource: sent.map(str::to_owned), ..exchange(&client, &parameter(&redirect, "code").unwrap()) };
            assert_eq!(ask(&app, request).await.err(), fault);
        }
        let unbound = request(&client, CALLBACK, "content:read");
        for foreign in ["https://evil.example/_cms/api/mcp", "mcp"] {
            for asked in [&asked, &unbound] {
                let code = parameter(&decide(&app, Role::Admin, asked.clone(), "approve", &[Scope::ContentRead]).await.unwrap(), "code").unwrap();
                let elsewhere = IssueToken { resource: Some(foreign.to_owned()), ..exchange(&client, &code) };
                assert_eq!(ask(&app, elsewhere).await.err(), Some(FaultCode::InvalidTarget), "{foreign}");
                assert!(ask(&app, exchange(&client, &code)).await.is_ok(), "the code was not spent");
            }
        }
        for foreign in ["https://evil.example/_cms/api/mcp", "http://localhost:8080/_cms/api/mcp#x", "http://localhost:8080/other", "mcp"] {
            let asked = with(asked.clone(), "resource", foreign);
            let redirect = decide(&app, Role::Admin, asked, "approve", &[Scope::ContentRead]).await.unwrap();
            assert_eq!(parameter(&redirect, "error").as_deref(), Some("invalid_target"), "{foreign}");
        }
    }

    async fn a_native_application_is_answered_at_any_port(app: TestApp) {
        let client = application(&app, "http://127.0.0.1/cb").await;
        let asked = request(&client, "http://127.0.0.1:54321/cb", "content:read");
        let redirect = decide(&app, Role::Editor, asked, "approve", &[Scope::ContentRead]).await.unwrap();
        assert_eq!(redirect.port(), Some(54321));
        let mut request = exchange(&client, &parameter(&redirect, "code").unwrap());
        request.redirect_uri = Some("http://127.0.0.1:54321/cb".to_owned());
        assert!(ask(&app, request).await.is_ok());
    }

    async fn nobody_is_sent_to_an_address_that_is_not_registered(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let addresses = [
            "https://evil.example/callback",
            "https://app.example/callback/",
            "https://app.example/callback?next=https://evil.example",
            "https://app.example:444/callback",
            "https://app.example@evil.example/callback",
            "http://app.example/callback",
        ];
        for address in addresses {
            let asked = request(&client, address, "content:read");
            assert_eq!(begin(&app, asked.clone()).await.unwrap_err().code(), Code::ValidationError, "{address}");
            let error = app.call::<DescribeAuthorization>(Role::Admin, asked.clone()).await.unwrap_err();
            assert_eq!(error.code(), Code::ValidationError, "{address}");
            for action in ["approve", "deny"] {
                let error = decide(&app, Role::Admin, asked.clone(), action, &[Scope::ContentRead]).await.unwrap_err();
                assert_eq!(error.code(), Code::ValidationError, "{address}");
            }
        }
        let unknown = request("nobody", CALLBACK, "content:read");
        assert_eq!(begin(&app, unknown).await.unwrap_err().code(), Code::ValidationError);
    }

    async fn only_an_application_that_an_admin_made_is_told_its_faults_before_the_user_decides(app: TestApp) {
        let registered = application(&app, CALLBACK).await;
        app.call::<CreateOAuthClient>(Role::Admin, json!({ "id": "made", "name": "Made", "redirectUris": [CALLBACK] })).await.unwrap();
        let faults = |client: &str| {
            let asked = request(client, CALLBACK, "content:read");
            [
                (without(asked.clone(), "response_type"), "invalid_request"),
                (with(asked.clone(), "response_type", "token"), "unsupported_response_type"),
                (without(asked.clone(), "code_challenge"), "invalid_request"),
                (with(asked.clone(), "code_challenge", "short"), "invalid_request"),
                (with(asked.clone(), "code_challenge_method", "plain"), "invalid_request"),
                (with(asked.clone(), "scope", "openid"), "invalid_scope"),
                (with(asked, "resource", "https://other.example/"), "invalid_target"),
            ]
        };
        for (asked, fault) in faults("made") {
            let redirect: Url = begin(&app, asked).await.unwrap().unwrap().parse().unwrap();
            assert_eq!(parameter(&redirect, "error").as_deref(), Some(fault), "{redirect}");
            assert_eq!(parameter(&redirect, "state").as_deref(), Some("a state & more"));
            assert_eq!(parameter(&redirect, "iss").as_deref(), Some("http://localhost:8080/_cms"));
        }
        for (asked, fault) in faults(&registered) {
            assert_eq!(begin(&app, asked.clone()).await.unwrap_err().code(), Code::ValidationError);
            let redirect = decide(&app, Role::Admin, asked, "approve", &[Scope::ContentRead]).await.unwrap();
            assert_eq!(parameter(&redirect, "error").as_deref(), Some(fault), "{redirect}");
        }
        assert_eq!(begin(&app, request(&registered, CALLBACK, "content:read")).await.unwrap(), None);
    }

    async fn a_user_sees_who_asks_for_what_and_where_the_answer_goes(app: TestApp) {
        let client = register(&app, json!({ "redirect_uris": [CALLBACK], "client_name": "App", "scope": "content:read admin" })).await.unwrap();
        let asked = request(&client, CALLBACK, "content:read openid admin");
        let seen = app.call::<DescribeAuthorization>(Role::Author, asked).await.unwrap();
        assert_eq!((&seen["client"]["name"], &seen["redirectHost"]), (&json!("App"), &json!("app.example")));
        let scopes: Vec<_> = seen["scopes"].as_array().unwrap().iter().map(|scope| (&scope["scope"], &scope["allowed"])).collect();
        assert_eq!(scopes, [(&json!("content:read"), &json!(true)), (&json!("admin"), &json!(false))]);
        assert!(seen["scopes"][0]["description"].as_str().unwrap().len() > 20);
        assert_eq!(seen["lasts"], json!(365 * 24 * 3600), "for how long, unless they take it back");
    }

    async fn an_application_that_did_not_say_so_when_it_registered_cannot_ask_for_a_whole_account(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let seen = app.call::<DescribeAuthorization>(Role::Admin, request(&client, CALLBACK, "admin schema:write")).await.unwrap();
        let scopes: Vec<_> = seen["scopes"].as_array().unwrap().iter().map(|scope| &scope["scope"]).collect();
        assert_eq!(scopes, ["schema:write"]);
        let redirect = decide(&app, Role::Admin, request(&client, CALLBACK, "admin"), "approve", &[Scope::Admin]).await.unwrap();
        assert_eq!(parameter(&redirect, "error").as_deref(), Some("invalid_scope"));
    }

    async fn a_user_sees_whether_an_application_registered_itself(app: TestApp) {
        let registered = application(&app, CALLBACK).await;
        let known = json!({ "id": "known", "name": "Known", "redirectUris": [CALLBACK] });
        app.call::<CreateOAuthClient>(Role::Admin, known).await.unwrap();
        for (client, itself) in [(registered.as_str(), true), ("known", false)] {
            let seen = app.call::<DescribeAuthorization>(Role::Author, request(client, CALLBACK, "content:read")).await.unwrap();
            assert_eq!(seen["client"]["registered"], json!(itself), "{client}");
        }
    }

    async fn what_is_granted_is_what_everyone_agrees_to(app: TestApp) {
        let client = register(&app, json!({ "redirect_uris": [CALLBACK], "scope": "content:read content:write schema:write" })).await.unwrap();
        let asked = request(&client, CALLBACK, "content:read content:write schema:write media:read");
        let all = [Scope::ContentRead, Scope::ContentWrite, Scope::SchemaWrite, Scope::MediaRead, Scope::Admin];
        let granted = async |role, scopes: &[Scope]| {
            let redirect = decide(&app, role, asked.clone(), "approve", scopes).await.unwrap();
            let Some(code) = parameter(&redirect, "code") else { return parameter(&redirect, "error").unwrap() };
            ask(&app, exchange(&client, &code)).await.map_or_else(|fault| fault.as_str().to_owned(), |tokens| tokens.scope)
        };
        assert_eq!(granted(Role::Admin, &all).await, "content:read content:write schema:write");
        assert_eq!(granted(Role::Author, &all).await, "content:read content:write");
        assert_eq!(granted(Role::Author, &[Scope::ContentWrite]).await, "content:write");
        assert_eq!(granted(Role::Author, &[Scope::SchemaWrite]).await, "invalid_scope");
        assert_eq!(granted(Role::Author, &[]).await, "invalid_scope");
    }

    async fn who_denies_says_so(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let redirect = decide(&app, Role::Editor, request(&client, CALLBACK, "content:read"), "deny", &[]).await.unwrap();
        assert!(redirect.as_str().starts_with(CALLBACK));
        assert_eq!(parameter(&redirect, "error").as_deref(), Some("access_denied"));
        assert_eq!(parameter(&redirect, "iss").as_deref(), Some("http://localhost:8080/_cms"));
        assert_eq!(parameter(&redirect, "code"), None);
    }

    async fn a_code_of_somebody_who_was_disabled_or_demoted_meanwhile_gives_what_is_left(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let user = TestApp::user(Role::Editor);
        let demoted = code(&app, Role::Editor, &client, &[Scope::ContentRead, Scope::SchemaRead]).await;
        let nothing = code(&app, Role::Editor, &client, &[Scope::SchemaRead]).await;
        let disabled = code(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        change_user(&app, user, |user| user.role = Role::Author).await;
        assert_eq!(ask(&app, exchange(&client, &demoted)).await.unwrap_or_else(|_| unreachable!()).scope, "content:read");
        assert_eq!(ask(&app, exchange(&client, &nothing)).await.err(), Some(FaultCode::InvalidScope));
        change_user(&app, user, |user| user.disabled = true).await;
        assert_eq!(ask(&app, exchange(&client, &disabled)).await.err(), Some(FaultCode::InvalidGrant));
        change_user(&app, user, |user| user.disabled = false).await;
        assert_eq!(ask(&app, exchange(&client, &disabled)).await.err(), Some(FaultCode::InvalidGrant), "it is spent");
    }

    async fn a_token_is_given_back_alone_or_with_everything(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let revoke = async |token: &str, client_id: Option<&str>| {
            let (token, client_id) = (Some(token.to_owned()), client_id.map(str::to_owned));
            ask(&app, RevokeGrantedToken { token, client_id, token_type_hint: None }).await.map(|TokenRevoked {}| ())
        };
        let first = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        assert_eq!(revoke(&first.access_token, Some("another")).await, Err(FaultCode::UnauthorizedClient));
        assert!(good_for(&app, &first).await.is_some());
        assert_eq!(revoke(&first.access_token, Some(&client)).await, Ok(()));
        assert_eq!(good_for(&app, &first).await, None);
        let second = ask(&app, refresh(&client, &first)).await.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert!(good_for(&app, &second).await.is_some());
        assert_eq!(revoke(second.refresh_token.as_deref().unwrap(), None).await, Ok(()));
        assert_eq!(good_for(&app, &second).await, None);
        assert_eq!(ask(&app, refresh(&client, &second)).await.err(), Some(FaultCode::InvalidGrant));
        assert_eq!(revoke("cms_oat_unknown", None).await, Ok(()));
    }

    async fn a_refresh_token_is_no_access_token(app: TestApp) {
        let client = application(&app, CALLBACK).await;
        let tokens = tokens(&app, Role::Editor, &client, &[Scope::ContentRead]).await;
        assert!(app.cms().identify(tokens.refresh_token.as_deref().unwrap()).await.is_err());
        app.clock().advance(Duration::from_hours(1));
        assert_eq!(good_for(&app, &tokens).await, None);
    }
}
