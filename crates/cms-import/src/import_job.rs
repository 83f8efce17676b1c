//! The job that imports a file: line by line, each in one transaction with how far the job is then, so that whatever is killed, no line is lost and none is
//! imported twice.

use std::collections::BTreeSet;

use cms_content::entries::import::{FinishImport, ImportEntry, Imported};
use cms_domain::{
    access::{Access, Permission, Scope},
    id::FileId,
    slug::CollectionSlug,
    time::Timestamp,
};
use cms_frame::{
    Cx, Error, Kind,
    files::FileLine,
    jobs::{Job, Order, Stride, Work},
    operation::Operation,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Import, OnConflict, Refused, Summary, line, missing, ndjson::is_conflict, parts};

/// How often lines that wait are looked at, in one direction and then in the other. Whatever still waits then is made apart, as lines are that refer to each
/// other in a circle: so a file takes as long as it is, in whatever order its lines are.
const PASSES: u8 = 4;
/// How many lines one step looks at that leave nothing behind: those that are refused, or tried alone.
const AT_ONCE: usize = 50;

/// Wanted: the content of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ImportLines {
    pub(crate) file: FileId,
    pub(crate) collection: Option<CollectionSlug>,
    pub(crate) ignore: BTreeSet<String>,
    pub(crate) on_conflict: OnConflict,
    pub(crate) dry_run: bool,
    /// When the import began: part of the ids of lines that have none, so that a line keeps its id.
    pub(crate) began: Timestamp,
}

impl Order for ImportLines {
    const KIND: &'static str = "content.import_lines";
    const TITLE: &'static str = "Import content";
}

/// What the job is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Phase {
    /// To look how long the file is.
    #[default]
    Begin,
    /// Every line, in order. Those that refer to what is not there yet wait.
    Lines,
    /// Those that wait, the last one first: most refer to lines behind them. If some find what they refer to, others may in their turn.
    Waiting,
    /// Lines that refer to each other in a circle, to what is nowhere, or in no order: each entry is made without what is missing.
    Apart,
    /// And then completed.
    Complete,
    /// To tell the database of many rows.
    Finish,
    /// To remove the file.
    Clear,
}

/// Where to go on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct At {
    phase: Phase,
    /// How long the file is, and how many lines it has.
    bytes: u64,
    lines: u64,
    /// How many lines were read, and where the next one begins.
    read: u64,
    offset: u64,
    /// The line that was read again last.
    beside: u64,
    /// Whether one that waited has found what it refers to, since they were all looked at.
    found: bool,
    /// How often all that wait were looked at.
    passes: u8,
    /// How many lines wait, or did.
    waiting: u64,
    summary: Summary,
    /// What was imported into.
    collections: BTreeSet<CollectionSlug>,
}

/// Imports a file.
pub(crate) struct ImportJob;

impl Job for ImportJob {
    type Order = ImportLines;
    type Checkpoint = At;
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ImportExecute);

    async fn step(&self, work: Work<ImportLines, At>, cx: &mut Cx<'_>) -> Result<Stride<At>, Error> {
        let options = Import {
            collection: work.order.collection.clone(),
            ignore: work.order.ignore.clone(),
            on_conflict: work.order.on_conflict,
            resume: false,
            dry_run: work.order.dry_run,
        };
        let mut run = Run { cx, order: work.order, options, at: work.at, note: None, refused: Vec::new() };
        let is_over = run.step().await?;
        let Run { order, at, note, refused, .. } = run;
        let (done, lines) = (at.read, at.lines.max(at.read));
        let result = is_over.then(|| result(&at, order.dry_run));
        let mut stride = match result {
            Some(result) => Stride::end(done).result(result),
            None => Stride::to(at, done),
        };
        for refused in refused {
            stride.failed(format!("line {}", refused.line), told(&refused));
        }
        stride = stride.of(lines);
        Ok(match note {
            Some(note) => stride.note(note.as_str()),
            None => stride,
        })
    }
}

/// What came of it.
fn result(at: &At, dry_run: bool) -> Value {
    let Summary { imported, updated, skipped, failed, waiting } = at.summary;
    json!({
        "imported": imported, "updated": updated, "skipped": skipped, "failed": failed,
        "waiting": waiting, "dryRun": dry_run, "collections": at.collections,
    })
}

