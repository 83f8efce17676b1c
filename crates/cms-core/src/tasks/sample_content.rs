//! Makes the sample content that whoever set the site up asked for.

use std::time::Duration;

use cms_accounts::setup::{SAMPLE_CONTENT, WANTED, is_complete};
use cms_content::{entries::create::CreateEntry, schema::create_collection::CreateCollection};
use cms_domain::access::{Access, Actor};
use cms_frame::{
    Cms, Code, Cx, Door, Error, Kind,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Task};

/// The collections and entries, as inputs of the operations that make them.
const CONTENT: &str = include_str!("sample_content.json");

/// How often a site that is not set up yet is looked at.
const WAITING: Duration = Duration::from_secs(2);
/// How often one that is set up is: it asks for nothing any more.
const IDLE: Duration = Duration::from_hours(1);

#[derive(Deserialize)]
struct Content {
    collections: Vec<CreateCollection>,
    entries: Vec<CreateEntry>,
}

/// Makes what is wanted and not there.
#[derive(Default)]
pub(super) struct SampleContent;

impl Task for SampleContent {
    const NAME: &'static str = "sample_content";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        if is_wanted(cms).await? && is_complete(cms.store().reader()).await? {
            make(cms).await?;
        }
        Ok(Outcome::Done)
    }

    async fn pause(&self, cms: &Cms) -> Result<Duration, Error> {
        Ok(if is_complete(cms.store().reader()).await? && !is_wanted(cms).await? { IDLE } else { WAITING })
    }
}

async fn is_wanted(cms: &Cms) -> Result<bool, Error> {
    Ok(cms.store().reader().settings().get(SAMPLE_CONTENT).await?.as_deref() == Some(WANTED))
}

/// Each collection and each entry is there whole or not at all, so that it does not matter how far an earlier attempt, or another
/// server, has come.
async fn make(cms: &Cms) -> Result<(), Error> {
    let content: Content = serde_json::from_str(CONTENT)?;
    for collection in content.collections {
        match cms.invoke(&Actor::System, Door::Local, collection).await {
            Err(error) if error.code() != Code::CollectionExists => return Err(error),
            _ => {}
        }
    }
    for entry in content.entries {
        match cms.invoke(&Actor::System, Door::Local, entry).await {
            Ok(_) => {}
            Err(error) if error.code() == Code::SlugConflict => {}
            // A collection of the same name that somebody made otherwise: what does not fit there is not needed there.
            Err(error) if error.code().kind() == Kind::Invalid => tracing::warn!(%error, "a sample entry was left out"),
            Err(error) => return Err(error),
        }
    }
    cms.invoke(&Actor::System, Door::Local, NoteSampleContent {}).await?;
    Ok(())
}

/// Note that the sample content is there.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteSampleContent {}

/// The note is taken.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SampleContentNoted {
    /// Always true.
    pub success: bool,
}

impl Operation for NoteSampleContent {
    const ID: &'static str = "system.note_sample_content";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = SampleContentNoted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SampleContentNoted, Error> {
        cx.tx().await?.settings().remove(SAMPLE_CONTENT).await?;
        Ok(SampleContentNoted { success: true })
    }
}
