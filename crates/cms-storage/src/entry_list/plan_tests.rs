//! The planner's choices, as a table: what is asked, what is known, how it is found.

use cms_domain::{
    access::Visibility,
    collection::{Collection, Index, IndexId, IndexState},
    entry::Status,
    field::{FieldType, filter::FieldFilters},
    id::UserId,
    slug::FieldSlug,
};
use serde_json::{Value, json};

use super::{DateField, DateRange, ListQuery, Remedy, Sort, plan::*};
use crate::fixtures;

fn products() -> Collection {
    let mut collection = fixtures::collection(1, "products");
    for (n, slug, field_type) in [
        (102, "price", FieldType::Number),
        (103, "category", FieldType::String),
        (104, "brand", FieldType::String),
        (105, "tags", FieldType::MultiSelect),
    ] {
        collection.fields.push(fixtures::field(n, slug, field_type));
    }
    let indexes: [&[&str]; 10] = [
        &["title"],
        &["price"],
        &["category"],
        &["brand"],
        &["tags"],
        &["category", "price"],
        &["category", "brand"],
        &["category", "brand", "price"],
        &["brand", "updated_at"],
        &["brand", "published_at"],
    ];
    let index = |(id, fields): (i32, &&[&str])| Index {
        id: IndexId(id),
        fields: fields.iter().map(|slug| slug.parse().unwrap()).collect(),
        state: IndexState::Ready,
    };
    collection.indexes = (1..).zip(&indexes).map(index).collect();
    collection
}

/// How many entries of each status and locale there are: a tenth are drafts, a few are scheduled.
fn shelves() -> Vec<Shelf> {
    let shelf = |status, locale: &str, n| Shelf { status, locale: locale.parse().unwrap(), n };
    vec![
        shelf(Status::Draft, "de", 20_000),
        shelf(Status::Draft, "en", 80_000),
        shelf(Status::Published, "de", 200_000),
        shelf(Status::Published, "en", 699_700),
        shelf(Status::Scheduled, "en", 300),
    ]
}

/// How a list is found when its filters by field find so many rows, or everything, and those by author and date a hundred.
fn found(change: impl FnOnce(&mut ListQuery), filters: Value, rows: &[(i32, i64)]) -> String {
    let collection = products();
    let filters: FieldFilters = filters.as_object().unwrap().clone().try_into().unwrap();
    let mut query = ListQuery { fields: filters.keys(&collection).unwrap(), ..ListQuery::new(&collection, Visibility::Working, 50) };
    change(&mut query);
    let candidates = match consider(&query, None) {
        Consideration::Nothing => return "nothing".to_owned(),
        Consideration::Clear(plan) => return format!("{plan} (at once)"),
        Consideration::Several(_) => panic!("not before the shelves are known"),
        Consideration::Shelves => match consider(&query, Some(&shelves())) {
            Consideration::Clear(plan) => return format!("{plan} (shelves)"),
            Consideration::Several(candidates) => candidates,
            other => panic!("{other:?}"),
        },
    };
    let count = |candidate: &Candidate| match (&candidate.plan.access, candidate.rows) {
        (_, Some(rows)) => rows,
        (Access::Index { index, .. }, None) => rows.iter().find(|(known, _)| *known == index.0).map_or(1_000_000, |(_, rows)| *rows),
        (Access::Entries(_), None) => 100,
    };
    let counts: Vec<_> = candidates.iter().map(count).collect();
    let Choice { plan, instead } = choose(&query, &candidates, &counts).unwrap();
    let instead = instead.map(|Instead { plan, searched }| format!(", or {plan} instead of {searched} rows")).unwrap_or_default();
    format!("{plan}{instead} (of {})", counts.len())
}

fn sorted(sort: Sort) -> impl FnOnce(&mut ListQuery) {
    move |query| query.sort = sort
}

const PRICE: Sort = Sort::Field(IndexId(2));

#[test]
fn a_list_without_filters_walks_the_order() {
    insta::assert_snapshot!(found(|_| {}, json!({}), &[]), @"walk entries (at once)");
    insta::assert_snapshot!(found(sorted(Sort::Slug), json!({}), &[]), @"walk entries (at once)");
    insta::assert_snapshot!(found(sorted(Sort::Status), json!({}), &[]), @"walk entries (at once)");
    insta::assert_snapshot!(found(sorted(PRICE), json!({}), &[]), @"walk index 2 (at once)");
}

#[test]
fn a_public_list_walks_what_is_published() {
    let published = |sort| move |query: &mut ListQuery| (query.visibility, query.sort) = (Visibility::Published, sort);
    insta::assert_snapshot!(found(published(Sort::CreatedAt), json!({}), &[]), @"walk entries by status and locale in 2 slices (shelves)");
    insta::assert_snapshot!(found(published(Sort::PublishedAt), json!({}), &[]), @"walk entries by dates, check status (of 2)");
    insta::assert_snapshot!(found(published(PRICE), json!({}), &[]), @"walk index 2 (at once)");
    insta::assert_snapshot!(found(published(Sort::CreatedAt), json!({ "category": "a" }), &[]), @"walk index 3 at a key (at once)");
    insta::assert_snapshot!(found(published(Sort::Locale), json!({}), &[]), @"walk entries by status and locale in 2 slices (shelves)");
}

