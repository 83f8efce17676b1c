//! Lists of a large collection against the same lists of a small one, on both databases.

use std::path::Path;

use super::postgres::{Database, sql};
use crate::shell::{command, output, root, run};

/// Entries of the small collection.
const SMALL: usize = 10_000;

/// A list and the median time of its page, in milliseconds.
type Row = (String, f64);

pub(super) fn lists(folder: &Path, large: usize) -> anyhow::Result<()> {
    run(&mut command("cargo", &["build", "--release", "--quiet", "--package", "cms-storage", "--example", "lists"]))?;
    let sqlite = |name: &str| format!("sqlite:{}", folder.join(name).display());
    compare("SQLite", &sqlite("small.db"), &sqlite("large.db"), large)?;
    let Some([small, large_one]) = Database::fresh(["cms_bench_small", "cms_bench_large"])? else { return Ok(()) };
    compare("PostgreSQL", &small.url, &large_one.url, large)
}

fn compare(database: &str, small: &str, large: &str, entries: usize) -> anyhow::Result<()> {
    let small = measure(small, SMALL)?;
    let large = measure(large, entries)?;
    println!("\n| {database}, page of 50 | {SMALL} entries, ms | {entries} entries, ms | Ratio |");
    println!("|---|---|---|---|");
    for (name, time) in &large {
        let Some((_, before)) = small.iter().find(|(other, _)| other == name) else { continue };
        println!("| {name} | {before:.2} | {time:.2} | {:.1} |", time / before);
    }
    Ok(())
}

/// Fills a database, has PostgreSQL look at what is in it, as it does by itself in time, and times its lists.
fn measure(url: &str, entries: usize) -> anyhow::Result<Vec<Row>> {
    let program = root().join("target/release/examples/lists").display().to_string();
    let entries = entries.to_string();
    output(&mut command(&program, &[url, &entries, "fill"]))?;
    if url.starts_with("postgres") {
        sql(url, "VACUUM (ANALYZE)")?;
    }
    let printed = output(&mut command(&program, &[url, &entries]))?;
    Ok(printed.lines().filter_map(row).collect())
}

/// The name fills the first 40 columns, the median follows.
fn row(line: &str) -> Option<Row> {
    let (name, times) = line.split_at_checked(40)?;
    let median = times.split_whitespace().next()?.parse().ok()?;
    Some((name.trim().to_owned(), median))
}
