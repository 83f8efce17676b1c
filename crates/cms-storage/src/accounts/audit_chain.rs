//! The audit log as a chain: each line has a number and a hash over itself and the hash before it, so that no line can be changed,
//! removed, put in or moved without every later hash being another one.
//!
//! Lines are written with what they tell of, by transactions that know nothing of each other, and sealed after those ended, one sealer at
//! a time: so no transaction waits for another because both leave a line.

use std::fmt;

use cms_domain::{id::AuditLineId, time::Timestamp};
use sea_orm::{
    ColumnTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, Query, SelectStatement},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::audit::{
    AuditLine, AuditReader, AuditWriter,
    entity::{Column, Entity, Model},
};
use crate::{
    Error, SettingReader, SettingWriter,
    column::Stored,
    row::{Row, at_most, corrupt, id_value},
    statement::Batch,
};

/// What the hashes begin with: how lines become bytes may change one day, under another number.
const FORM: &[u8] = b"cms audit line 1\0";
/// The setting that says where the chain begins and ends.
const SETTING: &str = "audit_chain";
/// How many lines are checked in one go.
const PAGE: usize = 1000;

/// A place in the chain: the number of a line, and the hash over it and all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChainLink {
    /// The number of the line; before the first one it is 0.
    pub number: i64,
    /// The hash.
    #[serde(with = "digits")]
    pub hash: [u8; 32],
}

/// Where the chain begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Ends {
    /// The last line that was removed because it was old.
    start: ChainLink,
    /// The last line that was sealed.
    end: ChainLink,
}

/// What came of checking the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainCheck {
    /// How many lines fit.
    pub lines: u64,
    /// The last line that fits. Who keeps it elsewhere can tell later whether the lines up to it are still those.
    pub last: ChainLink,
    /// The first line that does not fit, if there is one.
    pub flaw: Option<ChainFlaw>,
    /// How many lines have not been sealed yet though they were written before the time in question.
    pub unsealed: u64,
}

/// The first place at which the chain does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainFlaw {
    /// A line is gone.
    Missing {
        /// Its number.
        number: i64,
    },
    /// A line, or its place, is not what was sealed.
    Changed {
        /// Its number.
        number: i64,
        /// Identifies the line.
        id: AuditLineId,
    },
    /// A line stands where none was sealed.
    Foreign {
        /// Its number.
        number: i64,
        /// Identifies the line.
        id: AuditLineId,
    },
}

impl ChainLink {
    /// The link of the next line.
    fn next(self, line: &AuditLine) -> Self {
        let number = self.number.saturating_add(1);
        let mut hash = Sha256::new();
        hash.update(FORM);
        hash.update(self.hash);
        hash.update(number.to_be_bytes());
        hash.update(line.id.to_bytes());
        hash.update(line.at.milliseconds().to_be_bytes());
        let actor = line.actor.map(cms_domain::id::Id::to_bytes);
        let texts = line.texts().map(|text| text.map(str::as_bytes));
        for text in [actor.as_ref().map(<[u8; 16]>::as_slice)].into_iter().chain(texts) {
            // The length goes first, so that no two lines have the same bytes; what is missing is told from what is empty.
            match text {
                None => hash.update([0]),
                Some(text) => {
                    hash.update([1]);
                    hash.update((text.len() as u64).to_be_bytes());
                    hash.update(text);
                }
            }
        }
        Self { number, hash: hash.finalize().into() }
    }
}

impl fmt::Display for ChainLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, digits::text(&self.hash))
    }
}

impl fmt::Display for ChainFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { number } => write!(f, "line {number} is missing"),
            Self::Changed { number, id } => write!(f, "line {number} ({id}) is not what was sealed: it, or its place, was changed"),
            Self::Foreign { number, id } => write!(f, "line {number} ({id}) was never sealed: it was put in"),
        }
    }
}

/// A line and where it was sealed.
struct Sealed {
    line: AuditLine,
    link: ChainLink,
}

