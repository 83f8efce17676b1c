//! How a list is found: a pure choice between walking an index in the order of the list, and gathering what a filter finds.
//!
//! The databases' own planners guess this wrong by factors of a hundred, and each in its own way. Here the choice is the same
//! on both, and bounded: what is gathered and sorted is at most [`GATHERED`] rows or so, and what is walked is the smallest set
//! that comes in the right order. Rows that are walked and have to be checked are looked at up to the budget of the list; one that
//! would need more of them is refused, with the index that would help. Where as few rows can be gathered instead, they are, as soon as
//! the walk has looked at as many: what is looked for need not lie evenly in what is walked.

use std::fmt;

use cms_domain::{
    access::Visibility,
    collection::{Collection, Index, IndexId},
    entry::{DateField, Status},
    field::{
        filter::FieldKeys,
        sort_key::{KeyRange, SortKey},
    },
    id::UserId,
    locale::Locale,
    slug::FieldSlug,
};

use super::{DateRange, ListQuery, Remedy, Sort};

/// The most rows that are gathered and sorted for a page, when each is looked up elsewhere, and the most when all that is needed
/// is in the index. Walking and probing wins above (measured: they cross at 1,000 to 10,000, and at four times as many).
pub(super) const GATHERED: i64 = 5_000;
pub(super) const GATHERED_FROM_INDEX: i64 = 20_000;

/// How many rows of an index are looked at for what their keys hold, in the time in which one row is looked up elsewhere.
const KEYS: i64 = 10;

/// How many untrashed entries of a status and a locale a collection has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shelf {
    /// The status.
    pub(crate) status: Status,
    /// The locale.
    pub(crate) locale: Locale,
    /// The number.
    pub(crate) n: i64,
}

/// One thing that entries of a list have in common.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    Status(Status),
    Locale(Locale),
    Author(UserId),
    Dates(DateRange),
    Field(FieldRanges),
}

/// Keys of a field's index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FieldRanges {
    pub(super) index: IndexId,
    pub(super) slug: FieldSlug,
    pub(super) ranges: Vec<KeyRange>,
    /// What keys in the ranges have to hold as well.
    pub(super) holding: Option<Vec<u8>>,
}

/// Entries that one of the indexes over columns finds side by side: in the order of what the list is sorted by.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Slice {
    pub(super) status: Option<Status>,
    pub(super) locale: Option<Locale>,
    pub(super) author: Option<UserId>,
    pub(super) dates: Option<DateRange>,
}

/// Where rows come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Access {
    /// Slices of the entries, merged.
    Entries(Vec<Slice>),
    /// Ranges of an index over fields, merged.
    Index {
        index: IndexId,
        ranges: Vec<KeyRange>,
        /// What a key of a composite begins with in all of the ranges; what follows is the key of the field that is sorted by.
        prefix: Vec<u8>,
        /// The date that the rows carry: rows of one key are in its order.
        date: DateField,
        /// The range of that date.
        dates: Option<DateRange>,
        /// Whether an entry may have several rows in the ranges.
        repeats: bool,
    },
}

/// How a list is found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) access: Access,
    /// What each row is still checked for.
    pub(super) checks: Vec<Condition>,
    /// Whether the rows come in the order of the list; otherwise they are gathered and sorted.
    pub(super) ordered: bool,
}

impl Plan {
    /// Whether the list is searched for among rows in its order: how many of them must be looked at is known afterwards only.
    pub(super) fn is_search(&self) -> bool {
        self.ordered && !self.checks.is_empty()
    }

    /// Whether all that is checked of each row is in the row: it reads rows of an index for what their keys hold.
    pub(super) fn reads_keys(&self) -> bool {
        let Access::Index { index: read, .. } = &self.access else { return false };
        let in_row = |check: &Condition| matches!(check, Condition::Field(field) if field.index == *read && field.holding.is_some());
        !self.checks.is_empty() && self.checks.iter().all(in_row)
    }

