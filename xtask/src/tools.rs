//! What the tests need and a fresh machine may lack: installed when possible, otherwise named.

use std::{fs, net::TcpStream, path::Path, process::Command, time::Duration};

use anyhow::{Context, bail};

use crate::shell::{command, environment, is_ci, output, root, run, succeeds};

pub(crate) const DENY: &str = "cargo-deny";
pub(crate) const MACHETE: &str = "cargo-machete";
pub(crate) const MUTANTS: &str = "cargo-mutants";

/// Versions of the cargo tools that are installed when they are missing.
const CARGO_TOOLS: &[(&str, &str)] = &[(DENY, "^0.20"), (MACHETE, "^0.9"), (MUTANTS, "^27.1")];

/// Everything that the steps of CI need besides what compiles the application: most of its time goes by waiting for the network.
pub(crate) fn fetch() -> anyhow::Result<()> {
    for tool in [DENY, MACHETE] {
        cargo_tool(tool)?;
    }
    clients()
}

/// What the journeys ask a server with.
pub(crate) fn clients() -> anyhow::Result<()> {
    node()?;
    python()?;
    browser()?;
    surroundings()
}

/// A cargo subcommand, installed in CI when it is missing. Outside CI a missing one is skipped.
pub(crate) fn cargo_tool(name: &str) -> anyhow::Result<bool> {
    if !is_ci() {
        return is_installed(name);
    }
    needed_cargo_tool(name)?;
    Ok(true)
}

/// A cargo subcommand that a task is nothing without: installed wherever it is missing.
pub(crate) fn needed_cargo_tool(name: &str) -> anyhow::Result<()> {
    if is_installed(name)? {
        return Ok(());
    }
    let version = CARGO_TOOLS.iter().find(|(listed, _)| *listed == name).map_or("*", |(_, version)| version);
    // Built to be used once or twice: making it fast takes longer than it runs.
    let mut install = command("cargo", &["install", "--debug", "--locked", "--quiet", "--version", version, name]);
    run(install.env("CARGO_PROFILE_DEV_DEBUG", "none"))
}

fn is_installed(name: &str) -> anyhow::Result<bool> {
    // Not every one of them answers to `--version`.
    let installed = output(&mut command("cargo", &["--list"]))?;
    let short = name.trim_start_matches("cargo-");
    Ok(installed.lines().any(|line| line.split_whitespace().next() == Some(short)))
}

fn is_debian_root() -> bool {
    Path::new("/etc/debian_version").exists() && output(&mut command("id", &["-u"])).is_ok_and(|id| id.trim() == "0")
}

/// Installs Debian packages when this is Debian and we may.
fn install(packages: &[&str]) -> anyhow::Result<()> {
    if !is_debian_root() {
        bail!("install {} first", packages.join(" "));
    }
    run(&mut command("apt-get", &["update", "-qq"]))?;
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(packages);
    run(command("apt-get", &arguments).env("DEBIAN_FRONTEND", "noninteractive"))
}

/// A program on the path, installed from its Debian package when it is missing.
pub(crate) fn program(name: &str, packages: &[&str]) -> anyhow::Result<()> {
    // Not every one of them answers to `--version`. Debian keeps some where only root looks.
    if succeeds(&mut command("sh", &["-c", "PATH=$PATH:/usr/sbin command -v \"$0\"", name])) {
        return Ok(());
    }
    install(packages)
}

/// What `docs/operations.md` puts around a server.
fn surroundings() -> anyhow::Result<()> {
    program("caddy", &["caddy"])?;
    program("pgbouncer", &["pgbouncer"])?;
    program("curl", &["curl"])?;
    program("systemd-analyze", &["systemd"])
}

/// Where a developer's PostgreSQL usually is.
const HERE: &str = "postgres://postgres@127.0.0.1:5432/test";

/// Address of a PostgreSQL to be measured: the one that is named, the one that runs here, or one of our own.
pub(crate) fn postgres() -> anyhow::Result<String> {
    named_postgres().or_else(running_postgres).map_or_else(own_postgres, Ok)
}

/// Address of a PostgreSQL for the tests: the one that is named, one of our own, or the one that runs here. Ours has room for more of them at once, and
/// does not wait for the disk: the tests make a schema each, and nothing has to outlive a power cut.
pub(crate) fn test_postgres() -> anyhow::Result<String> {
    named_postgres().map_or_else(|| own_postgres().or_else(|error| running_postgres().ok_or(error)), Ok)
}

