//! What holds of collections and fields, on both databases.

mod collections;
mod convert;
mod deletion;
mod fields;
mod looking;
mod many;
mod orphans;
mod plan;
mod rename;
mod retype;
mod unique;

use cms_content::{
    entries::create::CreateEntry,
    schema::{
        collections::GetCollection, create_collection::CreateCollection, create_field::CreateField, delete_field::DeleteField,
        update_field::UpdateField,
    },
};
use cms_core::testing::TestApp;
use cms_domain::user::Role;
use cms_frame::{Code, Error};
use serde_json::{Value, json};

/// A collection `posts` with these fields, as `[{slug, type, …}]`; labels are made up.
async fn posts(app: &TestApp, fields: Value) -> Value {
    collection(app, json!({ "slug": "posts", "label": "Posts", "fields": labelled(fields) })).await
}

async fn collection(app: &TestApp, input: Value) -> Value {
    app.call::<CreateCollection>(Role::Admin, input).await.unwrap()["item"].clone()
}

fn labelled(mut fields: Value) -> Value {
    for field in fields.as_array_mut().unwrap() {
        field["label"] = field["slug"].clone();
    }
    fields
}

/// The id of a new entry of `posts`.
async fn entry(app: &TestApp, data: Value) -> String {
    entry_in(app, json!({ "collection": "posts", "data": data })).await
}

async fn entry_in(app: &TestApp, input: Value) -> String {
    app.call::<CreateEntry>(Role::Editor, input).await.unwrap()["item"]["id"].as_str().unwrap().to_owned()
}

async fn get(app: &TestApp) -> Value {
    app.call::<GetCollection>(Role::Editor, json!({ "slug": "posts" })).await.unwrap()["item"].clone()
}

async fn add_field(app: &TestApp, field: Value) -> Result<Value, Error> {
    let mut input = labelled(json!([field]))[0].take();
    input["collection"] = json!("posts");
    app.call::<CreateField>(Role::Admin, input).await.map(|mut answer| answer["item"].take())
}

async fn update_field(app: &TestApp, slug: &str, change: Value) -> Result<Value, Error> {
    let mut input = change;
    input["collection"] = json!("posts");
    input["fieldSlug"] = json!(slug);
    app.call::<UpdateField>(Role::Admin, input).await.map(|mut answer| answer["item"].take())
}

async fn drop_field(app: &TestApp, slug: &str) {
    app.call::<DeleteField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": slug })).await.unwrap();
}

/// The code of a failure, and the paths and codes of its issues.
fn problems(error: &Error) -> (Code, Vec<(String, String)>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let issues = error.details_json().and_then(|details| details["issues"].as_array()).cloned().unwrap_or_default();
    (error.code(), issues.iter().map(|issue| (text(&issue["path"]), text(&issue["code"]))).collect())
}

fn issue(path: &str, code: &str) -> (Code, Vec<(String, String)>) {
    (Code::ValidationError, vec![(path.to_owned(), code.to_owned())])
}
