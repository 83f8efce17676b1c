//! Reading the audit log.

use cms_domain::{
    access::{Access, Permission, Scope},
    bounded::Bounded,
    id::{AuditLineId, UserId},
    page::{Cursor, PageSize},
    time::Timestamp,
};
use cms_storage::{AuditActor, AuditFilter, AuditLine};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Code, Cx, Error,
    operation::{Http, Operation, Tool},
};

/// List what was done, the last thing first.
///
/// Who signed in and out, and every change of users, credentials, settings and collections. Lines stay for a year unless the
/// configuration says otherwise.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListAudit {
    /// What was done: the name of an operation, as in `user.update`.
    pub action: Option<Bounded<1, 100>>,
    /// Who did it.
    pub actor: Option<UserId>,
    /// What sort of thing it was done to, as in `user`.
    pub resource_type: Option<Bounded<1, 100>>,
    /// Which one.
    pub resource_id: Option<Bounded<1, 200>>,
    /// Not before this instant.
    pub from: Option<Timestamp>,
    /// Before this instant.
    pub to: Option<Timestamp>,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// A page of the audit log.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    /// The lines.
    pub items: Vec<AuditItem>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// One thing that was done.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditItem {
    /// Identifies the line.
    pub id: AuditLineId,
    /// When it was done.
    pub at: Timestamp,
    /// What was done: the name of an operation.
    pub action: String,
    /// What sort of actor did it: `user`, `token`, `application`, `anonymous` or `system`.
    pub actor_kind: String,
    /// The user who did it, as they are called now; null when nobody who is known did.
    pub actor: Option<ActorView>,
    /// The address the request came from.
    pub address: Option<String>,
    /// What sort of thing it was done to.
    pub resource_type: String,
    /// Which one.
    pub resource_id: Option<String>,
    /// What else there is to know.
    pub details: Option<Value>,
}

/// A user who did something.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ActorView {
    /// Identifies the user.
    pub id: UserId,
    /// Their name.
    pub name: Option<String>,
    /// Their address.
    pub email: Option<String>,
}

impl Operation for ListAudit {
    const ID: &'static str = "audit.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::AuditRead);
    const HTTP: Http = Http::get("listAudit", "/admin/audit").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = AuditPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AuditPage, Error> {
        let mut filter = AuditFilter {
            action: self.action.map(Bounded::into_string),
            actor: self.actor,
            resource_type: self.resource_type.map(Bounded::into_string),
            resource_id: self.resource_id.map(Bounded::into_string),
            from: self.from,
            to: self.to,
            before: None,
        };
        let list = format!("audit.list {filter:?}");
        filter.before = self.cursor.map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let limit = self.limit.get();
        // One more than the page has tells whether there is another.
        let mut found = cx.read().audit().find(&filter, limit + 1).await?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next_cursor = match found.last() {
            Some((last, _)) if more => Some(Cursor::seal(&list, &last.id)?),
            _ => None,
        };
        let items = found.into_iter().map(|(line, actor)| item(line, actor)).collect::<Result<_, _>>()?;
        Ok(AuditPage { items, next_cursor })
    }
}

fn item(line: AuditLine, actor: Option<AuditActor>) -> Result<AuditItem, Error> {
    let (name, email) = actor.map_or((None, None), |actor| (actor.name, Some(actor.email)));
    Ok(AuditItem {
        id: line.id,
        at: line.at,
        action: line.action,
        actor_kind: line.actor_kind,
        actor: line.actor.map(|id| ActorView { id, name, email }),
        address: line.address,
        resource_type: line.resource_type,
        resource_id: line.resource_id,
        details: line.details.map(|details| serde_json::from_str(&details)).transpose()?,
    })
}
