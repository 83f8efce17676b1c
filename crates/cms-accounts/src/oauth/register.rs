//! Applications that register themselves (RFC 7591).
//!
//! Nobody vouches for them: users see where they are sent, and nothing is sent anywhere before a user decided.

use std::time::Duration;

use cms_domain::access::{Access, Scope, Scopes, to};
use cms_frame::{
    Code, Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::StoredClient;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Answer, FaultCode, SCOPE,
    answer::{self, Stop, refuse},
    client::{self, GrantType, REDIRECT_URIS},
    redirect_uri, scopes,
};
use crate::vouched;

/// How many applications that registered themselves there are at a time. Unused ones go after a week, and sooner when others need their
/// place; ten thousand rows of at most 10 kB are room for every agent of a large organization, and no more than a database notices.
pub(super) const REGISTERED: i64 = 10_000;
/// How often a place is looked for: of those who register at the same time only one gets the place that becomes free.
const ATTEMPTS: usize = 3;
/// How many bytes the addresses of an application have together: twenty ordinary ones, or four of the longest.
const REDIRECT_URIS_TOGETHER: usize = 8_000;
/// How many one address may register a day: enough for an office, and too few to fill the room from one place.
const A_DAY: Limit = Limit { times: 100, within: Duration::from_hours(24) };

/// Register an application.
///
/// The request and the answer are those of RFC 7591, 2 and 3.2.1. Metadata that means nothing here is left out, as section 2 asks.
#[derive(Clone, Deserialize, JsonSchema)]
pub struct RegisterOAuthClient {
    /// What the application says of itself.
    pub metadata: Map<String, Value>,
}

/// What an application is known by from now on.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Registration {
    /// What it calls itself in every request.
    pub client_id: String,
    /// When it was registered, in seconds since 1970.
    pub client_id_issued_at: i64,
    /// What users are shown.
    pub client_name: String,
    /// Where browsers may be sent with an answer.
    pub redirect_uris: Vec<String>,
    /// How it gets tokens.
    pub grant_types: Vec<String>,
    /// `code` where it may ask for codes.
    pub response_types: Vec<&'static str>,
    /// Always `none`: it has no secret.
    pub token_endpoint_auth_method: &'static str,
    /// What it may ask for at most.
    pub scope: String,
}

impl Operation for RegisterOAuthClient {
    const ID: &'static str = "oauth.register";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    type Output = Answer<Registration>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Answer<Registration>, Error> {
        answer::answer(register(cx, &self.metadata).await)
    }
}

async fn register(cx: &mut Cx<'_>, metadata: &Map<String, Value>) -> Result<Registration, Stop> {
    let (client, scopes) = described(cx, metadata)?;
    cx.admit("oauth.register a day", A_DAY).await?;
    make_room(cx).await?;
    let permit = vouched::by(&client, to::ManageConnections)?;
    cx.tx().await?.oauth_clients().insert(&permit, &client).await?;
    cx.audit("oauth_client", &client.id, &json!({ "name": client.name, "redirectUris": client.redirect_uris, "scopes": client.scopes }));
    let response_types = if GrantType::AuthorizationCode.is_of(&client) { vec!["code"] } else { Vec::new() };
    Ok(Registration {
        client_id_issued_at: client.created_at.milliseconds().div_euclid(1000),
        response_types,
        token_endpoint_auth_method: "none",
        scope: scopes::text(&scopes),
        client_id: client.id,
        client_name: client.name,
        redirect_uris: client.redirect_uris,
        grant_types: client.grant_types,
    })
}

/// Makes sure that there is room for one more: of those that nobody ever granted anything the oldest gives way. So whoever fills the room
/// with applications that nobody uses keeps nobody out.
async fn make_room(cx: &mut Cx<'_>) -> Result<(), Error> {
    let now = cx.now();
    for _ in 0..ATTEMPTS {
        let tx = cx.tx().await?;
        if tx.reader().oauth_clients().count_registered().await? < REGISTERED {
            return Ok(());
        }
        tx.oauth_clients().give_way(now).await?;
    }
    if cx.tx().await?.reader().oauth_clients().count_registered().await? < REGISTERED {
        return Ok(());
    }
    let full = Error::with(Code::RateLimited, "too many applications are registered, and all of them are used: come again later");
    Err(full.details(json!({ "retryAfter": 3600 })))
}

