//! The tests of each crate by itself, on a machine that has Rust and a C compiler, and nothing else.

#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_file as symlink;
use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, ensure};
use cargo_metadata::MetadataCommand;

use crate::shell::{command, environment, root, run};

/// All that there is on such a machine: the rest of a C compiler finds itself.
const PROGRAMS: [&str; 7] = ["cargo", "rustc", "rustdoc", "cc", "ld", "as", "ar"];

/// Journeys are about clients that others wrote, and tasks have no tests.
const NEED_MORE: [&str; 2] = ["cms-tests", "xtask"];

/// Tests the crates that are named, or all of them, one after the other. Built with the others, a crate has every feature of its dependencies that
/// one of them asks for; built by itself, it has to ask for its own.
pub(crate) fn alone(named: &[String]) -> anyhow::Result<()> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().context("cargo metadata")?;
    let programs = programs()?;
    let members = metadata.workspace_packages().into_iter().map(|package| package.name.as_str());
    let names: Vec<_> = members.filter(|name| !NEED_MORE.contains(name)).collect();
    for name in named {
        ensure!(names.contains(&name.as_str()), "`{name}` is not one of the crates that are tested alone: {}", names.join(", "));
    }
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for name in names.into_iter().filter(|name| named.is_empty() || named.iter().any(|named| named == name)) {
        let began = Instant::now();
        let mut test = command("cargo", &["test", "--package", name, "--locked", "--quiet"]);
        // CI insists on PostgreSQL, which is not here.
        for variable in ["TEST_DATABASE_URL", "CMS_TEST_CLIENTS", "CI"] {
            test.env_remove(variable);
        }
        let tested = run(test.env("PATH", &programs));
        let took = began.elapsed().as_secs();
        lines.push(format!("{name:<16} {} {took:>4} s", if tested.is_ok() { "passes" } else { "FAILS " }));
        failed.extend(tested.err().map(|error| format!("{name}: {error:#}")));
    }
    println!("{}", lines.join("\n"));
    ensure!(failed.is_empty(), "alone:\n  {}", failed.join("\n  "));
    Ok(())
}

/// A folder in which the programs of such a machine are, and no other.
fn programs() -> anyhow::Result<PathBuf> {
    let folder = root().join("target/alone");
    fs::create_dir_all(&folder)?;
    let path = environment("PATH").context("there is no PATH")?;
    for name in PROGRAMS {
        let link = folder.join(name);
        if fs::symlink_metadata(&link).is_ok() {
            fs::remove_file(&link)?;
        }
        let is_another = |program: &PathBuf| program.is_file() && !program.starts_with(&folder);
        let program = env::split_paths(&path).map(|folder| Path::new(&folder).join(name)).find(is_another);
        symlink(program.with_context(|| format!("`{name}` is not installed"))?, &link)?;
    }
    Ok(folder)
}
