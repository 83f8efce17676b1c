//! Reading entries one by one, by group, by reference, and in batches.

use std::{borrow::Cow, collections::HashSet};

use cms_domain::{
    access::Visibility,
    entry::{Entry, Status},
    id::{CollectionId, EntryId, FieldId, GroupId, UserId},
    locale::Locale,
    slug::IdOrSlug,
    user::Email,
};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QueryResult, QuerySelect,
    sea_query::{Asterisk, Expr, ExprTrait, Order, Query},
};

use super::{
    Author, EntryReader, EntryStamp, EntryView, Found, Totals, Trash,
    row::{
        self, COLUMNS, EntryRow, LIGHT, Weighed,
        entity::{Column, Entity},
        status_number,
    },
};
use crate::{
    Error,
    collections::collection,
    column::{Stored, unreadable},
    entry_index::references,
    row::{Row, at_most, id_value},
    statement::Text,
    users::entity as users,
};

/// Who owns entries.
#[derive(FromQueryResult)]
struct Owner {
    id: Stored<UserId>,
    name: Option<String>,
    email: Stored<Email>,
}

impl EntryReader<'_> {
    /// An entry.
    pub async fn get(self, visibility: Visibility, id: EntryId, trash: Trash) -> Result<Option<Entry>, Error> {
        let text = select(" WHERE e.id = $1");
        let row = self.executor.one((text, vec![id_value(id)])).await?;
        let entry = row.map(|row| row::read(&row, 0)).transpose()?;
        Ok(entry.filter(|entry| is_visible(entry, visibility, trash)))
    }

    /// The entry of a collection that an address names. A slug without a locale names the entry in the default locale, or else
    /// the only one.
    pub async fn find(
        self,
        visibility: Visibility,
        collection: CollectionId,
        named: &IdOrSlug,
        locale: Option<&Locale>,
        default_locale: &Locale,
        trash: Trash,
    ) -> Result<Found, Error> {
        let slug = match named {
            IdOrSlug::Id(id) => {
                let entry = self.get(visibility, *id, trash).await?;
                let entry = entry.filter(|entry| entry.collection == collection && locale.is_none_or(|locale| entry.locale == *locale));
                return Ok(entry.map_or(Found::None, |entry| Found::One(Box::new(entry))));
            }
            IdOrSlug::Slug(slug) => slug.as_str(),
        };
        let text = select(" WHERE e.collection_id = $1 AND e.slug = $2 AND ($3 IS NULL OR e.locale = $3) ORDER BY e.locale");
        let rows = self.executor.all((text, vec![id_value(collection), slug.into(), locale.map(Locale::as_str).into()])).await?;
        let mut entries = read_all(&rows)?;
        entries.retain(|entry| is_visible(entry, visibility, trash));
        Ok(Found::among(entries, |entry| &entry.locale, default_locale))
    }

    /// The published entry of a collection that an address names, as its readers see it: of half the columns that whoever works on it needs.
    pub async fn find_published(
        self,
        collection: CollectionId,
        named: &IdOrSlug,
        locale: Option<&Locale>,
        default_locale: &Locale,
    ) -> Result<Found<EntryView>, Error> {
        let mut text = select_columns(EntryView::COLUMNS);
        text.push("e.collection_id = ").bind(id_value(collection));
        match named {
            IdOrSlug::Id(id) => text.push(" AND e.id = ").bind(id_value(*id)),
            IdOrSlug::Slug(slug) => text.push(" AND e.slug = ").bind(slug.as_str()),
        };
        if let Some(locale) = locale {
            text.push(" AND e.locale = ").bind(locale.as_str());
        }
        text.push(&is_public()).push(" ORDER BY e.locale");
        let rows = self.executor.all(text).await?;
        let entries = rows.iter().map(|row| EntryView::read(row, 0)).collect::<Result<Vec<_>, _>>()?;
        Ok(Found::among(entries, |entry| &entry.locale, default_locale))
    }

    /// The visible entries of a translation group, by locale. None of them is in the trash.
    pub async fn translations(self, group: GroupId, visibility: Visibility) -> Result<Vec<Entry>, Error> {
        let mut entries = self.group_members(group).await?;
        entries.retain(|entry| is_visible(entry, visibility, Trash::Exclude));
        Ok(entries)
    }

    /// The entries of a translation group, those in the trash included, by locale.
    pub async fn group_members(self, group: GroupId) -> Result<Vec<Entry>, Error> {
        let text = select(" WHERE e.translation_group = $1 ORDER BY e.locale");
        read_all(&self.executor.all((text, vec![id_value(group)])).await?)
    }

    /// The other entries of the translation group of one, and how often they were changed.
    pub async fn group_versions(self, entry: &Entry) -> Result<Vec<(EntryId, i64)>, Error> {
        let others = Entity::find()
            .select_only()
            .columns([Column::Id, Column::Version])
            .filter(Column::TranslationGroup.eq(Stored(entry.group)))
            .filter(Column::Id.ne(Stored(entry.id)));
        let others: Vec<(Stored<EntryId>, i64)> = others.into_tuple().all(&self.executor).await?;
        Ok(others.into_iter().map(|(id, version)| (id.0, version)).collect())
    }

    /// The users who own entries of a collection outside of the trash, by address.
    pub async fn authors(self, collection: CollectionId) -> Result<Vec<Author>, Error> {
        // One look into the index for each user, instead of one at each entry.
        let own = Query::select()
            .expr(Expr::val(1))
            .from(Entity)
            .and_where(Column::CollectionId.eq(Stored(collection)))
            .and_where(Column::AuthorId.into_expr().equals((users::Entity, users::Column::Id)))
            .and_where(Column::DeletedAt.is_null())
            .limit(1)
            .take();
        let owners = users::Entity::find()
            .select_only()
            .columns([users::Column::Id, users::Column::Name, users::Column::Email])
            .filter(Expr::from(own).is_not_null())
            .order_by_asc(users::Column::Email);
        let owners = owners.into_model::<Owner>().all(&self.executor).await.map_err(unreadable::<users::Entity>)?;
        Ok(owners.into_iter().map(|owner| Author { id: owner.id.0, name: owner.name, email: owner.email.0 }).collect())
    }

    /// Which of some ids are those of entries outside of the trash, in a collection or in any that there is.
    pub async fn existing(self, ids: &[EntryId], collection: Option<CollectionId>) -> Result<HashSet<EntryId>, Error> {
        let mut existing = HashSet::new();
        for ids in ids.chunks(BATCH) {
            let mut text = Text::new("SELECT e.id FROM entries e WHERE e.deleted_at IS NULL AND e.id IN (");
            text.bind_all(ids.iter().copied().map(id_value)).push(")");
            match collection {
                Some(collection) => text.push(" AND e.collection_id = ").bind(id_value(collection)),
                // Those of a collection that is gone may not be gone yet.
                None => text.push(" AND EXISTS (SELECT 1 FROM collections c WHERE c.id = e.collection_id)"),
            };
            for row in self.executor.all(text).await? {
                existing.insert(row.read_id("id")?);
            }
        }
        Ok(existing)
    }

    /// The fields and entries that refer to an entry, in published or in working values, in the trash or not.
    pub async fn referring(self, target: EntryId) -> Result<Vec<(FieldId, EntryId)>, Error> {
        let referring = references::Entity::find()
            .select_only()
            .columns([references::Column::FieldId, references::Column::EntryId])
            .distinct()
            .filter(references::Column::TargetId.eq(Stored(target)))
            .order_by_asc(references::Column::EntryId)
            .order_by_asc(references::Column::FieldId);
        let referring: Vec<(Stored<FieldId>, Stored<EntryId>)> = referring.into_tuple().all(&self.executor).await?;
        Ok(referring.into_iter().map(|(field, entry)| (field.0, entry.0)).collect())
    }

    /// Entries of other collections that would lose all that a field refers to, if the entries of a collection went, and the field; `limit` of them at
    /// most. Where `any` holds, losing one is enough.
    pub async fn held_by(self, collection: CollectionId, field: FieldId, any: bool, limit: u64) -> Result<Vec<EntryId>, Error> {
        // As text: each row is compared with others of its own table.
        const ANY: &str = "SELECT DISTINCT r.entry_id FROM entry_references r JOIN entries t ON t.id = r.target_id \
            JOIN entries s ON s.id = r.entry_id \
            WHERE r.field_id = $2 AND t.collection_id = $1 AND s.collection_id <> $1 AND ($3 OR NOT EXISTS ( \
                SELECT 1 FROM entry_references o JOIN entries e ON e.id = o.target_id \
                WHERE o.field_id = r.field_id AND o.entry_id = r.entry_id AND o.stage = r.stage AND e.collection_id <> $1)) LIMIT $4";
        let values = [id_value(collection), id_value(field), any.into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
        let rows = self.executor.all((ANY, values)).await?;
        rows.iter().map(|row| row.read_id("entry_id")).collect()
    }

    /// Entries of other collections that refer to one of some entries, in the order of their ids, each with its collection.
    pub async fn referrers_of(
        self,
        collection: CollectionId,
        targets: &[EntryId],
        limit: u64,
    ) -> Result<Vec<(EntryId, CollectionId)>, Error> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let referrers = Query::select()
            .distinct()
            .column((references::Entity, references::Column::EntryId))
            .column((Entity, Column::CollectionId))
            .from(references::Entity)
            .inner_join(Entity, Column::Id.into_expr().equals((references::Entity, references::Column::EntryId)))
            .inner_join(collection::Entity, collection::Column::Id.into_expr().equals((Entity, Column::CollectionId)))
            .and_where(references::Column::TargetId.is_in(targets.iter().copied().map(Stored)))
            .and_where(Column::CollectionId.ne(Stored(collection)))
            .order_by((references::Entity, references::Column::EntryId), Order::Asc)
            .limit(at_most(usize::try_from(limit).unwrap_or(usize::MAX)))
            .take();
        let rows = self.executor.all(&referrers).await?;
        rows.iter().map(|row| Ok((row.read_id("entry_id")?, row.read_id("collection_id")?))).collect()
    }

    /// The last entry of a collection in the order of their ids.
    pub async fn last_id_of(self, collection: CollectionId) -> Result<Option<EntryId>, Error> {
        let last = Entity::find().select_only().column(Column::Id).filter(Column::CollectionId.eq(Stored(collection)));
        let last: Option<Stored<EntryId>> = last.order_by_desc(Column::Id).into_tuple().one(&self.executor).await?;
        Ok(last.map(|last| last.0))
    }

    /// The entries of a collection behind one of them, in the order of their ids.
    pub async fn ids_of(self, collection: CollectionId, after: Option<EntryId>, limit: usize) -> Result<Vec<EntryId>, Error> {
        let after = after.unwrap_or(BEFORE_ALL);
        let behind = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::CollectionId.eq(Stored(collection)))
            .filter(Column::Id.gt(Stored(after)))
            .order_by_asc(Column::Id)
            .limit(at_most(limit));
        let ids: Vec<Stored<EntryId>> = behind.into_tuple().all(&self.executor).await?;
        Ok(ids.into_iter().map(|id| id.0).collect())
    }

    /// How many entries a collection has, counted one by one.
    pub async fn totals(self, collection: CollectionId) -> Result<Totals, Error> {
        let totals = Query::select()
            .expr_as(Expr::col(Asterisk).count(), "n")
            .expr_as(Expr::col(Column::DeletedAt).count(), "trashed")
            .from(Entity)
            .and_where(Column::CollectionId.eq(Stored(collection)))
            .take();
        let Some(row) = self.executor.one(&totals).await? else { return Ok(Totals::default()) };
        let trashed = row.read("trashed")?;
        Ok(Totals { entries: row.read::<i64>("n")? - trashed, trashed })
    }

    /// Entries of a collection in the order of their ids, those in the trash included.
    pub async fn by_collection(self, collection: CollectionId, after: Option<EntryId>, limit: usize) -> Result<Vec<Entry>, Error> {
        let text = select(" WHERE e.collection_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3");
        let after = after.unwrap_or(BEFORE_ALL);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        read_all(&self.executor.all((text, vec![id_value(collection), id_value(after), limit.into()])).await?)
    }

    /// The entries of a collection that are in some translation groups, those in the trash included.
    pub async fn ids_of_groups(self, collection: CollectionId, groups: &[GroupId]) -> Result<Vec<EntryId>, Error> {
        let mut ids = Vec::with_capacity(groups.len());
        for groups in groups.chunks(BATCH) {
            let members = Entity::find()
                .select_only()
                .column(Column::Id)
                .filter(Column::TranslationGroup.is_in(groups.iter().copied().map(Stored)))
                .filter(Column::CollectionId.eq(Stored(collection)))
                .order_by_asc(Column::Id);
            let members: Vec<Stored<EntryId>> = members.into_tuple().all(&self.executor).await?;
            ids.extend(members.into_iter().map(|id| id.0));
        }
        Ok(ids)
    }

    /// Entries by their ids, those in the trash included.
    pub async fn whole(self, ids: &[EntryId]) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::with_capacity(ids.len());
        for ids in ids.chunks(BATCH) {
            entries.append(&mut self.read_by_ids(Entry::COLUMNS, "", ids, Entry::read, EntryRow::id).await?);
        }
        Ok(entries)
    }

    /// Entries by their ids, in the order of the ids, as far as somebody sees them. None of them is in the trash.
    pub async fn visible(self, visibility: Visibility, ids: &[EntryId]) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::with_capacity(ids.len());
        for ids in ids.chunks(BATCH) {
            entries.append(&mut self.by_ids(visibility, ids).await?);
        }
        Ok(entries)
    }

    /// The same, where they go into one page; none where they are too heavy for it, since whoever asks for many at once is answered with them together.
    pub async fn visible_together(self, visibility: Visibility, ids: &[EntryId]) -> Result<Option<Vec<Entry>>, Error> {
        let Filled { items, cut_at } = self.page_by_ids(visibility, ids).await?;
        Ok(cut_at.is_none().then_some(items))
    }

    /// Published entries by their ids, as their readers see them; those that are none are left out.
    pub async fn published(self, ids: &[EntryId]) -> Result<Vec<EntryView>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.by_ids(Visibility::Published, ids).await
    }

    /// How often some entries were changed, and what else tells that they are others, in the order of the ids; ids of entries that the reader may not
    /// see are left out.
    pub async fn stamps(self, visibility: Visibility, ids: &[EntryId]) -> Result<Vec<EntryStamp>, Error> {
        let weighed: Vec<Weighed<false>> = self.by_ids(visibility, ids).await?;
        Ok(weighed.into_iter().map(|one| one.stamp).collect())
    }

    /// Entries by their ids, in the order of the ids; ids of entries that the reader may not see are left out.
    pub(crate) async fn by_ids<T: EntryRow>(self, visibility: Visibility, ids: &[EntryId]) -> Result<Vec<T>, Error> {
        self.read_by_ids(T::COLUMNS, &seen_by(visibility), ids, T::read, T::id).await
    }

    /// Entries of a page by their ids, in the order of the ids, as far as a page goes: see [`EntryReader::fill`].
    pub(crate) async fn page_by_ids<T: EntryRow>(self, visibility: Visibility, ids: &[EntryId]) -> Result<Filled<T>, Error> {
        if ids.is_empty() {
            return Ok(Filled { items: Vec::new(), cut_at: None });
        }
        let only = seen_by(visibility);
        let slots = self.read_by_ids(T::LIGHT, &only, ids, Slot::read, |slot: &Slot<T>| slot.id).await?;
        self.fill(&only, slots).await
    }

    /// Reads the entries of a page that are too heavy to be read along with others, until they are [`HEAVY_PAGE`] bytes: there the page is cut.
    pub(crate) async fn fill<T: EntryRow>(self, only: &str, slots: Vec<Slot<T>>) -> Result<Filled<T>, Error> {
        let mut items = Vec::with_capacity(slots.len());
        let mut weight = 0_usize;
        for Slot { id, entry } in slots {
            let is_heavy = entry.as_ref().is_none_or(|entry| entry.weight() > LIGHT);
            if is_heavy && weight >= HEAVY_PAGE {
                return Ok(Filled { items, cut_at: Some(id) });
            }
            if let Some(entry) = entry {
                weight = weight.saturating_add(if is_heavy { entry.weight() } else { 0 });
                items.push(entry);
                continue;
            }
            // It may be gone by now.
            for entry in self.read_by_ids(T::COLUMNS, only, &[id], T::read, T::id).await? {
                weight = weight.saturating_add(entry.weight());
                items.push(entry);
            }
        }
        Ok(Filled { items, cut_at: None })
    }

    /// Reads columns of entries by their ids, in the order of the ids, of those alone that a condition lets pass.
    async fn read_by_ids<T>(
        self,
        columns: &'static str,
        only: &str,
        ids: &[EntryId],
        read: impl Fn(&QueryResult, usize) -> Result<T, Error>,
        id_of: impl Fn(&T) -> EntryId,
    ) -> Result<Vec<T>, Error> {
        let mut text = select_columns(columns);
        text.push("e.id IN (");
        text.bind_all(ids.iter().copied().map(id_value)).push(")").push(only);
        let rows = self.executor.all(text).await?;
        let mut found = rows.iter().map(|row| read(row, 0)).collect::<Result<Vec<_>, _>>()?;
        let mut places: Vec<_> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        places.sort_unstable();
        found.sort_unstable_by_key(|one| places.binary_search_by_key(&id_of(one), |(id, _)| *id).map_or(usize::MAX, |n| places[n].1));
        Ok(found)
    }
}

