//! What a site asks of ways in, of tokens and of grants, and whom that locks out: now where it is asked, and otherwise if it were.

use cms_domain::{
    access::{Access, Permission, Scope},
    user::Email,
};
use cms_frame::{
    Cx, Error, Policies,
    operation::{Http, Operation, Tool},
};
use cms_storage::{Counted, HeldWays};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Services, ways::Admitted};

/// How many addresses are named: an admin can write to so many. The number counts all.
const NAMED: usize = 20;

/// List the policies of the site.
///
/// The configuration sets them. Each says whom it locks out now, or would lock out if it were switched on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListPolicies {}

/// What the site asks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PolicyList {
    /// The policies.
    pub items: Vec<PolicyView>,
}

/// Something that the site asks.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyView {
    /// The setting of the configuration, as in `sign_in.magic_links`.
    pub setting: String,
    /// Its value: a switch, or a length of time in seconds; null where none is set.
    pub value: PolicyValue,
    /// Whether it restricts anything.
    pub in_force: bool,
    /// What it asks for when it restricts.
    pub about: &'static str,
    /// Whom it locks out; if it is not in force, whom it would.
    pub locks_out: LockedOut,
}

/// The value of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PolicyValue {
    /// On or off.
    Switch(bool),
    /// So many seconds; without a limit, none.
    Seconds(Option<u64>),
}

/// Whom or what a policy locks out. Users who are disabled do not count.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LockedOut {
    /// How many users it concerns.
    pub users: usize,
    /// The addresses of the first 20 of them.
    pub emails: Vec<Email>,
    /// How many tokens or grants of theirs it ends. Where there are any, their users still sign in.
    pub credentials: i64,
}

impl LockedOut {
    fn people<'a>(held: impl Iterator<Item = &'a HeldWays>) -> Self {
        let emails: Vec<_> = held.map(|held| held.email.clone()).collect();
        Self { users: emails.len(), emails: emails.into_iter().take(NAMED).collect(), credentials: 0 }
    }

    fn credentials(counted: Vec<Counted>) -> Self {
        let credentials = counted.iter().map(|counted| counted.count).sum();
        Self { users: counted.len(), emails: counted.into_iter().take(NAMED).map(|counted| counted.email).collect(), credentials }
    }
}

impl Operation for ListPolicies {
    const ID: &'static str = "policy.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersRead);
    const HTTP: Http = Http::get("listPolicies", "/admin/policies").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = PolicyList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PolicyList, Error> {
        let options = cx.options();
        let (policies, admitted) = (&options.policies, Admitted::of(cx.cms()));
        let held = cx.read().ways().all().await?;
        let mut items = ways_in(policies, &admitted, Services::of(cx.cms()).mail.is_some(), &held);
        items.extend(linking(policies, &admitted, &held));
        items.push(PolicyView {
            setting: "tokens.max_age".to_owned(),
            value: PolicyValue::Seconds(policies.token_max_age.map(|age| age.as_secs())),
            in_force: policies.token_max_age.is_some(),
            about: "Access tokens stop working at this age, and new ones end by then.",
            locks_out: match policies.token_max_age {
                Some(age) => LockedOut::credentials(cx.read().ways().tokens_made_by(cx.now().before(age), cx.now()).await?),
                None => LockedOut::default(),
            },
        });
        items.push(PolicyView {
            setting: "oauth.grant_absolute".to_owned(),
            value: PolicyValue::Seconds(Some(policies.grant_absolute.as_secs())),
            in_force: true,
            about: "What a user granted to an application ends at this age, however often it is used.",
            locks_out: LockedOut::credentials(cx.read().ways().grants_made_by(cx.now().before(policies.grant_absolute), cx.now()).await?),
        });
        items.push(PolicyView {
            setting: "sessions.absolute".to_owned(),
            value: PolicyValue::Seconds(Some(options.sessions.absolute.as_secs())),
            in_force: true,
            about: "People sign in anew when a session is this old.",
            locks_out: LockedOut::default(),
        });
        Ok(PolicyList { items })
    }
}

/// What is asked of ways in. Whoever has one without it and none with it is locked out.
fn ways_in(policies: &Policies, admitted: &Admitted, has_mail: bool, held: &[HeldWays]) -> Vec<PolicyView> {
    let lost = |before: &Admitted, after: &Admitted| {
        LockedOut::people(held.iter().filter(|held| !before.ways(held).is_empty() && after.ways(held).is_empty()))
    };
    let verified = |required: bool| Admitted { unverified_passkeys: !required, ..admitted.clone() };
    let linked = |on: bool| Admitted { magic_links: on && has_mail, ..admitted.clone() };
    vec![
        PolicyView {
            setting: "sign_in.require_user_verification".to_owned(),
            value: PolicyValue::Switch(policies.require_user_verification),
            in_force: policies.require_user_verification,
            about: "Authenticators verify their users, with a PIN or a finger. Locked out is who has no passkey that did, and no other way in.",
            locks_out: lost(&verified(false), &verified(true)),
        },
        PolicyView {
            setting: "sign_in.magic_links".to_owned(),
            value: PolicyValue::Switch(policies.magic_links),
            in_force: !policies.magic_links,
            about: "Switched off, nobody signs in with a link in a letter. Locked out is who has neither a passkey nor a connected account.",
            locks_out: lost(&linked(true), &linked(false)),
        },
    ]
}

/// For each provider, whether its verified addresses connect people to their accounts. Who has no way in yet could come in by the first
/// sign-in there, unless another provider lets them in the same way.
fn linking(policies: &Policies, admitted: &Admitted, held: &[HeldWays]) -> Vec<PolicyView> {
    let links = |provider: &String| !policies.not_linked_by_address.contains(provider);
    let view = |provider: &String| {
        let elsewhere = admitted.providers.keys().any(|other| other != provider && links(other));
        let waiting = held.iter().filter(|held| !elsewhere && admitted.ways(held).is_empty() && !held.email.is_placeholder());
        PolicyView {
            setting: format!("providers.{provider}.link_by_address"),
            value: PolicyValue::Switch(links(provider)),
            in_force: !links(provider),
            about: "Switched off, an account there signs somebody in only once they connected it. Locked out is who has no other way in.",
            locks_out: LockedOut::people(waiting),
        }
    };
    admitted.providers.keys().map(view).collect()
}
