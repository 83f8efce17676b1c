//! Signing in with a passkey: what opens a session, and that everything else looks the same from outside.

use std::time::Duration;

use cms_accounts::{
    passkey_sign_in::{BeginSignIn, FinishSignIn, RequestOptions, SignInCredential},
    passkeys::ListPasskeys,
    session::SignedIn,
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::{Actor, to},
    user::Role,
};
use cms_frame::{Code, Error};
use tokio::task::JoinSet;

use super::letters::audited;

/// A browser without a session, whose authenticator has a passkey of the role's user.
async fn with_passkey(app: &TestApp, n: u8, role: Role) -> Browser {
    let mut browser = Browser { session: Some(app.sign_in(role).await.unwrap()), ..Browser::new(app, n) };
    browser.register("Key").await.unwrap();
    browser.session = None;
    browser
}

async fn options(browser: &mut Browser, email: Option<&str>) -> RequestOptions {
    let email = email.map(|email| email.parse().unwrap());
    browser.call(BeginSignIn { email }).await.unwrap().options
}

async fn finish(browser: &mut Browser, credential: SignInCredential) -> Result<SignedIn, Error> {
    browser.call(FinishSignIn { credential }).await
}

async fn refused(browser: &mut Browser, credential: SignInCredential, why: &str) {
    let error = finish(browser, credential).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::SignInFailed, Code::SignInFailed.message()), "{why}");
    assert!(error.details_json().is_none() && browser.session.is_none(), "{why}");
}

async fn disable(app: &TestApp, role: Role) {
    let permit = Actor::System.permit(to::ManageUsers).unwrap();
    let tx = app.store().write().await.unwrap();
    let mut user = tx.reader().users().by_id(TestApp::user(role)).await.unwrap().unwrap();
    user.disabled = true;
    tx.users().update(&permit, &user).await.unwrap();
    tx.commit().await.unwrap();
}

