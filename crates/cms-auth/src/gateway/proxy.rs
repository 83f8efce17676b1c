//! What is asked of the gateway, and what is believed of it.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cms_domain::{time::Timestamp, user::Email};
use http::{Request, header};
use openidconnect::{
    JsonWebKey,
    core::{CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm},
};
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

use crate::{
    address::is_safe,
    outbound::{Outbound, OutboundError},
    provider::Cause,
    token::{self, TokenHash},
};

use super::{GatewayError, GatewayOptions, GatewayOptionsError, Vouched};

/// How far the gateway's clock may be from ours.
const SKEW: Duration = Duration::from_mins(1);
/// How long keys are believed: a key that the gateway gave up is good for nothing after that.
const BELIEVED: Duration = Duration::from_hours(1);
/// How soon the gateway may be asked for its keys again when a key is not known: statements with made-up keys must not become
/// requests to the gateway.
const ASKED_AGAIN: Duration = Duration::from_mins(1);
/// The same after it could not be asked: soon enough that people hardly wait once it is there again.
const TRIED_AGAIN: Duration = Duration::from_secs(5);
/// How long what the gateway says of a person is believed: somebody taken out of a group is out of it soon.
const REMEMBERED: Duration = Duration::from_mins(1);
/// How many people are remembered: 10,000 take some megabytes.
const MANY: usize = 10_000;
/// The longest statement that is read. Headers of requests are not longer.
const LONG: usize = 16 * 1024;

/// The gateway.
pub struct Gateway {
    options: GatewayOptions,
    outbound: Outbound,
    /// Its keys, and when it gave them.
    keys: Mutex<Option<(Timestamp, CoreJsonWebKeySet)>>,
    /// From when on it may be asked for them. Held by whoever asks.
    asked_again: tokio::sync::Mutex<Timestamp>,
    people: Mutex<HashMap<TokenHash, Vouched>>,
}

#[derive(Deserialize)]
struct Head {
    alg: String,
    kid: Option<String>,
    /// Extensions that must be understood (RFC 7515, section 4.1.11). None is.
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    exp: f64,
    nbf: Option<f64>,
    iat: Option<f64>,
    email: Option<String>,
}

/// One name, or several (RFC 7519, section 4.1.3).
#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct Known {
    email: Option<String>,
    name: Option<String>,
    groups: Option<Vec<Group>>,
}

/// Some identity providers give groups as names, others as things with a name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Group {
    Name(String),
    Thing { name: Option<String> },
}

impl Gateway {
    /// A gateway.
    pub fn new(options: GatewayOptions, outbound: Outbound) -> Result<Self, GatewayOptionsError> {
        let origin =
            options.team_domain.parse::<Url>().ok().filter(|url| is_safe(url) && url.origin().ascii_serialization() == options.team_domain);
        if origin.is_none() {
            return Err(GatewayOptionsError(options.team_domain));
        }
        let asked_again = tokio::sync::Mutex::new(Timestamp::from_milliseconds(0));
        Ok(Self { options, outbound, keys: Mutex::default(), asked_again, people: Mutex::default() })
    }

    /// Who a statement is about, if the gateway made it, for us, and not too long ago.
    pub async fn vouch(&self, statement: &str, now: Timestamp) -> Result<Vouched, GatewayError> {
        let hash = token::hash(statement);
        if let Some(known) = self.remembered(&hash, now) {
            return Ok(known);
        }
        let (email, expires_at) = self.verify(statement, now).await?;
        let known = self.ask(statement).await?;
        let told: Email = known.email.ok_or(GatewayError::Disagreement)?.parse().map_err(|_| GatewayError::Disagreement)?;
        if told != email {
            return Err(GatewayError::Disagreement);
        }
        let groups = known.groups.unwrap_or_default().into_iter().filter_map(|group| match group {
            Group::Name(name) => Some(name),
            Group::Thing { name } => name,
        });
        let vouched = Vouched {
            email,
            name: known.name.filter(|name| !name.trim().is_empty()),
            groups: groups.collect(),
            believed_until: now.after(REMEMBERED).min(expires_at),
        };
        self.remember(hash, &vouched);
        Ok(vouched)
    }

