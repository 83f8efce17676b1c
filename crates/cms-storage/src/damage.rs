//! Damage that no entry shows by itself: a broken file, revisions that are named and gone, rows that belong to nothing.

use crate::{Disagreement, Error, entries::EntryReader, row::Row};

impl EntryReader<'_> {
    /// Looks for entries whose live or draft revision is not there; at most a hundred of each kind.
    pub async fn check_revisions(self) -> Result<Vec<Disagreement>, Error> {
        let mut found = Vec::new();
        for column in ["live_revision", "draft_revision"] {
            let text = format!(
                "SELECT id FROM entries e WHERE {column} IS NOT NULL \
                AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.id = e.{column} AND r.entry_id = e.id) LIMIT 100"
            );
            for row in self.executor.all(text.as_str()).await? {
                let message = format!("{column} names a revision that is not there");
                found.push(Disagreement { table: "entries", entry: Some(row.read_id("id")?), message });
            }
        }
        Ok(found)
    }

    /// Looks for damage in the file of a SQLite database. PostgreSQL looks after its files itself.
    pub async fn check_file(self) -> Result<Vec<String>, Error> {
        if self.executor.is_postgres() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for row in self.executor.all("PRAGMA integrity_check(100)").await? {
            found.push(row.read::<String>("integrity_check")?);
        }
        found.retain(|line| line != "ok");
        for row in self.executor.all("PRAGMA foreign_key_check").await? {
            let (table, parent): (String, String) = (row.read("table")?, row.read("parent")?);
            found.push(format!("a row of {table} refers to one of {parent} that is not there"));
        }
        Ok(found)
    }
}
