//! Change a collection.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::{AdminHints, Moderation, Support, Supports},
    patch::Patch,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
    url_pattern::UrlPattern,
};
use cms_frame::{
    Cx, Error,
    failures::{COLLECTION, Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    held::Held,
    input::{Composite, Days, Description, Label, Place, ShortName},
    rules, trail,
    views::{CollectionItem, CollectionView},
};

/// Change a collection.
///
/// What is left out stays. Null clears what may be unset, and is as good as left out elsewhere. Lists are replaced whole.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateCollection {
    /// The collection.
    pub slug: CollectionSlug,
    /// Revision last read of the collection or of any of its fields; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// What to call the entries.
    pub label: Option<Label>,
    /// What to call one entry.
    #[serde(default)]
    pub label_singular: Patch<Label>,
    /// What the collection is for.
    #[serde(default)]
    pub description: Patch<Description>,
    /// Name of a Lucide icon.
    #[serde(default)]
    pub icon: Patch<ShortName>,
    /// How the admin application shows the collection.
    #[serde(default)]
    pub admin: Patch<AdminHints>,
    /// Features. What is no longer supported is refused from now on; what is there of it stays.
    pub supports: Option<Supports>,
    /// Path of an entry on the site.
    #[serde(default)]
    pub url_pattern: Patch<UrlPattern>,
    /// Whether entries have an address, so that one needs a slug to be published.
    pub routable: Option<bool>,
    /// Whether entries carry SEO members. When `supports` is given and this is not, it follows from `seo`.
    pub has_seo: Option<bool>,
    /// Whether the navigation leaves the collection out.
    pub hidden: Option<bool>,
    /// Place in the navigation; unset ones come last.
    #[serde(default)]
    pub sort_order: Patch<Place>,
    /// Field that names an entry: string, text or slug. Without, the field `title` or `name` does.
    #[serde(default)]
    pub title_field: Patch<FieldSlug>,
    /// Field that dates an entry: datetime.
    #[serde(default)]
    pub date_field: Patch<FieldSlug>,
    /// Whether entries take comments.
    pub comments_enabled: Option<bool>,
    /// Which comments wait for a moderator.
    pub comments_moderation: Option<Moderation>,
    /// Days after publication when comments close; 0 for never.
    pub comments_closed_after_days: Option<Days>,
    /// Whether comments of signed-in users need no moderator.
    pub comments_auto_approve_users: Option<bool>,
    /// Whether an editor's lease on an entry keeps others from saving it.
    pub edit_locking: Option<bool>,
    /// Indexes over several fields; at most 8. New ones are built in the background.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub indexes: Patch<Vec<Composite>>,
}

impl Operation for UpdateCollection {
    const ID: &'static str = "schema.update_collection";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::put("updateCollection", "/schema/collections/{slug}");
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[COLLECTION, STALE];
    type Output = CollectionItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItem, Error> {
        let mut held = Held::lock_at(cx, &self.slug, self.rev.as_ref()).await?;
        let before = CollectionView::of(&held.collection);
        let mut composites = held.composites();
        self.apply(&mut held, &mut composites);
        held.collection.updated_at = held.now;
        let issues = rules::check(&held.collection, &composites);
        if !issues.is_empty() {
            return Err(Error::invalid(issues));
        }
        cx.tx().await?.collections().update(&held.permit, &held.collection).await?;
        let collection = held.settle(cx, composites, None).await?;
        let details = trail::changed(&before, &CollectionView::of(&collection))?;
        trail::collection(cx, &collection.slug, &details);
        Ok(CollectionItem { item: CollectionView::with_fields(&collection) })
    }
}

impl UpdateCollection {
    fn apply(self, held: &mut Held, composites: &mut Vec<Vec<FieldSlug>>) {
        let collection = &mut held.collection;
        set(&mut collection.label, self.label.map(Label::into_string));
        self.label_singular.map(Label::into_string).apply(&mut collection.label_singular);
        self.description.map(Description::into_string).apply(&mut collection.description);
        self.icon.map(ShortName::into_string).apply(&mut collection.icon);
        self.url_pattern.map(|pattern| pattern.to_string()).apply(&mut collection.url_pattern);
        self.admin.apply(&mut collection.admin);
        let derived = self.supports.as_ref().map(|supports| supports.contains(&Support::Seo));
        set(&mut collection.has_seo, self.has_seo.or(derived));
        set(&mut collection.supports, self.supports);
        set(&mut collection.routable, self.routable);
        set(&mut collection.hidden, self.hidden);
        self.sort_order.map(Place::get).apply(&mut collection.sort_order);
        self.title_field.apply(&mut collection.title_field);
        self.date_field.apply(&mut collection.date_field);
        set(&mut collection.comments_enabled, self.comments_enabled);
        set(&mut collection.comments_moderation, self.comments_moderation);
        set(&mut collection.comments_closed_after_days, self.comments_closed_after_days.map(Days::get));
        set(&mut collection.comments_auto_approve_users, self.comments_auto_approve_users);
        set(&mut collection.edit_locking, self.edit_locking);
        match self.indexes {
            Patch::Keep => {}
            Patch::Clear => composites.clear(),
            Patch::Set(declared) => *composites = declared.into_iter().map(|composite| composite.fields).collect(),
        }
    }
}

fn set<T>(value: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *value = new;
    }
}
