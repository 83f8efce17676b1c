//! Collections on both databases.

use cms_domain::{
    collection::{AdminHints, Collection, Index, IndexState, Support},
    field::FieldType,
    id::{CollectionId, EntryId},
};

use crate::{Constraint, Error, Store, Tx, both, fixtures};

async fn with(store: &Store, collections: &[&Collection]) -> Tx {
    let tx = store.write().await.unwrap();
    for collection in collections {
        tx.collections().insert(&fixtures::permit(), collection).await.unwrap();
    }
    tx
}

/// An entry of a collection, as little of it as the table takes.
async fn entry(tx: &Tx, n: u128, collection: CollectionId) {
    const INSERT: &str = "INSERT INTO entries (id, collection_id, locale, translation_group, status, version, created_at, updated_at, ever_live, \
        schedule_attempts, data) VALUES ($1, $2, 'en', $1, 0, 1, 0, 0, false, 0, '{}')";
    let id = crate::row::id_value(EntryId::from_parts(1, n));
    tx.executor().execute((INSERT, [id, crate::row::id_value(collection)])).await.unwrap();
}

async fn only(tx: &Tx) -> Collection {
    let mut all = tx.reader().collections().all().await.unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

both! {
    async fn a_collection_is_read_as_it_was_written(store: Store) {
        let written = Collection {
            label_singular: Some("Post".to_owned()),
            description: Some("What we write".to_owned()),
            icon: Some("pen".to_owned()),
            admin: Some(AdminHints { list_columns: vec!["title".parse().unwrap()] }),
            supports: [Support::Seo, Support::Drafts].into(),
            url_pattern: Some("/blog/{slug}".to_owned()),
            sort_order: Some(3),
            title_field: Some("title".parse().unwrap()),
            comments_closed_after_days: 14,
            has_leftovers: true,
            ..fixtures::collection(1, "posts")
        };
        with(&store, &[&written]).await.commit().await.unwrap();
        let reader = store.reader().collections();
        for read in [reader.by_slug(&written.slug).await.unwrap(), reader.by_id(written.id).await.unwrap()] {
            assert_eq!(format!("{:?}", read.unwrap()), format!("{written:?}"));
        }
    }

    async fn a_collection_that_is_not_there_is_not_found(store: Store) {
        let tx = with(&store, &[&fixtures::collection(1, "posts")]).await;
        assert!(tx.reader().collections().by_slug(&"pages".parse().unwrap()).await.unwrap().is_none());
        assert!(tx.reader().collections().by_id(CollectionId::from_parts(1, 9)).await.unwrap().is_none());
    }

    async fn collections_without_a_place_come_last_by_name(store: Store) {
        let placed = Collection { sort_order: Some(0), ..fixtures::collection(3, "zebras") };
        let tx = with(&store, &[&fixtures::collection(1, "posts"), &fixtures::collection(2, "pages"), &placed]).await;
        let all = tx.reader().collections().all().await.unwrap();
        assert_eq!(all.iter().map(|collection| collection.slug.as_str()).collect::<Vec<_>>(), ["zebras", "pages", "posts"]);
    }

    async fn each_collection_gets_its_own_fields(store: Store) {
        let tx = with(&store, &[&fixtures::collection(1, "posts"), &fixtures::collection(2, "pages")]).await;
        let body = fixtures::field(7, "body", FieldType::Text);
        tx.collections().insert_field(&fixtures::permit(), fixtures::collection(2, "pages").id, &body).await.unwrap();
        let all = tx.reader().collections().all().await.unwrap();
        let fields: Vec<Vec<_>> = all.iter().map(|collection| collection.fields.iter().map(|field| field.slug.as_str()).collect()).collect();
        assert_eq!(fields, [vec!["body", "title"], vec!["title"]]);
    }

    async fn two_collections_with_one_slug_conflict(store: Store) {
        let tx = with(&store, &[&fixtures::collection(1, "posts")]).await;
        let error = tx.collections().insert(&fixtures::permit(), &fixtures::collection(2, "posts")).await.unwrap_err();
        assert!(matches!(error, Error::Conflict(Constraint::CollectionSlug)), "{error:?}");
    }

    async fn two_fields_with_one_slug_conflict(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let twin = fixtures::field(9, "title", FieldType::Text);
        let error = tx.collections().insert_field(&fixtures::permit(), collection.id, &twin).await.unwrap_err();
        assert!(matches!(error, Error::Conflict(Constraint::FieldSlug)), "{error:?}");
    }

    async fn every_change_counts_the_version_up(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let (rows, permit, id) = (tx.collections(), fixtures::permit(), collection.id);
        let mut versions = vec![rows.hold(id).await.unwrap().unwrap()];
        rows.update(&permit, &Collection { label: "Articles".to_owned(), ..collection.clone() }).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        let body = fixtures::field(7, "body", FieldType::Text);
        rows.insert_field(&permit, id, &body).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        rows.update_field(&permit, id, &body).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        rows.reorder_fields(&permit, id, &["title".parse().unwrap(), "body".parse().unwrap()], fixtures::at(1)).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        rows.delete_field(&permit, id, body.id, fixtures::at(2)).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        rows.set_leftovers(id, true).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        rows.reorder(&permit, &[collection.slug], fixtures::at(3)).await.unwrap();
        versions.push(rows.hold(id).await.unwrap().unwrap());
        assert_eq!(versions, (1..=8).collect::<Vec<i64>>());
    }

    async fn a_collection_changes_together_with_its_fields(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let (rows, permit) = (tx.collections(), fixtures::permit());
        rows.insert_field(&permit, collection.id, &fixtures::field(7, "body", FieldType::Text)).await.unwrap();
        rows.reorder_fields(&permit, collection.id, &["title".parse().unwrap(), "body".parse().unwrap()], fixtures::at(5)).await.unwrap();
        rows.delete_field(&permit, collection.id, collection.fields[0].id, fixtures::at(6)).await.unwrap();
        let read = only(&tx).await;
        assert_eq!(read.fields.iter().map(|field| (field.slug.as_str(), field.sort_order)).collect::<Vec<_>>(), [("body", 1)]);
        assert_eq!(read.updated_at, fixtures::at(6));
    }

    async fn an_index_that_cannot_be_read_is_told_by_its_number(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let id = tx.collections().insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap();
        tx.commit().await.unwrap();
        store.tamper("UPDATE indexes SET state = 9").await.unwrap();
        for error in [store.reader().collections().all().await.unwrap_err(), store.reader().collections().by_id(collection.id).await.unwrap_err()] {
            let Error::Corrupt { table: "indexes", column: "state", id: told } = &error else { panic!("{error:?}") };
            assert_eq!(*told, id.0.to_string());
        }
    }

    async fn a_name_that_cannot_be_read_is_told_with_its_table_and_the_collection(store: Store) {
        let collection = fixtures::collection(1, "posts");
        with(&store, &[&collection]).await.commit().await.unwrap();
        store.tamper("UPDATE content_types SET slug = 'No Name'").await.unwrap();
        let error = store.reader().collections().all().await.unwrap_err();
        let Error::Corrupt { table: "content_types", column: "slug", id } = &error else { panic!("{error:?}") };
        assert_eq!(*id, collection.id.to_string());
    }

    async fn an_order_puts_others_last(store: Store) {
        let [posts, pages] = [fixtures::collection(1, "posts"), Collection { sort_order: Some(0), ..fixtures::collection(2, "pages") }];
        let tx = with(&store, &[&posts, &pages]).await;
        tx.collections().reorder(&fixtures::permit(), &[posts.slug], fixtures::at(1)).await.unwrap();
        let all = tx.reader().collections().all().await.unwrap();
        let order: Vec<_> = all.iter().map(|collection| (collection.slug.as_str(), collection.sort_order)).collect();
        assert_eq!(order, [("posts", Some(0)), ("pages", None)]);
    }

    async fn an_order_with_an_unknown_collection_is_stale(store: Store) {
        let tx = with(&store, &[]).await;
        let error = tx.collections().reorder(&fixtures::permit(), &["posts".parse().unwrap()], fixtures::at(1)).await.unwrap_err();
        assert!(matches!(error, Error::Stale));
    }

    async fn content_of_a_removed_collection_is_an_orphan(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        entry(&tx, 1, collection.id).await;
        tx.collections().unregister(&fixtures::permit(), collection.id).await.unwrap();
        assert!(tx.reader().collections().all().await.unwrap().is_empty());
        assert_eq!(tx.reader().collections().orphans().await.unwrap(), [(collection.id, collection.slug.clone(), 1)]);
        tx.collections().insert(&fixtures::permit(), &collection).await.unwrap();
        assert_eq!(tx.reader().collections().orphans().await.unwrap(), []);
    }

    async fn a_condemned_collection_gives_its_name_back_at_once_and_is_forgotten_when_its_content_is_gone(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let (rows, permit) = (tx.collections(), fixtures::permit());
        rows.insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap();
        entry(&tx, 1, collection.id).await;
        rows.condemn(&permit, collection.id).await.unwrap();
        assert_eq!(tx.reader().collections().condemned().await.unwrap(), [collection.id]);
        assert_eq!(tx.reader().collections().orphans().await.unwrap(), [], "nobody is to find it");
        let found = tx.reader().entries().existing(&[EntryId::from_parts(1, 1)], None).await.unwrap();
        assert!(found.is_empty(), "{found:?}");
        let again = fixtures::collection(2, "posts");
        rows.insert(&permit, &again).await.unwrap();
        rows.unregister(&permit, again.id).await.unwrap();
        rows.forget(&permit, again.id).await.unwrap();
        let ids = tx.reader().entries().ids_of(collection.id, None, 10).await.unwrap();
        tx.entries().remove_all(&permit, &ids).await.unwrap();
        rows.forget(&permit, collection.id).await.unwrap();
        for table in ["content_types", "collections", "fields", "indexes", "entries"] {
            let row = tx.executor().one(format!("SELECT 1 FROM {table}").as_str()).await.unwrap();
            assert!(row.is_none(), "{table}");
        }
    }

    async fn a_collection_whose_content_is_there_is_not_forgotten(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        entry(&tx, 1, collection.id).await;
        tx.collections().condemn(&fixtures::permit(), collection.id).await.unwrap();
        let error = tx.collections().forget(&fixtures::permit(), collection.id).await.unwrap_err();
        assert!(matches!(error, Error::Conflict(Constraint::Reference)), "{error:?}");
    }

    async fn an_index_of_an_empty_collection_is_ready(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let fields = vec!["title".parse().unwrap()];
        let id = tx.collections().insert_index(&fixtures::permit(), collection.id, &fields).await.unwrap();
        assert_eq!(only(&tx).await.indexes, [Index { id, fields, state: IndexState::Ready }]);
    }

    async fn an_index_is_built_then_ready_then_dropped(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        entry(&tx, 1, collection.id).await;
        entry(&tx, 2, collection.id).await;
        let rows = tx.collections();
        let id = rows.insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap();
        rows.set_index_progress(id, EntryId::from_parts(1, 1), 1).await.unwrap();
        rows.set_index_failed(id, "no disk").await.unwrap();
        let building = IndexState::Building { done: 1, total: 2, attempts: 1, last_error: Some("no disk".to_owned()) };
        assert_eq!(only(&tx).await.indexes[0].state, building);
        let work = tx.reader().collections().indexes_to_build().await.unwrap();
        assert_eq!((work[0].id, work[0].cursor, work[0].done), (id, Some(EntryId::from_parts(1, 1)), 1));
        rows.set_index_ready(collection.id, id).await.unwrap();
        assert!(only(&tx).await.indexes[0].is_ready());
        rows.drop_index(&fixtures::permit(), collection.id, id).await.unwrap();
        assert!(only(&tx).await.indexes.is_empty());
        assert_eq!(tx.reader().collections().indexes_to_drop().await.unwrap(), [id]);
        rows.delete_index(id).await.unwrap();
        assert!(tx.reader().collections().indexes_to_drop().await.unwrap().is_empty());
    }

    async fn an_index_number_is_never_given_twice(store: Store) {
        let collection = fixtures::collection(1, "posts");
        let tx = with(&store, &[&collection]).await;
        let first = tx.collections().insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap();
        tx.collections().drop_index(&fixtures::permit(), collection.id, first).await.unwrap();
        tx.collections().delete_index(first).await.unwrap();
        assert!(tx.collections().insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap()]).await.unwrap() > first);
    }

    async fn a_damaged_definition_is_named(store: Store) {
        let tx = with(&store, &[&fixtures::collection(1, "posts")]).await;
        tx.executor().execute("UPDATE fields SET definition = '{}'").await.unwrap();
        let error = tx.reader().collections().all().await.unwrap_err();
        assert!(matches!(error, Error::Corrupt { table: "fields", column: "definition", .. }), "{error:?}");
    }
}
