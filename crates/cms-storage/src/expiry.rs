//! Removing rows that nobody needs any more: so many at a time, that nobody else waits for it long.

use sea_orm::Value;

use crate::{Error, executor::Executor};

/// Removes up to `limit` rows of a table that meet a condition, and says how many. None are left when that is fewer than `limit`.
///
/// A row that changes meanwhile stays: whoever changed it may need it, and the next time tells.
pub(crate) async fn remove(
    executor: Executor<'_>,
    table: &str,
    condition: &str,
    mut values: Vec<Value>,
    limit: usize,
) -> Result<u64, Error> {
    values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
    let limit = values.len();
    // Rows are named by where they are, which both databases find without an index and PostgreSQL without a join.
    let text = if executor.is_postgres() {
        // A row that changed while this waited for it is looked at again, and only what stands outside of the list is asked of it then.
        format!("DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} WHERE {condition} LIMIT ${limit})) AND ({condition})")
    } else {
        format!("DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} WHERE {condition} LIMIT ${limit})")
    };
    executor.execute((text, values)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures::at, row::time_value};

    both! {
        async fn rows_go_a_few_at_a_time_until_fewer_are_left(store: Store) {
            let tx = store.write().await.unwrap();
            for n in 1..=7_u8 {
                let insert = ("INSERT INTO challenges (hash, kind, data, expires_at) VALUES ($1, 'a', '{}', $2)", [vec![n].into(), time_value(at(n.into()))]);
                tx.executor().execute(insert).await.unwrap();
            }
            let mut removed = Vec::new();
            for _ in 0..3 {
                removed.push(remove(tx.executor(), "challenges", "expires_at <= $1", vec![time_value(at(5))], 2).await.unwrap());
            }
            assert_eq!(removed, [2, 2, 1]);
            let left = tx.executor().all("SELECT expires_at FROM challenges").await.unwrap();
            assert_eq!(left.len(), 2);
        }
    }
}
