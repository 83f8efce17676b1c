//! Create a collection, with or without its fields.

use std::collections::BTreeSet;

use cms_domain::{
    access::{Access, Permission, Scope, to},
    collection::{AdminHints, Collection, Moderation, Support, Supports, default_supports},
    event::Event,
    field::Field,
    issue::Issue,
    slug::{CollectionSlug, FieldSlug},
    source::Source,
    time::Timestamp,
    url_pattern::UrlPattern,
};
use cms_frame::{
    Code, Cx, Error,
    failures::Failures,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    input::{Composite, Days, Description, Label, NewField, Place, ShortName},
    rules::{self, Dates},
    trail,
    views::{CollectionItem, CollectionView},
};

/// Create a collection.
///
/// Its fields can be given at once or added later. What is left out, or null, gets its default.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateCollection {
    /// Its name in addresses. Never changes.
    pub slug: CollectionSlug,
    /// What to call the entries.
    pub label: Label,
    /// What to call one entry.
    pub label_singular: Option<Label>,
    /// What the collection is for.
    pub description: Option<Description>,
    /// Name of a Lucide icon.
    pub icon: Option<ShortName>,
    /// How the admin application shows the collection.
    pub admin: Option<AdminHints>,
    /// Features; drafts, revisions, preview and scheduling unless given. What is not supported is refused.
    pub supports: Option<Supports>,
    /// Where the collection came from; `manual` unless given.
    pub source: Option<Source>,
    /// Path of an entry on the site.
    pub url_pattern: Option<UrlPattern>,
    /// Whether entries have an address, so that one needs a slug to be published; they have unless this is false.
    pub routable: Option<bool>,
    /// Whether entries carry SEO members; they do if `supports` has `seo`, unless given.
    pub has_seo: Option<bool>,
    /// Whether the navigation leaves the collection out.
    pub hidden: Option<bool>,
    /// Place in the navigation; unset ones come last.
    pub sort_order: Option<Place>,
    /// Field that names an entry: string, text or slug. Without, the field `title` or `name` does.
    pub title_field: Option<FieldSlug>,
    /// Field that dates an entry: datetime.
    pub date_field: Option<FieldSlug>,
    /// Whether entries take comments.
    pub comments_enabled: Option<bool>,
    /// Which comments wait for a moderator.
    pub comments_moderation: Option<Moderation>,
    /// Days after publication when comments close; 0 for never.
    pub comments_closed_after_days: Option<Days>,
    /// Whether comments of signed-in users need no moderator; they need none unless this is false.
    pub comments_auto_approve_users: Option<bool>,
    /// Whether an editor's lease on an entry keeps others from saving it; it does unless this is false.
    pub edit_locking: Option<bool>,
    /// Indexes over several fields; at most 8.
    #[schemars(length(max = 8))]
    pub indexes: Option<Vec<Composite>>,
    /// Fields to make with the collection; at most 200.
    #[schemars(length(max = 200))]
    pub fields: Option<Vec<NewField>>,
}

impl Operation for CreateCollection {
    const ID: &'static str = "schema.create_collection";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("createCollection", "/schema/collections").created();
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[&[Code::CollectionExists, Code::ReservedSlug, Code::FieldExists]];
    type Output = CollectionItem;

    async fn run(mut self, cx: &mut Cx<'_>) -> Result<CollectionItem, Error> {
        let permit = cx.permit(to::ManageSchema)?;
        if self.slug.is_reserved() {
            return Err(Error::with(
                Code::ReservedSlug,
                format!("`{}` is part of the API's addresses and cannot be a collection", self.slug),
            ));
        }
        let composites: Vec<_> = self.indexes.take().unwrap_or_default().into_iter().map(|composite| composite.fields).collect();
        let new_fields = self.fields.take().unwrap_or_default();
        let mut collection = self.into_collection(cx);
        cx.tx().await?;
        if cx.read().collections().orphans().await?.iter().any(|(_, slug, _)| *slug == collection.slug) {
            let message = format!("content named `{}` is stored without a collection: register it instead", collection.slug);
            return Err(Error::with(Code::CollectionExists, message));
        }
        let known = cx.read().collections().slugs().await?;
        let mut issues = add_fields(cx, &mut collection, new_fields, &known);
        issues.extend(rules::check(&collection, &composites));
        if !issues.is_empty() {
            return Err(Error::invalid(issues));
        }
        let collections = cx.tx().await?.collections();
        collections.insert(&permit, &collection).await?;
        let single = collection.indexed_fields().map(|field| vec![field.slug.clone()]);
        for fields in single.chain(composites) {
            collections.insert_index(&permit, collection.id, &fields).await?;
        }
        cx.emit(Event::Schema { collection: collection.id });
        let fields: Vec<_> = collection.fields.iter().map(|field| &field.slug).collect();
        trail::collection(cx, &collection.slug, &json!({ "fields": fields }));
        let made = cx.read().collections().by_id(collection.id).await?.ok_or_else(|| Error::internal("the new collection is not there"))?;
        Ok(CollectionItem { item: CollectionView::with_fields(&made) })
    }
}

