//! Writes down when access tokens and sessions were last used: now and then, instead of with every request.

use std::time::Duration;

use cms_accounts::{Accounts, Credential};
use cms_domain::{
    access::{Access, Actor},
    id::{GrantId, SessionId, TokenId},
    time::Timestamp,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Task};

/// Writes the uses since the last time.
#[derive(Default)]
pub(super) struct WriteUses;

impl Task for WriteUses {
    const NAME: &'static str = "record_use";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        let mut record = RecordUse::default();
        for (credential, at) in Accounts::take_used(cms) {
            match credential {
                Credential::Token(id) => record.tokens.push(Use { id, at }),
                Credential::Session(id) => record.sessions.push(Use { id, at }),
                Credential::Grant(id) => record.grants.push(Use { id, at }),
            }
        }
        if !(record.tokens.is_empty() && record.sessions.is_empty() && record.grants.is_empty()) {
            // Should this fail, the next use of each is written instead.
            cms.invoke(&Actor::System, Door::Local, record).await?;
        }
        Ok(Outcome::Done)
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(Duration::from_mins(1))
    }
}

/// Record when access tokens and sessions were last used.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordUse {
    /// The latest use of each token.
    pub tokens: Vec<Use<TokenId>>,
    /// The latest use of each session.
    pub sessions: Vec<Use<SessionId>>,
    /// The latest use of what each application was granted.
    pub grants: Vec<Use<GrantId>>,
}

/// When something was last used.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Use<I> {
    /// What.
    pub id: I,
    /// When.
    pub at: Timestamp,
}

/// The uses are recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UseRecorded {
    /// How many tokens were used.
    pub tokens: usize,
    /// How many sessions were used.
    pub sessions: usize,
    /// How many applications used what they were granted.
    pub grants: usize,
}

impl Operation for RecordUse {
    const ID: &'static str = "system.record_use";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = UseRecorded;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UseRecorded, Error> {
        let tokens: Vec<_> = self.tokens.iter().map(|used| (used.id, used.at)).collect();
        let sessions: Vec<_> = self.sessions.iter().map(|used| (used.id, used.at)).collect();
        let grants: Vec<_> = self.grants.iter().map(|used| (used.id, used.at)).collect();
        let tx = cx.tx().await?;
        tx.tokens().touch(&tokens).await?;
        tx.sessions().touch(&sessions).await?;
        tx.oauth_grants().touch(&grants).await?;
        Ok(UseRecorded { tokens: tokens.len(), sessions: sessions.len(), grants: grants.len() })
    }
}
