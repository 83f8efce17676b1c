//! Merge changes into an entry that others may have changed meanwhile.

use std::collections::BTreeSet;

use cms_domain::{
    access::Access,
    locale::Locale,
    merge::{self, Merged},
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{CONTENT, ENTRY, Failures, GUARDED, HOOKED},
    input::Later,
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    EDIT, LATER,
    draft::Edit,
    item::ItemAnswer,
    lease,
    save::Save,
    target::{Guard, Target},
};

/// Merge changes into an entry.
///
/// For somebody who read an entry, changed some of it, and need not know what others changed meanwhile. What only one side changed is kept: field by
/// field, in rich text block by block, and in the rows of a repeater member by member, where each block and row is known by its `_key`. When both changed
/// the same in different ways, nothing is changed, and the refusal (`CONFLICT`) has each such place in `details.conflicts`: its path, and its value in the
/// base, here and there. As with an update, what is merged into a published entry is staged.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MergeEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Values of the changed fields as they were when they were read; a field that is left out had none.
    #[serde(default)]
    pub base: Map<String, Value>,
    /// Values of the changed fields now; null clears a field.
    pub data: Map<String, Value>,
    /// Whether this is an autosave, which takes the place of the caller's last one in the history.
    #[serde(default)]
    pub skip_revision: bool,
    /// Whether to change the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for MergeEntry {
    const ID: &'static str = "content.merge";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::patch("mergeContent", "/content/{collection}/{id}").query(&["locale"]);
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT, HOOKED];
    const LATER: Later = LATER;
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: None, override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        let mut theirs = prepared.entry.working().data.members(&prepared.collection)?;
        theirs.retain(|name, _| self.data.contains_key(name));
        let names: Vec<_> = self.data.keys().cloned().collect();
        let had: BTreeSet<_> = theirs.keys().cloned().collect();
        let shapes = merge::shapes(&prepared.collection);
        let Merged { mut value, conflicts } = merge::merge(&given(self.base), &given(self.data), &given(theirs), &shapes);
        if !conflicts.is_empty() {
            let message =
                "somebody else changed the same in another way: decide what becomes of it, and merge again upon what there is now";
            return Err(Error::with(Code::Conflict, message).details(json!({ "conflicts": conflicts, "_rev": prepared.entry.rev() })));
        }
        // What is in neither is cleared.
        let merged = names.into_iter().filter_map(|name| match value.remove(&name) {
            Some(value) => Some((name, value)),
            // There is none to be cleared.
            None => had.contains(&name).then_some((name, Value::Null)),
        });
        let edit = Edit { data: merged.collect(), ..Edit::default() };
        let document = edit.apply(cx, &prepared.collection, &prepared.entry).await?;
        let document = prepared.ask_hooks(cx, document).await?;
        let save = Save { autosave: self.skip_revision, ..Save::of(document) };
        save.apply(cx, &mut prepared).await?;
        lease::extend(cx, &prepared.collection, prepared.entry.id).await?;
        prepared.answer(cx)
    }
}

/// Values that are there: a field without one is left out, or null.
fn given(mut values: Map<String, Value>) -> Map<String, Value> {
    values.retain(|_, value| !value.is_null());
    values
}
