//! Sign-in at a provider of OpenID Connect on this machine: what it is told, and what of its answers is believed.

use std::{collections::BTreeMap, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use cms_domain::time::Timestamp;
use http::{StatusCode, header};
use openidconnect::{PkceCodeChallenge, PkceCodeVerifier};
use serde_json::{Value, json};

use super::{Oidc, OidcOptions};
use crate::{
    outbound::Outbound,
    provider::{Back, Begun, Identity, ProvidedEmail, Provider, ProviderError, Start},
    stand::{At, Key, Stand, parameters},
};

const ROOM: At = after(0);
const DISCOVERY: &str = "/.well-known/openid-configuration";

const fn after(milliseconds: i64) -> At {
    At(Timestamp::from_milliseconds(1_795_000_000_000 + milliseconds))
}

fn options(issuer: &str) -> OidcOptions {
    let scopes = ["openid", "email", "profile"].map(str::to_owned).into();
    let (id, label) = ("company".to_owned(), "The company".to_owned());
    OidcOptions { id, label, issuer: issuer.to_owned(), client_id: "client".to_owned(), client_secret: Some("s3cret".to_owned()), scopes }
}

/// What a provider says of itself, but for a change.
fn describes_itself(stand: &Stand, change: &Value) {
    let origin = &stand.origin;
    let mut description = json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"),
        "userinfo_endpoint": format!("{origin}/userinfo"),
        "jwks_uri": format!("{origin}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    });
    description.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    stand.says(DISCOVERY, &description);
}

async fn open() -> (Stand, Oidc) {
    let stand = Stand::open().await;
    describes_itself(&stand, &json!({}));
    stand.says("/keys", &json!({ "keys": [Key::new(1).public("one")] }));
    let oidc = Oidc::new(options(&stand.origin), Outbound::new().unwrap()).unwrap();
    (stand, oidc)
}

async fn begin(oidc: &Oidc, room: &At, anew: bool) -> Result<Begun, ProviderError> {
    let (state, redirect_uri) = ("state".to_owned(), "https://site.example/back".to_owned());
    oidc.begin(room, &Start { state, redirect_uri, fields: BTreeMap::new(), anew }).await
}

/// Who comes back, with an ID token that says what is given besides what every one says.
async fn finish(stand: &Stand, oidc: &Oidc, room: &At, remembered: &Value, key: &Key, says: &Value) -> Result<Identity, ProviderError> {
    let mut claims = json!({ "iss": stand.origin, "aud": "client", "sub": "7", "iat": 1_794_999_999, "exp": 4_000_000_000_i64, "nonce": remembered["nonce"] });
    claims.as_object_mut().unwrap().extend(says.as_object().unwrap().clone());
    let id_token = key.statement("one", &claims);
    stand.says("/token", &json!({ "access_token": "t0ken", "token_type": "Bearer", "id_token": id_token }));
    let parameters = [("code".to_owned(), "c0de".to_owned())].into();
    let back = Back { parameters, remembered: remembered.clone(), redirect_uri: "https://site.example/back".to_owned() };
    oidc.finish(room, &back).await
}

fn ada(verified: bool) -> ProvidedEmail {
    ProvidedEmail { address: "ada@example.org".parse().unwrap(), verified }
}

#[test]
fn it_is_called_what_its_options_say_and_vouches_as_its_issuer() {
    let provider = |issuer: &str| Oidc::new(options(issuer), Outbound::new().unwrap());
    let ours = provider("https://provider.example/a/").unwrap();
    assert_eq!((ours.id(), ours.label(), ours.issuer().as_str()), ("company", "The company", "https://provider.example/a/"));
    assert!(provider("http://provider.example").is_err() && provider("provider.example").is_err());
}

#[tokio::test]
async fn the_browser_goes_there_with_a_nonce_and_a_challenge_whose_secret_stays_here() {
    let (stand, oidc) = open().await;
    for (anew, besides) in [(false, &[][..]), (true, &[("prompt", "login"), ("max_age", "0")])] {
        let begun = begin(&oidc, &ROOM, anew).await.unwrap();
        let (address, query) = begun.location.split_once('?').unwrap();
        assert_eq!(address, format!("{}/authorize", stand.origin));
        let remembered = |name: &str| begun.remembered[name].as_str().unwrap().to_owned();
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(remembered("verifier")));
        let nonce = remembered("nonce");
        let always = [
            ("client_id", "client"),
            ("redirect_uri", "https://site.example/back"),
            ("response_type", "code"),
            ("scope", "openid email profile"),
            ("state", "state"),
            ("nonce", &nonce),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
        ];
        let expected = always.iter().chain(besides).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        assert_eq!(parameters(query), expected);
    }
}

#[tokio::test]
async fn the_browser_is_not_sent_where_others_could_listen() {
    let (stand, oidc) = open().await;
    describes_itself(&stand, &json!({ "authorization_endpoint": "http://provider.example/authorize" }));
    assert!(matches!(begin(&oidc, &ROOM, false).await, Err(ProviderError::Unavailable(_))));
}

#[tokio::test]
async fn a_description_is_believed_for_an_hour() {
    let (stand, oidc) = open().await;
    for (time, asked) in [(0, 1), (1, 1), (3_599_999, 1), (3_600_000, 2)] {
        begin(&oidc, &after(time), false).await.unwrap();
        assert_eq!(stand.asked(DISCOVERY).len(), asked, "after {time}");
    }
}

#[tokio::test]
async fn a_code_is_exchanged_with_the_verifier_and_the_secret_where_the_provider_wants_it() {
    let header = format!("Basic {}", STANDARD.encode("client:s3cret"));
    for (methods, in_header) in [
        (json!({}), true),
        (json!({ "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"] }), true),
        (json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] }), false),
    ] {
        let (stand, oidc) = open().await;
        describes_itself(&stand, &methods);
        let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
        finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &json!({ "email": "ada@example.org" })).await.unwrap();
        let exchange = &stand.asked("/token")[0];
        let form = exchange.form();
        let sent = ["grant_type", "code", "redirect_uri", "code_verifier"].map(|name| form[name].as_str());
        let verifier = remembered["verifier"].as_str().unwrap();
        assert_eq!(sent, ["authorization_code", "c0de", "https://site.example/back", verifier]);
        let secret = (exchange.header(header::AUTHORIZATION), form.get("client_secret").map(String::as_str));
        assert_eq!(secret, if in_header { (header.as_str(), None) } else { ("", Some("s3cret")) }, "{methods}");
    }
}

