//! The job that exports: some entries at a time, each page written together with how far the job is then.

use cms_domain::{
    access::{Access, Permission, Scope},
    page::{Cursor, PageSize},
    slug::CollectionSlug,
};
use cms_frame::{
    Cx, Error,
    files::PART,
    jobs::{Job, Order, Stride, Work},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{export::Content, parts};

/// How many entries are read at once: the first time, when nothing is known of how large they are, and at most. They are in memory together, and one may have ten
/// megabytes.
const FIRST: u8 = 5;
const MOST: u8 = 20;
/// If what was read at once is longer than this, less is read the next time.
const ENOUGH: usize = 1 << 20;

/// Wanted: a file with content.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ExportLines {
    /// Of these collections; of all when none is named.
    pub(crate) collections: Vec<CollectionSlug>,
}

impl Order for ExportLines {
    const KIND: &'static str = "content.export_lines";
    const TITLE: &'static str = "Export content";
}

/// Where to go on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct At {
    /// What is left of the collections, the one that it is at first; none before they are known.
    left: Option<Vec<CollectionSlug>>,
    cursor: Option<Cursor>,
    /// How many parts of the file are written.
    parts: u64,
    /// How many entries are read next; none before the first were.
    entries: u8,
}

/// Exports content.
pub(crate) struct ExportJob;

impl Job for ExportJob {
    type Order = ExportLines;
    type Checkpoint = At;
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentExport);

    async fn step(&self, work: Work<ExportLines, At>, cx: &mut Cx<'_>) -> Result<Stride<At>, Error> {
        let Work { job, order, mut at, mut done, .. } = work;
        let content = Content { cms: cx.cms(), reader: cx.actor() };
        let Some(mut left) = at.left.take() else {
            let left = content.named_or_all(&order.collections).await?;
            let mut total = Some(0);
            for collection in &left {
                total = total.zip(content.count(collection).await?).map(|(total, count)| total + count);
            }
            let stride = Stride::to(At { left: Some(left), ..at }, 0);
            return Ok(if let Some(total) = total { stride.of(total) } else { stride });
        };
        let file = cx.read().files().of_job(job, cx.now()).await?.ok_or_else(parts::gone)?;
        let Some(collection) = left.first().cloned() else {
            return Ok(Stride::end(done).result(json!({ "entries": done, "bytes": file.bytes })));
        };
        let entries = if at.entries == 0 { FIRST } else { at.entries };
        let page = content.page(&collection, at.cursor.take(), PageSize::try_from(u64::from(entries)).unwrap_or_default()).await?;
        done += page.lines.len() as u64;
        let lines = page.lines.concat();
        at.entries = if lines.len() > ENOUGH { (entries / 4).max(1) } else { entries.saturating_mul(2).min(MOST) };
        for part in lines.chunks(PART) {
            cx.append_to_file(&file, at.parts, part).await?;
            at.parts += 1;
        }
        at.cursor = page.next;
        if at.cursor.is_none() {
            left.remove(0);
        }
        Ok(Stride::to(At { left: Some(left), ..at }, done).note(collection.as_str()))
    }
}
