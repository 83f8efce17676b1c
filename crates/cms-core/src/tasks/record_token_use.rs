//! Writes down when access tokens were last used: now and then, instead of with every request.

use std::time::Duration;

use cms_domain::{
    access::{Access, Actor},
    id::TokenId,
    time::Timestamp,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Task};
use crate::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};

/// Writes the uses since the last time.
#[derive(Default)]
pub(super) struct WriteTokenUses;

impl Task for WriteTokenUses {
    const NAME: &'static str = "record_token_use";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        let uses: Vec<_> = cms.identities().take_used().into_iter().map(|(token, at)| TokenUse { token, at }).collect();
        if !uses.is_empty() {
            // Should this fail, the next use of each token is written instead.
            cms.invoke(&Actor::System, Door::Local, RecordTokenUse { uses }).await?;
        }
        Ok(Outcome::Done)
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(Duration::from_mins(1))
    }
}

/// Record when access tokens were last used.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordTokenUse {
    /// The latest use of each token.
    pub uses: Vec<TokenUse>,
}

/// When a token was last used.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenUse {
    /// The token.
    pub token: TokenId,
    /// When.
    pub at: Timestamp,
}

/// The uses are recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TokenUseRecorded {
    /// How many tokens were used.
    pub tokens: usize,
}

impl Operation for RecordTokenUse {
    const ID: &'static str = "token.record_use";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = TokenUseRecorded;

    async fn run(self, cx: &mut Cx<'_>) -> Result<TokenUseRecorded, Error> {
        let uses: Vec<_> = self.uses.iter().map(|TokenUse { token, at }| (*token, *at)).collect();
        cx.tx().await?.tokens().touch(&uses).await?;
        Ok(TokenUseRecorded { tokens: uses.len() })
    }
}