impl AuditReader<'_> {
    /// Whether a line waits to be sealed.
    pub async fn has_unsealed(self) -> Result<bool, Error> {
        let waiting = Entity::find().select_only().column(Column::Id).filter(Column::Number.is_null());
        Ok(waiting.into_tuple::<Stored<AuditLineId>>().one(&self.executor).await?.is_some())
    }

    /// Checks the chain from its beginning to the first line that does not fit. Read from a snapshot: what is sealed meanwhile would
    /// look like a flaw.
    pub async fn check_chain(self, sealed_before: Timestamp) -> Result<ChainCheck, Error> {
        let ends = ends(SettingReader::new(self.executor).get(SETTING).await?)?;
        let mut check = ChainCheck { lines: 0, last: ends.start, flaw: None, unsealed: self.count_unsealed(sealed_before).await? };
        // Lines below the beginning would have been removed with the others: one that is there was put in.
        let mut after = i64::MIN;
        loop {
            let page = self.sealed(after, PAGE).await?;
            for sealed in &page {
                check.flaw = flaw(check.last, sealed, ends.end);
                if check.flaw.is_some() {
                    return Ok(check);
                }
                check.last = sealed.link;
                check.lines += 1;
            }
            match page.last() {
                Some(last) if page.len() == PAGE => after = last.link.number,
                _ => break,
            }
        }
        if check.last.number < ends.end.number {
            check.flaw = Some(ChainFlaw::Missing { number: check.last.number + 1 });
        }
        Ok(check)
    }

    async fn count_unsealed(self, before: Timestamp) -> Result<u64, Error> {
        let waiting = Entity::find().filter(Column::Number.is_null()).filter(Column::At.lt(Stored(before)));
        Ok(self.executor.count(waiting).await?.unsigned_abs())
    }

    /// Sealed lines after a number, in order.
    async fn sealed(self, after: i64, limit: usize) -> Result<Vec<Sealed>, Error> {
        let behind = Entity::find().filter(Column::Number.gt(after)).order_by_asc(Column::Number);
        self.executor.list(behind.limit(at_most(limit))).await
    }
}

impl AuditWriter<'_> {
    /// Gives the oldest lines that wait for it their places in the chain. Says how many there were.
    pub async fn seal(self, limit: usize) -> Result<usize, Error> {
        let mut ends = self.hold().await?;
        let waiting = Entity::find().filter(Column::Number.is_null()).order_by_asc(Column::Id);
        let lines: Vec<AuditLine> = self.executor.list(waiting.limit(at_most(limit))).await?;
        let mut batch = Batch::new(self.executor);
        for line in &lines {
            ends.end = ends.end.next(line);
            let update = batch.begin("UPDATE audit SET number = ").bind(ends.end.number);
            update.push(", hash = ").bind(ends.end.hash.to_vec()).push(" WHERE id = ").bind(id_value(line.id));
        }
        if !lines.is_empty() {
            batch.run(self.executor).await?;
            self.put(&ends).await?;
        }
        Ok(lines.len())
    }

    /// Removes the oldest sealed lines, up to the first that is not older than `before` and at most `limit` of them, and remembers
    /// where the rest begins. A line that is not sealed yet stays until it is. Says how many went.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        let mut ends = self.hold().await?;
        let start = ends.start.number;
        let first_kept =
            oldest(start, limit).and_where(Expr::col(Column::At).gte(Stored(before))).order_by(Column::Number, Order::Asc).take();
        let kept = self.executor.one(&first_kept).await?;
        let kept = kept.map(|row| row.read::<i64>("number")).transpose()?.unwrap_or(i64::MAX);
        let last = oldest(start, limit).and_where(Expr::col(Column::Number).lt(kept)).order_by(Column::Number, Order::Desc).take();
        let Some(last) = self.executor.one(&last).await? else { return Ok(0) };
        let number: i64 = last.read("number")?;
        let hash = last.read::<Option<Vec<u8>>>("hash")?.unwrap_or_default();
        ends.start = ChainLink { number, hash: hash.try_into().map_err(|_| corrupt("audit", "hash", number))? };
        self.put(&ends).await?;
        let gone = Entity::delete_many().filter(Column::Number.gt(start)).filter(Column::Number.lte(number));
        Ok(gone.exec(&self.executor).await?.rows_affected)
    }

    /// Where the chain begins and ends, which nobody else changes before this transaction ends.
    async fn hold(self) -> Result<Ends, Error> {
        let settings = SettingWriter::new(self.executor);
        let known = settings.put_if_absent(SETTING, &serde_json::to_string(&Ends::default()).map_err(|_| unreadable())?).await?;
        if !self.executor.is_postgres() {
            return ends(Some(known));
        }
        ends(settings.hold(SETTING).await?)
    }

    async fn put(self, ends: &Ends) -> Result<(), Error> {
        SettingWriter::new(self.executor).put(SETTING, &serde_json::to_string(ends).map_err(|_| unreadable())?).await
    }
}

