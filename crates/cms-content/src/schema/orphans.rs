//! Orphans: content whose collection is not registered, as after a partial restore.

use cms_domain::{
    access::{Access, Permission, Scope, to},
    collection::{Collection, Support, default_supports},
    entry::Seo,
    event::Event,
    field::{FieldSpec, infer::Inference},
    id::CollectionId,
    slug::CollectionSlug,
    source::Source,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    documents::{self, Seen},
    input::{Description, Label},
    rules::{self, Dates},
    trail,
    views::{CollectionItem, CollectionView},
};

/// List content whose collection is not registered.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListOrphans {}

/// Content whose collection is not registered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Orphans {
    /// The content, by name.
    pub items: Vec<Orphan>,
}

/// Content of one name whose collection is not registered.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Orphan {
    /// The name it is registered under.
    pub slug: CollectionSlug,
    /// How many entries are not in the trash.
    pub row_count: i64,
}

impl Operation for ListOrphans {
    const ID: &'static str = "schema.list_orphans";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaManage);
    const HTTP: Http = Http::get("listOrphanedTables", "/schema/orphans");
    const TOOL: Tool = Tool::Hidden;
    type Output = Orphans;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Orphans, Error> {
        let orphans = cx.read().collections().orphans().await?;
        Ok(Orphans { items: orphans.into_iter().map(|(_, slug, row_count)| Orphan { slug, row_count }).collect() })
    }
}

/// Register a collection for content that has none.
///
/// Its fields are inferred from the stored documents, so that every value that is there is accepted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterOrphan {
    /// The name of the content.
    pub slug: CollectionSlug,
    /// What to call the entries; the name in words unless given.
    pub label: Option<Label>,
    /// What to call one entry.
    pub label_singular: Option<Label>,
    /// What the collection is for.
    pub description: Option<Description>,
}

impl Operation for RegisterOrphan {
    const ID: &'static str = "schema.register_orphan";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("registerOrphanedTable", "/schema/orphans/{slug}").created();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, &[Code::CollectionExists]];
    type Output = CollectionItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItem, Error> {
        let permit = cx.permit(to::ManageSchema)?;
        cx.tx().await?;
        if cx.read().collections().by_slug(&self.slug).await?.is_some() {
            return Err(Error::new(Code::CollectionExists));
        }
        let orphans = cx.read().collections().orphans().await?;
        let Some((id, ..)) = orphans.into_iter().find(|(_, slug, _)| *slug == self.slug) else {
            return Err(Error::with(Code::NotFound, format!("there is no content named `{}` without a collection", self.slug)));
        };
        let (specs, has_seo) = inferred(cx, id).await?;
        let mut collection = self.into_collection(cx, id, has_seo);
        let dates = Dates { created_at: cx.now(), updated_at: cx.now() };
        for (place, spec) in (0..).zip(specs) {
            collection.fields.push(rules::read_field(cx.new_id(), spec, place, dates).map_err(Error::invalid)?);
        }
        let collections = cx.tx().await?.collections();
        collections.insert(&permit, &collection).await?;
        for field in collection.indexed_fields() {
            collections.insert_index(&permit, id, std::slice::from_ref(&field.slug)).await?;
        }
        cx.emit(Event::Schema { collection: id });
        let fields: Vec<_> = collection.fields.iter().map(|field| &field.slug).collect();
        trail::collection(cx, &collection.slug, &json!({ "fields": fields }));
        let made = cx.read().collections().by_id(id).await?.ok_or_else(|| Error::internal("the new collection is not there"))?;
        Ok(CollectionItem { item: CollectionView::with_fields(&made) })
    }
}

/// The fields of the stored documents, and whether one of them says something to search engines.
async fn inferred(cx: &Cx<'_>, collection: CollectionId) -> Result<(Vec<FieldSpec>, bool), Error> {
    let (mut inference, mut has_seo) = (Inference::default(), false);
    documents::visit(cx.read(), collection, |entry, data| {
        inference.see(&data.as_stored().members()?);
        has_seo |= entry.working().seo != Seo::default();
        Ok(Seen::More)
    })
    .await?;
    Ok((inference.finish(), has_seo))
}

impl RegisterOrphan {
    fn into_collection(self, cx: &Cx<'_>, id: CollectionId, has_seo: bool) -> Collection {
        let mut supports = default_supports();
        if has_seo {
            supports.insert(Support::Seo);
        }
        let collection = Collection::new(id, self.slug, cx.now());
        Collection {
            label: self.label.map_or_else(|| collection.label.clone(), Label::into_string),
            label_singular: self.label_singular.map(Label::into_string),
            description: self.description.map(Description::into_string),
            supports,
            source: Source::DISCOVERED.to_owned(),
            has_seo,
            ..collection
        }
    }
}
