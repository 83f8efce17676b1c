//! Import and export as jobs, on both databases: each line once, with what whoever asked may do.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use cms_accounts::audit::ListAudit;
use cms_content::{
    entries::{get::GetEntry, list::ListEntries, update::UpdateEntry},
    schema::create_collection::CreateCollection,
};
use cms_core::{
    both,
    jobs::{command::CancelJob, command::RetryJob, get::GetJob, list_failed_items::ListFailedItems},
    testing::TestApp,
};
use cms_domain::{
    access::{Actor, Scope, to},
    id::{EntryId, FileId},
    user::{Role, User},
};
use cms_frame::{
    Code, Door,
    files::{PART, STALLED},
    jobs::{Claims, Stepped},
    operation::Operation,
};
use cms_import::{download_export::DownloadExport, start_export::StartExport, start_import::StartImport};
use serde_json::{Value, json};

async fn call<O: Operation>(app: &TestApp, input: Value) -> Value {
    app.call::<O>(Role::Admin, input).await.unwrap_or_else(|error| panic!("{}: {error:?}", O::ID))
}

/// A collection with a required title, a default, and references to its own entries.
async fn posts(app: &TestApp) {
    let fields = json!([
        { "slug": "title", "label": "Title", "type": "string", "required": true },
        { "slug": "mood", "label": "Mood", "type": "string", "defaultValue": "calm" },
        { "slug": "lead", "label": "Lead", "type": "reference", "options": { "collection": "posts" } },
    ]);
    let supports = ["drafts", "revisions", "scheduling"];
    call::<CreateCollection>(app, json!({ "slug": "posts", "label": "Posts", "supports": supports, "fields": fields })).await;
}

fn post(slug: &str) -> Value {
    json!({ "collection": "posts", "slug": slug, "status": "published", "data": { "title": slug } })
}

/// Keeps a file as a door does.
async fn sent(app: &TestApp, sender: &Actor, text: &str) -> FileId {
    let file = app.cms().begin_file(sender).await.unwrap();
    for (number, part) in text.as_bytes().chunks(PART).enumerate() {
        app.cms().append_to_file(sender, file, number as u64, part).await.unwrap();
    }
    file
}

/// Starts an import of lines, and answers with its job.
async fn started(app: &TestApp, lines: &[Value], options: Value) -> Value {
    let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    started_by(app, &TestApp::actor(Role::Admin), &text, options).await
}

async fn started_by(app: &TestApp, sender: &Actor, text: &str, options: Value) -> Value {
    let mut input = json!({ "file": sent(app, sender, text).await });
    input.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let input: StartImport = serde_json::from_value(input).unwrap();
    json!(app.cms().invoke(sender, Door::Rest, input).await.unwrap().job)
}

async fn job(app: &TestApp, id: &Value) -> Value {
    call::<GetJob>(app, json!({ "id": id })).await["item"].take()
}

/// The job once it is over.
async fn done(app: &TestApp, id: &Value) -> Value {
    app.settle().await.unwrap();
    job(app, id).await
}

async fn failed_items(app: &TestApp, id: &Value) -> Vec<(String, String)> {
    let page = call::<ListFailedItems>(app, json!({ "id": id, "limit": 100 })).await;
    let text = |item: &Value, member: &str| item[member].as_str().unwrap().to_owned();
    page["items"].as_array().unwrap().iter().map(|item| (text(item, "item"), text(item, "message"))).collect()
}

async fn slugs(app: &TestApp) -> Vec<String> {
    let page = call::<ListEntries>(app, json!({ "collection": "posts", "limit": 100, "status": null })).await;
    let mut slugs: Vec<_> = page["items"].as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap_or("-").to_owned()).collect();
    slugs.sort();
    slugs
}

