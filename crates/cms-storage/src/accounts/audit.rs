//! The audit log: who did what to what, and when. Lines are only ever added, and removed when they are old.

use cms_domain::{
    id::{AuditLineId, UserId},
    time::Timestamp,
};
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    row::{Row, id_value, optional_id_value, time_value},
    statement::{Batch, Text},
};

/// A line of the audit log.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditLine {
    /// Identifies the line. Later lines have greater ids.
    pub id: AuditLineId,
    /// When it happened.
    pub at: Timestamp,
    /// What was done: the name of an operation.
    pub action: String,
    /// `user`, `token`, `application`, `anonymous` or `system`.
    pub actor_kind: String,
    /// The user who acted.
    pub actor: Option<UserId>,
    /// The e-mail address of the user who acted, as it was then. Without one, storage looks it up when the line is added.
    pub actor_name: Option<String>,
    /// The address the request came from.
    pub address: Option<String>,
    /// What the browser or program called itself.
    pub agent: Option<String>,
    /// The id of the request, under which the log tells of it.
    pub request_id: Option<String>,
    /// How the request came in: `rest`, `tool` or `local`. Lines from before this was written down have none.
    pub door: Option<String>,
    /// What sort of thing it was done to.
    pub resource_type: String,
    /// Which one.
    pub resource_id: Option<String>,
    /// What people called it then: a user's e-mail address, an entry's title. Without one, storage looks up a user's when the line is
    /// added.
    pub resource_label: Option<String>,
    /// What else there is to know, as a JSON object. Never a secret.
    pub details: Option<String>,
}

/// Who acted, as they are called now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditActor {
    /// Their name.
    pub name: Option<String>,
    /// Their address.
    pub email: String,
}

/// What every statement that reads lines begins with.
pub(super) const SELECT: &str = "SELECT a.id, a.at, a.action, a.actor_kind, a.actor_id, a.actor_name, a.address, a.agent, a.request_id, \
    a.door, a.resource_type, a.resource_id, a.resource_label, a.details";

impl AuditLine {
    /// Every text of the line, in an order that never changes: the chain's hashes are made of it.
    pub(super) fn texts(&self) -> [Option<&str>; 11] {
        [
            Some(&self.action),
            Some(&self.actor_kind),
            self.actor_name.as_deref(),
            self.address.as_deref(),
            self.agent.as_deref(),
            self.request_id.as_deref(),
            self.door.as_deref(),
            Some(&self.resource_type),
            self.resource_id.as_deref(),
            self.resource_label.as_deref(),
            self.details.as_deref(),
        ]
    }
}

/// Which lines of the audit log.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AuditFilter {
    /// What was done.
    pub action: Option<String>,
    /// Who acted.
    pub actor: Option<UserId>,
    /// What sort of thing it was done to.
    pub resource_type: Option<String>,
    /// Which one.
    pub resource_id: Option<String>,
    /// Of which request.
    pub request_id: Option<String>,
    /// Not before.
    pub from: Option<Timestamp>,
    /// Before.
    pub to: Option<Timestamp>,
    /// Older than this line.
    pub before: Option<AuditLineId>,
}

/// Reads the audit log.
#[derive(Clone, Copy)]
pub struct AuditReader<'a> {
    pub(super) executor: Executor<'a>,
}

impl<'a> AuditReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Lines, the newest first.
    pub async fn list(self, filter: &AuditFilter, limit: usize) -> Result<Vec<AuditLine>, Error> {
        Ok(self.find(filter, limit).await?.into_iter().map(|(line, _)| line).collect())
    }

    /// Lines, the newest first, with the users who acted as they are now.
    pub async fn find(self, filter: &AuditFilter, limit: usize) -> Result<Vec<(AuditLine, Option<AuditActor>)>, Error> {
        let mut text = Text::new(SELECT);
        text.push(", u.name, u.email FROM audit a LEFT JOIN users u ON u.id = a.actor_id WHERE 1 = 1");
        filter.narrow(&mut text);
        text.push(" ORDER BY a.id DESC LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        self.executor.all(text).await?.iter().map(|row| Ok((read(row)?, read_actor(row)?))).collect()
    }

    /// Lines behind one, the oldest first.
    pub async fn since(self, filter: &AuditFilter, after: Option<AuditLineId>, limit: usize) -> Result<Vec<AuditLine>, Error> {
        let mut text = Text::new(SELECT);
        text.push(" FROM audit a WHERE 1 = 1");
        filter.narrow(&mut text);
        if let Some(after) = after {
            text.push(" AND a.id > ").bind(id_value(after));
        }
        text.push(" ORDER BY a.id LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        self.executor.all(text).await?.iter().map(read).collect()
    }
}

impl AuditFilter {
    /// Adds the conditions to a statement over `audit a`.
    fn narrow(&self, text: &mut Text) {
        if let Some(action) = &self.action {
            text.push(" AND a.action = ").bind(action.as_str());
        }
        if let Some(actor) = self.actor {
            text.push(" AND a.actor_id = ").bind(id_value(actor));
        }
        if let Some(resource_type) = &self.resource_type {
            text.push(" AND a.resource_type = ").bind(resource_type.as_str());
        }
        if let Some(resource_id) = &self.resource_id {
            text.push(" AND a.resource_id = ").bind(resource_id.as_str());
        }
        if let Some(request_id) = &self.request_id {
            text.push(" AND a.request_id = ").bind(request_id.as_str());
        }
        if let Some(from) = self.from {
            text.push(" AND a.at >= ").bind(time_value(from));
        }
        if let Some(to) = self.to {
            text.push(" AND a.at < ").bind(time_value(to));
        }
        if let Some(before) = self.before {
            text.push(" AND a.id < ").bind(id_value(before));
        }
    }
}

/// Writes the audit log.
#[derive(Clone, Copy)]
pub struct AuditWriter<'a> {
    pub(super) executor: Executor<'a>,
}

