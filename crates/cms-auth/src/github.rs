//! Sign-in at GitHub, on its own site or on an Enterprise server.

use http::{Request, header};
use openidconnect::{PkceCodeChallenge, PkceCodeVerifier};
use serde::Deserialize;
use url::{Url, form_urlencoded};

use crate::{
    address::is_safe,
    oauth::Remembered,
    outbound::{Outbound, OutboundError},
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cms_domain::time::Timestamp;
    use openidconnect::PkceCodeChallenge;
    use serde_json::{Value, json};

    use super::*;
    use crate::stand::{At, Stand, parameters};

    const ROOM: At = At(Timestamp::from_milliseconds(0));

    fn at(stand: &Stand) -> GitHub {
        let options = GitHubOptions::new("client".to_owned(), "s3cret".to_owned());
        GitHub::new(GitHubOptions { site: stand.origin.clone(), api: stand.origin.clone(), ..options }, Outbound::new().unwrap()).unwrap()
    }

    async fn begun(github: &GitHub, anew: bool) -> Begun {
        let (state, redirect_uri) = ("state".to_owned(), "https://site.example/back".to_owned());
        github.begin(&ROOM, &Start { state, redirect_uri, fields: BTreeMap::new(), anew }).await.unwrap()
    }

    /// Who comes back to a sign-in with a code.
    async fn finished(github: &GitHub, remembered: Value) -> Result<Identity, ProviderError> {
        let parameters = [("code".to_owned(), "c0de".to_owned())].into();
        github.finish(&ROOM, &Back { parameters, remembered, redirect_uri: "https://site.example/back".to_owned() }).await
    }

    /// GitHub, where somebody agreed.
    async fn open() -> Stand {
        let stand = Stand::open().await;
        stand.says("/login/oauth/access_token", &json!({ "access_token": "t0ken" }));
        stand.says(
            "/user",
            &json!({ "id": 7, "login": "ada", "name": "Ada", "email": "shown@example.org", "avatar_url": "https://a.example/1" }),
        );
        stand.says(
            "/user/emails",
            &json!([
                { "email": "other@example.org", "primary": false, "verified": true },
                { "email": "ada@example.org", "primary": true, "verified": true },
            ]),
        );
        stand
    }

    #[test]
    fn it_is_called_what_its_options_say_and_vouches_as_its_site() {
        let github = |site: &str| {
            let options = GitHubOptions::new(String::new(), String::new());
            GitHub::new(GitHubOptions { site: site.to_owned(), ..options }, Outbound::new().unwrap())
        };
        let ours = github("https://github.com/").unwrap();
        assert_eq!((ours.id(), ours.label(), ours.issuer().as_str()), ("github", "GitHub", "https://github.com"));
        assert!(github("http://github.com").is_err() && github("github.com").is_err());
    }

    #[tokio::test]
    async fn the_browser_goes_there_with_a_challenge_whose_secret_stays_here() {
        let stand = open().await;
        let begun = begun(&at(&stand), false).await;
        let (address, query) = begun.location.split_once('?').unwrap();
        assert_eq!(address, format!("{}/login/oauth/authorize", stand.origin));
        let verifier = PkceCodeVerifier::new(begun.remembered["verifier"].as_str().unwrap().to_owned());
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&verifier);
        let expected = [
            ("client_id", "client"),
            ("redirect_uri", "https://site.example/back"),
            ("response_type", "code"),
            ("scope", "read:user user:email"),
            ("state", "state"),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
        ];
        assert_eq!(parameters(query), expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[tokio::test]
    async fn whoever_has_to_sign_in_anew_is_asked_which_account_is_theirs() {
        let stand = open().await;
        assert!(begun(&at(&stand), true).await.location.contains("&prompt=select_account"));
    }

    #[tokio::test]
    async fn a_code_is_exchanged_with_the_secret_and_the_verifier_for_who_somebody_is() {
        let stand = open().await;
        let github = at(&stand);
        let remembered = begun(&github, false).await.remembered;
        let identity = finished(&github, remembered.clone()).await.unwrap();
        let email = Some(ProvidedEmail { address: "ada@example.org".parse().unwrap(), verified: true });
        let (name, avatar) = (Some("Ada".to_owned()), Some("https://a.example/1".to_owned()));
        assert_eq!(identity, Identity { account: "7".to_owned(), email, name, avatar });
        let expected = [
            ("grant_type", "authorization_code"),
            ("client_id", "client"),
            ("client_secret", "s3cret"),
            ("code", "c0de"),
            ("redirect_uri", "https://site.example/back"),
            ("code_verifier", remembered["verifier"].as_str().unwrap()),
        ];
        let exchange = &stand.asked("/login/oauth/access_token")[0];
        assert_eq!(exchange.form(), expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        for path in ["/user", "/user/emails"] {
            assert_eq!(stand.asked(path)[0].header(header::AUTHORIZATION), "Bearer t0ken");
        }
    }

    #[tokio::test]
    async fn only_the_primary_address_counts_and_is_verified_where_the_list_says_so() {
        let stand = open().await;
        let github = at(&stand);
        let remembered = begun(&github, false).await.remembered;
        stand.says("/user", &json!({ "id": 7, "login": "ada", "name": " ", "email": "shown@example.org", "avatar_url": null }));
        for (emails, expected) in [
            (json!([{ "email": "ada@example.org", "primary": true, "verified": false }]), Some(("ada@example.org", false))),
            (json!([{ "email": "ada@example.org", "primary": false, "verified": true }]), None),
            (json!([{ "email": "ada", "primary": true, "verified": true }]), None),
        ] {
            stand.says("/user/emails", &emails);
            let identity = finished(&github, remembered.clone()).await.unwrap();
            let email = identity.email.as_ref().map(|email| (email.address.as_str(), email.verified));
            assert_eq!((email, identity.name.as_deref()), (expected, Some("ada")), "{emails}");
        }
    }

    #[tokio::test]
    async fn nobody_comes_back_without_a_token() {
        let stand = open().await;
        let github = at(&stand);
        let remembered = begun(&github, false).await.remembered;
        for answer in [json!({ "error": "bad_verification_code" }), json!({ "access_token": "t0ken", "error": "no" }), json!({})] {
            stand.says("/login/oauth/access_token", &answer);
            let refused = finished(&github, remembered.clone()).await;
            assert!(matches!(refused, Err(ProviderError::Exchange(_))), "{answer}: {refused:?}");
        }
        assert!(matches!(finished(&github, Value::Null).await, Err(ProviderError::Room(_))));
        assert!(stand.asked("/user").is_empty());
    }
}
