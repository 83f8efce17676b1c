//! Collections: made, changed, put in order, exported.

use std::collections::BTreeSet;

use cms_content::{
    entries::{publish::PublishEntry, revisions::ListRevisions, schedule::ScheduleEntry, update::UpdateEntry},
    schema::{
        collections::{ListCollections, ReorderCollections},
        export::{ExportSchema, ExportTypes},
        models::{GetModel, ListModels},
        update_collection::UpdateCollection,
    },
};
use cms_core::both;
use cms_domain::user::Role;
use serde_json::json;

use super::*;

async fn update(app: &TestApp, mut change: Value) -> Result<Value, Error> {
    change["slug"] = json!("posts");
    app.call::<UpdateCollection>(Role::Admin, change).await.map(|mut answer| answer["item"].take())
}

async fn version(app: &TestApp) -> String {
    app.call::<ExportSchema>(Role::Admin, json!({})).await.unwrap()["version"].as_str().unwrap().to_owned()
}

/// What row 34 of the reference's weak spots lists, each with another value than its default.
fn everything() -> Value {
    json!({
        "label": "Articles", "labelSingular": "Article", "description": "What we write.", "icon": "pen",
        "admin": { "listColumns": ["title"] }, "supports": ["revisions", "seo"], "urlPattern": "/{locale}/{slug}",
        "routable": false, "hasSeo": false, "hidden": true, "sortOrder": 3, "titleField": "title", "dateField": "day",
        "commentsEnabled": true, "commentsModeration": "all", "commentsClosedAfterDays": 0, "commentsAutoApproveUsers": false,
        "editLocking": false, "indexes": [{ "fields": ["title", "day"] }],
    })
}

fn two_fields() -> Value {
    json!([{ "slug": "title", "type": "string" }, { "slug": "day", "type": "datetime" }])
}

fn assert_is_everything(item: &Value) {
    for (name, value) in everything().as_object().unwrap() {
        if name == "indexes" {
            assert_eq!(item["indexes"], json!([{ "fields": ["title", "day"], "state": "ready" }]));
        } else {
            assert_eq!(&item[name], value, "{name}");
        }
    }
}