#[test]
fn a_filter_with_the_default_order_walks_the_filters_own_rows() {
    insta::assert_snapshot!(found(|_| {}, json!({ "category": "a" }), &[]), @"walk index 3 at a key (at once)");
    insta::assert_snapshot!(found(|_| {}, json!({ "category": null }), &[]), @"walk index 3 at a key (at once)");
    insta::assert_snapshot!(found(|_| {}, json!({ "category": { "in": ["a", "b"] } }), &[]), @"walk index 3 in 2 ranges (at once)");
    insta::assert_snapshot!(found(|_| {}, json!({ "tags": { "in": ["a", "b"] } }), &[]), @"walk index 5 in 2 ranges (at once)");
    let day = DateRange { field: DateField::CreatedAt, from: Some(fixtures::at(1)), to: None };
    insta::assert_snapshot!(found(|query| query.dates = Some(day), json!({ "category": "a" }), &[]), @"walk index 3 at a key between dates (at once)");
}

#[test]
fn statuses_locales_and_authors_are_walked_in_their_own_indexes() {
    insta::assert_snapshot!(found(|query| query.status = Some(Status::Draft), json!({}), &[]), @"walk entries by status and locale in 2 slices (shelves)");
    insta::assert_snapshot!(found(|query| query.locale = "en".parse().ok(), json!({}), &[]), @"walk entries by locale (at once)");
    let both =
        |sort| move |query: &mut ListQuery| (query.status, query.locale, query.sort) = (Some(Status::Draft), "en".parse().ok(), sort);
    insta::assert_snapshot!(found(both(Sort::CreatedAt), json!({}), &[]), @"walk entries by status and locale (at once)");
    insta::assert_snapshot!(found(both(Sort::UpdatedAt), json!({}), &[]), @"walk entries, check status and locale (of 2)");
    insta::assert_snapshot!(found(|query| query.author = Some(UserId::from_parts(1, 1)), json!({}), &[]), @"walk entries by author (at once)");
    insta::assert_snapshot!(found(|query| (query.status, query.sort) = (Some(Status::Draft), Sort::Status), json!({}), &[]), @"walk entries by status (at once)");
    insta::assert_snapshot!(found(|query| (query.locale, query.sort) = ("en".parse().ok(), Sort::Status), json!({}), &[]), @"walk entries by status and locale in 3 slices (shelves)");
    insta::assert_snapshot!(found(|query| query.status = Some(Status::Scheduled), json!({ "price": { "gt": 1 } }), &[]), @"walk entries by status and locale, check index 2 (of 3)");
}

#[test]
fn a_composite_that_covers_is_used_at_once() {
    insta::assert_snapshot!(found(sorted(PRICE), json!({ "category": "a" }), &[]), @"walk index 6 by prefix in a range (at once)");
    insta::assert_snapshot!(found(sorted(PRICE), json!({ "category": "a", "price": { "gt": 1 } }), &[]), @"walk index 6 by prefix in a range (at once)");
    insta::assert_snapshot!(found(sorted(PRICE), json!({ "category": "a", "brand": "b" }), &[]), @"walk index 8 by prefix in a range (at once)");
    insta::assert_snapshot!(found(|_| {}, json!({ "category": "a", "brand": "b" }), &[]), @"walk index 7 by prefix at a key (at once)");
    insta::assert_snapshot!(found(|_| {}, json!({ "category": "a", "price": 1 }), &[]), @"walk index 6 by prefix at a key (at once)");
}

#[test]
fn a_composite_that_ends_in_a_date_is_used_for_lists_in_its_order_alone() {
    insta::assert_snapshot!(found(sorted(Sort::UpdatedAt), json!({ "brand": "b" }), &[]), @"walk index 9 by prefix at a key (at once)");
    insta::assert_snapshot!(found(sorted(Sort::PublishedAt), json!({ "brand": "b" }), &[]), @"walk index 10 by prefix at a key (at once)");
    insta::assert_snapshot!(found(|_| {}, json!({ "brand": "b" }), &[]), @"walk index 4 at a key (at once)");
    let since = |field| {
        move |query: &mut ListQuery| {
            (query.sort, query.dates) = (Sort::UpdatedAt, Some(DateRange { field, from: Some(fixtures::at(1)), to: None }));
        }
    };
    insta::assert_snapshot!(found(since(DateField::UpdatedAt), json!({ "brand": "b" }), &[]), @"walk index 9 by prefix at a key between dates (at once)");
    insta::assert_snapshot!(found(since(DateField::CreatedAt), json!({ "brand": "b" }), &[]), @"gather entries by dates, check index 4 (of 4)");
}

