//! What of a statement is believed, for how long, and how often the gateway is asked.

use std::time::Duration;

use cms_domain::time::Timestamp;
use http::StatusCode;
use rsa::{RsaPrivateKey, pkcs1v15, rand_core::OsRng, signature::SignatureEncoding, traits::PublicKeyParts};
use serde_json::{Value, json};
use sha2::Sha256;

use super::Gateway;
use crate::{
    gateway::GatewayOptions,
    outbound::Outbound,
    stand::{Key, Stand, encode, signed},
};

/// Now, in seconds.
const NOW: i64 = 1_800_000_000;

fn after(milliseconds: u64) -> Timestamp {
    Timestamp::from_milliseconds(NOW * 1000).after(Duration::from_millis(milliseconds))
}

fn options(origin: &str) -> GatewayOptions {
    GatewayOptions {
        team_domain: origin.to_owned(),
        audience: "tag".to_owned(),
        certs_path: "/certs".to_owned(),
        identity_path: "/identity".to_owned(),
        cookie: "authorization".to_owned(),
    }
}

/// A gateway with one key, that knows one person.
async fn open() -> (Stand, Gateway, Key) {
    let (stand, key) = (Stand::open().await, Key::new(1));
    stand.says("/certs", &json!({ "keys": [key.public("one")] }));
    stand.says("/identity", &json!({ "email": "ada@example.org" }));
    let gateway = Gateway::new(options(&stand.origin), Outbound::new().unwrap()).unwrap();
    (stand, gateway, key)
}

/// What a good statement says, but for a change.
fn claims(stand: &Stand, change: &Value) -> Value {
    let mut claims = json!({ "aud": ["tag"], "iss": stand.origin, "email": "Ada@example.org", "exp": NOW + 86_400 });
    claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    claims
}

