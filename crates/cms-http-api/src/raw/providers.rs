//! Signing in at a provider: the redirects there and back, and the pages that providers have themselves.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{FromRequestParts, RawPathParams, Request, State},
    middleware,
    response::Response,
    routing,
};
use cms_core::{
    Cms, Code, Door, Error,
    accounts::{
        provider_sign_in::{BeginProviderSignIn, FinishProviderSignIn, Landing},
        providers::provider::PageRequest,
    },
    descriptor::Declaration,
    operation::Operation,
    refusal,
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use serde_json::{Map, Value, json};
use tracing::Instrument;

use crate::{
    caller::{self, Callers},
    error::{self, Challenge, note},
    options::HttpOptions,
    query, reply,
    request_id::RequestId,
};

/// What of a query is not for the provider's form.
const OURS: &str = "return";
/// What no query has: an invitation is a secret, and addresses are written down wherever they pass. It goes in a body, to
/// [`BeginProviderSignIn`] as an operation.
const SECRET: &str = "invite";

struct Endpoints {
    cms: Cms,
    callers: Callers,
    challenge: Challenge,
    time: Duration,
}

type Shared = State<Arc<Endpoints>>;

/// The redirects, and the pages.
pub(crate) fn routes(cms: Cms, options: &HttpOptions) -> Router {
    let root = options.root();
    let at = |template: &str| format!("{root}{template}");
    let endpoints = Arc::new(Endpoints {
        cms: cms.clone(),
        callers: Callers::new(options),
        challenge: Challenge::new(options),
        time: options.request_timeout,
    });
    // Whoever only looks where an address leads spends nothing.
    let get = |get: routing::MethodRouter<Arc<Endpoints>>| get.head(wrong_method).fallback(wrong_method);
    let mut router = Router::new()
        .route(&at("/auth/oauth/{provider}"), get(routing::get(begin)))
        .route(&at(FinishProviderSignIn::HTTP.path), get(routing::get(finish)));
    for provider in cms.services().providers.iter() {
        for name in provider.pages() {
            let address = if name.starts_with('/') { name.clone() } else { format!("{root}/auth/oauth/{}/{name}", provider.id()) };
            let id = provider.id().to_owned();
            let answer = move |State(endpoints): Shared, request: Request| async move { page(&endpoints, &id, name, request).await };
            router = router.route(&address, routing::get(answer).fallback(wrong_method));
        }
    }
    router.layer(middleware::from_fn(super::frame)).with_state(endpoints)
}

async fn begin(State(endpoints): Shared, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    if caller::is_from_elsewhere(&parts.headers) {
        // Nobody is signed in because another site led them here: on the sign-in page they decide (OWASP ASVS 5, 7.6.2).
        return found(&Landing::choice(endpoints.cms.options()).location);
    }
    let (pairs, issues) = query::pairs(parts.uri.query().unwrap_or_default());
    let tells = pairs.iter().any(|(name, _)| name == SECRET);
    let (ours, fields): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| name == OURS);
    let mut members: Map<String, Value> = ours.into_iter().map(|(name, value)| (name, value.into())).collect();
    members.insert("fields".to_owned(), fields.into_iter().map(|(name, value)| (name, Value::from(value))).collect());
    members.insert("provider".to_owned(), named(&mut parts).await.into());
    let begin = match issues {
        _ if tells => Err(Error::issue(SECRET, "NOT_IN_AN_ADDRESS", "is a secret: send it in a body")),
        issues if issues.is_empty() => endpoints.cms.read::<BeginProviderSignIn>(members),
        issues => Err(Error::invalid(issues)),
    };
    endpoints.redirect(&parts, begin, |begun| begun.url).await
}

async fn finish(State(endpoints): Shared, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let (pairs, issues) = query::pairs(parts.uri.query().unwrap_or_default());
    // What is given twice means one thing to us and another to somebody else: it is as good as not given.
    let parameters = if issues.is_empty() { pairs.into_iter().collect() } else { std::collections::BTreeMap::new() };
    let finish = FinishProviderSignIn { provider: named(&mut parts).await, parameters };
    endpoints.redirect(&parts, Ok(finish), |landing: Landing| landing.location).await
}

