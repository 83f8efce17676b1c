//! What is derived from an entry: its rows in the index of fields, in the register of unique values, and among the references.
//!
//! One function computes the rows, and one writes the difference between two states of an entry. Whoever checks or rebuilds
//! them uses the same two.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    collection::{Collection, Index, IndexId},
    entry::{DateField, Entry, Status},
    field::{
        Field, FieldKind, ValidJson,
        convert::Form,
        sort_key::{self, SortKey},
    },
    id::{EntryId, FieldId},
    time::Timestamp,
};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Map;

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::{
    Constraint, Error,
    column::Stored,
    executor::Executor,
    keyset::BEFORE_ALL,
    row::{Row, corrupt, id_value},
    statement::{Batch, Text},
};

/// The index of fields.
pub(crate) mod fields {
    use cms_domain::{collection::IndexId, id::EntryId};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "entry_index")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) index_id: Stored<IndexId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) stage: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) key: Vec<u8>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) sort_at: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) entry_id: Stored<EntryId>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// How many entries there are: what counts is the sum of the shards.
pub(crate) mod counts {
    use cms_domain::id::CollectionId;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "entry_counts")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) collection_id: Stored<CollectionId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) status: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) locale: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) shard: i16,
        pub(crate) n: i64,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod unique {
    use cms_domain::id::{EntryId, FieldId};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "entry_unique")]
    pub(crate) struct Model {
        /// [`cms_domain::field::Register::id`]
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) field_id: Stored<FieldId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) locale: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) key: Vec<u8>,
        pub(crate) entry_id: Stored<EntryId>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod references {
    use cms_domain::id::{EntryId, FieldId};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "entry_references")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) field_id: Stored<FieldId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) entry_id: Stored<EntryId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) stage: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) position: i32,
        pub(crate) target_id: Stored<EntryId>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The stage of values that the public sees.
pub(crate) const PUBLISHED: i16 = 0;
/// The stage of values that editors see.
pub(crate) const WORKING: i16 = 1;

/// A row of the index of fields.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct IndexRow {
    pub(crate) index: IndexId,
    pub(crate) stage: i16,
    pub(crate) key: Vec<u8>,
    /// The index's date in the entry, in milliseconds; before every instant when there is none.
    pub(crate) sort_at: i64,
}

/// A row of the register of unique values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UniqueRow {
    /// [`cms_domain::field::Register::id`]
    pub(crate) register: FieldId,
    pub(crate) locale: String,
    pub(crate) key: Vec<u8>,
}

/// The place of a reference in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReferencePlace {
    pub(crate) field: FieldId,
    pub(crate) stage: i16,
    pub(crate) position: i32,
}

/// Every row that is derived from an entry.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Derived {
    /// An entry in the trash has none; one that is not published has none of the published stage.
    pub(crate) index: BTreeSet<IndexRow>,
    /// The values of the published and of the working content, in the trash too: a restored entry still has its own.
    pub(crate) unique: BTreeSet<UniqueRow>,
    /// What the contents refer to, in the trash too.
    pub(crate) references: BTreeMap<ReferencePlace, EntryId>,
}

impl Derived {
    /// The rows of an entry.
    pub(crate) fn of(collection: &Collection, entry: &Entry) -> Result<Self, Error> {
        let reader = MemberReader::new(collection);
        let read = |data: &ValidJson, column| reader.read(data).map_err(|_| corrupt("entries", column, entry.id));
        let live = read(&entry.live.data, "data")?;
        let draft = entry.draft.as_ref().map(|draft| read(&draft.data, "draft")).transpose()?;
        let mut derived = Self::default();
        let public = entry.lifecycle.status == Status::Published;
        if public {
            derived.add(collection, entry, PUBLISHED, &live);
        }
        derived.add(collection, entry, WORKING, draft.as_ref().unwrap_or(&live));
        for data in [Some(&live), draft.as_ref()].into_iter().flatten() {
            derived.add_unique(collection, entry, data);
        }
        Ok(derived)
    }

    fn add(&mut self, collection: &Collection, entry: &Entry, stage: i16, data: &Map<String, serde_json::Value>) {
        if entry.lifecycle.deleted_at.is_none() {
            for index in &collection.indexes {
                let keys = sort_key::index_keys(collection, index, data);
                let sort_at = sort_at(entry, index.date());
                let row = |key: SortKey| IndexRow { index: index.id, stage, key: key.into_bytes(), sort_at };
                self.index.extend(keys.into_iter().map(row));
            }
        }
        for field in collection.references() {
            let value = data.get(field.slug.as_str());
            let ids = match value {
                Some(serde_json::Value::Array(ids)) => ids.as_slice(),
                Some(id) => std::slice::from_ref(id),
                None => &[],
            };
            let targets = ids.iter().filter_map(|id| id.as_str()?.parse().ok());
            self.references
                .extend((0..).zip(targets).map(|(position, target)| (ReferencePlace { field: field.id, stage, position }, target)));
        }
    }

