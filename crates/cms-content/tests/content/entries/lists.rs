//! Lists: filters, orders, pages.

use std::time::Duration;

use cms_content::{
    entries::{
        authors::ListAuthors, delete::DeleteEntry, list::ListEntries, list_trashed::ListTrashed, schedule::ScheduleEntry,
        unschedule::UnscheduleEntry,
    },
    schema::create_field::CreateField,
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

impl Site {
    async fn list(&self, role: Role, query: Value) -> Value {
        self.done::<ListEntries>(role, posts(query)).await
    }

    /// The titles of all pages of a list, two items a page.
    async fn titles(&self, role: Role, query: Value) -> Vec<String> {
        let mut titles = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let mut query = query.clone();
            query["limit"] = json!(2);
            query["cursor"] = cursor;
            let page = self.list(role, query).await;
            titles.extend(page["items"].as_array().unwrap().iter().map(|item| item["data"]["title"].as_str().unwrap().to_owned()));
            match page.get("nextCursor") {
                Some(next) => cursor = next.clone(),
                None => return titles,
            }
        }
    }

    /// Drafts named by letters, one second apart, with prices where there are some.
    async fn shelf(&self, prices: &[Option<f64>]) -> Vec<Value> {
        let mut entries = Vec::new();
        for (n, price) in prices.iter().enumerate() {
            let title = char::from(b'A' + u8::try_from(n).unwrap()).to_string();
            entries.push(self.draft(json!({ "title": title, "price": price })).await);
            self.clock().advance(Duration::from_secs(1));
        }
        entries
    }
}

fn posts(mut query: Value) -> Value {
    query["collection"] = json!("posts");
    query
}

