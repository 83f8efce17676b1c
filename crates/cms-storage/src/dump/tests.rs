//! Dumps of one database read back into another.

use std::{collections::BTreeSet, fs, path::Path};

use cms_domain::{field::FieldType, id::EntryId};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::{
    DumpError, FORMAT, MANIFEST, Manifest, dump, restore, summarize,
    table::{DERIVED, hexadecimal},
};
use crate::{
    Store, StoredToken, Tx, both, fixtures,
    row::{Row, id_value},
    tables::archived,
    testing::{TestStore, run},
};

/// A row in every table, and 250 entries: more than a page.
/// A row in each table of the accounts; `$1` is the user's id, which serves for the rows' own ids too.
const ACCOUNTS: [&str; 12] = [
    "INSERT INTO passkeys (id, credential_id, user_id, name, credential, transports, user_verified, backup_eligible, backed_up, created_at) \
        SELECT $1, hash, user_id, 'Key', '{}', '[]', true, true, false, 1 FROM tokens WHERE user_id = $1",
    "INSERT INTO connections (id, provider, account, user_id, created_at) VALUES ($1, 'github', '7', $1, 1)",
    "INSERT INTO links (id, hash, kind, email, role, invited_by, created_at, expires_at) \
        SELECT $1, hash, 'invitation', 'new@example.com', 30, $1, 1, 2 FROM tokens WHERE user_id = $1",
    "INSERT INTO allowed_domains (domain, default_role, enabled, created_at) SELECT 'example.com', 20, true, 1 FROM users WHERE id = $1",
    "INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, registered, created_at, updated_at) \
        SELECT 'client', 'Client', '[]', '[]', true, 1, 1 FROM users WHERE id = $1",
    "INSERT INTO oauth_grants (id, client_id, user_id, scopes, created_at) VALUES ($1, 'client', $1, '[]', 1)",
    "INSERT INTO oauth_tokens (hash, grant_id, kind, created_at, expires_at) SELECT hash, $1, 'access', 1, 2 FROM tokens WHERE user_id = $1",
    "INSERT INTO preview_links (id, hash, entry_id, user_id, token_id, grant_id, created_at, expires_at) \
        SELECT $1, hash, $1, $1, id, $1, 1, 2 FROM tokens WHERE user_id = $1",
    "INSERT INTO saved_views (id, collection_id, owner_id, name, search, is_shared, created_at, updated_at) \
        VALUES ($1, $1, $1, 'Mine', '{}', true, 1, 1)",
    "INSERT INTO media_folders (id, name, name_key, created_at, updated_at) VALUES ($1, 'Portraits', 'portraits', 1, 1)",
    "INSERT INTO media (id, object_key, media_type, size, sha1, sha256, filename, filename_key, created_at, updated_at) \
        SELECT $1, 'a.png', 'image/png', 3, hash, hash, 'A.png', 'a.png', 1, 1 FROM tokens WHERE user_id = $1",
    "INSERT INTO audit (id, at, action, actor_kind, actor_id, resource_type) VALUES ($1, 1, 'user.update', 'user', $1, 'user')",
];

