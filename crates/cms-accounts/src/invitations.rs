//! Inviting people: the admin's side.

use cms_domain::{
    access::{Access, Permission, Scope, to},
    id::{LinkId, UserId},
    page::{Cursor, PageSize},
    time::Timestamp,
    user::{Email, Role},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, NEW_ACCOUNT, PAGED, STALE, THING},
    operation::{Http, Limit, Operation, Proof, Tool},
    page::{self, Paging},
};
use cms_storage::{Link, LinkKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) use super::accept_invitation::take_invitation;
use super::{
    links::{self, Page, Secrets},
    roles,
};
use crate::mail::letters::Writer;

/// Who invites: a person.
const MANAGE: Access = Access::Account(Permission::UsersInvite);
/// Who looks at invitations and takes them back: also a program.
const TAKE_BACK: Access = Access::Needs(Scope::Admin, Permission::UsersInvite);

/// An invitation that nobody has accepted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    /// Identifies the invitation.
    pub id: LinkId,
    /// The invited address.
    pub email: Email,
    /// The role that it gets.
    pub role: Role,
    /// The role's name.
    pub role_name: &'static str,
    /// Who invited.
    pub invited_by: Option<UserId>,
    /// When.
    pub created_at: Timestamp,
    /// Until when it can be accepted.
    pub expires_at: Timestamp,
    /// Whether that time is over. It can be sent again.
    pub expired: bool,
}

impl InvitationView {
    pub fn new(link: Link, now: Timestamp) -> Result<Self, Error> {
        // Every invitation is made with a role.
        let role = link.role.ok_or_else(|| Error::internal("an invitation without a role"))?;
        Ok(Self {
            id: link.id,
            email: link.email,
            role,
            role_name: role.name(),
            invited_by: link.invited_by,
            created_at: link.created_at,
            expires_at: link.expires_at,
            expired: link.expires_at <= now,
        })
    }
}

/// List invitations.
///
/// Those that nobody has accepted, the newest first. Expired ones are listed for a week.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListInvitations {
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

impl Operation for ListInvitations {
    const ID: &'static str = "invitation.list";
    const ACCESS: Access = TAKE_BACK;
    const HTTP: Http = Http::get("listInvitations", "/auth/invites").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[PAGED];
    type Output = page::Page<InvitationView>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<page::Page<InvitationView>, Error> {
        let (paging, now) = (Paging::new(Self::ID, self.limit), cx.now());
        let after = paging.after(self.cursor)?;
        let links = cx.read().links().invitations(after, paging.rows()).await?;
        paging.page(links, |last| last.id)?.try_map(|link| InvitationView::new(link, now))
    }
}

/// Invite somebody.
///
/// They get a link that works once, for 7 days. Where the letter cannot be sent, the link is answered, to be handed over by other
/// means, which confirms no address. An earlier invitation of the address opens nothing any more. It can be accepted as long as whoever sent
/// it may still send it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Invite {
    /// Whom.
    pub email: Email,
    /// The role of their account.
    #[serde(default = "author")]
    pub role: Role,
}

const fn author() -> Role {
    Role::Author
}

/// The invitation is made.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationSent {
    /// Always true.
    pub success: bool,
    /// The invitation.
    pub invitation: InvitationView,
    /// Whether it was mailed.
    pub sent: bool,
    /// What became of the letter.
    pub message: String,
    /// The link, when it could not be mailed. Whoever has it gets the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite_url: Option<String>,
}

/// Mails an invitation that was made already, or gives the link to the admin.
async fn send(cx: &Cx<'_>, made: InvitationMade) -> Result<InvitationSent, Error> {
    let inviter = match cx.actor().user() {
        Some(id) => cx.read().users().by_id(id).await?,
        None => None,
    };
    let inviter = inviter.map(|user| user.name.unwrap_or_else(|| user.email.to_string()));
    let InvitationMade { invitation, url, mailed_url } = made;
    let writer = Writer::of(cx).await?;
    let letter = writer.invitation(invitation.email.clone(), inviter.as_deref(), invitation.role, mailed_url)?;
    let handed_over = links::hand_over(cx, &letter, url).await;
    Ok(InvitationSent { success: true, invitation, sent: handed_over.sent, message: handed_over.message, invite_url: handed_over.url })
}

impl Operation for Invite {
    const ID: &'static str = "invitation.create";
    const ACCESS: Access = MANAGE;
    const HTTP: Http = Http::post("createInvitation", "/auth/invite").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::MAKES);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[NEW_ACCOUNT, STALE];
    type Output = InvitationSent;

    async fn run(self, cx: &mut Cx<'_>) -> Result<InvitationSent, Error> {
        // The invitation is there before the letter is: no transaction waits for a mail server.
        let make = MakeInvitation { email: self.email, role: self.role };
        let made = cx.part(make).await?;
        send(cx, made).await
    }
}

