//! Opening a session: the one end of every way to sign in.

use cms_auth::token::NewToken;
use cms_domain::{
    access::{Actor, Permit, Via, to},
    event::Event,
    id::{SessionId, UserId},
    time::Timestamp,
    user::User,
};
use cms_frame::{Code, Cookie, Cx, Error};
use cms_storage::StoredSession;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::vouched::{self, Evidence};

/// How a person signed in, or proved again who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Method {
    /// With a passkey.
    Passkey,
    /// With a link that was sent to them.
    MagicLink,
    /// With a link that an admin had sent to them.
    Recovery,
    /// By accepting an invitation.
    Invitation,
    /// By confirming their address.
    SignUp,
    /// By setting up the site.
    Setup,
    /// At a provider.
    Provider(String),
}

impl Method {
    fn name(&self) -> String {
        match self {
            Self::Passkey => "passkey".to_owned(),
            Self::MagicLink => "magic_link".to_owned(),
            Self::Recovery => "recovery".to_owned(),
            Self::Invitation => "invitation".to_owned(),
            Self::SignUp => "sign_up".to_owned(),
            Self::Setup => "setup".to_owned(),
            Self::Provider(provider) => format!("provider:{provider}"),
        }
    }
}

/// Whoever signed in, as their browser is told.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// Always true.
    pub success: bool,
    /// The user.
    pub user: super::users::UserSummary,
}

/// The session that somebody comes with, and whose it is.
pub(crate) fn of(actor: &Actor) -> Option<(UserId, SessionId)> {
    match actor {
        Actor::User(caller) => match caller.via {
            Via::Session(id) => Some((caller.user, id)),
            _ => None,
        },
        _ => None,
    }
}

/// The longest name of a browser that is kept.
const AGENT: usize = 300;

/// Opens a session for a user who proved by the evidence who they are, and has their browser keep its secret. The session that the browser
/// had before ends: a secret that somebody planted there opens nothing.
pub(crate) async fn open(cx: &mut Cx<'_>, evidence: &impl Evidence<to::Account>, user: &User, method: &Method) -> Result<SignedIn, Error> {
    if user.disabled {
        return Err(Error::new(Code::AccountDisabled));
    }
    let now = cx.now();
    let secret = NewToken::make("")?;
    let session = StoredSession {
        id: cx.new_id(),
        user: user.id,
        method: method.name(),
        address: cx.client().address.map(|address| address.to_string()),
        agent: cx.client().agent.as_deref().map(|agent| agent.chars().take(AGENT).collect()),
        created_at: now,
        authenticated_at: now,
        last_used_at: now,
        expires_at: now.after(cx.options().sessions.absolute),
    };
    let permit = vouched::by(evidence, to::Account(user.id))?;
    let before = of(cx.actor());
    if let Some((user, id)) = before {
        let own = cx.permit(to::Account(user))?;
        cx.tx().await?.sessions().delete(&own, id).await?;
    }
    let tx = cx.tx().await?;
    tx.sessions().insert(&permit, &session, &secret.hash).await?;
    tx.users().signed_in(user.id, now).await?;
    if let Some((user, _)) = before {
        cx.emit(Event::SignedOut { user });
    }
    cx.audit_as(Some(user.id), "session", session.id, &json!({ "method": session.method }));
    cx.keep(Cookie::Session { secret: secret.text, expires_at: session.expires_at });
    Ok(SignedIn { success: true, user: user.into() })
}

/// Notes that the user of the caller's session proved again who they are. Whoever has a copy of its secret from before proved nothing
/// (OWASP ASVS 5, 7.2.4).
pub(crate) async fn renew(cx: &mut Cx<'_>, method: &Method) -> Result<(), Error> {
    let (permit, before, after) = rekey(cx, Some(cx.now())).await?;
    cx.go_on_by(&permit, Via::Session(after)).await?;
    cx.audit("session", after, &json!({ "method": method.name(), "before": before }));
    Ok(())
}

/// Gives the caller's session another id and another secret, and its browser the new one. It goes on with its end; whatever was begun with
/// the old ones is another session's, and that one has ended. Jobs that were asked for with it go on only where its user proved who they are
/// ([`renew`]). Answers with both ids, and with what let it.
pub(crate) async fn rekey(
    cx: &mut Cx<'_>,
    authenticated_at: Option<Timestamp>,
) -> Result<(Permit<to::Account>, SessionId, SessionId), Error> {
    let (user, before) = of(cx.actor()).ok_or_else(|| Error::new(Code::SessionRequired))?;
    let permit = cx.permit(to::Account(user))?;
    let (after, secret) = (cx.new_id(), NewToken::make("")?);
    let ends = cx.tx().await?.sessions().renew(&permit, before, (after, &secret.hash), authenticated_at).await?;
    let expires_at = ends.ok_or_else(|| Error::new(Code::NotAuthenticated))?;
    cx.emit(Event::SignedOut { user });
    cx.keep(Cookie::Session { secret: secret.text, expires_at });
    Ok((permit, before, after))
}
