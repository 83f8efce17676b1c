//! Items of the library: list, get, change and delete them.

use std::{collections::BTreeMap, str::FromStr};

use cms_domain::{
    access::{Access, Permission, Scope},
    locale::Locale,
    media::{AltText, Caption, FocalPoint, FolderId, LARGEST, MediaId, MediaItem, MediaTexts, Tag, Tags, Translations},
    page::{Cursor, PageSize},
    patch::Patch,
    rev::Rev,
    time::Timestamp,
};
use cms_files::FileName;
use cms_frame::{
    Code, Cx, Error, audit_line,
    failures::{Failures, PAGED, STALE, THING},
    must_be_current,
    operation::{Http, Operation, Tool},
    page::{Page, Paging},
};
use cms_storage::MediaFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    SORT,
    folders::must_be_there,
    item::{MediaAnswer, MediaShown},
    tell,
    usage::{self, Included},
};

/// Who sees the library.
const READ: Access = Access::Needs(Scope::MediaRead, Permission::MediaRead);
/// How many media types a list may be asked for at once: as many as there are kinds of files that people tell apart.
const MOST_TYPES: usize = 20;
/// The main library, where a folder is asked for.
const UNFILED: &str = "unfiled";

/// List the files of the library.
///
/// The newest first. Files that are awaited are not listed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListMedia {
    /// Media types, with commas between them: `image/png`, or `image/` for all pictures.
    #[schemars(length(min = 1, max = 1000))]
    pub mime_type: Option<String>,
    /// What the name has in it, in any case of letters.
    #[schemars(length(min = 1, max = 200))]
    pub q: Option<String>,
    /// A folder, or `unfiled` for what is in none. Everything when it is left out.
    pub folder_id: Option<String>,
    /// A tag that the files have, in any case of letters.
    pub tag: Option<Tag>,
    /// From when on they were uploaded.
    pub created_from: Option<Timestamp>,
    /// Before when they were uploaded.
    pub created_before: Option<Timestamp>,
    /// How many bytes they have at least.
    #[schemars(range(max = LARGEST))]
    pub min_size: Option<u64>,
    /// How many bytes they have at most.
    #[schemars(range(max = LARGEST))]
    pub max_size: Option<u64>,
    /// Only pictures of which nobody says what they show.
    #[serde(default)]
    pub without_alt: bool,
    /// Only files that no entry is known to use, drafts included: for those who may read drafts. While entries are still being looked through, some of
    /// them may be in use after all, as the coverage of `includeUsage` says.
    #[serde(default)]
    pub unused: bool,
    /// Whether to say how many entries use each.
    pub include_usage: Option<Included>,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

impl ListMedia {
    fn filter(&self) -> Result<MediaFilter, Error> {
        let media_types: Vec<String> = self
            .mime_type
            .iter()
            .flat_map(|types| types.split(','))
            .map(|media_type| media_type.trim().to_ascii_lowercase())
            .filter(|media_type| !media_type.is_empty())
            .collect();
        if media_types.len() > MOST_TYPES {
            return Err(Error::issue(
                "mimeType",
                "TOO_MANY",
                format!("names {} types, of which {MOST_TYPES} are allowed", media_types.len()),
            ));
        }
        let folder = match self.folder_id.as_deref() {
            None => None,
            Some(UNFILED) => Some(None),
            Some(id) => {
                let id = FolderId::from_str(id)
                    .map_err(|_| Error::issue("folderId", "INVALID_VALUE", "expected the id of a folder, or `unfiled`"))?;
                Some(Some(id))
            }
        };
        let name = self.q.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        if let (Some(least), Some(most)) = (self.min_size, self.max_size)
            && least > most
        {
            return Err(Error::issue("maxSize", "INVALID_VALUE", "is less than `minSize`"));
        }
        if let (Some(from), Some(before)) = (self.created_from, self.created_before)
            && from >= before
        {
            return Err(Error::issue("createdBefore", "INVALID_VALUE", "is not later than `createdFrom`"));
        }
        Ok(MediaFilter {
            media_types,
            name,
            folder,
            tag: self.tag.clone(),
            created_from: self.created_from,
            created_before: self.created_before,
            min_size: self.min_size,
            max_size: self.max_size,
            without_alt: self.without_alt,
            unused: self.unused,
        })
    }
}

