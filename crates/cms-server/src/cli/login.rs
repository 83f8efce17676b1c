//! `cms login`, `cms whoami`, `cms logout`: this program as a user of another server.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, bail};
use clap::Args;
use cms_core::{Clock, SystemClock, accounts::account::GetAccount, descriptor::Declaration};
use cms_domain::user::Role;
use serde_json::{Map, Value, json};
use url::Url;

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
    /// Print the address alone, and open no browser. None is opened without a terminal either.
    #[arg(long)]
    no_browser: bool,
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
    if !command.no_browser && app.out.is_watched() && is_page_of(&issuer, page) {
        match open::that_detached(page) {
            Ok(()) => app.out.remark("your browser opens it"),
            Err(error) => app.out.remark(&format!("no browser could be opened: {error}")),
        }
    }
    app.out.remark("waiting for you to approve it there");
    let key = key(remote.wait(&device).await?);
    let mut signed_in = SignedIn { ring: Keyring::open(folder)?, issuer, remote, key, is_fresh: true };
    let account = signed_in.account().await?;
    signed_in.ring.put(&signed_in.issuer, signed_in.key.clone())?;
    tell(app, &signed_in.issuer, &account)
}

/// Whether an address is a page of the server that was asked for: no other one is opened, whatever the server says.
fn is_page_of(issuer: &str, page: &str) -> bool {
    match (issuer.parse::<Url>(), page.parse::<Url>()) {
        (Ok(issuer), Ok(page)) => matches!(page.scheme(), "http" | "https") && page.origin() == issuer.origin(),
        _ => false,
    }
}

/// This program as the user of a server. Other commands wait for its keys until it is done.
pub(super) struct SignedIn {
    ring: Keyring,
    issuer: String,
    remote: Remote,
    key: Key,
    /// Whether the keys were just made: then there is nothing to be had from making new ones.
    is_fresh: bool,
}

impl SignedIn {
    /// At a server, or at the one that was signed in to last.
    pub(super) async fn at(app: &App, url: Option<&str>) -> anyhow::Result<Self> {
        let ring = Keyring::open(keys(app)?)?;
        let issuer = named(&ring, url)?;
        let key = ring.get(&issuer).cloned().with_context(|| format!("you are not signed in to {issuer}: `cms login {issuer}`"))?;
        let remote = Remote::discover(&issuer).await?;
        let mut known = Self { ring, issuer, remote, key, is_fresh: false };
        if known.key.expires_at.is_some_and(|at| at <= SystemClock.now().after(MARGIN)) {
            known.refresh().await?;
        }
        Ok(known)
    }

    /// Does an operation at the server.
    pub(super) async fn call(&mut self, operation: &Declaration, input: &Map<String, Value>) -> anyhow::Result<Value> {
        let request = remote::request(operation, input)?;
        let mut answer = self.remote.ask(&self.key.access_token, &request).await?;
        if answer.is_none() && !self.is_fresh {
            // It ended before its time: the server's clock, or a role that changed.
            self.refresh().await?;
            answer = self.remote.ask(&self.key.access_token, &request).await?;
        }
        remote::answered(&operation.http, &answer.with_context(|| over(&self.issuer))?)
    }

    /// Who the user is.
    async fn account(&mut self) -> anyhow::Result<Account> {
        let account = self.call(&Declaration::of::<GetAccount>(), &Map::new()).await?;
        serde_json::from_value(account).context("the server's answer cannot be read")
    }

    /// New keys for old ones. When the server takes the old ones no more, they are removed.
    async fn refresh(&mut self) -> anyhow::Result<()> {
        let Some(token) = &self.key.refresh_token else { bail!(over(&self.issuer)) };
        match self.remote.refresh(token).await {
            Ok(mut tokens) => {
                // A server that does not rotate leaves it out (RFC 6749, 6).
                tokens.refresh_token = tokens.refresh_token.or_else(|| Some(token.clone()));
                self.key = key(tokens);
                self.is_fresh = true;
                self.ring.put(&self.issuer, self.key.clone())
            }
            Err(error) if error.downcast_ref::<Refused>().is_some_and(|refused| refused.error == "invalid_grant") => {
                self.ring.remove(&self.issuer)?;
                Err(error.context(over(&self.issuer)))
            }
            Err(error) => Err(error),
        }
    }
}

pub(super) async fn whoami(app: &App, command: Server) -> anyhow::Result<ExitCode> {
    let mut signed_in = SignedIn::at(app, command.url.as_deref()).await?;
    let account = signed_in.account().await?;
    tell(app, &signed_in.issuer, &account)
}

pub(super) async fn logout(app: &App, command: Server) -> anyhow::Result<ExitCode> {
    let mut ring = Keyring::open(keys(app)?)?;
    let issuer = named(&ring, command.url.as_deref())?;
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
fn named(ring: &Keyring, url: Option<&str>) -> anyhow::Result<String> {
    match url {
        Some(url) => remote::issuer(url),
        None => ring.current().map(str::to_owned).context("you are not signed in to any server: `cms login URL`"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_of_the_server_itself_is_opened() {
        let issuer = "https://cms.example/_cms";
        assert!(is_page_of(issuer, "https://cms.example/_cms/admin/device?code=AB"));
        for page in ["https://other.example/", "http://cms.example/", "file:///etc/passwd", "javascript:alert(1)", "--help", ""] {
            assert!(!is_page_of(issuer, page), "{page}");
        }
    }
}