/// What is asked of entries so that somebody sees them.
pub(crate) fn seen_by(visibility: Visibility) -> Cow<'static, str> {
    match visibility {
        Visibility::Published => is_public().into(),
        Visibility::Working => " AND e.deleted_at IS NULL".into(),
    }
}

/// The id in front of all others, which no entry has: whatever goes through entries in the order of their ids begins behind it.
pub const BEFORE_ALL: EntryId = EntryId::from_bytes([0; 16]);

/// What is asked of entries in the trash.
pub(crate) const TRASHED: &str = " AND e.deleted_at IS NOT NULL";

/// How many bytes of content the heavy entries or revisions of a page have before it is cut: more than a request may bring, so that one always fits, and
/// few enough for a server that answers many at once.
pub(crate) const HEAVY_PAGE: usize = 16 << 20;

/// An entry of a page; none where it is too heavy to be read along with others.
pub(crate) struct Slot<T> {
    id: EntryId,
    entry: Option<T>,
}

impl<T: EntryRow> Slot<T> {
    /// Reads [`EntryRow::LIGHT`] of a row, which begin at `first`.
    pub(crate) fn read(row: &QueryResult, first: usize) -> Result<Self, Error> {
        let entry = T::read_light(row, first)?;
        let id = match &entry {
            Some(entry) => entry.id(),
            None => row::id(row, first)?,
        };
        Ok(Self { id, entry })
    }
}

