//! Lists on both databases: every way to find one gives what a plain search and sort gives.

use std::collections::BTreeSet;

use cms_domain::{
    access::Visibility,
    collection::Collection,
    entry::{Entry, Status},
    field::{
        filter::{FieldFilters, FieldKeys},
        sort_key,
    },
    id::{EntryId, UserId},
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::json;

use super::{
    Count, DateField, DateRange, ListQuery, Position, Remedy, Sort,
    plan::{self, Consideration},
    sql::{self, PageText},
};
use crate::{
    Backend, Error, RecentQuery, Store, both,
    entries::row::EntryRow,
    entries::samples::{assert_sound, changed, document, entry, insert, products, published, update},
    executor::Sql,
    fixtures::at,
};

/// How many rows a list is compared with a plain search of.
const ENTRIES: i64 = 90;

fn some_entry(collection: &Collection, n: i64) -> impl Strategy<Value = Entry> + use<> {
    let id = collection.id;
    let values = || {
        (
            prop::option::of(prop::sample::select(vec!["a", "A", "b", "Bb", "bb", ""])),
            prop::option::of(prop::sample::select(vec![-1.5, 0.0, 1.0, 2.0, 1e9])),
            prop::option::of(prop::sample::select(vec!["x", "y", "z"])),
            prop::sample::subsequence(vec!["p", "q", "r"], 0..=3),
        )
            .prop_map(|(title, price, category, tags)| {
                let mut data = json!({ "title": title, "price": price, "category": category, "tags": tags });
                data.as_object_mut().unwrap().retain(|_, value| !value.is_null());
                document(&data)
            })
    };
    let state = (
        0..5_u8,
        prop::sample::select(vec!["de", "en", "fr"]),
        prop::option::of(0..3_u128),
        0..6_i64,
        0..6_i64,
        prop::option::of(0..6_i64),
    );
    (values(), values(), state).prop_map(move |(live, draft, (state, locale, author, created, updated, date))| {
        let mut entry = entry(id, n, &json!({}));
        entry.live = live;
        entry.locale = locale.parse().unwrap();
        entry.author = author.map(|author| UserId::from_parts(1, author));
        entry.created_at = at(created);
        entry.updated_at = at(updated);
        entry.lifecycle.published_at = date.map(at);
        if n % 3 > 0 {
            entry.live.slug = format!("slug-{}", n % 7 + 7 * n).parse().ok();
        }
        match state {
            0 => {}
            1 => {
                entry.lifecycle.status = Status::Scheduled;
                entry.lifecycle.scheduled_at = Some(at(updated));
            }
            2 => entry = published(entry, at(date.unwrap_or(0))),
            3 => {
                entry = published(entry, at(date.unwrap_or(0)));
                entry.draft = Some(draft);
                entry.lifecycle.has_draft = true;
            }
            _ => entry.lifecycle.deleted_at = Some(at(updated)),
        }
        entry
    })
}

/// What a request may ask for.
#[derive(Debug, Clone)]
struct Request {
    published: bool,
    sort: usize,
    descending: bool,
    limit: usize,
    status: Option<Status>,
    locale: Option<&'static str>,
    author: Option<u128>,
    dates: Option<(usize, Option<i64>, Option<i64>)>,
    filters: Vec<(&'static str, serde_json::Value)>,
}

fn some_request() -> impl Strategy<Value = Request> {
    let title = prop::sample::select(vec![
        json!("a"),
        json!(null),
        json!({ "in": ["a", "b", "bb"] }),
        json!({ "gte": "a", "lt": "bb" }),
        json!({ "gt": "b" }),
        json!({ "contains": "B" }),
    ]);
    let price = prop::sample::select(vec![
        json!(1),
        json!(null),
        json!({ "in": [0, 2, 7] }),
        json!({ "gt": 0 }),
        json!({ "gte": -2, "lte": 1 }),
        json!({ "gt": 2, "lt": 1 }),
    ]);
    let category = prop::sample::select(vec![json!("x"), json!("y"), json!(null), json!({ "in": ["x", "z"] })]);
    let tags = prop::sample::select(vec![json!("p"), json!({ "in": ["p", "q"] }), json!(null), json!({ "gte": "p", "lte": "r" })]);
    let filters = (
        prop::option::weighted(0.3, title),
        prop::option::weighted(0.3, price),
        prop::option::weighted(0.4, category),
        prop::option::weighted(0.3, tags),
    );
    let dates = (0..3_usize, prop::option::of(0..6_i64), prop::option::of(0..6_i64));
    let columns = (
        prop::option::weighted(0.3, prop::sample::select(Status::ALL.to_vec())),
        prop::option::weighted(0.3, prop::sample::select(vec!["de", "en", "fr", "pt"])),
        prop::option::weighted(0.2, 0..4_u128),
        prop::option::weighted(0.2, dates),
    );
    (any::<bool>(), 0..9_usize, any::<bool>(), 1..30_usize, columns, filters).prop_map(
        |(published, sort, descending, limit, (status, locale, author, dates), (title, price, category, tags))| {
            let filters = [("title", title), ("price", price), ("category", category), ("tags", tags)];
            let filters = filters.into_iter().filter_map(|(slug, filter)| Some((slug, filter?))).collect();
            Request { published, sort, descending, limit, status, locale, author, dates, filters }
        },
    )
}

impl Request {
    fn query<'a>(&self, collection: &'a Collection) -> ListQuery<'a> {
        let index = |slug| Sort::Field(collection.index_of(slug).unwrap().id);
        let sorts = [
            Sort::CreatedAt,
            Sort::UpdatedAt,
            Sort::PublishedAt,
            Sort::ScheduledAt,
            Sort::Slug,
            Sort::Status,
            Sort::Locale,
            index("title"),
            index("price"),
        ];
        let filters: serde_json::Map<_, _> = self.filters.iter().map(|(slug, filter)| ((*slug).to_owned(), filter.clone())).collect();
        let filters: FieldFilters = filters.try_into().unwrap();
        let date_fields = [DateField::CreatedAt, DateField::UpdatedAt, DateField::PublishedAt];
        ListQuery {
            sort: sorts[self.sort],
            descending: self.descending,
            status: self.status,
            locale: self.locale.map(|locale| locale.parse().unwrap()),
            author: self.author.map(|author| UserId::from_parts(1, author)),
            dates: self.dates.map(|(field, from, to)| DateRange { field: date_fields[field], from: from.map(at), to: to.map(at) }),
            fields: filters.keys(collection).unwrap(),
            ..ListQuery::new(collection, if self.published { Visibility::Published } else { Visibility::Working }, self.limit)
        }
    }
}

