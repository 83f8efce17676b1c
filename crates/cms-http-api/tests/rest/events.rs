//! Event streams: what is answered comes at once, again when it is another one, and no longer than whoever asks may see it.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use cms_core::{content::entries::presence, tasks::driver::run_tasks, testing::TestApp};
use cms_domain::{
    access::{Actor, Scope, to},
    entry::EntryIds,
    id::{EntryId, JobId},
    job::JobCommand,
    user::Role,
};
use cms_http_api::HttpOptions;
use cms_storage::NewJob;
use futures_util::StreamExt;
use http::{HeaderName, Request, StatusCode, header};
use serde_json::{Value, json};
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};
use tower::ServiceExt;

use crate::site::{Site, site};

const EVENTS: &str = "/_cms/api/admin/job-events";
const ENTRIES: &str = "/_cms/api/content-events";
/// An id that nothing has.
const NOTHING: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// A stream as a browser reads it.
struct Stream {
    body: BodyDataStream,
    read: String,
}

impl Stream {
    async fn open(site: &Site, token: &str) -> Self {
        Self::open_at(site, token, EVENTS).await
    }

    async fn open_at(site: &Site, token: &str, address: &str) -> Self {
        Self::open_with(site, (header::AUTHORIZATION, format!("Bearer {token}")), address).await
    }

    /// The stream of an entry in a browser where the user of a role is signed in.
    async fn of_person(site: &Site, role: Role, id: &str) -> Self {
        let secret = site.app.sign_in(role).await.unwrap();
        Self::open_with(site, (header::COOKIE, format!("cms_session={secret}")), &format!("{ENTRIES}?ids={id}")).await
    }

    async fn open_with(site: &Site, (name, value): (HeaderName, String), address: &str) -> Self {
        let router = cms_http_api::router(site.app.cms().clone(), HttpOptions::default());
        let request = Request::get(address).header(name, value);
        // Compressed answers would come all at once, in the end.
        let request = request.header(header::ACCEPT_ENCODING, "gzip").body(Body::empty()).unwrap();
        let response = router.oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(response.headers()[header::CACHE_CONTROL], "private, no-store");
        Self { body: response.into_body().into_data_stream(), read: String::new() }
    }

    /// Reads until others have the entry open, known by these names.
    async fn until_there_are(&mut self, names: &[&str]) {
        loop {
            let event = self.next().await.unwrap().1;
            let people = event["items"][0]["people"].as_array().unwrap();
            if people.iter().map(|person| person["userName"].as_str().unwrap()).eq(names.iter().copied()) {
                return;
            }
        }
    }

