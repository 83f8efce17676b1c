//! What the line before the writer promises: nobody is told too early, nobody takes others along.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use proptest::prelude::*;
use tokio::{
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};

use super::AGE;
use crate::{
    Constraint, Error, Store, Tx, fixtures,
    sqlite::tests::{has, open, set},
};

/// Longer than anything here takes, and no more than anybody likes to wait for a test that hangs.
const LONG: Duration = Duration::from_secs(10);
/// Long enough for what should not happen to happen.
const WHILE: Duration = Duration::from_millis(50);

/// A statement that takes SQLite about a second.
const SLOW: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n";
async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(LONG, future).await.unwrap()
}

/// Waits until so many wait for the connection.
async fn waiting(store: &Store, n: usize) {
    within(async {
        while store.load()[1].1.waiting != n {
            sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
}

type Committing = JoinHandle<Result<(), Error>>;

async fn committed(commit: Committing) -> Result<(), Error> {
    within(commit).await.unwrap()
}

/// Somebody who is next in the line.
async fn next(store: &Store) -> JoinHandle<Tx> {
    let waited = store.load()[1].1.waiting;
    let next = tokio::spawn({
        let store = store.clone();
        async move { store.write().await.unwrap() }
    });
    waiting(store, waited + 1).await;
    next
}

async fn write(tx: &Tx, name: &str) {
    tx.settings().set(&fixtures::permit(), name, "1").await.unwrap();
}

/// Writes a row that refers to nobody, which is found out at the commit.
async fn spoil(tx: &Tx) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    // SQLite does this when it prepares the statement, and one that it knows is not prepared again.
    let defer = format!("PRAGMA defer_foreign_keys = ON -- {n}");
    let dangling =
        format!("INSERT INTO connections (id, user_id, provider, account, created_at) VALUES (x'{n:016x}', x'01', 'nobody', '{n}', 0)");
    for statement in [defer, dangling] {
        tx.executor().execute(statement.as_str()).await.unwrap();
    }
}

/// One whose part is done and who waits for the other, whose turn it is.
async fn pair(store: &Store) -> (Committing, Tx) {
    let one = store.write().await.unwrap();
    write(&one, "one").await;
    let other = next(store).await;
    let one = tokio::spawn(one.commit());
    (one, within(other).await.unwrap())
}

#[tokio::test]
async fn who_is_done_waits_for_who_is_next_and_is_told_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    write(&other, "other").await;
    sleep(WHILE).await;
    assert!(!one.is_finished() && !has(&store, "one").await);
    assert!(other.reader().settings().get("one").await.unwrap().is_some(), "they stand and fall together");
    other.commit().await.unwrap();
    assert!(has(&store, "one").await && has(&store, "other").await);
    committed(one).await.unwrap();
}

#[tokio::test]
async fn an_old_group_is_committed_although_others_wait() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    write(&other, "other").await;
    sleep(2 * AGE).await;
    let third = next(&store).await;
    within(other.commit()).await.unwrap();
    committed(one).await.unwrap();
    drop(within(third).await.unwrap());
}

#[tokio::test]
async fn who_is_dropped_takes_nobody_along() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    drop(other);
    committed(one).await.unwrap();
    let (one, other) = pair(&store).await;
    write(&other, "other").await;
    drop(other);
    committed(one).await.unwrap();
    assert!(has(&store, "one").await && !has(&store, "other").await);
}

#[tokio::test]
async fn who_fails_takes_nobody_along_whoever_comes_next() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    write(&other, "other").await;
    other.executor().one("SELECT nothing FROM nowhere").await.unwrap_err();
    let third = next(&store).await;
    other.commit().await.unwrap_err();
    let third = within(third).await.unwrap();
    write(&third, "third").await;
    sleep(WHILE).await;
    assert!(!one.is_finished(), "the third one commits for both");
    third.commit().await.unwrap();
    committed(one).await.unwrap();
    assert!(has(&store, "one").await && !has(&store, "other").await && has(&store, "third").await);
}

#[tokio::test]
async fn who_fails_at_the_last_statement_takes_nobody_along() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    for others_wait in [false, true] {
        let (one, other) = pair(&store).await;
        write(&other, "other").await;
        let third = if others_wait { Some(next(&store).await) } else { None };
        let failed = other.commit_behind("SELECT nothing FROM nowhere").await;
        assert!(matches!(failed, Err(Error::Backend(_))), "{failed:?}");
        if let Some(third) = third {
            within(third).await.unwrap().commit().await.unwrap();
        }
        committed(one).await.unwrap();
        assert!(has(&store, "one").await && !has(&store, "other").await);
    }
}

#[tokio::test]
async fn who_gives_up_in_the_middle_of_a_statement_takes_nobody_along() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    write(&other, "other").await;
    timeout(WHILE, other.executor().one(SLOW)).await.unwrap_err();
    drop(other);
    set(&store, "after").await;
    committed(one).await.unwrap();
    assert!(has(&store, "one").await && !has(&store, "other").await && has(&store, "after").await);
}

