//! Reading the audit log.

use cms_domain::{
    access::{Access, Permission, Scope},
    bounded::Bounded,
    id::{AuditLineId, UserId},
    page::{Cursor, PageSize},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, PAGED},
    operation::{Http, Operation, Tool},
    page::{Page, Paging},
};
use cms_storage::{AuditActor, AuditFilter, AuditLine};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// List what was done, the last thing first.
///
/// Who signed in and out; every change of users, credentials, settings and collections; what was published, planned, taken back, thrown
/// away or restored; previews and exports. Drafts that are saved leave no line: their revisions tell. Lines stay for a year unless the
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
    /// What one request did: its id, as its answer had it in `X-Request-Id`.
    pub request_id: Option<Bounded<1, 128>>,
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
    /// Who did it.
    pub actor: AuditedActor,
    /// What it was done to.
    pub resource: AuditedResource,
    /// What it changed, member by member.
    pub changes: Vec<AuditedChange>,
    /// What else there is to know. Long details are cut, with `…` where something is missing.
    pub details: Option<Value>,
    /// The address the request came from, as far as it is known.
    pub address: Option<String>,
    /// What the browser or program called itself.
    pub agent: Option<String>,
    /// The id of the request, under which the server's log tells of it.
    pub request_id: Option<String>,
    /// How the request came in: `rest`, `tool`, or `local` for the command line, a task and a host program.
    pub door: Option<String>,
}

/// Who did something.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditedActor {
    /// `user`, `token` or `application` (a user's), `anonymous`, or `system`.
    pub kind: String,
    /// The user; null when nobody who is known did it.
    pub id: Option<UserId>,
    /// The user's e-mail address as it was then.
    pub label: Option<String>,
    /// The user's name as it is now.
    pub name: Option<String>,
    /// The user's e-mail address as it is now.
    pub email: Option<String>,
}

/// What something was done to.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditedResource {
    /// What sort of thing, as in `user` or `entry`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Which one; null where there is one only, as the site.
    pub id: Option<String>,
    /// What people called it then: the e-mail address of a user, the title or slug of an entry.
    pub label: Option<String>,
}

/// A member of the thing that was changed.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditedChange {
    /// Its name.
    pub member: String,
    /// What it was.
    pub from: Value,
    /// What it became.
    pub to: Value,
}

impl Operation for ListAudit {
    const ID: &'static str = "audit.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::AuditRead);
    const HTTP: Http = Http::get("listAudit", "/admin/audit").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[PAGED];
    type Output = Page<AuditItem>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<AuditItem>, Error> {
        let mut filter = AuditFilter {
            action: self.action.map(Bounded::into_string),
            actor: self.actor,
            resource_type: self.resource_type.map(Bounded::into_string),
            resource_id: self.resource_id.map(Bounded::into_string),
            request_id: self.request_id.map(Bounded::into_string),
            from: self.from,
            to: self.to,
            before: None,
        };
        let paging = Paging::new(format!("audit.list {filter:?}"), self.limit);
        filter.before = paging.after(self.cursor)?;
        let found = cx.read().audit().find(&filter, paging.rows()).await?;
        paging.page(found, |(last, _)| last.id)?.try_map(|(line, actor)| AuditItem::of(line, actor))
    }
}

impl AuditItem {
    /// A line as it is shown, with who acted as they are called now.
    pub fn of(line: AuditLine, actor: Option<AuditActor>) -> Result<Self, Error> {
        let (name, email) = actor.map_or((None, None), |actor| (actor.name, Some(actor.email)));
        let details = line.details.map(|details| serde_json::from_str(&details)).transpose()?;
        let (changes, details) = split(details);
        Ok(Self {
            id: line.id,
            at: line.at,
            action: line.action,
            actor: AuditedActor { kind: line.actor_kind, id: line.actor, label: line.actor_name, name, email },
            resource: AuditedResource { kind: line.resource_type, id: line.resource_id, label: line.resource_label },
            changes,
            details,
            address: line.address,
            agent: line.agent,
            request_id: line.request_id,
            door: line.door,
        })
    }
}

/// The members of details that say what something was and what it became, and the others. An operation that changes members says so
/// with `{"member": {"from": …, "to": …}}`.
fn split(details: Option<Value>) -> (Vec<AuditedChange>, Option<Value>) {
    let members = match details {
        Some(Value::Object(members)) => members,
        other => return (Vec::new(), other),
    };
    let (mut changes, mut others) = (Vec::new(), Map::new());
    for (member, value) in members {
        match value {
            Value::Object(mut change) if change.len() == 2 && change.contains_key("from") && change.contains_key("to") => {
                let (from, to) = (change["from"].take(), change["to"].take());
                changes.push(AuditedChange { member, from, to });
            }
            value => {
                others.insert(member, value);
            }
        }
    }
    (changes, (!others.is_empty()).then_some(Value::Object(others)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_that_say_what_was_and_what_is_are_changes_and_all_others_are_details() {
        let details = json!({ "role": { "from": 30, "to": null }, "collection": "posts", "range": { "from": 1, "to": 2, "by": 3 } });
        let (changes, others) = split(Some(details));
        assert_eq!(changes, [AuditedChange { member: "role".to_owned(), from: json!(30), to: Value::Null }]);
        assert_eq!(others, Some(json!({ "collection": "posts", "range": { "from": 1, "to": 2, "by": 3 } })));
        assert_eq!(split(Some(json!({ "role": { "from": 30, "to": 40 } }))).1, None);
    }
}