    /// The most rows that it may look at for a list.
    pub(super) fn budget(&self, query: &ListQuery) -> i64 {
        self.instead_of(query.budget)
    }

    /// How many rows it looks at in the time in which so many are looked up elsewhere.
    pub(super) fn instead_of(&self, rows: i64) -> i64 {
        if self.reads_keys() { rows.saturating_mul(KEYS) } else { rows }
    }

    /// The most rows that are gathered for a list in this order.
    pub(super) fn gathered(&self, sort: Sort) -> i64 {
        // Rows of an index carry the date of creation.
        let in_index = sort == Sort::CreatedAt && self.checks.is_empty() && matches!(self.access, Access::Index { .. });
        if in_index { GATHERED_FROM_INDEX } else { GATHERED }
    }
}

/// One way to find a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) plan: Plan,
    /// How many rows it looks at when nothing else is known; none when they must be counted.
    pub(super) rows: Option<i64>,
}

/// What is to be done about a list.
#[derive(Debug, PartialEq)]
pub(super) enum Consideration {
    /// Nothing can be in it.
    Nothing,
    /// The number of entries of each status and locale must be known first.
    Shelves,
    /// There is one way, or one that nothing beats.
    Clear(Plan),
    /// Several ways, to be counted and chosen from.
    Several(Vec<Candidate>),
}

/// Finds the ways to answer a list.
pub(super) fn consider(query: &ListQuery, shelves: Option<&[Shelf]>) -> Consideration {
    let Some(conditions) = conditions(query) else { return Consideration::Nothing };
    let candidates = Candidates { query, conditions: &conditions, shelves }.list();
    // Each reads all that may be in the list: where one has nothing to read, there is nothing.
    if candidates.iter().any(|candidate| candidate.plan.access.pieces().is_empty()) {
        return Consideration::Nothing;
    }
    let covering = candidates.iter().position(|candidate| candidate.plan.ordered && candidate.plan.checks.is_empty());
    if let Some(covering) = covering {
        return candidates.into_iter().nth(covering).map_or(Consideration::Nothing, |candidate| Consideration::Clear(candidate.plan));
    }
    if shelves.is_none() { Consideration::Shelves } else { Consideration::Several(candidates) }
}

/// What a sample of the newest entries is asked about candidates that read many rows: how many of it they would read.
///
/// Only where there are several, and which of them reads fewer rows decides something.
pub(super) fn unclear(query: &ListQuery, candidates: &[Candidate], counts: &[i64]) -> Vec<(usize, Plan)> {
    let many = |n: &usize| candidates[*n].rows.is_none() && counts[*n] > candidates[*n].plan.gathered(query.sort);
    let unclear: Vec<_> = (0..candidates.len()).filter(many).collect();
    let Some(conditions) = conditions(query).filter(|_| unclear.len() > 1) else { return Vec::new() };
    let asked = |n: usize| {
        let checks = &candidates[n].plan.checks;
        let checks = conditions.iter().filter(|condition| !checks.contains(condition)).cloned().collect();
        (n, Plan { access: Access::Entries(vec![Slice::default()]), checks, ordered: false })
    };
    unclear.into_iter().map(asked).collect()
}

/// The way to find a list.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) plan: Plan,
    /// What is done where the plan is a search that looks at more rows than this would gather.
    pub(super) instead: Option<Instead>,
}

/// A way to gather what is searched for.
#[derive(Debug)]
pub(super) struct Instead {
    pub(super) plan: Plan,
    /// How many rows a search looks at in the time that this takes, which is known and not guessed.
    pub(super) searched: i64,
}

impl From<Plan> for Choice {
    fn from(plan: Plan) -> Self {
        Self { plan, instead: None }
    }
}

