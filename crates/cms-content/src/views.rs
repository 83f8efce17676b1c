//! Saved views: what people ask of a list again and again, kept for themselves or for everybody.

use cms_domain::{
    access::{Access, Permission, Scope},
    bounded::is_one_line,
    page::{Cursor, PageSize},
    rev::Rev,
    slug::CollectionSlug,
    time::Timestamp,
    view::{KeepView, SavedView, ViewId, ViewName, ViewSearch},
};
use cms_frame::{
    Code, Cx, Error, audit_line,
    descriptor::{self, Descriptor, Group},
    failures::{COLLECTION, Failures, PAGED, STALE, THING},
    must_be_current,
    operation::{Http, Operation, Tool},
    page::{Page, Paging},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::schema_cache::{self, collection, collection_for_write};

/// What views are called where the audit log tells of them.
const SORT: &str = "view";
/// How many views a user may have, of all collections: more are a list of their own, and not found again.
const MAX_VIEWS: i64 = 100;

/// Who has views; [`KeepView`] says which of them they may change.
const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentReadDrafts);

/// The operations of saved views.
pub(crate) fn operations() -> Vec<Descriptor> {
    const VIEWS: Group = Group { prefix: SORT, name: "Views", about: "What people ask of a list again and again." };
    let operations = vec![
        Descriptor::of::<ListViews>(),
        Descriptor::of::<CreateView>(),
        Descriptor::of::<GetView>(),
        Descriptor::of::<UpdateView>(),
        Descriptor::of::<DeleteView>(),
    ];
    descriptor::grouped(&[VIEWS], operations)
}

/// A saved view.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewShown {
    /// Identifies the view.
    pub id: ViewId,
    /// What it is called.
    pub name: ViewName,
    /// What stands in the address of the list: filters, order, columns and the search.
    pub search: ViewSearch,
    /// Whether everybody finds it who sees the list, or its owner alone.
    pub is_shared: bool,
    /// Whether the caller saved it.
    pub is_mine: bool,
    /// Whether the caller may change and delete it.
    pub may_edit: bool,
    /// When it was saved first.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl ViewShown {
    fn to(cx: &Cx<'_>, view: SavedView) -> Self {
        Self {
            rev: view.rev(),
            is_mine: cx.actor().user() == Some(view.owner),
            may_edit: cx.permit(view.keeping()).is_ok(),
            id: view.id,
            name: view.name,
            search: view.search,
            is_shared: view.is_shared,
            created_at: view.created_at,
            updated_at: view.updated_at,
        }
    }
}

/// A saved view as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ViewItem {
    /// The view.
    pub item: ViewShown,
}

/// List the saved views of a collection's list.
///
/// The caller's own and those that are shared, in the order of their making.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListViews {
    /// The collection.
    pub collection: CollectionSlug,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

impl Operation for ListViews {
    const ID: &'static str = "view.list";
    const ACCESS: Access = ACCESS;
    const HTTP: Http = Http::get("listViews", "/views").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION, PAGED];
    type Output = Page<ViewShown>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<ViewShown>, Error> {
        let collection = collection(cx, &self.collection).await?.id;
        let paging = Paging::new(format!("{} {collection}", Self::ID), self.limit);
        let after = paging.after(self.cursor)?;
        let views = cx.read().views().list(collection, cx.account()?, after, paging.rows()).await?;
        Ok(paging.page(views, |last| last.id)?.map(|view| ViewShown::to(cx, view)))
    }
}

/// Save a view of a collection's list.
///
/// A user has at most 100. One that everybody finds takes somebody who may edit anyone's content.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "collection": "posts", "name": "My drafts", "search": { "status": "draft", "sort": "-updatedAt" } }))]
pub struct CreateView {
    /// The collection.
    pub collection: CollectionSlug,
    /// What it is called.
    pub name: ViewName,
    /// What stands in the address of the list: at most 30 parameters, whose names and values have at most 8,000 bytes.
    pub search: ViewSearch,
    /// Whether everybody finds it who sees the list.
    #[serde(default)]
    pub is_shared: bool,
}

impl Operation for CreateView {
    const ID: &'static str = "view.create";
    const ACCESS: Access = ACCESS;
    const HTTP: Http = Http::post("createView", "/views").created().internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION, &[Code::ViewLimit]];
    type Output = ViewItem;

    fn check(&self) -> Result<(), Error> {
        stands_on_a_button(&self.name)
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<ViewItem, Error> {
        let (owner, now) = (cx.account()?, cx.now());
        let permit = cx.permit(KeepView { owner, is_shared: self.is_shared })?;
        let collection = collection_for_write(cx, &self.collection).await?.id;
        let (name, search, is_shared) = (self.name, self.search, self.is_shared);
        let view = SavedView { id: cx.new_id(), collection, owner, name, search, is_shared, created_at: now, updated_at: now };
        let tx = cx.tx().await?;
        // Of two that save at once, the other one counts afterwards.
        tx.users().lock(owner).await?;
        if tx.reader().views().count(owner).await? >= MAX_VIEWS {
            return Err(Error::new(Code::ViewLimit));
        }
        tx.views().insert(&permit, &view).await?;
        told(cx, &view, json!({ "isShared": view.is_shared })).await?;
        Ok(ViewItem { item: ViewShown::to(cx, view) })
    }
}

