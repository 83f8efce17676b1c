//! Times lists, reads and writes on a store with many entries: `lists <database url> <entries> [fill | plain]`.
//!
//! The entries are made on the first run and found again on later ones; `fill` makes them and no more, so that the database can
//! look at them before the times are taken. `plain` does so in a collection with two indexes instead of ten.

#![expect(clippy::print_stdout, reason = "the numbers are for who runs it")]

use std::time::{Duration, Instant};

use cms_domain::{
    access::{Actor, Permit, Purpose, Visibility},
    collection::Collection,
    entry::{Document, Entry, Lifecycle, Seo, Status},
    field::{Field, FieldSpec, FieldType, ValidJson, filter::FieldFilters, sort_key},
    id::{CollectionId, EntryId, FieldId, UserId},
    time::Timestamp,
};
use cms_storage::{DateField, DateRange, Error, ListQuery, Position, Sort, Store, StoreOptions, Trash};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// How often each question is asked.
const ROUNDS: u64 = 60;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(count)) = (arguments.next(), arguments.next()) else {
        return Err("lists <database url> <entries> [fill | plain]".into());
    };
    let count: u64 = count.parse()?;
    let store = Store::open(&StoreOptions { max_readers: 4, ..StoreOptions::new(url) }).await?;
    store.migrate().await?;
    let only = arguments.next();
    let collection = collection(&store, only.as_deref() == Some("plain")).await?;
    fill(&store, &collection, count).await?;
    if only.is_none() {
        lists(&store, &collection, count).await?;
        single(&store, &collection, count).await?;
    }
    store.close().await;
    Ok(())
}

fn permit<P: Purpose + Default>() -> Outcome<Permit<P>> {
    Ok(Actor::System.permit(P::default())?)
}

async fn collection(store: &Store, plain: bool) -> Outcome<Collection> {
    let slug = "bench".parse()?;
    if let Some(found) = store.reader().collections().by_slug(&slug).await? {
        return Ok(found);
    }
    let types = [
        ("title", FieldType::String),
        ("price", FieldType::Number),
        ("category", FieldType::String),
        ("brand", FieldType::String),
        ("rare", FieldType::Integer),
        ("day", FieldType::Datetime),
        ("body", FieldType::Text),
        ("sku", FieldType::String),
    ];
    let indexed = |slug: &str| if plain { slug == "title" || slug == "price" } else { slug != "body" && slug != "sku" };
    let field = |(n, (slug, field_type)): (u32, (&str, FieldType))| -> Outcome<Field> {
        let spec = FieldSpec { indexed: indexed(slug), ..FieldSpec::new(slug.parse()?, field_type) };
        let at = Timestamp::from_milliseconds(0);
        Field::new(FieldId::from_parts(1, n.into()), spec, i32::try_from(n)?, at, at).map_err(|issues| format!("{issues:?}").into())
    };
    let fields = (0..).zip(types).map(field).collect::<Outcome<_>>()?;
    let collection = Collection { fields, ..Collection::new(CollectionId::from_parts(1, 1), slug, Timestamp::from_milliseconds(0)) };
    let tx = store.write().await?;
    tx.collections().insert(&permit()?, &collection).await?;
    let indexes: [&[&str]; 10] = [
        &["title"],
        &["price"],
        &["category"],
        &["brand"],
        &["rare"],
        &["day"],
        &["category", "price"],
        &["category", "updated_at"],
        &["rare", "price"],
        &["brand", "price"],
    ];
    for fields in &indexes[..if plain { 2 } else { indexes.len() }] {
        let fields: Vec<_> = fields.iter().map(|slug| slug.parse()).collect::<Result<_, _>>()?;
        tx.collections().insert_index(&permit()?, collection.id, &fields).await?;
    }
    let stored = tx.reader().collections().by_id(collection.id).await?.ok_or("the collection is gone")?;
    tx.commit().await?;
    Ok(stored)
}

/// A number that looks like chance and is the same every time (SplitMix64).
fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn category_name(n: u64) -> String {
    format!("category-{}", n % 100)
}

fn brand_name(n: u64) -> String {
    format!("brand-{}", n % 3)
}

