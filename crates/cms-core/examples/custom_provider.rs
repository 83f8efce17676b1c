//! A sign-in provider of a host's own: a club whose members are known by a handle and have no e-mail address here.
//!
//! The club's site signs what it sends people back with. The provider asks for the handle first, keeps it in its room until the
//! browser is back, lets in whoever is of the club, and has a public page that says who asks.

use std::sync::Arc;

use cms_core::{
    Door, Options, Parts,
    accounts::{
        Services,
        providers::{
            GetAuthMode, Providers,
            provider::{Back, Begun, Entry, Field, Identity, Page, PageRequest, Promise, Provider, ProviderError, Record, Room, Start},
        },
    },
};
use cms_domain::{access::Actor, user::Role};
use cms_storage::{Store, StoreOptions};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// How long somebody may take at the club's site.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(10);

/// The club.
pub struct Club {
    /// The club's site.
    pub site: String,
    /// What the club signs with.
    pub key: Vec<u8>,
    /// The handles that are let in: those that end with it.
    pub members: String,
}

impl Club {
    /// What the club signs: that it knows the handle of whoever has the state.
    pub fn card(&self, state: &str, handle: &str) -> String {
        let bytes = self.mac(state, handle).map(|mac| mac.finalize().into_bytes().to_vec()).unwrap_or_default();
        cms_auth::passkey::to_base64(&bytes)
    }

    fn mac(&self, state: &str, handle: &str) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).ok()?;
        mac.update(format!("{state}\n{handle}").as_bytes());
        Some(mac)
    }

    async fn ask(&self, room: &dyn Room, start: &Start) -> Result<Begun, ProviderError> {
        let handle = start.fields.get("handle").map(|handle| handle.trim().to_lowercase()).unwrap_or_default();
        if handle.is_empty() || !handle.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte)) {
            return Err(ProviderError::Form("say your handle, as in `ada.club.example`".to_owned()));
        }
        let expires_at = Some(room.now().after(PATIENCE));
        let record = Record { collection: "away".to_owned(), key: start.state.clone(), value: handle.clone().into(), expires_at };
        room.put(record).await?;
        let location = format!("{}/enter?handle={handle}&state={}&return={}", self.site, start.state, start.redirect_uri);
        Ok(Begun { location, remembered: Value::Null })
    }

    async fn check(&self, room: &dyn Room, back: &Back) -> Result<Identity, ProviderError> {
        let parameter = |name: &str| back.parameters.get(name).map(String::as_str).unwrap_or_default();
        let handle = room.take("away", parameter("state")).await?.and_then(|handle| handle.as_str().map(str::to_owned));
        let handle = handle.ok_or(ProviderError::Callback("nobody is away with this state"))?;
        let signed = cms_auth::passkey::from_base64(parameter("card"));
        let genuine = self.mac(parameter("state"), &handle).zip(signed).is_some_and(|(mac, signed)| mac.verify_slice(&signed).is_ok());
        if !genuine {
            return Err(ProviderError::Exchange("the club did not sign this card".into()));
        }
        if !handle.ends_with(&self.members) {
            return Err(ProviderError::NotAllowed);
        }
        Ok(Identity { account: format!("club:{handle}"), email: None, name: Some(handle), avatar: None })
    }
}

impl Provider for Club {
    fn id(&self) -> &'static str {
        "club"
    }

    fn label(&self) -> &'static str {
        "The club"
    }

    fn issuer(&self) -> String {
        self.site.clone()
    }

    fn entry(&self) -> Entry {
        Entry::Form(vec![Field { name: "handle".to_owned(), label: "Your handle".to_owned() }])
    }

    fn begin<'a>(&'a self, room: &'a dyn Room, start: &'a Start) -> Promise<'a, Result<Begun, ProviderError>> {
        Box::pin(self.ask(room, start))
    }

    fn finish<'a>(&'a self, room: &'a dyn Room, back: &'a Back) -> Promise<'a, Result<Identity, ProviderError>> {
        Box::pin(self.check(room, back))
    }

    /// The club knows its members: each of them may write.
    fn admits(&self, _: &Identity) -> Option<Role> {
        Some(Role::Contributor)
    }

    fn pages(&self) -> Vec<String> {
        vec!["/.well-known/club-client.json".to_owned(), "about.json".to_owned()]
    }

    fn page<'a>(&'a self, room: &'a dyn Room, _: &'a PageRequest) -> Promise<'a, Result<Page, ProviderError>> {
        let about = json!({ "client": room.public_origin(), "redirect_uri": room.redirect_uri() });
        let body = about.to_string().into_bytes();
        Box::pin(async { Ok(Page { content_type: "application/json".to_owned(), body, max_age: 3600, cross_origin: true }) })
    }
}

/// Puts the club into a system, and shows what the sign-in page learns of it.
#[tokio::main]
#[expect(clippy::print_stdout, reason = "this is what the example is for")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join("cms-custom-provider.db");
    let url = format!("sqlite:{}", folder.display());
    let store = Store::open(&StoreOptions::new(url)).await?;
    store.migrate().await?;
    let club =
        Club { site: "https://club.example".to_owned(), key: b"from the configuration".to_vec(), members: ".club.example".to_owned() };
    let services = Services { providers: Providers::new(vec![Arc::new(club)])?, ..Services::default() };
    let cms = cms_core::assemble(store, Options::default(), Parts { services, ..Parts::default() });
    let mode = cms.invoke(&Actor::Anonymous, Door::Local, GetAuthMode {}).await?;
    println!("{}", serde_json::to_string_pretty(&mode)?);
    Ok(())
}