#[tokio::test]
async fn who_gives_up_while_committing_takes_nobody_along() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    for others_wait in [false, true] {
        let (one, other) = pair(&store).await;
        write(&other, "other").await;
        let third = if others_wait { Some(next(&store).await) } else { None };
        timeout(WHILE, other.commit_behind(SLOW)).await.unwrap_err();
        if let Some(third) = third {
            within(third).await.unwrap().commit().await.unwrap();
        }
        committed(one).await.unwrap();
        assert!(has(&store, "one").await && has(&store, "other").await, "what was on its way arrives");
        store.tamper("DELETE FROM settings").await.unwrap();
    }
}

#[tokio::test]
async fn who_leaves_the_line_when_their_turn_came_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let one = store.write().await.unwrap();
    write(&one, "one").await;
    // Nobody asks it again: it does not take the connection that it is given.
    let mut leaving = Box::pin(store.write());
    assert!(timeout(WHILE, &mut leaving).await.is_err());
    let one = tokio::spawn(one.commit());
    sleep(WHILE).await;
    assert!(!one.is_finished());
    drop(leaving);
    committed(one).await.unwrap();
    assert!(has(&store, "one").await);
}

#[tokio::test]
async fn the_background_begins_when_everyone_before_it_was_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let one = store.write().await.unwrap();
    write(&one, "one").await;
    let task = next(&store.in_background()).await;
    let one = tokio::spawn(one.commit());
    let task = within(task).await.unwrap();
    committed(one).await.unwrap();
    assert!(has(&store, "one").await);
    write(&task, "task").await;
    let after = next(&store).await;
    within(task.commit()).await.unwrap();
    assert!(has(&store, "task").await, "it does not wait for others either");
    within(after).await.unwrap();
}

#[tokio::test]
async fn closing_commits_what_waits() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let one = store.write().await.unwrap();
    write(&one, "one").await;
    let closing = tokio::spawn({
        let store = store.clone();
        async move { store.close().await }
    });
    waiting(&store, 1).await;
    within(one.commit()).await.unwrap();
    within(closing).await.unwrap();
    assert!(has(&open(folder.path()).await, "one").await);
}

#[tokio::test]
async fn when_everything_is_taken_back_nobody_is_told_that_it_lasts() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    // As SQLite does by itself on a disk that fails.
    let (one, other) = pair(&store).await;
    other.executor().execute("ROLLBACK").await.unwrap();
    drop(other);
    assert!(matches!(committed(one).await, Err(Error::Busy)), "nothing was stored: it may be repeated");
    let (one, other) = pair(&store).await;
    other.executor().execute("ROLLBACK").await.unwrap();
    let third = next(&store).await;
    assert!(other.commit().await.is_err());
    assert!(matches!(committed(one).await, Err(Error::Busy)));
    let third = within(third).await.unwrap();
    write(&third, "third").await;
    third.commit().await.unwrap();
    let (one, other) = pair(&store).await;
    other.executor().execute("ROLLBACK").await.unwrap();
    assert!(other.commit().await.is_err());
    assert!(matches!(committed(one).await, Err(Error::Unsure(_))), "SQLite did not say what became of it");
    assert!(!has(&store, "one").await && has(&store, "third").await);
}

#[tokio::test]
async fn a_full_disk_fails_only_who_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    for statement in ["INSERT INTO settings (name, value) VALUES ('other', $1)", "UPDATE settings SET value = $1"] {
        let (one, other) = pair(&store).await;
        other.executor().one("PRAGMA max_page_count = 1").await.unwrap();
        let full = other.executor().execute((statement, ["x".repeat(1 << 20).into()])).await;
        assert!(matches!(full, Err(Error::Full(_))), "{full:?}");
        drop(other);
        let lasts = committed(one).await.is_ok();
        assert_eq!(has(&store, "one").await, lasts);
        let tx = store.write().await.unwrap();
        tx.executor().one("PRAGMA max_page_count = 1000000").await.unwrap();
        tx.commit().await.unwrap();
        set(&store, "after").await;
        store.tamper("DELETE FROM settings").await.unwrap();
    }
}

#[tokio::test]
async fn a_commit_that_one_part_spoils_fails_for_that_part_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    spoil(&other).await;
    let refused = other.commit().await;
    assert!(matches!(refused, Err(Error::Conflict(Constraint::Reference))), "{refused:?}");
    committed(one).await.unwrap();
    assert!(has(&store, "one").await);
}

