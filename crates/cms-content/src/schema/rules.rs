//! Rules that tie a collection and its fields together.

use cms_domain::{
    collection::{Collection, Index},
    field::{Field, FieldKind, FieldSpec, validate},
    id::FieldId,
    issue::Issue,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use cms_frame::Error;
use cms_storage::Reader;

/// The most columns a list shows beside the title: more do not fit a screen.
const MAX_LIST_COLUMNS: usize = 4;
/// The largest options of a field as JSON text: they configure a control, and every process keeps them in memory.
const MAX_OPTIONS_BYTES: usize = 16 * 1024;

/// What is wrong with what a collection says of its fields, and with its declared indexes.
pub(super) fn check(collection: &Collection, composites: &[Vec<FieldSlug>]) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut fits = |path: String, slug: &FieldSlug, kind: fn(&FieldKind) -> bool, expected: &str| match collection.field(slug.as_str()) {
        None => issues.push(Issue::new(path, "UNKNOWN_FIELD", format!("names `{slug}`, which is no field of the collection"))),
        Some(field) if !kind(&field.kind) => {
            let message = format!("names `{slug}`, which is {} instead of {expected}", field.kind.field_type().name());
            issues.push(Issue::new(path, "INVALID_TYPE", message));
        }
        Some(_) => {}
    };
    if let Some(slug) = &collection.title_field {
        fits("titleField".to_owned(), slug, FieldKind::is_text, "a string, text or slug");
    }
    if let Some(slug) = &collection.date_field {
        fits("dateField".to_owned(), slug, |kind| matches!(kind, FieldKind::Datetime(_)), "a datetime");
    }
    let columns = collection.admin.as_ref().map_or(&[][..], |admin| &admin.list_columns);
    for (n, slug) in columns.iter().enumerate() {
        fits(format!("admin.listColumns.{n}"), slug, FieldKind::is_indexable, "a type with short values");
    }
    for (n, fields) in composites.iter().enumerate() {
        for (m, slug) in fields.iter().enumerate() {
            let ends_in_date = m > 0 && m + 1 == fields.len() && Index::date_named(slug).is_some();
            if !ends_in_date {
                fits(format!("indexes.{n}.fields.{m}"), slug, FieldKind::is_sortable, "a type with a single short value");
            }
        }
    }
    let mut report = |path: String, code, message: String| issues.push(Issue::new(path, code, message));
    if columns.len() > MAX_LIST_COLUMNS {
        report("admin.listColumns".to_owned(), "TOO_MANY", format!("has {} fields, {MAX_LIST_COLUMNS} at most", columns.len()));
    }
    if let Some(n) = first_repeated(columns) {
        report(format!("admin.listColumns.{n}"), "DUPLICATE", "is named before".to_owned());
    }
    if composites.len() > Collection::MAX_COMPOSITES {
        report("indexes".to_owned(), "TOO_MANY", format!("has {} indexes, {} at most", composites.len(), Collection::MAX_COMPOSITES));
    }
    if let Some(n) = first_repeated(composites) {
        report(format!("indexes.{n}"), "DUPLICATE", "is declared before".to_owned());
    }
    for (n, fields) in composites.iter().enumerate() {
        if !(2..=Collection::MAX_COMPOSITE_FIELDS).contains(&fields.len()) {
            let message = format!("has {} fields instead of 2 to {}", fields.len(), Collection::MAX_COMPOSITE_FIELDS);
            report(format!("indexes.{n}.fields"), if fields.len() < 2 { "TOO_FEW" } else { "TOO_MANY" }, message);
        }
        if let Some(m) = first_repeated(fields) {
            report(format!("indexes.{n}.fields.{m}"), "DUPLICATE", "is named before".to_owned());
        }
    }
    if collection.fields.len() > Collection::MAX_FIELDS {
        report("fields".to_owned(), "TOO_MANY", format!("has {} fields, {} at most", collection.fields.len(), Collection::MAX_FIELDS));
    }
    issues
}

/// The position of the first item that is there before.
fn first_repeated<T: PartialEq>(items: &[T]) -> Option<usize> {
    items.iter().enumerate().position(|(n, item)| items[..n].contains(item))
}

/// When a field was made and when it last changed.
#[derive(Clone, Copy)]
pub(super) struct Dates {
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// Reads a field's rules and its default. All that is wrong is reported; paths begin at the field.
pub(super) fn read_field(id: FieldId, spec: FieldSpec, sort_order: i32, dates: Dates) -> Result<Field, Vec<Issue>> {
    let mut field = Field::new(id, spec, sort_order, dates.created_at, dates.updated_at)?;
    let mut issues = Vec::new();
    let options = serde_json::to_string(&field.options).map_or(usize::MAX, |text| text.len());
    if options > MAX_OPTIONS_BYTES {
        issues.push(Issue::new("options", "TOO_LONG", format!("has more than {MAX_OPTIONS_BYTES} bytes")));
    }
    if let Some(value) = field.default_value.take() {
        if field.required && validate::is_blank(&field.kind, &value) {
            issues.push(Issue::new("defaultValue", "REQUIRED", "is empty, which a required field must not be"));
        }
        match validate::check_value(&field.kind, value) {
            Ok(value) => field.default_value = Some(value),
            Err(found) => issues.extend(found.into_iter().map(|issue| issue.under("defaultValue"))),
        }
    }
    if issues.is_empty() { Ok(field) } else { Err(issues) }
}

/// A reference must point at a collection that there is. `own` is the field's own, which may be in the making.
pub(super) fn unknown_target(own: &CollectionSlug, field: &Field, is_there: impl FnOnce(&CollectionSlug) -> bool) -> Option<Issue> {
    let slug = other_target(own, field).filter(|slug| !is_there(slug))?;
    Some(Issue::new("options.collection", "UNKNOWN_COLLECTION", format!("names `{slug}`, which is no collection")))
}

/// The other collection that a field refers to.
fn other_target<'a>(own: &CollectionSlug, field: &'a Field) -> Option<&'a CollectionSlug> {
    match &field.kind {
        FieldKind::Reference(target) => target.collection.as_ref().filter(|slug| *slug != own),
        _ => None,
    }
}

/// [`unknown_target`] among those that are stored.
pub(super) async fn check_target(rows: Reader<'_>, own: &CollectionSlug, field: &Field) -> Result<Option<Issue>, Error> {
    let Some(slug) = other_target(own, field) else { return Ok(None) };
    let is_there = rows.collections().by_slug(slug).await?.is_some();
    Ok(unknown_target(own, field, |_| is_there))
}