async fn said(gateway: &Gateway, statement: &str, now: Timestamp) -> String {
    match gateway.vouch(statement, now).await {
        Ok(vouched) => vouched.email.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_gateway_is_an_origin_that_nobody_listens_to() {
    for (origin, good) in [
        ("https://gateway.example", true),
        ("http://127.0.0.1:1", true),
        ("http://gateway.example", false),
        ("https://gateway.example/", false),
        ("gateway.example", false),
    ] {
        assert_eq!(Gateway::new(options(origin), Outbound::new().unwrap()).is_ok(), good, "{origin}");
    }
}

#[tokio::test]
async fn a_statement_is_believed_if_it_is_for_us_and_of_the_gateway_and_in_its_time() {
    let (stand, gateway, key) = open().await;
    let (good, time) = ("ada@example.org", "the JWT has expired, or is not valid yet");
    let unread = "the JWT cannot be read";
    for (change, expected) in [
        (json!({}), good),
        (json!({ "aud": "tag" }), good),
        (json!({ "aud": ["other", "tag"] }), good),
        (json!({ "aud": "other" }), "JWT audience mismatch"),
        (json!({ "aud": ["other"] }), "JWT audience mismatch"),
        (json!({ "iss": "https://evil.example" }), "JWT issuer mismatch"),
        (json!({ "exp": NOW - 59 }), good),
        (json!({ "exp": NOW - 60 }), time),
        (json!({ "nbf": NOW + 60, "iat": NOW + 60 }), good),
        (json!({ "nbf": NOW + 61 }), time),
        (json!({ "iat": NOW + 61 }), time),
        (json!({ "iat": NOW + 86_000 }), time),
        (json!({ "exp": -1 }), time),
        (json!({ "exp": 1e300 }), time),
        (json!({ "exp": "soon" }), unread),
        (json!({ "email": null }), "the JWT names no person"),
        (json!({ "email": "nobody" }), "the JWT names no person"),
    ] {
        let statement = key.statement("one", &claims(&stand, &change));
        assert_eq!(said(&gateway, &statement, after(0)).await, expected, "{change}");
    }
}

#[tokio::test]
async fn a_statement_does_not_choose_how_it_is_checked() {
    let (stand, gateway, key) = open().await;
    let claims = claims(&stand, &json!({}));
    let good = json!({ "alg": "ES256", "kid": "one" });
    let (unread, algorithm) = ("the JWT cannot be read", "the JWT is not signed with RS256 or ES256");
    let (unknown, signature) = ("the gateway does not have the key of the JWT", "the signature of the JWT is not the gateway's");
    for (head, expected) in [
        (good.clone(), "ada@example.org"),
        (json!({ "alg": "none", "kid": "one" }), algorithm),
        (json!({ "alg": "HS256", "kid": "one" }), algorithm),
        (json!({ "alg": "RS256", "kid": "one" }), signature),
        (json!({ "alg": "ES256", "kid": "one", "crit": ["exp"] }), unread),
        (json!({ "alg": "ES256", "kid": "two" }), unknown),
        (json!({ "alg": "ES256" }), unknown),
    ] {
        let statement = signed(&head, &claims, |text| key.sign(text));
        assert_eq!(said(&gateway, &statement, after(0)).await, expected, "{head}");
    }
    let forged = signed(&good, &claims, |text| Key::new(2).sign(text));
    assert_eq!(said(&gateway, &forged, after(0)).await, signature);
    for text in ["", "a", "a.b", "a.b.c", "!.!.!"] {
        assert_eq!(said(&gateway, text, after(0)).await, unread, "{text}");
    }
    // 16 KiB are read, and nothing that is longer.
    let head = encode(json!({ "alg": "none" }).to_string());
    for (length, expected) in [(16_384, algorithm), (16_385, unread), (100_000, unread)] {
        let long = format!("{head}.{}.", "a".repeat(length - head.len() - 2));
        assert_eq!(said(&gateway, &long, after(0)).await, expected, "{length}");
    }
}

#[tokio::test]
async fn an_rsa_key_is_as_good() {
    let (stand, gateway, key) = open().await;
    // Half as long as in earnest: it is made anew each time.
    let rsa = RsaPrivateKey::new(&mut OsRng, 1024).unwrap();
    let (n, e) = (encode(rsa.n().to_bytes_be()), encode(rsa.e().to_bytes_be()));
    stand.says("/certs", &json!({ "keys": [key.public("one"), { "kid": "rsa", "kty": "RSA", "use": "sig", "n": n, "e": e }] }));
    let statement = signed(&json!({ "alg": "RS256", "kid": "rsa" }), &claims(&stand, &json!({})), |text| {
        rsa::signature::Signer::sign(&pkcs1v15::SigningKey::<Sha256>::new(rsa), text).to_vec()
    });
    assert_eq!(said(&gateway, &statement, after(0)).await, "ada@example.org");
}

#[tokio::test]
async fn the_gateway_has_to_know_the_person_as_the_statement_does() {
    let (stand, gateway, key) = open().await;
    let statement = key.statement("one", &claims(&stand, &json!({})));
    let disagreement = "the gateway and the JWT do not name the same person";
    for (status, body, expected) in [
        (200, json!({ "email": "ADA@example.org" }), "ada@example.org"),
        (200, json!({ "email": "eve@example.org" }), disagreement),
        (200, json!({ "email": "ada" }), disagreement),
        (200, json!({}), disagreement),
        (403, json!({}), "the gateway does not know the JWT"),
        (503, json!({}), "the gateway cannot be reached"),
        (200, json!([]), "the gateway cannot be reached"),
    ] {
        stand.answers("/identity", StatusCode::from_u16(status).unwrap(), &body.to_string());
        let fresh = Gateway::new(options(&stand.origin), Outbound::new().unwrap()).unwrap();
        assert_eq!(said(&fresh, &statement, after(0)).await, expected, "{status} {body}");
    }
    assert_eq!(stand.asked("/identity")[0].header("cookie"), format!("authorization={statement}"));
    stand.says(
        "/identity",
        &json!({ "email": "ada@example.org", "name": "Ada", "groups": ["Staff", { "name": "Editors" }, { "id": "1" }] }),
    );
    let vouched = gateway.vouch(&statement, after(0)).await.ok().unwrap();
    assert_eq!((vouched.name.as_deref(), vouched.groups), (Some("Ada"), vec!["Staff".to_owned(), "Editors".to_owned()]));
    stand.says("/identity", &json!({ "email": "ada@example.org", "name": " " }));
    assert_eq!(gateway.vouch(&statement, after(60_000)).await.ok().unwrap().name, None);
}

#[tokio::test]
async fn a_key_is_believed_for_an_hour_and_one_that_is_not_known_is_looked_for_once_a_minute() {
    let (stand, gateway, key) = open().await;
    stand.says("/certs", &json!({ "keys": [Key::new(2).public("zero"), key.public("one")] }));
    // Each is another one: the gateway would not be asked about the same.
    let statement = |id, time: u64| key.statement(id, &claims(&stand, &json!({ "jti": time.to_string() })));
    let (good, unknown) = ("ada@example.org", "the gateway does not have the key of the JWT");
    for (time, id, expected, asked) in [
        (0, "one", good, 1),
        (59_999, "two", unknown, 1),
        (60_000, "two", unknown, 2),
        (120_001, "one", good, 2),
        (60_000 + 3_599_999, "one", good, 2),
        (60_000 + 3_600_000, "one", good, 3),
    ] {
        assert_eq!(said(&gateway, &statement(id, time), after(time)).await, expected, "{id} after {time}");
        assert_eq!(stand.asked("/certs").len(), asked, "{id} after {time}");
    }
    stand.says("/certs", &json!({ "keys": [] }));
    assert_eq!(said(&gateway, &statement("one", 1), after(20_000_000)).await, unknown);
}

#[tokio::test]
async fn the_gateway_is_asked_about_a_statement_once_a_minute_and_never_believed_after_its_end() {
    let (stand, gateway, key) = open().await;
    let long = key.statement("one", &claims(&stand, &json!({})));
    let short = key.statement("one", &claims(&stand, &json!({ "exp": NOW - 50 })));
    let (good, over) = ("ada@example.org", "the JWT has expired, or is not valid yet");
    for (time, statement, expected, asked) in [
        (0, &long, good, 1),
        (0, &short, good, 2),
        (0, &long, good, 2),
        (9_999, &short, good, 2),
        (10_000, &short, over, 2),
        (59_999, &long, good, 2),
        (60_000, &long, good, 3),
    ] {
        assert_eq!(said(&gateway, statement, after(time)).await, expected, "after {time}");
        assert_eq!(stand.asked("/identity").len(), asked, "after {time}");
    }
}
