//! Small things that the tests of this crate are made of.

use cms_domain::{
    access::{Actor, Permit, Purpose, to},
    collection::Collection,
    entry::{Document, Entry, Lifecycle, Seo},
    field::{Field, FieldSpec, FieldType, ValidJson},
    id::{CollectionId, EntryId, FieldId, UserId},
    time::Timestamp,
    user::{Role, User},
};

/// Proof of the server's own rights, for whatever is asked.
pub(crate) fn permit<P: Purpose + Default>() -> Permit<P> {
    Actor::System.permit(P::default()).unwrap()
}

/// Proof of the server's own rights to somebody's account.
pub(crate) fn account(user: UserId) -> Permit<to::Account> {
    Actor::System.permit(to::Account(user)).unwrap()
}

/// `seconds` after the beginning of the tests' time.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_milliseconds(1_800_000_000_000 + 1_000 * seconds)
}

/// The `n`th user.
pub(crate) fn user(n: u128) -> User {
    let email = format!("user{n}@example.com").parse().unwrap();
    User { name: Some(format!("User {n}")), ..User::new(UserId::from_parts(1, n), email, Role::Author, at(0)) }
}

/// A field as simple as it can be.
pub(crate) fn field(n: u128, slug: &str, field_type: FieldType) -> Field {
    let spec = FieldSpec::new(slug.parse().unwrap(), field_type);
    Field::new(FieldId::from_parts(1, n), spec, i32::try_from(n).unwrap(), at(0), at(0)).unwrap()
}

/// The `n`th collection, with a title.
pub(crate) fn collection(n: u128, slug: &str) -> Collection {
    Collection {
        fields: vec![field(100 * n + 1, "title", FieldType::String)],
        ..Collection::new(CollectionId::from_parts(1, n), slug.parse().unwrap(), at(0))
    }
}

/// The `n`th entry of a collection: a draft with a title.
pub(crate) fn entry(n: u128, collection: &Collection) -> Entry {
    let id = EntryId::from_parts(1, n);
    Entry {
        id,
        collection: collection.id,
        locale: "en".parse().unwrap(),
        group: id.cast(),
        author: None,
        version: 1,
        created_at: at(0),
        updated_at: at(0),
        lifecycle: Lifecycle::NEW,
        live: Document {
            data: ValidJson::from_stored(format!(r#"{{"title":"Entry {n}"}}"#)).unwrap(),
            slug: Some(format!("entry-{n}").parse().unwrap()),
            seo: Seo::default(),
        },
        draft: None,
        live_revision: None,
        draft_revision: None,
        schedule_failure: None,
    }
}
