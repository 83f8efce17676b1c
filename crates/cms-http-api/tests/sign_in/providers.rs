//! Signing in at a provider, as a browser does.

use std::{sync::Arc, time::Duration};

use cms_accounts::{Services, connections::AdoptConnections, providers::Providers};
use cms_auth::{
    github::{GitHub, GitHubOptions},
    outbound::Outbound,
};
use cms_core::{Parts, both, testing::TestApp};
use cms_domain::{
    access::{Actor, to},
    id::ConnectionId,
    user::{Role, User},
};
use cms_frame::{Cms, Door, Options};
use cms_http_api::HttpOptions;
use cms_storage::StoredConnection;
use serde_json::json;
use tokio::task::JoinSet;
use url::Url;

use crate::{
    browser::Browser,
    custom_provider::Club,
    github_stand::{GitHubStand, Person, person},
};

const GITHUB: &str = "/_cms/api/auth/oauth/github";

/// A site with both providers, GitHub, and a browser that was never there.
async fn open(app: &TestApp) -> (TestApp, GitHubStand, Browser) {
    let stand = GitHubStand::open().await;
    let (app, browser) = at(app, &stand);
    (app, stand, browser)
}

fn at(app: &TestApp, stand: &GitHubStand) -> (TestApp, Browser) {
    let app = with_providers(app, stand);
    let browser = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
    (app, browser)
}

/// The same site with both providers.
pub(crate) fn with_providers(app: &TestApp, stand: &GitHubStand) -> TestApp {
    let (site, api) = (stand.origin.clone(), stand.origin.clone());
    let options = GitHubOptions { site, api, ..GitHubOptions::new("client".to_owned(), "s3cret".to_owned()) };
    let github = GitHub::new(options, Outbound::new().unwrap()).unwrap();
    let providers = Providers::new(vec![Arc::new(club()), Arc::new(github)]).unwrap();
    app.serving(|services| services.providers = providers)
}

/// A browser in front of the same site behind a proxy that says where requests come from: so many may come from one address.
fn behind_a_proxy(app: &TestApp) -> Browser {
    Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions { trusted_hops: 1, ..HttpOptions::default() }))
}

/// Comes back from GitHub in many places at once. Answers with where the browsers end, in the order of the alphabet.
async fn at_once(uses: Vec<(Browser, String)>) -> Vec<String> {
    let mut running = JoinSet::new();
    for (n, (browser, back)) in uses.into_iter().enumerate() {
        let mut browser = browser.with("x-forwarded-for", format!("192.0.2.{n}"));
        running.spawn(async move { browser.get(&back).await.location });
    }
    let mut landed = running.join_all().await;
    landed.sort();
    landed
}

/// One of fifty gets in, the others are refused.
fn landed(there: &str, reason: &str) -> Vec<String> {
    let mut landed = vec![refused(reason); 49];
    landed.push(there.to_owned());
    landed.sort();
    landed
}

/// What the audit log says of one sort of things: the actions.
async fn lines(app: &TestApp, resource_type: &str) -> Vec<String> {
    let lines = app.store().reader().audit().list(&cms_storage::AuditFilter::default(), 100).await.unwrap();
    let found = lines.into_iter().filter(|line| line.resource_type == resource_type && line.action != "test.sign_in");
    found.map(|line| line.action).collect()
}

fn club() -> Club {
    Club { site: "https://club.example".to_owned(), key: b"key".to_vec(), members: ".club.example".to_owned() }
}

/// Goes to GitHub and comes back. Answers with where the browser ends.
async fn through(browser: &mut Browser, stand: &GitHubStand, somebody: &Person, query: &str) -> String {
    let begun = browser.get(&format!("{GITHUB}{query}")).await;
    assert_eq!(begun.status, 302, "{begun:?}");
    let back = stand.agree(&begun.location, somebody);
    browser.get(&back).await.location
}

fn refused(reason: &str) -> String {
    format!("/_cms/admin/login?error={reason}")
}

