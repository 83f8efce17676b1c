//! What is planned for entries and what became public.

use std::time::Duration;

use cms_content::entries::{
    calendar::ListCalendar, create::CreateEntry, delete::DeleteEntry, schedule::ScheduleEntry, schedule_unpublish::ScheduleUnpublish,
};
use cms_core::{both, testing::TestApp};
use cms_domain::{time::Timestamp, user::Role};
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, named};

const HOUR: Duration = Duration::from_hours(1);

/// Two weeks around now.
fn fortnight(site: &Site) -> Value {
    let now = site.now();
    json!({ "from": Timestamp::from_milliseconds(now.milliseconds() - 7 * 24 * 3_600_000), "to": now.after(7 * 24 * HOUR) })
}

/// What is in the calendar, page by page.
async fn happens(site: &Site, filter: Value) -> Vec<String> {
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut input = fortnight(site);
        input["limit"] = 2.into();
        input["cursor"] = cursor;
        input.as_object_mut().unwrap().extend(filter.as_object().unwrap().clone());
        let page = site.done::<ListCalendar>(Role::Contributor, input).await;
        let line = |item: &Value| {
            let (kind, entry) = (item["kind"].as_str().unwrap(), &item["entry"]);
            format!("{kind} {} {}", entry["type"].as_str().unwrap(), entry["title"].as_str().unwrap())
        };
        found.extend(page["items"].as_array().unwrap().iter().map(line));
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return found;
        }
    }
}

/// A published entry that will end, a draft that is planned, another that is planned for later, one that is in the trash, and one of another collection.
async fn planned(site: &Site) -> Vec<Value> {
    let mut entries = Vec::new();
    for (role, collection, status, title) in [
        (Role::Editor, "posts", "published", "Public"),
        (Role::Author, "posts", "draft", "Soon"),
        (Role::Author, "posts", "draft", "Later"),
        (Role::Author, "posts", "published", "Gone"),
        (Role::Author, "plain", "published", "Plain"),
    ] {
        let input = json!({ "collection": collection, "status": status, "data": { "title": title } });
        entries.push(site.done::<CreateEntry>(role, input).await);
        site.clock().advance(Duration::from_secs(1));
    }
    let at = |hours: u32| site.now().after(hours * HOUR);
    for (entry, hours) in [(1, 1), (2, 48)] {
        let mut input = named(&entries[entry]);
        input["scheduledAt"] = json!(at(hours));
        site.done::<ScheduleEntry>(Role::Author, input).await;
    }
    let mut input = named(&entries[0]);
    input["unpublishAt"] = json!(at(24));
    site.done::<ScheduleUnpublish>(Role::Editor, input).await;
    site.done::<DeleteEntry>(Role::Author, named(&entries[3])).await;
    entries
}

both! {
    async fn what_happens_is_listed_with_its_entries_the_earliest_first(app: TestApp) {
        let site = Site::open(app).await;
        planned(&site).await;
        let all = ["published posts Public", "published plain Plain", "publish posts Soon", "unpublish posts Public", "publish posts Later"];
        assert_eq!(happens(&site, json!({})).await, all);
        assert_eq!(happens(&site, json!({ "kinds": "unpublish, published" })).await, [all[0], all[1], all[3]]);
        assert_eq!(happens(&site, json!({ "collections": "plain" })).await, [all[1]]);
        assert_eq!(happens(&site, json!({ "authorId": TestApp::user(Role::Editor) })).await, [all[0], all[3]]);
        assert_eq!(happens(&site, json!({ "locale": "en" })).await, all);
        assert_eq!(happens(&site, json!({ "from": site.now().after(2 * HOUR) })).await, all[3..]);
        assert_eq!(happens(&site, json!({ "to": site.now() })).await, all[..2]);
    }

    async fn a_time_that_cannot_be_is_refused_with_its_reason(app: TestApp) {
        let site = Site::open(app).await;
        planned(&site).await;
        let changed = |name: &str, value: Value| {
            let mut input = fortnight(&site);
            input[name] = value;
            input
        };
        let to = fortnight(&site)["to"].clone();
        for input in [
            changed("from", to),
            changed("to", json!(site.now().after(101 * 24 * HOUR))),
            changed("kinds", json!("publish,trash")),
            changed("collections", json!("posts,No")),
            json!({}),
        ] {
            assert_eq!(site.code::<ListCalendar>(Role::Editor, input.clone()).await, Code::ValidationError, "{input}");
        }
        assert_eq!(site.code::<ListCalendar>(Role::Editor, changed("collections", json!("missing"))).await, Code::CollectionNotFound);
        let page = site.done::<ListCalendar>(Role::Editor, changed("limit", json!(1))).await;
        let mut other = changed("kinds", json!("publish"));
        other["cursor"] = page["nextCursor"].clone();
        assert_eq!(site.code::<ListCalendar>(Role::Editor, other).await, Code::InvalidCursor);
        assert_eq!(site.code::<ListCalendar>(Role::Subscriber, fortnight(&site)).await, Code::InsufficientPermissions);
    }
}
