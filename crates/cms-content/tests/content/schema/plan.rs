//! From one model to another: what a plan says is what comes of it, all of it or nothing.

use cms_content::{
    entries::get::GetEntry,
    schema::{
        delete_collection::DeleteCollection,
        export::ExportSchema,
        plan::{ApplySchema, PlanSchema},
    },
};
use cms_core::both;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

use tokio::task::JoinSet;

use super::*;

/// How many models one run goes through, each from the one before.
const MODELS: u32 = 25;

async fn exported(app: &TestApp) -> Value {
    app.call::<ExportSchema>(Role::Admin, json!({})).await.unwrap()
}

async fn plan(app: &TestApp, collections: &Value) -> Value {
    app.call::<PlanSchema>(Role::Admin, json!({ "collections": collections })).await.unwrap()
}

async fn apply(app: &TestApp, input: Value) -> Result<Value, Error> {
    app.call::<ApplySchema>(Role::Admin, input).await
}

/// The steps of a plan, each as its action and its name.
fn steps(plan: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    plan["steps"].as_array().unwrap().iter().map(|step| format!("{} {}", text(&step["action"]), text(&step["name"]))).collect()
}

/// The export of a site with one more field, and without the body.
async fn changed(app: &TestApp) -> Value {
    let mut wanted = exported(app).await["collections"].take();
    let fields = wanted[0]["fields"].as_array_mut().unwrap();
    fields.retain(|field| field["slug"] != "body");
    fields.push(json!({ "slug": "subtitle", "label": "Subtitle", "type": "string" }));
    wanted
}

fn field(slug: &'static str) -> impl Strategy<Value = Value> {
    let kinds = prop_oneof![
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "slug" })),
        Just(json!({ "type": "integer" })),
        Just(json!({ "type": "datetime" })),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": "json" })),
        Just(json!({ "type": "portableText" })),
        "(posts|pages|people)".prop_map(|target| json!({ "type": "reference", "options": { "collection": target } })),
    ];
    let facts = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), 0..3_i32, "[A-Z][a-z]{0,5}");
    (kinds, facts).prop_map(move |(mut field, (required, unique, indexed, translatable, place, label))| {
        let is_short = ["string", "slug", "integer", "datetime"].iter().any(|short| field["type"] == *short);
        field["slug"] = json!(slug);
        field["label"] = json!(label);
        field["required"] = json!(required);
        field["unique"] = json!(unique && is_short);
        field["indexed"] = json!(indexed && is_short);
        field["translatable"] = json!(translatable);
        field["sortOrder"] = json!(place);
        field
    })
}

fn collection_named(slug: &'static str) -> impl Strategy<Value = Value> {
    let fields = (
        prop::option::of(field("a")),
        prop::option::of(field("b")),
        prop::option::of(field("c")),
        prop::option::of(field("d")),
        prop::option::of(field("e")),
    );
    let facts = (any::<bool>(), any::<bool>(), any::<bool>(), prop::option::of("[a-z]{1,8}"), any::<[bool; 4]>());
    (fields, facts).prop_map(move |((a, b, c, d, e), (hidden, seo, routable, description, names))| {
        let fields: Vec<_> = [a, b, c, d, e].into_iter().flatten().collect();
        let of_types = |types: &[&str]| -> Vec<Value> {
            let fitting = fields.iter().filter(|field| types.iter().any(|kind| field["type"] == *kind));
            fitting.map(|field| field["slug"].clone()).collect()
        };
        let short = of_types(&["string", "slug", "integer", "datetime"]);
        let first = |slugs: Vec<Value>, is_named: bool| slugs.into_iter().next().filter(|_| is_named);
        let referred = json!(if short.len() > 1 && names[2] { vec![json!({ "fields": short[..2] })] } else { Vec::new() });
        let supports = if seo { json!(["drafts", "revisions", "seo"]) } else { json!(["drafts"]) };
        let columns = json!({ "listColumns": first(short, names[3]).into_iter().collect::<Vec<_>>() });
        json!({
            "slug": slug, "label": slug, "hidden": hidden, "supports": supports, "routable": routable, "description": description,
            "titleField": first(of_types(&["string", "slug"]), names[0]), "dateField": first(of_types(&["datetime"]), names[1]),
            "indexes": referred, "admin": columns, "fields": fields,
        })
    })
}

