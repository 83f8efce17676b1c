//! What holds of a session that somebody stole: no remedy leaves whoever has it another way in.

use std::time::Duration;

use cms_accounts::{
    account::UpdateAccount,
    email_change::{CancelEmailChange, ChangeEmail, ConfirmEmail, RefuseEmailChange},
    magic_link::VerifyMagicLink,
    mail::testing::{self, PostBox},
    recovery::SendRecovery,
    rescue::RescueAdmin,
    sessions::{ListSessions, RevokeOtherSessions, RevokeSession},
    tokens::{CreateToken, RevokeToken},
    users::{DisableUser, EnableUser, RevokeUserSessions, UpdateUser},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::Actor,
    user::{Role, User},
};
use cms_frame::{Client, Code, Door, operation::Operation};
use serde_json::{Value, json};

use super::letters::{ask, audited, fifty_times, letters, refused, secret_of, with_mail};

const THIEF: &str = "thief@example.org";

/// What the owner of a stolen session, or somebody who helps them, can do about it.
#[derive(Debug, Clone, Copy)]
enum Remedy {
    EndOthers,
    EndOne,
    AdminEnds,
    AdminDisables,
    AdminRecovers,
    AdminGivesAnotherAddress,
    OperatorRescues,
    Refuse,
}

impl Remedy {
    const ALL: [Self; 8] = [
        Self::EndOthers,
        Self::EndOne,
        Self::AdminEnds,
        Self::AdminDisables,
        Self::AdminRecovers,
        Self::AdminGivesAnotherAddress,
        Self::OperatorRescues,
        Self::Refuse,
    ];

    async fn apply(self, app: &TestApp, refusal: &str) {
        let author = json!({ "id": TestApp::user(Role::Author) });
        match self {
            Self::EndOthers => drop(app.run(Role::Author, RevokeOtherSessions {}).await.unwrap()),
            Self::EndOne => {
                app.sign_in(Role::Author).await.unwrap();
                let id = app.run(Role::Author, ListSessions {}).await.unwrap().items[0].id;
                app.run(Role::Author, RevokeSession { id }).await.unwrap();
            }
            Self::AdminEnds => drop(app.call::<RevokeUserSessions>(Role::Admin, author).await.unwrap()),
            Self::AdminDisables => {
                app.call::<DisableUser>(Role::Admin, author.clone()).await.unwrap();
                app.call::<EnableUser>(Role::Admin, author).await.unwrap();
            }
            Self::AdminRecovers => drop(app.call::<SendRecovery>(Role::Admin, author).await.unwrap()),
            Self::AdminGivesAnotherAddress => {
                let update = json!({ "id": TestApp::user(Role::Author), "email": "moved@example.com" });
                app.call::<UpdateUser>(Role::Admin, update).await.unwrap();
            }
            Self::OperatorRescues => drop(rescue(app).await),
            Self::Refuse => {
                ask::<RefuseEmailChange>(&mut Browser::new(app, 1), json!({ "token": refusal })).await.unwrap();
            }
        }
    }
}

async fn rescue(app: &TestApp) -> Value {
    let rescue = RescueAdmin { email: "author@example.com".parse().unwrap() };
    let rescued = app.cms().invoke(&Actor::System, Door::Local, rescue).await.unwrap();
    json!(rescued.url)
}

/// Has whoever stole the author's session ask for an address of theirs. Answers with the secrets of the letter to that address, and of
/// the one to the author's.
async fn steal(app: &TestApp, post: &PostBox) -> (String, String) {
    app.clock().advance(Duration::from_mins(5));
    app.call::<ChangeEmail>(Role::Author, json!({ "email": THIEF })).await.unwrap();
    let letters = letters(app, post).await;
    let to = |address: &str| letters.iter().find(|letter| letter.to.as_str() == address).and_then(testing::token).unwrap().to_owned();
    (to(THIEF), to(author(app).await.email.as_str()))
}

async fn author(app: &TestApp) -> User {
    app.store().reader().users().by_id(TestApp::user(Role::Author)).await.unwrap().unwrap()
}

async fn confirm(app: &TestApp, secret: &str) -> Code {
    refused::<ConfirmEmail>(&mut Browser::new(app, 2), json!({ "token": secret })).await
}

