//! Signing in at a provider: the redirects there and back, and the pages that providers have themselves.

use std::{collections::BTreeMap, sync::Arc};

use axum::response::Response;
use cms_accounts::{
    Services,
    provider_sign_in::Landing,
    providers::{self, provider::PageRequest},
    wires,
};
use cms_frame::{
    Code, Error,
    catalog::{Wire, kept},
    operation::{Gives, Http, to_the_end},
};
use http::{HeaderValue, header};
use serde_json::{Map, Value, json};

use super::{Asked, Raw, found, member};
use crate::{caller, error::note, query, shared::Shared};

/// What of a query is not for the provider's form.
const OURS: &str = "return";
/// What no query has: an invitation is a secret, and addresses are written down wherever they pass. It goes in a body, to
/// `provider.begin` as an operation.
const SECRET: &str = "invite";

/// The redirects, and the pages; none in a program that leaves them out.
pub(crate) fn routes(shared: &Arc<Shared>) -> Vec<Raw> {
    if shared.cms.catalog().get(wires::TO_PROVIDER.id).is_none() {
        return Vec::new();
    }
    let redirects = [wires::TO_PROVIDER, wires::FROM_PROVIDER].map(|wire| {
        let (answering, refusing) = (Arc::clone(shared), Arc::clone(shared));
        let route = Raw::new(wire, move |asked| {
            let shared = Arc::clone(&answering);
            Box::pin(async move { redirect(&shared, wire, asked).await })
        });
        // A person is at this address: what went wrong is for the sign-in page to say, if the site has one.
        route.acting().refusing(move |_, error, _| match error.code() {
            Code::NotFound | Code::MethodNotAllowed => None,
            _ => found(&Landing::refused(refusing.cms.product(), error).location),
        })
    });
    let providers = Services::of(&shared.cms).providers.iter();
    let pages = providers.flat_map(|provider| {
        let id = provider.id().to_owned();
        provider.pages().into_iter().map(move |name| (id.clone(), name))
    });
    redirects.into_iter().chain(pages.map(|(provider, name)| page_route(shared, &provider, name))).collect()
}

fn begin(asked: &Asked) -> Result<Map<String, Value>, Error> {
    let (pairs, issues) = query::pairs(asked.parts.uri.query().unwrap_or_default());
    if pairs.iter().any(|(name, _)| name == SECRET) {
        return Err(Error::issue(SECRET, "NOT_IN_AN_ADDRESS", "is a secret: send it in a body"));
    }
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    let (ours, fields): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| name == OURS);
    let mut members: Map<String, Value> = ours.into_iter().map(|(name, value)| (name, value.into())).collect();
    members.insert("fields".to_owned(), fields.into_iter().map(|(name, value)| (name, Value::from(value))).collect());
    members.insert("provider".to_owned(), named(asked).into());
    Ok(members)
}

fn finish(asked: &Asked) -> Map<String, Value> {
    let (pairs, issues) = query::pairs(asked.parts.uri.query().unwrap_or_default());
    // What is given twice means one thing to us and another to somebody else: it is as good as not given.
    let parameters: BTreeMap<_, _> = if issues.is_empty() { pairs.into_iter().collect() } else { BTreeMap::new() };
    [("provider".to_owned(), named(asked).into()), ("parameters".to_owned(), json!(parameters))].into_iter().collect()
}

/// The provider in an address; nobody's name where it is not text.
fn named(asked: &Asked) -> String {
    asked.parameters.decoded().next().flatten().unwrap_or_default()
}

/// Does an operation to its end, even if the browser goes away meanwhile, and sends the browser on. What cannot be read counts against
/// the operation's limit too.
async fn redirect(shared: &Shared, wire: Wire, mut asked: Asked<'_>) -> Result<Response, Error> {
    let is_beginning = wire.id == wires::TO_PROVIDER.id;
    if is_beginning && caller::is_from_elsewhere(&asked.parts.headers) {
        // Nobody is signed in because another site led them here: on the sign-in page they decide (OWASP ASVS 5, 7.6.2).
        return sent_on(Some(&Landing::choice(shared.cms.product()).location));
    }
    let actor = asked.identify().await?;
    let operation = shared.operation(wire.id)?;
    let counted = shared.cms.count(&operation, asked.client).await.map_err(note)?;
    let members = if is_beginning { begin(&asked)? } else { finish(&asked) };
    let invocation = operation.read(members).map_err(note)?;
    let mut answer = shared.perform(true, actor, asked.client.clone(), invocation, counted).await?;
    let cookies = std::mem::take(&mut answer.cookies);
    let Gives::Redirect(name) = wire.http.gives else { return Err(note(Error::internal("the route is not a redirect"))) };
    let mut response = sent_on(member(&answer, name)?.as_deref())?;
    shared.callers.cookies.set(response.headers_mut(), &cookies, shared.cms.now());
    Ok(response)
}

/// What operations answer is an address, or a path of graphic characters.
fn sent_on(address: Option<&str>) -> Result<Response, Error> {
    address.and_then(found).ok_or_else(|| note(Error::internal("an operation sends the browser nowhere")))
}

fn page_route(shared: &Arc<Shared>, provider: &str, name: String) -> Raw {
    let is_elsewhere = name.starts_with('/');
    let path =
        if is_elsewhere { name.clone() } else { wires::PROVIDER_PAGE.http.path.replace("{provider}", provider).replace("{page}", &name) };
    let wire = Wire::new(wires::PROVIDER_PAGE.id, Http { path: kept(&path), ..wires::PROVIDER_PAGE.http });
    let (shared, provider) = (Arc::clone(shared), provider.to_owned());
    let route = Raw::new(wire, move |asked| {
        let page = PageRequest { path: name.clone(), query: asked.parts.uri.query().unwrap_or_default().to_owned() };
        let (shared, provider) = (Arc::clone(&shared), provider.clone());
        Box::pin(async move { show(&shared, provider, page).await })
    });
    if is_elsewhere { route.elsewhere() } else { route }
}

async fn show(shared: &Shared, provider: String, asked: PageRequest) -> Result<Response, Error> {
    let cms = shared.cms.clone();
    let page = to_the_end(false, shared.time, async move { providers::page(&cms, &provider, &asked).await }).await.map_err(note)?;
    let mut response = Response::new(page.body.into());
    let headers = response.headers_mut();
    let kind = HeaderValue::try_from(page.content_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_TYPE, kind);
    let keeping = if page.max_age == 0 { "no-store".to_owned() } else { format!("public, max-age={}", page.max_age) };
    headers.insert(header::CACHE_CONTROL, HeaderValue::try_from(keeping).unwrap_or(HeaderValue::from_static("no-store")));
    if page.cross_origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    Ok(response)
}
