//! The command line: what can be said, and what comes of it.
//!
//! Results go to the standard output, everything else to the standard error output. The exit code is 0 when the command did
//! what it was asked to, 1 when it failed, 2 when the command line or the configuration is wrong.

mod admin;
mod audit;
mod backup;
mod call;
mod config;
mod content;
mod doctor;
mod documents;
mod edit;
mod import;
mod jobs;
mod login;
mod migrate;
mod place;
mod policies;
mod schema;
mod serve;
mod token;
mod user;

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::{
    config::{Config, ConfigError, Flag, Layers, Resolved},
    logging,
    output::{self, Output},
    remote::Told,
};

const EXIT_CODES: &str = "Results go to the standard output, everything else to the standard error output.\n\
    Exit codes: 0 done, 1 failed, 2 wrong command line or configuration.";

/// Headless content management over REST and MCP, on SQLite or PostgreSQL.
#[derive(Debug, Parser)]
#[command(name = "cms", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Common {
    /// Configuration file; `cms.toml` is read when it is there.
    #[arg(long, global = true, env = "CMS_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// A setting, as in `--set server.listen=127.0.0.1:9000`. `cms config` lists them.
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The database: the same as `--set database.url=…`.
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Answer in JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve REST and MCP, and do what is due.
    Serve(serve::Serve),
    /// Show or bring up to date the tables.
    #[command(subcommand)]
    Migrate(migrate::Migrate),
    /// Let people in.
    #[command(subcommand)]
    Admin(admin::Admin),
    /// See who is there, invite people, and change what they may do.
    User(user::Users),
    /// Sign in to another server, in a browser.
    Login(login::Login),
    /// Print who you are at another server.
    Whoami(login::Server),
    /// Sign out of another server.
    Logout(login::Server),
    /// Let programs in.
    #[command(subcommand)]
    Token(token::Token),
    /// List, show, write and publish entries.
    Content(content::Entries),
    /// Bring content in.
    #[command(subcommand)]
    Import(import::Import),
    /// Take content out.
    #[command(subcommand)]
    Export(import::Export),
    /// Print the OpenAPI document of the REST API.
    Openapi {
        /// With the routes of the admin application, which are no contract.
        #[arg(long)]
        internal: bool,
    },
    /// Print the tools of the MCP endpoint, as an admin sees them.
    Tools,
    /// Print every error code with its status and meaning, as Markdown.
    Errors,
    /// Print types of the site's content.
    #[command(subcommand)]
    Types(documents::Types),
    /// Keep the collections in a file, compare them, and bring them to a site.
    Schema(schema::Schemas),
    /// Write everything into one archive, while the server runs or not.
    Backup(backup::Backup),
    /// Bring an archive back into an empty database of either kind.
    Restore(backup::Restore),
    /// Take the audit log out, or look whether anybody changed it.
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Print what the site asks of ways in, tokens and grants, and whom that locks out.
    Policies,
    /// See what goes on beside requests, stop it and let it go on.
    Jobs(jobs::Jobs),
    /// Look for damage.
    Doctor(doctor::Doctor),
    /// Print the settings in force, and where each came from.
    Config(config::ShowConfig),
    /// Do any operation, as the operator or at another server.
    Call(call::Call),
    /// Print a script that completes commands in a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Write a manual page for each command, as `man` reads them.
    Man {
        /// The folder that they go into, as in `~/.local/share/man/man1`; it is made when it is not there.
        folder: PathBuf,
    },
    /// Look at one picture, or make one: this program starts itself for each.
    #[command(name = crate::config::CHILD, hide = true)]
    ImageChild,
}

/// What every command has at hand.
struct App {
    config: Config,
    /// Where this program keeps what it knows of its user, if there is such a place.
    folder: Option<PathBuf>,
    /// The editor that its user has chosen.
    editor: Option<String>,
    resolved: Resolved,
    out: Output,
}

/// The command line or the configuration is wrong.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

impl From<ConfigError> for Usage {
    fn from(error: ConfigError) -> Self {
        Self(error.to_string())
    }
}

/// Runs the process.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    // It gives up what it has before it reads anything, configuration included.
    if matches!(cli.command, Command::ImageChild) {
        return cms_core::media::files::child();
    }
    let out = Output { json: cli.common.json };
    // Shells ask at their start, wherever they are: whatever the configuration there says.
    let written = match &cli.command {
        Command::Completions { shell } => Some(completions(out, *shell).map_err(anyhow::Error::from)),
        Command::Man { folder } => Some(manual(out, folder)),
        _ => None,
    };
    if let Some(written) = written {
        return written.map_or_else(|error| fail(out, &error), |()| ExitCode::SUCCESS);
    }
    let result = prepare(cli.common).and_then(|app| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(run(&app, cli.command))
    });
    result.unwrap_or_else(|error| fail(out, &error))
}

