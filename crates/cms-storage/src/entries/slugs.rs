//! Slugs that are taken.

use std::collections::BTreeSet;

use cms_domain::{id::CollectionId, locale::Locale, slug::EntrySlug};

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
        let name: [&[u8]; 4] = [b"slugs", &collection.to_bytes(), locale.as_str().as_bytes(), stem.as_str().as_bytes()];
        self.executor.hold(&name, true, None).await?;
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
        let text = taken_text(self.executor.is_postgres(), collection, locale, slugs.iter().map(|(_, slug)| slug));
        let mut taken = BTreeSet::new();
        for row in self.executor.all(text).await? {
            let found: String = row.read("slug")?;
            taken.extend(slugs.iter().filter(|(_, slug)| slug.as_str() == found).map(|(number, _)| *number));
        }
        Ok(taken)
    }
}

/// The statement that finds which of some slugs are taken: one descent into their index for each.
///
/// PostgreSQL guesses how many rows a list of values finds, and while it knows nothing of a table it reads all of it instead. Each
/// slug is looked up apart there, which leaves it nothing to guess.
fn taken_text<'a>(postgres: bool, collection: CollectionId, locale: &Locale, slugs: impl Iterator<Item = &'a EntrySlug>) -> Text {
    if postgres {
        // No slug holds a comma.
        let slugs: Vec<_> = slugs.map(EntrySlug::as_str).collect();
        let mut text = Text::new("SELECT asked.slug FROM unnest(string_to_array(");
        text.bind(slugs.join(",")).push(", ',')) AS asked (slug) CROSS JOIN LATERAL (SELECT 1 FROM entries e WHERE e.collection_id = ");
        text.bind(id_value(collection)).push(" AND e.slug = asked.slug AND e.locale = ").bind(locale.as_str()).push(" LIMIT 1) taken");
        return text;
    }
    let mut text = Text::new("SELECT slug FROM entries WHERE collection_id = ");
    text.bind(id_value(collection)).push(" AND locale = ").bind(locale.as_str()).push(" AND slug IN (");
    text.bind_all(slugs.map(|slug| slug.as_str().into())).push(")");
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Backend, Store, both,
        entries::samples::{entry, insert, products},
        executor::Sql,
    };

    both! {
        async fn a_table_that_the_database_knows_nothing_of_is_not_read_to_find_a_slug(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let tx = store.write().await.unwrap();
            tx.executor().execute("ALTER TABLE entries SET (autovacuum_enabled = false)").await.unwrap();
            tx.commit().await.unwrap();
            let collection = products(&store).await;
            let entries: Vec<_> = (1..=3000).map(|n| {
                let mut entry = entry(collection.id, n, &json!({ "title": "a".repeat(60) }));
                entry.live.slug = format!("post-{n}").parse().ok();
                entry
            }).collect();
            insert(&store, &collection, &entries).await;
            let stem: EntrySlug = "post".parse().unwrap();
            let slugs: Vec<_> = (1..=21).map(|n| stem.numbered(n)).collect();
            let asked = taken_text(true, collection.id, &"en".parse().unwrap(), slugs.iter()).statement(sea_orm::DbBackend::Postgres);
            let explain = (format!("EXPLAIN (COSTS OFF) {}", asked.sql), asked.values.unwrap().0);
            let rows = store.reader().executor().all(explain).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
            assert!(!plan.iter().any(|line| line.contains("Scan on entries") && !line.contains("entries_slug")), "{plan:#?}");
            assert!(plan.iter().any(|line| line.contains("entries_slug")), "{plan:#?}");
        }
    }
}