#[tokio::test]
async fn an_address_is_verified_only_where_the_provider_says_so() {
    let (stand, oidc) = open().await;
    let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
    for (verified, expected) in [(json!(true), true), (json!(false), false), (json!(null), false)] {
        let says = json!({ "email": "ada@example.org", "email_verified": verified, "name": "Ada", "picture": "https://a.example/1" });
        let identity = finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &says).await.unwrap();
        let (name, avatar) = (Some("Ada".to_owned()), Some("https://a.example/1".to_owned()));
        assert_eq!(identity, Identity { account: "7".to_owned(), email: Some(ada(expected)), name, avatar });
    }
    assert!(stand.asked("/userinfo").is_empty());
}

#[tokio::test]
async fn what_the_id_token_leaves_out_is_asked_for_and_believed_of_the_same_person() {
    let (stand, oidc) = open().await;
    let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
    stand.says(
        "/userinfo",
        &json!({ "sub": "7", "email": "ada@example.org", "email_verified": true, "name": "Ada L.", "picture": "https://a.example/1" }),
    );
    let identity = finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &json!({ "name": "Ada" })).await.unwrap();
    let told = (identity.email, identity.name.as_deref(), identity.avatar.as_deref());
    assert_eq!(told, (Some(ada(true)), Some("Ada"), Some("https://a.example/1")));
    assert_eq!(stand.asked("/userinfo")[0].header(header::AUTHORIZATION), "Bearer t0ken");
    stand.says("/userinfo", &json!({ "sub": "8", "email": "eve@example.org" }));
    let other = finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &json!({})).await;
    assert!(matches!(other, Err(ProviderError::Profile(_))), "{other:?}");
}

#[tokio::test]
async fn an_id_token_is_of_this_sign_in_and_for_us_or_believed_in_nothing() {
    let (stand, oidc) = open().await;
    let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
    for wrong in [
        json!({ "nonce": "other" }),
        json!({ "nonce": null }),
        json!({ "aud": "other" }),
        json!({ "iss": "https://evil.example" }),
        json!({ "exp": 1_700_000_000 }),
    ] {
        let refused = finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &wrong).await;
        assert!(matches!(refused, Err(ProviderError::Exchange(_))), "{wrong}: {refused:?}");
    }
}

#[tokio::test]
async fn somebody_who_had_to_sign_in_anew_did_so_since_or_is_refused() {
    let (stand, oidc) = open().await;
    let remembered = begin(&oidc, &ROOM, true).await.unwrap().remembered;
    for (signed_in, believed) in [(1_795_000_000, true), (1_794_990_000, false)] {
        let says = json!({ "email": "ada@example.org", "auth_time": signed_in });
        let identity = finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &says).await;
        assert_eq!(identity.is_ok(), believed, "{signed_in}");
    }
}

#[tokio::test]
async fn a_provider_that_announced_to_say_its_name_and_does_not_is_refused() {
    let (stand, oidc) = open().await;
    describes_itself(&stand, &json!({ "authorization_response_iss_parameter_supported": true }));
    let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
    let refused = finish(&stand, &oidc, &ROOM, &remembered, &Key::new(1), &json!({})).await;
    assert!(matches!(refused, Err(ProviderError::Callback(_))), "{refused:?}");
}

#[tokio::test]
async fn a_provider_is_asked_for_new_keys_once_a_minute() {
    let (stand, oidc) = open().await;
    let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
    stand.says("/keys", &json!({ "keys": [Key::new(2).public("one")] }));
    let minute = i64::try_from(Duration::from_mins(1).as_millis()).unwrap();
    for (time, believed, asked) in [(minute - 1, false, 1), (minute, true, 2)] {
        let says = json!({ "email": "ada@example.org" });
        let identity = finish(&stand, &oidc, &after(time), &remembered, &Key::new(2), &says).await;
        assert_eq!((identity.is_ok(), stand.asked("/keys").len()), (believed, asked), "after {time}");
    }
}

#[tokio::test]
async fn what_the_provider_answered_instead_of_tokens_is_not_repeated() {
    let (stand, oidc) = open().await;
    let remembered = begin(&oidc, &ROOM, false).await.unwrap().remembered;
    stand.answers("/token", StatusCode::OK, r#"{"access_token":"t0ken"}"#);
    let parameters = [("code".to_owned(), "c0de".to_owned())].into();
    let back = Back { parameters, remembered, redirect_uri: "https://site.example/back".to_owned() };
    let refused = oidc.finish(&ROOM, &back).await.unwrap_err();
    assert!(matches!(refused, ProviderError::Exchange(_)) && !format!("{refused:?}").contains("t0ken"), "{refused:?}");
}
