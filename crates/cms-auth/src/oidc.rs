//! Sign-in at providers of OpenID Connect, found by their issuer: Google is one of them.

use std::{sync::Arc, time::Duration};

use cms_domain::time::Timestamp;
use openidconnect::{
    AccessToken, AdditionalClaims, AdditionalProviderMetadata, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId,
    ClientSecret, CsrfToken, EmptyExtraTokenFields, IdToken, IdTokenClaims, IdTokenFields, IssuerUrl, Nonce, OAuth2TokenResponse,
    PkceCodeChallenge, PkceCodeVerifier, ProviderMetadata, RedirectUrl, Scope, SignatureVerificationError, StandardErrorResponse,
    StandardTokenResponse, TokenResponse,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreErrorResponseType,
        CoreGenderClaim, CoreGrantType, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm,
        CoreJwsSigningAlgorithm, CoreResponseMode, CoreResponseType, CoreRevocableToken, CoreRevocationErrorResponse,
        CoreSubjectIdentifierType, CoreTokenIntrospectionResponse, CoreTokenType, CoreUserInfoClaims,
    },
};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::{
    oauth::{self, Remembered},
    outbound::Outbound,
    provider::{Back, Begun, Cause, Identity, Promise, ProvidedEmail, Provider, ProviderError, Room, Start},
};

/// The issuer of Google.
pub const GOOGLE: &str = "https://accounts.google.com";

/// How long a provider's description of itself is believed. Its keys change at any time; see [`ASKED_AGAIN`].
const BELIEVED: Duration = Duration::from_hours(1);
/// How soon a provider may be asked for its keys again when it signed with one that is not known: answers with made-up keys
/// must not become requests to the provider.
const ASKED_AGAIN: Duration = Duration::from_mins(1);

/// How far the provider's clock may be from ours.
const CLOCKS_APART: Duration = Duration::from_mins(1);

/// The signatures that are accepted: made with a private key. A client's secret signs nothing, and no signature is none.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 8] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// How a provider of OpenID Connect is set up.
#[derive(Clone)]
pub struct OidcOptions {
    /// Names it in addresses.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Its issuer, exactly as it spells it: `https://accounts.google.com`.
    pub issuer: String,
    /// The client that is registered there.
    pub client_id: String,
    /// Its secret; none for a public client.
    pub client_secret: Option<String>,
    /// What is asked for besides `openid`.
    pub scopes: Vec<String>,
}

/// A provider of OpenID Connect.
pub struct Oidc {
    options: OidcOptions,
    issuer: IssuerUrl,
    outbound: Outbound,
    known: Mutex<Option<(Timestamp, Arc<Metadata>)>>,
}

/// What a provider may announce besides what OpenID Connect has it say.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Announced {
    /// That its answers say who answers (RFC 9207, section 3).
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for Announced {}

type Metadata = ProviderMetadata<
    Announced,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// What an ID token may say besides what OpenID Connect has it say.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Timed {
    /// Before when it is not to be believed, in seconds since 1970 (RFC 7519, section 4.1.5).
    #[serde(default)]
    nbf: Option<f64>,
}

impl AdditionalClaims for Timed {}

type Claims = IdTokenClaims<Timed, CoreGenderClaim>;
type SignedClaims = IdToken<Timed, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;
type TokenFields = IdTokenFields<Timed, EmptyExtraTokenFields, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

/// A client that knows the claims above.
type Client<
    Authorization = openidconnect::EndpointNotSet,
    Device = openidconnect::EndpointNotSet,
    Introspection = openidconnect::EndpointNotSet,
    Revocation = openidconnect::EndpointNotSet,
    Token = openidconnect::EndpointNotSet,
    UserInfo = openidconnect::EndpointNotSet,
> = openidconnect::Client<
    Timed,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    StandardTokenResponse<TokenFields, CoreTokenType>,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    Authorization,
    Device,
    Introspection,
    Revocation,
    Token,
    UserInfo,
>;

/// The issuer is not an address.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{0}` is not the address of an issuer")]
pub struct IssuerError(String);

impl Oidc {
    /// A provider. It is asked for its description when somebody signs in, so that one that is down keeps nobody from starting.
    pub fn new(options: OidcOptions, outbound: Outbound) -> Result<Self, IssuerError> {
        let issuer = IssuerUrl::new(options.issuer.clone()).map_err(|_| IssuerError(options.issuer.clone()))?;
        if !crate::address::is_safe(issuer.url()) {
            return Err(IssuerError(options.issuer));
        }
        Ok(Self { options, issuer, outbound, known: Mutex::new(None) })
    }

    /// What the provider says of itself, unless it was read within `age`.
    async fn metadata(&self, now: Timestamp, age: Duration) -> Result<Arc<Metadata>, ProviderError> {
        // Whoever comes meanwhile waits: one question is enough.
        let mut known = self.known.lock().await;
        if let Some((at, metadata)) = &*known
            && at.after(age) > now
        {
            return Ok(Arc::clone(metadata));
        }
        let read = Metadata::discover_async(self.issuer.clone(), &self.outbound)
            .await
            .map_err(|error| ProviderError::Unavailable(Box::new(error)))?;
        let metadata = Arc::new(read);
        *known = Some((now, Arc::clone(&metadata)));
        Ok(metadata)
    }

