//! The model as a text that is kept beside a site's code: what it would change, and changing it.
//!
//! A plan is made of the operations on collections and fields, in an order in which each finds what it needs, and is carried out by them: there is no second
//! way to change the model.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    access::{Access, Permission, Scope, to},
    collection::Collection,
    id::CollectionId,
    issue::Issue,
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::Failures,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    applying::{self, run},
    create_collection::{CreateCollection, add_fields},
    export::{self, ExportedCollection},
    fields::must_be_free,
    leftovers,
    looking::Looking,
    question::Question,
    rename_field::RenameField,
    rules,
};

/// How many collections one text may have: ten times as many as the largest sites have, and few enough to be compared while somebody waits.
const MOST_COLLECTIONS: usize = 500;

/// How many steps a plan may have. So many changes of fields took 5 s on SQLite and 11 s on PostgreSQL, of the 60 that a request has, in collections of 200 fields. A new
/// collection is one step, with all of its fields.
const MOST_STEPS: usize = 1000;

/// Members of a collection that are no matter of a plan: what names it, its fields, which have steps of their own, and where it came from, which never changes.
const NOT_PLANNED: [&str; 3] = ["slug", "source", "fields"];

/// See what would change for the model to be another one.
///
/// Nothing is changed. The steps are in the order in which `schema.apply` takes them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanSchema {
    /// The collections as they are to be, with all of their fields, as `schema.export` gives them; at most 500.
    #[schemars(length(max = MOST_COLLECTIONS))]
    pub collections: Vec<CreateCollection>,
    /// Whether collections that are not among them stay as they are. Otherwise they are deleted.
    #[serde(default)]
    pub partial: bool,
    /// Fields that are among them by another name, and keep their values: what they are to be called, by what they are called, such as `posts.title`.
    #[serde(default)]
    #[schemars(extend("maxProperties" = MOST_STEPS))]
    pub renames: BTreeMap<String, FieldSlug>,
    /// Fields whose values are converted where they are none of the type that the field gets, by what they are to be called, such as `posts.price`. What says
    /// nothing in that type is kept, and not shown.
    #[serde(default)]
    #[schemars(length(max = MOST_STEPS))]
    pub convert: BTreeSet<String>,
}

/// Change the model to be another one.
///
/// All of it changes, or nothing does: a step that is refused, such as a type that stored values do not fit, is told with what it is about. What deletes
/// values is named in `lose`, or nothing is changed; references to what is deleted are taken out of the entries of other collections. Entries are not written
/// meanwhile.
///
/// Whether stored values are unique is looked at afterwards, as `schema.update_field` does: of a field in which two are the same, a job says which, and it is not
/// unique after all.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplySchema {
    /// The collections as they are to be, with all of their fields, as `schema.export` gives them; at most 500.
    #[schemars(length(max = MOST_COLLECTIONS))]
    pub collections: Vec<CreateCollection>,
    /// Whether collections that are not among them stay as they are. Otherwise they are deleted.
    #[serde(default)]
    pub partial: bool,
    /// Fields that are among them by another name, and keep their values: what they are to be called, by what they are called, such as `posts.title`.
    #[serde(default)]
    #[schemars(extend("maxProperties" = MOST_STEPS))]
    pub renames: BTreeMap<String, FieldSlug>,
    /// Fields whose values are converted where they are none of the type that the field gets, by what they are to be called, such as `posts.price`. What says
    /// nothing in that type is kept, and not shown.
    #[serde(default)]
    #[schemars(length(max = MOST_STEPS))]
    pub convert: BTreeSet<String>,
    /// The version of the model that the plan was made for; when it is another one by now, nothing is changed.
    pub version: Option<String>,
    /// What may be deleted though entries have values in it: collections as `posts`, fields as `posts.body`.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub lose: BTreeSet<String>,
}

/// What changes for the model to be another one.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SchemaPlan")]
pub struct Plan {
    /// Names the model that there is, before the steps for a plan and after them once they were taken.
    pub version: String,
    /// The steps; none where the model is the same.
    pub steps: Vec<Step>,
}

