//! Everything in one file, and back: dumps of the database in archives, and what is derived computed again.

use std::{
    io::BufWriter,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use cms_domain::time::Timestamp;
use cms_storage::{Manifest, SchemaState, Store, TableSummary};
use tempfile::{NamedTempFile, TempDir};

use crate::archive::{self, About};

/// Writes an archive, whole or not at all, for its owner's eyes only. The server may go on writing meanwhile. What goes into it is gathered
/// in `temp`, or beside it.
pub(crate) async fn save(store: &Store, path: &Path, temp: Option<&Path>, replace: bool, now: Timestamp) -> anyhow::Result<Manifest> {
    let unwritable = || format!("cannot write `{}`", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let state = store.schema_state().await?;
    if state != SchemaState::Ready {
        bail!("nothing was saved: {state}");
    }
    let newer = store.versions().await?.unknown();
    if !newer.is_empty() {
        tracing::warn!(
            migrations = newer.join(", "),
            "a newer program added to the tables: what it keeps there is in its own backups only"
        );
    }
    let rows = temporary(Some(temp.unwrap_or(&folder)))?;
    let manifest = cms_storage::dump(store, rows.path()).await?;
    let file = NamedTempFile::new_in(&folder).with_context(unwritable)?;
    archive::pack(rows.path(), now, BufWriter::new(&file)).with_context(unwritable)?;
    file.as_file().sync_all()?;
    if replace {
        file.persist(path).with_context(unwritable)?;
    } else {
        file.persist_noclobber(path).with_context(unwritable)?;
    }
    Ok(manifest)
}

/// Reads an archive into an empty database, in one transaction: one that is damaged leaves nothing behind. Afterwards every row
/// is compared with the archive, which is unpacked in `temp`, or where the system keeps temporary files.
pub(crate) async fn restore(store: &Store, path: &Path, temp: Option<&Path>) -> anyhow::Result<(About, Manifest)> {
    let files = temporary(temp)?;
    let about = archive::unpack(path, files.path())?;
    store.migrate().await.context("the tables could not be made")?;
    let tx = store.write().await?;
    let manifest = cms_storage::restore(&tx, files.path()).await?;
    for collection in tx.reader().collections().all().await? {
        tx.entries().rebuild_derived(&collection).await?;
    }
    for (orphan, _, _) in tx.reader().collections().orphans().await? {
        tx.entries().rebuild_counts(orphan).await?;
    }
    tx.entries().learn().await?;
    tx.commit().await?;
    verify(store, &manifest).await?;
    Ok((about, manifest))
}

/// A folder for the rows, for its owner's eyes only, which goes when it is not needed any more. One that is left behind has a name to know it
/// by.
fn temporary(within: Option<&Path>) -> anyhow::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cms-rows-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    match within {
        Some(folder) => builder
            .tempdir_in(folder)
            .with_context(|| format!("cannot make a temporary folder in `{}`: name another place with `--temp`", folder.display())),
        None => builder.tempdir().context("cannot make a temporary folder: name a place for it with `--temp`"),
    }
}

/// Compares what the archive has with the rows that are there now. What came later than the archive is not compared.
async fn verify(store: &Store, manifest: &Manifest) -> anyhow::Result<()> {
    let restored = cms_storage::summarize(store, manifest).await?;
    let is_there = |saved: &&TableSummary| {
        restored.iter().any(|table| (&table.table, table.rows, &table.sha256) == (&saved.table, saved.rows, &saved.sha256))
    };
    match manifest.tables.iter().find(|saved| !is_there(saved)) {
        Some(saved) => bail!("the table {} is not as it was saved: do not use this database", saved.table),
        None => Ok(()),
    }
}

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use cms_core::{
        content::entries::{create::CreateEntry, update::UpdateEntry},
        testing::{TestApp, TestStore},
    };
    use cms_domain::user::Role;
    use serde_json::json;

    use super::*;
    use crate::{
        doctor::{self, Status},
        testing::{on_both, site},
    };

    /// Restores into an empty database and looks for damage there.
    async fn brought_back(target: TestStore, archive: &Path) -> Manifest {
        let (_, manifest) = restore(target.store(), archive, None).await.unwrap();
        let checks = doctor::examine(target.store(), Timestamp::from_milliseconds(0)).await;
        assert!(checks.iter().all(|check| check.status < Status::Fail), "{checks:?}");
        target.remove().await.unwrap();
        manifest
    }

    async fn into_either(archive: &Path) -> Vec<Manifest> {
        let mut restored = vec![brought_back(TestStore::sqlite().await.unwrap(), archive).await];
        if let Some(postgres) = TestStore::postgres().await.unwrap() {
            restored.push(brought_back(postgres, archive).await);
        }
        restored
    }

    /// Creates and changes entries until it is told to stop.
    async fn keep_writing(app: TestApp, stop: &AtomicBool) {
        for n in 0.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let title = format!("written meanwhile {n}");
            let created =
                app.call::<CreateEntry>(Role::Admin, json!({ "collection": "posts", "status": "published", "data": { "title": title } }));
            let id = created.await.unwrap()["item"]["id"].clone();
            app.call::<UpdateEntry>(Role::Admin, json!({ "collection": "posts", "id": id, "data": { "title": "staged" } })).await.unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_backup_made_while_writing_is_one_moment_and_comes_back_into_either_database() {
        on_both(async |store| {
            let app = site(store).await;
            let folder = tempfile::tempdir().unwrap();
            let archive = folder.path().join("a.tar.gz");
            let stop = std::sync::Arc::new(AtomicBool::new(false));
            let writing = tokio::spawn({
                let stop = stop.clone();
                async move { keep_writing(app, &stop).await }
            });
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            let manifest = save(store.store(), &archive, None, false, Timestamp::from_milliseconds(0)).await.unwrap();
            stop.store(true, Ordering::Relaxed);
            writing.await.unwrap();
            for restored in into_either(&archive).await {
                assert_eq!(restored.tables, manifest.tables);
            }
        })
        .await;
    }

    #[tokio::test]
    async fn a_database_that_is_not_empty_is_not_restored_into() {
        on_both(async |store| {
            site(store).await;
            let folder = tempfile::tempdir().unwrap();
            let archive = folder.path().join("a.tar.gz");
            save(store.store(), &archive, None, false, Timestamp::from_milliseconds(0)).await.unwrap();
            let error = restore(store.store(), &archive, None).await.unwrap_err();
            assert!(error.to_string().contains("not empty"), "{error:#}");
        })
        .await;
    }

    #[tokio::test]
    async fn a_file_is_not_written_over_unless_that_is_asked_for() {
        let store = TestStore::sqlite().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.tar.gz");
        std::fs::write(&archive, "mine").unwrap();
        assert!(save(store.store(), &archive, None, false, Timestamp::from_milliseconds(0)).await.is_err());
        assert_eq!(std::fs::read_to_string(&archive).unwrap(), "mine");
        save(store.store(), &archive, None, true, Timestamp::from_milliseconds(0)).await.unwrap();
        // Nothing else is left beside it.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        store.remove().await.unwrap();
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_its_owner_can_read_a_backup() {
        use std::os::unix::fs::PermissionsExt;
        let store = TestStore::sqlite().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.tar.gz");
        save(store.store(), &archive, None, false, Timestamp::from_milliseconds(0)).await.unwrap();
        assert_eq!(std::fs::metadata(&archive).unwrap().permissions().mode() & 0o777, 0o600);
        for within in [None, Some(folder.path())] {
            let rows = temporary(within).unwrap();
            assert_eq!(std::fs::metadata(rows.path()).unwrap().permissions().mode() & 0o777, 0o700);
        }
        store.remove().await.unwrap();
    }

    #[tokio::test]
    async fn what_a_newer_program_changed_is_not_saved_as_if_it_were_whole() {
        on_both(async |store| {
            site(store).await;
            let folder = tempfile::tempdir().unwrap();
            let archive = folder.path().join("a.tar.gz");
            store.store().tamper("UPDATE schema_version SET min_program = 9999").await.unwrap();
            let error = save(store.store(), &archive, None, false, Timestamp::from_milliseconds(0)).await.unwrap_err();
            assert!(error.to_string().contains("Run the newer program"), "{error:#}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        })
        .await;
    }
}
