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
    statement::Text,
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
    /// The address the request came from.
    pub address: Option<String>,
    /// What sort of thing it was done to.
    pub resource_type: String,
    /// Which one.
    pub resource_id: Option<String>,
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
    executor: Executor<'a>,
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
        const FIND: &str = "SELECT a.id, a.at, a.action, a.actor_kind, a.actor_id, a.address, a.resource_type, a.resource_id, a.details, \
            u.name, u.email FROM audit a LEFT JOIN users u ON u.id = a.actor_id WHERE 1 = 1";
        let mut text = Text::new(FIND);
        if let Some(action) = &filter.action {
            text.push(" AND a.action = ").bind(action.as_str());
        }
        if let Some(actor) = filter.actor {
            text.push(" AND a.actor_id = ").bind(id_value(actor));
        }
        if let Some(resource_type) = &filter.resource_type {
            text.push(" AND a.resource_type = ").bind(resource_type.as_str());
        }
        if let Some(resource_id) = &filter.resource_id {
            text.push(" AND a.resource_id = ").bind(resource_id.as_str());
        }
        if let Some(from) = filter.from {
            text.push(" AND a.at >= ").bind(time_value(from));
        }
        if let Some(to) = filter.to {
            text.push(" AND a.at < ").bind(time_value(to));
        }
        if let Some(before) = filter.before {
            text.push(" AND a.id < ").bind(id_value(before));
        }
        text.push(" ORDER BY a.id DESC LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        self.executor.all(text).await?.iter().map(|row| Ok((read(row)?, read_actor(row)?))).collect()
    }
}

/// Writes the audit log.
#[derive(Clone, Copy)]
pub struct AuditWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> AuditWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a line.
    pub async fn insert(self, line: &AuditLine) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO audit (id, at, action, actor_kind, actor_id, address, resource_type, resource_id, details) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let values = [
            id_value(line.id),
            time_value(line.at),
            line.action.as_str().into(),
            line.actor_kind.as_str().into(),
            optional_id_value(line.actor),
            line.address.clone().into(),
            line.resource_type.as_str().into(),
            line.resource_id.clone().into(),
            line.details.clone().into(),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Removes lines that are older than `before`.
    pub async fn prune(self, before: Timestamp) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM audit WHERE at < $1", [time_value(before)])).await
    }
}

fn read_actor(row: &QueryResult) -> Result<Option<AuditActor>, Error> {
    let name = row.read("name")?;
    Ok(row.read::<Option<String>>("email")?.map(|email| AuditActor { name, email }))
}

fn read(row: &QueryResult) -> Result<AuditLine, Error> {
    Ok(AuditLine {
        id: row.read_id("id")?,
        at: row.read_time("at")?,
        action: row.read("action")?,
        actor_kind: row.read("actor_kind")?,
        actor: row.read_optional_id("actor_id")?,
        address: row.read("address")?,
        resource_type: row.read("resource_type")?,
        resource_id: row.read("resource_id")?,
        details: row.read("details")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn line(n: u128, action: &str) -> AuditLine {
        AuditLine {
            id: AuditLineId::from_parts(1, n),
            at: fixtures::at(i64::try_from(n).unwrap()),
            action: action.to_owned(),
            actor_kind: "user".to_owned(),
            actor: Some(UserId::from_parts(0, n % 2)),
            address: None,
            resource_type: "user".to_owned(),
            resource_id: Some(n.to_string()),
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
            assert_eq!(tx.audit().prune(fixtures::at(3)).await.unwrap(), 2);
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
