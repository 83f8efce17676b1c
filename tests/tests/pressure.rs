//! 64 writers on one PostgreSQL while a row is held, a slug is wanted by many, entries are removed and the schema changes: everybody gets
//! an answer, those who only read hardly notice, and nothing is left behind.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]
#![expect(clippy::print_stderr, reason = "what was measured is looked at")]

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cms_tests::{Client, Reply, Server, Site, posts, variable};
use fastrand::Rng;
use http::{Method, StatusCode, header};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::sleep};

/// For how many seconds it goes on, unless this variable says otherwise.
const SECONDS: (&str, u64) = ("CMS_TEST_PRESSURE_SECONDS", 15);
const WRITERS: usize = 64;
/// How many create what has the same slug, at once.
const CREATES: usize = 64;
/// How many entries are removed at once, all of which the same entries refer to.
const REMOVALS: usize = 32;
/// How often there is such a rush.
const RUSHES_EVERY: Duration = Duration::from_secs(4);
/// How often the schema changes.
const CHANGES_EVERY: Duration = Duration::from_millis(200);
/// How many of the changes are of one field: a collection has 200 at most.
const CHANGES_OF_A_FIELD: u32 = 8;
const READERS: usize = 2;
/// How much longer a read of what nobody writes to may take than the same reads do in the median under the same writers alone. These are measured
/// without the held row: writers who sleep behind it leave the cores to the readers, whose median says little about the machine. A read behind the held
/// row would take the seconds that a write waits for it, a hundred medians; the rushes of two machines with two cores cost eight.
const SLOWER: u32 = 20;
/// One write of so many that nobody holds up may be told to come back: a machine whose cores are taken away for seconds makes somebody wait as long as
/// the server lets them.
const ONE_COMES_BACK_OF: u64 = 100;
/// For how long a transaction may be open once nobody asks for anything any more.
const LEFT_OPEN: Duration = Duration::from_secs(1);

/// What became of requests of one sort: how they were answered, and how long that took.
#[derive(Default)]
struct Sort {
    answers: BTreeMap<String, u64>,
    times: Vec<Duration>,
}

/// A site under pressure.
struct Pressure {
    clients: Vec<Client>,
    until: Instant,
    next: AtomicU64,
    sorts: Mutex<BTreeMap<&'static str, Sort>>,
}

