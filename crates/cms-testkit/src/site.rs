//! A small site to test with: one collection of posts, and one post in each state.

use cms_core::{
    Error,
    content::{
        entries::{create::CreateEntry, delete::DeleteEntry, publish::PublishEntry, schedule::ScheduleEntry, update::UpdateEntry},
        schema::create_collection::CreateCollection,
    },
    operation::Operation,
    testing::TestApp,
};
use cms_domain::{
    access::{Actor, to},
    user::Role,
};
use serde_json::{Value, json};

/// The posts of the site, by their slugs: what each is there for.
pub const POSTS: [&str; 5] = ["draft", "live", "edited", "planned", "trashed"];

/// Makes the collection `posts` and its posts. The author of each is the user with the role Author.
///
/// # Panics
/// Panics when an operation refuses.
pub async fn build(app: &TestApp) {
    let fields = json!([
        { "slug": "title", "label": "Title", "type": "string", "required": true, "indexed": true },
        { "slug": "body", "label": "Body", "type": "portableText" },
        { "slug": "price", "label": "Price", "type": "number", "indexed": true },
        { "slug": "tags", "label": "Tags", "type": "multiSelect", "validation": { "options": ["red", "green"] } },
    ]);
    let supports = ["drafts", "revisions", "preview", "scheduling", "search", "seo"];
    done::<CreateCollection>(app, Role::Admin, json!({ "slug": "posts", "label": "Posts", "supports": supports, "fields": fields })).await;
    for slug in POSTS {
        done::<CreateEntry>(app, Role::Author, json!({ "collection": "posts", "slug": slug, "data": { "title": slug } })).await;
    }
    let at = |slug: &str| json!({ "collection": "posts", "id": slug });
    for slug in ["live", "edited"] {
        done::<PublishEntry>(app, Role::Author, at(slug)).await;
    }
    done::<UpdateEntry>(app, Role::Author, json!({ "collection": "posts", "id": "edited", "data": { "title": "edited again" } })).await;
    let later = json!({ "collection": "posts", "id": "planned", "scheduledAt": "2027-06-01T00:00:00Z" });
    done::<ScheduleEntry>(app, Role::Author, later).await;
    done::<DeleteEntry>(app, Role::Author, at("trashed")).await;
}

/// Makes content whose collection is not registered, as a partial restore leaves it: one draft of `lost`. Answers with
/// the server that is started afterwards.
///
/// # Panics
/// Panics when an operation or the database refuses.
pub async fn lose(app: &TestApp) -> TestApp {
    let fields = json!([{ "slug": "title", "label": "Title", "type": "string" }]);
    done::<CreateCollection>(app, Role::Admin, json!({ "slug": "lost", "label": "Lost", "fields": fields })).await;
    done::<CreateEntry>(app, Role::Author, json!({ "collection": "lost", "slug": "one", "data": { "title": "One" } })).await;
    if let Err(error) = unregister(app).await {
        panic!("the collection is still registered: {error:?}");
    }
    app.another(|_| {})
}

async fn unregister(app: &TestApp) -> Result<(), Error> {
    let permit = Actor::System.permit(to::ManageSchema)?;
    let tx = app.store().write().await?;
    if let Some(lost) = tx.reader().collections().all().await?.iter().find(|collection| collection.slug.as_str() == "lost") {
        tx.collections().unregister(&permit, lost.id).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Does an operation that must succeed.
///
/// # Panics
/// Panics when it refuses.
pub async fn done<O: Operation>(app: &TestApp, role: Role, input: Value) -> Value {
    match app.call::<O>(role, input.clone()).await {
        Ok(answer) => answer,
        Err(error) => panic!("{} {input}: {error:?}", O::ID),
    }
}
