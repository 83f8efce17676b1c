//! Who a token or a session belongs to: looked up once, remembered until a user or a credential changes.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use cms_auth::token::{self, TokenHash};
use cms_domain::{
    access::{Actor, Caller, Via, clamp},
    id::{GrantId, SessionId, TokenId},
    time::Timestamp,
};
use cms_frame::{Cms, Code, Error, following::Following};
use cms_storage::{Reader, Standing, TokenKind};

use crate::{
    oauth::{self, scopes::held_to},
    tokens,
};

/// How many callers are remembered. More than a site has credentials in use; 10,000 take about 2 MB.
const REMEMBERED: usize = 10_000;
/// After how long a caller is looked up anew: a session may have been idle for too long, which is in its row, and what should have been told
/// of the others may not have been.
const LOOKED_UP: Duration = Duration::from_mins(1);

/// Refuses a caller whose credential ended, or whose rights shrank, since they were looked up: by another request or another server, while
/// this one waited for its body, or by the clock, while a job went on for them. Asked when the transaction that writes for them begins; `holding`, in it, keeps the credential until its end.
/// `vouched` says that the gateway is who vouches for callers without a credential of ours: it knows nothing of what became of them here.
pub(crate) async fn must_stand(cms: &Cms, reader: Reader<'_>, caller: &Caller, holding: bool, vouched: bool) -> Result<(), Error> {
    let (credential, gone) = match caller.via {
        Via::Session(id) => (cms_storage::Credential::Session(id), Code::NotAuthenticated),
        Via::Token(id, _) => (cms_storage::Credential::Token(id), Code::InvalidToken),
        Via::Grant(id, _) => (cms_storage::Credential::Grant(id), Code::InvalidToken),
        Via::Host if vouched => (cms_storage::Credential::Vouched, Code::NotAuthenticated),
        // Whoever embeds the system says what they may, whatever is in our tables.
        Via::Host => return Ok(()),
    };
    let standing = reader.callers().standing(credential, caller.user, holding).await?;
    let has_ended = |standing: &Standing| end(cms, &caller.via, standing).is_some_and(|end| end <= cms.now());
    let standing = standing.filter(|standing| !standing.disabled && !has_ended(standing)).ok_or_else(|| Error::new(gone))?;
    let is_less = match (&caller.via, &standing.granted) {
        (Via::Grant(_, scopes), Some(granted)) => !scopes.is_subset(&held_to(granted, standing.held_to.as_ref(), standing.role)),
        _ => standing.role < caller.role,
    };
    if is_less { Err(Error::with(Code::NotAuthenticated, "what you may do changed meanwhile: send the request again")) } else { Ok(()) }
}

/// When what a caller came with ends, or ended, by the clock and by the policies of the site.
fn end(cms: &Cms, via: &Via, standing: &Standing) -> Option<Timestamp> {
    let Standing { made_at, expires_at, used_at, .. } = *standing;
    let policies = &cms.options().policies;
    match via {
        Via::Session(_) => session_end(cms, used_at?, expires_at?).into(),
        Via::Token(..) => tokens::end(policies, made_at?, expires_at),
        Via::Grant(..) => oauth::end(policies, made_at?).into(),
        Via::Host => None,
    }
}

/// When a session ends that is not used any more.
fn session_end(cms: &Cms, last_used_at: Timestamp, expires_at: Timestamp) -> Timestamp {
    expires_at.min(last_used_at.after(cms.options().sessions.idle))
}

/// When a caller is looked up anew whose credential ends then, or never.
fn soon(end: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let later = now.after(LOOKED_UP);
    end.map_or(later, |end| end.min(later))
}

/// The callers that were looked up, and when their credentials were last used.
#[derive(Debug)]
pub(crate) struct Identities {
    following: Arc<Following>,
    known: RwLock<HashMap<TokenHash, Known>>,
    forgotten: AtomicU64,
    /// Uses that are not written down yet: a write for each request would make readers writers.
    used: Mutex<HashMap<Credential, Timestamp>>,
}

/// A credential whose uses are noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Credential {
    Token(TokenId),
    Session(SessionId),
    Grant(GrantId),
}

#[derive(Debug, Clone)]
struct Known {
    caller: Caller,
    /// From when on it is looked up anew, or is over.
    until: Timestamp,
}

impl Identities {
    pub(crate) fn new(following: Arc<Following>) -> Self {
        Self { following, known: RwLock::default(), forgotten: AtomicU64::default(), used: Mutex::default() }
    }

    /// The caller that a bearer token names.
    pub(crate) async fn identify(&self, cms: &Cms, rows: Reader<'_>, text: &str) -> Result<Actor, Error> {
        let is_own = token::is_plausible(cms.product().token_prefix.as_str(), text);
        if !is_own && !token::is_plausible(cms.product().access_token_prefix.as_str(), text) {
            return Err(Error::new(Code::InvalidToken));
        }
        let hash = token::hash(text);
        let now = cms.now();
        let found = match self.remembered(&hash, now) {
            None if is_own => self.look_up(cms, rows, hash, now).await?,
            None => self.look_up_grant(cms, rows, hash, now).await?,
            known => known,
        };
        let caller = found.ok_or_else(|| Error::new(Code::InvalidToken))?;
        self.note_use(&caller, now);
        Ok(Actor::User(caller))
    }

