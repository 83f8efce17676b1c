//! `kill -9` while 64 writers write: nothing that was acknowledged is lost, and nothing is half done.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use cms_tests::{Client, Site, posts};
use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

const ROUNDS: u32 = 10;
const WRITERS: u64 = 64;
/// How long the first write of a round may take on a busy machine.
const BEGINS: Duration = Duration::from_secs(30);

/// What the server acknowledged of one post.
#[derive(Debug, Clone, Copy, Default)]
struct Acknowledged {
    number: u64,
    published: bool,
}

type Ledger = Arc<Mutex<HashMap<String, Acknowledged>>>;

/// Creates posts, changes them and publishes them until the server is gone. Only what is acknowledged is noted.
async fn write(client: Client, ledger: Ledger, next: Arc<AtomicU64>) {
    while let Some(()) = write_one(&client, &ledger, &next).await {}
}

async fn write_one(client: &Client, ledger: &Ledger, next: &AtomicU64) -> Option<()> {
    let slug = format!("post-{}", next.fetch_add(1, Ordering::Relaxed));
    let note = |number, published| ledger.lock().unwrap().insert(slug.clone(), Acknowledged { number, published });
    let address = format!("/content/posts/{slug}");
    acknowledged(client, Method::POST, "/content/posts", &posts::new(&slug, 1)).await?;
    note(1, false);
    acknowledged(client, Method::PUT, &address, &json!({ "data": { "number": 2 } })).await?;
    note(2, false);
    acknowledged(client, Method::POST, &format!("{address}/publish"), &json!({})).await?;
    note(2, true);
    acknowledged(client, Method::PUT, &address, &json!({ "data": { "number": 3 } })).await?;
    note(3, true);
    Some(())
}

/// Nothing when the server was killed before it answered. Any other failure is one of the server.
async fn acknowledged(client: &Client, method: Method, path: &str, body: &Value) -> Option<()> {
    let reply = client.send(method, path, Some(body)).await.ok()?;
    assert!(reply.status.is_success(), "{path}: {} {}", reply.status, reply.body);
    Some(())
}

async fn survives(site: Site) {
    let token = site.token();
    let (ledger, next) = (Ledger::default(), Arc::new(AtomicU64::new(0)));
    for round in 0..ROUNDS {
        let server = site.serve().await;
        let client = server.client(&token);
        if round == 0 {
            posts::make(&client).await;
        }
        let before = ledger.lock().unwrap().len();
        let mut writers = JoinSet::new();
        for _ in 0..WRITERS {
            writers.spawn(write(client.clone(), Arc::clone(&ledger), Arc::clone(&next)));
        }
        let is_written = async {
            while ledger.lock().unwrap().len() == before {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(BEGINS, is_written).await.unwrap_or_else(|_| panic!("round {round} wrote nothing"));
        // Not the same moment in every round.
        tokio::time::sleep(Duration::from_millis(500 + 97 * u64::from(round))).await;
        server.kill().await;
        while let Some(ended) = writers.join_next().await {
            ended.unwrap();
        }

        let server = site.serve().await;
        let found = server.client(&token).all("/content/posts").await;
        check(&ledger.lock().unwrap(), &found, round);
        drop(server);
        site.must_be_sound();
    }
    site.remove().await;
}

/// Everything that was acknowledged is there, or what came after it.
fn check(ledger: &HashMap<String, Acknowledged>, found: &[Value], round: u32) {
    let found: HashMap<_, _> = found.iter().map(|item| (item["slug"].as_str().unwrap(), item)).collect();
    for (slug, acknowledged) in ledger {
        let item = found.get(slug.as_str()).unwrap_or_else(|| panic!("round {round}: {slug} is lost"));
        let number = item["data"]["number"].as_u64().unwrap();
        assert!(number >= acknowledged.number, "round {round}: {slug} went back to {number} from {acknowledged:?}");
        assert!(!acknowledged.published || item["status"] == "published", "round {round}: {slug} is not published");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_write_is_lost_on_sqlite() {
    survives(Site::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_write_is_lost_on_postgres() {
    if let Some(site) = Site::postgres().await {
        survives(site).await;
    }
}
