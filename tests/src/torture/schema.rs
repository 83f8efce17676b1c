//! The schema: the collections that a run works on, and the one whose fields come and go.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use fastrand::Rng;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Answer, Ask, KNOWN_WITHIN, Run, Sent, host::HOOKED, lock, story::Shelf};

/// How many fields there are at most that come and go: indexes are built over each.
const FIELDS: usize = 4;
/// How long whoever changes the schema waits between two changes, in milliseconds. Some waits are longer than servers may take to know.
const PAUSES: [u64; 4] = [100, 500, 1_500, 2_500];

/// What is known of the fields that come and go.
#[derive(Debug, Default)]
pub(super) struct Schema {
    made: u32,
    fields: BTreeMap<String, Field>,
}

/// What is known of a field.
#[derive(Debug, Clone, Copy)]
struct Field {
    is_there: bool,
    since: Instant,
    /// Whether a change has no answer, not yet or never.
    under_way: bool,
}

impl Schema {
    /// A field that may be there.
    pub(super) fn some_field(&self, rng: &mut Rng) -> Option<String> {
        let there: Vec<_> = self.fields.iter().filter(|(_, field)| field.is_there).map(|(slug, _)| slug).collect();
        rng.choice(there).cloned()
    }

    /// Fields of which every server knew at a moment whether they are there.
    fn certain(&self, at: Instant) -> Vec<(String, bool)> {
        let certain = |field: &Field| !field.under_way && at.checked_duration_since(field.since).is_some_and(|age| age >= KNOWN_WITHIN);
        self.fields.iter().filter(|(_, field)| certain(field)).map(|(slug, field)| (slug.clone(), field.is_there)).collect()
    }

    fn note(&mut self, slug: &str, is_there: bool, under_way: bool) {
        self.fields.insert(slug.to_owned(), Field { is_there, since: Instant::now(), under_way });
    }
}

/// Makes the collections.
///
/// # Panics
/// Panics when one cannot be made.
pub(super) async fn set_up(run: &Run) {
    let field = |slug: &str, kind: &str| json!({ "slug": slug, "label": slug, "type": kind });
    let with = |mut field: Value, member: &str, value: Value| {
        field[member] = value;
        field
    };
    let counter = || with(field("counter", "integer"), "indexed", json!(true));
    let title = || field("title", "string");
    let code = || with(field("code", "string"), "unique", json!(true));
    let article = with(field("article", "reference"), "options", json!({ "collection": "articles" }));
    let stamp = [field("stamp", "integer"), field("mood", "string")];
    let hooked = [title(), field("key", "integer"), counter()].into_iter().chain(stamp).collect();
    let mut collections = vec![
        ("articles", true, vec![title(), field("key", "integer"), counter(), code()]),
        ("comments", false, vec![title(), field("key", "integer"), counter(), article]),
        ("shifting", false, vec![title(), field("key", "integer"), counter()]),
        ("contested", false, vec![title(), counter()]),
        ("races", true, vec![title(), field("key", "string"), code()]),
    ];
    if run.plan.hosts > 0 {
        collections.push((HOOKED, false, hooked));
    }
    for (slug, routable, fields) in collections {
        let body = json!({ "slug": slug, "label": slug, "routable": routable, "fields": fields });
        let made = run.ask(0, Ask::new("collection", Method::POST, "/schema/collections").body(body)).await;
        assert!(matches!(made.answer, Answer::Done(_)), "the collection `{slug}` cannot be made");
    }
    // Every server must know them.
    sleep(KNOWN_WITHIN).await;
}

/// Changes the schema once.
pub(super) async fn change(run: &Run, rng: &mut Rng) {
    sleep(Duration::from_millis(rng.choice(PAUSES).unwrap_or_default())).await;
    let (there, doubtful): (Vec<_>, Vec<_>) = {
        let schema = lock(&run.schema);
        let there = schema.fields.iter().filter(|(_, field)| field.is_there && !field.under_way).map(|(slug, _)| slug.clone());
        let doubtful = schema.fields.iter().filter(|(_, field)| field.under_way).map(|(slug, _)| slug.clone());
        (there.collect(), doubtful.collect())
    };
    // What nobody knows of is removed, if it is there, so that it does not add up.
    if let Some(slug) = doubtful.first() {
        remove(run, rng, slug).await;
    } else if there.len() < 2 || (there.len() < FIELDS && rng.bool()) {
        create(run, rng).await;
    } else if let Some(slug) = rng.choice(&there) {
        match rng.u8(..4) {
            0 | 1 => remove(run, rng, slug).await,
            2 => index(run, rng, slug).await,
            _ => compose(run, rng, slug).await,
        }
    }
}