/// What a list is, by looking at each entry and sorting.
fn plainly(query: &ListQuery, entries: &[Entry]) -> Vec<EntryId> {
    let data = |entry: &Entry| {
        let document = if query.visibility == Visibility::Published { &entry.live } else { entry.working() };
        document.data.as_stored().members().unwrap()
    };
    let keys = |entry: &Entry, index| {
        sort_key::index_keys(query.collection, query.collection.indexes.iter().find(|known| known.id == index).unwrap(), &data(entry))
    };
    let fits = |entry: &&Entry| {
        let state = &entry.lifecycle;
        let date = |range: DateRange| {
            let date = match range.field {
                DateField::CreatedAt => Some(entry.created_at),
                DateField::UpdatedAt => Some(entry.updated_at),
                DateField::PublishedAt => state.published_at,
            };
            date.is_some_and(|date| range.from.is_none_or(|from| from <= date) && range.to.is_none_or(|to| date <= to))
        };
        let field = |wanted: &FieldKeys| {
            let keys = keys(entry, query.collection.index_of(wanted.field.as_str()).unwrap().id);
            keys.iter().any(|key| wanted.contains(key))
        };
        state.deleted_at.is_none()
            && (query.visibility == Visibility::Working || state.status == Status::Published)
            && query.status.is_none_or(|status| status == state.status)
            && query.locale.as_ref().is_none_or(|locale| *locale == entry.locale)
            && query.author.is_none_or(|author| entry.author == Some(author))
            && query.dates.is_none_or(date)
            && query.fields.iter().all(field)
    };
    let mut found: Vec<_> = entries.iter().filter(fits).collect();
    found.sort_by_key(|entry| {
        let none = || (None, None, None, None, None);
        let sorted = match query.sort {
            Sort::CreatedAt => none(),
            Sort::UpdatedAt => (Some(entry.updated_at), None, None, None, None),
            Sort::PublishedAt => (entry.lifecycle.published_at, None, None, None, None),
            Sort::ScheduledAt => (entry.lifecycle.scheduled_at, None, None, None, None),
            Sort::Slug => (None, Some(entry.live.slug.clone()), None, None, None),
            Sort::Status => (None, None, Some(entry.lifecycle.status), Some(entry.locale.clone()), None),
            Sort::Locale => (None, None, None, Some(entry.locale.clone()), None),
            Sort::Field(index) => (None, None, None, None, keys(entry, index).pop()),
        };
        // Lists by a date or by slug break ties by id alone.
        let created = matches!(query.sort, Sort::CreatedAt | Sort::Status | Sort::Locale | Sort::Field(_)).then_some(entry.created_at);
        (sorted, created, entry.id)
    });
    if query.descending {
        found.reverse();
    }
    found.iter().map(|entry| entry.id).collect()
}