/// A step from one model to another.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SchemaStep")]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// What it is done to: a collection as `posts`, a field as `posts.body`.
    pub name: String,
    /// What of it changes.
    pub changes: Vec<Change>,
    /// How many entries, those in the trash included, lose what they have in it; null where none does.
    pub loses: Option<i64>,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SchemaAction")]
pub enum Action {
    /// A collection is made, with its fields.
    CreateCollection,
    /// A field gets another name, and keeps its values.
    RenameField,
    /// A collection changes.
    UpdateCollection,
    /// A collection goes, with its entries.
    DeleteCollection,
    /// A field is made.
    CreateField,
    /// A field changes.
    UpdateField,
    /// A field goes, with its values.
    DeleteField,
}

/// A member that changes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SchemaChange")]
pub struct Change {
    /// Which member.
    pub member: String,
    /// What it is; null where there is none.
    pub from: Value,
    /// What it will be; null where there will be none.
    pub to: Value,
}

impl Operation for PlanSchema {
    const ID: &'static str = "schema.plan";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::post("planSchema", "/schema/plan").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = Plan;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Plan, Error> {
        let there = cx.read().collections().all().await?;
        let Planned { version, steps, .. } = plan(cx, there, self.collections, self.partial, &self.renames).await?;
        must_retype(&steps, &self.convert)?;
        Ok(Plan { version, steps })
    }
}

impl Operation for ApplySchema {
    const ID: &'static str = "schema.apply";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("applySchema", "/schema/apply").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[
        Code::CollectionExists,
        Code::CollectionHasContent,
        Code::Conflict,
        Code::FieldHasValues,
        Code::LeftoversPending,
        Code::Referenced,
        Code::UniqueConflict,
    ]];
    type Output = Plan;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Plan, Error> {
        for wanted in &self.collections {
            // In transactions of its own, which cannot be while this one is open. What is not there yet has no leftovers.
            match leftovers::out_of_the_way(cx, &wanted.slug).await {
                Err(error) if error.code() != Code::CollectionNotFound => return Err(error),
                _ => {}
            }
        }
        // Entries are looked at before anybody has to wait, and the rest of them once nobody else can write.
        let there = cx.read().collections().all().await?;
        let mut looking = Looking::new(self.planned(cx, there).await?.1, true);
        loop {
            looking.look(cx).await?;
            let there = match hold_all(cx).await {
                Err(error) if looking.goes_on(&error) => {
                    cx.start_over();
                    continue;
                }
                there => there?,
            };
            let (planned, questions) = self.planned(cx, there).await?;
            if !questions.iter().all(|(_, question)| looking.knows(question)) {
                return Err(Error::overtaken());
            }
            if looking.is_finished(cx).await? {
                return self.make(cx, planned, &looking).await;
            }
            cx.start_over();
        }
    }
}

impl ApplySchema {
    /// What leads to the model, and what entries are asked for it, if that may be done.
    async fn planned(&self, cx: &Cx<'_>, there: Vec<Collection>) -> Result<(Planned, Vec<(String, Question)>), Error> {
        let planned = plan(cx, there, self.collections.clone(), self.partial, &self.renames).await?;
        if self.version.as_ref().is_some_and(|known| *known != planned.version) {
            let message = "the model has changed since the plan was made: make another one";
            return Err(Error::with(Code::Conflict, message).details(json!({ "version": planned.version })));
        }
        must_be_named(&planned.steps, &self.lose)?;
        must_retype(&planned.steps, &self.convert)?;
        let questions = applying::questions(cx, &planned, &self.convert)?;
        Ok((planned, questions))
    }

    /// Makes the model the other one.
    async fn make(self, cx: &mut Cx<'_>, planned: Planned, looking: &Looking) -> Result<Plan, Error> {
        for (name, slug) in &self.renames {
            let (collection, field) = name.split_once('.').unwrap_or_default();
            run::<RenameField>(cx, name, json!({ "collection": collection, "fieldSlug": field, "slug": slug })).await?;
        }
        applying::make(cx, &planned, &self.lose, &self.convert, looking).await?;
        Ok(Plan { version: export::model(cx).await?.version, steps: planned.steps })
    }
}