/// Make an invitation.
///
/// Without sending it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MakeInvitation {
    /// Whom.
    pub email: Email,
    /// The role of their account.
    pub role: Role,
}

/// An invitation, with its link.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationMade {
    /// The invitation.
    pub invitation: InvitationView,
    /// The link to hand over.
    pub url: String,
    /// The link for a letter: whoever opens it has confirmed the address.
    pub mailed_url: String,
}

impl InvitationMade {
    fn new(cx: &Cx<'_>, link: Link, secrets: &Secrets) -> Result<Self, Error> {
        let (url, mailed_url) = (Page::Invitation.with(cx, &secrets.by_hand), Page::Invitation.with(cx, &secrets.mailed));
        Ok(Self { invitation: InvitationView::new(link, cx.now())?, url, mailed_url })
    }
}

impl Operation for MakeInvitation {
    const ID: &'static str = "invitation.make";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[NEW_ACCOUNT, STALE];
    type Output = InvitationMade;

    async fn run(self, cx: &mut Cx<'_>) -> Result<InvitationMade, Error> {
        roles::caller_still_may(cx, Permission::UsersInvite).await?;
        links::must_be_new(cx, &self.email).await?;
        let (now, id) = (cx.now(), cx.new_id());
        let link = Link {
            id,
            kind: LinkKind::Invitation,
            email: self.email,
            user: None,
            role: Some(self.role),
            invited_by: cx.actor().user(),
            created_at: now,
            expires_at: now.after(links::INVITATION_LIFE),
        };
        let secrets = links::make_to_hand_over(cx, &link).await?;
        cx.audit("invitation", id, &json!({ "email": link.email, "role": link.role }));
        InvitationMade::new(cx, link, &secrets)
    }
}

/// Send an invitation again.
///
/// With a new link, for another 7 days, and in the name of whoever sends it again. The link that was sent before opens nothing any more.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResendInvitation {
    /// The invitation.
    pub id: LinkId,
}

impl Operation for ResendInvitation {
    const ID: &'static str = "invitation.resend";
    const ACCESS: Access = MANAGE;
    const HTTP: Http = Http::post("resendInvitation", "/auth/invites/{id}/resend").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::MAKES);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[THING, NEW_ACCOUNT, STALE];
    type Output = InvitationSent;

    async fn run(self, cx: &mut Cx<'_>) -> Result<InvitationSent, Error> {
        let made = cx.part(RenewInvitation { id: self.id }).await?;
        send(cx, made).await
    }
}

/// Give an invitation a new link.
///
/// Without sending it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenewInvitation {
    /// The invitation.
    pub id: LinkId,
}

impl Operation for RenewInvitation {
    const ID: &'static str = "invitation.renew";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, NEW_ACCOUNT, STALE];
    type Output = InvitationMade;

    async fn run(self, cx: &mut Cx<'_>) -> Result<InvitationMade, Error> {
        roles::caller_still_may(cx, Permission::UsersInvite).await?;
        let (now, by) = (cx.now(), cx.actor().user());
        let secrets = Secrets::make()?;
        let permit = cx.permit(to::InviteUsers)?;
        let renewed =
            cx.tx().await?.links().renew_invitation(&permit, self.id, &secrets.hash(), now.after(links::INVITATION_LIFE), by).await?;
        let link = renewed.ok_or_else(no_invitation)?;
        links::must_be_new(cx, &link.email).await?;
        cx.audit("invitation", link.id, &json!({ "email": link.email }));
        InvitationMade::new(cx, link, &secrets)
    }
}

/// Take an invitation back.
///
/// Its link opens nothing any more.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeInvitation {
    /// The invitation.
    pub id: LinkId,
}

/// The invitation is taken back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InvitationRevoked {
    /// Always true.
    pub success: bool,
}

impl Operation for RevokeInvitation {
    const ID: &'static str = "invitation.revoke";
    const ACCESS: Access = TAKE_BACK;
    const HTTP: Http = Http::delete("revokeInvitation", "/auth/invites/{id}").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = InvitationRevoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<InvitationRevoked, Error> {
        let permit = cx.permit(to::InviteUsers)?;
        let link = cx.tx().await?.links().take_invitation(&permit, self.id).await?.ok_or_else(no_invitation)?;
        cx.audit("invitation", link.id, &json!({ "email": link.email }));
        Ok(InvitationRevoked { success: true })
    }
}

fn no_invitation() -> Error {
    Error::with(Code::NotFound, "there is no such invitation: it was accepted, taken back, or it expired long ago")
}
