//! A site in which everything is used that is a secret, and what those secrets are.

use std::sync::Arc;

use cms_accounts::{
    mail::testing::{PostBox, token},
    providers::Providers,
};
use cms_auth::{
    github::{GitHub, GitHubOptions},
    outbound::Outbound,
};
use cms_core::testing::{Authenticator, TestApp};
use cms_domain::{
    access::{Actor, to},
    user::{Role, User},
};
use cms_http_api::HttpOptions;
use serde_json::{Value, json};

use crate::{browser::Browser, github_stand::GitHubStand};

/// Something that nobody else may read.
pub(crate) struct Secret {
    pub(crate) what: &'static str,
    pub(crate) text: String,
}

/// The site, and whoever sets it up.
pub(crate) struct World {
    pub(crate) app: TestApp,
    pub(crate) post: Arc<PostBox>,
    pub(crate) github: GitHubStand,
    pub(crate) owner: Browser,
    pub(crate) authenticator: Authenticator,
    pub(crate) secrets: Vec<Secret>,
}

impl World {
    /// A site that is not set up, with mail and a provider.
    pub(crate) async fn open(app: &TestApp) -> Self {
        let permit = Actor::System.permit(to::ManageUsers).unwrap();
        let tx = app.store().write().await.unwrap();
        let admin = tx.reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap();
        tx.users().update(&permit, &User { disabled: true, ..admin }).await.unwrap();
        tx.commit().await.unwrap();
        let (github, post) = (GitHubStand::open().await, Arc::new(PostBox::default()));
        let (site, api, mail) = (github.origin.clone(), github.origin.clone(), post.clone());
        let options = GitHubOptions { site, api, ..GitHubOptions::new("client".to_owned(), "s3cret".to_owned()) };
        let provider = GitHub::new(options, Outbound::new().unwrap()).unwrap();
        let app = app.serving(|services| {
            services.mail = Some(mail);
            services.providers = Providers::new(vec![Arc::new(provider)]).unwrap();
        });
        let owner = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
        let authenticator = Authenticator::new(app.cms().product().origin().as_str());
        Self { app, post, github, owner, authenticator, secrets: Vec::new() }
    }

    /// Keeps a secret.
    pub(crate) fn keep(&mut self, what: &'static str, text: &str) -> String {
        assert!(!text.is_empty(), "no {what}");
        self.secrets.push(Secret { what, text: text.to_owned() });
        text.to_owned()
    }

    /// Keeps a secret that an answer has.
    pub(crate) fn keep_of(&mut self, what: &'static str, answer: &Value) -> String {
        self.keep(what, answer.as_str().unwrap_or_else(|| panic!("no {what}: {answer}")))
    }

    /// Keeps what a browser got.
    pub(crate) fn keep_cookies(&mut self, browser: &Browser) {
        self.keep("secret of a session", &browser.cookies["cms_session"]);
        if let Some(browser) = browser.cookies.get("cms_session_browser") {
            self.keep("secret of a browser", browser);
        }
    }

    /// Keeps the secrets of the links in the letters that have arrived. Answers with the last one's.
    pub(crate) async fn keep_link(&mut self, what: &'static str) -> String {
        self.app.cms().finish_background().await;
        let letters = self.post.empty();
        let secrets = letters.iter().filter_map(token).map(|secret| self.keep(what, secret));
        secrets.last().unwrap_or_else(|| panic!("no letter with the {what}"))
    }

    /// Sends every secret once more, and where it is none: in the query of an address, as a bearer token, as a cookie, in a field for
    /// something else.
    pub(crate) async fn puts_secrets_where_they_do_not_belong(&mut self) {
        for Secret { text, .. } in &self.secrets {
            let mut browser = self.owner.other();
            browser.get(&format!("/_cms/api/auth/me?access_token={text}&token={text}")).await;
            browser.get(&format!("/_cms/api/nowhere?code={text}")).await;
            for path in ["preview", "nowhere"] {
                browser.get(&format!("/_cms/api/{path}/{text}")).await;
                browser.post(&format!("/_cms/api/{path}/{text}"), json!({})).await;
            }
            browser.get(&format!("/_cms/{text}")).await;
            browser.get(&format!("/_cms/oauth/authorize?client_id={text}&state={text}")).await;
            browser.get(&format!("/_cms/api/auth/oauth/github/callback?state={text}&code={text}")).await;
            browser.post("/_cms/api/auth/passkey/options", json!({ "email": text })).await;
            browser.post("/_cms/api/auth/magic-link/verify", json!({ "token": text, "more": text })).await;
            browser.post("/_cms/api/auth/magic-link/verify", json!({ "token": [text] })).await;
            browser.post("/_cms/api/oauth/token", json!({ "grant_type": text, "code": text, "client_secret": text })).await;
            browser.clone().with("authorization", format!("Bearer {text}")).get("/_cms/api/auth/me").await;
            browser.clone().with("authorization", format!("Basic {text}")).get("/_cms/api/auth/me").await;
            browser.cookies.insert("cms_session".to_owned(), text.clone());
            browser.get("/_cms/api/auth/me").await;
        }
    }
}
