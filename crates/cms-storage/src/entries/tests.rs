//! Entries on both databases.

use cms_domain::{
    access::Visibility,
    collection::Collection,
    entry::{Lifecycle, ScheduleFailure, Seo, Status},
    field::{FieldType, Register},
    id::{CollectionId, EntryId, RevisionId, UserId},
    locale::Locale,
    slug::{EntrySlug, IdOrSlug},
};
use serde_json::json;

use super::{
    EntryView,
    samples::{assert_sound, changed, document, entry, insert, products, published, update},
};
use crate::{
    Constraint, Due, Error, Found, Progress, Repeated, Revision, Store, Surplus, Trash, Tx, both,
    fixtures::{self, at, permit, user},
    revisions,
    statement::Batch,
};

fn en() -> Locale {
    "en".parse().unwrap()
}

fn slug(text: &str) -> EntrySlug {
    text.parse().unwrap()
}

fn named(text: &str) -> IdOrSlug {
    text.parse().unwrap()
}

async fn keep(tx: &Tx, revision: &Revision) {
    let mut batch = Batch::new(tx.executor());
    revisions::insert(&mut batch, revision).unwrap();
    batch.run(tx.executor()).await.unwrap();
}

both! {
    async fn an_entry_is_read_as_it_was_written(store: Store) {
        let collection = products(&store).await;
        let mut written = published(entry(collection.id, 1, &json!({ "price": 1.0, "title": "Ä", "body": "1e3" })), at(5));
        written.live.slug = Some(slug("one"));
        written.live.seo = Seo { title: Some("One".to_owned()), no_index: true, ..Seo::default() };
        written.draft = Some(document(&json!({ "title": "B", "tags": ["x", "y"] })));
        written.lifecycle.has_draft = true;
        written.lifecycle.scheduled_at = Some(at(9));
        written.author = Some(UserId::from_parts(1, 1));
        written.live_revision = Some(RevisionId::from_parts(1, 1));
        written.schedule_failure = Some(ScheduleFailure { attempts: 2, last_error: "no slug".to_owned(), next_attempt_at: Some(at(7)) });
        insert(&store, &collection, std::slice::from_ref(&written)).await;
        let read = store.reader().entries().get(Visibility::Working, written.id, Trash::Exclude).await.unwrap();
        assert_eq!(read, Some(written));
        assert_sound(&store, &collection).await;
    }

    async fn an_update_changes_everything_that_may_change(store: Store) {
        let collection = products(&store).await;
        let before = entry(collection.id, 1, &json!({ "title": "A", "sku": "1", "tags": ["x", "y"], "related": ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] }));
        insert(&store, &collection, std::slice::from_ref(&before)).await;
        let after = changed(&published(before.clone(), at(3)), |after| {
            after.live = document(&json!({ "title": "B", "sku": "2", "tags": ["y", "z"] }));
            after.draft = Some(document(&json!({ "title": "C", "sku": "3", "related": ["01ARZ3NDEKTSV4RRFFQ69G5FAW", "01ARZ3NDEKTSV4RRFFQ69G5FAV"] })));
            after.author = Some(UserId::from_parts(1, 1));
            after.updated_at = at(4);
        });
        update(&store, &collection, &before, &after).await.unwrap();
        assert_sound(&store, &collection).await;
        let read = store.reader().entries().get(Visibility::Working, before.id, Trash::Exclude).await.unwrap();
        assert_eq!(read, Some(after));
    }

    async fn an_update_of_an_entry_that_changed_since_is_refused(store: Store) {
        let collection = products(&store).await;
        let before = entry(collection.id, 1, &json!({ "title": "A" }));
        insert(&store, &collection, std::slice::from_ref(&before)).await;
        let first = changed(&before, |after| after.live = document(&json!({ "title": "B" })));
        update(&store, &collection, &before, &first).await.unwrap();
        let second = changed(&before, |after| after.live = document(&json!({ "title": "C" })));
        assert!(matches!(update(&store, &collection, &before, &second).await, Err(Error::Stale)));
        assert_sound(&store, &collection).await;
        let read = store.reader().entries().get(Visibility::Working, before.id, Trash::Exclude).await.unwrap();
        assert_eq!(read, Some(first));
    }

    async fn a_unique_value_is_given_once_in_a_locale(store: Store) {
        let collection = products(&store).await;
        let sku = collection.field("sku").unwrap().id;
        let first = entry(collection.id, 1, &json!({ "sku": "A-1" }));
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        let refused = tx.entries().insert(&permit(), &collection, &entry(collection.id, 2, &json!({ "sku": "A-1" })), None).await;
        assert!(matches!(refused, Err(Error::Conflict(Constraint::UniqueField { register })) if register == sku), "{refused:?}");
        drop(tx);
        // Another case is another value, no value is none, and every locale has its own.
        let german = { let mut german = entry(collection.id, 5, &json!({ "sku": "A-1" })); german.locale = "de".parse().unwrap(); german };
        let others = [entry(collection.id, 3, &json!({ "sku": "a-1" })), entry(collection.id, 4, &json!({})), entry(collection.id, 6, &json!({})), german];
        insert(&store, &collection, &others).await;
        assert_sound(&store, &collection).await;
    }

    async fn a_staged_unique_value_is_taken_and_one_in_the_trash_stays_so(store: Store) {
        let collection = products(&store).await;
        let first = published(entry(collection.id, 1, &json!({ "sku": "1" })), at(1));
        let second = entry(collection.id, 2, &json!({ "sku": "2" }));
        insert(&store, &collection, &[first.clone(), second.clone()]).await;
        let staged = changed(&first, |after| after.draft = Some(document(&json!({ "sku": "3" }))));
        update(&store, &collection, &first, &staged).await.unwrap();
        let trashed = changed(&staged, |after| after.lifecycle.deleted_at = Some(at(5)));
        update(&store, &collection, &staged, &trashed).await.unwrap();
        for taken in ["1", "3"] {
            let after = changed(&second, |after| after.live = document(&json!({ "sku": taken })));
            assert!(matches!(update(&store, &collection, &second, &after).await, Err(Error::Conflict(Constraint::UniqueField { .. }))));
        }
        assert_sound(&store, &collection).await;
    }

    async fn a_slug_is_given_once_in_a_locale_and_the_trash_counts(store: Store) {
        let collection = products(&store).await;
        let mut first = entry(collection.id, 1, &json!({}));
        first.live.slug = Some(slug("one"));
        first.lifecycle.deleted_at = Some(at(2));
        insert(&store, &collection, &[first]).await;
        let mut second = entry(collection.id, 2, &json!({}));
        second.live.slug = Some(slug("one"));
        let tx = store.write().await.unwrap();
        let refused = tx.entries().insert(&permit(), &collection, &second, None).await;
        assert!(matches!(refused, Err(Error::Conflict(Constraint::EntrySlug))), "{refused:?}");
        drop(tx);
        second.locale = "de".parse().unwrap();
        insert(&store, &collection, &[second]).await;
    }

    async fn a_translation_group_has_one_entry_a_locale(store: Store) {
        let collection = products(&store).await;
        let first = entry(collection.id, 1, &json!({}));
        let mut second = entry(collection.id, 2, &json!({}));
        second.group = first.group;
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        let refused = tx.entries().insert(&permit(), &collection, &second, None).await;
        assert!(matches!(refused, Err(Error::Conflict(Constraint::EntryTranslation))), "{refused:?}");
        drop(tx);
        second.locale = "de".parse().unwrap();
        insert(&store, &collection, std::slice::from_ref(&second)).await;
        let translations = store.reader().entries().translations(first.group, Visibility::Working).await.unwrap();
        assert_eq!(translations.iter().map(|entry| entry.id).collect::<Vec<_>>(), [second.id, first.id]);
        assert_eq!(store.reader().entries().translations(first.group, Visibility::Published).await.unwrap(), []);
    }

    async fn nothing_of_a_removed_entry_is_left(store: Store) {
        let collection = products(&store).await;
        let first = published(entry(collection.id, 1, &json!({ "title": "A", "sku": "1", "related": ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] })), at(1));
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        tx.entries().remove(&permit(), &first).await.unwrap();
        assert!(matches!(tx.entries().remove(&permit(), &first).await, Err(Error::Stale)));
        tx.commit().await.unwrap();
        assert_sound(&store, &collection).await;
        insert(&store, &collection, &[first]).await;
    }

    async fn nothing_of_a_removed_collection_is_left(store: Store) {
        let collection = products(&store).await;
        insert(&store, &collection, &[entry(collection.id, 1, &json!({ "title": "A", "sku": "1" })), entry(collection.id, 2, &json!({}))]).await;
        let tx = store.write().await.unwrap();
        let ids = tx.reader().entries().ids_of(collection.id, None, 10).await.unwrap();
        tx.entries().remove_all(&permit(), &ids).await.unwrap();
        tx.entries().rebuild_counts(collection.id).await.unwrap();
        tx.commit().await.unwrap();
        assert_sound(&store, &collection).await;
        assert_eq!(store.reader().entries().by_collection(collection.id, None, 10).await.unwrap(), []);
    }

    async fn a_locked_entry_waits_for_no_reader(store: Store) {
        let collection = products(&store).await;
        let first = entry(collection.id, 1, &json!({}));
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        assert_eq!(tx.entries().lock(first.id).await.unwrap(), Some(first.clone()));
        assert!(store.reader().entries().get(Visibility::Working, first.id, Trash::Exclude).await.unwrap().is_some());
    }

    async fn the_public_reads_what_is_published_and_not_in_the_trash(store: Store) {
        let collection = products(&store).await;
        let draft = entry(collection.id, 1, &json!({}));
        let public = published(entry(collection.id, 2, &json!({})), at(1));
        let mut trashed = published(entry(collection.id, 3, &json!({})), at(1));
        trashed.lifecycle.deleted_at = Some(at(2));
        insert(&store, &collection, &[draft.clone(), public.clone(), trashed.clone()]).await;
        let reader = store.reader().entries();
        for (visibility, trash, expected) in [
            (Visibility::Published, Trash::Exclude, [false, true, false]),
            (Visibility::Published, Trash::Include, [false, true, false]),
            (Visibility::Published, Trash::Only, [false, false, false]),
            (Visibility::Working, Trash::Exclude, [true, true, false]),
            (Visibility::Working, Trash::Include, [true, true, true]),
            (Visibility::Working, Trash::Only, [false, false, true]),
        ] {
            for (id, seen) in [draft.id, public.id, trashed.id].into_iter().zip(expected) {
                assert_eq!(reader.get(visibility, id, trash).await.unwrap().is_some(), seen, "{visibility:?} {trash:?} {id}");
            }
        }
        for (id, seen) in [draft.id, public.id, trashed.id].into_iter().zip([false, true, false]) {
            let found = reader.find_published(collection.id, &named(&id.to_string()), None, &en()).await.unwrap();
            assert_eq!(matches!(found, Found::One(entry) if entry.id == id), seen, "{id}");
        }
    }

    async fn readers_find_what_whoever_works_on_it_finds(store: Store) {
        let collection = products(&store).await;
        let mut entries = Vec::new();
        for (n, (text, locale)) in (1..).zip([("a", "en"), ("a", "de"), ("b", "de"), ("b", "fr"), ("c", "fr")]) {
            let mut entry = published(entry(collection.id, n, &json!({ "title": text })), at(n));
            entry.live.slug = Some(slug(text));
            entry.locale = locale.parse().unwrap();
            entries.push(entry);
        }
        insert(&store, &collection, &entries).await;
        let reader = store.reader().entries();
        let elsewhere = CollectionId::from_parts(1, 9);
        for text in ["a", "b", "c", "d", &entries[1].id.to_string()] {
            for locale in [None, Some("de"), Some("fr")] {
                let locale = locale.map(|locale| locale.parse().unwrap());
                let working = reader.find(Visibility::Published, collection.id, &named(text), locale.as_ref(), &en(), Trash::Exclude).await.unwrap();
                let read = reader.find_published(collection.id, &named(text), locale.as_ref(), &en()).await.unwrap();
                let shown = match working {
                    Found::One(entry) => Found::One(Box::new(EntryView::live(*entry))),
                    Found::None => Found::None,
                    Found::Ambiguous(locales) => Found::Ambiguous(locales),
                };
                assert_eq!(format!("{read:?}"), format!("{shown:?}"), "{text} {locale:?}");
            }
            assert!(matches!(reader.find_published(elsewhere, &named(text), None, &en()).await.unwrap(), Found::None));
        }
    }

    async fn a_slug_without_a_locale_names_the_default_one_or_the_only_one(store: Store) {
        let collection = products(&store).await;
        let mut entries = Vec::new();
        for (n, (text, locale)) in (1..).zip([("a", "en"), ("a", "de"), ("b", "de"), ("b", "fr"), ("c", "fr")]) {
            let mut entry = entry(collection.id, n, &json!({}));
            entry.live.slug = Some(slug(text));
            entry.locale = locale.parse().unwrap();
            entries.push(entry);
        }
        insert(&store, &collection, &entries).await;
        let reader = store.reader().entries();
        let find = async |text: &str, locale: Option<&str>| {
            let locale = locale.map(|locale| locale.parse().unwrap());
            match reader.find(Visibility::Working, collection.id, &named(text), locale.as_ref(), &en(), Trash::Exclude).await.unwrap() {
                Found::One(entry) => entry.locale.as_str().to_owned(),
                Found::None => "none".to_owned(),
                Found::Ambiguous(locales) => locales.iter().map(Locale::as_str).collect::<Vec<_>>().join("|"),
            }
        };
        assert_eq!(find("a", None).await, "en");
        assert_eq!(find("a", Some("de")).await, "de");
        assert_eq!(find("a", Some("fr")).await, "none");
        assert_eq!(find("b", None).await, "de|fr");
        assert_eq!(find("c", None).await, "fr");
        assert_eq!(find("d", None).await, "none");
        assert_eq!(find(&entries[1].id.to_string(), None).await, "de");
        let other = CollectionId::from_parts(1, 9);
        let elsewhere = reader.find(Visibility::Working, other, &named(&entries[1].id.to_string()), None, &en(), Trash::Exclude).await;
        assert!(matches!(elsewhere.unwrap(), Found::None));
    }

    async fn the_number_behind_a_slug_goes_on_from_the_last(store: Store) {
        let collection = products(&store).await;
        let stem = slug("post");
        let reader = store.reader();
        let mut n = 0;
        for (count, expected) in [(0, None), (1, Some(0)), (1, Some(1)), (1, Some(2)), (4, Some(6)), (60, Some(66))] {
            let mut entries = Vec::new();
            for _ in 0..count {
                n += 1;
                let mut entry = entry(collection.id, n, &json!({}));
                entry.live.slug = Some(if n == 1 { stem.clone() } else { stem.numbered(u32::try_from(n - 1).unwrap()) });
                entries.push(entry);
            }
            insert(&store, &collection, &entries).await;
            assert_eq!(reader.entries().highest_suffix(collection.id, &en(), &stem).await.unwrap(), expected);
        }
        assert_eq!(reader.entries().highest_suffix(collection.id, &"de".parse().unwrap(), &stem).await.unwrap(), None);
        let tx = store.write().await.unwrap();
        assert_eq!(tx.entries().hold_slugs(collection.id, &en(), &stem).await.unwrap(), Some(66));
    }

    async fn due_entries_come_in_the_order_of_their_time(store: Store) {
        let collection = products(&store).await;
        let scheduled = |n: i64, time: i64| {
            let mut entry = entry(collection.id, n, &json!({}));
            entry.lifecycle = Lifecycle { status: Status::Scheduled, scheduled_at: Some(at(time)), ..Lifecycle::NEW };
            entry
        };
        let trashed = { let mut trashed = scheduled(4, 5); trashed.lifecycle.deleted_at = Some(at(1)); trashed };
        insert(&store, &collection, &[scheduled(1, 30), scheduled(2, 20), scheduled(3, 10), trashed]).await;
        let reader = store.reader().entries();
        let due = |entries: Vec<Due>| entries.into_iter().map(|due| due.planned).collect::<Vec<_>>();
        assert_eq!(reader.next_due().await.unwrap(), Some(at(10)));
        assert_eq!(due(reader.due(at(20), 10).await.unwrap()), [at(10), at(20)]);
        assert_eq!(due(reader.due(at(20), 1).await.unwrap()), [at(10)]);
        // One that failed is due again at its next attempt, one that is given up never.
        let third = EntryId::from_parts(2, 3);
        let tx = store.write().await.unwrap();
        let failure = |attempts, next_attempt_at| ScheduleFailure { attempts, last_error: "no".to_owned(), next_attempt_at };
        assert!(!tx.entries().record_schedule_failure(third, at(11), &failure(1, None)).await.unwrap());
        assert_eq!(due(tx.reader().entries().due(at(20), 10).await.unwrap()), [at(10), at(20)]);
        assert!(tx.entries().record_schedule_failure(third, at(10), &failure(1, Some(at(15)))).await.unwrap());
        assert_eq!(due(tx.reader().entries().due(at(14), 10).await.unwrap()), []);
        assert_eq!(tx.reader().entries().next_due().await.unwrap(), Some(at(15)));
        let again = tx.reader().entries().due(at(25), 10).await.unwrap();
        assert_eq!((due(again.clone()), again[0].attempts), (vec![at(10), at(20)], 1));
        assert!(tx.entries().record_schedule_failure(third, at(10), &failure(2, None)).await.unwrap());
        assert_eq!(due(tx.reader().entries().due(at(99), 10).await.unwrap()), [at(20), at(30)]);
        assert_eq!(tx.reader().entries().next_due().await.unwrap(), Some(at(20)));
    }

    async fn entries_come_to_their_end_in_the_order_of_their_time(store: Store) {
        let collection = products(&store).await;
        let public = |n: i64, end: Option<i64>| {
            let mut entry = entry(collection.id, n, &json!({}));
            let (published_at, unpublish_at) = (Some(at(1)), end.map(at));
            entry.lifecycle = Lifecycle { status: Status::Published, ever_live: true, published_at, unpublish_at, ..Lifecycle::NEW };
            entry
        };
        let trashed = { let mut trashed = public(4, Some(5)); trashed.lifecycle.deleted_at = Some(at(1)); trashed };
        insert(&store, &collection, &[public(1, Some(30)), public(2, None), public(3, Some(10)), trashed]).await;
        let reader = store.reader().entries();
        let third = EntryId::from_parts(2, 3);
        assert_eq!(reader.next_due().await.unwrap(), Some(at(10)));
        assert_eq!(reader.ending(at(9), 9).await.unwrap(), []);
        assert_eq!(reader.ending(at(10), 9).await.unwrap(), [(third, at(10))]);
        assert_eq!(reader.ending(at(30), 1).await.unwrap(), [(third, at(10))]);
        assert_eq!(reader.ending(at(30), 9).await.unwrap().len(), 2);
    }

    async fn an_attempt_that_failed_is_counted_once(store: Store) {
        let collection = products(&store).await;
        let mut planned = entry(collection.id, 1, &json!({}));
        planned.lifecycle = Lifecycle { status: Status::Scheduled, scheduled_at: Some(at(10)), ..Lifecycle::NEW };
        insert(&store, &collection, std::slice::from_ref(&planned)).await;
        let failure = |attempts, error: &str| ScheduleFailure { attempts, last_error: error.to_owned(), next_attempt_at: Some(at(20)) };
        let mut noted = Vec::new();
        for (attempts, error) in [(1, "a"), (1, "b"), (2, "c"), (2, "d"), (1, "e")] {
            let tx = store.write().await.unwrap();
            noted.push(tx.entries().record_schedule_failure(planned.id, at(10), &failure(attempts, error)).await.unwrap());
            tx.commit().await.unwrap();
        }
        assert_eq!(noted, [true, false, true, false, false]);
        let stored = store.reader().entries().get(Visibility::Working, planned.id, Trash::Exclude).await.unwrap().unwrap();
        assert_eq!(stored.schedule_failure, Some(failure(2, "c")));
    }

    async fn references_are_found_from_both_contents(store: Store) {
        let collection = products(&store).await;
        let (one, two) = (EntryId::from_parts(2, 1), EntryId::from_parts(2, 2));
        let target = |id: EntryId| json!({ "related": [id.to_string()] });
        let referring = published(entry(collection.id, 3, &target(one)), at(1));
        insert(&store, &collection, &[entry(collection.id, 1, &json!({})), entry(collection.id, 2, &json!({})), referring.clone()]).await;
        let staged = changed(&referring, |after| after.draft = Some(document(&target(two))));
        update(&store, &collection, &referring, &staged).await.unwrap();
        let related = collection.field("related").unwrap().id;
        let reader = store.reader().entries();
        for id in [one, two] {
            assert_eq!(reader.referring(id).await.unwrap(), [(related, referring.id)]);
        }
        assert_eq!(reader.existing(&[one, EntryId::from_parts(2, 9)], Some(collection.id)).await.unwrap(), [one].into());
        assert_eq!(reader.existing(&[one], Some(CollectionId::from_parts(1, 9))).await.unwrap(), [].into());
    }

    async fn authors_are_users_who_own_an_entry(store: Store) {
        let collection = products(&store).await;
        let tx = store.write().await.unwrap();
        for n in 1..=3 {
            tx.users().insert(&permit(), &user(n)).await.unwrap();
        }
        tx.commit().await.unwrap();
        let own = |n: i64, author: u128| { let mut own = entry(collection.id, n, &json!({})); own.author = Some(user(author).id); own };
        let trashed = { let mut trashed = own(3, 3); trashed.lifecycle.deleted_at = Some(at(1)); trashed };
        insert(&store, &collection, &[own(1, 2), own(2, 2), trashed, entry(collection.id, 4, &json!({}))]).await;
        let authors = store.reader().entries().authors(collection.id).await.unwrap();
        assert_eq!(authors.iter().map(|author| author.id).collect::<Vec<_>>(), [user(2).id]);
    }

    async fn an_index_that_is_built_later_is_as_one_that_was_there(store: Store) {
        let collection = products(&store).await;
        let entries: Vec<_> = (1..=7).map(|n| entry(collection.id, n, &json!({ "title": format!("T{n}"), "body": "x" }))).collect();
        insert(&store, &collection, &entries).await;
        let tx = store.write().await.unwrap();
        let id = tx.collections().insert_index(&fixtures::permit(), collection.id, &["title".parse().unwrap(), "price".parse().unwrap()]).await.unwrap();
        let collection = tx.reader().collections().by_id(collection.id).await.unwrap().unwrap();
        let index = collection.indexes.iter().find(|index| index.id == id).unwrap().clone();
        let mut after = None;
        let mut done = 0;
        loop {
            let Progress { last, entries } = tx.entries().index_batch(&collection, &index, after, 3).await.unwrap();
            done += entries;
            match last {
                Some(_) => after = last,
                None => break,
            }
        }
        assert_eq!(done, 7);
        tx.collections().set_index_ready(collection.id, id).await.unwrap();
        let collection = tx.reader().collections().by_id(collection.id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        assert_sound(&store, &collection).await;
        let tx = store.write().await.unwrap();
        assert_eq!(tx.entries().drop_index_batch(id, 5).await.unwrap(), 5);
        assert_eq!(tx.entries().drop_index_batch(id, 5).await.unwrap(), 2);
        assert_eq!(tx.entries().drop_index_batch(id, 5).await.unwrap(), 0);
    }

    async fn what_is_derived_is_rebuilt_as_it_was(store: Store) {
        let collection = products(&store).await;
        let entries: Vec<_> = (1..=5).map(|n| published(entry(collection.id, n, &json!({ "title": "T", "sku": n.to_string(), "related": [EntryId::from_parts(2, 1)] })), at(n))).collect();
        insert(&store, &collection, &entries).await;
        let tx = store.write().await.unwrap();
        for damage in ["DELETE FROM entry_index", "UPDATE entry_counts SET n = n + 1", "DELETE FROM entry_unique", "UPDATE entry_references SET stage = 7 WHERE stage = 0"] {
            tx.executor().execute(damage).await.unwrap();
        }
        let reader = tx.reader().entries();
        let (progress, found) = reader.check_batch(&collection, None, 10).await.unwrap();
        assert_eq!((progress.entries, found.len()), (5, 15));
        assert_eq!(reader.check_counts(collection.id).await.unwrap().len(), 1);
        tx.entries().rebuild_derived(&collection).await.unwrap();
        tx.commit().await.unwrap();
        assert_sound(&store, &collection).await;
    }

    async fn values_of_dropped_fields_are_purged_everywhere(store: Store) {
        let collection = products(&store).await;
        let mut first = published(entry(collection.id, 1, &json!({ "price": 1.50, "gone": [1], "title": "A" })), at(1));
        first.draft = Some(document(&json!({ "gone": 2, "title": "B" })));
        first.lifecycle.has_draft = true;
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        let revision = crate::Revision {
            id: RevisionId::from_parts(1, 1),
            collection: collection.id,
            entry: first.id,
            document: document(&json!({ "gone": true, "title": "C" })),
            author: None,
            autosave: false,
            created_at: at(1),
            updated_at: at(1),
        };
        keep(&tx, &revision).await;
        tx.entries().purge_batch(&fixtures::permit(), &collection, None, 10).await.unwrap();
        let purged = tx.reader().entries().get(Visibility::Working, first.id, Trash::Exclude).await.unwrap().unwrap();
        assert_eq!(purged.live.data.as_stored().as_str(), r#"{"price":1.5,"title":"A"}"#);
        assert_eq!(purged.draft.unwrap().data.as_stored().as_str(), r#"{"title":"B"}"#);
        let revision = tx.reader().revisions().get(revision.id).await.unwrap().unwrap();
        assert_eq!(revision.document.data.as_stored().as_str(), r#"{"title":"C"}"#);
    }

    async fn values_are_registered_once_whoever_does_it_first_and_those_that_repeat_are_named(store: Store) {
        let mut collection = products(&store).await;
        let values = ["a", "b", "c", "b", "d"];
        let entries: Vec<_> = values.iter().zip(1..).map(|(value, n)| entry(collection.id, n, &json!({ "category": value }))).collect();
        insert(&store, &collection, &entries).await;
        let register = Register { id: fixtures::field(99, "another", FieldType::String).id, complete: false };
        let category = collection.fields.iter_mut().find(|field| field.slug.as_str() == "category").unwrap();
        (category.unique, category.register) = (true, register);
        let category = category.clone();
        // Somebody saves an entry before its turn comes.
        let after = changed(&entries[2], |after| after.live = document(&json!({ "category": "e" })));
        update(&store, &collection, &entries[2], &after).await.unwrap();
        let tx = store.write().await.unwrap();
        let batch = async |after, limit| tx.entries().register_batch(&permit(), &collection, &category, after, limit).await.unwrap();
        assert_eq!(batch(None, 3).await, (Progress { last: Some(entries[2].id), entries: 3 }, vec![]));
        assert_eq!(batch(None, 3).await.1, [], "once more changes nothing");
        let repeated = Repeated { entry: entries[3].id, owner: Some(entries[1].id) };
        assert_eq!(batch(Some(entries[2].id), 3).await, (Progress { last: Some(entries[4].id), entries: 2 }, vec![repeated]));
        assert_eq!(tx.entries().drop_register_batch(register.id, 3).await.unwrap(), 3);
        assert_eq!(tx.entries().drop_register_batch(register.id, 3).await.unwrap(), 1);
        assert_eq!(tx.entries().drop_register_batch(register.id, 3).await.unwrap(), 0);
        tx.commit().await.unwrap();
    }

    async fn what_refers_to_entries_is_found_and_what_would_lose_all(store: Store) {
        let collection = products(&store).await;
        let field = collection.references().next().unwrap().clone();
        let other = Collection { fields: vec![], indexes: vec![], ..fixtures::collection(77, "others") };
        let tx = store.write().await.unwrap();
        tx.collections().insert(&permit(), &other).await.unwrap();
        tx.commit().await.unwrap();
        let targets: Vec<_> = (1..=2).map(|n| entry(other.id, 100 + n, &json!({}))).collect();
        insert(&store, &other, &targets).await;
        let own = entry(collection.id, 1, &json!({}));
        let one = entry(collection.id, 2, &json!({ field.slug.as_str(): [targets[0].id] }));
        let both = entry(collection.id, 3, &json!({ field.slug.as_str(): [targets[1].id, own.id] }));
        insert(&store, &collection, &[own, one.clone(), both.clone()]).await;
        let rows = store.reader().entries();
        let ids = rows.ids_of(other.id, None, 10).await.unwrap();
        assert_eq!(ids, [targets[0].id, targets[1].id]);
        let found = rows.referrers_of(other.id, &ids, 10).await.unwrap();
        assert_eq!(found, [(one.id, collection.id), (both.id, collection.id)]);
        assert_eq!(rows.referrers_of(other.id, &ids, 1).await.unwrap(), found[..1]);
        assert_eq!(rows.held_by(other.id, field.id, true, 10).await.unwrap().len(), 2);
        assert_eq!(rows.held_by(other.id, field.id, false, 10).await.unwrap(), [one.id], "the other one has something left");
        let tx = store.write().await.unwrap();
        tx.entries().forget_references(&permit(), one.id, &ids.iter().copied().collect()).await.unwrap();
        assert_eq!(tx.reader().entries().referrers_of(other.id, &ids, 10).await.unwrap(), found[1..]);
    }

    async fn revisions_to_remove_are_found_a_few_at_a_time(store: Store) {
        let collection = products(&store).await;
        // How many revisions each entry has: fewer than are looked at at a time, as many, and many more.
        let counts = [1, 4, 2, 30, 3, 9];
        let entries: Vec<_> = (1..).zip(counts).map(|(n, _)| entry(collection.id, n, &json!({}))).collect();
        insert(&store, &collection, &entries).await;
        let tx = store.write().await.unwrap();
        for (n, entry) in (0_u128..).zip(&entries) {
            for m in 0..counts[usize::try_from(n).unwrap()] {
                let revision = Revision {
                    id: RevisionId::from_parts(1, 100 * n + m),
                    collection: collection.id,
                    entry: entry.id,
                    document: document(&json!({})),
                    author: None,
                    autosave: false,
                    created_at: at(1),
                    updated_at: at(1),
                };
                keep(&tx, &revision).await;
            }
        }
        let revisions = tx.reader().revisions();
        let mut next = Some(EntryId::from_bytes([0; 16]));
        let mut removed = Vec::new();
        while let Some(after) = next {
            let surplus = revisions.surplus(2, after, 4, 5).await.unwrap();
            assert!(surplus.revisions.len() <= 5);
            tx.revisions().remove(&surplus.revisions).await.unwrap();
            removed.extend(surplus.revisions);
            next = surplus.next;
        }
        let expected: u128 = counts.iter().map(|count| count.saturating_sub(2)).sum();
        assert_eq!(removed.len() as u128, expected);
        for (entry, count) in entries.iter().zip(counts) {
            assert_eq!(u128::from(revisions.count(entry.id).await.unwrap()), count.min(2));
        }
    }

    async fn a_page_of_heavy_revisions_is_cut_and_goes_on_with_the_next(store: Store) {
        let collection = products(&store).await;
        let first = entry(collection.id, 1, &json!({}));
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        for (n, megabytes) in (1..).zip([9, 0, 9, 9, 9]) {
            let revision = crate::Revision {
                id: RevisionId::from_parts(1, n),
                collection: collection.id,
                entry: first.id,
                document: document(&json!({ "body": "x".repeat(megabytes << 20) })),
                author: None,
                autosave: false,
                created_at: at(1),
                updated_at: at(1),
            };
            keep(&tx, &revision).await;
        }
        let mut pages = Vec::new();
        let mut after = None;
        loop {
            let page = tx.reader().revisions().list(first.id, 4, after).await.unwrap();
            pages.push(page.items.iter().map(|revision| revision.id).collect::<Vec<_>>());
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let id = |n| RevisionId::from_parts(1, n);
        assert_eq!(pages, [vec![id(5), id(4)], vec![id(3), id(2), id(1)]]);
        assert_eq!(tx.reader().revisions().list(first.id, 4, Some(id(1))).await.unwrap().items, []);
    }

    async fn the_newest_revisions_and_those_that_are_pointed_at_are_kept(store: Store) {
        let collection = products(&store).await;
        let first = entry(collection.id, 1, &json!({}));
        insert(&store, &collection, std::slice::from_ref(&first)).await;
        let tx = store.write().await.unwrap();
        let id = |n| RevisionId::from_parts(1, n);
        for n in 1..=9 {
            let revision = crate::Revision {
                id: id(n),
                collection: collection.id,
                entry: first.id,
                document: document(&json!({ "price": 1 })),
                author: None,
                autosave: n == 9,
                created_at: at(1),
                updated_at: at(1),
            };
            keep(&tx, &revision).await;
        }
        let revisions = tx.reader().revisions();
        let page = revisions.list(first.id, 4, None).await.unwrap();
        assert_eq!(page.items.iter().map(|revision| revision.id).collect::<Vec<_>>(), [id(9), id(8), id(7), id(6)]);
        let page = revisions.list(first.id, 5, page.next).await.unwrap();
        assert_eq!((page.items.len(), page.next), (5, None));
        let pinned = changed(&first, |after| after.live_revision = Some(id(2)));
        tx.entries().update(&permit(), &collection, &first, &pinned, None).await.unwrap();
        let beginning = EntryId::from_bytes([0; 16]);
        let surplus = revisions.surplus(3, beginning, 100, 100).await.unwrap();
        assert_eq!(surplus, Surplus { revisions: [1, 3, 4, 5, 6].map(id).to_vec(), next: None });
        // Whatever was found before, what an entry points to now stays.
        assert_eq!(tx.revisions().remove(&[1, 2, 3, 4, 5, 6].map(id)).await.unwrap(), 5);
        assert_eq!(revisions.surplus(3, beginning, 100, 100).await.unwrap(), Surplus { revisions: Vec::new(), next: None });
        let newest = revisions.get(id(9)).await.unwrap().unwrap();
        let saved = crate::Revision { document: document(&json!({ "price": 2 })), updated_at: at(2), ..newest };
        tx.revisions().update(&permit(), &saved).await.unwrap();
        assert_eq!(revisions.get(id(9)).await.unwrap(), Some(saved));
    }
}
