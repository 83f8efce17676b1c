//! What many do at once to the same thing: each is done or refused, nobody waits for themselves, and nothing is lost.

use cms_content::{
    entries::{
        create::CreateEntry, delete::DeleteEntry, permanent_delete::PermanentDeleteEntry, publish::PublishEntry, revisions::ListRevisions,
        translations::ListTranslations, update::UpdateEntry,
    },
    schema::update_field::UpdateField,
};
use cms_core::both;
use cms_domain::user::Role;
use cms_frame::{Code, Error, operation::Operation};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{Site, with};

/// Does an operation with each of the inputs at once.
pub(super) async fn at_once<O: Operation>(site: &Site, role: Role, inputs: impl IntoIterator<Item = Value>) -> Vec<Result<Value, Error>> {
    let mut all = JoinSet::new();
    for input in inputs {
        let app = site.app.clone();
        all.spawn(async move { app.call::<O>(role, input).await });
    }
    all.join_all().await
}

both! {
    async fn of_64_who_take_one_slug_one_gets_it_and_the_others_are_told_who_has_it(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" }, "slug": "taken" });
        let answers = at_once::<CreateEntry>(&site, Role::Editor, std::iter::repeat_n(new, 64)).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(made.len(), 1);
        let id = &made[0].as_ref().unwrap()["item"]["id"];
        for error in refused.into_iter().map(Result::unwrap_err) {
            assert_eq!(error.code(), Code::SlugConflict, "{error:?}");
            assert_eq!(error.details_json().unwrap()["id"], *id);
        }
    }

    async fn what_is_sent_again_with_its_id_creates_nothing_twice(app: TestApp) {
        let site = Site::open(app).await;
        let source = site.draft(json!({ "title": "A" })).await;
        let rounds = [json!({}), json!({ "slug": "chosen" }), json!({ "locale": "de", "translationOf": source["item"]["id"] })];
        for (n, more) in rounds.into_iter().enumerate() {
            let id = format!("01KB0000000000000000000{n:03}");
            let mut new = json!({ "collection": "posts", "id": id, "data": { "title": "A", "code": format!("{n}") } });
            new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let mut answers = at_once::<CreateEntry>(&site, Role::Author, std::iter::repeat_n(new.clone(), 32)).await;
            answers.push(site.call::<CreateEntry>(Role::Author, new).await);
            let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
            assert_eq!(made.len(), 1, "{refused:?}");
            assert_eq!(made[0].as_ref().unwrap()["item"]["id"], id);
            for error in refused.into_iter().map(Result::unwrap_err) {
                assert_eq!((error.code(), &error.details_json().unwrap()["id"]), (Code::Conflict, &json!(id)), "{n}: {error:?}");
            }
        }
    }

    async fn the_id_of_an_entry_in_the_trash_or_elsewhere_is_not_given_again(app: TestApp) {
        let site = Site::open(app).await;
        let [kept, gone] = [site.draft(json!({ "title": "A" })).await, site.draft(json!({ "title": "B" })).await];
        site.done::<DeleteEntry>(Role::Editor, with(&gone, json!({}))).await;
        for taken in [&kept, &gone] {
            let new = json!({ "collection": "plain", "id": taken["item"]["id"], "data": { "title": "C" } });
            assert_eq!(site.code::<CreateEntry>(Role::Author, new).await, Code::Conflict);
        }
        let nonsense = json!({ "collection": "plain", "id": "one", "data": { "title": "C" } });
        assert_eq!(site.code::<CreateEntry>(Role::Author, nonsense).await, Code::ValidationError);
    }

    async fn of_many_who_change_an_entry_at_once_at_two_servers_all_are_heard(app: TestApp) {
        let site = Site::open(app).await;
        let other = Site { app: site.app.another(|_| {}) };
        let entry = site.draft(json!({ "title": "A" })).await;
        let change = |n: usize| with(&entry, json!({ "data": { "title": format!("{n}") } }));
        let (here, there) = tokio::join!(
            at_once::<UpdateEntry>(&site, Role::Author, (0..32).map(change)),
            at_once::<UpdateEntry>(&other, Role::Author, (32..64).map(change)),
        );
        for answer in here.into_iter().chain(there) {
            answer.unwrap();
        }
        let revisions = site.done::<ListRevisions>(Role::Author, with(&entry, json!({}))).await;
        assert_eq!(revisions["total"], 65, "each was saved once");
    }

    async fn an_entry_does_not_refer_to_what_goes_for_ever_meanwhile(app: TestApp) {
        let site = Site::open(app).await;
        for round in 0..20 {
            let [target, entry] = [site.draft(json!({ "title": "T" })).await, site.draft(json!({ "title": "E" })).await];
            let refer = with(&entry, json!({ "data": { "related": [target["item"]["id"]] } }));
            let goes = async {
                site.done::<DeleteEntry>(Role::Editor, with(&target, json!({}))).await;
                site.done::<PermanentDeleteEntry>(Role::Admin, with(&target, json!({}))).await;
            };
            let (referred, ()) = tokio::join!(site.call::<UpdateEntry>(Role::Editor, refer), goes);
            let now = site.get(Role::Editor, &entry).await;
            let related = now["item"]["data"].get("related").cloned().unwrap_or_default();
            assert!(related.is_null() || related == json!([]), "round {round}: {referred:?} {related}");
        }
    }

    async fn entries_that_go_for_ever_at_once_all_go(app: TestApp) {
        let site = Site::open(app).await;
        let mut made = Vec::new();
        for n in 0..16 {
            let entry = site.draft(json!({ "title": format!("{n}") })).await;
            site.done::<DeleteEntry>(Role::Editor, with(&entry, json!({}))).await;
            made.push(entry);
        }
        let gone = made.iter().map(|entry| with(entry, json!({})));
        for answer in at_once::<PermanentDeleteEntry>(&site, Role::Admin, gone).await {
            answer.unwrap();
        }
    }

    async fn fields_change_while_entries_are_written(app: TestApp) {
        let site = Site::open(app).await;
        let new = (0..100).map(|n| json!({ "collection": "posts", "data": { "title": format!("{n}") } }));
        let writing = at_once::<CreateEntry>(&site, Role::Editor, new);
        let changing = async {
            for n in 0..5 {
                let change = json!({ "collection": "posts", "fieldSlug": "body", "label": format!("Body {n}") });
                site.done::<UpdateField>(Role::Admin, change).await;
            }
        };
        let (written, ()) = tokio::join!(writing, changing);
        for answer in written {
            answer.unwrap();
        }
    }

    async fn a_translation_made_while_another_is_published_has_the_shared_value_that_was_published(app: TestApp) {
        let app = app.another(|options| {
            let locales: Vec<_> = ["en", "de", "fr"].iter().map(|locale| locale.parse().unwrap()).collect();
            options.locales = locales.try_into().unwrap();
        });
        let site = Site::open(app).await;
        for round in 0..10 {
            let source = site.published(json!({ "title": "A", "brand": "old" })).await;
            let translation = |locale: &str, status: &str| {
                json!({ "collection": "posts", "data": { "title": "B" }, "locale": locale, "translationOf": source["item"]["id"], "status": status })
            };
            let german = site.done::<CreateEntry>(Role::Editor, translation("de", "published")).await;
            site.done::<UpdateEntry>(Role::Editor, with(&german, json!({ "data": { "brand": "new" } }))).await;
            let (published, french) = tokio::join!(
                site.call::<PublishEntry>(Role::Editor, with(&german, json!({}))),
                site.call::<CreateEntry>(Role::Editor, translation("fr", "published")),
            );
            published.unwrap();
            french.unwrap();
            let group = site.done::<ListTranslations>(Role::Editor, with(&source, json!({}))).await;
            let group = group["translations"].as_array().unwrap();
            assert_eq!(group.len(), 3);
            for item in group {
                let one = site.get(Role::Editor, &json!({ "item": { "id": item["id"], "type": "posts" } })).await;
                assert_eq!(one["item"]["data"]["brand"], "new", "round {round}: {}", item["locale"]);
            }
        }
    }
}
