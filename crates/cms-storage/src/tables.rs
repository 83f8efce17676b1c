//! The tables, each described where its entity is: what archives hold of it, and which unique indexes it has.

use std::sync::LazyLock;

use sea_orm::{ColumnTrait, EntityTrait, IdenStatic, Iterable};

use crate::{
    Constraint, RESOURCES,
    accounts::{allowed_domains, audit, connections, links, oauth_clients, oauth_grants, passkeys},
    collections::{definition, indexes},
    dump::Kind,
    entries, jobs, revisions, settings, tokens, users,
};

/// A table that is described where its entity is.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// Its columns. The first is its key, by which rows are read in pages.
    pub(crate) columns: Vec<(&'static str, Kind)>,
    unique: Vec<Unique>,
    is_archived: bool,
}

/// A unique index. SQLite names it in its messages by its columns, PostgreSQL by its name.
#[derive(Debug)]
struct Unique {
    columns: String,
    quoted: String,
    constraint: Constraint,
}

impl Table {
    /// The table of an entity, which archives have with the entity's columns in their order. New columns are therefore added behind the others.
    pub(crate) fn of<E: EntityTrait>() -> Self {
        let column = |column: E::Column| (column.as_str(), Kind::of(column.def().get_column_type()));
        Self { name: E::default().table_name(), columns: E::Column::iter().map(column).collect(), unique: Vec::new(), is_archived: true }
    }

    /// Archives do not have it: it can be derived, or does not outlive its moment.
    pub(crate) fn transient(self) -> Self {
        Self { is_archived: false, ..self }
    }

    /// It has a unique index. Whoever writes learns of a value that is taken by `constraint`.
    pub(crate) fn unique(mut self, index: &str, columns: &[impl IdenStatic], constraint: Constraint) -> Self {
        let columns = columns.iter().map(|column| format!("{}.{}", self.name, column.as_str())).collect::<Vec<_>>().join(", ");
        self.unique.push(Unique { columns, quoted: format!("\"{index}\""), constraint });
        self
    }
}

/// The tables of the modules that are not one resource each, in the order of archives: each behind those that it refers to.
const TABLES: [fn() -> Table; 18] = [
    settings::table,
    users::table,
    audit::table,
    tokens::table,
    passkeys::table,
    connections::table,
    links::table,
    allowed_domains::table,
    oauth_clients::table,
    oauth_grants::table,
    oauth_grants::tokens,
    definition::content_types,
    definition::collections,
    definition::fields,
    indexes::table,
    entries::row::table,
    revisions::table,
    jobs::table,
];

static ALL: LazyLock<Vec<Table>> = LazyLock::new(|| TABLES.iter().chain(RESOURCES).map(|table| table()).collect());

/// The tables that archives have, in their order there.
pub(crate) fn archived() -> impl Iterator<Item = &'static Table> {
    ALL.iter().filter(|table| table.is_archived)
}

/// The rule that a message of a database says is broken.
pub(crate) fn broken(message: &str) -> Option<Constraint> {
    let unique =
        ALL.iter().flat_map(|table| &table.unique).find(|unique| message.contains(&unique.columns) || message.contains(&unique.quoted));
    unique.map(|unique| unique.constraint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_have_their_tables_and_columns_in_an_order_that_stays() {
        let columns = |table: &Table| table.columns.iter().fold(String::new(), |text, (name, kind)| format!("{text} {name}:{kind:?}"));
        let tables = TABLES.iter().map(|table| table()).filter(|table| table.is_archived);
        let tables: Vec<_> = tables.map(|table| format!("{}{}", table.name, columns(&table))).collect();
        insta::assert_snapshot!(tables.join("\n"), @r"
        settings name:Text value:Text
        users id:Id email:Text name:Text role:Small disabled:Flag created_at:Big updated_at:Big email_verified:Flag avatar_url:Text welcomed:Flag last_sign_in_at:Big
        audit id:Id at:Big action:Text actor_kind:Text actor_id:Id address:Text resource_type:Text resource_id:Text details:Text actor_name:Text resource_label:Text agent:Text request_id:Text door:Text number:Big hash:Bytes
        tokens id:Id user_id:Id name:Text prefix:Text hash:Bytes scopes:Text expires_at:Big last_used_at:Big created_at:Big
        passkeys id:Id credential_id:Bytes user_id:Id name:Text credential:Text transports:Text user_verified:Flag backup_eligible:Flag backed_up:Flag created_at:Big last_used_at:Big
        connections id:Id provider:Text account:Text user_id:Id email:Text name:Text created_at:Big last_used_at:Big issuer:Text
        links id:Id hash:Bytes kind:Text email:Text user_id:Id role:Small invited_by:Id created_at:Big expires_at:Big
        allowed_domains domain:Text default_role:Small enabled:Flag created_at:Big updated_at:Big
        oauth_clients id:Text name:Text redirect_uris:Text grant_types:Text scopes:Text registered:Flag created_at:Big updated_at:Big last_used_at:Big
        oauth_grants id:Id client_id:Text user_id:Id scopes:Text resource:Text created_at:Big last_used_at:Big
        oauth_tokens hash:Bytes grant_id:Id kind:Text created_at:Big expires_at:Big spent_at:Big
        content_types id:Id slug:Text
        collections id:Id definition:Text sort_order:Int has_leftovers:Flag version:Big created_at:Big updated_at:Big
        fields id:Id collection_id:Id slug:Text sort_order:Int definition:Text created_at:Big updated_at:Big
        indexes id:Int collection_id:Id fields:Text state:Small cursor:Id done:Big total:Big attempts:Int last_error:Text
        entries id:Id collection_id:Id locale:Text translation_group:Id slug:Text status:Small author_id:Id version:Big created_at:Big updated_at:Big published_at:Big ever_live:Flag scheduled_at:Big deleted_at:Big live_revision:Id draft_revision:Id schedule_attempts:Int schedule_error:Text schedule_retry_at:Big seo:Text data:Text draft:Text draft_published_at:Big unpublish_at:Big
        revisions id:Id collection_id:Id entry_id:Id document:Text author_id:Id autosave:Flag created_at:Big updated_at:Big
        ");
    }
}
