//! Create a field.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    field::{Field, FieldType, Validation},
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    create_collection::next_place,
    fields::{answer, must_be_free},
    held::Held,
    input::{Label, NewField, Place, ShortName},
    leftovers,
    rules::{self, Dates},
    trail,
    views::FieldItem,
};

/// Create a field.
///
/// Existing entries have no value for it. An index over it is built in the background. While values of a deleted field are still being taken out of many
/// entries, the answer is `LEFTOVERS_PENDING`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateField {
    /// The collection.
    pub collection: CollectionSlug,
    /// Its name.
    pub slug: FieldSlug,
    /// What to call it.
    pub label: Label,
    /// Its type.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether an entry must have a value. Existing entries need one when they are next published.
    pub required: Option<bool>,
    /// Whether no two entries of a locale may have the same value.
    pub unique: Option<bool>,
    /// The value of new entries that give none.
    pub default_value: Option<Value>,
    /// Rules for values.
    pub validation: Option<Validation>,
    /// Which control the admin application shows.
    pub widget: Option<ShortName>,
    /// Options of the type and of the control. A reference reads `collection`, `allowMultiple` and `onDelete`.
    pub options: Option<Map<String, Value>>,
    /// Place among the fields; the last without.
    pub sort_order: Option<Place>,
    /// Whether full-text search finds the value.
    pub searchable: Option<bool>,
    /// Whether lists can filter and sort by the value.
    pub indexed: Option<bool>,
    /// Whether translations of an entry may differ in the value; they may unless this is false.
    pub translatable: Option<bool>,
}

impl Operation for CreateField {
    const ID: &'static str = "schema.create_field";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("createField", "/schema/collections/{collection}/fields").created();
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[COLLECTION, &[Code::FieldExists, Code::ReservedSlug, Code::LeftoversPending]];
    type Output = FieldItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FieldItem, Error> {
        // A deleted field may have had the name: its values must not turn up as those of the new one.
        leftovers::out_of_the_way(cx, &self.collection).await?;
        let mut held = Held::lock(cx, &self.collection).await?;
        if held.collection.has_leftovers {
            return Err(Error::overtaken());
        }
        let (slug, sort_order) = (self.slug.clone(), self.sort_order);
        must_be_free(&held.collection, &slug)?;
        if held.collection.fields.len() >= Collection::MAX_FIELDS {
            return Err(Error::issue("", "TOO_MANY", format!("a collection has {} fields at most", Collection::MAX_FIELDS)));
        }
        let dates = Dates { created_at: held.now, updated_at: held.now };
        let details = json!({ "type": self.field_type });
        let place = sort_order.map_or_else(|| next_place(&held.collection.fields), Place::get);
        let field = rules::read_field(cx.new_id(), self.into_new_field().into_spec(), place, dates).map_err(Error::invalid)?;
        let field = Field { stored_as: held.collection.free_name(&slug), ..field };
        if let Some(issue) = rules::check_target(cx.read(), &held.collection.slug, &field).await? {
            return Err(Error::invalid(vec![issue]));
        }
        let tx = cx.tx().await?;
        tx.collections().insert_field(&held.permit, held.collection.id, &field).await?;
        held.collection.fields.push(field);
        let composites = held.composites();
        trail::field(cx, &held.collection.slug, &slug, &details);
        answer(&held.settle(cx, composites, None).await?, &slug)
    }
}

impl CreateField {
    fn into_new_field(self) -> NewField {
        NewField {
            slug: self.slug,
            label: self.label,
            field_type: self.field_type,
            required: self.required,
            unique: self.unique,
            default_value: self.default_value,
            validation: self.validation,
            widget: self.widget,
            options: self.options,
            sort_order: self.sort_order,
            searchable: self.searchable,
            indexed: self.indexed,
            translatable: self.translatable,
        }
    }
}
