//! `cms login`, `cms whoami`, `cms logout`: this program as a user of another server.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, bail};
use clap::Args;
use cms_core::{Clock, SystemClock};
use cms_domain::user::Role;
use serde_json::json;

use super::App;
use crate::{
    keyring::{Key, Keyring},
    remote::{self, Account, Refused, Remote, Tokens},
};

/// How long before its end an access token counts as ended: a request takes a while.
const MARGIN: Duration = Duration::from_secs(30);

#[derive(Debug, Args)]
pub(super) struct Login {
    /// Address of the server, as in `https://cms.example.org`.
    url: String,
    /// What to ask for; repeat, or separate with commas. Without it, to work with content.
    #[arg(long = "scope", value_delimiter = ',')]
    scopes: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Server {
    /// Address of the server; without it, the one that was signed in to last.
    url: Option<String>,
}

/// The folder for what this program keeps of its user, as the system has it.
pub(super) fn folder(environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    let path = |name: &str| environment.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        path("APPDATA")
    } else if cfg!(target_os = "macos") {
        path("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        // A relative path there is none (XDG Base Directory Specification).
        path("XDG_CONFIG_HOME").filter(|path| path.is_absolute()).or_else(|| path("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("cms"))
}

fn keys(app: &App) -> anyhow::Result<&Path> {
    app.folder.as_deref().context("the environment names no folder for settings: set HOME")
}

fn key(tokens: Tokens) -> Key {
    let expires_at = tokens.expires_in.map(|seconds| SystemClock.now().after(Duration::from_secs(seconds)));
    Key { access_token: tokens.access_token, refresh_token: tokens.refresh_token, expires_at, scope: tokens.scope }
}

pub(super) async fn login(app: &App, command: Login) -> anyhow::Result<ExitCode> {
    let folder = keys(app)?;
    let issuer = remote::issuer(&command.url)?;
    let remote = Remote::discover(&issuer).await?;
    let device = remote.begin(&command.scopes).await?;
    let page = device.verification_uri_complete.as_ref().unwrap_or(&device.verification_uri);
    let asked = json!({
        "userCode": device.user_code,
        "verificationUri": device.verification_uri,
        "verificationUriComplete": page,
        "expiresIn": device.expires_in,
    });
    app.out.answer(&asked, || format!("open {page}\nand check that it shows the code {}", device.user_code))?;
    app.out.remark("waiting for you to approve it there");
    let key = key(remote.wait(&device).await?);
    let account = remote.account(&key.access_token).await?.context("the server does not accept the token that it just gave")?;
    Keyring::open(folder)?.put(&issuer, key)?;
    tell(app, &issuer, &account)
}

pub(super) async fn whoami(app: &App, command: Server) -> anyhow::Result<ExitCode> {
    let mut ring = Keyring::open(keys(app)?)?;
    let issuer = named(&ring, command)?;
    let remote = Remote::discover(&issuer).await?;
    let mut known = ring.get(&issuer).cloned().with_context(|| format!("you are not signed in to {issuer}: `cms login {issuer}`"))?;
    let has_ended = known.expires_at.is_some_and(|at| at <= SystemClock.now().after(MARGIN));
    if has_ended {
        known = refresh(&mut ring, &remote, &issuer, &known).await?;
    }
    let mut account = remote.account(&known.access_token).await?;
    if account.is_none() && !has_ended {
        // It ended before its time: the server's clock, or a role that changed.
        known = refresh(&mut ring, &remote, &issuer, &known).await?;
        account = remote.account(&known.access_token).await?;
    }
    tell(app, &issuer, &account.with_context(|| over(&issuer))?)
}

pub(super) async fn logout(app: &App, command: Server) -> anyhow::Result<ExitCode> {
    let mut ring = Keyring::open(keys(app)?)?;
    let issuer = named(&ring, command)?;
    let Some(known) = ring.get(&issuer).cloned() else { bail!("you are not signed in to {issuer}") };
    // What is not there cannot be stolen: the keys go, whatever the server says.
    ring.remove(&issuer)?;
    let token = known.refresh_token.as_ref().unwrap_or(&known.access_token);
    let revoked = async { Remote::discover(&issuer).await?.revoke(token).await };
    revoked.await.context("the keys are removed here, but the server did not take them back: revoke the application in your account")?;
    app.out.answer(&json!({ "server": issuer, "signedOut": true }), || format!("signed out of {issuer}"))?;
    Ok(ExitCode::SUCCESS)
}

/// The server that a command is about.
fn named(ring: &Keyring, command: Server) -> anyhow::Result<String> {
    match command.url {
        Some(url) => remote::issuer(&url),
        None => ring.current().map(str::to_owned).context("you are not signed in to any server: `cms login URL`"),
    }
}

/// New keys for old ones. When the server takes the old ones no more, they are removed.
async fn refresh(ring: &mut Keyring, remote: &Remote, issuer: &str, known: &Key) -> anyhow::Result<Key> {
    let Some(token) = &known.refresh_token else { bail!(over(issuer)) };
    match remote.refresh(token).await {
        Ok(mut tokens) => {
            // A server that does not rotate leaves it out (RFC 6749, 6).
            tokens.refresh_token = tokens.refresh_token.or_else(|| Some(token.clone()));
            let key = key(tokens);
            ring.put(issuer, key.clone())?;
            Ok(key)
        }
        Err(error) if error.downcast_ref::<Refused>().is_some_and(|refused| refused.error == "invalid_grant") => {
            ring.remove(issuer)?;
            Err(error.context(over(issuer)))
        }
        Err(error) => Err(error),
    }
}

fn over(issuer: &str) -> String {
    format!("your sign-in is over: `cms login {issuer}`")
}

fn tell(app: &App, issuer: &str, account: &Account) -> anyhow::Result<ExitCode> {
    let role = Role::from_level(account.role.into()).map_or_else(|| account.role.to_string(), |role| role.to_string());
    app.out.answer(&json!({ "server": issuer, "account": account }), || {
        let name = account.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
        format!("{name}<{}>, {role}, at {issuer}\nmay: {}", account.email, account.scopes.join(", "))
    })?;
    Ok(ExitCode::SUCCESS)
}
