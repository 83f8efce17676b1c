//! Objects go that no item has: those of deleted and replaced items, and those that nobody took in time.

use std::time::Duration;

use cms_domain::{
    access::{Access, Actor},
    time::Timestamp,
};
use cms_files::Key;
use cms_frame::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{of, of_store, serve::remove_made};

/// How long after it is due an object goes: whoever takes one in the last moment, by a clock that is a little behind, has it.
const MARGIN: Duration = Duration::from_mins(1);
/// How many objects one step removes.
const STEP: usize = 50;
/// How many announced files one step forgets.
const AWAITED: u64 = 200;
/// How old a file is that was begun and never finished, when it goes: as long as one may take to arrive, twice.
const UNFINISHED: Duration = Duration::from_hours(2);

/// Removes some of what is due, and says whether there is more.
pub async fn sweep(cms: &Cms) -> Result<bool, Error> {
    let forgotten = cms.invoke(&Actor::System, Door::Local, PruneAwaited {}).await?.forgotten;
    let Some(store) = &of(cms).library().store else { return Ok(forgotten == AWAITED) };
    let LooseFiles { keys } = cms.invoke(&Actor::System, Door::Local, ListLooseFiles { due_at: cms.now().before(MARGIN) }).await?;
    for key in &keys {
        remove(cms, key, true).await?;
    }
    if keys.is_empty() {
        store.sweep(UNFINISHED).await.map_err(of_store)?;
    }
    Ok(keys.len() == STEP || forgotten == AWAITED)
}

/// Removes an object with all that was made of it, and forgets that nobody had it, if that `is_due`.
pub(crate) async fn remove(cms: &Cms, key: &str, is_due: bool) -> Result<(), Error> {
    let key = Key::parse(key).map_err(of_store)?;
    remove_made(cms, &key).await?;
    of(cms).objects()?.remove(&key).await.map_err(of_store)?;
    if is_due {
        cms.invoke(&Actor::System, Door::Local, ForgetLooseFile { key: key.to_string() }).await?;
    }
    Ok(())
}

/// List objects that are due to go.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListLooseFiles {
    /// By when they were due.
    pub due_at: Timestamp,
}

/// Objects that are due to go.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LooseFiles {
    /// Where they are.
    pub keys: Vec<String>,
}

impl Operation for ListLooseFiles {
    const ID: &'static str = "media.list_loose_files";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = LooseFiles;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LooseFiles, Error> {
        Ok(LooseFiles { keys: cx.read().loose_files().due(self.due_at, STEP).await? })
    }
}

/// Note that an object is gone that no item had.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ForgetLooseFile {
    /// Where it was.
    pub key: String,
}

/// It is forgotten.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LooseFileForgotten {
    /// Always true.
    pub forgotten: bool,
}

impl Operation for ForgetLooseFile {
    const ID: &'static str = "media.forget_loose_file";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = LooseFileForgotten;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LooseFileForgotten, Error> {
        let now = cx.now();
        cx.tx().await?.loose_files().forget(&self.key, now).await?;
        Ok(LooseFileForgotten { forgotten: true })
    }
}

/// Forget announced files whose hour is over.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PruneAwaited {}

/// They are forgotten.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AwaitedPruned {
    /// How many there were.
    pub forgotten: u64,
}

impl Operation for PruneAwaited {
    const ID: &'static str = "media.prune_awaited";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = AwaitedPruned;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AwaitedPruned, Error> {
        let now = cx.now();
        // Most of the time there is none, and nobody waits for a writer to learn that.
        if !cx.read().awaited().any_expired(now).await? {
            return Ok(AwaitedPruned { forgotten: 0 });
        }
        Ok(AwaitedPruned { forgotten: cx.tx().await?.awaited().prune(now, AWAITED).await? })
    }
}
