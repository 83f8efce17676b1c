//! What hooks of the host say of a change of content, before it is made.

use cms_domain::{
    collection::Collection,
    entry::{Document, Entry},
    field::validate,
};
use cms_frame::{Cx, Error, hooks::Proposal};
use serde_json::{Map, Value, json};

/// Before content is saved that somebody wrote, copied or took back: the collection, whether the entry is new, and of its content the id, locale,
/// slug and those fields that the hook asked for. A patch is checked as any input is. What is imported was saved before, and is taken as it is.
pub const BEFORE_SAVE: &str = "content:beforeSave";
/// Before an entry goes to the trash: its collection and id. Nothing is there to patch.
pub const BEFORE_DELETE: &str = "content:beforeDelete";

/// The content of an entry as hooks change it; nothing where they leave it as it is.
pub(super) async fn before_save(
    cx: &Cx<'_>,
    collection: &Collection,
    about: About<'_>,
    content: &Document,
) -> Result<Option<Document>, Error> {
    let mut changed: Option<Document> = None;
    for hook in cx.hooks(BEFORE_SAVE, collection.slug.as_str()) {
        let content = changed.as_ref().unwrap_or(content);
        let base = content.data.members()?;
        let shown: Map<_, _> =
            base.iter().filter(|(field, _)| hook.sees(field)).map(|(field, value)| (field.clone(), value.clone())).collect();
        let shown = json!({ "id": about.entry.id, "locale": about.entry.locale, "slug": content.slug, "data": shown });
        let proposal = proposal([("collection", json!(collection.slug)), ("isNew", json!(about.is_new)), ("content", shown)]);
        let Some(patch) = cx.ask(&hook, &proposal).await? else { continue };
        match validate::patch(collection, &base, patch) {
            Ok(data) => changed = Some(Document { data: data.into_json(), ..content.clone() }),
            Err(issues) => hook.failed(&format!("its patch does not fit: {}", json!(issues)))?,
        }
    }
    Ok(changed)
}

/// Lets hooks change the content of an entry that will be new.
pub(super) async fn change(cx: &Cx<'_>, collection: &Collection, entry: &mut Entry) -> Result<(), Error> {
    if let Some(changed) = before_save(cx, collection, About { entry, is_new: true }, &entry.live).await? {
        entry.live = changed;
    }
    Ok(())
}

/// Asks whether an entry may go to the trash.
pub(super) async fn before_delete(cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<(), Error> {
    for hook in cx.hooks(BEFORE_DELETE, collection.slug.as_str()) {
        let proposal = proposal([("collection", json!(collection.slug)), ("id", json!(entry.id)), ("permanent", json!(false))]);
        if cx.ask(&hook, &proposal).await?.is_some() {
            hook.failed("it answered with a patch, and there is nothing to patch")?;
        }
    }
    Ok(())
}

/// Whose content it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    /// The entry, as it will be when it is new.
    pub(super) entry: &'a Entry,
    /// Whether it is new.
    pub(super) is_new: bool,
}

fn proposal(members: impl IntoIterator<Item = (&'static str, Value)>) -> Proposal {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
