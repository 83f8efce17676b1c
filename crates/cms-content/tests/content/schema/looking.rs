//! Changes of fields that look at every entry: others write meanwhile, and what they write counts.

use std::{
    cell::Cell,
    collections::BTreeSet,
    future::poll_fn,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, Once,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use cms_content::{
    entries::{
        create::CreateEntry, delete::DeleteEntry, discard_draft::DiscardDraft, get::GetEntry, permanent_delete::PermanentDeleteEntry,
        publish::PublishEntry, restore::RestoreEntry, update::UpdateEntry,
    },
    schema::{check_type::CheckType, delete_collection::DeleteCollection, plan::ApplySchema, rename_field::RenameField},
};
use cms_core::both;
use cms_domain::{
    access::{Actor, to},
    event::{EntryAction, Event},
    id::EntryId,
    user::Role,
};
use serde_json::json;
use tokio::{task::JoinSet, time::timeout};
use tracing::{
    Dispatch, Metadata, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::Interest,
};

use super::*;

/// So many entries that a change looks at ten pages of them.
const MANY: usize = 2000;
/// How many others write at once.
const WRITERS: usize = 16;
/// After how long a writer that should not have to wait is given up.
const GIVEN_UP: Duration = Duration::from_mins(1);

thread_local! {
    /// What changes told of the pages that they looked at, in the thread of a test: how many, and how many entries, with nothing held and while writers waited.
    static TOLD: Cell<(usize, usize, usize)> = const { Cell::new((0, 0, 0)) };
}

/// What changes tell of the pages that they look at.
struct Looks;

/// Listens to what changes tell, from here on.
fn listen() {
    // For all threads at once: another one may be the first to say something.
    static ALL: Once = Once::new();
    ALL.call_once(|| {
        tracing::dispatcher::set_global_default(Dispatch::new(Looks)).unwrap();
        tracing::callsite::rebuild_interest_cache();
    });
    TOLD.set((0, 0, 0));
}

/// How many pages were looked at.
fn pages() -> usize {
    TOLD.get().0
}

/// How many entries were looked at with nothing held, and how many while writers waited, since somebody asked.
fn taken() -> (usize, usize) {
    let (pages, entries, held) = TOLD.get();
    TOLD.set((pages, 0, 0));
    (entries, held)
}

#[derive(Default)]
struct Page {
    entries: Option<u64>,
    held: Option<bool>,
}

impl Visit for Page {
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.entries = (field.name() == "entries").then_some(value).or(self.entries);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.held = (field.name() == "held").then_some(value).or(self.held);
    }
}

impl Subscriber for Looks {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("cms_content::schema::looking")
    }

    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.enabled(metadata) { Interest::always() } else { Interest::never() }
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut page = Page::default();
        event.record(&mut page);
        if let (Some(entries), Some(is_held)) = (page.entries, page.held) {
            let entries = usize::try_from(entries).unwrap();
            let (pages, before, held) = TOLD.get();
            TOLD.set(if is_held { (pages + 1, before, held + entries) } else { (pages + 1, before + entries, held) });
        }
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Lets a change go on until something is so, and leaves it there. None: it is over.
async fn until<T>(change: &mut Pin<&mut impl Future<Output = T>>, is_so: impl Fn() -> bool) -> Option<T> {
    poll_fn(|cx| match change.as_mut().poll(cx) {
        std::task::Poll::Ready(done) => std::task::Poll::Ready(Some(done)),
        std::task::Poll::Pending if is_so() => std::task::Poll::Ready(None),
        std::task::Poll::Pending => std::task::Poll::Pending,
    })
    .await
}

/// Makes a change, and does something else when it has looked at a third of the entries. What is done then does not wait for the change, which stands still.
async fn meanwhile<T>(change: impl Future<Output = T>, deed: impl Future<Output = ()>) -> T {
    let enough = pages() + MANY / 600;
    let mut change = pin!(change);
    assert!(until(&mut change, || pages() >= enough).await.is_none(), "nobody could do anything meanwhile");
    assert!(timeout(GIVEN_UP, deed).await.is_ok(), "somebody had to wait for a change that looks at entries");
    change.await
}

