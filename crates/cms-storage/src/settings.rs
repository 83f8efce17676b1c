//! What the server keeps under a name.

use crate::{Error, executor::Executor, row::Row};

/// Reads settings.
#[derive(Clone, Copy)]
pub struct SettingReader<'a> {
    executor: Executor<'a>,
}

impl<'a> SettingReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The value under a name.
    pub async fn get(self, name: &str) -> Result<Option<String>, Error> {
        self.executor.one(("SELECT value FROM settings WHERE name = $1", [name.into()])).await?.map(|row| row.read("value")).transpose()
    }
}

/// Writes settings.
#[derive(Clone, Copy)]
pub struct SettingWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> SettingWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Keeps a value unless there is one, and answers with the one that is kept. Of servers that start together one wins.
    pub async fn set_if_absent(self, name: &str, value: &str) -> Result<String, Error> {
        const SET: &str = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        self.executor.execute((SET, [name.into(), value.into()])).await?;
        SettingReader::new(self.executor).get(name).await?.ok_or(Error::Busy)
    }

    /// Keeps a value if there is none. Says whether it did: of transactions at the same time one is told so.
    pub async fn claim(self, name: &str, value: &str) -> Result<bool, Error> {
        const CLAIM: &str = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        Ok(self.executor.execute((CLAIM, [name.into(), value.into()])).await? > 0)
    }

    /// Keeps another value if the one that is kept is still the known one. Says whether it did: of transactions at the same time one
    /// is told so.
    pub async fn replace(self, name: &str, known: Option<&str>, value: &str) -> Result<bool, Error> {
        const REPLACE: &str = "UPDATE settings SET value = $3 WHERE name = $1 AND value = $2";
        match known {
            None => self.claim(name, value).await,
            Some(known) => Ok(self.executor.execute((REPLACE, [name.into(), known.into(), value.into()])).await? > 0),
        }
    }

    /// Keeps a value no longer. Says whether there was one: of transactions at the same time one is told so.
    pub async fn remove(self, name: &str) -> Result<bool, Error> {
        Ok(self.executor.execute(("DELETE FROM settings WHERE name = $1", [name.into()])).await? > 0)
    }

    /// Keeps a value.
    pub async fn set(self, name: &str, value: &str) -> Result<(), Error> {
        const SET: &str = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2";
        self.executor.execute((SET, [name.into(), value.into()])).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Store, both};

    both! {
        async fn the_first_value_of_a_setting_is_kept(store: Store) {
            let tx = store.write().await.unwrap();
            assert_eq!(tx.settings().set_if_absent("key", "one").await.unwrap(), "one");
            assert_eq!(tx.settings().set_if_absent("key", "two").await.unwrap(), "one");
            tx.settings().set("key", "three").await.unwrap();
            assert_eq!(tx.reader().settings().get("key").await.unwrap().as_deref(), Some("three"));
        }

        async fn a_setting_that_changed_meanwhile_is_not_replaced(store: Store) {
            let tx = store.write().await.unwrap();
            assert!(tx.settings().replace("key", None, "one").await.unwrap());
            assert!(!tx.settings().replace("key", None, "two").await.unwrap());
            assert!(tx.settings().replace("key", Some("one"), "two").await.unwrap());
            assert!(!tx.settings().replace("key", Some("one"), "three").await.unwrap());
            assert_eq!(tx.reader().settings().get("key").await.unwrap().as_deref(), Some("two"));
        }

        async fn a_setting_is_claimed_once_until_it_is_removed(store: Store) {
            let tx = store.write().await.unwrap();
            assert!(tx.settings().claim("key", "one").await.unwrap());
            assert!(!tx.settings().claim("key", "two").await.unwrap());
            assert_eq!(tx.reader().settings().get("key").await.unwrap().as_deref(), Some("one"));
            tx.settings().remove("key").await.unwrap();
            assert!(tx.settings().claim("key", "two").await.unwrap());
        }
    }
}
