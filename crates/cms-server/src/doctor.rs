//! Looks for damage: each check says whether it passed, and what it found.

use std::{collections::BTreeMap, fmt::Display, time::Duration};

use cms_core::tasks::driver::MISSED_AFTER;
use cms_domain::{
    collection::{Collection, IndexState},
    entry::Entry,
    id::{CollectionId, EntryId},
    slug::FieldSlug,
    time::Timestamp,
    user::Role,
};
use cms_storage::{Backend, Disagreement, Mending, Reader, SchemaState, Store, Versions};
use serde::Serialize;

/// How many entries are looked at in one go.
const BATCH: usize = 500;
/// How many findings of one check are told. Whoever has more mends the first ones and looks again.
const TOLD: usize = 20;
/// How late a publication may be before somebody should look: every server looks at least every 30 seconds.
const LATE: Duration = Duration::from_mins(5);

/// How long a line of the audit log may wait to be sealed before somebody should look: a running server takes a second or two.
const UNSEALED: Duration = Duration::from_mins(1);

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    /// What was looked at.
    pub(crate) name: &'static str,
    /// Whether it is well.
    pub(crate) status: Status,
    /// What was seen.
    pub(crate) message: String,
    /// What is wrong, one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) findings: Vec<String>,
}

/// Whether what was looked at is well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Pass,
    /// Somebody should look.
    Warn,
    /// Something is broken.
    Fail,
}

impl Check {
    fn pass(name: &'static str, message: impl Display) -> Self {
        Self { name, status: Status::Pass, message: message.to_string(), findings: Vec::new() }
    }

    /// Passes when nothing was found; otherwise `bad`, with what was found.
    fn of(name: &'static str, good: impl Display, bad: Status, found: Vec<String>) -> Self {
        match found.len() {
            0 => Self::pass(name, good),
            n => {
                let message = if n == 1 { "1 finding".to_owned() } else { format!("{n} findings") };
                Self { name, status: bad, message, findings: found.into_iter().take(TOLD).collect() }
            }
        }
    }

    fn failed(name: &'static str, error: impl Display) -> Self {
        Self { name, status: Status::Fail, message: error.to_string(), findings: Vec::new() }
    }
}

/// Every check. All but the first two see the same moment, so that a server may go on writing.
pub(crate) async fn examine(store: &Store, now: Timestamp) -> Vec<Check> {
    let mut checks = vec![migrations(store).await];
    if checks[0].status == Status::Fail {
        return checks;
    }
    checks.extend(file(store).await);
    let snapshot = match store.snapshot().await {
        Ok(snapshot) => snapshot,
        Err(error) => {
            checks.push(Check::failed("database", error));
            return checks;
        }
    };
    let reader = snapshot.reader();
    let results = [
        ("users", users(reader).await),
        ("collections", collections(reader).await),
        ("orphans", orphans(reader).await),
        ("indexes", indexes(reader).await),
        ("entries", entries(reader).await),
        ("revisions", revisions(reader).await),
        ("translations", translations(reader).await),
        ("derived rows", derived(reader).await),
        ("strays", strays(reader).await),
        ("schedule", schedule(reader, now).await),
        ("tasks", tasks(reader, now).await),
        ("audit log", audit(reader, now).await),
    ];
    checks.extend(results.into_iter().map(|(name, result)| result.unwrap_or_else(|error| Check::failed(name, error))));
    checks
}

/// Mends what is derived and does not agree with the entries, and removes what belongs to nothing: as many entries at a time as nobody waits for, so that
/// servers may go on.
pub(crate) async fn repair(store: &Store) -> Result<()> {
    let rows = store.reader();
    for collection in rows.collections().all().await? {
        for mending in [Mending::Remove, Mending::Add] {
            mend(store, &collection, mending).await?;
        }
        recount(store, collection.id).await?;
    }
    for (orphan, _, _) in rows.collections().orphans().await? {
        recount(store, orphan).await?;
    }
    if !rows.entries().check_strays().await?.is_empty() {
        let tx = store.write().await?;
        tx.entries().remove_strays().await?;
        tx.commit().await?;
    }
    let tx = store.write().await?;
    tx.entries().learn().await?;
    tx.commit().await
}

