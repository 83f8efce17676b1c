//! `cms admin`: people who manage everything.

use std::process::ExitCode;

use clap::Subcommand;
use cms_core::{Door, accounts::users::CreateUser};
use cms_domain::{
    access::Actor,
    user::{Email, Role},
};

use super::App;
use crate::wire;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Create a user who manages everything.
    Create {
        /// Address of the account.
        #[arg(long)]
        email: Email,
        /// Name to show.
        #[arg(long)]
        name: Option<String>,
    },
}

pub(super) async fn run(app: &App, command: Admin) -> anyhow::Result<ExitCode> {
    let Admin::Create { email, name } = command;
    let cms = wire::cms(&app.config).await?;
    let user = cms.invoke(&Actor::System, Door::Local, CreateUser { email, name, role: Role::Admin }).await?;
    app.out.answer(&user, || format!("created the admin {}", user.email))?;
    app.out.remark(&format!("make an access token with `cms token create --user {} --name NAME --scope admin`", user.email));
    cms.store().close().await;
    Ok(ExitCode::SUCCESS)
}
