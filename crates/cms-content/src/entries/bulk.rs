//! Change many entries: a job does to each what the operation on one does.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    access::{Access, Permission},
    collection::{Collection, Support},
    entry::{DateField, Entry, Status},
    field::filter::FieldFilters,
    id::{EntryId, JobId, UserId},
    issue::Issue,
    locale::Locale,
    page::PageSize,
    slug::CollectionSlug,
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, FEATURE, Failures},
    jobs::Wanted,
    operation::{Http, Operation, Tool},
};
use cms_storage::{BEFORE_ALL, DateRange, Position};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    EDIT,
    bulk_change::Action,
    bulk_job::{At, BulkChange, ChangeJob, What},
    dates::DateBound,
    format::Format,
    lease,
    list::{ListDate, ListEntries, Order},
    target::supported,
    update,
};
use crate::schema_cache;

/// How many entries may be named one by one, to be changed or to be left: ten of the longest pages, more than anybody ticks. Whoever means more has a rule for which, and
/// sends it as a filter.
const MOST_IDS: usize = 1000;
/// How many bulk changes of one person are under way at once, those that take another one back among them: more than anybody looks after, and few enough that those of others have their turn soon.
pub(super) const MOST_JOBS: u64 = 5;
/// How many entries are found at once: ids alone, which one statement adds.
const FOUND_AT_ONCE: usize = 500;
/// How many entries of the trash are looked at at once. They are read whole, and each may have ten megabytes.
const TRASHED_AT_ONCE: usize = 20;

/// Change many entries of a collection.
///
/// A job does to each of them what the operation on one entry does, each in a transaction of its own: with the same checks, hooks and events, and with
/// what whoever asks may do to that entry. Entries that stand as they are to stand already are skipped; those that cannot be changed are named with the
/// reason, while the job goes on with the others. It ends when whoever asked may not go on: their session or token has ended, their account is
/// disabled, or their role is lower. `content.get_bulk` says how far it is, `content.cancel_bulk` ends it, and
/// `content.undo_bulk` takes back what can be taken back.
///
/// Five of one person's may be under way at once, those that take another one back among them; more are refused with `RATE_LIMITED`.
///
/// The entries are named by `ids`, or found by `filter` when the job begins: what comes to match it later is not among them, and neither is what was
/// created (for `restore`: trashed) after `upTo`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeEntries {
    /// The collection.
    pub collection: CollectionSlug,
    /// What is done to each entry.
    pub action: BulkAction,
    /// When to publish; in the future. For `schedule` alone.
    pub scheduled_at: Option<Timestamp>,
    /// Who owns the entries afterwards; needs the permission to edit anyone's entries. For `set_author` alone.
    pub author_id: Option<UserId>,
    /// The entries, one by one; either these or `filter`.
    #[schemars(length(min = 1, max = 1000))]
    pub ids: Option<Vec<EntryId>>,
    /// Versions of the entries that are named, as they were seen: an entry that has another one when it is its turn is not changed, and fails with
    /// `CONFLICT`. Those that are not in it are changed as they are.
    #[serde(default)]
    #[schemars(extend("maxProperties" = MOST_IDS))]
    pub versions: BTreeMap<EntryId, i64>,
    /// Which entries; either this or `ids`. Without members it is all of the collection.
    pub filter: Option<BulkFilter>,
    /// Whether to change entries though other users are editing them.
    #[serde(default)]
    pub override_lock: bool,
}

/// What is done to many entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BulkAction {
    /// Their newest content becomes public.
    Publish,
    /// They are taken off the public site.
    Unpublish,
    /// They are published at a later time.
    Schedule,
    /// They are not published at a later time.
    Unschedule,
    /// They are moved to the trash.
    Trash,
    /// They are taken out of the trash.
    Restore,
    /// They get another owner.
    SetAuthor,
}

/// Which entries of a collection are changed: those that pass all of it, as a list of the collection has them; for `restore` those in the trash.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkFilter {
    /// Only entries of this status.
    pub status: Option<Status>,
    /// Only entries of this locale.
    pub locale: Option<Locale>,
    /// Only entries of this author.
    pub author_id: Option<UserId>,
    /// Which date `dateFrom` and `dateTo` bound.
    pub date_field: Option<ListDate>,
    /// Only entries whose date is this one or later.
    pub date_from: Option<DateBound>,
    /// Only entries whose date is this one or earlier.
    pub date_to: Option<DateBound>,
    /// Only entries whose fields pass: each filter names an indexed field. Not for `restore`.
    #[serde(default)]
    pub field_filters: FieldFilters,
    /// Entries that are left as they are though they pass: of a list that is all ticked, those whose ticks were taken off.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    #[schemars(length(max = 1000))]
    pub except: BTreeSet<EntryId>,
    /// Only entries that were created until then; now when left out. Whoever shows a list first says when it was read.
    pub up_to: Option<Timestamp>,
}

