//! What holds of proving again who one is.

use std::time::Duration;

use cms_accounts::{
    account::GetAccount,
    passkey_sign_in::SignInCredential,
    proof::{GetProof, Proven},
    prove_by_link::{SendProofLink, UseProofLink},
    prove_by_passkey::{BeginPasskeyProof, FinishPasskeyProof},
    sessions::{ListSessions, RevokeOtherSessions},
    tokens::CreateToken,
    users::UpdateUser,
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::{Actor, Scope},
    user::Role,
};
use cms_frame::{Clock, Code, Error, operation::Proof};
use serde_json::json;

use super::letters::{ask, audited, letters, refused, secret, with_mail};

async fn signed_in(app: &TestApp, n: u8, role: Role) -> Browser {
    Browser { session: Some(app.sign_in(role).await.unwrap()), ..Browser::new(app, n) }
}

async fn make_token(browser: &mut Browser) -> Result<(), Error> {
    let make = CreateToken { user: None, name: "ci".to_owned(), scopes: [Scope::ContentRead].into(), expires_at: None };
    browser.call(make).await.map(drop)
}

/// Has the authenticator of one browser answer what another was asked.
async fn answer(browser: &mut Browser, with: &mut Browser) -> SignInCredential {
    let options = browser.call(BeginPasskeyProof {}).await.unwrap().options;
    with.authenticator.sign(&options)
}

async fn prove(browser: &mut Browser, credential: SignInCredential) -> Result<Proven, Error> {
    browser.call(FinishPasskeyProof { credential }).await
}

/// Lets more time pass than a proof is good for.
fn grow_old(app: &TestApp) {
    app.clock().advance(Proof::GRACE + Duration::from_mins(1));
}

