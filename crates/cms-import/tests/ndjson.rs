//! Import and export of lines, through the operations, on both databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use cms_content::{
    entries::{get::GetEntry, list::ListEntries, schedule::ScheduleEntry, update::UpdateEntry},
    schema::{create_collection::CreateCollection, create_field::CreateField},
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::operation::Operation;
use cms_import::{Import, ImportError, JournalError, OnConflict, Progress, Refused, Summary, export, import};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// A folder with a file to import.
struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl File {
    fn of(lines: &[Value]) -> Self {
        Self::text(&lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"))
    }

    fn text(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("content.ndjson");
        fs::write(&path, text).unwrap();
        Self { _folder: folder, path }
    }

    fn journal(&self) -> PathBuf {
        self.path.with_extension("ndjson.cms-import")
    }
}

async fn call<O: Operation>(app: &TestApp, input: Value) -> Value {
    app.call::<O>(Role::Admin, input).await.unwrap_or_else(|error| panic!("{}: {error:?}", O::ID))
}

/// A collection with a required title, a default, and references to its own entries.
async fn posts(app: &TestApp) {
    call::<CreateCollection>(app, json!({ "slug": "posts", "label": "Posts", "supports": ["drafts", "revisions", "scheduling", "seo"] }))
        .await;
    for field in [
        json!({ "slug": "title", "label": "Title", "type": "string", "required": true }),
        json!({ "slug": "mood", "label": "Mood", "type": "string", "defaultValue": "calm" }),
        json!({ "slug": "related", "label": "Related", "type": "reference", "options": { "collection": "posts", "allowMultiple": true } }),
        json!({ "slug": "lead", "label": "Lead", "type": "reference", "options": { "collection": "posts" } }),
    ] {
        let mut input = json!({ "collection": "posts" });
        input.as_object_mut().unwrap().extend(field.as_object().unwrap().clone());
        call::<CreateField>(app, input).await;
    }
}

fn post(slug: &str) -> Value {
    json!({ "collection": "posts", "slug": slug, "status": "published", "data": { "title": slug } })
}

async fn run(app: &TestApp, path: &Path, options: &Import) -> (Result<Summary, ImportError>, Vec<Refused>) {
    let mut refused = Vec::new();
    let report = |progress: Progress<'_>| {
        if let Progress::Refused(line) = progress {
            refused.push(line);
        }
    };
    let result = import(app.cms(), path, options, report).await;
    (result, refused)
}

async fn imported(app: &TestApp, file: &File) -> Summary {
    let (result, refused) = run(app, &file.path, &Import::default()).await;
    assert_eq!(refused, []);
    result.unwrap()
}

/// Imports until so many lines are done, and then stops as a process does that is killed.
async fn killed_after(app: &TestApp, file: &File, lines: u64) {
    let enough = Arc::new(Notify::new());
    let tell = Arc::clone(&enough);
    let report = move |progress: Progress<'_>| match progress {
        Progress::Advanced { summary, .. } if summary.imported >= lines => tell.notify_one(),
        _ => {}
    };
    let options = Import { resume: file.journal().exists(), ..Import::default() };
    tokio::select! {
        biased;
        () = enough.notified() => {}
        result = import(app.cms(), &file.path, &options, report) => panic!("the import ended: {result:?}"),
    }
    // What was under way when the process was killed may still be committed.
    tokio::time::sleep(Duration::from_millis(300)).await;
}

async fn slugs(app: &TestApp) -> Vec<String> {
    let page = call::<ListEntries>(app, json!({ "collection": "posts", "limit": 100 })).await;
    let mut slugs: Vec<_> = page["items"].as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap_or("-").to_owned()).collect();
    slugs.sort();
    slugs
}

async fn get(app: &TestApp, slug: &str) -> Value {
    call::<GetEntry>(app, json!({ "collection": "posts", "id": slug })).await["item"].take()
}

async fn exported(app: &TestApp) -> String {
    let mut text = Vec::new();
    export(app.cms(), &[], &mut text, |_| ()).await.unwrap();
    String::from_utf8(text).unwrap()
}

fn sha256(text: &str) -> String {
    use sha2::Digest;
    format!("{:x}", sha2::Sha256::digest(text))
}

