//! Revisions: what was saved, by whom, when.

use cms_domain::{
    access::{Permit, to},
    entry::Document,
    id::{CollectionId, EntryId, RevisionId, UserId},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, Order, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait, Set,
    sea_query::{Alias, Asterisk, Expr, ExprTrait, Func, Query},
};

use self::entity::{ActiveModel, Column, Entity, Model};
use crate::{
    Error, Reader, Tx,
    column::Stored,
    entries::{
        read::HEAVY_PAGE,
        row::{document_text, entity as entries, read_document},
    },
    executor::Executor,
    row::{Row, at_most, corrupt, id_value, optional_id_value, time_value},
    statement::Batch,
};

pub(crate) mod entity {
    use cms_domain::{
        id::{CollectionId, EntryId, RevisionId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "revisions")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<RevisionId>,
        pub(crate) collection_id: Stored<CollectionId>,
        pub(crate) entry_id: Stored<EntryId>,
        /// [`crate::entries::row::document_text`]
        pub(crate) document: String,
        pub(crate) author_id: Option<Stored<UserId>>,
        pub(crate) autosave: bool,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) updated_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// What an entry's content was when it was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// Identifies the revision. Later ones have greater ids.
    pub id: RevisionId,
    /// Collection of the entry.
    pub collection: CollectionId,
    /// The entry.
    pub entry: EntryId,
    /// The content.
    pub document: Document,
    /// Who saved it.
    pub author: Option<UserId>,
    /// Whether it was saved without being asked to; the next one of the same author may replace it.
    pub autosave: bool,
    /// When it was first saved.
    pub created_at: Timestamp,
    /// When it was last saved.
    pub updated_at: Timestamp,
}

/// A page of revisions.
#[derive(Debug)]
pub struct RevisionPage {
    /// The revisions, the newest first.
    pub items: Vec<Revision>,
    /// The last revision of the page, when there are older ones.
    pub next: Option<RevisionId>,
}

/// Revisions that nobody needs any more.
#[derive(Debug, PartialEq, Eq)]
pub struct Surplus {
    /// The revisions.
    pub revisions: Vec<RevisionId>,
    /// Behind which entry to go on once they are removed; none at the end.
    pub next: Option<EntryId>,
}

/// Reads revisions.
#[derive(Clone, Copy)]
pub struct RevisionReader<'a> {
    executor: Executor<'a>,
}

/// Writes revisions.
#[derive(Clone, Copy)]
pub struct RevisionWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Revisions.
    pub fn revisions(self) -> RevisionReader<'a> {
        RevisionReader { executor: self.executor() }
    }
}

impl Tx {
    /// Revisions.
    pub fn revisions(&self) -> RevisionWriter<'_> {
        RevisionWriter { executor: self.executor() }
    }
}

impl TryFrom<Model> for Revision {
    type Error = Error;

    fn try_from(row: Model) -> Result<Self, Error> {
        let id = row.id.0;
        Ok(Self {
            id,
            collection: row.collection_id.0,
            entry: row.entry_id.0,
            document: read_document(&row.document).ok_or_else(|| corrupt("revisions", "document", id))?,
            author: row.author_id.map(|author| author.0),
            autosave: row.autosave,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        })
    }
}