/// Chooses among ways that read so many rows.
pub(super) fn choose(query: &ListQuery, candidates: &[Candidate], counts: &[i64]) -> Option<Choice> {
    let page = i64::try_from(query.limit).unwrap_or(i64::MAX).saturating_add(1);
    // The first of equals: candidates come with the most specific ones in front.
    let smallest = (0..candidates.len()).min_by_key(|n| counts[*n])?;
    let walk = (0..candidates.len()).filter(|n| candidates[*n].plan.ordered).min_by_key(|n| counts[*n])?;
    // If what is looked for lies evenly in what is walked, this many rows of the walk make a page.
    let walked = page.saturating_mul(counts[walk]) / counts[smallest].max(1);
    // A row of the walk is checked elsewhere; a row that is gathered may cost less than that.
    let Candidate { plan, rows } = &candidates[smallest];
    let gathered = plan.gathered(query.sort);
    let cost = counts[smallest].saturating_mul(GATHERED) / gathered;
    if counts[smallest] <= gathered && cost < walked.min(counts[walk]) {
        return Some(plan.clone().into());
    }
    let is_known = rows.is_some() || counts[smallest] <= gathered;
    let as_searched = if plan.reads_keys() { counts[smallest] / KEYS } else { counts[smallest] };
    let instead = (!plan.ordered && is_known && counts[smallest] <= plan.budget(query))
        .then(|| Instead { plan: plan.clone(), searched: as_searched });
    Some(Choice { plan: candidates[walk].plan.clone(), instead })
}

/// What entries must have in common; `None` when no entry can.
pub(super) fn conditions(query: &ListQuery) -> Option<Vec<Condition>> {
    let mut conditions = Vec::new();
    match (query.visibility, query.status) {
        (Visibility::Published, None | Some(Status::Published)) => conditions.push(Condition::Status(Status::Published)),
        (Visibility::Published, Some(_)) => return None,
        (Visibility::Working, status) => conditions.extend(status.map(Condition::Status)),
    }
    conditions.extend(query.locale.clone().map(Condition::Locale));
    conditions.extend(query.author.map(Condition::Author));
    conditions.extend(query.dates.map(Condition::Dates));
    for FieldKeys { field: slug, ranges, holding } in &query.fields {
        // A filter that names a field without an index finds nothing: it was refused before it came here.
        let index = query.collection.index_of(slug.as_str())?.id;
        if ranges.is_empty() {
            return None;
        }
        let (slug, ranges, holding) = (slug.clone(), ranges.clone(), holding.clone());
        conditions.push(Condition::Field(FieldRanges { index, slug, ranges, holding }));
    }
    Some(conditions)
}

/// What would let a list be found that looks at too many rows.
pub(super) fn remedy(query: &ListQuery) -> Remedy {
    let collection = query.collection;
    let last: Option<FieldSlug> = match query.sort {
        Sort::CreatedAt => None,
        Sort::UpdatedAt => "updated_at".parse().ok(),
        Sort::PublishedAt => "published_at".parse().ok(),
        Sort::Field(sort) => collection.indexes.iter().find(|index| index.id == sort).and_then(|index| index.fields.first().cloned()),
        Sort::ScheduledAt | Sort::Slug | Sort::Status | Sort::Locale => return Remedy::Narrow,
    };
    let sortable = |slug: &FieldSlug| collection.field(slug.as_str()).is_some_and(|field| field.kind.is_sortable());
    let one_key = |ranges: &[KeyRange]| matches!(ranges, [range] if range.as_point().is_some());
    let filters =
        query.fields.iter().filter(|FieldKeys { field, ranges, .. }| one_key(ranges) && sortable(field) && last.as_ref() != Some(field));
    let most = Collection::MAX_COMPOSITE_FIELDS - last.iter().len();
    let fields: Vec<_> = filters.map(|filter| filter.field.clone()).take(most).chain(last.clone()).collect();
    if fields.len() < 2 {
        return Remedy::Narrow;
    }
    // The fields before the last may be in any order.
    let serves = |index: &&Index| {
        let ends = last.is_none() || index.fields.last() == last.as_ref();
        ends && index.fields.len() == fields.len() && fields.iter().all(|field| index.fields.contains(field))
    };
    match collection.indexes.iter().find(serves) {
        None => Remedy::Declare(fields),
        // It leads already, and finds too much.
        Some(index) if index.is_ready() => Remedy::Narrow,
        Some(index) => Remedy::Wait(index.clone()),
    }
}

