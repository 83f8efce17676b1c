//! Ways in that others vouch for: providers where people sign in elsewhere, and the gateway in front of the server.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
    sync::Arc,
};

use anyhow::Context;
use cms_auth::{
    gateway::{Gateway as Statements, GatewayOptions},
    github::{GitHub as GitHubSignIn, GitHubOptions},
    oidc::{self, Oidc as OidcSignIn, OidcOptions},
    outbound::Outbound,
    provider::Provider,
};
use cms_core::accounts::{
    gateway::{GatewayMode, GatewayPolicy},
    providers::Providers as Registered,
};
use cms_domain::{
    product::{CookieName, HeaderName, Origin},
    user::Role,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::values::{TeamDomain, spelled};

/// Providers where people sign in elsewhere. The credentials of each may also be in the environment, as
/// `CMS_OAUTH_<PROVIDER>_CLIENT_ID` and `CMS_OAUTH_<PROVIDER>_CLIENT_SECRET`, or without `CMS_OAUTH_` before them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Providers {
    /// GitHub: `client_id` and `client_secret`; on an Enterprise server also `site` and `api`. Its callback is
    /// `{origin}{prefix}/api/auth/oauth/github/callback`.
    pub(crate) github: Option<GitHub>,
    /// Google: `client_id` and `client_secret`. Its callback is `{origin}{prefix}/api/auth/oauth/google/callback`.
    pub(crate) google: Option<Google>,
    /// Others that speak OpenID Connect, under names of one's own: `label`, `issuer`, `client_id`, `client_secret` and `scopes`.
    /// The callback of each is `{origin}{prefix}/api/auth/oauth/{name}/callback`.
    pub(crate) oidc: BTreeMap<String, Oidc>,
    /// In which order the sign-in page shows them, by their names: `["google", "work", "github"]`. Those that are not named come behind, in
    /// the order `github`, `google`, and the others by name. Providers with a form always come behind those with a button.
    pub(crate) order: Vec<String>,
}

/// GitHub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GitHub {
    /// The application that is registered there.
    pub(crate) client_id: String,
    /// Its secret.
    pub(crate) client_secret: Secret,
    /// The address of an Enterprise server.
    pub(crate) site: Option<Origin>,
    /// The address of its interface for programs, as in `https://github.example.org/api/v3`.
    pub(crate) api: Option<String>,
    /// Whether somebody whose address the provider verified is signed in to the account that has the address here. Otherwise they connect
    /// their account there themselves.
    pub(crate) link_by_address: bool,
}

impl Default for GitHub {
    fn default() -> Self {
        Self { client_id: String::new(), client_secret: Secret::default(), site: None, api: None, link_by_address: true }
    }
}

/// Google.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Google {
    /// The client that is registered there.
    pub(crate) client_id: String,
    /// Its secret.
    pub(crate) client_secret: Secret,
    /// Whether somebody whose address the provider verified is signed in to the account that has the address here. Otherwise they connect
    /// their account there themselves.
    pub(crate) link_by_address: bool,
}

impl Default for Google {
    fn default() -> Self {
        Self { client_id: String::new(), client_secret: Secret::default(), link_by_address: true }
    }
}

/// A provider that speaks OpenID Connect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Oidc {
    /// What people call it.
    pub(crate) label: String,
    /// Its issuer, exactly as it spells it.
    pub(crate) issuer: String,
    /// The client that is registered there.
    #[serde(default)]
    pub(crate) client_id: String,
    /// Its secret; none for a public client.
    #[serde(default)]
    pub(crate) client_secret: Option<Secret>,
    /// What is asked for.
    #[serde(default = "scopes")]
    pub(crate) scopes: Vec<String>,
    /// Whether somebody whose address the provider verified is signed in to the account that has the address here. Otherwise they connect
    /// their account there themselves.
    #[serde(default = "yes")]
    pub(crate) link_by_address: bool,
}

const fn yes() -> bool {
    true
}

fn scopes() -> Vec<String> {
    ["openid", "email", "profile"].map(str::to_owned).to_vec()
}

/// A secret that a provider gave. Neither `{}` nor `{:?}` shows it.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Secret(String);

