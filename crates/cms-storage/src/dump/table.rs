//! How the rows of tables look as JSON.

use cms_domain::id::{Id, kind};
use sea_orm::{ColumnType, QueryResult, Value as Column, prelude::Uuid};
use serde_json::{Map, Value};

use super::{Manifest, TableSummary};
use crate::{Error, row::Row, tables::Table};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 16 bytes, spelled as a ULID.
    Id,
    /// Text.
    Text,
    /// Bytes, spelled in hexadecimal digits.
    Bytes,
    /// True or false.
    Flag,
    /// A number of 2 bytes.
    Small,
    /// A number of 4 bytes.
    Int,
    /// A number of 8 bytes.
    Big,
}

/// The tables that are not dumped: what is derived, and what does not outlive its moment, such as sessions.
#[cfg(test)]
pub(super) const DERIVED: &[&str] = &[
    "entry_index",
    "entry_unique",
    "entry_references",
    "entry_counts",
    "task_state",
    "node_tasks",
    "edit_locks",
    "preview_revocations",
    "outbox",
    "seaql_migrations",
    "schema_version",
    "sessions",
    "challenges",
    "provider_records",
    "oauth_codes",
    "device_codes",
    "rate_limits",
    "jobs",
    "job_errors",
    "bulk_entries",
    "files",
    "file_parts",
    "file_lines",
    "followers",
    "entry_watchers",
    "media_awaited",
    "loose_files",
    "media_usage",
    "media_usage_coverage",
];

/// Columns with their kinds.
pub(crate) type Columns = [(&'static str, Kind)];

impl Table {
    /// The column whose values tell rows apart, and by which they are sorted.
    pub(super) fn key(&self) -> (&'static str, Kind) {
        self.columns[0]
    }

    /// The name of the file that has its rows.
    pub(super) fn file(&self) -> String {
        format!("{}.ndjson", self.name)
    }

    /// What a dump has of it; nothing when the table came later.
    pub(super) fn summary_in<'a>(&self, manifest: &'a Manifest) -> Option<&'a TableSummary> {
        manifest.tables.iter().find(|summary| summary.table == self.name)
    }

    /// Those of its columns that a dump has.
    pub(super) fn columns_of(&self, summary: &TableSummary) -> Vec<(&'static str, Kind)> {
        self.columns.iter().filter(|(name, _)| summary.columns.iter().any(|column| column == name)).copied().collect()
    }
}

/// The names of columns, between commas.
pub(super) fn names(columns: &Columns) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// A row as JSON. A column without a value is left out.
pub(super) fn members(columns: &Columns, row: &QueryResult) -> Result<Map<String, Value>, Error> {
    let mut members = Map::new();
    for (name, kind) in columns {
        if let Some(value) = kind.to_json(row, name)? {
            members.insert((*name).to_owned(), value);
        }
    }
    Ok(members)
}

impl Kind {
    /// What a column of an entity holds.
    ///
    /// # Panics
    /// Panics at a column that archives cannot hold; tests look at every one.
    pub(crate) fn of(column: &ColumnType) -> Self {
        match column {
            ColumnType::Uuid => Self::Id,
            ColumnType::String(_) | ColumnType::Text => Self::Text,
            ColumnType::VarBinary(_) | ColumnType::Blob => Self::Bytes,
            ColumnType::Boolean => Self::Flag,
            ColumnType::SmallInteger => Self::Small,
            ColumnType::Integer => Self::Int,
            ColumnType::BigInteger => Self::Big,
            other => panic!("no archive holds a column like {other:?}"),
        }
    }

    fn to_json(self, row: &QueryResult, column: &str) -> Result<Option<Value>, Error> {
        Ok(match self {
            Self::Id => row.read_optional_id::<kind::Entry>(column)?.map(|id| id.to_string().into()),
            Self::Text => row.read::<Option<String>>(column)?.map(Value::from),
            Self::Bytes => row.read::<Option<Vec<u8>>>(column)?.map(|bytes| hexadecimal(&bytes).into()),
            Self::Flag => row.read::<Option<bool>>(column)?.map(Value::from),
            Self::Small => row.read::<Option<i16>>(column)?.map(Value::from),
            Self::Int => row.read::<Option<i32>>(column)?.map(Value::from),
            Self::Big => row.read::<Option<i64>>(column)?.map(Value::from),
        })
    }

    /// The value of a column from a row's JSON; none when it is of another kind.
    pub(super) fn to_column(self, value: Option<&Value>) -> Option<Column> {
        let Some(value) = value else {
            return Some(self.without_value());
        };
        Some(match self {
            Self::Id => Uuid::from_bytes(value.as_str()?.parse::<Id<kind::Entry>>().ok()?.to_bytes()).into(),
            Self::Text => value.as_str()?.into(),
            Self::Bytes => bytes(value.as_str()?)?.into(),
            Self::Flag => value.as_bool()?.into(),
            Self::Small => i16::try_from(value.as_i64()?).ok()?.into(),
            Self::Int => i32::try_from(value.as_i64()?).ok()?.into(),
            Self::Big => value.as_i64()?.into(),
        })
    }

    fn without_value(self) -> Column {
        match self {
            Self::Id => Column::Uuid(None),
            Self::Text => Column::String(None),
            Self::Bytes => Column::Bytes(None),
            Self::Flag => Column::Bool(None),
            Self::Small => Column::SmallInt(None),
            Self::Int => Column::Int(None),
            Self::Big => Column::BigInt(None),
        }
    }
}

/// Bytes as hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return None;
    };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}
