//! What holds of making an account oneself, and of the domains that allow it.

use std::time::Duration;

use cms_accounts::{
    allowed_domains::{AddAllowedDomain, DeleteAllowedDomain, ListAllowedDomains, UpdateAllowedDomain},
    magic_link::VerifyMagicLink,
    sign_up::{BeginSignUp, CheckSignUp, CompleteSignUp, RequestSignUp},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::user::Role;
use cms_frame::{Code, Error};
use serde_json::{Value, json};

use super::letters::{ask, at_once, audited, letters, refused, secret, wire, with_mail};

async fn allow(app: &TestApp, domain: &str, role: u8) {
    app.call::<AddAllowedDomain>(Role::Admin, json!({ "domain": domain, "defaultRole": role })).await.unwrap();
}

async fn request(app: &TestApp, n: u8, email: &str) -> Value {
    wire(ask::<RequestSignUp>(&mut Browser::new(app, n), json!({ "email": email })).await.unwrap())
}

/// Makes a passkey for a sign-up. Answers with what completes it.
async fn begin(browser: &mut Browser, token: &str) -> Result<Value, Error> {
    let asked = ask::<BeginSignUp>(browser, json!({ "token": token })).await?;
    let credential = browser.authenticator.create(&asked.options);
    Ok(json!({ "token": token, "credential": credential }))
}

both! {
    async fn people_of_an_allowed_domain_make_their_accounts(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        request(&app, 1, "Grace@Example.org").await;
        let token = secret(&app, &post, "signup").await;
        let mut browser = Browser::new(&app, 2);
        let welcome = wire(ask::<CheckSignUp>(&mut browser, json!({ "token": token })).await.unwrap());
        assert_eq!(welcome, json!({ "success": true, "email": "grace@example.org", "role": 20, "roleName": "contributor" }));
        let complete = begin(&mut browser, &token).await.unwrap();
        let signed_in = ask::<CompleteSignUp>(&mut browser, complete.clone()).await.unwrap();
        let user = app.store().reader().users().by_id(signed_in.user.id).await.unwrap().unwrap();
        assert_eq!((user.email.as_str(), user.role, user.email_verified), ("grace@example.org", Role::Contributor, true));
        assert_eq!(browser.actor().await.unwrap().user(), Some(user.id));
        assert_eq!(refused::<CompleteSignUp>(&mut browser, complete).await, Code::InvalidLink);
        // Asking leaves no line: only what is written for it does. The account and its session have one each.
        assert_eq!(audited(&app).await, ["allowed_domain.create", "sign_up.write", "sign_up.complete", "sign_up.complete"]);
    }

    async fn of_fifty_who_make_an_account_with_one_link_at_once_one_gets_it(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        request(&app, 1, "grace@example.org").await;
        let token = secret(&app, &post, "signup").await;
        let mut begun = Vec::new();
        for n in 0..50 {
            let mut browser = Browser::new(&app, n);
            let complete = begin(&mut browser, &token).await.unwrap();
            begun.push((browser, complete));
        }
        let (won, refused) = at_once::<CompleteSignUp>(begun).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
    }

    async fn nobody_learns_whose_people_may_sign_up_or_who_has_an_account(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        let allowed = request(&app, 1, "grace@example.org").await;
        assert_eq!(letters(&app, &post).await.len(), 1);
        for (n, email) in [(2, "grace@example.net"), (3, "grace@mail.example.org"), (4, "author@example.com")] {
            assert_eq!(request(&app, n, email).await, allowed, "{email}");
        }
        let sent = letters(&app, &post).await;
        assert_eq!(sent.iter().map(|letter| letter.to.as_str()).collect::<Vec<_>>(), ["author@example.com"]);
    }

    async fn whoever_has_an_account_gets_a_link_to_sign_in_with(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.com", 20).await;
        let mut browser = Browser::new(&app, 1);
        ask::<RequestSignUp>(&mut browser, json!({ "email": "author@example.com" })).await.unwrap();
        let link = json!({ "token": secret(&app, &post, "magic-link").await });
        assert_eq!(refused::<VerifyMagicLink>(&mut Browser::new(&app, 2), link.clone()).await, Code::InvalidLink, "another browser");
        let signed_in = ask::<VerifyMagicLink>(&mut browser, link).await.unwrap();
        assert_eq!(signed_in.user.id, TestApp::user(Role::Author));
    }

    async fn an_address_gets_three_letters_in_five_minutes(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        for n in 0..5 {
            request(&app, n, "grace@example.org").await;
        }
        assert_eq!(letters(&app, &post).await.len(), 3);
    }

    async fn a_domain_is_looked_at_again_when_the_account_is_made(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        request(&app, 1, "grace@example.org").await;
        let token = secret(&app, &post, "signup").await;
        let mut browser = Browser::new(&app, 2);
        let complete = begin(&mut browser, &token).await.unwrap();
        app.call::<UpdateAllowedDomain>(Role::Admin, json!({ "domain": "example.org", "enabled": false })).await.unwrap();
        assert_eq!(refused::<CompleteSignUp>(&mut browser, complete.clone()).await, Code::DomainNotAllowed);
        assert_eq!(refused::<CheckSignUp>(&mut browser, json!({ "token": token })).await, Code::DomainNotAllowed);
        // What was refused spent nothing, and the role is the one that the domain has now.
        let change = json!({ "domain": "example.org", "enabled": true, "defaultRole": 10 });
        app.call::<UpdateAllowedDomain>(Role::Admin, change).await.unwrap();
        let signed_in = ask::<CompleteSignUp>(&mut browser, complete).await.unwrap();
        assert_eq!(signed_in.user.role, Role::Subscriber);
    }

    async fn of_two_links_to_one_address_one_makes_the_account(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        let mut begun = Vec::new();
        for n in 0..2 {
            request(&app, n, "grace@example.org").await;
            let token = secret(&app, &post, "signup").await;
            let mut browser = Browser::new(&app, 10 + n);
            let complete = begin(&mut browser, &token).await.unwrap();
            begun.push((browser, complete));
        }
        let (mut one, first) = begun.remove(0);
        let (mut two, second) = begun.remove(0);
        let (first, second) = tokio::join!(ask::<CompleteSignUp>(&mut one, first), ask::<CompleteSignUp>(&mut two, second));
        let codes: Vec<_> = [first, second].into_iter().filter_map(|done| done.err().map(|error| error.code())).collect();
        assert!(codes == [Code::UserExists] || codes == [Code::EmailInUse], "{codes:?}");
    }

    async fn a_sign_up_lasts_a_quarter_of_an_hour(app: TestApp) {
        let (app, post) = with_mail(&app);
        allow(&app, "example.org", 20).await;
        request(&app, 1, "grace@example.org").await;
        let token = secret(&app, &post, "signup").await;
        app.clock().advance(Duration::from_mins(15));
        assert_eq!(refused::<CheckSignUp>(&mut Browser::new(&app, 2), json!({ "token": token })).await, Code::TokenExpired);
        assert_eq!(refused::<BeginSignUp>(&mut Browser::new(&app, 2), json!({ "token": token })).await, Code::TokenExpired);
    }

    async fn domains_are_added_changed_and_removed_by_admins(app: TestApp) {
        allow(&app, "Example.ORG", 30).await;
        let add = async |role, domain: &str| {
            let added = app.call::<AddAllowedDomain>(role, json!({ "domain": domain, "defaultRole": 30 })).await;
            added.unwrap_err().code()
        };
        assert_eq!(add(Role::Admin, "example.org").await, Code::Conflict);
        assert_eq!(add(Role::Admin, "localhost").await, Code::ValidationError);
        assert_eq!(add(Role::Editor, "example.net").await, Code::InsufficientPermissions);
        let list = app.call::<ListAllowedDomains>(Role::Admin, json!({})).await.unwrap();
        assert_eq!((&list["items"][0]["domain"], &list["items"][0]["roleName"]), (&json!("example.org"), &json!("author")));
        let domain = json!({ "domain": "example.org" });
        app.call::<DeleteAllowedDomain>(Role::Admin, domain.clone()).await.unwrap();
        assert_eq!(app.call::<DeleteAllowedDomain>(Role::Admin, domain.clone()).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(app.call::<UpdateAllowedDomain>(Role::Admin, domain).await.unwrap_err().code(), Code::NotFound);
    }
}