async fn page(endpoints: &Endpoints, provider: &str, name: String, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let asked = PageRequest { path: name, query: parts.uri.query().unwrap_or_default().to_owned() };
    let answered = tokio::time::timeout(endpoints.time, endpoints.cms.provider_page(provider, &asked)).await;
    let page = match answered {
        Ok(Ok(page)) => page,
        Ok(Err(error)) => return endpoints.error(&parts, &note(error)),
        Err(_) => return endpoints.error(&parts, &Error::new(Code::Busy)),
    };
    let mut response = Response::new(page.body.into());
    let headers = response.headers_mut();
    let kind = HeaderValue::try_from(page.content_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_TYPE, kind);
    let keeping = if page.max_age == 0 { "no-store".to_owned() } else { format!("public, max-age={}", page.max_age) };
    headers.insert(header::CACHE_CONTROL, HeaderValue::try_from(keeping).unwrap_or(HeaderValue::from_static("no-store")));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if page.cross_origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    response
}

/// The provider in an address. The address is one of ours: it has one.
async fn named(parts: &mut Parts) -> String {
    let parameters = RawPathParams::from_request_parts(parts, &()).await.ok();
    parameters.and_then(|parameters| parameters.iter().last().map(|(_, text)| text.to_owned())).unwrap_or_default()
}

impl Endpoints {
    /// Does an operation to its end, even if the browser goes away meanwhile, and sends the browser on. What cannot be read counts
    /// against the operation's limit too.
    async fn redirect<O: Operation>(
        &self,
        parts: &Parts,
        operation: Result<O, Error>,
        location: impl FnOnce(O::Output) -> String,
    ) -> Response {
        let mut user = None;
        let admitted = async {
            let sender = self.callers.identify(&self.cms, parts).await?;
            user = sender.actor.user();
            let counted = self.cms.count(&Declaration::of::<O>(), &sender.client).await?;
            Ok((sender, counted, operation?))
        };
        let (sender, counted, operation) = match admitted.await {
            Ok(admitted) => admitted,
            Err(error) => {
                let error = note(error);
                refusal::tell(&self.callers.client(parts, self.cms.now()), user, O::ID, &error);
                return self.refuse(parts, &error);
            }
        };
        let client = sender.client.clone();
        let cms = self.cms.clone();
        let run = async move { cms.call_counted(&sender.actor, Door::Rest, &sender.client, operation, Some(counted)).await };
        let done = match tokio::time::timeout(self.time, tokio::spawn(run.in_current_span())).await {
            Ok(Ok(Ok(done))) => done,
            Ok(Ok(Err(error))) => {
                refusal::tell(&client, user, O::ID, &error);
                return self.refuse(parts, &error);
            }
            Ok(Err(broken)) => return self.refuse(parts, &note(Error::internal(broken))),
            Err(_) => return self.refuse(parts, &Error::new(Code::Busy)),
        };
        let mut response = found(&location(done.output));
        self.callers.cookies.set(response.headers_mut(), &done.cookies, self.cms.now());
        response
    }

    /// A person is at this address: what went wrong is for the sign-in page to say, if the site has one.
    fn refuse(&self, parts: &Parts, error: &Error) -> Response {
        if error.code() == Code::NotFound {
            return self.error(parts, error);
        }
        found(&Landing::refused(self.cms.options(), error).location)
    }

    fn error(&self, parts: &Parts, error: &Error) -> Response {
        error::response(error, &self.challenge, &RequestId::of(&parts.headers))
    }
}

fn found(address: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::FOUND;
    let headers = response.headers_mut();
    // What operations answer is an address, or a path of graphic characters.
    headers.insert(header::LOCATION, HeaderValue::try_from(address).unwrap_or(HeaderValue::from_static("/")));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The address of this answer has a state in it, or a code.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

async fn wrong_method() -> Response {
    let failure =
        json!({ "success": false, "error": { "code": Code::MethodNotAllowed.as_str(), "message": Code::MethodNotAllowed.message() } });
    let mut response = reply::json(StatusCode::METHOD_NOT_ALLOWED, failure.to_string().into());
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
    response
}
