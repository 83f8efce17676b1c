//! Lines that refer to entries which are not there, or not yet.

use cms_content::entries::import::ImportEntry;
use cms_frame::{Code, Error};
use serde_json::{Map, Value};

/// The code of an issue that says so.
const NOT_FOUND: &str = "REFERENCE_NOT_FOUND";

/// Whether all that keeps a line from being imported is what it refers to.
pub(crate) fn waits(error: &Error) -> bool {
    match error.code() {
        // The entry that it translates.
        Code::NotFound => true,
        Code::ValidationError => {
            let issues = error.details_json().and_then(|details| details["issues"].as_array());
            issues.is_some_and(|issues| !issues.is_empty() && issues.iter().all(|issue| issue["code"] == NOT_FOUND))
        }
        _ => false,
    }
}

/// Leaves out of an entry what an error says is missing.
pub(crate) fn leave_out(error: &Error, entry: &mut ImportEntry) {
    let issues = error.details_json().and_then(|details| details["issues"].as_array()).cloned().unwrap_or_default();
    // From the last to the first, so that places in lists stay what they were.
    for path in issues.iter().rev().filter_map(|issue| issue["path"].as_str()) {
        let (data, path) = match path.strip_prefix("draft.") {
            Some(path) => (entry.draft.as_mut().map(|draft| &mut draft.data), path),
            None => (Some(&mut entry.data), path),
        };
        if let (Some(data), Some(path)) = (data, path.strip_prefix("data.")) {
            remove(data, path);
        }
    }
}

/// Removes the value of a field, or one of the values of a list.
fn remove(data: &mut Map<String, Value>, path: &str) {
    match path.split_once('.') {
        None => {
            data.insert(path.to_owned(), Value::Null);
        }
        Some((field, place)) => {
            if let (Some(Value::Array(list)), Ok(place)) = (data.get_mut(field), place.parse::<usize>())
                && place < list.len()
            {
                list.remove(place);
            }
        }
    }
}