/// What was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BulkStarted")]
pub struct Started {
    /// The job that does it.
    pub job: JobId,
}

impl Operation for ChangeEntries {
    const ID: &'static str = "content.bulk";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("bulkContent", "/content/{collection}/bulk").created();
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[COLLECTION, FEATURE, &[Code::IndexBuilding, Code::UnindexedFilter, Code::RateLimited]];
    type Output = Started;

    fn check(&self) -> Result<(), Error> {
        let only_for = |member, action, is_given: bool| {
            let is_wanted = self.action == action;
            match (is_wanted, is_given) {
                (true, false) => Err(Error::issue(member, "REQUIRED", "says what becomes of the entries")),
                (false, true) => Err(Error::issue(member, "NOT_ALLOWED", "has nothing to do with this action")),
                _ => Ok(()),
            }
        };
        only_for("scheduledAt", BulkAction::Schedule, self.scheduled_at.is_some())?;
        only_for("authorId", BulkAction::SetAuthor, self.author_id.is_some())?;
        if self.filter.is_some() && !self.versions.is_empty() {
            return Err(Error::issue("versions", "NOT_ALLOWED", "goes with `ids`: a filter names no entry that was seen"));
        }
        let named: BTreeSet<_> = self.ids.iter().flatten().collect();
        if let Some(unnamed) = self.versions.keys().find(|id| !named.contains(id)) {
            return Err(Error::issue(&format!("versions.{unnamed}"), "NOT_ALLOWED", "is not among `ids`"));
        }
        match (&self.ids, &self.filter) {
            (None, None) => Err(Error::issue("ids", "REQUIRED", "name the entries, or send a `filter`")),
            (Some(_), Some(_)) => Err(Error::issue("filter", "NOT_ALLOWED", "send `ids` or a `filter`, and not both")),
            (Some(ids), None) if ids.is_empty() => Err(Error::issue("ids", "TOO_SHORT", "names no entry")),
            (Some(ids), None) if ids.len() > MOST_IDS => {
                Err(Error::issue("ids", "TOO_LONG", format!("names more than {MOST_IDS} entries: send a `filter`")))
            }
            (Some(_), None) => Ok(()),
            (None, Some(filter)) => filter.check(self.action),
        }
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<Started, Error> {
        let collection = schema_cache::collection(cx, &self.collection).await?;
        let action = self.planned(cx, &collection).await?;
        let now = cx.now();
        let filter = self.filter.map(|filter| BulkFilter { up_to: Some(filter.up_to.map_or(now, |up_to| up_to.min(now))), ..filter });
        if let Some(filter) = &filter {
            // What a list refuses is refused here, and not by a job that nobody looks at.
            filter.find(cx, &collection, action, None).await?;
        }
        let mut named = BTreeSet::new();
        let ids: Vec<_> = self.ids.into_iter().flatten().filter(|id| named.insert(*id)).collect();
        let order = BulkChange {
            collection: self.collection,
            heeds_locks: lease::binds(cx) && !self.override_lock,
            what: What::Change { action, filter: filter.clone().map(Box::new), versions: self.versions },
        };
        let wanted = Wanted::new(order).at_most(MOST_JOBS);
        let job = if filter.is_some() {
            cx.enqueue(wanted).await?
        } else {
            let all = ids.len() as u64;
            let job = cx.enqueue_rest::<ChangeJob>(wanted.of(all), &At::all_found(all), 0).await?;
            cx.tx().await?.bulk().add(job, 0, &ids).await?;
            job
        };
        let which = if filter.is_some() { json!({ "filter": filter }) } else { json!({ "entries": ids.len() }) };
        cx.audit_named("job", job, Some(collection.slug.as_str()), &json!({ "action": action.name(), "which": which }));
        Ok(Started { job })
    }
}

impl ChangeEntries {
    /// What is done to each entry, if the caller may do it to any and the collection knows of it.
    async fn planned(&self, cx: &Cx<'_>, collection: &Collection) -> Result<Action, Error> {
        let action = match (self.action, self.scheduled_at, self.author_id) {
            (BulkAction::Schedule, Some(at), _) => Action::Schedule { at },
            (BulkAction::SetAuthor, _, Some(author)) => Action::SetAuthor { author },
            (BulkAction::Publish, ..) => Action::Publish,
            (BulkAction::Unpublish, ..) => Action::Unpublish,
            (BulkAction::Trash, ..) => Action::Trash,
            (BulkAction::Restore, ..) => Action::Restore,
            // What is missing was told before.
            (BulkAction::Unschedule | BulkAction::Schedule | BulkAction::SetAuthor, ..) => Action::Unschedule,
        };
        cx.actor().admit(cx.cms().access(action.access()), false)?;
        match action {
            Action::Schedule { at } => {
                supported(collection, Support::Scheduling)?;
                if at <= cx.now() {
                    return Err(Error::issue("scheduledAt", "PAST", "must be in the future"));
                }
            }
            Action::SetAuthor { author } => {
                cx.permit(Permission::ContentEditAny)?;
                update::must_exist(cx, author).await?;
            }
            _ => {}
        }
        Ok(action)
    }
}

/// What is wrong with a filter, as a problem of the input that it is a member of.
fn under_filter(error: &Error) -> Option<Error> {
    let issues = error.details_json()?.get("issues")?.as_array()?;
    let issue = |issue: &Value| {
        let text = |member| issue.get(member).and_then(Value::as_str).unwrap_or_default();
        Issue::new(text("path"), text("code"), text("message")).under("filter")
    };
    Some(Error::invalid(issues.iter().map(issue).collect()))
}

/// Entries that a filter found, and where to go on, if there may be more.
pub(super) type Found = (Vec<EntryId>, Option<Position>);

impl BulkFilter {
    fn check(&self, action: BulkAction) -> Result<(), Error> {
        if (self.date_from.is_some() || self.date_to.is_some()) && self.date_field.is_none() {
            return Err(Error::issue("filter.dateField", "REQUIRED", "says which date `dateFrom` and `dateTo` bound"));
        }
        if action == BulkAction::Restore && !self.field_filters.is_empty() {
            return Err(Error::issue("filter.fieldFilters", "NOT_ALLOWED", "no index finds entries in the trash by their fields"));
        }
        if self.except.len() > MOST_IDS {
            return Err(Error::issue("filter.except", "TOO_LONG", format!("names more than {MOST_IDS} entries: narrow the filter")));
        }
        Ok(())
    }

