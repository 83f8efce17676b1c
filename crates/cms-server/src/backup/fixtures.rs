//! Archives that earlier releases wrote are restored: each is kept, and says the same. `fixtures/archives/make.py` made them.

use std::{path::Path, sync::Arc};

use cms_core::{
    Clock, Cms, Door, Options, Parts,
    accounts::{allowed_domains::ListAllowedDomains, invitations::ListInvitations, users::ListUsers},
    content::entries::{
        get::GetEntry, list::ListEntries, list_trashed::ListTrashed, preview_links::ListPreviews, revisions::ListRevisions,
    },
    operation::Operation,
    user_access::GetUserAccess,
};
use cms_domain::{access::Actor, time::Timestamp};
use serde_json::{Value, json};

use super::restore;
use crate::{
    archive,
    doctor::{self, Status},
    testing::on_both,
};

/// Where they are kept.
const ARCHIVES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/archives");

async fn asked<O: Operation>(cms: &Cms, input: Value) -> Value {
    let operation = serde_json::from_value::<O>(input).unwrap();
    serde_json::to_value(cms.invoke(&Actor::System, Door::Local, operation).await.unwrap()).unwrap()
}

/// Restores an archive into either database, and looks at what is there.
/// A clock that stands at the moment when an archive was made: links and grants in it end some day.
struct At(Timestamp);

impl Clock for At {
    fn now(&self) -> Timestamp {
        self.0
    }
}

async fn comes_back(archive: &str) {
    on_both(async |store| {
        let (about, _) = restore(store.store(), &Path::new(ARCHIVES).join(archive), None).await.unwrap();
        let checks = doctor::examine(store.store(), Timestamp::from_milliseconds(0)).await;
        assert!(checks.iter().all(|check| check.status == Status::Pass || check.name == "tasks"), "{checks:?}");
        let locales = ["en", "de"].map(|locale| locale.parse().unwrap()).to_vec().try_into().unwrap();
        let options = Options { locales, ..Options::default() };
        let parts = Parts { clock: Arc::new(At(about.created_at)), ..Parts::default() };
        let cms = cms_core::assemble(store.store().clone(), options, parts);
        has_its_content(&cms).await;
        has_its_accounts(&cms).await;
    })
    .await;
}

async fn has_its_content(cms: &Cms) {
    let at = |slug: &str| json!({ "collection": "posts", "id": slug });
    let live = asked::<GetEntry>(cms, at("live")).await["item"].clone();
    let values = json!({
        "title": "Grüße 😀", "code": "c-1", "price": 9.5, "count": -7, "open": true, "at": live["data"]["at"], "tags": ["red", "green"],
        "body": live["data"]["body"], "more": { "b": [1, null, "x"], "a": 0.1 },
    });
    assert_eq!((&live["status"], &live["data"]), (&json!("published"), &values));
    assert_eq!(live["data"]["body"][0]["children"][0]["text"], "a \"quoted\" line");

    let edited = asked::<GetEntry>(cms, at("edited")).await["item"].clone();
    assert_eq!((&edited["status"], &edited["data"]["title"]), (&json!("published"), &json!("Edited again")));
    assert_eq!((&edited["seo"]["title"], &edited["data"]["lead"]), (&json!("Found"), &live["id"]));
    let planned = asked::<GetEntry>(cms, at("planned")).await["item"].clone();
    assert_eq!((&planned["status"], &planned["scheduledAt"]), (&json!("scheduled"), &json!("2126-01-01T00:00:00.000Z")));
    let german = asked::<GetEntry>(cms, json!({ "collection": "posts", "id": "live", "locale": "de" })).await["item"].clone();
    assert_eq!((&german["data"]["title"], &german["translationGroup"]), (&json!("Lebt"), &live["translationGroup"]));

    let priced = asked::<ListEntries>(cms, json!({ "collection": "posts", "orderBy": "price" })).await;
    assert_eq!((&priced["items"][0]["slug"], &priced["items"][1]["slug"]), (&json!("live"), &json!("draft")));
    let trashed = asked::<ListTrashed>(cms, json!({ "collection": "posts" })).await;
    assert_eq!(trashed["items"][0]["slug"], "trashed");
    let revisions = asked::<ListRevisions>(cms, at("edited")).await;
    assert!(revisions["items"].as_array().unwrap().len() > 1, "{revisions}");
    assert_eq!(asked::<ListPreviews>(cms, at("draft")).await["items"].as_array().unwrap().len(), 1);
    assert_eq!(asked::<GetEntry>(cms, json!({ "collection": "pages", "id": "about" })).await["item"]["data"]["title"], "About");
}

async fn has_its_accounts(cms: &Cms) {
    let users = asked::<ListUsers>(cms, json!({})).await;
    let [user] = users["items"].as_array().unwrap().as_slice() else { panic!("{users}") };
    assert_eq!((&user["email"], &user["name"], &user["role"]), (&json!("admin@example.com"), &json!("Ada Ädmin"), &json!(50)));
    let access = asked::<GetUserAccess>(cms, json!({ "id": user["id"] })).await;
    for (way, value) in [
        ("/tokens/items/0/name", "fixture"),
        ("/passkeys/items/0/name", "Key"),
        ("/connections/items/0/provider", "github"),
        ("/grants/items/0/client/id", "program"),
    ] {
        assert_eq!(access.pointer(way), Some(&json!(value)), "{way}: {access}");
    }
    assert_eq!(asked::<ListInvitations>(cms, json!({})).await["items"][0]["email"], "new@example.com");
    assert_eq!(asked::<ListAllowedDomains>(cms, json!({})).await["items"][0]["domain"], "example.org");
}

/// The version of the form is the only thing about an archive that its name says.
#[tokio::test]
async fn an_archive_of_the_first_format_comes_back() {
    comes_back("format-1.tar.gz").await;
}

#[tokio::test]
async fn an_archive_of_the_second_format_comes_back() {
    comes_back("format-2.tar.gz").await;
}

#[test]
fn the_newest_format_is_kept_too() {
    let newest = Path::new(ARCHIVES).join(format!("format-{}.tar.gz", archive::FORMAT));
    assert!(newest.is_file(), "keep an archive of this form: `fixtures/archives/make.py target/debug/cms {}`", newest.display());
}