/// Refuses a name that people cannot see, or that reaches beyond where it stands.
fn stands_on_a_button(name: &ViewName) -> Result<(), Error> {
    if is_one_line(name.as_str()) {
        return Ok(());
    }
    Err(Error::issue("name", "INVALID_VALUE", "expected words on one line"))
}

/// Get a saved view.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetView {
    /// The view.
    pub id: ViewId,
}

impl Operation for GetView {
    const ID: &'static str = "view.get";
    const ACCESS: Access = ACCESS;
    const HTTP: Http = Http::get("getView", "/views/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = ViewItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ViewItem, Error> {
        let view = cx.read().views().by_id(self.id).await?;
        Ok(ViewItem { item: ViewShown::to(cx, found(cx, self.id, view)?) })
    }
}

/// Change a saved view.
///
/// What is left out stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "name": "Drafts of mine" }))]
pub struct UpdateView {
    /// The view.
    pub id: ViewId,
    /// What it is called.
    pub name: Option<ViewName>,
    /// What stands in the address of the list, all of it.
    pub search: Option<ViewSearch>,
    /// Whether everybody finds it who sees the list.
    pub is_shared: Option<bool>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateView {
    const ID: &'static str = "view.update";
    const ACCESS: Access = ACCESS;
    const HTTP: Http = Http::put("updateView", "/views/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, STALE];
    type Output = ViewItem;

    fn check(&self) -> Result<(), Error> {
        self.name.as_ref().map_or(Ok(()), stands_on_a_button)
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<ViewItem, Error> {
        let before = lock(cx, self.id).await?;
        let is_shared = self.is_shared.unwrap_or(before.is_shared);
        let permit = cx.permit(KeepView { owner: before.owner, is_shared: before.is_shared || is_shared })?;
        must_be_current(self.rev.as_ref(), &before.rev())?;
        let view = SavedView {
            name: self.name.unwrap_or_else(|| before.name.clone()),
            search: self.search.unwrap_or_else(|| before.search.clone()),
            is_shared,
            updated_at: cx.now().later_than(before.updated_at),
            ..before
        };
        cx.tx().await?.views().update(&permit, &view).await?;
        let changes = audit_line::changes([
            ("name", json!(before.name), json!(view.name)),
            ("search", json!(before.search), json!(view.search)),
            ("isShared", json!(before.is_shared), json!(view.is_shared)),
        ]);
        told(cx, &view, Value::Object(changes)).await?;
        Ok(ViewItem { item: ViewShown::to(cx, view) })
    }
}

/// Delete a saved view.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteView {
    /// The view.
    pub id: ViewId,
}

/// The view is deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ViewDeleted {
    /// Always true.
    pub deleted: bool,
}

impl Operation for DeleteView {
    const ID: &'static str = "view.delete";
    const ACCESS: Access = ACCESS;
    const HTTP: Http = Http::delete("deleteView", "/views/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = ViewDeleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ViewDeleted, Error> {
        let view = lock(cx, self.id).await?;
        let permit = cx.permit(view.keeping())?;
        cx.tx().await?.views().delete(&permit, view.id).await?;
        told(cx, &view, json!({})).await?;
        Ok(ViewDeleted { deleted: true })
    }
}

/// A view as far as the caller finds it: somebody else's own does not exist for them.
fn found(cx: &Cx<'_>, id: ViewId, view: Option<SavedView>) -> Result<SavedView, Error> {
    let view = view.filter(|view| view.is_shared || Some(view.owner) == cx.actor().user());
    view.ok_or_else(|| Error::with(Code::NotFound, format!("there is no view `{id}`")))
}

/// A view that the caller finds, which nobody else changes meanwhile.
async fn lock(cx: &mut Cx<'_>, id: ViewId) -> Result<SavedView, Error> {
    let view = cx.tx().await?.views().lock(id).await?;
    found(cx, id, view)
}

/// Tells the audit log what was done to a view.
async fn told(cx: &mut Cx<'_>, view: &SavedView, mut details: Value) -> Result<(), Error> {
    let collection = schema_cache::collection_by_id(cx, view.collection).await?;
    details["collection"] = json!(collection.map(|collection| collection.slug.clone()));
    cx.audit_named(SORT, view.id, Some(view.name.as_str()), &details);
    Ok(())
}
