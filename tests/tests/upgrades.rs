//! An upgrade while the site is used: servers of two releases work on one database, until the newer one takes away what the older one needs.
//!
//! The newer release is played by the test: it does to the tables what its migrations would.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cms_tests::{Client, Site, posts};
use http::{Method, StatusCode};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbErr, TransactionTrait};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// How many write to each server at once.
const WRITERS: u64 = 4;
/// What an expanding migration does, and what it leaves behind.
const EXPAND: &str = "SET LOCAL lock_timeout = 2000; \
    CREATE TABLE future (id uuid NOT NULL PRIMARY KEY); \
    ALTER TABLE entries ADD COLUMN mood text; \
    INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_future', 0)";
/// What a contracting one leaves behind.
const CONTRACT: &str = "UPDATE schema_version SET min_program = 9999";
/// How long a server may take to notice that it is too old.
const NOTICED: Duration = Duration::from_secs(20);

/// Creates, changes, publishes, lists and reads posts until it is told to stop. Everything must succeed.
async fn work(client: Client, next: Arc<AtomicU64>, stop: Arc<AtomicBool>) -> u64 {
    let mut done = 0;
    while !stop.load(Ordering::Relaxed) {
        let slug = format!("post-{}", next.fetch_add(1, Ordering::Relaxed));
        let address = format!("/content/posts/{slug}");
        client.post("/content/posts", &posts::new(&slug, 1)).await;
        client.ask(Method::PUT, &address, Some(&json!({ "data": { "number": 2 } }))).await.data();
        client.post(&format!("{address}/publish"), &json!({})).await;
        client.get("/content/posts?orderBy=number&includeTotal=true").await;
        assert_eq!(client.get(&address).await["item"]["data"]["number"], 2);
        done += 1;
    }
    done
}

/// Does what a migration does: all or nothing, and again while others hold the tables.
async fn migrate(database: &DatabaseConnection, statements: &str) {
    let began = Instant::now();
    loop {
        let done: Result<(), DbErr> = async {
            let transaction = database.begin().await?;
            transaction.execute_unprepared(statements).await?;
            transaction.commit().await
        }
        .await;
        match done {
            Ok(()) => return,
            Err(error) => assert!(began.elapsed() < Duration::from_mins(1), "the tables were never free: {error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_serve_through_a_migration_that_they_do_not_know_until_one_takes_something_away() {
    let Some(site) = Site::postgres().await else { return };
    let token = site.token();
    let (one, two) = (site.serve().await, site.serve().await);
    posts::make(&one.client(&token)).await;
    let database = Database::connect(site.database()).await.unwrap();

    let (next, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut writers = JoinSet::new();
    for server in [&one, &two] {
        for _ in 0..WRITERS {
            writers.spawn(work(server.client(&token), Arc::clone(&next), Arc::clone(&stop)));
        }
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = next.load(Ordering::Relaxed);
    migrate(&database, EXPAND).await;
    // A server that starts now knows no more than the others.
    let three = site.serve().await;
    for _ in 0..WRITERS {
        writers.spawn(work(three.client(&token), Arc::clone(&next), Arc::clone(&stop)));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(next.load(Ordering::Relaxed) > before, "nobody got on after the migration");
    for server in [&one, &two, &three] {
        assert_eq!(server.readiness().await.status, StatusCode::OK);
    }
    stop.store(true, Ordering::Relaxed);
    while let Some(ended) = writers.join_next().await {
        assert!(ended.unwrap() > 0, "a writer never got to its end");
    }
    let status: Value = serde_json::from_str(&site.run(&["--json", "migrate", "status"])).unwrap();
    assert_eq!((&status["state"], &status["items"].as_array().unwrap().last().unwrap()["known"]), (&json!("ready"), &json!(false)));
    assert!(site.run(&["migrate", "up"]).contains("m9999_future"));
    site.must_be_sound();

    migrate(&database, CONTRACT).await;
    let began = Instant::now();
    for server in [&one, &two, &three] {
        let ready = server.readiness().await;
        assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(ready.body["error"]["message"].as_str().unwrap().ends_with("Run the newer program"), "{}", ready.body);
        let client = server.client(&token);
        let refused = loop {
            let reply = client.ask(Method::GET, "/content/posts?limit=1", None).await;
            if !reply.status.is_success() {
                break reply;
            }
            assert!(began.elapsed() < NOTICED, "a server works on tables that it does not know");
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        assert_eq!((refused.status, refused.code()), (StatusCode::SERVICE_UNAVAILABLE, "BUSY"));
        let written = client.ask(Method::POST, "/content/posts", Some(&posts::new("late", 1))).await;
        assert_eq!(written.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate", "up"]] {
        let refused = site.command(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && said.contains("Run the newer program"), "{arguments:?}: {said}");
    }
    drop((one, two, three));
    database.close().await.unwrap();
    site.remove().await;
}
