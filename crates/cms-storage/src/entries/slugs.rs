//! Slugs that are taken.

use std::collections::BTreeSet;

use cms_domain::{id::CollectionId, locale::Locale, slug::EntrySlug};

use sha2::{Digest, Sha256};

use super::{EntryReader, EntryWriter};
use crate::{
    Error, Reader,
    row::{Row, id_value},
    statement::Text,
};

/// The highest number that is looked for: twenty doublings.
const HIGHEST: u32 = 1 << 20;
/// Into how many parts a range of numbers is cut at a time.
const PARTS: u32 = 16;

impl EntryWriter<'_> {
    /// The same as [`EntryReader::highest_suffix`], and nobody else asks it until the transaction ends: whoever makes a slug from
    /// the same title waits for this one.
    pub async fn hold_slugs(self, collection: CollectionId, locale: &Locale, stem: &EntrySlug) -> Result<Option<u32>, Error> {
        if self.executor.is_postgres() {
            let name = Sha256::new()
                .chain_update(collection.to_bytes())
                .chain_update(locale.as_str())
                .chain_update([0])
                .chain_update(stem.as_str());
            let name: [u8; 32] = name.finalize().into();
            let key = name.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes));
            self.executor.one(("SELECT 1 FROM pg_advisory_xact_lock($1)", [key.into()])).await?;
        }
        Reader::new(self.executor).entries().highest_suffix(collection, locale, stem).await
    }
}

impl EntryReader<'_> {
    /// The highest number behind a slug that is taken in a collection and a locale, so that the next one is free; 0 when only
    /// the plain slug is taken, and none when that is free.
    ///
    /// Numbers are given one after the other, so the end of them is found by halving and not by reading them all. Where some
    /// were freed, the answer may be the number before a gap.
    pub async fn highest_suffix(self, collection: CollectionId, locale: &Locale, stem: &EntrySlug) -> Result<Option<u32>, Error> {
        let powers: Vec<u32> = (1..=HIGHEST.ilog2()).map(|power| 1 << power).collect();
        let numbers = std::iter::once(1).chain(powers.iter().copied());
        let taken = self.taken(collection, locale, stem, numbers).await?;
        if !taken.contains(&1) {
            return Ok(None);
        }
        let free = powers.into_iter().find(|number| !taken.contains(number)).unwrap_or(HIGHEST);
        let (mut low, mut high) = (free / 2, free);
        while high - low > 1 {
            let step = (high - low).div_ceil(PARTS);
            let numbers = (1..PARTS).map(|part| low + part * step).filter(|number| *number < high);
            let taken = self.taken(collection, locale, stem, numbers).await?;
            let end = (1..=PARTS).map(|part| low + part * step).find(|number| !taken.contains(number)).unwrap_or(high);
            (low, high) = (end - step, end.min(high));
        }
        Ok(Some(low - 1))
    }

    /// Which of some slugs are taken: 1 stands for the plain slug, 2 for the one with the number 1, and so on.
    async fn taken(
        self,
        collection: CollectionId,
        locale: &Locale,
        stem: &EntrySlug,
        numbers: impl Iterator<Item = u32>,
    ) -> Result<BTreeSet<u32>, Error> {
        let slug = |number| if number == 1 { stem.clone() } else { stem.numbered(number - 1) };
        let slugs: Vec<_> = numbers.map(|number| (number, slug(number))).collect();
        let mut text = Text::new("SELECT slug FROM entries WHERE collection_id = ");
        text.bind(id_value(collection)).push(" AND locale = ").bind(locale.as_str()).push(" AND slug IN (");
        text.bind_all(slugs.iter().map(|(_, slug)| slug.as_str().into())).push(")");
        let mut taken = BTreeSet::new();
        for row in self.executor.all(text).await? {
            let found: String = row.read("slug")?;
            taken.extend(slugs.iter().filter(|(_, slug)| slug.as_str() == found).map(|(number, _)| *number));
        }
        Ok(taken)
    }
}
