//! What holds of giving one's account another address.

use std::time::Duration;

use cms_accounts::{
    account::GetAccount,
    audit::ListAudit,
    email_change::{CancelEmailChange, ChangeEmail, ConfirmEmail},
    magic_link::{SendMagicLink, VerifyMagicLink},
    mail::testing::{PostBox, token},
    users::{DisableUser, UpdateUser},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::Scope,
    user::{Role, User},
};
use cms_frame::{Code, Door, Error};
use serde_json::{Value, json};

use super::letters::{ask, audited, fifty_times, letters, refused, with_mail};

async fn change(app: &TestApp, email: &str) -> Result<Value, Error> {
    app.call::<ChangeEmail>(Role::Author, json!({ "email": email })).await
}

async fn author(app: &TestApp) -> User {
    app.store().reader().users().by_id(TestApp::user(Role::Author)).await.unwrap().unwrap()
}

/// What the author is told of an address that waits.
async fn pending(app: &TestApp) -> Value {
    app.call::<GetAccount>(Role::Author, json!({})).await.unwrap()["pendingEmail"].clone()
}

/// The secret that went to the new address.
async fn secret(app: &TestApp, post: &PostBox) -> String {
    let letters = letters(app, post).await;
    letters.iter().filter(|letter| !letter.text.contains("/refuse-email#")).find_map(token).unwrap().to_owned()
}

