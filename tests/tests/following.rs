//! Two servers on one PostgreSQL: what is taken away at one is gone at the other within a second, whatever goes on meanwhile.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::time::{Duration, Instant};

use cms_tests::{Client, Server, Site, posts};
use http::{Method, StatusCode};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, MutexGuard},
    time::sleep,
};

/// How soon a server must know what was done at another one.
const KNOWN_WITHIN: Duration = Duration::from_secs(1);
/// How long one waits for what comes too late, to say how late it was.
const WAITED_FOR: Duration = Duration::from_mins(1);
/// How often one looks.
const LOOKS_EVERY: Duration = Duration::from_millis(5);
/// How often each is taken away.
const ROUNDS: usize = 3;

/// A site with two servers.
struct Pair {
    site: Site,
    one: Server,
    two: Server,
    admin: String,
    /// One test at a time: how soon is what they claim.
    _alone: MutexGuard<'static, ()>,
}

/// What can be taken away: each works at the second server, which remembers it.
struct Granted {
    post: String,
    field: String,
    /// A token that will be revoked: its user, its id, and itself.
    revoked: [String; 3],
    /// The same for a token whose user will be disabled.
    disabled: [String; 3],
}

impl Pair {
    async fn new() -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::const_new(());
        let site = Site::postgres().await?;
        let alone = ALONE.lock().await;
        let admin = site.token();
        let public = [("CMS_API_PUBLIC_READ", "true")];
        let (one, two) = (site.start("one.log", &public).await.unwrap(), site.start("two.log", &public).await.unwrap());
        posts::make(&one.client(&admin)).await;
        Some(Self { site, one, two, admin, _alone: alone })
    }

    fn token_of(&self, email: &str) -> [String; 3] {
        let json = |arguments: &[&str]| -> Value { serde_json::from_str(&self.site.run(&[&["--json"], arguments].concat())).unwrap() };
        let user = json(&["call", "user.create", "--input", &json!({ "email": email, "role": 10 }).to_string()]);
        let token = json(&["token", "create", "--user", email, "--name", "test", "--scope", "content:read"]);
        [&user["id"], &token["info"]["id"], &token["token"]].map(|text| text.as_str().unwrap().to_owned())
    }

    /// Makes what will be taken away, and has the second server remember it.
    async fn grant(&self, round: usize) -> Granted {
        let granted = Granted {
            post: format!("post-{round}"),
            field: format!("field_{round}"),
            revoked: self.token_of(&format!("revoked-{round}@example.com")),
            disabled: self.token_of(&format!("disabled-{round}@example.com")),
        };
        let client = self.one.client(&self.admin);
        client.post("/content/posts", &posts::new(&granted.post, 1)).await;
        client.post(&format!("/content/posts/{}/publish", granted.post), &json!({})).await;
        let field = json!({ "slug": granted.field, "label": granted.field, "type": "string" });
        client.post("/schema/collections/posts/fields", &field).await;
        let began = Instant::now();
        while !granted.all_work(self).await {
            assert!(began.elapsed() < KNOWN_WITHIN, "the second server does not know what the first one made");
        }
        granted
    }

    async fn end(self) {
        drop((self.one, self.two));
        self.site.must_be_sound();
        self.site.remove().await;
    }
}

impl Granted {
    async fn all_work(&self, pair: &Pair) -> bool {
        self.public(pair).await.is_success()
            && Self::token(pair, &self.revoked).await.is_success()
            && Self::token(pair, &self.disabled).await.is_success()
            && self.has_field(pair).await
    }

    async fn public(&self, pair: &Pair) -> StatusCode {
        read(&pair.two.client(&pair.admin).with_token(None), &format!("/content/posts/{}", self.post)).await
    }

    async fn token(pair: &Pair, [_, _, token]: &[String; 3]) -> StatusCode {
        read(&pair.two.client(token), "/content/posts?limit=1").await
    }

    async fn has_field(&self, pair: &Pair) -> bool {
        let fields = pair.two.client(&pair.admin).get("/schema/collections/posts/fields").await;
        fields["items"].as_array().unwrap().iter().any(|field| field["slug"] == self.field.as_str())
    }

