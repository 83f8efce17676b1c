//! Databases of one's own on the PostgreSQL that the tests use.

use anyhow::{Context, ensure};

use crate::{
    shell::{command, output},
    tools,
};

/// An empty database; removed when dropped.
pub(super) struct Database {
    /// The database that it was made from.
    beside: String,
    name: &'static str,
    /// Its address.
    pub(super) url: String,
}

impl Database {
    /// Empty databases of these names. None, and a line that says why, when there is no PostgreSQL.
    pub(super) fn fresh<const N: usize>(names: [&'static str; N]) -> anyhow::Result<Option<[Self; N]>> {
        let beside = match tools::postgres() {
            Ok(beside) => beside,
            Err(error) => {
                println!("PostgreSQL: left out: {error:#}");
                return Ok(None);
            }
        };
        let made = names.into_iter().map(|name| Self::make(&beside, name)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(made.try_into().ok())
    }

    fn make(beside: &str, name: &'static str) -> anyhow::Result<Self> {
        let (server, _) = beside.rsplit_once('/').context("the address of PostgreSQL names a database")?;
        sql(beside, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
        sql(beside, &format!("CREATE DATABASE {name}"))?;
        Ok(Self { beside: beside.to_owned(), name, url: format!("{server}/{name}") })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Err(error) = sql(&self.beside, &format!("DROP DATABASE {} WITH (FORCE)", self.name)) {
            println!("the database {} could not be removed: {error:#}", self.name);
        }
    }
}

/// Does a statement in a database.
pub(super) fn sql(url: &str, statement: &str) -> anyhow::Result<String> {
    output(&mut command("psql", &[url, "--quiet", "--tuples-only", "--no-align", "--command", statement]))
}

/// Refuses a server that never looks after its tables: it plans for them as they were when they were empty, which nobody's does who runs one.
pub(super) fn must_be_looked_after(url: &str) -> anyhow::Result<()> {
    let autovacuum = sql(url, "SHOW autovacuum")?;
    ensure!(
        autovacuum.trim() == "on",
        "PostgreSQL runs without autovacuum: turn it on with `ALTER SYSTEM SET autovacuum = on` and `SELECT pg_reload_conf()`"
    );
    Ok(())
}