impl Secret {
    /// The secret, for whoever it is for.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "" } else { "***" })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

spelled!(Secret, { "type": "string" });

/// An identity-aware proxy in front of the server. With `team_domain` it is the only way in, but for bearer tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Gateway {
    /// Address of the gateway, which is the issuer of its statements: `https://team.example.org`, or its bare host.
    pub(crate) team_domain: Option<TeamDomain>,
    /// Audience tag of this application at the gateway.
    pub(crate) audience: Option<String>,
    /// Environment variable that has the audience tag when `audience` is not set.
    pub(crate) audience_env: String,
    /// Header in which the gateway sends its statement.
    pub(crate) header: HeaderName,
    /// Cookie that has the same statement: read where the header is missing, and sent when the gateway is asked about a person.
    pub(crate) cookie: CookieName,
    /// Path of the gateway's keys.
    pub(crate) certs_path: String,
    /// Path where the gateway tells what it knows of a person.
    pub(crate) identity_path: String,
    /// Whether somebody without an account gets one.
    pub(crate) auto_provision: bool,
    /// Role of whoever is in no group of `role_mapping`: 10 is Subscriber, 20 Contributor, 30 Author, 40 Editor, 50 Admin.
    pub(crate) default_role: Role,
    /// Whether the role follows the groups at every sign-in. Otherwise they give the first one, and admins change it.
    pub(crate) sync_roles: bool,
    /// Roles of groups, by their names. Of a person's groups the first that has a role counts.
    pub(crate) role_mapping: BTreeMap<String, Role>,
}

impl Default for Gateway {
    fn default() -> Self {
        Self {
            team_domain: None,
            audience: None,
            audience_env: "ACCESS_AUDIENCE".to_owned(),
            header: HeaderName::of("gateway-jwt-assertion"),
            cookie: CookieName::of("CF_Authorization"),
            certs_path: "/cdn-cgi/access/certs".to_owned(),
            identity_path: "/cdn-cgi/access/get-identity".to_owned(),
            auto_provision: true,
            default_role: Role::Author,
            sync_roles: false,
            role_mapping: BTreeMap::new(),
        }
    }
}

/// How the variables of providers begin.
const CREDENTIAL: &str = "CMS_OAUTH_";

/// Whether a variable is one of those that providers take their credentials from.
pub(super) fn is_credential(name: &str) -> bool {
    name.strip_prefix(CREDENTIAL).is_some_and(|rest| rest.ends_with("_CLIENT_ID") || rest.ends_with("_CLIENT_SECRET"))
}

/// What the environment has of a provider: with the prefix, or else without. An empty variable is none.
fn credential(environment: &BTreeMap<String, String>, provider: &str, name: &str) -> Option<String> {
    let provider = provider.to_uppercase().replace('-', "_");
    [format!("{CREDENTIAL}{provider}_{name}"), format!("{provider}_{name}")]
        .iter()
        .find_map(|variable| environment.get(variable).filter(|value| !value.is_empty()).cloned())
}

impl Providers {
    /// Takes the credentials that are in the environment. They are enough for GitHub and Google.
    pub(super) fn take_credentials(&mut self, environment: &BTreeMap<String, String>) {
        let found = |provider: &str| {
            let [id, secret] = ["CLIENT_ID", "CLIENT_SECRET"].map(|name| credential(environment, provider, name));
            id.zip(secret)
        };
        if let Some((id, secret)) = found("github") {
            let github = self.github.get_or_insert_default();
            (github.client_id, github.client_secret) = (id, Secret(secret));
        }
        if let Some((id, secret)) = found("google") {
            let google = self.google.get_or_insert_default();
            (google.client_id, google.client_secret) = (id, Secret(secret));
        }
        for (name, oidc) in &mut self.oidc {
            if let Some(id) = credential(environment, name, "CLIENT_ID") {
                oidc.client_id = id;
            }
            if let Some(secret) = credential(environment, name, "CLIENT_SECRET") {
                oidc.client_secret = Some(Secret(secret));
            }
        }
    }

    /// The providers whose verified addresses connect nobody to an account.
    pub(super) fn not_linked_by_address(&self) -> BTreeSet<String> {
        let github = self.github.as_ref().map(|github| ("github", github.link_by_address));
        let google = self.google.as_ref().map(|google| ("google", google.link_by_address));
        let named = self.oidc.iter().map(|(name, oidc)| (name.as_str(), oidc.link_by_address));
        let all = github.into_iter().chain(google).chain(named);
        all.filter(|(_, links)| !links).map(|(name, _)| name.to_owned()).collect()
    }

