//! `cms policies`: what the site asks of ways in, of tokens and of grants, and whom that locks out.

use std::{fmt::Write, process::ExitCode, time::Duration};

use cms_core::{
    Cms, Door,
    accounts::policies::{ListPolicies, LockedOut, PolicyList, PolicyValue, PolicyView},
};
use cms_domain::access::Actor;

use super::App;
use crate::{config::Span, wire};

/// What is said below the list.
const TRY: &str = "`cms --set SETTING=VALUE policies` shows whom another value would lock out, before it is in the configuration.";

pub(super) async fn run(app: &App) -> anyhow::Result<ExitCode> {
    wire::must_exist(&app.config)?;
    let (cms, store) = wire::cms(&app.config).await?;
    let policies = list(&cms).await?;
    app.out.answer(&policies, || policies.items.iter().map(worded).collect())?;
    app.out.remark(TRY);
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

async fn list(cms: &Cms) -> Result<PolicyList, cms_core::Error> {
    cms.invoke(&Actor::System, Door::Local, ListPolicies {}).await
}

/// Warns of each policy in force that keeps somebody from signing in.
pub(super) async fn warn(cms: &Cms) -> anyhow::Result<()> {
    let locks_out = |policy: &PolicyView| policy.in_force && policy.locks_out.users > 0 && policy.locks_out.credentials == 0;
    for policy in list(cms).await?.items.iter().filter(|policy| locks_out(policy)) {
        tracing::warn!(setting = policy.setting, users = policy.locks_out.users, "users cannot sign in: `cms policies` names them");
    }
    Ok(())
}

fn worded(policy: &PolicyView) -> String {
    let value = match policy.value {
        PolicyValue::Switch(on) => on.to_string(),
        PolicyValue::Seconds(Some(seconds)) => Span(Duration::from_secs(seconds)).to_string(),
        PolicyValue::Seconds(None) => "not set".to_owned(),
    };
    let mut text = format!("{} = {value}\n  {}\n", policy.setting, policy.about);
    let LockedOut { users, emails, credentials } = &policy.locks_out;
    if *users > 0 {
        let (now, who) = (if policy.in_force { "locks out" } else { "would lock out" }, emails.iter().map(ToString::to_string));
        let what = if *credentials > 0 { format!("{credentials} tokens or grants of {users}") } else { users.to_string() };
        let more = if *users > emails.len() { format!(" and {} more", users - emails.len()) } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {now} {what}: {}{more}", who.collect::<Vec<_>>().join(", "));
    } else {
        text.push_str(if policy.in_force { "  locks out nobody\n" } else { "  would lock out nobody\n" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_says_whom_it_would_lock_out() {
        let emails: Vec<_> = (1..=2).map(|n| format!("user{n}@example.com").parse().unwrap()).collect();
        let mut policy = PolicyView {
            setting: "sign_in.magic_links".to_owned(),
            value: PolicyValue::Switch(true),
            in_force: false,
            about: "About.",
            locks_out: LockedOut { users: 21, emails, credentials: 0 },
        };
        let told = "sign_in.magic_links = true\n  About.\n  would lock out 21: user1@example.com, user2@example.com and 19 more\n";
        assert_eq!(worded(&policy), told);
        policy.value = PolicyValue::Seconds(Some(7_776_000));
        policy.in_force = true;
        policy.locks_out = LockedOut::default();
        assert_eq!(worded(&policy), "sign_in.magic_links = 90d\n  About.\n  locks out nobody\n");
    }
}
