//! `cms import` and `cms export`: content in and out.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use cms_domain::slug::CollectionSlug;
use cms_import::{OnConflict, Progress, Refused, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tempfile::NamedTempFile;

use super::App;
use crate::{
    output::{self, Output},
    wire,
};

/// How many lines that were refused are told to people one by one.
const SHOWN: u64 = 20;

#[derive(Debug, Subcommand)]
pub(super) enum Import {
    /// Import lines of JSON, each an entry.
    ///
    /// A line is an object: `collection`, `data` with the field values, and where they are known `slug`, `status` (`draft`,
    /// `published` or `scheduled`), `locale`, `translationOf`, `createdAt`, `publishedAt`, `scheduledAt`, `seo`, and `draft` with the
    /// staged edit of a published entry. Each entry is checked as if it were typed, and is there whole or not at all.
    ///
    /// A line with an `id` is taken as it stands: no slug is made and no default is filled in. References to other lines
    /// may point forward and in circles.
    ///
    /// Lines that cannot be imported are reported with their numbers, and the import goes on. One that was stopped is gone on with
    /// by `--resume`: what it did is noted in FILE.cms-import until it ends.
    Ndjson(ImportNdjson),
}

#[derive(Debug, Args)]
pub(super) struct ImportNdjson {
    /// The file.
    file: PathBuf,
    /// Collection of lines that name none.
    #[arg(long)]
    collection: Option<CollectionSlug>,
    /// A member of lines to leave out; repeat, or separate with commas. Any other that is not known is refused.
    #[arg(long, value_name = "MEMBER", value_delimiter = ',')]
    ignore: Vec<String>,
    /// What becomes of a line whose entry is there already.
    #[arg(long, value_enum, default_value_t = Conflict::Error)]
    on_conflict: Conflict,
    /// Go on with an import that stopped.
    #[arg(long, conflicts_with = "dry_run")]
    resume: bool,
    /// Only find out what would happen: each line is checked as if it were the only one, and nothing is written.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Conflict {
    /// It is reported like any other that cannot be imported.
    Error,
    /// Nothing: the entry stays as it is.
    Skip,
    /// The entry becomes what the line says.
    Update,
}

#[derive(Debug, Subcommand)]
pub(super) enum Export {
    /// Write lines of JSON, each an entry outside of the trash, as `cms import ndjson` reads them.
    Ndjson {
        /// The collections; all of them when none is named.
        collections: Vec<CollectionSlug>,
        /// Write to a file instead of the standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

pub(super) async fn import(app: &App, command: Import) -> anyhow::Result<ExitCode> {
    let Import::Ndjson(command) = command;
    if command.dry_run {
        wire::must_exist(&app.config)?;
    }
    let (cms, store) = wire::cms(&app.config).await?;
    let options = cms_import::Import {
        collection: command.collection,
        ignore: command.ignore.into_iter().collect(),
        on_conflict: match command.on_conflict {
            Conflict::Error => OnConflict::Error,
            Conflict::Skip => OnConflict::Skip,
            Conflict::Update => OnConflict::Update,
        },
        resume: command.resume,
        dry_run: command.dry_run,
    };
    let bar = bar(app.out, "{bar:40} {bytes}/{total_bytes}  {msg}");
    let out = app.out;
    let mut told = 0;
    let report = |progress: Progress<'_>| match progress {
        Progress::Refused(refused) if out.json || told < SHOWN => {
            told += 1;
            // The summary tells as well that lines failed, should the output be closed.
            drop(tell(out, &bar, &refused));
        }
        Progress::Refused(_) => told += 1,
        Progress::Advanced { bytes, total, summary } => {
            bar.set_length(total);
            bar.set_position(bytes);
            bar.set_message(counted(summary, command.dry_run));
        }
    };
    let summary = cms_import::import(&cms, &command.file, &options, report).await?;
    bar.finish_and_clear();
    if told > SHOWN {
        app.out.remark(&format!("and {} more; `--json` tells of all", told - SHOWN));
    }
    let answer = if command.dry_run { json!({ "summary": summary, "dryRun": true }) } else { json!({ "summary": summary }) };
    app.out.answer(&answer, || counted(&summary, command.dry_run))?;
    if summary.failed > 0 {
        app.out.remark("`--ignore` leaves out members that are not known here; `--on-conflict skip` passes over what is there already");
    }
    store.close().await;
    Ok(if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tells of a line that was refused: programs on the standard output, people beside the progress.
fn tell(out: Output, bar: &ProgressBar, refused: &Refused) -> std::io::Result<()> {
    if out.json {
        return out.text(&json!({ "refused": refused }).to_string());
    }
    let issues = output::listed(&refused.issues);
    bar.suspend(|| writeln!(std::io::stderr(), "line {}: [{}] {}{issues}", refused.line, refused.code, refused.message))
}

fn counted(summary: &Summary, dry_run: bool) -> String {
    let Summary { imported, updated, skipped, failed, waiting } = summary;
    if !dry_run {
        return format!("{imported} imported, {updated} updated, {skipped} skipped, {failed} failed");
    }
    let waiting = if *waiting > 0 { format!(", {waiting} refer to what is not there yet") } else { String::new() };
    format!("nothing is written: {imported} would be imported, {updated} updated, {skipped} skipped, {failed} refused{waiting}")
}

pub(super) async fn export(app: &App, command: Export) -> anyhow::Result<ExitCode> {
    let Export::Ndjson { collections, output } = command;
    wire::must_exist(&app.config)?;
    let (cms, store) = wire::cms(&app.config).await?;
    let bar = bar(app.out, "{pos} entries");
    let report = |written| bar.set_position(written);
    let written = match &output {
        None => cms_import::export(&cms, &collections, &mut BufWriter::new(std::io::stdout()), report).await?,
        Some(path) => {
            // Whole or not at all: a file that ends early looks like one that does not.
            let mut file = BufWriter::new(NamedTempFile::new_in(folder(path)).with_context(|| unwritable(path))?);
            let written = cms_import::export(&cms, &collections, &mut file, report).await?;
            let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(path).with_context(|| unwritable(path))?;
            app.out.answer(&json!({ "exported": written }), || format!("{written} entries exported"))?;
            written
        }
    };
    bar.finish_and_clear();
    if output.is_none() {
        app.out.remark(&format!("{written} entries exported"));
    }
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

/// A bar for whoever watches; otherwise one that shows nothing.
fn bar(out: Output, template: &str) -> ProgressBar {
    if !out.is_watched() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style)
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn unwritable(path: &Path) -> String {
    format!("cannot write `{}`", path.display())
}
