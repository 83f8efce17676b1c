//! Gateway mode: what is believed of a statement, who gets what, and that there is no other way in.

use std::{sync::Arc, time::Duration};

use cms_accounts::{Services, gateway::GatewayPolicy, setup::OfferSetup};
use cms_content::schema::create_collection::CreateCollection;
use cms_core::{
    Parts, both,
    testing::{CountingIds, TestApp, TestClock, TestStore},
};
use cms_domain::{
    access::{Access, Actor, Caller, Scope, Via},
    user::Role,
};
use cms_frame::{Code, Door, Options, descriptor::Descriptor};
use cms_http_api::HttpOptions;
use http::Method;
use serde_json::{Value, json};

use crate::{
    browser::{Answer, Browser},
    gateway_stand::{GatewayStand, HEADER, Key, signed, statement},
};

const ME: &str = "/_cms/api/auth/me";

fn policy() -> GatewayPolicy {
    let role_mapping = vec![("Admins".to_owned(), Role::Admin), ("Editors".to_owned(), Role::Editor)];
    GatewayPolicy { auto_provision: true, default_role: Role::Author, sync_roles: false, role_mapping }
}

fn behind(app: &TestApp, stand: &GatewayStand, policy: GatewayPolicy) -> (TestApp, Browser) {
    let app = app.serving(|services| services.gateway = Some(stand.mode(policy)));
    let browser = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
    (app, browser)
}

/// A site behind a gateway that has one key and knows one person.
async fn open(app: &TestApp, policy: GatewayPolicy) -> (TestApp, GatewayStand, Browser, Key) {
    let (stand, key) = (GatewayStand::open().await, Key::ec(1));
    stand.publish("one", &key);
    stand.knows("Ada@Example.org", "Ada", &["Staff", "Editors"]);
    let (app, browser) = behind(app, &stand, policy);
    (app, stand, browser, key)
}

fn seconds(app: &TestApp) -> i64 {
    app.cms().now().milliseconds() / 1000
}

async fn me(browser: &Browser, statement: &str) -> Answer {
    browser.other().with(HEADER, statement).get(ME).await
}

/// What the answer to a statement says.
async fn said(browser: &Browser, statement: &str) -> String {
    let answer = me(browser, statement).await;
    format!("{} {}", answer.status.as_u16(), answer.json["error"]["message"].as_str().unwrap_or("welcome"))
}

