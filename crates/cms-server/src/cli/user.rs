//! `cms user`: people and what they may do. All of it is operations of the catalog, here or at another server.

use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use cms_domain::{
    id::UserId,
    user::{Email, Role},
};
use serde_json::{Value, json};

use super::{
    App,
    place::{Place, Remote},
};
use crate::output::{table, text};

#[derive(Debug, Args)]
pub(super) struct Users {
    #[command(subcommand)]
    command: User,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Debug, Subcommand)]
enum User {
    /// List the users, the newest first.
    List {
        /// A part of the name or the address.
        #[arg(long)]
        search: Option<String>,
        /// Only users with this role.
        #[arg(long)]
        role: Option<Role>,
    },
    /// Show a user, and what they can sign in with.
    Show(Who),
    /// Invite somebody. The link is printed where no letter could be sent.
    Invite {
        /// The address.
        email: Email,
        /// The role of their account.
        #[arg(long, default_value_t = Role::Author)]
        role: Role,
    },
    /// Lock a user out, at once and everywhere.
    Disable(Who),
    /// Let a user in again who was disabled.
    Enable {
        #[command(flatten)]
        who: Who,
        /// Bring back their access tokens, applications, invitations and preview links, too.
        #[arg(long)]
        restore_access: bool,
    },
    /// Give a user another role.
    Role {
        #[command(flatten)]
        who: Who,
        /// The role.
        role: Role,
    },
}

#[derive(Debug, Args)]
struct Who {
    /// Address or id of the user.
    user: String,
}

pub(super) async fn run(app: &App, command: Users) -> anyhow::Result<ExitCode> {
    let mut place = Place::open(app, command.remote).await?;
    answer(app, &mut place, command.command).await?;
    place.close(app).await;
    Ok(ExitCode::SUCCESS)
}

async fn answer(app: &App, place: &mut Place, command: User) -> anyhow::Result<()> {
    match command {
        User::List { search, role } => {
            let items = all(place, search.as_deref(), role).await?;
            app.out.answer(&json!({ "items": items }), || listed(&items))?;
        }
        User::Show(who) => {
            let id = id(place, &who).await?;
            let user = place.ask("user.get", json!({ "id": id })).await?;
            app.out.answer(&user, || shown(&user["item"]))?;
        }
        User::Invite { email, role } => {
            let made = place.ask("invitation.create", json!({ "email": email, "role": role })).await?;
            app.out.remark(made["message"].as_str().unwrap_or_default());
            app.out.answer(&made, || made["inviteUrl"].as_str().map_or_else(|| format!("invited {email} as {role}"), str::to_owned))?;
        }
        User::Disable(who) => {
            let id = id(place, &who).await?;
            let done = place.ask("user.disable", json!({ "id": id })).await?;
            app.out.answer(&done, || format!("disabled {}", who.user))?;
        }
        User::Enable { who, restore_access } => {
            let id = id(place, &who).await?;
            let done = place.ask("user.enable", json!({ "id": id, "restoreAccess": restore_access })).await?;
            app.out.answer(&done, || format!("enabled {}", who.user))?;
        }
        User::Role { who, role } => {
            let id = id(place, &who).await?;
            let user = place.ask("user.update", json!({ "id": id, "role": role })).await?;
            app.out.answer(&user, || format!("{} is {role} now", text(&user["item"], "email")))?;
        }
    }
    Ok(())
}

/// All users that are searched for, page by page.
async fn all(place: &mut Place, search: Option<&str>, role: Option<Role>) -> anyhow::Result<Vec<Value>> {
    let (mut items, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut page = place.ask("user.list", json!({ "search": search, "role": role, "cursor": cursor, "limit": 100 })).await?;
        if let Value::Array(more) = page["items"].take() {
            items.extend(more);
        }
        cursor = page["nextCursor"].take();
        if cursor.is_null() {
            return Ok(items);
        }
    }
}

/// The id of whoever is meant.
async fn id(place: &mut Place, who: &Who) -> anyhow::Result<String> {
    if who.user.parse::<UserId>().is_ok() {
        return Ok(who.user.clone());
    }
    let email: Email = who.user.parse().with_context(|| format!("`{}` is neither an address nor an id", who.user))?;
    let found = all(place, Some(email.as_str()), None).await?;
    let user = found.iter().find(|user| text(user, "email") == email.as_str());
    Ok(text(user.with_context(|| format!("there is no user {email}"))?, "id").to_owned())
}

fn role(user: &Value) -> String {
    user["role"].as_i64().and_then(Role::from_level).map(|role| role.to_string()).unwrap_or_default()
}

fn state(user: &Value) -> &'static str {
    if user["disabled"] == true { "disabled" } else { "" }
}

fn listed(users: &[Value]) -> String {
    let row = |user: &Value| {
        let last = user["lastLogin"].as_str().unwrap_or("never");
        vec![
            text(user, "email").to_owned(),
            text(user, "name").to_owned(),
            role(user),
            state(user).to_owned(),
            last.to_owned(),
            text(user, "id").to_owned(),
        ]
    };
    table(&["EMAIL", "NAME", "ROLE", "STATE", "LAST SIGN-IN", "ID"], &users.iter().map(row).collect::<Vec<_>>())
}

fn shown(user: &Value) -> String {
    let members = |list: &str, name: &str| {
        let items = user[list].as_array().into_iter().flatten().map(|item| text(item, name).to_owned());
        items.collect::<Vec<_>>().join(", ")
    };
    let confirmed = if user["emailVerified"] == true { "confirmed" } else { "not confirmed" };
    let rows = [
        ("id", text(user, "id").to_owned()),
        ("email", format!("{} ({confirmed})", text(user, "email"))),
        ("name", text(user, "name").to_owned()),
        ("role", role(user)),
        ("state", state(user).to_owned()),
        ("last sign-in", user["lastLogin"].as_str().unwrap_or("never").to_owned()),
        ("created", text(user, "createdAt").to_owned()),
        ("passkeys", members("credentials", "name")),
        ("providers", members("oauthAccounts", "provider")),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    rows.map(|(name, value)| format!("{name:<13} {value}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_told_in_rows_that_stand_below_each_other() {
        let ada = json!({ "id": "1", "email": "ada@example.org", "name": "Ada", "role": 50, "disabled": false, "lastLogin": null });
        let bo = json!({ "id": "2", "email": "bo@example.org", "name": null, "role": 20, "disabled": true, "lastLogin": "2027-01-01T00:00:00.000Z" });
        let told = listed(&[ada, bo]);
        let rows: Vec<_> = told.lines().map(str::trim_end).collect();
        assert_eq!(
            rows,
            [
                "EMAIL            NAME  ROLE         STATE     LAST SIGN-IN              ID",
                "ada@example.org  Ada   admin                  never                     1",
                "bo@example.org         contributor  disabled  2027-01-01T00:00:00.000Z  2",
            ]
        );
    }
}
