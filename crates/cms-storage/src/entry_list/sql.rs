//! Plans as statements.

use std::{borrow::Cow, ops::Bound};

use cms_domain::{entry::Status, field::sort_key::SortKey, id::UserId, locale::Locale};
use sea_orm::Value;

use super::{
    DateField, ListQuery, Position, Sort,
    clip::{Begin, Clip, Ends, Piece, date_ends},
    plan::{Access, Condition, FieldRanges, Plan, Slice},
};
use crate::{
    entries::row::{stage_number, status_number},
    keyset::BEFORE_ALL,
    row::{id_value, time_value},
    statement::Text,
};

/// What a list is sorted by, in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Created,
    Updated,
    Published,
    Scheduled,
    Slug,
    Status,
    Locale,
    Key,
    Id,
}

impl Sort {
    /// The columns of the order. None is ever null.
    pub(super) fn columns(self) -> &'static [Column] {
        match self {
            Self::CreatedAt => &[Column::Created, Column::Id],
            Self::UpdatedAt => &[Column::Updated, Column::Id],
            Self::PublishedAt => &[Column::Published, Column::Id],
            Self::ScheduledAt => &[Column::Scheduled, Column::Id],
            Self::Slug => &[Column::Slug, Column::Id],
            Self::Status => &[Column::Status, Column::Locale, Column::Created, Column::Id],
            Self::Locale => &[Column::Locale, Column::Created, Column::Id],
            Self::Field(_) => &[Column::Key, Column::Created, Column::Id],
        }
    }
}

impl Position {
    /// The values of the order's columns, keys with what the walked ones begin with.
    fn values(&self, prefix: &[u8]) -> Vec<Value> {
        match self {
            Self::Date(at, id) => vec![(*at).into(), id_value(*id)],
            Self::Slug(slug, id) => vec![slug.as_str().into(), id_value(*id)],
            Self::Status(status, locale, created, id) => {
                vec![status_number(*status).into(), locale.as_str().into(), time_value(*created), id_value(*id)]
            }
            Self::Locale(locale, created, id) => vec![locale.as_str().into(), time_value(*created), id_value(*id)],
            Self::Key(key, created, id) => vec![[prefix, &key.0].concat().into(), time_value(*created), id_value(*id)],
        }
    }
}

/// The statement for a page.
pub(super) struct PageText {
    pub(super) text: Text,
    /// Whether the columns of the entries are behind those of the order: where entries are walked, they cost nothing more.
    pub(super) gives_entries: bool,
}

/// The statement for a page of some columns of the entries; `None` when all that the plan reads lies before the position.
pub(super) fn page(query: &ListQuery, plan: &Plan, columns: &'static str) -> Option<PageText> {
    let mut writer = Writer::new(query, plan, Text::default());
    let gives_entries = match (plan.ordered, plan.is_search()) {
        (false, _) => writer.gather(),
        (true, false) => writer.walk(columns)?,
        (true, true) => writer.search(columns)?,
    };
    Some(PageText { text: writer.text, gives_entries })
}

/// The statement that has a row when there are more rows to search than a list may look at; `None` when there are none at all.
pub(super) fn beyond(query: &ListQuery, plan: &Plan) -> Option<Text> {
    let mut writer = Writer::new(query, plan, Text::default());
    writer.walked()?;
    writer.text.push(" LIMIT 1 OFFSET ").bind(plan.budget(query));
    Some(writer.text)
}

/// The statement that counts the rows of several plans before their checks, up to one more than would be gathered of each. An entry that has
/// several of them counts as often: each is read, and telling them apart would mean to read them all.
pub(super) fn counts(query: &ListQuery, plans: &[&Plan]) -> Text {
    let mut text = Text::new("SELECT ");
    for (n, plan) in plans.iter().enumerate() {
        text.push(if n == 0 { "(SELECT count(*) FROM (" } else { ", (SELECT count(*) FROM (" });
        let mut writer = Writer::new(query, plan, text);
        writer.rows(|writer| {
            writer.text.push("SELECT 1 AS one");
        });
        text = writer.text;
        text.push(" LIMIT ").bind(plan.gathered(query.sort) + 1).push(&format!(") c{n})"));
    }
    text
}