async fn user(app: &TestApp, email: &str) -> Option<User> {
    app.store().reader().users().by_email(&email.parse().unwrap()).await.unwrap()
}

async fn allow(app: &TestApp, domain: &str) {
    let mut browser = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
    browser.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Admin).await.unwrap());
    let made = browser.post("/_cms/api/admin/allowed-domains", json!({ "domain": domain, "defaultRole": 20 })).await;
    assert!(made.status.is_success(), "{made:?}");
}

both! {
    async fn a_verified_address_signs_in_whoever_has_it_here(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        let editor = person(7, "ed", "Editor@Example.com", true);
        assert_eq!(through(&mut browser, &stand, &editor, "?return=/_cms/admin/content/posts?page=2").await, "/_cms/admin/content/posts?page=2");
        assert_eq!(browser.whoami().await, "editor@example.com");
        assert!(user(&app, "editor@example.com").await.unwrap().email_verified);
        // From now on it is the account that counts, whatever its address is.
        let moved = person(7, "ed", "moved@elsewhere.example", false);
        let mut other = browser.other();
        assert_eq!(through(&mut other, &stand, &moved, "").await, "/_cms/admin");
        assert_eq!(other.whoami().await, "editor@example.com");
        let connections = other.get("/_cms/api/auth/connections").await;
        let only = &connections.data()["items"][0];
        assert_eq!((&only["provider"], &only["label"], &only["account"]), (&json!("github"), &json!("GitHub"), &json!("7")));
    }

    async fn another_issuer_under_the_name_of_a_provider_signs_in_nobody_of_the_first_one(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        through(&mut browser, &stand, &person(7, "ed", "editor@example.com", true), "").await;
        assert_eq!(browser.whoami().await, "editor@example.com");
        let elsewhere = GitHubStand::open().await;
        let (other_app, mut other) = at(&app, &elsewhere);
        let stranger = person(7, "eve", "eve@elsewhere.example", false);
        assert_eq!(through(&mut other, &elsewhere, &stranger, "").await, refused("signup_not_allowed"));
        // The account of the same number there is connected on its own, to somebody else.
        through(&mut other, &elsewhere, &person(7, "eve", "author@example.com", true), "").await;
        assert_eq!(other.whoami().await, "author@example.com");
        let connections = |user: Role| {
            let reader = other_app.store().reader();
            async move { reader.connections().for_user(TestApp::user(user)).await.unwrap() }
        };
        assert_eq!(connections(Role::Editor).await[0].issuer.as_deref(), Some(stand.origin.as_str()));
        assert_eq!(connections(Role::Author).await[0].issuer.as_deref(), Some(elsewhere.origin.as_str()));
        // Back at the first one, nobody has become anybody else.
        let mut back = browser.other();
        through(&mut back, &stand, &person(7, "ed", "moved@elsewhere.example", false), "").await;
        assert_eq!(back.whoami().await, "editor@example.com");
    }

    async fn connections_from_before_belong_to_whoever_has_the_name_when_the_server_first_starts(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        let old = |n: u128, provider: &str, role: Role| StoredConnection {
            id: ConnectionId::from_parts(1, n),
            provider: provider.to_owned(),
            issuer: None,
            account: n.to_string(),
            user: TestApp::user(role),
            email: None,
            name: None,
            created_at: app.cms().now(),
            last_used_at: None,
        };
        let tx = app.store().write().await.unwrap();
        for connection in [old(7, "github", Role::Editor), old(8, "gitlab", Role::Author)] {
            let account = Actor::System.permit(to::Account(connection.user)).unwrap();
            assert!(tx.connections().insert(&account, &connection).await.unwrap());
        }
        tx.commit().await.unwrap();
        let adopt = async |app: &TestApp| app.cms().invoke(&Actor::System, Door::Local, AdoptConnections {}).await.unwrap().adopted;
        assert_eq!(adopt(&app).await, 1);
        assert_eq!(lines(&app, "connection").await, ["connection.adopt"]);
        through(&mut browser, &stand, &person(7, "ed", "moved@elsewhere.example", false), "").await;
        assert_eq!(browser.whoami().await, "editor@example.com");
        // Who comes under a name later gets nobody's connections.
        assert_eq!(adopt(&app).await, 0);
        let late = app.store().reader().connections().for_user(TestApp::user(Role::Author)).await.unwrap();
        assert_eq!(late[0].issuer, None);
    }

    async fn an_unverified_address_opens_nothing(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        allow(&app, "allowed.example").await;
        for (id, email) in [(1, "editor@example.com"), (2, "new@allowed.example")] {
            let landed = through(&mut browser, &stand, &person(id, "x", email, false), "").await;
            assert_eq!(landed, refused("signup_not_allowed"), "{email}");
        }
        assert_eq!(browser.whoami().await, "");
        assert_eq!(user(&app, "new@allowed.example").await, None);
        // Nor does the address that the profile shows, or one that is verified and not the primary one.
        assert_eq!(user(&app, "shown@profile.example").await, None);
    }

    async fn a_stranger_gets_in_by_an_allowed_domain_alone(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        let stranger = person(3, "new", "new@allowed.example", true);
        assert_eq!(through(&mut browser, &stand, &stranger, "").await, refused("signup_not_allowed"));
        allow(&app, "allowed.example").await;
        assert_eq!(through(&mut browser, &stand, &stranger, "").await, "/_cms/admin");
        let made = user(&app, "new@allowed.example").await.unwrap();
        assert_eq!((made.role, made.email_verified, made.name.as_deref()), (Role::Contributor, true, Some("new")));
        assert_eq!(made.avatar_url.as_deref(), Some("https://avatars.example/1"));
    }

    async fn an_invitation_is_accepted_by_its_address_alone(app: TestApp) {
        let (app, stand, browser) = open(&app).await;
        let mut admin = browser.other();
        admin.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Admin).await.unwrap());
        let invited = admin.post("/_cms/api/auth/invite", json!({ "email": "guest@example.org", "role": 40 })).await;
        let url = invited.data()["inviteUrl"].as_str().unwrap().to_owned();
        let token = url.split_once("#token=").unwrap().1;
        let accept = async |browser: &mut Browser, somebody: &Person| {
            let begun = browser.post(&format!("{GITHUB}/begin"), json!({ "invite": token })).await;
            let back = stand.agree(begun.data()["url"].as_str().unwrap(), somebody);
            browser.get(&back).await.location
        };
        for (somebody, reason) in [
            (person(1, "a", "other@example.org", true), "invite_email_mismatch"),
            (person(2, "b", "guest@example.org", false), "invite_email_unverified"),
        ] {
            assert_eq!(accept(&mut browser.other(), &somebody).await, refused(reason));
        }
        let mut guest = browser.other();
        assert_eq!(accept(&mut guest, &person(3, "c", "guest@example.org", true)).await, "/_cms/admin");
        assert_eq!((guest.whoami().await.as_str(), guest.role().await), ("guest@example.org", 40));
        let late = person(4, "d", "late@example.org", true);
        assert_eq!(accept(&mut browser.other(), &late).await, refused("invite_invalid"));
        // What is in an address is in logs on the way: a secret is not taken from there.
        let told = browser.other().get(&format!("{GITHUB}?invite={token}")).await;
        assert_eq!(told.location, refused("invalid_request"));
    }

    async fn a_state_is_good_once_and_in_its_own_browser(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        let editor = person(7, "ed", "editor@example.com", true);
        // Somebody else's browser is handed the answer: it must not be signed in as them.
        let begun = browser.get(GITHUB).await;
        let back = stand.agree(&begun.location, &editor);
        let mut victim = browser.other();
        assert_eq!(victim.get(&back).await.location, refused("invalid_state"));
        let mut elsewhere = browser.other();
        elsewhere.get(GITHUB).await;
        assert_eq!(elsewhere.get(&back).await.location, refused("invalid_state"));
        assert_eq!((victim.whoami().await, elsewhere.whoami().await), (String::new(), String::new()));
        // It is still good where it began, once.
        assert_eq!(browser.get(&back).await.location, "/_cms/admin");
        assert_eq!(browser.get(&back).await.location, refused("invalid_state"));
        // Altered, missing, of another provider, twice, too late.
        let begun = browser.get(GITHUB).await;
        let back = stand.agree(&begun.location, &editor);
        let altered = back.replace("state=", "state=x");
        assert_eq!(browser.get(&altered).await.location, refused("invalid_state"));
        assert_eq!(browser.get(&format!("{GITHUB}/callback?code=1")).await.location, refused("invalid_callback"));
        assert_eq!(browser.get(&format!("{back}&state=x")).await.location, refused("invalid_callback"));
        assert_eq!(browser.get(&back.replace("/github/", "/nobody/")).await.location, refused("invalid_provider"));
        assert_eq!(browser.get(&back.replace("/github/", "/club/")).await.location, refused("invalid_state"));
        let begun = browser.get(GITHUB).await;
        let back = stand.agree(&begun.location, &editor);
        app.clock().advance(Duration::from_mins(10));
        assert_eq!(browser.get(&back).await.location, refused("invalid_state"));
    }

    async fn of_fifty_answers_at_once_one_signs_in(app: TestApp) {
        let (app, stand, _) = open(&app).await;
        let mut browser = behind_a_proxy(&app);
        let begun = browser.get(GITHUB).await;
        let back = stand.agree(&begun.location, &person(7, "ed", "editor@example.com", true));
        assert_eq!(at_once(vec![(browser, back); 50]).await, landed("/_cms/admin", "invalid_state"));
        assert_eq!(lines(&app, "session").await, ["provider.sign_in"]);
    }

    async fn of_fifty_answers_at_once_one_connects_the_account(app: TestApp) {
        let (app, stand, _) = open(&app).await;
        let mut browser = behind_a_proxy(&app);
        browser.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Author).await.unwrap());
        let begun = browser.post("/_cms/api/auth/connections/github", json!({ "return": "/_cms/admin/account" })).await;
        let back = stand.agree(begun.data()["url"].as_str().unwrap(), &person(9, "me", "me@elsewhere.example", false));
        assert_eq!(at_once(vec![(browser, back); 50]).await, landed("/_cms/admin/account", "invalid_state"));
        assert_eq!(lines(&app, "connection").await, ["provider.sign_in"]);
    }

    async fn of_fifty_people_whom_the_browser_that_sets_up_brings_at_once_one_becomes_admin(app: TestApp) {
        let permit = Actor::System.permit(to::ManageUsers).unwrap();
        let tx = app.store().write().await.unwrap();
        let admin = tx.reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap();
        tx.users().update(&permit, &User { disabled: true, ..admin }).await.unwrap();
        tx.commit().await.unwrap();
        let (app, stand, _) = open(&app).await;
        let offer = cms_accounts::setup::OfferSetup { token: None };
        let token = app.cms().invoke(&Actor::System, Door::Local, offer).await.unwrap().token.unwrap();
        let mut owner = behind_a_proxy(&app);
        let begun = owner.post("/_cms/api/setup", json!({ "token": token, "title": "Site", "includeContent": false })).await;
        assert!(begun.status.is_success(), "{begun:?}");
        let mut tabs = Vec::new();
        for n in 0..50 {
            let mut tab = owner.clone().with("x-forwarded-for", format!("198.51.100.{n}"));
            let begun = tab.get(GITHUB).await;
            let email: &'static str = format!("owner{n}@example.org").leak();
            tabs.push((tab, stand.agree(&begun.location, &person(n, "owner", email, true))));
        }
        assert_eq!(at_once(tabs).await, landed("/_cms/admin", "signup_not_allowed"));
        assert_eq!(app.store().reader().users().count_admins().await.unwrap(), 1);
    }

    async fn somebody_new_in_two_browsers_at_once_is_one_user(app: TestApp) {
        let (app, stand, browser) = open(&app).await;
        allow(&app, "allowed.example").await;
        let somebody = person(3, "new", "new@allowed.example", true);
        let (mut one, mut two) = (browser.other(), browser.other());
        let landed = tokio::join!(through(&mut one, &stand, &somebody, ""), through(&mut two, &stand, &somebody, ""));
        assert_eq!(landed, ("/_cms/admin".to_owned(), "/_cms/admin".to_owned()));
        assert_eq!((one.whoami().await, two.whoami().await), ("new@allowed.example".to_owned(), "new@allowed.example".to_owned()));
    }

    async fn a_page_of_another_site_signs_nobody_in_without_a_click_of_theirs(app: TestApp) {
        let (_app, stand, browser) = open(&app).await;
        for (site, begins) in [("cross-site", false), ("same-site", false), ("unheard-of", false), ("same-origin", true), ("none", true)] {
            let landed = browser.clone().with("sec-fetch-site", site).get(GITHUB).await;
            assert_eq!(landed.status, 302);
            assert_eq!(landed.location.starts_with(&stand.origin), begins, "{site}: {}", landed.location);
            if !begins {
                assert_eq!((landed.location.as_str(), landed.whole.contains("set-cookie")), ("/_cms/admin/login", false), "{site}");
            }
        }
    }

    async fn no_page_of_another_site_is_returned_to(app: TestApp) {
        let (_, _, mut browser) = open(&app).await;
        for path in ["//evil.example", "https://evil.example", "/%5Cevil.example", "/%09/evil.example", "javascript:alert(1)", "a"] {
            let begun = browser.get(&format!("{GITHUB}?return={path}")).await;
            assert_eq!(begun.location, refused("invalid_request"), "{path}");
        }
    }

    async fn what_the_provider_says_is_never_shown(app: TestApp) {
        let (_, _, mut browser) = open(&app).await;
        for (error, reason) in [("access_denied", "oauth_denied"), ("%3Cscript%3E", "oauth_error")] {
            let begun = browser.get(GITHUB).await;
            let state = Url::parse(&begun.location).unwrap().query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
            let told = browser.get(&format!("{GITHUB}/callback?error={error}&error_description=call+555&state={state}")).await;
            assert_eq!(told.location, refused(reason));
        }
    }

    async fn a_disabled_user_is_not_let_in(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        let author = person(7, "au", "author@example.com", true);
        assert_eq!(through(&mut browser, &stand, &author, "").await, "/_cms/admin");
        let mut admin = browser.other();
        admin.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Admin).await.unwrap());
        let disabled = admin.post(&format!("/_cms/api/admin/users/{}/disable", TestApp::user(Role::Author)), json!({})).await;
        assert!(disabled.status.is_success(), "{disabled:?}");
        assert_eq!(browser.whoami().await, "");
        assert_eq!(through(&mut browser, &stand, &author, "").await, refused("account_disabled"));
        // Nor by an account that is not connected yet.
        assert_eq!(through(&mut browser, &stand, &person(8, "au", "author@example.com", true), "").await, refused("account_disabled"));
    }

    async fn an_account_is_connected_by_whoever_is_signed_in(app: TestApp) {
        let (app, stand, browser) = open(&app).await;
        let mut author = browser.other();
        author.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Author).await.unwrap());
        let somebody = person(9, "me", "me@elsewhere.example", false);
        let begun = author.post("/_cms/api/auth/connections/github", json!({ "return": "/_cms/admin/account" })).await;
        let back = stand.agree(begun.data()["url"].as_str().unwrap(), &somebody);
        // Whoever has signed out, or in as somebody else, connects nothing.
        let mut switched = author.clone();
        switched.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Editor).await.unwrap());
        assert_eq!(switched.get(&back).await.location, refused("invalid_state"));
        let begun = author.post("/_cms/api/auth/connections/github", json!({ "return": "/_cms/admin/account" })).await;
        let back = stand.agree(begun.data()["url"].as_str().unwrap(), &somebody);
        assert_eq!(author.get(&back).await.location, "/_cms/admin/account");
        let mut anew = browser.other();
        assert_eq!(through(&mut anew, &stand, &somebody, "").await, "/_cms/admin");
        assert_eq!(anew.whoami().await, "author@example.com");
        // Nobody else gets the same account.
        let mut editor = browser.other();
        editor.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Editor).await.unwrap());
        let begun = editor.post("/_cms/api/auth/connections/github", json!({})).await;
        let back = stand.agree(begun.data()["url"].as_str().unwrap(), &somebody);
        assert_eq!(editor.get(&back).await.location, "/_cms/admin?error=already_connected");
    }

    async fn the_last_way_in_stays(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        through(&mut browser, &stand, &person(7, "au", "author@example.com", true), "").await;
        let remove = |account: &str| format!("/_cms/api/auth/connections/github/{account}");
        let refused = browser.send(http::Method::DELETE, &remove("7"), None).await;
        assert_eq!(refused.failure(), "409 LAST_SIGN_IN_METHOD");
        assert_eq!(browser.send(http::Method::DELETE, &remove("8"), None).await.failure(), "404 NOT_FOUND");
        let begun = browser.post("/_cms/api/auth/connections/github", json!({})).await;
        let back = stand.agree(begun.data()["url"].as_str().unwrap(), &person(8, "au2", "x@elsewhere.example", false));
        browser.get(&back).await;
        // Two at once: one of them is the last.
        let (mut one, mut two) = (browser.clone(), browser.clone());
        let (seven, eight) = (remove("7"), remove("8"));
        let (one, two) = tokio::join!(one.send(http::Method::DELETE, &seven, None), two.send(http::Method::DELETE, &eight, None));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        assert_eq!(lines(&app, "connection").await, ["connection.remove", "provider.sign_in", "provider.sign_in"]);
    }

    async fn a_session_is_never_carried_into_a_sign_in(app: TestApp) {
        let (_, stand, mut browser) = open(&app).await;
        browser.cookies.insert("cms_session".to_owned(), "A".repeat(43));
        through(&mut browser, &stand, &person(7, "ed", "editor@example.com", true), "").await;
        assert_ne!(browser.cookies["cms_session"], "A".repeat(43));
        assert_eq!(browser.whoami().await, "editor@example.com");
    }

    async fn a_provider_of_a_hosts_own_signs_in_people_without_an_address(app: TestApp) {
        let (app, _, mut browser) = open(&app).await;
        let mode = browser.get("/_cms/api/auth/mode").await;
        assert_eq!(
            mode.data()["providers"],
            json!([
                { "id": "github", "label": "GitHub", "kind": "button", "fields": [] },
                { "id": "club", "label": "The club", "kind": "form", "fields": [{ "name": "handle", "label": "Your handle" }] },
            ])
        );
        let page = browser.get("/.well-known/club-client.json").await;
        assert_eq!(page.json["redirect_uri"], "http://localhost:8080/_cms/api/auth/oauth/club/callback");
        assert_eq!(browser.get("/_cms/api/auth/oauth/club/about.json").await.json, page.json);
        let path = "/_cms/api/auth/oauth/club";
        assert_eq!(browser.get(&format!("{path}?handle=%3Cb%3E")).await.location, refused("invalid_request"));
        let begin = async |browser: &mut Browser, handle: &str| {
            let begun = browser.post(&format!("{path}/begin"), json!({ "fields": { "handle": handle } })).await;
            let url = Url::parse(begun.data()["url"].as_str().unwrap()).unwrap();
            url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned()
        };
        let back = |state: &str, card: &str| format!("{path}/callback?state={state}&card={card}");
        let state = begin(&mut browser, "Ada.club.example").await;
        let card = club().card(&state, "ada.club.example");
        assert_eq!(browser.get(&back(&state, &card)).await.location, "/_cms/admin");
        let email = browser.whoami().await;
        assert!(email.ends_with("@club.invalid"), "{email}");
        let made = user(&app, &email).await.unwrap();
        assert_eq!((made.role, made.email_verified, made.name.as_deref()), (Role::Contributor, false, Some("ada.club.example")));
        // The same member again is the same user.
        let mut again = browser.other();
        let state = begin(&mut again, "ada.club.example").await;
        let card = club().card(&state, "ada.club.example");
        assert_eq!(again.get(&back(&state, &card)).await.location, "/_cms/admin");
        assert_eq!(again.whoami().await, email);
        // A card for another handle, a forged one, and somebody who is not of the club.
        for (handle, card_of, reason) in [
            ("bob.club.example", "eve.club.example", "token_exchange_failed"),
            ("eve.elsewhere.example", "eve.elsewhere.example", "signup_not_allowed"),
        ] {
            let state = begin(&mut again, handle).await;
            let card = club().card(&state, card_of);
            assert_eq!(again.get(&back(&state, &card)).await.location, refused(reason), "{handle}");
        }
    }

    async fn every_way_in_is_in_the_audit_log_without_a_secret(app: TestApp) {
        let (app, stand, mut browser) = open(&app).await;
        through(&mut browser, &stand, &person(7, "ed", "editor@example.com", true), "").await;
        let lines = app.store().reader().audit().list(&cms_storage::AuditFilter::default(), 10).await.unwrap();
        let actions: Vec<_> = lines.iter().map(|line| (line.action.as_str(), line.resource_type.as_str())).collect();
        assert!(actions.contains(&("provider.sign_in", "connection")) && actions.contains(&("provider.sign_in", "session")), "{actions:?}");
        assert!(lines.iter().all(|line| line.details.as_deref().is_none_or(|details| !details.contains("gho_"))));
    }
}