both! {
    async fn a_list_begins_with_the_newest_and_has_every_entry_once(app: TestApp) {
        let site = Site::open(app).await;
        site.shelf(&[None; 5]).await;
        assert_eq!(site.titles(Role::Editor, json!({})).await, ["E", "D", "C", "B", "A"]);
        // The direction counts without `orderBy`, too.
        assert_eq!(site.titles(Role::Editor, json!({ "order": "asc" })).await, ["A", "B", "C", "D", "E"]);
    }

    async fn pages_go_on_behind_entries_without_the_value(app: TestApp) {
        let site = Site::open(app).await;
        let entries = site.shelf(&[None, Some(2.0), None, Some(1.0), None]).await;
        assert_eq!(site.titles(Role::Editor, json!({ "orderBy": "price", "order": "asc" })).await, ["A", "C", "E", "D", "B"]);
        assert_eq!(site.titles(Role::Editor, json!({ "orderBy": "price" })).await, ["B", "D", "E", "C", "A"]);
        site.publish(&entries[1]).await;
        let by_date = site.titles(Role::Editor, json!({ "orderBy": "publishedAt", "order": "asc" })).await;
        assert_eq!((by_date.len(), by_date[4].as_str()), (5, "B"));
    }

    async fn entries_are_sorted_by_title_and_by_any_column(app: TestApp) {
        let site = Site::open(app).await;
        site.shelf(&[None; 3]).await;
        for order_by in ["title", "slug", "createdAt", "updatedAt"] {
            assert_eq!(site.titles(Role::Editor, json!({ "orderBy": order_by, "order": "asc" })).await, ["A", "B", "C"], "{order_by}");
        }
        for order_by in ["status", "locale", "scheduledAt", "publishedAt"] {
            assert_eq!(site.titles(Role::Editor, json!({ "orderBy": order_by })).await.len(), 3, "{order_by}");
        }
    }

    async fn a_list_that_would_look_at_too_many_entries_is_refused_with_the_index_that_helps(app: TestApp) {
        let site = Site::open(app.another(|options| options.list_budget = 3)).await;
        for price in 1..=4 {
            site.draft(json!({ "title": "A", "price": price })).await;
        }
        // Whatever an index serves is found, however much there is; so is a page that is full before too much was looked at.
        assert_eq!(site.list(Role::Editor, json!({ "fieldFilters": { "title": "A" } })).await["items"].as_array().unwrap().len(), 4);
        let by_price = json!({ "orderBy": "price", "order": "asc", "fieldFilters": { "title": "A" } });
        assert_eq!(site.titles(Role::Editor, by_price.clone()).await.len(), 4);
        let refused = site.refused::<ListEntries>(Role::Editor, posts(by_price)).await;
        assert_eq!((refused.code(), refused.details_json()), (Code::UnindexedFilter, Some(&json!({ "index": { "fields": ["title", "price"] } }))));
        assert!(refused.message().contains("declare an index over `title`, `price`"), "{refused}");
        let by_slug = json!({ "orderBy": "slug", "fieldFilters": { "title": "A" } });
        let refused = site.refused::<ListEntries>(Role::Editor, posts(by_slug)).await;
        assert_eq!((refused.code(), refused.details_json()), (Code::UnindexedFilter, Some(&json!({ "index": null }))));
    }

    async fn an_order_that_cannot_be_is_refused_with_its_reason(app: TestApp) {
        let site = Site::open(app).await;
        for (order_by, problem) in [
            ("name", "orderBy UNKNOWN_FIELD"),
            ("deletedAt", "orderBy UNKNOWN_FIELD"),
            ("brand", "orderBy FIELD_NOT_INDEXED"),
            ("tags", "orderBy FIELD_NOT_SORTABLE"),
        ] {
            let refused = site.refused::<ListEntries>(Role::Editor, posts(json!({ "orderBy": order_by }))).await;
            assert_eq!(issues(&refused), [problem]);
        }
        let refused = site.refused::<ListEntries>(Role::Subscriber, posts(json!({ "orderBy": "scheduledAt" }))).await;
        assert_eq!(issues(&refused), ["orderBy NOT_ALLOWED"]);
    }

    async fn filters_act_on_values_bounds_and_absence(app: TestApp) {
        let site = Site::open(app).await;
        site.shelf(&[Some(1.0), Some(2.0), Some(3.0), None]).await;
        for (filter, titles) in [
            (json!(2), vec!["B"]),
            (json!(null), vec!["D"]),
            (json!({ "in": [1, 3] }), vec!["A", "C"]),
            (json!({ "gt": 1, "lte": 3 }), vec!["B", "C"]),
            (json!({ "gt": 5 }), vec![]),
        ] {
            let found = site.titles(Role::Editor, json!({ "fieldFilters": { "price": filter }, "order": "asc" })).await;
            assert_eq!(found, titles, "{filter}");
        }
        let both = json!({ "fieldFilters": { "price": { "gte": 1 }, "title": "C" } });
        assert_eq!(site.titles(Role::Editor, both).await, ["C"]);
    }

    async fn a_filter_that_cannot_be_is_refused_with_its_reason(app: TestApp) {
        let site = Site::open(app).await;
        let filters = json!({ "fieldFilters": { "price": "x", "nope": 1, "body": "b" } });
        let refused = site.refused::<ListEntries>(Role::Editor, posts(filters)).await;
        assert_eq!(
            issues(&refused),
            ["fieldFilters.price INVALID_TYPE", "fieldFilters.nope UNKNOWN_FIELD", "fieldFilters.body FIELD_NOT_INDEXED"]
        );
    }

    async fn an_index_in_the_making_is_a_conflict_and_not_a_wrong_answer(app: TestApp) {
        let site = Site::open(app).await;
        site.shelf(&[None]).await;
        site.admin::<CreateField>(json!({ "collection": "posts", "slug": "rank", "label": "Rank", "type": "integer", "indexed": true })).await;
        for query in [json!({ "orderBy": "rank" }), json!({ "fieldFilters": { "rank": 1 } })] {
            assert_eq!(site.code::<ListEntries>(Role::Editor, posts(query)).await, Code::IndexBuilding);
        }
    }

    async fn columns_filter(app: TestApp) {
        let site = Site::open(app).await;
        let entries = site.shelf(&[None; 4]).await;
        site.publish(&entries[0]).await;
        let at = site.now().after(Duration::from_mins(1));
        site.done::<ScheduleEntry>(Role::Author, with(&entries[1], json!({ "scheduledAt": at }))).await;
        site.done::<ScheduleEntry>(Role::Author, with(&entries[0], json!({ "scheduledAt": at }))).await;
        site.done::<DeleteEntry>(Role::Author, named(&entries[3])).await;
        for (query, titles) in [
            (json!({ "status": "draft" }), vec!["C"]),
            (json!({ "status": "scheduled" }), vec!["B"]),
            (json!({ "status": "published" }), vec!["A"]),
            (json!({ "authorId": TestApp::user(Role::Author) }), vec!["C", "B", "A"]),
            (json!({ "authorId": TestApp::user(Role::Editor) }), vec![]),
            (json!({ "locale": "EN" }), vec!["C", "B", "A"]),
            (json!({ "locale": "de" }), vec![]),
            (json!({ "dateField": "createdAt", "dateFrom": "2027-01-01", "dateTo": "2027-01-01" }), vec!["C", "B", "A"]),
            (json!({ "dateField": "createdAt", "dateFrom": "2027-01-01T00:00:01Z", "dateTo": "2027-01-01T01:00:01+01:00" }), vec!["B"]),
            (json!({ "dateField": "publishedAt", "dateFrom": "2026-01-01" }), vec!["A"]),
            (json!({ "dateField": "createdAt", "dateFrom": "2027-01-02" }), vec![]),
        ] {
            assert_eq!(site.titles(Role::Editor, query.clone()).await, titles, "{query}");
        }
        site.done::<UnscheduleEntry>(Role::Author, named(&entries[1])).await;
        assert_eq!(site.titles(Role::Editor, json!({ "status": "scheduled" })).await, [""; 0]);
        let undated = posts(json!({ "dateFrom": "2027-01-01" }));
        assert_eq!(issues(&site.refused::<ListEntries>(Role::Editor, undated).await), ["dateField REQUIRED"]);
        let unknown = posts(json!({ "locale": "fr" }));
        assert_eq!(issues(&site.refused::<ListEntries>(Role::Editor, unknown).await), ["locale UNKNOWN_LOCALE"]);
    }

    async fn a_cursor_is_bound_to_its_order_and_filters(app: TestApp) {
        let site = Site::open(app).await;
        for price in [1.0, 2.0] {
            site.published(json!({ "title": "A", "price": price })).await;
        }
        let cursor = site.list(Role::Editor, json!({ "limit": 1 })).await["nextCursor"].clone();
        for other in [json!({ "order": "asc" }), json!({ "orderBy": "slug" }), json!({ "status": "draft" }), json!({ "fieldFilters": { "price": 1 } })] {
            let mut query = posts(other);
            query["cursor"] = cursor.clone();
            assert_eq!(site.code::<ListEntries>(Role::Editor, query.clone()).await, Code::InvalidCursor, "{query}");
        }
        let same = json!({ "limit": 5, "cursor": cursor, "orderBy": "createdAt", "order": "desc" });
        assert_eq!(site.list(Role::Editor, same).await["items"].as_array().unwrap().len(), 1);
        // What an editor's cursor says of drafts is nothing to a reader.
        assert_eq!(site.code::<ListEntries>(Role::Subscriber, posts(json!({ "cursor": cursor }))).await, Code::InvalidCursor);
        assert_eq!(site.code::<ListEntries>(Role::Editor, posts(json!({ "cursor": "AAAA" }))).await, Code::InvalidCursor);
    }

    async fn totals_come_only_when_asked_for(app: TestApp) {
        let site = Site::open(app).await;
        let entries = site.shelf(&[Some(1.0), Some(2.0), None]).await;
        site.publish(&entries[0]).await;
        assert_eq!(site.list(Role::Editor, json!({})).await.get("total"), None);
        let total = async |role, mut query: Value| {
            query["includeTotal"] = json!(true);
            let page = site.list(role, query).await;
            (page["total"].as_u64().unwrap(), page["totalCapped"].as_bool().unwrap())
        };
        assert_eq!(total(Role::Editor, json!({ "limit": 1 })).await, (3, false));
        assert_eq!(total(Role::Subscriber, json!({})).await, (1, false));
        assert_eq!(total(Role::Editor, json!({ "fieldFilters": { "price": { "gt": 0 } } })).await, (2, false));
    }

    async fn the_trash_is_listed_with_the_last_deleted_first(app: TestApp) {
        let site = Site::open(app).await;
        let entries = site.shelf(&[None; 3]).await;
        for n in [1, 0, 2] {
            site.done::<DeleteEntry>(Role::Author, named(&entries[n])).await;
            site.clock().advance(Duration::from_secs(1));
        }
        let first = site.done::<ListTrashed>(Role::Contributor, posts(json!({ "limit": 2 }))).await;
        let second = site.done::<ListTrashed>(Role::Contributor, posts(json!({ "limit": 2, "cursor": first["nextCursor"] }))).await;
        let titles: Vec<_> = [&first, &second].into_iter().flat_map(|page| page["items"].as_array().unwrap()).map(|item| &item["data"]["title"]).collect();
        assert_eq!(titles, ["C", "A", "B"]);
        assert_eq!(second.get("nextCursor"), None);
        assert!(first["items"][0]["deletedAt"].is_string());
        assert_eq!(site.code::<ListTrashed>(Role::Subscriber, posts(json!({}))).await, Code::InsufficientPermissions);
        let foreign = json!({ "collection": "notes", "cursor": first["nextCursor"] });
        assert_eq!(site.code::<ListTrashed>(Role::Editor, foreign).await, Code::InvalidCursor);
    }

    async fn authors_are_those_of_entries_outside_of_the_trash(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.done::<cms_content::entries::create::CreateEntry>(Role::Admin, json!({ "collection": "posts", "data": { "title": "B" } })).await;
        let names = async || {
            let list = site.done::<ListAuthors>(Role::Contributor, json!({ "collection": "posts" })).await;
            list["items"].as_array().unwrap().iter().map(|author| author["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names().await, ["admin", "author"]);
        site.done::<DeleteEntry>(Role::Author, named(&entry)).await;
        assert_eq!(names().await, ["admin"]);
    }
}
