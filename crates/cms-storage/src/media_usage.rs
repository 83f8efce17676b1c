//! Which entries use which files of the library. Derived from the entries.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    id::{CollectionId, EntryId},
    media::MediaId,
};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, IntoSimpleExpr, QueryFilter, QueryOrder, QuerySelect, Set,
    sea_query::{Expr, ExprTrait, Query},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, Reader, Tx, column::Stored, executor::Executor, row::at_most, tables::Table};

mod entity {
    use cms_domain::{
        id::{CollectionId, EntryId},
        media::MediaId,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "media_usage")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) media_id: Stored<MediaId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) collection_id: Stored<CollectionId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) entry_id: Stored<EntryId>,
        /// Whether the entry counts: what is in the trash does not.
        pub(super) counts: bool,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// How many ids, or rows, one statement has: far fewer than either database takes.
const BATCH: usize = 500;

/// The table, as errors know it. It is derived.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().transient()
}

/// A file that an entry uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsedMedia {
    /// The entry.
    pub entry: EntryId,
    /// The file.
    pub media: MediaId,
    /// Whether it counts: what is in the trash does not.
    pub counts: bool,
}

/// That no entry that counts uses the item whose id a column has.
pub(crate) fn is_unused(id: impl IntoSimpleExpr) -> Expr {
    let using = Query::select()
        .expr(Expr::val(1))
        .from(Entity)
        .and_where(Expr::col((Entity, Column::MediaId)).eq(id.into_simple_expr()))
        .and_where(Column::Counts.eq(true))
        .take();
    Expr::exists(using).not()
}

/// Reads which entries use which files.
#[derive(Clone, Copy)]
pub struct MediaUsageReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Which entries use which files.
    pub fn media_usage(self) -> MediaUsageReader<'a> {
        MediaUsageReader { executor: self.executor() }
    }
}

#[derive(FromQueryResult)]
struct Count {
    media_id: Stored<MediaId>,
    entries: i64,
}

impl MediaUsageReader<'_> {
    /// By how many entries each of some files is used that count. Files that none uses are left out.
    pub async fn counts(self, items: &[MediaId]) -> Result<BTreeMap<MediaId, u64>, Error> {
        let used = Entity::find()
            .select_only()
            .column(Column::MediaId)
            .column_as(Column::EntryId.count(), "entries")
            .filter(Column::MediaId.is_in(items.iter().copied().map(Stored)))
            .filter(Column::Counts.eq(true))
            .group_by(Column::MediaId);
        let counts: Vec<Count> = used.into_model().all(&self.executor).await?;
        Ok(counts.into_iter().map(|count| (count.media_id.0, count.entries.unsigned_abs())).collect())
    }

    /// The entries that use a file, those in the trash included, by their collections and ids, behind one of them, so many at most.
    pub async fn of(
        self,
        media: MediaId,
        after: Option<(CollectionId, EntryId)>,
        limit: usize,
    ) -> Result<Vec<(CollectionId, EntryId)>, Error> {
        let mut using =
            Entity::find().select_only().columns([Column::CollectionId, Column::EntryId]).filter(Column::MediaId.eq(Stored(media)));
        if let Some((collection, entry)) = after {
            let further = Column::CollectionId.eq(Stored(collection)).and(Column::EntryId.gt(Stored(entry)));
            using = using.filter(Column::CollectionId.gt(Stored(collection)).or(further));
        }
        let using = using.order_by_asc(Column::CollectionId).order_by_asc(Column::EntryId).limit(at_most(limit));
        let rows: Vec<(Stored<CollectionId>, Stored<EntryId>)> = using.into_tuple().all(&self.executor).await?;
        Ok(rows.into_iter().map(|(collection, entry)| (collection.0, entry.0)).collect())
    }
}

/// Writes which entries use which files.
#[derive(Clone, Copy)]
pub struct MediaUsageWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Which entries use which files.
    pub fn media_usage(&self) -> MediaUsageWriter<'_> {
        MediaUsageWriter { executor: self.executor() }
    }
}

