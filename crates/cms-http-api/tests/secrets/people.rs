//! What people do with secrets: set up a site, follow links, sign in.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use cms_accounts::{gateway::GatewayPolicy, mail::Smtp, passkey_sign_in::RequestOptions, registration::CreationOptions, setup::OfferSetup};
use cms_core::testing::{Authenticator, TestApp};
use cms_domain::{access::Actor, user::Role};
use cms_frame::Door;
use cms_http_api::HttpOptions;
use serde_json::{Value, json};
use url::Url;

use crate::{
    browser::Browser,
    gateway_stand::{GatewayStand, Key, statement},
    github_stand::person,
    mail_server,
    world::World,
};

const API: &str = "/_cms/api";

/// Makes a passkey for what an answer asks.
fn create(authenticator: &mut Authenticator, asked: &Value) -> Value {
    let options: CreationOptions = serde_json::from_value(asked["options"].clone()).unwrap();
    serde_json::to_value(authenticator.create(&options)).unwrap()
}

impl World {
    /// Sets the site up with the token that the server showed.
    pub(crate) async fn sets_up(&mut self) {
        let offer = self.app.cms().invoke(&Actor::System, Door::Local, OfferSetup { token: None }).await.unwrap();
        let token = self.keep("setup token", &offer.token.unwrap());
        self.owner.post(&format!("{API}/setup"), json!({ "token": token, "title": " " })).await;
        self.owner.post(&format!("{API}/setup"), json!({ "token": token, "title": "Site" })).await.data();
        let asked = self.owner.post(&format!("{API}/setup/admin"), json!({ "email": "owner@example.org" })).await;
        let credential = create(&mut self.authenticator, asked.data());
        self.owner.post(&format!("{API}/setup/admin/verify"), json!({ "credential": credential })).await.data();
        assert_eq!(self.owner.role().await, 50);
        self.keep_cookies(&self.owner.clone());
    }

    /// Invites somebody, who accepts with a passkey, and tries again.
    pub(crate) async fn invites(&mut self) {
        self.owner.post(&format!("{API}/auth/invite"), json!({ "email": "guest@example.net", "role": 40 })).await.data();
        let token = self.keep_link("secret of an invitation").await;
        let mut guest = self.owner.other();
        guest.post(&format!("{API}/auth/invite/accept"), json!({ "token": token })).await.data();
        self.makes_an_account(&mut guest, "auth/invite", &token).await;
    }

    /// Makes an account with a link, and tries again.
    async fn makes_an_account(&mut self, browser: &mut Browser, path: &str, token: &str) {
        let asked = browser.post(&format!("{API}/{path}/register-options"), json!({ "token": token })).await;
        let credential = create(&mut Authenticator::new("http://localhost:8080"), asked.data());
        let complete = json!({ "token": token, "credential": credential });
        browser.post(&format!("{API}/{path}/complete"), complete.clone()).await.data();
        self.keep_cookies(browser);
        assert_eq!(browser.other().post(&format!("{API}/{path}/complete"), complete).await.failure(), "404 INVALID_LINK");
    }

    /// Signs in with a link that was asked for, and with one that an admin had sent.
    pub(crate) async fn sends_links(&mut self) {
        let mut asking = self.owner.other();
        asking.post(&format!("{API}/auth/magic-link/send"), json!({ "email": "author@example.com" })).await.data();
        let asked_for = self.keep_link("secret of a magic link").await;
        let recovery = format!("{API}/admin/users/{}/send-recovery", TestApp::user(Role::Editor));
        self.owner.post(&recovery, json!({})).await.data();
        let sent = self.keep_link("secret of a recovery").await;
        for (mut browser, token) in [(asking, asked_for), (self.owner.other(), sent)] {
            let verify = json!({ "token": token });
            browser.post(&format!("{API}/auth/magic-link/verify"), verify.clone()).await.data();
            self.keep_cookies(&browser);
            assert_eq!(browser.other().post(&format!("{API}/auth/magic-link/verify"), verify).await.failure(), "404 INVALID_LINK");
        }
    }

    /// Has somebody of an allowed domain make their account.
    pub(crate) async fn signs_up(&mut self) {
        let domain = json!({ "domain": "allowed.example", "defaultRole": 20 });
        self.owner.post(&format!("{API}/admin/allowed-domains"), domain).await.data();
        let mut browser = self.owner.other();
        browser.post(&format!("{API}/auth/signup/request"), json!({ "email": "new@allowed.example" })).await.data();
        let token = self.keep_link("secret of a sign-up").await;
        browser.post(&format!("{API}/auth/signup/verify"), json!({ "token": token })).await.data();
        self.makes_an_account(&mut browser, "auth/signup", &token).await;
    }

