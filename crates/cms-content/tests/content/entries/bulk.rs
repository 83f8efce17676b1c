//! Many entries changed at once: each as the operation on one does it, once, and taken back where that can be.

use std::time::Duration;

use cms_content::entries::{
    bulk::ChangeEntries,
    bulk_undo::{CancelBulk, GetBulk, UndoBulk},
    create::CreateEntry,
    delete::DeleteEntry,
    get::GetEntry,
    hooks::BEFORE_DELETE,
    list_trashed::ListTrashed,
    lock::AcquireLock,
};
use cms_core::{both, jobs::command::RetryJob, testing::TestApp};
use cms_domain::{
    access::{Actor, to},
    id::EntryId,
    user::Role,
};
use cms_frame::{
    Code,
    hooks::{Hook, Proposal, Verdict},
    jobs::{Claims, Stepped},
};
use serde_json::{Map, Value, json};

use super::{Site, hooks::Says, issues, named, races::at_once, with};

/// Asks for a bulk change of posts, and answers with its job.
async fn asked(site: &Site, role: Role, input: Value) -> Value {
    let mut whole = json!({ "collection": "posts" });
    whole.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
    site.done::<ChangeEntries>(role, whole).await["job"].take()
}

/// A bulk change of posts once it is over.
async fn changed(site: &Site, role: Role, input: Value) -> Value {
    let job = asked(site, role, input).await;
    over(site, role, &job).await
}

async fn over(site: &Site, role: Role, job: &Value) -> Value {
    site.settle().await.unwrap();
    site.done::<GetBulk>(role, json!({ "id": job })).await["item"].take()
}

/// A bulk change is taken back, and over.
async fn undone(site: &Site, role: Role, bulk: &Value) -> Value {
    let job = site.done::<UndoBulk>(role, json!({ "id": bulk["id"] })).await["job"].take();
    over(site, role, &job).await
}

/// How many entries were changed, skipped, not changed, and can have it taken back.
fn counts(bulk: &Value) -> [u64; 4] {
    assert_eq!(bulk["state"], "done", "{bulk}");
    ["changed", "skipped", "failed", "undoable"].map(|member| bulk[member].as_u64().unwrap())
}

fn ids(entries: &[Value]) -> Vec<&Value> {
    entries.iter().map(|entry| &entry["item"]["id"]).collect()
}

/// Drafts of the author's, named by a letter each.
async fn drafts<const N: usize>(site: &Site) -> [Value; N] {
    let mut drafts = Vec::new();
    for title in ('A'..).take(N) {
        drafts.push(site.draft(json!({ "title": title })).await);
    }
    drafts.try_into().unwrap()
}

async fn statuses(site: &Site, entries: &[Value]) -> Vec<String> {
    let mut statuses = Vec::new();
    for entry in entries {
        statuses.push(site.get(Role::Admin, entry).await["item"]["status"].as_str().unwrap().to_owned());
    }
    statuses
}

