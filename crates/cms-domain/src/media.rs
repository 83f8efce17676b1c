//! The library: files that people upload, what is known of each, and the folders that they are sorted into.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::{
    access::{Actor, Permission, Purpose},
    bounded::{Bounded, is_one_line},
    id::{Id, UserId},
    locale::Locale,
    rev::Rev,
    text::{schema_of, text_type},
    time::Timestamp,
};

/// Identifies an item of the library.
pub type MediaId = Id<MediaItem>;
/// Identifies a folder of the library.
pub type FolderId = Id<MediaFolder>;

/// What a picture shows, for whoever does not see it: up to 2,000 characters. Screen readers read it in one go, so a sentence or two are better.
pub type AltText = Bounded<0, 2000>;
/// What is written below a picture, in up to 4,000 characters.
pub type Caption = Bounded<0, 4000>;

/// The largest file whose size can be told: JSON numbers of browsers are exact up to 2⁵³.
pub const LARGEST: u64 = 1 << 53;

/// A file of the library. Until its bytes have arrived and are confirmed, it is hidden.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaItem {
    /// Identifies the item, whichever bytes it has.
    pub id: MediaId,
    /// What its bytes are.
    pub file: MediaFile,
    /// What it is called where it is downloaded.
    pub filename: String,
    /// What it shows.
    pub alt: Option<AltText>,
    /// What is written below it.
    pub caption: Option<Caption>,
    /// What it shows, and what is written below it, in languages other than the site's first.
    pub translations: Translations,
    /// The words that it is sorted by.
    pub tags: Tags,
    /// What must stay in sight where it is cropped.
    pub focal_point: Option<FocalPoint>,
    /// The folder that it is in; none in the main library.
    pub folder: Option<FolderId>,
    /// Who uploaded it; nobody when the server did, or their account is gone.
    pub author: Option<UserId>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl MediaItem {
    /// The token that guards what people edit of it.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }

    /// What it takes to change it.
    pub fn changing(&self) -> ChangeMedia {
        ChangeMedia { owner: self.author }
    }

    /// What it takes to remove it.
    pub fn removing(&self) -> RemoveMedia {
        RemoveMedia { owner: self.author }
    }
}

/// What is known of bytes that have arrived. None of it is what somebody claims.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaFile {
    /// Where they are. Other bytes are elsewhere, so that what is there may be kept for ever.
    pub key: String,
    /// Their media type.
    pub media_type: String,
    /// How many they are.
    pub size: u64,
    /// Their SHA-1, by which the contract tells duplicates.
    pub sha1: [u8; 20],
    /// Their SHA-256, by which duplicates are found.
    pub sha256: [u8; 32],
    /// What is in them, where that is a picture that can be looked at.
    pub picture: Option<Picture>,
}

/// What is known of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Its width as it is shown, in pixels.
    pub width: u32,
    /// Its height as it is shown, in pixels.
    pub height: u32,
    /// Whether it moves.
    #[serde(default)]
    pub animated: bool,
    /// Whether something is seen through it.
    #[serde(default)]
    pub has_alpha: bool,
    /// What is shown until it is there: a BlurHash.
    #[serde(default)]
    pub blurhash: Option<String>,
    /// The same as a ThumbHash, in base64, which knows transparency and proportions.
    #[serde(default)]
    pub thumbhash: Option<String>,
    /// The colour that it has all in all: `rgb(r,g,b)`.
    #[serde(default)]
    pub dominant_color: Option<String>,
}

/// What must stay in sight where a picture is cropped: a place in it, from 0 at the left and top to 1 at the right and bottom.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FocalPoint {
    /// How far from the left.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub x: f64,
    /// How far from the top.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub y: f64,
}

/// What is said of a file in other languages than the site's first, by their locales.
pub type Translations = BTreeMap<Locale, MediaTexts>;

/// What is said of a file in a language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MediaTexts {
    /// What it shows, for whoever does not see it.
    pub alt: Option<AltText>,
    /// What is written below it.
    pub caption: Option<Caption>,
}

/// A word that files are sorted by: up to 50 characters on one line, without blanks around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag(String);

/// The text is no tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is no tag: 1 to {} characters on one line", Tag::LONGEST)]
pub struct TagError;

impl Tag {
    /// The most characters: a tag is a word or two.
    pub const LONGEST: usize = 50;