/// The statement that counts how many of the newest entries, up to `most`, are rows of each plan; the number of them comes first.
pub(super) fn sample(query: &ListQuery, plans: &[Plan], most: i64) -> Text {
    let mut text = Text::new("SELECT count(*)");
    for plan in plans {
        text.push(", count(CASE WHEN 1 = 1");
        let mut writer = Writer::new(query, plan, text);
        writer.checks(false);
        text = writer.text;
        text.push(" THEN 1 END)");
    }
    text.push(" FROM (SELECT * FROM entries WHERE deleted_at IS NULL AND collection_id = ").bind(id_value(query.collection.id));
    text.push(" ORDER BY created_at DESC, id DESC LIMIT ").bind(most).push(") e");
    text
}

/// The statement that counts up to `most` rows of a plan, and the entries among them that pass its checks.
pub(super) fn hits(query: &ListQuery, plan: &Plan, most: i64) -> Text {
    let mut writer = Writer::new(query, plan, Text::default());
    let (hits, hit) = if writer.repeats() { ("count(DISTINCT hit)", writer.id) } else { ("count(hit)", "1") };
    writer.text.push(&format!("SELECT count(*), {hits} FROM ("));
    writer.rows(|writer| {
        writer.text.push("SELECT CASE WHEN 1 = 1");
        writer.checks(false);
        writer.text.push(&format!(" THEN {hit} END AS hit"));
    });
    writer.text.push(" LIMIT ").bind(most).push(") c");
    writer.text
}

/// Whether parts are merged row by row, as far as somebody reads: then PostgreSQL has to see that each is in the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Merged {
    /// One part alone, or a page of each.
    No,
    /// All that a search may look at of each.
    Lazily,
}

/// A column in which all entries of a slice are the same.
enum Fixed<'a> {
    Status(Status),
    Locale(&'a Locale),
    Author(UserId),
}

impl Fixed<'_> {
    fn column(&self) -> &'static str {
        match self {
            Self::Status(_) => "e.status",
            Self::Locale(_) => "e.locale",
            Self::Author(_) => "e.author_id",
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Status(status) => status_number(*status).into(),
            Self::Locale(locale) => locale.as_str().into(),
            Self::Author(author) => id_value(*author),
        }
    }
}

struct Writer<'a> {
    query: &'a ListQuery<'a>,
    plan: &'a Plan,
    text: Text,
    /// The column that names the entry of a row.
    id: &'static str,
    /// The stage of the index that the reader sees.
    stage: &'static str,
}

impl<'a> Writer<'a> {
    fn new(query: &'a ListQuery<'a>, plan: &'a Plan, text: Text) -> Self {
        let id = if matches!(plan.access, Access::Index { .. }) { "i.entry_id" } else { "e.id" };
        let stage = if stage_number(query.visibility) == 0 { "0" } else { "1" };
        Self { query, plan, text, id, stage }
    }

    fn is_index(&self) -> bool {
        matches!(self.plan.access, Access::Index { .. })
    }

    /// Whether rows are those of an index, and carry a date.
    fn carries(&self, field: DateField) -> bool {
        matches!(self.plan.access, Access::Index { date, .. } if date == field)
    }

    fn repeats(&self) -> bool {
        matches!(self.plan.access, Access::Index { repeats: true, .. })
    }

    /// What is left of the pieces behind the position, in order.
    fn parts(&self) -> Vec<(Piece<'a>, Clip)> {
        let (query, access) = (self.query, &self.plan.access);
        let clips = |piece| match &query.after {
            Some(position) => Clip::behind(access, piece, position, query.sort, query.descending),
            None => vec![Clip::whole(access, piece)],
        };
        access.pieces().into_iter().flat_map(|piece| clips(piece).into_iter().map(move |clip| (piece, clip))).collect()
    }

