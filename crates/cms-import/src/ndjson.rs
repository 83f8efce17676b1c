//! Import of content from lines of JSON: streamed, resumed, each bad line reported, through the operations that everyone uses.

use std::{
    collections::{BTreeSet, VecDeque},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use cms_content::entries::import::{FinishImport, ImportEntry, Imported};
use cms_domain::{access::Actor, id::EntryId, slug::CollectionSlug};
use cms_frame::{Cms, Code, Door, Error, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;
use tokio::task::JoinHandle;

use crate::{
    JournalError,
    journal::{Journal, Postponed},
    line,
    lines::{Lines, RawLine, hexadecimal},
    missing,
};

/// How many lines are worked on at once: while one is written, others are read and checked.
const SIDE_BY_SIDE: usize = 8;
/// How often the journal is written.
const JOURNAL_EVERY: Duration = Duration::from_millis(500);

/// What becomes of a line whose entry is there already, by its id or by its slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OnConflict {
    /// It is reported like any other that cannot be imported.
    #[default]
    Error,
    /// Nothing: the entry stays as it is.
    Skip,
    /// The entry becomes what the line says.
    Update,
}

/// How to import.
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// The collection of lines that name none.
    pub collection: Option<CollectionSlug>,
    /// Members of lines that are left out. Any other that is not known is refused.
    pub ignore: BTreeSet<String>,
    /// What becomes of a line whose entry is there already.
    pub on_conflict: OnConflict,
    /// Whether to go on with an import that stopped.
    pub resume: bool,
    /// Whether only to find out what would happen: each line is checked as if it were the only one, and nothing is changed.
    pub dry_run: bool,
}

/// What came of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Entries that were created.
    pub imported: u64,
    /// Entries that were there and were changed.
    pub updated: u64,
    /// Lines whose entries were there and were left alone.
    pub skipped: u64,
    /// Lines that were refused.
    pub failed: u64,
    /// Lines that refer to what is not there: others of the file may be it. They are counted where nothing is changed; otherwise they find
    /// what they refer to in the end, or are refused.
    #[serde(default)]
    pub waiting: u64,
}

/// A line that was refused, or something of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// Which line, from 1.
    pub line: u64,
    /// Why: a code as the API has them.
    pub code: &'static str,
    /// Why, for people.
    pub message: String,
    /// Every problem of the line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Value>,
}

/// How an import is getting on.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A line was refused.
    Refused(Refused),
    /// Lines are done.
    Advanced {
        /// How much of the file is done.
        bytes: u64,
        /// How large the file is.
        total: u64,
        /// What came of the lines so far.
        summary: &'a Summary,
    },
}

/// Why an import stopped. What it did remains; it can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The server failed, not the line.
    #[error("line {line}: {source}")]
    Stopped {
        /// The line.
        line: u64,
        /// Why.
        source: Error,
    },
}

/// Imports a file.
pub async fn import(cms: &Cms, file: &Path, options: &Import, report: impl FnMut(Progress<'_>)) -> Result<Summary, ImportError> {
    let in_file = |source| ImportError::File { path: file.to_owned(), source };
    let total = std::fs::metadata(file).map_err(in_file)?.len();
    let mut lines = Lines::open(file).map_err(in_file)?;
    let path = Journal::path(file);
    // What changes nothing leaves no journal, and goes on with none.
    let known = if options.dry_run { None } else { Journal::read(&path)? };
    let journal = match known {
        None => Journal::begin(cms.now()),
        Some(journal) if !options.resume => return Err(JournalError::Unfinished { path, lines: journal.lines }.into()),
        Some(journal) => {
            if journal.offset > 0 && lines.skip(journal.lines, journal.offset).map_err(in_file)? != journal.sha256 {
                return Err(JournalError::Changed(path).into());
            }
            journal
        }
    };
    let upto = lines.upto();
    let mut run = Run { cms, file, options, report, total, path, journal, upto, resumed: options.resume, written: Instant::now() };
    // Written before the first entry is: whatever happens from here on can be resumed.
    run.write()?;
    match run.all(lines).await {
        Ok(()) => {
            if !options.dry_run {
                Journal::remove(&run.path)?;
            }
            Ok(run.journal.summary)
        }
        Err(error) => {
            run.write()?;
            Err(error)
        }
    }
}

/// One import.
struct Run<'a, F> {
    cms: &'a Cms,
    file: &'a Path,
    options: &'a Import,
    report: F,
    total: u64,
    path: PathBuf,
    journal: Journal,
    /// The digest of the lines that are done.
    upto: Sha256,
    /// Whether entries of lines that are not done may be there already, because the import was stopped before it noted them.
    resumed: bool,
    written: Instant,
}