/// Mends the derived rows of a collection's entries where they are wrong.
async fn mend(store: &Store, known: &Collection, mending: Mending) -> Result<()> {
    let mut after = None;
    loop {
        let (progress, wrong) = store.reader().entries().check_batch(known, after, BATCH).await?;
        if !wrong.is_empty() {
            let tx = store.write().await?;
            tx.collections().hold(known.id).await?;
            // It may have changed, or gone, before it was held.
            if let Some(collection) = tx.reader().collections().by_id(known.id).await? {
                tx.entries().mend_batch(&collection, after, BATCH, mending).await?;
            }
            tx.commit().await?;
        }
        match progress.last {
            Some(last) => after = Some(last),
            None => return Ok(()),
        }
    }
}

/// Counts the entries of a collection again if the counts are wrong.
async fn recount(store: &Store, collection: CollectionId) -> Result<()> {
    if store.reader().entries().check_counts(collection).await?.is_empty() {
        return Ok(());
    }
    let tx = store.write().await?;
    // Nobody writes its entries meanwhile.
    tx.collections().hold_alone(collection).await?;
    tx.entries().rebuild_counts(collection).await?;
    tx.commit().await
}

type Result<T> = std::result::Result<T, cms_storage::Error>;

async fn migrations(store: &Store) -> Check {
    match store.versions().await.map(|versions| (versions.state(), versions.unknown().len())) {
        Ok((SchemaState::Ready, 0)) => Check::pass("migrations", format!("all {} applied", Versions::newest())),
        Ok((SchemaState::Ready, newer)) => {
            Check::pass("migrations", format!("all {} applied, and {newer} of a newer program", Versions::newest()))
        }
        Ok((state, _)) => Check::failed("migrations", state),
        Err(error) => Check::failed("migrations", error),
    }
}

/// The file of a SQLite database.
async fn file(store: &Store) -> Option<Check> {
    (store.backend() == Backend::Sqlite).then_some(())?;
    Some(match store.reader().entries().check_file().await {
        Ok(found) => Check::of("file", "the file is sound", Status::Fail, found),
        Err(error) => Check::failed("file", error),
    })
}

async fn users(reader: Reader<'_>) -> Result<Check> {
    let (mut users, mut admins, mut after) = (0, 0, None);
    loop {
        let page = reader.users().list(after, BATCH).await?;
        users += page.len();
        admins += page.iter().filter(|user| user.role == Role::Admin && !user.disabled).count();
        match page.last() {
            Some(last) if page.len() == BATCH => after = Some(last.id),
            _ => break,
        }
    }
    let missing = (admins == 0).then(|| "there is no admin: make one with `cms admin create`".to_owned());
    Ok(Check::of("users", format!("{users} users, {admins} of them admins"), Status::Warn, missing.into_iter().collect()))
}

async fn collections(reader: Reader<'_>) -> Result<Check> {
    Ok(Check::pass("collections", format!("{} collections", reader.collections().all().await?.len())))
}

async fn orphans(reader: Reader<'_>) -> Result<Check> {
    let orphans = reader.collections().orphans().await?;
    let found = orphans.iter().map(|(_, slug, entries)| format!("{entries} entries of `{slug}`, which is not a collection")).collect();
    Ok(Check::of("orphans", "all content has its collection", Status::Warn, found))
}

async fn indexes(reader: Reader<'_>) -> Result<Check> {
    let (mut ready, mut found) = (0, Vec::new());
    for collection in reader.collections().all().await? {
        for index in &collection.indexes {
            let fields = index.fields.iter().map(FieldSlug::as_str).collect::<Vec<_>>().join(", ");
            match &index.state {
                IndexState::Ready => ready += 1,
                IndexState::Building { done, total, attempts, last_error } => {
                    let error = last_error.as_ref().map(|error| format!("; failed {attempts} times: {error}")).unwrap_or_default();
                    found.push(format!("`{}` ({fields}) is being built: {done} of {total}{error}", collection.slug));
                }
            }
        }
    }
    Ok(Check::of("indexes", format!("{ready} indexes are ready"), Status::Warn, found))
}