/// Does so many steps of the next job, as a server does that is killed then.
async fn steps(app: &TestApp, node: &str, steps: usize) -> Option<cms_frame::Error> {
    let claims = Claims::new(app.cms().clone(), node.to_owned());
    let mut job = claims.claim().await.unwrap().unwrap();
    for _ in 0..steps {
        job = match claims.step(job).await {
            Ok(Stepped::On(next)) => *next,
            Ok(other) => panic!("{other:?}"),
            Err(error) => return Some(error),
        };
    }
    None
}

async fn files(app: &TestApp) -> usize {
    app.store().reader().files().all().await.unwrap().len()
}

async fn exported(app: &TestApp, options: Value) -> String {
    let id = call::<StartExport>(app, options).await["job"].take();
    assert_eq!(done(app, &id).await["state"], "done");
    let given: DownloadExport = serde_json::from_value(json!({ "id": id })).unwrap();
    let given = app.run(Role::Admin, given).await.unwrap();
    let (mut text, mut number) = (Vec::new(), 0);
    while let Some(part) = app.cms().part_of_file(&TestApp::actor(Role::Admin), given.file, number).await.unwrap() {
        (number, text) = (number + 1, [text, part].concat());
    }
    assert_eq!(text.len() as u64, given.bytes);
    String::from_utf8(text).unwrap()
}

