//! Change a field.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    field::{
        Field, FieldKind, FieldSpec, FieldType, Register, Validation,
        convert::Form,
        retype::{Retype, keeps_sort_keys, retype},
    },
    issue::Issue,
    patch::Patch,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{FIELD, Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    clearing,
    fields::{answer, field_of},
    held::{self, Held},
    input::{Label, Place, ShortName},
    leftovers, registering,
    rules::{self, Dates},
    trail, values,
    views::{FieldItem, FieldView},
};

/// Change a field.
///
/// What is left out stays. Null clears what may be unset, and is as good as left out elsewhere. Stored values never change: a change of type that they do not
/// fit is refused with examples, unless they are to be converted. New rules of the same type hold from the next write on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateField {
    /// The collection.
    pub collection: CollectionSlug,
    /// The field.
    pub field_slug: FieldSlug,
    /// Revision last read of the collection or of any of its fields; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// What to call it.
    pub label: Option<Label>,
    /// Its type. Every stored value must be one of the new type as it is, unless they are converted.
    #[serde(rename = "type")]
    pub field_type: Option<FieldType>,
    /// Whether values that are none of the new type are shown as what they say in it, in all entries at once. What says nothing in it is kept, is not shown, and
    /// comes back with the former type; so does every other value that nobody has changed until then. `schema.check_type` says what would become of the values.
    pub convert: Option<bool>,
    /// Whether an entry must have a value. Existing entries need one when they are next published.
    pub required: Option<bool>,
    /// Whether no two entries of a locale may have the same value. Stored values must be unique already.
    pub unique: Option<bool>,
    /// The value of new entries that give none.
    #[serde(default)]
    pub default_value: Patch<Value>,
    /// Rules for values, replaced whole.
    #[serde(default)]
    pub validation: Patch<Validation>,
    /// Which control the admin application shows.
    #[serde(default)]
    pub widget: Patch<ShortName>,
    /// Options of the type and of the control, replaced whole.
    #[serde(default)]
    pub options: Patch<Map<String, Value>>,
    /// Place among the fields.
    pub sort_order: Option<Place>,
    /// Whether full-text search finds the value.
    pub searchable: Option<bool>,
    /// Whether lists can filter and sort by the value. An index is built in the background.
    pub indexed: Option<bool>,
    /// Whether translations of an entry may differ in the value. When they no longer may, they must not do so already.
    pub translatable: Option<bool>,
}

impl Operation for UpdateField {
    const ID: &'static str = "schema.update_field";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::put("updateField", "/schema/collections/{collection}/fields/{fieldSlug}");
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[FIELD, STALE, &[Code::FieldHasValues, Code::IndexBuilding, Code::LeftoversPending, Code::UniqueConflict]];
    type Output = FieldItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FieldItem, Error> {
        if self.field_type.is_some() || !self.options.is_keep() {
            // Values of a deleted field must not turn up as values of this one.
            leftovers::out_of_the_way(cx, &self.collection).await?;
        }
        let mut held = Held::lock_at(cx, &self.collection, self.rev.as_ref()).await?;
        let (slug, converts) = (self.field_slug.clone(), self.convert.unwrap_or_default());
        let before = field_of(&held.collection, &slug)?.clone();
        let mut after = self.changed(held.now, &before)?;
        let moves = goes_on_elsewhere(&before, &after, converts);
        if moves {
            if held.collection.has_leftovers {
                return Err(Error::overtaken());
            }
            after.follows(&before, held.collection.free_name(&slug), held.now);
        }
        let rekeyed = moves || !keeps_sort_keys(&before.kind, &after.kind);
        let is_anew = after.unique && (!before.unique || rekeyed);
        // What an earlier register has is of another time, or of another type.
        after.register = if is_anew { Register { id: cx.new_id(), complete: false } } else { before.register };
        replace(&mut held.collection, after.clone());
        check(cx, &held.collection, &before, &after).await?;
        let collection = &held.collection;
        if !moves {
            values::check_type(cx, collection.id, &before, &after).await?;
        } else if !converts {
            values::check_same(cx, collection.id, &before, &after).await?;
        }
        if moves && refers(&after) {
            values::check_references(cx, collection.id, &after).await?;
        }
        if before.translatable && !after.translatable && cx.options().locales.several() {
            values::check_translations(cx, collection.id, &after).await?;
        }
        cx.tx().await?.collections().update_field(&held.permit, collection.id, &after).await?;
        rederive(cx, &held, &before, &after, moves).await?;
        if is_anew {
            registering::begin(cx, collection, &after).await?;
        }
        let view = |field| FieldView::of(&held.collection, field);
        let details = trail::changed(&view(&before), &view(&after))?;
        trail::field(cx, &held.collection.slug, &slug, &details);
        let composites = held.composites();
        answer(&held.settle(cx, composites, rekeyed.then_some(&slug)).await?, &slug)
    }
}