/// What leads from the model that there is to another one.
pub(super) struct Planned {
    /// Names the model that there is.
    version: String,
    /// The collections that there are, with the names that fields get.
    pub(super) collections: Vec<Collection>,
    /// The same as a model.
    pub(super) there: Model,
    pub(super) wanted: Model,
    steps: Vec<Step>,
}

async fn plan(
    cx: &Cx<'_>,
    mut there: Vec<Collection>,
    wanted: Vec<CreateCollection>,
    partial: bool,
    renames: &BTreeMap<String, FieldSlug>,
) -> Result<Planned, Error> {
    let version = export::of(there.clone())?.version;
    let mut all = rename(&mut there, renames)?;
    let collections = there.clone();
    let there = Model::there(there)?;
    let wanted = Model::wanted(cx, wanted, partial, &there)?;
    all.extend(steps(cx, &there, &wanted).await?);
    if all.len() > MOST_STEPS {
        let message = format!("would take {} steps, {MOST_STEPS} at most: change some collections at a time, with `partial`", all.len());
        return Err(Error::issue("collections", "TOO_MANY", message));
    }
    Ok(Planned { version, collections, there, wanted, steps: all })
}

/// Gives fields their new names, and says so in steps.
fn rename(collections: &mut [Collection], renames: &BTreeMap<String, FieldSlug>) -> Result<Vec<Step>, Error> {
    let (mut steps, mut issues) = (Vec::new(), Vec::new());
    for (name, to) in renames {
        let (of, field) = name.split_once('.').unwrap_or_default();
        let known = collections.iter_mut().find(|collection| collection.slug.as_str() == of);
        let Some((collection, from)) = known.and_then(|known| known.field(field).map(|field| field.slug.clone()).map(|from| (known, from)))
        else {
            issues.push(Issue::new(
                format!("renames.{name}"),
                "UNKNOWN_FIELD",
                "names no field: expected its collection, a dot, and what it is called",
            ));
            continue;
        };
        if let Err(error) = must_be_free(collection, to) {
            issues.push(Issue::new(format!("renames.{name}"), error.code().as_str(), error.message()));
            continue;
        }
        let at = collection.updated_at;
        collection.rename_field(&from, to, at);
        let changes = vec![Change { member: "slug".to_owned(), from: json!(from), to: json!(to) }];
        steps.push(Step { action: Action::RenameField, name: name.clone(), changes, loses: None });
    }
    if issues.is_empty() { Ok(steps) } else { Err(Error::invalid(issues)) }
}

/// All collections, which nobody else changes or writes entries of from here on. They are held in the same order by everyone.
async fn hold_all(cx: &mut Cx<'_>) -> Result<Vec<Collection>, Error> {
    cx.permit(to::ManageSchema)?;
    let ids = |collections: &[Collection]| collections.iter().map(|collection| collection.id).collect::<BTreeSet<_>>();
    let tx = cx.tx().await?;
    let held = ids(&tx.reader().collections().all().await?);
    for collection in &held {
        tx.collections().hold_alone(*collection).await?;
    }
    // What somebody made while these were waited for is not held.
    let there = tx.reader().collections().all().await?;
    if ids(&there) == held { Ok(there) } else { Err(Error::overtaken()) }
}

