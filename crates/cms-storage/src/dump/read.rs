//! Reading a dump back.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    path::Path,
};

use cms_migrations::{Migrator, MigratorTrait};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{
    DumpError, FORMAT, MANIFEST, Manifest, TableSummary,
    table::{TABLES, Table, hexadecimal},
    write::in_file,
};
use crate::{Tx, executor::Executor, statement::Text};

/// How many rows are written at a time: few enough that the values of the widest table fit into one statement.
const BATCH: usize = 50;

/// Reads a dump into an empty store, in a transaction that the caller commits once what is derived is rebuilt. Every line is
/// counted and hashed: what was not written by [`super::dump`] is refused.
pub async fn restore(tx: &Tx, folder: &Path) -> Result<Manifest, DumpError> {
    let path = folder.join(MANIFEST);
    let text = in_file(&path, fs::read(&path))?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| damaged(&path, error))?;
    check(&manifest, &path)?;
    let executor = tx.executor();
    for table in &TABLES {
        if executor.one(format!("SELECT 1 FROM {} LIMIT 1", table.name).as_str()).await?.is_some() {
            return Err(DumpError::NotEmpty(table.name));
        }
    }
    for (table, summary) in TABLES.iter().zip(&manifest.tables) {
        read_table(executor, table, summary, &folder.join(format!("{}.ndjson", table.name))).await?;
    }
    if executor.is_postgres() {
        // The numbers were given by the dump, not by the sequence. SQLite looks for itself.
        const AFTER: &str = "SELECT setval(pg_get_serial_sequence('indexes', 'id'), greatest((SELECT max(id) FROM indexes), 1))";
        executor.one(AFTER).await?;
    }
    Ok(manifest)
}

fn check(manifest: &Manifest, path: &Path) -> Result<(), DumpError> {
    if manifest.format > FORMAT {
        return Err(DumpError::Newer(format!("format {}", manifest.format)));
    }
    let known: Vec<_> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    if let Some(unknown) = manifest.migrations.iter().find(|name| !known.contains(name)) {
        return Err(DumpError::Newer(format!("the migration {unknown}")));
    }
    if !manifest.tables.iter().map(|summary| summary.table.as_str()).eq(TABLES.iter().map(|table| table.name)) {
        return Err(damaged(path, "it does not name the tables of this program"));
    }
    Ok(())
}

async fn read_table(executor: Executor<'_>, table: &Table, summary: &TableSummary, path: &Path) -> Result<(), DumpError> {
    let mut file = BufReader::new(in_file(path, File::open(path))?);
    let (mut rows, mut hash, mut line, mut batch) = (0, Sha256::new(), Vec::new(), Vec::with_capacity(BATCH));
    while in_file(path, file.read_until(b'\n', &mut line))? > 0 {
        rows += 1;
        hash.update(&line);
        batch.push(parse(table, &line).map_err(|problem| damaged(path, format!("line {rows}: {problem}")))?);
        line.clear();
        if batch.len() == BATCH {
            insert(executor, table, &mut batch).await?;
        }
    }
    insert(executor, table, &mut batch).await?;
    if rows != summary.rows {
        return Err(damaged(path, format!("it has {rows} lines, the manifest says {}", summary.rows)));
    }
    if hexadecimal(&hash.finalize()) != summary.sha256 {
        return Err(damaged(path, "its lines are not those that the manifest hashed"));
    }
    Ok(())
}

/// The values of a line, in the order of the columns.
fn parse(table: &Table, line: &[u8]) -> Result<Vec<sea_orm::Value>, String> {
    let mut members: Map<String, Value> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let values = table
        .columns
        .iter()
        .map(|(name, kind)| kind.to_column(members.remove(*name).as_ref()).ok_or_else(|| format!("`{name}` is of another kind")))
        .collect::<Result<_, _>>()?;
    match members.keys().next() {
        Some(unknown) => Err(format!("`{unknown}` is no column")),
        None => Ok(values),
    }
}

async fn insert(executor: Executor<'_>, table: &Table, batch: &mut Vec<Vec<sea_orm::Value>>) -> Result<(), DumpError> {
    if batch.is_empty() {
        return Ok(());
    }
    let mut text = Text::new(&format!("INSERT INTO {} ({}) VALUES ", table.name, table.column_names()));
    for (n, values) in batch.drain(..).enumerate() {
        text.bind_row(n, values);
    }
    executor.execute(text).await?;
    Ok(())
}

fn damaged(path: &Path, problem: impl ToString) -> DumpError {
    DumpError::Damaged { path: path.to_owned(), problem: problem.to_string() }
}