const BEGIN: u64 = 1_700_000_000_000;
/// Within how many minutes entries were last changed, however many there are.
const CHANGES: u64 = 1_000_000;

fn time(n: u64) -> Timestamp {
    Timestamp::from_milliseconds(i64::try_from(BEGIN + 60_000 * n).unwrap_or(i64::MAX))
}

fn entry(collection: CollectionId, n: u64) -> Outcome<Entry> {
    let chance = mixed(n);
    let id = EntryId::from_parts(BEGIN + 60_000 * n, u128::from(chance));
    let data = json!({
        "title": format!("Title {:06} of an entry", chance % 1_000_000),
        "price": (chance >> 8) % 100_000,
        "category": category_name(chance >> 16),
        "brand": brand_name(chance >> 24),
        "rare": (chance >> 32) % 1_000,
        "day": time((chance >> 12) % 1_000_000),
        "body": "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(12),
        "sku": format!("sku-{n}"),
    });
    let published = !chance.is_multiple_of(10);
    let at = time(n);
    Ok(Entry {
        id,
        collection,
        locale: "en".parse()?,
        group: id.cast(),
        author: Some(UserId::from_parts(1, u128::from((chance >> 20) % 50))),
        version: 1,
        created_at: at,
        updated_at: time((chance >> 10) % CHANGES),
        lifecycle: if published {
            Lifecycle { status: Status::Published, ever_live: true, published_at: Some(at), ..Lifecycle::NEW }
        } else {
            Lifecycle::NEW
        },
        live: Document { data: ValidJson::from_stored(data.to_string())?, slug: Some(format!("entry-{n}").parse()?), seo: Seo::default() },
        draft: None,
        live_revision: None,
        draft_revision: None,
        schedule_failure: None,
    })
}

async fn fill(store: &Store, collection: &Collection, count: u64) -> Outcome<()> {
    let there = store.reader().entries().count(&ListQuery::new(collection, Visibility::Working, 1)).await?.n;
    let begin = Instant::now();
    let mut n = there;
    while n < count {
        let tx = store.write().await?;
        let end = count.min(n + 1000);
        for n in n..end {
            tx.entries().insert(&permit()?, collection, &entry(collection.id, n)?, None).await?;
        }
        tx.commit().await?;
        n = end;
    }
    let took = begin.elapsed();
    eprintln!("{} entries made in {took:.1?}, {:.0} a second", count - there, rate(count - there, took));
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "printed with no decimals")]
fn rate(n: u64, took: Duration) -> f64 {
    n as f64 / took.as_secs_f64()
}

/// A list to ask for.
#[derive(Default)]
struct Question {
    public: bool,
    sort: Order,
    /// Whether it begins somewhere in the middle.
    deep: bool,
    status: Option<Status>,
    author: Option<u64>,
    /// A day of creation, by its first minute.
    day: Option<u64>,
    /// The first minute of publication.
    published: Option<u64>,
    filters: Value,
}

#[derive(Default, Clone, Copy)]
enum Order {
    #[default]
    Created,
    Updated,
    Published,
    Price,
}

/// Fills in a question for the `n`th time, of so many entries.
type Ask = fn(u64, u64, &mut Question);

