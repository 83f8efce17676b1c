//! Requests to providers: over TLS, never redirected, within a time and a size.

use std::{pin::Pin, sync::Arc, time::Duration};

use http::{Request, Response, header};
use openidconnect::AsyncHttpClient;
use serde::de::DeserializeOwned;
use url::Url;

use crate::address::is_safe;

/// How long a provider may take to answer: somebody waits before a blank page.
const TIME: Duration = Duration::from_secs(10);
/// The largest answer that is read. Metadata, keys and profiles have some kilobytes.
const SIZE: usize = 512 * 1024;

/// Sends requests to providers. A clone shares its connections.
#[derive(Debug, Clone)]
pub struct Outbound {
    client: reqwest::Client,
    /// The largest answer that is read, in bytes.
    size: usize,
}

/// Why a provider gave no answer that can be used. Nothing that it sent is told.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// The client cannot be made.
    #[error("TLS cannot be set up")]
    Tls(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Secrets and identities travel encrypted, except on this machine.
    #[error("the address of a provider begins with `https://`")]
    Plain,
    /// It could not be reached, or did not answer in time.
    #[error("the provider cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    /// It answered too much.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    /// It refused.
    #[error("the provider answered with status {0}")]
    Status(http::StatusCode),
    /// It answered something else than what it promises to.
    #[error("the provider's answer is not what its documentation says")]
    Shape,
}

impl Outbound {
    /// A client that trusts the roots of webpki-roots.
    pub fn new() -> Result<Self, OutboundError> {
        Self::within(TIME, SIZE)
    }

    /// The same for whoever answers within another time, or with more.
    pub fn within(time: Duration, size: usize) -> Result<Self, OutboundError> {
        let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| OutboundError::Tls(Box::new(error)))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .timeout(time)
            .user_agent(concat!("cms/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| OutboundError::Tls(Box::new(error)))?;
        Ok(Self { client, size })
    }

    /// Sends a request, and reads the whole answer, whatever its status.
    pub async fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, OutboundError> {
        let (parts, body) = request.into_parts();
        let address: Url = parts.uri.to_string().parse().map_err(|_| OutboundError::Plain)?;
        if !is_safe(&address) {
            return Err(OutboundError::Plain);
        }
        let request = self.client.request(parts.method, address).headers(parts.headers).body(body);
        let mut answer = request.send().await.map_err(unreachable)?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            headers.clone_from(answer.headers());
        }
        let mut read = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            if read.len() + chunk.len() > self.size {
                return Err(OutboundError::TooLarge(self.size));
            }
            read.extend_from_slice(&chunk);
        }
        response.body(read).map_err(|_| OutboundError::Shape)
    }

    /// Sends a request and reads the JSON of a successful answer.
    pub async fn json<T: DeserializeOwned>(&self, request: Request<Vec<u8>>) -> Result<T, OutboundError> {
        let answer = self.send(request).await?;
        if !answer.status().is_success() {
            return Err(OutboundError::Status(answer.status()));
        }
        serde_json::from_slice(answer.body()).map_err(|_| OutboundError::Shape)
    }

    /// Reads the JSON at an address.
    pub async fn get<T: DeserializeOwned>(&self, address: &str) -> Result<T, OutboundError> {
        let request = Request::get(address).header(header::ACCEPT, "application/json").body(Vec::new());
        self.json(request.map_err(|_| OutboundError::Plain)?).await
    }
}

/// The library's own text has the address with its query.
fn unreachable(error: reqwest::Error) -> OutboundError {
    OutboundError::Unreachable(error.without_url())
}

impl<'c> AsyncHttpClient<'c> for Outbound {
    type Error = OutboundError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Vec<u8>>, OutboundError>> + Send + 'c>>;

    fn call(&'c self, request: Request<Vec<u8>>) -> Self::Future {
        Box::pin(self.send(request))
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;
    use serde_json::{Value, json};

    use super::*;
    use crate::stand::Stand;

    async fn got(address: &str) -> Result<Value, OutboundError> {
        Outbound::new().unwrap().get(address).await
    }

    #[tokio::test]
    async fn an_answer_is_the_json_of_success_and_nothing_else() {
        let stand = Stand::open().await;
        let address = format!("{}/a?b=c", stand.origin);
        stand.says("/a", &json!({ "d": 1 }));
        assert_eq!(got(&address).await.unwrap(), json!({ "d": 1 }));
        assert_eq!(stand.asked("/a")[0].header(header::ACCEPT), "application/json");
        stand.answers("/a", StatusCode::OK, "no JSON");
        assert!(matches!(got(&address).await, Err(OutboundError::Shape)));
        stand.says("/elsewhere", &json!(2));
        for status in [StatusCode::FOUND, StatusCode::FORBIDDEN, StatusCode::BAD_GATEWAY] {
            stand.answers("/a", status, "1");
            assert!(matches!(got(&address).await, Err(OutboundError::Status(answered)) if answered == status), "{status}");
        }
    }

    #[tokio::test]
    async fn half_a_mebibyte_is_read_and_not_a_byte_more() {
        let stand = Stand::open().await;
        let address = format!("{}/a", stand.origin);
        // A text, and the quotation marks around it.
        for (length, read) in [(524_288, true), (524_289, false), (2_000_000, false)] {
            stand.says("/a", &json!("a".repeat(length - 2)));
            let answer = got(&address).await;
            assert_eq!(answer.is_ok(), read, "{length}");
            assert!(read || matches!(answer, Err(OutboundError::TooLarge(524_288))), "{length}");
        }
    }

    #[tokio::test]
    async fn nothing_is_sent_to_where_others_could_read_it() {
        for address in ["http://provider.example/", "a"] {
            assert!(matches!(got(address).await, Err(OutboundError::Plain)), "{address}");
        }
    }

    #[tokio::test]
    async fn an_error_does_not_repeat_the_address() {
        // Nothing listens on the first port.
        let error = got("http://127.0.0.1:1/a?code=s3cret").await.unwrap_err();
        assert!(matches!(error, OutboundError::Unreachable(_)) && !format!("{error:?}").contains("s3cret"), "{error:?}");
    }
}