    /// Whose address a statement has, and until when. Everything that it says is checked here.
    async fn verify(&self, statement: &str, now: Timestamp) -> Result<(Email, Timestamp), GatewayError> {
        if statement.len() > LONG {
            return Err(GatewayError::Malformed);
        }
        let (signed, signature) = statement.rsplit_once('.').ok_or(GatewayError::Malformed)?;
        let (head, claims) = signed.split_once('.').ok_or(GatewayError::Malformed)?;
        let (head, signature) = (decode::<Head>(head)?, URL_SAFE_NO_PAD.decode(signature).map_err(|_| GatewayError::Malformed)?);
        // The two that a gateway uses: the statement does not choose how it is checked, beyond which of its keys it names.
        let algorithm = match head.alg.as_str() {
            "RS256" => CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
            "ES256" => CoreJwsSigningAlgorithm::EcdsaP256Sha256,
            _ => return Err(GatewayError::Algorithm),
        };
        if head.crit.is_some() {
            return Err(GatewayError::Malformed);
        }
        let key = self.key(&head.kid.ok_or(GatewayError::Key)?, now).await?;
        key.verify_signature(&algorithm, signed.as_bytes(), &signature).map_err(|_| GatewayError::Signature)?;
        let claims: Claims = decode(claims)?;
        if claims.iss != self.options.team_domain {
            return Err(GatewayError::Issuer);
        }
        let ours = match &claims.aud {
            Audience::One(name) => *name == self.options.audience,
            Audience::Several(names) => names.contains(&self.options.audience),
        };
        if !ours {
            return Err(GatewayError::Audience);
        }
        let expires_at = at(claims.exp)?;
        let too_early = |seconds: Option<f64>| seconds.map_or(Ok(false), |seconds| Ok(at(seconds)? > now.after(SKEW)));
        if expires_at.after(SKEW) <= now || too_early(claims.nbf)? || too_early(claims.iat)? {
            return Err(GatewayError::Time);
        }
        let email = claims.email.ok_or(GatewayError::Nobody)?.parse().map_err(|_| GatewayError::Nobody)?;
        Ok((email, expires_at.after(SKEW)))
    }

    /// The gateway's key with an id. One that is not known may be new.
    async fn key(&self, id: &str, now: Timestamp) -> Result<CoreJsonWebKey, GatewayError> {
        if let Some(key) = self.known_key(id, now) {
            return Ok(key);
        }
        // Whoever comes meanwhile waits: one question is enough. Those whose key is known do not.
        let mut asked_again = self.asked_again.lock().await;
        if let Some(key) = self.known_key(id, now) {
            return Ok(key);
        }
        if now < *asked_again {
            let has_keys = self.keys().as_ref().is_some_and(|(read_at, _)| read_at.after(BELIEVED) > now);
            return Err(if has_keys { GatewayError::Key } else { unavailable("it could not be asked for its keys a moment ago") });
        }
        *asked_again = now.after(TRIED_AGAIN);
        let address = format!("{}{}", self.options.team_domain, self.options.certs_path);
        let set = self.outbound.get(&address).await.map_err(unavailable)?;
        *asked_again = now.after(ASKED_AGAIN);
        *self.keys() = Some((now, set));
        self.known_key(id, now).ok_or(GatewayError::Key)
    }

    /// The gateway's key with an id, as far as it was told lately.
    fn known_key(&self, id: &str, now: Timestamp) -> Option<CoreJsonWebKey> {
        let keys = self.keys();
        let (_, set) = keys.as_ref().filter(|(read_at, _)| read_at.after(BELIEVED) > now)?;
        set.keys().iter().find(|key| key.key_id().is_some_and(|known| known.as_str() == id)).cloned()
    }

    fn keys(&self) -> MutexGuard<'_, Option<(Timestamp, CoreJsonWebKeySet)>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the gateway knows of whoever has a statement.
    async fn ask(&self, statement: &str) -> Result<Known, GatewayError> {
        let request = Request::get(format!("{}{}", self.options.team_domain, self.options.identity_path))
            .header(header::ACCEPT, "application/json")
            .header(header::COOKIE, format!("{}={statement}", self.options.cookie))
            .body(Vec::new())
            .map_err(unavailable)?;
        match self.outbound.json(request).await {
            Ok(known) => Ok(known),
            Err(OutboundError::Status(status)) if status.is_client_error() => Err(GatewayError::Unknown),
            Err(error) => Err(unavailable(error)),
        }
    }

    fn remembered(&self, hash: &TokenHash, now: Timestamp) -> Option<Vouched> {
        let people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        people.get(hash).filter(|vouched| vouched.believed_until > now).cloned()
    }

    fn remember(&self, hash: TokenHash, vouched: &Vouched) {
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        if people.len() >= MANY {
            people.clear();
        }
        people.insert(hash, vouched.clone());
    }
}

fn decode<T: DeserializeOwned>(part: &str) -> Result<T, GatewayError> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| GatewayError::Malformed)?;
    serde_json::from_slice(&bytes).map_err(|_| GatewayError::Malformed)
}

/// Seconds since 1970, perhaps with a fraction (RFC 7519, section 2).
fn at(seconds: f64) -> Result<Timestamp, GatewayError> {
    // The year 2500: what is beyond is a mistake, and would not fit.
    const END: f64 = 16_725_225_600.0;
    if !(0.0..=END).contains(&seconds) {
        return Err(GatewayError::Time);
    }
    let whole = Duration::from_secs_f64(seconds).as_millis();
    Ok(Timestamp::from_milliseconds(i64::try_from(whole).map_err(|_| GatewayError::Time)?))
}

fn unavailable(cause: impl Into<Cause>) -> GatewayError {
    GatewayError::Unavailable(cause.into())
}

#[cfg(test)]
mod statements;
