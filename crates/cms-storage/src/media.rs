//! Items of the library.

use cms_domain::{
    access::Permit,
    media::{AddMedia, ChangeMedia, FolderId, MediaFile, MediaId, MediaItem, RemoveMedia, SortMedia, Tag, Tags, name_key},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set,
    sea_query::{Expr, ExprTrait, LikeExpr},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Constraint, Error, Reader, Tx,
    column::{Json, Stored},
    executor::Executor,
    media_usage as usage,
    row::at_most,
    tables::Table,
};

mod entity {
    use cms_domain::{
        id::UserId,
        media::{AltText, Caption, FocalPoint, FolderId, MediaId, Picture, Tags, Translations},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::{Json, Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "media")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<MediaId>,
        pub(super) object_key: String,
        pub(super) media_type: String,
        pub(super) size: i64,
        pub(super) sha1: Stored<[u8; 20]>,
        pub(super) sha256: Stored<[u8; 32]>,
        pub(super) picture: Option<Stored<Json<Picture>>>,
        pub(super) filename: String,
        /// The name by which it is looked for.
        pub(super) filename_key: String,
        pub(super) alt: Option<Stored<AltText>>,
        pub(super) caption: Option<Stored<Caption>>,
        pub(super) focal_point: Option<Stored<Json<FocalPoint>>>,
        pub(super) folder_id: Option<Stored<FolderId>>,
        pub(super) author_id: Option<Stored<UserId>>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) updated_at: Stored<Timestamp>,
        pub(super) tags: Option<Stored<Json<Tags>>>,
        /// The keys of the tags, each between line breaks.
        pub(super) tag_keys: Option<String>,
        pub(super) translations: Option<Stored<Json<Translations>>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The unique index that keeps the same bytes from being two items.
pub const MEDIA_BYTES: Constraint = Constraint::Unique("media_sha256");

/// The table, as archives and errors know it.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().unique("media_sha256", &[Column::Sha256], MEDIA_BYTES).unique(
        "media_object_key",
        &[Column::ObjectKey],
        Constraint::Unique("media_object_key"),
    )
}

/// Which items are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaFilter {
    /// Media types: `type/subtype`, or `type/` for all of a type. Any when there are none.
    pub media_types: Vec<String>,
    /// What the name has in it, in any case of letters.
    pub name: Option<String>,
    /// The folder: none for any, and `Some(None)` for the main library.
    pub folder: Option<Option<FolderId>>,
    /// A tag.
    pub tag: Option<Tag>,
    /// From when on they were uploaded.
    pub created_from: Option<Timestamp>,
    /// Before when they were uploaded.
    pub created_before: Option<Timestamp>,
    /// How many bytes they have at least.
    pub min_size: Option<u64>,
    /// How many bytes they have at most.
    pub max_size: Option<u64>,
    /// Only pictures of which nobody says what they show. One that is said to show nothing, for it is an ornament, is not among them.
    pub without_alt: bool,
    /// Only those of which no entry is known that uses them.
    pub unused: bool,
}

/// Reads items.
#[derive(Clone, Copy)]
pub struct MediaReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Items of the library.
    pub fn media(self) -> MediaReader<'a> {
        MediaReader { executor: self.executor() }
    }
}

