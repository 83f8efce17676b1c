//! What holds of connections to a SQLite file, whoever gives up when.

use std::{path::Path, time::Duration};

use tokio::time::timeout;

use crate::{Store, StoreOptions, fixtures};

pub(super) async fn open(folder: &Path) -> Store {
    let url = format!("sqlite:{}", folder.join("cms.db").display());
    let store = Store::open(&StoreOptions { max_readers: 2, ..StoreOptions::new(url) }).await.unwrap();
    store.migrate().await.unwrap();
    store
}

pub(super) async fn set(store: &Store, name: &str) {
    let tx = store.write().await.unwrap();
    tx.settings().set(&fixtures::permit(), name, "1").await.unwrap();
    tx.commit().await.unwrap();
}

pub(super) async fn has(store: &Store, name: &str) -> bool {
    store.reader().settings().get(name).await.unwrap().is_some()
}

#[tokio::test]
async fn a_writer_that_gives_up_while_another_program_writes_leaves_nothing_open() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [open(folder.path()).await, open(folder.path()).await];
    let busy = other.write().await.unwrap();
    busy.settings().set(&fixtures::permit(), "other", "1").await.unwrap();
    let waiting = async {
        let tx = one.write().await.unwrap();
        tx.settings().set(&fixtures::permit(), "given up", "1").await
    };
    timeout(Duration::from_millis(200), waiting).await.unwrap_err();
    busy.commit().await.unwrap();
    // Neither program keeps the other from writing afterwards.
    for store in [&one, &other, &one] {
        timeout(Duration::from_secs(5), set(store, "after")).await.unwrap();
    }
    assert!(has(&one, "other").await && has(&one, "after").await && !has(&one, "given up").await);
}

#[tokio::test]
async fn a_transaction_whose_first_statement_fails_writes_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let tx = store.write().await.unwrap();
    tx.executor().one("SELECT nothing FROM nowhere").await.unwrap_err();
    tx.settings().set(&fixtures::permit(), "outside", "1").await.unwrap_err();
    tx.commit().await.unwrap_err();
    assert!(!has(&store, "outside").await);
    timeout(Duration::from_secs(5), set(&store, "after")).await.unwrap();
}

#[tokio::test]
async fn a_transaction_goes_on_after_a_statement_that_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let tx = store.write().await.unwrap();
    tx.settings().set(&fixtures::permit(), "before", "1").await.unwrap();
    tx.executor().execute("INSERT INTO settings (name, value) SELECT name, value FROM settings").await.unwrap_err();
    tx.settings().set(&fixtures::permit(), "after", "1").await.unwrap();
    tx.commit().await.unwrap();
    assert!(has(&store, "before").await && has(&store, "after").await);
}

#[tokio::test]
async fn a_reader_that_gives_up_keeps_no_other_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*) FROM n";
    timeout(Duration::from_millis(100), store.reader().executor().one(long)).await.unwrap_err();
    for _ in 0..4 {
        timeout(Duration::from_secs(2), has(&store, "a")).await.unwrap();
    }
}

#[tokio::test]
async fn the_first_statement_counts_its_own_rows() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    set(&store, "a").await;
    let tx = store.write().await.unwrap();
    assert_eq!(tx.executor().execute("DELETE FROM settings WHERE name = 'b'").await.unwrap(), 0);
    assert_eq!(tx.executor().execute("DELETE FROM settings WHERE name = 'a'").await.unwrap(), 1);
}

#[tokio::test]
async fn closing_waits_for_what_is_being_done_and_tidies_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let tx = store.write().await.unwrap();
    tx.settings().set(&fixtures::permit(), "late", "1").await.unwrap();
    let closing = tokio::spawn({
        let store = store.clone();
        async move { store.close().await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!closing.is_finished());
    tx.commit().await.unwrap();
    closing.await.unwrap();
    assert!(!folder.path().join("cms.db-wal").exists());
    assert!(store.write().await.is_err(), "a closed store does not open again");
    assert!(has(&open(folder.path()).await, "late").await);
}