/// Some of three collections, which refer to those that there are.
fn model() -> impl Strategy<Value = Value> {
    let some = |slug| prop::option::weighted(0.8, collection_named(slug));
    (some("posts"), some("pages"), some("people")).prop_map(|(posts, pages, people)| {
        let mut collections: Vec<_> = [posts, pages, people].into_iter().flatten().collect();
        let slugs: Vec<_> = collections.iter().map(|collection| collection["slug"].clone()).collect();
        for field in collections.iter_mut().flat_map(|collection| collection["fields"].as_array_mut().unwrap()) {
            if field["type"] == "reference" && !slugs.contains(&field["options"]["collection"]) {
                field["options"] = json!({});
            }
        }
        json!(collections)
    })
}

both! {
    async fn whatever_the_models_are_a_plan_leads_from_one_to_the_other_and_there_is_nothing_left_to_do(app: TestApp) {
        let mut runner = TestRunner::deterministic();
        for n in 0..MODELS {
            let wanted = model().new_tree(&mut runner).unwrap().current();
            let planned = plan(&app, &wanted).await;
            let done = apply(&app, json!({ "collections": wanted, "version": planned["version"] })).await;
            let done = done.unwrap_or_else(|error| panic!("model {n}: {error:?}\n{wanted:#}"));
            assert_eq!(done["steps"], planned["steps"], "model {n}: what was planned was done");
            let there = exported(&app).await;
            assert_eq!(done["version"], there["version"], "model {n}");
            for wanted in [&wanted, &there["collections"]] {
                assert_eq!(plan(&app, wanted).await["steps"], json!([]), "model {n}: {wanted:#}");
            }
        }
    }

    async fn a_site_becomes_what_another_one_is(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "author", "type": "reference", "options": { "collection": "posts" } }])).await;
        collection(&app, json!({ "slug": "people", "label": "People" })).await;
        let first = exported(&app).await;
        for slug in ["posts", "people"] {
            app.call::<DeleteCollection>(Role::Admin, json!({ "slug": slug })).await.unwrap();
        }
        let done = apply(&app, json!({ "collections": first["collections"] })).await.unwrap();
        assert_eq!(steps(&done), ["create_collection people", "create_collection posts"]);
        assert_eq!(exported(&app).await, first);
    }

    async fn what_deletes_values_is_done_only_where_it_is_named(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "body", "type": "text" }])).await;
        let wanted = changed(&app).await;
        let free = plan(&app, &wanted).await;
        assert_eq!(steps(&free), ["create_field posts.subtitle", "delete_field posts.body"]);
        assert_eq!(free["steps"][1]["loses"], Value::Null, "without entries nothing is lost");
        entry(&app, json!({ "title": "A", "body": "B" })).await;
        assert_eq!(plan(&app, &wanted).await["steps"][1]["loses"], json!(1));
        let before = exported(&app).await;
        for lose in [json!([]), json!(["posts"]), json!(["posts.title", "posts.body"])] {
            let refused = apply(&app, json!({ "collections": wanted, "lose": lose })).await.unwrap_err();
            assert!(problems(&refused).1.iter().all(|(path, _)| path == "lose"), "{refused:?}");
            assert_eq!(exported(&app).await, before);
        }
        apply(&app, json!({ "collections": wanted, "lose": ["posts.body"] })).await.unwrap();
        assert_eq!(plan(&app, &wanted).await["steps"], json!([]));
        let gone = apply(&app, json!({ "collections": [], "lose": ["posts"] })).await.unwrap();
        assert_eq!(steps(&gone), ["delete_collection posts"]);
    }

    async fn a_part_of_a_model_leaves_the_other_collections_alone(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }])).await;
        let pages = json!([{ "slug": "pages", "label": "Pages", "fields": [
            { "slug": "post", "label": "Post", "type": "reference", "options": { "collection": "posts" } },
        ] }]);
        let whole = app.call::<PlanSchema>(Role::Admin, json!({ "collections": pages })).await.unwrap_err();
        assert_eq!(problems(&whole), issue("collections.0.fields.0.options.collection", "UNKNOWN_COLLECTION"), "it would be gone");
        let done = apply(&app, json!({ "collections": pages, "partial": true })).await.unwrap();
        assert_eq!(steps(&done), ["create_collection pages"]);
        assert_eq!(exported(&app).await["collections"].as_array().unwrap().len(), 2);
    }

    async fn nothing_changes_where_one_step_is_refused(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "body", "type": "text" }])).await;
        entry(&app, json!({ "title": "not a number", "body": "B" })).await;
        let before = exported(&app).await;
        let mut wanted = changed(&app).await;
        wanted[0]["fields"][0]["type"] = json!("integer");
        let refused = apply(&app, json!({ "collections": wanted, "lose": ["posts.body"] })).await.unwrap_err();
        assert_eq!(refused.code(), Code::FieldHasValues);
        assert!(refused.message().starts_with("`posts.title`: "), "{}", refused.message());
        assert_eq!(exported(&app).await, before);
    }

    async fn the_order_of_indexes_is_no_difference(app: TestApp) {
        let fields = json!(["a", "b", "c"].map(|slug| json!({ "slug": slug, "label": slug, "type": "string" })));
        let with = |indexes: Value| json!([{ "slug": "posts", "label": "Posts", "fields": fields, "indexes": indexes }]);
        let (first, second) = (json!({ "fields": ["a", "b"] }), json!({ "fields": ["b", "c"] }));
        apply(&app, json!({ "collections": with(json!([second])) })).await.unwrap();
        apply(&app, json!({ "collections": with(json!([first, second])) })).await.unwrap();
        assert_eq!(plan(&app, &with(json!([second, first]))).await["steps"], json!([]));
    }

    async fn a_plan_that_no_transaction_could_take_is_refused_when_it_is_made(app: TestApp) {
        let numbered = |from: usize| -> Vec<_> {
            (from..from + 200).map(|n| json!({ "slug": format!("f{n}"), "label": "F", "type": "boolean" })).collect()
        };
        let model = |label: &str, fields: Vec<Value>| json!([{ "slug": "posts", "label": label, "fields": fields }]);
        apply(&app, json!({ "collections": model("Posts", numbered(0)) })).await.unwrap();
        let refused = app.call::<PlanSchema>(Role::Admin, json!({ "collections": model("Posts", numbered(1)) })).await.unwrap_err();
        assert_eq!(problems(&refused), issue("collections", "TOO_MANY"));
        let many: Vec<_> = (0..6).map(|n| json!({ "slug": format!("c{n}"), "label": "C", "fields": numbered(0) })).collect();
        apply(&app, json!({ "collections": many, "partial": true })).await.unwrap();
        let mut relabelled = json!(many);
        for field in relabelled.as_array_mut().unwrap().iter_mut().flat_map(|collection| collection["fields"].as_array_mut().unwrap()) {
            field["label"] = json!("G");
        }
        let refused = apply(&app, json!({ "collections": relabelled, "partial": true })).await.unwrap_err();
        assert_eq!(problems(&refused), issue("collections", "TOO_MANY"));
    }

    async fn what_is_made_while_a_model_waits_for_its_turn_is_not_deleted_unseen(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }])).await;
        let wanted = exported(&app).await["collections"].take();
        let mut others = JoinSet::new();
        for n in 0..8 {
            let (app, wanted) = (app.clone(), wanted.clone());
            others.spawn(async move {
                let slug = format!("extra{n}");
                app.call::<CreateCollection>(Role::Admin, json!({ "slug": slug, "label": "Extra" })).await.unwrap();
                let written = app.call::<CreateEntry>(Role::Editor, json!({ "collection": slug, "data": {} })).await.is_ok();
                let applied = apply(&app, json!({ "collections": wanted })).await;
                (written, applied.is_ok_and(|done| steps(&done).iter().any(|step| step.starts_with("delete"))))
            });
        }
        let all = others.join_all().await;
        let left = exported(&app).await["collections"].as_array().unwrap().len() - 1;
        let written = all.iter().filter(|(written, _)| *written).count();
        assert!(left >= written, "{written} collections with an entry were made, {left} are left");
    }

    async fn a_plan_for_a_model_that_changed_since_is_refused(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }])).await;
        let wanted = json!([{ "slug": "posts", "label": "Posts", "fields": [{ "slug": "title", "label": "Title", "type": "text" }] }]);
        let planned = plan(&app, &wanted).await;
        update_field(&app, "title", json!({ "required": true })).await.unwrap();
        let refused = apply(&app, json!({ "collections": wanted, "version": planned["version"] })).await.unwrap_err();
        assert_eq!(refused.code(), Code::Conflict);
        apply(&app, json!({ "collections": wanted })).await.unwrap();
    }

    async fn all_that_is_wrong_with_a_model_is_told_and_nothing_changes(app: TestApp) {
        let wanted = json!([
            { "slug": "posts", "label": "Posts", "titleField": "nothing" },
            { "slug": "posts", "label": "Posts again" },
            { "slug": "pages", "label": "Pages", "fields": [{ "slug": "id", "label": "Id", "type": "string" }] },
        ]);
        for error in [
            app.call::<PlanSchema>(Role::Admin, json!({ "collections": wanted })).await.unwrap_err(),
            apply(&app, json!({ "collections": wanted })).await.unwrap_err(),
        ] {
            let (code, issues) = problems(&error);
            let issues: Vec<_> = issues.iter().map(|(path, code)| format!("{path} {code}")).collect();
            assert_eq!(code, Code::ValidationError);
            assert_eq!(issues, ["collections.0.titleField UNKNOWN_FIELD", "collections.1.slug DUPLICATE", "collections.2.fields.0.slug RESERVED_SLUG"]);
        }
        assert_eq!(exported(&app).await["collections"], json!([]));
    }

    async fn a_field_that_is_named_as_renamed_keeps_its_values_and_can_change_with_it(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string", "indexed": true }, { "slug": "body", "type": "text" }])).await;
        let id = entry(&app, json!({ "title": "One", "body": "Text" })).await;
        let mut wanted = exported(&app).await["collections"].take();
        wanted[0]["fields"][0]["slug"] = json!("headline");
        wanted[0]["fields"][0]["label"] = json!("Headline");
        let input = json!({ "collections": wanted, "renames": { "posts.title": "headline" } });
        let planned = app.call::<PlanSchema>(Role::Admin, input.clone()).await.unwrap();
        assert_eq!(steps(&planned), ["rename_field posts.title", "update_field posts.headline"]);
        assert_eq!(planned["steps"][0]["changes"], json!([{ "member": "slug", "from": "title", "to": "headline" }]));
        let mut versioned = input;
        versioned["version"] = planned["version"].clone();
        assert_eq!(apply(&app, versioned).await.unwrap()["steps"], planned["steps"]);
        let read = app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        assert_eq!(read["item"]["data"], json!({ "headline": "One", "body": "Text" }));
        assert_eq!(plan(&app, &wanted).await["steps"], json!([]), "nothing is left to do");
    }

    async fn a_rename_of_what_is_not_there_or_to_what_is_there_is_refused(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "body", "type": "text" }])).await;
        let there = exported(&app).await["collections"].take();
        for (renames, at, code) in [
            (json!({ "posts.gone": "new" }), "renames.posts.gone", "UNKNOWN_FIELD"),
            (json!({ "title": "new" }), "renames.title", "UNKNOWN_FIELD"),
            (json!({ "posts.title": "body" }), "renames.posts.title", "FIELD_EXISTS"),
            (json!({ "posts.title": "status" }), "renames.posts.title", "RESERVED_SLUG"),
        ] {
            let error = apply(&app, json!({ "collections": there, "renames": renames })).await.unwrap_err();
            assert_eq!(problems(&error), issue(at, code), "{renames}");
        }
        assert_eq!(exported(&app).await["collections"], there);
    }
}
