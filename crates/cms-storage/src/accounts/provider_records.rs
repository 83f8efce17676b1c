//! What sign-in providers keep: each has a place of its own, with collections of values under keys.

use cms_domain::time::Timestamp;

use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, optional_time_value, time_value},
};

/// Reads what providers keep.
#[derive(Clone, Copy)]
pub struct ProviderRecordReader<'a> {
    executor: Executor<'a>,
}

impl<'a> ProviderRecordReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The value under a key, unless its time is over.
    pub async fn get(self, provider: &str, collection: &str, key: &str, now: Timestamp) -> Result<Option<String>, Error> {
        const GET: &str = "SELECT value FROM provider_records WHERE provider = $1 AND collection = $2 AND key = $3 \
            AND (expires_at IS NULL OR expires_at > $4)";
        let values = [provider.into(), collection.into(), key.into(), time_value(now)];
        self.executor.one((GET, values)).await?.map(|row| row.read("value")).transpose()
    }

    /// How many values a provider keeps, those included whose time is over.
    pub async fn count(self, provider: &str) -> Result<i64, Error> {
        const COUNT: &str = "SELECT count(*) AS n FROM provider_records WHERE provider = $1";
        self.executor.one((COUNT, [provider.into()])).await?.map_or(Ok(0), |row| row.read("n"))
    }
}

/// Writes what providers keep.
#[derive(Clone, Copy)]
pub struct ProviderRecordWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> ProviderRecordWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Keeps a value under a key, instead of what was there.
    pub async fn put(self, provider: &str, collection: &str, key: &str, value: &str, expires_at: Option<Timestamp>) -> Result<(), Error> {
        const PUT: &str = "INSERT INTO provider_records (provider, collection, key, value, expires_at) VALUES ($1, $2, $3, $4, $5) \
            ON CONFLICT (provider, collection, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at";
        let values = [provider.into(), collection.into(), key.into(), value.into(), optional_time_value(expires_at)];
        self.executor.execute((PUT, values)).await?;
        Ok(())
    }

    /// Takes the value under a key, unless its time is over. Of several that try, one gets it.
    pub async fn take(self, provider: &str, collection: &str, key: &str, now: Timestamp) -> Result<Option<String>, Error> {
        const TAKE: &str = "DELETE FROM provider_records WHERE provider = $1 AND collection = $2 AND key = $3 RETURNING value, expires_at";
        let Some(row) = self.executor.one((TAKE, [provider.into(), collection.into(), key.into()])).await? else {
            return Ok(None);
        };
        let over = row.read_optional_time("expires_at")?.is_some_and(|at| at <= now);
        if over { Ok(None) } else { row.read("value").map(Some) }
    }

    /// Removes up to `limit` values whose time is over, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "provider_records", "expires_at <= $1", vec![time_value(now)], limit).await
    }
}

#[cfg(test)]
mod tests {
    use crate::{Store, both, fixtures};

    both! {
        async fn each_provider_has_a_place_of_its_own(store: Store) {
            let tx = store.write().await.unwrap();
            let records = tx.provider_records();
            records.put("a", "states", "k", "1", None).await.unwrap();
            records.put("a", "states", "k", "2", None).await.unwrap();
            records.put("b", "states", "k", "3", None).await.unwrap();
            let read = tx.reader().provider_records();
            assert_eq!(read.get("a", "states", "k", fixtures::at(0)).await.unwrap().as_deref(), Some("2"));
            assert_eq!(read.get("a", "other", "k", fixtures::at(0)).await.unwrap(), None);
            assert_eq!(read.count("a").await.unwrap(), 1);
            assert_eq!(records.take("b", "states", "k", fixtures::at(0)).await.unwrap().as_deref(), Some("3"));
            assert_eq!(records.take("b", "states", "k", fixtures::at(0)).await.unwrap(), None);
        }

        async fn what_is_over_is_gone(store: Store) {
            let tx = store.write().await.unwrap();
            let records = tx.provider_records();
            for key in ["k", "l"] {
                records.put("a", "states", key, "1", Some(fixtures::at(5))).await.unwrap();
            }
            assert_eq!(tx.reader().provider_records().get("a", "states", "k", fixtures::at(4)).await.unwrap().as_deref(), Some("1"));
            assert_eq!(tx.reader().provider_records().get("a", "states", "k", fixtures::at(5)).await.unwrap(), None);
            assert_eq!(records.take("a", "states", "k", fixtures::at(5)).await.unwrap(), None);
            assert_eq!(records.prune(fixtures::at(5), 100).await.unwrap(), 1);
        }
    }
}
