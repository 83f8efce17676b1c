//! What is made of bytes that arrived before they are the bytes of an item: their type is agreed with, drawings are cleaned, pictures are looked at.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use cms_domain::{
    field::{FieldKind, MediaRules},
    id::FieldId,
    media::{AddMedia, MediaFile, MediaItem, Picture},
};
use cms_files::{AllowList, FileName, Kind, Looked, MOST_SVG_BYTES, PictureError, sanitize_svg};
use cms_frame::{Code, Cx, Error};
use cms_storage::MEDIA_BYTES;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    arriving::{self, Arrived},
    item::{MediaAnswer, MediaShown},
    of, of_store, tell,
};

/// The media type of drawings, which can hold scripts.
const DRAWING: &str = "image/svg+xml";

/// Bytes as a member of an input, in base64 (RFC 4648, section 4). An input is kept until its operation has succeeded, so a clone is another handle to the same text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(from = "String")]
#[schemars(with = "String", inline)]
pub struct Base64(Arc<str>);

impl From<String> for Base64 {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

/// What is wrong with the codes of a file that is not taken.
pub(crate) const REFUSALS: &[Code] = &[
    Code::NoFile,
    Code::InvalidType,
    Code::InvalidImage,
    Code::PayloadTooLarge,
    Code::NoStorage,
    Code::StorageUnavailable,
    Code::RequestTimeout,
];

/// The file of an operation: what the door kept as it arrived, or what a member of the input holds.
pub(crate) async fn file(cx: &Cx<'_>, data: Option<Base64>, declared: Option<String>) -> Result<Arrived, Error> {
    match (cx.attached::<Arrived>(), data) {
        (Some(_), Some(_)) => Err(Error::issue("data", "MISPLACED", "is for whoever sends no part `file`")),
        (Some(arrived), None) => Ok((*arrived).clone()),
        (None, None) => Err(Error::new(Code::NoFile)),
        (None, Some(Base64(text))) => {
            cx.before_any_write()?;
            of(cx.cms()).must_fit(text.len() as u64 / 4 * 3)?;
            let bytes = STANDARD.decode(&*text).map_err(|_| Error::issue("data", "INVALID_ENCODING", "is not base64"))?;
            arriving::keep(cx.cms(), bytes, declared).await
        }
    }
}

/// Which types are taken: those of the site, and of these the ones that a field has, where one is named.
pub(crate) async fn allowed(cx: &Cx<'_>, field: Option<FieldId>) -> Result<AllowList, Error> {
    let site = of(cx.cms()).library.allowed.clone();
    let Some(id) = field else { return Ok(site) };
    let collections = cx.read().collections().all().await?;
    let field = collections.iter().flat_map(|collection| &collection.fields).find(|field| field.id == id);
    let field = field.ok_or_else(|| Error::issue("fieldId", "UNKNOWN_FIELD", "is the id of no field"))?;
    let (FieldKind::Image(MediaRules { allowed_mime_types }) | FieldKind::File(MediaRules { allowed_mime_types })) = &field.kind else {
        return Err(Error::issue("fieldId", "INVALID_VALUE", "is the id of a field that holds no files"));
    };
    if allowed_mime_types.is_empty() {
        return Ok(site);
    }
    let narrower = AllowList::parse(allowed_mime_types).map_err(Error::internal)?;
    Ok(site.narrowed_by(&narrower))
}

/// Refuses what is not taken, or is not of the type that it is said to be.
pub(crate) fn must_be_taken(kind: Kind, declared: Option<&str>, allowed: &AllowList) -> Result<(), Error> {
    if declared.is_some_and(|declared| !kind.agrees_with(declared)) {
        let message = format!("the file is of the type `{}`, and was said to be of another one", kind.media_type());
        return Err(Error::with(Code::InvalidType, message).details(json!({ "mimeType": kind.media_type() })));
    }
    if !allowed.allows(&kind) {
        let message = format!("files of the type `{}` are not taken", kind.media_type());
        return Err(Error::with(Code::InvalidType, message).details(json!({ "mimeType": kind.media_type() })));
    }
    Ok(())
}

/// The name of a file, with the extension of its bytes.
pub(crate) fn name(given: Option<&str>, kind: Kind) -> Result<String, Error> {
    let name = FileName::parse(given.unwrap_or("file")).map_err(|error| Error::issue("filename", "INVALID_VALUE", error.to_string()))?;
    Ok(name.for_kind(&kind).as_str().to_owned())
}

/// What is known of the bytes that an item is to have. Drawings are kept without whatever acts in them.
pub(crate) async fn look(cx: &Cx<'_>, arrived: Arrived) -> Result<MediaFile, Error> {
    cx.before_any_write()?;
    let arrived = if arrived.kind.media_type() == DRAWING { cleaned(cx, arrived).await? } else { arrived };
    let picture = if arrived.kind.is_picture() { picture(cx, &arrived).await? } else { None };
    let Arrived { kind, key, size, sha1, sha256, .. } = arrived;
    Ok(MediaFile { key: key.to_string(), media_type: kind.media_type().to_owned(), size, sha1, sha256, picture })
}

/// A drawing without what acts in it. What arrived goes when it is due.
async fn cleaned(cx: &Cx<'_>, arrived: Arrived) -> Result<Arrived, Error> {
    let refused = |error: cms_files::SvgRefused| Error::with(Code::InvalidImage, error.to_string());
    if arrived.size > MOST_SVG_BYTES as u64 {
        return Err(refused(cms_files::SvgRefused::TooLarge));
    }
    let bytes = stored(cx, &arrived).await?.collect().await.map_err(of_store)?;
    let clean = sanitize_svg(&bytes).map_err(refused)?;
    if clean == bytes {
        return Ok(arrived);
    }
    let kept = arriving::keep(cx.cms(), clean, None).await?;
    if kept.kind.media_type() != DRAWING {
        return Err(Error::with(Code::InvalidImage, "nothing is left of the drawing without what acts in it"));
    }
    Ok(kept)
}

async fn picture(cx: &Cx<'_>, arrived: &Arrived) -> Result<Option<Picture>, Error> {
    let Some(workshop) = &of(cx.cms()).library.workshop else { return Ok(None) };
    let source = stored(cx, arrived).await?.bytes;
    let looked = workshop.look(source, arrived.size).await.map_err(of_picture)?;
    let Looked { width, height, animated, has_alpha, dominant: [red, green, blue], thumbhash, blurhash } = looked;
    let (thumbhash, dominant_color) = (thumbhash.map(|hash| STANDARD.encode(hash)), Some(format!("rgb({red},{green},{blue})")));
    Ok(Some(Picture { width, height, animated, has_alpha, blurhash, thumbhash, dominant_color }))
}

async fn stored(cx: &Cx<'_>, arrived: &Arrived) -> Result<cms_files::Object, Error> {
    let object = of(cx.cms()).objects()?.read(&arrived.key, None).await.map_err(of_store)?;
    object.ok_or_else(|| Error::with(Code::RequestTimeout, "the file took too long to arrive: send it again"))
}

/// A failure of whoever looks at pictures.
pub(crate) fn of_picture(error: PictureError) -> Error {
    match error {
        PictureError::TooLarge | PictureError::Broken(_) | PictureError::Unsupported | PictureError::Died => {
            Error::with(Code::InvalidImage, error.to_string())
        }
        PictureError::Busy => Error::with(Code::Busy, "as many pictures are looked at as there is room for: try again in a moment"),
        PictureError::Machine(_) => Error::internal(error),
    }
}

/// Refuses dimensions that were said and are not those of the picture.
pub(crate) fn must_measure(file: &MediaFile, said: [(&'static str, Option<u32>); 2]) -> Result<(), Error> {
    let Some(picture) = &file.picture else { return Ok(()) };
    for ((member, said), is) in said.into_iter().zip([picture.width, picture.height]) {
        if said.is_some_and(|said| said != is) {
            return Err(Error::issue(member, "INVALID_VALUE", format!("is another one than the picture's, which is {is}")));
        }
    }
    Ok(())
}

/// The item that has some bytes already, as the answer to whoever sends them again.
pub(crate) async fn known(cx: &mut Cx<'_>, sha256: &[u8; 32]) -> Result<Option<MediaAnswer>, Error> {
    let Some(item) = cx.read().media().by_sha256(sha256).await? else { return Ok(None) };
    cx.found();
    Ok(Some(MediaAnswer { item: MediaShown::new(cx, item), deduplicated: true }))
}

/// Adds an item, and takes its bytes. Whoever sends the same bytes at the same moment gets the item of who was first.
pub(crate) async fn add(
    cx: &mut Cx<'_>,
    item: MediaItem,
    done_with: Option<cms_domain::media::AwaitedMedia>,
) -> Result<MediaAnswer, Error> {
    let (permit, now) = (cx.permit(AddMedia)?, cx.now());
    if let Some(awaited) = done_with {
        let permit = cx.permit(cms_domain::media::BringMedia { owner: awaited.author })?;
        cx.tx().await?.awaited().delete(&permit, awaited.id).await?;
    }
    let tx = cx.tx().await?;
    // Of two that send the same bytes at once, the other one finds them afterwards.
    match tx.media().insert(&permit, &item).await {
        Ok(()) => {}
        Err(cms_storage::Error::Conflict(constraint)) if constraint == MEDIA_BYTES => {
            cx.abandon();
            arriving::let_go_of(cx.cms(), item.file.key);
            let known = known(cx, &item.file.sha256).await?;
            return known.ok_or_else(Error::overtaken);
        }
        Err(error) => return Err(error.into()),
    }
    must_take(cx, &item.file.key, now).await?;
    tell(cx, item.id);
    cx.audit_named(crate::SORT, item.id, Some(&item.filename), &json!({ "mimeType": item.file.media_type, "size": item.file.size }));
    Ok(MediaAnswer { item: MediaShown::new(cx, item), deduplicated: false })
}

/// Takes an object for an item.
pub(crate) async fn must_take(cx: &mut Cx<'_>, key: &str, now: cms_domain::time::Timestamp) -> Result<(), Error> {
    if cx.tx().await?.loose_files().take(key, now).await? {
        return Ok(());
    }
    Err(Error::with(Code::RequestTimeout, "the file took too long to arrive: send it again"))
}
