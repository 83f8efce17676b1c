//! Preview links: one entry, for a while, until revoked.

use std::time::Duration;

use cms_accounts::{
    audit::ListAudit,
    end_access::EndUserAccess,
    tokens::{CreateToken, RevokeToken},
    users::{DisableUser, EnableUser, UpdateUser},
};
use cms_content::entries::{
    create::CreateEntry,
    delete::DeleteEntry,
    preview::{GetPreview, MakePreviewUrl},
    preview_links::{ListPreviews, RevokePreview, RevokePreviews},
};
use cms_core::{both, testing::TestApp, user_access::GetUserAccess};
use cms_domain::{
    access::{Actor, Scope},
    user::Role,
};
use cms_frame::{Code, Door, operation::Operation};
use serde_json::{Value, json};

use super::{Site, named, with};

impl Site {
    async fn link(&self, answer: &Value, more: Value) -> Value {
        self.done::<MakePreviewUrl>(Role::Contributor, with(answer, more)).await
    }

    /// What anyone sees who follows a link.
    async fn follow(&self, link: &Value) -> Result<Value, Code> {
        let token = link["url"].as_str().unwrap().split_once("?_preview=").unwrap().1.to_owned();
        let shown = self.cms().invoke(&Actor::Anonymous, Door::Rest, GetPreview { token }).await;
        shown.map(|answer| serde_json::to_value(answer).unwrap()).map_err(|error| error.code())
    }

    /// The ids of an entry's links, as its list has them.
    async fn links(&self, answer: &Value) -> Vec<Value> {
        let list = self.done::<ListPreviews>(Role::Contributor, named(answer)).await;
        list["items"].as_array().unwrap().iter().map(|link| link["id"].clone()).collect()
    }

    /// Somebody with a new token of the contributor's, and the token's id.
    async fn program(&self, more: Value) -> (Actor, Value) {
        let mut new = json!({ "name": "program", "scopes": ["content:read", "content:write"] });
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = self.done::<CreateToken>(Role::Contributor, new).await;
        (self.cms().identify(made["token"].as_str().unwrap()).await.unwrap(), made["info"]["id"].clone())
    }

    /// What somebody is answered who asks for a link.
    async fn link_of(&self, actor: &Actor, answer: &Value, more: Value) -> Result<Value, Code> {
        let make: MakePreviewUrl = serde_json::from_value(with(answer, more)).unwrap();
        let made = self.cms().invoke(actor, Door::Rest, make).await;
        made.map(|link| serde_json::to_value(link).unwrap()).map_err(|error| error.code())
    }
}

fn user(role: Role) -> Value {
    json!({ "id": TestApp::user(role) })
}

