//! The blog from outside: requests against its router, on either database.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{collections::BTreeSet, time::Duration};

use axum::{Router, body::Body};
use blog::{Blog, ask, sessions::Member};
use cms_core::{
    Code, Door,
    accounts::tokens::CreateToken,
    content::entries::{create::CreateEntry, list::ListEntries},
    tasks::{driver::run_tasks, settle},
};
use cms_domain::{
    access::{Actor, Scope},
    event::Event,
    user::Role,
};
use cms_http_api::HostCaller;
use cms_storage::{
    OutboxPosition, Store,
    testing::{TestStore, run},
};
use http::{HeaderMap, Request, StatusCode, header, request::Builder};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const ORIGIN: &str = "https://blog.example";
const API: &str = "/studio/api";

/// A blog with three people, each with a session.
#[derive(Clone)]
struct Stage {
    blog: Blog,
    store: Store,
    router: Router,
    editor: Person,
    author: Person,
    reader: Person,
}

#[derive(Clone)]
struct Person {
    member: Member,
    cookie: String,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn expect(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }
}

/// Runs a test on a blog over SQLite, and on one over PostgreSQL where there is one.
async fn staged<T: Future<Output = ()> + Send + 'static>(test: fn(Stage) -> T) {
    let on = |store: Store| async move { test(Stage::set(store).await).await };
    run(TestStore::sqlite().await.map(Some), on).await;
    run(TestStore::postgres().await, on).await;
}

impl Stage {
    async fn set(store: Store) -> Self {
        let blog = Blog::open(store.clone(), ORIGIN).await.unwrap();
        let router = blog.router();
        let mut people = Vec::new();
        for role in [Role::Editor, Role::Author, Role::Subscriber] {
            let member = blog.member(&format!("{role}@blog.example"), &role.to_string(), role).await.unwrap();
            let link = blog.sessions.invite(member).unwrap();
            let door = form(&format!("/enter/{link}")).body(Body::empty()).unwrap();
            let entered = send(&router, door).await;
            let cookie = entered.expect(303).headers[header::SET_COOKIE].to_str().unwrap().to_owned();
            assert!(cookie.contains("HttpOnly") && cookie.contains("Secure") && cookie.contains("SameSite=Lax"), "{cookie}");
            people.push(Person { member, cookie: cookie.split(';').next().unwrap().to_owned() });
        }
        let [editor, author, reader]: [Person; 3] = people.try_into().unwrap_or_else(|_| panic!("three people"));
        Self { blog, store, router, editor, author, reader }
    }

    async fn get(&self, path: &str) -> Answer {
        send(&self.router, request("GET", path).body(Body::empty()).unwrap()).await
    }

    /// A request to the API as a script of the blog's pages sends it.
    async fn api(&self, person: Option<&Person>, method: &str, path: &str, body: Value) -> Answer {
        let mut request = request(method, &format!("{API}{path}")).header("x-cms-request", "1").header("origin", ORIGIN);
        if let Some(person) = person {
            request = request.header("cookie", &person.cookie);
        }
        let request = match body {
            Value::Null => request.body(Body::empty()),
            body => request.header("content-type", "application/json").body(Body::from(body.to_string())),
        };
        send(&self.router, request.unwrap()).await
    }

    /// A post of the author's.
    async fn post(&self, status: &str, data: Value) -> Value {
        let input = json!({ "collection": "posts", "status": status, "data": data });
        let made = ask::<CreateEntry>(&self.blog.cms, &actor(&self.author), input).await.unwrap();
        serde_json::to_value(made.item).unwrap()
    }