both! {
    async fn each_bad_line_is_reported_with_its_number_and_all_its_problems_and_the_others_are_imported(app: TestApp) {
        posts(&app).await;
        let lines = [
            post("one").to_string(),
            "{ not json".to_owned(),
            json!({ "collection": "posts", "slug": "two", "data": { "mood": 7, "extra": true } }).to_string(),
            String::new(),
            json!({ "collection": "nowhere", "data": {} }).to_string(),
            "[1]".to_owned(),
            post("three").to_string(),
        ];
        let file = File::text(&lines.join("\n"));
        let (result, refused) = run(&app, &file.path, &Import::default()).await;
        assert_eq!(result.unwrap(), Summary { imported: 2, failed: 4, ..Summary::default() });
        let told: Vec<_> = refused.iter().map(|line| (line.line, line.code, line.issues.len())).collect();
        assert_eq!(told, [(2, "INVALID_JSON", 0), (3, "VALIDATION_ERROR", 3), (5, "COLLECTION_NOT_FOUND", 0), (6, "INVALID_JSON", 0)]);
        assert_eq!(slugs(&app).await, ["one", "three"]);
        assert!(!file.journal().exists());
    }

    async fn members_that_are_not_known_are_refused_unless_they_are_ignored(app: TestApp) {
        posts(&app).await;
        let mut line = post("one");
        line["author"] = json!("ada");
        line["tags"] = json!([]);
        let file = File::of(&[line]);
        let (_, refused) = run(&app, &file.path, &Import::default()).await;
        let paths: Vec<_> = refused[0].issues.iter().map(|issue| issue["path"].clone()).collect();
        assert_eq!(paths, ["author", "tags"]);
        let ignoring = Import { ignore: ["author", "tags"].map(str::to_owned).into(), ..Import::default() };
        assert_eq!(run(&app, &file.path, &ignoring).await.0.unwrap().imported, 1);
    }

    async fn a_line_that_names_no_collection_goes_into_the_one_of_the_import(app: TestApp) {
        posts(&app).await;
        let file = File::of(&[json!({ "slug": "one", "data": { "title": "One" } })]);
        let options = Import { collection: Some("posts".parse().unwrap()), ..Import::default() };
        assert_eq!(run(&app, &file.path, &options).await.0.unwrap().imported, 1);
    }

    async fn an_import_that_was_killed_goes_on_without_duplicates(app: TestApp) {
        posts(&app).await;
        let mut lines: Vec<_> = (0..60).map(|n| post(&format!("post-{n:02}"))).collect();
        // Drafts without a slug and without a title would never collide.
        lines.extend((0..10).map(|_| json!({ "collection": "posts", "data": { "title": "!" } })));
        let file = File::of(&lines);
        for lines in [5, 20, 61] {
            killed_after(&app, &file, lines).await;
        }
        let (result, refused) = run(&app, &file.path, &Import { resume: true, ..Import::default() }).await;
        assert_eq!(refused, []);
        assert_eq!(result.unwrap(), Summary { imported: 70, ..Summary::default() });
        assert_eq!(slugs(&app).await.len(), 70);
    }

    async fn an_import_that_stopped_is_not_begun_anew_by_accident(app: TestApp) {
        posts(&app).await;
        let file = File::of(&(0..30).map(|n| post(&format!("post-{n}"))).collect::<Vec<_>>());
        killed_after(&app, &file, 3).await;
        let (result, _) = run(&app, &file.path, &Import::default()).await;
        assert!(matches!(result, Err(ImportError::Journal(JournalError::Unfinished { .. }))), "{result:?}");
    }

    async fn an_import_is_not_resumed_when_its_file_has_changed(app: TestApp) {
        posts(&app).await;
        let file = File::of(&[post("one")]);
        let journal = json!({
            "format": 1, "startedAt": "2027-01-01T00:00:00Z", "lines": 1, "offset": 10, "sha256": "00",
            "summary": { "imported": 1, "updated": 0, "skipped": 0, "failed": 0 }, "postponed": [],
        });
        fs::write(file.journal(), journal.to_string()).unwrap();
        let (result, _) = run(&app, &file.path, &Import { resume: true, ..Import::default() }).await;
        assert!(matches!(result, Err(ImportError::Journal(JournalError::Changed(_)))), "{result:?}");
        assert_eq!(slugs(&app).await.len(), 0);
    }

    async fn of_two_lines_for_one_slug_the_first_wins(app: TestApp) {
        posts(&app).await;
        let mut second = post("one");
        second["data"]["title"] = json!("Second");
        let file = File::of(&[post("one"), second]);
        let (result, refused) = run(&app, &file.path, &Import::default()).await;
        assert_eq!(result.unwrap(), Summary { imported: 1, failed: 1, ..Summary::default() });
        assert_eq!((refused[0].line, refused[0].code), (2, "SLUG_CONFLICT"));
        assert_eq!(get(&app, "one").await["data"]["title"], "one");
    }

    async fn what_is_there_already_is_skipped_or_updated_when_asked(app: TestApp) {
        posts(&app).await;
        imported(&app, &File::of(&[post("one")])).await;
        let mut changed = post("one");
        changed["data"]["title"] = json!("Changed");
        let file = File::of(&[changed, post("two")]);
        let skip = Import { on_conflict: OnConflict::Skip, ..Import::default() };
        assert_eq!(run(&app, &file.path, &skip).await.0.unwrap(), Summary { imported: 1, skipped: 1, ..Summary::default() });
        assert_eq!(get(&app, "one").await["data"]["title"], "one");
        let update = Import { on_conflict: OnConflict::Update, ..Import::default() };
        assert_eq!(run(&app, &file.path, &update).await.0.unwrap(), Summary { updated: 2, ..Summary::default() });
        let one = get(&app, "one").await;
        assert_eq!((&one["data"]["title"], &one["hasDraft"]), (&json!("Changed"), &json!(false)));
    }

    async fn lines_may_refer_to_lines_behind_them_and_to_each_other(app: TestApp) {
        posts(&app).await;
        let id = |n: u128| cms_domain::id::EntryId::from_parts(1, n).to_string();
        let refers = |n: u128, slug: &str, to: &[u128]| {
            let related: Vec<_> = to.iter().map(|n| id(*n)).collect();
            json!({ "id": id(n), "collection": "posts", "slug": slug, "status": "published", "data": { "title": slug, "related": related } })
        };
        // One behind, one in a circle of two, one that names itself.
        let file = File::of(&[refers(1, "a", &[2]), refers(2, "b", &[]), refers(3, "c", &[1, 4]), refers(4, "d", &[3]), refers(5, "e", &[5])]);
        assert_eq!(imported(&app, &file).await, Summary { imported: 5, ..Summary::default() });
        assert_eq!(get(&app, "c").await["data"]["related"], json!([id(1), id(4)]));
        assert_eq!(get(&app, "d").await["data"]["related"], json!([id(3)]));
        let e = get(&app, "e").await;
        assert_eq!((&e["data"]["related"], &e["status"], &e["hasDraft"]), (&json!([id(5)]), &json!("published"), &json!(false)));
    }

    async fn a_circle_that_was_only_begun_is_completed_when_the_import_is_resumed(app: TestApp) {
        posts(&app).await;
        let id = |n: u128| cms_domain::id::EntryId::from_parts(1, n).to_string();
        let refers = |n: u128, to: &[String]| json!({ "id": id(n), "collection": "posts", "slug": format!("p{n}"), "data": { "title": "P", "related": to } });
        let file = File::of(&[refers(1, &[id(2)]), refers(2, &[id(1)])]);
        // The first entry is there, without what it refers to, and the journal knows.
        imported(&app, &File::of(&[refers(1, &[])])).await;
        let text = fs::read_to_string(&file.path).unwrap();
        let journal = json!({
            "format": 1, "startedAt": "2027-01-01T00:00:00Z", "lines": 2, "offset": text.len(), "sha256": sha256(&text),
            "summary": Summary::default(),
            "postponed": [{ "line": 1, "offset": 0, "apart": true }, { "line": 2, "offset": text.find('\n').unwrap() + 1, "apart": true }],
        });
        fs::write(file.journal(), journal.to_string()).unwrap();
        let (result, refused) = run(&app, &file.path, &Import { resume: true, ..Import::default() }).await;
        assert_eq!((result.unwrap(), refused), (Summary { imported: 2, ..Summary::default() }, Vec::new()));
        assert_eq!(get(&app, "p1").await["data"]["related"], json!([id(2)]));
        assert_eq!(get(&app, "p2").await["data"]["related"], json!([id(1)]));
    }

    async fn an_entry_that_refers_to_nothing_is_there_without_that_and_reported(app: TestApp) {
        posts(&app).await;
        let mut line = post("one");
        line["data"]["lead"] = json!("01ARZ3NDEKTSV4RRFFQ69G5FAV");
        let (result, refused) = run(&app, &File::of(&[line]).path, &Import::default()).await;
        assert_eq!(result.unwrap(), Summary { imported: 1, ..Summary::default() });
        assert_eq!((refused[0].line, &refused[0].issues[0]["code"]), (1, &json!("REFERENCE_NOT_FOUND")));
        assert!(refused[0].message.starts_with("imported without what it refers to: "), "{}", refused[0].message);
        assert_eq!(get(&app, "one").await["data"]["lead"], Value::Null);
    }

    async fn what_was_exported_is_the_same_after_an_import(app: TestApp) {
        posts(&app).await;
        let create = |input: Value| {
            let app = app.clone();
            async move { call::<cms_content::entries::create::CreateEntry>(&app, input).await["item"].take() }
        };
        let plain = create(json!({ "collection": "posts", "data": { "title": "Draft" } })).await;
        let published = create(json!({
            "collection": "posts", "status": "published", "slug": "live", "publishedAt": "2020-01-01T00:00:00Z",
            "data": { "title": "Live", "mood": null, "related": [plain["id"]] }, "seo": { "title": "Found" },
        })).await;
        call::<UpdateEntry>(&app, json!({
            "collection": "posts", "id": published["id"], "slug": "live-2", "data": { "title": "Staged", "related": null }, "seo": { "title": null },
        })).await;
        create(json!({ "collection": "posts", "locale": "de", "translationOf": published["id"], "data": { "title": "Auf Deutsch" } })).await;
        let planned = create(json!({ "collection": "posts", "data": { "title": "Planned" } })).await;
        call::<ScheduleEntry>(&app, json!({ "collection": "posts", "id": planned["id"], "scheduledAt": "2030-01-01T00:00:00Z" })).await;
        let before = exported(&app).await;
        assert_eq!(before.lines().count(), 4);

        cms_core::testing::run(cms_core::testing::TestStore::sqlite().await.map(Some), |other| async move {
            posts(&other).await;
            let file = File::text(&before);
            assert_eq!(imported(&other, &file).await, Summary { imported: 4, ..Summary::default() });
            assert_eq!(exported(&other).await, before);
        })
        .await;
    }
}
