//! What holds of links that sign their users in.

use std::time::Duration;

use cms_accounts::{
    audit::ListAudit,
    magic_link::{SendMagicLink, VerifyMagicLink},
    mail::testing::PostBox,
    recovery::SendRecovery,
    rescue::RescueAdmin,
    sessions::ListSessions,
    sign_up::RequestSignUp,
    users::{DisableUser, EnableUser, UpdateUser},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{access::Actor, user::Role};
use cms_frame::{Code, Door};
use serde_json::{Value, json};

use super::letters::{ask, at_once, fifty_times, letters, refused, secret, secret_of, wire, with_mail};

/// Asks for a link for the author.
async fn send(app: &TestApp, n: u8) -> Value {
    let answer = ask::<SendMagicLink>(&mut Browser::new(app, n), json!({ "email": "author@example.com" })).await;
    wire(answer.unwrap())
}

/// Asks for a link for the author. Answers with the browser that did, and the secret of the link.
async fn asked(app: &TestApp, post: &PostBox, n: u8) -> (Browser, Value) {
    let mut browser = Browser::new(app, n);
    ask::<SendMagicLink>(&mut browser, json!({ "email": "author@example.com" })).await.unwrap();
    let token = secret(app, post, "magic-link").await;
    (browser, json!({ "token": token }))
}

async fn recover(app: &TestApp, role: Role) -> Value {
    app.call::<SendRecovery>(Role::Admin, json!({ "id": TestApp::user(role) })).await.unwrap()
}

/// How many sessions the author has.
async fn sessions(app: &TestApp) -> usize {
    app.run(Role::Author, ListSessions {}).await.unwrap().items.len()
}

both! {
    async fn a_link_signs_its_user_in_once(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut browser, link) = asked(&app, &post, 1).await;
        let signed_in = ask::<VerifyMagicLink>(&mut browser, link.clone()).await.unwrap();
        assert_eq!((signed_in.user.id, signed_in.success), (TestApp::user(Role::Author), true));
        let actor = browser.actor().await.unwrap();
        assert_eq!(actor.user(), Some(TestApp::user(Role::Author)));
        let user = app.store().reader().users().by_id(TestApp::user(Role::Author)).await.unwrap().unwrap();
        assert!(user.email_verified, "whoever used the link reads mail to the address");
        assert_eq!(refused::<VerifyMagicLink>(&mut browser, link).await, Code::InvalidLink);
    }

    async fn a_link_is_good_in_the_browser_that_asked_for_it_and_is_not_spent_in_another(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut first, link) = asked(&app, &post, 1).await;
        let (mut other, others_link) = asked(&app, &post, 2).await;
        for (browser, link) in [(&mut other, &link), (&mut first, &others_link), (&mut Browser::new(&app, 3), &link)] {
            let error = ask::<VerifyMagicLink>(browser, link.clone()).await.unwrap_err();
            assert_eq!((error.code(), error.message().contains("another browser")), (Code::InvalidLink, true), "{error}");
        }
        assert_eq!(sessions(&app).await, 0);
        ask::<VerifyMagicLink>(&mut first, link).await.unwrap();
    }

    async fn of_fifty_who_use_a_link_at_once_one_is_signed_in(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (browser, link) = asked(&app, &post, 1).await;
        // So many may be tried in a minute from one address.
        let uses = (0..50).map(|n| {
            let mut moved = browser.clone();
            moved.client.address = Some([198, 51, 100, n].into());
            (moved, link.clone())
        });
        let (won, refused) = at_once::<VerifyMagicLink>(uses).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
        assert_eq!(sessions(&app).await, 1);
    }

    async fn of_fifty_who_use_a_recovery_at_once_one_is_signed_in_whoever_had_it_made(app: TestApp) {
        let by_admin = secret_of(&recover(&app, Role::Author).await["recoveryUrl"]);
        let (won, refused) = fifty_times::<VerifyMagicLink>(&app, &json!({ "token": by_admin })).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
        let rescue = RescueAdmin { email: "author@example.com".parse().unwrap() };
        let by_operator = app.cms().invoke(&Actor::System, Door::Local, rescue).await.unwrap().url;
        app.clock().advance(Duration::from_mins(1));
        let (won, refused) = fifty_times::<VerifyMagicLink>(&app, &json!({ "token": secret_of(&json!(by_operator)) })).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
        assert_eq!(sessions(&app).await, 1, "a recovery ends every other session");
    }

    async fn whoever_has_signed_in_needs_no_other_link(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut browser, first) = asked(&app, &post, 1).await;
        let (mut other, second) = asked(&app, &post, 2).await;
        ask::<VerifyMagicLink>(&mut browser, first).await.unwrap();
        assert_eq!(refused::<VerifyMagicLink>(&mut other, second).await, Code::InvalidLink);
    }

    async fn nobody_learns_whether_there_is_an_account(app: TestApp) {
        app.call::<DisableUser>(Role::Admin, json!({ "id": TestApp::user(Role::Editor) })).await.unwrap();
        let (app, post) = with_mail(&app);
        let known = send(&app, 1).await;
        assert_eq!(letters(&app, &post).await.len(), 1);
        for (n, email) in [(2, "nobody@example.com"), (3, "editor@example.com")] {
            let unknown = ask::<SendMagicLink>(&mut Browser::new(&app, n), json!({ "email": email })).await;
            assert_eq!(wire(unknown.unwrap()), known, "{email}");
        }
        assert_eq!(letters(&app, &post).await, []);
    }

    async fn an_address_gets_three_letters_in_five_minutes_and_nobody_is_told(app: TestApp) {
        let (app, post) = with_mail(&app);
        let first = send(&app, 1).await;
        for n in 2..=5 {
            assert_eq!(send(&app, n).await, first);
        }
        assert_eq!(letters(&app, &post).await.len(), 3);
        app.clock().advance(Duration::from_mins(5));
        send(&app, 1).await;
        assert_eq!(letters(&app, &post).await.len(), 1);
    }

    async fn a_client_asks_three_times_in_five_minutes(app: TestApp) {
        let (app, _post) = with_mail(&app);
        let mut browser = Browser::new(&app, 1);
        for n in 0..3 {
            ask::<SendMagicLink>(&mut browser, json!({ "email": format!("nobody{n}@example.com") })).await.unwrap();
            ask::<RequestSignUp>(&mut browser, json!({ "email": format!("nobody{n}@example.com") })).await.unwrap();
        }
        assert_eq!(refused::<SendMagicLink>(&mut browser, json!({ "email": "nobody@example.com" })).await, Code::RateLimited);
        assert_eq!(refused::<RequestSignUp>(&mut browser, json!({ "email": "nobody@example.com" })).await, Code::RateLimited);
        app.clock().advance(Duration::from_mins(5));
        ask::<SendMagicLink>(&mut browser, json!({ "email": "nobody@example.com" })).await.unwrap();
    }

    async fn a_link_lasts_ten_minutes(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut browser, link) = asked(&app, &post, 1).await;
        app.clock().advance(Duration::from_mins(10));
        assert_eq!(refused::<VerifyMagicLink>(&mut browser, link.clone()).await, Code::TokenExpired);
        // Whoever comes very late is told no more than somebody who made a link up.
        app.clock().advance(Duration::from_hours(7 * 24));
        app.settle().await.unwrap();
        assert_eq!(refused::<VerifyMagicLink>(&mut browser, link).await, Code::InvalidLink);
    }

    async fn a_link_dies_with_the_account_it_opens_and_is_not_revived(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut browser, link) = asked(&app, &post, 1).await;
        for change in [true, false] {
            let id = json!({ "id": TestApp::user(Role::Author) });
            if change {
                app.call::<DisableUser>(Role::Admin, id).await.unwrap();
            } else {
                app.call::<EnableUser>(Role::Admin, id).await.unwrap();
            }
            assert_eq!(refused::<VerifyMagicLink>(&mut browser, link.clone()).await, Code::InvalidLink);
        }
    }

    async fn a_link_to_an_address_that_the_account_no_longer_has_opens_nothing(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut browser, link) = asked(&app, &post, 1).await;
        let change = json!({ "id": TestApp::user(Role::Author), "email": "other@example.com" });
        app.call::<UpdateUser>(Role::Admin, change).await.unwrap();
        assert_eq!(refused::<VerifyMagicLink>(&mut browser, link.clone()).await, Code::InvalidLink);
    }

    async fn without_mail_nobody_asks_for_a_letter(app: TestApp) {
        let mut browser = Browser::new(&app, 1);
        assert_eq!(refused::<SendMagicLink>(&mut browser, json!({ "email": "author@example.com" })).await, Code::EmailNotConfigured);
        assert_eq!(refused::<RequestSignUp>(&mut browser, json!({ "email": "author@example.com" })).await, Code::EmailNotConfigured);
    }

    async fn whoever_asks_is_not_told_that_the_mail_server_refused(app: TestApp) {
        let (app, post) = with_mail(&app);
        let taken = send(&app, 1).await;
        letters(&app, &post).await;
        post.refuse(true);
        assert_eq!(send(&app, 2).await, taken);
        assert_eq!(letters(&app, &post).await, []);
    }

    async fn what_is_logged_of_a_link_does_not_have_its_secret(app: TestApp) {
        let (app, post) = with_mail(&app);
        let (mut browser, link) = asked(&app, &post, 1).await;
        ask::<VerifyMagicLink>(&mut browser, link.clone()).await.unwrap();
        let trail = app.call::<ListAudit>(Role::Admin, json!({})).await.unwrap();
        let actions: Vec<_> = trail["items"].as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["magic_link.verify", "magic_link.write"]);
        assert_eq!(trail["items"][1]["address"], "192.0.2.1", "who asked for the letter");
        assert!(!trail.to_string().contains(link["token"].as_str().unwrap()));
    }

    async fn an_admin_has_a_user_sent_a_link_that_lets_them_back_in(app: TestApp) {
        let (app, post) = with_mail(&app);
        let answer = recover(&app, Role::Author).await;
        assert_eq!((&answer["sent"], answer.get("recoveryUrl")), (&json!(true), None));
        let token = secret(&app, &post, "magic-link").await;
        let mut browser = Browser::new(&app, 1);
        ask::<VerifyMagicLink>(&mut browser, json!({ "token": token })).await.unwrap();
        let sessions = browser.call(ListSessions {}).await.unwrap();
        assert_eq!(sessions.items[0].method, "recovery");
        assert_eq!(refused::<VerifyMagicLink>(&mut Browser::new(&app, 2), json!({ "token": token })).await, Code::InvalidLink);
    }

    async fn an_admin_hands_a_recovery_over_when_it_cannot_be_mailed(app: TestApp) {
        let answer = recover(&app, Role::Author).await;
        assert_eq!(answer["sent"], false);
        let token = secret_of(&answer["recoveryUrl"]);
        ask::<VerifyMagicLink>(&mut Browser::new(&app, 1), json!({ "token": token })).await.unwrap();
        let user = app.store().reader().users().by_id(TestApp::user(Role::Author)).await.unwrap().unwrap();
        assert!(!user.email_verified, "no mail was read");

        let (app, post) = with_mail(&app);
        post.refuse(true);
        let answer = recover(&app, Role::Author).await;
        assert!(answer["message"].as_str().unwrap().contains("550 no such user here"), "{answer}");
        ask::<VerifyMagicLink>(&mut Browser::new(&app, 1), json!({ "token": secret_of(&answer["recoveryUrl"]) })).await.unwrap();
    }

    async fn only_admins_recover_and_only_who_is_there_and_not_disabled(app: TestApp) {
        let id = json!({ "id": TestApp::user(Role::Author) });
        assert_eq!(app.call::<SendRecovery>(Role::Editor, id.clone()).await.unwrap_err().code(), Code::InsufficientPermissions);
        app.call::<DisableUser>(Role::Admin, id.clone()).await.unwrap();
        assert_eq!(app.call::<SendRecovery>(Role::Admin, id).await.unwrap_err().code(), Code::AccountDisabled);
        let nobody = json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
        assert_eq!(app.call::<SendRecovery>(Role::Admin, nobody).await.unwrap_err().code(), Code::NotFound);
    }
}
