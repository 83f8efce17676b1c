//! Copy an entry.

use cms_domain::{
    access::{Access, Permission, Scope, to},
    collection::Collection,
    entry::{Entry, Lifecycle, Seo},
    field::{
        FieldKind,
        validate::{self, Defaults},
    },
    id::EntryId,
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Cx, Error,
    failures::{CONTENT, ENTRY, Failures, HOOKED, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{EDIT, change::Prepared, create, hooks, item::ItemAnswer, references, target::Target};
use crate::schema_cache;

/// What is put behind the title of a copy.
const MARK: &str = " (Copy)";

/// Copy an entry.
///
/// The copy is a draft of the caller's, with the newest content of the original, ` (Copy)` behind its title and a slug of its
/// own. It is no translation of anything. Values of unique fields and the canonical address are not copied.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DuplicateEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
}

impl Operation for DuplicateEntry {
    const ID: &'static str = "content.duplicate";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, Permission::ContentCreate);
    const HTTP: Http = Http::post("duplicateContent", "/content/{collection}/{id}/duplicate").query(&["locale"]).created();
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, CONTENT, STALE, HOOKED];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let permit = cx.permit(to::CreateContent)?;
        let collection = schema_cache::to_prepare(cx, &self.collection).await?;
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (_, source) = target.find(cx).await?;
        cx.permit_to(EDIT, &source)?;
        let mut document = source.working().clone();
        let data = copy(&collection, document.data.members(&collection)?);
        let data = validate::complete(&collection, data, Defaults::Keep).map_err(Error::invalid)?;
        let missing = references::missing(cx, &collection, data.members(), |_| true).await?;
        if !missing.is_empty() {
            return Err(Error::invalid(missing));
        }
        document.slug = None;
        document.data = data.into_json_after(&collection, &document.data, |field| field.unique)?;
        document.seo = Seo { canonical: None, ..document.seo };
        let (id, now): (EntryId, _) = (cx.new_id(), cx.now());
        let mut entry = Entry {
            id,
            collection: collection.id,
            locale: source.locale,
            group: id.cast(),
            author: permit.user(),
            version: 1,
            created_at: now,
            updated_at: now,
            lifecycle: Lifecycle::NEW,
            live: document,
            draft: None,
            live_revision: None,
            draft_revision: None,
            schedule_failure: None,
        };
        hooks::change(cx, &collection, &mut entry).await?;
        let mut copied = Prepared::of(collection, entry, permit);
        create::insert(cx, &mut copied, true).await?;
        copied.answer(cx)
    }
}

/// The values of a copy: its title says what it is, and what no two entries may share is left out.
fn copy(collection: &Collection, mut data: Map<String, Value>) -> Map<String, Value> {
    let title = collection.title_field();
    for field in &collection.fields {
        let is_title = title.is_some_and(|title| title.id == field.id);
        if field.unique && !field.required && !is_title {
            data.shift_remove(field.slug.as_str());
        }
    }
    if let Some(field) = title
        && let Some(Value::String(text)) = data.get_mut(field.slug.as_str())
    {
        let max = match &field.kind {
            FieldKind::String(rules) | FieldKind::Text(rules) | FieldKind::Slug(rules) => rules.max_length,
            _ => None,
        };
        *text = marked(text, max.map(|max| max as usize));
    }
    data
}

/// A title with the mark behind it, cut so that both fit.
fn marked(title: &str, max: Option<usize>) -> String {
    match max {
        Some(max) if title.chars().count() + MARK.len() > max => {
            title.chars().take(max.saturating_sub(MARK.len())).chain(MARK.chars()).take(max).collect()
        }
        _ => format!("{title}{MARK}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_a_copy_fits_into_the_titles_length() {
        assert_eq!(marked("Hello", None), "Hello (Copy)");
        assert_eq!(marked("Hello", Some(10)), "Hel (Copy)");
        assert_eq!(marked("Hello", Some(4)), " (Co");
    }
}
