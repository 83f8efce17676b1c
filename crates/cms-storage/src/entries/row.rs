//! Entries to rows and back.

use std::{borrow::Cow, str::FromStr};

use cms_domain::{
    access::Visibility,
    entry::{Document, Entry, Lifecycle, ScheduleFailure, Seo, Status},
    field::ValidJson,
    id::{EntryId, Id},
    slug::EntrySlug,
    time::Timestamp,
};
use sea_orm::{QueryResult, TryGetable, Value, prelude::Uuid};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{EntryStamp, EntryView};
use crate::{
    Error,
    row::{corrupt, id_value, optional_id_value, optional_time_value, time_value},
};

pub(crate) mod entity {
    use cms_domain::{
        id::{CollectionId, EntryId, GroupId, RevisionId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    /// Whoever wants entries reads them by [`super::COLUMNS`], which costs less.
    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "entries")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<EntryId>,
        pub(crate) collection_id: Stored<CollectionId>,
        pub(crate) locale: String,
        pub(crate) translation_group: Stored<GroupId>,
        pub(crate) slug: Option<String>,
        pub(crate) status: i16,
        pub(crate) author_id: Option<Stored<UserId>>,
        pub(crate) version: i64,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) updated_at: Stored<Timestamp>,
        pub(crate) published_at: Option<Stored<Timestamp>>,
        pub(crate) ever_live: bool,
        pub(crate) scheduled_at: Option<Stored<Timestamp>>,
        pub(crate) deleted_at: Option<Stored<Timestamp>>,
        pub(crate) live_revision: Option<Stored<RevisionId>>,
        pub(crate) draft_revision: Option<Stored<RevisionId>>,
        pub(crate) schedule_attempts: i32,
        pub(crate) schedule_error: Option<String>,
        pub(crate) schedule_retry_at: Option<Stored<Timestamp>>,
        pub(crate) seo: Option<String>,
        pub(crate) data: String,
        pub(crate) draft: Option<String>,
        pub(crate) draft_published_at: Option<Stored<Timestamp>>,
        pub(crate) unpublish_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    use entity::Column;
    let slug = [Column::CollectionId, Column::Slug, Column::Locale];
    let translation = [Column::TranslationGroup, Column::Locale];
    crate::tables::Table::of::<entity::Entity>().unique("entries_slug", &slug, crate::Constraint::EntrySlug).unique(
        "entries_translation",
        &translation,
        crate::Constraint::EntryTranslation,
    )
}

/// The columns of an entry in front of its content, and behind it.
macro_rules! before_content {
    () => {
        "e.id, e.collection_id, e.locale, e.translation_group, e.created_at, e.slug, e.status, e.author_id, \
         e.version, e.updated_at, e.published_at, e.ever_live, e.scheduled_at, e.deleted_at, e.live_revision, e.draft_revision, \
         e.schedule_attempts, e.schedule_error, e.schedule_retry_at, e.seo, "
    };
}

macro_rules! after_content {
    () => {
        ", e.draft_published_at, e.unpublish_at"
    };
}

/// The columns of a published entry in front of its content.
macro_rules! before_view {
    () => {
        "e.id, e.locale, e.translation_group, e.created_at, e.slug, e.author_id, e.version, e.updated_at, e.published_at, e.live_revision, \
         e.seo, "
    };
}

/// The columns of a stamp in front of how much content there is.
macro_rules! before_weight {
    () => {
        "e.id, e.version, e.updated_at, e.live_revision, e.schedule_attempts, CAST("
    };
}

/// What a row of the entries is read as.
pub(crate) trait EntryRow: Sized {
    /// The columns that are read, in the order in which `read` takes them.
    const COLUMNS: &'static str;
    /// The same, without the content of entries that have more than [`LIGHT`]: whoever reads many reads those one after the other.
    const LIGHT: &'static str = Self::COLUMNS;

    /// Reads [`EntryRow::COLUMNS`] or [`EntryRow::LIGHT`] of a row, which begin at `first`; none where the content was left out.
    fn read_light(row: &QueryResult, first: usize) -> Result<Option<Self>, Error>;

    /// Reads [`EntryRow::COLUMNS`] of a row, which begin at `first`.
    fn read(row: &QueryResult, first: usize) -> Result<Self, Error> {
        Self::read_light(row, first)?.map_or_else(|| Err(corrupt("entries", "data", id::<()>(row, first)?)), Ok)
    }

    /// Identifies the entry.
    fn id(&self) -> EntryId;