    /// The list that has the entries.
    fn as_list(&self, collection: &Collection) -> ListEntries {
        let Self { status, locale, author_id, date_field, date_from, date_to, field_filters, except: _, up_to: _ } = self.clone();
        ListEntries {
            collection: collection.slug.clone(),
            cursor: None,
            limit: PageSize::default(),
            status,
            order_by: None,
            order: Order::Desc,
            locale,
            author_id,
            date_field,
            date_from,
            date_to,
            field_filters,
            include_total: false,
            fields: None,
            include: None,
            format: Format::Json,
        }
    }

    /// The next entries, the newest first: by when they were created, or trashed, which nothing that is done to them changes.
    pub(super) async fn find(&self, cx: &Cx<'_>, collection: &Collection, action: Action, after: Option<Position>) -> Result<Found, Error> {
        let list = self.as_list(collection);
        let behind_all = |up_to: Timestamp| Position::Date(up_to.milliseconds().saturating_add(1), BEFORE_ALL);
        let after = after.or_else(|| self.up_to.map(behind_all));
        let (mut query, _) = list.query(cx, collection).map_err(|error| under_filter(&error).unwrap_or(error))?;
        let (mut found, next): Found = if action == Action::Restore {
            let page = cx.read().entries().list_trashed(collection.id, TRASHED_AT_ONCE, after.as_ref()).await?;
            let found = page.items.iter().filter(|entry| self.passes(entry, query.locale.as_ref(), query.dates));
            (found.map(|entry| entry.id).collect(), page.next)
        } else {
            (query.limit, query.after) = (FOUND_AT_ONCE, after);
            let page = cx.read().entries().list_stamps(&query).await?;
            (page.items.into_iter().map(|stamp| stamp.id).collect(), page.next)
        };
        found.retain(|id| !self.except.contains(id));
        Ok((found, next))
    }

    /// Whether an entry of the trash is among those that are meant.
    fn passes(&self, entry: &Entry, locale: Option<&Locale>, dates: Option<DateRange>) -> bool {
        let is_within = |dates: DateRange| {
            let date = match dates.field {
                DateField::CreatedAt => Some(entry.created_at),
                DateField::UpdatedAt => Some(entry.updated_at),
                DateField::PublishedAt => entry.lifecycle.published_at,
            };
            date.is_some_and(|date| dates.from.is_none_or(|from| from <= date) && dates.to.is_none_or(|to| date <= to))
        };
        self.status.is_none_or(|status| entry.lifecycle.status == status)
            && locale.is_none_or(|locale| entry.locale == *locale)
            && self.author_id.is_none_or(|author| entry.author == Some(author))
            && dates.is_none_or(is_within)
    }
}
