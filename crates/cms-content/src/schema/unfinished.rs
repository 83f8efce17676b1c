//! What changes of the model left to do, and nobody does: after a restore, which brings no jobs with it.

use cms_domain::{access::Access, collection::Collection, job::JobState};
use cms_frame::{
    Cx, Error,
    jobs::{Order, Wanted},
    operation::{Http, Operation, Tool},
};
use cms_storage::Reader;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{condemned, leftovers, registering};

/// Ask for the work that changes of the model left to do and that nobody does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResumeChanges {}

/// What was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Resumed {
    /// How many jobs.
    pub jobs: usize,
}

/// Work that a change of the model left.
enum Left {
    Values(Wanted<leftovers::LeftoversGone>),
    Register(Wanted<registering::ValuesRegistered>),
    Content(Wanted<condemned::ContentGone>),
}

/// The work that is not a job. What was given up, or cancelled, is left to whoever did that.
async fn left(rows: Reader<'_>) -> Result<Vec<Left>, Error> {
    let mut left = Vec::new();
    for collection in rows.collections().all().await? {
        let Collection { id, fields, has_leftovers, .. } = collection;
        if has_leftovers && is_nobodys(rows, leftovers::gone(id)).await? {
            left.push(Left::Values(leftovers::gone(id)));
        }
        for register in fields.into_iter().filter(|field| field.unique && !field.register.complete).map(|field| field.register.id) {
            if is_nobodys(rows, registering::registered(id, register)).await? {
                left.push(Left::Register(registering::registered(id, register)));
            }
        }
    }
    for id in rows.collections().condemned().await? {
        if is_nobodys(rows, condemned::gone(id, None)).await? {
            left.push(Left::Content(condemned::gone(id, None)));
        }
    }
    Ok(left)
}

async fn is_nobodys<O: Order>(rows: Reader<'_>, wanted: Wanted<O>) -> Result<bool, Error> {
    let Some(name) = wanted.name() else { return Ok(true) };
    let last = rows.jobs().last_named(name).await?;
    Ok(last.is_none_or(|job| job.state == JobState::Done))
}

impl Operation for ResumeChanges {
    const ID: &'static str = "schema.resume_changes";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = Resumed;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Resumed, Error> {
        let left = left(cx.read()).await?;
        let jobs = left.len();
        for work in left {
            match work {
                Left::Values(wanted) => cx.enqueue(wanted).await?,
                Left::Register(wanted) => cx.enqueue(wanted).await?,
                Left::Content(wanted) => cx.enqueue(wanted).await?,
            };
        }
        Ok(Resumed { jobs })
    }
}