/// A line that is being worked on.
struct Job {
    line: RawLine,
    place: Option<String>,
    id: Option<EntryId>,
    work: JoinHandle<Result<Option<Imported>, Error>>,
}

impl<F: FnMut(Progress<'_>)> Run<'_, F> {
    async fn all(&mut self, mut lines: Lines) -> Result<(), ImportError> {
        self.in_order(&mut lines).await?;
        if self.options.dry_run {
            return Ok(());
        }
        // Lines may refer to lines behind them. As long as some of them find what they refer to, others may in their turn.
        loop {
            self.write()?;
            let waiting = self.journal.postponed.len();
            self.postponed(&mut lines).await?;
            if self.journal.postponed.len() == waiting {
                break;
            }
        }
        self.apart(&mut lines).await?;
        let Summary { imported, updated, .. } = self.journal.summary;
        let finished = self.cms.invoke(&Actor::System, Door::Local, FinishImport { entries: imported + updated }).await;
        finished.map(|_| ()).map_err(|source| ImportError::Stopped { line: self.journal.lines, source })
    }

    /// Every line that is not done, in order, some side by side.
    async fn in_order(&mut self, lines: &mut Lines) -> Result<(), ImportError> {
        let mut jobs: VecDeque<Job> = VecDeque::new();
        while let Some(line) = lines.next().map_err(|error| self.unreadable(error))? {
            let parsed = self.read(&line);
            let (place, id) = parsed.as_ref().ok().and_then(Option::as_ref).map_or((None, None), |entry| (line::place(entry), entry.id));
            while jobs.len() >= SIDE_BY_SIDE || (place.is_some() && jobs.iter().any(|job| job.place == place)) {
                self.finish_first(&mut jobs).await?;
            }
            let cms = self.cms.clone();
            let work = tokio::spawn(async move {
                match parsed? {
                    Some(entry) => invoke(&cms, entry).await.map(Some),
                    None => Ok(None),
                }
            });
            jobs.push_back(Job { line, place, id, work });
        }
        while !jobs.is_empty() {
            self.finish_first(&mut jobs).await?;
        }
        Ok(())
    }

    /// Waits for the foremost line, and notes what came of it.
    async fn finish_first(&mut self, jobs: &mut VecDeque<Job>) -> Result<(), ImportError> {
        let Some(Job { line, id, work, .. }) = jobs.pop_front() else { return Ok(()) };
        match work.await.unwrap_or_else(|error| Err(Error::internal(error))) {
            Err(error) if self.options.dry_run && missing::waits(&error) => self.journal.summary.waiting += 1,
            Err(error) if missing::waits(&error) => {
                self.journal.postponed.push(Postponed { line: line.number, offset: line.begin, apart: false });
            }
            result => self.note(line.number, id, result)?,
        }
        (self.journal.lines, self.journal.offset, self.upto) = (line.number, line.end, line.upto);
        if self.written.elapsed() >= JOURNAL_EVERY {
            self.write()?;
        }
        self.advanced();
        Ok(())
    }

    /// Lines that waited, once more.
    async fn postponed(&mut self, lines: &mut Lines) -> Result<(), ImportError> {
        let mut waiting = Vec::new();
        for postponed in std::mem::take(&mut self.journal.postponed) {
            if !postponed.apart
                && let Some((id, result)) = self.again(lines, postponed).await?
            {
                self.note(postponed.line, id, result.map(Some))?;
                self.advanced();
            } else {
                waiting.push(postponed);
            }
        }
        self.journal.postponed = waiting;
        Ok(())
    }

    /// One line that waited; nothing when it must wait on.
    async fn again(
        &self,
        lines: &mut Lines,
        postponed: Postponed,
    ) -> Result<Option<(Option<EntryId>, Result<Imported, Error>)>, ImportError> {
        let Some(entry) = self.read_again(lines, postponed)? else { return Ok(None) };
        let id = entry.id;
        let result = invoke(self.cms, entry).await;
        Ok(if result.as_ref().is_err_and(missing::waits) { None } else { Some((id, result)) })
    }

    /// Lines that refer to each other in a circle, or to what is nowhere: each entry is made without what is missing, then all
    /// are completed. Until then the journal has them, so that none is left incomplete.
    async fn apart(&mut self, lines: &mut Lines) -> Result<(), ImportError> {
        self.journal.postponed.iter_mut().for_each(|postponed| postponed.apart = true);
        self.write()?;
        let mut incomplete = Vec::new();
        for postponed in self.journal.postponed.clone() {
            let Some(mut entry) = self.read_again(lines, postponed)? else { continue };
            let id = entry.id;
            let mut result = invoke(self.cms, entry.clone()).await;
            if let Some(error) = result.as_ref().err().filter(|error| missing::waits(error)) {
                missing::leave_out(error, &mut entry);
                result = invoke(self.cms, entry).await;
            }
            match result {
                Err(error) if !self.is_own(&error, id) => self.note(postponed.line, id, Err(error))?,
                _ => incomplete.push(postponed),
            }
        }
        for postponed in incomplete {
            let Some(mut entry) = self.read_again(lines, postponed)? else { continue };
            entry.replace = true;
            let id = entry.id;
            match invoke(self.cms, entry).await {
                Err(error) if !stops(&error) => {
                    self.journal.summary.imported += 1;
                    (self.report)(Progress::Refused(Refused::incomplete(postponed.line, &error)));
                }
                result => self.note(postponed.line, id, result.map(|imported| Some(Imported { created: true, ..imported })))?,
            }
        }
        self.journal.postponed.clear();
        self.advanced();
        Ok(())
    }

    fn read_again(&self, lines: &mut Lines, postponed: Postponed) -> Result<Option<ImportEntry>, ImportError> {
        let line = lines.at(postponed.line, postponed.offset).map_err(|error| self.unreadable(error))?;
        // It could be read before: only a file that is changed meanwhile makes a line vanish.
        Ok(line.and_then(|line| self.read(&line).ok().flatten()))
    }

    fn read(&self, line: &RawLine) -> Result<Option<ImportEntry>, Error> {
        line::read(self.cms, line.number, line.bytes.as_deref(), self.options, self.journal.started_at)
    }

    /// Counts what came of a line, and reports it when it was refused.
    fn note(&mut self, line: u64, id: Option<EntryId>, result: Result<Option<Imported>, Error>) -> Result<(), ImportError> {
        let own = result.as_ref().is_err_and(|error| self.is_own(error, id));
        let summary = &mut self.journal.summary;
        match result {
            Ok(None) => {}
            Ok(Some(imported)) if imported.created => summary.imported += 1,
            Ok(Some(_)) => summary.updated += 1,
            Err(_) if own => summary.imported += 1,
            Err(source) if stops(&source) => return Err(ImportError::Stopped { line, source }),
            Err(error) if self.options.on_conflict == OnConflict::Skip && is_conflict(&error) => summary.skipped += 1,
            Err(error) => {
                summary.failed += 1;
                (self.report)(Progress::Refused(Refused::new(line, &error)));
            }
        }
        Ok(())
    }

    /// Whether an entry is there because the import that is resumed made it.
    fn is_own(&self, error: &Error, id: Option<EntryId>) -> bool {
        let there = error.details_json().and_then(|details| details["id"].as_str());
        self.resumed && error.code() == Code::Conflict && there.is_some() && there == id.map(|id| id.to_string()).as_deref()
    }

    fn advanced(&mut self) {
        (self.report)(Progress::Advanced { bytes: self.journal.offset, total: self.total, summary: &self.journal.summary });
    }

    fn write(&mut self) -> Result<(), JournalError> {
        if self.options.dry_run {
            return Ok(());
        }
        self.journal.sha256 = hexadecimal(self.upto.clone());
        self.written = Instant::now();
        self.journal.write(&self.path)
    }

    fn unreadable(&self, source: io::Error) -> ImportError {
        ImportError::File { path: self.file.to_owned(), source }
    }
}

impl Refused {
    pub(crate) fn new(line: u64, error: &Error) -> Self {
        let issues = error.details_json().and_then(|details| details["issues"].as_array()).cloned().unwrap_or_default();
        Self { line, code: error.code().as_str(), message: error.message().to_owned(), issues }
    }

    /// A line whose entry is there, without what it refers to.
    pub(crate) fn incomplete(line: u64, error: &Error) -> Self {
        let refused = Self::new(line, error);
        Self { message: format!("imported without what it refers to: {}", refused.message), ..refused }
    }
}

/// Whether it is the server that failed, not the line.
fn stops(error: &Error) -> bool {
    matches!(error.code().kind(), Kind::Internal | Kind::Unavailable)
}

async fn invoke(cms: &Cms, entry: ImportEntry) -> Result<Imported, Error> {
    cms.invoke(&Actor::System, Door::Local, entry).await
}

/// Whether an entry is in the way, by its id or by its slug.
pub(crate) fn is_conflict(error: &Error) -> bool {
    matches!(error.code(), Code::Conflict | Code::SlugConflict)
}