impl Operation for ListMedia {
    const ID: &'static str = "media.list";
    const ACCESS: Access = READ;
    const HTTP: Http = Http::get("listMedia", "/media");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[PAGED];
    type Output = Page<MediaShown>;

    fn check(&self) -> Result<(), Error> {
        self.filter().map(drop)
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<MediaShown>, Error> {
        let filter = self.filter()?;
        let paging = Paging::new(format!("{} {filter:?}", Self::ID), self.limit);
        let after = paging.after(self.cursor)?;
        if self.unused {
            usage::may_read_drafts(cx)?;
        }
        let items = cx.read().media().list(&filter, after, paging.rows()).await?;
        let mut page = paging.page(items, |last| last.id)?.map(|item| MediaShown::new(cx, item));
        if self.include_usage.is_some() {
            usage::add(cx, &mut page.items).await?;
        }
        Ok(page)
    }
}

/// Get a file of the library.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetMedia {
    /// The item.
    pub id: MediaId,
    /// Whether to say how many entries use it.
    pub include_usage: Option<Included>,
}

impl Operation for GetMedia {
    const ID: &'static str = "media.get";
    const ACCESS: Access = READ;
    const HTTP: Http = Http::get("getMedia", "/media/{id}");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING];
    type Output = MediaAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaAnswer, Error> {
        let item = found(cx.read().media().by_id(self.id).await?, self.id)?;
        let mut item = MediaShown::new(cx, item);
        if self.include_usage.is_some() {
            usage::add(cx, std::slice::from_mut(&mut item)).await?;
        }
        Ok(MediaAnswer { item, deduplicated: false })
    }
}

/// Change what is said of a file.
///
/// What is left out stays, and null clears it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "alt": "A lighthouse at dusk" }))]
pub struct UpdateMedia {
    /// The item.
    pub id: MediaId,
    /// What it is called where it is downloaded. Its extension stays that of the bytes.
    #[schemars(length(min = 1, max = 255))]
    pub filename: Option<String>,
    /// What it shows, for whoever does not see it.
    #[serde(default)]
    pub alt: Patch<AltText>,
    /// What is written below it.
    #[serde(default)]
    pub caption: Patch<Caption>,
    /// The same in languages other than the site's first, by their locales. Languages that are left out stay, and null clears one.
    pub translations: Option<BTreeMap<Locale, Option<MediaTexts>>>,
    /// The words that it is sorted by, all of them: up to 50.
    pub tags: Option<Tags>,
    /// What must stay in sight where it is cropped.
    #[serde(default)]
    pub focal_point: Patch<FocalPoint>,
    /// The folder that it is in; null puts it into the main library.
    #[serde(default)]
    pub folder_id: Patch<FolderId>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateMedia {
    const ID: &'static str = "media.update";
    const ACCESS: Access =
        Access::Owned { scope: Scope::MediaWrite, own: Permission::MediaEditOwn, any: Permission::MediaEditAny, own_draft: None };
    const HTTP: Http = Http::put("updateMedia", "/media/{id}");
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[THING, STALE];
    type Output = MediaAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaAnswer, Error> {
        if let Some(folder) = self.folder_id.as_set() {
            must_be_there(cx, *folder).await?;
        }
        let before = lock(cx, self.id).await?;
        let permit = cx.permit(before.changing())?;
        must_be_current(self.rev.as_ref(), &before.rev())?;
        let mut item = MediaItem { updated_at: cx.now().later_than(before.updated_at), ..before.clone() };
        if let Some(name) = &self.filename {
            item.filename = renamed(&before, name)?;
        }
        self.alt.apply(&mut item.alt);
        self.caption.apply(&mut item.caption);
        translate(cx, &mut item.translations, self.translations.unwrap_or_default())?;
        if let Some(tags) = self.tags {
            item.tags = tags;
        }
        self.focal_point.apply(&mut item.focal_point);
        self.folder_id.apply(&mut item.folder);
        cx.tx().await?.media().update(&permit, &item).await?;
        let changes = audit_line::changes([
            ("filename", json!(before.filename), json!(item.filename)),
            ("alt", json!(before.alt), json!(item.alt)),
            ("caption", json!(before.caption), json!(item.caption)),
            ("translations", json!(before.translations), json!(item.translations)),
            ("tags", json!(before.tags), json!(item.tags)),
            ("focalPoint", json!(before.focal_point), json!(item.focal_point)),
            ("folderId", json!(before.folder), json!(item.folder)),
        ]);
        tell(cx, item.id);
        cx.audit_named(SORT, item.id, Some(&item.filename), &Value::Object(changes));
        Ok(MediaAnswer { item: MediaShown::new(cx, item), deduplicated: false })
    }
}

/// Changes what is said in other languages: those that the site has, and not its first, in which the item itself says it.
fn translate(cx: &Cx<'_>, translations: &mut Translations, changes: BTreeMap<Locale, Option<MediaTexts>>) -> Result<(), Error> {
    let locales = &cx.options().locales;
    for (asked, texts) in changes {
        let at = format!("translations.{asked}");
        let Some(texts) = texts else {
            // Of a language that the site no longer has, too.
            translations.remove(locales.resolve(&asked).unwrap_or(&asked));
            continue;
        };
        let locale = locales.resolve(&asked).map_err(|unknown| Error::issue(&at, "UNKNOWN_LOCALE", unknown.to_string()))?;
        if locale == locales.default_locale() {
            return Err(Error::issue(&at, "MISPLACED", "is the site's first language, in which `alt` and `caption` of the item say it"));
        }
        translations.insert(locale.clone(), texts);
    }
    Ok(())
}

/// A new name with the extension that the old one has, which is that of the bytes.
fn renamed(item: &MediaItem, name: &str) -> Result<String, Error> {
    let refused = |error: cms_files::FileNameError| Error::issue("filename", "INVALID_VALUE", error.to_string());
    let name = FileName::parse(name).map_err(refused)?;
    let extension = item.file.key.rsplit_once('.').map_or("", |(_, extension)| extension);
    if name.as_str().rsplit_once('.').is_some_and(|(_, given)| given.eq_ignore_ascii_case(extension)) {
        return Ok(name.as_str().to_owned());
    }
    Ok(FileName::parse(&format!("{}.{extension}", name.as_str())).map_err(refused)?.as_str().to_owned())
}

/// Delete a file for ever.
///
/// Whatever shows it shows nothing from then on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteMedia {
    /// The item.
    pub id: MediaId,
    /// Only if no entry uses it: for those who may read drafts. While entries are still being looked through it is not known, and not deleted.
    #[serde(default)]
    pub if_unused: bool,
}