async fn run(app: &App, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(command) => serve::run(app, command).await,
        Command::Migrate(command) => migrate::run(app, command).await,
        Command::Admin(command) => admin::run(app, command).await,
        Command::User(command) => user::run(app, command).await,
        Command::Login(command) => login::login(app, command).await,
        Command::Whoami(command) => login::whoami(app, command).await,
        Command::Logout(command) => login::logout(app, command).await,
        Command::Token(command) => token::run(app, command).await,
        Command::Content(command) => content::run(app, command).await,
        Command::Import(command) => import::import(app, command).await,
        Command::Export(command) => import::export(app, command).await,
        Command::Openapi { internal } => documents::openapi(app, internal),
        Command::Tools => documents::tools(app),
        Command::Errors => documents::errors(app),
        Command::Types(command) => documents::types(app, command).await,
        Command::Schema(command) => schema::run(app, command).await,
        Command::Backup(command) => backup::backup(app, command).await,
        Command::Restore(command) => backup::restore(app, command).await,
        Command::Audit(command) => audit::run(app, command).await,
        Command::Policies => policies::run(app).await,
        Command::Jobs(command) => jobs::run(app, command).await,
        Command::Doctor(command) => doctor::run(app, command).await,
        Command::Config(command) => config::run(app, &command),
        Command::Call(command) => call::run(app, command).await,
        Command::Completions { shell } => Ok(completions(app.out, shell).map(|()| ExitCode::SUCCESS)?),
        Command::Man { folder } => manual(app.out, &folder).map(|()| ExitCode::SUCCESS),
        Command::ImageChild => Ok(cms_core::media::files::child()),
    }
}

/// Prints what has a shell complete commands.
fn completions(out: Output, shell: clap_complete::Shell) -> std::io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cms", &mut script);
    out.text(&String::from_utf8_lossy(&script))
}

/// Writes a manual page for each command.
fn manual(out: Output, folder: &Path) -> anyhow::Result<()> {
    let place = || format!("cannot write manual pages into `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(place)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(place)?;
    out.remark(&format!("manual pages are in `{}`", folder.display()));
    Ok(())
}

/// Reads the configuration and begins to log. The only place that reads the environment.
fn prepare(common: Common) -> anyhow::Result<App> {
    let environment: BTreeMap<String, String> =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect();
    let file = read_file(common.config)?;
    let mut flags = Vec::new();
    for text in common.set {
        let Some((key, value)) = text.split_once('=') else {
            return Err(Usage(format!("`--set {text}`: expected KEY=VALUE")).into());
        };
        flags.push(Flag { key: key.trim().to_owned(), value: value.to_owned(), spelled: "--set" });
    }
    if let Some(value) = common.database {
        flags.push(Flag { key: "database.url".to_owned(), value, spelled: "--database" });
    }
    let folder = login::folder(&environment);
    let editor = ["VISUAL", "EDITOR"].into_iter().find_map(|name| environment.get(name).filter(|value| !value.is_empty()).cloned());
    let rust_log = environment.get("RUST_LOG").cloned();
    let resolved = Layers { file, environment, flags }.resolve().map_err(Usage::from)?;
    logging::init(&resolved.config.log, rust_log.as_deref()).map_err(|error| Usage(format!("{error:#}")))?;
    for unknown in &resolved.unknown {
        tracing::warn!("{unknown}");
    }
    Ok(App { config: resolved.config.clone(), folder, editor, resolved, out: Output { json: common.json } })
}

/// The file that is named, or the one that is there.
fn read_file(named: Option<PathBuf>) -> anyhow::Result<Option<(PathBuf, String)>> {
    let path = named.clone().unwrap_or_else(|| PathBuf::from("cms.toml"));
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => Ok(None),
        Err(error) => Err(Usage(format!("cannot read the configuration `{}`: {error}", path.display())).into()),
    }
}

/// Says what went wrong, to people or programs, and gives the exit code.
fn fail(out: Output, error: &anyhow::Error) -> ExitCode {
    // Whoever reads the output has read enough, as `head` does.
    if error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let usage = error.is::<Usage>();
    let code = if usage { 2 } else { 1 };
    if out.json {
        let body = match error.downcast_ref::<cms_core::Error>() {
            Some(error) => {
                serde_json::json!({ "code": error.code().as_str(), "message": error.message(), "details": error.details_json() })
            }
            None if let Some(told) = error.downcast_ref::<Told>() => {
                serde_json::json!({ "code": told.code, "message": told.message, "details": told.details })
            }
            None => serde_json::json!({ "code": if usage { "USAGE" } else { "FAILED" }, "message": with_causes(error) }),
        };
        // Nobody is left to be told when this fails.
        let _ = out.text(&serde_json::json!({ "error": body }).to_string());
    } else {
        eprintln!("cms: {}", told(error));
    }
    ExitCode::from(code)
}

/// An error with its causes; one of an operation with every problem of its input.
fn told(error: &anyhow::Error) -> String {
    let issues = |details: Option<&serde_json::Value>| {
        details.and_then(|details| details["issues"].as_array()).map(|issues| output::listed(issues)).unwrap_or_default()
    };
    if let Some(told) = error.downcast_ref::<Told>() {
        return format!("{told}{}", issues(told.details.as_ref()));
    }
    let Some(refused) = error.downcast_ref::<cms_core::Error>() else {
        return with_causes(error);
    };
    let cause = refused.private().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{refused}{}{cause}", issues(refused.details_json()))
}

/// An error with its causes. Some errors tell their cause themselves: it is not told twice.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_cause_is_told_once() {
        let missing = std::io::Error::from(ErrorKind::NotFound);
        let path = PathBuf::from("in.ndjson");
        let told = with_causes(&cms_import::ImportError::File { path, source: missing }.into());
        assert_eq!(told, "cannot read `in.ndjson`: entity not found");
        let told = with_causes(&anyhow::anyhow!("no").context("cannot read").context("stopped"));
        assert_eq!(told, "stopped: cannot read: no");
    }
}
