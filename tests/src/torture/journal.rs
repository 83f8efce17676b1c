//! The history of a run, line by line in a file, and what it adds up to.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use super::{lock, plan::Injection};

/// How many violations are told one by one: whoever has more mends the first ones and runs again.
const TOLD: usize = 20;

/// Writes down what happens.
pub(super) struct Journal {
    pub(super) began: Instant,
    file: Mutex<BufWriter<File>>,
    tally: Mutex<Tally>,
}

/// What happened so far.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Requests, by what they ask for.
    pub requests: BTreeMap<&'static str, Requests>,
    /// Faults that were injected.
    pub faults: BTreeMap<&'static str, u64>,
    /// Reads whose answer was known beforehand, and was compared with what came.
    pub judged: u64,
    /// How often something happened that must not.
    pub violations: u64,
    /// What that was, the first times.
    pub told: Vec<String>,
}

impl Tally {
    fn tell(&mut self, text: String) {
        self.violations += 1;
        if self.told.len() < TOLD {
            self.told.push(text);
        }
    }
}

/// Requests of one sort.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    /// How many were answered how.
    pub answers: BTreeMap<String, u64>,
    /// How long the longest took, at servers that ran all the while.
    pub slowest: Duration,
}

impl Journal {
    /// A journal in a new file.
    pub(super) fn new(path: &Path) -> std::io::Result<Self> {
        Ok(Self { began: Instant::now(), file: Mutex::new(BufWriter::new(File::create(path)?)), tally: Mutex::default() })
    }

    /// Adds a line, under the time of now.
    pub(super) fn line(&self, text: &str) {
        let written = writeln!(lock(&self.file), "{:10.3} {text}", self.began.elapsed().as_secs_f64());
        if let Err(error) = written {
            lock(&self.tally).tell(format!("the history cannot be written: {error}"));
        }
    }

    /// Adds what must not happen, and did.
    pub(super) fn violation(&self, text: &str) {
        self.line(&format!("VIOLATION {text}"));
        lock(&self.tally).tell(format!("{:.3} s: {text}", self.began.elapsed().as_secs_f64()));
    }

    pub(super) fn fault(&self, injection: &Injection) {
        self.line(&format!("fault: {injection}"));
        *lock(&self.tally).faults.entry(injection.fault.name()).or_default() += 1;
    }

    /// Counts an answer. Only at a server that ran all the while does it matter how long it took.
    pub(super) fn answered(&self, what: &'static str, answer: String, took: Option<Duration>) {
        let mut tally = lock(&self.tally);
        let requests = tally.requests.entry(what).or_default();
        *requests.answers.entry(answer).or_default() += 1;
        requests.slowest = requests.slowest.max(took.unwrap_or_default());
    }

    pub(super) fn judged(&self) {
        lock(&self.tally).judged += 1;
    }

    pub(super) fn tally(&self) -> Tally {
        lock(&self.tally).clone()
    }

    /// Sees to it that every line is in the file.
    pub(super) fn flush(&self) -> std::io::Result<()> {
        lock(&self.file).flush()
    }
}

impl Tally {
    fn total(&self) -> u64 {
        self.requests.values().flat_map(|requests| requests.answers.values()).sum()
    }

    /// All of it in a line.
    pub(super) fn in_short(&self) -> String {
        let faults: u64 = self.faults.values().sum();
        format!("{} requests, {} answers judged, {faults} faults, {} violations", self.total(), self.judged, self.violations)
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// The seed that repeats it.
    pub seed: u64,
    /// What happened.
    pub tally: Tally,
    /// Where its history is, and what the servers said; kept when something must not have happened.
    pub kept: Option<PathBuf>,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {}", self.seed, self.tally.in_short())?;
        for (what, requests) in &self.tally.requests {
            let answers: Vec<_> = requests.answers.iter().map(|(answer, count)| format!("{answer} × {count}")).collect();
            writeln!(f, "  {what}: {}; the slowest {} ms", answers.join(", "), requests.slowest.as_millis())?;
        }
        let faults: Vec<_> = self.tally.faults.iter().map(|(fault, count)| format!("{fault} × {count}")).collect();
        writeln!(f, "  faults: {}", faults.join(", "))?;
        for violation in &self.tally.told {
            writeln!(f, "  VIOLATION {violation}")?;
        }
        let told = u64::try_from(self.tally.told.len()).unwrap_or(u64::MAX);
        if self.tally.violations > told {
            writeln!(f, "  and {} more", self.tally.violations - told)?;
        }
        match &self.kept {
            Some(folder) => write!(f, "the history, and what the servers said: {}", folder.display()),
            None => write!(f, "every promise was kept"),
        }
    }
}