/// The application that metadata describes.
fn described(cx: &Cx<'_>, metadata: &Map<String, Value>) -> Result<(StoredClient, Scopes), Stop> {
    let invalid = FaultCode::InvalidClientMetadata;
    let grants = match texts(metadata, "grant_types")? {
        None => GrantType::UNLESS_NAMED.to_vec(),
        Some(names) => match names.iter().map(|name| GrantType::named(name)).collect::<Option<Vec<_>>>() {
            Some(grants) if !grants.is_empty() => grants,
            _ => return refuse(invalid, "grant_types has authorization_code, refresh_token and the device_code URN at most"),
        },
    };
    let asks_for_codes = grants.contains(&GrantType::AuthorizationCode);
    if texts(metadata, "response_types")?.is_some_and(|types| types.iter().any(|name| *name != "code")) {
        return refuse(invalid, "response_types has code at most");
    }
    match metadata.get("token_endpoint_auth_method") {
        None | Some(Value::Null) => {}
        Some(method) if method == "none" => {}
        Some(_) => return refuse(invalid, "token_endpoint_auth_method is none: clients have no secrets here"),
    }
    let redirect_uris = texts(metadata, "redirect_uris")?.unwrap_or_default();
    if asks_for_codes && redirect_uris.is_empty() {
        return refuse(FaultCode::InvalidRedirectUri, "redirect_uris names at least one address");
    }
    if redirect_uris.len() > REDIRECT_URIS {
        return refuse(FaultCode::InvalidRedirectUri, "redirect_uris has at most 20 addresses");
    }
    if redirect_uris.iter().map(|uri| uri.len()).sum::<usize>() > REDIRECT_URIS_TOGETHER {
        return refuse(FaultCode::InvalidRedirectUri, "redirect_uris has at most 8000 characters in all");
    }
    for uri in &redirect_uris {
        if let Err(problem) = redirect_uri::check(uri) {
            return refuse(FaultCode::InvalidRedirectUri, problem);
        }
    }
    let (id, now) = (cx.new_id::<cms_domain::id::kind::Grant>().to_string(), cx.now());
    let name = match metadata.get("client_name") {
        None | Some(Value::Null) => format!("Application {}", id.get(18..).unwrap_or_default()),
        Some(Value::String(name)) => match client::check_name(name) {
            Ok(()) => name.trim().to_owned(),
            Err(problem) => return refuse(invalid, problem),
        },
        Some(_) => return refuse(invalid, "client_name is text"),
    };
    let scopes = scopes(cx, metadata)?;
    let client = StoredClient {
        id,
        name,
        redirect_uris: client::distinct(redirect_uris.into_iter().map(str::to_owned)),
        grant_types: client::names(&grants),
        scopes: Some(scopes.clone()),
        registered: true,
        created_at: now,
        updated_at: now,
        last_used_at: None,
    };
    Ok((client, scopes))
}

/// What the application wants to be able to ask for. Scopes that mean nothing here are left out; the answer says what is left. Whoever
/// wants a whole account has to say so: without a word it is everything else (OWASP ASVS 5, 10.4.11).
fn scopes(cx: &Cx<'_>, metadata: &Map<String, Value>) -> Result<Scopes, Stop> {
    let named = match metadata.get("scope") {
        None | Some(Value::Null) => {
            return Ok(cx.cms().catalog().scopes().into_iter().filter(|scope| *scope != Scope::Admin).collect());
        }
        Some(Value::String(text)) if text.len() > SCOPE => {
            return refuse(FaultCode::InvalidClientMetadata, "scope has at most 2000 characters");
        }
        Some(Value::String(text)) => client::named_scopes(text.split(' ')),
        Some(_) => client::named_scopes(texts(metadata, "scope")?.unwrap_or_default().into_iter()),
    };
    if named.is_empty() {
        return refuse(FaultCode::InvalidClientMetadata, "scope names none of the scopes that scopes_supported lists");
    }
    Ok(named)
}

/// A member that is a list of texts.
fn texts<'a>(metadata: &'a Map<String, Value>, name: &str) -> Result<Option<Vec<&'a str>>, Stop> {
    match metadata.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(items)) => match items.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(texts) => Ok(Some(texts)),
            None => refuse(FaultCode::InvalidClientMetadata, "a list has something that is not text"),
        },
        Some(_) => refuse(FaultCode::InvalidClientMetadata, "redirect_uris, grant_types and response_types are lists of text"),
    }
}
