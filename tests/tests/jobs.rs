//! `kill -9` in the middle of a job: it goes on where it was, and nothing of it is done twice.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use cms_tests::{Client, Server, Site, posts};
use http::Method;
use serde_json::{Value, json};

/// How many entries the job is about.
const ENTRIES: u64 = 10_000;
const KILLS: u32 = 10;
/// How many jobs share the kills at most.
const TRIES: u32 = 10;
const FIELD: &str = "/schema/collections/posts/fields/number";
/// How long a server may take to go on with what another one left: the lease of that one ends after ten seconds.
const GOES_ON: Duration = Duration::from_mins(1);

/// A job as it stands.
async fn job(client: &Client, id: &Value) -> Value {
    client.get(&format!("/admin/jobs/{}", id.as_str().unwrap())).await["item"].clone()
}

/// The job once it got on, or is over.
async fn further(client: &Client, id: &Value, done: u64) -> Value {
    let began = Instant::now();
    loop {
        let job = job(client, id).await;
        if job["done"].as_u64() > Some(done) || job["finishedAt"] != Value::Null {
            return job;
        }
        assert!(began.elapsed() < GOES_ON, "nobody goes on with it: {job}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Makes the field unique, which asks for a job, and kills the server in the middle of it up to `kills` times: how often that worked. A fast machine is done
/// before anybody saw it begin.
async fn killed(site: &Site, mut server: Server, token: &str, kills: u32) -> (Server, u32) {
    let change = server.client(token).ask(Method::PUT, FIELD, Some(&json!({ "unique": true }))).await;
    assert_eq!(change.data()["item"]["uniqueState"], "building");
    let jobs = server.client(token).get("/admin/jobs?kind=content.register_unique").await;
    let id = &jobs["items"][0]["id"];
    let (mut done, mut killed) = (0, 0);
    loop {
        let job = further(&server.client(token), id, done).await;
        done = job["done"].as_u64().unwrap();
        if job["finishedAt"] != Value::Null {
            assert_eq!((&job["state"], done), (&json!("done"), ENTRIES), "{job}");
            return (server, killed);
        }
        if killed < kills {
            server.kill().await;
            killed += 1;
            server = site.serve().await;
        }
    }
}

async fn goes_on(site: Site) {
    let token = site.token();
    let mut server = site.serve().await;
    posts::make(&server.client(&token)).await;
    let mut lines = String::new();
    for n in 0..ENTRIES {
        let post = posts::new(&format!("post-{n}"), n);
        writeln!(lines, "{}", json!({ "collection": "posts", "slug": post["slug"], "data": post["data"] })).unwrap();
    }
    let file = site.folder().join("posts.ndjson");
    std::fs::write(&file, lines).unwrap();
    site.run(&["import", "ndjson", file.to_str().unwrap()]);

    let mut kills = 0;
    for _ in 0..TRIES {
        let (running, more) = killed(&site, server, &token, KILLS - kills).await;
        (server, kills) = (running, kills + more);
        if kills == KILLS {
            break;
        }
        server.client(&token).ask(Method::PUT, FIELD, Some(&json!({ "unique": false }))).await.data();
    }
    assert_eq!(kills, KILLS, "each job was over too soon");
    let client = server.client(&token);
    assert_eq!(client.get(FIELD).await["item"]["uniqueState"], "ready");
    let again = client.ask(Method::POST, "/content/posts", Some(&posts::new("again", ENTRIES - 1))).await;
    assert_eq!(again.code(), "UNIQUE_CONFLICT");
    drop(server);
    // Each value is registered once, and none that is not there.
    site.must_be_sound();
    site.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_killed_ten_times_does_each_item_once() {
    let (sqlite, postgres) = tokio::join!(tokio::spawn(goes_on(Site::sqlite())), async {
        match Site::postgres().await {
            Some(site) => tokio::spawn(goes_on(site)).await,
            None => Ok(()),
        }
    });
    sqlite.unwrap();
    postgres.unwrap();
}
