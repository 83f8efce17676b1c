//! Tortures a site for as long as one likes: `cargo xtask torture --help`.
#![expect(clippy::print_stdout, reason = "a tool talks to the person who runs it")]

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use cms_tests::{
    Site,
    torture::{Fault, Plan, torture},
};

/// Runs servers on one database, has people write, read, change the schema and stop jobs, lets everything fail that can, and checks that
/// nothing that was acknowledged is lost or doubled, nothing that was withdrawn is served after a second, and nothing is stuck: no request,
/// no job, and no hook that is to be told of something.
#[derive(Parser)]
#[command(name = "cargo xtask torture")]
struct Arguments {
    /// What the plan is made from: the same seed, the same plan. Without it, another one each time.
    #[arg(long)]
    seed: Option<u64>,
    /// How long the site is worked on.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// How many servers there are; 3 on PostgreSQL and 2 on SQLite unless given.
    #[arg(long)]
    nodes: Option<usize>,
    /// How many of them are hosts, with hooks and jobs of their own; all but one unless given. 0 leaves hooks out.
    #[arg(long)]
    hosts: Option<usize>,
    /// A PostgreSQL database, in which the site gets a schema of its own. Without it, the site is on SQLite.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// What goes wrong; everything that can unless given.
    #[arg(long, value_delimiter = ',')]
    faults: Option<Vec<Fault>>,
    /// The server to run, instead of the one that is built here.
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Print the plan, and do nothing.
    #[arg(long)]
    plan: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..));
    let possible = Fault::of(arguments.database.is_some());
    let faults = arguments.faults.unwrap_or_else(|| possible.clone());
    if let Some(fault) = faults.iter().find(|fault| !possible.contains(fault)) {
        println!("`{}` cannot befall this database: leave it out of `--faults`", fault.name());
        return ExitCode::from(2);
    }
    let lasts = match Duration::try_from_secs_f64(arguments.minutes * 60.0) {
        Ok(lasts) => lasts,
        Err(error) => {
            println!("`--minutes {}`: {error}", arguments.minutes);
            return ExitCode::from(2);
        }
    };
    let nodes = arguments.nodes.unwrap_or(if arguments.database.is_some() { 3 } else { 2 }).max(1);
    let plan = Plan::new(seed, nodes, arguments.hosts.unwrap_or(nodes - 1), lasts, &faults);
    println!("{plan}");
    if arguments.plan {
        return ExitCode::SUCCESS;
    }
    let site = match &arguments.database {
        Some(url) => Site::postgres_at(url).await,
        None => Site::sqlite(),
    };
    let site = match arguments.program {
        Some(program) => site.with_program(program),
        None => site,
    };
    let report = torture(site, plan).await;
    println!("{report}");
    if report.kept.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