impl RevisionReader<'_> {
    /// A revision.
    pub async fn get(self, id: RevisionId) -> Result<Option<Revision>, Error> {
        let found: Option<Model> = self.executor.find(Entity::find_by_id(Stored(id))).await?;
        found.map(Model::try_into).transpose()
    }

    /// Revisions of an entry, the newest first, those older than `after` if that is given. The page is cut where its content is 16
    /// megabytes.
    pub async fn list(self, entry: EntryId, limit: usize, after: Option<RevisionId>) -> Result<RevisionPage, Error> {
        let of_entry = Entity::find()
            .filter(Column::EntryId.eq(Stored(entry)))
            .apply_if(after, |revisions, after| revisions.filter(Column::Id.lt(Stored(after))))
            .order_by_desc(Column::Id);
        let weight = Expr::from(Func::cust("octet_length").arg(Expr::col(Column::Document))).cast_as("bigint");
        // One row more than the page has says whether there is another page.
        let weighed = of_entry.clone().select_only().column(Column::Id).column_as(weight, "weight").limit(at_most(limit.saturating_add(1)));
        let weighed: Vec<(Stored<RevisionId>, i64)> = weighed.into_tuple().all(&self.executor).await?;
        let mut weight = 0_usize;
        let fits = weighed.iter().take(limit).take_while(|(_, more)| {
            let has_room = weight < HEAVY_PAGE;
            weight += usize::try_from(*more).unwrap_or(usize::MAX / 2);
            has_room
        });
        let fits = fits.count();
        let Some((last, _)) = fits.checked_sub(1).and_then(|last| weighed.get(last)) else {
            return Ok(RevisionPage { items: Vec::new(), next: None });
        };
        let rows: Vec<Model> = self.executor.list(of_entry.filter(Column::Id.gte(*last)).limit(at_most(fits))).await?;
        let items = rows.into_iter().map(Revision::try_from).collect::<Result<Vec<_>, _>>()?;
        Ok(RevisionPage { items, next: (fits < weighed.len()).then_some(last.0) })
    }

    /// How many revisions an entry has.
    pub async fn count(self, entry: EntryId) -> Result<u64, Error> {
        Ok(self.executor.count(Entity::find().filter(Column::EntryId.eq(Stored(entry)))).await?.unsigned_abs())
    }

    /// Revisions beyond the newest `keep` of each entry, except for those that an entry points to: found among the next `rows`
    /// revisions or so of entries behind `after`, in the order of their ids, and no more than `limit` of them.
    pub async fn surplus(self, keep: usize, after: EntryId, rows: usize, limit: usize) -> Result<Surplus, Error> {
        // So many that an entry that has all of them has some to spare.
        let rows = i64::try_from(rows.saturating_add(keep)).unwrap_or(i64::MAX);
        let keep = i64::try_from(keep).unwrap_or(i64::MAX);
        let next = Query::select()
            .column(Column::EntryId)
            .from(Entity)
            .and_where(Column::EntryId.gt(Stored(after)))
            .order_by(Column::EntryId, Order::Asc)
            .limit(rows.unsigned_abs())
            .take();
        let counted = Query::select()
            .column(Column::EntryId)
            .expr_as(Expr::col(Asterisk).count(), "n")
            .from_subquery(next, "next")
            .group_by_col(Column::EntryId)
            .order_by(Column::EntryId, Order::Asc)
            .take();
        let next = self.executor.all(&counted).await?;
        let read = |row: &QueryResult| Ok::<(EntryId, i64), Error>((row.read_id("entry_id")?, row.read("n")?));
        let mut seen = next.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let is_last = seen.iter().map(|(_, n)| n).sum::<i64>() < rows;
        if !is_last && seen.len() > 1 {
            // The last one may have more: it comes again, with all of them.
            seen.pop();
        }
        let crowded: Vec<_> = seen.iter().filter(|(_, n)| *n > keep).map(|(entry, _)| *entry).collect();
        let revisions = if crowded.is_empty() { Vec::new() } else { self.unpinned(&crowded, keep, limit).await? };
        let next = if revisions.len() == limit { Some(after) } else { seen.last().map(|(entry, _)| *entry).filter(|_| !is_last) };
        Ok(Surplus { revisions, next })
    }

    /// Up to `limit` revisions of some entries, beyond the newest `keep` of each, that the entries do not point to.
    async fn unpinned(self, entries: &[EntryId], keep: i64, limit: usize) -> Result<Vec<RevisionId>, Error> {
        let kept = Alias::new("kept");
        let oldest_kept = Query::select()
            .column((kept.clone(), Column::Id))
            .from_as(Entity, kept.clone())
            .and_where(Expr::col((kept.clone(), Column::EntryId)).equals((entries::Entity, entries::Column::Id)))
            .order_by((kept, Column::Id), Order::Desc)
            .limit(1)
            .offset(keep.unsigned_abs())
            .take();
        let unpinned = |pin: entries::Column| pin.is_null().or(pin.into_expr().not_equals((Entity, Column::Id)));
        let surplus = Query::select()
            .column((Entity, Column::Id))
            .from(entries::Entity)
            .inner_join(Entity, Column::EntryId.into_expr().equals((entries::Entity, entries::Column::Id)))
            .and_where(entries::Column::Id.is_in(entries.iter().copied().map(Stored)))
            .and_where(Column::Id.into_expr().lte(Expr::from(oldest_kept)))
            .and_where(unpinned(entries::Column::LiveRevision))
            .and_where(unpinned(entries::Column::DraftRevision))
            .limit(at_most(limit))
            .take();
        self.executor.all(&surplus).await?.iter().map(|row| row.read_id("id")).collect()
    }
}

/// Adds a revision.
pub(crate) fn insert(batch: &mut Batch, revision: &Revision) -> Result<(), Error> {
    let values = [
        id_value(revision.id),
        id_value(revision.collection),
        id_value(revision.entry),
        document_text(&revision.document)?.into(),
        optional_id_value(revision.author),
        revision.autosave.into(),
        time_value(revision.created_at),
        time_value(revision.updated_at),
    ];
    let text =
        batch.begin("INSERT INTO revisions (id, collection_id, entry_id, document, author_id, autosave, created_at, updated_at) VALUES ");
    text.bind_row(0, values);
    Ok(())
}

impl RevisionWriter<'_> {
    /// Puts another content into a revision.
    pub async fn update(self, _: &Permit<to::ChangeContent>, revision: &Revision) -> Result<(), Error> {
        let another = ActiveModel {
            document: Set(document_text(&revision.document)?),
            author_id: Set(revision.author.map(Stored)),
            autosave: Set(revision.autosave),
            updated_at: Set(Stored(revision.updated_at)),
            ..ActiveModel::default()
        };
        let update = Entity::update_many().set(another).filter(Column::Id.eq(Stored(revision.id)));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Removes revisions, except for those that an entry points to by now. Says how many.
    pub async fn remove(self, revisions: &[RevisionId]) -> Result<u64, Error> {
        if revisions.is_empty() {
            return Ok(0);
        }
        let id = (Entity, Column::Id);
        let pointing = Query::select()
            .expr(Expr::val(1))
            .from(entries::Entity)
            .and_where(entries::Column::Id.into_expr().equals((Entity, Column::EntryId)))
            .and_where(entries::Column::LiveRevision.into_expr().equals(id).or(entries::Column::DraftRevision.into_expr().equals(id)))
            .take();
        let ids = Column::Id.is_in(revisions.iter().copied().map(Stored));
        Ok(Entity::delete_many().filter(ids).filter(Expr::not_exists(pointing)).exec(&self.executor).await?.rows_affected)
    }
}
