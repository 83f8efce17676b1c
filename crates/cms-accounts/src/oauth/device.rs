//! Programs without a browser of their own: they show a code, and wait for a user to approve it elsewhere (RFC 8628).

use std::time::Duration;

use cms_auth::token::{self, NewToken};
use cms_domain::access::Access;
use cms_frame::{
    Code, Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::{DeviceStatus, StoredDeviceCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Answer, DEVICE_LIFE, FaultCode, SCOPE,
    answer::{self, Stop, bounded, refuse, required},
    client::{self, GrantType},
    issue::{self, Granted},
    origin, scopes,
    token_request::{IssueToken, Tokens},
};

/// How long a program waits between two questions, until it is told to slow down.
const INTERVAL: Duration = Duration::from_secs(5);
/// How much longer it waits whenever it asked too soon (RFC 8628, 3.5).
const SLOWER: Duration = Duration::from_secs(5);
/// The longest that it has to wait between two questions.
const SLOWEST: Duration = Duration::from_mins(1);
/// How much sooner it may ask: a question that was sent in time can be quicker on its way than the one before.
const TOLERANCE: Duration = Duration::from_secs(1);
/// What user codes are made of: 32 characters that nobody mistakes for each other. Eight of them are 40 bits; with the limits on
/// guesses and 15 minutes nobody finds one (RFC 8628, 5.1).
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// How many characters a user code has.
const CODE: usize = 8;
/// How often another user code is tried when one is taken. Among 2^40 once is once too often already.
const ATTEMPTS: usize = 3;

/// Ask for a code that a user approves on another device.
///
/// The request and the answer are those of RFC 8628, 3.1 and 3.2.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct RequestDeviceCode {
    /// The application.
    pub client_id: Option<String>,
    /// What it asks for: scopes with spaces between them.
    pub scope: Option<String>,
    /// The resource that it wants to use (RFC 8707).
    pub resource: Option<String>,
}

/// What the program shows, and what it asks with.
#[derive(Clone, Serialize, JsonSchema)]
pub struct DeviceCode {
    /// What the program asks the token endpoint with.
    pub device_code: String,
    /// What the user types.
    pub user_code: String,
    /// Where the user types it.
    pub verification_uri: String,
    /// The same address with the code in it.
    pub verification_uri_complete: String,
    /// How many seconds the user has.
    pub expires_in: u64,
    /// How many seconds the program waits between two questions.
    pub interval: u64,
}

impl Operation for RequestDeviceCode {
    const ID: &'static str = "oauth.device_code";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    type Output = Answer<DeviceCode>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Answer<DeviceCode>, Error> {
        answer::answer(request(cx, &self).await)
    }
}

async fn request(cx: &mut Cx<'_>, asked: &RequestDeviceCode) -> Result<DeviceCode, Stop> {
    let client = client::of_request(cx, asked.client_id.as_deref(), GrantType::DeviceCode).await?;
    origin::check_resource(cx, asked.resource.as_deref())?;
    bounded(asked.scope.as_deref(), SCOPE, "scope has at most 2000 characters")?;
    let scopes = scopes::of_client(&scopes::asked(asked.scope.as_deref(), &cx.cms().catalog().scopes()), client.scopes.as_ref());
    if scopes.is_empty() {
        return refuse(FaultCode::InvalidScope, "none of the scopes is known here, or none may be asked for by the client");
    }
    let (made, now) = (NewToken::make("")?, cx.now());
    let page = format!("{}{}/device", origin::of(cx), cx.product().admin());
    for _ in 0..ATTEMPTS {
        let stored = StoredDeviceCode {
            user_code: user_code()?,
            client: client.id.clone(),
            scopes: scopes.clone(),
            resource: asked.resource.clone(),
            status: DeviceStatus::Pending,
            interval: INTERVAL,
            last_polled_at: None,
            created_at: now,
            expires_at: now.after(DEVICE_LIFE),
        };
        if cx.tx().await?.device_codes().insert(&made.hash, &stored).await? {
            let user_code = shown(&stored.user_code);
            return Ok(DeviceCode {
                device_code: made.text,
                verification_uri_complete: format!("{page}?code={user_code}"),
                verification_uri: page,
                user_code,
                expires_in: DEVICE_LIFE.as_secs(),
                interval: INTERVAL.as_secs(),
            });
        }
    }
    Err(Error::new(Code::Busy).into())
}