impl MediaReader<'_> {
    /// The items that are looked for, the newest first, behind one of them, so many at most.
    pub async fn list(self, filter: &MediaFilter, after: Option<MediaId>, limit: usize) -> Result<Vec<MediaItem>, Error> {
        let mut types = Condition::any();
        for media_type in &filter.media_types {
            types = types.add(match media_type.strip_suffix('/') {
                // Whatever stands between a slash and the character behind it begins with a slash.
                Some(whole) => Column::MediaType.gte(media_type.as_str()).and(Column::MediaType.lt(format!("{whole}0"))),
                None => Column::MediaType.eq(media_type.as_str()),
            });
        }
        let found = Entity::find()
            .apply_if((!filter.media_types.is_empty()).then_some(types), QueryFilter::filter)
            .apply_if(filter.name.as_deref(), |items, name| items.filter(has_in_its_name(name)))
            .apply_if(filter.folder, |items, folder| {
                items.filter(folder.map_or_else(|| Column::FolderId.is_null(), |folder| Column::FolderId.eq(Stored(folder))))
            })
            .apply_if(filter.tag.as_ref(), |items, tag| items.filter(has_a_tag(tag)))
            .apply_if(filter.created_from, |items, from| items.filter(Column::CreatedAt.gte(Stored(from))))
            .apply_if(filter.created_before, |items, before| items.filter(Column::CreatedAt.lt(Stored(before))))
            .apply_if(filter.min_size, |items, size| items.filter(Column::Size.gte(signed(size))))
            .apply_if(filter.max_size, |items, size| items.filter(Column::Size.lte(signed(size))))
            .apply_if(filter.without_alt.then_some(()), |items, ()| {
                items.filter(Column::MediaType.gte("image/").and(Column::MediaType.lt("image0"))).filter(Column::Alt.is_null())
            })
            .apply_if(filter.unused.then_some(()), |items, ()| items.filter(usage::is_unused(Column::Id)))
            .apply_if(after, |items, id| items.filter(Column::Id.lt(Stored(id))));
        self.executor.list(found.order_by_desc(Column::Id).limit(at_most(limit))).await
    }

    /// An item.
    pub async fn by_id(self, id: MediaId) -> Result<Option<MediaItem>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id))).await
    }

    /// The item whose bytes are under a key.
    pub async fn by_key(self, key: &str) -> Result<Option<MediaItem>, Error> {
        self.executor.find(Entity::find().filter(Column::ObjectKey.eq(key))).await
    }

    /// The item that has the bytes of a SHA-256.
    pub async fn by_sha256(self, sha256: &[u8; 32]) -> Result<Option<MediaItem>, Error> {
        self.executor.find(Entity::find().filter(Column::Sha256.eq(Stored(*sha256)))).await
    }

    /// The item that has bytes of a SHA-1, a size and a media type.
    pub async fn by_claim(self, sha1: &[u8; 20], size: u64, media_type: &str) -> Result<Option<MediaItem>, Error> {
        let same = Entity::find()
            .filter(Column::Sha1.eq(Stored(*sha1)))
            .filter(Column::Size.eq(signed(size)))
            .filter(Column::MediaType.eq(media_type));
        self.executor.find(same.order_by_asc(Column::Id).limit(1)).await
    }
}

fn has_in_its_name(name: &str) -> Expr {
    has(Column::FilenameKey, &name_key(name))
}

/// Tags are not looked for by a part of them.
fn has_a_tag(tag: &Tag) -> Expr {
    has(Column::TagKeys, &format!("\n{}\n", tag.key()))
}

fn has(column: Column, text: &str) -> Expr {
    let pattern = text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    column.like(LikeExpr::new(format!("%{pattern}%")).escape('\\'))
}

/// The keys of tags, each between line breaks, which no tag has in it.
fn keys_of(tags: &Tags) -> Option<String> {
    let keys: Vec<String> = tags.all().iter().map(Tag::key).collect();
    (!keys.is_empty()).then(|| format!("\n{}\n", keys.join("\n")))
}

/// Writes items.
#[derive(Clone, Copy)]
pub struct MediaWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Items of the library.
    pub fn media(&self) -> MediaWriter<'_> {
        MediaWriter { executor: self.executor() }
    }
}

impl MediaWriter<'_> {
    /// Adds an item, unless another one has its bytes.
    pub async fn insert(self, _: &Permit<AddMedia>, item: &MediaItem) -> Result<(), Error> {
        let row = ActiveModel {
            id: Set(Stored(item.id)),
            author_id: Set(item.author.map(Stored)),
            created_at: Set(Stored(item.created_at)),
            ..with_file(edited(item)?, &item.file)?
        };
        Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// An item, which nobody else changes before the transaction ends.
    pub async fn lock(self, id: MediaId) -> Result<Option<MediaItem>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id)).lock_exclusive()).await
    }

    /// Changes what people say of an item.
    pub async fn update(self, _: &Permit<ChangeMedia>, item: &MediaItem) -> Result<(), Error> {
        self.change(item.id, edited(item)?).await
    }

    /// Gives an item other bytes, unless another one has them.
    pub async fn replace(self, _: &Permit<ChangeMedia>, item: &MediaItem) -> Result<(), Error> {
        self.change(item.id, with_file(edited(item)?, &item.file)?).await
    }

    async fn change(self, id: MediaId, changed: ActiveModel) -> Result<(), Error> {
        let update = Entity::update_many().set(changed).filter(Column::Id.eq(Stored(id)));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Removes an item.
    pub async fn delete(self, _: &Permit<RemoveMedia>, id: MediaId) -> Result<(), Error> {
        Entity::delete_by_id(Stored(id)).exec(&self.executor).await?;
        Ok(())
    }

    /// Takes all items out of a folder, and says how many there were.
    pub async fn empty(self, _: &Permit<SortMedia>, folder: FolderId, now: Timestamp) -> Result<u64, Error> {
        let unfiled = ActiveModel { folder_id: Set(None), ..ActiveModel::default() };
        // Each changes at another instant than before, or whoever read it could not tell.
        let later = Expr::case(Expr::col(Column::UpdatedAt).gte(now.milliseconds()), Expr::col(Column::UpdatedAt).add(1));
        let update = Entity::update_many()
            .set(unfiled)
            .col_expr(Column::UpdatedAt, later.finally(now.milliseconds()).into())
            .filter(Column::FolderId.eq(Stored(folder)));
        Ok(update.exec(&self.executor).await?.rows_affected)
    }
}

