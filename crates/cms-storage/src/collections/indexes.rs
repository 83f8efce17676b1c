//! Indexes: how far the background has come with building and dropping them.

use cms_domain::{
    collection::{Index, IndexId, IndexState},
    id::{CollectionId, EntryId},
    slug::FieldSlug,
};
use sea_orm::QueryResult;

use super::{CollectionReader, CollectionWriter};
use crate::{
    Error,
    row::{Row, corrupt, id_value},
};

pub(super) const COLUMNS: &str = "o.id, o.collection_id, o.fields, o.state, o.done, o.total, o.attempts, o.last_error";

const BUILDING: i16 = 0;
const READY: i16 = 1;
const DROPPING: i16 = 2;

/// An index that is being built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexWork {
    /// The index.
    pub id: IndexId,
    /// Its collection.
    pub collection: CollectionId,
    /// The last entry that was added; entries are added in the order of their ids.
    pub cursor: Option<EntryId>,
    /// How many entries were added.
    pub done: i64,
    /// How many attempts failed.
    pub attempts: i32,
}

/// The index in a row; none while it is being dropped.
pub(super) fn read(row: &QueryResult) -> Result<Option<Index>, Error> {
    let id = IndexId(row.read("id")?);
    let fields: String = row.read("fields")?;
    let fields: Vec<FieldSlug> = serde_json::from_str(&fields).map_err(|_| corrupt("indexes", "fields", id.0))?;
    let state = match row.read::<i16>("state")? {
        READY => IndexState::Ready,
        BUILDING => IndexState::Building {
            done: row.read("done")?,
            total: row.read("total")?,
            attempts: row.read("attempts")?,
            last_error: row.read("last_error")?,
        },
        DROPPING => return Ok(None),
        _ => return Err(corrupt("indexes", "state", id.0)),
    };
    if fields.is_empty() {
        return Err(corrupt("indexes", "fields", id.0));
    }
    Ok(Some(Index { id, fields, state }))
}

impl CollectionReader<'_> {
    /// The indexes that are being built, the oldest first.
    pub async fn indexes_to_build(self) -> Result<Vec<IndexWork>, Error> {
        const TO_BUILD: &str = "SELECT id, collection_id, cursor, done, attempts FROM indexes WHERE state = 0 ORDER BY id";
        let rows = self.executor.all(TO_BUILD).await?;
        let read = |row: &QueryResult| {
            Ok(IndexWork {
                id: IndexId(row.read("id")?),
                collection: row.read_id("collection_id")?,
                cursor: row.read_optional_id("cursor")?,
                done: row.read("done")?,
                attempts: row.read("attempts")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// The indexes that are being dropped.
    pub async fn indexes_to_drop(self) -> Result<Vec<IndexId>, Error> {
        let rows = self.executor.all("SELECT id FROM indexes WHERE state = 2 ORDER BY id").await?;
        rows.iter().map(|row| row.read("id").map(IndexId)).collect()
    }
}

impl CollectionWriter<'_> {
    /// Adds an index. The background builds it; one of a collection without entries is ready at once.
    pub async fn insert_index(self, collection: CollectionId, fields: &[FieldSlug]) -> Result<IndexId, Error> {
        const INSERT: &str = "INSERT INTO indexes (collection_id, fields, state, done, total, attempts) \
            SELECT $1, $2, CASE WHEN n = 0 THEN 1 ELSE 0 END, 0, n, 0 \
            FROM (SELECT count(*) AS n FROM entries WHERE collection_id = $1) AS counted \
            RETURNING id";
        // Bumped first: whoever writes entries by the collection's former state is done then, and their entries are counted.
        self.bump(collection).await?;
        let fields = serde_json::to_string(fields).map_err(Error::backend)?;
        let row = self.executor.one((INSERT, [id_value(collection), fields.into()])).await?;
        row.ok_or(Error::Stale)?.read("id").map(IndexId)
    }

    /// Notes how far the building of an index has come.
    pub async fn set_index_progress(self, id: IndexId, cursor: EntryId, done: i64) -> Result<(), Error> {
        const PROGRESS: &str = "UPDATE indexes SET cursor = $2, done = $3 WHERE id = $1 AND state = 0";
        self.one_row((PROGRESS, [id.0.into(), id_value(cursor), done.into()])).await
    }

    /// Notes that an attempt to build an index failed. It goes on from where it was.
    pub async fn set_index_failed(self, id: IndexId, error: &str) -> Result<(), Error> {
        const FAILED: &str = "UPDATE indexes SET attempts = attempts + 1, last_error = $2 WHERE id = $1 AND state = 0";
        self.one_row((FAILED, [id.0.into(), error.into()])).await
    }

    /// Lets lists use an index, once every entry has its rows.
    pub async fn set_index_ready(self, collection: CollectionId, id: IndexId) -> Result<(), Error> {
        self.bump(collection).await?;
        self.one_row((
            "UPDATE indexes SET state = 1, cursor = NULL, attempts = 0, last_error = NULL WHERE id = $1 AND state = 0",
            [id.0.into()],
        ))
        .await
    }

    /// Takes an index out of use. The background removes its rows, then [`CollectionWriter::delete_index`] the index.
    pub async fn drop_index(self, collection: CollectionId, id: IndexId) -> Result<(), Error> {
        self.bump(collection).await?;
        self.one_row(("UPDATE indexes SET state = 2 WHERE id = $1", [id.0.into()])).await
    }

    /// Holds an index that is being dropped until the transaction ends: of several servers one at a time removes its rows. Says
    /// whether it is still there.
    pub async fn hold_dropped(self, id: IndexId) -> Result<bool, Error> {
        // On SQLite there is nobody else.
        let lock = if self.executor.is_postgres() { " FOR UPDATE" } else { "" };
        let text = format!("SELECT id FROM indexes WHERE id = $1 AND state = 2{lock}");
        Ok(self.executor.one((text, vec![id.0.into()])).await?.is_some())
    }

    /// Forgets an index whose rows are gone.
    pub async fn delete_index(self, id: IndexId) -> Result<(), Error> {
        self.one_row(("DELETE FROM indexes WHERE id = $1 AND state = 2", [id.0.into()])).await
    }
}
