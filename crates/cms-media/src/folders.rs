//! Folders of the library: list, make, get, rename and delete them.

use cms_domain::{
    access::{Access, Permission, Scope},
    media::{FolderId, FolderName, MediaFolder, SortMedia},
    page::{Cursor, PageSize},
    rev::Rev,
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error, audit_line,
    failures::{Failures, PAGED, STALE, THING},
    must_be_current,
    operation::{Http, Operation, Tool},
    page::{Page, Paging},
};
use cms_storage::FOLDER_NAME;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What folders are called where the audit log tells of them.
const SORT: &str = "media_folder";
/// The most folders: more are not found again in a list that has no levels.
const MOST: i64 = 1000;

const READ: Access = Access::Needs(Scope::MediaRead, Permission::MediaRead);
const WRITE: Access = Access::Needs(Scope::MediaWrite, Permission::MediaEditAny);

/// A folder of the library.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderShown {
    /// Identifies the folder.
    pub id: FolderId,
    /// What it is called.
    pub name: FolderName,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl From<MediaFolder> for FolderShown {
    fn from(folder: MediaFolder) -> Self {
        let rev = folder.rev();
        let MediaFolder { id, name, created_at, updated_at } = folder;
        Self { id, name, created_at, updated_at, rev }
    }
}

/// A folder as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FolderItem {
    /// The folder.
    pub item: FolderShown,
}

/// List the folders of the library.
///
/// In the order of their names.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListFolders {
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

impl Operation for ListFolders {
    const ID: &'static str = "media_folder.list";
    const ACCESS: Access = READ;
    const HTTP: Http = Http::get("listMediaFolders", "/media/folders");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[PAGED];
    type Output = Page<FolderShown>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<FolderShown>, Error> {
        let paging = Paging::new(Self::ID, self.limit);
        let after = paging.after(self.cursor)?;
        let folders = cx.read().folders().list(after, paging.rows()).await?;
        Ok(paging.page(folders, |last| last.name.key())?.map(FolderShown::from))
    }
}

/// Make a folder.
///
/// Names that look alike are the same, whatever the case of their letters. The library has at most 1,000 folders.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "name": "Portraits" }))]
pub struct CreateFolder {
    /// What it is called: up to 200 characters on one line. Blanks around it go.
    pub name: FolderName,
}

impl Operation for CreateFolder {
    const ID: &'static str = "media_folder.create";
    const ACCESS: Access = WRITE;
    const HTTP: Http = Http::post("createMediaFolder", "/media/folders").created();
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[&[Code::Conflict, Code::FolderLimit]];
    type Output = FolderItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FolderItem, Error> {
        let (permit, now) = (cx.permit(SortMedia)?, cx.now());
        let folder = MediaFolder { id: cx.new_id(), name: self.name, created_at: now, updated_at: now };
        let tx = cx.tx().await?;
        if tx.reader().folders().count().await? >= MOST {
            return Err(Error::new(Code::FolderLimit));
        }
        tx.folders().insert(&permit, &folder).await.map_err(taken)?;
        cx.audit_named(SORT, folder.id, Some(folder.name.as_str()), &json!({}));
        Ok(FolderItem { item: folder.into() })
    }
}

/// Get a folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetFolder {
    /// The folder.
    pub id: FolderId,
}

impl Operation for GetFolder {
    const ID: &'static str = "media_folder.get";
    const ACCESS: Access = READ;
    const HTTP: Http = Http::get("getMediaFolder", "/media/folders/{id}");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING];
    type Output = FolderItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FolderItem, Error> {
        let folder = cx.read().folders().by_id(self.id).await?;
        Ok(FolderItem { item: found(folder, self.id)?.into() })
    }
}

/// Rename a folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "name": "Portraits of authors" }))]
pub struct UpdateFolder {
    /// The folder.
    pub id: FolderId,
    /// What it is called: up to 200 characters on one line. Blanks around it go.
    pub name: FolderName,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateFolder {
    const ID: &'static str = "media_folder.update";
    const ACCESS: Access = WRITE;
    const HTTP: Http = Http::put("updateMediaFolder", "/media/folders/{id}");
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[THING, STALE];
    type Output = FolderItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FolderItem, Error> {
        let permit = cx.permit(SortMedia)?;
        let before = found(cx.tx().await?.folders().lock(self.id).await?, self.id)?;
        must_be_current(self.rev.as_ref(), &before.rev())?;
        let folder = MediaFolder { name: self.name, updated_at: cx.now().later_than(before.updated_at), ..before.clone() };
        cx.tx().await?.folders().update(&permit, &folder).await.map_err(taken)?;
        let changes = audit_line::changes([("name", json!(before.name), json!(folder.name))]);
        cx.audit_named(SORT, folder.id, Some(folder.name.as_str()), &Value::Object(changes));
        Ok(FolderItem { item: folder.into() })
    }
}

/// Delete a folder.
///
/// What is in it goes back to the main library, and is otherwise as it was.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteFolder {
    /// The folder.
    pub id: FolderId,
}

/// The folder is deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FolderDeleted {
    /// Always true.
    pub deleted: bool,
}

impl Operation for DeleteFolder {
    const ID: &'static str = "media_folder.delete";
    const ACCESS: Access = WRITE;
    const HTTP: Http = Http::delete("deleteMediaFolder", "/media/folders/{id}");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[THING];
    type Output = FolderDeleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FolderDeleted, Error> {
        let (permit, now) = (cx.permit(SortMedia)?, cx.now());
        let tx = cx.tx().await?;
        let folder = found(tx.folders().lock(self.id).await?, self.id)?;
        let emptied = tx.media().empty(&permit, folder.id, now).await?;
        tx.folders().delete(&permit, folder.id).await?;
        cx.audit_named(SORT, folder.id, Some(folder.name.as_str()), &json!({ "files": emptied }));
        Ok(FolderDeleted { deleted: true })
    }
}

fn found(folder: Option<MediaFolder>, id: FolderId) -> Result<MediaFolder, Error> {
    folder.ok_or_else(|| Error::with(Code::NotFound, format!("there is no folder `{id}`")))
}

/// Another folder has the name.
fn taken(error: cms_storage::Error) -> Error {
    match error {
        cms_storage::Error::Conflict(constraint) if constraint == FOLDER_NAME => {
            Error::with(Code::Conflict, "another folder has this name, or one that looks like it")
        }
        error => error.into(),
    }
}

/// Refuses to put something into a folder that is not there. It stays until the transaction ends.
pub(crate) async fn must_be_there(cx: &mut Cx<'_>, id: FolderId) -> Result<(), Error> {
    found(cx.tx().await?.folders().hold(id).await?, id).map(drop)
}