both! {
    async fn a_proof_is_good_for_ten_minutes_and_then_it_is_said_how_to_renew_it(app: TestApp) {
        let (app, _) = with_mail(&app);
        let mut browser = signed_in(&app, 1, Role::Author).await;
        browser.register("Key").await.unwrap();
        let until = browser.call(GetAccount {}).await.unwrap().proven_until.unwrap();
        assert_eq!(until, app.clock().now().after(Duration::from_mins(10)));
        app.clock().advance(Duration::from_secs(599));
        make_token(&mut browser).await.unwrap();
        app.clock().set(until);
        let error = make_token(&mut browser).await.unwrap_err();
        assert_eq!(error.code(), Code::ReauthenticationRequired);
        assert_eq!(error.details_json(), Some(&json!({ "methods": ["passkey", "magicLink"], "within": 600 })));
        let told = browser.call(GetProof {}).await.unwrap();
        assert_eq!((told.proven_until, told.methods.join(" ").as_str(), told.within), (Some(until), "passkey magicLink", 600));
    }

    async fn those_whom_a_host_vouches_for_are_not_asked(app: TestApp) {
        for actor in [TestApp::actor(Role::Admin), Actor::System] {
            grow_old(&app);
            let change = json!({ "id": TestApp::user(Role::Author), "email": format!("{}@example.org", app.clock().now().milliseconds()) });
            let change: UpdateUser = serde_json::from_value(change).unwrap();
            app.cms().invoke(&actor, cms_frame::Door::Rest, change).await.unwrap();
        }
        assert_eq!(app.run(Role::Author, GetAccount {}).await.unwrap().proven_until, None);
    }

    async fn a_passkey_renews_the_proof_of_the_session_and_its_secret(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        browser.register("Key").await.unwrap();
        let before = browser.call(ListSessions {}).await.unwrap().items[0].id;
        let mut thief = browser.clone();
        grow_old(&app);
        assert_eq!(make_token(&mut browser).await.unwrap_err().code(), Code::ReauthenticationRequired);
        let mut holder = browser.clone();
        let credential = answer(&mut browser, &mut holder).await;
        let proven = prove(&mut browser, credential.clone()).await.unwrap();
        assert_eq!(proven.proven_until, app.clock().now().after(Proof::GRACE));
        make_token(&mut browser).await.unwrap();
        let sessions = browser.call(ListSessions {}).await.unwrap().items;
        assert_eq!((sessions[0].id == before, sessions.len()), (false, 1), "it is known by another id");
        // Whoever had a copy of the secret proved nothing, and has nothing any more.
        assert_eq!(thief.call(ListSessions {}).await.unwrap_err().code(), Code::NotAuthenticated);
        assert_eq!(prove(&mut browser, credential).await.unwrap_err().code(), Code::ProofRejected, "an answer is taken once");
        assert_eq!(audited(&app).await, ["test.sign_in", "passkey.register", "proof.passkey", "token.create"]);
    }

    async fn a_passkey_of_somebody_else_proves_nothing_and_changes_nothing(app: TestApp) {
        let mut author = signed_in(&app, 1, Role::Author).await;
        author.register("Key").await.unwrap();
        let mut thief = signed_in(&app, 2, Role::Editor).await;
        thief.register("Key").await.unwrap();
        grow_old(&app);
        let mut options = author.call(BeginPasskeyProof {}).await.unwrap().options;
        options.allow_credentials.clear();
        let credential = thief.authenticator.sign(&options);
        assert_eq!(prove(&mut author, credential).await.unwrap_err().code(), Code::ProofRejected);
        assert_eq!(make_token(&mut author).await.unwrap_err().code(), Code::ReauthenticationRequired);
        // Nor does one's own in a session that did not ask for it.
        let mut other = Browser { session: Some(app.sign_in(Role::Author).await.unwrap()), ..author.clone() };
        grow_old(&app);
        let mut holder = author.clone();
        let credential = answer(&mut author, &mut holder).await;
        assert_eq!(prove(&mut other, credential.clone()).await.unwrap_err().code(), Code::ProofRejected);
        prove(&mut author, credential).await.unwrap();
        assert_eq!(make_token(&mut other).await.unwrap_err().code(), Code::ReauthenticationRequired);
        assert_eq!(author.call(ListSessions {}).await.unwrap().items.len(), 2);
    }

    async fn a_link_renews_the_proof_of_the_session_that_asked_for_it_in_its_own_browser_once(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = signed_in(&app, 1, Role::Author).await;
        grow_old(&app);
        ask::<SendProofLink>(&mut browser, json!({})).await.unwrap();
        let input = json!({ "token": secret(&app, &post, "reauth").await });
        let mut elsewhere = Browser { session: browser.session.clone(), ..Browser::new(&app, 2) };
        assert_eq!(refused::<UseProofLink>(&mut elsewhere, input.clone()).await, Code::ChallengeExpired, "another browser");
        let mut switched = Browser { session: Some(app.sign_in(Role::Editor).await.unwrap()), ..browser.clone() };
        assert_eq!(refused::<UseProofLink>(&mut switched, input.clone()).await, Code::ProofRejected, "somebody else");
        assert_eq!(refused::<UseProofLink>(&mut Browser::new(&app, 3), input.clone()).await, Code::NotAuthenticated, "it signs nobody in");
        assert_eq!(make_token(&mut browser).await.unwrap_err().code(), Code::ReauthenticationRequired);
        let mut thief = browser.clone();
        ask::<UseProofLink>(&mut browser, input.clone()).await.unwrap();
        make_token(&mut browser).await.unwrap();
        assert_eq!(make_token(&mut thief).await.unwrap_err().code(), Code::NotAuthenticated, "the secret is another one");
        assert_eq!(refused::<UseProofLink>(&mut browser, input).await, Code::ChallengeExpired);
        let lines = audited(&app).await;
        assert!(lines.contains(&"proof.send_link".to_owned()) && lines.contains(&"proof.link".to_owned()), "{lines:?}");
    }

    async fn a_link_that_went_to_an_address_that_the_account_no_longer_has_proves_nothing(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = signed_in(&app, 1, Role::Author).await;
        ask::<SendProofLink>(&mut browser, json!({})).await.unwrap();
        let input = json!({ "token": secret(&app, &post, "reauth").await });
        let moved = json!({ "id": TestApp::user(Role::Author), "email": "new@example.org" });
        app.call::<UpdateUser>(Role::Admin, moved).await.unwrap();
        letters(&app, &post).await;
        assert_eq!(refused::<UseProofLink>(&mut browser, input).await, Code::ProofRejected);
    }

    async fn a_session_that_has_ended_is_not_proven_by_what_it_asked_for(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        browser.register("Key").await.unwrap();
        let mut holder = browser.clone();
        let credential = answer(&mut browser, &mut holder).await;
        let mut other = signed_in(&app, 2, Role::Author).await;
        other.call(RevokeOtherSessions {}).await.unwrap();
        assert_eq!(prove(&mut browser, credential).await.unwrap_err().code(), Code::NotAuthenticated);
    }

    async fn a_role_is_lowered_with_any_proof_and_raised_with_a_recent_one(app: TestApp) {
        let mut admin = signed_in(&app, 1, Role::Admin).await;
        admin.register("Key").await.unwrap();
        grow_old(&app);
        let change = |change: serde_json::Value| {
            let mut input = json!({ "id": TestApp::user(Role::Author) });
            input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            input
        };
        for lasting in [json!({ "role": 40 }), json!({ "email": "thief@example.org" }), json!({ "role": 20, "email": "thief@example.org" })] {
            assert_eq!(refused::<UpdateUser>(&mut admin, change(lasting)).await, Code::ReauthenticationRequired);
        }
        let user = app.store().reader().users().by_id(TestApp::user(Role::Author)).await.unwrap().unwrap();
        assert_eq!((user.role, user.email.as_str()), (Role::Author, "author@example.com"), "nothing is written");
        ask::<UpdateUser>(&mut admin, change(json!({ "role": 20, "name": "Ada" }))).await.unwrap();
        let mut holder = admin.clone();
        let credential = answer(&mut admin, &mut holder).await;
        prove(&mut admin, credential).await.unwrap();
        ask::<UpdateUser>(&mut admin, change(json!({ "role": 40 }))).await.unwrap();
    }
}