both! {
    async fn a_link_shows_the_working_copy_of_one_entry_to_anyone(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({})).await;
        assert_eq!(link["expiresAt"], json!(site.now().after(Duration::from_hours(1))));
        assert!(link["url"].as_str().unwrap().starts_with(&format!("/posts/{}?_preview=", entry["item"]["id"].as_str().unwrap())));
        site.update(&entry, json!({ "data": { "title": "B" }, "slug": "b", "seo": { "title": "S" } })).await;
        let shown = site.follow(&link).await.unwrap();
        assert_eq!(
            (&shown["item"]["data"]["title"], &shown["item"]["slug"], &shown["item"]["seo"]["title"]),
            (&json!("B"), &json!("b"), &json!("S"))
        );
        for hidden in ["liveData", "version", "draftRevisionId", "hasDraft", "scheduledAt"] {
            assert_eq!(shown["item"].get(hidden), None, "{hidden}");
        }
    }

    async fn a_link_ends_at_its_time_and_with_its_entry(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({ "expiresIn": "15m" })).await;
        let longer = site.link(&entry, json!({ "expiresIn": 7200 })).await;
        site.clock().advance(Duration::from_mins(15));
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
        assert!(site.follow(&longer).await.is_ok());
        site.admin::<DeleteEntry>(named(&entry)).await;
        assert_eq!(site.follow(&longer).await, Err(Code::NotFound));
    }

    async fn revoked_links_end_at_once_and_new_ones_count(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({})).await;
        assert_eq!(site.code::<RevokePreviews>(Role::Contributor, named(&entry)).await, Code::InsufficientPermissions);
        site.done::<RevokePreviews>(Role::Author, named(&entry)).await;
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
        site.clock().advance(Duration::from_millis(1));
        let link = site.link(&entry, json!({})).await;
        assert!(site.follow(&link).await.is_ok());
    }

    async fn a_bad_lifetime_or_path_is_refused(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        for wrong in [json!({ "expiresIn": "soon" }), json!({ "expiresIn": "59s" }), json!({ "expiresIn": -1 }), json!({ "expiresIn": "31d" }), json!({ "pathPattern": "//evil.example/{id}" })] {
            assert_eq!(site.code::<MakePreviewUrl>(Role::Author, with(&entry, wrong.clone())).await, Code::ValidationError, "{wrong}");
        }
        let link = site.link(&entry, json!({ "pathPattern": "/{locale}/blog/{slug}/" })).await;
        assert!(link["url"].as_str().unwrap().starts_with("/blog/a?_preview="));
    }

    async fn previews_are_for_collections_that_support_them(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.done::<CreateEntry>(Role::Author, json!({ "collection": "plain", "data": { "title": "A" } })).await;
        assert_eq!(site.code::<MakePreviewUrl>(Role::Author, named(&entry)).await, Code::NotSupported);
        let entry = site.draft(json!({ "title": "A" })).await;
        assert_eq!(site.code::<MakePreviewUrl>(Role::Subscriber, named(&entry)).await, Code::InsufficientPermissions);
        assert_eq!(site.follow(&json!({ "url": "/?_preview=AAAA" })).await, Err(Code::NotFound));
    }

    async fn a_link_shows_nothing_once_its_maker_is_demoted(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let (link, other) = (site.link(&entry, json!({})).await, site.done::<MakePreviewUrl>(Role::Author, named(&entry)).await);
        site.admin::<UpdateUser>(json!({ "id": TestApp::user(Role::Contributor), "role": 10 })).await;
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
        assert_eq!(site.links(&entry).await, [other["id"].clone()]);
        assert!(site.follow(&other).await.is_ok());
    }

    async fn a_link_ends_for_good_when_its_maker_is_disabled(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({})).await;
        site.admin::<DisableUser>(user(Role::Contributor)).await;
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
        site.admin::<EnableUser>(user(Role::Contributor)).await;
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
    }

    async fn making_a_link_takes_the_scope_to_write_or_a_session(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let reader = TestApp::token(Role::Admin, &[Scope::ContentRead]);
        assert_eq!(site.link_of(&reader, &entry, json!({})).await, Err(Code::InsufficientScope));
        let (program, _) = site.program(json!({})).await;
        assert!(site.link_of(&program, &entry, json!({})).await.is_ok());
        assert!(site.link_of(&Actor::System, &entry, json!({})).await.is_ok());
    }

    async fn a_link_ends_when_an_admin_ends_what_its_maker_holds(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let link = site.link_of(&TestApp::actor(Role::Author), &entry, json!({})).await.unwrap();
        let author = user(Role::Author);
        let held = site.done::<GetUserAccess>(Role::Admin, author.clone()).await;
        assert_eq!(held["previews"]["items"].as_array().unwrap().len(), 1);
        assert!(site.follow(&link).await.is_ok());
        let ended = site.done::<EndUserAccess>(Role::Admin, author).await;
        assert_eq!(ended["previews"], 1);
        assert!(site.follow(&link).await.is_err());
    }

    async fn a_link_ends_with_the_token_that_made_it(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let (program, token) = site.program(json!({})).await;
        let link = site.link_of(&program, &entry, json!({})).await.unwrap();
        assert!(site.follow(&link).await.is_ok());
        let list = site.done::<ListPreviews>(Role::Contributor, named(&entry)).await;
        assert_eq!((&list["items"][0]["madeWith"], &list["items"][0]["userId"]), (&json!("token"), &user(Role::Contributor)["id"]));
        site.done::<RevokeToken>(Role::Contributor, json!({ "id": token })).await;
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));

        let ends = site.now().after(Duration::from_mins(5));
        let (program, _) = site.program(json!({ "expiresAt": ends })).await;
        let link = site.link_of(&program, &entry, json!({ "expiresIn": "30d" })).await.unwrap();
        assert_eq!(link["expiresAt"], json!(ends));
        site.clock().advance(Duration::from_mins(5));
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
    }

    async fn links_are_listed_and_revoked_by_their_maker_and_by_whoever_may_edit_the_entry(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let (one, two) = (site.link(&entry, json!({})).await, site.link(&entry, json!({})).await);
        let editors = site.done::<MakePreviewUrl>(Role::Editor, named(&entry)).await;
        assert_eq!(site.links(&entry).await, [&editors, &two, &one].map(|link| link["id"].clone()));
        let revoke = |link: &Value| with(&entry, json!({ "previewId": link["id"] }));
        assert_eq!(site.code::<RevokePreview>(Role::Contributor, revoke(&editors)).await, Code::InsufficientPermissions);
        site.done::<RevokePreview>(Role::Contributor, revoke(&one)).await;
        assert_eq!(site.code::<RevokePreview>(Role::Contributor, revoke(&one)).await, Code::NotFound);
        site.done::<RevokePreview>(Role::Editor, revoke(&two)).await;
        assert_eq!((site.follow(&one).await, site.follow(&two).await), (Err(Code::NotFound), Err(Code::NotFound)));
        assert!(site.follow(&editors).await.is_ok());
        let elsewhere = site.draft(json!({ "title": "B" })).await;
        let misplaced = with(&elsewhere, json!({ "previewId": editors["id"] }));
        assert_eq!(site.code::<RevokePreview>(Role::Editor, misplaced).await, Code::NotFound);
    }

    async fn an_entry_has_so_many_links_and_no_more(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        for _ in 0..50 {
            site.link(&entry, json!({ "expiresIn": "1m" })).await;
        }
        assert_eq!(site.code::<MakePreviewUrl>(Role::Editor, named(&entry)).await, Code::PreviewLimit);
        site.clock().advance(Duration::from_mins(1));
        site.link(&entry, json!({})).await;
        assert_eq!(site.links(&entry).await.len(), 1);
    }

    async fn making_and_revoking_links_leaves_a_line_each_in_the_audit_log(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let (one, two) = (site.link(&entry, json!({})).await, site.link(&entry, json!({})).await);
        site.done::<RevokePreview>(Role::Contributor, with(&entry, json!({ "previewId": one["id"] }))).await;
        site.done::<RevokePreviews>(Role::Editor, named(&entry)).await;
        site.done::<RevokePreviews>(Role::Editor, named(&entry)).await;
        for (action, count) in [(MakePreviewUrl::ID, 2), (RevokePreview::ID, 1), (RevokePreviews::ID, 1)] {
            let lines = site.admin::<ListAudit>(json!({ "action": action })).await;
            assert_eq!(lines["items"].as_array().unwrap().len(), count, "{action}");
            assert!(!lines.to_string().contains(two["url"].as_str().unwrap().split_once('=').unwrap().1), "{action}");
        }
    }
}