    /// How much content there is, in bytes.
    fn weight(&self) -> usize;
}

/// How much content an entry has that is read along with others, in bytes: a page of a hundred of them is no more than 25 megabytes.
macro_rules! light {
    () => {
        262_144
    };
}

/// How many bytes of content there are in some columns. Neither database reads a text to know its length.
macro_rules! weight {
    ($($content:literal),+) => {
        concat!($("coalesce(octet_length(", $content, "), 0) + ",)+ "0")
    };
}

/// A column of content, or nothing where all of it is heavy.
macro_rules! if_light {
    ($column:literal, $($content:literal),+) => {
        concat!("CASE WHEN ", weight!($($content),+), " > ", light!(), " THEN NULL ELSE ", $column, " END")
    };
}

/// An entry with more content than this, in bytes, is heavy.
pub(crate) const LIGHT: usize = light!();

impl EntryRow for Entry {
    const COLUMNS: &'static str = COLUMNS;
    const LIGHT: &'static str = concat!(
        before_content!(),
        if_light!("e.data", "e.data", "e.draft"),
        ", ",
        if_light!("e.draft", "e.data", "e.draft"),
        after_content!()
    );

    fn read_light(row: &QueryResult, first: usize) -> Result<Option<Self>, Error> {
        read_light(row, first)
    }

    fn id(&self) -> EntryId {
        self.id
    }

    fn weight(&self) -> usize {
        self.live.data.as_stored().as_str().len() + self.draft.as_ref().map_or(0, |draft| draft.data.as_stored().as_str().len())
    }
}

/// Published entries alone: what holds for all of them is not read. On SQLite the driver copies each column of each row and hands
/// it to another thread, so that half the columns are half the time of a list.
impl EntryRow for EntryView {
    const COLUMNS: &'static str = concat!(before_view!(), "e.data");
    const LIGHT: &'static str = concat!(before_view!(), if_light!("e.data", "e.data"));

    fn read_light(row: &QueryResult, first: usize) -> Result<Option<Self>, Error> {
        let mut columns = Columns::new(row, first)?;
        let locale = columns.parse("locale")?;
        let (group, created_at) = (columns.id()?, columns.time()?);
        let slug = columns.slug()?;
        let (author, version) = (columns.optional_id()?, columns.take()?);
        let (updated_at, published_at) = (columns.time()?, columns.optional_time()?);
        let live_revision = columns.optional_id()?;
        let (seo, data) = (columns.seo()?, columns.data()?);
        let Some(data) = data else { return Ok(None) };
        let (id, status) = (columns.id, Status::Published);
        let content = Document { data, slug, seo };
        Ok(Some(Self { id, locale, group, author, version, created_at, updated_at, status, published_at, live_revision, content }))
    }

    fn id(&self) -> EntryId {
        self.id
    }

    fn weight(&self) -> usize {
        self.content.data.as_stored().as_str().len()
    }
}

/// The state of an entry, and how much content it has, with its draft or without: whoever has its stamp reads it next.
pub(crate) struct Weighed<const DRAFT: bool> {
    pub(crate) stamp: EntryStamp,
    weight: usize,
}

impl<const DRAFT: bool> EntryRow for Weighed<DRAFT> {
    const COLUMNS: &'static str = if DRAFT {
        concat!(before_weight!(), weight!("e.data", "e.draft"), " AS bigint)")
    } else {
        concat!(before_weight!(), weight!("e.data"), " AS bigint)")
    };

    fn read_light(row: &QueryResult, first: usize) -> Result<Option<Self>, Error> {
        let mut columns = Columns::new(row, first)?;
        let (version, updated_at, live_revision) = (columns.take()?, columns.time()?, columns.optional_id()?);
        let stamp = EntryStamp { id: columns.id, version, updated_at, live_revision, attempts: columns.take()? };
        let weight: i64 = columns.take()?;
        Ok(Some(Self { stamp, weight: usize::try_from(weight).unwrap_or(usize::MAX) }))
    }

    fn id(&self) -> EntryId {
        self.stamp.id
    }

    fn weight(&self) -> usize {
        self.weight
    }
}

/// The columns of an entry, in the order in which [`read`] takes them.
pub(crate) const COLUMNS: &str = concat!(before_content!(), "e.data, e.draft", after_content!());

/// The columns that never change.
pub(crate) const FIXED: [&str; 5] = ["id", "collection_id", "locale", "translation_group", "created_at"];

