//! What people are told by mail of changes to what opens their account.

use std::time::Duration;

use cms_accounts::{
    email_change::{ChangeEmail, ConfirmEmail},
    magic_link::VerifyMagicLink,
    mail::{
        Letter,
        testing::{PostBox, token},
    },
    passkeys::RemovePasskey,
    recovery::SendRecovery,
    rescue::RescueAdmin,
    testing::enter_by_provider,
    tokens::{CreateToken, RevokeToken},
    users::UpdateUser,
};
use cms_auth::provider::{Identity, ProvidedEmail};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::{Actor, Scope},
    user::Role,
};
use cms_frame::Door;
use serde_json::json;

use super::letters::{ask, letters, secret_of, with_mail};

async fn signed_in(app: &TestApp, role: Role) -> Browser {
    Browser { session: Some(app.sign_in(role).await.unwrap()), ..Browser::new(app, 1) }
}

fn make_token(name: &str) -> CreateToken {
    CreateToken { user: None, name: name.to_owned(), scopes: [Scope::ContentRead].into(), expires_at: None }
}

/// Whom the letters went to, and what they are about.
fn told(letters: &[Letter]) -> Vec<String> {
    letters.iter().map(|letter| format!("{}: {}", letter.to, letter.subject)).collect()
}

/// The one letter that has arrived.
async fn only(app: &TestApp, post: &PostBox) -> Letter {
    let mut letters = letters(app, post).await;
    assert_eq!(letters.len(), 1, "{letters:?}");
    letters.remove(0)
}

