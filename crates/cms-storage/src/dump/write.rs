//! Writing a dump.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use sea_orm::Value;
use sha2::{Digest, Sha256};

use super::{
    DumpError, FORMAT, MANIFEST, Manifest, TableSummary,
    table::{Columns, hexadecimal, members, names},
};
use crate::{
    Snapshot, Store,
    executor::Executor,
    tables::{Table, archived},
};

/// How many rows are read at a time. Documents may be large, so these are few.
const PAGE: usize = 100;

/// Writes every row that cannot be derived, of one moment, into a folder, which is made when it is missing. The server may go on
/// writing meanwhile. The manifest is written last: a folder without one is not a dump.
pub async fn dump(store: &Store, folder: &Path) -> Result<Manifest, DumpError> {
    let migrations = store.versions().await?.migrations.into_iter().filter(|migration| migration.applied && migration.known);
    let migrations = migrations.map(|migration| migration.name).collect();
    let snapshot = store.snapshot().await?;
    in_file(folder, fs::create_dir_all(folder))?;
    let mut tables = Vec::new();
    for table in archived() {
        let path = folder.join(table.file());
        let mut file = BufWriter::new(in_file(&path, File::create(&path))?);
        tables.push(write_table(&snapshot, table, &table.columns, &path, &mut file).await?);
        let file = in_file(&path, file.into_inner().map_err(io::IntoInnerError::into_error))?;
        in_file(&path, file.sync_all())?;
    }
    let manifest = Manifest { format: FORMAT, migrations, tables };
    let path = folder.join(MANIFEST);
    let text = in_file(&path, serde_json::to_vec_pretty(&manifest).map_err(io::Error::from))?;
    let written = File::create(&path).and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()));
    in_file(&path, written)?;
    Ok(manifest)
}

/// What a dump of the store would hold of the tables and columns that another dump has: the same, if the store holds what that dump holds.
pub async fn summarize(store: &Store, like: &Manifest) -> Result<Vec<TableSummary>, DumpError> {
    let snapshot = store.snapshot().await?;
    let mut tables = Vec::new();
    for (table, summary) in archived().filter_map(|table| Some((table, table.summary_in(like)?))) {
        tables.push(write_table(&snapshot, table, &table.columns_of(summary), Path::new(table.name), &mut io::sink()).await?);
    }
    Ok(tables)
}

async fn write_table(
    snapshot: &Snapshot,
    table: &Table,
    columns: &Columns,
    path: &Path,
    out: &mut impl Write,
) -> Result<TableSummary, DumpError> {
    let executor = snapshot.reader().executor();
    let (mut rows, mut hash, mut after) = (0, Sha256::new(), None);
    loop {
        let (lines, last) = read_page(executor, table, columns, after).await?;
        for line in &lines {
            hash.update(line);
            in_file(path, out.write_all(line))?;
        }
        rows += lines.len() as u64;
        match last {
            Some(last) if lines.len() == PAGE => after = Some(last),
            _ => break,
        }
    }
    let columns = columns.iter().map(|(column, _)| (*column).to_owned()).collect();
    Ok(TableSummary { table: table.name.to_owned(), columns, rows, sha256: hexadecimal(&hash.finalize()) })
}

/// The lines of the rows behind a key, and the key of the last one.
async fn read_page(
    executor: Executor<'_>,
    table: &Table,
    columns: &Columns,
    after: Option<Value>,
) -> Result<(Vec<Vec<u8>>, Option<Value>), DumpError> {
    let (key, kind) = table.key();
    let behind = if after.is_some() { format!("WHERE {key} > $1") } else { String::new() };
    let text = format!("SELECT {} FROM {} {behind} ORDER BY {key} LIMIT {PAGE}", names(columns), table.name);
    let (mut lines, mut last) = (Vec::with_capacity(PAGE), None);
    for row in executor.all((text, after.into_iter().collect::<Vec<_>>())).await? {
        let members = members(columns, &row)?;
        let mut line = serde_json::to_vec(&members).map_err(crate::Error::backend)?;
        line.push(b'\n');
        lines.push(line);
        last = kind.to_column(members.get(key));
    }
    Ok((lines, last))
}

/// Names the file that an error is of.
pub(super) fn in_file<T>(path: &Path, result: io::Result<T>) -> Result<T, DumpError> {
    result.map_err(|source| DumpError::File { path: PathBuf::from(path), source })
}
