//! `kill -9` in the middle of an import over REST: it goes on where it was, and each line is there once.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    collections::BTreeSet,
    fmt::Write,
    time::{Duration, Instant},
};

use cms_tests::{Client, Site, posts};
use http::Method;
use serde_json::{Value, json};

/// How many lines the file has.
const LINES: u64 = 3_000;
const KILLS: u64 = 5;
/// How long a server may take to go on with what another one left: the lease of that one ends after ten seconds.
const GOES_ON: Duration = Duration::from_mins(1);

/// The job once so much is done, or it is over.
async fn further(client: &Client, id: &str, done: u64) -> Value {
    let began = Instant::now();
    loop {
        let job = client.get(&format!("/admin/jobs/{id}")).await["item"].clone();
        if job["done"].as_u64() >= Some(done) || job["finishedAt"] != Value::Null {
            return job;
        }
        assert!(began.elapsed() < GOES_ON, "nobody goes on with it: {job}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn goes_on(site: Site) {
    let token = site.token();
    let mut server = site.serve().await;
    posts::make(&server.client(&token)).await;
    let mut lines = String::new();
    for n in 0..LINES {
        // Every tenth is wrong; the others have no id, so that one that was doubled would be there twice.
        let data = if n % 10 == 9 { json!({ "number": "none" }) } else { posts::new(&format!("post-{n}"), n)["data"].clone() };
        writeln!(lines, "{}", json!({ "collection": "posts", "data": data })).unwrap();
    }
    let started = server.client(&token).post_file("/admin/imports", "application/x-ndjson", lines).await.data();
    let id = started["job"].as_str().unwrap().to_owned();
    for kill in 1..=KILLS {
        let job = further(&server.client(&token), &id, kill * LINES / (KILLS + 1)).await;
        assert_eq!(job["finishedAt"], Value::Null, "it was over too soon: {job}");
        server.kill().await;
        server = site.serve().await;
    }
    let client = server.client(&token);
    let mut job = Value::Null;
    while job["finishedAt"] == Value::Null {
        job = further(&client, &id, LINES + 1).await;
    }
    let good = LINES - LINES / 10;
    assert_eq!((&job["state"], &job["done"], &job["failedItems"]), (&json!("done"), &json!(LINES), &json!(LINES / 10)), "{job}");
    assert_eq!((&job["result"]["imported"], &job["result"]["failed"]), (&json!(good), &json!(LINES / 10)), "{job}");
    let entries = client.all("/content/posts?fields=number").await;
    let numbers: BTreeSet<_> = entries.iter().map(|entry| entry["data"]["number"].as_u64().unwrap()).collect();
    assert_eq!((entries.len() as u64, numbers.len() as u64), (good, good));
    let failed = client.ask(Method::GET, &format!("/admin/jobs/{id}/failed-items?limit=1"), None).await.data();
    assert_eq!(failed["items"][0]["item"], "line 10");
    drop(server);
    site.must_be_sound();
    site.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_whose_servers_are_killed_has_each_line_once() {
    goes_on(Site::sqlite()).await;
    if let Some(site) = Site::postgres().await {
        goes_on(site).await;
    }
}
