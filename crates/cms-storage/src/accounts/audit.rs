//! The audit log: who did what to what, and when. Lines are only ever added, and removed when they are old.

use cms_domain::{
    id::{AuditLineId, UserId},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder, QuerySelect, QueryTrait, RelationTrait, Select,
};

use self::entity::{Column, Entity, Relation};
use crate::{
    Error,
    column::{Stored, unreadable},
    executor::Executor,
    row::{at_most, id_value, optional_id_value, time_value},
    statement::Batch,
    users::entity as users,
};

pub(super) mod entity {
    use cms_domain::{
        id::{AuditLineId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{column::Stored, users::entity as users};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit")]
    pub(in crate::accounts) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(in crate::accounts) id: Stored<AuditLineId>,
        pub(in crate::accounts) at: Stored<Timestamp>,
        pub(in crate::accounts) action: String,
        pub(in crate::accounts) actor_kind: String,
        pub(in crate::accounts) actor_id: Option<Stored<UserId>>,
        pub(in crate::accounts) address: Option<String>,
        pub(in crate::accounts) resource_type: String,
        pub(in crate::accounts) resource_id: Option<String>,
        pub(in crate::accounts) details: Option<String>,
        pub(in crate::accounts) actor_name: Option<String>,
        pub(in crate::accounts) resource_label: Option<String>,
        pub(in crate::accounts) agent: Option<String>,
        pub(in crate::accounts) request_id: Option<String>,
        pub(in crate::accounts) door: Option<String>,
        /// The place in the chain; none until the line is sealed.
        pub(in crate::accounts) number: Option<i64>,
        pub(in crate::accounts) hash: Option<Vec<u8>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(in crate::accounts) enum Relation {
        /// Nothing holds the user: the line stays when they go.
        #[sea_orm(belongs_to = "users::Entity", from = "Column::ActorId", to = "users::Column::Id", skip_fk)]
        Actor,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

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

/// A line, and who acted as they are called now.
#[derive(FromQueryResult)]
struct Found {
    #[sea_orm(nested)]
    line: entity::Model,
    name_now: Option<String>,
    email_now: Option<String>,
}

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

impl<'a> crate::Reader<'a> {
    /// The audit log.
    pub fn audit(self) -> AuditReader<'a> {
        AuditReader::new(self.executor())
    }
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
        let lines = Entity::find()
            .join(JoinType::LeftJoin, Relation::Actor.def())
            .column_as(users::Column::Name, "name_now")
            .column_as(users::Column::Email, "email_now");
        let newest = filter.narrow(lines).order_by_desc(Column::Id).limit(at_most(limit));
        let found = newest.into_model::<Found>().all(&self.executor).await.map_err(unreadable::<Entity>)?;
        let told = |found: Found| {
            let actor = found.email_now.map(|email| AuditActor { name: found.name_now, email });
            (found.line.into(), actor)
        };
        Ok(found.into_iter().map(told).collect())
    }

    /// Lines behind one, the oldest first.
    pub async fn since(self, filter: &AuditFilter, after: Option<AuditLineId>, limit: usize) -> Result<Vec<AuditLine>, Error> {
        let behind = filter.narrow(Entity::find()).apply_if(after, |lines, after| lines.filter(Column::Id.gt(Stored(after))));
        self.executor.list(behind.order_by_asc(Column::Id).limit(at_most(limit))).await
    }
}

impl AuditFilter {
    /// The lines of a statement that are meant.
    fn narrow(&self, lines: Select<Entity>) -> Select<Entity> {
        lines
            .apply_if(self.action.as_deref(), |lines, action| lines.filter(Column::Action.eq(action)))
            .apply_if(self.actor, |lines, actor| lines.filter(Column::ActorId.eq(Stored(actor))))
            .apply_if(self.resource_type.as_deref(), |lines, resource_type| lines.filter(Column::ResourceType.eq(resource_type)))
            .apply_if(self.resource_id.as_deref(), |lines, resource_id| lines.filter(Column::ResourceId.eq(resource_id)))
            .apply_if(self.request_id.as_deref(), |lines, request_id| lines.filter(Column::RequestId.eq(request_id)))
            .apply_if(self.from, |lines, from| lines.filter(Column::At.gte(Stored(from))))
            .apply_if(self.to, |lines, to| lines.filter(Column::At.lt(Stored(to))))
            .apply_if(self.before, |lines, before| lines.filter(Column::Id.lt(Stored(before))))
    }
}

/// Writes the audit log.
#[derive(Clone, Copy)]
pub struct AuditWriter<'a> {
    pub(super) executor: Executor<'a>,
}

impl crate::Tx {
    /// The audit log.
    pub fn audit(&self) -> AuditWriter<'_> {
        AuditWriter::new(self.executor())
    }
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

impl From<entity::Model> for AuditLine {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            at: row.at.0,
            action: row.action,
            actor_kind: row.actor_kind,
            actor: row.actor_id.map(|actor| actor.0),
            actor_name: row.actor_name,
            address: row.address,
            agent: row.agent,
            request_id: row.request_id,
            door: row.door,
            resource_type: row.resource_type,
            resource_id: row.resource_id,
            resource_label: row.resource_label,
            details: row.details,
        }
    }
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