impl<'a> AuditWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a line.
    #[cfg(test)]
    pub(crate) async fn insert(self, line: &AuditLine) -> Result<(), Error> {
        let mut batch = Batch::new(self.executor);
        insert(&mut batch, line);
        batch.run(self.executor).await
    }
}

fn read_actor(row: &QueryResult) -> Result<Option<AuditActor>, Error> {
    let name = row.read("name")?;
    Ok(row.read::<Option<String>>("email")?.map(|email| AuditActor { name, email }))
}

/// Reads a line from what [`SELECT`] begins.
pub(super) fn read(row: &QueryResult) -> Result<AuditLine, Error> {
    Ok(AuditLine {
        id: row.read_id("id")?,
        at: row.read_time("at")?,
        action: row.read("action")?,
        actor_kind: row.read("actor_kind")?,
        actor: row.read_optional_id("actor_id")?,
        actor_name: row.read("actor_name")?,
        address: row.read("address")?,
        agent: row.read("agent")?,
        request_id: row.read("request_id")?,
        door: row.read("door")?,
        resource_type: row.read("resource_type")?,
        resource_id: row.read("resource_id")?,
        resource_label: row.read("resource_label")?,
        details: row.read("details")?,
    })
}

/// Adds a line.
pub(crate) fn insert(batch: &mut Batch, line: &AuditLine) {
    let user = line.resource_id.as_deref().filter(|_| line.resource_type == "user").and_then(|id| id.parse::<UserId>().ok());
    let text = batch.begin(
        "INSERT INTO audit (id, at, action, actor_kind, actor_id, address, resource_type, resource_id, details, agent, request_id, door, \
         actor_name, resource_label) VALUES (",
    );
    text.bind_all([
        id_value(line.id),
        time_value(line.at),
        line.action.as_str().into(),
        line.actor_kind.as_str().into(),
        optional_id_value(line.actor),
        line.address.clone().into(),
        line.resource_type.as_str().into(),
        line.resource_id.clone().into(),
        line.details.clone().into(),
        line.agent.clone().into(),
        line.request_id.clone().into(),
        line.door.clone().into(),
    ]);
    for (name, named) in [(&line.actor_name, line.actor), (&line.resource_label, user)] {
        text.push(", COALESCE(")
            .bind(name.clone())
            .push(", (SELECT email FROM users WHERE id = ")
            .bind(optional_id_value(named))
            .push("))");
    }
    text.push(")");
}

#[cfg(test)]
pub(in crate::accounts) mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    pub(in crate::accounts) fn line(n: u128, action: &str) -> AuditLine {
        AuditLine {
            id: AuditLineId::from_parts(1, n),
            at: fixtures::at(i64::try_from(n).unwrap()),
            action: action.to_owned(),
            actor_kind: "user".to_owned(),
            actor: Some(UserId::from_parts(0, n % 2)),
            actor_name: Some("actor@example.com".to_owned()),
            address: None,
            agent: Some("Agent".to_owned()),
            request_id: Some(format!("request-{n}")),
            door: Some("rest".to_owned()),
            resource_type: "user".to_owned(),
            resource_id: Some(n.to_string()),
            resource_label: None,
            details: Some("{}".to_owned()),
        }
    }

    both! {
        async fn lines_are_found_by_what_they_say_the_newest_first(store: Store) {
            let tx = store.write().await.unwrap();
            let lines: Vec<_> = (1..=4).map(|n| line(n, if n < 3 { "user.update" } else { "session.open" })).collect();
            for line in &lines {
                tx.audit().insert(line).await.unwrap();
            }
            let list = async |filter: AuditFilter| tx.reader().audit().list(&filter, 10).await.unwrap();
            let newest: Vec<_> = lines.iter().rev().cloned().collect();
            assert_eq!(list(AuditFilter::default()).await, newest);
            assert_eq!(list(AuditFilter { action: Some("user.update".to_owned()), ..AuditFilter::default() }).await, newest[2..]);
            assert_eq!(list(AuditFilter { before: Some(lines[1].id), ..AuditFilter::default() }).await, newest[3..]);
            assert_eq!(list(AuditFilter { resource_id: Some("2".to_owned()), ..AuditFilter::default() }).await, newest[2..3]);
            assert_eq!(list(AuditFilter { actor: Some(UserId::from_parts(0, 1)), ..AuditFilter::default() }).await.len(), 2);
            let some = AuditFilter { from: Some(fixtures::at(2)), to: Some(fixtures::at(4)), ..AuditFilter::default() };
            assert_eq!(list(some).await, newest[1..3]);
            assert_eq!(list(AuditFilter { request_id: Some("request-2".to_owned()), ..AuditFilter::default() }).await, newest[2..3]);
            let since = tx.reader().audit().since(&AuditFilter::default(), Some(lines[1].id), 1).await.unwrap();
            assert_eq!(since, lines[2..3]);
        }

        async fn a_line_tells_who_acted_as_they_are_called_now(store: Store) {
            let tx = store.write().await.unwrap();
            let user = fixtures::user(1);
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            for (n, actor) in [(1, Some(user.id)), (2, Some(fixtures::user(2).id)), (3, None)] {
                tx.audit().insert(&AuditLine { actor, ..line(n, "user.update") }).await.unwrap();
            }
            let found = tx.reader().audit().find(&AuditFilter::default(), 10).await.unwrap();
            let actors: Vec<_> = found.into_iter().map(|(_, actor)| actor).collect();
            assert_eq!(actors, [None, None, Some(AuditActor { name: user.name, email: user.email.to_string() })]);
        }
    }
}