async fn fill(store: &Store) {
    const ENTRY: &str = "INSERT INTO entries (id, collection_id, locale, translation_group, slug, status, version, created_at, updated_at, \
            ever_live, schedule_attempts, data) VALUES ($1, $2, 'en', $1, $3, 1, 3, $4, -1, true, 0, $5)";
    const REVISION: &str = "INSERT INTO revisions (id, collection_id, entry_id, document, author_id, autosave, created_at, updated_at) \
            VALUES ($1, $2, $1, '{}', $3, true, 0, 0)";
    let tx = store.write().await.unwrap();
    let (user, collection) = (fixtures::user(1), fixtures::collection(1, "posts"));
    tx.users().insert(&fixtures::permit(), &user).await.unwrap();
    let token = StoredToken {
        id: cms_domain::id::TokenId::from_parts(1, 1),
        user: user.id,
        name: "token".to_owned(),
        prefix: "cms_pat_abcd".to_owned(),
        scopes: [cms_domain::access::Scope::Admin].into(),
        expires_at: None,
        last_used_at: Some(fixtures::at(1)),
        created_at: fixtures::at(0),
    };
    tx.tokens().insert(&fixtures::account(token.user), &token, &[0xa5; 32]).await.unwrap();
    for account in ACCOUNTS {
        tx.executor().execute((account, [id_value(user.id)])).await.unwrap();
    }
    tx.collections().insert(&fixtures::permit(), &collection).await.unwrap();
    tx.collections().insert_field(&fixtures::permit(), collection.id, &fixtures::field(7, "body", FieldType::PortableText)).await.unwrap();
    tx.collections().insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap();
    tx.settings().set(&fixtures::permit(), "preview_key", "\"ä\n\u{1f600}").await.unwrap();
    for n in 1..=250 {
        let entry = EntryId::from_parts(1, n);
        let values =
            [id_value(entry), id_value(collection.id), format!("post-{n}").into(), i64::MAX.into(), r#"{"title":"A \"b\"\n"}"#.into()];
        tx.executor().execute((ENTRY, values)).await.unwrap();
        tx.executor().execute((REVISION, [id_value(entry), id_value(collection.id), id_value(user.id)])).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// An empty dump of the tables as they are.
async fn of_nothing(store: &Store) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    dump(store, folder.path()).await.unwrap();
    folder
}

both! {
    async fn nobody_else_writes_while_a_dump_is_read_back(store: Store) {
        if store.backend() == crate::Backend::Sqlite {
            return;
        }
        let folder = of_nothing(&store).await;
        let one = store.write().await.unwrap();
        restore(&one, folder.path()).await.unwrap();
        let other = store.write().await.unwrap();
        assert!(matches!(restore(&other, folder.path()).await, Err(DumpError::Store(crate::Error::Waited))));
        let admin = store.write().await.unwrap();
        let refused = admin.users().insert(&fixtures::permit(), &fixtures::user(1)).await;
        assert!(matches!(refused, Err(crate::Error::Waited)), "{refused:?}");
        one.commit().await.unwrap();
    }

    async fn a_dump_beside_a_newer_program_is_one_of_this_program(store: Store) {
        store.tamper("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_of_the_future', 0)").await.unwrap();
        let folder = of_nothing(&store).await;
        let tx = store.write().await.unwrap();
        restore(&tx, folder.path()).await.unwrap();
    }
}

/// A dump of a store that was filled.
async fn filled(store: &Store) -> TempDir {
    fill(store).await;
    let folder = tempfile::tempdir().unwrap();
    dump(store, folder.path()).await.unwrap();
    folder
}

/// Restores into a SQLite store and answers with the error.
async fn refused(folder: &Path) -> DumpError {
    let target = TestStore::sqlite().await.unwrap();
    let error = restore(&target.store().write().await.unwrap(), folder).await.unwrap_err();
    target.remove().await.unwrap();
    error
}

/// Makes another manifest of a dump's.
fn rewrite(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join(MANIFEST);
    let mut manifest = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&path, manifest.to_string()).unwrap();
}

/// Makes a dump as it was before `preview_links` and two columns of `users` were there, one of which has a default.
fn grow_younger(folder: &Path) {
    fs::remove_file(folder.join("preview_links.ndjson")).unwrap();
    let path = folder.join("users.ndjson");
    let mut hash = Sha256::new();
    let lines = fs::read_to_string(&path).unwrap().lines().fold(String::new(), |lines, line| {
        let mut members: Map<String, Value> = serde_json::from_str(line).unwrap();
        members.retain(|name, _| name != "welcomed" && name != "avatar_url");
        lines + &serde_json::to_string(&members).unwrap() + "\n"
    });
    hash.update(&lines);
    fs::write(&path, lines).unwrap();
    rewrite(folder, |manifest| {
        let tables = manifest["tables"].as_array_mut().unwrap();
        tables.retain(|table| table["table"] != "preview_links");
        let users = tables.iter_mut().find(|table| table["table"] == "users").unwrap();
        users["sha256"] = hexadecimal(&hash.finalize()).into();
        users["columns"].as_array_mut().unwrap().retain(|column| column != "welcomed" && column != "avatar_url");
    });
}

/// Makes a dump one of the first version of the form, which did not name the columns.
fn forget_columns(folder: &Path) {
    rewrite(folder, |manifest| {
        manifest["format"] = json!(1);
        for table in manifest["tables"].as_array_mut().unwrap() {
            table.as_object_mut().unwrap().remove("columns");
        }
    });
}

/// Restores a dump that lacks a table and columns, and compares what it has.
async fn restores(folder: &Path) {
    for target in [TestStore::sqlite().await.map(Some), TestStore::postgres().await] {
        let Some(target) = target.unwrap() else { continue };
        let tx = target.store().write().await.unwrap();
        let manifest = restore(&tx, folder).await.unwrap();
        tx.commit().await.unwrap();
        let told = |manifest: &Manifest| manifest.tables.iter().map(|table| (table.rows, table.sha256.clone())).collect::<Vec<_>>();
        let again = Manifest { tables: summarize(target.store(), &manifest).await.unwrap(), ..manifest.clone() };
        assert_eq!(told(&again), told(&manifest));
        let unseen = target.store().reader().executor().one("SELECT count(*) AS n FROM users WHERE NOT welcomed AND avatar_url IS NULL");
        assert_eq!(unseen.await.unwrap().unwrap().read::<i64>("n").unwrap(), 1);
        target.remove().await.unwrap();
    }
}

/// Restores a dump of `store` into `target`; a dump of that is the same.
async fn round_trip(store: &Store, target: TestStore) {
    let folder = filled(store).await;
    let tx = target.store().write().await.unwrap();
    let restored = restore(&tx, folder.path()).await.unwrap();
    tx.commit().await.unwrap();
    assert!(restored.tables.iter().all(|table| table.rows > 0), "{restored:?}");
    let again = tempfile::tempdir().unwrap();
    assert_eq!(dump(target.store(), again.path()).await.unwrap(), restored);
    next_index_is_new(target.store().write().await.unwrap()).await;
    target.remove().await.unwrap();
}

async fn next_index_is_new(tx: Tx) {
    let collection = tx.reader().collections().all().await.unwrap().remove(0);
    let id = tx.collections().insert_index(&fixtures::permit(), collection.id, &["body".parse().unwrap()]).await.unwrap();
    assert!(id > collection.indexes[0].id);
}

both! {
    async fn a_dump_read_back_into_sqlite_is_the_same(store: Store) {
        round_trip(&store, TestStore::sqlite().await.unwrap()).await;
    }

    async fn a_dump_read_back_into_postgres_is_the_same(store: Store) {
        if let Some(target) = TestStore::postgres().await.unwrap() {
            round_trip(&store, target).await;
        }
    }

    async fn what_is_derived_is_rebuilt_after_a_restore(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = store.write().await.unwrap();
        tx.collections().insert(&fixtures::permit(), &collection).await.unwrap();
        tx.collections().insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap();
        let collection = tx.reader().collections().by_id(collection.id).await.unwrap().unwrap();
        for n in 1..=3 {
            tx.entries().insert(&fixtures::permit(), &collection, &fixtures::entry(n, &collection), None).await.unwrap();
        }
        tx.commit().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        dump(&store, folder.path()).await.unwrap();

        let target = TestStore::sqlite().await.unwrap();
        let tx = target.store().write().await.unwrap();
        restore(&tx, folder.path()).await.unwrap();
        assert!(!tx.reader().entries().check_batch(&collection, None, 10).await.unwrap().1.is_empty());
        tx.entries().rebuild_derived(&collection).await.unwrap();
        assert_eq!(tx.reader().entries().check_batch(&collection, None, 10).await.unwrap().1, []);
        assert_eq!(tx.reader().entries().check_counts(collection.id).await.unwrap(), []);
        drop(tx);
        target.remove().await.unwrap();
    }

    async fn every_table_is_dumped_whole_or_derived(store: Store) {
        const SQLITE: &str = "SELECT m.name AS t, c.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'";
        const POSTGRES: &str = "SELECT table_name::text AS t, column_name::text AS c FROM information_schema.columns \
            WHERE table_schema = current_schema()";
        let executor = store.reader().executor();
        let rows = executor.all(if executor.is_postgres() { POSTGRES } else { SQLITE }).await.unwrap();
        let columns: BTreeSet<(String, String)> = rows
            .iter()
            .map(|row| (row.read("t").unwrap(), row.read("c").unwrap()))
            .filter(|(table, _): &(String, String)| !DERIVED.contains(&table.as_str()))
            .collect();
        let dumped = archived().flat_map(|table| table.columns.iter().map(|(column, _)| (table.name.to_owned(), (*column).to_owned())));
        assert_eq!(columns, dumped.collect());
    }

    async fn what_is_written_meanwhile_is_not_in_a_dump(store: Store) {
        fill(&store).await;
        let snapshot = store.snapshot().await.unwrap();
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(2)).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(snapshot.reader().users().list(None, 10).await.unwrap().len(), 1);
        assert_eq!(store.reader().users().list(None, 10).await.unwrap().len(), 2);
    }

    async fn what_a_dump_lacks_gets_what_the_database_gives_it(store: Store) {
        let folder = filled(&store).await;
        grow_younger(folder.path());
        restores(folder.path()).await;
    }

    async fn a_dump_of_the_first_form_finds_its_columns_in_its_rows(store: Store) {
        let folder = filled(&store).await;
        grow_younger(folder.path());
        forget_columns(folder.path());
        restores(folder.path()).await;
    }

    async fn a_store_with_rows_is_not_restored_into(store: Store) {
        let folder = filled(&store).await;
        let error = restore(&store.write().await.unwrap(), folder.path()).await.unwrap_err();
        assert!(matches!(error, DumpError::NotEmpty("settings")), "{error}");
    }
}

