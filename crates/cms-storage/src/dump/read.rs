//! Reading a dump back.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{BufRead, BufReader},
    path::Path,
};

use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{
    DumpError, FORMAT, MANIFEST, Manifest, TableSummary,
    table::{Columns, hexadecimal, names},
    write::in_file,
};
use crate::{
    Tx,
    executor::Executor,
    statement::Text,
    tables::{Table, archived},
};

/// How many rows are written at a time: few enough that the values of the widest table fit into one statement.
const BATCH: usize = 50;
/// The first version of the form that names the columns.
const NAMED: u32 = 2;

/// Reads a dump into an empty store, in a transaction that the caller commits once what is derived is rebuilt. Every line is
/// counted and hashed: what was not written by [`super::dump`] is refused. The manifest that it answers with names the columns, whether or
/// not the dump did.
pub async fn restore(tx: &Tx, folder: &Path) -> Result<Manifest, DumpError> {
    let mut manifest = understood(folder)?;
    let executor = tx.executor();
    if executor.is_postgres() {
        // Nobody else writes before this is committed; SQLite has one writer anyway.
        let tables = archived().map(|table| table.name).collect::<Vec<_>>().join(", ");
        executor.execute(format!("LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE").as_str()).await?;
    }
    for table in archived() {
        if executor.one(format!("SELECT 1 FROM {} LIMIT 1", table.name).as_str()).await?.is_some() {
            return Err(DumpError::NotEmpty(table.name));
        }
    }
    let named = manifest.format >= NAMED;
    for table in archived() {
        // A table that came later stays empty.
        let Some(summary) = manifest.tables.iter_mut().find(|summary| summary.table == table.name) else { continue };
        let path = folder.join(table.file());
        if !named {
            summary.columns = found_columns(table, &path)?;
        }
        read_table(executor, table, summary, &path).await?;
    }
    if executor.is_postgres() {
        // The numbers were given by the dump, not by the sequence. SQLite looks for itself.
        const AFTER: &str = "SELECT setval(pg_get_serial_sequence('indexes', 'id'), greatest((SELECT max(id) FROM indexes), 1))";
        executor.one(AFTER).await?;
    }
    Ok(manifest)
}

/// The manifest of a dump that this program can read.
fn understood(folder: &Path) -> Result<Manifest, DumpError> {
    /// What every version of the form has.
    #[derive(Deserialize)]
    struct Versioned {
        format: u32,
    }
    let path = folder.join(MANIFEST);
    let text = in_file(&path, fs::read(&path))?;
    let Versioned { format } = serde_json::from_slice(&text).map_err(|error| damaged(&path, error))?;
    if format > FORMAT {
        return Err(DumpError::Newer(format!("format {format}")));
    }
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| damaged(&path, error))?;
    if let Some(unknown) = manifest.migrations.iter().find(|name| cms_migrations::names().all(|known| known != name.as_str())) {
        return Err(DumpError::Newer(format!("the migration {unknown}")));
    }
    let mut seen = BTreeSet::new();
    for TableSummary { table, .. } in &manifest.tables {
        if archived().all(|known| known.name != table) || !seen.insert(table) {
            return Err(damaged(&path, format!("`{table}` is no table of this program, or is named twice")));
        }
    }
    Ok(manifest)
}

/// The columns that the rows of a file have: a dump that does not name its columns left them out where they had no value.
fn found_columns(table: &Table, path: &Path) -> Result<Vec<String>, DumpError> {
    let mut columns = BTreeSet::from([table.key().0.to_owned()]);
    for line in BufReader::new(in_file(path, File::open(path))?).split(b'\n') {
        let members: Map<String, Value> = serde_json::from_slice(&in_file(path, line)?).map_err(|error| damaged(path, error))?;
        columns.extend(members.into_iter().map(|(name, _)| name));
    }
    Ok(columns.into_iter().collect())
}

async fn read_table(executor: Executor<'_>, table: &Table, summary: &TableSummary, path: &Path) -> Result<(), DumpError> {
    let columns = table.columns_of(summary);
    if columns.len() != summary.columns.len() || columns.first().is_none_or(|(first, _)| *first != table.key().0) {
        return Err(damaged(path, "the manifest names columns that are not those of this program"));
    }
    let mut file = BufReader::new(in_file(path, File::open(path))?);
    let (mut rows, mut hash, mut line, mut batch) = (0, Sha256::new(), Vec::new(), Vec::with_capacity(BATCH));
    while in_file(path, file.read_until(b'\n', &mut line))? > 0 {
        rows += 1;
        hash.update(&line);
        batch.push(parse(&columns, &line).map_err(|problem| damaged(path, format!("line {rows}: {problem}")))?);
        line.clear();
        if batch.len() == BATCH {
            insert(executor, table, &columns, &mut batch).await?;
        }
    }
    insert(executor, table, &columns, &mut batch).await?;
    if rows != summary.rows {
        return Err(damaged(path, format!("it has {rows} lines, the manifest says {}", summary.rows)));
    }
    if hexadecimal(&hash.finalize()) != summary.sha256 {
        return Err(damaged(path, "its lines are not those that the manifest hashed"));
    }
    Ok(())
}

/// The values of a line, in the order of the columns.
fn parse(columns: &Columns, line: &[u8]) -> Result<Vec<sea_orm::Value>, String> {
    let mut members: Map<String, Value> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let values = columns
        .iter()
        .map(|(name, kind)| kind.to_column(members.remove(*name).as_ref()).ok_or_else(|| format!("`{name}` is of another kind")))
        .collect::<Result<_, _>>()?;
    match members.keys().next() {
        Some(unknown) => Err(format!("`{unknown}` is no column")),
        None => Ok(values),
    }
}

/// Inserts rows. Columns that they do not have get what the database gives them.
async fn insert(executor: Executor<'_>, table: &Table, columns: &Columns, batch: &mut Vec<Vec<sea_orm::Value>>) -> Result<(), DumpError> {
    if batch.is_empty() {
        return Ok(());
    }
    let mut text = Text::new(&format!("INSERT INTO {} ({}) VALUES ", table.name, names(columns)));
    for (n, values) in batch.drain(..).enumerate() {
        text.bind_row(n, values);
    }
    executor.execute(text).await?;
    Ok(())
}

fn damaged(path: &Path, problem: impl ToString) -> DumpError {
    DumpError::Damaged { path: path.to_owned(), problem: problem.to_string() }
}