    /// Takes all of it away at the first server. Answers when each was acknowledged.
    async fn withdraw(&self, pair: &Pair) -> [Instant; 4] {
        let client = pair.one.client(&pair.admin);
        let ([_, token, _], [user, ..]) = (&self.revoked, &self.disabled);
        let requests = [
            (Method::POST, format!("/content/posts/{}/unpublish", self.post)),
            (Method::DELETE, format!("/admin/users/{}/tokens/{token}", self.revoked[0])),
            (Method::POST, format!("/admin/users/{user}/disable")),
            (Method::DELETE, format!("/schema/collections/posts/fields/{}", self.field)),
        ];
        let mut acknowledged = [Instant::now(); 4];
        for ((method, path), at) in requests.into_iter().zip(&mut acknowledged) {
            let body = (method == Method::POST).then(|| json!({}));
            client.ask(method, &path, body.as_ref()).await.data();
            *at = Instant::now();
        }
        acknowledged
    }

    /// Fails unless the second server has none of it soon.
    async fn must_be_gone(&self, pair: &Pair, [post, revoked, disabled, field]: [Instant; 4]) {
        tokio::join!(
            must_be_gone("the entry", post, async || self.public(pair).await != StatusCode::NOT_FOUND),
            must_be_gone("the token", revoked, async || Self::token(pair, &self.revoked).await != StatusCode::UNAUTHORIZED),
            must_be_gone("the user", disabled, async || Self::token(pair, &self.disabled).await != StatusCode::UNAUTHORIZED),
            must_be_gone("the field", field, async || self.has_field(pair).await),
        );
    }
}

async fn read(client: &Client, path: &str) -> StatusCode {
    client.ask(Method::GET, path, None).await.status
}

async fn must_be_gone(what: &str, since: Instant, is_there: impl AsyncFn() -> bool) {
    while is_there().await {
        assert!(since.elapsed() < WAITED_FOR, "{what} is still there");
        sleep(LOOKS_EVERY).await;
    }
    let took = since.elapsed();
    assert!(took < KNOWN_WITHIN, "{what} was gone after {took:?}");
    // A server that believes what it remembers again has forgotten it.
    sleep(KNOWN_WITHIN).await;
    assert!(!is_there().await, "{what} came back");
}

/// Takes everything away a few times while something goes on at the database.
async fn withdrawn_while(goes_on: impl AsyncFn(&Pair, usize)) {
    let Some(pair) = Pair::new().await else { return };
    for round in 0..ROUNDS {
        let granted = pair.grant(round).await;
        goes_on(&pair, round).await;
        let acknowledged = granted.withdraw(&pair).await;
        granted.must_be_gone(&pair, acknowledged).await;
    }
    pair.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_withdrawn_at_one_server_is_gone_at_the_other() {
    withdrawn_while(async |_, _| {}).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_withdrawn_is_gone_while_another_database_has_a_write_transaction_open() {
    let open = Mutex::new(None);
    withdrawn_while(async |pair, _| {
        let mut open = open.lock().await;
        if open.is_none() {
            let other = pair.site.outsider().elsewhere().unwrap().connect().await.unwrap();
            other.execute_unprepared("BEGIN; SELECT pg_current_xact_id()").await.unwrap();
            *open = Some(other);
        }
    })
    .await;
    if let Some(other) = open.into_inner() {
        // It was open all the while.
        other.execute_unprepared("DO $$ BEGIN ASSERT pg_current_xact_id_if_assigned() IS NOT NULL; END $$; ROLLBACK").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_withdrawn_is_gone_while_an_unknown_event_lies_in_the_outbox() {
    withdrawn_while(async |pair, _| {
        let unknown = r#"INSERT INTO outbox (at, event) VALUES (0, '{"event":"from_the_future","of":"tomorrow"}')"#;
        pair.site.outsider().execute(unknown).await.unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_withdrawn_is_gone_at_a_server_that_slept_longer_than_events_are_kept() {
    let Some(pair) = Pair::new().await else { return };
    for round in 0..ROUNDS {
        let granted = pair.grant(round).await;
        pair.two.stop();
        granted.withdraw(&pair).await;
        // What is kept for hours is over.
        pair.site.outsider().execute("DELETE FROM outbox").await.unwrap();
        // Longer than a server that hears nothing believes what it remembers.
        sleep(Duration::from_secs(6)).await;
        pair.two.go_on();
        let awake = Instant::now();
        granted.must_be_gone(&pair, [awake; 4]).await;
    }
    pair.end().await;
}
