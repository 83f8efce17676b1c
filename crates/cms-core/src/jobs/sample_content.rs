//! Makes the sample content that whoever set the site up asked for.

use cms_accounts::setup::SampleContent;
use cms_content::{entries::create::CreateEntry, schema::create_collection::CreateCollection};
use cms_domain::access::Actor;
use cms_frame::{
    Code, Cx, Door, Error, Kind,
    jobs::{Job, Stride, Work},
};
use serde::Deserialize;

/// The collections and entries, as inputs of the operations that make them.
const CONTENT: &str = include_str!("sample_content.json");

#[derive(Deserialize)]
struct Content {
    collections: Vec<CreateCollection>,
    entries: Vec<CreateEntry>,
}

/// Makes collections and entries one by one. Each is there whole or not at all, so that it does not matter when one is made again.
pub(super) struct MakeSampleContent;

impl Job for MakeSampleContent {
    type Order = SampleContent;
    /// How many collections and entries are there.
    type Checkpoint = usize;

    async fn step(&self, work: Work<SampleContent, usize>, cx: &mut Cx<'_>) -> Result<Stride<usize>, Error> {
        let Content { mut collections, mut entries } = serde_json::from_str(CONTENT)?;
        let (at, cms) = (work.at, cx.cms());
        let (first, all) = (collections.len(), collections.len() + entries.len());
        if at >= all {
            return Ok(Stride::end(all as u64).of(all as u64));
        }
        let made = if at < first {
            cms.invoke(&Actor::System, Door::Local, collections.swap_remove(at)).await.map(drop)
        } else {
            cms.invoke(&Actor::System, Door::Local, entries.swap_remove(at - first)).await.map(drop)
        };
        let mut stride = Stride::to(at + 1, at as u64 + 1).of(all as u64);
        match made {
            Err(error) if !matches!(error.code(), Code::CollectionExists | Code::SlugConflict) => {
                // A collection of the same name that somebody made otherwise: what does not fit there is not needed there.
                if error.code().kind() != Kind::Invalid {
                    return Err(error);
                }
                stride.failed(format!("number {} of the sample content", at + 1), error.message());
            }
            _ => {}
        }
        Ok(stride)
    }
}
