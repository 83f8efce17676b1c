//! What is left of an index range behind the position at which the page before ended.
//!
//! An index is entered at one place: a range and a position that both say where a walk begins would leave the database to
//! choose, and the wrong choice walks everything before the position again. So only the tighter of the two is said.

use std::{
    cmp::Ordering,
    ops::{Bound, RangeBounds},
};

use cms_domain::{field::sort_key::KeyRange, time::Timestamp};

use super::{
    DateField, DateRange, Position, Sort,
    plan::{Access, Slice},
};

/// Ends of a range.
pub(super) type Ends<T> = (Bound<T>, Bound<T>);

/// What one descent into an index finds.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    Slice(&'a Slice),
    Range(&'a KeyRange),
}

impl Access {
    /// The pieces, in order.
    pub(super) fn pieces(&self) -> Vec<Piece<'_>> {
        match self {
            Self::Entries(slices) => slices.iter().map(Piece::Slice).collect(),
            Self::Index { ranges, .. } => ranges.iter().map(Piece::Range).collect(),
        }
    }
}

/// What is left of a piece.
#[derive(Debug, PartialEq)]
pub(super) struct Clip {
    pub(super) keys: Option<Ends<Vec<u8>>>,
    pub(super) dates: Option<Ends<i64>>,
    pub(super) begins: Begin,
    /// How many columns of the order are the same in all of the piece and in the position.
    pub(super) fixed: usize,
}

/// Where what is left of a piece begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// At its end.
    End,
    /// Behind the position, in the order of all columns.
    Behind,
    /// Behind the position, among rows that have the same first column.
    Within,
    /// Where the first column is beyond the position's.
    Beyond,
}

impl Clip {
    /// All of a piece.
    pub(super) fn whole(access: &Access, piece: Piece) -> Self {
        let within = match access {
            Access::Index { dates, .. } => dates.as_ref(),
            Access::Entries(_) => None,
        };
        let (keys, dates) = match piece {
            Piece::Slice(slice) => (None, slice.dates.as_ref()),
            Piece::Range(range) => (Some((range.lower.clone(), range.upper.clone())), within),
        };
        Self { keys, dates: dates.map(date_ends), begins: Begin::End, fixed: 0 }
    }

    /// The parts of a piece behind a position, in order; none when nothing is left.
    ///
    /// SQLite finds the place of a comparison of rows in an index only when all of its columns are columns of the table. Where
    /// the first is an expression, the rows with the same value are one part and those beyond them another.
    pub(super) fn behind(access: &Access, piece: Piece, position: &Position, sort: Sort, descending: bool) -> Vec<Self> {
        let rest = Self::rest(access, piece, position, descending);
        let of_entries = matches!(access, Access::Entries(_));
        let expression = of_entries && matches!(sort, Sort::PublishedAt | Sort::ScheduledAt | Sort::Slug);
        match rest {
            Some(rest) if rest.begins == Begin::Behind && expression => {
                let within = Self { keys: rest.keys.clone(), dates: None, begins: Begin::Within, fixed: 0 };
                vec![within, Self { begins: Begin::Beyond, ..rest }]
            }
            rest => rest.into_iter().collect(),
        }
    }

    fn rest(access: &Access, piece: Piece, position: &Position, descending: bool) -> Option<Self> {
        let mut clip = Self { begins: Begin::Behind, ..Self::whole(access, piece) };
        match position {
            Position::Key(key, ..) => {
                let Access::Index { prefix, .. } = access else { return Some(clip) };
                let at = [prefix.as_slice(), &key.0].concat();
                let keys = clip.keys.take().unwrap_or((Bound::Unbounded, Bound::Unbounded));
                let (keys, begins) = cut(keys, &at, descending)?;
                Some(Self { keys: Some(keys), begins, ..clip })
            }
            Position::Date(at, _) => {
                let Some(dates) = clip.dates.take() else { return Some(clip) };
                let (dates, begins) = cut(dates, at, descending)?;
                Some(Self { dates: Some(dates), begins, ..clip })
            }
            Position::Status(..) | Position::Locale(..) | Position::Slug(..) => {
                let Piece::Slice(slice) = piece else { return Some(clip) };
                for order in fixed(slice, position) {
                    match if descending { order.reverse() } else { order } {
                        Ordering::Less => return None,
                        Ordering::Greater => return Some(Self { begins: Begin::End, fixed: 0, ..clip }),
                        Ordering::Equal => clip.fixed += 1,
                    }
                }
                Some(clip)
            }
        }
    }
}

/// How the leading columns of the order that a slice fixes compare with the position.
fn fixed(slice: &Slice, position: &Position) -> Vec<Ordering> {
    let locale = |locale| slice.locale.as_ref().map(|fixed| fixed.cmp(locale));
    let columns = match position {
        Position::Status(status, in_locale, ..) => vec![slice.status.map(|fixed| fixed.cmp(status)), locale(in_locale)],
        Position::Locale(in_locale, ..) => vec![locale(in_locale)],
        Position::Date(..) | Position::Slug(..) | Position::Key(..) => Vec::new(),
    };
    columns.into_iter().map_while(|order| order).collect()
}

/// Cuts a range at a position. The rest begins there, or at the range's end when all of it lies behind the position.
fn cut<T: Ord>(ends: Ends<T>, at: &T, descending: bool) -> Option<(Ends<T>, Begin)> {
    let (lower, upper) = ends;
    let at_or_above = (lower.as_ref(), Bound::Unbounded).contains(at);
    let at_or_below = (Bound::Unbounded, upper.as_ref()).contains(at);
    match (at_or_above, at_or_below, descending) {
        (true, true, false) => Some(((Bound::Unbounded, upper), Begin::Behind)),
        (true, true, true) => Some(((lower, Bound::Unbounded), Begin::Behind)),
        (false, _, false) | (_, false, true) => Some(((lower, upper), Begin::End)),
        (_, false, false) | (false, _, true) => None,
    }
}

/// The ends of a range of dates. Entries without a date are in none.
pub(super) fn date_ends(dates: &DateRange) -> Ends<i64> {
    let from = match (dates.from, dates.field) {
        (None, DateField::PublishedAt) => Some(Timestamp::MIN),
        (from, _) => from,
    };
    let end = |at: Option<Timestamp>| at.map_or(Bound::Unbounded, |at| Bound::Included(at.milliseconds()));
    (end(from), end(dates.to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_replaces_the_end_at_which_the_walk_begins() {
        let ends = || (Bound::Included(2), Bound::Included(8));
        assert_eq!(cut(ends(), &5, false), Some(((Bound::Unbounded, Bound::Included(8)), Begin::Behind)));
        assert_eq!(cut(ends(), &5, true), Some(((Bound::Included(2), Bound::Unbounded), Begin::Behind)));
    }

    #[test]
    fn a_range_behind_the_position_is_walked_whole_and_one_before_it_not_at_all() {
        let ends = || (Bound::Included(2), Bound::Excluded(8));
        assert_eq!(cut(ends(), &1, false), Some((ends(), Begin::End)));
        assert_eq!(cut(ends(), &8, false), None);
        assert_eq!(cut(ends(), &8, true), Some((ends(), Begin::End)));
        assert_eq!(cut(ends(), &1, true), None);
    }
}
