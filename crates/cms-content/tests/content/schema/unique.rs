//! Fields whose values are unique.

use cms_content::entries::update::UpdateEntry;
use cms_core::both;
use cms_domain::user::Role;
use serde_json::json;

use super::*;

both! {
    async fn unique_is_enforced_in_each_locale(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string", "unique": true }])).await;
        entry(&app, json!({ "sku": "a" })).await;
        let again = json!({ "collection": "posts", "data": { "sku": "a" } });
        assert_eq!(app.call::<CreateEntry>(Role::Editor, again).await.unwrap_err().code(), Code::UniqueConflict);
        entry_in(&app, json!({ "collection": "posts", "locale": "de", "data": { "sku": "a" } })).await;
        entry(&app, json!({ "sku": "A" })).await;
        entry(&app, json!({})).await;
        entry(&app, json!({})).await;
    }

    async fn a_field_becomes_unique_when_its_values_are(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string" }])).await;
        entry(&app, json!({ "sku": "a" })).await;
        let second = entry(&app, json!({ "sku": "a" })).await;
        let error = update_field(&app, "sku", json!({ "unique": true })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
        assert_eq!(error.details_json().unwrap()["entries"].as_array().unwrap().len(), 1);
        assert_eq!(error.details_json().unwrap()["entries"][0]["id"], json!(second));
        let other = json!({ "collection": "posts", "id": second, "data": { "sku": "b" } });
        app.call::<UpdateEntry>(Role::Editor, other).await.unwrap();
        update_field(&app, "sku", json!({ "unique": true })).await.unwrap();
        let taken = json!({ "collection": "posts", "data": { "sku": "b" } });
        assert_eq!(app.call::<CreateEntry>(Role::Editor, taken).await.unwrap_err().code(), Code::UniqueConflict);
    }

    async fn a_field_that_is_no_longer_unique_takes_any_value(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string", "unique": true }])).await;
        entry(&app, json!({ "sku": "a" })).await;
        update_field(&app, "sku", json!({ "unique": false })).await.unwrap();
        entry(&app, json!({ "sku": "a" })).await;
        assert_eq!(update_field(&app, "sku", json!({ "unique": true })).await.unwrap_err().code(), Code::FieldHasValues);
    }

    async fn a_unique_field_stays_unique_when_its_type_changes(app: TestApp) {
        posts(&app, json!([{ "slug": "at", "type": "datetime", "unique": true }])).await;
        entry(&app, json!({ "at": "2027-01-01T00:00:00Z" })).await;
        update_field(&app, "at", json!({ "type": "string" })).await.unwrap();
        let again = json!({ "collection": "posts", "data": { "at": "2027-01-01T00:00:00.000Z" } });
        assert_eq!(app.call::<CreateEntry>(Role::Editor, again).await.unwrap_err().code(), Code::UniqueConflict);
    }

    async fn a_dropped_fields_values_are_free_again(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string", "unique": true }])).await;
        entry(&app, json!({ "sku": "a" })).await;
        drop_field(&app, "sku").await;
        add_field(&app, json!({ "slug": "sku", "type": "string", "unique": true })).await.unwrap();
        entry(&app, json!({ "sku": "a" })).await;
    }
}
