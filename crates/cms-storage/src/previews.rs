//! Preview links that no longer count.

use cms_domain::{access::Permit, id::EntryId, time::Timestamp};

use crate::{
    Error,
    executor::Executor,
    row::{Row, id_value, time_value},
};

/// Reads revocations of preview links.
#[derive(Clone, Copy)]
pub struct PreviewReader<'a> {
    executor: Executor<'a>,
}

impl<'a> PreviewReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The instant up to which an entry's links were made in vain.
    pub async fn revoked_before(self, entry: EntryId) -> Result<Option<Timestamp>, Error> {
        const GET: &str = "SELECT revoked_before FROM preview_revocations WHERE entry_id = $1";
        self.executor.one((GET, [id_value(entry)])).await?.map(|row| row.read_time("revoked_before")).transpose()
    }
}

/// Writes revocations of preview links.
#[derive(Clone, Copy)]
pub struct PreviewWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> PreviewWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Revokes every link to an entry that was made before an instant. A revocation is never taken back.
    pub async fn revoke(self, _: &Permit, entry: EntryId, before: Timestamp) -> Result<(), Error> {
        const REVOKE: &str = "INSERT INTO preview_revocations AS known (entry_id, revoked_before) VALUES ($1, $2) \
            ON CONFLICT (entry_id) DO UPDATE SET revoked_before = $2 WHERE known.revoked_before < $2";
        self.executor.execute((REVOKE, [id_value(entry), time_value(before)])).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    both! {
        async fn a_revocation_is_never_taken_back(store: Store) {
            let entry = EntryId::from_parts(1, 1);
            let tx = store.write().await.unwrap();
            assert_eq!(tx.reader().previews().revoked_before(entry).await.unwrap(), None);
            for at in [5, 9, 7] {
                tx.previews().revoke(&fixtures::permit(), entry, fixtures::at(at)).await.unwrap();
            }
            assert_eq!(tx.reader().previews().revoked_before(entry).await.unwrap(), Some(fixtures::at(9)));
        }
    }
}
