//! `cms token`: access tokens, for programs.

use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use cms_core::{
    Door,
    accounts::tokens::{CreateToken, ListTokens, RevokeToken, TokenView},
};
use cms_domain::{
    access::{Actor, Caller, Scope, Via},
    id::TokenId,
    time::Timestamp,
    user::Email,
};
use cms_storage::Store;

use super::{App, Usage};
use crate::{config::Span, wire};

#[derive(Debug, Subcommand)]
pub(super) enum Token {
    /// Create a token. It alone is printed, once.
    Create {
        /// Whose token: the address of the account.
        #[arg(long)]
        user: Email,
        /// What it is for.
        #[arg(long)]
        name: String,
        /// What it may be used for; repeat, or separate with commas.
        #[arg(long = "scope", value_delimiter = ',', required = true)]
        scopes: Vec<Scope>,
        /// When it ends: an instant as in 2027-01-31T00:00:00Z, or a length of time as in 90d. Without it, never.
        #[arg(long)]
        expires: Option<String>,
    },
    /// List a user's tokens.
    List {
        /// Whose tokens: the address of the account.
        #[arg(long)]
        user: Email,
    },
    /// Revoke a token: it stops working at once.
    Revoke {
        /// Id of the token.
        id: TokenId,
    },
}

pub(super) async fn run(app: &App, command: Token) -> anyhow::Result<ExitCode> {
    let (cms, store) = wire::cms(&app.config).await?;
    match command {
        Token::Create { user, name, scopes, expires } => {
            let expires_at = expires.map(|text| instant(&text, cms.now())).transpose()?;
            let input = CreateToken { user: Some(user), name, scopes: scopes.into_iter().collect(), expires_at };
            let created = cms.invoke(&Actor::System, Door::Local, input).await?;
            app.out.remark("this is the only time that the token is shown");
            app.out.answer(&created, || created.token.clone())?;
        }
        Token::List { user } => {
            let tokens = cms.invoke(&owner(&store, &user).await?, Door::Local, ListTokens {}).await?;
            app.out.answer(&tokens, || tokens.items.iter().map(line).collect())?;
        }
        Token::Revoke { id } => {
            let revoked = cms.invoke(&Actor::System, Door::Local, RevokeToken { id }).await?;
            app.out.answer(&revoked, || format!("revoked {id}"))?;
        }
    }
    wire::close(&app.config, &cms, &store).await;
    Ok(ExitCode::SUCCESS)
}

/// An instant, or a length of time from now.
fn instant(text: &str, now: Timestamp) -> anyhow::Result<Timestamp> {
    if let Ok(span) = text.parse::<Span>() {
        return Ok(now.after(span.0));
    }
    text.parse().map_err(|_| {
        Usage(format!("`--expires {text}`: expected an instant as in 2027-01-31T00:00:00Z, or a length of time as in 90d")).into()
    })
}

/// The user, acting without the limits of a token.
async fn owner(store: &Store, email: &Email) -> anyhow::Result<Actor> {
    let user = store.reader().users().by_email(email).await?.with_context(|| format!("there is no user {email}"))?;
    Ok(Actor::User(Caller { user: user.id, role: user.role, via: Via::Host }))
}

fn line(token: &TokenView) -> String {
    let scopes = token.scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(",");
    let when = |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |at| at.to_string());
    let (expires, used) = (when(token.expires_at), when(token.last_used_at));
    format!("{}  {}…  {}  {scopes}  expires {expires}  last used {used}\n", token.id, token.prefix, token.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_ends_at_an_instant_or_after_a_length_of_time() {
        let now = Timestamp::from_milliseconds(0);
        assert_eq!(instant("2h", now).unwrap().to_string(), "1970-01-01T02:00:00.000Z");
        assert_eq!(instant("2027-01-31T00:00:00Z", now).unwrap().to_string(), "2027-01-31T00:00:00.000Z");
        assert!(instant("tomorrow", now).unwrap_err().is::<Usage>());
    }
}
