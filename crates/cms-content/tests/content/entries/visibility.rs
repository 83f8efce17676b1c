//! Who sees what, and who may do what.

use std::time::Duration;

use cms_content::entries::{
    compare::CompareEntry, create::CreateEntry, delete::DeleteEntry, discard_draft::DiscardDraft, get::GetEntry, list::ListEntries,
    list_trashed::ListTrashed, publish::PublishEntry, restore::RestoreEntry, revisions::RestoreRevision, schedule::ScheduleEntry,
    unpublish::UnpublishEntry, unschedule::UnscheduleEntry, update::UpdateEntry,
};
use cms_core::{both, testing::TestApp};
use cms_domain::{
    access::{Actor, Scope},
    user::Role,
};
use cms_frame::{Code, Door, operation::Operation};
use serde_json::{Value, json};

use super::{Site, named, with};

impl Site {
    async fn as_actor<O: Operation>(&self, actor: &Actor, input: Value) -> Result<O::Output, Code> {
        let operation: O = serde_json::from_value(input).unwrap();
        self.cms().invoke(actor, Door::Rest, operation).await.map_err(|error| error.code())
    }
}

both! {
    async fn what_is_not_public_does_not_exist_for_readers(app: TestApp) {
        let site = Site::open(app).await;
        let draft = site.draft(json!({ "title": "A" })).await;
        let scheduled = site.draft(json!({ "title": "B" })).await;
        let at = site.now().after(Duration::from_mins(1));
        site.done::<ScheduleEntry>(Role::Author, with(&scheduled, json!({ "scheduledAt": at }))).await;
        for entry in [&draft, &scheduled] {
            assert_eq!(site.code::<GetEntry>(Role::Subscriber, named(entry)).await, Code::NotFound);
        }
        let public = site.published(json!({ "title": "C" })).await;
        for status in [Value::Null, json!("draft"), json!("scheduled"), json!("published")] {
            let list = site.done::<ListEntries>(Role::Subscriber, json!({ "collection": "posts", "status": status })).await;
            assert_eq!(list["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect::<Vec<_>>(), [&public["item"]["id"]]);
        }
    }

    async fn readers_learn_nothing_of_drafts(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "data": { "title": "secret" }, "slug": "secret", "seo": { "title": "secret" } })).await;
        let one = site.get(Role::Subscriber, &entry).await;
        let list = site.done::<ListEntries>(Role::Subscriber, json!({ "collection": "posts" })).await;
        assert_eq!(list["items"][0], one["item"]);
        assert!(!one.to_string().contains("secret"));
        for hidden in ["liveData", "draftRevisionId", "hasDraft", "version", "scheduledAt", "scheduleFailure"] {
            assert_eq!(one["item"].get(hidden), None, "{hidden}");
        }
        assert_eq!(one.get("_rev"), None);
        let staged = json!({ "collection": "posts", "id": "secret" });
        assert_eq!(site.code::<GetEntry>(Role::Subscriber, staged).await, Code::NotFound);
    }

    async fn editors_tools_are_not_for_subscribers(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        assert_eq!(site.code::<CompareEntry>(Role::Subscriber, named(&entry)).await, Code::InsufficientPermissions);
        assert_eq!(site.code::<ListTrashed>(Role::Subscriber, json!({ "collection": "posts" })).await, Code::InsufficientPermissions);
    }

    async fn a_low_role_cannot_tell_what_is_there_from_what_is_not(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        for named in [named(&entry), json!({ "collection": "posts", "id": "nope" }), json!({ "collection": "nope", "id": "nope" })] {
            for role in [Role::Subscriber, Role::Contributor] {
                assert_eq!(site.code::<DeleteEntry>(role, named.clone()).await, Code::InsufficientPermissions, "{named}");
                assert_eq!(site.code::<PublishEntry>(role, named.clone()).await, Code::InsufficientPermissions, "{named}");
            }
            assert_eq!(site.code::<UpdateEntry>(Role::Subscriber, named.clone()).await, Code::InsufficientPermissions, "{named}");
        }
    }

    async fn a_contributor_edits_own_drafts_until_they_are_published(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" } });
        let entry = site.done::<CreateEntry>(Role::Contributor, new).await;
        let change = with(&entry, json!({ "data": { "title": "B" } }));
        site.done::<UpdateEntry>(Role::Contributor, change.clone()).await;
        assert_eq!(site.code::<PublishEntry>(Role::Contributor, named(&entry)).await, Code::InsufficientPermissions);
        site.done::<PublishEntry>(Role::Editor, named(&entry)).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Contributor, change.clone()).await, Code::InsufficientPermissions);
        site.done::<UnpublishEntry>(Role::Editor, named(&entry)).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Contributor, change).await, Code::InsufficientPermissions);
        let others = site.draft(json!({ "title": "C" })).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Contributor, with(&others, json!({ "data": {} }))).await, Code::InsufficientPermissions);
    }

    async fn an_author_acts_on_own_entries_and_an_editor_on_all(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" } });
        let editors = site.done::<CreateEntry>(Role::Editor, new).await;
        for code in [
            site.code::<UpdateEntry>(Role::Author, with(&editors, json!({ "data": {} }))).await,
            site.code::<PublishEntry>(Role::Author, named(&editors)).await,
            site.code::<DeleteEntry>(Role::Author, named(&editors)).await,
        ] {
            assert_eq!(code, Code::InsufficientPermissions);
        }
        let own = site.draft(json!({ "title": "B" })).await;
        site.done::<PublishEntry>(Role::Editor, named(&own)).await;
        site.done::<DeleteEntry>(Role::Editor, named(&own)).await;
    }

    async fn an_entry_without_an_author_is_the_editors(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "authorId": null }))).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": {} }))).await, Code::InsufficientPermissions);
    }

    async fn a_narrow_token_does_no_more_than_its_scopes(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let reader = TestApp::token(Role::Admin, &[Scope::ContentRead]);
        assert!(site.as_actor::<GetEntry>(&reader, named(&entry)).await.is_ok());
        assert_eq!(site.as_actor::<UpdateEntry>(&reader, named(&entry)).await.err(), Some(Code::InsufficientScope));
        let token = site.app.token_of(Role::Admin, &[Scope::ContentWrite]).await.unwrap();
        let writer = site.app.cms().identify(&token).await.unwrap();
        assert!(site.as_actor::<UpdateEntry>(&writer, named(&entry)).await.is_ok());
        assert_eq!(site.as_actor::<GetEntry>(&writer, named(&entry)).await.err(), Some(Code::InsufficientScope));
    }

    async fn whoever_remembers_an_answer_hears_of_every_change_of_it_and_of_no_other(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "brand": "X" })).await;
        let german = json!({ "collection": "posts", "data": { "title": "A" }, "locale": "de", "translationOf": entry["item"]["id"], "status": "published" });
        let german = site.done::<CreateEntry>(Role::Author, german).await;
        let revision = entry["item"]["liveRevisionId"].clone();
        let posts = "posts".parse().unwrap();
        let at = site.now().after(Duration::from_mins(10));
        macro_rules! quiet {
            ($quiet:literal, $operation:ty, $input:expr) => {{
                let before = (site.get(Role::Subscriber, &entry).await, site.get(Role::Subscriber, &german).await);
                let watch = site.watch(&posts).await;
                site.clock().advance(Duration::from_secs(1));
                site.done::<$operation>(Role::Editor, with(&entry, $input)).await;
                assert_eq!(watch.is_current(), $quiet, "{}", $input);
                let after = (site.get(Role::Subscriber, &entry).await, site.get(Role::Subscriber, &german).await);
                assert_eq!(before == after, $quiet, "{}", $input);
            }};
        }
        quiet!(true, UpdateEntry, json!({ "data": { "title": "B", "brand": "Y" } }));
        quiet!(true, ScheduleEntry, json!({ "scheduledAt": at }));
        quiet!(true, UnscheduleEntry, json!({}));
        quiet!(false, PublishEntry, json!({}));
        quiet!(true, UpdateEntry, json!({ "slug": "c" }));
        quiet!(true, DiscardDraft, json!({}));
        quiet!(false, UpdateEntry, json!({ "authorId": TestApp::user(Role::Editor) }));
        quiet!(true, UpdateEntry, json!({ "publishedAt": "2020-01-01T00:00:00Z" }));
        quiet!(false, PublishEntry, json!({}));
        let watch = site.watch(&posts).await;
        site.done::<RestoreRevision>(Role::Editor, json!({ "revisionId": revision })).await;
        assert!(watch.is_current());
        site.done::<DeleteEntry>(Role::Editor, named(&entry)).await;
        assert!(!watch.is_current());
        let watch = site.watch(&posts).await;
        site.done::<RestoreEntry>(Role::Editor, named(&entry)).await;
        assert!(!watch.is_current());
    }

    async fn the_public_reads_what_is_published_where_it_is_let(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        assert_eq!(site.as_actor::<GetEntry>(&Actor::Anonymous, named(&entry)).await.err(), Some(Code::NotAuthenticated));
        let open = Site { app: site.another(|options| options.public_read = true) };
        let shown = open.as_actor::<GetEntry>(&Actor::Anonymous, named(&entry)).await.unwrap();
        assert_eq!(serde_json::to_value(shown).unwrap(), site.get(Role::Subscriber, &entry).await);
        assert_eq!(open.as_actor::<CompareEntry>(&Actor::Anonymous, named(&entry)).await.err(), Some(Code::NotAuthenticated));
    }
}