both! {
    async fn whoever_the_gateway_vouches_for_is_let_in(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let token = statement("one", &key, &stand.claims("ADA@example.org", seconds(&app)));
        let answer = me(&browser, &token).await;
        let data = answer.data();
        assert_eq!((&data["email"], &data["name"], &data["role"]), (&json!("ada@example.org"), &json!("Ada"), &json!(40)));
        // The cookie will do where the header is missing.
        let mut by_cookie = browser.other();
        by_cookie.cookies.insert("CF_Authorization".to_owned(), token.clone());
        assert_eq!(by_cookie.whoami().await, "ada@example.org");
        // It is asked once about the same statement, and again after a while.
        assert_eq!(stand.asked(), (1, 1));
        app.clock().advance(Duration::from_mins(2));
        me(&browser, &token).await;
        assert_eq!(stand.asked(), (1, 2));
    }

    async fn an_rsa_key_is_as_good(app: TestApp) {
        let (app, stand, browser, _) = open(&app, policy()).await;
        let key = Key::rsa();
        stand.publish("rsa", &key);
        let token = statement("rsa", &key, &stand.claims("ada@example.org", seconds(&app)));
        assert_eq!(said(&browser, &token).await, "200 welcome");
        // A key signs as its kind does, whatever the statement says.
        let lie = signed(&json!({ "alg": "ES256", "kid": "rsa" }), &stand.claims("ada@example.org", seconds(&app)), |_| vec![1; 64]);
        assert_eq!(said(&browser, &lie).await, "401 the signature of the JWT is not the gateway's");
    }

    async fn what_is_not_a_good_statement_is_not_believed(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let now = seconds(&app);
        let with = |change: Value| {
            let mut claims = stand.claims("ada@example.org", now);
            claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            statement("one", &key, &claims)
        };
        let time = "401 the JWT has expired, or is not valid yet";
        for (change, expected) in [
            (json!({}), "200 welcome"),
            (json!({ "aud": "tag" }), "200 welcome"),
            (json!({ "aud": ["other"] }), "401 JWT audience mismatch"),
            (json!({ "aud": [] }), "401 JWT audience mismatch"),
            (json!({ "iss": "https://evil.example" }), "401 JWT issuer mismatch"),
            (json!({ "iss": format!("{}/", stand.origin) }), "401 JWT issuer mismatch"),
            (json!({ "exp": now - 59 }), "200 welcome"),
            (json!({ "exp": now - 60 }), time),
            (json!({ "nbf": now + 60 }), "200 welcome"),
            (json!({ "nbf": now + 61 }), time),
            (json!({ "iat": now + 61 }), time),
            (json!({ "exp": 1e300 }), time),
            (json!({ "exp": "soon" }), "401 the JWT cannot be read"),
            (json!({ "email": null }), "401 the JWT names no person"),
            (json!({ "email": "nobody" }), "401 the JWT names no person"),
        ] {
            assert_eq!(said(&browser, &with(change.clone())).await, expected, "{change}");
        }
        // Of somebody whom the gateway does not know, or knows as somebody else.
        assert_eq!(said(&browser, &with(json!({ "email": "eve@example.org" }))).await, "401 the gateway does not know the JWT");
        let ada = stand.memory.lock().unwrap().people["ada@example.org"].clone();
        stand.memory.lock().unwrap().people.insert("eve@example.org".to_owned(), ada);
        assert_eq!(
            said(&browser, &with(json!({ "email": "eve@example.org" }))).await,
            "401 the gateway and the JWT do not name the same person"
        );
    }

    async fn a_statement_does_not_choose_how_it_is_checked(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let claims = stand.claims("ada@example.org", seconds(&app));
        let algorithm = "401 the JWT is not signed with RS256 or ES256";
        let unknown = "401 the gateway does not have the key of the JWT";
        let other = Key::ec(2);
        let good = statement("one", &key, &claims);
        let (head_and_claims, _) = good.rsplit_once('.').unwrap();
        for (token, expected) in [
            (signed(&json!({ "alg": "none", "kid": "one" }), &claims, |_| Vec::new()), algorithm),
            (signed(&json!({ "alg": "None", "kid": "one" }), &claims, |_| Vec::new()), algorithm),
            // The gateway's public key as the secret of a shared one.
            (signed(&json!({ "alg": "HS256", "kid": "one" }), &claims, |text| hmac(stand_key(&stand).as_bytes(), text)), algorithm),
            (signed(&json!({ "alg": "RS256", "kid": "one" }), &claims, |_| vec![0; 128]), "401 the signature of the JWT is not the gateway's"),
            (signed(&json!({ "alg": "ES256" }), &claims, |_| vec![0; 64]), unknown),
            (signed(&json!({ "alg": "ES256", "kid": "one", "crit": ["x"] }), &claims, |_| vec![0; 64]), "401 the JWT cannot be read"),
            (statement("one", &other, &claims), "401 the signature of the JWT is not the gateway's"),
            (statement("two", &other, &claims), unknown),
            (format!("{head_and_claims}."), "401 the signature of the JWT is not the gateway's"),
            (head_and_claims.to_owned(), "401 the JWT cannot be read"),
            ("x".repeat(20_000), "401 the JWT cannot be read"),
            ("..".to_owned(), "401 the JWT cannot be read"),
        ] {
            assert_eq!(said(&browser, &token).await, expected, "{token}");
        }
        let twice = browser.other().with(HEADER, good.clone()).with(HEADER, good).get(ME).await;
        assert_eq!(twice.failure(), "401 INVALID_GATEWAY_TOKEN");
    }

    async fn a_new_key_is_found_and_an_old_one_forgotten(app: TestApp) {
        let (app, stand, browser, old) = open(&app, policy()).await;
        let claims = |app: &TestApp| stand.claims("ada@example.org", seconds(app));
        assert_eq!(said(&browser, &statement("one", &old, &claims(&app))).await, "200 welcome");
        let new = Key::ec(2);
        stand.memory.lock().unwrap().keys.clear();
        stand.publish("two", &new);
        // Whoever makes keys up does not make the server ask for each.
        assert_eq!(said(&browser, &statement("two", &new, &claims(&app))).await, "401 the gateway does not have the key of the JWT");
        assert_eq!(stand.asked().0, 1);
        app.clock().advance(Duration::from_mins(1));
        assert_eq!(said(&browser, &statement("two", &new, &claims(&app))).await, "200 welcome");
        assert_eq!(said(&browser, &statement("one", &old, &claims(&app))).await, "401 the gateway does not have the key of the JWT");
        assert_eq!(stand.asked().0, 2);
    }

    async fn somebody_new_gets_an_account_only_where_the_site_gives_one(app: TestApp) {
        let (app, stand, browser, key) = open(&app, GatewayPolicy { auto_provision: false, ..policy() }).await;
        let token = statement("one", &key, &stand.claims("ada@example.org", seconds(&app)));
        let answer = me(&browser, &token).await;
        assert_eq!(answer.failure(), "403 USER_NOT_AUTHORIZED");
        assert!(answer.json["error"]["message"].as_str().unwrap().starts_with("User not authorized"));
        stand.knows("Editor@example.com", "Editor", &[]);
        let known = statement("one", &key, &stand.claims("editor@EXAMPLE.com", seconds(&app)));
        assert_eq!(me(&browser, &known).await.data()["role"], 40, "the role that the site gave stays");
    }

    async fn many_requests_of_somebody_new_at_once_make_one_account(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let token = statement("one", &key, &stand.claims("ada@example.org", seconds(&app)));
        let tasks: Vec<_> = (0..12)
            .map(|_| {
                let (browser, token) = (browser.clone(), token.clone());
                tokio::spawn(async move { me(&browser, &token).await.data()["id"].clone() })
            })
            .collect();
        let mut ids = Vec::new();
        for task in tasks {
            ids.push(task.await.unwrap());
        }
        ids.dedup();
        assert_eq!(ids.len(), 1);
    }

    async fn roles_follow_the_groups_where_the_site_says_so(app: TestApp) {
        let (app, stand, browser, key) = open(&app, GatewayPolicy { sync_roles: true, ..policy() }).await;
        let role = async |email: &str| {
            app.clock().advance(Duration::from_mins(2));
            let token = statement("one", &key, &stand.claims(email, seconds(&app)));
            me(&browser, &token).await.data()["role"].as_u64().unwrap()
        };
        assert_eq!(role("ada@example.org").await, 40);
        stand.knows("ada@example.org", "Ada", &["Admins", "Editors"]);
        assert_eq!(role("ada@example.org").await, 50);
        stand.knows("ada@example.org", "Ada", &[]);
        assert_eq!(role("ada@example.org").await, 30);
        // The last admin stays one, whatever the groups say.
        stand.knows("admin@example.com", "Root", &["Editors"]);
        assert_eq!(role("admin@example.com").await, 50);
        stand.knows("ada@example.org", "Ada", &["Admins"]);
        assert_eq!(role("ada@example.org").await, 50);
        assert_eq!(role("admin@example.com").await, 40);
    }

    async fn of_two_admins_whom_their_groups_demote_at_once_one_stays(app: TestApp) {
        let (app, stand, browser, key) = open(&app, GatewayPolicy { sync_roles: true, ..policy() }).await;
        let people = ["ada@example.org", "admin@example.com"];
        let role = async |email: &str| {
            let token = statement("one", &key, &stand.claims(email, seconds(&app)));
            me(&browser, &token).await.data()["role"].as_u64().unwrap()
        };
        for round in 0..5 {
            for email in people {
                stand.knows(email, "Somebody", &["Admins"]);
                app.clock().advance(Duration::from_mins(2));
                assert_eq!(role(email).await, 50);
                stand.knows(email, "Somebody", &["Editors"]);
            }
            app.clock().advance(Duration::from_mins(2));
            let (one, two) = tokio::join!(role(people[0]), role(people[1]));
            assert!(matches!((one, two), (40, 50) | (50, 40)), "round {round}: {one} and {two}");
            assert_eq!(app.store().reader().users().count_admins().await.unwrap(), 1);
        }
    }

    async fn somebody_who_is_disabled_stays_out(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        stand.knows("author@example.com", "Author", &[]);
        let token = statement("one", &key, &stand.claims("author@example.com", seconds(&app)));
        assert_eq!(me(&browser, &token).await.status, 200);
        let admin = app.token_of(Role::Admin, &[Scope::Admin]).await.unwrap();
        stand.knows("admin@example.com", "Admin", &[]);
        let admin_statement = statement("one", &key, &stand.claims("admin@example.com", seconds(&app)));
        let mut root = browser.other().with(HEADER, admin_statement);
        let path = format!("/_cms/api/admin/users/{}/disable", TestApp::user(Role::Author));
        assert!(root.post(&path, json!({})).await.status.is_success());
        assert_eq!(me(&browser, &token).await.failure(), "403 ACCOUNT_DISABLED");
        // Bearer tokens stay a way in.
        let mut program = browser.other().with("authorization", format!("Bearer {admin}"));
        assert_eq!(program.get("/_cms/api/schema/collections").await.status, 200);
    }

    async fn whoever_is_disabled_while_their_body_is_on_its_way_neither_reads_nor_writes(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let person = |email: &str| browser.other().with(HEADER, statement("one", &key, &stand.claims(email, seconds(&app))));
        stand.knows("admin@example.com", "Admin", &[]);
        stand.knows("mallory@example.org", "Mallory", &["Admins"]);
        let (mut root, mut mallory) = (person("admin@example.com"), person("mallory@example.org"));
        let id = mallory.get(ME).await.data()["id"].as_str().unwrap().to_owned();
        assert_eq!(mallory.role().await, 50);
        let client = json!({ "name": "Mine", "redirectUris": ["https://evil.example/cb"] }).to_string();
        for (method, path, body) in [
            (Method::POST, "/_cms/api/admin/oauth-clients", client),
            (Method::GET, "/_cms/api/admin/users", String::new()),
        ] {
            let (mut other, address) = (root.clone(), format!("/_cms/api/admin/users/{id}"));
            let disabled = async move { assert!(other.post(&format!("{address}/disable"), json!({})).await.status.is_success()) };
            let answer = mallory.send_after(disabled, method.clone(), path, body).await;
            assert_eq!(answer.failure(), "403 ACCOUNT_DISABLED", "{method} {path}");
            assert!(root.post(&format!("/_cms/api/admin/users/{id}/enable"), json!({})).await.status.is_success());
        }
        // It is looked at once more in the transaction that writes, as on another server that was not told yet.
        let stale = Actor::User(Caller { user: id.parse().unwrap(), role: Role::Admin, via: Via::Host });
        let create = async || {
            let input = json!({ "slug": "posts", "label": "Posts" });
            let create = app.cms().read::<CreateCollection>(input.as_object().unwrap().clone()).unwrap();
            app.cms().invoke(&stale, Door::Rest, create).await.map(drop).map_err(|error| error.code())
        };
        assert!(root.post(&format!("/_cms/api/admin/users/{id}/disable"), json!({})).await.status.is_success());
        assert_eq!(create().await, Err(Code::NotAuthenticated));
        assert!(root.post(&format!("/_cms/api/admin/users/{id}/enable"), json!({})).await.status.is_success());
        assert_eq!(create().await, Ok(()));
    }

    async fn what_the_gateway_says_of_somebody_is_believed_for_a_minute_and_no_longer(app: TestApp) {
        let (app, stand, browser, key) = open(&app, GatewayPolicy { sync_roles: true, ..policy() }).await;
        let token = statement("one", &key, &stand.claims("ada@example.org", seconds(&app)));
        assert_eq!(me(&browser, &token).await.data()["role"], 40);
        stand.knows("ada@example.org", "Ada", &[]);
        app.clock().advance(Duration::from_secs(59));
        // Everyone is looked up anew when an account changes; what the gateway said stays as old as it is.
        app.cms().upkeep().forget();
        assert_eq!(me(&browser, &token).await.data()["role"], 40);
        app.clock().advance(Duration::from_secs(2));
        assert_eq!(me(&browser, &token).await.data()["role"], 30);
    }

    async fn whose_key_is_known_does_not_wait_for_a_gateway_that_cannot_be_asked(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let claims = |app: &TestApp| stand.claims("ada@example.org", seconds(app));
        assert_eq!(said(&browser, &statement("one", &key, &claims(&app))).await, "200 welcome");
        app.clock().advance(Duration::from_mins(2));
        stand.memory.lock().unwrap().fails = true;
        let other = Key::ec(2);
        for n in 0..20 {
            assert_eq!(me(&browser, &statement(&format!("made up {n}"), &other, &claims(&app))).await.status, if n == 0 { 503 } else { 401 });
        }
        assert_eq!(stand.asked().0, 2, "the gateway is not asked for each");
        assert_eq!(said(&browser, &statement("one", &key, &claims(&app))).await, "200 welcome");
    }

    async fn there_is_no_other_way_in(app: TestApp) {
        let session = app.sign_in(Role::Admin).await.unwrap();
        let (app, stand, browser, key) = open(&app, policy()).await;
        let mut with_session = browser.other();
        with_session.cookies.insert("cms_session".to_owned(), session);
        let refused = with_session.get(ME).await;
        assert_eq!(refused.failure(), "401 NOT_AUTHENTICATED");
        assert!(refused.json["error"]["message"].as_str().unwrap().starts_with("No Access JWT present"));
        let token = statement("one", &key, &stand.claims("ada@example.org", seconds(&app)));
        let mut person = browser.other().with(HEADER, token);
        for path in ["auth/passkey/options", "auth/magic-link/send", "auth/signup/request", "auth/oauth/github/begin", "setup/admin"] {
            assert_eq!(person.post(&format!("/_cms/api/{path}"), json!({})).await.failure(), "404 NOT_FOUND", "{path}");
        }
        for path in ["auth/passkey", "auth/connections", "auth/invites", "auth/oauth/github", "auth/oauth/github/callback?state=x"] {
            assert_eq!(person.get(&format!("/_cms/api/{path}")).await.failure(), "404 NOT_FOUND", "{path}");
        }
        let mode = person.get("/_cms/api/auth/mode").await;
        assert_eq!((&mode.data()["authMode"], &mode.data()["providers"]), (&json!("gateway"), &json!([])));
    }

    async fn the_site_is_named_once_by_whoever_has_the_servers_token(app: TestApp) {
        let (app, stand, _, key) = open(&app, policy()).await;
        let browser = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions { trusted_hops: 1, ..HttpOptions::default() }));
        let status = "/_cms/api/setup/status";
        let offer = OfferSetup { token: None };
        let token = app.cms().invoke(&Actor::System, Door::Local, offer).await.unwrap().token.unwrap();
        let mut ada = browser.other().with(HEADER, statement("one", &key, &stand.claims("ada@example.org", seconds(&app))));
        // The server showed the link before anybody came; that somebody is there by now ends nothing.
        assert_eq!(ada.get(ME).await.status, 200);
        assert_eq!(ada.get(status).await.data(), &json!({ "needsSetup": true, "step": "site", "authMode": "gateway" }));
        let wrong = ada.post("/_cms/api/setup", json!({ "token": "x".repeat(43), "title": "Mine" })).await;
        assert_eq!(wrong.failure(), "403 INVALID_SETUP_TOKEN");
        let naming = (0..50).map(|n| {
            let mut tab = ada.clone().with("x-forwarded-for", format!("198.51.100.{n}"));
            let body = json!({ "token": token, "title": format!("Site {n}") });
            async move { tab.post("/_cms/api/setup", body).await.status.as_u16() }
        });
        let mut answers = futures_util::future::join_all(naming).await;
        answers.sort_unstable();
        assert_eq!((answers[0], answers.iter().filter(|status| **status == 200).count()), (200, 1), "{answers:?}");
        assert!(answers[1..].iter().all(|status| [403, 404].contains(status)), "{answers:?}");
        assert_eq!(ada.get(status).await.data(), &json!({ "needsSetup": false }));
        assert!(ada.get("/_cms/api/auth/mode").await.data()["title"].as_str().unwrap().starts_with("Site "));
        let again = app.cms().invoke(&Actor::System, Door::Local, OfferSetup { token: None }).await.unwrap();
        assert!(again.token.is_none());
    }

    async fn a_page_of_another_site_does_nothing_with_the_gateways_session(app: TestApp) {
        let (app, stand, browser, key) = open(&app, policy()).await;
        let token = statement("one", &key, &stand.claims("ada@example.org", seconds(&app)));
        let mut forged = browser.other().with(HEADER, token).with("origin", "https://evil.example");
        // The browser says where the page is from, and a header of one's own cannot be added from there.
        forged = forged.with("sec-fetch-site", "cross-site");
        assert_eq!(forged.post(ME, json!({ "action": "dismissWelcome" })).await.failure(), "403 CSRF_REJECTED");
    }
}