    /// Lets hooks be told until the board has so many notices: PostgreSQL shows them changes when older transactions have ended.
    async fn notices(&self, many: usize) -> Vec<String> {
        for _ in 0..3_000 {
            settle(&self.blog.cms).await.unwrap();
            if self.blog.board.notices().len() >= many {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.blog.board.notices()
    }

    /// An access token of the editor's.
    async fn token(&self) -> String {
        let user = Some("editor@blog.example".parse().unwrap());
        let make = CreateToken { user, name: "test".to_owned(), scopes: BTreeSet::from([Scope::ContentWrite]), expires_at: None };
        self.blog.cms.invoke(&Actor::System, Door::Local, make).await.unwrap().token
    }

    /// Sends a message to the endpoint for tools.
    async fn tool(&self, token: &str, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = request("POST", &format!("{API}/mcp")).header("authorization", format!("Bearer {token}"));
        let request = request.header("content-type", "application/json").header("accept", "application/json, text/event-stream");
        send(&self.router, request.body(Body::from(message.to_string())).unwrap()).await.expect(200).json()["result"].clone()
    }
}

fn actor(person: &Person) -> Actor {
    HostCaller::user(person.member.user, person.member.role).actor().clone()
}

fn request(method: &str, path: &str) -> Builder {
    Request::builder().method(method).uri(path).header("host", "blog.example")
}

/// A form of the blog's own pages.
fn form(path: &str) -> Builder {
    request("POST", path).header("origin", ORIGIN)
}

async fn send(router: &Router, request: Request<Body>) -> Answer {
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    Answer { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
}

#[tokio::test]
async fn what_is_published_is_on_the_pages_and_a_draft_is_on_none() {
    staged(|stage| async move {
        assert!(stage.get("/").await.expect(200).text.contains("Nothing is published yet."));
        let live = stage.post("published", json!({ "title": "Out", "summary": "In short", "body": "One.\n\nTwo." })).await;
        let draft = stage.post("draft", json!({ "title": "Not yet" })).await;
        let id = live["id"].as_str().unwrap();
        stage.api(Some(&stage.author), "PUT", &format!("/content/posts/{id}"), json!({ "data": { "body": "Staged." } })).await.expect(200);

        let list = stage.get("/").await;
        assert!(list.expect(200).text.contains(r#"<a href="/posts/out">Out</a>"#) && !list.text.contains("Not yet"), "{}", list.text);
        let page = stage.get("/posts/out").await;
        assert!(page.expect(200).text.contains("<p>One.</p>\n\n<p>Two.</p>") && !page.text.contains("Staged."), "{}", page.text);
        for address in [draft["slug"].as_str().unwrap(), draft["id"].as_str().unwrap()] {
            let request = request("GET", &format!("/posts/{address}")).header("cookie", &stage.editor.cookie);
            send(&stage.router, request.body(Body::empty()).unwrap()).await.expect(404);
        }
    })
    .await;
}

#[tokio::test]
async fn what_people_write_is_text_on_a_page() {
    staged(|stage| async move {
        let script = r#"<script>alert("1")</script>"#;
        stage.post("published", json!({ "title": format!("a {script}"), "summary": script, "body": script })).await;
        for path in ["/", "/posts/a-scriptalert1script"] {
            let page = stage.get(path).await;
            assert!(!page.expect(200).text.contains("<script") && page.text.contains("&#60;script&#62;"), "{}", page.text);
        }
    })
    .await;
}

#[tokio::test]
async fn an_address_without_anything_is_a_page_that_says_so() {
    staged(|stage| async move {
        for path in ["/posts/nothing", "/posts/NOT%20A%20SLUG", "/nowhere", "/?after=nonsense", "/_cms/api/auth/mode"] {
            let page = stage.get(path).await;
            assert!(page.expect(404).text.contains("<p>There is nothing at this address.</p>"), "{path}: {}", page.text);
        }
        let missing = stage.get("/studio/api/nowhere").await;
        assert_eq!(missing.expect(404).code(), "NOT_FOUND", "below the prefix it is the API that says so");
    })
    .await;
}

#[tokio::test]
async fn each_post_is_on_one_page_of_the_list_whatever_is_published_meanwhile() {
    staged(|stage| async move {
        for n in 0..25 {
            stage.post("published", json!({ "title": format!("post n{n}") })).await;
        }
        let (mut path, mut seen, mut pages) = ("/".to_owned(), Vec::new(), 0);
        loop {
            let page = stage.get(&path).await.expect(200).text.clone();
            pages += 1;
            seen.extend(page.split(r#"href="/posts/"#).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
            stage.post("published", json!({ "title": "meanwhile" })).await;
            let Some((_, rest)) = page.split_once(r#"rel="next" href=""#) else { break };
            rest.split('"').next().unwrap().clone_into(&mut path);
        }
        let expected: BTreeSet<_> = (0..25).map(|n| format!("post-n{n}")).collect();
        assert_eq!((pages, seen.len(), seen.into_iter().collect()), (3, 25, expected));
    })
    .await;
}

#[tokio::test]
async fn the_api_and_the_tools_are_below_the_prefix_of_the_blog_and_have_its_operation() {
    staged(|stage| async move {
        let live = stage.post("published", json!({ "title": "Out" })).await;
        let read = stage.api(None, "GET", "/content/posts/out", Value::Null).await;
        assert_eq!(read.expect(200).json()["data"]["item"]["data"]["title"], "Out");
        let document = stage.get("/studio/api/openapi.json").await.expect(200).json();
        let operation = &document["paths"]["/blog/posts/{id}/like"]["post"];
        assert_eq!((&operation["operationId"], &operation["summary"]), (&json!("likePost"), &json!("Like a post")));
        assert!(operation["responses"]["409"].to_string().contains("BLOG_OWN_POST"), "{operation}");
        assert_eq!(document["info"]["title"], "API of the blog");

        let token = stage.token().await;
        let tools = stage.tool(&token, "tools/list", json!({})).await;
        assert!(tools["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "blog_like"), "{tools}");
        let called = stage.tool(&token, "tools/call", json!({ "name": "blog_like", "arguments": { "id": "out" } })).await;
        assert_eq!(called["structuredContent"], json!({ "post": live["id"] }));
    })
    .await;
}

#[tokio::test]
async fn who_is_signed_in_at_the_blog_is_who_asks_the_api() {
    staged(|stage| async move {
        let post = json!({ "data": { "title": "From the API" } });
        let made = stage.api(Some(&stage.editor), "POST", "/content/posts", post.clone()).await;
        assert_eq!(made.expect(201).json()["data"]["item"]["authorId"], stage.editor.member.user.to_string());
        let refused = stage.api(Some(&stage.reader), "POST", "/content/posts", post.clone()).await;
        assert_eq!(refused.expect(403).code(), "INSUFFICIENT_PERMISSIONS");
        let stranger = stage.api(None, "POST", "/content/posts", post.clone()).await;
        assert_eq!(stranger.expect(401).code(), "NOT_AUTHENTICATED");
        let forged = Person { cookie: "blog_session=forged".to_owned(), ..stage.editor.clone() };
        stage.api(Some(&forged), "POST", "/content/posts", post.clone()).await.expect(401);

        let drafts = ask::<ListEntries>(&stage.blog.cms, &actor(&stage.editor), json!({ "collection": "posts" })).await.unwrap();
        assert_eq!(drafts.items.len(), 1);
        let error = ask::<CreateEntry>(&stage.blog.cms, &actor(&stage.reader), json!({ "collection": "posts", "data": {} })).await;
        assert_eq!(error.unwrap_err().code(), Code::InsufficientPermissions);
    })
    .await;
}

#[tokio::test]
async fn a_page_of_another_site_has_no_browser_do_anything_with_the_blogs_cookie() {
    staged(|stage| async move {
        stage.post("published", json!({ "title": "Out" })).await;
        let foreign = "https://evil.example";
        for origin in [Some(foreign), Some("null"), None] {
            let api = request("POST", "/studio/api/content/posts").header("content-type", "application/json");
            let like = request("POST", "/posts/out/like");
            for (sent, body) in [(api, r#"{"data":{"title":"A"}}"#), (like, "")] {
                let sent = origin.iter().fold(sent, |sent, origin| sent.header("origin", *origin)).header("cookie", &stage.editor.cookie);
                send(&stage.router, sent.body(Body::from(body)).unwrap()).await.expect(403);
            }
        }
        let marked = request("POST", "/studio/api/content/posts").header("x-cms-request", "1").header("origin", foreign);
        let marked = marked.header("cookie", &stage.editor.cookie).header("content-type", "application/json");
        let refused = send(&stage.router, marked.body(Body::from(r#"{"data":{"title":"A"}}"#)).unwrap()).await;
        assert_eq!(refused.expect(403).code(), "CSRF_REJECTED");
    })
    .await;
}

#[tokio::test]
async fn a_rule_of_the_blog_refuses_a_save_with_its_own_code() {
    staged(|stage| async move {
        let shouted = stage.api(Some(&stage.author), "POST", "/content/posts", json!({ "data": { "title": "LISTEN TO ME" } })).await;
        assert_eq!(shouted.expect(422).code(), "HOOK_REFUSED");
        let error = &shouted.json()["error"];
        assert_eq!(error["details"], json!({ "hook": "blog.no_shouting", "code": "BLOG_SHOUTING" }));
        assert_eq!(error["message"], "write the title in small letters, too");
        let list = stage.api(Some(&stage.editor), "GET", "/content/posts", Value::Null).await;
        assert_eq!(list.expect(200).json()["data"]["items"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn the_blog_computes_how_long_a_post_takes_to_read_whatever_its_author_says() {
    staged(|stage| async move {
        let body = "word ".repeat(450);
        let made = stage
            .api(Some(&stage.author), "POST", "/content/posts", json!({ "data": { "title": "Long", "body": body, "minutes": 99 } }))
            .await;
        let item = &made.expect(201).json()["data"]["item"];
        assert_eq!(item["data"]["minutes"], 3);
        let address = format!("/content/posts/{}", item["id"].as_str().unwrap());
        let kept = stage.api(Some(&stage.author), "GET", &address, Value::Null).await;
        assert_eq!(kept.expect(200).json()["data"]["item"]["data"]["minutes"], 3);
    })
    .await;
}

#[tokio::test]
async fn who_is_signed_in_likes_a_published_post_that_is_not_their_own() {
    staged(|stage| async move {
        stage.post("published", json!({ "title": "Out" })).await;
        let draft = stage.post("draft", json!({ "title": "Not yet" })).await;
        let page = request("GET", "/posts/out").header("cookie", &stage.reader.cookie).body(Body::empty()).unwrap();
        assert!(send(&stage.router, page).await.text.contains(r#"<form method="post" action="/posts/out/like">"#));
        assert!(!stage.get("/posts/out").await.text.contains("<form"));
        let like = async |person: Option<&Person>, slug: &str| {
            let form = form(&format!("/posts/{slug}/like"));
            let form = person.iter().fold(form, |form, person| form.header("cookie", &person.cookie));
            send(&stage.router, form.body(Body::empty()).unwrap()).await
        };
        stage.notices(1).await;
        assert_eq!(like(Some(&stage.reader), "out").await.expect(303).headers[header::LOCATION], "/posts/out");
        like(None, "out").await.expect(401);
        assert!(like(Some(&stage.author), "out").await.expect(409).text.contains("you wrote this post"));
        like(Some(&stage.editor), draft["id"].as_str().unwrap()).await.expect(404);

        let own = stage.api(Some(&stage.author), "POST", "/blog/posts/out/like", Value::Null).await;
        assert_eq!(own.expect(409).code(), "BLOG_OWN_POST");
        stage.api(Some(&stage.editor), "POST", "/blog/posts/out/like", Value::Null).await.expect(200);
        assert_eq!(stage.notices(3).await, ["published: Out", "liked: out", "liked: out"]);

        let told = stage.store.reader().outbox().read_after(OutboxPosition::default(), 100).await.unwrap();
        let by = told.into_iter().filter_map(|(_, event)| match event {
            Some(Event::Custom { name, details }) if name == "blog:liked" => Some(details["by"].clone()),
            _ => None,
        });
        assert_eq!(by.collect::<Vec<_>>(), [json!(stage.reader.member.user), json!(stage.editor.member.user)]);
    })
    .await;
}

#[tokio::test]
async fn the_blog_hears_of_what_is_published_while_its_tasks_run_and_they_end_when_told_to() {
    staged(|stage| async move {
        let stop = CancellationToken::new();
        let tasks = tokio::spawn(run_tasks(stage.blog.cms.clone(), stop.clone().cancelled_owned()));
        stage.post("draft", json!({ "title": "Not yet" })).await;
        let later = stage.post("draft", json!({ "title": "Later" })).await;
        let address = format!("/content/posts/{}/publish", later["id"].as_str().unwrap());
        stage.api(Some(&stage.author), "POST", &address, json!({})).await.expect(200);
        for _ in 0..3_000 {
            if !stage.blog.board.notices().is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(stage.blog.board.notices(), ["published: Later"]);
        stop.cancel();
        tokio::time::timeout(Duration::from_secs(20), tasks).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn somebody_whom_the_blog_knows_has_one_account_and_a_link_lets_in_once() {
    staged(|stage| async move {
        let again = stage.blog.member("editor@blog.example", "Editor", Role::Editor).await.unwrap();
        assert_eq!(again, stage.editor.member);
        let link = format!("/enter/{}", stage.blog.sessions.invite(again).unwrap());
        assert!(stage.get(&link).await.expect(200).text.contains("Come in"), "looking spends nothing");
        let enter = async || send(&stage.router, form(&link).body(Body::empty()).unwrap()).await;
        enter().await.expect(303);
        enter().await.expect(404);
    })
    .await;
}

/// The lines of a text, however far they are indented.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_piece_of_rust_in_the_guide_is_in_this_program() {
    let sources = [
        include_str!("../src/lib.rs"),
        include_str!("../src/likes.rs"),
        include_str!("../src/main.rs"),
        include_str!("../src/pages.rs"),
        include_str!("../src/rules.rs"),
        include_str!("../src/sessions.rs"),
    ];
    let guide = include_str!("../../../docs/embedding.md");
    let pieces: Vec<_> = guide.split("```rust\n").skip(1).map(|rest| lines(rest.split("```").next().unwrap())).collect();
    assert!(pieces.len() >= 8, "{}", pieces.len());
    for piece in pieces {
        let is_there = sources.iter().any(|source| lines(source).windows(piece.len()).any(|window| window == piece));
        assert!(is_there, "in no source:\n{}", piece.join("\n"));
    }
}
