//! New blocks beside the stored ones: what is the same stays what it was, and what stands where something stood has its key.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::meaning;
use crate::field::KEY;

/// The most pairs that are compared to find what two lists have in common in the best way: 2,000 changed blocks in a row. Beyond, the first way is taken.
const MAX_PAIRS: usize = 1 << 22;

/// How many stored blocks are looked at for the one that a new block replaces.
const LOOKED_AT: usize = 64;

/// Where a new block comes from.
enum Origin<'a> {
    /// It is a stored one.
    Stored(&'a Value),
    /// It stands where a stored one stood.
    Replaces(Value, &'a Value),
    /// It is new.
    New(Value),
}

/// New blocks with everything of the stored ones that is still so.
pub(super) fn reconcile(new: Vec<Value>, stored: &[Value]) -> Vec<Value> {
    let (said, before) = (meaning::all(&new), meaning::all(stored));
    let anchors = common(&said, &before);
    let mut places = anchors.clone();
    moved(&said, &before, &mut places);
    let same: Vec<_> = places.iter().map(Option::is_some).collect();
    fill_gaps(&mut places, &anchors, stored.len(), |n, at| new[n].get("_type") == stored[at].get("_type"));
    let origins: Vec<_> = new
        .into_iter()
        .zip(places)
        .zip(same)
        .map(|((block, place), same)| match place.map(|at| &stored[at]) {
            Some(stored) if same => Origin::Stored(stored),
            Some(stored) => Origin::Replaces(block, stored),
            None => Origin::New(block),
        })
        .collect();
    keyed(origins)
}

/// Blocks with their keys, each of them once: what is stored has its own, then what came with one, then what stands where another stood.
fn keyed(origins: Vec<Origin<'_>>) -> Vec<Value> {
    let stored = origins.iter().filter_map(|origin| if let Origin::Stored(block) = origin { key(block) } else { None });
    let mut taken: HashSet<String> = stored.map(str::to_owned).collect();
    let mut origins = origins;
    for origin in &mut origins {
        let (Origin::Replaces(block, _) | Origin::New(block)) = origin else { continue };
        let is_taken = key(block).is_some_and(|key| !taken.insert(key.to_owned()));
        if let Value::Object(members) = block
            && is_taken
        {
            members.shift_remove(KEY);
        }
    }
    origins
        .into_iter()
        .map(|origin| match origin {
            Origin::Stored(block) => block.clone(),
            Origin::New(block) => block,
            // What came with a key is taken as it came.
            Origin::Replaces(block, _) if key(&block).is_some() => block,
            Origin::Replaces(block, stored) => {
                let mut block = adopted(block, stored);
                let is_taken = key(&block).is_some_and(|key| !taken.insert(key.to_owned()));
                if let Value::Object(members) = &mut block
                    && is_taken
                {
                    members.shift_remove(KEY);
                }
                block
            }
        })
        .collect()
}

fn key(value: &Value) -> Option<&str> {
    value.get(KEY)?.as_str()
}

/// A changed object with the key of the one that stood there, and its parts with those of the parts that are still so.
fn adopted(new: Value, stored: &Value) -> Value {
    let (Value::Object(mut members), Value::Object(before)) = (new, stored) else { return stored.clone() };
    for (name, default) in [("style", Value::from("normal")), ("level", 1.into()), ("markDefs", Value::Array(Vec::new()))] {
        // What went without saying still does.
        if !before.contains_key(name) && members.get(name) == Some(&default) {
            members.shift_remove(name);
        }
    }
    for name in ["children", "content"] {
        if let (Some(Value::Array(spans)), Some(Value::Array(old))) = (members.get(name).cloned(), before.get(name)) {
            let renamed = definitions(&mut members, before);
            members.insert(name.to_owned(), self::spans(spans, old, &renamed));
        }
    }
    for name in ["rows", "cells"] {
        if let (Some(Value::Array(items)), Some(Value::Array(old))) = (members.get(name).cloned(), before.get(name)) {
            members.insert(name.to_owned(), parts(items, old));
        }
    }
    with_key(members, before.get(KEY))
}

/// An object with its key behind its type, where it is looked for.
fn with_key(members: Map<String, Value>, key: Option<&Value>) -> Value {
    let Some(key) = key.cloned() else { return Value::Object(members) };
    let mut keyed = Map::with_capacity(members.len() + 1);
    keyed.extend(members.get("_type").map(|name| ("_type".to_owned(), name.clone())));
    keyed.insert(KEY.to_owned(), key);
    keyed.extend(members.into_iter().filter(|(name, _)| name != "_type" && name != KEY));
    Value::Object(keyed)
}

/// Rows and cells.
fn parts(new: Vec<Value>, stored: &[Value]) -> Value {
    let bare = |part: &Value| meaning::of(&serde_json::json!({ "_type": "table", "rows": [row_of(part)] }));
    let (said, before): (Vec<_>, Vec<_>) = (new.iter().map(bare).collect(), stored.iter().map(bare).collect());
    let anchors = common(&said, &before);
    let mut places = anchors.clone();
    let same: Vec<_> = places.iter().map(Option::is_some).collect();
    fill_gaps(&mut places, &anchors, stored.len(), |_, _| true);
    let parts = new.into_iter().zip(places).zip(same).map(|((part, place), same)| match place.map(|at| &stored[at]) {
        Some(stored) if same => stored.clone(),
        Some(stored) => adopted(part, stored),
        None => part,
    });
    parts.collect()
}

/// The row that a part of a table is, or is in.
fn row_of(part: &Value) -> Value {
    if part.get("cells").is_some() { part.clone() } else { serde_json::json!({ "cells": [part] }) }
}

/// Gives the definitions of marks the keys that they had, and says how each was called before.
fn definitions(members: &mut Map<String, Value>, before: &Map<String, Value>) -> HashMap<String, String> {
    let mut renamed = HashMap::new();
    let Some(Value::Array(new)) = members.get_mut("markDefs") else { return renamed };
    let old = before.get("markDefs").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut known: HashMap<String, &str> = old.iter().rev().filter_map(|old| Some((meaning::of(old), key(old)?))).collect();
    let mut taken: HashSet<&str> = old.iter().filter_map(key).collect();
    taken.extend(super::super::DECORATORS);
    let mut free = (0..).map(|n| format!("m{n}")).filter(|name| !taken.contains(name.as_str()));
    for definition in new {
        let name = known.remove(&meaning::of(definition)).map(str::to_owned).or_else(|| free.next());
        if let (Some(name), Value::Object(definition)) = (name, definition) {
            let before = definition.insert(KEY.to_owned(), name.clone().into());
            renamed.extend(before.and_then(|before| Some((before.as_str()?.to_owned(), name))));
        }
    }
    renamed
}

/// Spans with the names that their marks have now, and with the keys that they had.
fn spans(new: Vec<Value>, stored: &[Value], renamed: &HashMap<String, String>) -> Value {
    let mut new = new;
    for mark in new.iter_mut().filter_map(|span| span.get_mut("marks")?.as_array_mut()).flatten() {
        if let Some(name) = mark.as_str().and_then(|name| renamed.get(name)) {
            *mark = name.clone().into();
        }
    }
    let words = |span: &Value| {
        let mut marks: Vec<_> = span.get("marks").and_then(Value::as_array).into_iter().flatten().map(Value::to_string).collect();
        marks.sort_unstable();
        format!("{}{}", marks.concat(), span.get("text").map(Value::to_string).unwrap_or_default())
    };
    let (said, before): (Vec<_>, Vec<_>) = (new.iter().map(words).collect(), stored.iter().map(words).collect());
    let anchors = common(&said, &before);
    let mut places = anchors.clone();
    let same: Vec<_> = places.iter().map(Option::is_some).collect();
    fill_gaps(&mut places, &anchors, stored.len(), |_, at| stored[at].get("_type").is_some_and(|name| name == "span"));
    let mut taken = HashSet::new();
    let spans = new.into_iter().zip(places).zip(same).map(|((span, place), same)| match place.map(|at| &stored[at]) {
        Some(stored) if same => stored.clone(),
        Some(stored) => match span {
            Value::Object(members) => with_key(members, stored.get(KEY)),
            span => span,
        },
        None => span,
    });
    let spans = spans.map(|mut span| {
        if key(&span).is_some_and(|key| !taken.insert(key.to_owned()))
            && let Value::Object(members) = &mut span
        {
            members.shift_remove(KEY);
        }
        span
    });
    spans.collect()
}

/// For each new one, which stored one it is: as many as possible without crossing, or nearly.
fn common(new: &[String], stored: &[String]) -> Vec<Option<usize>> {
    let mut places = vec![None; new.len()];
    let start = new.iter().zip(stored).take_while(|(one, other)| one == other).count();
    let end = new[start..].iter().rev().zip(stored[start..].iter().rev()).take_while(|(one, other)| one == other).count();
    for (n, place) in places.iter_mut().enumerate() {
        if n < start {
            *place = Some(n);
        } else if n >= new.len() - end {
            *place = Some(n + stored.len() - new.len());
        }
    }
    let (middle, before) = (&new[start..new.len() - end], &stored[start..stored.len() - end]);
    let found = if middle.len().saturating_mul(before.len()) <= MAX_PAIRS { longest(middle, before) } else { first(middle, before) };
    for (place, found) in places[start..].iter_mut().zip(found) {
        *place = found.map(|at| at + start);
    }
    places
}

/// The longest common subsequence.
fn longest(new: &[String], stored: &[String]) -> Vec<Option<usize>> {
    let width = stored.len() + 1;
    let mut lengths = vec![0_u32; (new.len() + 1) * width];
    for n in (0..new.len()).rev() {
        for at in (0..stored.len()).rev() {
            lengths[n * width + at] = if new[n] == stored[at] {
                lengths[(n + 1) * width + at + 1] + 1
            } else {
                lengths[(n + 1) * width + at].max(lengths[n * width + at + 1])
            };
        }
    }
    let mut places = vec![None; new.len()];
    let (mut n, mut at) = (0, 0);
    while n < new.len() && at < stored.len() {
        if new[n] == stored[at] {
            places[n] = Some(at);
            (n, at) = (n + 1, at + 1);
        } else if lengths[(n + 1) * width + at] >= lengths[n * width + at + 1] {
            n += 1;
        } else {
            at += 1;
        }
    }
    places
}

/// A common subsequence: each takes the first that is the same behind the one before.
fn first(new: &[String], stored: &[String]) -> Vec<Option<usize>> {
    let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, said) in stored.iter().enumerate() {
        known.entry(said).or_default().push(at);
    }
    let mut next = 0;
    let mut find = |said: &String| {
        let ways = known.get(said.as_str())?;
        let at = *ways.get(ways.partition_point(|at| *at < next))?;
        next = at + 1;
        Some(at)
    };
    new.iter().map(&mut find).collect()
}

