//! How answers that many may have come to be: which are made again, and by how many.

use std::{
    collections::HashSet,
    future::poll_fn,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::Poll,
    time::Duration,
};

use axum::body::Body;
use cms_content::entries::import::ImportEntry;
use cms_domain::{
    access::{Access, Actor},
    event::Event,
};
use cms_frame::{
    Cx, Door, Error,
    operation::{Http, Operation, Tool},
    topics::{Subject, Topic},
};
use cms_http_api::Origin::{self, Awaited, Confirmed, Kept, Made};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::site::{Answer, POSTS, Site, public_site};

const TELLS: &str = "/_cms/api/tells";

async fn origin(site: &Site, path: &str) -> Option<Origin> {
    let answer = site.read(None, path, &[]).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.origin
}

async fn origins(site: &Site, paths: &[String]) -> Vec<Option<Origin>> {
    let mut origins = Vec::new();
    for path in paths {
        origins.push(origin(site, path).await);
    }
    origins
}

fn named(entry: &Value) -> String {
    format!("{POSTS}/{}", entry["id"].as_str().unwrap())
}

async fn edit(site: &Site, entry: &Value, title: &str) {
    site.put(&named(entry), json!({ "data": { "title": title }, "status": "published" })).await.expect(200);
}

#[tokio::test]
async fn publishing_an_entry_remakes_the_answers_that_show_it_and_no_other() {
    public_site(|site| async move {
        let (a, b) = (site.published("a", "A").await, site.published("b", "B").await);
        let german = json!({ "data": { "title": "A" }, "slug": "b", "locale": "de", "translationOf": a["id"], "status": "published" });
        let german = site.post(POSTS, german).await.expect(201)["item"].clone();
        let list = |query: &str| format!("{POSTS}?orderBy=slug&order=asc&limit=1{query}");
        let first = site.read(None, &list(""), &[]).await;
        let second = first.expect(200)["nextCursor"].as_str().unwrap().to_owned();
        let of = |entry: &Value, slug: &str, locale: &str| {
            vec![named(entry), format!("{POSTS}/{slug}?locale={locale}"), format!("{}/translations", named(entry))]
        };
        let of_a = [of(&a, "a", "en"), vec![list(""), list("&locale=en&includeTotal=true")]].concat();
        let of_b = [of(&b, "b", "en"), vec![format!("{POSTS}/b"), list(&format!("&cursor={second}"))]].concat();
        let of_german = [of(&german, "b", "de"), vec![list("&locale=de")]].concat();
        let all = [of_a.clone(), of_b.clone(), of_german.clone()].concat();
        origins(&site, &all).await;
        assert_eq!(origins(&site, &all).await, vec![Some(Kept); all.len()]);

        edit(&site, &b, "B2").await;
        assert_eq!(origins(&site, &of_a).await, [Kept, Kept, Kept, Confirmed, Confirmed].map(Some), "pages without it show the same");
        assert_eq!(origins(&site, &of_b).await, [Made; 5].map(Some));
        // Another entry of the collection has its slug.
        assert_eq!(origins(&site, &of_german).await, [Kept, Confirmed, Kept, Confirmed].map(Some));
        assert_eq!(origins(&site, &all).await, vec![Some(Kept); all.len()]);

        site.put(&named(&b), json!({ "data": { "title": "staged" } })).await.expect(200);
        assert_eq!(origins(&site, &all).await, vec![Some(Kept); all.len()], "a draft shows nowhere");

        edit(&site, &german, "A3").await;
        assert_eq!(origins(&site, &of(&a, "a", "en")).await, [Kept, Kept, Made].map(Some), "its translations name it");
    })
    .await;
}

#[tokio::test]
async fn a_slug_that_moves_takes_its_answer_along() {
    public_site(|site| async move {
        let (a, _) = (site.published("a", "A").await, site.published("b", "B").await);
        let (at_a, at_b) = (format!("{POSTS}/a"), format!("{POSTS}/b"));
        origins(&site, &[at_a.clone(), at_b.clone()]).await;
        let moved = site.put(&named(&a), json!({ "slug": "c", "data": { "title": "A" }, "status": "published" })).await;
        moved.expect(200);
        assert_eq!(site.read(None, &at_a, &[]).await.failure(), "404 NOT_FOUND");
        assert_eq!(origin(&site, &at_b).await, Some(Kept));
        assert_eq!(origin(&site, &format!("{POSTS}/c")).await, Some(Made));
        site.post(&format!("{}/unpublish", named(&a)), json!({})).await.expect(200);
        assert_eq!(site.read(None, &format!("{POSTS}/c"), &[]).await.failure(), "404 NOT_FOUND");
        // In another locale it is a second one of that name, and the only one that is public.
        let german = json!({ "data": { "title": "D" }, "slug": "b", "locale": "de", "status": "published" });
        site.post(POSTS, german).await.expect(201);
        assert_eq!(origin(&site, &at_b).await, Some(Confirmed), "another entry might be meant");
    })
    .await;
}

#[tokio::test]
async fn an_id_that_comes_back_shows_what_came_back() {
    public_site(|site| async move {
        let id = "01HZZZZZZZZZZZZZZZZZZZZZZ1";
        let import = async |title: &str| {
            site.app.clock().advance(Duration::from_secs(1));
            let line = json!({ "id": id, "collection": "posts", "slug": "a", "status": "published", "data": { "title": title } });
            let line: ImportEntry = serde_json::from_value(line).unwrap();
            site.app.cms().invoke(&Actor::System, Door::Local, line).await.unwrap();
        };
        let paths = [POSTS.to_owned(), format!("{POSTS}?fields=title"), format!("{POSTS}/a"), format!("{POSTS}/{id}")];
        let shown = async |title: &str| {
            for path in &paths {
                let answer = site.read(None, path, &[]).await;
                assert!(String::from_utf8_lossy(&answer.bytes).contains(&format!("\"title\":\"{title}\"")), "{path} {answer:?}");
            }
        };
        import("First").await;
        shown("First").await;
        site.admin("DELETE", &format!("{POSTS}/a"), Body::empty()).await.expect(200);
        site.admin("DELETE", &format!("{POSTS}/{id}/permanent"), Body::empty()).await.expect(200);
        import("Second").await;
        shown("Second").await;
    })
    .await;
}