/// The file is deleted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaDeleted {
    /// Always true.
    pub deleted: bool,
    /// What named its bytes in the store.
    pub storage_key: String,
}

impl Operation for DeleteMedia {
    const ID: &'static str = "media.delete";
    const ACCESS: Access =
        Access::Owned { scope: Scope::MediaWrite, own: Permission::MediaDeleteOwn, any: Permission::MediaDeleteAny, own_draft: None };
    const HTTP: Http = Http::delete("deleteMedia", "/media/{id}");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[THING, &[Code::MediaInUse]];
    type Output = MediaDeleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaDeleted, Error> {
        let item = lock(cx, self.id).await?;
        let (permit, now) = (cx.permit(item.removing())?, cx.now());
        if self.if_unused {
            usage::must_be_unused(cx, item.id).await?;
        }
        let tx = cx.tx().await?;
        // Nobody finds it from here on; then its bytes go.
        tx.media().delete(&permit, item.id).await?;
        tx.loose_files().note(&item.file.key, now).await?;
        tell(cx, item.id);
        cx.audit_named(SORT, item.id, Some(&item.filename), &json!({ "mimeType": item.file.media_type, "size": item.file.size }));
        Ok(MediaDeleted { deleted: true, storage_key: item.file.key })
    }
}

/// An item that was looked for.
pub(crate) fn found(item: Option<MediaItem>, id: MediaId) -> Result<MediaItem, Error> {
    item.ok_or_else(|| Error::with(Code::NotFound, format!("the library has no item `{id}`")))
}

/// An item, which nobody else changes meanwhile.
async fn lock(cx: &mut Cx<'_>, id: MediaId) -> Result<MediaItem, Error> {
    found(cx.tx().await?.media().lock(id).await?, id)
}