#[tokio::test]
async fn a_commit_that_fails_is_told_to_everyone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (one, other) = pair(&store).await;
    spoil(&other).await;
    let third = next(&store).await;
    let other = tokio::spawn(other.commit());
    let third = within(third).await.unwrap();
    write(&third, "third").await;
    // Then the group is old: the third one commits, although somebody waits.
    sleep(2 * AGE).await;
    let fourth = next(&store).await;
    assert!(third.commit().await.is_err());
    let fourth = within(fourth).await.unwrap();
    write(&fourth, "fourth").await;
    within(fourth.commit()).await.unwrap();
    assert!(matches!(committed(one).await, Err(Error::Busy)), "nothing was stored: it may be repeated");
    assert!(committed(other).await.is_err());
    assert!(!has(&store, "one").await && !has(&store, "third").await && has(&store, "fourth").await);
}

#[test]
fn a_runtime_that_ends_leaves_nothing_open() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ending = runtime();
    let (store, other) = ending.block_on(async {
        let store = open(folder.path()).await;
        set(&store, "before").await;
        let (_, other) = pair(&store).await;
        write(&other, "other").await;
        (store, other)
    });
    drop(ending);
    drop(other);
    runtime().block_on(async {
        assert!(has(&store, "before").await && !has(&store, "one").await && !has(&store, "other").await);
        within(set(&store, "after")).await;
        within(set(&open(folder.path()).await, "elsewhere")).await;
    });
}

/// What somebody in the line does.
#[derive(Debug, Clone, Copy)]
enum Does {
    Commits,
    /// Commits as a task does.
    CommitsAlone,
    /// Is refused by a rule, goes on, and commits.
    GoesOn,
    Fails,
    FailsLast,
    Spoils,
    IsDropped,
    /// Is dropped before it sends anything.
    SendsNothing,
    /// Is dropped at any moment, waiting, writing or committing.
    GivesUp(u64),
}

impl Does {
    /// Whether what it wrote may be there and may not.
    const fn is_unclear(self) -> bool {
        matches!(self, Self::GivesUp(_))
    }

    /// Does it, and says whether it lasts.
    async fn act(self, store: Store, name: String) -> bool {
        let store = if matches!(self, Self::CommitsAlone) { store.in_background() } else { store };
        let tx = store.write().await.unwrap();
        if matches!(self, Self::SendsNothing) {
            return false;
        }
        write(&tx, &name).await;
        match self {
            Self::IsDropped => return false,
            Self::Fails => {
                tx.executor().one("SELECT nothing FROM nowhere").await.unwrap_err();
            }
            Self::GoesOn => {
                tx.executor().execute("INSERT INTO settings (name, value) SELECT name, value FROM settings").await.unwrap_err();
            }
            Self::FailsLast => return tx.commit_behind("SELECT nothing FROM nowhere").await.is_ok(),
            Self::Spoils => spoil(&tx).await,
            _ => {}
        }
        tx.commit().await.is_ok()
    }
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        6 => Just(Does::Commits),
        1 => Just(Does::CommitsAlone),
        1 => Just(Does::GoesOn),
        1 => Just(Does::Fails),
        1 => Just(Does::FailsLast),
        1 => Just(Does::IsDropped),
        1 => Just(Does::SendsNothing),
        2 => (0..4_000_u64).prop_map(Does::GivesUp),
    ]
}

/// Has all of them act at once, and compares what they were told with what is there.
async fn play(store: &Store, all: Vec<Does>) {
    store.tamper("DELETE FROM settings").await.unwrap();
    let may_spoil = all.iter().any(|does| matches!(does, Does::Spoils));
    let mut acting = JoinSet::new();
    for (n, does) in all.into_iter().enumerate() {
        let (store, name) = (store.clone(), n.to_string());
        acting.spawn(async move {
            let act = does.act(store.clone(), name.clone());
            let told = match does {
                Does::GivesUp(micros) => timeout(Duration::from_micros(micros), act).await.unwrap_or(false),
                _ => act.await,
            };
            assert!(!told || has(&store, &name).await, "{does:?} was told that it lasts");
            assert!(told || may_spoil || !matches!(does, Does::Commits | Does::CommitsAlone | Does::GoesOn), "{does:?} fell with another");
            (does, name, told)
        });
    }
    let done = within(acting.join_all()).await;
    // Nothing is open: somebody else writes.
    within(set(store, "after")).await;
    for (does, name, told) in done {
        assert!(does.is_unclear() || has(store, &name).await == told, "{does:?} was told {told}");
    }
}

fn plays(who: impl Strategy<Value = Does>, cases: u32) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = runtime.block_on(open(folder.path()));
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(all in prop::collection::vec(who, 1..40))| runtime.block_on(play(&store, all)));
    runtime.block_on(store.close());
}

#[test]
fn what_becomes_of_one_is_what_it_is_told_whatever_others_do() {
    plays(does(), 100);
}

#[test]
fn nobody_is_told_that_it_lasts_though_a_commit_fails() {
    plays(prop_oneof![5 => does(), 1 => Just(Does::Spoils)], 100);
}
