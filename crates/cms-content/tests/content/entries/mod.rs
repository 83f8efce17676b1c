//! What holds of entries, on both databases.

mod all;
mod approval;
mod bulk;
mod calendar;
mod drafts;
mod hooks;
mod lists;
mod locks;
mod machine;
mod markdown;
mod merge;
mod places;
mod previews;
mod races;
mod references;
mod revisions;
mod schedules;
mod translations;
mod values;
mod visibility;
mod wanted;

use cms_content::{
    entries::{create::CreateEntry, get::GetEntry, publish::PublishEntry, unpublish::UnpublishEntry, update::UpdateEntry},
    schema::create_collection::CreateCollection,
};
use cms_core::testing::TestApp;
use cms_domain::{time::Timestamp, user::Role};
use cms_frame::{Code, Error, operation::Operation};
use serde_json::{Value, json};

/// Collections for tests: `posts` with everything, `plain` without any feature, `notes` without addresses.
pub(super) struct Site {
    app: TestApp,
}

impl std::ops::Deref for Site {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

impl Site {
    pub(super) async fn open(app: TestApp) -> Self {
        let site = Self { app };
        let reference = |slug, on_delete, many| {
            let options = json!({ "collection": "posts", "onDelete": on_delete, "allowMultiple": many });
            json!({ "slug": slug, "label": slug, "type": "reference", "options": options })
        };
        let fields = json!([
            { "slug": "title", "label": "Title", "type": "string", "required": true },
            { "slug": "body", "label": "Body", "type": "text" },
            { "slug": "price", "label": "Price", "type": "number", "indexed": true },
            { "slug": "code", "label": "Code", "type": "string", "unique": true },
            { "slug": "brand", "label": "Brand", "type": "string", "translatable": false },
            { "slug": "kind", "label": "Kind", "type": "string", "defaultValue": "article" },
            { "slug": "at", "label": "At", "type": "datetime" },
            { "slug": "tags", "label": "Tags", "type": "multiSelect" },
            { "slug": "any", "label": "Any", "type": "json" },
            { "slug": "flag", "label": "Flag", "type": "boolean" },
            { "slug": "picture", "label": "Picture", "type": "image", "validation": { "allowedMimeTypes": ["image/"] } },
            { "slug": "link", "label": "Link", "type": "url" },
            reference("related", "clear", true),
            reference("parent", "restrict", false),
        ]);
        let supports = json!(["drafts", "revisions", "preview", "scheduling", "seo"]);
        site.admin::<CreateCollection>(json!({ "slug": "posts", "label": "Posts", "supports": supports, "fields": fields })).await;
        let title = json!([{ "slug": "title", "label": "Title", "type": "string", "required": true }]);
        site.admin::<CreateCollection>(json!({ "slug": "plain", "label": "Plain", "supports": [], "fields": title })).await;
        let notes = json!({ "slug": "notes", "label": "Notes", "routable": false, "editLocking": false, "fields": [{ "slug": "text", "label": "Text", "type": "text" }] });
        site.admin::<CreateCollection>(notes).await;
        site
    }

    pub(super) fn now(&self) -> Timestamp {
        self.cms().now()
    }

    /// Does an operation as an administrator.
    pub(super) async fn admin<O: Operation>(&self, input: Value) -> Value {
        self.done::<O>(Role::Admin, input).await
    }

    /// Does an operation that must succeed.
    pub(super) async fn done<O: Operation>(&self, role: Role, input: Value) -> Value {
        match self.call::<O>(role, input.clone()).await {
            Ok(answer) => answer,
            Err(error) => panic!("{} {input}: {error:?}", O::ID),
        }
    }

    /// Does an operation that must fail, and says how.
    pub(super) async fn refused<O: Operation>(&self, role: Role, input: Value) -> Error {
        match self.call::<O>(role, input.clone()).await {
            Ok(answer) => panic!("{} {input}: {answer}", O::ID),
            Err(error) => error,
        }
    }

    /// The code with which an operation fails.
    pub(super) async fn code<O: Operation>(&self, role: Role, input: Value) -> Code {
        self.refused::<O>(role, input).await.code()
    }

    /// A new draft in `posts`, of the author's.
    pub(super) async fn draft(&self, data: Value) -> Value {
        self.done::<CreateEntry>(Role::Author, json!({ "collection": "posts", "data": data })).await
    }

    /// A new published entry in `posts`, of the author's.
    pub(super) async fn published(&self, data: Value) -> Value {
        self.done::<CreateEntry>(Role::Author, json!({ "collection": "posts", "data": data, "status": "published" })).await
    }

    pub(super) async fn get(&self, role: Role, answer: &Value) -> Value {
        self.done::<GetEntry>(role, named(answer)).await
    }

    pub(super) async fn update(&self, answer: &Value, change: Value) -> Value {
        self.done::<UpdateEntry>(Role::Author, with(answer, change)).await
    }

    pub(super) async fn publish(&self, answer: &Value) -> Value {
        self.done::<PublishEntry>(Role::Author, named(answer)).await
    }

    pub(super) async fn unpublish(&self, answer: &Value) -> Value {
        self.done::<UnpublishEntry>(Role::Author, named(answer)).await
    }
}

/// Names the entry of an answer.
pub(super) fn named(answer: &Value) -> Value {
    json!({ "collection": answer["item"]["type"], "id": answer["item"]["id"] })
}

/// Names the entry of an answer, and more.
pub(super) fn with(answer: &Value, more: Value) -> Value {
    let mut input = named(answer);
    if let (Value::Object(input), Value::Object(more)) = (&mut input, more) {
        input.extend(more);
    }
    input
}

/// The problems that a refusal names: path and code.
pub(super) fn issues(error: &Error) -> Vec<String> {
    let issues = error.details_json().and_then(|details| details["issues"].as_array()).cloned().unwrap_or_default();
    issues.iter().map(|issue| format!("{} {}", issue["path"].as_str().unwrap_or("?"), issue["code"].as_str().unwrap_or("?"))).collect()
}