    fn secret(&self) -> Option<ClientSecret> {
        self.options.client_secret.clone().map(ClientSecret::new)
    }

    async fn start(&self, room: &dyn Room, start: &Start) -> Result<Begun, ProviderError> {
        let metadata = self.metadata(room.now(), BELIEVED).await?;
        let mut remembered = Remembered::make()?;
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(remembered.verifier.clone()));
        let client =
            Client::from_provider_metadata(Metadata::clone(&metadata), ClientId::new(self.options.client_id.clone()), self.secret())
                .set_redirect_uri(redirect(&start.redirect_uri)?);
        let (state, nonce) = (start.state.clone(), remembered.nonce.clone());
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), || Nonce::new(nonce))
            .set_pkce_challenge(challenge);
        for scope in self.options.scopes.iter().filter(|scope| *scope != "openid") {
            request = request.add_scope(Scope::new(scope.clone()));
        }
        if start.anew {
            remembered.signed_in_since = Some(room.now());
            // Google knows no `login`; whoever chooses their account there is asked as far as Google sees fit.
            let prompt = if self.issuer.as_str() == GOOGLE { CoreAuthPrompt::SelectAccount } else { CoreAuthPrompt::Login };
            request = request.add_prompt(prompt).set_max_age(Duration::ZERO);
        }
        let (location, ..) = request.url();
        if !crate::address::is_safe(&location) {
            return Err(ProviderError::Unavailable("the authorization endpoint is not encrypted".into()));
        }
        Ok(Begun { location: location.into(), remembered: remembered.to_value() })
    }

    async fn end(&self, room: &dyn Room, back: &Back) -> Result<Identity, ProviderError> {
        let metadata = self.metadata(room.now(), BELIEVED).await?;
        let announced = metadata.additional_metadata().authorization_response_iss_parameter_supported;
        oauth::check_issuer(back, self.issuer.as_str(), announced)?;
        let (code, remembered) = (back.code()?, Remembered::read(back)?);
        let mut client =
            Client::from_provider_metadata(Metadata::clone(&metadata), ClientId::new(self.options.client_id.clone()), self.secret())
                .set_redirect_uri(redirect(&back.redirect_uri)?);
        // Without a word of the provider it is the header (OpenID Connect Discovery, section 3).
        if let Some(methods) = metadata.token_endpoint_auth_methods_supported()
            && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        {
            client = client.set_auth_type(AuthType::RequestBody);
        }
        let exchange = client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(exchange)?;
        let exchange_code = exchange.set_pkce_verifier(PkceCodeVerifier::new(remembered.verifier));
        let tokens = exchange_code.request_async(&self.outbound).await.map_err(exchange_failed)?;
        let id_token = tokens.id_token().ok_or_else(|| ProviderError::Exchange("there is no ID token".into()))?;
        let claims = self.claims(room.now(), metadata, id_token, &Nonce::new(remembered.nonce)).await?;
        check_begun(claims.additional_claims().nbf, room.now())?;
        check_signed_in_since(
            remembered.signed_in_since,
            claims.auth_time().map(|at| Timestamp::from_milliseconds(at.timestamp_millis())),
        )?;
        let mut identity = Identity {
            account: claims.subject().to_string(),
            email: claims.email().and_then(|email| provided(email, claims.email_verified())),
            name: claims.name().and_then(|name| name.get(None)).map(|name| name.to_string()),
            avatar: claims.picture().and_then(|picture| picture.get(None)).map(|picture| picture.to_string()),
        };
        if identity.email.is_none() {
            self.complete(&client, tokens.access_token(), &claims, &mut identity).await?;
        }
        Ok(identity)
    }

    /// The claims of an ID token that is signed, for us, and of this sign-in.
    async fn claims(&self, now: Timestamp, metadata: Arc<Metadata>, token: &SignedClaims, nonce: &Nonce) -> Result<Claims, ProviderError> {
        match self.verified(&metadata, token, nonce) {
            // The provider changed its keys.
            Err(ClaimsVerificationError::SignatureVerification(
                SignatureVerificationError::NoMatchingKey | SignatureVerificationError::CryptoError(_),
            )) => {
                let metadata = self.metadata(now, ASKED_AGAIN).await?;
                self.verified(&metadata, token, nonce).map_err(exchange)
            }
            verified => verified.map_err(exchange),
        }
    }

    fn verified(&self, metadata: &Metadata, token: &SignedClaims, nonce: &Nonce) -> Result<Claims, ClaimsVerificationError> {
        let client = Client::from_provider_metadata(metadata.clone(), ClientId::new(self.options.client_id.clone()), None);
        let announced = metadata.id_token_signing_alg_values_supported();
        let accepted = ALGORITHMS.into_iter().filter(|algorithm| announced.contains(algorithm));
        token.claims(&client.id_token_verifier().set_allowed_algs(accepted), nonce).cloned()
    }

    /// Some providers put into the ID token what identifies, and tell the rest when asked (OpenID Connect Core, section 5.3).
    async fn complete(&self, client: &Ready, access: &AccessToken, claims: &Claims, identity: &mut Identity) -> Result<(), ProviderError> {
        // The answer is of the same person, or refused (section 5.3.2).
        let Ok(request) = client.user_info(access.clone(), Some(claims.subject().clone())) else { return Ok(()) };
        let told: CoreUserInfoClaims =
            request.request_async(&self.outbound).await.map_err(|error| ProviderError::Profile(Box::new(error)))?;
        identity.email = told.email().and_then(|email| provided(email, told.email_verified()));
        let name = told.name().and_then(|name| name.get(None)).map(|name| name.to_string());
        let avatar = told.picture().and_then(|picture| picture.get(None)).map(|picture| picture.to_string());
        identity.name = identity.name.take().or(name);
        identity.avatar = identity.avatar.take().or(avatar);
        Ok(())
    }
}

