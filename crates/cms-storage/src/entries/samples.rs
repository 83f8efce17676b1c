//! A collection with indexes of every sort, and entries for it.

use cms_domain::{
    collection::Collection,
    entry::{Document, Entry, Lifecycle, Seo, Status},
    field::{FieldKind, FieldType, ValidJson},
    id::{CollectionId, EntryId},
    time::Timestamp,
};
use serde_json::Value;

use crate::{Error, Store, fixtures};

/// A stored collection of products.
pub(crate) async fn products(store: &Store) -> Collection {
    let tx = store.write().await.unwrap();
    let mut collection = fixtures::collection(1, "products");
    let fields = [
        ("price", FieldType::Number),
        ("category", FieldType::String),
        ("tags", FieldType::MultiSelect),
        ("sku", FieldType::String),
        ("related", FieldType::Reference),
        ("body", FieldType::Text),
    ];
    for (n, (slug, field_type)) in (102..).zip(fields) {
        collection.fields.push(fixtures::field(n, slug, field_type));
    }
    for field in &mut collection.fields {
        match field.slug.as_str() {
            "title" | "price" | "category" | "tags" => field.indexed = true,
            "sku" => field.unique = true,
            "related" => {
                let options = serde_json::json!({ "allowMultiple": true });
                field.options = options.as_object().unwrap().clone();
                field.kind = FieldKind::new(FieldType::Reference, &field.validation, &field.options).unwrap();
            }
            _ => {}
        }
    }
    tx.collections().insert(&fixtures::permit(), &collection).await.unwrap();
    let indexes: [&[&str]; 9] = [
        &["title"],
        &["price"],
        &["category"],
        &["tags"],
        &["category", "price"],
        &["category", "title"],
        &["category", "updated_at"],
        &["category", "published_at"],
        &["category", "price", "updated_at"],
    ];
    for fields in indexes {
        let fields: Vec<_> = fields.iter().map(|slug| slug.parse().unwrap()).collect();
        tx.collections().insert_index(&fixtures::permit(), collection.id, &fields).await.unwrap();
    }
    let stored = tx.reader().collections().by_id(collection.id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    stored
}

/// The `n`th entry, a draft.
pub(crate) fn entry(collection: CollectionId, n: i64, data: &Value) -> Entry {
    let id = EntryId::from_parts(2, u128::try_from(n).unwrap());
    Entry {
        id,
        collection,
        locale: "en".parse().unwrap(),
        group: id.cast(),
        author: None,
        version: 1,
        created_at: fixtures::at(n),
        updated_at: fixtures::at(n),
        lifecycle: Lifecycle::NEW,
        live: document(data),
        draft: None,
        live_revision: None,
        draft_revision: None,
        schedule_failure: None,
    }
}

/// Content with these values.
pub(crate) fn document(data: &Value) -> Document {
    Document { data: ValidJson::from_stored(data.to_string()).unwrap(), slug: None, seo: Seo::default() }
}

/// The entry, public since an instant.
pub(crate) fn published(mut entry: Entry, at: Timestamp) -> Entry {
    entry.lifecycle = Lifecycle { status: Status::Published, ever_live: true, published_at: Some(at), ..entry.lifecycle };
    entry
}

/// The entry, one version on, after a change.
pub(crate) fn changed(before: &Entry, change: impl FnOnce(&mut Entry)) -> Entry {
    let mut after = before.clone();
    after.version += 1;
    change(&mut after);
    after.lifecycle.has_draft = after.draft.is_some();
    after
}

/// Stores entries.
pub(crate) async fn insert(store: &Store, collection: &Collection, entries: &[Entry]) {
    let tx = store.write().await.unwrap();
    for entry in entries {
        tx.entries().insert(&fixtures::permit(), collection, entry, None).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Stores what became of an entry.
pub(crate) async fn update(store: &Store, collection: &Collection, before: &Entry, after: &Entry) -> Result<(), Error> {
    let tx = store.write().await.unwrap();
    tx.entries().update(&fixtures::permit(), collection, before, after, None).await?;
    tx.commit().await
}

/// Asserts that everything that is derived from the entries agrees with them.
pub(crate) async fn assert_sound(store: &Store, collection: &Collection) {
    let reader = store.reader().entries();
    let (_, rows) = reader.check_batch(collection, None, 1000).await.unwrap();
    assert_eq!(rows, []);
    assert_eq!(reader.check_counts(collection.id).await.unwrap(), []);
    assert_eq!(reader.check_strays().await.unwrap(), []);
}