    fn add_unique(&mut self, collection: &Collection, entry: &Entry, data: &Map<String, serde_json::Value>) {
        for field in collection.fields.iter().filter(|field| field.unique) {
            let key = sort_key::encode(&field.kind, data.get(field.slug.as_str()));
            if key != SortKey::null() {
                self.unique.insert(UniqueRow {
                    register: field.register.id,
                    locale: entry.locale.as_str().to_owned(),
                    key: key.into_bytes(),
                });
            }
        }
    }

    /// Those of the rows that are among others, too.
    pub(crate) fn within(mut self, others: &Self) -> Self {
        self.index.retain(|row| others.index.contains(row));
        self.unique.retain(|row| others.unique.contains(row));
        self.references.retain(|place, target| others.references.get(place) == Some(target));
        self
    }

    /// The rows that are stored for some entries.
    pub(crate) async fn stored(executor: Executor<'_>, ids: &[EntryId]) -> Result<BTreeMap<EntryId, Self>, Error> {
        let mut stored: BTreeMap<EntryId, Self> = BTreeMap::new();
        if ids.is_empty() {
            return Ok(stored);
        }
        let ids = || ids.iter().copied().map(Stored);
        let of_entries = fields::Entity::find().filter(fields::Column::EntryId.is_in(ids()));
        for row in executor.list::<_, fields::Model>(of_entries).await? {
            let index = IndexRow { index: row.index_id.0, stage: row.stage, key: row.key, sort_at: row.sort_at };
            stored.entry(row.entry_id.0).or_default().index.insert(index);
        }
        let of_entries = unique::Entity::find().filter(unique::Column::EntryId.is_in(ids()));
        for row in executor.list::<_, unique::Model>(of_entries).await? {
            let value = UniqueRow { register: row.field_id.0, locale: row.locale, key: row.key };
            stored.entry(row.entry_id.0).or_default().unique.insert(value);
        }
        let of_entries = references::Entity::find().filter(references::Column::EntryId.is_in(ids()));
        for row in executor.list::<_, references::Model>(of_entries).await? {
            let place = ReferencePlace { field: row.field_id.0, stage: row.stage, position: row.position };
            stored.entry(row.entry_id.0).or_default().references.insert(place, row.target_id.0);
        }
        Ok(stored)
    }
}

/// Where an entry is among those of its key.
fn sort_at(entry: &Entry, date: DateField) -> i64 {
    let date = match date {
        DateField::CreatedAt => Some(entry.created_at),
        DateField::UpdatedAt => Some(entry.updated_at),
        DateField::PublishedAt => entry.lifecycle.published_at,
    };
    date.map_or(BEFORE_ALL, Timestamp::milliseconds)
}

/// Takes the unique values that an entry comes to have, and says which one another entry has.
///
/// Goes before what else is derived: a statement that fails on PostgreSQL would end the transaction without telling the field.
pub(crate) async fn claim_unique(executor: Executor<'_>, id: EntryId, before: &Derived, after: &Derived) -> Result<(), Error> {
    let missing: Vec<_> = after.unique.difference(&before.unique).map(|row| (id, row)).collect();
    claim(executor, &missing).await
}

/// Takes the unique values of several entries that have none yet.
pub(crate) async fn claim_unique_of(executor: Executor<'_>, entries: &[(EntryId, Derived)]) -> Result<(), Error> {
    let rows: Vec<_> = entries.iter().flat_map(|(id, derived)| derived.unique.iter().map(|row| (*id, row))).collect();
    claim(executor, &rows).await
}

async fn claim(executor: Executor<'_>, rows: &[(EntryId, &UniqueRow)]) -> Result<(), Error> {
    match insert_unique(executor, rows).await?.first() {
        Some((_, row)) => Err(Error::Conflict(Constraint::UniqueField { register: row.register })),
        None => Ok(()),
    }
}