both! {
    async fn a_new_collection_has_the_defaults_and_null_where_nothing_is_set(app: TestApp) {
        let item = collection(&app, json!({ "slug": "posts", "label": "Posts" })).await;
        let mut expected = json!({
            "slug": "posts", "label": "Posts", "labelSingular": null, "description": null, "icon": null, "admin": null,
            "supports": ["drafts", "revisions", "preview", "scheduling"], "source": "manual", "urlPattern": null, "routable": true,
            "hasSeo": false, "hidden": false, "sortOrder": null, "titleField": null, "dateField": null, "commentsEnabled": false,
            "commentsModeration": "first_time", "commentsClosedAfterDays": 90, "commentsAutoApproveUsers": true, "editLocking": true,
            "indexes": [], "fields": [],
            "createdAt": "2027-01-01T00:00:00.000Z", "updatedAt": "2027-01-01T00:00:00.000Z",
        });
        for given in ["id", "_rev"] {
            assert!(item[given].is_string(), "{item}");
            expected[given] = item[given].clone();
        }
        assert_eq!(item, expected);
        assert_eq!(get(&app).await, expected);
    }

    async fn everything_that_a_collection_says_can_be_set_when_it_is_made(app: TestApp) {
        let mut input = everything();
        input["slug"] = json!("posts");
        input["fields"] = labelled(two_fields());
        assert_is_everything(&collection(&app, input).await);
        assert_is_everything(&get(&app).await);
    }

    async fn everything_that_a_collection_says_can_be_changed(app: TestApp) {
        posts(&app, two_fields()).await;
        assert_is_everything(&update(&app, everything()).await.unwrap());
        assert_is_everything(&get(&app).await);
    }

    async fn what_an_update_leaves_out_stays_and_null_clears(app: TestApp) {
        posts(&app, two_fields()).await;
        update(&app, everything()).await.unwrap();
        assert_is_everything(&update(&app, json!({})).await.unwrap());
        let clearable = ["labelSingular", "description", "icon", "admin", "urlPattern", "sortOrder", "titleField", "dateField"];
        let nothing: Value = clearable.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
        let item = update(&app, nothing).await.unwrap();
        for name in clearable {
            assert_eq!(item[name], Value::Null, "{name}");
        }
        assert_eq!(update(&app, json!({ "indexes": null })).await.unwrap()["indexes"], json!([]));
    }

    async fn seo_follows_from_the_features_unless_it_is_given(app: TestApp) {
        posts(&app, json!([])).await;
        assert_eq!(update(&app, json!({ "supports": ["seo"] })).await.unwrap()["hasSeo"], true);
        assert_eq!(update(&app, json!({ "label": "x" })).await.unwrap()["hasSeo"], true);
        assert_eq!(update(&app, json!({ "supports": [] })).await.unwrap()["hasSeo"], false);
        assert_eq!(update(&app, json!({ "supports": [], "hasSeo": true })).await.unwrap()["hasSeo"], true);
    }

    async fn a_collection_names_only_fields_that_it_has_and_that_fit(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "body", "type": "portableText" }])).await;
        for (change, path, code) in [
            (json!({ "titleField": "day" }), "titleField", "UNKNOWN_FIELD"),
            (json!({ "titleField": "body" }), "titleField", "INVALID_TYPE"),
            (json!({ "dateField": "title" }), "dateField", "INVALID_TYPE"),
            (json!({ "admin": { "listColumns": ["title", "body"] } }), "admin.listColumns.1", "INVALID_TYPE"),
            (json!({ "admin": { "listColumns": ["title", "title"] } }), "admin.listColumns.1", "DUPLICATE"),
            (json!({ "indexes": [{ "fields": ["title", "body"] }] }), "indexes.0.fields.1", "INVALID_TYPE"),
            (json!({ "indexes": [{ "fields": ["title"] }] }), "indexes.0.fields", "TOO_FEW"),
            (json!({ "indexes": [{ "fields": ["title", "title"] }] }), "indexes.0.fields.1", "DUPLICATE"),
        ] {
            assert_eq!(problems(&update(&app, change.clone()).await.unwrap_err()), issue(path, code), "{change}");
        }
        let mut create = everything();
        create["slug"] = json!("pages");
        let error = app.call::<CreateCollection>(Role::Admin, create).await.unwrap_err();
        let (_, issues) = problems(&error);
        let paths: BTreeSet<_> = issues.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, BTreeSet::from(["titleField", "dateField", "admin.listColumns.0", "indexes.0.fields.0", "indexes.0.fields.1"]));
    }

    async fn reserved_slugs_are_refused(app: TestApp) {
        for slug in ["content", "media", "users", "revisions", "taxonomies", "options", "audit_logs", "reorder"] {
            let error = app.call::<CreateCollection>(Role::Admin, json!({ "slug": slug, "label": "x" })).await.unwrap_err();
            assert_eq!(error.code(), Code::ReservedSlug, "{slug}");
        }
    }

    async fn a_slug_is_given_to_one_collection(app: TestApp) {
        posts(&app, json!([])).await;
        let error = app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "x" })).await.unwrap_err();
        assert_eq!(error.code(), Code::CollectionExists);
    }

    async fn a_missing_collection_is_404_for_every_operation(app: TestApp) {
        let slug = json!({ "slug": "posts" });
        let found = [
            app.call::<GetCollection>(Role::Admin, slug.clone()).await,
            app.call::<UpdateCollection>(Role::Admin, slug.clone()).await,
            app.call::<cms_content::schema::delete_collection::DeleteCollection>(Role::Admin, slug).await,
            add_field(&app, json!({ "slug": "a", "type": "string" })).await,
        ];
        for answer in found {
            assert_eq!(answer.unwrap_err().code(), Code::CollectionNotFound);
        }
    }

    async fn a_collection_is_made_with_its_fields_or_not_at_all(app: TestApp) {
        let fields = labelled(json!([
            { "slug": "a", "type": "string", "defaultValue": 1 }, { "slug": "a", "type": "text" }, { "slug": "b", "type": "select", "indexed": true },
            { "slug": "locale", "type": "string" }, { "slug": "c", "type": "reference", "options": { "collection": "nowhere" } },
            { "slug": "d", "type": "number", "validation": { "pattern": "x" } },
        ]));
        let input = json!({ "slug": "posts", "label": "Posts", "fields": fields });
        let (_, mut issues) = problems(&app.call::<CreateCollection>(Role::Admin, input).await.unwrap_err());
        issues.sort();
        let issues: Vec<_> = issues.iter().map(|(path, code)| (path.as_str(), code.as_str())).collect();
        assert_eq!(issues, [
            ("fields.0.defaultValue", "INVALID_TYPE"),
            ("fields.3.slug", "RESERVED_SLUG"),
            ("fields.4.options.collection", "UNKNOWN_COLLECTION"),
            ("fields.5.validation.pattern", "INVALID_RULE"),
        ]);
        assert_eq!(app.call::<ListCollections>(Role::Admin, json!({})).await.unwrap(), json!({ "items": [] }));
    }

    async fn an_order_that_leaves_a_collection_out_is_refused_and_changes_nothing(app: TestApp) {
        for slug in ["a", "b", "c"] {
            collection(&app, json!({ "slug": slug, "label": slug })).await;
        }
        let slugs = |answer: Value| answer["items"].as_array().unwrap().iter().map(|item| item["slug"].clone()).collect::<Vec<_>>();
        let ordered = app.call::<ReorderCollections>(Role::Admin, json!({ "slugs": ["c", "a", "b"] })).await.unwrap();
        assert_eq!(slugs(ordered), ["c", "a", "b"]);
        let error = app.call::<ReorderCollections>(Role::Admin, json!({ "slugs": ["a", "x", "a"] })).await.unwrap_err();
        assert_eq!(error.code(), Code::ReorderMismatch);
        assert_eq!(error.details_json(), Some(&json!({ "missing": ["b", "c"], "unknown": ["x"], "repeated": ["a"] })));
        assert_eq!(slugs(app.call::<ListCollections>(Role::Admin, json!({})).await.unwrap()), ["c", "a", "b"]);
    }

    async fn the_digest_of_an_export_changes_with_everything_in_it(app: TestApp) {
        posts(&app, two_fields()).await;
        let mut seen = BTreeSet::from([version(&app).await]);
        for (name, value) in everything().as_object().unwrap() {
            update(&app, json!({ name: value })).await.unwrap();
            assert!(seen.insert(version(&app).await), "{name}");
        }
        for change in [
            json!({ "label": "x" }), json!({ "required": true }), json!({ "unique": true }), json!({ "defaultValue": "x" }),
            json!({ "validation": { "maxLength": 9 } }), json!({ "widget": "x" }), json!({ "options": { "rows": 3 } }),
            json!({ "sortOrder": 7 }), json!({ "searchable": true }), json!({ "indexed": true }), json!({ "translatable": false }),
        ] {
            update_field(&app, "title", change.clone()).await.unwrap();
            assert!(seen.insert(version(&app).await), "{change}");
        }
        app.clock().advance(std::time::Duration::from_secs(1));
        update(&app, json!({})).await.unwrap();
        assert!(seen.contains(&version(&app).await), "the same model has the same digest");
    }

    async fn types_name_the_collections(app: TestApp) {
        posts(&app, two_fields()).await;
        let types = app.call::<ExportTypes>(Role::Editor, json!({})).await.unwrap();
        assert!(types["typescript"].as_str().unwrap().contains("interface Post"), "{types}");
    }

    async fn the_json_schema_of_data_is_given_when_asked_for(app: TestApp) {
        posts(&app, two_fields()).await;
        let get = async |input| app.call::<GetCollection>(Role::Editor, input).await.unwrap()["item"].clone();
        let with = get(json!({ "slug": "posts", "includeSchema": true, "includeFields": false })).await;
        assert_eq!(with["dataSchema"]["properties"]["title"]["type"], json!(["string", "null"]));
        assert_eq!(with.get("fields"), None);
        assert_eq!(get(json!({ "slug": "posts" })).await.get("dataSchema"), None);
    }

    async fn a_feature_that_is_not_supported_is_refused(app: TestApp) {
        collection(&app, json!({ "slug": "posts", "label": "Posts", "supports": [], "fields": labelled(two_fields()) })).await;
        let id = entry_in(&app, json!({ "collection": "posts", "slug": "a", "data": { "title": "One" } })).await;
        let at = json!({ "collection": "posts", "id": id, "scheduledAt": "2027-02-01T00:00:00Z" });
        let scheduled = app.call::<ScheduleEntry>(Role::Editor, at).await.unwrap_err();
        assert_eq!(scheduled.code(), Code::NotSupported);
        let seo = json!({ "collection": "posts", "id": id, "seo": { "title": "x" } });
        assert!(app.call::<UpdateEntry>(Role::Editor, seo).await.is_err());
        app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        let changed = json!({ "collection": "posts", "id": id, "data": { "title": "Two" } });
        let changed = app.call::<UpdateEntry>(Role::Editor, changed).await.unwrap();
        assert_eq!((&changed["item"]["hasDraft"], &changed["item"]["data"]["title"]), (&json!(false), &json!("Two")), "no drafts: live at once");
        let revisions = app.call::<ListRevisions>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        assert_eq!(revisions["items"], json!([]), "no revisions");
    }

    async fn whoever_writes_reads_what_entries_are_made_of(app: TestApp) {
        let item = posts(&app, json!([{ "slug": "title", "type": "string" }])).await;
        for role in [Role::Contributor, Role::Author, Role::Editor] {
            let models = app.call::<ListModels>(role, json!({})).await.unwrap();
            assert_eq!(models["items"], app.call::<ListCollections>(Role::Admin, json!({})).await.unwrap()["items"]);
            let model = app.call::<GetModel>(role, json!({ "slug": "posts" })).await.unwrap();
            assert_eq!(model["item"]["id"], item["id"]);
            assert_eq!(model["item"]["fields"][0]["slug"], "title");
        }
        let read = app.call::<ListModels>(Role::Subscriber, json!({})).await.unwrap_err();
        assert_eq!(read.code(), Code::InsufficientPermissions);
    }

    async fn only_admins_change_the_model_and_only_editors_see_it(app: TestApp) {
        posts(&app, json!([])).await;
        let update = app.call::<UpdateCollection>(Role::Editor, json!({ "slug": "posts", "label": "x" })).await.unwrap_err();
        assert_eq!(update.code(), Code::InsufficientPermissions);
        let read = app.call::<GetCollection>(Role::Author, json!({ "slug": "posts" })).await.unwrap_err();
        assert_eq!(read.code(), Code::InsufficientPermissions);
    }
}