/// Does an operation for somebody who was identified before, as a door does whose request took long to arrive.
async fn late<O: Operation>(app: &TestApp, held: &Actor, input: Value) -> Result<(), Code> {
    let operation: O = serde_json::from_value(input).unwrap();
    app.cms().call(held, Door::Rest, &Client::default(), operation).await.map(drop).map_err(|error| error.code())
}

fn token() -> Value {
    json!({ "name": "theirs", "scopes": ["content:read"] })
}

both! {
    async fn a_request_that_is_held_back_until_after_a_remedy_does_nothing(app: TestApp) {
        for remedy in [Remedy::EndOthers, Remedy::AdminEnds, Remedy::AdminDisables] {
            app.clock().advance(Duration::from_mins(1));
            let secret = app.sign_in(Role::Author).await.unwrap();
            let held = app.cms().identify_session(&secret).await.unwrap();
            remedy.apply(&app, "").await;
            assert_eq!(late::<CreateToken>(&app, &held, token()).await, Err(Code::NotAuthenticated), "{remedy:?}");
            assert_eq!(late::<ChangeEmail>(&app, &held, json!({ "email": THIEF })).await, Err(Code::NotAuthenticated), "{remedy:?}");
        }
    }

    async fn a_copy_of_the_cookie_is_worth_nothing_once_its_owner_ended_all_other_sessions(app: TestApp) {
        let mut owner = Browser { session: Some(app.sign_in(Role::Author).await.unwrap()), ..Browser::new(&app, 1) };
        let mut thief = owner.clone();
        let held = thief.actor().await.unwrap();
        owner.call(RevokeOtherSessions {}).await.unwrap();
        assert_eq!(refused::<CreateToken>(&mut thief, token()).await, Code::NotAuthenticated);
        assert_eq!(late::<CreateToken>(&app, &held, token()).await, Err(Code::NotAuthenticated));
        assert_eq!(owner.call(ListSessions {}).await.unwrap().items.len(), 1);
        ask::<CreateToken>(&mut owner, token()).await.unwrap();
    }

    async fn a_request_with_a_token_that_was_revoked_meanwhile_does_nothing(app: TestApp) {
        let made = app.call::<CreateToken>(Role::Admin, json!({ "name": "script", "scopes": ["admin"] })).await.unwrap();
        let held = app.cms().identify(made["token"].as_str().unwrap()).await.unwrap();
        let change = json!({ "id": TestApp::user(Role::Author), "name": "Ada" });
        late::<UpdateUser>(&app, &held, change.clone()).await.unwrap();
        app.call::<RevokeToken>(Role::Admin, json!({ "id": made["info"]["id"] })).await.unwrap();
        assert_eq!(late::<UpdateUser>(&app, &held, change).await, Err(Code::InvalidToken));
    }

    async fn a_request_of_somebody_who_was_demoted_meanwhile_does_nothing(app: TestApp) {
        let held = app.cms().identify_session(&app.sign_in(Role::Editor).await.unwrap()).await.unwrap();
        let profile = json!({ "name": "Grace" });
        late::<UpdateAccount>(&app, &held, profile.clone()).await.unwrap();
        app.call::<UpdateUser>(Role::Admin, json!({ "id": TestApp::user(Role::Editor), "role": 20 })).await.unwrap();
        assert_eq!(late::<UpdateAccount>(&app, &held, profile).await, Err(Code::NotAuthenticated));
    }

    async fn every_remedy_ends_a_pending_change_of_address(app: TestApp) {
        for remedy in Remedy::ALL {
            let (app, post) = with_mail(&app);
            let before = author(&app).await.email;
            let (theirs, ours) = steal(&app, &post).await;
            remedy.apply(&app, &ours).await;
            assert_eq!(confirm(&app, &theirs).await, Code::InvalidLink, "{remedy:?}");
            assert_ne!(author(&app).await.email.as_str(), THIEF, "{remedy:?}");
            let back = json!({ "id": TestApp::user(Role::Author), "email": before, "role": 30 });
            app.call::<UpdateUser>(Role::Admin, back).await.unwrap();
            letters(&app, &post).await;
        }
    }

    async fn leaving_a_browser_keeps_the_address_that_waits(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (ours, _) = steal(&app, &post).await;
        let mut browser = Browser::new(&app, 1);
        browser.session = Some(app.sign_in(Role::Author).await.unwrap());
        let id = browser.call(ListSessions {}).await.unwrap().items.iter().find(|session| session.current).unwrap().id;
        browser.call(RevokeSession { id }).await.unwrap();
        ask::<ConfirmEmail>(&mut Browser::new(&app, 2), json!({ "token": ours })).await.unwrap();
    }

    async fn whoever_refuses_another_address_ends_every_session_and_is_not_signed_in(app: TestApp) {
        let (app, post) = with_mail(&app);
        let stolen = app.sign_in(Role::Author).await.unwrap();
        let mut own = Browser::new(&app, 1);
        own.session = Some(app.sign_in(Role::Author).await.unwrap());
        let (theirs, ours) = steal(&app, &post).await;
        let (won, others) = fifty_times::<RefuseEmailChange>(&app, &json!({ "token": ours })).await;
        assert_eq!((won, others), (1, vec![Code::InvalidLink; 49]));
        for secret in [stolen.as_str(), own.session.as_deref().unwrap()] {
            assert_eq!(app.cms().identify_session(secret).await.unwrap().user(), None);
        }
        assert_eq!(confirm(&app, &theirs).await, Code::InvalidLink);
        assert!(audited(&app).await.contains(&"account.refuse_email_change".to_owned()));

        // The browser that asks is told to forget its session, and gets no other.
        own.session = Some(app.sign_in(Role::Author).await.unwrap());
        let (_, ours) = steal(&app, &post).await;
        let ended = ask::<RefuseEmailChange>(&mut own, json!({ "token": ours })).await.unwrap();
        assert_eq!((ended.cancelled, ended.sessions, own.session), (true, 1, None));
    }

    async fn a_change_can_be_refused_for_a_day_even_if_it_was_withdrawn_and_not_once_it_is_done(app: TestApp) {
        let (app, post) = with_mail(&app);
        let refuse = async |secret: &str| refused::<RefuseEmailChange>(&mut Browser::new(&app, 1), json!({ "token": secret })).await;
        let (_, first) = steal(&app, &post).await;
        app.call::<CancelEmailChange>(Role::Author, json!({})).await.unwrap();
        let (theirs, second) = steal(&app, &post).await;
        ask::<RefuseEmailChange>(&mut Browser::new(&app, 1), json!({ "token": first })).await.unwrap();
        assert_eq!(confirm(&app, &theirs).await, Code::InvalidLink, "the letter about an earlier change is as good");
        app.clock().advance(Duration::from_hours(24));
        assert_eq!(refuse(&second).await, Code::TokenExpired);

        let (theirs, ours) = steal(&app, &post).await;
        ask::<ConfirmEmail>(&mut Browser::new(&app, 2), json!({ "token": theirs })).await.unwrap();
        assert_eq!(refuse(&ours).await, Code::InvalidLink, "whoever had the address does not get the account back with it");
    }

    async fn signing_in_by_a_recovery_ends_every_other_session_and_what_they_began(app: TestApp) {
        let (app, post) = with_mail(&app);
        post.refuse(true);
        let sent = app.call::<SendRecovery>(Role::Admin, json!({ "id": TestApp::user(Role::Author) })).await.unwrap();
        let rescued = rescue(&app).await;
        post.refuse(false);
        for (n, link) in [(1, secret_of(&sent["recoveryUrl"])), (2, secret_of(&rescued))] {
            let stolen = app.sign_in(Role::Author).await.unwrap();
            // The thief is not idle while the link is on its way.
            app.call::<ChangeEmail>(Role::Author, json!({ "email": THIEF })).await.unwrap();
            let letters = letters(&app, &post).await;
            let theirs = letters.iter().find(|letter| letter.to.as_str() == THIEF).and_then(testing::token).unwrap();
            let mut browser = Browser::new(&app, n);
            if n == 1 {
                ask::<VerifyMagicLink>(&mut browser, json!({ "token": link })).await.unwrap();
                assert_eq!(app.cms().identify_session(&stolen).await.unwrap().user(), None);
                assert!(browser.actor().await.unwrap().user().is_some());
                assert_eq!(confirm(&app, theirs).await, Code::InvalidLink);
            } else {
                assert_eq!(refused::<VerifyMagicLink>(&mut browser, json!({ "token": link })).await, Code::InvalidLink, "one is enough");
            }
        }
    }
}