/// Copies of an entry of `posts`, in its place and behind it.
async fn copies(app: &TestApp, id: &str, number: usize) -> Vec<String> {
    let permit = Actor::System.permit(to::CreateContent).unwrap();
    let rows = app.store().reader();
    let collection = rows.collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
    let template = rows.entries().whole(&[id.parse().unwrap()]).await.unwrap().remove(0);
    let tx = app.store().write().await.unwrap();
    let mut made = Vec::new();
    for n in 0..number {
        let mut copy = template.clone();
        copy.id = EntryId::from_parts(1_700_000_000_000, u128::try_from(n).unwrap() + 1);
        copy.group = copy.id.cast();
        tx.entries().insert(&permit, &collection, &copy, None).await.unwrap();
        made.push(copy.id.to_string());
    }
    tx.commit().await.unwrap();
    made
}

/// Many entries with a number that is whole, in the field `a`.
async fn whole_numbers(app: &TestApp) -> Vec<String> {
    posts(app, json!([{ "slug": "a", "type": "number" }, { "slug": "b", "type": "string" }])).await;
    let first = entry(app, json!({ "a": 2 })).await;
    copies(app, &first, MANY).await
}

async fn save(app: &TestApp, id: &str, data: Value) {
    app.call::<UpdateEntry>(Role::Editor, json!({ "collection": "posts", "id": id, "data": data })).await.unwrap();
}

async fn done<O: cms_frame::operation::Operation>(app: &TestApp, id: &str) {
    app.call::<O>(Role::Admin, json!({ "collection": "posts", "id": id })).await.unwrap();
}

