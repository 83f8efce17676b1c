//! What the server keeps under a name.

use cms_domain::access::{Permit, to};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Set,
    sea_query::{ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, executor::Executor};

mod entity {
    use sea_orm::entity::prelude::*;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "settings")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) name: String,
        pub(super) value: String,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// Reads settings.
#[derive(Clone, Copy)]
pub struct SettingReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Settings.
    pub fn settings(self) -> SettingReader<'a> {
        SettingReader::new(self.executor())
    }
}

impl<'a> SettingReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The value under a name.
    pub async fn get(self, name: &str) -> Result<Option<String>, Error> {
        Ok(Entity::find_by_id(name).one(&self.executor).await?.map(|setting| setting.value))
    }
}

/// Writes settings.
#[derive(Clone, Copy)]
pub struct SettingWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Settings.
    pub fn settings(&self) -> SettingWriter<'_> {
        SettingWriter::new(self.executor())
    }
}

impl<'a> SettingWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Keeps a value unless there is one, and answers with the one that is kept. Of servers that start together one wins.
    pub async fn set_if_absent(self, _: &Permit<to::KeepSettings>, name: &str, value: &str) -> Result<String, Error> {
        self.put_if_absent(name, value).await
    }

    /// The same for what storage notes for itself.
    pub(crate) async fn put_if_absent(self, name: &str, value: &str) -> Result<String, Error> {
        self.keep_if_absent(name, value).await?;
        SettingReader::new(self.executor).get(name).await?.ok_or(Error::Busy)
    }

    /// The value under a name, which nobody else changes before the transaction ends.
    pub(crate) async fn hold(self, name: &str) -> Result<Option<String>, Error> {
        Ok(Entity::find_by_id(name).lock_exclusive().one(&self.executor).await?.map(|setting| setting.value))
    }

    /// Keeps a value if there is none. Says whether it did: of transactions at the same time one is told so.
    pub async fn claim(self, _: &Permit<to::KeepSettings>, name: &str, value: &str) -> Result<bool, Error> {
        self.keep_if_absent(name, value).await
    }

    async fn keep_if_absent(self, name: &str, value: &str) -> Result<bool, Error> {
        let unless_kept = OnConflict::column(Column::Name).do_nothing().to_owned();
        Ok(Entity::insert(setting(name, value)).on_conflict(unless_kept).exec_without_returning(&self.executor).await? > 0)
    }

    /// Keeps another value if the one that is kept is still the known one. Says whether it did: of transactions at the same time one
    /// is told so.
    pub async fn replace(self, _: &Permit<to::KeepSettings>, name: &str, known: Option<&str>, value: &str) -> Result<bool, Error> {
        let Some(known) = known else { return self.keep_if_absent(name, value).await };
        let kept = Column::Name.eq(name).and(Column::Value.eq(known));
        let another = ActiveModel { value: Set(value.to_owned()), ..ActiveModel::default() };
        Ok(Entity::update_many().set(another).filter(kept).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Keeps a value no longer. Says whether there was one: of transactions at the same time one is told so.
    pub async fn remove(self, _: &Permit<to::KeepSettings>, name: &str) -> Result<bool, Error> {
        Ok(Entity::delete_by_id(name).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Keeps a value.
    pub async fn set(self, _: &Permit<to::KeepSettings>, name: &str, value: &str) -> Result<(), Error> {
        self.put(name, value).await
    }

    /// The same for what storage notes for itself.
    pub(crate) async fn put(self, name: &str, value: &str) -> Result<(), Error> {
        let instead = OnConflict::column(Column::Name).update_column(Column::Value).to_owned();
        Entity::insert(setting(name, value)).on_conflict(instead).exec_without_returning(&self.executor).await?;
        Ok(())
    }
}

fn setting(name: &str, value: &str) -> ActiveModel {
    ActiveModel { name: Set(name.to_owned()), value: Set(value.to_owned()) }
}

#[cfg(test)]
mod tests {
    use crate::{Store, both, fixtures};

    both! {
        async fn the_first_value_of_a_setting_is_kept(store: Store) {
            let tx = store.write().await.unwrap();
            assert_eq!(tx.settings().set_if_absent(&fixtures::permit(), "key", "one").await.unwrap(), "one");
            assert_eq!(tx.settings().set_if_absent(&fixtures::permit(), "key", "two").await.unwrap(), "one");
            tx.settings().set(&fixtures::permit(), "key", "three").await.unwrap();
            assert_eq!(tx.reader().settings().get("key").await.unwrap().as_deref(), Some("three"));
        }

        async fn a_setting_that_changed_meanwhile_is_not_replaced(store: Store) {
            let tx = store.write().await.unwrap();
            assert!(tx.settings().replace(&fixtures::permit(), "key", None, "one").await.unwrap());
            assert!(!tx.settings().replace(&fixtures::permit(), "key", None, "two").await.unwrap());
            assert!(tx.settings().replace(&fixtures::permit(), "key", Some("one"), "two").await.unwrap());
            assert!(!tx.settings().replace(&fixtures::permit(), "key", Some("one"), "three").await.unwrap());
            assert_eq!(tx.reader().settings().get("key").await.unwrap().as_deref(), Some("two"));
        }

        async fn a_setting_is_claimed_once_until_it_is_removed(store: Store) {
            let tx = store.write().await.unwrap();
            assert!(tx.settings().claim(&fixtures::permit(), "key", "one").await.unwrap());
            assert!(!tx.settings().claim(&fixtures::permit(), "key", "two").await.unwrap());
            assert_eq!(tx.reader().settings().get("key").await.unwrap().as_deref(), Some("one"));
            tx.settings().remove(&fixtures::permit(), "key").await.unwrap();
            assert!(tx.settings().claim(&fixtures::permit(), "key", "two").await.unwrap());
        }
    }
}