both! {
    async fn an_address_changes_when_whoever_reads_mail_to_it_confirms_it(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "new@example.org").await.unwrap();
        let letters = letters(&app, &post).await;
        let notice = letters.iter().find(|letter| letter.to.as_str() == "author@example.com").unwrap();
        assert!(notice.text.contains("new@example.org") && notice.text.contains("/_cms/admin/refuse-email#token="), "{}", notice.text);
        let confirm = letters.iter().find(|letter| letter.to.as_str() == "new@example.org").unwrap();
        assert!(confirm.text.contains("/_cms/admin/confirm-email#token="), "{}", confirm.text);
        assert_eq!((author(&app).await.email.as_str(), author(&app).await.email_verified), ("author@example.com", false));

        let input = json!({ "token": token(confirm).unwrap() });
        let confirmed = ask::<ConfirmEmail>(&mut Browser::new(&app, 1), input.clone()).await.unwrap();
        assert_eq!(confirmed.email.as_str(), "new@example.org");
        assert_eq!((author(&app).await.email.as_str(), author(&app).await.email_verified), ("new@example.org", true));
        assert_eq!(refused::<ConfirmEmail>(&mut Browser::new(&app, 1), input).await, Code::InvalidLink);
        assert_eq!(audited(&app).await, ["account.change_email", "account.confirm_email"]);
        let trail = app.call::<ListAudit>(Role::Admin, json!({})).await.unwrap();
        let change = json!([{ "member": "email", "from": "author@example.com", "to": "new@example.org" }]);
        assert_eq!((&trail["items"][0]["changes"], &trail["items"][1]["changes"]), (&change, &change));
    }

    async fn of_fifty_who_confirm_an_address_at_once_one_changes_it(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "new@example.org").await.unwrap();
        let input = json!({ "token": secret(&app, &post).await });
        let (won, refused) = fifty_times::<ConfirmEmail>(&app, &input).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
        assert_eq!(audited(&app).await, ["account.change_email", "account.confirm_email"]);
    }

    async fn the_address_that_an_account_has_can_be_confirmed_until_it_is(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "author@example.com").await.unwrap();
        let sent = letters(&app, &post).await;
        assert_eq!(sent.len(), 1, "nobody needs a notice of what does not change");
        let input = json!({ "token": token(&sent[0]).unwrap() });
        ask::<ConfirmEmail>(&mut Browser::new(&app, 1), input).await.unwrap();
        assert_eq!((author(&app).await.email.as_str(), author(&app).await.email_verified), ("author@example.com", true));
        assert_eq!(change(&app, "author@example.com").await.unwrap_err().code(), Code::ValidationError);
    }

    async fn what_was_sent_to_the_old_address_opens_nothing_any_more(app: TestApp) {
        let (app, post) = with_mail(&app);
        ask::<SendMagicLink>(&mut Browser::new(&app, 1), json!({ "email": "author@example.com" })).await.unwrap();
        let old = secret(&app, &post).await;
        change(&app, "new@example.org").await.unwrap();
        let new = secret(&app, &post).await;
        ask::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": new })).await.unwrap();
        assert_eq!(refused::<VerifyMagicLink>(&mut Browser::new(&app, 1), json!({ "token": old })).await, Code::InvalidLink);
    }

    async fn of_several_wanted_addresses_the_last_is_meant(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "typo@example.org").await.unwrap();
        let first = secret(&app, &post).await;
        change(&app, "new@example.org").await.unwrap();
        let second = secret(&app, &post).await;
        assert_eq!(refused::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": first })).await, Code::InvalidLink);
        ask::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": second })).await.unwrap();
    }

    async fn its_owner_sees_the_address_that_waits_until_it_is_confirmed_or_too_late(app: TestApp) {
        let (app, post) = with_mail(&app);
        assert_eq!(pending(&app).await, Value::Null);
        change(&app, "typo@example.org").await.unwrap();
        change(&app, "new@example.org").await.unwrap();
        let now = app.cms().now();
        let expected = json!({ "email": "new@example.org", "sentAt": now, "expiresAt": now.after(Duration::from_hours(24)) });
        assert_eq!(pending(&app).await, expected);
        assert_eq!(app.call::<GetAccount>(Role::Editor, json!({})).await.unwrap().get("pendingEmail"), None);
        let program = TestApp::token(Role::Author, &[Scope::ContentRead]);
        assert!(app.cms().invoke(&program, Door::Rest, GetAccount {}).await.unwrap().pending_email.is_none());

        let sent = letters(&app, &post).await;
        let token = sent.iter().find(|letter| letter.to.as_str() == "new@example.org").and_then(token).unwrap();
        ask::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": token })).await.unwrap();
        assert_eq!(pending(&app).await, Value::Null);
        app.clock().advance(Duration::from_mins(5));
        change(&app, "late@example.org").await.unwrap();
        app.clock().advance(Duration::from_hours(24));
        assert_eq!(pending(&app).await, Value::Null);
    }

    async fn whoever_thinks_better_of_it_keeps_their_address(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "new@example.org").await.unwrap();
        let token = secret(&app, &post).await;
        let cancel = async || app.call::<CancelEmailChange>(Role::Author, json!({})).await.unwrap();
        assert_eq!(cancel().await, json!({ "cancelled": true }));
        assert_eq!(cancel().await, json!({ "cancelled": false }));
        assert_eq!(audited(&app).await, ["account.change_email", "account.cancel_email_change"]);
        assert_eq!(pending(&app).await, Value::Null);
        assert_eq!(refused::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": token })).await, Code::InvalidLink);
        assert_eq!(author(&app).await.email.as_str(), "author@example.com");
    }

    async fn nobody_gets_an_address_that_somebody_has(app: TestApp) {
        let (app, post) = with_mail(&app);
        assert_eq!(change(&app, "editor@example.com").await.unwrap_err().code(), Code::EmailInUse);
        app.clock().advance(Duration::from_mins(5));
        change(&app, "new@example.org").await.unwrap();
        let token = secret(&app, &post).await;
        let taken = json!({ "id": TestApp::user(Role::Editor), "email": "new@example.org" });
        app.call::<UpdateUser>(Role::Admin, taken).await.unwrap();
        let refused = refused::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": token })).await;
        assert!(matches!(refused, Code::EmailInUse | Code::InvalidLink), "{refused:?}");
        assert_eq!(author(&app).await.email.as_str(), "author@example.com");
    }

    async fn a_disabled_account_keeps_its_address(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "new@example.org").await.unwrap();
        let token = secret(&app, &post).await;
        app.call::<DisableUser>(Role::Admin, json!({ "id": TestApp::user(Role::Author) })).await.unwrap();
        assert_eq!(refused::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": token })).await, Code::InvalidLink);
    }

    async fn a_confirmation_lasts_a_day(app: TestApp) {
        let (app, post) = with_mail(&app);
        change(&app, "new@example.org").await.unwrap();
        let token = secret(&app, &post).await;
        app.clock().advance(Duration::from_hours(24));
        assert_eq!(refused::<ConfirmEmail>(&mut Browser::new(&app, 1), json!({ "token": token })).await, Code::TokenExpired);
    }

    async fn an_account_asks_for_three_letters_in_five_minutes_and_for_none_without_mail(app: TestApp) {
        assert_eq!(change(&app, "new@example.org").await.unwrap_err().code(), Code::EmailNotConfigured);
        let (app, _post) = with_mail(&app);
        app.clock().advance(Duration::from_mins(5));
        for n in 0..3 {
            change(&app, &format!("new{n}@example.org")).await.unwrap();
        }
        assert_eq!(change(&app, "new@example.org").await.unwrap_err().code(), Code::RateLimited);
    }
}
