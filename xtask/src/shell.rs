//! Running other programs.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, ensure};

/// What cargo tells a program that it runs, and is not so of the programs that this one runs.
const OF_THE_TASK: [&str; 7] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
];

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Whether this run is CI, where nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    environment("CI").is_some_and(|value| value == "true" || value == "1")
}

/// A variable of the environment.
pub(crate) fn environment(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a task reads its own environment")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A program, to run from the root.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    if program == "cargo" {
        // Cargo says in them which package a task is of. `ring` is built again whenever they change, and all that is made of it: whenever somebody
        // called cargo by hand, and a task did so next.
        for variable in OF_THE_TASK {
            command.env_remove(variable);
        }
    }
    if program == "cargo" && is_ci() {
        // What is built once is not built again: keeping track of what changes would only take time.
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a program and fails when it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let shown = format!("{command:?}");
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start {shown}"))?;
    ensure!(status.success(), "{shown} failed with {status}");
    Ok(())
}

/// What a program prints on standard output; its standard error passes through.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let shown = format!("{command:?}");
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {shown}"))?;
    ensure!(output.status.success(), "{shown} failed with {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether a program runs and says that all is well.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The files that git knows or would be told of.
pub(crate) fn files() -> anyhow::Result<Vec<String>> {
    let listed = output(&mut command("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    let files = listed.split('\0').filter(|file| !file.is_empty() && root().join(file).is_file());
    Ok(files.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect())
}
