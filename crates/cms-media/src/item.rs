//! An item as it is shown.

use std::fmt::Write as _;

use cms_domain::{
    id::UserId,
    media::{AltText, Caption, FocalPoint, FolderId, MediaFile, MediaId, MediaItem, Tags, Translations},
    rev::Rev,
    time::Timestamp,
};
use cms_frame::Cx;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{serve::WIDTHS, usage::Usage};

/// Whether the bytes of an item are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MediaStatus {
    /// They are.
    Ready,
}

/// An item of the library.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaShown {
    /// Identifies the item, whichever bytes it has.
    pub id: MediaId,
    /// What it is called where it is downloaded.
    pub filename: String,
    /// The media type of its bytes.
    pub mime_type: String,
    /// How many bytes it has.
    pub size: u64,
    /// Width of a picture as it is shown, in pixels.
    pub width: Option<u32>,
    /// Height of a picture as it is shown, in pixels.
    pub height: Option<u32>,
    /// Whether a picture moves.
    pub animated: bool,
    /// What it shows, for whoever does not see it.
    pub alt: Option<AltText>,
    /// What is written below it.
    pub caption: Option<Caption>,
    /// The same in languages other than the site's first, by their locales.
    pub translations: Translations,
    /// The words that it is sorted by.
    pub tags: Tags,
    /// What must stay in sight where it is cropped.
    pub focal_point: Option<FocalPoint>,
    /// The folder that it is in; null in the main library.
    pub folder_id: Option<FolderId>,
    /// Names the bytes in the store. Other bytes have another key.
    pub storage_key: String,
    /// Where the bytes are, from the root of this site.
    pub url: String,
    /// Smaller versions of a picture, as the attribute `srcset` of an `img` has them.
    pub srcset: Option<String>,
    /// Whether its bytes are there.
    pub status: MediaStatus,
    /// The SHA-1 of its bytes, behind `sha1:`. It tells duplicates, and is no proof of anything.
    pub content_hash: String,
    /// What is shown of a picture until it is there: a BlurHash.
    pub blurhash: Option<String>,
    /// The same as a ThumbHash in base64.
    pub thumbhash: Option<String>,
    /// The colour of a picture all in all: `rgb(r,g,b)`.
    pub dominant_color: Option<String>,
    /// Who uploaded it.
    pub author_id: Option<UserId>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// How many entries use it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl MediaShown {
    pub(crate) fn new(cx: &Cx<'_>, item: MediaItem) -> Self {
        let url = address(cx, &item.file.key);
        let (rev, srcset, content_hash) = (item.rev(), srcset(&url, &item.file), content_hash(&item.file.sha1));
        let MediaItem { id, file, filename, alt, caption, translations, tags, focal_point, folder, author, created_at, updated_at } = item;
        let MediaFile { key, media_type, size, sha1: _, sha256: _, picture } = file;
        let of_picture = picture.as_ref();
        Self {
            id,
            filename,
            mime_type: media_type,
            size,
            width: of_picture.map(|picture| picture.width),
            height: of_picture.map(|picture| picture.height),
            animated: of_picture.is_some_and(|picture| picture.animated),
            alt,
            caption,
            translations,
            tags,
            focal_point,
            folder_id: folder,
            storage_key: key,
            url,
            srcset,
            status: MediaStatus::Ready,
            content_hash,
            blurhash: of_picture.and_then(|picture| picture.blurhash.clone()),
            thumbhash: of_picture.and_then(|picture| picture.thumbhash.clone()),
            dominant_color: of_picture.and_then(|picture| picture.dominant_color.clone()),
            author_id: author,
            created_at,
            updated_at,
            usage: None,
            rev,
        }
    }
}

/// Where bytes are, from the root of the site.
pub(crate) fn address(cx: &Cx<'_>, key: &str) -> String {
    format!("{}/media/file/{key}", cx.product().api())
}

/// A SHA-1 as the contract spells it.
pub(crate) fn content_hash(sha1: &[u8; 20]) -> String {
    format!("sha1:{}", hex(sha1))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The versions of a picture that are smaller than it is.
fn srcset(url: &str, file: &MediaFile) -> Option<String> {
    let picture = file.picture.as_ref()?;
    let versions = WIDTHS.iter().filter(|width| **width < picture.width && **width >= 320).map(|width| format!("{url}?w={width} {width}w"));
    Some(versions.chain([format!("{url} {}w", picture.width)]).collect::<Vec<_>>().join(", "))
}

/// An item as it is now.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaAnswer {
    /// The item.
    pub item: MediaShown,
    /// Whether the library had these bytes already: the item is the one that has them, as it was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deduplicated: bool,
}
