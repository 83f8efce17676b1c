//! Setting a site up: with the token, from one browser, once.

use std::time::Duration;

use cms_accounts::{
    providers::GetAuthMode,
    registration::CreationOptions,
    session::SignedIn,
    setup::{BeginFirstAdmin, BeginSetup, FinishSetup, GetSetupStatus, OfferSetup, SetupStep},
    users::CreateUser,
};
use cms_content::entries::list::ListEntries;
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::{Actor, to},
    user::Role,
};
use cms_frame::{Code, Door, Error};
use serde_json::json;
use tokio::task::JoinSet;

use super::letters::audited;

/// A site without an admin, and the token that its server showed.
async fn fresh(app: &TestApp) -> String {
    let permit = Actor::System.permit(to::ManageUsers).unwrap();
    let tx = app.store().write().await.unwrap();
    let mut admin = tx.reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap();
    admin.disabled = true;
    tx.users().update(&permit, &admin).await.unwrap();
    tx.commit().await.unwrap();
    offer(app, None).await.unwrap()
}

async fn offer(app: &TestApp, token: Option<&str>) -> Option<String> {
    let offer = OfferSetup { token: token.map(str::to_owned) };
    app.cms().invoke(&Actor::System, Door::Local, offer).await.unwrap().token
}

async fn begin(browser: &mut Browser, token: &str) -> Result<(), Error> {
    let begin =
        BeginSetup { token: token.to_owned(), title: " The Gazette ".to_owned(), tagline: Some("News".to_owned()), include_content: false };
    browser.call(begin).await.map(|_| ())
}

async fn ask(browser: &mut Browser, email: &str) -> Result<CreationOptions, Error> {
    let begin = BeginFirstAdmin { email: email.parse().unwrap(), name: Some("Ada".parse().unwrap()) };
    Ok(browser.call(begin).await?.options)
}

async fn finish(browser: &mut Browser, options: &CreationOptions) -> Result<SignedIn, Error> {
    let credential = browser.authenticator.create(options);
    browser.call(FinishSetup { credential }).await
}

/// Whether the site needs a setup, and the step that comes next for a browser.
async fn status(browser: &mut Browser) -> (bool, Option<SetupStep>) {
    let status = browser.call(GetSetupStatus {}).await.unwrap();
    (status.needs_setup, status.step)
}