both! {
    async fn each_line_is_imported_or_named_with_all_that_is_wrong(app: TestApp) {
        posts(&app).await;
        let lines = [post("one"), json!({ "collection": "posts", "data": { "mood": 7, "extra": 1 } }), json!([1]), post("one"), post("two")];
        let id = started(&app, &lines, json!({})).await;
        let job = done(&app, &id).await;
        assert_eq!((&job["state"], &job["done"], &job["total"], &job["failedItems"]), (&json!("done"), &json!(5), &json!(5), &json!(3)));
        let result = json!({ "imported": 2, "updated": 0, "skipped": 0, "failed": 3, "waiting": 0, "dryRun": false, "collections": ["posts"] });
        assert_eq!(job["result"], result);
        let failed = failed_items(&app, &id).await;
        let named: Vec<_> = failed.iter().map(|(item, _)| item.as_str()).collect();
        assert_eq!(named, ["line 2", "line 3", "line 4"]);
        assert!(failed[0].1.contains("data.mood") && failed[0].1.contains("data.extra") && failed[0].1.contains("data.title"), "{failed:?}");
        assert_eq!(slugs(&app).await, ["one", "two"]);
        assert_eq!(files(&app).await, 0, "the file went with the job");
    }

    async fn a_server_that_is_killed_loses_and_doubles_nothing(app: TestApp) {
        posts(&app).await;
        let lines: Vec<_> = (0..40).map(|n| json!({ "collection": "posts", "id": cms_domain::id::EntryId::from_parts(7, n), "slug": format!("post-{n}"), "data": { "title": "x" } })).collect();
        let id = started(&app, &lines, json!({ "onConflict": "update" })).await;
        for node in ["first", "second", "third"] {
            assert!(steps(&app, node, 8).await.is_none());
            // Nobody hears of it again.
            app.clock().advance(Duration::from_secs(11));
        }
        let job = done(&app, &id).await;
        assert_eq!((&job["result"]["imported"], &job["result"]["updated"], &job["done"]), (&json!(40), &json!(0), &json!(40)), "{job}");
        assert_eq!(slugs(&app).await.len(), 40);
    }

    async fn lines_refer_to_lines_behind_them_and_to_each_other(app: TestApp) {
        posts(&app).await;
        let id = |n: u128| cms_domain::id::EntryId::from_parts(9, n);
        let line = |n, lead: Option<u128>| json!({ "collection": "posts", "id": id(n), "slug": format!("p{n}"), "data": { "title": "x", "lead": lead.map(id) } });
        // A chain to the front, a circle, and one that refers to nothing.
        let lines = [line(1, Some(2)), line(2, Some(3)), line(3, None), line(4, Some(5)), line(5, Some(4)), line(6, Some(99))];
        let job_id = started(&app, &lines, json!({})).await;
        let job = done(&app, &job_id).await;
        assert_eq!((&job["result"]["imported"], &job["result"]["failed"]), (&json!(6), &json!(0)), "{job} {:?}", failed_items(&app, &job_id).await);
        let four = call::<GetEntry>(&app, json!({ "collection": "posts", "id": "p4" })).await;
        assert_eq!(four["item"]["data"]["lead"], json!(id(5)));
        let [(line, why)] = &failed_items(&app, &job_id).await[..] else { panic!("one line is named") };
        assert_eq!(line, "line 6");
        assert!(why.starts_with("imported without what it refers to: "), "{why}");
    }

    async fn what_would_happen_is_told_and_nothing_is_changed(app: TestApp) {
        posts(&app).await;
        call::<cms_content::entries::create::CreateEntry>(&app, json!({ "collection": "posts", "slug": "there", "data": { "title": "There" } })).await;
        let lines = [post("there"), post("new"), json!({ "collection": "posts", "data": {} })];
        let id = started(&app, &lines, json!({ "dryRun": true, "onConflict": "skip" })).await;
        let result = done(&app, &id).await["result"].take();
        assert_eq!((&result["imported"], &result["skipped"], &result["failed"], &result["dryRun"]), (&json!(1), &json!(1), &json!(1), &json!(true)));
        assert_eq!(slugs(&app).await, ["there"]);
        assert_eq!(files(&app).await, 0);
    }

    async fn who_may_not_any_more_imports_nothing_more_until_somebody_else_takes_it_over(app: TestApp) {
        posts(&app).await;
        let token = app.token_of(Role::Admin, &[Scope::Admin]).await.unwrap();
        let sender = app.cms().identify(&token).await.unwrap();
        let lines: Vec<_> = (0..10).map(|n| post(&format!("post-{n}")).to_string()).collect();
        let id = started_by(&app, &sender, &lines.join("\n"), json!({})).await;
        assert!(steps(&app, "first", 4).await.is_none());
        app.clock().advance(Duration::from_secs(11));
        let permit = Actor::System.permit(to::ManageUsers).unwrap();
        let admin = app.store().reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap();
        for user in [User { disabled: true, ..admin.clone() }, User { role: Role::Editor, ..admin.clone() }] {
            let tx = app.store().write().await.unwrap();
            tx.users().update(&permit, &user).await.unwrap();
            tx.commit().await.unwrap();
            let error = steps(&app, "second", 1).await.unwrap();
            assert!(error.message().contains("may not go on"), "{error:?}");
            app.clock().advance(Duration::from_secs(11));
        }
        app.settle().await.unwrap();
        let stopped = job(&app, &id).await;
        assert_eq!((&stopped["state"], &stopped["done"]), (&json!("failed"), &json!(3)), "{stopped}");
        assert!(stopped["error"].as_str().unwrap().contains("their role is lower"), "{stopped}");
        // The host vouches for whoever tries it again.
        call::<RetryJob>(&app, json!({ "id": id })).await;
        let job = done(&app, &id).await;
        assert_eq!((&job["state"], &job["result"]["imported"]), (&json!("done"), &json!(10)), "{job}");
    }

    async fn a_job_ends_with_the_session_that_it_was_asked_for_with_by_the_clock_as_well(app: TestApp) {
        posts(&app).await;
        let secret = app.sign_in(Role::Admin).await.unwrap();
        let sender = app.cms().identify_session(&secret).await.unwrap();
        let lines: Vec<_> = (0..10).map(|n| post(&format!("post-{n}")).to_string()).collect();
        let id = started_by(&app, &sender, &lines.join("\n"), json!({})).await;
        assert!(steps(&app, "first", 3).await.is_none());
        // Its row is still there: nobody has looked for sessions that are over.
        app.clock().advance(app.cms().options().sessions.idle);
        let error = steps(&app, "second", 1).await.unwrap();
        assert!(error.message().contains("may not go on"), "{error:?}");
        assert_eq!(job(&app, &id).await["done"], 2);
    }

    async fn of_two_who_ask_for_an_export_at_once_one_gets_it_and_its_file_is_whole(app: TestApp) {
        posts(&app).await;
        started(&app, &[post("one"), post("two")], json!({})).await;
        app.settle().await.unwrap();
        let (one, two) = tokio::join!(app.call::<StartExport>(Role::Admin, json!({})), app.call::<StartExport>(Role::Admin, json!({})));
        let (Ok(begun), Err(refused)) = (if one.is_ok() { (one, two) } else { (two, one) }) else { panic!("both or none were begun") };
        assert_eq!(refused.code(), Code::Conflict);
        assert_eq!(files(&app).await, 1);
        let job = done(&app, &begun["job"]).await;
        assert_eq!((&job["state"], &job["result"]["entries"]), (&json!("done"), &json!(2)), "{job}");
        assert!(job["result"]["bytes"].as_u64() > Some(100), "{job}");
        assert_eq!(exported(&app, json!({ "collections": ["posts", "posts"] })).await.lines().count(), 2, "each once");
    }

    async fn lines_that_refer_to_the_one_before_take_few_looks_even_when_the_first_is_last(app: TestApp) {
        const LINES: u64 = 40;
        posts(&app).await;
        let now = app.cms().now();
        let ids: Vec<EntryId> = (0..LINES).map(|_| app.cms().new_id(now)).collect();
        let line = |n: usize| {
            let mut line = post(&format!("post-{n}"));
            line["id"] = json!(ids[n]);
            if n > 0 {
                line["data"]["lead"] = json!(ids[n - 1]);
            }
            line
        };
        let lines: Vec<_> = (1..ids.len()).chain([0]).map(line).collect();
        let id = started(&app, &lines, json!({})).await;
        let claims = Claims::new(app.cms().clone(), "only".to_owned());
        let (mut work, mut steps) = (claims.claim().await.unwrap().unwrap(), 0);
        while let Stepped::On(next) = claims.step(work).await.unwrap() {
            (work, steps) = (*next, steps + 1);
        }
        assert!(steps < 4 * LINES, "{steps} steps");
        let job = job(&app, &id).await;
        assert_eq!((&job["result"]["imported"], &job["result"]["failed"]), (&json!(LINES), &json!(0)), "{job}");
    }

    async fn files_that_nobody_needs_go_within_a_minute(app: TestApp) {
        app.settle().await.unwrap();
        sent(&app, &TestApp::actor(Role::Admin), "{}").await;
        app.clock().advance(STALLED);
        app.settle().await.unwrap();
        assert_eq!(files(&app).await, 0);
    }

    async fn what_is_cancelled_or_never_started_leaves_nothing(app: TestApp) {
        posts(&app).await;
        let id = started(&app, &[post("one"), post("two")], json!({})).await;
        assert!(steps(&app, "first", 2).await.is_none());
        call::<CancelJob>(&app, json!({ "id": id })).await;
        sent(&app, &TestApp::actor(Role::Admin), "{}").await;
        app.settle().await.unwrap();
        assert_eq!(files(&app).await, 1, "one is waiting for whoever sent it");
        app.clock().advance(Duration::from_hours(2));
        app.settle().await.unwrap();
        assert_eq!(files(&app).await, 0);
        assert_eq!(slugs(&app).await, ["one"]);
    }

    async fn one_person_has_few_files_waiting_and_nobody_takes_anothers(app: TestApp) {
        posts(&app).await;
        let (admin, editor) = (TestApp::actor(Role::Admin), TestApp::actor(Role::Editor));
        let mut last = None;
        for _ in 0..cms_frame::files::MOST_OF_ONE {
            last = Some(sent(&app, &admin, "{}").await);
        }
        assert_eq!(app.cms().begin_file(&admin).await.unwrap_err().code(), Code::Conflict);
        let others = sent(&app, &editor, "{}").await;
        let taken = app.call::<StartImport>(Role::Admin, json!({ "file": others })).await;
        assert_eq!(taken.unwrap_err().code(), Code::NotFound);
        app.clock().advance(cms_frame::files::STALLED);
        let late = app.cms().append_to_file(&admin, last.unwrap(), 1, b"x").await;
        assert_eq!(late.unwrap_err().code(), Code::RequestTimeout);
        app.cms().begin_file(&admin).await.unwrap();
    }

    async fn what_was_exported_is_the_same_after_an_import(app: TestApp) {
        posts(&app).await;
        let id = |n: u128| cms_domain::id::EntryId::from_parts(9, n);
        let many = (0..300_u128).map(|n| {
            let lead = (n % 3 == 0).then(|| id((n + 7) % 300));
            let status = if n % 2 == 0 { "published" } else { "draft" };
            json!({ "collection": "posts", "id": id(n), "slug": format!("post-{n}"), "status": status, "createdAt": "2020-01-02T03:04:05.000Z",
                "data": { "title": format!("Nr. {n} {}", "ä".repeat(300)), "lead": lead } })
        });
        let job_id = started(&app, &many.collect::<Vec<_>>(), json!({})).await;
        assert_eq!(done(&app, &job_id).await["result"]["imported"], 300);
        call::<UpdateEntry>(&app, json!({ "collection": "posts", "id": "post-2", "data": { "title": "Staged" } })).await;
        let before = exported(&app, json!({})).await;
        for action in ["content.start_import", "content.start_export", "content.download_export"] {
            assert_eq!(call::<ListAudit>(&app, json!({ "action": action })).await["items"].as_array().unwrap().len(), 1, "{action}");
        }
        assert_eq!(before.lines().count(), 300);
        assert!(before.len() > 2 * PART && before.contains("Staged"));
        let again = started_by(&app, &TestApp::actor(Role::Admin), &before, json!({ "onConflict": "update" })).await;
        let job = done(&app, &again).await;
        assert_eq!((&job["result"]["updated"], &job["result"]["failed"]), (&json!(300), &json!(0)), "{job} {:?}", failed_items(&app, &again).await);
        assert_eq!(exported(&app, json!({ "collections": ["posts"] })).await, before);
        assert_eq!(files(&app).await, 1, "the first export gave way to the second");
        app.clock().advance(Duration::from_hours(8 * 24));
        app.settle().await.unwrap();
        assert_eq!(files(&app).await, 0);
    }

    async fn whoever_may_not_export_does_not_start_or_fetch_one(app: TestApp) {
        posts(&app).await;
        let id = call::<StartExport>(&app, json!({})).await["job"].take();
        let again = app.call::<StartExport>(Role::Admin, json!({})).await.unwrap_err();
        assert_eq!(again.code(), Code::Conflict, "one is under way");
        let early = app.call::<DownloadExport>(Role::Admin, json!({ "id": id })).await;
        assert_eq!(early.unwrap_err().code(), Code::Conflict);
        done(&app, &id).await;
        for role in [Role::Editor, Role::Subscriber] {
            let error = app.call::<DownloadExport>(role, json!({ "id": id })).await.unwrap_err();
            assert_eq!(error.code(), Code::InsufficientPermissions);
            assert_eq!(app.call::<StartExport>(role, json!({})).await.unwrap_err().code(), Code::InsufficientPermissions);
        }
        let audit = call::<ListAudit>(&app, json!({})).await;
        let actions: Vec<_> = audit["items"].as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
        assert!(actions.contains(&"content.start_export") && !actions.contains(&"content.download_export"), "{actions:?}");
        let unknown = app.call::<StartExport>(Role::Admin, json!({ "collections": ["nowhere"] })).await;
        assert_eq!(unknown.unwrap_err().code(), Code::CollectionNotFound);
    }
}