/// Exchanges a device code for tokens, once a user approved it.
pub(super) async fn exchange(cx: &mut Cx<'_>, asked: &IssueToken) -> Result<Tokens, Stop> {
    let client = client::of_request(cx, asked.client_id.as_deref(), GrantType::DeviceCode).await?;
    let sent = required(asked.device_code.as_deref(), "device_code is missing")?;
    let (hash, now) = (token::hash(sent), cx.now());
    let waiting = cx.tx().await?.reader().device_codes().by_hash(&hash).await?;
    let Some(waiting) = waiting.filter(|waiting| waiting.client == client.id) else { return not_good() };
    if asked.resource.is_some() && waiting.resource.is_some() && asked.resource != waiting.resource {
        return refuse(FaultCode::InvalidTarget, "the code was asked for another resource");
    }
    let codes = cx.tx().await?.device_codes();
    if waiting.expires_at <= now {
        codes.take(&hash).await?;
        return refuse(FaultCode::ExpiredToken, "nobody approved in time: ask for another code");
    }
    match waiting.status {
        DeviceStatus::Denied => {
            codes.take(&hash).await?;
            refuse(FaultCode::AccessDenied, "the user denied it")
        }
        DeviceStatus::Pending => {
            let next = waiting.last_polled_at.map(|last| last.after(waiting.interval.saturating_sub(TOLERANCE)));
            if next.is_some_and(|next| next > now) {
                codes.polled(&hash, now, (waiting.interval + SLOWER).min(SLOWEST)).await?;
                return refuse(FaultCode::SlowDown, "asked too soon: wait five seconds longer from now on");
            }
            codes.polled(&hash, now, waiting.interval).await?;
            refuse(FaultCode::AuthorizationPending, "the user has not decided yet")
        }
        DeviceStatus::Approved(_) => {
            // Of programs that ask together one takes it.
            let Some(StoredDeviceCode { status: DeviceStatus::Approved(user), scopes, resource, .. }) = codes.take(&hash).await? else {
                return not_good();
            };
            let id = cx.new_id();
            issue::begin(cx, id, &client, Granted { user, scopes, resource }).await
        }
    }
}

fn not_good<T>() -> Result<T, Stop> {
    refuse(FaultCode::InvalidGrant, "the device code is not good: it is unknown or used, or for another client")
}

/// A new user code, normalised.
fn user_code() -> Result<String, Error> {
    let bytes = token::random::<CODE>()?;
    // 256 is a multiple of 32, so that each character is as likely as any other.
    Ok(bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte % 32))).map(|byte| char::from(*byte)).collect())
}

/// A user code as people read it: `XXXX-XXXX`.
pub(super) fn shown(code: &str) -> String {
    let (head, tail) = code.split_at_checked(CODE / 2).unwrap_or((code, ""));
    format!("{head}-{tail}")
}

/// What a user typed, without what people add. None when it cannot be a code.
pub(super) fn normalised(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(|character| !character.is_whitespace() && *character != '-').collect();
    let code = code.to_ascii_uppercase();
    (code.len() == CODE && code.bytes().all(|byte| ALPHABET.contains(&byte))).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_code_is_read_however_it_is_typed() {
        let code = user_code().unwrap();
        assert_eq!(normalised(&shown(&code)), Some(code.clone()));
        assert_eq!(normalised(&format!(" {} ", shown(&code).to_lowercase().replace('-', " - "))), Some(code));
        for typed in ["", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EFG1", "ABCD-EFGä"] {
            assert_eq!(normalised(typed), None, "{typed}");
        }
    }
}