both! {
    async fn whoever_has_the_token_names_the_site_and_becomes_its_admin(app: TestApp) {
        let token = fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        assert_eq!(status(&mut browser).await, (true, Some(SetupStep::Site)));
        begin(&mut browser, &token).await.unwrap();
        assert_eq!(status(&mut browser).await, (true, Some(SetupStep::Admin)));
        assert_eq!(status(&mut Browser::new(&app, 2)).await, (true, Some(SetupStep::Site)));
        let setting = async |name| app.store().reader().settings().get(name).await.unwrap();
        assert_eq!(setting("site_title").await.as_deref(), Some("The Gazette"));
        assert_eq!(setting("site_tagline").await.as_deref(), Some("News"));

        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        assert_eq!((options.rp.name.as_str(), options.user.display_name.as_str()), ("The Gazette", "Ada"));
        let signed_in = finish(&mut browser, &options).await.unwrap();
        assert_eq!((signed_in.user.email.as_str(), signed_in.user.role), ("ada@example.org", Role::Admin));
        assert_eq!(browser.actor().await.unwrap().user(), Some(signed_in.user.id));
        let passkeys = app.store().reader().passkeys().for_user(signed_in.user.id).await.unwrap();
        assert_eq!(passkeys.iter().map(|passkey| passkey.name.as_str()).collect::<Vec<_>>(), ["Setup passkey"]);
        browser.session = None;
        browser.sign_in(None).await.unwrap();

        assert_eq!(status(&mut browser).await, (false, None));
        assert_eq!(begin(&mut browser, &token).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(ask(&mut browser, "bob@example.org").await.unwrap_err().code(), Code::NotFound);
        assert_eq!(finish(&mut browser, &options).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(offer(&app, None).await, None);
        assert!(setting("setup_token").await.is_none() && setting("setup_browser").await.is_none());
        // Whoever begins to make the admin changes nothing yet. The admin, and their sessions.
        assert_eq!(audited(&app).await, ["setup.begin", "setup.finish", "setup.finish", "passkey.sign_in"]);
    }

    async fn nothing_is_set_up_without_the_token(app: TestApp) {
        let token = fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        for wrong in ["", "wrong", &token[1..]] {
            assert_eq!(begin(&mut browser, wrong).await.unwrap_err().code(), Code::SetupTokenInvalid);
        }
        assert_eq!(ask(&mut browser, "ada@example.org").await.unwrap_err().code(), Code::SetupTokenInvalid);
        let newer = offer(&app, None).await.unwrap();
        assert_eq!(begin(&mut browser, &token).await.unwrap_err().code(), Code::SetupTokenInvalid, "a newer start voids it");
        begin(&mut browser, &newer).await.unwrap();
        let mut thief = Browser::new(&app, 2);
        assert_eq!(ask(&mut thief, "thief@example.org").await.unwrap_err().code(), Code::SetupTokenInvalid);

        let chosen = "a-token-that-i-chose";
        assert_eq!(offer(&app, Some(chosen)).await.as_deref(), Some(chosen));
        begin(&mut browser, chosen).await.unwrap();
        let short = OfferSetup { token: Some("short".to_owned()) };
        assert_eq!(app.cms().invoke(&Actor::System, Door::Local, short).await.err().unwrap().code(), Code::ValidationError);
    }

    async fn guesses_are_limited(app: TestApp) {
        fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        for _ in 0..10 {
            assert_eq!(begin(&mut browser, "wrong").await.unwrap_err().code(), Code::SetupTokenInvalid);
        }
        assert_eq!(begin(&mut browser, "wrong").await.unwrap_err().code(), Code::RateLimited);
    }

    async fn the_answer_comes_soon_and_from_the_browser_that_was_asked(app: TestApp) {
        let token = fresh(&app).await;
        let (mut browser, mut other) = (Browser::new(&app, 1), Browser::new(&app, 2));
        begin(&mut browser, &token).await.unwrap();
        begin(&mut other, &token).await.unwrap();
        assert_eq!(ask(&mut browser, "ada@example.org").await.unwrap_err().code(), Code::SetupTokenInvalid, "the other one has it now");
        begin(&mut browser, &token).await.unwrap();
        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        assert_eq!(finish(&mut other, &options).await.unwrap_err().code(), Code::ChallengeExpired);
        app.clock().advance(Duration::from_mins(5));
        assert_eq!(finish(&mut browser, &options).await.unwrap_err().code(), Code::ChallengeExpired);

        let options = ask(&mut browser, "author@example.com").await.unwrap();
        assert_eq!(finish(&mut browser, &options).await.unwrap_err().code(), Code::EmailInUse);
        assert!(status(&mut browser).await.0, "a failed attempt completes nothing");
        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        finish(&mut browser, &options).await.unwrap();
    }

    async fn of_fifty_who_begin_with_the_token_at_once_one_goes_on(app: TestApp) {
        let token = fresh(&app).await;
        let mut attempts = JoinSet::new();
        for n in 0..50 {
            let (mut browser, token) = (Browser::new(&app, n), token.clone());
            attempts.spawn(async move {
                begin(&mut browser, &token).await.unwrap();
                browser
            });
        }
        let mut going_on = Vec::new();
        for mut browser in attempts.join_all().await {
            match ask(&mut browser, "ada@example.org").await {
                Ok(_) => going_on.push(browser),
                Err(error) => assert_eq!(error.code(), Code::SetupTokenInvalid),
            }
        }
        assert_eq!(going_on.len(), 1);
    }

    async fn of_fifty_who_finish_at_once_one_becomes_admin(app: TestApp) {
        let token = fresh(&app).await;
        let mut browsers = Vec::new();
        for n in 0..50 {
            let mut browser = Browser::new(&app, n);
            begin(&mut browser, &token).await.unwrap();
            let options = ask(&mut browser, &format!("admin{n}@example.org")).await.unwrap();
            browsers.push((browser, options));
        }
        let mut attempts = JoinSet::new();
        for (mut browser, options) in browsers {
            attempts.spawn(async move { finish(&mut browser, &options).await.map_err(|error| error.code()) });
        }
        let results = attempts.join_all().await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert!(results.iter().all(|result| matches!(result, Ok(_) | Err(Code::NotFound))), "{results:?}");
        assert_eq!(app.store().reader().users().count_admins().await.unwrap(), 1);
    }

    async fn of_fifty_uses_of_one_challenge_one_becomes_admin(app: TestApp) {
        let token = fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        begin(&mut browser, &token).await.unwrap();
        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        let mut attempts = JoinSet::new();
        for n in 0..50 {
            let (mut browser, options) = (browser.clone(), options.clone());
            browser.client.address = Some([198, 51, 100, n].into());
            attempts.spawn(async move { finish(&mut browser, &options).await.map_err(|error| error.code()) });
        }
        let results = attempts.join_all().await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert!(results.iter().all(|result| matches!(result, Ok(_) | Err(Code::NotFound | Code::ChallengeExpired))), "{results:?}");
        assert_eq!(app.store().reader().users().count_admins().await.unwrap(), 1);
    }

    async fn an_admin_from_the_command_line_ends_the_setup(app: TestApp) {
        let token = fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        begin(&mut browser, &token).await.unwrap();
        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        let create = CreateUser { email: "root@example.org".parse().unwrap(), name: None, role: Role::Admin };
        app.cms().invoke(&Actor::System, Door::Local, create).await.unwrap();
        assert_eq!(status(&mut browser).await, (false, None));
        assert_eq!(offer(&app, None).await, None);
        assert_eq!(finish(&mut browser, &options).await.unwrap_err().code(), Code::NotFound);
    }

    async fn the_sign_in_page_knows_what_the_site_is_called_and_who_needs_it_no_more(app: TestApp) {
        let token = fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        let before = browser.call(GetAuthMode {}).await.unwrap();
        assert_eq!((before.title, before.signed_in), (None, false));
        begin(&mut browser, &token).await.unwrap();
        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        finish(&mut browser, &options).await.unwrap();
        let after = browser.call(GetAuthMode {}).await.unwrap();
        assert_eq!((after.title.as_deref(), after.signed_in), (Some("The Gazette"), true));
        let elsewhere = Browser::new(&app, 2).call(GetAuthMode {}).await.unwrap();
        assert_eq!((elsewhere.title.as_deref(), elsewhere.signed_in), (Some("The Gazette"), false));
    }

    async fn sample_content_is_made_once_and_only_when_it_is_wanted(app: TestApp) {
        let token = fresh(&app).await;
        let mut browser = Browser::new(&app, 1);
        begin(&mut browser, &token).await.unwrap();
        let begin = BeginSetup { token, title: "The Gazette".to_owned(), tagline: None, include_content: true };
        browser.call(begin).await.unwrap();
        assert_eq!(app.store().reader().settings().get("site_tagline").await.unwrap(), None);
        app.settle().await.unwrap();
        assert!(app.store().reader().collections().all().await.unwrap().is_empty(), "the site is not set up");
        let options = ask(&mut browser, "ada@example.org").await.unwrap();
        finish(&mut browser, &options).await.unwrap();

        let total = async |collection: &str| {
            let list = app.call::<ListEntries>(Role::Editor, json!({ "collection": collection, "status": "published" })).await.unwrap();
            list["items"].as_array().unwrap().len()
        };
        app.settle().await.unwrap();
        assert_eq!((total("posts").await, total("pages").await), (2, 1));

        // As where the first admin was made at the command line: the next start of a server asks for it. What is there is not made again.
        let tx = app.store().write().await.unwrap();
        tx.settings().set(&Actor::System.permit(to::KeepSettings).unwrap(), "sample_content", "wanted").await.unwrap();
        tx.commit().await.unwrap();
        app.cms().invoke(&Actor::System, Door::Local, OfferSetup { token: None }).await.unwrap();
        app.settle().await.unwrap();
        assert_eq!((total("posts").await, total("pages").await), (2, 1));
        assert_eq!(app.store().reader().settings().get("sample_content").await.unwrap(), None);
    }
}