    /// The providers, ready to sign people in.
    pub(crate) fn service(&self) -> anyhow::Result<Registered> {
        let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
        if self.github.is_none() && self.google.is_none() && self.oidc.is_empty() && self.order.is_empty() {
            return Ok(Registered::default());
        }
        let outbound = Outbound::new()?;
        if let Some(github) = &self.github {
            let mut options = GitHubOptions::new(
                needed("github", "client_id", &github.client_id)?,
                needed("github", "client_secret", &github.client_secret.0)?,
            );
            options.site = github.site.as_ref().map_or(options.site, ToString::to_string);
            options.api = github.api.as_ref().map_or(options.api, |api| api.trim_end_matches('/').to_owned());
            providers.push(Arc::new(GitHubSignIn::new(options, outbound.clone()).context("`providers.github`")?));
        }
        if let Some(google) = &self.google {
            let oidc = Oidc {
                label: "Google".to_owned(),
                issuer: oidc::GOOGLE.to_owned(),
                client_id: google.client_id.clone(),
                client_secret: Some(Secret(needed("google", "client_secret", &google.client_secret.0)?)),
                scopes: scopes(),
                link_by_address: google.link_by_address,
            };
            providers.push(Arc::new(oidc.service("google", outbound.clone())?));
        }
        for (name, oidc) in &self.oidc {
            providers.push(Arc::new(oidc.service(name, outbound.clone())?));
        }
        for name in &self.order {
            let is_there = providers.iter().any(|provider| provider.id() == name);
            anyhow::ensure!(is_there, "`providers.order` names `{name}`, and there is no such provider");
        }
        // Sorting keeps those that are not named in their order.
        providers.sort_by_key(|provider| self.order.iter().position(|name| name == provider.id()).unwrap_or(usize::MAX));
        Registered::new(providers).context("`providers`")
    }
}

impl Oidc {
    fn service(&self, name: &str, outbound: Outbound) -> anyhow::Result<OidcSignIn> {
        let options = OidcOptions {
            id: name.to_owned(),
            label: self.label.clone(),
            issuer: self.issuer.clone(),
            client_id: needed(name, "client_id", &self.client_id)?,
            client_secret: self.client_secret.as_ref().map(|secret| secret.0.clone()),
            scopes: self.scopes.clone(),
        };
        OidcSignIn::new(options, outbound).with_context(|| format!("`providers.oidc.{name}.issuer`"))
    }
}

fn needed(provider: &str, name: &str, value: &str) -> anyhow::Result<String> {
    anyhow::ensure!(!value.is_empty(), "the provider `{provider}` has no `{name}`: put it into the configuration or the environment");
    Ok(value.to_owned())
}

impl Gateway {
    /// Takes the audience that is in the environment.
    pub(super) fn take_audience(&mut self, environment: &BTreeMap<String, String>) {
        if self.team_domain.is_some() && self.audience.is_none() {
            self.audience = environment.get(&self.audience_env).filter(|value| !value.is_empty()).cloned();
        }
    }