async fn create(run: &Run, rng: &mut Rng) {
    let slug = {
        let mut schema = lock(&run.schema);
        schema.made += 1;
        let slug = format!("field_{}", schema.made);
        schema.note(&slug, false, true);
        slug
    };
    let body = json!({ "slug": slug, "label": slug, "type": "string", "indexed": rng.bool() });
    let sent = run.ask_any(rng, Ask::new("field", Method::POST, "/schema/collections/shifting/fields").body(body)).await;
    match sent.answer {
        Answer::Done(_) => lock(&run.schema).note(&slug, true, false),
        Answer::Refused(status, code) => run.journal.violation(&format!("the field {slug} was refused: {status} {code}")),
        Answer::Unknown => {}
    }
}

async fn remove(run: &Run, rng: &mut Rng, slug: &str) {
    let was_doubtful = lock(&run.schema).fields.get(slug).is_some_and(|field| field.under_way);
    lock(&run.schema).note(slug, false, true);
    let sent = run.ask_any(rng, Ask::new("field", Method::DELETE, format!("/schema/collections/shifting/fields/{slug}"))).await;
    match sent.answer {
        // What was given up on may still be made: nothing more is expected of it.
        Answer::Done(_) | Answer::Refused(StatusCode::NOT_FOUND, _) if was_doubtful => {
            lock(&run.schema).fields.remove(slug);
        }
        Answer::Done(_) => lock(&run.schema).note(slug, false, false),
        Answer::Refused(status, code) => run.journal.violation(&format!("the removal of field {slug} was refused: {status} {code}")),
        Answer::Unknown => {}
    }
}

/// Declares an index over a field, or takes it back.
async fn index(run: &Run, rng: &mut Rng, slug: &str) {
    let path = format!("/schema/collections/shifting/fields/{slug}");
    let ask = Ask::new("index", Method::PUT, path).body(json!({ "indexed": rng.bool() }));
    let sent = run.ask_any(rng, ask).await;
    allow_building(run, &sent);
}

/// Declares an index over two fields, or takes it back.
async fn compose(run: &Run, rng: &mut Rng, slug: &str) {
    let indexes = if rng.bool() { json!([{ "fields": [slug, "counter"] }]) } else { json!([]) };
    let sent = run.ask_any(rng, Ask::new("index", Method::PUT, "/schema/collections/shifting").body(json!({ "indexes": indexes }))).await;
    allow_building(run, &sent);
}

fn allow_building(run: &Run, sent: &Sent) {
    if let Answer::Refused(status, code) = &sent.answer
        && code != "INDEX_BUILDING"
    {
        run.journal.violation(&format!("the change of an index was refused: {status} {code}"));
    }
}

/// Reads the fields at some server, and compares them with those that it must know.
pub(super) async fn read(run: &Run, rng: &mut Rng) {
    let sent = run.ask_any(rng, Ask::get("fields", "/schema/collections/shifting/fields")).await;
    let Answer::Done(data) = &sent.answer else { return };
    let items = data["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let listed: Vec<_> = items.iter().filter_map(|field| field["slug"].as_str()).collect();
    if !sent.steady {
        return;
    }
    for (slug, is_there) in lock(&run.schema).certain(sent.at) {
        if listed.contains(&slug.as_str()) != is_there {
            let shows = if is_there { "misses" } else { "still has" };
            run.journal.violation(&format!("the schema {shows} the field `{slug}`: {listed:?}"));
        }
    }
    run.journal.judged();
}

/// Compares an entry's values with the fields that its server must know.
pub(super) fn compare_values(run: &Run, sent: &Sent, shelf: Shelf, item: &Value) {
    let Some(data) = item["data"].as_object().filter(|_| shelf == Shelf::Shifting) else { return };
    if !sent.steady {
        return;
    }
    for (slug, is_there) in lock(&run.schema).certain(sent.at) {
        if !is_there && data.contains_key(&slug) {
            run.journal.violation(&format!("an entry has a value of `{slug}`, which is removed: {item}"));
        }
    }
}