    /// Takes another address.
    pub(crate) async fn changes_its_address(&mut self) {
        self.owner.post(&format!("{API}/auth/me/email"), json!({ "email": "other@example.org" })).await.data();
        let token = self.keep_link("secret of a new address").await;
        self.owner.post(&format!("{API}/auth/me/email/confirm"), json!({ "token": token })).await.data();
    }

    /// Signs out, and in again with the passkey.
    pub(crate) async fn signs_in_with_a_passkey(&mut self) {
        self.owner.post(&format!("{API}/auth/logout"), json!({})).await.data();
        let asked = self.owner.post(&format!("{API}/auth/passkey/options"), json!({})).await;
        let options: RequestOptions = serde_json::from_value(asked.data()["options"].clone()).unwrap();
        let answer = json!({ "credential": self.authenticator.sign(&options) });
        self.owner.post(&format!("{API}/auth/passkey/verify"), answer.clone()).await.data();
        self.keep_cookies(&self.owner.clone());
        self.owner.other().post(&format!("{API}/auth/passkey/verify"), answer).await;
    }

    /// Signs in at a provider, comes back twice, and once with a code that the provider does not know.
    pub(crate) async fn signs_in_at_a_provider(&mut self) {
        self.keep("secret of this site at the provider", "s3cret");
        self.keep("beginning of every token of the provider", "gho_");
        let editor = person(7, "ed", "editor@example.com", true);
        for is_known in [true, false] {
            let mut browser = self.owner.other();
            let begun = browser.get(&format!("{API}/auth/oauth/github")).await;
            let back = self.github.agree(&begun.location, &editor);
            let query: Vec<_> = Url::parse(&begun.location).unwrap().query_pairs().into_owned().collect();
            let state = query.iter().find(|(name, _)| name == "state").map(|(_, state)| state.clone()).unwrap();
            self.keep("state of a sign-in", &state);
            let back = if is_known { back } else { back.replace("code=", "code=another-secret-code-") };
            browser.get(&back).await;
            assert_eq!(browser.whoami().await.is_empty(), !is_known);
            browser.get(&back).await;
        }
        self.keep("code of a provider", "another-secret-code-");
    }

    /// Comes through a gateway, with a good statement and with one that somebody altered.
    pub(crate) async fn comes_through_a_gateway(&mut self) {
        let (stand, key) = (GatewayStand::open().await, Key::ec(1));
        stand.publish("one", &key);
        stand.knows("ada@example.org", "Ada", &[]);
        let policy = GatewayPolicy { auto_provision: true, default_role: Role::Author, sync_roles: false, role_mapping: Vec::new() };
        let app = self.app.serving(|services| services.gateway = Some(stand.mode(policy)));
        let door = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
        let good = statement("one", &key, &stand.claims("ada@example.org", app.cms().now().milliseconds() / 1000));
        let signature = self.keep("signature of a statement", good.rsplit('.').next().unwrap());
        let altered = good.replace(&signature, &signature.chars().rev().collect::<String>());
        assert_eq!(door.other().with("gateway-jwt-assertion", good).whoami().await, "ada@example.org");
        assert_eq!(door.other().with("gateway-jwt-assertion", altered).whoami().await, "");
    }

    /// Has a letter delivered by a mail server that does not take the password.
    pub(crate) async fn has_a_mail_server_that_refuses_its_password(&mut self) {
        let port = mail_server::open().await;
        let options = format!("smtp://cms:p%3Ass%2Fword@127.0.0.1:{port}?tls=none").parse().unwrap();
        let smtp = Smtp::new(&options, &"cms@example.org".parse().unwrap(), None, None, "http://localhost:8080").unwrap();
        self.keep("password of the mail server", "p:ss/word");
        self.keep("password of the mail server, as it is sent", &STANDARD.encode("\0cms\0p:ss/word"));
        let app = self.app.serving(|services| services.mail = Some(Arc::new(smtp)));
        let mut owner = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
        owner.cookies.clone_from(&self.owner.cookies);
        let made = owner.post(&format!("{API}/auth/invite"), json!({ "email": "late@example.net" })).await;
        let told = made.data()["message"].as_str().unwrap();
        assert!(told.contains("these credentials are not known") && !told.contains("p:ss"), "{told}");
        let url = made.data()["inviteUrl"].as_str().unwrap();
        self.keep("secret of an invitation that was handed over", url.split_once("#token=").unwrap().1);
        // Also where nobody waits for what the mail server says.
        owner.other().post(&format!("{API}/auth/magic-link/send"), json!({ "email": "author@example.com" })).await.data();
        app.cms().finish_background().await;
    }
}
