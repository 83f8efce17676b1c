//! Nothing that people edit is overwritten unseen: of many who change one thing by one `_rev`, one does, and the others are told. The operations
//! are found in the catalog, so that the next resource is among them.

use std::sync::Arc;

use cms_core::{
    Code,
    descriptor::Descriptor,
    operation::{Method, Surface},
};
use cms_storage::testing::TestStore;
use cms_testkit::Outcome;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::{
    Caller, Case, cases, chosen, samples,
    world::{World, built_in},
};

/// How many change one thing at once.
const CLIENTS: usize = 32;

/// Operations that change one thing and take no `_rev`, and why nobody is overwritten unseen.
const WITHOUT: &[(&str, &str)] = &[
    ("content.merge", "whoever merges says upon what: what others did meanwhile is kept, or refused"),
    ("media.bring", "who sends the bytes of a file again means to, until they are confirmed"),
    ("passkey.rename", "a passkey has one user, and they say the name whole"),
    ("oauth.narrow_grant", "what is taken away twice is gone as it is once"),
];

/// Where the `_rev` of a thing is read whose address has none to read.
const READ_AT: &[(&str, &str)] = &[
    ("revision.restore", "content.get"),
    ("content.restore", "content.list_trashed"),
    ("content.permanent_delete", "content.list_trashed"),
];

fn takes_rev(operation: &Descriptor) -> bool {
    let schema = operation.whole_input(SchemaGenerator::default());
    schema.as_value().pointer("/properties/_rev").is_some()
}

fn operation(id: &str) -> Arc<Descriptor> {
    cms_core::built_in().iter().find(|operation| operation.id == id).unwrap().clone()
}

#[test]
fn whatever_changes_one_thing_takes_its_rev_or_says_why_not() {
    let catalog = cms_core::built_in();
    let changes = catalog.iter().filter(|operation| {
        let http = operation.http;
        http.surface != Surface::None && matches!(http.method, Method::Put | Method::Patch)
    });
    let found: Vec<_> = changes.filter(|operation| !takes_rev(operation)).map(|operation| operation.id).collect();
    assert_eq!(found, WITHOUT.iter().map(|(id, _)| *id).collect::<Vec<_>>());
}

/// Where a thing is read: at its own address, or at the one above it.
fn read_at(case: &Case) -> Arc<Descriptor> {
    if let Some((_, reader)) = READ_AT.iter().find(|(id, _)| *id == case.id) {
        return operation(reader);
    }
    let mut path = case.http.path;
    loop {
        let catalog = cms_core::built_in();
        let reader = catalog.iter().find(|operation| operation.http.method == Method::Get && operation.http.path == path);
        if let Some(reader) = reader {
            return reader.clone();
        }
        path = path.rsplit_once('/').unwrap_or_else(|| panic!("{}: nothing above it can be read", case.id)).0;
    }
}

pub(crate) async fn one_wins(case: &Case, world: World) {
    let world = Arc::new(world);
    let caller = Caller::admin(case);
    let mut input = samples::sample(case, &world).await;
    let reader = read_at(case);
    let sample = match reader.id {
        "content.get" => json!({ "collection": "posts", "id": input.get("id").cloned().unwrap_or(json!("edited")), "locale": "en" }),
        _ => Value::Object(input.clone()),
    };
    let named = |name: &str| reader.http.path.contains(&format!("{{{name}}}")) || name == "locale" && reader.id == "content.get";
    let sample: Map<_, _> = sample.as_object().unwrap().clone().into_iter().filter(|(name, _)| named(name)).collect();
    let read = Outcome::of_rest(&world.doors.call_rest(world.credential(caller), &reader.http, &sample).await);
    let Outcome::Done(read) = read else { panic!("{}: {} answers {read:?}", case.id, reader.id) };
    let known = samples::nearest(&read, "_rev").unwrap_or_else(|| panic!("{}: {} answers without a `_rev`: {read}", case.id, reader.id));
    input.insert("_rev".to_owned(), known.clone());

    let clients = (0..CLIENTS).map(|_| {
        let (world, case, input) = (world.clone(), case.clone(), input.clone());
        tokio::spawn(async move { Outcome::of_rest(&world.doors.call_rest(world.credential(caller), &case.http, &input).await) })
    });
    let mut winners = 0;
    for client in clients.collect::<Vec<_>>() {
        match client.await.unwrap() {
            Outcome::Done(_) => winners += 1,
            refused @ Outcome::Refused { .. } => {
                let gone = [Code::NotFound, Code::CollectionNotFound, Code::FieldNotFound];
                let may_be = gone.iter().chain(&[Code::Conflict]).any(|code| code.as_str() == refused.code());
                assert!(may_be, "{}: {refused:?}", case.id);
            }
        }
    }
    assert_eq!(winners, 1, "{}", case.id);
    Arc::into_inner(world).unwrap().close().await;
}

/// The operations that take a `_rev` and have a sample.
fn guarded() -> Vec<Case> {
    let guarded = cases().into_iter().filter(|case| takes_rev(&operation(case.id)));
    let guarded: Vec<_> = guarded.filter(|case| !samples::is_elsewhere(case.id)).collect();
    assert!(guarded.len() >= 17 || !chosen().is_empty(), "{}", guarded.len());
    guarded
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_who_change_one_thing_by_one_rev_one_does_on_sqlite() {
    for case in guarded() {
        one_wins(&case, World::open().await).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_who_change_one_thing_by_one_rev_one_does_on_postgres() {
    for case in guarded() {
        let Some(store) = TestStore::postgres().await.unwrap() else { return };
        one_wins(&case, World::over(store, built_in).await).await;
    }
}