/// What the gateway gives out as its key.
fn stand_key(stand: &GatewayStand) -> String {
    stand.memory.lock().unwrap().keys[0].to_string()
}

fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    use hmac::{Hmac, Mac};
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(key).unwrap();
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

#[tokio::test]
async fn the_first_of_all_becomes_admin_whatever_their_groups_are() {
    for opened in [TestStore::sqlite().await.map(Some).unwrap(), TestStore::postgres().await.unwrap()] {
        let Some(store) = opened else { continue };
        let (stand, key, clock) = (GatewayStand::open().await, Key::ec(1), Arc::new(TestClock::default()));
        stand.publish("one", &key);
        let services = Services { gateway: Some(stand.mode(policy())), ..Services::default() };
        let cms = cms_core::assemble(
            store.store().clone(),
            Options::default(),
            Parts { services, clock, ids: Arc::new(CountingIds::default()), ..Parts::default() },
        );
        let browser = Browser::new(cms_http_api::router(cms.clone(), HttpOptions::default()));
        let now = cms.now().milliseconds() / 1000;
        let tasks: Vec<_> = (0..6)
            .map(|n| {
                let email = format!("user{n}@example.org");
                stand.knows(&email, "Somebody", &["Editors"]);
                let (browser, token) = (browser.clone(), statement("one", &key, &stand.claims(&email, now)));
                tokio::spawn(async move { me(&browser, &token).await.data()["role"].as_u64().unwrap() })
            })
            .collect();
        let mut roles = Vec::new();
        for task in tasks {
            roles.push(task.await.unwrap());
        }
        roles.sort_unstable();
        assert_eq!(roles, [40, 40, 40, 40, 40, 50]);
        store.remove().await.unwrap();
    }
}

