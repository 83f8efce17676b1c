//! Lists, pages and counts: asks what the plan needs to know, then runs it.

use cms_domain::{access::Visibility, entry::Entry, id::CollectionId, locale::Locale, time::Timestamp};
use sea_orm::QueryResult;

use super::{
    Count, ListQuery, Page, Position,
    plan::{self, Access, Choice, Condition, Consideration, Plan, Shelf},
    position::Key,
    sql::{self, Column, PageText},
};
use crate::{
    Error,
    entries::{
        EntryReader, EntryStamp, EntryView,
        read::{Filled, Slot, TRASHED, seen_by},
        row::{EntryRow, Weighed, id, status_of},
    },
    row::{Row, corrupt, id_value},
    statement::Text,
};

/// From how many entries on a count is not exact.
const COUNTED: i64 = 10_000;
/// How many rows are looked at to count those that pass further checks.
const LOOKED_AT: i64 = 10_000;
/// How many of the newest entries tell how many rows a filter finds, when they are too many to be counted.
const SAMPLE: i64 = 200;

impl EntryReader<'_> {
    /// A page of a list. Fails with [`Error::Unindexed`] when more rows than its budget would have to be looked at.
    pub async fn list(self, query: &ListQuery<'_>) -> Result<Page<Entry>, Error> {
        self.planned(query).await
    }

    /// A page of a list of published entries, as their readers see them. A list that looks at working copies has nothing to show.
    pub async fn list_published(self, query: &ListQuery<'_>) -> Result<Page<EntryView>, Error> {
        match query.visibility {
            Visibility::Published => self.planned(query).await,
            Visibility::Working => Ok(Page::empty("nothing")),
        }
    }

    /// A page without what its entries show: for whoever knows that already of those that are as they were.
    pub async fn list_stamps(self, query: &ListQuery<'_>) -> Result<Page<EntryStamp>, Error> {
        match query.visibility {
            Visibility::Working => self.planned::<Weighed<true>>(query).await?.try_map(|entry| Ok(entry.stamp)),
            // Nothing that readers see moves with a draft, or with a schedule that failed.
            Visibility::Published => {
                self.planned::<Weighed<false>>(query).await?.try_map(|entry| Ok(EntryStamp { attempts: 0, ..entry.stamp }))
            }
        }
    }

    async fn planned<T: EntryRow>(self, query: &ListQuery<'_>) -> Result<Page<T>, Error> {
        match self.plan(query).await? {
            None => Ok(Page::empty("nothing")),
            Some(Choice { plan, instead: None }) => self.page(query, &plan).await,
            Some(Choice { plan, instead: Some(instead) }) => {
                let patient = ListQuery { budget: query.budget.min(instead.searched), ..query.clone() };
                match self.page(&patient, &plan).await {
                    Err(Error::Unindexed(_)) => self.page(query, &instead.plan).await,
                    found => found,
                }
            }
        }
    }

    /// A page of a list, found in a given way.
    pub(super) async fn page<T: EntryRow>(self, query: &ListQuery<'_>, plan: &Plan) -> Result<Page<T>, Error> {
        let description = plan.to_string();
        let Some(PageText { text, gives_entries }) = sql::page(query, plan, T::LIGHT) else {
            return Ok(Page::empty(description));
        };
        let mut rows = self.executor.all(text).await?;
        let more = rows.len() > query.limit;
        if !more && plan.is_search() && self.goes_on_beyond(query, plan).await? {
            return Err(Error::Unindexed(plan::remedy(query)));
        }
        rows.truncate(query.limit);
        let columns = query.sort.columns().len();
        let id_of = |row: &QueryResult| id(row, columns - 1);
        let Filled { items, cut_at } = if gives_entries {
            let slots = rows.iter().map(|row| Slot::read(row, columns)).collect::<Result<_, _>>()?;
            self.fill(&seen_by(query.visibility), slots).await?
        } else {
            let ids: Vec<_> = rows.iter().map(id_of).collect::<Result<_, _>>()?;
            self.page_by_ids(query.visibility, &ids).await?
        };
        let last = match cut_at {
            Some(cut_at) => rows.iter().take_while(|row| id_of(row).is_ok_and(|id| id != cut_at)).last(),
            None => rows.last().filter(|_| more),
        };
        let next = last.map(|last| position(query, plan, last)).transpose()?;
        Ok(Page { items, next, plan: description })
    }

    /// Whether there are more rows to search than a list may look at. A page that is full need not ask; for one that is short this
    /// costs less than its search did.
    async fn goes_on_beyond(self, query: &ListQuery<'_>, plan: &Plan) -> Result<bool, Error> {
        match sql::beyond(query, plan) {
            Some(text) => Ok(self.executor.one(text).await?.is_some()),
            None => Ok(false),
        }
    }

    /// Entries of a collection in the trash, the last deleted first.
    pub async fn list_trashed(self, collection: CollectionId, limit: usize, after: Option<&Position>) -> Result<Page<Entry>, Error> {
        let mut text = Text::new(&format!("SELECT {} FROM entries e WHERE e.collection_id = ", Entry::LIGHT));
        text.bind(id_value(collection)).push(TRASHED);
        if let Some(Position::Date(at, id)) = after {
            text.push(" AND (e.deleted_at, e.id) < (").bind(*at).push(", ").bind(id_value(*id)).push(")");
        }
        text.push(" ORDER BY e.deleted_at DESC, e.id DESC LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1));
        let rows = self.executor.all(text).await?;
        let slots = rows.iter().take(limit).map(|row| Slot::read(row, 0)).collect::<Result<_, _>>()?;
        let Filled { items, cut_at } = self.fill(TRASHED, slots).await?;
        let last = items.last().filter(|_| rows.len() > limit || cut_at.is_some());
        let next = last.and_then(|last: &Entry| Some(Position::Date(last.lifecycle.deleted_at?.milliseconds(), last.id)));
        Ok(Page { items, next, plan: "walk trash".to_owned() })
    }

    /// How many entries a list has in all. Exact where only statuses and locales are asked for, and up to ten thousand: as many rows are looked
    /// at, of which an entry with several of the values that are asked for has as many.
    pub async fn count(self, query: &ListQuery<'_>) -> Result<Count, Error> {
        let Some(conditions) = plan::conditions(query) else { return Ok(Count { n: 0, exact: true }) };
        let counted = conditions.iter().all(|condition| matches!(condition, Condition::Status(_) | Condition::Locale(_)));
        if counted {
            let fits = |shelf: &&Shelf| {
                conditions.iter().all(|condition| match condition {
                    Condition::Status(status) => *status == shelf.status,
                    Condition::Locale(locale) => *locale == shelf.locale,
                    _ => true,
                })
            };
            let n: i64 = self.shelves(query.collection.id).await?.iter().filter(fits).map(|shelf| shelf.n).sum();
            return Ok(Count { n: u64::try_from(n).unwrap_or(0), exact: true });
        }
        let Some(plan) = self.smallest(query).await? else { return Ok(Count { n: 0, exact: true }) };
        let most = if plan.checks.is_empty() { COUNTED } else { plan.instead_of(LOOKED_AT) };
        let row = self.executor.one(sql::hits(query, &plan, most + 1)).await?;
        let (seen, hits) = row.map_or(Ok((0, 0)), |row| Ok::<_, Error>((number(&row, 0)?, number(&row, 1)?)))?;
        let exact = seen <= most && hits <= COUNTED;
        Ok(Count { n: u64::try_from(hits.min(COUNTED)).unwrap_or(0), exact })
    }

    /// How many untrashed entries of each status and locale a collection has, where there are any.
    pub(crate) async fn shelves(self, collection: CollectionId) -> Result<Vec<Shelf>, Error> {
        // The sum of `bigint` is a `numeric` on PostgreSQL.
        const SHELVES: &str = "SELECT status, locale, CAST(sum(n) AS bigint) AS n FROM entry_counts WHERE collection_id = $1 \
            GROUP BY status, locale HAVING sum(n) > 0 ORDER BY status, locale";
        let rows = self.executor.all((SHELVES, [id_value(collection)])).await?;
        let shelf = |row: &QueryResult| {
            let status = status_of(row.read("status")?).ok_or_else(|| corrupt("entry_counts", "status", collection))?;
            Ok(Shelf { status, locale: row.parse("entry_counts", "locale", collection)?, n: row.read("n")? })
        };
        rows.iter().map(shelf).collect()
    }

    /// How a list is found; none when nothing can be in it.
    async fn plan(self, query: &ListQuery<'_>) -> Result<Option<Choice>, Error> {
        let candidates = match plan::consider(query, None) {
            Consideration::Nothing => return Ok(None),
            Consideration::Clear(plan) => return Ok(Some(plan.into())),
            Consideration::Several(candidates) => candidates,
            Consideration::Shelves => {
                let shelves = self.shelves(query.collection.id).await?;
                match plan::consider(query, Some(&shelves)) {
                    Consideration::Clear(plan) => return Ok(Some(plan.into())),
                    Consideration::Several(candidates) => candidates,
                    Consideration::Nothing | Consideration::Shelves => return Ok(None),
                }
            }
        };
        let counts = self.measure(query, &candidates).await?;
        Ok(plan::choose(query, &candidates, &counts))
    }

    /// The plan that reads the fewest rows, whatever their order.
    async fn smallest(self, query: &ListQuery<'_>) -> Result<Option<Plan>, Error> {
        let shelves = self.shelves(query.collection.id).await?;
        let candidates = match plan::consider(query, Some(&shelves)) {
            Consideration::Clear(plan) => return Ok(Some(plan)),
            Consideration::Several(candidates) => candidates,
            Consideration::Nothing | Consideration::Shelves => return Ok(None),
        };
        let counts = self.measure(query, &candidates).await?;
        let smallest = candidates.into_iter().zip(counts).min_by_key(|(_, rows)| *rows);
        Ok(smallest.map(|(candidate, _)| candidate.plan))
    }

    /// How many rows each candidate reads: counted where they are few, and otherwise estimated.
    async fn measure(self, query: &ListQuery<'_>, candidates: &[plan::Candidate]) -> Result<Vec<i64>, Error> {
        let unknown: Vec<_> = candidates.iter().filter(|candidate| candidate.rows.is_none()).map(|candidate| &candidate.plan).collect();
        let row = match unknown.as_slice() {
            [] => None,
            unknown => self.executor.one(sql::counts(query, unknown)).await?,
        };
        let mut counted = 0..;
        let rows = |candidate: &plan::Candidate| match (candidate.rows, &row) {
            (Some(rows), _) => Ok(rows),
            (None, Some(row)) => number(row, counted.next().unwrap_or_default()),
            (None, None) => Ok(0),
        };
        let mut counts = candidates.iter().map(rows).collect::<Result<Vec<_>, Error>>()?;
        // The last candidate reads everything; a count that was cut off may be as high as that.
        let total = counts.last().copied().unwrap_or(0);
        let unclear = plan::unclear(query, candidates, &counts);
        for (rows, candidate) in counts.iter_mut().zip(candidates) {
            if candidate.rows.is_none() && *rows > candidate.plan.gathered(query.sort) {
                *rows = total.max(*rows);
            }
        }
        let (places, plans): (Vec<_>, Vec<_>) = unclear.into_iter().unzip();
        if !plans.is_empty()
            && let Some(row) = self.executor.one(sql::sample(query, &plans, SAMPLE)).await?
        {
            let size = number(&row, 0)?.max(1);
            for (n, place) in places.into_iter().enumerate() {
                let many = candidates[place].plan.gathered(query.sort) + 1;
                counts[place] = (total / size * number(&row, n + 1)?).max(many);
            }
        }
        Ok(counts)
    }
}