    /// In the order of the list: each part is walked for one page, and the pages are merged. Says whether the rows give entries.
    fn walk(&mut self, columns: &'static str) -> Option<bool> {
        let most = self.page();
        match self.parts().as_slice() {
            [] => None,
            [(piece, clip)] => {
                let gives_entries = !self.is_index();
                self.part(*piece, clip, gives_entries.then_some(columns), Merged::No);
                self.up_to(most);
                Some(gives_entries)
            }
            several => {
                for (n, (piece, clip)) in several.iter().enumerate() {
                    self.union(n);
                    self.text.push("SELECT * FROM (");
                    self.part(*piece, clip, None, Merged::No);
                    self.up_to(most);
                    self.text.push(&format!(") p{n}"));
                }
                self.order_up_to(most);
                Some(false)
            }
        }
    }

    /// In the order of the list: rows are looked at one after the other until a page of them passes the checks, or as many were
    /// looked at as may be. Says that the rows give entries.
    ///
    /// The bound is inside and the checks are outside, so that the bound holds however the databases go about it. What is inside comes in
    /// order and is not sorted again, or SQLite would look at all of it before it gave the first row. The entries are read when the page is known.
    fn search(&mut self, columns: &'static str) -> Option<bool> {
        let names = self.names().join(", ");
        self.text.push(&format!("SELECT {names}, {columns} FROM (SELECT "));
        // Rows of one entry follow each other.
        self.text.push(if self.repeats() { "DISTINCT " } else { "" }).push(&names).push(" FROM (");
        self.walked()?;
        let alias = if self.is_index() { "i" } else { "e" };
        self.text.push(" LIMIT ").bind(self.plan.budget(self.query)).push(&format!(") {alias} WHERE 1 = 1"));
        self.checks(false);
        if self.repeats() {
            self.order();
        }
        self.up_to(self.page());
        let id = self.query.sort.columns().len() - 1;
        self.text.push(&format!(") found CROSS JOIN entries e WHERE e.id = found.k{id}"));
        self.order();
        Some(true)
    }