#[tokio::test]
async fn a_change_of_fields_remakes_the_answers_of_its_collection_alone() {
    public_site(|site| async move {
        site.post("/_cms/api/schema/collections", json!({ "slug": "pages", "label": "Pages" })).await.expect(201);
        site.published("a", "A").await;
        let (posts, pages) = (vec![format!("{POSTS}/a"), POSTS.to_owned()], vec!["/_cms/api/content/pages".to_owned()]);
        origins(&site, &[posts.clone(), pages.clone()].concat()).await;
        site.admin("DELETE", "/_cms/api/schema/collections/posts/fields/summary", Body::empty()).await.expect(200);
        assert_eq!(origins(&site, &posts).await, [Made, Made].map(Some));
        assert_eq!(origins(&site, &pages).await, [Some(Kept)]);
    })
    .await;
}

/// Tell, slowly.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tells {}

static TOLD: AtomicUsize = AtomicUsize::new(0);

impl Operation for Tells {
    const ID: &'static str = "test.tells";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::get("tells", "/tells").cached(&[Subject::Custom]);
    const TOOL: Tool = Tool::Hidden;
    type Output = usize;

    async fn run(self, cx: &mut Cx<'_>) -> Result<usize, Error> {
        cx.shows(Topic::Custom("test:told".into()));
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(TOLD.fetch_add(1, Ordering::SeqCst))
    }
}

/// Have something else told.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Turns {}

impl Operation for Turns {
    const ID: &'static str = "test.turns";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("turns", "/turns");
    const TOOL: Tool = Tool::Hidden;
    type Output = ();

    async fn run(self, cx: &mut Cx<'_>) -> Result<(), Error> {
        cx.emit(Event::Custom { name: "test:told".to_owned(), details: json!({}) });
        Ok(())
    }
}

/// What so many get who ask at once.
async fn at_once(site: &Site, path: &str, n: usize) -> Vec<Answer> {
    join_all((0..n).map(|_| site.read(None, path, &[]))).await
}

#[tokio::test]
async fn of_many_who_ask_at_once_one_makes_the_answer() {
    public_site(|site| async move {
        let site = site.having::<Tells>().having::<Turns>();
        let answers = at_once(&site, TELLS, 32).await;
        let count = |answers: &[Answer], origin| answers.iter().filter(|answer| answer.origin == Some(origin)).count();
        assert_eq!((count(&answers, Made), count(&answers, Awaited)), (1, 31));
        assert!(answers.iter().all(|answer| answer.bytes == answers[0].bytes));

        // Who asks after a change does not get what was begun before it; who asked before gets one or the other.
        site.post("/_cms/api/turns", json!({})).await.expect(200);
        let before = at_once(&site, TELLS, 4);
        let after = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            site.post("/_cms/api/turns", json!({})).await.expect(200);
            at_once(&site, TELLS, 4).await
        };
        let (before, after) = tokio::join!(before, after);
        assert_eq!((count(&before, Made), count(&before, Awaited)), (1, 3));
        assert_eq!((count(&after, Made), count(&after, Awaited)), (1, 3));
        assert_ne!(before[0].bytes, after[0].bytes);
        let now = site.read(None, TELLS, &[]).await;
        assert_eq!((now.origin, now.bytes), (Some(Kept), after[0].bytes.clone()));
    })
    .await;
}

#[tokio::test]
async fn who_waits_for_an_answer_that_there_is_none_of_is_told_why() {
    public_site(|site| async move {
        let path = format!("{POSTS}/nowhere");
        for _ in 0..2 {
            let answers = at_once(&site, &path, 32).await;
            assert!(answers.iter().all(|answer| answer.failure() == "404 NOT_FOUND"));
            let ids: HashSet<_> = answers.iter().map(|answer| answer.header("x-request-id")).collect();
            assert_eq!(ids.len(), 32, "each request has an id of its own");
        }
        site.published("nowhere", "A").await;
        assert_eq!(origin(&site, &path).await, Some(Made));
    })
    .await;
}

/// Lets something go on until it waits.
async fn is_pending(mut work: Pin<&mut impl Future>) -> bool {
    poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx).is_pending())).await
}

#[tokio::test]
async fn when_whoever_makes_an_answer_goes_away_the_next_one_makes_it() {
    public_site(|site| async move {
        site.published("a", "A").await;
        let path = format!("{POSTS}/a");
        let mut first = Box::pin(site.read(None, &path, &[]));
        // It has begun, and waits for the database.
        while !is_pending(first.as_mut()).await {
            site.put(&path, json!({ "data": { "title": "B" }, "status": "published" })).await.expect(200);
            first = Box::pin(site.read(None, &path, &[]));
        }
        let waiting = join_all([site.read(None, &path, &[]), site.read(None, &path, &[])]);
        tokio::pin!(waiting);
        assert!(is_pending(waiting.as_mut()).await);
        drop(first);
        let answers = waiting.await;
        assert!(answers.iter().all(|answer| answer.status == 200));
        assert_eq!(answers.iter().filter(|answer| answer.origin == Some(Made)).count(), 1);
    })
    .await;
}
