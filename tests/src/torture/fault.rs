//! What goes wrong: each fault by name, how it is done, and how it is undone.

use std::{error::Error, ops::RangeInclusive, str::FromStr};

use fastrand::Rng;
use tokio::time::sleep;

use super::{Run, now, plan::Injection};

/// An event that no version of the program knows.
const UNKNOWN_EVENT: &str = r#"{"event":"from_the_future","of":"tomorrow"}"#;
/// Tables that are held against all who write, but not against who reads.
const HELD: [&str; 4] = ["entries", "entry_index", "revisions", "outbox"];

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A server is killed, and started again.
    Kill,
    /// A server is stopped, and goes on.
    Stop,
    /// Rows of entries are held by somebody else's transaction.
    Row,
    /// A table is held by somebody else's transaction.
    Table,
    /// All of SQLite is held by another process that writes.
    Writer,
    /// A transaction stays open in another database of the cluster.
    Elsewhere,
    /// The outbox tells of something that no version knows.
    Event,
    /// Connections to the database are cut.
    Cut,
    /// The clock of a server's machine jumps, and back again.
    Clock,
    /// The disk is full.
    Disk,
}

impl Fault {
    /// All there are.
    pub const ALL: &'static [Self] =
        &[Self::Kill, Self::Stop, Self::Row, Self::Table, Self::Writer, Self::Elsewhere, Self::Event, Self::Cut, Self::Clock, Self::Disk];

    /// Those that can befall a site on PostgreSQL, or one on SQLite.
    pub fn of(postgres: bool) -> Vec<Self> {
        let can_be = |fault: &Self| match fault {
            Self::Row | Self::Table | Self::Elsewhere | Self::Cut => postgres,
            // PostgreSQL's disk is its own affair.
            Self::Writer | Self::Disk => !postgres,
            Self::Kill | Self::Stop | Self::Event | Self::Clock => true,
        };
        Self::ALL.iter().copied().filter(can_be).collect()
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Stop => "stop",
            Self::Row => "row",
            Self::Table => "table",
            Self::Writer => "writer",
            Self::Elsewhere => "elsewhere",
            Self::Event => "event",
            Self::Cut => "cut",
            Self::Clock => "clock",
            Self::Disk => "disk",
        }
    }

    /// How long it lasts, in milliseconds.
    pub(super) const fn lasts(self) -> RangeInclusive<u64> {
        match self {
            Self::Event | Self::Cut => 0..=0,
            Self::Kill => 100..=2_000,
            Self::Table | Self::Writer => 1_000..=2_000,
            Self::Row | Self::Disk => 2_000..=5_000,
            Self::Stop => 2_000..=6_000,
            Self::Clock => 2_000..=10_000,
            Self::Elsewhere => 60_000..=60_000,
        }
    }

    pub(super) const fn befalls_a_server(self) -> bool {
        matches!(self, Self::Kill | Self::Stop | Self::Clock | Self::Disk)
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.iter().map(|fault| fault.name()).collect::<Vec<_>>().join(", ");
        Self::ALL.iter().copied().find(|fault| fault.name() == text).ok_or_else(|| format!("expected one of {}", names()))
    }
}

/// Injects a fault, and undoes it when its time is over.
pub(super) async fn inject(run: &Run, injection: &Injection) {
    run.journal.fault(injection);
    if let Err(error) = befall(run, injection).await {
        run.journal.violation(&format!("the fault `{}` could not be injected or undone: {error}", injection.fault.name()));
    }
    run.journal.line(&format!("over: {injection}"));
}

async fn befall(run: &Run, injection: &Injection) -> Result<(), Box<dyn Error + Send + Sync>> {
    let node = &run.nodes[injection.node];
    let lasts = injection.lasts;
    match injection.fault {
        Fault::Kill => node.while_killed(run, sleep(lasts)).await,
        Fault::Stop => node.while_stopped(sleep(lasts)).await,
        Fault::Clock => node.while_ordered(run, injection.jump, false, sleep(lasts)).await,
        Fault::Disk => node.while_ordered(run, 0, true, sleep(lasts)).await,
        Fault::Row => run.database.hold("SELECT id FROM entries ORDER BY updated_at DESC LIMIT 10 FOR UPDATE", lasts).await,
        Fault::Table => {
            let table = Rng::with_seed(run.plan.seed ^ u64::try_from(injection.at.as_millis())?).choice(HELD).unwrap_or(HELD[0]);
            run.journal.line(&format!("held: {table}"));
            run.database.hold(&format!("LOCK TABLE {table} IN SHARE MODE"), lasts).await
        }
        Fault::Writer => run.database.hold("UPDATE settings SET value = value", lasts).await,
        Fault::Elsewhere => run.database.elsewhere()?.hold("SELECT pg_current_xact_id()", lasts).await,
        Fault::Event => {
            let at = now().milliseconds();
            run.database.execute(&format!("INSERT INTO outbox (at, event) VALUES ({at}, '{UNKNOWN_EVENT}')")).await
        }
        Fault::Cut => {
            let cut = run.database.cut().await?;
            run.journal.line(&format!("cut: {cut}"));
            if cut == 0 && run.nodes.iter().any(super::node::Node::runs) { Err("no server is connected".into()) } else { Ok(()) }
        }
    }
}