/// Numbers and hashes of the oldest sealed lines behind a number: a statement that is to say which one of them.
fn oldest(after: i64, limit: usize) -> SelectStatement {
    let oldest = Query::select()
        .columns([Column::Number, Column::Hash, Column::At])
        .from(Entity)
        .and_where(Expr::col(Column::Number).gt(after))
        .order_by(Column::Number, Order::Asc)
        .limit(at_most(limit))
        .take();
    Query::select().columns([Column::Number, Column::Hash]).from_subquery(oldest, "oldest").limit(1).take()
}

impl From<Model> for Sealed {
    fn from(row: Model) -> Self {
        // A hash of another length is none of ours, and fits nothing.
        let hash = row.hash.as_deref().unwrap_or_default().try_into().unwrap_or_default();
        Self { link: ChainLink { number: row.number.unwrap_or_default(), hash }, line: row.into() }
    }
}

/// What is wrong with a line behind another one.
fn flaw(before: ChainLink, sealed: &Sealed, end: ChainLink) -> Option<ChainFlaw> {
    let (number, id, due) = (sealed.link.number, sealed.line.id, before.number + 1);
    if number < due || number > end.number {
        return Some(ChainFlaw::Foreign { number, id });
    }
    if number > due {
        return Some(ChainFlaw::Missing { number: due });
    }
    let fits = before.next(&sealed.line) == sealed.link && (number < end.number || sealed.link == end);
    (!fits).then_some(ChainFlaw::Changed { number, id })
}

fn ends(setting: Option<String>) -> Result<Ends, Error> {
    setting.map_or_else(|| Ok(Ends::default()), |text| serde_json::from_str(&text).map_err(|_| unreadable()))
}

fn unreadable() -> Error {
    corrupt("settings", "value", SETTING)
}