impl MediaUsageWriter<'_> {
    /// Some entries of a collection use these files, and no others. What is so already is not written again.
    pub async fn replace(self, collection: CollectionId, entries: &[EntryId], used: &BTreeSet<UsedMedia>) -> Result<(), Error> {
        let mut known = BTreeSet::new();
        for entries in entries.chunks(BATCH) {
            let rows = Entity::find().filter(Column::EntryId.is_in(entries.iter().copied().map(Stored)));
            known.extend(self.executor.list::<_, UsedMedia>(rows).await?);
        }
        let changed: Vec<EntryId> = {
            let differing: BTreeSet<EntryId> = known.symmetric_difference(used).map(|row| row.entry).collect();
            differing.into_iter().collect()
        };
        for entries in changed.chunks(BATCH) {
            let gone = Entity::delete_many().filter(Column::EntryId.is_in(entries.iter().copied().map(Stored)));
            gone.exec(&self.executor).await?;
        }
        let new: Vec<ActiveModel> =
            used.iter().filter(|row| changed.binary_search(&row.entry).is_ok()).map(|row| model(collection, *row)).collect();
        for rows in new.chunks(BATCH) {
            Entity::insert_many(rows.to_vec()).exec_without_returning(&self.executor).await?;
        }
        Ok(())
    }

    /// Removes up to `limit` rows of a collection that is gone, and says how many. None are left when that is none.
    pub async fn clear(self, collection: CollectionId, limit: usize) -> Result<u64, Error> {
        let first =
            Entity::find().select_only().column(Column::EntryId).filter(Column::CollectionId.eq(Stored(collection))).limit(at_most(limit));
        let entries: Vec<Stored<EntryId>> = first.into_tuple().all(&self.executor).await?;
        if entries.is_empty() {
            return Ok(0);
        }
        Ok(Entity::delete_many().filter(Column::EntryId.is_in(entries)).exec(&self.executor).await?.rows_affected)
    }
}

fn model(collection: CollectionId, row: UsedMedia) -> ActiveModel {
    ActiveModel {
        media_id: Set(Stored(row.media)),
        collection_id: Set(Stored(collection)),
        entry_id: Set(Stored(row.entry)),
        counts: Set(row.counts),
    }
}

impl From<entity::Model> for UsedMedia {
    fn from(row: entity::Model) -> Self {
        Self { entry: row.entry_id.0, media: row.media_id.0, counts: row.counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both};

    fn entry(n: u128) -> EntryId {
        EntryId::from_parts(1, n)
    }

    fn media(n: u128) -> MediaId {
        MediaId::from_parts(2, n)
    }

    fn used(rows: &[(u128, u128, bool)]) -> BTreeSet<UsedMedia> {
        rows.iter().map(|&(of, file, counts)| UsedMedia { entry: entry(of), media: media(file), counts }).collect()
    }

    both! {
        async fn an_entry_uses_what_it_was_last_seen_to_use(store: Store) {
            let (first, second) = (CollectionId::from_parts(3, 1), CollectionId::from_parts(3, 2));
            let tx = store.write().await.unwrap();
            let usage = tx.media_usage();
            usage.replace(first, &[entry(1), entry(2)], &used(&[(1, 1, true), (1, 2, true), (2, 1, true)])).await.unwrap();
            usage.replace(second, &[entry(3)], &used(&[(3, 1, false)])).await.unwrap();
            let counts = async || tx.reader().media_usage().counts(&[media(1), media(2), media(3)]).await.unwrap().into_values().collect::<Vec<_>>();
            assert_eq!(counts().await, [2, 1], "what is in the trash does not count");
            let of = async |after| tx.reader().media_usage().of(media(1), after, 2).await.unwrap();
            assert_eq!(of(None).await, [(first, entry(1)), (first, entry(2))]);
            assert_eq!(of(Some((first, entry(2)))).await, [(second, entry(3))]);
            usage.replace(first, &[entry(1), entry(2)], &used(&[(1, 2, true), (2, 1, false)])).await.unwrap();
            assert_eq!(counts().await, [1]);
            assert_eq!(usage.clear(first, 1).await.unwrap(), 1);
            assert_eq!(usage.clear(first, 9).await.unwrap(), 1);
            assert_eq!(usage.clear(first, 9).await.unwrap(), 0);
            assert_eq!(of(None).await, [(second, entry(3))]);
        }
    }
}
