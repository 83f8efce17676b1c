//! Keys of list items, such as blocks and rows: each `_key` names one item of its list, so that edits, comments and comparisons can point at it.

use std::{collections::HashSet, fmt::Write};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    findings::{Findings, Path},
    shape::{MAX_NAME, check_max_length, wrong_type},
};

/// The member that is an item's key.
pub(crate) const KEY: &str = "_key";

/// Checks the keys of a list of objects and fills in those that are missing.
pub(super) fn complete(list: &mut [Value], at: &Path<'_>, findings: &mut Findings) {
    let mut taken = HashSet::new();
    let mut missing = false;
    for (n, item) in list.iter().enumerate() {
        let element = at.element(n);
        let here = element.member(KEY);
        match item.get(KEY) {
            // A missing key is made; what is no object was reported.
            None | Some(Value::Null) => missing |= item.is_object(),
            Some(Value::String(key)) if key.is_empty() => findings.report(&here, "INVALID_KEY", format_args!("is empty")),
            Some(Value::String(key)) => {
                check_max_length(key, MAX_NAME, &here, findings);
                if !taken.insert(key.clone()) {
                    findings.report(&here, "DUPLICATE", format_args!("is the key of an earlier item"));
                }
            }
            Some(other) => wrong_type(other, "a text", &here, findings),
        }
    }
    if !missing {
        return;
    }
    for (n, item) in list.iter_mut().enumerate() {
        let content = Sha256::digest(format!("{n}:{item}"));
        if let Value::Object(members) = item
            && members.get(KEY).is_none_or(Value::is_null)
        {
            members.insert(KEY.to_owned(), Value::String(unused(&content, &mut taken)));
        }
    }
}

/// A list as it was before keys were made for items that had none.
pub(super) fn without_made(mut list: Value, before: &Value) -> Value {
    let items = list.as_array_mut().into_iter().flatten();
    for (item, before) in items.zip(before.as_array().into_iter().flatten()) {
        if before.get(KEY).is_none()
            && let Value::Object(members) = item
        {
            members.shift_remove(KEY);
        }
    }
    list
}

/// A key that no item has: made of an item's place and content, so that the same request always gives the same document.
fn unused(content: &[u8], taken: &mut HashSet<String>) -> String {
    let mut key = String::new();
    for byte in &content[..6] {
        // Writing to a string cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    let stem = key.clone();
    let mut number = 1_usize;
    while !taken.insert(key.clone()) {
        number += 1;
        key = format!("{stem}-{number}");
    }
    key
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_that_is_made_is_none_that_another_item_has() {
        let mut list = vec![json!({ "text": "x" })];
        let made = |list: &mut Vec<Value>| {
            complete(list, &Path::Root(""), &mut Findings::default());
            let key = list[0].as_object_mut().unwrap().remove("_key");
            key.unwrap().as_str().unwrap().to_owned()
        };
        let key = made(&mut list);
        for taken in [key.clone(), format!("{key}-2")] {
            list.push(json!({ "_key": taken }));
        }
        assert_eq!(made(&mut list), format!("{key}-3"));
        list.pop();
        assert_eq!(made(&mut list), format!("{key}-2"));
    }
}
