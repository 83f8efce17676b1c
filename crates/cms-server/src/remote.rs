//! Another server, as a program of this product talks to it: discovery (RFC 8414), the device grant (RFC 8628), refreshing
//! (RFC 6749), revocation (RFC 7009), and the operations of its REST API.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use cms_auth::{address::is_safe, outbound::Outbound};
use cms_core::{
    descriptor::Declaration,
    operation::{Gives, Http, Surface, Takes},
};
use cms_http_api::RouteRequest;
use http::{Request, Response, StatusCode, header};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use url::{Url, form_urlencoded};

/// What this program calls itself: every server knows it.
const CLIENT: &str = "cms-cli";
/// How the device grant is called (RFC 8628, 3.4).
const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// How long to wait between two questions when the server does not say (RFC 8628, 3.2).
const INTERVAL: u64 = 5;
/// How much longer to wait when the server says that it is asked too often, or is not reached (RFC 8628, 3.5).
const SLOWER: Duration = Duration::from_secs(5);
/// How long a server may take to answer: a little longer than it gives itself.
const TIME: Duration = Duration::from_secs(70);
/// The largest answer that is read: the largest page of the largest entries.
const SIZE: usize = 64 << 20;
/// Path of a server that was given without one.
const PREFIX: &str = "/_cms";

/// Another server.
pub(crate) struct Remote {
    http: Outbound,
    metadata: Metadata,
}

/// What a server says of itself (RFC 8414, 2).
#[derive(Debug, Deserialize)]
struct Metadata {
    issuer: String,
    token_endpoint: String,
    device_authorization_endpoint: Option<String>,
    revocation_endpoint: Option<String>,
}

/// What to tell the user, and what to ask with (RFC 8628, 3.2).
#[derive(Deserialize)]
pub(crate) struct Device {
    #[serde(rename = "device_code")]
    code: String,
    pub(crate) user_code: String,
    pub(crate) verification_uri: String,
    pub(crate) verification_uri_complete: Option<String>,
    pub(crate) expires_in: u64,
    interval: Option<u64>,
}

/// What opens the server (RFC 6749, 5.1).
#[derive(Deserialize)]
pub(crate) struct Tokens {
    pub(crate) access_token: String,
    pub(crate) refresh_token: Option<String>,
    pub(crate) expires_in: Option<u64>,
    pub(crate) scope: Option<String>,
}

/// Why a server gives no tokens (RFC 6749, 5.2).
#[derive(Debug, Deserialize, thiserror::Error)]
#[error("{error}{}", .error_description.as_deref().map(|text| format!(": {text}")).unwrap_or_default())]
pub(crate) struct Refused {
    pub(crate) error: String,
    error_description: Option<String>,
}

/// Why a server did not do an operation.
#[derive(Debug, Deserialize, thiserror::Error)]
#[error("[{code}] {message}")]
pub(crate) struct Told {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) details: Option<Value>,
}

/// Who the user is.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    pub(crate) email: String,
    pub(crate) name: Option<String>,
    pub(crate) role: u8,
    #[serde(default)]
    pub(crate) scopes: Vec<String>,
}

/// The issuer that an address means: `https://cms.example`, with or without the path that everything is below.
pub(crate) fn issuer(address: &str) -> anyhow::Result<String> {
    let url: Url = address.parse().with_context(|| format!("`{address}`: expected an address as in https://cms.example.org"))?;
    ensure!(is_safe(&url), "`{address}`: expected `https://`; only a server on this machine may be without");
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/admin").unwrap_or(path);
    let path = if path.is_empty() { PREFIX } else { path };
    Ok(format!("{}{path}", url.origin().ascii_serialization()))
}

impl Remote {
    /// Finds out how to talk to the server that is an issuer.
    pub(crate) async fn discover(issuer: &str) -> anyhow::Result<Self> {
        let url: Url = issuer.parse()?;
        let origin = url.origin();
        let address = format!("{}/.well-known/oauth-authorization-server{}", origin.ascii_serialization(), url.path());
        let http = Outbound::within(TIME, SIZE)?;
        let metadata: Metadata = http.get(&address).await.with_context(|| format!("there is no server to sign in to at {address}"))?;
        // Somebody else's document would send our tokens to them (RFC 8414, 3.3).
        ensure!(metadata.issuer == issuer, "{address} is the document of `{}`", metadata.issuer);
        let endpoints =
            [Some(&metadata.token_endpoint), metadata.device_authorization_endpoint.as_ref(), metadata.revocation_endpoint.as_ref()];
        for endpoint in endpoints.into_iter().flatten() {
            let same = endpoint.parse::<Url>().is_ok_and(|endpoint| endpoint.origin() == origin);
            ensure!(same, "{address} names `{endpoint}`, which is not on the same server");
        }
        Ok(Self { http, metadata })
    }

    /// Asks for a code that the user approves in a browser.
    pub(crate) async fn begin(&self, scopes: &[String]) -> anyhow::Result<Device> {
        let Some(endpoint) = &self.metadata.device_authorization_endpoint else {
            bail!("the server does not let programs sign in by a code");
        };
        let scope = scopes.join(" ");
        let mut form = vec![("client_id", CLIENT)];
        if !scope.is_empty() {
            form.push(("scope", &scope));
        }
        read(&self.post(endpoint, &form).await?)
    }