    /// The rows of all parts in the order of the list, with what checks look at; `None` when there are no parts.
    fn walked(&mut self) -> Option<()> {
        let looked_at = if self.plan.reads_keys() {
            "i.entry_id, i.sort_at, i.key"
        } else if self.is_index() {
            "i.entry_id, i.sort_at"
        } else {
            "e.id, e.status, e.locale, e.author_id, e.created_at, e.updated_at, e.published_at"
        };
        let parts = self.parts();
        match parts.as_slice() {
            [] => None,
            [(piece, clip)] => {
                self.part(*piece, clip, Some(looked_at), Merged::No);
                Some(())
            }
            several => {
                // Each in order by itself, so that PostgreSQL merges them instead of sorting them together.
                for (n, (piece, clip)) in several.iter().enumerate() {
                    self.text.push(if n == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
                    self.part(*piece, clip, Some(looked_at), Merged::Lazily);
                    // One more than may be looked at, so that it can be told whether there are more.
                    self.up_to(self.plan.budget(self.query).saturating_add(1));
                    self.text.push(&format!(") p{n}"));
                }
                // The two parts of one piece follow each other, and both databases read them in turn. SQLite would sort them to merge them.
                if self.plan.access.pieces().len() > 1 {
                    self.order();
                }
                Some(())
            }
        }
    }

    /// One part, from the position on, in the order of the list.
    fn part(&mut self, piece: Piece, clip: &Clip, columns: Option<&str>, merged: Merged) {
        let names: Vec<_> = self.query.sort.columns().iter().map(|column| self.column(*column)).collect();
        self.text.push("SELECT ");
        self.columns();
        if let Some(columns) = columns {
            self.text.push(", ").push(columns);
        }
        let shelf = self.shelf(piece);
        if merged == Merged::No && !shelf.is_empty() {
            self.on_shelf(&shelf, clip, &names);
            let direction = if self.query.descending { "DESC" } else { "ASC" };
            let shelf: Vec<_> = shelf.iter().map(|fixed| format!("{} {direction}", fixed.column())).collect();
            self.text.push(" ORDER BY ").push(&shelf.join(", ")).push(", ");
            self.ordered();
            return;
        }
        self.from(piece, clip, false);
        match clip.begins {
            Begin::End => {}
            Begin::Behind => self.behind(&names, clip.fixed),
            Begin::Within => {
                self.compare(&names[..1], " = ", 0);
                self.behind(&names, 1);
            }
            Begin::Beyond => self.compare(&names[..1], if self.query.descending { " < " } else { " > " }, 0),
        }
        self.order();
    }

    /// The columns that a slice fixes in front of those of the order, in an index of their own.
    fn shelf<'p>(&self, piece: Piece<'p>) -> Vec<Fixed<'p>> {
        let Piece::Slice(slice) = piece else { return Vec::new() };
        if self.query.sort != Sort::CreatedAt {
            return Vec::new();
        }
        match slice {
            Slice { status, locale, author: None, dates: _ } => {
                status.map(Fixed::Status).into_iter().chain(locale.as_ref().map(Fixed::Locale)).collect()
            }
            Slice { status: None, locale: None, author: Some(author), dates: _ } => vec![Fixed::Author(*author)],
            Slice { status: _, locale: _, author: Some(_), dates: _ } => Vec::new(),
        }
    }

    /// The rows of a slice that an index has together, in the order of the list.
    ///
    /// What is fixed is compared along with the order, and sorted by, as if it were not fixed. Otherwise PostgreSQL may as well walk another index of
    /// the same order past all that is on other shelves: 20,000 drafts for 50 entries that are published, when it knows little of the table.
    fn on_shelf(&mut self, shelf: &[Fixed], clip: &Clip, names: &[Cow<str>]) {
        self.untrashed();
        let (lower, upper) = clip.dates.unwrap_or((Bound::Unbounded, Bound::Unbounded));
        let behind = clip.begins == Begin::Behind;
        // Where the position says where the walk begins, nothing else does.
        if !behind || self.query.descending {
            self.end(shelf, names, lower, [" >= ", " > "]);
        }
        if !behind || !self.query.descending {
            self.end(shelf, names, upper, [" <= ", " < "]);
        }
        if behind {
            let values = self.query.after.iter().flat_map(|position| position.values(&[])).collect();
            self.compare_on(shelf, names, if self.query.descending { " < " } else { " > " }, values);
        }
    }

    /// One end of what is read of a shelf.
    fn end(&mut self, shelf: &[Fixed], names: &[Cow<str>], bound: Bound<i64>, [inclusive, exclusive]: [&str; 2]) {
        match bound {
            Bound::Included(at) => self.compare_on(shelf, &names[..1], inclusive, vec![at.into()]),
            Bound::Excluded(at) => self.compare_on(shelf, &names[..1], exclusive, vec![at.into()]),
            Bound::Unbounded => self.compare_on(shelf, &[], inclusive, Vec::new()),
        }
    }

    /// Compares what is fixed, and some columns of the order behind it, with values.
    fn compare_on(&mut self, shelf: &[Fixed], names: &[Cow<str>], operator: &str, values: Vec<Value>) {
        let mut columns: Vec<&str> = shelf.iter().map(Fixed::column).collect();
        columns.extend(names.iter().map(|name| &**name));
        self.text.push(&format!(" AND ({}){operator}(", columns.join(", ")));
        let fixed = shelf.iter().map(Fixed::value);
        self.text.bind_all(fixed.chain(values)).push(")");
    }

    /// In any order: everything that is found is sorted, and rows give no entries. The name for what was found keeps both databases from taking the
    /// statement apart.
    fn gather(&mut self) -> bool {
        let by_entries = self.query.sort.columns().iter().any(|column| !matches!(column, Column::Created | Column::Key | Column::Id));
        let checks_entries = self.plan.checks.iter().any(|check| !matches!(check, Condition::Field(_)));
        let join = self.is_index() && (by_entries || checks_entries);
        self.text.push("WITH found AS MATERIALIZED (");
        let plan = self.plan;
        for (n, piece) in plan.access.pieces().into_iter().enumerate() {
            self.union(n);
            let rows = if self.repeats() { "SELECT DISTINCT " } else { "SELECT " };
            self.text.push(rows);
            self.columns();
            self.from(piece, &Clip::whole(&plan.access, piece), join);
            self.checks(join);
        }
        self.text.push(") SELECT * FROM found");
        if self.query.after.is_some() {
            self.text.push(" WHERE 1 = 1");
            self.behind(&self.names(), 0);
        }
        self.order_up_to(self.page());
        false
    }

    /// The rows of all pieces, each with what `select` writes, in no order. Neither database reads more of them than it is asked for.
    fn rows(&mut self, select: impl Fn(&mut Self)) {
        let plan = self.plan;
        for (n, piece) in plan.access.pieces().into_iter().enumerate() {
            self.text.push(if n == 0 { "" } else { " UNION ALL " });
            select(self);
            self.from(piece, &Clip::whole(&plan.access, piece), false);
        }
    }

    /// What stands between two pieces.
    fn union(&mut self, n: usize) {
        let union = if self.repeats() { " UNION " } else { " UNION ALL " };
        self.text.push(if n == 0 { "" } else { union });
    }

    /// The columns of the order, named `k0`, `k1` and so on.
    fn columns(&mut self) {
        for (n, column) in self.query.sort.columns().iter().enumerate() {
            self.text.push(if n == 0 { "" } else { ", " });
            match (column, self.query.sort) {
                // Rows that are not walked in order were not found by the key that they are sorted by.
                (Column::Key, Sort::Field(index)) if !self.plan.ordered => {
                    self.text.push("(SELECT s.key FROM entry_index s WHERE s.entry_id = ").push(self.id);
                    self.text.push(" AND s.index_id = ").bind(index.0).push(" AND s.stage = ").push(self.stage).push(")");
                }
                _ => {
                    self.text.push(&self.column(*column));
                }
            }
            self.text.push(&format!(" AS k{n}"));
        }
    }

    /// A column of the order. Rows of an index carry one date; everything else is on the entry.
    fn column(&self, column: Column) -> Cow<'static, str> {
        match column {
            Column::Created if self.carries(DateField::CreatedAt) => "i.sort_at".into(),
            Column::Updated if self.carries(DateField::UpdatedAt) => "i.sort_at".into(),
            Column::Published if self.carries(DateField::PublishedAt) => "i.sort_at".into(),
            Column::Created => "e.created_at".into(),
            Column::Updated => "e.updated_at".into(),
            Column::Published => format!("coalesce(e.published_at, {BEFORE_ALL})").into(),
            Column::Scheduled => format!("coalesce(e.scheduled_at, {BEFORE_ALL})").into(),
            Column::Slug => "coalesce(e.slug, '')".into(),
            Column::Status => "e.status".into(),
            Column::Locale => "e.locale".into(),
            Column::Key => "i.key".into(),
            Column::Id => self.id.into(),
        }
    }

    fn date_column(&self, field: DateField) -> Cow<'static, str> {
        match field {
            DateField::CreatedAt => self.column(Column::Created),
            DateField::UpdatedAt => self.column(Column::Updated),
            DateField::PublishedAt => self.column(Column::Published),
        }
    }

    fn untrashed(&mut self) {
        self.text.push(" FROM entries e WHERE e.collection_id = ").bind(id_value(self.query.collection.id));
        self.text.push(" AND e.deleted_at IS NULL");
    }

    /// The rows of a piece, between the ends that are left of it.
    fn from(&mut self, piece: Piece, clip: &Clip, join: bool) {
        match (piece, &self.plan.access) {
            (Piece::Slice(slice), _) => {
                self.untrashed();
                if let Some(status) = slice.status {
                    self.equal_status(status);
                }
                if let Some(locale) = &slice.locale {
                    self.text.push(" AND e.locale = ").bind(locale.as_str());
                }
                if let Some(author) = slice.author {
                    self.text.push(" AND e.author_id = ").bind(id_value(author));
                }
                if let (Some(dates), Some(ends)) = (&slice.dates, &clip.dates) {
                    self.between(&self.date_column(dates.field), ends);
                }
            }
            (Piece::Range(_), Access::Index { index, .. }) => {
                self.text.push(" FROM entry_index i");
                self.text.push(if join { " JOIN entries e ON e.id = i.entry_id" } else { "" });
                self.text.push(" WHERE i.index_id = ").bind(index.0).push(" AND i.stage = ").push(self.stage);
                if let Some(ends) = &clip.keys {
                    self.between("i.key", ends);
                }
                if let Some(ends) = &clip.dates {
                    self.between("i.sort_at", ends);
                }
            }
            (Piece::Range(_), Access::Entries(_)) => {}
        }
    }

    fn equal_status(&mut self, status: Status) {
        self.text.push(&format!(" AND e.status = {}", status_number(status)));
    }

    fn between<T: Clone + Into<Value> + PartialEq>(&mut self, column: &str, ends: &Ends<T>) {
        if let (Bound::Included(lower), Bound::Included(upper)) = ends
            && lower == upper
        {
            self.text.push(" AND ").push(column).push(" = ").bind(lower.clone());
            return;
        }
        for (bound, inclusive, exclusive) in [(&ends.0, " >= ", " > "), (&ends.1, " <= ", " < ")] {
            let (operator, value) = match bound {
                Bound::Included(value) => (inclusive, value),
                Bound::Excluded(value) => (exclusive, value),
                Bound::Unbounded => continue,
            };
            self.text.push(" AND ").push(column).push(operator).bind(value.clone());
        }
    }

    /// Rows behind the position, as one comparison of rows without the columns in which they are all the same: an index answers
    /// it with one descent, which the equivalent chain of ORs does not get.
    fn behind(&mut self, names: &[Cow<str>], fixed: usize) {
        self.compare(&names[fixed..], if self.query.descending { " < " } else { " > " }, fixed);
    }

    /// Compares some columns of the order with the position, of which the first are passed over.
    fn compare(&mut self, names: &[Cow<str>], operator: &str, fixed: usize) {
        let prefix = match &self.plan.access {
            Access::Index { prefix, .. } if self.plan.ordered => prefix.as_slice(),
            _ => &[],
        };
        let values = self.query.after.iter().flat_map(|position| position.values(prefix)).skip(fixed).take(names.len());
        self.text.push(&format!(" AND ({}){operator}(", names.join(", ")));
        self.text.bind_all(values).push(")");
    }

    /// The names of the columns of the order.
    fn names(&self) -> Vec<Cow<'static, str>> {
        (0..self.query.sort.columns().len()).map(|n| Cow::from(format!("k{n}"))).collect()
    }

    /// How many rows are read for a page: one more than it has says whether there is another page.
    fn page(&self) -> i64 {
        i64::try_from(self.query.limit).unwrap_or(i64::MAX).saturating_add(1)
    }

    fn order(&mut self) {
        self.text.push(" ORDER BY ");
        self.ordered();
    }

    /// The columns of the order, each with its direction.
    fn ordered(&mut self) {
        let direction = if self.query.descending { " DESC" } else { " ASC" };
        let names: Vec<_> = self.names().iter().map(|name| format!("{name}{direction}")).collect();
        self.text.push(&names.join(", "));
    }

    fn up_to(&mut self, most: i64) {
        self.text.push(" LIMIT ").bind(most);
    }

    fn order_up_to(&mut self, most: i64) {
        self.order();
        self.up_to(most);
    }

    /// What the plan checks of each row. Both forms are opaque to the databases, which would otherwise turn a check into a join,
    /// or into a walk of the index that serves it, and sort what they find.
    fn checks(&mut self, joined: bool) {
        let plan = self.plan;
        let on_entry: Vec<_> = plan.checks.iter().filter(|check| !matches!(check, Condition::Field(_))).collect();
        if !on_entry.is_empty() {
            let elsewhere = self.is_index() && !joined;
            self.text.push(if elsewhere { " AND (SELECT 1 FROM entries e WHERE e.id = i.entry_id" } else { " AND (1 = 1" });
            for check in on_entry {
                self.check_entry(check);
            }
            self.text.push(if elsewhere { ") IS NOT NULL" } else { ") IS TRUE" });
        }
        for check in &plan.checks {
            match check {
                Condition::Field(FieldRanges { holding: Some(characters), .. }) if plan.reads_keys() => self.key_holds("i.key", characters),
                Condition::Field(field) => self.check_field(field),
                _ => {}
            }
        }
    }

    /// A text's characters are between its tag and its end. Keys of other values are shorter than what is around those.
    fn key_holds(&mut self, key: &str, characters: &[u8]) {
        let (before, behind) = SortKey::AROUND_TEXT;
        let around = before + behind;
        let text = format!("substr({key}, {}, length({key}) - {around})", before + 1);
        self.text.push(&format!(" AND CASE WHEN length({key}) > {around} THEN "));
        self.text.push_either(&format!("instr({text}, "), "position(").bind(characters.to_vec());
        self.text.push_either(")", &format!(" IN {text})")).push(" > 0 ELSE 1 = 0 END");
    }

    fn check_entry(&mut self, check: &Condition) {
        match check {
            Condition::Status(status) => self.equal_status(*status),
            Condition::Locale(locale) => {
                self.text.push(" AND e.locale = ").bind(locale.as_str());
            }
            Condition::Author(author) => {
                self.text.push(" AND e.author_id = ").bind(id_value(*author));
            }
            Condition::Dates(dates) => self.between(&self.date_column(dates.field), &date_ends(dates)),
            Condition::Field(_) => {}
        }
    }

    fn check_field(&mut self, field: &FieldRanges) {
        self.text.push(" AND (SELECT 1 FROM entry_index p WHERE p.entry_id = ").push(self.id);
        self.text.push(" AND p.index_id = ").bind(field.index.0).push(" AND p.stage = ").push(self.stage);
        if let Some(characters) = &field.holding {
            self.key_holds("p.key", characters);
            self.text.push(" LIMIT 1) IS NOT NULL");
            return;
        }
        let points: Option<Vec<_>> = field.ranges.iter().map(|range| range.as_point().map(|point| Value::from(point.to_vec()))).collect();
        if let Some(points) = points {
            self.text.push(" AND p.key IN (").bind_all(points).push(")");
            // With the date, the row is named by its whole primary key. Where what is walked does not hold the date, looking it up
            // would cost more than that is worth.
            if self.carries(DateField::CreatedAt) || (!self.is_index() && self.query.sort == Sort::CreatedAt) {
                let created = self.column(Column::Created);
                self.text.push(" AND p.sort_at = ").push(&created);
            }
        } else {
            for (n, range) in field.ranges.iter().enumerate() {
                self.text.push(if n == 0 { " AND (1 = 1" } else { " OR 1 = 1" });
                self.between("p.key", &(range.lower.clone(), range.upper.clone()));
            }
            self.text.push(")");
        }
        self.text.push(" LIMIT 1) IS NOT NULL");
    }
}
