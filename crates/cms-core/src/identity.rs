//! Who a token belongs to: looked up once, remembered until a user or a token changes.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use cms_auth::token::{self, TokenHash};
use cms_domain::{
    access::{Actor, Caller},
    id::TokenId,
    time::Timestamp,
};

use crate::{Cms, Code, Error};

/// How many callers are remembered. More than a site has tokens in use; 10,000 take about 2 MB.
const REMEMBERED: usize = 10_000;

/// The callers that were looked up, and when their tokens were last used.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    known: RwLock<HashMap<TokenHash, Known>>,
    forgotten: AtomicU64,
    /// Uses that are not written down yet: a write for each request would make readers writers.
    used: Mutex<HashMap<TokenId, Timestamp>>,
}

#[derive(Debug, Clone)]
struct Known {
    caller: Caller,
    expires_at: Option<Timestamp>,
}

impl Identities {
    /// The caller that a bearer token names.
    pub(crate) async fn identify(&self, cms: &Cms, text: &str) -> Result<Actor, Error> {
        if !token::is_plausible(&cms.options().token_prefix, text) {
            return Err(Error::new(Code::InvalidToken));
        }
        let hash = token::hash(text);
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        let known = match known {
            Some(known) => known,
            None => self.look_up(cms, hash).await?,
        };
        let now = cms.now();
        if known.expires_at.is_some_and(|at| at <= now) {
            return Err(Error::new(Code::InvalidToken));
        }
        if let Some((id, _)) = &known.caller.token {
            self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(*id, now);
        }
        Ok(Actor::User(known.caller))
    }

    async fn look_up(&self, cms: &Cms, hash: TokenHash) -> Result<Known, Error> {
        let forgotten = self.forgotten.load(Ordering::Acquire);
        let (token, user) = cms.store().reader().tokens().by_hash(&hash).await?.ok_or_else(|| Error::new(Code::InvalidToken))?;
        if user.disabled {
            return Err(Error::new(Code::InvalidToken));
        }
        let caller = Caller { user: user.id, role: user.role, token: Some((token.id, token.scopes)) };
        let known = Known { caller, expires_at: token.expires_at };
        let mut remembered = self.known.write().unwrap_or_else(PoisonError::into_inner);
        // What was read before the last change is good for this request only.
        if self.forgotten.load(Ordering::Acquire) == forgotten {
            if remembered.len() >= REMEMBERED {
                remembered.clear();
            }
            remembered.insert(hash, known.clone());
        }
        Ok(known)
    }

    /// Looks everyone up anew.
    pub(crate) fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::AcqRel);
        self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The uses since the last call.
    pub(crate) fn take_used(&self) -> Vec<(TokenId, Timestamp)> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).drain().collect()
    }
}
