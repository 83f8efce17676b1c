//! The blog's pages: rendered here, from what anybody may read, without a request to itself.

use anyhow::Context;
use askama::Template;
use axum::{
    Extension, Router,
    extract::{Path, Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    middleware::{Next, from_fn_with_state},
    response::{AppendHeaders, Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use cms_core::{
    Code, Error, Kind,
    content::entries::{get::GetEntry, item::Item, list::ListEntries, listed::Listed},
};
use cms_domain::access::Actor;
use cms_http_api::HostCaller;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{Blog, POSTS, ask, likes::LikePost};

/// How many posts a page lists.
const PAGE: u8 = 10;

/// The pages. What is at none of their addresses is a page that says so.
pub fn router(blog: &Blog) -> Router {
    Router::new()
        .route("/", get(list))
        .route("/posts/{slug}", get(show))
        .route("/posts/{slug}/like", post(like))
        .route("/enter/{link}", get(door).post(enter))
        .fallback(nothing)
        .layer(from_fn_with_state(blog.clone(), refuse_foreign_forms))
        .with_state(blog.clone())
}

/// A post, as pages show it.
struct Post {
    slug: String,
    title: String,
    summary: String,
    paragraphs: Vec<String>,
    minutes: Option<u64>,
    date: String,
}

impl TryFrom<Item> for Post {
    type Error = Error;

    fn try_from(item: Item) -> Result<Self, Error> {
        let values: Map<String, Value> = item.data.members()?;
        let text = |field: &str| values.get(field).and_then(Value::as_str).unwrap_or_default();
        let date = item.published_at.map(|at| at.to_string()).unwrap_or_default();
        Ok(Self {
            slug: item.slug.map_or_else(|| item.id.to_string(), |slug| slug.to_string()),
            title: text("title").to_owned(),
            summary: text("summary").to_owned(),
            paragraphs: text("body").split("\n\n").map(str::to_owned).collect(),
            minutes: values.get("minutes").and_then(Value::as_u64),
            date: date.chars().take(10).collect(),
        })
    }
}

#[derive(Template)]
#[template(path = "list.html")]
struct ListPage {
    posts: Vec<Post>,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "post.html")]
struct PostPage {
    post: Post,
    is_signed_in: bool,
}

#[derive(Template)]
#[template(path = "door.html")]
struct DoorPage;

#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage<'a> {
    title: &'a str,
    message: &'a str,
}

/// What is asked of the list.
#[derive(Deserialize)]
struct Asked {
    after: Option<String>,
}

/// The list of posts, the newest first. Whoever looks, it is read as nobody: there is no draft in it.
#[expect(clippy::disallowed_types, reason = "this page is no operation, and has no schema to read its query by")]
async fn list(State(blog): State<Blog>, asked: axum::extract::Query<Asked>) -> Result<Response, Failure> {
    let input = json!({
        "collection": POSTS,
        "orderBy": "publishedAt",
        "limit": PAGE,
        "cursor": asked.after,
        "fields": "title,summary,minutes",
    });
    let page = ask::<ListEntries>(&blog.cms, &Actor::Anonymous, input).await?;
    let items = page.items.into_iter().filter_map(Listed::into_item);
    let posts = items.map(Post::try_from).collect::<Result<_, _>>()?;
    rendered(StatusCode::OK, &ListPage { posts, next: page.next_cursor.map(|cursor| cursor.to_string()) })
}

/// One post.
async fn show(State(blog): State<Blog>, Extension(caller): Extension<HostCaller>, Path(slug): Path<String>) -> Result<Response, Failure> {
    let entry = ask::<GetEntry>(&blog.cms, &Actor::Anonymous, json!({ "collection": POSTS, "id": slug })).await?;
    rendered(StatusCode::OK, &PostPage { post: entry.item.try_into()?, is_signed_in: *caller.actor() != Actor::Anonymous })
}

/// Somebody likes a post, with the button of its page.
async fn like(
    State(blog): State<Blog>,
    Extension(caller): Extension<HostCaller>,
    Path(slug): Path<String>,
    address: Uri,
) -> Result<Redirect, Failure> {
    ask::<LikePost>(&blog.cms, caller.actor(), json!({ "id": slug })).await?;
    Ok(Redirect::to(address.path().trim_end_matches("/like")))
}

/// The page of a link that lets somebody in. It spends nothing: programs look where links lead.
async fn door() -> Result<Response, Failure> {
    rendered(StatusCode::OK, &DoorPage)
}

/// Lets somebody in.
async fn enter(State(blog): State<Blog>, Path(link): Path<String>) -> Result<Response, Failure> {
    let Some(cookie) = blog.sessions.enter(&link, blog.is_secure())? else { return Err(Error::new(Code::NotFound).into()) };
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Redirect::to("/")).into_response())
}

async fn nothing() -> Failure {
    Error::new(Code::NotFound).into()
}

/// Refuses a form that a page of somebody else sends with the blog's cookie. For its own addresses that is the blog's task; below its prefix, the CMS does it.
async fn refuse_foreign_forms(State(blog): State<Blog>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) || is_from_here(&blog, request.headers()) {
        return next.run(request).await;
    }
    Failure::from(Error::new(Code::CsrfRejected)).into_response()
}

/// Whether a browser says that a page of the blog sends a request. All of them say it of a form.
fn is_from_here(blog: &Blog, headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).is_some_and(|origin| blog.is_own(origin))
}

fn rendered(status: StatusCode, page: &impl Template) -> Result<Response, Failure> {
    Ok((status, Html(page.render().context("a page cannot be rendered")?)).into_response())
}

/// What went wrong, as a page.
struct Failure {
    status: StatusCode,
    message: String,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error.code().kind() {
            // An address that cannot be one has nothing, either.
            Kind::NotFound | Kind::Invalid => StatusCode::NOT_FOUND,
            Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::Conflict => StatusCode::CONFLICT,
            Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let message = if status == StatusCode::NOT_FOUND { "There is nothing at this address." } else { error.message() };
        Self { status, message: message.to_owned() }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        tracing::error!(?error, "a page failed");
        Error::new(Code::InternalError).into()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or_default();
        match (FailurePage { title, message: &self.message }).render() {
            Ok(page) => (self.status, Html(page)).into_response(),
            Err(_) => self.status.into_response(),
        }
    }
}
