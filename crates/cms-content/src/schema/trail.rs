//! What the audit log says of changes to the model.

use cms_domain::slug::{CollectionSlug, FieldSlug};
use cms_frame::Cx;
use serde::Serialize;
use serde_json::{Value, json};

/// What a line says of a collection.
pub(super) fn collection(cx: &mut Cx<'_>, slug: &CollectionSlug, details: &Value) {
    cx.audit("collection", slug, details);
}

/// What a line says of a field.
pub(super) fn field(cx: &mut Cx<'_>, collection: &CollectionSlug, slug: &FieldSlug, details: &Value) {
    cx.audit("field", format!("{collection}.{slug}"), details);
}

/// Which members a change was about. Their values stay out of the log: it is no place for what a field has for a default.
pub(super) fn changed(before: &impl Serialize, after: &impl Serialize) -> Result<Value, serde_json::Error> {
    let (before, after) = (serde_json::to_value(before)?, serde_json::to_value(after)?);
    let members = after.as_object().into_iter().flatten();
    let changed = members
        .filter(|(name, value)| !["updatedAt", "_rev"].contains(&name.as_str()) && before.get(name) != Some(value))
        .map(|(name, _)| name);
    Ok(json!({ "changed": changed.collect::<Vec<_>>() }))
}
