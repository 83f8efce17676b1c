//! `cms admin`: people who manage everything.

use std::process::ExitCode;

use clap::Subcommand;
use cms_core::{
    Door,
    accounts::{rescue::RescueAdmin, users::CreateUser},
};
use cms_domain::{
    access::Actor,
    user::{Email, PersonName, Role},
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
        name: Option<PersonName>,
    },
    /// Let an admin in again who cannot sign in: enables the account, makes it an admin's, and prints a link that signs in once.
    Recover {
        /// Address of the account.
        #[arg(long)]
        email: Email,
    },
}

pub(super) async fn run(app: &App, command: Admin) -> anyhow::Result<ExitCode> {
    let (cms, store) = wire::cms(&app.config).await?;
    match command {
        Admin::Create { email, name } => {
            let user = cms.invoke(&Actor::System, Door::Local, CreateUser { email, name, role: Role::Admin }).await?;
            app.out.answer(&user, || format!("created the admin {}", user.email))?;
            let email = &user.email;
            app.out.remark(&format!("sign in with the link of `cms admin recover --email {email}`, or make an access token with"));
            app.out.remark(&format!("`cms token create --user {email} --name NAME --scope admin`"));
        }
        Admin::Recover { email } => {
            let rescue = cms.invoke(&Actor::System, Door::Local, RescueAdmin { email }).await?;
            app.out.answer(&rescue, || rescue.url.clone())?;
            app.out.remark(&format!("open it while the server runs, once, until {}", rescue.expires_at));
            if app.config.server.public_origin.is_none() {
                let (origin, listen) = (cms.product().origin(), &app.config.server.listen);
                app.out.remark(&format!(
                    "`server.public_origin` is not set, and a server that listens on {listen}, as configured, is at {origin}: if yours \
                     printed another address when it started, put that in its place"
                ));
            }
        }
    }
    wire::close(&app.config, &cms, &store).await;
    Ok(ExitCode::SUCCESS)
}
