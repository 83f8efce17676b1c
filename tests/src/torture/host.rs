//! What a host that is tortured and whoever tortures it agree on: the collection that its hooks are about, what each save asks of them, its job, and what it
//! writes down of all that.

use std::time::Duration;

/// The collection that the hooks are about.
pub const HOOKED: &str = "hooked";
/// The file of notes: a line of JSON for each change that a hook was told of, and for each moment of a job.
pub const NOTES: &str = "notes.txt";
/// With which code a hook refuses.
pub const REFUSED: &str = "TORTURE_REFUSED";
/// After how long a hook is given up that hangs.
pub const GIVEN_UP: Duration = Duration::from_secs(1);
/// How long a hook takes that sleeps: longer than anybody else waits for anything.
pub const SLEEPS: Duration = Duration::from_secs(17);
/// The hooks that are told of publications: one that always listens, and one that fails now and then.
pub const TOLD_OF_PUBLICATIONS: [&str; 2] = ["torture.steady", "torture.fickle"];
/// The hook that is told of the items of jobs.
pub const TOLD_OF_ITEMS: &str = "torture.items";
/// The event that an item of a job is done.
pub const ITEM: &str = "torture:item";
/// The kind of the host's job.
pub const COUNT: &str = "torture.count";
/// How often a step of the job says that it is at work.
pub const TICK: Duration = Duration::from_millis(50);

/// The value that a hook gives to an entry's field `stamp`.
pub const fn stamp(counter: u64) -> u64 {
    counter * 3 + 1
}

/// What a save asks of the hooks, in the entry's field `mood`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Nothing.
    Calm,
    /// To take a while.
    Slow,
    /// To take very long.
    Asleep,
    /// That the hook panics whose failures stop nobody.
    Shrug,
    /// To refuse.
    Refuse,
    /// To fail.
    Fail,
    /// To panic.
    Panic,
    /// Never to answer.
    Hang,
    /// To answer what cannot be.
    Nonsense,
}

impl Mood {
    /// All there are.
    pub const ALL: [Self; 9] =
        [Self::Calm, Self::Slow, Self::Asleep, Self::Shrug, Self::Refuse, Self::Fail, Self::Panic, Self::Hang, Self::Nonsense];

    /// As it stands in the field.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Slow => "slow",
            Self::Asleep => "asleep",
            Self::Shrug => "shrug",
            Self::Refuse => "refuse",
            Self::Fail => "fail",
            Self::Panic => "panic",
            Self::Hang => "hang",
            Self::Nonsense => "nonsense",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mood| mood.name() == name)
    }

    /// The status and code that whoever saves is answered with; none where the save is stored.
    pub const fn refusal(self) -> Option<(u16, &'static str)> {
        match self {
            Self::Calm | Self::Slow | Self::Asleep | Self::Shrug => None,
            Self::Refuse => Some((422, "HOOK_REFUSED")),
            Self::Fail | Self::Panic | Self::Hang | Self::Nonsense => Some((500, "HOOK_FAILED")),
        }
    }
}