/// What deletes values is done where somebody names it, and whoever names what is not deleted has something else in mind.
fn must_be_named(steps: &[Step], lose: &BTreeSet<String>) -> Result<(), Error> {
    let lost = steps.iter().filter_map(|step| Some((step, step.loses?))).filter(|(step, _)| !lose.contains(&step.name));
    let unnamed = lost.map(|(step, entries)| {
        let name = &step.name;
        let message = format!(
            "does not name `{name}`, which would be deleted with what is in it: {entries} of its entries may lose something. Name it to go on, at the command \
             line with `--lose {name}`"
        );
        Issue::new("lose", "REQUIRED", message)
    });
    let is_deleted = |name: &String| steps.iter().any(|step| step.action.deletes() && step.name == *name);
    let kept = lose.iter().filter(|name| !is_deleted(name));
    let kept = kept.map(|name| Issue::new("lose", "NOT_ALLOWED", format!("names `{name}`, which is not deleted")));
    let issues: Vec<_> = unnamed.chain(kept).collect();
    if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
}

/// Whoever has values of a field converted that does not get another type has something else in mind.
fn must_retype(steps: &[Step], convert: &BTreeSet<String>) -> Result<(), Error> {
    let retypes = |step: &Step| step.changes.iter().any(|change| ["type", "options"].contains(&change.member.as_str()));
    let is_retyped = |name: &String| steps.iter().any(|step| step.action == Action::UpdateField && step.name == *name && retypes(step));
    let kept = convert.iter().filter(|name| !is_retyped(name));
    let issues: Vec<_> =
        kept.map(|name| Issue::new("convert", "NOT_ALLOWED", format!("names `{name}`, which gets no other type"))).collect();
    if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
}

impl Action {
    fn deletes(self) -> bool {
        matches!(self, Self::DeleteCollection | Self::DeleteField)
    }
}

pub(super) type Members = Map<String, Value>;

/// Collections as `schema.export` gives them.
pub(super) struct Model {
    pub(super) collections: BTreeMap<CollectionSlug, Members>,
    /// Those that there are.
    ids: BTreeMap<CollectionSlug, CollectionId>,
    /// Whether there are others, which are not looked at.
    pub(super) partial: bool,
}

impl Model {
    /// The model that there is.
    pub(super) fn there(collections: Vec<Collection>) -> Result<Self, Error> {
        let ids = collections.iter().map(|collection| (collection.slug.clone(), collection.id)).collect();
        let exported = export::of(collections)?;
        let collections = exported.collections.iter().map(|collection| Ok((collection.slug.clone(), members(collection)?)));
        Ok(Self { collections: collections.collect::<Result<_, Error>>()?, ids, partial: false })
    }

    /// The model that is wanted, with every default. All that is wrong with it is told.
    fn wanted(cx: &Cx<'_>, collections: Vec<CreateCollection>, partial: bool, there: &Self) -> Result<Self, Error> {
        if collections.len() > MOST_COLLECTIONS {
            return Err(Error::issue("collections", "TOO_LONG", format!("has more than {MOST_COLLECTIONS} collections")));
        }
        let mut known: BTreeSet<_> = collections.iter().map(|wanted| wanted.slug.clone()).collect();
        if partial {
            known.extend(there.ids.keys().cloned());
        }
        let mut issues = Vec::new();
        let mut model = BTreeMap::new();
        for (n, mut wanted) in collections.into_iter().enumerate() {
            let mut found = Vec::new();
            if wanted.slug.is_reserved() {
                found.push(Issue::new("slug", "RESERVED_SLUG", "is part of the API's addresses and cannot be a collection"));
            }
            let composites: Vec<_> = wanted.indexes.take().unwrap_or_default().into_iter().map(|composite| composite.fields).collect();
            let fields = wanted.fields.take().unwrap_or_default();
            let mut collection = wanted.into_collection(cx);
            found.extend(add_fields(cx, &mut collection, fields, &known));
            found.extend(rules::check(&collection, &composites));
            let slug = collection.slug.clone();
            let exported = ExportedCollection { indexes: export::composites(composites), ..export::exported(collection) };
            if model.insert(slug, members(&exported)?).is_some() {
                found.push(Issue::new("slug", "DUPLICATE", "is the slug of an earlier collection"));
            }
            issues.extend(found.into_iter().map(|issue| issue.under(&format!("collections.{n}"))));
        }
        if issues.is_empty() { Ok(Self { collections: model, ids: BTreeMap::new(), partial }) } else { Err(Error::invalid(issues)) }
    }