/// A client whose endpoints are known from the provider's description.
type Ready = Client<
    openidconnect::EndpointSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointMaybeSet,
    openidconnect::EndpointMaybeSet,
>;

/// Makes sure that somebody who had to sign in anew did, where the provider says when they did (OpenID Connect Core, section 2).
fn check_signed_in_since(since: Option<Timestamp>, said: Option<Timestamp>) -> Result<(), ProviderError> {
    match (since, said) {
        (Some(since), Some(said)) if said.after(CLOCKS_APART) < since => {
            Err(ProviderError::Exchange("the person was asked to sign in anew, and did not".into()))
        }
        _ => Ok(()),
    }
}

/// Makes sure that the time of an ID token has begun, if it says when that is (RFC 7519, section 4.1.5). Its end is the library's to check.
fn check_begun(not_before: Option<f64>, now: Timestamp) -> Result<(), ProviderError> {
    let latest = Duration::from_millis(now.after(CLOCKS_APART).milliseconds().try_into().unwrap_or_default());
    match not_before {
        Some(seconds) if seconds > latest.as_secs_f64() => Err(ProviderError::Exchange("the ID token is not valid yet".into())),
        _ => Ok(()),
    }
}

fn redirect(address: &str) -> Result<RedirectUrl, ProviderError> {
    RedirectUrl::new(address.to_owned()).map_err(|error| ProviderError::Room(Box::new(error)))
}

fn exchange(cause: impl Into<Cause>) -> ProviderError {
    ProviderError::Exchange(cause.into())
}

/// What the provider answered may hold tokens: of that, only what the library says of it is a cause.
fn exchange_failed(error: impl std::error::Error) -> ProviderError {
    ProviderError::Exchange(error.to_string().into())
}

/// An address that is none to us is none.
fn provided(email: &openidconnect::EndUserEmail, verified: Option<bool>) -> Option<ProvidedEmail> {
    Some(ProvidedEmail { address: email.parse().ok()?, verified: verified == Some(true) })
}

impl Provider for Oidc {
    fn id(&self) -> &str {
        &self.options.id
    }

    fn label(&self) -> &str {
        &self.options.label
    }

    fn issuer(&self) -> String {
        self.options.issuer.clone()
    }

    fn begin<'a>(&'a self, room: &'a dyn Room, start: &'a Start) -> Promise<'a, Result<Begun, ProviderError>> {
        Box::pin(self.start(room, start))
    }

    fn finish<'a>(&'a self, room: &'a dyn Room, back: &'a Back) -> Promise<'a, Result<Identity, ProviderError>> {
        Box::pin(self.end(room, back))
    }
}

#[cfg(test)]
mod signing_in;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_token_is_not_believed_before_its_time() {
        let now = Timestamp::from_milliseconds(1_000_000_500);
        for good in [None, Some(0.0), Some(-1.0), Some(1_000_000.5), Some(1_000_060.5)] {
            assert!(check_begun(good, now).is_ok(), "{good:?}");
        }
        for early in [1_000_060.6, 1_000_061.0, 4e9, f64::MAX, f64::INFINITY] {
            assert!(check_begun(Some(early), now).is_err(), "{early}");
        }
        // As it stands in a token, where it may have a fraction.
        for (token, says) in [("{}", None), (r#"{"nbf":7}"#, Some(7.0)), (r#"{"nbf":7.5}"#, Some(7.5))] {
            assert_eq!(serde_json::from_str::<Timed>(token).unwrap().nbf, says);
        }
    }

    #[test]
    fn somebody_who_had_to_sign_in_anew_and_did_not_is_refused() {
        let at = Timestamp::from_milliseconds;
        assert!(check_signed_in_since(Some(at(1_000_000)), Some(at(900_000))).is_err());
        for (since, said) in [(Some(at(1_000_000)), Some(at(940_000))), (Some(at(1_000_000)), None), (None, Some(at(0)))] {
            assert!(check_signed_in_since(since, said).is_ok(), "{since:?} {said:?}");
        }
    }
}
