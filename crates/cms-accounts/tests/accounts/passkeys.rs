//! Passkeys of whoever is signed in: registered for them alone, never too many, never none.

use std::time::Duration;

use cms_accounts::{
    passkeys::{BeginPasskey, DeviceType, ListPasskeys, PasskeyView, RegisterPasskey, RemovePasskey, RenamePasskey},
    registration::{CreationOptions, RegistrationCredential},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::user::Role;
use cms_frame::{Code, Error};
use tokio::task::JoinSet;

use super::letters::audited;

async fn signed_in(app: &TestApp, n: u8, role: Role) -> Browser {
    Browser { session: Some(app.sign_in(role).await.unwrap()), ..Browser::new(app, n) }
}

async fn options(browser: &mut Browser) -> CreationOptions {
    browser.call(BeginPasskey { name: None }).await.unwrap().options
}

async fn register(browser: &mut Browser, credential: RegistrationCredential) -> Result<PasskeyView, Error> {
    Ok(browser.call(RegisterPasskey { credential, name: None }).await?.passkey)
}

async fn list(browser: &mut Browser) -> Vec<PasskeyView> {
    browser.call(ListPasskeys {}).await.unwrap().items
}

both! {
    async fn what_an_authenticator_says_of_a_passkey_is_recorded(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        browser.authenticator.backup_eligible = true;
        browser.authenticator.backed_up = true;
        let options = browser.call(BeginPasskey { name: Some(" Phone ".to_owned()) }).await.unwrap().options;
        assert_eq!((options.rp.id.as_str(), options.user.name.as_str()), ("localhost", "author@example.com"));
        assert_eq!(options.user.id.0, TestApp::user(Role::Author).to_string().into_bytes());
        let credential = browser.authenticator.create(&options);
        let passkey = register(&mut browser, credential).await.unwrap();
        assert_eq!((passkey.name.as_str(), passkey.device_type, passkey.backed_up), ("Phone", DeviceType::MultiDevice, true));
        assert_eq!((passkey.user_verified, passkey.transports.join(" ").as_str()), (true, "hybrid internal"));
        assert_eq!(passkey.last_used_at, None);

        let again = self::options(&mut browser).await;
        assert_eq!(again.exclude_credentials.len(), 1);
        assert_eq!(list(&mut browser).await.len(), 1);
        assert!(list(&mut signed_in(&app, 2, Role::Editor).await).await.is_empty());
    }

    async fn a_challenge_of_another_user_registers_nothing(app: TestApp) {
        let mut author = signed_in(&app, 1, Role::Author).await;
        let options = options(&mut author).await;
        let credential = author.authenticator.create(&options);
        // The same browser, and somebody else signed in.
        let mut editor = Browser { session: Some(app.sign_in(Role::Editor).await.unwrap()), ..author.clone() };
        assert_eq!(register(&mut editor, credential.clone()).await.unwrap_err().code(), Code::ChallengeExpired);
        assert!(register(&mut author, credential).await.is_ok());
    }

    async fn an_answer_is_taken_once_soon_and_from_the_browser_that_was_asked(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        let options = options(&mut browser).await;
        let credential = browser.authenticator.create(&options);
        let mut other = signed_in(&app, 2, Role::Author).await;
        assert_eq!(register(&mut other, credential.clone()).await.unwrap_err().code(), Code::ChallengeExpired);
        assert!(register(&mut browser, credential.clone()).await.is_ok());
        assert_eq!(register(&mut browser, credential).await.unwrap_err().code(), Code::ChallengeExpired);

        let options = self::options(&mut browser).await;
        let credential = browser.authenticator.create(&options);
        app.clock().advance(Duration::from_mins(5));
        assert_eq!(register(&mut browser, credential).await.unwrap_err().code(), Code::ChallengeExpired);
    }

    async fn an_answer_for_another_site_is_refused(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        let options = options(&mut browser).await;
        let honest = browser.authenticator.clone();
        for n in 0..5 {
            let mut wrong = honest.clone();
            match n {
                0 => "https://localhost.example.org".clone_into(&mut wrong.origin),
                1 => "http://localhost:8081".clone_into(&mut wrong.origin),
                2 => "https://localhost:8080".clone_into(&mut wrong.origin),
                3 => wrong.site = Some("example.org".to_owned()),
                _ => wrong.embedded = true,
            }
            let credential = wrong.create(&options);
            assert_eq!(register(&mut browser, credential).await.unwrap_err().code(), Code::PasskeyRejected, "{n}");
        }
        let mut renamed = honest.clone().create(&options);
        renamed.raw_id.0[0] ^= 1;
        assert_eq!(register(&mut browser, renamed).await.unwrap_err().code(), Code::PasskeyRejected);
        assert!(list(&mut browser).await.is_empty());
    }

    async fn a_credential_is_registered_once(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        let first = options(&mut browser).await;
        let first = browser.authenticator.create(&first);
        register(&mut browser, first.clone()).await.unwrap();

        // Attestation is not signed: anybody can answer a challenge of theirs with a passkey of somebody else.
        let mut other = signed_in(&app, 2, Role::Editor).await;
        let options = options(&mut other).await;
        let answer = other.authenticator.create(&options);
        let mut stolen = first;
        stolen.response.client_data_json = answer.response.client_data_json;
        assert_eq!(register(&mut other, stolen).await.unwrap_err().code(), Code::CredentialExists);
    }

    async fn an_account_has_ten_passkeys_at_most(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        for n in 1..=9 {
            browser.register(&format!("Key {n}")).await.unwrap();
            app.clock().advance(Duration::from_mins(1));
        }
        // Both were asked for when there was room for one.
        let (one, two) = (options(&mut browser).await, options(&mut browser).await);
        let (one, two) = (browser.authenticator.create(&one), browser.authenticator.create(&two));
        let mut other = browser.clone();
        let (one, two) = tokio::join!(register(&mut browser, one), register(&mut other, two));
        let refused = [one, two].into_iter().filter_map(Result::err).map(|error| error.code()).collect::<Vec<_>>();
        assert_eq!(refused, [Code::PasskeyLimit]);
        assert_eq!(browser.call(BeginPasskey { name: None }).await.unwrap_err().code(), Code::PasskeyLimit);
        assert_eq!(list(&mut browser).await.len(), 10);
    }

    async fn the_last_passkey_stays_even_when_two_go_at_once(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        let one = browser.register("One").await.unwrap().passkey.id;
        let two = browser.register("Two").await.unwrap().passkey.id;
        let mut other = browser.clone();
        let done = tokio::join!(browser.call(RemovePasskey { id: one }), other.call(RemovePasskey { id: two }));
        let refused = [done.0, done.1].into_iter().filter_map(Result::err).map(|error| error.code()).collect::<Vec<_>>();
        assert_eq!(refused, [Code::LastPasskey]);
        let left = list(&mut browser).await;
        assert_eq!(left.len(), 1);
        assert_eq!(browser.call(RemovePasskey { id: left[0].id }).await.unwrap_err().code(), Code::LastPasskey);
    }

    async fn a_passkey_is_its_users_to_name_and_remove(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        browser.register("One").await.unwrap();
        let id = browser.register("Two").await.unwrap().passkey.id;
        let renamed = browser.call(RenamePasskey { id, name: "  Key ring ".to_owned() }).await.unwrap().passkey;
        assert_eq!(renamed.name, "Key ring");
        for name in [String::new(), "  ".to_owned(), "a".repeat(101)] {
            assert_eq!(browser.call(RenamePasskey { id, name }).await.unwrap_err().code(), Code::ValidationError);
        }
        let mut other = signed_in(&app, 2, Role::Admin).await;
        assert_eq!(other.call(RenamePasskey { id, name: "Mine".to_owned() }).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(other.call(RemovePasskey { id }).await.unwrap_err().code(), Code::NotFound);
        browser.call(RemovePasskey { id }).await.unwrap();
        assert_eq!(list(&mut browser).await.len(), 1);
        let changes = audited(&app).await.into_iter().filter(|action| action.starts_with("passkey.")).collect::<Vec<_>>();
        assert_eq!(changes, ["passkey.register", "passkey.register", "passkey.rename", "passkey.remove"]);
    }

    async fn of_fifty_answers_to_one_challenge_one_registers_a_passkey(app: TestApp) {
        let mut browser = signed_in(&app, 1, Role::Author).await;
        let options = options(&mut browser).await;
        let mut attempts = JoinSet::new();
        for n in 0..50 {
            let mut browser = browser.clone();
            browser.client.address = Some([198, 51, 100, n].into());
            let credential = browser.authenticator.create(&options);
            attempts.spawn(async move { register(&mut browser, credential).await.map_err(|error| error.code()) });
        }
        let results = attempts.join_all().await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert!(results.iter().all(|result| matches!(result, Ok(_) | Err(Code::ChallengeExpired))), "{results:?}");
        assert_eq!(list(&mut browser).await.len(), 1);
    }
}