struct Candidates<'a> {
    query: &'a ListQuery<'a>,
    conditions: &'a [Condition],
    shelves: Option<&'a [Shelf]>,
}

impl Candidates<'_> {
    /// Every way, the most specific first.
    fn list(&self) -> Vec<Candidate> {
        let composites = self.query.collection.indexes.iter().filter(|index| index.is_composite() && index.is_ready());
        let mut candidates: Vec<_> = composites.filter_map(|index| self.by_composite(index)).collect();
        for condition in self.conditions {
            match condition {
                Condition::Field(field) => candidates.push(self.by_field(field)),
                Condition::Author(author) => {
                    let slice = Slice { author: Some(*author), dates: self.created(), ..Slice::default() };
                    candidates.push(self.by_entries(vec![slice], self.query.sort == Sort::CreatedAt, None));
                }
                Condition::Dates(dates) => {
                    let slice = Slice { dates: Some(*dates), ..Slice::default() };
                    candidates.push(self.by_entries(vec![slice], is_by_date(self.query.sort, dates.field), None));
                }
                Condition::Status(_) | Condition::Locale(_) => {}
            }
        }
        candidates.extend(self.by_shelf());
        candidates.push(self.by_sort());
        candidates
    }

    /// The range of creation dates, where the list is in that order: it bounds the walk instead of being checked.
    fn created(&self) -> Option<DateRange> {
        let dates = self.query.dates.filter(|dates| dates.field == DateField::CreatedAt);
        dates.filter(|_| self.query.sort == Sort::CreatedAt)
    }

    /// The range of publication dates of published entries, where the list is in that order: all have one, and drafts without one
    /// need not be walked past.
    fn published(&self) -> Option<DateRange> {
        let published = self.conditions.contains(&Condition::Status(Status::Published));
        let walked = published && self.query.sort == Sort::PublishedAt && self.query.dates.is_none();
        walked.then_some(DateRange { field: DateField::PublishedAt, from: None, to: None })
    }

    /// A candidate that reads entries. It checks what is not in each of the slices.
    fn by_entries(&self, slices: Vec<Slice>, ordered: bool, rows: Option<i64>) -> Candidate {
        let holds = |condition: &Condition| {
            slices.iter().all(|slice| match condition {
                Condition::Status(_) => slice.status.is_some(),
                Condition::Locale(_) => slice.locale.is_some(),
                Condition::Author(_) => slice.author.is_some(),
                Condition::Dates(_) => slice.dates.is_some(),
                Condition::Field(_) => false,
            })
        };
        let checks = self.conditions.iter().filter(|condition| !holds(condition)).cloned().collect();
        Candidate { plan: Plan { access: Access::Entries(slices), checks, ordered }, rows }
    }

    /// A candidate that reads an index. It checks what is neither among `fields` nor true of all rows of the index.
    fn by_index(&self, access: Access, fields: &[&FieldSlug], ordered: bool) -> Candidate {
        let dated = matches!(&access, Access::Index { dates: Some(_), .. });
        let holds = |condition: &Condition| match condition {
            // Rows of the published stage exist for published entries only.
            Condition::Status(_) => self.query.visibility == Visibility::Published,
            Condition::Dates(_) => dated,
            Condition::Field(field) => field.holding.is_none() && fields.contains(&&field.slug),
            Condition::Locale(_) | Condition::Author(_) => false,
        };
        let checks = self.conditions.iter().filter(|condition| !holds(condition)).cloned().collect();
        Candidate { plan: Plan { access, checks, ordered }, rows: None }
    }

    fn by_field(&self, field: &FieldRanges) -> Candidate {
        let points = field.ranges.iter().all(|range| range.as_point().is_some());
        let many = !self.query.collection.field(field.slug.as_str()).is_some_and(|field| field.kind.is_sortable());
        let ordered = match self.query.sort {
            Sort::CreatedAt => points,
            Sort::Field(index) => index == field.index,
            _ => false,
        };
        let one = points && field.ranges.len() == 1;
        let access = Access::Index {
            index: field.index,
            ranges: field.ranges.clone(),
            prefix: Vec::new(),
            date: DateField::CreatedAt,
            dates: self.created().filter(|_| ordered),
            repeats: many && !one,
        };
        let mut candidate = self.by_index(access, &[&field.slug], ordered);
        if field.holding.is_some() {
            // Nearly every entry has a text in a field of texts.
            candidate.rows = self.shelves.map(|shelves| shelves.iter().map(|shelf| shelf.n).sum());
        }
        candidate
    }

    /// A composite whose first fields each have one value: the rows are in the order of the next field, or of the index's date
    /// when there is none.
    fn by_composite(&self, index: &Index) -> Option<Candidate> {
        let single = |slug: &FieldSlug| self.query.collection.field(slug.as_str()).is_some_and(|field| field.kind.is_sortable());
        if !index.keyed().iter().all(single) {
            return None;
        }
        let filter = |slug: &FieldSlug| {
            self.conditions.iter().find_map(|condition| match condition {
                Condition::Field(field) if field.slug == *slug => Some(field),
                _ => None,
            })
        };
        let mut prefix = Vec::new();
        let mut fields: Vec<&FieldSlug> = Vec::new();
        for slug in index.keyed() {
            let Some([range]) = filter(slug).map(|field| field.ranges.as_slice()) else { break };
            let Some(point) = range.as_point() else { break };
            prefix.extend_from_slice(point);
            fields.push(slug);
        }
        let rest = &index.keyed()[fields.len()..];
        let all = SortKey::from_bytes(prefix.clone());
        let date = index.date();
        if date != DateField::CreatedAt {
            // An index that ends in a date of its own serves lists in the order of that date.
            let ordered = rest.is_empty() && is_by_date(self.query.sort, date);
            let dates = self.query.dates.filter(|dates| dates.field == date);
            let access = Access::Index { index: index.id, ranges: vec![KeyRange::exactly(all)], prefix, date, dates, repeats: false };
            return ordered.then(|| self.by_index(access, &fields, ordered));
        }
        let (ranges, ordered) = match (rest, self.query.sort) {
            ([], Sort::CreatedAt) => (vec![KeyRange::exactly(all)], true),
            // More fields behind the one that is sorted by would break ties in another order than the list's.
            ([last], Sort::Field(sort)) if !fields.is_empty() && self.query.collection.index_of(last.as_str())?.id == sort => {
                let found = filter(last);
                fields.extend(found.map(|_| last));
                (
                    found.map_or_else(
                        || vec![KeyRange::starting_with(&all)],
                        |found| found.ranges.iter().map(|range| range.within(&all)).collect(),
                    ),
                    true,
                )
            }
            _ if fields.len() > 1 => (vec![KeyRange::starting_with(&all)], false),
            _ => return None,
        };
        let dates = self.created().filter(|_| ordered);
        let access = Access::Index { index: index.id, ranges, prefix, date: DateField::CreatedAt, dates, repeats: false };
        Some(self.by_index(access, &fields, ordered))
    }

    /// By status and locale, which are always counted.
    fn by_shelf(&self) -> Option<Candidate> {
        let status = self.conditions.iter().find_map(|condition| match condition {
            Condition::Status(status) => Some(*status),
            _ => None,
        });
        let locale = self.query.locale.as_ref();
        let shelves = || {
            let fits = move |shelf: &&Shelf| {
                status.is_none_or(|status| status == shelf.status) && locale.is_none_or(|locale| *locale == shelf.locale)
            };
            self.shelves.into_iter().flatten().filter(fits)
        };
        let slice = |status: Option<Status>, locale: Option<&Locale>| Slice {
            status,
            locale: locale.cloned(),
            dates: self.created(),
            author: None,
        };
        let each = || shelves().map(|shelf| slice(Some(shelf.status), Some(&shelf.locale))).collect();
        let by_shelf = matches!(self.query.sort, Sort::CreatedAt | Sort::Status | Sort::Locale);
        // One status in all its locales, or one locale in all its statuses, may have to be put together from several slices.
        let pieces = match (status, locale, self.query.sort) {
            (None, None, _) => return None,
            (Some(_), None, Sort::CreatedAt | Sort::Locale) | (None, Some(_), Sort::Status) => {
                self.shelves?;
                each()
            }
            _ => vec![slice(status, locale)],
        };
        let rows = self.shelves.map(|_| shelves().map(|shelf| shelf.n).sum());
        Some(self.by_entries(pieces, by_shelf, rows))
    }

    /// All entries, in the order of the list.
    fn by_sort(&self) -> Candidate {
        let mut candidate = match self.query.sort {
            Sort::Field(index) => {
                let everything = vec![KeyRange { lower: std::ops::Bound::Unbounded, upper: std::ops::Bound::Unbounded }];
                let access = Access::Index {
                    index,
                    ranges: everything,
                    prefix: Vec::new(),
                    date: DateField::CreatedAt,
                    dates: None,
                    repeats: false,
                };
                self.by_index(access, &[], true)
            }
            _ => self.by_entries(vec![Slice { dates: self.created().or(self.published()), ..Slice::default() }], true, None),
        };
        candidate.rows = Some(self.shelves.into_iter().flatten().map(|shelf| shelf.n).sum());
        candidate
    }
}