/// Whether every entry can be read, and stands where an entry can stand.
async fn entries(reader: Reader<'_>) -> Result<Check> {
    let (mut seen, mut found) = (0, Vec::new());
    let known = reader.collections().all().await?.into_iter().map(|collection| collection.id);
    let orphaned = reader.collections().orphans().await?.into_iter().map(|(id, _, _)| id);
    for collection in known.chain(orphaned) {
        let mut after: Option<EntryId> = None;
        loop {
            let page = reader.entries().by_collection(collection, after, BATCH).await?;
            seen += page.len();
            found.extend(page.iter().filter_map(unsound));
            match page.last() {
                Some(last) if page.len() == BATCH => after = Some(last.id),
                _ => break,
            }
        }
    }
    Ok(Check::of("entries", format!("{seen} entries are sound"), Status::Fail, found))
}

fn unsound(entry: &Entry) -> Option<String> {
    if !entry.lifecycle.is_sound() || entry.lifecycle.has_draft != entry.draft.is_some() {
        return Some(format!("{}: its state is one that no entry can be in", entry.id));
    }
    let unreadable = std::iter::once(&entry.live).chain(&entry.draft).any(|document| document.data.as_stored().members().is_err());
    unreadable.then(|| format!("{}: its content cannot be read", entry.id))
}

/// Whether index, unique, reference and count rows are those that the entries give.
async fn derived(reader: Reader<'_>) -> Result<Check> {
    let (mut seen, mut found) = (0, Vec::new());
    for collection in reader.collections().all().await? {
        seen += derived_of(reader, &collection, &mut found).await?;
        found.extend(reader.entries().check_counts(collection.id).await?);
    }
    for (orphan, _, _) in reader.collections().orphans().await? {
        found.extend(reader.entries().check_counts(orphan).await?);
    }
    Ok(told("derived rows", &format!("the rows of {seen} entries agree with them"), Status::Fail, found))
}

async fn derived_of(reader: Reader<'_>, collection: &Collection, found: &mut Vec<Disagreement>) -> Result<u64> {
    let (mut seen, mut after) = (0, None);
    loop {
        let (progress, disagreements) = reader.entries().check_batch(collection, after, BATCH).await?;
        seen += progress.entries;
        found.extend(disagreements);
        after = progress.last;
        if after.is_none() {
            return Ok(seen);
        }
    }
}

fn told(name: &'static str, good: &str, bad: Status, found: Vec<Disagreement>) -> Check {
    let word = |found: Disagreement| match found.entry {
        Some(entry) => format!("{}: {entry}: {}", found.table, found.message),
        None => format!("{}: {}", found.table, found.message),
    };
    Check::of(name, good, bad, found.into_iter().map(word).collect())
}

async fn revisions(reader: Reader<'_>) -> Result<Check> {
    let found = reader.entries().check_revisions().await?;
    Ok(told("revisions", "every revision that is named is there", Status::Fail, found))
}

async fn translations(reader: Reader<'_>) -> Result<Check> {
    let found = reader.entries().check_groups().await?;
    Ok(told("translations", "all translations of an entry are of its collection", Status::Fail, found))
}

/// Whether every row has its entry, and belongs to something. What is left of a field or an index that is gone harms nobody: it stays when somebody ends the
/// job that clears it.
async fn strays(reader: Reader<'_>) -> Result<Check> {
    let found = reader.entries().check_strays().await?;
    let bad = if found.iter().all(|found| found.entry.is_none()) { Status::Warn } else { Status::Fail };
    Ok(told("strays", "every row has its entry", bad, found))
}

/// Whether the lines of the audit log are those that were sealed, in their order, and none waits for long to be sealed.
async fn audit(reader: Reader<'_>, now: Timestamp) -> Result<Check> {
    let chain = reader.audit().check_chain(now.before(UNSEALED)).await?;
    if let Some(flaw) = chain.flaw {
        return Ok(Check::of("audit log", "", Status::Fail, vec![flaw.to_string()]));
    }
    let seen = format!("{} lines are as they were sealed, up to {}", chain.lines, chain.last);
    let waiting = (chain.unsealed > 0).then(|| format!("{} lines wait to be sealed, which a running server does at once", chain.unsealed));
    Ok(Check::of("audit log", seen, Status::Warn, waiting.into_iter().collect()))
}

