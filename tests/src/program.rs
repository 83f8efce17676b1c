//! Programs that tests run: the server's binary, and clients that others wrote.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The program that is tested: the one that `CMS_TEST_PROGRAM` names, such as a release, or the built binary. The first test builds that, so
/// that no test runs an old one.
pub(crate) fn binary() -> &'static Path {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
        if let Some(program) = variable("CMS_TEST_PROGRAM") {
            return PathBuf::from(program);
        }
        built(&["--package", "cms-server", "--bin", "cms"]).join("cms")
    });
    &BINARY
}

/// The host that is tortured. The first test builds it.
pub(crate) fn host() -> &'static Path {
    static HOST: LazyLock<PathBuf> = LazyLock::new(|| built(&["--package", "cms-tests", "--example", "host"]).join("examples/host"));
    &HOST
}

/// Builds a program as the test is built, and answers with the folder of the binaries.
fn built(program: &[&str]) -> PathBuf {
    // Tests are built into `deps`, and examples into `examples`, below the folder of the binaries.
    let folder = std::env::current_exe().ok().and_then(|test| Some(test.parent()?.parent()?.to_owned()));
    let Some(folder) = folder else { panic!("the test does not know where it is") };
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet"]).args(program).current_dir(repository());
    if folder.ends_with("release") {
        build.arg("--release");
    }
    run(&mut build);
    folder
}

/// Runs a program to its end, and answers with what it printed.
///
/// # Panics
/// Panics when it fails, with everything that it said.
pub fn run(command: &mut Command) -> String {
    let output = finish(command);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{printed}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    printed
}

fn finish(command: &mut Command) -> Output {
    match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{command:?} cannot be run: {error}"),
    }
}

/// Whether the clients that others wrote are installed: `cargo xtask test` installs them.
///
/// # Panics
/// Panics when `CI` is `true` and they are not: what was skipped must not pass for what ran.
pub fn clients() -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "false");
    let installed = is_set("CMS_TEST_CLIENTS");
    assert!(installed || !is_set("CI"), "the clients must be installed when CI is true: run `cargo xtask test`");
    if !installed {
        eprintln!("left out: the clients are not installed; `cargo xtask test` installs them");
    }
    installed
}

/// A program of the Python environment of the tests.
pub fn python(name: &str) -> PathBuf {
    repository().join("target/python/bin").join(name)
}

/// A variable of the environment.
#[expect(clippy::disallowed_methods, reason = "test runners configure tests by their environment")]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