fn is_by_date(sort: Sort, field: DateField) -> bool {
    matches!(
        (sort, field),
        (Sort::CreatedAt, DateField::CreatedAt) | (Sort::UpdatedAt, DateField::UpdatedAt) | (Sort::PublishedAt, DateField::PublishedAt)
    )
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.ordered { "walk" } else { "gather" }, self.access)?;
        for (n, check) in self.checks.iter().enumerate() {
            write!(f, "{} {check}", if n == 0 { ", check" } else { " and" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entries(slices) => {
                f.write_str("entries")?;
                let Some(slice) = slices.first() else { return f.write_str(" of no slice") };
                let parts = [
                    ("status", slice.status.is_some()),
                    ("locale", slice.locale.is_some()),
                    ("author", slice.author.is_some()),
                    ("dates", slice.dates.is_some()),
                ];
                for (n, (part, _)) in parts.iter().filter(|(_, present)| *present).enumerate() {
                    write!(f, "{} {part}", if n == 0 { " by" } else { " and" })?;
                }
                if slices.len() > 1 { write!(f, " in {} slices", slices.len()) } else { Ok(()) }
            }
            Self::Index { index, ranges, prefix, dates, .. } => {
                write!(f, "index {}", index.0)?;
                if !prefix.is_empty() {
                    f.write_str(" by prefix")?;
                }
                match ranges.as_slice() {
                    [range] if range.as_point().is_some() => f.write_str(" at a key")?,
                    [KeyRange { lower: std::ops::Bound::Unbounded, upper: std::ops::Bound::Unbounded }] => {}
                    [_] => f.write_str(" in a range")?,
                    ranges => write!(f, " in {} ranges", ranges.len())?,
                }
                if dates.is_some() { f.write_str(" between dates") } else { Ok(()) }
            }
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(_) => f.write_str("status"),
            Self::Locale(_) => f.write_str("locale"),
            Self::Author(_) => f.write_str("author"),
            Self::Dates(_) => f.write_str("dates"),
            Self::Field(field) => write!(f, "index {}", field.index.0),
        }
    }
}