/// Those that stand elsewhere now.
fn moved(new: &[String], stored: &[String], places: &mut [Option<usize>]) {
    let used: HashSet<_> = places.iter().flatten().copied().collect();
    let mut left: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, said) in stored.iter().enumerate().rev().filter(|(at, _)| !used.contains(at)) {
        left.entry(said).or_default().push(at);
    }
    for (said, place) in new.iter().zip(places).filter(|(_, place)| place.is_none()) {
        *place = left.get_mut(said.as_str()).and_then(Vec::pop);
    }
}

/// Gives each new one that is between two that stayed the next stored one that is there, too, and that it can replace.
fn fill_gaps(places: &mut [Option<usize>], anchors: &[Option<usize>], stored: usize, fits: impl Fn(usize, usize) -> bool) {
    let stayed: HashSet<_> = anchors.iter().flatten().copied().collect();
    let used: HashSet<_> = places.iter().flatten().copied().collect();
    let mut next = 0;
    for n in 0..places.len() {
        if let Some(at) = anchors[n] {
            next = at + 1;
        } else if places[n].is_none() {
            let gap = (next..stored).take(LOOKED_AT).take_while(|at| !stayed.contains(at));
            if let Some(at) = gap.into_iter().find(|at| !used.contains(at) && fits(n, *at)) {
                places[n] = Some(at);
                next = at + 1;
            }
        }
    }
}