impl UpdateField {
    /// A change of nothing.
    pub(super) fn nothing(collection: CollectionSlug, field_slug: FieldSlug) -> Self {
        Self {
            collection,
            field_slug,
            rev: None,
            label: None,
            field_type: None,
            convert: None,
            required: None,
            unique: None,
            default_value: Patch::Keep,
            validation: Patch::Keep,
            widget: Patch::Keep,
            options: Patch::Keep,
            sort_order: None,
            searchable: None,
            indexed: None,
            translatable: None,
        }
    }

    /// The field as it will be.
    pub(super) fn changed(self, now: Timestamp, before: &Field) -> Result<Field, Error> {
        let mut spec: FieldSpec = before.spec();
        let mut validation = Some(spec.validation);
        self.validation.apply(&mut validation);
        let mut options = Some(spec.options);
        self.options.apply(&mut options);
        self.widget.map(ShortName::into_string).apply(&mut spec.widget);
        self.default_value.apply(&mut spec.default_value);
        let spec = FieldSpec {
            label: self.label.map_or(spec.label, Label::into_string),
            field_type: self.field_type.unwrap_or(spec.field_type),
            required: self.required.unwrap_or(spec.required),
            unique: self.unique.unwrap_or(spec.unique),
            validation: validation.unwrap_or_default(),
            options: options.unwrap_or_default(),
            searchable: self.searchable.unwrap_or(spec.searchable),
            indexed: self.indexed.unwrap_or(spec.indexed),
            translatable: self.translatable.unwrap_or(spec.translatable),
            ..spec
        };
        let place = self.sort_order.map_or(before.sort_order, Place::get);
        let dates = Dates { created_at: before.created_at, updated_at: now };
        let field = rules::read_field(before.id, spec, place, dates).map_err(Error::invalid)?;
        let (stored_as, former, past) = (before.stored_as.clone(), before.former.clone(), before.past.clone());
        Ok(Field { stored_as, former, past, ..field })
    }
}

/// Whether new values of a field are not stored beside those that it has: they would be taken for each other. So it is with values that are converted, and where
/// there may be some of former types. Where each value is one of the new type as it is, nothing has to be converted.
pub(super) fn goes_on_elsewhere(before: &Field, after: &Field, converts: bool) -> bool {
    let converts = converts && retype(&before.kind, &after.kind) != Retype::Free;
    Form::of(&before.kind) != Form::of(&after.kind) && (converts || !before.past.is_empty())
}

fn refers(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Reference(_))
}

pub(super) fn replace(collection: &mut Collection, field: Field) {
    if let Some(known) = collection.fields.iter_mut().find(|known| known.id == field.id) {
        *known = field;
    }
}

/// What names the field must still be able to, and what it points at must be there.
pub(super) async fn check(cx: &Cx<'_>, collection: &Collection, before: &Field, after: &Field) -> Result<(), Error> {
    let broken = rules::check(collection, &held::composites(collection)).into_iter();
    let in_words = |issue: &Issue| format!("does not fit `{}`, which {}", issue.path, issue.message);
    let mut issues: Vec<_> = broken.map(|issue| Issue::new("type", &issue.code, in_words(&issue))).collect();
    // What the field points at already may be gone; that keeps nobody from changing its label.
    if target(&after.kind) != target(&before.kind) {
        issues.extend(rules::check_target(cx.read(), &collection.slug, after).await?);
    }
    if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
}

fn target(kind: &FieldKind) -> Option<&CollectionSlug> {
    match kind {
        FieldKind::Reference(target) => target.collection.as_ref(),
        _ => None,
    }
}

/// Brings what is derived from the field's values, other than indexes and the values that come to be unique, up to its new definition.
async fn rederive(cx: &mut Cx<'_>, held: &Held, before: &Field, after: &Field, moves: bool) -> Result<(), Error> {
    /// How many rows one statement removes.
    const REFERENCES: usize = 5000;
    let collection = &held.collection;
    if before.unique && (!after.unique || before.register != after.register) {
        cx.enqueue(clearing::register(before.register.id)).await?;
    }
    let tx = cx.tx().await?;
    if refers(before) && (moves || !refers(after)) {
        // At once: they may come back.
        while tx.entries().drop_references_batch(after.id, REFERENCES).await? > 0 {}
    }
    if refers(after) && (moves || !refers(before)) {
        tx.entries().rebuild_derived(collection).await?;
    }
    Ok(())
}