    /// The next event: its name, and its data. None at the end.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let event: String = self.read.drain(..end + 2).collect();
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
                let (name, data) = (field("event:"), field("data:"));
                if let Some(data) = data {
                    return Some((name.unwrap_or_else(|| "message".to_owned()), serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let chunk = timeout(Duration::from_secs(10), self.body.next()).await.unwrap()?;
            self.read.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
        }
    }
}

async fn add_job(site: &Site, n: u128) -> JobId {
    let (id, created_at) = (JobId::from_parts(1, n), cms_core::Clock::now(site.app.clock()));
    let tx = site.app.store().write().await.unwrap();
    let (kind, input) = ("site.sample_content", "{}".to_owned());
    let job = NewJob {
        id,
        kind,
        version: 1,
        input,
        name: None,
        asked_by: None,
        acts_for: None,
        priority: 0,
        checkpoint: None,
        done: 0,
        total: None,
        created_at,
    };
    assert!(tx.jobs().insert(&job).await.unwrap());
    tx.commit().await.unwrap();
    id
}

#[tokio::test]
async fn what_is_watched_is_sent_at_once_and_whenever_it_changes() {
    site(|site| async move {
        let mut stream = Stream::open(&site, site.token(Role::Admin)).await;
        let (name, first) = stream.next().await.unwrap();
        assert_eq!((name.as_str(), first["open"].as_array().map(Vec::len)), ("message", Some(0)));
        let id = add_job(&site, 1).await;
        let (_, second) = stream.next().await.unwrap();
        assert_eq!((&second["open"][0]["id"], &second["open"][0]["title"]), (&id.to_string().into(), &"Make sample content".into()));
        let tx = site.app.store().write().await.unwrap();
        tx.jobs()
            .command(&Actor::System.permit(to::ManageJobs).unwrap(), id, JobCommand::Cancel, cms_core::Clock::now(site.app.clock()))
            .await
            .unwrap()
            .unwrap();
        tx.commit().await.unwrap();
        let (_, third) = stream.next().await.unwrap();
        assert_eq!((third["open"].as_array().map(Vec::len), &third["latest"][0]["state"]), (Some(0), &"cancelled".into()));
    })
    .await;
}

#[tokio::test]
async fn who_loses_what_they_came_with_sees_nothing_more() {
    site(|site| async move {
        let token = site.app.token_of(Role::Admin, &[Scope::Admin]).await.unwrap();
        let mut stream = Stream::open(&site, &token).await;
        stream.next().await.unwrap();
        let tx = site.app.store().write().await.unwrap();
        let user = admin(&site).await;
        let permit = Actor::System.permit(to::ManageUsers).unwrap();
        tx.users().update(&permit, &cms_domain::user::User { disabled: true, ..user }).await.unwrap();
        tx.commit().await.unwrap();
        let (name, failure) = stream.next().await.unwrap();
        assert_eq!((name.as_str(), &failure["code"]), ("failed", &"INVALID_TOKEN".into()));
        assert_eq!(stream.next().await, None);
    })
    .await;
}

async fn admin(site: &Site) -> cms_domain::user::User {
    site.app.store().reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap()
}

#[tokio::test]
async fn who_may_not_watch_is_told_as_by_any_other_operation() {
    site(|site| async move {
        let refused = site.read(Some(Role::Editor), EVENTS, &[]).await;
        assert_eq!(refused.failure(), "403 INSUFFICIENT_PERMISSIONS");
        let unknown = site.read(Some(Role::Admin), &format!("{EVENTS}?a=b"), &[]).await;
        assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    })
    .await;
}

#[tokio::test]
async fn entries_are_followed_as_others_change_take_and_remove_them() {
    site(|site| async move {
        site.put("/_cms/api/schema/collections/posts", json!({ "editLocking": true })).await.expect(200);
        let made = site.post("/_cms/api/content/posts", json!({ "data": { "title": "Watched" } })).await.expect(201);
        let id = made["item"]["id"].as_str().unwrap().to_owned();
        let path = format!("/_cms/api/content/posts/{id}");
        let mut stream = Stream::open_at(&site, site.token(Role::Editor), &format!("{ENTRIES}?ids={id},{NOTHING}")).await;
        let first = stream.next().await.unwrap().1;
        assert_eq!(first, json!({ "items": [{ "id": id, "version": 1, "holder": null, "people": [] }] }), "what is not there is left out");
        site.put(&path, json!({ "data": { "title": "Changed" } })).await.expect(200);
        assert_eq!(stream.next().await.unwrap().1["items"][0]["version"], 2);
        site.post(&format!("{path}/lock"), json!({ "token": "tab" })).await.expect(200);
        let taken = stream.next().await.unwrap().1;
        assert_eq!(taken["items"][0]["holder"]["userId"], TestApp::user(Role::Admin).to_string(), "{taken}");
        site.admin("DELETE", &format!("{path}/lock?token=tab"), Body::empty()).await.expect(200);
        assert_eq!(stream.next().await.unwrap().1["items"][0]["holder"], Value::Null);
        site.admin("DELETE", &path, Body::empty()).await.expect(200);
        assert_eq!(stream.next().await.unwrap().1, json!({ "items": [] }));
    })
    .await;
}

/// An entry that nobody has open.
async fn entry(site: &Site) -> String {
    let made = site.post("/_cms/api/content/posts", json!({ "data": { "title": "Watched" } })).await.expect(201);
    made["item"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn who_has_an_entry_open_is_told_to_others_who_have_it_open_at_any_server_and_never_to_themselves() {
    site(|site| async move {
        let id = entry(&site).await;
        let elsewhere = site.beside(HttpOptions::default());
        let mut editor = Stream::of_person(&site, Role::Editor, &id).await;
        let mut admin = Stream::of_person(&elsewhere, Role::Admin, &id).await;
        editor.until_there_are(&["admin"]).await;
        admin.until_there_are(&["editor"]).await;
        // Another tab, which sees neither itself nor the first one.
        let mut tab = Stream::of_person(&site, Role::Admin, &id).await;
        tab.until_there_are(&["editor"]).await;
        let mut author = Stream::of_person(&site, Role::Author, &id).await;
        author.until_there_are(&["admin", "editor"]).await;
        tab.until_there_are(&["author", "editor"]).await;
    })
    .await;
}

#[tokio::test]
async fn who_closes_an_entry_is_gone_within_seconds_and_not_while_another_tab_has_it_open() {
    site(|site| async move {
        let id = entry(&site).await;
        let mut editor = Stream::of_person(&site, Role::Editor, &id).await;
        let tabs = [Stream::of_person(&site, Role::Admin, &id).await, Stream::of_person(&site, Role::Admin, &id).await];
        editor.until_there_are(&["admin"]).await;
        let [first, second] = tabs;
        drop(first);
        let quiet = Duration::from_secs(2);
        sleep(quiet).await;
        site.app.clock().advance(presence::LEAVING);
        timeout(quiet, editor.next()).await.unwrap_err();
        drop(second);
        sleep(quiet).await;
        site.app.clock().advance(presence::LEAVING);
        editor.until_there_are(&[]).await;
    })
    .await;
}

#[tokio::test]
async fn who_has_an_entry_open_is_not_noted_at_every_look_and_forgotten_when_nobody_notes_it() {
    site(|site| async move {
        let id = entry(&site).await;
        let (mut editor, admin) = (Stream::of_person(&site, Role::Editor, &id).await, Stream::of_person(&site, Role::Admin, &id).await);
        editor.until_there_are(&["admin"]).await;
        let noted_at = cms_core::Clock::now(site.app.clock());
        site.app.clock().advance(presence::LEAVING);
        sleep(Duration::from_secs(2)).await;
        let there = async |at| site.app.store().reader().watchers().of(&[id.parse().unwrap()], None, at, 10).await.unwrap().len();
        assert_eq!(there(noted_at.after(presence::BELIEVED.saturating_sub(Duration::from_millis(1)))).await, 2);
        assert_eq!(there(noted_at.after(presence::BELIEVED)).await, 0);
        site.app.clock().advance(presence::BELIEVED);
        editor.until_there_are(&[]).await;
        drop(admin);
    })
    .await;
}

#[tokio::test]
async fn programs_with_tokens_are_told_who_is_there_and_are_not_there_themselves() {
    site(|site| async move {
        let id = entry(&site).await;
        let mut program = Stream::open_at(&site, site.token(Role::Author), &format!("{ENTRIES}?ids={id}")).await;
        let mut editor = Stream::of_person(&site, Role::Editor, &id).await;
        let _admin = Stream::of_person(&site, Role::Admin, &id).await;
        program.until_there_are(&["admin", "editor"]).await;
        editor.until_there_are(&["admin"]).await;
    })
    .await;
}

#[tokio::test]
async fn entries_are_followed_by_those_who_read_drafts_and_not_too_many_at_once() {
    site(|site| async move {
        let ask = async |role, ids: &str| site.read(Some(role), &format!("{ENTRIES}?ids={ids}"), &[]).await;
        assert_eq!(ask(Role::Subscriber, NOTHING).await.failure(), "403 INSUFFICIENT_PERMISSIONS");
        for wrong in ["", "x", &[NOTHING; 2].join(", ")] {
            assert_eq!(ask(Role::Admin, &wrong.replace(' ', "%20")).await.issues(), ["ids PATTERN"], "{wrong}");
        }
        let many: Vec<_> = (0..=EntryIds::MAX as u128).map(|n| EntryId::from_parts(0, n).to_string()).collect();
        assert_eq!(ask(Role::Admin, &many.join(",")).await.issues(), ["ids PATTERN"]);
    })
    .await;
}

#[tokio::test]
async fn one_person_does_not_take_the_places_of_all_others() {
    site(|site| async move {
        let router = cms_http_api::router(site.app.cms().clone(), HttpOptions::default());
        let watch = async |role| {
            let request = Request::get(format!("{ENTRIES}?ids={NOTHING}"));
            let request = request.header(header::AUTHORIZATION, format!("Bearer {}", site.token(role))).body(Body::empty());
            router.clone().oneshot(request.unwrap()).await.unwrap()
        };
        let mut open = Vec::new();
        for _ in 0..20 {
            open.push(watch(Role::Contributor).await);
        }
        assert!(open.iter().all(|response| response.status() == StatusCode::OK));
        assert_eq!(watch(Role::Contributor).await.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(watch(Role::Editor).await.status(), StatusCode::OK);
        open.pop();
        assert_eq!(watch(Role::Contributor).await.status(), StatusCode::OK);
    })
    .await;
}

#[tokio::test]
async fn streams_end_when_the_server_does() {
    site(|site| async move {
        let (stop, stopped) = oneshot::channel::<()>();
        let tasks = tokio::spawn(run_tasks(site.app.cms().clone(), async { drop(stopped.await) }));
        let mut stream = Stream::open(&site, site.token(Role::Admin)).await;
        stream.next().await.unwrap();
        drop(stop);
        let rest = timeout(Duration::from_secs(3), stream.body.collect::<Vec<_>>()).await.unwrap();
        assert!(rest.iter().all(Result::is_ok));
        tasks.await.unwrap();
    })
    .await;
}
