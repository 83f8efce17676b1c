//! The server `cms`: configuration, wiring, listener and command line.

mod archive;
mod backup;
mod cli;
mod config;
mod doctor;
mod keyring;
mod listen;
mod logging;
mod metrics;
mod output;
mod private;
mod remote;
mod spelling;
#[cfg(test)]
mod testing;
mod wire;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