both! {
    async fn a_passkey_opens_a_session_with_and_without_an_address(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        for email in [None, Some("author@example.com"), Some("Author@Example.com")] {
            browser.session = None;
            app.clock().advance(Duration::from_secs(1));
            let signed_in = browser.sign_in(email).await.unwrap();
            assert_eq!((signed_in.user.id, signed_in.user.role), (TestApp::user(Role::Author), Role::Author));
            assert_eq!(browser.actor().await.unwrap().user(), Some(TestApp::user(Role::Author)));
            let passkey = browser.call(ListPasskeys {}).await.unwrap().items.remove(0);
            assert_eq!(passkey.last_used_at, Some(app.cms().now()));
        }
        assert_eq!(audited(&app).await[2..], ["passkey.sign_in"; 3]);
    }

    async fn whatever_is_wrong_the_refusal_is_the_same(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        let honest = browser.authenticator.clone();
        for n in 0..8 {
            let options = options(&mut browser, None).await;
            let mut authenticator = honest.clone();
            match n {
                0 => "https://localhost".clone_into(&mut authenticator.origin),
                1 => "http://localhost.example.org:8080".clone_into(&mut authenticator.origin),
                2 => authenticator.site = Some("example.org".to_owned()),
                3 => authenticator.embedded = true,
                _ => {}
            }
            let mut credential = authenticator.sign(&options);
            match n {
                4 => *credential.response.signature.0.last_mut().unwrap() ^= 1,
                5 => credential.raw_id.0[0] ^= 1,
                6 => credential.response.user_handle = None,
                7 => credential.response.user_handle = Some(cms_accounts::binary::Binary(b"somebody else".to_vec())),
                _ => {}
            }
            refused(&mut browser, credential, &format!("case {n}")).await;
        }
        let options = options(&mut browser, None).await;
        let mut garbled = browser.authenticator.sign(&options);
        garbled.response.client_data_json.0 = b"{}".to_vec();
        refused(&mut browser, garbled, "no challenge").await;
    }

    async fn an_answer_is_taken_once_soon_and_from_the_browser_that_was_asked(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        let options = options(&mut browser, None).await;
        let credential = browser.authenticator.sign(&options);
        refused(&mut Browser::new(&app, 2), credential.clone(), "a browser without a secret").await;
        let mut other = Browser::new(&app, 3);
        self::options(&mut other, None).await;
        refused(&mut other, credential.clone(), "another browser").await;
        finish(&mut browser, credential.clone()).await.unwrap();
        browser.session = None;
        refused(&mut browser, credential, "replay").await;

        let options = self::options(&mut browser, None).await;
        let credential = browser.authenticator.sign(&options);
        app.clock().advance(Duration::from_mins(5));
        refused(&mut browser, credential, "late").await;
    }

    async fn a_passkey_answers_only_for_the_user_who_was_named(app: TestApp) {
        let mut author = with_passkey(&app, 1, Role::Author).await;
        with_passkey(&app, 2, Role::Editor).await;
        for email in ["editor@example.com", "nobody@example.com", "admin@example.com"] {
            let mut asked = options(&mut author, Some(email)).await;
            asked.allow_credentials.clear();
            let credential = author.authenticator.sign(&asked);
            refused(&mut author, credential, email).await;
        }
    }

    async fn a_counter_that_does_not_grow_is_refused(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        let mut clone = browser.authenticator.clone();
        browser.sign_in(None).await.unwrap();
        browser.session = None;
        let options = options(&mut browser, None).await;
        let credential = clone.sign(&options);
        refused(&mut browser, credential, "the clone counts to the same number").await;
        browser.sign_in(None).await.unwrap();

        // Authenticators that never count are not suspected, those that stop are.
        browser.session = None;
        browser.authenticator.counts = false;
        browser.authenticator.set_counter(0);
        assert_eq!(browser.sign_in(None).await.unwrap_err().code(), Code::SignInFailed);
        let mut silent = Browser { session: Some(app.sign_in(Role::Editor).await.unwrap()), ..Browser::new(&app, 2) };
        silent.authenticator.counts = false;
        silent.register("Silent").await.unwrap();
        for _ in 0..2 {
            silent.sign_in(None).await.unwrap();
        }
    }

    async fn of_a_passkey_and_its_clone_at_the_same_time_one_signs_in(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        let (one, two) = (options(&mut browser, None).await, options(&mut browser, None).await);
        let mut clone = browser.clone();
        let (one, two) = (browser.authenticator.sign(&one), clone.authenticator.sign(&two));
        let (one, two) = tokio::join!(finish(&mut browser, one), finish(&mut clone, two));
        assert_eq!([one, two].into_iter().filter_map(Result::err).map(|error| error.code()).collect::<Vec<_>>(), [Code::SignInFailed]);
    }

    async fn of_fifty_answers_to_one_challenge_one_opens_a_session(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        let options = options(&mut browser, None).await;
        let mut attempts = JoinSet::new();
        for n in 0..50 {
            let mut browser = browser.clone();
            browser.client.address = Some([198, 51, 100, n].into());
            browser.authenticator.set_counter(u32::from(n));
            let credential = browser.authenticator.sign(&options);
            attempts.spawn(async move { finish(&mut browser, credential).await.map_err(|error| error.code()) });
        }
        let results = attempts.join_all().await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert!(results.iter().all(|result| matches!(result, Ok(_) | Err(Code::SignInFailed))), "{results:?}");
    }

    async fn an_authenticator_that_verified_its_user_goes_on_doing_so(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        browser.authenticator.verifies = false;
        assert_eq!(browser.sign_in(None).await.unwrap_err().code(), Code::SignInFailed);

        let mut plain = Browser { session: Some(app.sign_in(Role::Editor).await.unwrap()), ..Browser::new(&app, 2) };
        plain.authenticator.verifies = false;
        assert!(!plain.register("Plain").await.unwrap().passkey.user_verified);
        plain.session = None;
        plain.sign_in(None).await.unwrap();
        plain.authenticator.verifies = true;
        plain.authenticator.backup_eligible = true;
        plain.sign_in(None).await.unwrap();
        let passkey = plain.call(ListPasskeys {}).await.unwrap().items.remove(0);
        assert!(passkey.user_verified && !passkey.backed_up);
    }

    async fn a_disabled_user_proves_who_they_are_in_vain(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        disable(&app, Role::Author).await;
        assert_eq!(browser.sign_in(None).await.unwrap_err().code(), Code::AccountDisabled);
        assert!(browser.session.is_none());
    }

    async fn an_address_without_an_account_looks_like_one_with(app: TestApp) {
        let mut browser = with_passkey(&app, 1, Role::Author).await;
        let real = options(&mut browser, Some("author@example.com")).await;
        let shape = |options: &RequestOptions| {
            let mut shape = serde_json::to_value(options).unwrap();
            shape["challenge"] = "".into();
            for credential in shape["allowCredentials"].as_array_mut().unwrap() {
                assert!((16..=64).contains(&cms_auth::passkey::from_base64(credential["id"].as_str().unwrap()).unwrap().len()));
                assert!(!credential["transports"].as_array().unwrap().is_empty());
                credential["id"] = "".into();
                credential["transports"] = "".into();
            }
            shape["allowCredentials"].as_array_mut().unwrap().truncate(1);
            shape
        };
        // Also a user without passkeys.
        for email in ["nobody@example.com", "editor@example.com", "someone@else.example"] {
            let (one, two) = (options(&mut browser, Some(email)).await, options(&mut browser, Some(email)).await);
            assert_eq!(shape(&one), shape(&real), "{email}");
            let ids = |options: &RequestOptions| options.allow_credentials.iter().map(|named| named.id.clone()).collect::<Vec<_>>();
            assert_eq!(ids(&one), ids(&two), "{email}");
            assert_ne!(one.challenge, two.challenge);
        }
    }

    async fn strangers_ask_ten_times_a_minute(app: TestApp) {
        let mut browser = Browser::new(&app, 1);
        for _ in 0..10 {
            options(&mut browser, None).await;
        }
        let error = browser.call(BeginSignIn { email: None }).await.unwrap_err();
        assert_eq!(error.code(), Code::RateLimited);
        options(&mut Browser::new(&app, 2), None).await;
    }
}