/// Hashes as hexadecimal digits.
mod digits {
    use std::fmt::Write;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn text(hash: &[u8; 32]) -> String {
        hash.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    pub(super) fn serialize<S: Serializer>(hash: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&text(hash))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut hash = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(D::Error::custom("expected 64 hexadecimal digits"));
        }
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(D::Error::custom)?;
        }
        Ok(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, Tx, accounts::audit::tests::line, both, fixtures};

    /// Ten lines, sealed in two goes.
    async fn ten(tx: &Tx) {
        for n in 1..=10 {
            tx.audit().insert(&line(n, "user.update")).await.unwrap();
        }
        assert_eq!(tx.audit().seal(4).await.unwrap(), 4);
        assert_eq!(tx.audit().seal(100).await.unwrap(), 6);
        assert_eq!(tx.audit().seal(100).await.unwrap(), 0);
    }

    async fn check(tx: &Tx) -> ChainCheck {
        tx.reader().audit().check_chain(fixtures::at(100)).await.unwrap()
    }

    fn id(n: u128) -> AuditLineId {
        AuditLineId::from_parts(1, n)
    }

    /// What is found of ten lines after somebody did something to the rows.
    async fn after(store: &Store, statements: &[&str]) -> Option<ChainFlaw> {
        let tx = store.write().await.unwrap();
        ten(&tx).await;
        assert_eq!(check(&tx).await.flaw, None);
        for statement in statements {
            assert!(tx.reader().executor().execute(*statement).await.unwrap() > 0, "{statement}");
        }
        check(&tx).await.flaw
    }

    both! {
        async fn sealed_lines_are_a_chain_from_the_first_to_the_last(store: Store) {
            let tx = store.write().await.unwrap();
            assert_eq!(check(&tx).await, ChainCheck { lines: 0, last: ChainLink::default(), flaw: None, unsealed: 0 });
            ten(&tx).await;
            let found = check(&tx).await;
            assert_eq!((found.lines, found.last.number, found.flaw, found.unsealed), (10, 10, None, 0));
            tx.audit().insert(&line(11, "user.update")).await.unwrap();
            assert_eq!(check(&tx).await, ChainCheck { unsealed: 1, ..found });
            assert_eq!(tx.reader().audit().check_chain(fixtures::at(11)).await.unwrap().unsealed, 0);
        }

        async fn a_changed_line_is_found(store: Store) {
            for column in ["action", "actor_name", "address", "agent", "request_id", "door", "resource_id", "resource_label", "details"] {
                let change = format!("UPDATE audit SET {column} = 'other' WHERE number = 4");
                assert_eq!(after(&store, &[&change]).await, Some(ChainFlaw::Changed { number: 4, id: id(4) }), "{column}");
            }
            let change = "UPDATE audit SET at = at + 1 WHERE number = 10";
            assert_eq!(after(&store, &[change]).await, Some(ChainFlaw::Changed { number: 10, id: id(10) }));
            let change = "UPDATE audit SET actor_id = NULL WHERE number = 1";
            assert_eq!(after(&store, &[change]).await, Some(ChainFlaw::Changed { number: 1, id: id(1) }));
        }

        async fn a_removed_line_is_found_wherever_it_stood(store: Store) {
            for number in [1, 5, 10] {
                let removal = format!("DELETE FROM audit WHERE number = {number}");
                assert_eq!(after(&store, &[&removal]).await, Some(ChainFlaw::Missing { number }));
            }
            assert_eq!(after(&store, &["DELETE FROM audit"]).await, Some(ChainFlaw::Missing { number: 1 }));
        }

        async fn a_line_that_was_put_in_is_found(store: Store) {
            const COPY: &str = "INSERT INTO audit (id, at, action, actor_kind, resource_type, number, hash) SELECT actor_id, at, action, actor_kind, \
                resource_type, number + 1, hash FROM audit WHERE number = 10";
            assert!(matches!(after(&store, &[COPY]).await, Some(ChainFlaw::Foreign { number: 11, .. })));
            let room = ["UPDATE audit SET number = 100 WHERE number = 10", "UPDATE audit SET number = 10, details = NULL WHERE number = 9", "UPDATE audit SET number = 9 WHERE number = 100"];
            assert_eq!(after(&store, &room).await, Some(ChainFlaw::Changed { number: 9, id: id(10) }));
            assert!(matches!(after(&store, &["UPDATE audit SET number = -3 WHERE number = 3"]).await, Some(ChainFlaw::Foreign { number: -3, .. })));
        }

        async fn lines_that_changed_places_are_found(store: Store) {
            let swap = [
                "UPDATE audit SET number = 1000 WHERE number = 3",
                "UPDATE audit SET number = 3 WHERE number = 7",
                "UPDATE audit SET number = 7 WHERE number = 1000",
            ];
            assert_eq!(after(&store, &swap).await, Some(ChainFlaw::Changed { number: 3, id: id(7) }));
        }

        async fn what_is_left_after_pruning_is_still_a_chain(store: Store) {
            let tx = store.write().await.unwrap();
            ten(&tx).await;
            let last = check(&tx).await.last;
            assert_eq!(tx.audit().prune(fixtures::at(1), 100).await.unwrap(), 0);
            assert_eq!(tx.audit().prune(fixtures::at(4), 2).await.unwrap(), 2);
            assert_eq!(tx.audit().prune(fixtures::at(4), 2).await.unwrap(), 1);
            assert_eq!(check(&tx).await, ChainCheck { lines: 7, last, flaw: None, unsealed: 0 });
            // What was removed because it was old does not come back.
            tx.audit().insert(&line(2, "user.update")).await.unwrap();
            tx.reader().executor().execute("UPDATE audit SET number = 2 WHERE number IS NULL").await.unwrap();
            assert_eq!(check(&tx).await.flaw, Some(ChainFlaw::Foreign { number: 2, id: id(2) }));
            tx.reader().executor().execute("DELETE FROM audit WHERE number = 2").await.unwrap();
            assert_eq!(tx.audit().prune(fixtures::at(100), 100).await.unwrap(), 7);
            assert_eq!(check(&tx).await, ChainCheck { lines: 0, last, flaw: None, unsealed: 0 });
            tx.audit().insert(&line(11, "user.update")).await.unwrap();
            assert_eq!((tx.audit().prune(fixtures::at(100), 100).await.unwrap(), tx.audit().seal(10).await.unwrap()), (0, 1));
            assert_eq!((check(&tx).await.last.number, check(&tx).await.flaw), (11, None));
        }

        async fn writers_and_sealers_at_once_make_one_chain(store: Store) {
            let work = (1..=32_u128).map(|n| {
                let store = store.clone();
                tokio::spawn(async move {
                    for m in 0..4 {
                        let tx = store.write().await.unwrap();
                        tx.audit().insert(&line(n * 10 + m, "user.update")).await.unwrap();
                        tx.commit().await.unwrap();
                        if n % 2 == 0 {
                            let tx = store.write().await.unwrap();
                            tx.audit().seal(3).await.unwrap();
                            tx.commit().await.unwrap();
                        }
                    }
                })
            });
            for done in work.collect::<Vec<_>>() {
                done.await.unwrap();
            }
            let tx = store.write().await.unwrap();
            while tx.audit().seal(7).await.unwrap() > 0 {}
            let found = tx.reader().audit().check_chain(fixtures::at(1000)).await.unwrap();
            assert_eq!((found.lines, found.last.number, found.flaw, found.unsealed), (128, 128, None, 0));
        }
    }
}