/// What people say of an item.
fn edited(item: &MediaItem) -> Result<ActiveModel, Error> {
    Ok(ActiveModel {
        filename: Set(item.filename.clone()),
        filename_key: Set(name_key(&item.filename)),
        alt: Set(item.alt.clone().map(Stored)),
        caption: Set(item.caption.clone().map(Stored)),
        tags: Set((!item.tags.all().is_empty()).then(|| Json::new(item.tags.clone())).transpose()?.map(Stored)),
        tag_keys: Set(keys_of(&item.tags)),
        translations: Set((!item.translations.is_empty()).then(|| Json::new(item.translations.clone())).transpose()?.map(Stored)),
        focal_point: Set(item.focal_point.map(Json::new).transpose()?.map(Stored)),
        folder_id: Set(item.folder.map(Stored)),
        updated_at: Set(Stored(item.updated_at)),
        ..ActiveModel::default()
    })
}

fn with_file(row: ActiveModel, file: &MediaFile) -> Result<ActiveModel, Error> {
    Ok(ActiveModel {
        object_key: Set(file.key.clone()),
        media_type: Set(file.media_type.clone()),
        size: Set(signed(file.size)),
        sha1: Set(Stored(file.sha1)),
        sha256: Set(Stored(file.sha256)),
        picture: Set(file.picture.clone().map(Json::new).transpose()?.map(Stored)),
        ..row
    })
}

/// Sizes are kept in signed numbers, which are larger than any file.
fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

impl From<entity::Model> for MediaItem {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            file: MediaFile {
                key: row.object_key,
                media_type: row.media_type,
                size: row.size.unsigned_abs(),
                sha1: row.sha1.0,
                sha256: row.sha256.0,
                picture: row.picture.map(|picture| picture.0.value),
            },
            filename: row.filename,
            alt: row.alt.map(|alt| alt.0),
            caption: row.caption.map(|caption| caption.0),
            translations: row.translations.map(|texts| texts.0.value).unwrap_or_default(),
            tags: row.tags.map(|tags| tags.0.value).unwrap_or_default(),
            focal_point: row.focal_point.map(|point| point.0.value),
            folder: row.folder_id.map(|folder| folder.0),
            author: row.author_id.map(|author| author.0),
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::{
        access::{Actor, Purpose},
        id::UserId,
        media::{FocalPoint, MediaTexts, Picture, Translations},
    };

    use super::*;
    use crate::{Store, both, dump, fixtures::at, restore, testing::TestStore};

    fn permit<P: Purpose>(purpose: P) -> Permit<P> {
        Actor::System.permit(purpose).unwrap()
    }

    fn folder(n: u128) -> FolderId {
        FolderId::from_parts(1, n)
    }

    /// The `n`th item, whose bytes no other has.
    fn item(n: u8, name: &str, media_type: &str) -> MediaItem {
        MediaItem {
            id: MediaId::from_parts(1, n.into()),
            file: MediaFile {
                key: format!("{n}.png"),
                media_type: media_type.to_owned(),
                size: 10,
                sha1: [n; 20],
                sha256: [n; 32],
                picture: None,
            },
            filename: name.to_owned(),
            alt: None,
            caption: None,
            translations: Translations::new(),
            tags: Tags::default(),
            focal_point: None,
            folder: None,
            author: Some(UserId::from_parts(1, 1)),
            created_at: at(1),
            updated_at: at(1),
        }
    }

