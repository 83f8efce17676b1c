//! What the columns of entities hold: domain types, each kept as one value of the database.

use cms_domain::{
    access::Scopes,
    bounded::Bounded,
    collection::IndexId,
    id::Id,
    media::{ArrivedFile, FocalPoint, FolderName, Picture, Tags, Translations},
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
    user::{Email, Role},
    view::ViewSearch,
};
use sea_orm::{
    ColIdx, ColumnType, DbErr, EntityTrait, IdenStatic, Iterable, QueryResult, TryFromU64, TryGetError, TryGetable, Value,
    prelude::Uuid,
    sea_query::{ArrayType, Expr, Func, IntoColumnRef, Nullable, ValueType, ValueTypeErr},
};

use crate::{Error, error};

/// A domain type that a column holds.
pub(crate) trait Storable: Sized {
    /// As what the database keeps it.
    type Raw: TryGetable + ValueType + Nullable + Into<Value>;

    /// The value that is kept.
    fn to_raw(&self) -> Self::Raw;

    /// What a value stands for; none for one that this program does not write.
    fn of_raw(raw: Self::Raw) -> Option<Self>;
}

impl<K> Storable for Id<K> {
    type Raw = Uuid;

    fn to_raw(&self) -> Uuid {
        Uuid::from_bytes(self.to_bytes())
    }

    fn of_raw(raw: Uuid) -> Option<Self> {
        Some(Self::from_bytes(raw.into_bytes()))
    }
}

impl Storable for Timestamp {
    type Raw = i64;

    fn to_raw(&self) -> i64 {
        self.milliseconds()
    }

    fn of_raw(raw: i64) -> Option<Self> {
        Some(Self::from_milliseconds(raw))
    }
}

impl Storable for Role {
    type Raw = i16;

    fn to_raw(&self) -> i16 {
        self.level().into()
    }

    fn of_raw(raw: i16) -> Option<Self> {
        Self::from_level(raw.into())
    }
}

impl Storable for IndexId {
    type Raw = i32;

    fn to_raw(&self) -> i32 {
        self.0
    }

    fn of_raw(raw: i32) -> Option<Self> {
        Some(Self(raw))
    }
}

/// A hash has one length.
impl<const N: usize> Storable for [u8; N] {
    type Raw = Vec<u8>;

    fn to_raw(&self) -> Vec<u8> {
        self.to_vec()
    }

    fn of_raw(raw: Vec<u8>) -> Option<Self> {
        raw.try_into().ok()
    }
}

/// Types that are kept as the text that they are parsed from.
macro_rules! texts {
    ($($type:ty),*) => {
        $(impl $crate::column::Storable for $type {
            type Raw = String;

            fn to_raw(&self) -> String {
                self.as_str().to_owned()
            }

            fn of_raw(raw: String) -> Option<Self> {
                raw.parse().ok()
            }
        })*
    };
}
pub(crate) use texts;

texts!(CollectionSlug, Email, FieldSlug, FolderName);

impl<const MIN: usize, const MAX: usize> Storable for Bounded<MIN, MAX> {
    type Raw = String;

    fn to_raw(&self) -> String {
        self.as_str().to_owned()
    }

    fn of_raw(raw: String) -> Option<Self> {
        raw.try_into().ok()
    }
}

/// A domain type in a column of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored<T>(pub(crate) T);

impl<T: Storable> From<Stored<T>> for Value {
    fn from(stored: Stored<T>) -> Self {
        stored.0.to_raw().into()
    }
}

impl<T: Storable> Nullable for Stored<T> {
    fn null() -> Value {
        T::Raw::null()
    }
}

impl<T: Storable> ValueType for Stored<T> {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        T::of_raw(<T::Raw as ValueType>::try_from(value)?).map(Self).ok_or(ValueTypeErr)
    }

    fn type_name() -> String {
        T::Raw::type_name()
    }

    fn array_type() -> ArrayType {
        T::Raw::array_type()
    }

    fn column_type() -> ColumnType {
        T::Raw::column_type()
    }
}

impl<T: Storable> TryGetable for Stored<T> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
        let raw = T::Raw::try_get_by(row, index)?;
        T::of_raw(raw).map(Self).ok_or_else(|| Unreadable::at(row, index.as_str()).into())
    }
}

/// Keys are made before a row is: no database counts them.
impl<T> TryFromU64 for Stored<T> {
    fn try_from_u64(_: u64) -> Result<Self, DbErr> {
        Err(DbErr::ConvertFromU64(std::any::type_name::<T>()))
    }
}

/// What is kept as JSON, with the text that is kept: writing JSON may fail, and a model may not.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Json<T> {
    pub(crate) value: T,
    text: String,
}

impl<T: serde::Serialize> Json<T> {
    pub(crate) fn new(value: T) -> Result<Self, Error> {
        let text = serde_json::to_string(&value).map_err(Error::backend)?;
        Ok(Self { value, text })
    }
}

/// Types that are kept as JSON.
macro_rules! documents {
    ($($type:ty),*) => {
        $(impl Storable for Json<$type> {
            type Raw = String;

            fn to_raw(&self) -> String {
                self.text.clone()
            }

            fn of_raw(text: String) -> Option<Self> {
                Some(Self { value: serde_json::from_str(&text).ok()?, text })
            }
        })*
    };
}

