//! Two servers on one PostgreSQL that keep the answers about ten thousand entries: what is made again when one of them is published.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    collections::BTreeMap,
    fmt::Write,
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use cms_tests::{Client, Server, Site, posts};
use http::{Method, StatusCode};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::sleep,
};

/// How many entries there are, each with an answer of its own that is kept.
const ENTRIES: usize = 10_000;
/// The entry that is published anew.
const CHANGED: usize = 4_321;
/// How many pages of the list are kept as well, of fifty entries each: the changed one is on one of them.
const PAGES: usize = 100;
/// How many readers each server has.
const READERS: usize = 8;
/// How soon a server must know what was done at another one.
const KNOWN_WITHIN: Duration = Duration::from_secs(1);
/// How long readers go on once both servers know.
const READ_ON: Duration = Duration::from_secs(2);

struct Node {
    server: Server,
    reader: Client,
    metrics: String,
}

impl Node {
    async fn start(site: &Site, log: &str) -> Self {
        // The port is free again for the server.
        let metrics = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let settings = [("CMS_API_PUBLIC_READ", "true"), ("CMS_API_CACHE", "256MiB"), ("CMS_METRICS_LISTEN", metrics.as_str())];
        let server = site.start(log, &settings).await.unwrap();
        let reader = server.client("").with_token(None);
        Self { server, reader, metrics }
    }

    /// How many answers came to be in each way so far.
    async fn origins(&self) -> BTreeMap<String, usize> {
        let mut stream = TcpStream::connect(&self.metrics).await.unwrap();
        stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("cms_http_published_answers_total{origin=\"")?.split_once("\"} "));
        lines.map(|(origin, n)| (origin.to_owned(), n.parse().unwrap())).collect()
    }

    /// Has every answer made.
    async fn fill(&self, addresses: &Arc<Vec<String>>) {
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = JoinSet::new();
        for _ in 0..READERS {
            let (reader, addresses, next) = (self.reader.clone(), Arc::clone(addresses), Arc::clone(&next));
            tasks.spawn(async move {
                while let Some(address) = addresses.get(next.fetch_add(1, Ordering::Relaxed)) {
                    assert_eq!(reader.ask(Method::GET, address, None).await.status, StatusCode::OK, "{address}");
                }
            });
        }
        tasks.join_all().await;
    }

    /// The title of the changed entry, alone and in its list.
    async fn titles(&self, page: &str) -> [String; 2] {
        let one = self.reader.get(&entry(CHANGED)).await["item"]["data"]["title"].clone();
        let list = self.reader.get(page).await;
        let slug = format!("post-{CHANGED}");
        let listed = list["items"].as_array().unwrap().iter().find(|item| item["slug"] == slug).unwrap();
        [one, listed["data"]["title"].clone()].map(|title| title.as_str().unwrap().to_owned())
    }
}

fn entry(n: usize) -> String {
    format!("/content/posts/post-{n}")
}

/// Reads what is kept, over and over, until it is to stop; what was once seen of the change is seen from then on.
async fn read(reader: Client, addresses: Arc<Vec<String>>, first: usize, stop: Arc<AtomicBool>) -> usize {
    let (mut place, mut reads, mut new) = (first, 0, false);
    while !stop.load(Ordering::Relaxed) {
        // A prime that shares no factor with their number: it comes by everything.
        place = (place + 7_919) % addresses.len();
        assert_eq!(reader.ask(Method::GET, &addresses[place], None).await.status, StatusCode::OK);
        let changed = reader.get(&entry(CHANGED)).await["item"]["data"]["title"] == "changed";
        assert!(changed || !new, "an answer from before the change came back");
        new = changed;
        reads += 2;
    }
    reads
}

#[tokio::test(flavor = "multi_thread")]
async fn publishing_one_entry_of_ten_thousand_remakes_what_shows_it_on_both_servers_and_nothing_else() {
    let Some(site) = Site::postgres().await else { return };
    let admin = site.token();
    {
        let server = site.serve().await;
        posts::make(&server.client(&admin)).await;
    }
    let mut lines = String::new();
    for n in 0..ENTRIES {
        let line = json!({ "collection": "posts", "slug": format!("post-{n}"), "status": "published", "data": { "title": format!("Post {n}"), "number": n } });
        writeln!(lines, "{line}").unwrap();
    }
    let file = site.folder().join("posts.ndjson");
    std::fs::write(&file, lines).unwrap();
    site.run(&["import", "ndjson", file.to_str().unwrap()]);

    let (one, two) = (Node::start(&site, "one.log").await, Node::start(&site, "two.log").await);
    let mut addresses: Vec<_> = (0..ENTRIES).map(entry).collect();
    let mut page = "/content/posts?orderBy=number&order=asc&limit=50".to_owned();
    let mut shows = String::new();
    for n in 0..PAGES {
        let next = one.reader.get(&page).await["nextCursor"].as_str().unwrap().to_owned();
        if n == CHANGED / 50 {
            shows.clone_from(&page);
        }
        addresses.push(page);
        page = format!("/content/posts?orderBy=number&order=asc&limit=50&cursor={next}");
    }
    let addresses = Arc::new(addresses);
    // A server that has just begun to follow forgets what it knows once.
    sleep(Duration::from_millis(500)).await;
    for node in [&one, &two] {
        node.fill(&addresses).await;
        let before = node.origins().await;
        node.fill(&addresses).await;
        let after = node.origins().await;
        assert_eq!(after["kept"] - before.get("kept").unwrap_or(&0), addresses.len(), "not all of it is kept: {before:?} {after:?}");
    }

    let before = [one.origins().await, two.origins().await];
    let stop = Arc::new(AtomicBool::new(false));
    let mut readers = JoinSet::new();
    for (n, node) in [&one, &two].into_iter().cycle().take(2 * READERS).enumerate() {
        readers.spawn(read(node.reader.clone(), Arc::clone(&addresses), n * 997, Arc::clone(&stop)));
    }
    let change = json!({ "data": { "title": "changed" }, "status": "published" });
    let answer = one.server.client(&admin).ask(Method::PUT, &entry(CHANGED), Some(&change)).await;
    assert_eq!(answer.status, StatusCode::OK);
    let done = Instant::now();
    assert_eq!(one.titles(&shows).await, ["changed", "changed"], "stale where it was done");
    while two.titles(&shows).await != ["changed", "changed"] {
        assert!(done.elapsed() < KNOWN_WITHIN, "stale at the other server");
    }
    while done.elapsed() < READ_ON {
        assert_eq!(one.titles(&shows).await, ["changed", "changed"]);
        assert_eq!(two.titles(&shows).await, ["changed", "changed"]);
    }
    stop.store(true, Ordering::Relaxed);
    let reads: usize = readers.join_all().await.into_iter().sum();
    assert!(reads > 1_000, "too few reads to tell: {reads}");
    for (node, before) in [&one, &two].into_iter().zip(before) {
        // Every page once more: those that nobody asked for meanwhile are looked at now.
        node.fill(&addresses).await;
        let after = node.origins().await;
        let since = |origin: &str| after.get(origin).unwrap_or(&0) - before.get(origin).unwrap_or(&0);
        assert_eq!(since("made"), 2, "the entry and its page, once each: {before:?} {after:?}");
        // All other pages of the list; and all that was read before the server heard of its own change from the database once more.
        assert!((PAGES - 1..=2 * PAGES + 2).contains(&since("confirmed")), "{before:?} {after:?}");
    }
    site.remove().await;
}
