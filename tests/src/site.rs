//! A site of a test's own: a database, the command line over it, and servers.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use cms_testkit::TestStore;
use http::Method;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Child,
};

use crate::{Browser, Client, Reply, program};

/// A site of a test's own.
pub struct Site {
    folder: TempDir,
    database: String,
    postgres: Option<TestStore>,
}

impl Site {
    /// A site on SQLite.
    ///
    /// # Panics
    /// Panics when there is no room for it.
    pub fn sqlite() -> Self {
        Self { folder: folder(), database: "sqlite:data/cms.db".to_owned(), postgres: None }
    }

    /// A site on the PostgreSQL that `TEST_DATABASE_URL` names; none when it names none.
    ///
    /// # Panics
    /// Panics when the database cannot be used.
    pub async fn postgres() -> Option<Self> {
        let store = match TestStore::postgres().await {
            Ok(store) => store?,
            Err(error) => panic!("no test database: {error:?}"),
        };
        Some(Self { folder: folder(), database: store.options().url.clone(), postgres: Some(store) })
    }

    /// The folder that the site's commands run in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The address of its database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// A command of the command line, over this site alone.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program::binary());
        command.args(arguments).current_dir(self.folder()).env_clear().env("CMS_DATABASE_URL", &self.database);
        command
    }

    /// Does a command that must succeed, and answers with what it printed.
    pub fn run(&self, arguments: &[&str]) -> String {
        program::run(&mut self.command(arguments)).trim_end().to_owned()
    }

    /// An administrator's token.
    pub fn token(&self) -> String {
        self.run(&["admin", "create", "--email", "admin@example.com", "--name", "Admin"]);
        self.run(&["token", "create", "--user", "admin@example.com", "--name", "test", "--scope", "admin"])
    }

    /// A server on a free port, when it listens.
    ///
    /// # Panics
    /// Panics when it does not start.
    pub async fn serve(&self) -> Server {
        let log = match std::fs::OpenOptions::new().create(true).append(true).open(self.folder().join("server.log")) {
            Ok(log) => log,
            Err(error) => panic!("no log: {error}"),
        };
        let mut command = tokio::process::Command::from(self.command(&["--json", "serve", "--listen", "127.0.0.1:0"]));
        let mut process = match command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).kill_on_drop(true).spawn() {
            Ok(process) => process,
            Err(error) => panic!("the server does not start: {error}"),
        };
        let Some(stdout) = process.stdout.take() else { panic!("the server has no output") };
        let greeting = BufReader::new(stdout).lines().next_line().await.ok().flatten().unwrap_or_default();
        let greeting: Value = serde_json::from_str(&greeting).unwrap_or_default();
        let Some(address) = greeting["listening"].as_str() else {
            let log = std::fs::read_to_string(self.folder().join("server.log")).unwrap_or_default();
            panic!("the server did not say where it listens:\n{log}");
        };
        Server { process, address: address.to_owned() }
    }

    /// Fails when `cms doctor` finds anything wrong.
    pub fn must_be_sound(&self) {
        let report = self.run(&["--json", "doctor"]);
        let report: Value = serde_json::from_str(&report).unwrap_or_default();
        let checks = report["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
        let failed: Vec<_> = checks.iter().filter(|check| check["status"] == "fail").collect();
        assert!(!checks.is_empty() && failed.is_empty(), "{failed:#?}");
    }

    /// Removes the site's rows.
    ///
    /// # Panics
    /// Panics when they cannot be removed.
    pub async fn remove(self) {
        if let Some(store) = self.postgres
            && let Err(error) = store.remove().await
        {
            panic!("the test's rows could not be removed: {error:?}");
        }
    }
}

fn folder() -> TempDir {
    match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("no room for a site: {error}"),
    }
}

/// A server that runs. Dropped, it is killed.
pub struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Where it listens, as `http://127.0.0.1:12345`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The number of its process.
    ///
    /// # Panics
    /// Panics when it has ended.
    pub fn id(&self) -> u32 {
        let Some(id) = self.process.id() else { panic!("the server has ended") };
        id
    }

    /// A client with a token.
    pub fn client(&self, token: &str) -> Client {
        Client::new(format!("{}/_cms/api", self.address), token)
    }

    /// A browser that nobody is signed in with.
    pub fn browser(&self) -> Browser {
        Browser::new(format!("{}/_cms/api", self.address))
    }

    /// Whether it is ready, as who runs it asks: the status, and what it says.
    pub async fn readiness(&self) -> Reply {
        Browser::new(self.address.clone()).ask(Method::GET, "/readyz", None).await
    }

    /// Kills it as `kill -9` does.
    ///
    /// # Panics
    /// Panics when it is not there to be killed.
    pub async fn kill(mut self) {
        if let Err(error) = self.process.kill().await {
            panic!("the server was not killed: {error}");
        }
    }
}