    async fn with(store: &Store, items: &[MediaItem]) -> Tx {
        let tx = store.write().await.unwrap();
        for item in items {
            tx.media().insert(&permit(AddMedia), item).await.unwrap();
        }
        tx
    }

    both! {
        async fn items_are_found_by_type_name_and_folder_the_newest_first(store: Store) {
            let mut items = [
                item(1, "Straße 100%.PNG", "image/png"),
                item(2, "beach.jpg", "image/jpeg"),
                item(3, "talk.mp4", "video/mp4"),
                item(4, "BEACH_2.webp", "image/webp"),
            ];
            items[1].folder = Some(folder(1));
            items[2].folder = Some(folder(2));
            let tx = with(&store, &items).await;
            let found = async |filter: MediaFilter, after: Option<u128>, limit| {
                let found = tx.reader().media().list(&filter, after.map(|n| MediaId::from_parts(1, n)), limit).await.unwrap();
                found.into_iter().map(|item| item.file.sha1[0]).collect::<Vec<_>>()
            };
            let all = MediaFilter::default();
            assert_eq!(found(all.clone(), None, 9).await, [4, 3, 2, 1]);
            assert_eq!(found(all.clone(), Some(4), 2).await, [3, 2]);
            let types = |types: &[&str]| MediaFilter { media_types: types.iter().map(|it| (*it).to_owned()).collect(), ..all.clone() };
            assert_eq!(found(types(&["image/"]), None, 9).await, [4, 2, 1]);
            assert_eq!(found(types(&["video/", "image/png"]), None, 9).await, [3, 1]);
            let named = |name: &str| MediaFilter { name: Some(name.to_owned()), ..all.clone() };
            assert_eq!(found(named("Beach"), None, 9).await, [4, 2]);
            assert_eq!(found(named("STRAße"), None, 9).await, [1]);
            assert_eq!(found(named("%"), None, 9).await, [1]);
            assert_eq!(found(named("_"), None, 9).await, [4]);
            let inside = |folder| MediaFilter { folder: Some(folder), ..all.clone() };
            assert_eq!(found(inside(Some(folder(1))), None, 9).await, [2]);
            assert_eq!(found(inside(None), None, 9).await, [4, 1]);
        }

        async fn items_are_found_by_tag_time_size_and_by_what_nobody_says_of_them(store: Store) {
            let mut items = [item(1, "a", "image/png"), item(2, "b", "image/png"), item(3, "c", "video/mp4"), item(4, "d", "image/webp")];
            let tag = |text: &str| text.parse::<Tag>().unwrap();
            items[0].tags = vec![tag("Sea"), tag("50% off")].try_into().unwrap();
            items[1].tags = vec![tag("Seaside")].try_into().unwrap();
            items[1].alt = Some(String::new().try_into().unwrap());
            (items[2].created_at, items[2].file.size) = (at(7), 500);
            let tx = with(&store, &items).await;
            let found = async |filter: MediaFilter| {
                let found = tx.reader().media().list(&filter, None, 9).await.unwrap();
                found.into_iter().map(|item| item.file.sha1[0]).collect::<Vec<_>>()
            };
            let all = MediaFilter::default();
            let tagged = |text: &str| MediaFilter { tag: Some(tag(text)), ..MediaFilter::default() };
            assert_eq!(found(tagged("SEA")).await, [1], "a part of a tag is none");
            assert_eq!(found(tagged("50% off")).await, [1]);
            assert_eq!(found(tagged("%")).await, [0; 0]);
            assert_eq!(found(MediaFilter { created_from: Some(at(7)), ..all.clone() }).await, [3]);
            assert_eq!(found(MediaFilter { created_before: Some(at(7)), ..all.clone() }).await, [4, 2, 1]);
            assert_eq!(found(MediaFilter { min_size: Some(500), ..all.clone() }).await, [3]);
            assert_eq!(found(MediaFilter { max_size: Some(499), ..all.clone() }).await, [4, 2, 1]);
            assert_eq!(found(MediaFilter { without_alt: true, ..all.clone() }).await, [4, 1], "an ornament says nothing on purpose");
            assert_eq!(found(MediaFilter { unused: true, ..all }).await, [4, 3, 2, 1]);
        }

        async fn an_item_is_found_by_its_bytes_and_no_other_has_them(store: Store) {
            let first = item(1, "a.png", "image/png");
            let tx = with(&store, std::slice::from_ref(&first)).await;
            let read = tx.reader().media();
            assert_eq!(read.by_key("1.png").await.unwrap().as_ref(), Some(&first));
            assert_eq!(read.by_sha256(&[1; 32]).await.unwrap().as_ref(), Some(&first));
            assert_eq!(read.by_claim(&[1; 20], 10, "image/png").await.unwrap().as_ref(), Some(&first));
            assert_eq!(read.by_claim(&[1; 20], 11, "image/png").await.unwrap(), None);
            assert_eq!(read.by_claim(&[1; 20], 10, "image/gif").await.unwrap(), None);
            let mut same = item(2, "b.png", "image/png");
            same.file.sha256 = [1; 32];
            let taken = tx.media().insert(&permit(AddMedia), &same).await;
            assert!(matches!(taken, Err(Error::Conflict(constraint)) if constraint == MEDIA_BYTES));
        }

        async fn an_item_is_changed_replaced_and_removed(store: Store) {
            let first = item(1, "a.png", "image/png");
            let tx = with(&store, std::slice::from_ref(&first)).await;
            let changing = permit(first.changing());
            let said = MediaItem {
                alt: Some("A beach".to_owned().try_into().unwrap()),
                caption: Some(String::new().try_into().unwrap()),
                tags: vec!["Sea".parse().unwrap()].try_into().unwrap(),
                translations: Translations::from([("de".parse().unwrap(), MediaTexts { alt: Some("Ein Strand".to_owned().try_into().unwrap()), caption: None })]),
                focal_point: Some(FocalPoint { x: 0.25, y: 1.0 }),
                folder: Some(folder(1)),
                updated_at: at(2),
                ..first.clone()
            };
            tx.media().update(&changing, &said).await.unwrap();
            assert_eq!(tx.media().lock(first.id).await.unwrap().as_ref(), Some(&said));
            let picture = Picture {
                width: 3,
                height: 2,
                animated: false,
                has_alpha: true,
                blurhash: Some("L".to_owned()),
                thumbhash: None,
                dominant_color: Some("rgb(1,2,3)".to_owned()),
            };
            let other = MediaItem {
                file: MediaFile { key: "2.png".to_owned(), sha256: [9; 32], picture: Some(picture), ..said.file.clone() },
                updated_at: at(3),
                ..said
            };
            tx.media().replace(&changing, &other).await.unwrap();
            assert_eq!(tx.reader().media().by_id(first.id).await.unwrap().as_ref(), Some(&other));
            assert_eq!(tx.reader().media().by_key("1.png").await.unwrap(), None);
            tx.media().delete(&permit(first.removing()), first.id).await.unwrap();
            assert!(matches!(tx.media().update(&changing, &other).await, Err(Error::Stale)));
        }

        async fn what_is_in_a_folder_is_taken_out_of_it_and_changes_by_that(store: Store) {
            let mut items = [item(1, "a", "image/png"), item(2, "b", "image/png"), item(3, "c", "image/png")];
            items[0].folder = Some(folder(1));
            items[1].folder = Some(folder(1));
            items[1].updated_at = at(9);
            items[2].folder = Some(folder(2));
            let tx = with(&store, &items).await;
            assert_eq!(tx.media().empty(&permit(SortMedia), folder(1), at(9)).await.unwrap(), 2);
            let folders: Vec<_> = tx.reader().media().list(&MediaFilter::default(), None, 9).await.unwrap();
            assert_eq!(folders.iter().map(|item| item.folder).collect::<Vec<_>>(), [Some(folder(2)), None, None]);
            assert!(folders[2].updated_at == at(9) && folders[1].updated_at > at(9));
        }

        async fn items_go_out_with_an_archive_and_come_back_on_either_database(store: Store) {
            with(&store, &[item(1, "a.png", "image/png")]).await.commit().await.unwrap();
            let archive = tempfile::tempdir().unwrap();
            dump(&store, archive.path()).await.unwrap();
            for target in [TestStore::sqlite().await.map(Some), TestStore::postgres().await] {
                let Some(target) = target.unwrap() else { continue };
                let tx = target.store().write().await.unwrap();
                restore(&tx, archive.path()).await.unwrap();
                assert_eq!(tx.media().lock(MediaId::from_parts(1, 1)).await.unwrap(), Some(item(1, "a.png", "image/png")));
                drop(tx);
                target.remove().await.unwrap();
            }
        }
    }
}
