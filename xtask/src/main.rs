//! The project's own tasks. `cargo xtask help` lists them.
#![expect(clippy::print_stdout, reason = "a task talks to the person who runs it")]

mod alone;
mod bench;
mod chaos;
mod codegen;
mod doors;
mod format;
mod mutants;
mod package;
mod pictures;
mod serve;
mod shell;
mod test;
mod tidy;
mod tools;
mod torture;
mod toy;
mod ui;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own tasks")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the server and run it on SQLite in ./data.
    Serve {
        /// Address to listen on.
        #[arg(long, default_value = "127.0.0.1:8080")]
        listen: String,
    },
    /// Run everything that CI runs. With CI=true nothing may be skipped.
    Test,
    /// Measure speed as ratios against a bare axum server in the same run.
    Bench(bench::Args),
    /// Write openapi.json, tools.json, the error list and the configuration schema from the code.
    Codegen {
        /// Change nothing; fail when a file is stale.
        #[arg(long)]
        check: bool,
    },
    /// List the operations that are compiled into a door, where they are to be data. There are none.
    Doors,
    /// Format every Rust file, those included that `cargo fmt` does not find because a macro declares them.
    Format {
        /// Change nothing; fail when a file is not formatted.
        #[arg(long)]
        check: bool,
    },
    /// Check what the compiler cannot: which crate may use which, headers, names.
    Tidy,
    /// Test each crate by itself, with Rust and a C compiler alone: no PostgreSQL, Node, Python or browser.
    Alone {
        /// The crates; all of them when none is named.
        names: Vec<String>,
    },
    /// Pack every crate as if it were published now, and publish none.
    Package {
        /// Compile each as its package has it, which builds all dependencies once more.
        #[arg(long)]
        verify: bool,
    },
    /// Change what decides, one place at a time, and name each change that no test of its crate notices.
    Mutants {
        /// The crate: cms-domain or cms-auth.
        name: String,
        /// Files of it, as paths from the root; all that decide when none is named.
        files: Vec<String>,
    },
    /// Run servers and hosts on one database, let everything fail that can, and check that nothing is lost, doubled, served too long or stuck.
    #[command(disable_help_flag = true)]
    Torture {
        /// `--help` lists them.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Have two people write in one entry, each in a browser, let everything fail that can, and check that no word is lost or doubled.
    #[command(disable_help_flag = true)]
    Chaos {
        /// `--minutes` and `--seed`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Look whether every screen still looks as in the pictures that are kept of it.
    Pictures {
        /// Keep the screens as they look now: the diff is the review.
        #[arg(long)]
        bless: bool,
    },
    /// Add a toy resource to a copy of the tree as CONTRIBUTING says, build and test it, and take it away again.
    Toy,
    /// Accept the present behaviour: generated files and snapshots. The diff is the review.
    Bless,
    /// A bare axum server that answers bytes: the ceiling that `bench` measures against.
    #[command(hide = true)]
    Ceiling {
        /// Address to listen on.
        listen: String,
        /// Bytes of each answer.
        bytes: usize,
    },
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Serve { listen } => serve::serve(&listen),
        Task::Test => test::test(),
        Task::Bench(args) => bench::bench(&args),
        Task::Codegen { check } => codegen::codegen(check),
        Task::Doors => doors::doors(),
        Task::Format { check } => format::format(check),
        Task::Tidy => tidy::tidy(),
        Task::Alone { names } => alone::alone(&names),
        Task::Package { verify } => package::package(verify),
        Task::Mutants { name, files } => mutants::mutants(&name, files),
        Task::Torture { arguments } => torture::torture(arguments),
        Task::Chaos { arguments } => chaos::chaos(arguments),
        Task::Pictures { bless } => pictures::pictures(bless),
        Task::Toy => toy::toy(),
        Task::Bless => {
            codegen::codegen(false)?;
            test::bless_snapshots()
        }
        Task::Ceiling { listen, bytes } => bench::ceiling(&listen, bytes),
    }
}