both! {
    async fn what_was_changed_since_it_was_seen_is_not_published(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 3] = drafts(&site).await;
        site.update(&entries[1], json!({ "data": { "title": "Nobody saw this" } })).await;
        let versions: Map<String, Value> = entries[..2]
            .iter()
            .map(|entry| (entry["item"]["id"].as_str().unwrap().to_owned(), entry["item"]["version"].clone()))
            .collect();
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": ids(&entries), "versions": versions })).await;
        assert_eq!(counts(&bulk)[..3], [2, 0, 1]);
        assert_eq!((&bulk["failedItems"][0]["id"], &bulk["failedItems"][0]["code"]), (&entries[1]["item"]["id"], &json!("CONFLICT")));
        assert_eq!(statuses(&site, &entries).await, ["published", "draft", "published"]);
        let unnamed = json!({ "collection": "posts", "action": "publish", "ids": ids(&entries[..1]), "versions": versions });
        let refused = site.refused::<ChangeEntries>(Role::Editor, unnamed).await;
        assert_eq!(issues(&refused), [format!("versions.{} NOT_ALLOWED", entries[1]["item"]["id"].as_str().unwrap())]);
        let unseen = json!({ "collection": "posts", "action": "publish", "filter": {}, "versions": versions });
        let refused = site.refused::<ChangeEntries>(Role::Editor, unseen).await;
        assert_eq!(issues(&refused), ["versions NOT_ALLOWED"]);
    }

    async fn translations_that_the_job_itself_changes_along_are_still_as_they_were_seen(app: TestApp) {
        let site = Site::open(app).await;
        let english = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = json!({ "collection": "posts", "data": { "title": "B" }, "locale": "de", "translationOf": english["item"]["id"], "status": "published" });
        let german = site.done::<CreateEntry>(Role::Author, german).await;
        let english = site.update(&english, json!({ "data": { "brand": "Y" } })).await;
        let german = site.update(&german, json!({ "data": { "title": "C" } })).await;
        let entries = [english, german];
        let versions: Map<String, Value> =
            entries.iter().map(|entry| (entry["item"]["id"].as_str().unwrap().to_owned(), entry["item"]["version"].clone())).collect();
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": ids(&entries), "versions": versions })).await;
        assert_eq!(counts(&bulk)[..3], [2, 0, 0], "{bulk}");
        let german = site.get(Role::Subscriber, &entries[1]).await;
        assert_eq!((&german["item"]["data"]["title"], &german["item"]["data"]["brand"]), (&json!("C"), &json!("Y")));
    }

    async fn of_many_that_one_person_asks_for_at_once_five_are_under_way(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let change = json!({ "collection": "posts", "action": "publish", "ids": ids(std::slice::from_ref(&entry)) });
        let all = json!({ "collection": "posts", "action": "publish", "filter": {} });
        let wanted = std::iter::repeat_n([change, all], 16).flatten();
        let (begun, refused): (Vec<_>, Vec<_>) = at_once::<ChangeEntries>(&site, Role::Editor, wanted).await.into_iter().partition(Result::is_ok);
        assert_eq!(begun.len(), 5);
        for error in refused.into_iter().map(Result::unwrap_err) {
            assert_eq!(error.code(), Code::RateLimited, "{error:?}");
        }
        asked(&site, Role::Author, json!({ "action": "trash", "filter": { "authorId": TestApp::user(Role::Author) } })).await;
        site.settle().await.unwrap();
        // What takes others back is among the five.
        let over: Vec<_> = begun.into_iter().map(|started| started.unwrap()["job"].clone()).collect();
        for _ in 0..3 {
            asked(&site, Role::Editor, json!({ "action": "unpublish", "filter": {} })).await;
        }
        let undoes = over.iter().map(|job| json!({ "id": job }));
        let (begun, refused): (Vec<_>, Vec<_>) = at_once::<UndoBulk>(&site, Role::Editor, undoes).await.into_iter().partition(Result::is_ok);
        assert_eq!((begun.len(), refused.len()), (2, 3));
        for error in refused.into_iter().map(Result::unwrap_err) {
            assert_eq!(error.code(), Code::RateLimited, "{error:?}");
        }
        site.settle().await.unwrap();
        asked(&site, Role::Editor, json!({ "action": "unpublish", "filter": {} })).await;
    }

    async fn each_entry_is_changed_once_and_what_cannot_be_is_named_with_the_reason(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 3] = drafts(&site).await;
        site.publish(&entries[1]).await;
        let unknown = json!("01ARZ3NDEKTSV4RRFFQ69G5FAV");
        let mut named = ids(&entries);
        named.extend([&unknown, &entries[0]["item"]["id"]]);
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": named })).await;
        assert_eq!((counts(&bulk), &bulk["total"]), ([2, 1, 1, 2], &json!(4)), "an entry that is named twice is changed once");
        let failed = &bulk["failedItems"][0];
        assert_eq!((&failed["id"], &failed["item"], &failed["code"]), (&unknown, &unknown, &json!("NOT_FOUND")));
        assert!(failed["message"].as_str().unwrap().contains("there is no entry"), "{failed}");
        assert_eq!(statuses(&site, &entries).await, ["published"; 3]);
        assert_eq!(site.get(Role::Admin, &entries[1]).await["item"]["version"], json!(2), "what stood so already was not touched");
    }

    async fn a_filter_takes_what_matches_when_the_job_begins_and_nothing_that_is_created_later(app: TestApp) {
        let site = Site::open(app).await;
        for n in 0..4 {
            site.draft(json!({ "title": format!("Post {n}"), "price": n })).await;
            site.clock().advance(Duration::from_secs(1));
        }
        let up_to = site.now();
        site.clock().advance(Duration::from_secs(1));
        let later = site.draft(json!({ "title": "Later", "price": 3 })).await;
        let filter = json!({ "status": "draft", "fieldFilters": { "price": { "gte": 2 } }, "upTo": up_to });
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "filter": filter })).await;
        assert_eq!(counts(&bulk), [2, 0, 0, 2]);
        assert_eq!(statuses(&site, &[later]).await, ["draft"]);
        let unbounded = changed(&site, Role::Editor, json!({ "action": "publish", "filter": { "status": "draft" } })).await;
        assert_eq!(counts(&unbounded), [3, 0, 0, 3], "what is left without a date");
    }

    async fn more_entries_than_are_found_at_once_are_all_changed(app: TestApp) {
        let site = Site::open(app).await;
        for n in 0..503 {
            site.done::<CreateEntry>(Role::Author, json!({ "collection": "notes", "data": { "text": n.to_string() } })).await;
        }
        let input = json!({ "collection": "notes", "action": "trash", "filter": {} });
        let job = site.done::<ChangeEntries>(Role::Editor, input).await["job"].take();
        assert_eq!(counts(&over(&site, Role::Editor, &job).await), [503, 0, 0, 503]);
    }

    async fn what_a_bulk_change_did_is_taken_back_and_done_again(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 3] = drafts(&site).await;
        let planned = json!(site.now().after(Duration::from_hours(1)));
        let later = json!(site.now().after(Duration::from_hours(2)));
        let editor = json!(TestApp::user(Role::Editor));
        let actions = [
            json!({ "action": "publish" }),
            json!({ "action": "unpublish" }),
            json!({ "action": "schedule", "scheduledAt": planned }),
            json!({ "action": "schedule", "scheduledAt": later }),
            json!({ "action": "unschedule" }),
            json!({ "action": "set_author", "authorId": editor }),
            json!({ "action": "trash" }),
            json!({ "action": "restore" }),
        ];
        let state = async || {
            let mut states = Vec::new();
            for entry in &entries {
                let read = site.call::<GetEntry>(Role::Admin, named(entry)).await;
                states.push(read.map_or(Value::Null, |read| {
                    let item = &read["item"];
                    json!([item["status"], item["scheduledAt"], item["authorId"]])
                }));
            }
            states
        };
        for mut action in actions {
            let before = state().await;
            action["ids"] = json!(ids(&entries));
            let bulk = changed(&site, Role::Editor, action.clone()).await;
            assert_eq!(counts(&bulk), [3, 0, 0, 3], "{action}");
            let after = state().await;
            assert_ne!(after, before, "{action}");
            let undo = undone(&site, Role::Editor, &bulk).await;
            assert_eq!((counts(&undo), &undo["undoes"]), ([3, 0, 0, 3], &bulk["id"]), "{action}");
            assert_eq!(state().await, before, "{action}");
            assert_eq!(counts(&undone(&site, Role::Editor, &bulk).await), [0, 3, 0, 0], "{action}: it is taken back already");
            assert_eq!(counts(&undone(&site, Role::Editor, &undo).await), [3, 0, 0, 3], "{action}");
            assert_eq!(state().await, after, "{action}");
        }
    }

    async fn what_somebody_changed_since_or_what_was_staged_is_not_taken_back(app: TestApp) {
        let site = Site::open(app).await;
        let [staged, edited, left] = drafts(&site).await;
        site.publish(&staged).await;
        site.update(&staged, json!({ "data": { "title": "Staged" } })).await;
        let all = [staged, edited, left];
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": ids(&all) })).await;
        assert_eq!(counts(&bulk), [3, 0, 0, 2], "the staged edit became the content");
        site.update(&all[1], json!({ "data": { "title": "Edited" } })).await;
        let undo = undone(&site, Role::Editor, &bulk).await;
        assert_eq!(counts(&undo), [1, 0, 1, 1]);
        let failed = &undo["failedItems"][0];
        assert_eq!((&failed["id"], &failed["item"], &failed["code"]), (&all[1]["item"]["id"], &json!("Edited"), &json!("CONFLICT")));
        assert_eq!(statuses(&site, &all).await, ["published", "published", "draft"]);

        let bulk = changed(&site, Role::Editor, json!({ "action": "unpublish", "ids": [&all[2]["item"]["id"], &all[0]["item"]["id"]] })).await;
        assert_eq!(counts(&bulk), [1, 1, 0, 1]);
        site.update(&all[0], json!({ "data": { "title": "Nobody approved this" } })).await;
        assert_eq!(counts(&undone(&site, Role::Editor, &bulk).await), [0, 0, 1, 0]);
        assert_eq!(statuses(&site, &all[..1]).await, ["draft"]);
    }

    async fn each_entry_asks_for_the_permissions_that_the_operation_on_one_asks_for(app: TestApp) {
        let site = Site::open(app).await;
        let [own] = drafts(&site).await;
        let others = site.done::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "data": { "title": "Others" } })).await;
        let named = json!([own["item"]["id"], others["item"]["id"]]);
        let bulk = changed(&site, Role::Author, json!({ "action": "publish", "ids": named })).await;
        assert_eq!(counts(&bulk), [1, 0, 1, 1]);
        let failed = &bulk["failedItems"][0];
        let why = json!("INSUFFICIENT_PERMISSIONS");
        assert_eq!((&failed["id"], &failed["item"], &failed["code"]), (&others["item"]["id"], &json!("Others"), &why));
        let refused = async |role, input: Value| {
            let mut whole = json!({ "collection": "posts", "ids": named });
            whole.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
            site.code::<ChangeEntries>(role, whole).await
        };
        assert_eq!(refused(Role::Contributor, json!({ "action": "publish" })).await, Code::InsufficientPermissions);
        let give = json!({ "action": "set_author", "authorId": TestApp::user(Role::Author) });
        assert_eq!(refused(Role::Author, give).await, Code::InsufficientPermissions);
        // Whose it is not does not find it, unless they manage jobs.
        assert_eq!(site.code::<GetBulk>(Role::Editor, json!({ "id": bulk["id"] })).await, Code::NotFound);
        assert_eq!(site.code::<UndoBulk>(Role::Editor, json!({ "id": bulk["id"] })).await, Code::NotFound);
        site.admin::<GetBulk>(json!({ "id": bulk["id"] })).await;
    }

    async fn whoever_asked_for_a_bulk_change_ends_it_and_takes_back_what_it_did(app: TestApp) {
        let site = Site::open(app).await;
        let all = drafts::<3>(&site).await;
        let job = asked(&site, Role::Author, json!({ "action": "publish", "ids": ids(&all) })).await;
        let claims = Claims::new(site.cms().clone(), "first".to_owned());
        let claimed = claims.claim().await.unwrap().unwrap();
        let Stepped::On(claimed) = claims.step(claimed).await.unwrap() else { panic!("it is over") };
        for other in [Role::Contributor, Role::Editor] {
            assert_eq!(site.code::<CancelBulk>(other, json!({ "id": job })).await, Code::NotFound);
        }
        let ended = site.done::<CancelBulk>(Role::Author, json!({ "id": job })).await["item"].take();
        assert_eq!([&ended["state"], &ended["changed"]], [&json!("cancelled"), &json!(1)], "{ended}");
        assert!(matches!(claims.step(*claimed).await, Ok(Stepped::Lost)), "the next entry is not changed");
        assert_eq!(site.done::<CancelBulk>(Role::Author, json!({ "id": job })).await["item"], ended, "asked twice");
        assert_eq!(over(&site, Role::Author, &job).await["changed"], 1, "nothing more is done");
        assert_eq!(statuses(&site, &all).await, ["published", "draft", "draft"]);
        assert_eq!(counts(&undone(&site, Role::Author, &ended).await), [1, 0, 0, 1]);
        assert_eq!(statuses(&site, &all).await, ["draft"; 3]);

        let done = changed(&site, Role::Author, json!({ "action": "trash", "ids": ids(&all) })).await;
        let refused = site.refused::<CancelBulk>(Role::Author, json!({ "id": done["id"] })).await;
        assert_eq!((refused.code(), &refused.details_json().unwrap()["state"]), (Code::Conflict, &json!("done")));
        let job = asked(&site, Role::Author, json!({ "action": "restore", "filter": {} })).await;
        let ended = site.admin::<CancelBulk>(json!({ "id": job })).await;
        assert_eq!(ended["item"]["state"], "cancelled", "whoever manages jobs ends those of others");
    }

    async fn what_is_excepted_from_a_filter_stays_as_it_is(app: TestApp) {
        let site = Site::open(app).await;
        let all = drafts::<3>(&site).await;
        let except = json!({ "status": "draft", "except": [all[1]["item"]["id"]] });
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "filter": except })).await;
        assert_eq!(counts(&bulk), [2, 0, 0, 2]);
        assert_eq!(statuses(&site, &all).await, ["published", "draft", "published"]);
        changed(&site, Role::Editor, json!({ "action": "trash", "filter": {} })).await;
        let except = json!({ "except": [all[0]["item"]["id"], all[2]["item"]["id"]] });
        let bulk = changed(&site, Role::Editor, json!({ "action": "restore", "filter": except })).await;
        assert_eq!(counts(&bulk), [1, 0, 0, 1]);
        assert_eq!(statuses(&site, &all[1..2]).await, ["draft"]);
        let many: Vec<_> = (0..=1000).map(|n| EntryId::from_parts(0, n)).collect();
        let refused = site.refused::<ChangeEntries>(Role::Editor, json!({ "collection": "posts", "action": "trash", "filter": { "except": many } })).await;
        assert_eq!(refused.details_json().unwrap()["issues"][0]["path"], "filter.except");
    }

    async fn entries_that_others_edit_stay_unless_their_locks_are_overridden(app: TestApp) {
        let site = Site::open(app).await;
        let [held, free] = drafts(&site).await;
        site.done::<AcquireLock>(Role::Author, named(&held)).await;
        let named = json!([held["item"]["id"], free["item"]["id"]]);
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": named })).await;
        assert_eq!(counts(&bulk), [1, 0, 1, 1]);
        let own = changed(&site, Role::Author, json!({ "action": "unpublish", "ids": named })).await;
        assert_eq!(counts(&own), [1, 1, 0, 1], "whoever holds a lock is not in their own way");
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": named, "overrideLock": true })).await;
        assert_eq!(counts(&bulk), [2, 0, 0, 2]);
    }

    async fn a_server_that_is_killed_leaves_each_entry_changed_once(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 6] = drafts(&site).await;
        let job = asked(&site, Role::Editor, json!({ "action": "publish", "filter": { "status": "draft" } })).await;
        // Each stops in the middle of it, and is not heard of until the next one goes on.
        let mut stopped = None;
        for node in ["first", "second", "third"] {
            let claims = Claims::new(site.cms().clone(), node.to_owned());
            let mut claimed = claims.claim().await.unwrap().unwrap();
            for _ in 0..2 {
                let Stepped::On(next) = claims.step(claimed).await.unwrap() else { panic!("it is over") };
                claimed = *next;
            }
            if let Some(believed_dead) = stopped.replace(claimed) {
                assert!(matches!(claims.step(believed_dead).await, Ok(Stepped::Lost)));
            }
            site.clock().advance(Duration::from_secs(11));
        }
        assert_eq!(counts(&over(&site, Role::Editor, &job).await), [6, 0, 0, 6]);
        for entry in &entries {
            let item = &site.get(Role::Admin, entry).await["item"];
            assert_eq!((&item["status"], &item["version"]), (&json!("published"), &json!(2)));
        }
    }

    async fn it_ends_when_whoever_asked_may_not_go_on_and_goes_on_for_who_tries_it_again(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 3] = drafts(&site).await;
        let secret = site.sign_in(Role::Editor).await.unwrap();
        let editor = site.cms().identify_session(&secret).await.unwrap();
        let input = json!({ "collection": "posts", "action": "publish", "ids": ids(&entries) });
        let job = site.cms().invoke(&editor, cms_frame::Door::Rest, serde_json::from_value::<ChangeEntries>(input).unwrap()).await.unwrap().job;
        let claims = Claims::new(site.cms().clone(), "first".to_owned());
        let claimed = claims.claim().await.unwrap().unwrap();
        claims.step(claimed).await.unwrap();
        let user = site.store().reader().users().by_id(TestApp::user(Role::Editor)).await.unwrap().unwrap();
        let tx = site.store().write().await.unwrap();
        tx.users().update(&Actor::System.permit(to::ManageUsers).unwrap(), &cms_domain::user::User { role: Role::Author, ..user }).await.unwrap();
        tx.commit().await.unwrap();
        site.clock().advance(Duration::from_secs(11));
        site.settle().await.unwrap();
        let stopped = site.admin::<GetBulk>(json!({ "id": job })).await["item"].take();
        assert_eq!((&stopped["state"], &stopped["changed"]), (&json!("failed"), &json!(1)), "{stopped}");
        assert!(stopped["error"].as_str().unwrap().contains("may not go on"), "{stopped}");
        site.admin::<RetryJob>(json!({ "id": job })).await;
        assert_eq!(counts(&over(&site, Role::Admin, &json!(job)).await), [3, 0, 0, 3]);
    }

    async fn hooks_are_asked_of_each_entry_and_one_that_refuses_or_fails_stops_no_other(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 3] = drafts(&site).await;
        let [refused, fails] = [0, 1].map(|n: usize| entries[n]["item"]["id"].clone());
        let says = Says(move |proposal: &Proposal| {
            if proposal["id"] == refused {
                return Ok(Verdict::Refuse { code: "KEEP".to_owned(), message: "this one stays".to_owned() });
            }
            if proposal["id"] == fails { Err("it is broken".into()) } else { Ok(Verdict::Pass) }
        });
        site.cms().add_hooks([Hook::new("shop.keep", BEFORE_DELETE, says)]).unwrap();
        let bulk = changed(&site, Role::Editor, json!({ "action": "trash", "ids": ids(&entries) })).await;
        assert_eq!(counts(&bulk), [1, 0, 2, 1]);
        assert_eq!(bulk["failedItems"][0]["message"], "this one stays");
        assert_eq!(site.admin::<ListTrashed>(json!({ "collection": "posts" })).await["items"].as_array().unwrap().len(), 1);
    }

    async fn a_filter_for_restore_finds_the_trash_and_leaves_what_was_trashed_later(app: TestApp) {
        let site = Site::open(app).await;
        let entries: [Value; 3] = drafts(&site).await;
        site.publish(&entries[0]).await;
        for entry in &entries[..2] {
            site.done::<DeleteEntry>(Role::Author, named(entry)).await;
        }
        let up_to = site.now();
        site.clock().advance(Duration::from_secs(1));
        site.done::<DeleteEntry>(Role::Author, named(&entries[2])).await;
        let bulk = changed(&site, Role::Editor, json!({ "action": "restore", "filter": { "status": "draft", "upTo": up_to } })).await;
        assert_eq!(counts(&bulk), [1, 0, 0, 1]);
        assert_eq!(statuses(&site, &entries[1..2]).await, ["draft"]);
        let bulk = changed(&site, Role::Editor, json!({ "action": "restore", "filter": {} })).await;
        assert_eq!(counts(&bulk), [2, 0, 0, 2]);
        // What is in the trash is not there for anything else.
        site.done::<DeleteEntry>(Role::Author, named(&entries[2])).await;
        let bulk = changed(&site, Role::Editor, json!({ "action": "publish", "ids": [entries[2]["item"]["id"]] })).await;
        assert_eq!(counts(&bulk), [0, 0, 1, 0]);
    }

    async fn what_makes_no_sense_is_refused_before_anything_is_done(app: TestApp) {
        let site = Site::open(app).await;
        let [entry] = drafts(&site).await;
        let id = &entry["item"]["id"];
        let later = site.now().after(Duration::from_hours(1));
        for (input, path) in [
            (json!({ "action": "publish" }), "ids"),
            (json!({ "action": "publish", "ids": [] }), "ids"),
            (json!({ "action": "publish", "ids": vec![id; 1001] }), "ids"),
            (json!({ "action": "publish", "ids": [id], "filter": {} }), "filter"),
            (json!({ "action": "publish", "ids": [id], "scheduledAt": later }), "scheduledAt"),
            (json!({ "action": "schedule", "ids": [id] }), "scheduledAt"),
            (json!({ "action": "schedule", "ids": [id], "scheduledAt": site.now() }), "scheduledAt"),
            (json!({ "action": "set_author", "ids": [id] }), "authorId"),
            (json!({ "action": "set_author", "ids": [id], "authorId": "01ARZ3NDEKTSV4RRFFQ69G5FAV" }), "authorId"),
            (json!({ "action": "trash", "filter": { "dateFrom": "2027-01-01" } }), "filter.dateField"),
            (json!({ "action": "restore", "filter": { "fieldFilters": { "price": 1 } } }), "filter.fieldFilters"),
            (json!({ "action": "trash", "filter": { "fieldFilters": { "body": "x" } } }), "filter.fieldFilters.body"),
        ] {
            let mut whole = json!({ "collection": "posts" });
            whole.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
            let refused = site.refused::<ChangeEntries>(Role::Editor, whole).await;
            assert_eq!(refused.details_json().unwrap()["issues"][0]["path"], path, "{input}");
        }
        let plain = json!({ "collection": "plain", "action": "schedule", "ids": [id], "scheduledAt": later });
        assert_eq!(site.code::<ChangeEntries>(Role::Editor, plain).await, Code::NotSupported);
        assert_eq!(site.store().reader().jobs().open(9).await.unwrap(), [], "nothing was asked for");
        let job = asked(&site, Role::Editor, json!({ "action": "publish", "ids": [id] })).await;
        assert_eq!(site.code::<UndoBulk>(Role::Editor, json!({ "id": job })).await, Code::Conflict);
        assert_eq!(site.call::<GetEntry>(Role::Editor, with(&entry, json!({}))).await.unwrap()["item"]["status"], "draft");
    }
}