/// Goes through a list page by page.
async fn pages(store: &Store, mut query: ListQuery<'_>, at_most: usize) -> (Vec<EntryId>, Vec<String>) {
    let (mut ids, mut plans) = (Vec::new(), Vec::new());
    for _ in 0..at_most {
        let page = store.reader().entries().list(&query).await.unwrap();
        assert!(page.items.len() <= query.limit);
        ids.extend(page.items.iter().map(|entry| entry.id));
        plans.push(page.plan);
        match page.next {
            Some(next) => {
                assert!(next.fits(query.sort));
                let text = serde_json::to_string(&next).unwrap();
                query.after = Some(serde_json::from_str(&text).unwrap());
            }
            None => return (ids, plans),
        }
    }
    panic!("the list does not end: {query:?} {plans:?}");
}

/// Every way that the planner knows for a list.
async fn ways(store: &Store, query: &ListQuery<'_>) -> Vec<plan::Plan> {
    let shelves = store.reader().entries().shelves(query.collection.id).await.unwrap();
    match plan::consider(query, Some(&shelves)) {
        Consideration::Nothing => Vec::new(),
        Consideration::Shelves => panic!("the shelves are known"),
        Consideration::Clear(plan) => vec![plan],
        Consideration::Several(candidates) => candidates.into_iter().map(|candidate| candidate.plan).collect(),
    }
}