/// A site without anybody.
fn empty(store: &cms_core::testing::TestStore, stand: &GitHubStand) -> (Cms, Browser) {
    let options = GitHubOptions {
        site: stand.origin.clone(),
        api: stand.origin.clone(),
        ..GitHubOptions::new("client".to_owned(), "s3cret".to_owned())
    };
    let github = GitHub::new(options, Outbound::new().unwrap()).unwrap();
    let services = Services { providers: Providers::new(vec![Arc::new(github)]).unwrap(), ..Services::default() };
    let clock = Arc::new(cms_frame::SystemClock);
    let cms = cms_core::assemble(store.store().clone(), Options::default(), Parts { services, clock, ..Parts::default() });
    let browser = Browser::new(cms_http_api::router(cms.clone(), HttpOptions::default()));
    (cms, browser)
}

#[tokio::test]
async fn only_the_browser_that_sets_up_the_site_makes_its_first_admin() {
    let (store, stand) = (cms_core::testing::TestStore::sqlite().await.unwrap(), GitHubStand::open().await);
    let (cms, browser) = empty(&store, &stand);
    let offer = cms_accounts::setup::OfferSetup { token: None };
    let token = cms.invoke(&Actor::System, Door::Local, offer).await.unwrap().token.unwrap();
    let (mut owner, mut stranger) = (browser.other(), browser.other());
    assert_eq!(through(&mut stranger, &stand, &person(1, "x", "x@example.org", true), "").await, refused("signup_not_allowed"));
    let begun = owner.post("/_cms/api/setup", json!({ "token": token, "title": "Site", "includeContent": false })).await;
    assert!(begun.status.is_success(), "{begun:?}");
    assert_eq!(through(&mut stranger, &stand, &person(1, "x", "x@example.org", true), "").await, refused("signup_not_allowed"));
    assert_eq!(through(&mut owner, &stand, &person(2, "o", "owner@example.org", true), "").await, "/_cms/admin");
    assert_eq!((owner.whoami().await.as_str(), owner.role().await), ("owner@example.org", 50));
    // The setup is over, for its own browser too.
    assert_eq!(through(&mut owner, &stand, &person(3, "y", "y@example.org", true), "").await, refused("signup_not_allowed"));
    assert_eq!(owner.get("/_cms/api/setup/status").await.data()["needsSetup"], false);
    store.remove().await.unwrap();
}
