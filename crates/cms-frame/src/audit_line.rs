//! What a line of the audit log may hold: as much as people read, and never as much as somebody outside can send.

use cms_storage::AuditLine;
use serde_json::{Map, Value, json};

/// How many bytes of JSON the details of a line have at most where a stranger left it: somebody without a session or a token. Their
/// requests bring tens of kilobytes, and a line is kept for a year.
const STRANGERS: usize = 1024;
/// How many they have where somebody who is known left it: an order of all fields of a large collection fits.
const KNOWN: usize = 16 * 1024;
/// What is kept of each text in details that are too long, in characters: addresses and names fit.
const TEXT: usize = 100;
/// What is kept of each list and each object in them, in items.
const ITEMS: usize = 5;
/// What is kept of what a program calls itself, in characters: browsers need 120 or so.
const AGENT: usize = 256;
/// What is kept of what a thing is called, in characters: titles that are longer are told by their beginning.
const LABEL: usize = 200;

/// What members were and what they became, as details have it: those that differ.
pub fn changes<const N: usize>(members: [(&str, Value, Value); N]) -> Map<String, Value> {
    let differing = members.into_iter().filter(|(_, from, to)| from != to);
    differing.map(|(member, from, to)| (member.to_owned(), json!({ "from": from, "to": to }))).collect()
}

/// Details as they are stored. What is too long is cut, with a mark; what even then is too long is left out, with its size.
pub(crate) fn details(details: &Value, by_stranger: bool) -> Option<String> {
    if details.is_null() {
        return None;
    }
    let most = if by_stranger { STRANGERS } else { KNOWN };
    let whole = details.to_string();
    if whole.len() <= most {
        return Some(whole);
    }
    let cut = shortened(details).to_string();
    Some(if cut.len() <= most { cut } else { json!({ "leftOut": whole.len() }).to_string() })
}

/// Hands a line that was written on to the log, which operators keep on another machine: whoever gets at the database does not get at what
/// is there (OWASP ASVS 5, 16.4.3). Its target and its message are `audit`.
pub(crate) fn hand_on(line: &AuditLine) {
    tracing::info!(
        target: "audit",
        parent: None,
        line = %line.id,
        action = line.action,
        actor_kind = line.actor_kind,
        actor = line.actor.map(tracing::field::display),
        address = line.address,
        door = line.door,
        request = line.request_id,
        resource_type = line.resource_type,
        resource = line.resource_id,
        label = line.resource_label,
        // Texts with their quotes: both forms of the log escape what would end them, or the line.
        details = line.details,
        agent = line.agent,
        "audit"
    );
}

/// What a program calls itself, as it is stored.
pub(crate) fn agent(agent: &str) -> String {
    beginning(agent, AGENT)
}

/// What a thing is called, as it is stored.
pub(crate) fn label(label: &str) -> String {
    beginning(label, LABEL)
}

/// The same with less of each text, list and object.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => beginning(text, TEXT).into(),
        Value::Array(items) => {
            let mut kept: Vec<_> = items.iter().take(ITEMS).map(shortened).collect();
            if items.len() > ITEMS {
                kept.push(format!("… {} more", items.len() - ITEMS).into());
            }
            kept.into()
        }
        Value::Object(members) => {
            let mut kept: Map<_, _> = members.iter().take(ITEMS).map(|(name, value)| (beginning(name, TEXT), shortened(value))).collect();
            if members.len() > ITEMS {
                kept.insert("…".to_owned(), (members.len() - ITEMS).into());
            }
            kept.into()
        }
        value => value.clone(),
    }
}

/// The beginning of a text, with a mark where it was cut. Both databases take what is left: one of them takes no zero.
fn beginning(text: &str, most: usize) -> String {
    let mut kept: String = text.chars().take(most).map(|character| if character == '\0' { ' ' } else { character }).collect();
    if text.chars().nth(most).is_some() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(value: &Value, by_stranger: bool) -> Value {
        serde_json::from_str(&details(value, by_stranger).unwrap()).unwrap()
    }

    #[test]
    fn details_of_usual_length_are_kept_as_they_are() {
        let usual = json!({ "role": { "from": 30, "to": 40 }, "scopes": ["content:read"] });
        assert_eq!(stored(&usual, true), usual);
        assert_eq!(details(&Value::Null, true), None);
    }

    #[test]
    fn details_that_are_too_long_are_cut_with_a_mark() {
        let long = json!({ "name": "n".repeat(5000), "redirectUris": (0..20).map(|n| format!("https://{n}.example")).collect::<Vec<_>>() });
        let cut = stored(&long, true);
        assert_eq!(cut["name"], format!("{}…", "n".repeat(TEXT)));
        assert_eq!(cut["redirectUris"].as_array().unwrap().len(), ITEMS + 1);
        assert_eq!(cut["redirectUris"][ITEMS], "… 15 more");
        assert_eq!(stored(&long, false), long);
    }

    #[test]
    fn no_details_are_longer_than_they_may_be_however_they_are_nested() {
        let wide: Map<_, _> = (0..50).map(|n| (format!("{n}{}", "x".repeat(300)), json!(vec!["y".repeat(300); 9]))).collect();
        let deep = (0..12).fold(json!(wide.clone()), |inner, n| json!({ format!("{n}{}", "k".repeat(90)): [inner, "z".repeat(900)] }));
        for value in [json!(wide), deep] {
            assert!(details(&value, true).unwrap().len() <= STRANGERS);
            assert!(details(&value, false).unwrap().len() <= KNOWN);
        }
    }
}
