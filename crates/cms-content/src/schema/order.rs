//! An order names each item exactly once; what it does not name would otherwise end up anywhere.

use std::collections::BTreeSet;

use cms_frame::{Code, Error};
use serde::Serialize;
use serde_json::json;

/// Refuses an order that leaves something out, repeats something or names what is not there.
pub(super) fn check_order<T: Ord + Serialize>(present: &[T], order: &[T]) -> Result<(), Error> {
    let (present, mut named) = (present.iter().collect::<BTreeSet<_>>(), BTreeSet::new());
    let repeated: BTreeSet<_> = order.iter().filter(|item| !named.insert(*item)).collect();
    let missing: Vec<_> = present.difference(&named).collect();
    let unknown: Vec<_> = named.difference(&present).collect();
    if missing.is_empty() && unknown.is_empty() && repeated.is_empty() {
        return Ok(());
    }
    Err(Error::new(Code::ReorderMismatch).details(json!({ "missing": missing, "unknown": unknown, "repeated": repeated })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_each_item_exactly_once() {
        assert!(check_order(&["a", "b"], &["b", "a"]).is_ok());
        let error = check_order(&["a", "b", "c"], &["b", "x", "b"]).unwrap_err();
        assert_eq!(error.code(), Code::ReorderMismatch);
        assert_eq!(error.details_json(), Some(&json!({ "missing": ["a", "c"], "unknown": ["x"], "repeated": ["b"] })));
    }
}
