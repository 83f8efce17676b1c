//! References: they point at what is there, and what goes is not pointed at.

use cms_content::entries::{
    create::CreateEntry, delete::DeleteEntry, permanent_delete::PermanentDeleteEntry, publish::PublishEntry, update::UpdateEntry,
};
use cms_core::both;
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

const NOBODY: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

impl Site {
    async fn remove(&self, answer: &Value) {
        self.admin::<DeleteEntry>(named(answer)).await;
        self.admin::<PermanentDeleteEntry>(named(answer)).await;
    }
}

both! {
    async fn a_reference_to_nothing_is_refused_with_its_path(app: TestApp) {
        let site = Site::open(app).await;
        let there = site.draft(json!({ "title": "A" })).await["item"]["id"].clone();
        let foreign = site.done::<CreateEntry>(Role::Author, json!({ "collection": "notes", "data": {} })).await["item"]["id"].clone();
        let trashed = site.draft(json!({ "title": "B" })).await;
        site.done::<DeleteEntry>(Role::Author, named(&trashed)).await;
        let data = json!({ "title": "C", "related": [there, foreign, NOBODY, trashed["item"]["id"]], "parent": NOBODY });
        let refused = site.refused::<CreateEntry>(Role::Author, json!({ "collection": "posts", "data": data })).await;
        let missing = ["data.related.1", "data.related.2", "data.related.3", "data.parent"];
        assert_eq!(issues(&refused), missing.map(|path| format!("{path} REFERENCE_NOT_FOUND")));
    }

    async fn many_references_keep_their_order(app: TestApp) {
        let site = Site::open(app).await;
        let mut ids = Vec::new();
        for title in ["A", "B", "C"] {
            ids.push(site.draft(json!({ "title": title })).await["item"]["id"].clone());
        }
        ids.rotate_left(1);
        let entry = site.draft(json!({ "title": "D", "related": ids })).await;
        assert_eq!(site.get(Role::Author, &entry).await["item"]["data"]["related"], json!(ids));
    }

    async fn an_old_reference_to_what_is_now_in_the_trash_does_not_stop_other_edits_but_publication(app: TestApp) {
        let site = Site::open(app).await;
        let target = site.draft(json!({ "title": "A" })).await;
        let entry = site.draft(json!({ "title": "B", "related": [target["item"]["id"]] })).await;
        site.done::<DeleteEntry>(Role::Author, named(&target)).await;
        site.update(&entry, json!({ "data": { "title": "C" } })).await;
        let refused = site.refused::<PublishEntry>(Role::Author, named(&entry)).await;
        assert_eq!(issues(&refused), ["data.related.0 REFERENCE_NOT_FOUND"]);
    }

    async fn a_removed_entry_is_taken_out_of_live_values_and_drafts(app: TestApp) {
        let site = Site::open(app).await;
        let target = site.published(json!({ "title": "A" })).await;
        let other = site.published(json!({ "title": "B" })).await;
        let (gone, left) = (target["item"]["id"].clone(), other["item"]["id"].clone());
        let entry = site.published(json!({ "title": "C", "related": [gone, left] })).await;
        let staged = site.update(&entry, json!({ "data": { "related": [gone] } })).await;
        site.remove(&target).await;
        let after = site.get(Role::Author, &entry).await;
        assert_eq!(after["item"]["liveData"]["related"], json!([left]));
        assert_eq!(after["item"]["data"].get("related"), None);
        let stale = with(&entry, json!({ "data": { "title": "D" }, "_rev": staged["_rev"] }));
        assert_eq!(site.code::<UpdateEntry>(Role::Author, stale).await, Code::Conflict);
    }

    async fn an_entry_that_a_field_keeps_is_not_removed(app: TestApp) {
        let site = Site::open(app).await;
        let target = site.published(json!({ "title": "A" })).await;
        let child = site.draft(json!({ "title": "B", "parent": target["item"]["id"] })).await;
        site.admin::<DeleteEntry>(named(&target)).await;
        let refused = site.refused::<PermanentDeleteEntry>(Role::Admin, named(&target)).await;
        assert_eq!(refused.code(), Code::Referenced);
        let references = json!([{ "collection": "posts", "id": child["item"]["id"], "field": "parent" }]);
        assert_eq!(refused.details_json(), Some(&json!({ "count": 1, "references": references })));
        site.update(&child, json!({ "data": { "parent": null } })).await;
        site.admin::<PermanentDeleteEntry>(named(&target)).await;
    }

    async fn an_entry_that_refers_to_itself_can_be_removed(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "data": { "parent": entry["item"]["id"], "related": [entry["item"]["id"]] } })).await;
        site.remove(&entry).await;
    }
}
