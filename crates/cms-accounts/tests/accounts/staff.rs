//! What holds when somebody leaves: they are suspended, looked at, and ended for ever, by a script with an admin's token.

use cms_accounts::{
    accept_invitation::CheckInvitation,
    allowed_domains::{AddAllowedDomain, DeleteAllowedDomain, ListAllowedDomains, UpdateAllowedDomain},
    end_access::{EndUserAccess, RevokeUserPasskey, RevokeUserSession, RevokeUserToken},
    invitations::{Invite, ListInvitations, RevokeInvitation},
    recovery::SendRecovery,
    users::{DisableUser, EnableUser, ListUsers, RevokeUserSessions, UpdateUser},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
    user_access::GetUserAccess,
};
use cms_domain::{access::Scope, user::Role};
use cms_frame::{Code, Door, Error, operation::Operation};
use serde_json::{Value, json};

use super::letters::{ask, audited, refused, secret_of};

/// Does an operation as a program of the admin's, whose token may do everything.
async fn script<O: Operation>(app: &TestApp, input: Value) -> Result<Value, Error> {
    let operation: O = serde_json::from_value(input).map_err(|error| Error::issue("", "INVALID_INPUT", error.to_string()))?;
    let token = app.token_of(Role::Admin, &[Scope::Admin]).await?;
    let caller = app.cms().identify(&token).await?;
    Ok(serde_json::to_value(app.cms().invoke(&caller, Door::Rest, operation).await?)?)
}

async fn script_fails<O: Operation>(app: &TestApp, input: Value) -> Code {
    script::<O>(app, input).await.unwrap_err().code()
}

/// The editor, who leaves.
fn editor() -> Value {
    json!({ "id": TestApp::user(Role::Editor) })
}