/// The columns that change.
pub(crate) const CHANGING: [&str; 19] = [
    "slug",
    "status",
    "author_id",
    "version",
    "updated_at",
    "published_at",
    "ever_live",
    "scheduled_at",
    "deleted_at",
    "live_revision",
    "draft_revision",
    "schedule_attempts",
    "schedule_error",
    "schedule_retry_at",
    "seo",
    "data",
    "draft",
    "draft_published_at",
    "unpublish_at",
];

/// A staged edit, or a revision, as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredDocument<'a> {
    #[serde(borrow)]
    data: Cow<'a, RawValue>,
    slug: Option<Cow<'a, str>>,
    seo: Cow<'a, Seo>,
}

/// A document as one text.
pub(crate) fn document_text(document: &Document) -> Result<String, Error> {
    let data = RawValue::from_string(document.data.as_stored().as_str().to_owned()).map_err(Error::backend)?;
    let slug = document.slug.as_ref().map(|slug| Cow::Borrowed(slug.as_str()));
    serde_json::to_string(&StoredDocument { data: Cow::Owned(data), slug, seo: Cow::Borrowed(&document.seo) }).map_err(Error::backend)
}

/// A document from one text.
pub(crate) fn read_document(text: &str) -> Option<Document> {
    let stored: StoredDocument = serde_json::from_str(text).ok()?;
    let slug = stored.slug.map(|slug| slug.parse()).transpose().ok()?;
    Some(Document { data: ValidJson::from_stored(stored.data.get().to_owned()).ok()?, slug, seo: stored.seo.into_owned() })
}

/// The number that stands for a status, in the order in which lists sort them.
pub(crate) fn status_number(status: Status) -> i16 {
    match status {
        Status::Draft => 0,
        Status::Published => 1,
        Status::Scheduled => 2,
    }
}

/// How often a publication on schedule failed, as it is stored.
pub(crate) fn attempts_number(failure: Option<&ScheduleFailure>) -> i32 {
    failure.map_or(0, |failure| i32::try_from(failure.attempts).unwrap_or(i32::MAX))
}

/// The status that a number stands for.
pub(crate) fn status_of(number: i16) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status_number(*status) == number)
}

/// The stage of the index that a reader sees.
pub(crate) fn stage_number(visibility: Visibility) -> i16 {
    match visibility {
        Visibility::Published => 0,
        Visibility::Working => 1,
    }
}

/// The id in a column.
pub(crate) fn id<K>(row: &QueryResult, column: usize) -> Result<Id<K>, Error> {
    let id: Uuid = row.try_get_by_index(column)?;
    Ok(Id::from_bytes(id.into_bytes()))
}

/// Reads the columns of a row from left to right.
struct Columns<'a> {
    row: &'a QueryResult,
    next: usize,
    id: EntryId,
}

impl<'a> Columns<'a> {
    /// Begins with the column of the id.
    fn new(row: &'a QueryResult, first: usize) -> Result<Self, Error> {
        let mut columns = Self { row, next: first, id: EntryId::from_bytes([0; 16]) };
        columns.id = columns.id()?;
        Ok(columns)
    }

    fn take<T: TryGetable>(&mut self) -> Result<T, Error> {
        let column = self.next;
        self.next += 1;
        Ok(self.row.try_get_by_index(column)?)
    }

    fn id<K>(&mut self) -> Result<Id<K>, Error> {
        self.next += 1;
        id(self.row, self.next - 1)
    }

    fn optional_id<K>(&mut self) -> Result<Option<Id<K>>, Error> {
        Ok(self.take::<Option<Uuid>>()?.map(|uuid| Id::from_bytes(uuid.into_bytes())))
    }

    fn time(&mut self) -> Result<Timestamp, Error> {
        self.take().map(Timestamp::from_milliseconds)
    }

    fn optional_time(&mut self) -> Result<Option<Timestamp>, Error> {
        Ok(self.take::<Option<i64>>()?.map(Timestamp::from_milliseconds))
    }

    fn parse<T: FromStr>(&mut self, column: &'static str) -> Result<T, Error> {
        self.take::<String>()?.parse().map_err(|_| self.corrupt(column))
    }

    fn slug(&mut self) -> Result<Option<EntrySlug>, Error> {
        self.take::<Option<String>>()?.map(|slug| slug.parse()).transpose().map_err(|_| self.corrupt("slug"))
    }

    fn seo(&mut self) -> Result<Seo, Error> {
        match self.take::<Option<String>>()? {
            Some(text) => serde_json::from_str(&text).map_err(|_| self.corrupt("seo")),
            None => Ok(Seo::default()),
        }
    }

