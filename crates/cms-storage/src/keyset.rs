//! The value that keeps the order of lists free of nulls, so that a page starts with one comparison of rows.

/// Stands for a missing date in the order of a list: before every instant. The indexes of the migrations say the same number.
pub(crate) const BEFORE_ALL: i64 = -62_135_596_800_001;
