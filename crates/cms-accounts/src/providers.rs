//! The providers that a host registered, and which ways in a site has.

use std::sync::Arc;

use cms_auth::provider::{Entry, Page, PageRequest, Provider, ProviderError};
use cms_domain::access::Access;
use cms_frame::{
    Cms, Code, Cx, Error,
    operation::{Http, Operation, Tool},
};
use cms_storage::StoredConnection;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Services, provider_records::ProviderRoom, site};

pub use cms_auth::provider;

/// The providers of a site. A clone is another handle to the same ones.
#[derive(Clone, Default)]
pub struct Providers(Arc<[Arc<dyn Provider>]>);

/// Providers that cannot stand together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProvidersError {
    /// A name does not fit into an address.
    #[error("`{0}` cannot name a provider: expected 1 to 32 lower-case letters, digits and hyphens, a letter first")]
    Id(String),
    /// Two have one name, or a page at one address.
    #[error("two providers are called `{0}`, or have it")]
    Twice(String),
    /// There are some, and nobody can be sent there.
    #[error("sign-in at providers is left out of this program: build it with the feature `providers`")]
    LeftOut,
    /// A page is where it cannot be.
    #[error("the provider `{0}` has a page at `{1}`: expected a path below `/.well-known/`, or a name of its own")]
    Page(String, String),
}

impl Providers {
    /// Providers, in the order in which they are shown; those with a form behind those with a button.
    pub fn new(mut providers: Vec<Arc<dyn Provider>>) -> Result<Self, ProvidersError> {
        if cfg!(not(feature = "providers")) && !providers.is_empty() {
            return Err(ProvidersError::LeftOut);
        }
        providers.sort_by_key(|provider| provider.entry() != Entry::Button);
        for (at, provider) in providers.iter().enumerate() {
            let id = provider.id();
            let fits = id.len() <= 32
                && id.starts_with(|first: char| first.is_ascii_lowercase())
                && !id.ends_with('-')
                && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
            if !fits {
                return Err(ProvidersError::Id(id.to_owned()));
            }
            if providers.iter().take(at).any(|other| other.id() == id) {
                return Err(ProvidersError::Twice(id.to_owned()));
            }
            if let Some(page) = provider
                .pages()
                .into_iter()
                .find(|page| page.starts_with('/') && providers.iter().take(at).any(|other| other.pages().contains(page)))
            {
                return Err(ProvidersError::Twice(page));
            }
            if let Some(page) = provider.pages().into_iter().find(|page| !is_page(page)) {
                return Err(ProvidersError::Page(id.to_owned(), page));
            }
        }
        Ok(Self(providers.into()))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Provider>> {
        self.0.iter()
    }

    /// The one that vouches for a connected account; of several the one that it was connected by.
    pub(crate) fn of(&self, connection: &StoredConnection) -> Option<&Arc<dyn Provider>> {
        let issuer = connection.issuer.as_deref()?;
        self.iter().filter(|provider| provider.issuer() == issuer).max_by_key(|provider| provider.id() == connection.provider)
    }

    /// The one with a name.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<dyn Provider>, Error> {
        self.iter().find(|provider| provider.id() == id).cloned().ok_or_else(|| Error::new(Code::ProviderNotFound))
    }
}

/// Where a provider may have a page: at a well-known place (RFC 8615), or below its own address, where `callback` and `begin` are ours.
fn is_page(path: &str) -> bool {
    let name = path.strip_prefix("/.well-known/").unwrap_or(path);
    // The well-known places of our own authorization server and of the resource it protects.
    let taken = matches!(name, "callback" | "begin")
        || name.starts_with("oauth-authorization-server")
        || name.starts_with("oauth-protected-resource");
    (1..=100).contains(&name.len())
        && !taken
        && name.split('/').all(|segment| {
            !matches!(segment, "" | "." | "..") && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        })
}

/// What a provider has at one of its public pages.
pub async fn page(cms: &Cms, provider: &str, request: &PageRequest) -> Result<Page, Error> {
    let provider = Services::of(cms).providers.get(provider)?;
    let room = ProviderRoom::new(cms, provider.id());
    provider.page(&room, request).await.map_err(|error| match error {
        ProviderError::Callback(_) | ProviderError::Form(_) => Error::new(Code::NotFound),
        error => Error::internal(error),
    })
}

/// Which ways in the site has.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetAuthMode {}

/// The ways in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthMode {
    /// `passkey`, or `gateway` when the gateway in front of the site is the only way in.
    pub auth_mode: &'static str,
    /// What the site is called; null until somebody has named it.
    pub title: Option<String>,
    /// Whether the caller is signed in, so that there is nothing to choose from.
    pub signed_in: bool,
    /// Whether people with an address of an allowed domain may make an account.
    pub signup_enabled: bool,
    /// Whether a link can be sent to an address to sign in with.
    pub magic_link_enabled: bool,
    /// Whether the site sends mail at all: letters that confirm an address go out also where nobody signs in with a link.
    pub mail_enabled: bool,
    /// Where people can sign in elsewhere, in the order in which it is shown.
    pub providers: Vec<ProviderView>,
}

/// A provider, as the sign-in page shows it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderView {
    /// Names it in addresses.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// `button`, or `form` when it has to know something first.
    pub kind: &'static str,
    /// What has to be filled in.
    pub fields: Vec<FieldView>,
}

/// A field of a provider's form.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldView {
    /// Its name among the `fields` that are sent.
    pub name: String,
    /// What people are told to fill in.
    pub label: String,
}

impl ProviderView {
    fn new(provider: &dyn Provider) -> Self {
        let (kind, fields) = match provider.entry() {
            Entry::Button => ("button", Vec::new()),
            Entry::Form(fields) => ("form", fields),
        };
        let fields = fields.into_iter().map(|field| FieldView { name: field.name, label: field.label }).collect();
        Self { id: provider.id().to_owned(), label: provider.label().to_owned(), kind, fields }
    }
}

impl Operation for GetAuthMode {
    const ID: &'static str = "auth.mode";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::get("getAuthMode", "/auth/mode").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = AuthMode;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AuthMode, Error> {
        let title = site::title(cx.read()).await?;
        let signed_in = cx.actor().user().is_some();
        let services = Services::of(cx.cms());
        if services.gateway.is_some() {
            return Ok(AuthMode {
                auth_mode: "gateway",
                title,
                signed_in,
                signup_enabled: false,
                magic_link_enabled: false,
                mail_enabled: services.mail.is_some(),
                providers: Vec::new(),
            });
        }
        // What goes by mail is there when mail is.
        let mail = services.mail.is_some();
        Ok(AuthMode {
            auth_mode: "passkey",
            title,
            signed_in,
            // Whoever makes an account makes a passkey for it.
            signup_enabled: cfg!(feature = "passkeys") && mail && cx.read().allowed_domains().any_enabled().await?,
            magic_link_enabled: mail && cx.options().policies.magic_links,
            mail_enabled: mail,
            providers: services.providers.iter().map(|provider| ProviderView::new(&**provider)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_well_known_or_a_providers_own() {
        for (page, fits) in [
            ("/.well-known/client-metadata.json", true),
            ("jwks", true),
            ("a/b", true),
            ("callback", false),
            ("begin", false),
            ("/.well-known/oauth-authorization-server", false),
            ("/_cms/api/content", false),
            ("../x", false),
            ("{id}", false),
            ("", false),
        ] {
            assert_eq!(is_page(page), fits, "{page}");
        }
    }
}