/// Goes through a list with a budget that may not be enough, and says how many pages were found before it was not. What is found
/// is what would be found without a budget; what is refused has more rows than the budget.
async fn within_budgets(store: &Store, query: &ListQuery<'_>, way: &plan::Plan, expected: &[EntryId]) -> usize {
    let mut query = ListQuery { budget: 7, limit: 2, ..query.clone() };
    for pages in 0.. {
        let page: super::Page<Entry> = match store.reader().entries().page(&query, way).await {
            Ok(page) => page,
            Err(error) => {
                assert!(matches!(error, Error::Unindexed(_)) && way.is_search(), "{error:?} {way}");
                return pages;
            }
        };
        let found: Vec<_> = page.items.iter().map(|entry| entry.id).collect();
        let due = &expected[(2 * pages).min(expected.len())..(2 * pages + 2).min(expected.len())];
        assert_eq!(found, due, "{query:?} {way}");
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    0
}

both! {
    async fn a_page_is_cut_where_its_content_is_heavy_and_goes_on_with_the_next(store: Store) {
        let collection = products(&store).await;
        // The third is light, and the last has a heavy draft alone.
        let entries = [9, 9, 0, 9, 9, 0].into_iter().zip(1..).map(|(megabytes, n)| {
            let mut entry = published(entry(collection.id, n, &json!({ "price": n, "body": "x".repeat(megabytes << 20) })), at(n));
            entry.locale = ["en", "de"][usize::try_from(n % 2).unwrap()].parse().unwrap();
            if n == 6 {
                entry.draft = Some(document(&json!({ "price": n, "body": "x".repeat(9 << 20) })));
                entry.lifecycle.has_draft = true;
            }
            entry
        });
        let entries: Vec<_> = entries.collect();
        insert(&store, &collection, &entries).await;
        let reader = store.reader();
        let id = |n| EntryId::from_parts(2, n);
        for (sort, expected) in [
            (Sort::CreatedAt, vec![vec![1, 2, 3], vec![4, 5], vec![6]]),
            (Sort::Locale, vec![vec![1, 3, 5], vec![2, 4], vec![6]]),
            (Sort::Field(collection.index_of("price").unwrap().id), vec![vec![1, 2, 3], vec![4, 5], vec![6]]),
        ] {
            let mut query = ListQuery { sort, descending: false, ..ListQuery::new(&collection, Visibility::Working, 10) };
            let mut pages = Vec::new();
            loop {
                let page = reader.entries().list(&query).await.unwrap();
                pages.push(page.items.iter().map(|entry| entry.id).collect::<Vec<_>>());
                for entry in &page.items {
                    assert!(entries.contains(entry), "{}", entry.id);
                }
                // Whoever reads what the stamps are of ends there as well.
                let stamps = reader.entries().list_stamps(&query).await.unwrap();
                assert_eq!(stamps.items.iter().map(|stamp| stamp.id).collect::<Vec<_>>(), *pages.last().unwrap());
                assert_eq!(stamps.next, page.next);
                let Some(next) = page.next else { break };
                query.after = Some(next);
            }
            let expected: Vec<Vec<_>> = expected.into_iter().map(|page| page.into_iter().map(id).collect()).collect();
            assert_eq!(pages, expected, "{sort:?}");
        }
        let recent = RecentQuery { limit: 10, ..RecentQuery::default() };
        let page = reader.entries().recent(&recent).await.unwrap();
        assert_eq!(page.items.iter().map(|entry| entry.id).collect::<Vec<_>>(), [6, 5].map(id));
        let page = reader.entries().recent(&RecentQuery { after: page.next, ..recent }).await.unwrap();
        assert_eq!(page.items.iter().map(|entry| entry.id).collect::<Vec<_>>(), [4, 3, 2].map(id));
        for entry in &entries {
            let trashed = changed(entry, |after| {
                after.lifecycle.deleted_at = Some(at(10));
                after.lifecycle.has_draft = after.draft.is_some();
            });
            update(&store, &collection, entry, &trashed).await.unwrap();
        }
        let mut after = None;
        let mut pages = Vec::new();
        loop {
            let page = reader.entries().list_trashed(collection.id, 10, after.as_ref()).await.unwrap();
            pages.push(page.items.len());
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(pages, [2, 3, 1]);
    }

    async fn a_list_of_one_status_does_not_walk_past_the_others_whatever_the_database_believes(store: Store) {
        if store.backend() == Backend::Sqlite {
            return;
        }
        let execute = async |statement: &str| {
            let tx = store.write().await.unwrap();
            tx.executor().execute(statement).await.unwrap();
            tx.commit().await.unwrap();
        };
        execute("ALTER TABLE entries SET (autovacuum_enabled = false)").await;
        let collection = products(&store).await;
        let of = |n| entry(collection.id, n, &json!({ "title": "a".repeat(60) }));
        insert(&store, &collection, &(1..=1000).map(|n| published(of(n), at(n))).collect::<Vec<_>>()).await;
        execute("ANALYZE entries").await;
        // Half of the entries are drafts now, and the newest; the database believes that all are published.
        insert(&store, &collection, &(1001..=2000).map(of).collect::<Vec<_>>()).await;
        for after in [None, Some(Position::Date(at(500).milliseconds(), EntryId::from_parts(0, 0)))] {
            let query = ListQuery { after, ..ListQuery::new(&collection, Visibility::Published, 50) };
            let ways = ways(&store, &query).await;
            let PageText { text, .. } = sql::page(&query, &ways[0], <Entry as EntryRow>::COLUMNS).unwrap();
            let asked = text.statement(sea_orm::DbBackend::Postgres);
            let explain = (format!("EXPLAIN (COSTS OFF) {}", asked.sql), asked.values.unwrap().0);
            let rows = store.reader().executor().all(explain).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
            assert!(plan.iter().any(|line| line.contains("entries_status")), "{plan:#?}");
            assert!(!plan.iter().any(|line| line.contains("Sort") || line.contains("Filter")), "{plan:#?}");
        }
    }

    async fn a_list_that_no_index_serves_is_refused_beyond_its_budget(store: Store) {
        let collection = products(&store).await;
        let priced = |n: i64| entry(collection.id, n, &json!({ "price": n, "category": if n == 1 { "first" } else { "other" } }));
        insert(&store, &collection, &(1..=40).map(priced).collect::<Vec<_>>()).await;
        let filters: FieldFilters = json!({ "category": "first", "price": 1 }).as_object().unwrap().clone().try_into().unwrap();
        let query = ListQuery { sort: Sort::Slug, fields: filters.keys(&collection).unwrap(), ..ListQuery::new(&collection, Visibility::Working, 5) };
        let walk = plan::Plan {
            access: plan::Access::Entries(vec![plan::Slice::default()]),
            checks: plan::conditions(&query).unwrap(),
            ordered: true,
        };
        for (budget, descending, found) in [(40, true, Some(1)), (39, true, None), (40, false, Some(1)), (39, false, None), (1, false, None)] {
            let query = ListQuery { descending, budget, ..query.clone() };
            let page: Result<super::Page<Entry>, _> = store.reader().entries().page(&query, &walk).await;
            assert_eq!(page.as_ref().ok().map(|page| page.items.len()), found, "{budget}");
            assert!(page.is_ok() || matches!(page, Err(Error::Unindexed(Remedy::Narrow))), "{page:?}");
        }
        // A page that is full within the budget is found, however many rows are left.
        let filters: FieldFilters = json!({ "category": "other" }).as_object().unwrap().clone().try_into().unwrap();
        let query = ListQuery { budget: 7, fields: filters.keys(&collection).unwrap(), ..query };
        let walk = plan::Plan { checks: plan::conditions(&query).unwrap(), ..walk };
        let page: super::Page<Entry> = store.reader().entries().page(&query, &walk).await.unwrap();
        assert_eq!((page.items.len(), page.next.is_some()), (5, true));
    }

    async fn a_search_past_more_rows_than_it_looks_for_gathers_these_instead(store: Store) {
        let collection = products(&store).await;
        let of = |n: i64| entry(collection.id, n, &json!({ "price": n }));
        let entries: Vec<_> = (1..=400).map(|n| published(of(n), at(n))).chain((401..=600).map(of)).collect();
        insert(&store, &collection, &entries).await;
        let sort = Sort::Field(collection.index_of("price").unwrap().id);
        // More is published before the first draft, by price, than may be looked at; the drafts themselves are few enough.
        let drafts = |budget, descending| ListQuery {
            sort,
            descending,
            budget,
            status: Some(Status::Draft),
            ..ListQuery::new(&collection, Visibility::Working, 40)
        };
        let (ids, plans) = pages(&store, drafts(300, false), 6).await;
        assert_eq!(ids, entries[400..].iter().map(|entry| entry.id).collect::<Vec<_>>());
        assert_eq!(plans[0], "gather entries by status");
        // In the other direction they are found at once.
        let (ids, plans) = pages(&store, drafts(300, true), 6).await;
        assert_eq!(ids, entries[400..].iter().rev().map(|entry| entry.id).collect::<Vec<_>>());
        assert!(plans[0].starts_with("walk index"), "{plans:?}");
        let refused = store.reader().entries().list(&drafts(199, false)).await;
        assert!(matches!(refused, Err(Error::Unindexed(Remedy::Narrow))), "{refused:?}");
    }

    async fn what_a_text_contains_is_looked_for_in_the_keys_where_too_many_without_it_come_first(store: Store) {
        let collection = products(&store).await;
        let of = |n: i64| entry(collection.id, n, &json!({ "title": if n % 100 == 1 { "In a Haystack" } else { "Grass" } }));
        insert(&store, &collection, &(1..=600).map(of).collect::<Vec<_>>()).await;
        let filters: FieldFilters = r#"{"title":{"contains":"hay"}}"#.parse().unwrap();
        let within = |budget, sort| {
            let fields = filters.keys(&collection).unwrap();
            ListQuery { sort, fields, budget, ..ListQuery::new(&collection, Visibility::Working, 2) }
        };
        let newest_first: Vec<_> = [501, 401, 301, 201, 101, 1].map(|n| of(n).id).into();
        // Ten keys are looked at in the time in which one entry is.
        let (ids, plans) = pages(&store, within(60, Sort::CreatedAt), 6).await;
        assert_eq!((ids, plans[0].as_str()), (newest_first.clone(), "gather index 1 in a range, check index 1"));
        let grass: FieldFilters = r#"{"title":{"contains":"GRA"}}"#.parse().unwrap();
        let everywhere = ListQuery { fields: grass.keys(&collection).unwrap(), ..within(60, Sort::CreatedAt) };
        assert_eq!(store.reader().entries().list(&everywhere).await.unwrap().plan, "walk entries, check index 1");
        let by_title = Sort::Field(collection.index_of("title").unwrap().id);
        let (ids, plans) = pages(&store, within(60, by_title), 6).await;
        assert_eq!((ids, plans[0].as_str()), (newest_first, "walk index 1 in a range, check index 1"));
        for sort in [Sort::CreatedAt, by_title] {
            let refused = store.reader().entries().list(&ListQuery { limit: 7, ..within(59, sort) }).await;
            assert!(matches!(refused, Err(Error::Unindexed(Remedy::Narrow))), "{refused:?}");
        }
    }

    async fn a_list_is_what_a_plain_search_and_sort_gives_in_whatever_way_it_is_found(store: Store) {
        let collection = products(&store).await;
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let entries: Vec<_> = (1..=ENTRIES).map(|n| some_entry(&collection, n).new_tree(&mut runner).unwrap().current()).collect();
        insert(&store, &collection, &entries).await;
        assert_sound(&store, &collection).await;
        let (mut seen, mut budgets) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..400 {
            let request = some_request().new_tree(&mut runner).unwrap().current();
            let query = request.query(&collection);
            let expected = plainly(&query, &entries);
            let (ids, plans) = pages(&store, query.clone(), expected.len() + 1).await;
            assert_eq!(ids, expected, "{request:?} {plans:?}");
            let count = store.reader().entries().count(&query).await.unwrap();
            assert_eq!(count, Count { n: expected.len() as u64, exact: true }, "{request:?}");
            for way in ways(&store, &query).await {
                let mut query = query.clone();
                let mut found = Vec::new();
                loop {
                    let page: super::Page<Entry> = store.reader().entries().page(&query, &way).await.unwrap();
                    found.extend(page.items.iter().map(|entry| entry.id));
                    query.after = page.next;
                    if query.after.is_none() { break }
                }
                assert_eq!(found, expected, "{request:?} {way}");
                seen.insert(way.to_string());
                budgets.insert(within_budgets(&store, &request.query(&collection), &way, &expected).await);
            }
        }
        assert!(seen.len() > 100, "only {} ways were tried", seen.len());
        assert!(budgets.len() > 5, "only {budgets:?} pages were found before a list was refused");
    }

    async fn a_list_of_a_status_that_no_entry_has_is_empty_however_it_is_asked_for(store: Store) {
        let collection = products(&store).await;
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[8; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        for drafts in [0, 3] {
            let entries: Vec<_> = (1..=drafts).map(|n| some_entry(&collection, n).new_tree(&mut runner).unwrap().current()).collect();
            let drafts: Vec<_> = entries.into_iter().filter(|entry| entry.lifecycle.status == Status::Draft).collect();
            insert(&store, &collection, &drafts).await;
            for _ in 0..150 {
                let mut request = some_request().new_tree(&mut runner).unwrap().current();
                request.status = Some(Status::Scheduled).filter(|_| !request.published);
                let query = request.query(&collection);
                let list: super::Page<Entry> = store.reader().entries().list(&query).await.unwrap();
                assert_eq!((list.items.len(), list.next.is_some()), (0, false), "{request:?}");
                let count = store.reader().entries().count(&query).await.unwrap();
                assert_eq!(count, Count { n: 0, exact: true }, "{request:?}");
            }
        }
    }

    async fn every_sort_shows_everything_once_in_both_directions(store: Store) {
        let collection = products(&store).await;
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[8; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let entries: Vec<_> = (1..=ENTRIES).map(|n| some_entry(&collection, n).new_tree(&mut runner).unwrap().current()).collect();
        insert(&store, &collection, &entries).await;
        for sort in 0..9 {
            for (descending, published) in [(false, false), (true, false), (false, true), (true, true)] {
                let request = Request { published, sort, descending, limit: 7, status: None, locale: None, author: None, dates: None, filters: Vec::new() };
                let query = request.query(&collection);
                let expected = plainly(&query, &entries);
                let (ids, plans) = pages(&store, query, 30).await;
                assert_eq!(ids, expected, "{request:?} {plans:?}");
            }
        }
    }

    async fn entries_that_come_in_between_neither_repeat_nor_hide_others(store: Store) {
        let collection = products(&store).await;
        let priced = |n: i64| entry(collection.id, n, &json!({ "price": n % 4 }));
        let entries: Vec<_> = (1..=40).map(priced).collect();
        insert(&store, &collection, &entries).await;
        let mut query = ListQuery { sort: Sort::Field(collection.index_of("price").unwrap().id), ..ListQuery::new(&collection, Visibility::Working, 6) };
        let mut ids = Vec::new();
        for n in 100.. {
            let page = store.reader().entries().list(&query).await.unwrap();
            ids.extend(page.items.iter().map(|entry| entry.id).filter(|id| entries.iter().any(|entry| entry.id == *id)));
            insert(&store, &collection, &[priced(n)]).await;
            let Some(next) = page.next else { break };
            query.after = Some(next);
        }
        assert_eq!(ids.len(), 40);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 40);
    }

    async fn readers_see_published_values_and_editors_see_staged_ones(store: Store) {
        let collection = products(&store).await;
        let before = published(entry(collection.id, 1, &json!({ "category": "old" })), at(1));
        insert(&store, &collection, std::slice::from_ref(&before)).await;
        let after = changed(&before, |after| after.draft = Some(document(&json!({ "category": "new" }))));
        update(&store, &collection, &before, &after).await.unwrap();
        for (visibility, category, found) in [
            (Visibility::Published, "old", 1),
            (Visibility::Published, "new", 0),
            (Visibility::Working, "old", 0),
            (Visibility::Working, "new", 1),
        ] {
            let filters: FieldFilters = json!({ "category": category }).as_object().unwrap().clone().try_into().unwrap();
            let query = ListQuery { fields: filters.keys(&collection).unwrap(), ..ListQuery::new(&collection, visibility, 9) };
            let page = store.reader().entries().list(&query).await.unwrap();
            assert_eq!(page.items.len(), found, "{visibility:?} {category}");
        }
    }

    async fn the_trash_is_listed_apart_the_last_deleted_first(store: Store) {
        let collection = products(&store).await;
        let trashed = |n: i64| { let mut trashed = entry(collection.id, n, &json!({})); trashed.lifecycle.deleted_at = Some(at(n / 2)); trashed };
        let entries: Vec<_> = (1..=5).map(trashed).collect();
        insert(&store, &collection, &entries).await;
        insert(&store, &collection, &[entry(collection.id, 9, &json!({}))]).await;
        let mut ids = Vec::new();
        let mut after = None;
        loop {
            let page = store.reader().entries().list_trashed(collection.id, 2, after.as_ref()).await.unwrap();
            ids.extend(page.items.iter().map(|entry| entry.id));
            after = page.next;
            if after.is_none() { break }
        }
        let expected: Vec<_> = entries.iter().rev().map(|entry| entry.id).collect();
        assert_eq!(ids, expected);
    }
}