/// The entries of a page, as far as they are read.
pub(crate) struct Filled<T> {
    pub(crate) items: Vec<T>,
    /// The first one that is left to the next page.
    pub(crate) cut_at: Option<EntryId>,
}

/// How many ids one statement names.
pub(super) const BATCH: usize = 500;

/// Reads rows that have the columns of entries and nothing before them.
pub(super) fn read_all(rows: &[QueryResult]) -> Result<Vec<Entry>, Error> {
    rows.iter().map(|row| row::read(row, 0)).collect()
}

/// The statement that reads entries, up to where it says which.
pub(super) fn select(rest: &str) -> String {
    format!("SELECT {COLUMNS} FROM entries e{rest}")
}

/// The statement that reads columns of entries, up to what is asked of them.
fn select_columns(columns: &str) -> Text {
    let mut text = Text::new("SELECT ");
    text.push(columns).push(" FROM entries e WHERE ");
    text
}

/// What makes an entry one that the public reads. With the plus no index is taken for it: what names the entry finds one, and its status finds all of
/// a collection.
fn is_public() -> String {
    format!(" AND e.deleted_at IS NULL AND +e.status = {}", status_number(Status::Published))
}

impl<T> Found<T> {
    /// Of the entries that have a slug, the one in the default locale, or else the only one.
    fn among(mut entries: Vec<T>, locale: impl Fn(&T) -> &Locale, default_locale: &Locale) -> Self {
        if let Some(n) = entries.iter().position(|entry| locale(entry) == default_locale) {
            return Self::One(Box::new(entries.swap_remove(n)));
        }
        match entries.len() {
            0 => Self::None,
            1 => Self::One(Box::new(entries.swap_remove(0))),
            _ => Self::Ambiguous(entries.iter().map(|entry| locale(entry).clone()).collect()),
        }
    }
}

fn is_visible(entry: &Entry, visibility: Visibility, trash: Trash) -> bool {
    let trashed = entry.lifecycle.deleted_at.is_some();
    match visibility {
        // What is in the trash is not public, whoever asks for it.
        Visibility::Published => entry.lifecycle.status == Status::Published && !trashed && trash != Trash::Only,
        Visibility::Working => match trash {
            Trash::Exclude => !trashed,
            Trash::Include => true,
            Trash::Only => trashed,
        },
    }
}
