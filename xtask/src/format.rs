//! Formatting: every Rust file, wherever its module is declared.

use crate::{
    shell::{command, root, run},
    tidy::rust_files,
};

/// Formats the Rust files of the workspace, or fails where one is not formatted. `cargo fmt` follows modules, and finds none that a macro declares.
pub(crate) fn format(check: bool) -> anyhow::Result<()> {
    let mut rustfmt = command("rustfmt", &["--edition", "2024"]);
    rustfmt.args(check.then_some("--check")).args(rust_files(&root())?);
    run(&mut rustfmt)
}