    /// Asks until the user has decided, as often as the server likes it, and no longer than the code is good for.
    pub(crate) async fn wait(&self, device: &Device) -> anyhow::Result<Tokens> {
        let mut pause = Duration::from_secs(device.interval.unwrap_or(INTERVAL));
        let deadline = tokio::time::Instant::now() + Duration::from_secs(device.expires_in);
        let form = [("grant_type", DEVICE_GRANT), ("device_code", &device.code), ("client_id", CLIENT)];
        while tokio::time::Instant::now() + pause < deadline {
            tokio::time::sleep(pause).await;
            let Ok(answer) = self.post(&self.metadata.token_endpoint, &form).await else {
                pause += SLOWER;
                continue;
            };
            match read::<Tokens>(&answer) {
                Ok(tokens) => return Ok(tokens),
                Err(error) => match error.downcast_ref::<Refused>().map(|refused| refused.error.as_str()) {
                    Some("authorization_pending") => {}
                    Some("slow_down") => pause += SLOWER,
                    Some("access_denied") => bail!("the sign-in was denied in the browser"),
                    Some("expired_token") => break,
                    None if answer.status().is_server_error() || answer.status() == StatusCode::TOO_MANY_REQUESTS => pause += SLOWER,
                    _ => return Err(error),
                },
            }
        }
        bail!("nobody entered the code in time: sign in again")
    }

    /// New tokens for a refresh token, which is spent.
    pub(crate) async fn refresh(&self, refresh_token: &str) -> anyhow::Result<Tokens> {
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token), ("client_id", CLIENT)];
        read(&self.post(&self.metadata.token_endpoint, &form).await?)
    }

    /// Ends what a token was granted.
    pub(crate) async fn revoke(&self, token: &str) -> anyhow::Result<()> {
        let Some(endpoint) = &self.metadata.revocation_endpoint else { bail!("the server does not take tokens back") };
        let answer = self.post(endpoint, &[("token", token), ("client_id", CLIENT)]).await?;
        ensure!(answer.status().is_success(), "the server answered with status {}", answer.status());
        Ok(())
    }

    /// Asks for an answer of the API; nothing when the access token is not good any more.
    pub(crate) async fn ask(&self, access_token: &str, asked: &RouteRequest) -> anyhow::Result<Option<Response<Vec<u8>>>> {
        let request = Request::builder()
            .method(asked.method.clone())
            .uri(format!("{}/api{}", self.metadata.issuer, asked.path))
            .header(header::ACCEPT, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {access_token}"));
        let request = match &asked.body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(serde_json::to_vec(body)?)?,
            None => request.body(Vec::new())?,
        };
        let answer = self.http.send(request).await.context("the server cannot be reached")?;
        Ok((answer.status() != StatusCode::UNAUTHORIZED).then_some(answer))
    }

    async fn post(&self, endpoint: &str, form: &[(&str, &str)]) -> anyhow::Result<Response<Vec<u8>>> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request = Request::post(endpoint)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(body.into_bytes())?;
        self.http.send(request).await.context("the server cannot be reached")
    }
}

/// A successful answer; of another one, why.
fn read<T: DeserializeOwned>(answer: &Response<Vec<u8>>) -> anyhow::Result<T> {
    if answer.status().is_success() {
        return serde_json::from_slice(answer.body()).context("the server's answer cannot be read");
    }
    if let Ok(refused) = serde_json::from_slice::<Refused>(answer.body()) {
        return Err(refused.into());
    }
    Err(why(answer))
}

/// What the API answers, out of its envelope.
pub(crate) fn answered(http: &Http, answer: &Response<Vec<u8>>) -> anyhow::Result<Value> {
    if !answer.status().is_success() {
        return Err(why(answer));
    }
    let media_type = answer.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if let Gives::Text(text) = http.gives
        && media_type == text.media_type
    {
        return Ok(json!({ text.member: String::from_utf8_lossy(answer.body()) }));
    }
    let mut envelope: Value = serde_json::from_slice(answer.body()).context("the server's answer cannot be read")?;
    Ok(envelope["data"].take())
}

/// Why the API did not do what it was asked to.
fn why(answer: &Response<Vec<u8>>) -> anyhow::Error {
    let mut told: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
    match serde_json::from_value::<Told>(told["error"].take()) {
        Ok(told) => told.into(),
        Err(_) => anyhow::anyhow!("the server answered with status {}, and gives no reason", answer.status()),
    }
}

/// An operation as a request to another server, if that is a way to do it.
pub(crate) fn request(operation: &Declaration, input: &Map<String, Value>) -> anyhow::Result<RouteRequest> {
    let Declaration { id, http, .. } = operation;
    ensure!(http.surface != Surface::None, "`{id}` is the operator's alone: it can be called where the database is");
    let is_plain = matches!((http.takes, http.gives), (Takes::Json, Gives::Envelope | Gives::Text(_)));
    ensure!(is_plain, "`{id}` does not take and give JSON at a server, and cannot be called there");
    Ok(RouteRequest::new(http, input)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_means_the_issuer_below_it() {
        for (address, expected) in [
            ("https://cms.example", "https://cms.example/_cms"),
            ("https://CMS.example/", "https://cms.example/_cms"),
            ("https://cms.example/_cms/admin/", "https://cms.example/_cms"),
            ("https://cms.example/content", "https://cms.example/content"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/_cms"),
        ] {
            assert_eq!(issuer(address).unwrap(), expected);
        }
        for address in ["cms.example", "http://cms.example", "ftp://localhost", ""] {
            assert!(issuer(address).is_err(), "{address}");
        }
    }
}