/// A line that was refused, in words.
fn told(refused: &Refused) -> String {
    let issues = refused.issues.iter().filter_map(|issue| Some(format!("{}: {}", issue["path"].as_str()?, issue["message"].as_str()?)));
    let issues: Vec<_> = issues.collect();
    // Of one problem the message says all there is.
    if issues.len() < 2 { refused.message.clone() } else { format!("{} ({})", refused.message, issues.join("; ")) }
}

/// What becomes of a line.
enum Outcome {
    /// There is nothing in it.
    Blank,
    /// Its entry is there.
    There(Imported, CollectionSlug),
    /// It refers to what is not there, or not yet.
    Waits(Error, Box<ImportEntry>),
    Refused(Error),
}

/// One step.
struct Run<'r, 'c> {
    cx: &'r mut Cx<'c>,
    order: ImportLines,
    options: Import,
    at: At,
    note: Option<CollectionSlug>,
    refused: Vec<Refused>,
}

impl Run<'_, '_> {
    /// Does it, and says whether it was the last one.
    async fn step(&mut self) -> Result<bool, Error> {
        match self.at.phase {
            Phase::Begin => self.begin().await?,
            Phase::Lines => self.lines().await?,
            Phase::Waiting => self.waiting().await?,
            Phase::Apart => self.apart().await?,
            Phase::Complete => self.complete().await?,
            Phase::Finish => self.finish().await?,
            Phase::Clear => {
                let file = self.order.file;
                return Ok(!self.cx.tx().await?.files().remove_some(file).await?);
            }
        }
        Ok(false)
    }

    async fn begin(&mut self) -> Result<(), Error> {
        let now = self.cx.now();
        let file = self.cx.read().files().get(self.order.file, now).await?.ok_or_else(parts::gone)?;
        // The last line may have no end, which is found out when it is read.
        (self.at.bytes, self.at.lines) = (file.bytes, file.lines);
        self.at.phase = Phase::Lines;
        Ok(())
    }