    /// By what two tags are the same.
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

impl std::str::FromStr for Tag {
    type Err = TagError;

    fn from_str(text: &str) -> Result<Self, TagError> {
        let tag = text.trim();
        if !is_one_line(tag) || tag.chars().count() > Self::LONGEST {
            return Err(TagError);
        }
        Ok(Self(tag.to_owned()))
    }
}

text_type!(Tag);
schema_of!(Tag, "Tag", { "type": "string", "minLength": 1, "maxLength": 50 });

/// The tags of a file, in the order in which they were given. Those that look alike are one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Tag>")]
#[schemars(inline)]
pub struct Tags(#[schemars(length(max = 50))] Vec<Tag>);

/// A file has too many tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("are more than {} tags", Tags::MOST)]
pub struct TagsError;

impl Tags {
    /// The most tags of a file: more are not read on a screen, and say nothing any more.
    pub const MOST: usize = 50;

    /// The tags.
    pub fn all(&self) -> &[Tag] {
        &self.0
    }
}

impl TryFrom<Vec<Tag>> for Tags {
    type Error = TagsError;

    fn try_from(mut tags: Vec<Tag>) -> Result<Self, TagsError> {
        let mut seen = HashSet::new();
        tags.retain(|tag| seen.insert(tag.key()));
        if tags.len() > Self::MOST { Err(TagsError) } else { Ok(Self(tags)) }
    }
}

/// A file that is announced and whose bytes are awaited.
#[derive(Debug, Clone, PartialEq)]
pub struct AwaitedMedia {
    /// Identifies the item that it will be.
    pub id: MediaId,
    /// Where its bytes are put by whoever sends them straight to the store.
    pub key: String,
    /// What it will be called.
    pub filename: String,
    /// The media type that was announced.
    pub media_type: String,
    /// The size that was announced.
    pub size: u64,
    /// The bytes that arrived through the server, until they are confirmed.
    pub arrived: Option<ArrivedFile>,
    /// The folder that it is to go into.
    pub folder: Option<FolderId>,
    /// Who announced it.
    pub author: Option<UserId>,
    /// When it was announced.
    pub created_at: Timestamp,
    /// Until when it is awaited.
    pub expires_at: Timestamp,
}

/// Bytes that arrived, before anybody looked at what is in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ArrivedFile {
    /// Where they are.
    pub key: String,
    /// The media type that they have.
    pub media_type: String,
    /// How many they are.
    pub size: u64,
    /// Their SHA-1.
    pub sha1: [u8; 20],
    /// Their SHA-256.
    pub sha256: [u8; 32],
}

/// A folder of the library. Folders are not in each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFolder {
    /// Identifies the folder.
    pub id: FolderId,
    /// What it is called.
    pub name: FolderName,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl MediaFolder {
    /// The token that guards what people edit of it.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }
}

/// What a folder is called: up to 200 characters on one line, without blanks around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderName(String);

/// The text is not what a folder can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not the name of a folder: 1 to {} characters on one line", FolderName::LONGEST)]
pub struct FolderNameError;

impl FolderName {
    /// The most characters, which fit on a line of every screen.
    pub const LONGEST: usize = 200;

    /// By what two names are the same.
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// By what names are compared and looked for: those that look alike are the same, whatever their letters' case (NFKC, then lower case).
pub fn name_key(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

impl std::str::FromStr for FolderName {
    type Err = FolderNameError;

    fn from_str(text: &str) -> Result<Self, FolderNameError> {
        let name = text.trim();
        if !is_one_line(name) || name.chars().count() > Self::LONGEST {
            return Err(FolderNameError);
        }
        Ok(Self(name.to_owned()))
    }
}

text_type!(FolderName);
schema_of!(FolderName, "FolderName", { "type": "string", "minLength": 1, "maxLength": 200 });

/// To add files to the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddMedia;

impl Purpose for AddMedia {
    fn permission(&self, _: &Actor) -> Option<Permission> {
        Some(Permission::MediaUpload)
    }
}

/// To sort the library into folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SortMedia;

impl Purpose for SortMedia {
    fn permission(&self, _: &Actor) -> Option<Permission> {
        Some(Permission::MediaEditAny)
    }
}

/// To change what is known of a file, or its bytes: one's own with one permission, and anyone's with a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeMedia {
    /// Who uploaded it.
    pub owner: Option<UserId>,
}

impl Purpose for ChangeMedia {
    fn permission(&self, actor: &Actor) -> Option<Permission> {
        Some(if is_own(self.owner, actor) { Permission::MediaEditOwn } else { Permission::MediaEditAny })
    }
}

/// To remove a file: one's own with one permission, and anyone's with a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoveMedia {
    /// Who uploaded it.
    pub owner: Option<UserId>,
}

impl Purpose for RemoveMedia {
    fn permission(&self, actor: &Actor) -> Option<Permission> {
        Some(if is_own(self.owner, actor) { Permission::MediaDeleteOwn } else { Permission::MediaDeleteAny })
    }
}

/// To go on with a file that was announced: as whoever announced it, or as somebody who may change anyone's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BringMedia {
    /// Who announced it.
    pub owner: Option<UserId>,
}

