//! Times creates and updates by many writers at once: `writes <database url> <writers> <seconds> [full]`.
//!
//! Each write goes to the database as a request's does: it holds the collection, reads what it has to, writes the entry, its revision and what
//! is derived from it, and commits along with its event. `full` has each commit on SQLite on disk before it is acknowledged.

#![expect(clippy::print_stdout, reason = "the numbers are for who runs it")]

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use cms_domain::{
    access::{Actor, Permit, Purpose},
    collection::Collection,
    entry::{Document, Entry, Lifecycle, Seo},
    event::{EntryAction, Event},
    field::{Field, FieldSpec, FieldType, ValidJson},
    id::{CollectionId, EntryId, FieldId, RevisionId},
    time::Timestamp,
};
use cms_storage::{Revision, Store, StoreOptions, Synchronous};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Numbers the entries and revisions of one run.
static NEXT: AtomicU64 = AtomicU64::new(0);

#[tokio::main]
async fn main() -> Outcome<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [url, writers, seconds, rest @ ..] = arguments.as_slice() else {
        return Err("writes <database url> <writers> <seconds> [full]".into());
    };
    let sqlite_synchronous = if rest.is_empty() { Synchronous::Normal } else { Synchronous::Full };
    let store = Store::open(&StoreOptions { sqlite_synchronous, ..StoreOptions::new(url) }).await?;
    store.migrate().await?;
    let collection = collection(&store).await?;
    let (writers, time) = (writers.parse()?, Duration::from_secs(seconds.parse()?));
    for (name, updates) in [("create", false), ("update", true)] {
        let begin = Instant::now();
        let all: Vec<_> = (0..writers).map(|_| tokio::spawn(write(store.clone(), collection.clone(), begin + time, updates))).collect();
        let mut times = Vec::new();
        for writer in all {
            times.extend(writer.await??);
        }
        times.sort_unstable();
        let part = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default().as_secs_f64() * 1e3;
        println!("{name:<8} {:>8.0}/s  median {:7.3} ms  p99 {:7.3} ms", rate(times.len(), begin.elapsed()), part(50), part(99));
    }
    store.close().await;
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "printed with no decimals")]
fn rate(n: usize, took: Duration) -> f64 {
    n as f64 / took.as_secs_f64()
}

/// Writes until the end, and says how long each write took: creates, or updates of one entry of its own.
async fn write(store: Store, collection: Collection, end: Instant, updates: bool) -> Outcome<Vec<Duration>> {
    let mut times = Vec::new();
    let mut own = entry(&collection)?;
    if updates {
        create(&store, &collection, &own).await?;
    }
    while Instant::now() < end {
        if !updates {
            own = entry(&collection)?;
        }
        let begin = Instant::now();
        if updates {
            own = update(&store, &collection, own.id).await?;
        } else {
            create(&store, &collection, &own).await?;
        }
        times.push(begin.elapsed());
    }
    Ok(times)
}

async fn create(store: &Store, collection: &Collection, entry: &Entry) -> Outcome<()> {
    let tx = store.write().await?;
    tx.collections().hold(collection.id).await?;
    if let Some(slug) = &entry.live.slug {
        tx.entries().hold_slugs(collection.id, &entry.locale, slug).await?;
    }
    tx.entries().insert(&permit()?, collection, entry, Some(&revision(entry)?)).await?;
    Ok(tx.commit_with(&[event(entry, EntryAction::Created)], entry.created_at).await?)
}

async fn update(store: &Store, collection: &Collection, id: EntryId) -> Outcome<Entry> {
    let tx = store.write().await?;
    tx.collections().hold(collection.id).await?;
    let before = tx.entries().lock(id).await?.ok_or("the entry is gone")?;
    tx.reader().locks().get(id, before.updated_at).await?;
    let mut after = Entry { version: before.version + 1, updated_at: now()?, ..before.clone() };
    let mut data = after.live.data.as_stored().members()?;
    data.insert("price".to_owned(), json!(after.version));
    after.live.data = ValidJson::from_stored(Value::Object(data).to_string())?;
    let revision = revision(&after)?;
    after.draft_revision = Some(revision.id);
    tx.entries().update(&permit()?, collection, &before, &after, Some(&revision)).await?;
    tx.commit_with(&[event(&after, EntryAction::Saved)], after.updated_at).await?;
    Ok(after)
}

fn event(entry: &Entry, action: EntryAction) -> Event {
    Event::of_entry(None, entry, action, false)
}

fn permit<P: Purpose + Default>() -> Outcome<Permit<P>> {
    Ok(Actor::System.permit(P::default())?)
}

#[expect(clippy::disallowed_methods, reason = "there is no context that knows the time")]
fn milliseconds() -> Outcome<u64> {
    Ok(u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?)
}

fn now() -> Outcome<Timestamp> {
    Ok(Timestamp::from_milliseconds(i64::try_from(milliseconds()?)?))
}

/// The moment and a number that together no other run gives.
fn unique() -> Outcome<(u64, u128)> {
    Ok((milliseconds()?, u128::from(NEXT.fetch_add(1, Ordering::Relaxed))))
}

fn revision(entry: &Entry) -> Outcome<Revision> {
    let (at, n) = unique()?;
    Ok(Revision {
        id: RevisionId::from_parts(at, n),
        collection: entry.collection,
        entry: entry.id,
        document: entry.live.clone(),
        author: None,
        autosave: false,
        created_at: entry.updated_at,
        updated_at: entry.updated_at,
    })
}

fn entry(collection: &Collection) -> Outcome<Entry> {
    let ((at, n), now) = (unique()?, now()?);
    let id = EntryId::from_parts(at, n);
    let data = json!({
        "title": format!("Title {n} of an entry"),
        "price": n % 100_000,
        "body": "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(12),
    });
    Ok(Entry {
        id,
        collection: collection.id,
        locale: "en".parse()?,
        group: id.cast(),
        author: None,
        version: 1,
        created_at: now,
        updated_at: now,
        lifecycle: Lifecycle::NEW,
        live: Document {
            data: ValidJson::from_stored(data.to_string())?,
            slug: Some(format!("entry-{at}-{n}").parse()?),
            seo: Seo::default(),
        },
        draft: None,
        live_revision: None,
        draft_revision: None,
        schedule_failure: None,
    })
}

async fn collection(store: &Store) -> Outcome<Collection> {
    let slug = "writes".parse()?;
    if let Some(found) = store.reader().collections().by_slug(&slug).await? {
        return Ok(found);
    }
    let types = [("title", FieldType::String), ("price", FieldType::Number), ("body", FieldType::Text)];
    let field = |(n, (slug, field_type)): (u32, (&str, FieldType))| -> Outcome<Field> {
        let spec = FieldSpec { indexed: slug != "body", ..FieldSpec::new(slug.parse()?, field_type) };
        let at = Timestamp::from_milliseconds(0);
        Field::new(FieldId::from_parts(2, n.into()), spec, i32::try_from(n)?, at, at).map_err(|issues| format!("{issues:?}").into())
    };
    let fields = (0..).zip(types).map(field).collect::<Outcome<_>>()?;
    let collection = Collection { fields, ..Collection::new(CollectionId::from_parts(2, 1), slug, Timestamp::from_milliseconds(0)) };
    let tx = store.write().await?;
    tx.collections().insert(&permit()?, &collection).await?;
    for field in ["title", "price"] {
        tx.collections().insert_index(&permit()?, collection.id, &[field.parse()?]).await?;
    }
    let stored = tx.reader().collections().by_id(collection.id).await?.ok_or("the collection is gone")?;
    tx.commit().await?;
    Ok(stored)
}
