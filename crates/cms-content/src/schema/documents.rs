//! Every stored document of a collection: what is published, what is staged, what is in the trash.

use cms_domain::{access::Visibility, collection::Collection, entry::Entry, field::ValidJson, id::CollectionId};
use cms_frame::{Cx, Error};
use cms_storage::{ListQuery, Reader};

/// How many entries are read at a time: a few megabytes at most sites.
const BATCH: usize = 200;

/// How many entries a collection has, for people who want to know how much there is to do: as they were counted when they were written.
pub(super) async fn known_entries(cx: &Cx<'_>, collection: &Collection) -> Result<u64, Error> {
    let all = ListQuery::new(collection, Visibility::Working, 1);
    Ok(cx.read().entries().count(&all).await?.n)
}

/// Shows each entry with each of its documents, until `see` says that it has seen enough.
pub(super) async fn visit(
    rows: Reader<'_>,
    collection: CollectionId,
    mut see: impl FnMut(&Entry, &ValidJson) -> Result<Seen, Error> + Send,
) -> Result<(), Error> {
    let mut after = None;
    loop {
        let entries = rows.entries().by_collection(collection, after, BATCH).await?;
        for entry in &entries {
            for document in of(entry) {
                if see(entry, document)? == Seen::Enough {
                    return Ok(());
                }
            }
        }
        match entries.last() {
            Some(last) if entries.len() == BATCH => after = Some(last.id),
            _ => return Ok(()),
        }
    }
}

/// The documents of an entry: what readers see, and what is staged.
pub(super) fn of(entry: &Entry) -> impl Iterator<Item = &ValidJson> {
    std::iter::once(&entry.live).chain(&entry.draft).map(|document| &document.data)
}

/// Whether whoever looks at documents wants to see more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// More, please.
    More,
    /// What was looked for is found.
    Enough,
}