/// Questions by name.
const QUESTIONS: [(&str, Ask); 31] = [
    ("created, first", |_, _, _| {}),
    ("created, deep", |_, _, ask| ask.deep = true),
    ("public, created, first", |_, _, ask| ask.public = true),
    ("public, created, deep", |_, _, ask| (ask.public, ask.deep) = (true, true)),
    ("public, published, deep", |_, _, ask| (ask.public, ask.sort, ask.deep) = (true, Order::Published, true)),
    ("updated, deep", |_, _, ask| (ask.sort, ask.deep) = (Order::Updated, true)),
    ("drafts, created, deep", |_, _, ask| (ask.status, ask.deep) = (Some(Status::Draft), true)),
    ("drafts, updated, first", |_, _, ask| (ask.status, ask.sort) = (Some(Status::Draft), Order::Updated)),
    ("author 2 %, created", |n, _, ask| ask.author = Some(n % 50)),
    ("a day, created", |n, count, ask| ask.day = Some(mixed(n) % count)),
    ("price, first", |_, _, ask| ask.sort = Order::Price),
    ("price, deep", |_, _, ask| (ask.sort, ask.deep) = (Order::Price, true)),
    ("public, price, deep", |_, _, ask| (ask.public, ask.sort, ask.deep) = (true, Order::Price, true)),
    ("category 1 %, created, first", |n, _, ask| ask.filters = category(n)),
    ("category 1 %, created, deep", |n, _, ask| (ask.filters, ask.deep) = (category(n), true)),
    ("public, category 1 %, created", |n, _, ask| (ask.filters, ask.public) = (category(n), true)),
    ("10 categories, created", |n, _, ask| {
        ask.filters = json!({ "category": { "in": (n..n + 10).map(category_name).collect::<Vec<_>>() } });
    }),
    ("category 1 %, price, first: composite", |n, _, ask| (ask.filters, ask.sort) = (category(n), Order::Price)),
    ("category 1 %, price, deep: composite", |n, _, ask| (ask.filters, ask.sort, ask.deep) = (category(n), Order::Price, true)),
    ("category 1 %, updated: composite", |n, _, ask| (ask.filters, ask.sort) = (category(n), Order::Updated)),
    ("rare 0.1 %, price: composite", |n, _, ask| (ask.filters, ask.sort) = (json!({ "rare": n }), Order::Price)),
    ("rare 0.1 %, updated: none declared", |n, _, ask| (ask.filters, ask.sort) = (json!({ "rare": n }), Order::Updated)),
    ("rare 0.1 %, half of prices, created", |n, _, ask| ask.filters = json!({ "rare": n, "price": { "gte": 10_000, "lt": 60_000 } })),
    ("brand 33 %, price, deep: composite", |n, _, ask| (ask.filters, ask.sort, ask.deep) = (brand(n), Order::Price, true)),
    ("brand 33 %, category 1 %, created", |n, _, ask| ask.filters = json!({ "brand": brand_name(n), "category": category_name(n) })),
    ("half of prices, created", |_, _, ask| ask.filters = json!({ "price": { "gte": 20_000, "lt": 70_000 } })),
    ("prices 1 %, created", |n, _, ask| {
        let from = mixed(n) % 99_000;
        ask.filters = json!({ "price": { "gte": from, "lt": from + 1000 } });
    }),
    ("brand 33 %, drafts, created", |n, _, ask| (ask.filters, ask.status) = (brand(n), Some(Status::Draft))),
    // Drafts have no publication date.
    ("drafts that are published, price", |n, count, ask| {
        (ask.status, ask.sort, ask.published) = (Some(Status::Draft), Order::Price, Some(mixed(n) % count));
    }),
    ("brand 33 %, drafts that are published", |n, count, ask| {
        (ask.status, ask.filters, ask.sort, ask.published) = (Some(Status::Draft), brand(n), Order::Updated, Some(mixed(n) % count));
    }),
    ("brand 33 %, author 2 %, created", |n, _, ask| (ask.filters, ask.author) = (brand(n), Some(n % 50))),
];

fn category(n: u64) -> Value {
    json!({ "category": category_name(n) })
}

fn brand(n: u64) -> Value {
    json!({ "brand": brand_name(n) })
}