/// What opens an account to somebody who is nobody, and stays when there is a gateway: what belongs to applications, and to what
/// is left.
const STAYS: [&str; 5] = ["session.sign_out", "auth.mode", "setup.status", "setup.begin", "content.preview"];

/// What is of a way in that a gateway replaces.
const REPLACED: [&str; 42] = [
    "account.cancel_email_change",
    "account.change_email",
    "account.confirm_email",
    "account.refuse_email_change",
    "allowed_domain.create",
    "allowed_domain.delete",
    "allowed_domain.list",
    "allowed_domain.update",
    "connection.begin",
    "connection.list",
    "connection.remove",
    "invitation.begin",
    "invitation.check",
    "invitation.complete",
    "invitation.create",
    "invitation.list",
    "invitation.resend",
    "invitation.revoke",
    "magic_link.send",
    "magic_link.verify",
    "passkey.begin",
    "passkey.begin_sign_in",
    "passkey.list",
    "passkey.register",
    "passkey.remove",
    "passkey.rename",
    "passkey.sign_in",
    "proof.begin_passkey",
    "proof.begin_provider",
    "proof.get",
    "proof.link",
    "proof.passkey",
    "proof.send_link",
    "provider.begin",
    "provider.finish",
    "setup.begin_admin",
    "setup.finish",
    "sign_up.begin",
    "sign_up.check",
    "sign_up.complete",
    "sign_up.request",
    "user.send_recovery",
];

#[test]
fn a_gateway_replaces_every_other_way_in_and_nothing_else() {
    let catalog = cms_core::built_in();
    let mut replaced: Vec<_> =
        catalog.iter().filter(|operation| operation.http.replaced_by_gateway).map(|operation| operation.id).collect();
    replaced.sort_unstable();
    assert_eq!(replaced, REPLACED);
}

#[test]
fn every_public_operation_that_lets_people_in_is_replaced_by_the_gateway() {
    let stays = |operation: &Descriptor| {
        operation.access != Access::Public
            || operation.http.replaced_by_gateway
            || STAYS.contains(&operation.id)
            || operation.id.starts_with("oauth")
    };
    let catalog = cms_core::built_in();
    let public: Vec<_> =
        catalog.iter().filter(|operation| !stays(operation)).map(|operation| (operation.id, operation.http.path)).collect();
    assert!(public.is_empty(), "{public:?}");
}
