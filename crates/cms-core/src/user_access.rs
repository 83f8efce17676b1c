//! Everything that lets a user in, or a program of theirs: for an admin who looks after somebody that leaves.

use cms_accounts::{
    invitations::InvitationView,
    no_user,
    oauth::grants::GrantView,
    sessions::{self, SessionView},
    tokens::TokenView,
    users::{UserConnection, UserPasskey, UserSummary},
};
use cms_content::entries::preview_links::PreviewView;
use cms_domain::{
    access::{Access, Permission, Scope},
    id::{LinkId, UserId},
    time::Timestamp,
    user::Email,
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::Link;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many of each sort are listed. Passkeys and access tokens have lower limits of their own; nobody looks through more of the rest.
const LISTED: usize = 100;

/// Get everything that lets a user in.
///
/// Their sessions, passkeys, access tokens, connected applications, accounts at providers, links that were sent to them, invitations
/// that they sent and nobody has accepted, and preview links that they made. No secret is among it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetUserAccess {
    /// The user.
    pub id: UserId,
}

/// Things of one sort.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Held{T}")]
pub struct Held<T> {
    /// The things, at most a hundred.
    pub items: Vec<T>,
    /// Whether there are more than are listed.
    pub more: bool,
}

impl<T> Held<T> {
    /// The first of some things of which one more was asked for than is listed.
    fn of<S>(found: impl IntoIterator<Item = S>, view: impl FnMut(S) -> T) -> Self {
        let mut items: Vec<T> = found.into_iter().map(view).collect();
        let more = items.len() > LISTED;
        items.truncate(LISTED);
        Self { items, more }
    }
}

/// A link that was sent to a user and can still be used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkView {
    /// Identifies the link.
    pub id: LinkId,
    /// What it does: `magic_link` and `recovery` sign the user in, `email_change` gives the account the address that it was sent to,
    /// `email_refusal` keeps the address that it has.
    pub kind: &'static str,
    /// The address that it was sent to.
    pub email: Email,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when it can be used.
    pub expires_at: Timestamp,
}

impl From<Link> for LinkView {
    fn from(link: Link) -> Self {
        Self { id: link.id, kind: link.kind.name(), email: link.email, created_at: link.created_at, expires_at: link.expires_at }
    }
}

/// Everything that lets a user in, or a program of theirs. While a user is disabled, none of it does.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserAccess {
    /// The user.
    pub user: UserSummary,
    /// Whether the user is locked out, and all of this sleeps.
    pub disabled: bool,
    /// Sessions, the newest first.
    pub sessions: Held<SessionView>,
    /// Passkeys, the oldest first. Without any, the user signs in by a provider or a link, or not at all.
    pub passkeys: Held<UserPasskey>,
    /// Access tokens, the newest first.
    pub tokens: Held<TokenView>,
    /// What applications were granted, the latest first.
    pub grants: Held<GrantView>,
    /// Accounts at providers, the oldest first.
    pub connections: Held<UserConnection>,
    /// Links that can still be used, the newest first.
    pub links: Held<LinkView>,
    /// Invitations that they answer for and nobody has accepted, the newest first.
    pub invitations: Held<InvitationView>,
    /// Preview links that they made and that have not ended, the newest first.
    pub previews: Held<PreviewView>,
}

impl Operation for GetUserAccess {
    const ID: &'static str = "user.get_access";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersRead);
    const HTTP: Http = Http::get("getUserAccess", "/admin/users/{id}/access");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = UserAccess;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UserAccess, Error> {
        // One more than is listed tells whether there are more.
        let (id, now, limit) = (self.id, cx.now(), LISTED + 1);
        let (rows, policies) = (cx.read(), &cx.options().policies);
        let user = rows.users().by_id(id).await?.ok_or_else(no_user)?;
        let invitations = rows.links().sent_by(id, limit).await?.into_iter();
        let invitations = invitations.map(|link| InvitationView::new(link, now)).collect::<Result<Vec<_>, _>>()?;
        Ok(UserAccess {
            user: (&user).into(),
            disabled: user.disabled,
            sessions: Held::of(sessions::open_of(cx, id, sessions::own(cx), limit).await?, |session| session),
            passkeys: Held::of(rows.passkeys().for_user(id).await?, UserPasskey::from),
            tokens: Held::of(rows.tokens().for_user(id).await?, |token| TokenView::new(token, policies)),
            grants: Held::of(rows.oauth_grants().for_user(id, limit).await?, |(grant, name)| GrantView::new(policies, grant, name)),
            connections: Held::of(rows.connections().for_user(id).await?, UserConnection::from),
            links: Held::of(rows.links().for_user(id, now, limit).await?, LinkView::from),
            invitations: Held::of(invitations, |invitation| invitation),
            previews: Held::of(rows.previews().by_maker(id, now, limit).await?, PreviewView::from),
        })
    }
}
