//! What a run will do, made from its seed: which faults when, and what each worker draws its choices from.

use std::{
    fmt::{self, Display, Formatter},
    ops::Range,
    time::Duration,
};

use fastrand::Rng;

use super::fault::Fault;

/// How long the site works undisturbed before the first fault, and after the last one.
const CALM: Duration = Duration::from_secs(1);
/// How far apart faults begin, in milliseconds: close enough for the long ones to overlap.
const APART: Range<u64> = 1_500..5_000;
/// How far clocks jump, in seconds: less than anything here waits for, more than any of it, and in both directions.
const JUMPS: [i64; 4] = [-7200, -90, 90, 7200];
/// Who works beside each other, and how many of each: a machine with two cores is busy with them, and still answers in time.
const CREW: [(Role, usize); 9] = [
    (Role::Writer, 8),
    (Role::Contender, 3),
    (Role::Racer, 1),
    (Role::Reader, 5),
    (Role::Modeller, 1),
    (Role::Doorkeeper, 1),
    (Role::Scheduler, 1),
    (Role::Remodeller, 1),
    (Role::Overseer, 1),
];
/// Who works besides them where there are hosts.
const AT_HOSTS: [(Role, usize); 2] = [(Role::Foreman, 1), (Role::Sleeper, 1)];

/// What a worker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Writes the life of one entry after another.
    Writer,
    /// Changes entries that others change as well, each time with the revision that it read.
    Contender,
    /// Sends requests at once of which one may succeed.
    Racer,
    /// Reads at every server, and compares with what is known.
    Reader,
    /// Changes the schema.
    Modeller,
    /// Makes users and tokens, and takes access away again.
    Doorkeeper,
    /// Waits for what was scheduled.
    Scheduler,
    /// Changes the schema where that is a job.
    Remodeller,
    /// Stops jobs, lets them go on, ends them and tries them again.
    Overseer,
    /// Asks hosts for jobs of theirs.
    Foreman,
    /// Saves what a hook of a host takes very long over.
    Sleeper,
}

/// A worker.
#[derive(Debug, Clone)]
pub struct Worker {
    /// What it does.
    pub role: Role,
    /// Tells it apart.
    pub number: u64,
    /// What it draws its choices from.
    pub seed: u64,
}

/// A fault that will be injected.
#[derive(Debug, Clone)]
pub struct Injection {
    /// When, counted from the beginning.
    pub at: Duration,
    /// Which.
    pub fault: Fault,
    /// How long it lasts.
    pub lasts: Duration,
    /// The server that it befalls, if it befalls one.
    pub node: usize,
    /// How many seconds a clock jumps, if one does.
    pub jump: i64,
}

/// Who does what when.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What it was made from.
    pub seed: u64,
    /// How many servers there are.
    pub nodes: usize,
    /// How many of them, the last ones, are hosts with hooks and jobs of their own.
    pub hosts: usize,
    /// How long the site is worked on.
    pub lasts: Duration,
    /// Everybody who works on it.
    pub workers: Vec<Worker>,
    /// What goes wrong meanwhile.
    pub injections: Vec<Injection>,
}

impl Plan {
    /// The plan of a seed: always the same. Of the servers the last ones are hosts, if there are as many.
    pub fn new(seed: u64, nodes: usize, hosts: usize, lasts: Duration, faults: &[Fault]) -> Self {
        let (mut rng, hosts) = (Rng::with_seed(seed), hosts.min(nodes));
        let at_hosts: &[_] = if hosts > 0 { &AT_HOSTS } else { &[] };
        let roles = CREW.iter().chain(at_hosts).flat_map(|(role, count)| std::iter::repeat_n(*role, *count));
        let workers = (0..).zip(roles).map(|(number, role)| Worker { role, number, seed: rng.u64(..) }).collect();
        Self { seed, nodes, hosts, lasts, workers, injections: injections(&mut rng, nodes, lasts, faults) }
    }

    /// Whether a fault is a part of it.
    pub fn has(&self, fault: Fault) -> bool {
        self.injections.iter().any(|injection| injection.fault == fault)
    }
}

/// Every fault once, in some order, and then again in another.
fn injections(rng: &mut Rng, nodes: usize, lasts: Duration, faults: &[Fault]) -> Vec<Injection> {
    let (mut injections, mut deck, mut at) = (Vec::new(), Vec::new(), CALM);
    while at + 2 * CALM < lasts && !faults.is_empty() {
        if deck.is_empty() {
            deck = faults.to_vec();
            rng.shuffle(&mut deck);
        }
        let Some(fault) = deck.pop() else { break };
        // What lasts a minute in a long run is shorter in a short one.
        let drawn = Duration::from_millis(rng.u64(fault.lasts())).min(lasts / 3).min(lasts.saturating_sub(at + CALM));
        injections.push(Injection { at, fault, lasts: drawn, node: rng.usize(..nodes), jump: rng.choice(JUMPS).unwrap_or_default() });
        at += Duration::from_millis(rng.u64(APART));
    }
    injections
}

impl Display for Injection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:8.3} s  {}", self.at.as_secs_f64(), self.fault.name())?;
        if self.fault.befalls_a_server() {
            write!(f, " of server {}", self.node)?;
        }
        if self.fault == Fault::Clock {
            write!(f, " by {:+} s", self.jump)?;
        }
        if self.lasts.is_zero() { Ok(()) } else { write!(f, " for {:.1} s", self.lasts.as_secs_f64()) }
    }
}

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (nodes, hosts) = (self.nodes, self.hosts);
        writeln!(f, "seed {}: {nodes} servers, the last {hosts} of them hosts, for {:.0} s", self.seed, self.lasts.as_secs_f64())?;
        for worker in &self.workers {
            writeln!(f, "worker {:2}: {:?}, who draws from {:016x}", worker.number, worker.role, worker.seed)?;
        }
        self.injections.iter().try_for_each(|injection| writeln!(f, "{injection}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seed: u64) -> Plan {
        Plan::new(seed, 3, 1, Duration::from_mins(1), Fault::ALL)
    }

    #[test]
    fn a_seed_gives_the_same_plan_again() {
        assert_eq!(plan(7).to_string(), plan(7).to_string());
        assert_ne!(plan(7).to_string(), plan(8).to_string());
    }

    #[test]
    fn every_fault_has_its_turn_and_is_over_before_the_end() {
        let plan = plan(7);
        assert!(Fault::ALL.iter().all(|fault| plan.has(*fault)), "{plan}");
        assert!(plan.injections.iter().all(|injection| injection.at + injection.lasts + CALM <= plan.lasts), "{plan}");
    }
}
