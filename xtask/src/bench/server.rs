//! The servers that are measured, started and stopped.

use std::{
    io::Read,
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};

use super::load;
use crate::shell::{output, root};

/// A running server; stopped when dropped.
pub(super) struct Server {
    child: Child,
    /// Where it listens.
    pub(super) address: String,
    /// From start to the first answer.
    pub(super) first_answer: Duration,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts a program and waits until `path` is answered. What it warns about is shown: a misspelt setting would measure something else.
    fn start(command: &mut Command, address: String, path: &str) -> anyhow::Result<Self> {
        let began = Instant::now();
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let mut server = Self { child, address, first_answer: Duration::ZERO };
        let request = load::get(path, None);
        while began.elapsed() < Duration::from_secs(20) {
            let request = request.clone();
            if load::load(&server.address, 1, Duration::from_secs(1), move |n| (n == 0).then(|| request.clone())).is_ok() {
                server.first_answer = began.elapsed();
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        anyhow::bail!("{command:?} did not answer")
    }

    /// Bare axum that answers `bytes` bytes.
    pub(super) fn ceiling(bytes: usize) -> anyhow::Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(root().join("target/release/xtask"));
        command.args(["ceiling", &address, &bytes.to_string()]);
        Self::start(&mut command, address, "/")
    }

    /// A build of our server over a database, with settings from the environment.
    pub(super) fn cms(program: &Path, folder: &Path, database: &str, settings: &[(&str, &str)]) -> anyhow::Result<Self> {
        let address = free_address()?;
        let mut command = cms(program, folder, database);
        command.args(["serve", "--listen", &address]).envs(settings.iter().copied());
        Self::start(&mut command, address, "/healthz")
    }

    /// Resident memory in MiB.
    pub(super) fn memory(&self) -> anyhow::Result<f64> {
        let mut text = String::new();
        std::fs::File::open(format!("/proc/{}/status", self.child.id()))?.read_to_string(&mut text)?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").trim().parse()?;
        Ok(kib / 1024.0)
    }
}

/// The command line of a build of our server over a database.
pub(super) fn cms(program: &Path, folder: &Path, database: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("CMS_DATABASE_URL", database).env("CMS_LOG_LEVEL", "warn");
    command
}

/// A migrated database with an admin; the admin's token.
pub(super) fn prepare(program: &Path, folder: &Path, database: &str) -> anyhow::Result<String> {
    output(cms(program, folder, database).args(["migrate", "up"]))?;
    output(cms(program, folder, database).args(["admin", "create", "--email", "admin@example.com"]))?;
    let token = output(cms(program, folder, database).args([
        "token",
        "create",
        "--user",
        "admin@example.com",
        "--name",
        "bench",
        "--scope",
        "admin",
    ]))?;
    let token = token.trim().to_owned();
    ensure!(!token.is_empty(), "no token");
    Ok(token)
}

fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
