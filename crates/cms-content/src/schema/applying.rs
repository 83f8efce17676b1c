//! Taking the steps of a plan: by the operations on collections and fields, in an order in which each finds what it needs.

use std::collections::BTreeSet;

use cms_domain::slug::CollectionSlug;
use cms_frame::{Cx, Error, operation::Operation};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    create_collection::CreateCollection,
    create_field::CreateField,
    delete_collection::DeleteCollection,
    delete_field::DeleteField,
    looking::Looking,
    plan::{Members, Model, Planned, changes, field, fields},
    question::Question,
    update_collection::UpdateCollection,
    update_field::UpdateField,
};

/// Members of a collection that name fields of it.
const NAMES_FIELDS: [&str; 4] = ["titleField", "dateField", "indexes", "admin"];

/// Takes the steps.
pub(super) async fn make(
    cx: &mut Cx<'_>,
    planned: &Planned,
    lose: &BTreeSet<String>,
    convert: &BTreeSet<String>,
    looking: &Looking,
) -> Result<(), Error> {
    let Planned { there, wanted, .. } = planned;
    let mut known: BTreeSet<_> = there.collections.keys().cloned().collect();
    for (slug, after) in wanted.without(there) {
        let mut first = after.clone();
        if let Some(Value::Array(fields)) = first.get_mut("fields") {
            // What refers to a collection that comes later, comes after it.
            fields.retain(|field| {
                target(field).is_none_or(|target| target == slug.as_str() || known.iter().any(|known| known.as_str() == target))
            });
        }
        if fields(&first).len() < fields(after).len() {
            for member in NAMES_FIELDS {
                first.remove(member);
            }
        }
        run::<CreateCollection>(cx, slug.as_str(), first).await?;
        known.insert(slug.clone());
    }
    let made = Model::there(cx.read().collections().all().await?)?;
    for (slug, after) in &wanted.collections {
        if let Some(before) = made.collections.get(slug) {
            change(cx, slug, before, after, convert, looking).await?;
        }
    }
    for (slug, after) in &wanted.collections {
        let before = made.collections.get(slug).map(fields).unwrap_or_default();
        for (gone, _) in before.into_iter().filter(|(name, _)| field(after, name).is_none()) {
            let input = json!({ "collection": slug, "fieldSlug": gone });
            run::<DeleteField>(cx, &format!("{slug}.{gone}"), input).await?;
        }
    }
    for (slug, _) in there.without(wanted).filter(|_| !wanted.partial) {
        run::<DeleteCollection>(cx, slug.as_str(), json!({ "slug": slug, "force": lose.contains(slug.as_str()) })).await?;
    }
    Ok(())
}

/// Changes a collection and its fields, and adds those that it has not.
async fn change(
    cx: &mut Cx<'_>,
    slug: &CollectionSlug,
    before: &Members,
    after: &Members,
    convert: &BTreeSet<String>,
    looking: &Looking,
) -> Result<(), Error> {
    let mut differing: Members = changes(before, after).into_iter().map(|change| (change.member, change.to)).collect();
    let retypes = |(name, after): &(&str, &Members)| field(before, name).is_some_and(|before| before["type"] != after["type"]);
    if fields(after).iter().any(retypes) {
        // What named a field as it was is not in the way of what the field becomes.
        let released = NAMES_FIELDS
            .into_iter()
            .filter(|member| differing.contains_key(*member))
            .map(|member| (member.to_owned(), kept(member, before, after)));
        let released: Members = released.collect();
        if !released.is_empty() {
            run::<UpdateCollection>(cx, slug.as_str(), with("slug", slug, released)).await?;
        }
    }
    for (name, field) in fields(after) {
        let place = format!("{slug}.{name}");
        match self::field(before, name) {
            None => run::<CreateField>(cx, &place, with("collection", slug, field.clone())).await?,
            Some(known) => {
                if let Some(update) = update(slug, name, known, field, convert)? {
                    update.check()?;
                    Box::pin(update.run_looked(cx, looking)).await.map_err(|error| about(&place, error))?;
                }
            }
        }
    }
    if differing.contains_key("supports") {
        // Otherwise it follows from what is supported.
        differing.insert("hasSeo".to_owned(), after["hasSeo"].clone());
    }
    if !differing.is_empty() {
        run::<UpdateCollection>(cx, slug.as_str(), with("slug", slug, differing)).await?;
    }
    Ok(())
}

/// The change of a field that is there; none where it stays as it is.
fn update(
    slug: &CollectionSlug,
    name: &str,
    before: &Members,
    after: &Members,
    convert: &BTreeSet<String>,
) -> Result<Option<UpdateField>, Error> {
    let mut changed: Members = changes(before, after).into_iter().map(|change| (change.member, change.to)).collect();
    if changed.is_empty() {
        return Ok(None);
    }
    changed.insert("convert".to_owned(), convert.contains(&format!("{slug}.{name}")).into());
    Ok(Some(serde_json::from_value(with("collection", slug, with("fieldSlug", &name, changed)).into())?))
}

/// What entries are asked for the changes of fields, each with the name of its step. A change that is refused whatever entries say asks them nothing.
pub(super) fn questions(cx: &Cx<'_>, planned: &Planned, convert: &BTreeSet<String>) -> Result<Vec<(String, Question)>, Error> {
    let mut questions = Vec::new();
    for collection in &planned.collections {
        let slug = &collection.slug;
        let (Some(before), Some(after)) = (planned.there.collections.get(slug), planned.wanted.collections.get(slug)) else { continue };
        for (name, after) in fields(after) {
            let Some(before) = field(before, name) else { continue };
            let Some(update) = update(slug, name, before, after, convert)? else { continue };
            questions.extend(update.question(cx, collection, cx.now()).ok().map(|question| (format!("{slug}.{name}"), question)));
        }
    }
    Ok(questions)
}

/// What a member that names fields keeps meanwhile: indexes that stay are not built again.
fn kept(member: &str, before: &Members, after: &Members) -> Value {
    let list = |of: &Members| of.get(member).and_then(Value::as_array).cloned();
    let (Some(before), Some(after)) = (list(before), list(after)) else { return Value::Null };
    before.into_iter().filter(|item| after.contains(item)).collect()
}

fn with(member: &str, value: &impl Serialize, members: Members) -> Members {
    let named = json!({ member: value });
    named.as_object().cloned().into_iter().flatten().chain(members).collect()
}

/// The collection that a field refers to.
fn target(field: &Value) -> Option<&str> {
    if field["type"] == "reference" { field["options"]["collection"].as_str() } else { None }
}

/// Does an operation, and says of what goes wrong what it was about.
pub(super) async fn run<O: Operation>(cx: &mut Cx<'_>, name: &str, input: impl Into<Value>) -> Result<(), Error> {
    let operation: O = serde_json::from_value(input.into())?;
    operation.check()?;
    Box::pin(operation.run(cx)).await.map(drop).map_err(|error| about(name, error))
}

fn about(name: &str, error: Error) -> Error {
    let message = format!("`{name}`: {}", error.message());
    error.message_is(message)
}