    /// The caller whose session has this secret: nobody, when it ended.
    pub(crate) async fn identify_session(&self, cms: &Cms, rows: Reader<'_>, secret: &str) -> Result<Actor, Error> {
        if !token::is_plausible("", secret) {
            return Ok(Actor::Anonymous);
        }
        let hash = token::hash(secret);
        let now = cms.now();
        let caller = match self.remembered(&hash, now) {
            Some(caller) => Some(caller),
            None => self.look_up_session(cms, rows, hash, now).await?,
        };
        let Some(caller) = caller else { return Ok(Actor::Anonymous) };
        self.note_use(&caller, now);
        Ok(Actor::User(caller))
    }

    fn remembered(&self, hash: &TokenHash, now: Timestamp) -> Option<Caller> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(hash).filter(|known| known.until > now && self.following.is_current()).map(|known| known.caller.clone())
    }

    fn note_use(&self, caller: &Caller, now: Timestamp) {
        let credential = match &caller.via {
            Via::Token(id, _) => Credential::Token(*id),
            Via::Session(id) => Credential::Session(*id),
            Via::Grant(id, _) => Credential::Grant(*id),
            Via::Host => return,
        };
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(credential, now);
    }

    async fn look_up(&self, cms: &Cms, rows: Reader<'_>, hash: TokenHash, now: Timestamp) -> Result<Option<Caller>, Error> {
        let forgotten = self.forgotten.load(Ordering::Acquire);
        let Some((token, user)) = rows.tokens().by_hash(&hash).await? else { return Ok(None) };
        let end = tokens::end(&cms.options().policies, token.created_at, token.expires_at);
        if user.disabled || end.is_some_and(|at| at <= now) {
            return Ok(None);
        }
        let scopes = clamp(token.scopes, user.role);
        let caller = Caller { user: user.id, role: user.role, via: Via::Token(token.id, scopes) };
        Ok(Some(self.remember(hash, Known { caller, until: soon(end, now) }, forgotten)))
    }

    /// The caller whom an application acts for, as far as the user, their role and the application's registration still allow.
    async fn look_up_grant(&self, cms: &Cms, rows: Reader<'_>, hash: TokenHash, now: Timestamp) -> Result<Option<Caller>, Error> {
        let forgotten = self.forgotten.load(Ordering::Acquire);
        let Some(held) = rows.oauth_grants().token(&hash, TokenKind::Access).await? else { return Ok(None) };
        let end = held.expires_at.min(oauth::end(&cms.options().policies, held.grant.created_at));
        if held.user.disabled || end <= now {
            return Ok(None);
        }
        let scopes = held_to(&held.grant.scopes, held.client_scopes.as_ref(), held.user.role);
        let caller = Caller { user: held.user.id, role: held.user.role, via: Via::Grant(held.grant.id, scopes) };
        Ok(Some(self.remember(hash, Known { caller, until: soon(Some(end), now) }, forgotten)))
    }

    async fn look_up_session(&self, cms: &Cms, rows: Reader<'_>, hash: TokenHash, now: Timestamp) -> Result<Option<Caller>, Error> {
        let forgotten = self.forgotten.load(Ordering::Acquire);
        let Some((session, user)) = rows.sessions().by_hash(&hash).await? else { return Ok(None) };
        if user.disabled || session_end(cms, session.last_used_at, session.expires_at) <= now {
            return Ok(None);
        }
        let caller = Caller { user: user.id, role: user.role, via: Via::Session(session.id) };
        Ok(Some(self.remember(hash, Known { caller, until: soon(Some(session.expires_at), now) }, forgotten)))
    }

    /// Remembers a caller, unless something changed since `forgotten` was read: what was read before is good for one request.
    fn remember(&self, hash: TokenHash, known: Known, forgotten: u64) -> Caller {
        let caller = known.caller.clone();
        let mut remembered = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if self.forgotten.load(Ordering::Acquire) == forgotten {
            if remembered.len() >= REMEMBERED {
                remembered.clear();
            }
            remembered.insert(hash, known);
        }
        caller
    }

    /// The caller that the gateway vouched for with a statement, not long ago.
    pub(crate) fn vouched(&self, hash: &TokenHash, now: Timestamp) -> Option<Actor> {
        self.remembered(hash, now).map(Actor::User)
    }

    /// What to hand to [`Self::remember_vouched`]: read it before the rows.
    pub(crate) fn seen(&self) -> u64 {
        self.forgotten.load(Ordering::Acquire)
    }

    /// Remembers a caller that the gateway vouches for, for as long as a session is.
    pub(crate) fn remember_vouched(&self, hash: TokenHash, caller: Caller, ends: Timestamp, now: Timestamp, seen: u64) -> Actor {
        Actor::User(self.remember(hash, Known { caller, until: soon(Some(ends), now) }, seen))
    }

    /// Looks everyone up anew.
    pub(crate) fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::AcqRel);
        self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The uses since the last call.
    pub(crate) fn take_used(&self) -> Vec<(Credential, Timestamp)> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).drain().collect()
    }
}