fn number(row: &QueryResult, column: usize) -> Result<i64, Error> {
    Ok(row.try_get_by_index(column)?)
}

/// Where a page ends, from the columns of the order in its last row.
fn position(query: &ListQuery<'_>, plan: &Plan, row: &QueryResult) -> Result<Position, Error> {
    let columns = query.sort.columns();
    let id = id(row, columns.len() - 1)?;
    let time = |column| Ok::<_, Error>(Timestamp::from_milliseconds(number(row, column)?));
    let locale = |column| {
        let text: String = row.try_get_by_index(column)?;
        text.parse::<Locale>().map_err(|_| corrupt("entries", "locale", id))
    };
    match columns[0] {
        Column::Slug => Ok(Position::Slug(row.try_get_by_index(0)?, id)),
        Column::Status => {
            let status = status_of(row.try_get_by_index(0)?).ok_or_else(|| corrupt("entries", "status", id))?;
            Ok(Position::Status(status, locale(1)?, time(2)?, id))
        }
        Column::Locale => Ok(Position::Locale(locale(0)?, time(1)?, id)),
        Column::Key => {
            let key: Vec<u8> = row.try_get_by_index(0)?;
            let prefix = match &plan.access {
                Access::Index { prefix, .. } if plan.ordered => prefix.len(),
                _ => 0,
            };
            Ok(Position::Key(Key(key.get(prefix..).unwrap_or_default().to_vec()), time(1)?, id))
        }
        _ => Ok(Position::Date(number(row, 0)?, id)),
    }
}