#[tokio::test]
async fn a_changed_value_is_noticed() {
    let changed = |store| async move {
        let folder = filled(&store).await;
        let path = folder.path().join("users.ndjson");
        fs::write(&path, fs::read_to_string(&path).unwrap().replace("User 1", "User 2")).unwrap();
        assert!(matches!(refused(folder.path()).await, DumpError::Damaged { .. }));
    };
    run(TestStore::sqlite().await.map(Some), changed).await;
}

#[tokio::test]
async fn a_missing_line_is_noticed() {
    let cut = |store| async move {
        let folder = filled(&store).await;
        let path = folder.path().join("entries.ndjson");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.split_once('\n').unwrap().1).unwrap();
        assert!(matches!(refused(folder.path()).await, DumpError::Damaged { .. }));
    };
    run(TestStore::sqlite().await.map(Some), cut).await;
}

#[tokio::test]
async fn a_dump_of_a_newer_program_is_refused() {
    let newer = |store| async move {
        let folder = filled(&store).await;
        let path = folder.path().join(MANIFEST);
        fs::write(&path, fs::read_to_string(&path).unwrap().replace("m0005_server", "m0999_future")).unwrap();
        assert!(matches!(refused(folder.path()).await, DumpError::Newer(_)));
    };
    run(TestStore::sqlite().await.map(Some), newer).await;
}

#[tokio::test]
async fn a_dump_of_a_later_form_is_refused_whatever_is_in_it() {
    let later = |store| async move {
        let folder = filled(&store).await;
        rewrite(folder.path(), |manifest| *manifest = json!({ "format": FORMAT + 1, "relations": [] }));
        assert!(matches!(refused(folder.path()).await, DumpError::Newer(_)));
    };
    run(TestStore::sqlite().await.map(Some), later).await;
}

#[tokio::test]
async fn a_dump_with_a_table_or_a_column_that_nobody_knows_is_refused() {
    let unknown = |store| async move {
        for (place, name) in [("/tables/0/table", "secrets"), ("/tables/0/columns/1", "colour")] {
            let folder = tempfile::tempdir().unwrap();
            dump(&store, folder.path()).await.unwrap();
            rewrite(folder.path(), |manifest| *manifest.pointer_mut(place).unwrap() = json!(name));
            let error = refused(folder.path()).await;
            assert!(matches!(error, DumpError::Damaged { .. }), "{place}: {error}");
        }
    };
    run(TestStore::sqlite().await.map(Some), unknown).await;
}