fn editor_with(more: Value) -> Value {
    let mut input = editor();
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

/// What the editor has when they leave.
struct Belongings {
    browser: Browser,
    token: String,
    invitation: String,
}

impl Belongings {
    /// The editor is an admin for a while, signs in, makes a passkey and a token, and invites somebody.
    async fn gather(app: &TestApp) -> Self {
        app.call::<UpdateUser>(Role::Admin, editor_with(json!({ "role": 50 }))).await.unwrap();
        let mut browser = Browser::new(app, 1);
        browser.session = Some(app.sign_in(Role::Editor).await.unwrap());
        browser.register("Phone").await.unwrap();
        let token = app.token_of(Role::Editor, &[Scope::ContentRead]).await.unwrap();
        let sent = ask::<Invite>(&mut browser, json!({ "email": "guest@example.org" })).await.unwrap();
        Self { browser, token, invitation: secret_of(&json!(sent.invite_url)) }
    }

    /// Whether the session, the token and the invitation are good.
    async fn good(&self) -> (bool, bool, bool) {
        let app = &self.browser.app;
        let session = app.cms().identify_session(self.browser.session.as_deref().unwrap()).await.unwrap().user().is_some();
        let invitation = ask::<CheckInvitation>(&mut Browser::new(app, 2), json!({ "token": self.invitation })).await.is_ok();
        (session, app.cms().identify(&self.token).await.is_ok(), invitation)
    }
}

both! {
    async fn what_sleeps_while_a_user_is_disabled_wakes_only_if_it_is_asked_to(app: TestApp) {
        let belongings = Belongings::gather(&app).await;
        assert_eq!(belongings.good().await, (true, true, true));
        script::<DisableUser>(&app, editor()).await.unwrap();
        assert_eq!(belongings.good().await, (false, false, false));
        app.call::<EnableUser>(Role::Admin, editor_with(json!({ "restoreAccess": true }))).await.unwrap();
        assert_eq!(belongings.good().await, (false, true, true));
        // Whoever is not disabled loses nothing by being enabled.
        app.call::<EnableUser>(Role::Admin, editor()).await.unwrap();
        assert_eq!(belongings.good().await, (false, true, true));
        script::<DisableUser>(&app, editor()).await.unwrap();
        app.call::<EnableUser>(Role::Admin, editor()).await.unwrap();
        assert_eq!(belongings.good().await, (false, false, false));
        assert!(script::<ListInvitations>(&app, json!({})).await.unwrap()["items"].as_array().unwrap().is_empty());
    }

    async fn an_admin_sees_what_somebody_holds_and_ends_each_thing_alone(app: TestApp) {
        // Somebody else must be able to look after the site.
        let mut admin = Browser::new(&app, 3);
        admin.session = Some(app.sign_in(Role::Admin).await.unwrap());
        admin.register("Key").await.unwrap();
        let mut belongings = Belongings::gather(&app).await;
        let secret = belongings.browser.session.clone().unwrap();
        app.sign_in(Role::Editor).await.unwrap();
        app.call::<SendRecovery>(Role::Admin, editor()).await.unwrap();
        let held = async || script::<GetUserAccess>(&app, editor()).await.unwrap();
        let seen = held().await;
        let count = |seen: &Value, sort: &str| seen[sort]["items"].as_array().unwrap().len();
        let counts = ["sessions", "passkeys", "tokens", "grants", "connections", "links", "invitations"].map(|sort| count(&seen, sort));
        assert_eq!(counts, [2, 1, 1, 0, 0, 1, 1]);
        assert_eq!((&seen["links"]["items"][0]["kind"], &seen["disabled"]), (&json!("recovery"), &json!(false)));
        for secret in [&secret, &belongings.token, &belongings.invitation] {
            assert!(!seen.to_string().contains(secret.as_str()), "no secret is told");
        }

        let end = |sort: &str, member: &str, at: usize| editor_with(json!({ member: seen[sort]["items"][at]["id"] }));
        // The newest one is first: the other one is that of the browser.
        script::<RevokeUserSession>(&app, end("sessions", "sessionId", 1)).await.unwrap();
        assert_eq!(app.cms().identify_session(&secret).await.unwrap().user(), None);
        assert_eq!(script_fails::<RevokeUserSession>(&app, end("sessions", "sessionId", 1)).await, Code::NotFound);
        script::<RevokeUserToken>(&app, end("tokens", "tokenId", 0)).await.unwrap();
        assert_eq!(app.cms().identify(&belongings.token).await.unwrap_err().code(), Code::InvalidToken);
        script::<RevokeUserPasskey>(&app, end("passkeys", "passkeyId", 0)).await.unwrap();
        belongings.browser.session = None;
        assert_eq!(belongings.browser.sign_in(None).await.err().unwrap().code(), Code::SignInFailed);
        script::<RevokeInvitation>(&app, json!({ "id": seen["invitations"]["items"][0]["id"] })).await.unwrap();
        let seen = held().await;
        assert_eq!(["sessions", "passkeys", "tokens", "invitations"].map(|sort| count(&seen, sort)), [1, 0, 0, 0]);

        // What is somebody else's is as good as none.
        let mut other = end("passkeys", "passkeyId", 0);
        other["id"] = json!(TestApp::user(Role::Author));
        assert_eq!(script_fails::<RevokeUserPasskey>(&app, other).await, Code::NotFound);
        let lines = audited(&app).await;
        for action in ["user.revoke_session", "user.revoke_token", "user.revoke_passkey"] {
            assert_eq!(lines.iter().filter(|line| *line == action).count(), 1, "{action}");
        }
    }

    async fn all_that_lets_a_user_in_ends_at_once_and_twice_is_as_good_as_once(app: TestApp) {
        let belongings = Belongings::gather(&app).await;
        app.call::<SendRecovery>(Role::Admin, editor()).await.unwrap();
        script::<DisableUser>(&app, editor()).await.unwrap();
        let ended = script::<EndUserAccess>(&app, editor()).await.unwrap();
        // Disabling had ended the session and the link already.
        let all = |passkeys, tokens, invitations| {
            json!({
                "sessions": 0, "passkeys": passkeys, "tokens": tokens, "grants": 0, "connections": 0, "links": 0, "emailChanges": 0,
                "invitations": invitations, "previews": 0,
            })
        };
        assert_eq!(ended, all(1, 1, 1));
        assert_eq!(script::<EndUserAccess>(&app, editor()).await.unwrap(), all(0, 0, 0));
        app.call::<EnableUser>(Role::Admin, editor_with(json!({ "restoreAccess": true }))).await.unwrap();
        assert_eq!(belongings.good().await, (false, false, false));
        assert_eq!(audited(&app).await.iter().filter(|line| *line == "user.end_access").count(), 2);
    }

    async fn only_what_is_named_ends(app: TestApp) {
        let belongings = Belongings::gather(&app).await;
        let ended = script::<EndUserAccess>(&app, editor_with(json!({ "kinds": ["tokens", "sessions"] }))).await.unwrap();
        assert_eq!((&ended["tokens"], &ended["sessions"], &ended["passkeys"]), (&json!(1), &json!(1), &json!(0)));
        assert_eq!(belongings.good().await, (false, false, true));
        assert_eq!(script_fails::<EndUserAccess>(&app, editor_with(json!({ "kinds": [] }))).await, Code::ValidationError);
        assert_eq!(script_fails::<EndUserAccess>(&app, json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).await, Code::NotFound);
    }

    async fn the_last_admin_who_can_sign_in_keeps_a_way_to(app: TestApp) {
        let mut admin = Browser::new(&app, 3);
        admin.session = Some(app.sign_in(Role::Admin).await.unwrap());
        admin.register("Key").await.unwrap();
        let own = json!({ "id": TestApp::user(Role::Admin) });
        let passkey = script::<GetUserAccess>(&app, own.clone()).await.unwrap()["passkeys"]["items"][0]["id"].clone();
        let remove = json!({ "id": TestApp::user(Role::Admin), "passkeyId": passkey });
        // Another admin is of no help as long as they cannot sign in.
        app.call::<UpdateUser>(Role::Admin, editor_with(json!({ "role": 50 }))).await.unwrap();
        assert_eq!(script_fails::<EndUserAccess>(&app, own.clone()).await, Code::LastAdmin);
        assert_eq!(script_fails::<RevokeUserPasskey>(&app, remove.clone()).await, Code::LastAdmin);
        assert!(admin.actor().await.unwrap().user().is_some(), "nothing ended");
        script::<EndUserAccess>(&app, json!({ "id": TestApp::user(Role::Admin), "kinds": ["sessions", "tokens"] })).await.unwrap();
        admin.session = None;
        admin.sign_in(None).await.unwrap();

        let _other = Belongings::gather(&app).await;
        script::<RevokeUserPasskey>(&app, remove).await.unwrap();
        assert_eq!(script_fails::<EndUserAccess>(&app, editor()).await, Code::LastAdmin);
    }

    async fn a_program_takes_access_away_and_gives_none(app: TestApp) {
        let belongings = Belongings::gather(&app).await;
        let domain = |more: Value| {
            let mut input = json!({ "domain": "example.net" });
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            input
        };
        let refused = [
            script_fails::<AddAllowedDomain>(&app, domain(json!({ "defaultRole": 20 }))).await,
            script_fails::<UpdateUser>(&app, editor_with(json!({ "email": "theirs@example.org" }))).await,
            script_fails::<UpdateUser>(&app, json!({ "id": TestApp::user(Role::Author), "role": 40 })).await,
            script_fails::<Invite>(&app, json!({ "email": "other@example.org" })).await,
            script_fails::<SendRecovery>(&app, editor()).await,
        ];
        assert_eq!(refused, [Code::SessionRequired; 5]);
        assert_eq!(belongings.good().await, (true, true, true));

        app.call::<AddAllowedDomain>(Role::Admin, domain(json!({ "defaultRole": 30 }))).await.unwrap();
        assert_eq!(script_fails::<UpdateAllowedDomain>(&app, domain(json!({ "defaultRole": 40 }))).await, Code::SessionRequired);
        script::<UpdateAllowedDomain>(&app, domain(json!({ "defaultRole": 20, "enabled": false }))).await.unwrap();
        assert_eq!(script_fails::<UpdateAllowedDomain>(&app, domain(json!({ "enabled": true }))).await, Code::SessionRequired);
        let listed = script::<ListAllowedDomains>(&app, json!({})).await.unwrap()["items"][0].clone();
        assert_eq!((&listed["defaultRole"], &listed["enabled"]), (&json!(20), &json!(false)));
        script::<DeleteAllowedDomain>(&app, domain(json!({}))).await.unwrap();

        script::<UpdateUser>(&app, editor_with(json!({ "role": 40, "name": "Former Editor" }))).await.unwrap();
        script::<RevokeUserSessions>(&app, editor()).await.unwrap();
        assert_eq!(script_fails::<EnableUser>(&app, editor()).await, Code::SessionRequired);
        script::<DisableUser>(&app, editor()).await.unwrap();
        assert_eq!(script_fails::<EnableUser>(&app, editor()).await, Code::SessionRequired);
        assert_eq!(script_fails::<DisableUser>(&app, json!({ "id": TestApp::user(Role::Admin) })).await, Code::SelfRoleChange);
        assert_eq!(script::<ListUsers>(&app, json!({ "search": "former" })).await.unwrap()["items"][0]["disabled"], json!(true));
        // A token for something else is none for this.
        let narrow = TestApp::token(Role::Admin, &[Scope::ContentWrite]);
        let disable = DisableUser { id: TestApp::user(Role::Author) };
        assert_eq!(app.cms().invoke(&narrow, Door::Rest, disable).await.unwrap_err().code(), Code::InsufficientScope);
    }

    async fn what_an_invitation_gives_is_not_given_while_its_sender_is_disabled(app: TestApp) {
        let belongings = Belongings::gather(&app).await;
        script::<DisableUser>(&app, editor()).await.unwrap();
        let token = json!({ "token": belongings.invitation });
        assert_eq!(refused::<CheckInvitation>(&mut Browser::new(&app, 2), token).await, Code::InvalidLink);
        let listed = script::<GetUserAccess>(&app, editor()).await.unwrap();
        assert_eq!((&listed["disabled"], listed["invitations"]["items"].as_array().unwrap().len()), (&json!(true), 1), "it sleeps");
    }
}
