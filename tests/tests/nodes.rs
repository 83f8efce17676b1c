//! Two servers on one database: what is due happens once.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use cms_core::{Clock, SystemClock};
use cms_tests::{Client, Site, posts};
use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

const DUE: u64 = 500;

/// Sends one request for each of the posts, 32 at a time.
async fn each(clients: [&Client; 2], request: impl Fn(u64) -> (Method, String, Value)) {
    let mut sent = JoinSet::new();
    for number in 0..DUE {
        if sent.len() >= 32 {
            sent.join_next().await.unwrap().unwrap();
        }
        let client = clients[usize::try_from(number % 2).unwrap()].clone();
        let (method, path, body) = request(number);
        sent.spawn(async move { client.ask(method, &path, Some(&body)).await.data() });
    }
    while let Some(done) = sent.join_next().await {
        done.unwrap();
    }
}

async fn versions(client: &Client) -> HashMap<String, (Value, i64)> {
    let items = client.all("/content/posts").await;
    items
        .iter()
        .map(|item| (item["slug"].as_str().unwrap().to_owned(), (item["status"].clone(), item["version"].as_i64().unwrap())))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_publish_each_of_500_due_entries_once() {
    let Some(site) = Site::postgres().await else { return };
    let token = site.token();
    let (one, two) = (site.serve().await, site.serve().await);
    let clients = [&one.client(&token), &two.client(&token)];
    posts::make(clients[0]).await;
    let began = Instant::now();
    each(clients, |number| (Method::POST, "/content/posts".to_owned(), posts::new(&format!("post-{number}"), number))).await;
    // Scheduling takes about as long as creating did; none may be due before the last one is scheduled.
    let at = json!({ "scheduledAt": SystemClock.now().after(began.elapsed() * 2 + Duration::from_secs(5)) });
    each(clients, |number| (Method::POST, format!("/content/posts/post-{number}/schedule"), at.clone())).await;
    let before = versions(clients[0]).await;
    assert_eq!(before.values().filter(|(status, _)| status == "scheduled").count(), 500, "scheduled before any was due");

    let mut waited = 0;
    let after = loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let after = versions(clients[1]).await;
        if after.values().all(|(status, _)| status == "published") {
            break after;
        }
        waited += 1;
        assert!(waited < 90, "{} are not published", after.values().filter(|(status, _)| status != "published").count());
    };
    // Servers that would publish again have a moment to do so.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let later = versions(clients[0]).await;
    for (slug, (_, version)) in &before {
        assert_eq!(after[slug].1, version + 1, "{slug} was changed more than once");
        assert_eq!(later[slug].1, version + 1, "{slug} was published again");
    }
    drop((one, two));
    site.must_be_sound();
    site.remove().await;
}