#[test]
fn a_filter_with_another_order_is_gathered_while_it_is_small() {
    insta::assert_snapshot!(found(sorted(PRICE), json!({ "brand": "b" }), &[(4, 4_000)]), @"gather index 4 at a key (of 2)");
    insta::assert_snapshot!(found(sorted(PRICE), json!({ "brand": "b" }), &[]), @"walk index 2, check index 4 (of 2)");
    insta::assert_snapshot!(found(sorted(Sort::ScheduledAt), json!({ "brand": "b" }), &[(4, 4_000)]), @"gather index 4 at a key (of 2)");
    insta::assert_snapshot!(found(sorted(Sort::UpdatedAt), json!({ "category": "a", "brand": "b" }), &[(7, 4_000), (8, 4_000)]), @"gather index 7 by prefix in a range (of 6)");
    insta::assert_snapshot!(found(sorted(PRICE), json!({ "category": { "in": ["a", "b"] } }), &[]), @"walk index 2, check index 3 (of 2)");
}

#[test]
fn of_several_filters_the_smallest_leads() {
    insta::assert_snapshot!(found(|_| {}, json!({ "brand": "b", "tags": "t" }), &[(4, 3_000), (5, 2_000)]), @"walk index 5 at a key, check index 4 (of 3)");
    insta::assert_snapshot!(found(|_| {}, json!({ "brand": "b", "price": { "gt": 1 } }), &[(2, 20)]), @"gather index 2 in a range, check index 4 (of 3)");
    insta::assert_snapshot!(found(|_| {}, json!({ "brand": "b", "price": { "gt": 1 } }), &[(4, 20)]), @"walk index 4 at a key, check index 2 (of 3)");
    insta::assert_snapshot!(found(|_| {}, json!({ "price": { "gt": 1 } }), &[(2, 10_000)]), @"gather index 2 in a range (of 2)");
    insta::assert_snapshot!(found(|_| {}, json!({ "title": { "gt": "b" }, "price": { "gt": 1 } }), &[]), @"walk entries, check index 1 and index 2 (of 3)");
    insta::assert_snapshot!(found(|query| query.author = Some(UserId::from_parts(1, 1)), json!({ "brand": "b" }), &[]), @"walk entries by author, check index 4 (of 3)");
}

/// What would help a list that looks at too many rows.
fn helps(sort: Sort, filters: Value, state: &IndexState) -> String {
    let mut collection = products();
    collection.indexes.iter_mut().filter(|index| index.is_composite()).for_each(|index| index.state = state.clone());
    let filters: FieldFilters = filters.as_object().unwrap().clone().try_into().unwrap();
    let fields = filters.keys(&collection).unwrap();
    let query = ListQuery { sort, fields, ..ListQuery::new(&collection, Visibility::Working, 50) };
    let named = |fields: &[FieldSlug]| fields.iter().map(FieldSlug::as_str).collect::<Vec<_>>().join(", ");
    match remedy(&query) {
        Remedy::Declare(fields) => format!("declare {}", named(&fields)),
        Remedy::Wait(index) => format!("wait for {}", named(&index.fields)),
        Remedy::Narrow => "narrow".to_owned(),
    }
}

#[test]
fn a_list_that_is_refused_names_the_index_that_would_serve_it() {
    let ready = |sort, filters| helps(sort, filters, &IndexState::Ready);
    insta::assert_snapshot!(ready(PRICE, json!({ "brand": "b" })), @"declare brand, price");
    insta::assert_snapshot!(ready(PRICE, json!({ "brand": "b", "title": "a", "price": { "gt": 1 } })), @"declare brand, title, price");
    insta::assert_snapshot!(ready(Sort::UpdatedAt, json!({ "category": "a" })), @"declare category, updated_at");
    insta::assert_snapshot!(ready(Sort::CreatedAt, json!({ "brand": "b", "title": "a" })), @"declare brand, title");
    insta::assert_snapshot!(ready(Sort::UpdatedAt, json!({ "category": "a", "brand": "b", "title": "t", "price": 1 })), @"declare category, brand, title, updated_at");
    // Of fields with several values, ranges, and orders by what no index can end in, no index is made.
    insta::assert_snapshot!(ready(PRICE, json!({ "tags": "t" })), @"narrow");
    insta::assert_snapshot!(ready(Sort::CreatedAt, json!({ "price": { "gt": 1 }, "title": { "gt": "a" } })), @"narrow");
    insta::assert_snapshot!(ready(Sort::Slug, json!({ "category": "a", "brand": "b" })), @"narrow");
    // One that is there did not help, in whatever order its first fields are.
    insta::assert_snapshot!(ready(PRICE, json!({ "brand": "b", "category": "a", "tags": "t" })), @"narrow");
    let building = IndexState::Building { done: 1, total: 2, attempts: 0, last_error: None };
    insta::assert_snapshot!(helps(PRICE, json!({ "brand": "b", "category": "a" }), &building), @"wait for category, brand, price");
}

#[test]
fn nothing_is_read_for_a_list_that_is_empty_whatever_is_stored() {
    insta::assert_snapshot!(found(|query| (query.visibility, query.status) = (Visibility::Published, Some(Status::Draft)), json!({}), &[]), @"nothing");
    insta::assert_snapshot!(found(|_| {}, json!({ "price": { "gt": 2, "lt": 1 } }), &[]), @"nothing");
}