    /// None where it was left out.
    fn data(&mut self) -> Result<Option<ValidJson>, Error> {
        let text: Option<String> = self.take()?;
        text.map(ValidJson::from_stored).transpose().map_err(|_| self.corrupt("data"))
    }

    fn corrupt(&self, column: &'static str) -> Error {
        corrupt("entries", column, self.id)
    }
}

/// Reads an entry from the columns [`COLUMNS`] of a row, which begin at `first`.
pub(crate) fn read(row: &QueryResult, first: usize) -> Result<Entry, Error> {
    Entry::read(row, first)
}

fn read_light(row: &QueryResult, first: usize) -> Result<Option<Entry>, Error> {
    let mut columns = Columns::new(row, first)?;
    let id = columns.id;
    let collection = columns.id()?;
    let locale = columns.parse("locale")?;
    let group = columns.id()?;
    let created_at = columns.time()?;
    let slug = columns.slug()?;
    let status = status_of(columns.take()?).ok_or_else(|| columns.corrupt("status"))?;
    let author = columns.optional_id()?;
    let version = columns.take()?;
    let updated_at = columns.time()?;
    let published_at = columns.optional_time()?;
    let ever_live = columns.take()?;
    let scheduled_at = columns.optional_time()?;
    let deleted_at = columns.optional_time()?;
    let live_revision = columns.optional_id()?;
    let draft_revision = columns.optional_id()?;
    let attempts: i32 = columns.take()?;
    let last_error: Option<String> = columns.take()?;
    let next_attempt_at = columns.optional_time()?;
    let (seo, data) = (columns.seo()?, columns.data()?);
    let Some(data) = data else { return Ok(None) };
    let draft = match columns.take::<Option<String>>()? {
        Some(text) => Some(read_document(&text).ok_or_else(|| columns.corrupt("draft"))?),
        None => None,
    };
    let draft_date = columns.optional_time()?;
    let unpublish_at = columns.optional_time()?;
    let attempts = u32::try_from(attempts).map_err(|_| columns.corrupt("schedule_attempts"))?;
    let schedule_failure =
        (attempts > 0).then(|| ScheduleFailure { attempts, last_error: last_error.unwrap_or_default(), next_attempt_at });
    let has_draft = draft.is_some();
    let lifecycle = Lifecycle { status, has_draft, published_at, draft_date, ever_live, scheduled_at, unpublish_at, deleted_at };
    let live = Document { data, slug, seo };
    Ok(Some(Entry {
        id,
        collection,
        locale,
        group,
        author,
        version,
        created_at,
        updated_at,
        lifecycle,
        live,
        draft,
        live_revision,
        draft_revision,
        schedule_failure,
    }))
}

/// The values of the columns that never change.
pub(crate) fn fixed_values(entry: &Entry) -> [Value; FIXED.len()] {
    [id_value(entry.id), id_value(entry.collection), entry.locale.as_str().into(), id_value(entry.group), time_value(entry.created_at)]
}

/// The values of the columns that change.
pub(crate) fn changing_values(entry: &Entry) -> Result<[Value; CHANGING.len()], Error> {
    let Lifecycle { status, published_at, draft_date, ever_live, scheduled_at, unpublish_at, deleted_at, .. } = entry.lifecycle;
    let failure = entry.schedule_failure.as_ref();
    let attempts = attempts_number(failure);
    let seo = if entry.live.seo == Seo::default() { None } else { Some(serde_json::to_string(&entry.live.seo).map_err(Error::backend)?) };
    let draft = entry.draft.as_ref().map(document_text).transpose()?;
    Ok([
        entry.live.slug.as_ref().map(EntrySlug::as_str).into(),
        status_number(status).into(),
        optional_id_value(entry.author),
        entry.version.into(),
        time_value(entry.updated_at),
        optional_time_value(published_at),
        ever_live.into(),
        optional_time_value(scheduled_at),
        optional_time_value(deleted_at),
        optional_id_value(entry.live_revision),
        optional_id_value(entry.draft_revision),
        attempts.into(),
        failure.map(|failure| failure.last_error.as_str()).into(),
        optional_time_value(failure.and_then(|failure| failure.next_attempt_at)),
        seo.into(),
        entry.live.data.as_stored().as_str().into(),
        draft.into(),
        optional_time_value(draft_date),
        optional_time_value(unpublish_at),
    ])
}