fn named_postgres() -> Option<String> {
    environment("TEST_DATABASE_URL")
}

fn running_postgres() -> Option<String> {
    (accepts(5432) && succeeds(&mut command("psql", &[HERE, "-c", "select 1"]))).then(|| HERE.to_owned())
}

fn accepts(port: u16) -> bool {
    TcpStream::connect_timeout(&([127, 0, 0, 1], port).into(), Duration::from_millis(500)).is_ok()
}

/// A cluster in the target folder, on a port of its own, for tests alone.
fn own_postgres() -> anyhow::Result<String> {
    const PORT: u16 = 54329;
    let url = format!("postgres://postgres@127.0.0.1:{PORT}/postgres");
    if accepts(PORT) {
        return Ok(url);
    }
    let binaries = || {
        let mut versions: Vec<_> =
            fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect();
        versions.sort();
        versions.pop()
    };
    if binaries().is_none() {
        install(&["postgresql"])?;
    }
    let binaries = binaries().context("PostgreSQL's programs are not where Debian puts them")?;
    let folder = std::env::temp_dir().join("cms-test-postgres");
    let fresh = !folder.join("PG_VERSION").exists();
    // PostgreSQL does not run as root.
    let as_postgres = |line: String| -> Command {
        if is_debian_root() { command("runuser", &["-u", "postgres", "--", "sh", "-c", &line]) } else { command("sh", &["-c", &line]) }
    };
    let (binaries, folder) = (binaries.display(), folder.display());
    if fresh {
        run(&mut as_postgres(format!("cd / && {binaries}/initdb -A trust -U postgres -E UTF8 --locale=C.UTF-8 -D {folder} >/dev/null")))?;
    }
    run(&mut as_postgres(format!(
        "cd / && {binaries}/pg_ctl -w -D {folder} -l {folder}/log -o '-p {PORT} -k /tmp -c max_connections=300 -c fsync=off -c synchronous_commit=off -c full_page_writes=off' start >/dev/null"
    )))?;
    Ok(url)
}

/// The packages of the Node clients.
fn node() -> anyhow::Result<()> {
    packages("tests/node")
}

/// The browser and the packages of the journeys through it.
pub(crate) fn browser() -> anyhow::Result<()> {
    // Without windows around its pages a browser takes half the time of a processor, and tests look at pages alone.
    const SHELL: &str = "chromium-headless-shell";
    if program(SHELL, &[SHELL, "fonts-liberation"]).is_err() {
        program("chromium", &["chromium", "fonts-liberation"])?;
    }
    packages("tests/browser")
}

/// The packages that a folder's lock file names.
pub(crate) fn packages(folder: &str) -> anyhow::Result<()> {
    program("node", &["nodejs", "npm"])?;
    let folder = root().join(folder);
    let lock = fs::read(folder.join("package-lock.json")).with_context(|| format!("{}/package-lock.json", folder.display()))?;
    let installed = folder.join("node_modules/.installed-from");
    if fs::read(&installed).ok().as_deref() == Some(lock.as_slice()) {
        return Ok(());
    }
    run(command("npm", &["ci", "--no-audit", "--no-fund", "--silent"]).current_dir(&folder))?;
    Ok(fs::write(installed, lock)?)
}

/// A Python environment with the contract tester.
fn python() -> anyhow::Result<()> {
    let folder = root().join("target/python");
    let requirements = root().join("tests/python/requirements.txt");
    let wanted = fs::read(&requirements).context("tests/python/requirements.txt")?;
    let installed = folder.join("installed-from");
    if fs::read(&installed).ok().as_deref() == Some(wanted.as_slice()) {
        return Ok(());
    }
    let folder_text = folder.display().to_string();
    if !succeeds(&mut command("python3", &["-m", "venv", "--clear", &folder_text])) {
        install(&["python3", "python3-venv"])?;
        run(&mut command("python3", &["-m", "venv", "--clear", &folder_text]))?;
    }
    run(&mut command(
        &folder.join("bin/pip").display().to_string(),
        &["install", "--quiet", "--disable-pip-version-check", "-r", &requirements.display().to_string()],
    ))?;
    Ok(fs::write(installed, wanted)?)
}