async fn schedule(reader: Reader<'_>, now: Timestamp) -> Result<Check> {
    let late = reader.entries().due(now.before(LATE), TOLD + 1).await?;
    let begin = late.iter().map(|due| format!("{} was due at {}", due.entry, due.planned));
    let ending = reader.entries().ending(now.before(LATE), TOLD + 1).await?;
    let end = ending.iter().map(|(entry, planned)| format!("{entry} was to be unpublished at {planned}"));
    let found = begin.chain(end).collect();
    Ok(Check::of("schedule", "nothing is overdue", Status::Warn, found))
}

/// How the tasks of the servers are doing that run, or did not say that they stop.
async fn tasks(reader: Reader<'_>, now: Timestamp) -> Result<Check> {
    let tasks = reader.tasks().all().await?;
    let mut servers: BTreeMap<&str, Option<Timestamp>> = BTreeMap::new();
    for task in &tasks {
        let last = servers.entry(&task.node).or_default();
        *last = (*last).max(task.last_started_at);
    }
    let mut found: Vec<_> = tasks
        .iter()
        .filter_map(|task| {
            let error = task.last_error.as_ref()?;
            Some(format!("{} of the server {} failed {} times in a row: {error}", task.name, task.node, task.attempts))
        })
        .collect();
    let silent = servers.iter().filter_map(|(node, last)| last.filter(|last| *last < now.before(MISSED_AFTER)).map(|last| (node, last)));
    found.extend(silent.map(|(node, last)| format!("nothing was heard of the server {node} since {last}: it was killed, or it hangs")));
    let hooks = reader.followers().all().await?;
    found.extend(
        hooks.iter().filter_map(|hook| Some(format!("the hook {} failed when it was told of a change: {}", hook.id, hook.error.as_ref()?))),
    );
    Ok(Check::of("tasks", format!("the tasks of {} servers are well", servers.len()), Status::Warn, found))
}

#[cfg(test)]
mod tests {
    use cms_core::content::{entries::create::CreateEntry, schema::create_collection::CreateCollection};
    use cms_storage::StoreOptions;
    use serde_json::json;

    use super::*;
    use crate::testing::{damage, on_both, site};

    /// The names of the checks that do not pass.
    async fn ill(store: &Store) -> Vec<(&'static str, Status)> {
        let checks = examine(store, Timestamp::MIN).await;
        checks.into_iter().filter(|check| check.status != Status::Pass).map(|check| (check.name, check.status)).collect()
    }

    /// Damages a site in some way, has it found, and mended where it is derived.
    async fn finds(statement: &str, found: &'static str, mends: bool) {
        finds_as(statement, (found, Status::Fail), mends).await;
    }

