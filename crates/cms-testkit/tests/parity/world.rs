//! The small site behind both doors, with a token for each caller, and what the samples refer to.

use std::collections::HashMap;

use cms_core::content::{preview, revisions};
use cms_domain::{access::Scope, user::Role};
use cms_testkit::{Doors, TestApp, TestStore, site};
use serde_json::{Value, json};

use crate::{Caller, scopes_of};

/// The small site behind both doors.
pub(crate) struct World {
    store: TestStore,
    pub(crate) doors: Doors,
    tokens: HashMap<Caller, String>,
    /// The oldest revision of the post `edited`.
    pub(crate) revision: String,
    /// The token of a preview link to the post `edited`.
    pub(crate) preview: String,
    /// The token that the administrator can revoke.
    pub(crate) token: String,
}

impl World {
    pub(crate) async fn open() -> Self {
        let store = TestStore::sqlite().await.unwrap();
        let app = TestApp::open(store.store().clone()).await.unwrap();
        site::build(&app).await;
        let app = site::lose(&app).await;
        let doors = Doors::open(&app);
        let mut tokens = HashMap::from([(Caller::Narrow, doors.token(Role::Admin, &[Scope::MediaRead]).await)]);
        for role in Role::ALL {
            tokens.insert(Caller::Role(role), doors.token(role, &scopes_of(role)).await);
        }
        let edited = json!({ "collection": "posts", "id": "edited" });
        let history = site::done::<revisions::ListRevisions>(&app, Role::Admin, edited.clone()).await;
        let oldest = history["items"].as_array().and_then(|items| items.last()).unwrap();
        let link = site::done::<preview::MakePreviewUrl>(&app, Role::Admin, edited).await;
        let preview = link["url"].as_str().and_then(|url| url.split_once("_preview=")).unwrap().1;
        let own = site::done::<cms_core::accounts::tokens::ListTokens>(&app, Role::Admin, json!({})).await;
        Self { doors, tokens, revision: text(&oldest["id"]), preview: preview.to_owned(), token: text(&own["items"][0]["id"]), store }
    }

    /// The token that a caller sends.
    pub(crate) fn token(&self, caller: Caller) -> Option<&str> {
        self.tokens.get(&caller).map(String::as_str)
    }

    pub(crate) async fn close(self) {
        self.store.remove().await.unwrap();
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not text: {value}")).to_owned()
}
