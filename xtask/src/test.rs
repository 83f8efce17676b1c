//! Everything that CI runs, in the order in which it is cheap to fail.

use std::{
    collections::HashSet,
    fs,
    num::NonZero,
    panic,
    path::{Path, PathBuf},
    thread::{self, JoinHandle},
    time::Instant,
};

use anyhow::{Context, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::{
    codegen, doors, format,
    shell::{command, environment, files, is_ci, root, run, succeeds},
    tidy, tools, ui,
};

/// Does one step and says how long it took.
fn step(name: &str, step: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("\n== {name}");
    let began = Instant::now();
    step().with_context(|| name.to_owned())?;
    println!("== {name}: done in {:.0} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// What came of something that was done meanwhile.
fn joined(meanwhile: JoinHandle<anyhow::Result<()>>) -> anyhow::Result<()> {
    meanwhile.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
}

/// Steps that were left out, to be named at the end.
#[derive(Default)]
struct Report {
    skipped: Vec<String>,
}

impl Report {
    /// A step that needs something the machine may lack. CI may not skip it.
    fn optional(&mut self, name: &str, ready: anyhow::Result<bool>, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        match ready {
            Ok(true) => step(name, work),
            Ok(false) if !is_ci() => {
                self.skipped.push(format!("{name}: a tool is not installed"));
                Ok(())
            }
            Err(error) if !is_ci() => {
                self.skipped.push(format!("{name}: {error:#}"));
                Ok(())
            }
            Ok(false) => bail!("{name}: a tool is not installed"),
            Err(error) => Err(error.context(name.to_owned())),
        }
    }
}

pub(crate) fn test() -> anyhow::Result<()> {
    let began = Instant::now();
    let mut report = Report::default();
    // Before anything is compiled: the server has it inside.
    let application = ui::ready();
    let has_application = application.is_ok();
    report.optional("admin application", application.map(|()| true), ui::build)?;
    // While lints compile.
    let fetched = is_ci().then(|| thread::spawn(tools::fetch));
    // One crate waits for the other, and leaves a core to it.
    let checked = has_application.then(|| thread::spawn(|| step("admin application: types, lints, texts, tests", ui::check)));
    step("format", || format::format(true))?;
    step("lints", || {
        run(&mut command("cargo", &["clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"]))
    })?;
    // What a host leaves out is left out in all of them, or one does not compile without it.
    step("lints of what a host embeds, with nothing that it may leave out", || {
        let mut lints = command("cargo", &["clippy", "--no-default-features", "--locked", "--quiet"]);
        lints.args(tidy::EMBEDDED.iter().flat_map(|package| ["--package", package])).args(["--", "-D", "warnings"]);
        run(&mut lints)
    })?;
    step("tidy", tidy::tidy)?;
    step("generated files", || codegen::codegen(true))?;
    step("doors", doors::doors)?;
    let program = program()?;
    if let Some(checked) = checked {
        joined(checked)?;
    }
    step("documentation", || {
        run(command("cargo", &["doc", "--workspace", "--no-deps", "--document-private-items", "--locked", "--quiet"])
            .env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    if let Some(fetched) = fetched {
        step("tools", || joined(fetched))?;
    }
    report.optional("licences and sources", tools::cargo_tool(tools::DENY), || {
        run(&mut command("cargo", &["deny", "--log-level", "error", "check", "bans", "licenses", "sources"]))
    })?;
    report.optional("unused dependencies", tools::cargo_tool(tools::MACHETE), || run(&mut command("cargo", &["machete"])))?;

    let postgres = tools::test_postgres();
    if let Err(error) = &postgres
        && !is_ci()
    {
        report.skipped.push(format!("everything on PostgreSQL: {error:#}"));
    }
    let postgres = if is_ci() { Some(postgres?) } else { postgres.ok() };
    let clients = tools::clients();
    let has_clients = clients.is_ok();
    report.optional("clients", clients.map(|()| true), || Ok(()))?;
    if has_application && has_clients {
        step("admin application: tests in a browser", ui::check_in_browser)?;
    }
    let runner = if succeeds(&mut command("cargo", &["nextest", "--version"])) { "nextest" } else { "cargo-test" };
    step("tests", || {
        let arguments: &[&str] = if runner == "nextest" { &["nextest", "run"] } else { &["test"] };
        let mut tests = command("cargo", &[arguments, &["--workspace", "--locked"]].concat());
        let compared = Compared::begin()?;
        tests.env(Compared::NOTED_IN, &compared.notes).env("INSTA_UPDATE", "no");
        if let Some(url) = &postgres {
            tests.env("TEST_DATABASE_URL", url);
        }
        if has_clients {
            tests.env("CMS_TEST_CLIENTS", "1");
        }
        if runner == "nextest" {
            // Half of what a test takes it waits for a database, a browser or a clock.
            let cores = thread::available_parallelism().map_or(1, NonZero::get);
            tests.env("NEXTEST_TEST_THREADS", (2 * cores).to_string());
        } else {
            // Nothing may run beside some of them, which only nextest knows.
            tests.env("RUST_TEST_THREADS", "1");
        }
        if environment("CMS_TEST_PROGRAM").is_none() {
            tests.env("CMS_TEST_PROGRAM", &program);
        }
        run(&mut tests)?;
        compared.with_all()
    })?;

    // What documentation shows, and what it says does not compile: nextest leaves both out.
    if runner == "nextest" {
        step("examples in the documentation", || run(&mut command("cargo", &["test", "--workspace", "--doc", "--locked", "--quiet"])))?;
    }

    println!("\nall of it passed in {:.0} s", began.elapsed().as_secs_f64());
    for skipped in &report.skipped {
        println!("skipped: {skipped}");
    }
    Ok(())
}

/// The snapshots that tests compared something with.
struct Compared {
    notes: PathBuf,
}

impl Compared {
    /// Names the file in which insta notes each snapshot.
    const NOTED_IN: &str = "INSTA_SNAPSHOT_REFERENCES_FILE";

    fn begin() -> anyhow::Result<Self> {
        let notes = root().join("target/compared-snapshots");
        fs::create_dir_all(root().join("target"))?;
        fs::write(&notes, "").with_context(|| format!("cannot write {}", notes.display()))?;
        Ok(Self { notes })
    }

    /// A snapshot that nothing is compared with is left over from a test that is gone.
    fn with_all(&self) -> anyhow::Result<()> {
        let noted = fs::read_to_string(&self.notes)?;
        let noted = noted.lines().map(fs::canonicalize).collect::<Result<HashSet<_>, _>>()?;
        let mut left = Vec::new();
        for file in files()?.into_iter().filter(|file| Path::new(file).extension().is_some_and(|kind| kind == "snap")) {
            if !noted.contains(&fs::canonicalize(root().join(&file))?) {
                left.push(file);
            }
        }
        ensure!(left.is_empty(), "no test compares anything with {}", left.join(", "));
        Ok(())
    }
}

/// The server as it was just built, for the journeys: each would ask cargo whether it is the newest, and the tests of the server put another build,
/// with what tests need in it, where cargo puts this one.
fn program() -> anyhow::Result<PathBuf> {
    let built = doors::program()?;
    let folder = built.parent().context("a program is in a folder")?.join("journeys");
    fs::create_dir_all(&folder)?;
    let program = folder.join("cms");
    fs::copy(&built, &program).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(program)
}

/// Accepts the snapshots of the present behaviour.
pub(crate) fn bless_snapshots() -> anyhow::Result<()> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().context("cargo metadata")?;
    let mut tests = command("cargo", &["test", "--quiet"]);
    // All other tests have no snapshots, and take longer than anybody waits.
    for package in metadata.packages.iter().filter(|package| package.dependencies.iter().any(|used| used.name == "insta")) {
        tests.args(["--package", package.name.as_str()]);
    }
    tests.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1");
    if let Ok(url) = tools::test_postgres() {
        tests.env("TEST_DATABASE_URL", url);
    }
    run(&mut tests)
}