    /// The gateway, if there is one.
    pub(crate) fn service(&self) -> anyhow::Result<Option<Arc<GatewayMode>>> {
        let Some(team_domain) = &self.team_domain else { return Ok(None) };
        let audience = self.audience.clone().filter(|audience| !audience.is_empty()).with_context(|| {
            format!("the gateway's statements are for nobody: set `gateway.audience`, or the environment variable {}", self.audience_env)
        })?;
        for path in [&self.certs_path, &self.identity_path] {
            anyhow::ensure!(path.starts_with('/'), "`{path}` is not a path at the gateway: it begins with `/`");
        }
        let options = GatewayOptions {
            team_domain: team_domain.to_string(),
            audience,
            certs_path: self.certs_path.clone(),
            identity_path: self.identity_path.clone(),
            cookie: self.cookie.to_string(),
        };
        Ok(Some(Arc::new(GatewayMode {
            gateway: Statements::new(options, Outbound::new()?).context("`gateway.team_domain`")?,
            header: self.header.to_string(),
            cookie: self.cookie.to_string(),
            policy: GatewayPolicy {
                auto_provision: self.auto_provision,
                default_role: self.default_role,
                sync_roles: self.sync_roles,
                role_mapping: self.role_mapping.iter().map(|(group, role)| (group.clone(), *role)).collect(),
            },
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn credentials_with_the_prefix_go_first() {
        let mut providers = Providers::default();
        providers.take_credentials(&environment(&[
            ("CMS_OAUTH_GITHUB_CLIENT_ID", "ours"),
            ("GITHUB_CLIENT_ID", "theirs"),
            ("CMS_OAUTH_GITHUB_CLIENT_SECRET", ""),
            ("GITHUB_CLIENT_SECRET", "s3cret"),
            ("GOOGLE_CLIENT_ID", "half"),
        ]));
        let github = providers.github.clone().unwrap();
        assert_eq!((github.client_id.as_str(), github.client_secret.0.as_str()), ("ours", "s3cret"));
        assert_eq!(providers.google, None);
        let ids: Vec<_> = providers.service().unwrap().iter().map(|provider| provider.id().to_owned()).collect();
        assert_eq!(ids, ["github"]);
        assert!(!format!("{providers:?} {}", serde_json::to_string(&providers).unwrap()).contains("s3cret"));
    }

    #[test]
    fn several_issuers_have_names_of_their_own() {
        let file = "[oidc.work]\nlabel = \"Work\"\nissuer = \"https://id.example.org\"\nclient_id = \"cms\"\n\
            [oidc.big-club]\nlabel = \"Club\"\nissuer = \"https://club.example.org\"\n";
        let mut providers: Providers = toml::from_str(file).unwrap();
        providers.take_credentials(&environment(&[("CMS_OAUTH_BIG_CLUB_CLIENT_ID", "a"), ("CMS_OAUTH_BIG_CLUB_CLIENT_SECRET", "b")]));
        let shown: Vec<_> = providers.service().unwrap().iter().map(|provider| provider.label().to_owned()).collect();
        assert_eq!(shown, ["Club", "Work"]);
    }

    #[test]
    fn providers_are_shown_in_the_order_that_is_configured() {
        let file = "[github]\nclient_id = \"a\"\nclient_secret = \"b\"\n[google]\nclient_id = \"a\"\nclient_secret = \"b\"\n\
            [oidc.work]\nlabel = \"Work\"\nissuer = \"https://id.example.org\"\nclient_id = \"cms\"\n\
            [oidc.club]\nlabel = \"Club\"\nissuer = \"https://club.example.org\"\nclient_id = \"cms\"\n";
        let shown = |order: &str| {
            let providers: Providers = toml::from_str(&format!("{order}\n{file}")).unwrap();
            providers.service().map(|service| service.iter().map(|provider| provider.id().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(shown("").unwrap(), ["github", "google", "club", "work"]);
        assert_eq!(shown("order = [\"work\", \"google\"]").unwrap(), ["work", "google", "github", "club"]);
        assert!(format!("{:#}", shown("order = [\"gitlab\"]").unwrap_err()).contains("`gitlab`"));
    }

    #[test]
    fn a_provider_without_credentials_or_encryption_is_refused() {
        for (file, told) in [
            ("[github]\nclient_id = \"a\"", "`client_secret`"),
            ("[google]\nclient_secret = \"a\"", "`client_id`"),
            ("[oidc.a]\nlabel = \"A\"\nissuer = \"http://id.example.org\"\nclient_id = \"a\"", "issuer"),
            ("[oidc.A]\nlabel = \"A\"\nissuer = \"https://id.example.org\"\nclient_id = \"a\"", "providers"),
        ] {
            let refused = toml::from_str::<Providers>(file).unwrap().service().err().unwrap();
            assert!(format!("{refused:#}").contains(told), "{refused:#}");
        }
    }

    #[test]
    fn a_gateway_is_named_by_its_origin_or_its_bare_host() {
        let named =
            |text: &str| toml::from_str::<Gateway>(&format!("team_domain = \"{text}\"")).map(|gateway| gateway.team_domain.unwrap());
        for text in ["team.example.org", "https://team.example.org", "https://team.example.org/"] {
            assert_eq!(named(text).unwrap().to_string(), "https://team.example.org", "{text}");
        }
        for text in ["", "ftp://team.example.org", "team.example.org/path", "a@team.example.org"] {
            assert!(named(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_gateway_needs_an_audience() {
        let mut gateway: Gateway = toml::from_str("team_domain = \"https://team.example.org\"\n[role_mapping]\nAdmins = 50").unwrap();
        assert!(gateway.service().is_err());
        gateway.take_audience(&environment(&[("ACCESS_AUDIENCE", "tag")]));
        assert_eq!(gateway.service().unwrap().unwrap().policy.role_mapping, [("Admins".to_owned(), Role::Admin)]);
        assert!(Gateway::default().service().unwrap().is_none());
    }
}