documents!(ArrivedFile, FocalPoint, Picture, Scopes, Tags, Translations, Vec<FieldSlug>, Vec<String>, ViewSearch);

/// A stored value that this program does not write.
#[derive(Debug, Clone, thiserror::Error)]
#[error("row `{row}` holds what cannot be read in {column}")]
struct Unreadable {
    column: String,
    row: String,
    /// Whether it is in the second of two entities that were read together.
    second: bool,
}

impl Unreadable {
    /// How sea-orm calls the columns of two entities that are read together.
    const PREFIXES: [&str; 2] = ["A_", "B_"];

    fn at(row: &QueryResult, column: Option<&str>) -> DbErr {
        let column = column.unwrap_or_default();
        let prefix = Self::PREFIXES.into_iter().find(|prefix| column.starts_with(prefix)).unwrap_or_default();
        // A row is named by its id. Few tables have none, and those have a name in the first column.
        let id = row.try_get::<String>(prefix, "id");
        let id = id.or_else(|_| row.try_get::<Uuid>(prefix, "id").map(|id| Id::<()>::from_bytes(id.into_bytes()).to_string()));
        let id = id.or_else(|_| row.try_get::<i32>(prefix, "id").map(|id| id.to_string()));
        let id = id.or_else(|_| row.try_get_by_index(0)).unwrap_or_else(|_| "?".to_owned());
        let column = column.strip_prefix(prefix).unwrap_or(column).to_owned();
        error::carrying(Self { column, row: id, second: prefix == Self::PREFIXES[1] })
    }

    fn of<E: EntityTrait>(&self) -> Option<Error> {
        let column = E::Column::iter().find(|column| column.as_str() == self.column)?;
        Some(Error::Corrupt { table: E::default().table_name(), column: column.as_str(), id: self.row.clone() })
    }
}

/// The error of a statement over one entity, which knows the table of a value that cannot be read.
pub(crate) fn unreadable<E: EntityTrait>(error: DbErr) -> Error {
    unreadable_of_two::<E, E>(error)
}

/// The error of a statement that reads two entities together.
pub(crate) fn unreadable_of_two<E: EntityTrait, F: EntityTrait>(error: DbErr) -> Error {
    let found = error::carried::<Unreadable>(&error).and_then(|found| if found.second { found.of::<F>() } else { found.of::<E>() });
    found.unwrap_or_else(|| error.into())
}

/// What a column becomes when it is given, and stays otherwise: one text for both, which is prepared once.
pub(crate) fn given_or_kept<V: Into<Value>>(given: V, column: impl IntoColumnRef) -> Expr {
    Expr::expr(Func::coalesce([Expr::val(given), Expr::col(column)]))
}

#[cfg(test)]
mod tests {
    use cms_domain::{id::SessionId, user::Role};

    use crate::{AllowedDomain, Error, Store, StoredSession, UserFilter, both, fixtures};

    both! {
        async fn a_value_that_cannot_be_read_is_told_with_its_table_column_and_row(store: Store) {
            let user = fixtures::user(1);
            let tx = store.write().await.unwrap();
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            let session = StoredSession {
                id: SessionId::from_parts(1, 1),
                user: user.id,
                method: "passkey".to_owned(),
                address: None,
                agent: None,
                created_at: fixtures::at(1),
                authenticated_at: fixtures::at(1),
                last_used_at: fixtures::at(1),
                expires_at: fixtures::at(90),
            };
            tx.sessions().insert(&fixtures::account(session.user), &session, &[1; 32]).await.unwrap();
            tx.commit().await.unwrap();
            store.tamper("UPDATE users SET role = 7").await.unwrap();

            let (users, sessions) = (store.reader().users(), store.reader().sessions());
            for error in [
                users.by_id(user.id).await.unwrap_err(),
                users.list(None, 9).await.unwrap_err(),
                users.find(&UserFilter::default(), 9).await.unwrap_err(),
                sessions.by_hash(&[1; 32]).await.unwrap_err(),
            ] {
                let Error::Corrupt { table: "users", column: "role", id } = &error else { panic!("{error:?}") };
                assert_eq!(*id, user.id.to_string());
            }
        }

        async fn a_row_without_an_id_is_told_by_its_first_column(store: Store) {
            let domain = AllowedDomain {
                domain: "example.com".parse().unwrap(),
                default_role: Role::Author,
                enabled: true,
                created_at: fixtures::at(1),
                updated_at: fixtures::at(1),
            };
            let tx = store.write().await.unwrap();
            tx.allowed_domains().insert(&fixtures::permit(), &domain).await.unwrap();
            tx.commit().await.unwrap();
            store.tamper("UPDATE allowed_domains SET default_role = 7").await.unwrap();
            let error = store.reader().allowed_domains().all().await.unwrap_err();
            let Error::Corrupt { table: "allowed_domains", column: "default_role", id } = &error else { panic!("{error:?}") };
            assert_eq!(id, "example.com");
        }
    }
}