/// Takes unique values for entries that may have some of them, and says which ones other entries have.
pub(crate) async fn register<'a>(
    executor: Executor<'_>,
    rows: &[(EntryId, &'a UniqueRow)],
) -> Result<Vec<(EntryId, &'a UniqueRow)>, Error> {
    let mut missing = insert_unique(executor, rows).await?;
    if !missing.is_empty() {
        let ids: BTreeSet<_> = missing.iter().map(|(id, _)| *id).collect();
        let own = Derived::stored(executor, &Vec::from_iter(ids)).await?;
        missing.retain(|(id, row)| !own.get(id).is_some_and(|own| own.unique.contains(row)));
    }
    Ok(missing)
}

/// Who has a unique value.
pub(crate) async fn owner(executor: Executor<'_>, row: &UniqueRow) -> Result<Option<EntryId>, Error> {
    let found = unique::Entity::find_by_id((Stored(row.register), row.locale.clone(), row.key.clone()));
    Ok(executor.find::<_, unique::Model>(found).await?.map(|row| row.entry_id.0))
}

/// Inserts rows as far as nobody has the value, and answers with the others.
async fn insert_unique<'a>(executor: Executor<'_>, rows: &[(EntryId, &'a UniqueRow)]) -> Result<Vec<(EntryId, &'a UniqueRow)>, Error> {
    let mut others = Vec::new();
    for rows in rows.chunks(Batch::ROWS) {
        let mut text = Text::new("INSERT INTO entry_unique (field_id, locale, key, entry_id) VALUES ");
        for (n, (id, row)) in rows.iter().enumerate() {
            text.bind_row(n, [id_value(row.register), row.locale.as_str().into(), row.key.clone().into(), id_value(*id)]);
        }
        text.push(" ON CONFLICT (field_id, locale, key) DO NOTHING RETURNING field_id, locale, key");
        let mut taken = BTreeSet::new();
        for row in executor.all(text).await? {
            taken.insert(UniqueRow { register: row.read_id("field_id")?, locale: row.read("locale")?, key: row.read("key")? });
        }
        // A value that two of the rows have is the first one's.
        others.extend(rows.iter().filter(|(_, row)| !taken.remove(*row)));
    }
    Ok(others)
}

/// Adds the rows of several entries that have none yet in the index of fields.
pub(crate) fn insert_index_rows(batch: &mut Batch, entries: &[(EntryId, Derived)]) {
    let rows: Vec<_> = entries.iter().flat_map(|(id, derived)| derived.index.iter().map(|row| (*id, row))).collect();
    insert_index(batch, &rows);
}

/// Adds the references of several entries that have none yet.
pub(crate) fn insert_references(batch: &mut Batch, entries: &[(EntryId, Derived)]) {
    let rows: Vec<_> =
        entries.iter().flat_map(|(id, derived)| derived.references.iter().map(|(place, target)| (*id, place, target))).collect();
    insert_reference(batch, &rows);
}

fn insert_index(batch: &mut Batch, rows: &[(EntryId, &IndexRow)]) {
    for rows in rows.chunks(Batch::ROWS) {
        let text = batch.begin("INSERT INTO entry_index (index_id, stage, key, sort_at, entry_id) VALUES ");
        for (n, (id, row)) in rows.iter().enumerate() {
            text.bind_row(n, [row.index.0.into(), row.stage.into(), row.key.clone().into(), row.sort_at.into(), id_value(*id)]);
        }
    }
}

fn insert_reference(batch: &mut Batch, rows: &[(EntryId, &ReferencePlace, &EntryId)]) {
    for rows in rows.chunks(Batch::ROWS) {
        let text = batch.begin("INSERT INTO entry_references (field_id, entry_id, stage, position, target_id) VALUES ");
        for (n, (id, place, target)) in rows.iter().enumerate() {
            let values = [id_value(place.field), id_value(*id), place.stage.into(), place.position.into(), id_value(**target)];
            text.bind_row(n, values);
        }
        text.push(" ON CONFLICT (field_id, entry_id, stage, position) DO UPDATE SET target_id = excluded.target_id");
    }
}

/// Writes what changed between two states of an entry, except for unique values that it comes to have.
pub(crate) fn write(batch: &mut Batch, id: EntryId, before: &Derived, after: &Derived) {
    let gone: Vec<_> = before.index.difference(&after.index).collect();
    let new: Vec<_> = after.index.difference(&before.index).map(|row| (id, row)).collect();
    if after.index.is_empty() && !gone.is_empty() {
        batch.begin("DELETE FROM entry_index WHERE entry_id = ").bind(id_value(id));
    } else {
        for rows in gone.chunks(Batch::ROWS) {
            let text = batch.begin("DELETE FROM entry_index WHERE entry_id = ").bind(id_value(id)).push(" AND (");
            for (n, row) in rows.iter().enumerate() {
                text.push(if n == 0 { "(index_id = " } else { " OR (index_id = " }).bind(row.index.0);
                text.push(" AND stage = ").bind(row.stage).push(" AND key = ").bind(row.key.clone());
                text.push(" AND sort_at = ").bind(row.sort_at).push(")");
            }
            text.push(")");
        }
    }
    insert_index(batch, &new);
    let gone: Vec<_> = before.unique.difference(&after.unique).collect();
    for rows in gone.chunks(Batch::ROWS) {
        let text = batch.begin("DELETE FROM entry_unique WHERE entry_id = ").bind(id_value(id)).push(" AND (");
        for (n, row) in rows.iter().enumerate() {
            text.push(if n == 0 { "(field_id = " } else { " OR (field_id = " }).bind(id_value(row.register));
            text.push(" AND locale = ").bind(row.locale.as_str()).push(" AND key = ").bind(row.key.clone()).push(")");
        }
        text.push(")");
    }
    write_references(batch, id, before, after);
}

fn write_references(batch: &mut Batch, id: EntryId, before: &Derived, after: &Derived) {
    let gone: Vec<_> = before.references.keys().filter(|place| !after.references.contains_key(place)).collect();
    for rows in gone.chunks(Batch::ROWS) {
        let text = batch.begin("DELETE FROM entry_references WHERE entry_id = ").bind(id_value(id)).push(" AND (");
        for (n, place) in rows.iter().enumerate() {
            text.push(if n == 0 { "(field_id = " } else { " OR (field_id = " }).bind(id_value(place.field));
            text.push(" AND stage = ").bind(place.stage).push(" AND position = ").bind(place.position).push(")");
        }
        text.push(")");
    }
    let changed = after.references.iter().filter(|(place, target)| before.references.get(place) != Some(target));
    let changed: Vec<_> = changed.map(|(place, target)| (id, place, target)).collect();
    insert_reference(batch, &changed);
}

/// Moves an entry from one count to another.
pub(crate) fn count(batch: &mut Batch, before: Option<&Entry>, after: Option<&Entry>) {
    let place = |entry: &&Entry| entry.lifecycle.deleted_at.is_none();
    let (before, after) = (before.filter(place), after.filter(place));
    let key = |entry: &Entry| (entry.collection, entry.lifecycle.status, entry.locale.clone(), shard(entry.id));
    let mut changes: Vec<_> = before.map(|entry| (key(entry), -1_i64)).into_iter().chain(after.map(|entry| (key(entry), 1))).collect();
    if let [(from, _), (to, _)] = changes.as_slice()
        && from == to
    {
        return;
    }
    if changes.is_empty() {
        return;
    }
    // In the order of the key, so that two writers never wait for each other in a circle.
    changes.sort_unstable();
    let text = batch.begin("INSERT INTO entry_counts (collection_id, status, locale, shard, n) VALUES ");
    for (n, ((collection, status, locale, shard), change)) in changes.into_iter().enumerate() {
        let status = crate::entries::row::status_number(status);
        text.bind_row(n, [id_value(collection), status.into(), locale.as_str().into(), shard.into(), change.into()]);
    }
    text.push(" ON CONFLICT (collection_id, status, locale, shard) DO UPDATE SET n = entry_counts.n + excluded.n");
}

/// Counts are spread over several rows, so that writers on PostgreSQL seldom wait for each other's.
fn shard(id: EntryId) -> i16 {
    i16::from(id.to_bytes()[15] % 16)
}

/// Reads the members of a document that something is derived from, and passes over the others without building them: a long
/// text costs a look at each of its bytes and no more.
struct MemberReader<'a> {
    /// The fields, by the names that documents have for them, each with the form that the value has there.
    wanted: BTreeMap<&'a str, (&'a Field, Option<Form>)>,
}