    /// Lines up to one that leaves something behind: it is stored together with how far the job is then.
    async fn lines(&mut self) -> Result<(), Error> {
        for _ in 0..AT_ONCE {
            let Some(line) = parts::line(self.cx, self.order.file, self.at.bytes, self.at.offset).await? else {
                self.at.phase = if self.order.dry_run { Phase::Finish } else { Phase::Waiting };
                self.at.beside = u64::MAX;
                break;
            };
            let (number, begins) = (self.at.read + 1, self.at.offset);
            (self.at.read, self.at.offset) = (number, line.end);
            match self.attempt(number, line.bytes, |_| {}).await? {
                Outcome::Blank => {}
                Outcome::Refused(error) => self.refuse(number, &error),
                Outcome::Waits(..) if self.order.dry_run => self.at.summary.waiting += 1,
                Outcome::Waits(..) => {
                    self.at.waiting += 1;
                    let (file, line) = (self.order.file, FileLine { number, begins });
                    self.cx.tx().await?.files().note_line(file, line).await?;
                    break;
                }
                Outcome::There(imported, collection) => {
                    self.count(imported, collection);
                    if !self.order.dry_run {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    async fn waiting(&mut self) -> Result<(), Error> {
        for _ in 0..AT_ONCE {
            let is_backward = self.at.passes.is_multiple_of(2);
            let Some(line) = self.beside(is_backward).await? else {
                self.at.passes += 1;
                let goes_on = self.at.found && self.at.passes < PASSES;
                self.at.beside = if goes_on && !is_backward { u64::MAX } else { 0 };
                self.at.phase = if goes_on { Phase::Waiting } else { Phase::Apart };
                self.at.found = false;
                break;
            };
            match self.again(line, |_| {}).await? {
                Outcome::Waits(..) => continue,
                Outcome::Blank => {}
                Outcome::Refused(error) => self.refuse(line.number, &error),
                Outcome::There(imported, collection) => {
                    self.at.found = true;
                    self.count(imported, collection);
                }
            }
            self.forget(line).await?;
            break;
        }
        Ok(())
    }

    async fn apart(&mut self) -> Result<(), Error> {
        let Some(line) = self.beside(false).await? else {
            (self.at.phase, self.at.beside) = (Phase::Complete, 0);
            return Ok(());
        };
        match self.again(line, |_| {}).await? {
            Outcome::Blank => {}
            Outcome::Refused(error) => self.refuse(line.number, &error),
            Outcome::There(imported, collection) => self.count(imported, collection),
            Outcome::Waits(error, mut entry) => {
                missing::leave_out(&error, &mut entry);
                match self.try_out(*entry).await? {
                    // It stays set aside, and is counted when it is complete.
                    Outcome::There(..) => return Ok(()),
                    Outcome::Refused(error) | Outcome::Waits(error, _) => self.refuse(line.number, &error),
                    Outcome::Blank => {}
                }
            }
        }
        self.forget(line).await
    }

    async fn complete(&mut self) -> Result<(), Error> {
        let Some(line) = self.beside(false).await? else {
            self.at.phase = Phase::Finish;
            return Ok(());
        };
        match self.again(line, |entry| entry.replace = true).await? {
            Outcome::Blank => {}
            Outcome::There(imported, collection) => self.count(Imported { created: true, ..imported }, collection),
            // It is there, without what it refers to.
            Outcome::Refused(error) | Outcome::Waits(error, _) => {
                self.at.summary.imported += 1;
                self.refused.push(Refused::incomplete(line.number, &error));
            }
        }
        self.forget(line).await
    }

    async fn finish(&mut self) -> Result<(), Error> {
        let Summary { imported, updated, .. } = self.at.summary;
        if !self.order.dry_run {
            FinishImport { entries: imported + updated }.run(self.cx).await?;
        }
        self.at.phase = Phase::Clear;
        Ok(())
    }

    /// The next line that was set aside.
    async fn beside(&mut self, before: bool) -> Result<Option<FileLine>, Error> {
        let line = self.cx.read().files().line(self.order.file, self.at.beside, before).await?;
        if let Some(line) = line {
            self.at.beside = line.number;
        }
        Ok(line)
    }

    async fn forget(&mut self, line: FileLine) -> Result<(), Error> {
        let file = self.order.file;
        Ok(self.cx.tx().await?.files().forget_line(file, line.number).await?)
    }

    async fn again(&mut self, at: FileLine, change: impl FnOnce(&mut ImportEntry) + Send) -> Result<Outcome, Error> {
        let line = parts::line(self.cx, self.order.file, self.at.bytes, at.begins).await?.ok_or_else(parts::gone)?;
        self.attempt(at.number, line.bytes, change).await
    }

    async fn attempt(
        &mut self,
        number: u64,
        bytes: Option<Vec<u8>>,
        change: impl FnOnce(&mut ImportEntry) + Send,
    ) -> Result<Outcome, Error> {
        match line::read(self.cx.cms(), number, bytes.as_deref(), &self.options, self.order.began) {
            Ok(None) => Ok(Outcome::Blank),
            Ok(Some(mut entry)) => {
                change(&mut entry);
                self.try_out(entry).await
            }
            Err(error) if error.may_pass() => Err(error),
            Err(error) => Ok(Outcome::Refused(error)),
        }
    }

    /// Imports an entry. Unless it is there then, nothing is left of it.
    async fn try_out(&mut self, entry: ImportEntry) -> Result<Outcome, Error> {
        let collection = entry.collection.clone();
        let checked = entry.check();
        let copy = Box::new(entry.clone());
        let imported = match checked {
            // What it takes to save an entry is not to be a part of every step.
            Ok(()) => Box::pin(entry.run(self.cx)).await,
            Err(error) => Err(error),
        };
        if imported.is_err() {
            self.cx.start_over();
        }
        match imported {
            Ok(imported) => Ok(Outcome::There(imported, collection)),
            // It is not the line that is wrong: the job is tried again, or whoever asked for it may not go on.
            Err(error) if error.may_pass() || error.code().kind() == Kind::Unauthenticated => Err(error),
            Err(error) if missing::waits(&error) => Ok(Outcome::Waits(error, copy)),
            Err(error) => Ok(Outcome::Refused(error)),
        }
    }

    fn count(&mut self, imported: Imported, collection: CollectionSlug) {
        let summary = &mut self.at.summary;
        if imported.created {
            summary.imported += 1;
        } else {
            summary.updated += 1;
        }
        self.note = Some(collection.clone());
        self.at.collections.insert(collection);
    }

    fn refuse(&mut self, line: u64, error: &Error) {
        if self.options.on_conflict == OnConflict::Skip && is_conflict(error) {
            self.at.summary.skipped += 1;
            return;
        }
        self.at.summary.failed += 1;
        self.refused.push(Refused::new(line, error));
    }
}
