//! Sign-in at GitHub, on its own site or on an Enterprise server.

use http::{Request, header};
use openidconnect::{PkceCodeChallenge, PkceCodeVerifier};
use serde::Deserialize;
use url::{Url, form_urlencoded};

use crate::{
    oauth::Remembered,
    outbound::{Outbound, OutboundError, is_safe},
    provider::{Back, Begun, Identity, Promise, ProvidedEmail, Provider, ProviderError, Room, Start},
};

/// What is asked for: who somebody is, and their addresses.
const SCOPES: &str = "read:user user:email";
/// The version of the interface that the answers below are of.
const VERSION: &str = "2022-11-28";

/// How GitHub is set up.
#[derive(Clone)]
pub struct GitHubOptions {
    /// Names it in addresses.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// The site.
    pub site: String,
    /// The interface for programs.
    pub api: String,
    /// The application that is registered there.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
}

impl GitHubOptions {
    /// An application on github.com.
    pub fn new(client_id: String, client_secret: String) -> Self {
        let (site, api) = ("https://github.com".to_owned(), "https://api.github.com".to_owned());
        Self { id: "github".to_owned(), label: "GitHub".to_owned(), site, api, client_id, client_secret }
    }
}

/// GitHub.
pub struct GitHub {
    options: GitHubOptions,
    outbound: Outbound,
}

#[derive(Deserialize)]
struct Tokens {
    /// Missing when GitHub refuses: it does so with the status of success.
    access_token: Option<String>,
    /// Why it refuses: a code of GitHub's.
    error: Option<String>,
}

#[derive(Deserialize)]
struct Profile {
    id: u64,
    login: String,
    name: Option<String>,
    avatar_url: Option<String>,
}

#[derive(Deserialize)]
struct Address {
    email: String,
    primary: bool,
    verified: bool,
}

impl GitHub {
    /// GitHub, or why its addresses cannot be used.
    pub fn new(options: GitHubOptions, outbound: Outbound) -> Result<Self, OutboundError> {
        for address in [&options.site, &options.api] {
            if !address.parse::<Url>().is_ok_and(|address| is_safe(&address)) {
                return Err(OutboundError::Plain);
            }
        }
        Ok(Self { options, outbound })
    }

    fn location(&self, start: &Start) -> Result<Begun, ProviderError> {
        let remembered = Remembered::make()?;
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(remembered.verifier.clone()));
        let mut parameters = vec![
            ("client_id", self.options.client_id.as_str()),
            ("redirect_uri", &start.redirect_uri),
            ("response_type", "code"),
            ("scope", SCOPES),
            ("state", &start.state),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
        ];
        if start.anew {
            // GitHub asks nobody for their password again; it lets them say which account is theirs.
            parameters.push(("prompt", "select_account"));
        }
        let location = Url::parse_with_params(&format!("{}/login/oauth/authorize", self.options.site), parameters);
        let location = location.map_err(|error| ProviderError::Room(Box::new(error)))?;
        Ok(Begun { location: location.into(), remembered: remembered.to_value() })
    }

    async fn identity(&self, back: &Back) -> Result<Identity, ProviderError> {
        let (code, remembered) = (back.code()?, Remembered::read(back)?);
        let token = self.exchange(code, &remembered, &back.redirect_uri).await?;
        let profile: Profile = self.ask("/user", &token).await?;
        // The address of the profile is whatever its owner shows: only this list says what is verified.
        let addresses: Vec<Address> = self.ask("/user/emails", &token).await?;
        let primary = addresses.into_iter().find(|address| address.primary);
        let email = primary.and_then(|found| Some(ProvidedEmail { address: found.email.parse().ok()?, verified: found.verified }));
        let name = profile.name.filter(|name| !name.trim().is_empty()).or(Some(profile.login));
        Ok(Identity { account: profile.id.to_string(), email, name, avatar: profile.avatar_url })
    }

    async fn exchange(&self, code: &str, remembered: &Remembered, redirect_uri: &str) -> Result<String, ProviderError> {
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("client_id", &self.options.client_id)
            .append_pair("client_secret", &self.options.client_secret)
            .append_pair("code", code)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("code_verifier", &remembered.verifier)
            .finish();
        let request = Request::post(format!("{}/login/oauth/access_token", self.options.site))
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form.into_bytes())
            .map_err(|error| ProviderError::Room(Box::new(error)))?;
        let tokens: Tokens = self.outbound.json(request).await.map_err(|error| ProviderError::Exchange(Box::new(error)))?;
        match tokens {
            Tokens { access_token: Some(token), error: None } => Ok(token),
            Tokens { error, .. } => Err(ProviderError::Exchange(format!("GitHub answered {error:?}").into())),
        }
    }

    async fn ask<T: serde::de::DeserializeOwned>(&self, path: &str, token: &str) -> Result<T, ProviderError> {
        let request = Request::get(format!("{}{path}", self.options.api))
            .header(header::ACCEPT, "application/vnd.github+json")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header("X-GitHub-Api-Version", VERSION)
            .body(Vec::new())
            .map_err(|error| ProviderError::Profile(Box::new(error)))?;
        self.outbound.json(request).await.map_err(|error| ProviderError::Profile(Box::new(error)))
    }
}

impl Provider for GitHub {
    fn id(&self) -> &str {
        &self.options.id
    }

    fn label(&self) -> &str {
        &self.options.label
    }

    fn issuer(&self) -> String {
        self.options.site.trim_end_matches('/').to_owned()
    }

    fn begin<'a>(&'a self, _: &'a dyn Room, start: &'a Start) -> Promise<'a, Result<Begun, ProviderError>> {
        Box::pin(async { self.location(start) })
    }

    fn finish<'a>(&'a self, _: &'a dyn Room, back: &'a Back) -> Promise<'a, Result<Identity, ProviderError>> {
        Box::pin(self.identity(back))
    }
}