impl<'a> MemberReader<'a> {
    fn new(collection: &'a Collection) -> Self {
        let indexed = collection.indexes.iter().flat_map(Index::keyed).filter_map(|slug| collection.field(slug.as_str()));
        let fields = collection.fields.iter().filter(|field| field.unique || matches!(field.kind, FieldKind::Reference(_)));
        let names = |field: &'a Field| field.names().map(move |(name, form)| (name.as_str(), (field, form)));
        Self { wanted: indexed.chain(fields).flat_map(names).collect() }
    }

    fn read(&self, data: &ValidJson) -> Result<Map<String, serde_json::Value>, serde_json::Error> {
        if self.wanted.is_empty() {
            return Ok(Map::new());
        }
        self.deserialize(&mut serde_json::Deserializer::from_str(data.as_stored().as_str()))
    }
}

impl<'de> DeserializeSeed<'de> for &MemberReader<'_> {
    type Value = Map<String, serde_json::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &MemberReader<'_> {
    type Value = Map<String, serde_json::Value>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut found = Map::new();
        while let Some(name) = members.next_key::<std::borrow::Cow<'de, str>>()? {
            match self.wanted.get(&*name) {
                Some((field, form)) => {
                    let value: serde_json::Value = members.next_value()?;
                    if form.is_some() && found.contains_key(field.slug.as_str()) {
                        continue;
                    }
                    if let Some(value) = field.read(*form, value) {
                        found.insert(field.slug.to_string(), value);
                    }
                }
                None => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}