impl Question {
    fn query(self, collection: &Collection, n: u64, count: u64) -> Outcome<ListQuery<'_>> {
        let zero = EntryId::from_parts(0, 0);
        let price = collection.index_of("price").ok_or("no index of prices")?;
        let after = match self.sort {
            Order::Price => {
                let kind = &collection.field("price").ok_or("no price")?.kind;
                let key = sort_key::encode(kind, Some(&(mixed(n) % 100_000).into()));
                Position::Key(key.into(), time(0), zero)
            }
            Order::Updated => Position::Date(time(mixed(n) % CHANGES).milliseconds(), zero),
            Order::Created | Order::Published => Position::Date(time(mixed(n) % count).milliseconds(), zero),
        };
        let filters: FieldFilters = if self.filters.is_null() { FieldFilters::default() } else { serde_json::from_value(self.filters)? };
        let dates = |from| DateRange { field: DateField::CreatedAt, from: Some(time(from)), to: Some(time(from + 1440)) };
        let since = |from| DateRange { field: DateField::PublishedAt, from: Some(time(from / 2)), to: None };
        Ok(ListQuery {
            sort: match self.sort {
                Order::Created => Sort::CreatedAt,
                Order::Updated => Sort::UpdatedAt,
                Order::Published => Sort::PublishedAt,
                Order::Price => Sort::Field(price.id),
            },
            after: self.deep.then_some(after),
            status: self.status,
            author: self.author.map(|author| UserId::from_parts(1, author.into())),
            dates: self.day.map(dates).or(self.published.map(since)),
            fields: filters.keys(collection).map_err(|issues| format!("{issues:?}"))?,
            ..ListQuery::new(collection, if self.public { Visibility::Published } else { Visibility::Working }, 50)
        })
    }
}

async fn lists(store: &Store, collection: &Collection, count: u64) -> Outcome<()> {
    println!("{:<40} {:>9} {:>9} {:>9}  plan", "list of 50", "median ms", "p95 ms", "count ms");
    for (name, ask) in QUESTIONS {
        let (mut times, mut counts, mut plan) = (Vec::new(), Vec::new(), String::new());
        for n in 0..ROUNDS {
            let mut question = Question::default();
            ask(n, count, &mut question);
            let query = question.query(collection, n, count)?;
            let begin = Instant::now();
            plan = match store.reader().entries().list(&query).await {
                Ok(page) => page.plan,
                Err(Error::Unindexed(remedy)) => format!("refused: {remedy:?}"),
                Err(error) => return Err(error.into()),
            };
            times.push(begin.elapsed());
            if n.is_multiple_of(6) {
                let begin = Instant::now();
                store.reader().entries().count(&query).await?;
                counts.push(begin.elapsed());
            }
        }
        println!("{name:<40} {} {} {}  {plan}", part(&mut times, 50), part(&mut times, 95), part(&mut counts, 50));
    }
    Ok(())
}

/// Reads and writes of one entry.
async fn single(store: &Store, collection: &Collection, count: u64) -> Outcome<()> {
    let mut times = Vec::new();
    for n in 0..1000 {
        let entry = entry(collection.id, mixed(n) % count)?;
        let begin = Instant::now();
        store.reader().entries().get(Visibility::Working, entry.id, Trash::Exclude).await?.ok_or("the entry is gone")?;
        times.push(begin.elapsed());
    }
    println!("{:<40} {} {}", "get by id", part(&mut times, 50), part(&mut times, 95));
    let (mut inserts, mut updates) = (Vec::new(), Vec::new());
    for n in count..count + 500 {
        let entry = entry(collection.id, n)?;
        let begin = Instant::now();
        let tx = store.write().await?;
        tx.entries().insert(&permit()?, collection, &entry, None).await?;
        tx.commit().await?;
        inserts.push(begin.elapsed());
        let mut after = Entry { version: 2, ..entry.clone() };
        let mut data = after.live.data.as_stored().members()?;
        data.insert("price".to_owned(), json!(mixed(n) % 100_000));
        after.live.data = ValidJson::from_stored(Value::Object(data).to_string())?;
        let begin = Instant::now();
        let tx = store.write().await?;
        tx.entries().update(&permit()?, collection, &entry, &after, None).await?;
        tx.commit().await?;
        updates.push(begin.elapsed());
        let tx = store.write().await?;
        tx.entries().remove(&permit()?, &after).await?;
        tx.commit().await?;
    }
    println!("{:<40} {} {}", "insert, in a transaction", part(&mut inserts, 50), part(&mut inserts, 95));
    println!("{:<40} {} {}", "update, in a transaction", part(&mut updates, 50), part(&mut updates, 95));
    Ok(())
}

/// The time that so many percent of the times are below.
fn part(times: &mut [Duration], percent: usize) -> String {
    times.sort_unstable();
    let at = times.len() * percent / 100;
    format!("{:9.3}", times.get(at).copied().unwrap_or_default().as_secs_f64() * 1e3)
}
