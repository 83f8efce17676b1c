//! A site of a test's own: a database, the command line over it, and servers.

use std::{
    path::{Path, PathBuf},
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

use crate::{Browser, Client, Outsider, Reply, program};

/// A site of a test's own.
pub struct Site {
    folder: TempDir,
    database: String,
    postgres: Option<TestStore>,
    /// Another program than the one that is built here.
    program: Option<PathBuf>,
}

impl Site {
    /// A site on SQLite.
    ///
    /// # Panics
    /// Panics when there is no room for it.
    pub fn sqlite() -> Self {
        let folder = folder();
        let database = format!("sqlite:{}", folder.path().join("data/cms.db").display());
        Self { folder, database, postgres: None, program: None }
    }

    /// A site on the PostgreSQL that `TEST_DATABASE_URL` names; none when it names none.
    ///
    /// # Panics
    /// Panics when the database cannot be used.
    pub async fn postgres() -> Option<Self> {
        match TestStore::postgres().await {
            Ok(store) => Some(Self::over(store?)),
            Err(error) => panic!("no test database: {error:?}"),
        }
    }

    /// A site in a schema of its own in this PostgreSQL database.
    ///
    /// # Panics
    /// Panics when the database cannot be used.
    pub async fn postgres_at(url: &str) -> Self {
        match TestStore::postgres_at(url).await {
            Ok(store) => Self::over(store),
            Err(error) => panic!("the database cannot be used: {error:?}"),
        }
    }

    fn over(store: TestStore) -> Self {
        Self { folder: folder(), database: store.options().url.clone(), postgres: Some(store), program: None }
    }

    /// The same site, served by another program than the one that is built here.
    ///
    /// # Panics
    ///
    /// When there is no such program.
    pub fn with_program(self, program: PathBuf) -> Self {
        // Servers run in folders of their own, where a path that begins here leads nowhere.
        let program = program.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        Self { program: Some(program), ..self }
    }

    /// Address of the database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// Somebody else who reaches the site's database.
    pub fn outsider(&self) -> Outsider {
        Outsider::new(self.database.clone())
    }

    /// Whether the database is PostgreSQL.
    pub fn is_on_postgres(&self) -> bool {
        self.postgres.is_some()
    }

    /// The folder that the site's commands run in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A command of the command line, over this site alone.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.over_database(self.program.as_deref().unwrap_or_else(|| program::binary()));
        command.args(arguments);
        command
    }

    /// A program that runs in the site's folder, and knows nothing but its database.
    fn over_database(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder()).env_clear().env("CMS_DATABASE_URL", &self.database);
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
        self.start("server.log", &[]).await.unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// A server on a free port with settings from its environment, when it listens; otherwise what kept it from it. What it says is
    /// added to a file of the site's folder.
    pub async fn start(&self, log: &str, environment: &[(&str, &str)]) -> Result<Server, String> {
        self.launch(self.command(&["--json", "serve", "--listen", "127.0.0.1:0"]), log, environment).await
    }

    /// A host with hooks and jobs of its own on a free port, beside or in the place of a server.
    pub(crate) async fn start_host(&self, log: &str, environment: &[(&str, &str)]) -> Result<Server, String> {
        self.launch(self.over_database(program::host()), log, environment).await
    }

    async fn launch(&self, command: Command, log: &str, environment: &[(&str, &str)]) -> Result<Server, String> {
        let log = self.folder().join(log);
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&log).map_err(|error| format!("no log: {error}"))?;
        let mut command = tokio::process::Command::from(command);
        command.envs(environment.iter().copied()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(file).kill_on_drop(true);
        let mut process = command.spawn().map_err(|error| format!("the server does not start: {error}"))?;
        let lines = process.stdout.take().map(|stdout| BufReader::new(stdout).lines());
        let greeting = match lines {
            Some(mut lines) => lines.next_line().await.ok().flatten().unwrap_or_default(),
            None => String::new(),
        };
        let greeting: Value = serde_json::from_str(&greeting).unwrap_or_default();
        if let Some(address) = greeting["listening"].as_str() {
            return Ok(Server { process, address: address.to_owned() });
        }
        let log = std::fs::read_to_string(log).unwrap_or_default();
        Err(format!("the server did not say where it listens:\n{log}"))
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

    /// Stops it as it stands, until it goes on.
    pub fn stop(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on that was stopped.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        program::run(Command::new("kill").args([signal, &self.id().to_string()]));
    }

    /// A client with a token.
    pub fn client(&self, token: &str) -> Client {
        Client::at(&self.address, token)
    }

    /// A client of what watches over the server: `/healthz` and `/readyz`.
    pub fn watcher(&self) -> Client {
        Client::new(self.address.clone(), None)
    }

    /// A browser that nobody is signed in with.
    pub fn browser(&self) -> Browser {
        Browser::new(format!("{}/_cms/api", self.address))
    }

    /// Whether it is ready, as who runs it asks: the status, and what it says.
    pub async fn readiness(&self) -> Reply {
        Browser::new(self.address.clone()).ask(Method::GET, "/readyz", None).await
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
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
