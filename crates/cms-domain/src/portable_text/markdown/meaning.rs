//! What a block says, whatever its keys are and however it is spelled: two that say the same are the same to whoever reads them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::field::KEY;

/// What a block says, as text to be compared.
pub(super) fn of(block: &Value) -> String {
    let Value::Object(members) = block else { return sorted(block).to_string() };
    let said = match members.get("_type").and_then(Value::as_str) {
        Some("block") => text_block(members),
        Some("table") => table(members),
        _ => None,
    };
    said.unwrap_or_else(|| sorted(&Value::Object(without(members, &[KEY])))).to_string()
}

/// What several blocks say.
pub(super) fn all(blocks: &[Value]) -> Vec<String> {
    blocks.iter().map(of).collect()
}

fn text_block(block: &Map<String, Value>) -> Option<Value> {
    let mut said = without(block, &[KEY, "children", "markDefs"]);
    said.insert("children".to_owned(), spans(block, "children")?);
    if said.get("style").is_some_and(|style| style == "normal") {
        said.shift_remove("style");
    }
    if said.contains_key("listItem") && said.get("level").is_some_and(|level| level == 1) {
        said.shift_remove("level");
    }
    Some(sorted(&Value::Object(said)))
}

fn table(table: &Map<String, Value>) -> Option<Value> {
    let has_header = table.get("hasHeaderRow").is_some_and(|has| has == true);
    let rows = table.get("rows")?.as_array()?.iter().enumerate();
    let rows = rows.map(|(n, row)| self::row(row.as_object()?, has_header && n == 0)).collect::<Option<Vec<_>>>()?;
    let mut said = without(table, &[KEY, "rows"]);
    said.insert("rows".to_owned(), Value::Array(rows));
    if said.get("hasHeaderRow").is_some_and(|has| has == false) {
        said.shift_remove("hasHeaderRow");
    }
    Some(sorted(&Value::Object(said)))
}

fn row(row: &Map<String, Value>, is_header: bool) -> Option<Value> {
    let cells = row.get("cells")?.as_array()?.iter();
    let cells = cells.map(|cell| self::cell(cell.as_object()?, is_header)).collect::<Option<Vec<_>>>()?;
    let mut said = without(row, &[KEY, "cells"]);
    said.insert("cells".to_owned(), Value::Array(cells));
    if said.get("_type").is_some_and(|name| name == "tableRow") {
        said.shift_remove("_type");
    }
    Some(Value::Object(said))
}

fn cell(cell: &Map<String, Value>, is_header: bool) -> Option<Value> {
    let mut said = without(cell, &[KEY, "content", "markDefs"]);
    said.insert("content".to_owned(), spans(cell, "content")?);
    if said.get("_type").is_some_and(|name| name == "tableCell") {
        said.shift_remove("_type");
    }
    // All cells of a header row are headers, whether they say so or not.
    if said.get("isHeader").is_some_and(|is| is == false || is_header) {
        said.shift_remove("isHeader");
    }
    Some(Value::Object(said))
}

/// The words of spans with what their marks mean. Words with the same marks are one, and the order of marks says nothing.
fn spans(holder: &Map<String, Value>, name: &str) -> Option<Value> {
    let definitions = match holder.get("markDefs") {
        None => &[],
        Some(definitions) => definitions.as_array()?.as_slice(),
    };
    let mut defined: HashMap<&str, (Value, bool)> = HashMap::new();
    for definition in definitions {
        let key = definition.get(KEY)?.as_str()?;
        let meaning = sorted(&Value::Object(without(definition.as_object()?, &[KEY])));
        if defined.insert(key, (meaning, false)).is_some() {
            return None;
        }
    }
    let mut said: Vec<(Value, Option<String>)> = Vec::new();
    for child in holder.get(name)?.as_array()? {
        let members = child.as_object()?;
        let Some(text) = members.get("text").and_then(Value::as_str).filter(|_| is_span(members)) else {
            said.push((sorted(&Value::Object(without(members, &[KEY]))), None));
            continue;
        };
        let mut marks = Vec::new();
        for mark in members.get("marks").map_or(Some(&Vec::new()), Value::as_array)? {
            let mark = mark.as_str()?;
            marks.push(match defined.get_mut(mark) {
                None => json!(mark).to_string(),
                Some((meaning, used)) => {
                    *used |= !text.is_empty();
                    meaning.to_string()
                }
            });
        }
        marks.sort_unstable();
        marks.dedup();
        let marks = json!(marks);
        match said.last_mut() {
            _ if text.is_empty() => {}
            Some((last, Some(words))) if *last == marks => words.push_str(text),
            _ => said.push((marks, Some(text.to_owned()))),
        }
    }
    // What no words are under is kept all the same.
    let unused = definitions.iter().filter_map(|definition| defined.get(definition.get(KEY)?.as_str()?)).filter(|(_, used)| !used);
    let unused: Vec<_> = unused.map(|(meaning, _)| meaning).collect();
    Some(json!([said, unused]))
}

/// Whether these are the members of a span, and of one that has nothing besides its words and their marks.
pub(super) fn is_span(members: &Map<String, Value>) -> bool {
    members.get("_type").is_some_and(|name| name == "span")
        && members.get("text").is_some_and(Value::is_string)
        && members.keys().all(|name| matches!(name.as_str(), "_type" | KEY | "text" | "marks"))
}

fn without(members: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let kept = members.iter().filter(|(name, _)| !names.contains(&name.as_str()));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The same value with the members of all objects in the order of their names.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}