both! {
    async fn the_owner_is_told_of_each_new_and_removed_passkey_with_when_and_from_where(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = signed_in(&app, Role::Author).await;
        browser.client.agent = Some("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0".to_owned());
        let id = browser.register("Phone").await.unwrap().passkey.id;
        let letter = only(&app, &post).await;
        assert_eq!((letter.to.as_str(), letter.subject.as_str()), ("author@example.com", "New passkey for localhost:8080"));
        for line in [
            "The passkey \u{201c}Phone\u{201d} can now sign in to your account at localhost:8080.",
            "When: 2027-01-01 00:00 UTC",
            "From: 192.0.2.1, Firefox on Linux",
            "http://localhost:8080/_cms/admin/account/security",
        ] {
            assert!(letter.text.lines().any(|written| written == line), "{line}\n{}", letter.text);
        }
        browser.register("Tablet").await.unwrap();
        browser.call(RemovePasskey { id }).await.unwrap();
        let told = told(&letters(&app, &post).await);
        assert_eq!(told, ["author@example.com: New passkey for localhost:8080", "author@example.com: Passkey removed from localhost:8080"]);
    }

    async fn the_owner_is_told_of_a_token_and_never_shown_it(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = signed_in(&app, Role::Author).await;
        let made = browser.call(make_token("ci\r\nBcc: all@example.org")).await.unwrap();
        let letter = only(&app, &post).await;
        assert!(letter.text.contains("\u{201c}ci Bcc: all@example.org\u{201d}"), "{}", letter.text);
        assert!(!letter.text.contains(&made.token) && !letter.html.contains(&made.token) && token(&letter).is_none());
        // One that the operator makes for somebody is told to them as well.
        let user = Some("author@example.com".parse().unwrap());
        app.cms().invoke(&Actor::System, Door::Local, CreateToken { user, ..make_token("backup") }).await.unwrap();
        assert!(only(&app, &post).await.text.contains("By: whoever runs the server"));
    }

    async fn of_a_change_of_address_both_addresses_are_told(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = signed_in(&app, Role::Author).await;
        ask::<ChangeEmail>(&mut browser, json!({ "email": "new@example.org" })).await.unwrap();
        let asked = letters(&app, &post).await;
        let secret = asked.iter().find(|letter| letter.to.as_str() == "new@example.org").and_then(token).unwrap().to_owned();
        ask::<ConfirmEmail>(&mut Browser::new(&app, 2), json!({ "token": secret })).await.unwrap();
        let subject = "New address for localhost:8080";
        assert_eq!(told(&letters(&app, &post).await), [format!("author@example.com: {subject}"), format!("new@example.org: {subject}")]);
        let by_admin = json!({ "id": TestApp::user(Role::Author), "email": "other@example.org" });
        app.call::<UpdateUser>(Role::Admin, by_admin).await.unwrap();
        let letters = letters(&app, &post).await;
        assert_eq!(told(&letters), [format!("new@example.org: {subject}"), format!("other@example.org: {subject}")]);
        assert!(letters.iter().all(|letter| letter.text.contains("By: an admin") && !letter.text.contains("From:")));
    }

    async fn the_owner_is_told_of_another_role_and_of_nothing_when_none_changes(app: TestApp) {
        let (app, post) = with_mail(&app);
        let change = |change| json!({ "id": TestApp::user(Role::Author), "role": change });
        app.call::<UpdateUser>(Role::Admin, change(30)).await.unwrap();
        app.call::<UpdateUser>(Role::Admin, change(50)).await.unwrap();
        let letter = only(&app, &post).await;
        assert!(letter.text.contains("changed from author to admin."), "{}", letter.text);
    }

    async fn the_owner_is_told_that_a_recovery_link_was_made_by_the_operator_and_that_one_was_used(app: TestApp) {
        let (app, post) = with_mail(&app);
        let email = "admin@example.com".parse().unwrap();
        let url = app.cms().invoke(&Actor::System, Door::Local, RescueAdmin { email }).await.unwrap().url;
        assert_eq!(told(&letters(&app, &post).await), ["admin@example.com: Recovery link for localhost:8080"]);
        ask::<VerifyMagicLink>(&mut Browser::new(&app, 2), json!({ "token": secret_of(&json!(url)) })).await.unwrap();
        let letter = only(&app, &post).await;
        assert_eq!(letter.subject, "Recovery link used at localhost:8080");
        assert!(letter.text.contains("From: 192.0.2.2, Browser 2"), "{}", letter.text);
        // The letter with the link is notice enough of one that an admin had sent.
        app.call::<SendRecovery>(Role::Admin, json!({ "id": TestApp::user(Role::Author) })).await.unwrap();
        assert_eq!(letters(&app, &post).await.len(), 1);
    }

    async fn the_owner_is_told_when_an_account_at_a_provider_is_linked_by_address(app: TestApp) {
        let (app, post) = with_mail(&app);
        let identity = |account: &str| Identity {
            account: account.to_owned(),
            email: Some(ProvidedEmail { address: "author@example.com".parse().unwrap(), verified: true }),
            name: None,
            avatar: None,
        };
        let enter = |account: &str| enter_by_provider("club", "https://club.example", &identity(account));
        app.cms().invoke(&Actor::System, Door::Local, enter("7")).await.unwrap();
        assert_eq!(told(&letters(&app, &post).await), ["author@example.com: club connected to localhost:8080"]);
        app.cms().invoke(&Actor::System, Door::Local, enter("7")).await.unwrap();
        assert!(letters(&app, &post).await.is_empty(), "it is connected already");
        let strict = app.another(|options| options.policies.not_linked_by_address = ["club".to_owned()].into());
        let refused = strict.cms().invoke(&Actor::System, Door::Local, enter("8")).await.unwrap_err();
        assert_eq!(refused.details_json().unwrap()["reason"], "not_linked");
        strict.cms().invoke(&Actor::System, Door::Local, enter("7")).await.unwrap();
    }

    async fn a_post_box_is_not_filled_and_the_last_letter_says_so(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = signed_in(&app, Role::Author).await;
        for n in 0..12 {
            let id = browser.call(make_token(&format!("token {n}"))).await.unwrap().info.id;
            browser.call(RevokeToken { id }).await.unwrap();
        }
        let sent = letters(&app, &post).await;
        let last = |letter: &Letter| letter.text.contains("no more letters of this kind");
        assert_eq!((sent.len(), sent.iter().filter(|letter| last(letter)).count(), last(&sent[9])), (10, 1, true));
        // Of something else they are told all the same.
        browser.register("Key").await.unwrap();
        assert_eq!(letters(&app, &post).await.len(), 1);
        app.clock().advance(Duration::from_hours(1));
        let mut browser = signed_in(&app, Role::Author).await;
        browser.call(make_token("later")).await.unwrap();
        assert!(!last(&only(&app, &post).await));
    }

    async fn only_the_configuration_switches_the_letters_off(app: TestApp) {
        let (app, post) = with_mail(&app);
        let app = app.another(|options| options.policies.security_notices = false);
        signed_in(&app, Role::Author).await.call(make_token("ci")).await.unwrap();
        assert!(letters(&app, &post).await.is_empty());
    }

    async fn what_does_not_happen_is_not_told(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut admin = signed_in(&app, Role::Admin).await;
        app.clock().advance(Duration::from_mins(11));
        let change = json!({ "id": TestApp::user(Role::Author), "role": 50 });
        ask::<UpdateUser>(&mut admin, change).await.unwrap_err();
        assert!(letters(&app, &post).await.is_empty());
    }
}