    /// The collections that are in this model and not in another one.
    pub(super) fn without<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a CollectionSlug, &'a Members)> {
        self.collections.iter().filter(|(slug, _)| !other.collections.contains_key(*slug))
    }
}

fn members(of: &impl Serialize) -> Result<Members, Error> {
    match serde_json::to_value(of)? {
        Value::Object(members) => Ok(members),
        _ => Err(Error::internal("what is exported has no members")),
    }
}

/// The fields of an exported collection, by slug, in their order.
pub(super) fn fields(collection: &Members) -> Vec<(&str, &Members)> {
    let fields = collection.get("fields").and_then(Value::as_array).into_iter().flatten();
    fields.filter_map(|field| Some((field["slug"].as_str()?, field.as_object()?))).collect()
}

pub(super) fn field<'a>(collection: &'a Members, slug: &str) -> Option<&'a Members> {
    fields(collection).into_iter().find(|(known, _)| *known == slug).map(|(_, field)| field)
}

/// The members that differ.
pub(super) fn changes(before: &Members, after: &Members) -> Vec<Change> {
    let differing = after.iter().filter(|(member, to)| !NOT_PLANNED.contains(&member.as_str()) && before.get(*member) != Some(to));
    differing
        .map(|(member, to)| Change { member: member.clone(), from: before.get(member).cloned().unwrap_or_default(), to: to.clone() })
        .collect()
}

/// What is done for one model to become another.
async fn steps(cx: &Cx<'_>, there: &Model, wanted: &Model) -> Result<Vec<Step>, Error> {
    let step = |action, name: String| Step { action, name, changes: Vec::new(), loses: None };
    let mut steps: Vec<_> = wanted.without(there).map(|(slug, _)| step(Action::CreateCollection, slug.to_string())).collect();
    let mut deleted = Vec::new();
    for (slug, after) in &wanted.collections {
        let Some(before) = there.collections.get(slug) else { continue };
        let added = fields(after).iter().filter(|(name, _)| field(before, name).is_none()).count();
        if fields(before).len() + added > Collection::MAX_FIELDS {
            let most = Collection::MAX_FIELDS;
            let message = format!("would have more than {most} fields in `{slug}` before those that go are gone: delete these first");
            return Err(Error::issue("collections", "TOO_MANY", message));
        }
        for (name, field) in fields(after) {
            let name = format!("{slug}.{name}");
            match self::field(before, field["slug"].as_str().unwrap_or_default()).map(|known| changes(known, field)) {
                None => steps.push(step(Action::CreateField, name)),
                Some(changes) if changes.is_empty() => {}
                Some(changes) => steps.push(Step { changes, ..step(Action::UpdateField, name) }),
            }
        }
        let changes = changes(before, after);
        if !changes.is_empty() {
            steps.push(Step { changes, ..step(Action::UpdateCollection, slug.to_string()) });
        }
        let gone: Vec<_> = fields(before).into_iter().filter(|(name, _)| field(after, name).is_none()).collect();
        if !gone.is_empty() {
            let loses = entries(cx, there, slug).await?;
            deleted.extend(gone.iter().map(|(name, _)| Step { loses, ..step(Action::DeleteField, format!("{slug}.{name}")) }));
        }
    }
    steps.extend(deleted);
    for (slug, _) in there.without(wanted).filter(|_| !wanted.partial) {
        steps.push(Step { loses: entries(cx, there, slug).await?, ..step(Action::DeleteCollection, slug.to_string()) });
    }
    Ok(steps)
}

/// How many entries a collection has, the trash included; none where it has none.
async fn entries(cx: &Cx<'_>, there: &Model, slug: &CollectionSlug) -> Result<Option<i64>, Error> {
    let Some(id) = there.ids.get(slug) else { return Ok(None) };
    let totals = cx.read().entries().totals(*id).await?;
    Ok(Some(totals.entries + totals.trashed).filter(|entries| *entries > 0))
}