impl Pressure {
    fn new(servers: &[Server], token: &str, lasts: Duration) -> Arc<Self> {
        Arc::new(Self {
            clients: servers.iter().map(|server| server.client(token)).collect(),
            until: Instant::now() + lasts,
            next: AtomicU64::new(0),
            sorts: Mutex::default(),
        })
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    fn new_slug(&self) -> String {
        format!("post-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Asks one of the servers. Whatever it answers, it must not have failed.
    async fn ask(&self, sort: &'static str, method: Method, path: &str, body: Value) -> Reply {
        let client = &self.clients[fastrand::usize(..self.clients.len())];
        let began = Instant::now();
        let reply = client.ask(method.clone(), path, (method == Method::POST || method == Method::PUT).then_some(&body)).await;
        let answer = if reply.status.is_success() { "done".to_owned() } else { format!("{} {}", reply.status.as_u16(), reply.code()) };
        assert!(
            !reply.status.is_server_error()
                || (reply.status == StatusCode::SERVICE_UNAVAILABLE && reply.headers.contains_key(header::RETRY_AFTER)),
            "{sort}: {method} {path}: {} {}",
            reply.status,
            reply.body
        );
        let mut sorts = self.sorts.lock().unwrap();
        let of = sorts.entry(sort).or_default();
        *of.answers.entry(answer).or_default() += 1;
        of.times.push(began.elapsed());
        reply
    }

    /// Creates and changes entries, and one that is held now and then.
    async fn write(&self, mut rng: Rng, hard: bool) {
        while !self.is_over() {
            let slug = self.new_slug();
            if !self.ask("create", Method::POST, "/content/posts", posts::new(&slug, 1)).await.status.is_success() {
                continue;
            }
            let change = json!({ "data": { "number": 2 } });
            self.ask("update", Method::PUT, &format!("/content/posts/{slug}"), change.clone()).await;
            if hard && rng.u8(..32) == 0 {
                self.ask("update what is held", Method::PUT, "/content/posts/held", change).await;
            }
        }
    }

    /// Adds fields to the collection that is written to, and changes them.
    async fn change_schema(&self) {
        let fields = "/schema/collections/posts/fields";
        for n in 0.. {
            if self.is_over() {
                return;
            }
            let next = Instant::now() + CHANGES_EVERY;
            let (slug, label) = (format!("field_{}", n / CHANGES_OF_A_FIELD), format!("Field {n}"));
            let (method, path, body) = if n % CHANGES_OF_A_FIELD == 0 {
                (Method::POST, fields.to_owned(), json!({ "slug": slug, "label": label, "type": "string" }))
            } else {
                (Method::PUT, format!("{fields}/{slug}"), json!({ "label": label }))
            };
            self.ask("schema", method, &path, body).await;
            sleep(next.saturating_duration_since(Instant::now())).await;
        }
    }

    /// Reads what nobody writes to, not out of memory.
    async fn read(&self) {
        while !self.is_over() {
            self.ask("read elsewhere", Method::GET, "/content/pages?limit=20&includeTotal=true", json!({})).await;
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Has many want the same slug, and many entries removed.
    async fn rush(self: &Arc<Self>) {
        while !self.is_over() {
            let wanted = format!("wanted-{}", self.new_slug());
            let replies = self
                .at_once(CREATES, "create with one slug", |_| (Method::POST, "/content/posts".to_owned(), posts::new(&wanted, 1)))
                .await;
            let winners = replies.iter().filter(|reply| reply.status.is_success()).count();
            let losers = replies.iter().filter(|reply| reply.code() == "SLUG_CONFLICT").count();
            assert_eq!((winners, losers), (1, CREATES - 1), "{replies:?}");

            let doomed: Vec<_> = (0..REMOVALS).map(|_| self.new_slug()).collect();
            let entry = |n: usize| (Method::POST, "/content/posts".to_owned(), posts::new(&doomed[n], 1));
            let ids: Vec<_> = self.all(REMOVALS, "create", entry).await.iter().map(|made| made["item"]["id"].clone()).collect();
            let refer = |n: usize| {
                let links = [&ids[n], &ids[(n + 7) % REMOVALS], &ids[(n + 19) % REMOVALS]];
                (Method::POST, "/content/links".to_owned(), json!({ "data": { "one": links[0], "two": links[1], "three": links[2] } }))
            };
            self.all(REMOVALS, "refer", refer).await;
            let path = |n: usize| format!("/content/posts/{}", ids[n].as_str().unwrap());
            self.all(REMOVALS, "trash", |n| (Method::DELETE, path(n), json!({}))).await;
            self.all(REMOVALS, "remove", |n| (Method::DELETE, format!("{}/permanent", path(n)), json!({}))).await;
            sleep(RUSHES_EVERY).await;
        }
    }

    async fn at_once(self: &Arc<Self>, count: usize, sort: &'static str, request: impl Fn(usize) -> (Method, String, Value)) -> Vec<Reply> {
        let mut sent = JoinSet::new();
        for n in 0..count {
            let (pressure, (method, path, body)) = (Arc::clone(self), request(n));
            sent.spawn(async move { (n, pressure.ask(sort, method, &path, body).await) });
        }
        let mut replies = sent.join_all().await;
        replies.sort_by_key(|(n, _)| *n);
        replies.into_iter().map(|(_, reply)| reply).collect()
    }

    /// The same, of which none may be refused.
    async fn all(self: &Arc<Self>, count: usize, sort: &'static str, request: impl Fn(usize) -> (Method, String, Value)) -> Vec<Value> {
        self.at_once(count, sort, request).await.into_iter().map(Reply::data).collect()
    }

    /// Writers and readers until it is over, and whoever makes it hard for them.
    async fn bear(self: &Arc<Self>, hard: bool) {
        let mut crew = JoinSet::new();
        for n in 0..WRITERS {
            let pressure = Arc::clone(self);
            crew.spawn(async move { pressure.write(Rng::with_seed(n as u64), hard).await });
        }
        for _ in 0..READERS {
            let pressure = Arc::clone(self);
            crew.spawn(async move { pressure.read().await });
        }
        if hard {
            let (modeller, rusher) = (Arc::clone(self), Arc::clone(self));
            crew.spawn(async move { modeller.change_schema().await });
            crew.spawn(async move { rusher.rush().await });
        }
        while let Some(ended) = crew.join_next().await {
            if let Err(error) = ended {
                self.tell();
                panic!("{error}");
            }
        }
        self.tell();
    }

    /// Says what was measured.
    fn tell(&self) {
        for (name, sort) in &mut *self.sorts.lock().unwrap() {
            sort.times.sort_unstable();
            let at = |share: usize| sort.times[(sort.times.len() - 1) * share / 100].as_millis();
            eprintln!("{name}: {:?}, median {} ms, p99 {} ms, longest {} ms", sort.answers, at(50), at(99), at(100));
        }
    }
}

async fn model(client: &Client) {
    let title = json!({ "slug": "title", "label": "Title", "type": "string", "indexed": true });
    let number = json!({ "slug": "number", "label": "Number", "type": "integer", "indexed": true });
    let link = |slug: &str| json!({ "slug": slug, "label": slug, "type": "reference", "options": { "collection": "posts" } });
    let collections = [
        ("posts", true, json!([title, number])),
        ("pages", true, json!([title, number])),
        ("links", false, json!([link("one"), link("two"), link("three")])),
    ];
    for (slug, routable, fields) in collections {
        let body = json!({ "slug": slug, "label": slug, "routable": routable, "fields": fields });
        client.post("/schema/collections", &body).await;
    }
    for n in 0..50 {
        client.post("/content/pages", &posts::new(&format!("page-{n}"), 1)).await;
    }
    client.post("/content/posts", &posts::new("held", 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn under_64_writers_nobody_waits_for_ever_and_nothing_is_left_behind() {
    let Some(site) = Site::postgres().await else { return };
    let token = site.token();
    let outsider = site.outsider();
    let (database, url) = (outsider.connect().await.unwrap(), outsider.servers_url().unwrap());
    let environment = [("CMS_DATABASE_URL", url.as_str()), ("CMS_LOG_LEVEL", "warn")];
    let servers = [site.start("one.log", &environment).await.unwrap(), site.start("two.log", &environment).await.unwrap()];
    model(&servers[0].client(&token)).await;
    // Both servers must know the collections.
    sleep(Duration::from_secs(1)).await;

    let lasts = variable(SECONDS.0).map_or(SECONDS.1, |seconds| seconds.parse().unwrap());
    // Held by somebody else all the while.
    database.execute_unprepared("BEGIN; SELECT id FROM entries WHERE slug = 'held' FOR UPDATE").await.unwrap();
    let pressure = Pressure::new(&servers, &token, Duration::from_secs(lasts));
    pressure.bear(true).await;
    database.execute_unprepared("ROLLBACK").await.unwrap();
    // The same writers and readers alone are what it is compared with: entries get other slugs than before.
    let calm = Pressure::new(&servers, &token, Duration::from_secs(lasts) / 3);
    calm.next.store(pressure.next.load(Ordering::Relaxed), Ordering::Relaxed);
    calm.bear(false).await;

    {
        let sorts = pressure.sorts.lock().unwrap();
        for (name, sort) in &*sorts {
            let others: Vec<_> = sort.answers.keys().filter(|answer| *answer != "done").collect();
            let (all, busy) = (sort.times.len() as u64, sort.answers.get("503 BUSY").copied().unwrap_or_default());
            match *name {
                "update what is held" => assert_eq!(others, ["503 BUSY"], "{name}"),
                "create with one slug" => assert_eq!(others, ["409 SLUG_CONFLICT"], "{name}"),
                _ if busy * ONE_COMES_BACK_OF <= all => {
                    assert!(others.iter().all(|other| *other == "503 BUSY"), "{name}: {:?}", sort.answers);
                }
                _ => panic!("{name}: {:?}", sort.answers),
            }
        }
        let calm = calm.sorts.lock().unwrap();
        let [hard, calm] = [&sorts["read elsewhere"].times, &calm["read elsewhere"].times];
        let at = |reads: &[Duration], share: usize| reads[(reads.len() - 1) * share / 100];
        let (late, median) = (at(hard, 99), at(calm, 50));
        assert!(
            late < median * SLOWER,
            "99 of 100 reads of what nobody writes to took {late:?}; the median under writers alone is {median:?}"
        );
    }
    // Nothing is stuck.
    sleep(LEFT_OPEN).await;
    assert_eq!(outsider.left_open(LEFT_OPEN).await.unwrap(), Vec::<String>::new());
    let held = json!({ "data": { "number": 3 } });
    pressure.ask("update what was held", Method::PUT, "/content/posts/held", held).await.data();
    database.close().await.unwrap();
    drop(servers);
    site.must_be_sound();
    site.remove().await;
}