impl Purpose for BringMedia {
    fn permission(&self, actor: &Actor) -> Option<Permission> {
        Some(if is_own(self.owner, actor) { Permission::MediaUpload } else { Permission::MediaEditAny })
    }
}

/// What is nobody's is nobody's own.
fn is_own(owner: Option<UserId>, actor: &Actor) -> bool {
    owner.is_some() && owner == actor.user()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        access::{Caller, Refusal, Via},
        user::Role,
    };

    fn person(n: u128, role: Role) -> Actor {
        Actor::User(Caller { user: UserId::from_parts(0, n), role, via: Via::Host })
    }

    #[test]
    fn who_uploaded_a_file_changes_it_as_an_author_and_others_as_editors() {
        let mine = ChangeMedia { owner: Some(UserId::from_parts(0, 1)) };
        assert_eq!(person(1, Role::Contributor).permit(mine), Err(Refusal::Permission(Permission::MediaEditOwn)));
        assert!(person(1, Role::Author).permit(mine).is_ok());
        assert_eq!(person(2, Role::Author).permit(mine), Err(Refusal::Permission(Permission::MediaEditAny)));
        assert!(person(2, Role::Editor).permit(mine).is_ok());
        assert!(person(2, Role::Author).permit(ChangeMedia { owner: None }).is_err(), "nobody's is nobody's own");
    }

    #[test]
    fn who_announced_a_file_goes_on_with_it_as_somebody_who_uploads() {
        let mine = BringMedia { owner: Some(UserId::from_parts(0, 1)) };
        assert!(person(1, Role::Contributor).permit(mine).is_ok());
        assert!(person(2, Role::Contributor).permit(mine).is_err());
        assert!(person(2, Role::Editor).permit(mine).is_ok());
        let removing = RemoveMedia { owner: mine.owner };
        assert!(person(1, Role::Contributor).permit(removing).is_err());
        assert!(person(1, Role::Author).permit(removing).is_ok());
        assert!(person(2, Role::Author).permit(removing).is_err());
    }

    #[test]
    fn tags_that_look_alike_are_one_and_there_are_not_too_many() {
        let tags = |texts: &[&str]| texts.iter().map(|text| text.parse()).collect::<Result<Vec<Tag>, _>>();
        let few = Tags::try_from(tags(&["Harbour", " sea ", "HARBOUR"]).unwrap()).unwrap();
        assert_eq!(few.all().iter().map(Tag::as_str).collect::<Vec<_>>(), ["Harbour", "sea"]);
        for refused in ["", " ", "a\nb", &"x".repeat(51)] {
            assert!(tags(&[refused]).is_err(), "{refused:?}");
        }
        let many = |count: usize| Tags::try_from((0..count).map(|n| format!("t{n}").parse().unwrap()).collect::<Vec<Tag>>());
        assert!(many(Tags::MOST).is_ok() && many(Tags::MOST + 1).is_err());
    }

    #[test]
    fn names_of_folders_that_look_alike_are_the_same() {
        let key = |text: &str| text.parse::<FolderName>().unwrap().key();
        assert_eq!(key("  Fotos "), key("fotos"));
        assert_eq!(key("Straße"), key("STRAßE"));
        assert_eq!(key("ﬁlm"), key("FILM"));
        assert_eq!(key("e\u{301}"), key("É"));
        assert_ne!(key("a"), key("b"));
        for refused in ["", "  ", "a\nb", "a\u{202e}b", &"x".repeat(201)] {
            assert!(refused.parse::<FolderName>().is_err(), "{refused:?}");
        }
        assert!("ü".repeat(200).parse::<FolderName>().is_ok());
    }
}
