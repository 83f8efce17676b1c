//! Damage that no entry shows by itself: a broken file, revisions that are named and gone, rows that belong to nothing.

use cms_domain::id::{EntryId, GroupId};
use sea_orm::{
    ColumnTrait, EntityTrait, IdenStatic, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, Query},
};

use crate::{
    Disagreement, Error,
    column::Stored,
    entries::{
        EntryReader,
        row::entity::{Column, Entity},
    },
    revisions::entity as revisions,
    row::Row,
};

impl EntryReader<'_> {
    /// Looks for entries whose live or draft revision is not there; at most a hundred of each kind.
    pub async fn check_revisions(self) -> Result<Vec<Disagreement>, Error> {
        let mut found = Vec::new();
        for column in [Column::LiveRevision, Column::DraftRevision] {
            let named = Query::select()
                .expr(Expr::val(1))
                .from(revisions::Entity)
                .and_where(revisions::Column::Id.into_expr().equals((Entity, column)))
                .and_where(revisions::Column::EntryId.into_expr().equals((Entity, Column::Id)))
                .take();
            let without = Entity::find().select_only().column(Column::Id).filter(column.is_not_null()).filter(Expr::not_exists(named));
            let without: Vec<Stored<EntryId>> = without.limit(100).into_tuple().all(&self.executor).await?;
            for Stored(entry) in without {
                let message = format!("{} names a revision that is not there", column.as_str());
                found.push(Disagreement { table: "entries", entry: Some(entry), message });
            }
        }
        Ok(found)
    }

    /// Looks for translation groups that have entries of several collections; at most a hundred.
    pub async fn check_groups(self) -> Result<Vec<Disagreement>, Error> {
        let collections = Expr::col(Column::CollectionId).count_distinct();
        let mixed =
            Entity::find().select_only().column(Column::TranslationGroup).group_by(Column::TranslationGroup).having(collections.gt(1));
        let mixed: Vec<Stored<GroupId>> = mixed.limit(100).into_tuple().all(&self.executor).await?;
        let word = |Stored(group)| {
            let message = format!("the translations `{group}` are of several collections, and share values that only one of them has");
            Disagreement { table: "entries", entry: None, message }
        };
        Ok(mixed.into_iter().map(word).collect())
    }

    /// Looks for damage in the file of a SQLite database. PostgreSQL looks after its files itself.
    pub async fn check_file(self) -> Result<Vec<String>, Error> {
        if self.executor.is_postgres() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for row in self.executor.all("PRAGMA integrity_check(100)").await? {
            found.push(row.read::<String>("integrity_check")?);
        }
        found.retain(|line| line != "ok");
        for row in self.executor.all("PRAGMA foreign_key_check").await? {
            let (table, parent): (String, String) = (row.read("table")?, row.read("parent")?);
            found.push(format!("a row of {table} refers to one of {parent} that is not there"));
        }
        Ok(found)
    }
}
