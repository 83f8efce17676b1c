//! What holds of the authorization server, on both databases.

mod codes;
mod devices;
mod management;
mod refreshes;
mod stolen_sessions;

use cms_accounts::oauth::{
    Answer, FaultCode,
    authorize::DecideAuthorization,
    register::RegisterOAuthClient,
    token_request::{IssueToken, Tokens},
};
use cms_auth::token;
use cms_core::testing::TestApp;
use cms_domain::{
    access::{Actor, Scope, to},
    id::UserId,
    user::Role,
};
use cms_frame::{Client, Door, Error, operation::Operation};
use serde_json::{Value, json};
use url::Url;

/// An address that applications of these tests are answered at.
const CALLBACK: &str = "https://app.example/callback";
/// The secret behind [`challenge`].
const VERIFIER: &str = "a-verifier-of-more-than-forty-three-characters";

fn challenge() -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD.encode(token::hash(VERIFIER))
}

/// Does an operation as an application, which is nobody.
async fn ask<T: Send + 'static, O: Operation<Output = Answer<T>>>(app: &TestApp, operation: O) -> Result<T, FaultCode> {
    match app.cms().call(&Actor::Anonymous, Door::Local, &Client::default(), operation).await.unwrap().output {
        Answer::Done(done) => Ok(done),
        Answer::Refused(fault) => Err(fault.error),
    }
}

async fn register(app: &TestApp, metadata: Value) -> Result<String, FaultCode> {
    let Value::Object(metadata) = metadata else { unreachable!() };
    ask(app, RegisterOAuthClient { metadata }).await.map(|registration| registration.client_id)
}

/// An application that registered itself, for codes at one address.
async fn application(app: &TestApp, redirect_uri: &str) -> String {
    register(app, json!({ "client_name": "App", "redirect_uris": [redirect_uri] })).await.unwrap()
}

fn request(client: &str, redirect_uri: &str, scope: &str) -> Value {
    json!({
        "client_id": client,
        "redirect_uri": redirect_uri,
        "response_type": "code",
        "code_challenge": challenge(),
        "code_challenge_method": "S256",
        "state": "a state & more",
        "scope": scope,
    })
}

/// What a user of a role sends their browser to after they left some scopes in.
async fn decide(app: &TestApp, role: Role, request: Value, action: &str, scopes: &[Scope]) -> Result<Url, Error> {
    let decided = app.call::<DecideAuthorization>(role, json!({ "request": request, "action": action, "scopes": scopes })).await?;
    Ok(decided["redirect"].as_str().unwrap().parse().unwrap())
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find_map(|(found, value)| (found == name).then(|| value.into_owned()))
}

/// A code for an application, from a user of a role.
async fn code(app: &TestApp, role: Role, client: &str, scopes: &[Scope]) -> String {
    let scope = scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ");
    let redirect = decide(app, role, request(client, CALLBACK, &scope), "approve", scopes).await.unwrap();
    parameter(&redirect, "code").unwrap_or_else(|| panic!("{redirect}"))
}

fn exchange(client: &str, code: &str) -> IssueToken {
    IssueToken {
        grant_type: Some("authorization_code".to_owned()),
        client_id: Some(client.to_owned()),
        code: Some(code.to_owned()),
        redirect_uri: Some(CALLBACK.to_owned()),
        code_verifier: Some(VERIFIER.to_owned()),
        ..IssueToken::default()
    }
}

fn refresh(client: &str, tokens: &Tokens) -> IssueToken {
    IssueToken {
        grant_type: Some("refresh_token".to_owned()),
        client_id: Some(client.to_owned()),
        refresh_token: tokens.refresh_token.clone(),
        ..IssueToken::default()
    }
}

/// Tokens of an application, from a user of a role.
async fn tokens(app: &TestApp, role: Role, client: &str, scopes: &[Scope]) -> Tokens {
    let code = code(app, role, client, scopes).await;
    ask(app, exchange(client, &code)).await.unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// Whether an access token is good, and for what.
async fn good_for(app: &TestApp, tokens: &Tokens) -> Option<Vec<Scope>> {
    match app.cms().identify(&tokens.access_token).await {
        Ok(Actor::User(caller)) => Some(caller.via.scopes().unwrap().iter().copied().collect()),
        Ok(_) => None,
        Err(error) => {
            assert_eq!(error.code(), cms_frame::Code::InvalidToken);
            None
        }
    }
}

/// Changes a user as an admin would.
async fn change_user(app: &TestApp, user: UserId, change: impl FnOnce(&mut cms_domain::user::User)) {
    let permit = Actor::System.permit(to::ManageUsers).unwrap();
    let mut found = app.store().reader().users().by_id(user).await.unwrap().unwrap();
    change(&mut found);
    let tx = app.store().write().await.unwrap();
    tx.users().update(&permit, &found).await.unwrap();
    tx.commit().await.unwrap();
    app.cms().upkeep().follow(&[cms_domain::event::Event::User { user }]);
}

/// Sends one request fifty times at once. Counts those that got tokens, and keeps the last of them.
async fn at_once(app: &TestApp, request: &IssueToken) -> (usize, Tokens) {
    let send = |_| {
        let (app, request) = (app.clone(), request.clone());
        tokio::spawn(async move { ask(&app, request).await })
    };
    let mut won = Vec::new();
    for sent in (0..50).map(send).collect::<Vec<_>>() {
        match sent.await.unwrap() {
            Ok(tokens) => won.push(tokens),
            Err(fault) => assert_eq!(fault, FaultCode::InvalidGrant),
        }
    }
    (won.len(), won.pop().unwrap())
}

/// The actions of the audit log, the latest first.
async fn audited(app: &TestApp) -> Vec<String> {
    let lines = app.store().reader().audit().list(&cms_storage::AuditFilter::default(), 100).await.unwrap();
    lines.into_iter().map(|line| line.action).collect()
}