    async fn finds_as(statement: &str, found: (&'static str, Status), mends: bool) {
        on_both(async |store| {
            site(store).await;
            assert_eq!(ill(store.store()).await, [], "before");
            damage(store, statement).await;
            assert_eq!(ill(store.store()).await, [found], "{statement}");
            repair(store.store()).await.unwrap();
            let left = ill(store.store()).await;
            assert_eq!(left.is_empty(), mends, "after the repair: {left:?}");
        })
        .await;
    }

    #[tokio::test]
    async fn a_missing_index_row_is_found_and_mended() {
        finds("DELETE FROM entry_index WHERE stage = 0", "derived rows", true).await;
    }

    #[tokio::test]
    async fn a_missing_unique_row_is_found_and_mended() {
        finds("DELETE FROM entry_unique", "derived rows", true).await;
    }

    #[tokio::test]
    async fn a_missing_reference_is_found_and_mended() {
        finds("DELETE FROM entry_references WHERE stage = 0", "derived rows", true).await;
    }

    #[tokio::test]
    async fn a_wrong_count_is_found_and_mended() {
        finds("UPDATE entry_counts SET n = n + 1 WHERE status = 1", "derived rows", true).await;
    }

    #[tokio::test]
    async fn a_row_of_no_entry_is_found_and_mended() {
        // Ids of revisions are none of entries.
        let locks = "INSERT INTO edit_locks (entry_id, user_id, acquired_at, expires_at) SELECT id, id, 0, 0 FROM revisions";
        finds(locks, "strays", true).await;
    }

    #[tokio::test]
    async fn what_is_left_of_a_field_that_is_gone_is_told_and_mended() {
        let left = "INSERT INTO entry_unique (field_id, locale, key, entry_id) SELECT entry_id, locale, key, entry_id FROM entry_unique";
        finds_as(left, ("strays", Status::Warn), true).await;
    }

    #[tokio::test]
    async fn a_revision_that_is_gone_is_found() {
        finds("DELETE FROM revisions", "revisions", false).await;
    }

    #[tokio::test]
    async fn translations_of_several_collections_are_found() {
        on_both(async |store| {
            let app = site(store).await;
            app.call::<CreateCollection>(Role::Admin, json!({ "slug": "pages", "label": "Pages" })).await.unwrap();
            app.call::<CreateEntry>(Role::Admin, json!({ "collection": "pages", "data": {} })).await.unwrap();
            assert_eq!(ill(store.store()).await, []);
            let join = "UPDATE entries SET locale = 'xx', translation_group = (SELECT other.translation_group FROM entries other \
                        WHERE other.collection_id <> entries.collection_id LIMIT 1) \
                        WHERE collection_id = (SELECT id FROM content_types WHERE slug = 'pages')";
            damage(store, join).await;
            repair(store.store()).await.unwrap();
            assert_eq!(ill(store.store()).await, [("translations", Status::Fail)]);
        })
        .await;
    }

    #[tokio::test]
    async fn a_line_of_the_audit_log_that_was_changed_is_found() {
        finds("UPDATE audit SET details = NULL WHERE number = 2", "audit log", false).await;
    }

    #[tokio::test]
    async fn a_line_of_the_audit_log_that_nobody_seals_is_told() {
        on_both(async |store| {
            site(store).await;
            damage(store, "DELETE FROM settings WHERE name = 'audit_chain'").await;
            damage(store, "UPDATE audit SET number = NULL, hash = NULL, at = 0").await;
            let checks = examine(store.store(), Timestamp::from_milliseconds(1).after(UNSEALED)).await;
            let check = checks.iter().find(|check| check.name == "audit log").unwrap();
            assert_eq!((check.status, check.findings.len()), (Status::Warn, 1), "{check:?}");
        })
        .await;
    }

    #[tokio::test]
    async fn a_state_that_no_entry_can_be_in_is_found() {
        finds("UPDATE entries SET published_at = NULL WHERE status = 1 AND draft IS NULL", "entries", false).await;
    }

    #[tokio::test]
    async fn one_check_that_cannot_read_does_not_keep_the_others_from_looking() {
        on_both(async |store| {
            site(store).await;
            damage(store, "UPDATE entries SET draft = '{' WHERE draft IS NOT NULL").await;
            damage(store, "DELETE FROM users").await;
            assert_eq!(ill(store.store()).await, [("users", Status::Warn), ("entries", Status::Fail), ("derived rows", Status::Fail)]);
        })
        .await;
    }

    #[tokio::test]
    async fn tables_that_are_not_up_to_date_are_told() {
        let options = StoreOptions { max_readers: 1, ..StoreOptions::new("sqlite::memory:") };
        let store = Store::open(&options).await.unwrap();
        assert_eq!(ill(&store).await, [("migrations", Status::Fail)]);
    }

    #[tokio::test]
    async fn what_is_overdue_is_told() {
        on_both(async |store| {
            site(store).await;
            damage(store, "UPDATE entries SET status = 2, scheduled_at = 5 WHERE status = 0").await;
            repair(store.store()).await.unwrap();
            let checks = examine(store.store(), Timestamp::from_milliseconds(0).after(LATE)).await;
            assert!(checks.iter().all(|check| check.status == Status::Pass), "{checks:?}");
            let checks = examine(store.store(), Timestamp::from_milliseconds(10).after(LATE)).await;
            assert_eq!(checks.iter().find(|check| check.status != Status::Pass).map(|check| check.name), Some("schedule"));
        })
        .await;
    }
}
