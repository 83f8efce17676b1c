//! 32 clients change one entry, each with the revision that it read: one of them wins, and nobody's change is lost unseen.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use cms_tests::{Site, posts};
use http::{Method, StatusCode};
use serde_json::json;
use tokio::task::JoinSet;

const CLIENTS: u64 = 32;
const ROUNDS: u64 = 10;

async fn one_winner_a_round(site: Site) {
    let token = site.token();
    let server = site.serve().await;
    let client = server.client(&token);
    posts::make(&client).await;
    let mut rev = client.post("/content/posts", &posts::new("contended", 0)).await["_rev"].clone();
    for round in 0..ROUNDS {
        let mut sent = JoinSet::new();
        for number in 0..CLIENTS {
            let (client, body) = (server.client(&token), json!({ "_rev": rev, "data": { "number": round * 100 + number + 1 } }));
            sent.spawn(async move { (number, client.ask(Method::PUT, "/content/posts/contended", Some(&body)).await) });
        }
        let mut winners = Vec::new();
        while let Some(answered) = sent.join_next().await {
            let (number, reply) = answered.unwrap();
            match reply.status {
                StatusCode::OK => winners.push((number, reply.data())),
                _ => assert_eq!((reply.status, reply.code()), (StatusCode::CONFLICT, "CONFLICT")),
            }
        }
        let [(number, answer)] = winners.as_slice() else { panic!("round {round}: {} winners", winners.len()) };
        let now = client.get("/content/posts/contended").await;
        assert_eq!(now["item"]["data"]["number"], round * 100 + number + 1);
        assert_eq!(now["_rev"], answer["_rev"]);
        rev = now["_rev"].clone();
    }
    drop(server);
    site.must_be_sound();
    site.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_32_clients_one_wins_each_round_on_sqlite() {
    one_winner_a_round(Site::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_32_clients_one_wins_each_round_on_postgres() {
    if let Some(site) = Site::postgres().await {
        one_winner_a_round(site).await;
    }
}