/// The entries that an answer names as in the way.
fn in_the_way(answer: Result<Value, Error>) -> BTreeSet<String> {
    let error = answer.unwrap_err();
    assert_eq!(error.code(), Code::FieldHasValues, "{error:?}");
    let entries = error.details_json().unwrap()["entries"].as_array().unwrap().clone();
    entries.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

fn only(ids: &[&String]) -> BTreeSet<String> {
    ids.iter().map(|id| (*id).clone()).collect()
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

both! {
    async fn writers_wait_for_the_last_entries_alone_however_many_are_looked_at(app: TestApp) {
        let ids = whole_numbers(&app).await;
        listen();
        let deed = async {
            for id in ids.iter().step_by(MANY / 10) {
                save(&app, id, json!({ "b": "x" })).await;
            }
        };
        meanwhile(update_field(&app, "a", integer()), deed).await.unwrap();
        let (before, held) = taken();
        assert!(before > MANY, "all were looked at before: {before}");
        assert!(held <= 10, "writers waited for {held} entries");
        // A plan does the same.
        let model = |a: &str| {
            let fields = labelled(json!([{ "slug": "a", "type": a }, { "slug": "b", "type": "integer" }]));
            json!({ "collections": [{ "slug": "posts", "label": "Posts", "fields": fields }] })
        };
        let mut converted = model("number");
        converted["convert"] = json!(["posts.b"]);
        app.call::<ApplySchema>(Role::Admin, converted).await.unwrap();
        assert_eq!(taken(), (0, 0), "where every value becomes one of the type, none is looked at");
        let deed = async { save(&app, &ids[0], json!({ "a": 0.5 })).await };
        let error = meanwhile(app.call::<ApplySchema>(Role::Admin, model("integer")), deed).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
        assert!(error.message().starts_with("`posts.a`: "), "{}", error.message());
        taken();
        let deed = async { save(&app, &ids[0], json!({ "a": 4 })).await };
        meanwhile(app.call::<ApplySchema>(Role::Admin, model("integer")), deed).await.unwrap();
        let (before, held) = taken();
        assert!(before > MANY && held <= 1, "{before} {held}");
    }

    async fn what_is_written_meanwhile_is_in_the_way_wherever_it_is(app: TestApp) {
        let ids = whole_numbers(&app).await;
        listen();
        let (early, late) = (&ids[0], &ids[MANY - 1]);
        // Looked at already, and not yet.
        for id in [early, late] {
            let found = in_the_way(meanwhile(update_field(&app, "a", integer()), save(&app, id, json!({ "a": 0.5 }))).await);
            assert_eq!(found, only(&[id]));
            save(&app, id, json!({ "a": 2 })).await;
        }
        // A new one.
        let new = Mutex::new(String::new());
        let deed = async {
            let made = entry(&app, json!({ "a": 1.5 })).await;
            *new.lock().unwrap() = made;
        };
        let found = in_the_way(meanwhile(update_field(&app, "a", integer()), deed).await);
        let new = new.into_inner().unwrap();
        assert_eq!(found, only(&[&new]));
        // It goes to the trash, where it still is.
        let found = in_the_way(meanwhile(update_field(&app, "a", integer()), done::<DeleteEntry>(&app, &new)).await);
        assert_eq!(found, only(&[&new]));
        let found = in_the_way(meanwhile(update_field(&app, "a", integer()), done::<RestoreEntry>(&app, &new)).await);
        assert_eq!(found, only(&[&new]));
        save(&app, &new, json!({ "a": 1 })).await;
        // A draft beside what is public.
        app.call::<UpdateEntry>(Role::Admin, json!({ "collection": "posts", "id": early, "slug": "early" })).await.unwrap();
        done::<PublishEntry>(&app, early).await;
        let found = in_the_way(meanwhile(update_field(&app, "a", integer()), save(&app, early, json!({ "a": 0.5 }))).await);
        assert_eq!(found, only(&[early]));
        meanwhile(update_field(&app, "a", integer()), done::<DiscardDraft>(&app, early)).await.unwrap();
    }

    async fn what_is_mended_or_removed_meanwhile_is_not_in_the_way(app: TestApp) {
        let ids = whole_numbers(&app).await;
        let (early, late) = (&ids[0], &ids[MANY - 1]);
        listen();
        for id in [early, late] {
            save(&app, id, json!({ "a": 0.5 })).await;
        }
        let deed = async {
            save(&app, early, json!({ "a": 3 })).await;
            done::<DeleteEntry>(&app, late).await;
            done::<PermanentDeleteEntry>(&app, late).await;
        };
        let field = meanwhile(update_field(&app, "a", integer()), deed).await.unwrap();
        assert_eq!(field["type"], "integer");
    }

    async fn translations_that_come_to_differ_meanwhile_are_in_the_way_and_those_that_come_to_agree_are_not(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string", "translatable": true }])).await;
        let first = entry(&app, json!({ "a": "same" })).await;
        let ids = copies(&app, &first, MANY).await;
        let german = json!({ "collection": "posts", "locale": "de", "translationOf": ids[0], "data": { "a": "same" } });
        let german = entry_in(&app, german).await;
        listen();
        let alike = || update_field(&app, "a", json!({ "translatable": false }));
        let found = in_the_way(meanwhile(alike(), save(&app, &german, json!({ "a": "anders" }))).await);
        assert_eq!(found, only(&[&german]));
        // The one that was looked at first becomes what the other one is.
        meanwhile(alike(), save(&app, &ids[0], json!({ "a": "anders" }))).await.unwrap();
    }

    async fn what_an_entry_would_refer_to_has_to_be_there_when_the_change_is_made(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }])).await;
        let target = entry(&app, json!({})).await;
        let other = entry(&app, json!({ "a": target })).await;
        copies(&app, &other, MANY).await;
        listen();
        let refer = || update_field(&app, "a", json!({ "type": "reference", "convert": true }));
        assert_eq!(in_the_way(meanwhile(refer(), done::<DeleteEntry>(&app, &target)).await).len(), 10);
        done::<RestoreEntry>(&app, &target).await;
        collection(&app, json!({ "slug": "pages", "label": "Pages" })).await;
        let page = entry_in(&app, json!({ "collection": "pages", "data": {} })).await;
        save(&app, &other, json!({ "a": page })).await;
        let deed = async {
            app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "pages", "force": true })).await.unwrap();
        };
        assert_eq!(in_the_way(meanwhile(refer(), deed).await), only(&[&other]));
        save(&app, &other, json!({ "a": target })).await;
        refer().await.unwrap();
    }

    async fn a_change_is_decided_by_the_model_as_it_is_then(app: TestApp) {
        let ids = whole_numbers(&app).await;
        listen();
        let rename = |from: &'static str, to: &'static str| {
            let app = &app;
            async move {
                app.call::<RenameField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": from, "slug": to })).await.unwrap();
            }
        };
        let error = meanwhile(update_field(&app, "a", integer()), rename("a", "c")).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldNotFound);
        rename("c", "a").await;
        // Another field is called so.
        let deed = async {
            rename("a", "c").await;
            rename("b", "a").await;
        };
        let field = meanwhile(update_field(&app, "a", integer()), deed).await.unwrap();
        assert_eq!(field["type"], "integer", "it has no value, and is looked at anew");
        let kept = app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": ids[0] })).await.unwrap();
        assert_eq!(kept["item"]["data"], json!({ "c": 2 }));
        // It gets another type first, in which its values are in the way.
        let deed = async {
            update_field(&app, "c", json!({ "type": "string", "convert": true })).await.unwrap();
        };
        assert_eq!(in_the_way(meanwhile(update_field(&app, "c", integer()), deed).await).len(), 10);
        update_field(&app, "c", json!({ "type": "number", "convert": true })).await.unwrap();
        // Whoever says which state they read is told that it is another one.
        let known = get(&app).await["_rev"].clone();
        let change = update_field(&app, "c", json!({ "type": "integer", "_rev": known }));
        let error = meanwhile(change, async { drop_field(&app, "a").await }).await.unwrap_err();
        assert_eq!(error.code(), Code::Conflict, "{error:?}");
        let deed = async {
            app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap();
        };
        let error = meanwhile(update_field(&app, "c", integer()), deed).await.unwrap_err();
        assert_eq!(error.code(), Code::CollectionNotFound);
    }

    async fn who_is_never_done_looking_gives_up_and_changes_nothing(app: TestApp) {
        let ids = whole_numbers(&app).await;
        let collection = app.store().reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap().id;
        let written: Vec<_> = ids.iter().take(600).map(|id| id.parse::<EntryId>().unwrap()).collect();
        let written: Vec<_> = written
            .into_iter()
            .map(|entry| Event::Entry { collection, entry, action: EntryAction::Saved, public: false, group: Some(entry.cast()), slugs: Vec::new() })
            .collect();
        listen();
        let mut change = pin!(update_field(&app, "a", integer()));
        let answer = loop {
            let before = pages();
            match until(&mut change, || pages() > before).await {
                Some(answer) => break answer,
                None => app.store().write().await.unwrap().commit_with(&written, app.cms().now()).await.unwrap(),
            }
        };
        let error = answer.unwrap_err();
        assert_eq!(error.code(), Code::Busy);
        assert!(error.message().contains("faster than they could be looked at"), "{}", error.message());
        assert_eq!(taken().1, 0, "nobody waited");
        assert_eq!(update_field(&app, "a", json!({})).await.unwrap()["type"], "number");
    }

    async fn of_sixteen_writers_none_gets_a_value_past_a_change_that_it_does_not_fit(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "number" }, { "slug": "b", "type": "string" }])).await;
        let first = entry(&app, json!({ "a": 2 })).await;
        let ids = Arc::new(copies(&app, &first, 600).await);
        for round in 0..6 {
            let stop = Arc::new(AtomicBool::new(false));
            let broken = Arc::new(Mutex::new(None));
            let mut writers = JoinSet::new();
            for writer in 0..WRITERS {
                let (app, ids, stop, broken) = (app.clone(), Arc::clone(&ids), Arc::clone(&stop), Arc::clone(&broken));
                writers.spawn(async move {
                    let mut n = 0;
                    while !stop.load(Ordering::SeqCst) {
                        n += 1;
                        // One of them writes a single value that does not fit, at some time; the others write, bring and put away what fits.
                        let id = &ids[(writer * 37 + n * 101 + round) % ids.len()];
                        let named = json!({ "collection": "posts", "id": id });
                        let half = writer == 0 && n == 2 + round;
                        let data = json!({ "a": if half { 0.5 } else { 3.0 } });
                        match n % 4 {
                            1 if !half => drop(app.call::<DeleteEntry>(Role::Editor, named).await),
                            2 if !half => drop(app.call::<RestoreEntry>(Role::Editor, named).await),
                            3 if !half => drop(app.call::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "data": data })).await),
                            _ => {
                                let input = json!({ "collection": "posts", "id": id, "data": data });
                                if app.call::<UpdateEntry>(Role::Editor, input).await.is_ok() && half {
                                    *broken.lock().unwrap() = Some(id.clone());
                                }
                            }
                        }
                    }
                });
            }
            let changed = update_field(&app, "a", integer()).await;
            stop.store(true, Ordering::SeqCst);
            while let Some(written) = writers.join_next().await {
                written.unwrap();
            }
            let collection = app.store().reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
            let field = collection.field("a").unwrap();
            let all = app.store().reader().entries().by_collection(collection.id, None, 100_000).await.unwrap();
            let unfit: BTreeSet<_> = all
                .iter()
                .filter(|entry| entry.live.data.get(field).unwrap().is_some_and(|value| value.as_f64() != Some(value.as_f64().unwrap().trunc())))
                .map(|entry| entry.id.to_string())
                .collect();
            let broken = broken.lock().unwrap().clone();
            match changed {
                Ok(_) => assert!(unfit.is_empty(), "round {round}: {unfit:?} got past the change"),
                Err(error) if error.code() == Code::Busy => {}
                Err(error) => assert_eq!(in_the_way(Err(error)), broken.into_iter().collect(), "round {round}"),
            }
            for id in unfit {
                app.call::<RestoreEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.ok();
                save(&app, &id, json!({ "a": 2 })).await;
            }
            update_field(&app, "a", json!({ "type": "number" })).await.unwrap();
        }
    }

    async fn a_forecast_refuses_and_converts_what_the_change_does(app: TestApp) {
        const TYPES: [&str; 10] = ["string", "text", "number", "integer", "boolean", "datetime", "select", "json", "url", "reference"];
        posts(&app, json!([{ "slug": "a", "type": "json" }])).await;
        let target = entry(&app, json!({})).await;
        for value in [json!("7"), json!(7), json!(7.5), json!(true), json!("2027-01-01T00:00:00.000Z"), json!("https://example.com/"), json!(target)] {
            let id = entry(&app, json!({ "a": value })).await;
            for to in TYPES {
                let told = app.call::<CheckType>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "a", "type": to })).await.unwrap();
                let changed = update_field(&app, "a", json!({ "type": to })).await;
                let fits = told["needsConvert"] == false && told["dangling"] == 0;
                assert_eq!(changed.is_ok(), fits, "{value} as {to}: {told} {changed:?}");
                if changed.is_ok() {
                    update_field(&app, "a", json!({ "type": "json" })).await.unwrap();
                }
            }
            done::<DeleteEntry>(&app, &id).await;
            done::<PermanentDeleteEntry>(&app, &id).await;
        }
    }
}
