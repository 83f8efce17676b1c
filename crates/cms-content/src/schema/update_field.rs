//! Change a field.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    field::{Field, FieldKind, FieldSpec, FieldType, Register, Validation, retype::keeps_sort_keys},
    issue::Issue,
    patch::Patch,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{FIELD, Failures, STALE},
    must_be_current,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    clearing,
    fields::{answer, field_of},
    held::{self, Held, stored},
    input::{Label, Place, ShortName},
    leftovers,
    looking::Looking,
    question::Question,
    registering,
    rules::{self, Dates},
    trail,
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
        let mut looking = Looking::new([(self.field_slug.to_string(), self.asked(cx).await?)], false);
        loop {
            looking.look(cx).await?;
            let held = match Held::lock_at(cx, &self.collection, self.rev.as_ref()).await {
                Err(error) if looking.goes_on(&error) => {
                    cx.start_over();
                    continue;
                }
                held => held?,
            };
            let question = self.question(cx, &held.collection, held.now)?;
            if !looking.knows(&question) {
                return Err(Error::overtaken());
            }
            if looking.is_finished(cx).await? {
                return self.make(cx, held, question).await;
            }
            cx.start_over();
        }
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

    /// What is asked of the entries, as the collection is now; refused where it would be without looking at any.
    async fn asked(&self, cx: &Cx<'_>) -> Result<Question, Error> {
        let mut collection = stored(cx, &self.collection).await?;
        must_be_current(self.rev.as_ref(), &collection.rev())?;
        let question = self.question(cx, &collection, cx.now())?;
        replace(&mut collection, question.after.clone());
        check(cx, &collection, &question).await?;
        Ok(question)
    }

    /// What is asked of the entries of a collection.
    pub(super) fn question(&self, cx: &Cx<'_>, collection: &Collection, now: Timestamp) -> Result<Question, Error> {
        let before = field_of(collection, &self.field_slug)?.clone();
        let after = self.clone().changed(now, &before)?;
        Ok(Question::new(collection, before, after, self.convert.unwrap_or_default(), cx.options().locales.several(), now))
    }

    /// Changes the field as a part of a larger change, which has looked at the entries and holds their collection.
    pub(super) async fn run_looked(self, cx: &mut Cx<'_>, looking: &Looking) -> Result<FieldItem, Error> {
        let held = Held::lock_at(cx, &self.collection, self.rev.as_ref()).await?;
        let question = self.question(cx, &held.collection, held.now)?;
        if !looking.knows(&question) {
            return Err(Error::overtaken());
        }
        self.make(cx, held, question).await
    }

    /// Changes the field, whose entries were looked at.
    async fn make(self, cx: &mut Cx<'_>, mut held: Held, mut question: Question) -> Result<FieldItem, Error> {
        let slug = self.field_slug;
        if question.moves && held.collection.has_leftovers {
            return Err(Error::overtaken());
        }
        let rekeyed = question.moves || !keeps_sort_keys(&question.before.kind, &question.after.kind);
        let is_anew = question.after.unique && (!question.before.unique || rekeyed);
        // What an earlier register has is of another time, or of another type.
        question.after.register = if is_anew { Register { id: cx.new_id(), complete: false } } else { question.before.register };
        replace(&mut held.collection, question.after.clone());
        check(cx, &held.collection, &question).await?;
        let collection = &held.collection;
        cx.tx().await?.collections().update_field(&held.permit, collection.id, &question.after).await?;
        rederive(cx, &held, &question).await?;
        if is_anew {
            registering::begin(cx, collection, &question.after).await?;
        }
        let view = |field| FieldView::of(&held.collection, field);
        let details = trail::changed(&view(&question.before), &view(&question.after))?;
        trail::field(cx, &held.collection.slug, &slug, &details);
        let composites = held.composites();
        answer(&held.settle(cx, composites, rekeyed.then_some(&slug)).await?, &slug)
    }

    /// The field as it will be.
    fn changed(self, now: Timestamp, before: &Field) -> Result<Field, Error> {
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

fn refers(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Reference(_))
}

/// Puts a field as it will be in the place of what it is.
pub(super) fn replace(collection: &mut Collection, field: Field) {
    if let Some(known) = collection.fields.iter_mut().find(|known| known.id == field.id) {
        *known = field;
    }
}

/// What names the field must still be able to, and what it points at must be there.
pub(super) async fn check(cx: &Cx<'_>, collection: &Collection, question: &Question) -> Result<(), Error> {
    let Question { before, after, .. } = question;
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
///
/// The references of a field that comes to be one are written while the collection is held: whoever removes an entry asks them whether it may.
async fn rederive(cx: &mut Cx<'_>, held: &Held, question: &Question) -> Result<(), Error> {
    /// How many rows one statement removes.
    const REFERENCES: usize = 5000;
    let Question { before, after, moves, .. } = question;
    let collection = &held.collection;
    if before.unique && (!after.unique || before.register != after.register) {
        cx.enqueue(clearing::register(before.register.id)).await?;
    }
    let tx = cx.tx().await?;
    if refers(before) && (*moves || !refers(after)) {
        // At once: they may come back.
        while tx.entries().drop_references_batch(after.id, REFERENCES).await? > 0 {}
    }
    if refers(after) && (*moves || !refers(before)) {
        tx.entries().rebuild_derived(collection).await?;
    }
    Ok(())
}