impl CreateCollection {
    /// The collection, without its fields and indexes.
    pub(super) fn into_collection(self, cx: &Cx<'_>) -> Collection {
        let supports = self.supports.unwrap_or_else(default_supports);
        let now: Timestamp = cx.now();
        Collection {
            id: cx.new_id(),
            slug: self.slug,
            label: self.label.into_string(),
            label_singular: self.label_singular.map(Label::into_string),
            description: self.description.map(Description::into_string),
            icon: self.icon.map(ShortName::into_string),
            admin: self.admin,
            source: self.source.map_or_else(|| Source::MANUAL.to_owned(), |source| source.to_string()),
            url_pattern: self.url_pattern.map(|pattern| pattern.to_string()),
            routable: self.routable.unwrap_or(true),
            has_seo: self.has_seo.unwrap_or(supports.contains(&Support::Seo)),
            supports,
            hidden: self.hidden.unwrap_or(false),
            sort_order: self.sort_order.map(Place::get),
            title_field: self.title_field,
            date_field: self.date_field,
            comments_enabled: self.comments_enabled.unwrap_or(false),
            comments_moderation: self.comments_moderation.unwrap_or_default(),
            comments_closed_after_days: self.comments_closed_after_days.map_or(Collection::COMMENTS_CLOSE_AFTER, Days::get),
            comments_auto_approve_users: self.comments_auto_approve_users.unwrap_or(true),
            edit_locking: self.edit_locking.unwrap_or(true),
            fields: Vec::new(),
            indexes: Vec::new(),
            has_leftovers: false,
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }
}

/// Reads the fields into the collection, and reports what is wrong with them. They may refer to it, and to collections that are `known`.
pub(super) fn add_fields(
    cx: &Cx<'_>,
    collection: &mut Collection,
    new_fields: Vec<NewField>,
    known: &BTreeSet<CollectionSlug>,
) -> Vec<Issue> {
    let dates = Dates { created_at: cx.now(), updated_at: cx.now() };
    let mut issues = Vec::new();
    for (n, new_field) in new_fields.into_iter().enumerate() {
        let at = format!("fields.{n}");
        if new_field.slug.is_reserved() {
            issues.push(Issue::new(format!("{at}.slug"), "RESERVED_SLUG", "is a member of every entry and cannot be a field"));
            continue;
        }
        if collection.field(new_field.slug.as_str()).is_some() {
            issues.push(Issue::new(format!("{at}.slug"), "DUPLICATE", "is the slug of an earlier field"));
            continue;
        }
        let place = new_field.sort_order.map_or_else(|| next_place(&collection.fields), Place::get);
        match rules::read_field(cx.new_id(), new_field.into_spec(), place, dates) {
            Ok(field) => {
                let unknown = rules::unknown_target(&collection.slug, &field, |target| known.contains(target));
                issues.extend(unknown.map(|issue| issue.under(&at)));
                collection.fields.push(field);
            }
            Err(found) => issues.extend(found.into_iter().map(|issue| issue.under(&at))),
        }
    }
    issues
}

/// The place behind all fields.
pub(super) fn next_place(fields: &[Field]) -> i32 {
    fields.iter().map(|field| field.sort_order).max().map_or(0, |last| last.saturating_add(1))
}
