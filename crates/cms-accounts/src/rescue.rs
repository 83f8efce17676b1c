//! The operator's way back in, when no admin can sign in any more. It needs neither mail nor an admin.

use cms_auth::token::NewToken;
use cms_domain::{
    access::{Access, to},
    time::Timestamp,
    user::{Email, Role},
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::{Link, LinkKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    endings, links,
    notices::{self, Notice},
    roles::{self, no_user},
    users::UserSummary,
};

/// Let an admin in again.
///
/// Enables the user, makes them an admin, and answers with a link that signs them in once within ten minutes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RescueAdmin {
    /// Address of the account.
    pub email: Email,
}

/// The way back in.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rescue {
    /// Whom it lets in.
    pub user: UserSummary,
    /// The page that signs them in. It works once.
    pub url: String,
    /// Until when it works.
    pub expires_at: Timestamp,
}

impl Operation for RescueAdmin {
    const ID: &'static str = "user.rescue";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = Rescue;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Rescue, Error> {
        let now = cx.now();
        let user = cx.read().users().by_email(&self.email).await?.ok_or_else(no_user)?;
        let changed = roles::change(cx, user.id, |user| {
            user.role = Role::Admin;
            user.disabled = false;
        })
        .await?;
        let permit = cx.permit(to::Account(user.id))?;
        // Somebody else may have what its user lost.
        endings::begun(cx, &permit).await?;
        let made = NewToken::make("")?;
        let expires_at = now.after(links::SIGN_IN_LIFE);
        let link = Link {
            id: cx.new_id(),
            kind: LinkKind::Recovery,
            email: self.email,
            user: Some(user.id),
            role: None,
            invited_by: None,
            created_at: now,
            expires_at,
        };
        cx.tx().await?.links().insert_for_user(&permit, &link, &made.hash).await?;
        let mut details = changed.disabled();
        details["role"] = json!({ "from": changed.before.role, "to": changed.after.role });
        cx.audit("user", user.id, &details);
        notices::tell(cx, user.id, Notice::RecoveryMade).await?;
        let url = cx.product().admin_page(&format!("magic-link#token={}", made.text));
        Ok(Rescue { user: (&changed.after).into(), url, expires_at })
    }
}
