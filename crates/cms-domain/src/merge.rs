//! What two people made of the same values, put together: by field, and in rich text and repeaters by block and row.
//!
//! The admin application does the same while somebody writes (`src/editing/merge.ts`). Both are held to `merge_vectors.json`: what a browser shows is
//! what the server would do.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{collection::Collection, field::FieldKind};

/// How a value is put together from two.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// One is taken.
    Whole,
    /// Items with keys, of which each is taken whole: blocks of rich text.
    Items,
    /// Items with keys whose members are put together one by one: rows of a repeater.
    Rows(Shapes),
}

/// By name of a member. Others are taken whole.
pub type Shapes = HashMap<String, Shape>;

/// What both changed, each in another way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conflict {
    /// Names of members and keys of items, from the outside in. The order of a list is the item whose key is empty: no item has that one.
    pub path: Vec<String>,
    /// What there was; absent where there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub base: Option<Value>,
    /// What one made of it; absent where it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub mine: Option<Value>,
    /// What the other made of it; absent where it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub theirs: Option<Value>,
}

/// A null is a value that is there.
fn there<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The values. Where there are conflicts they are theirs, or mine where they removed something.
    pub value: Map<String, Value>,
    /// What nobody but a person can decide.
    pub conflicts: Vec<Conflict>,
}

/// How the values of a collection's fields are put together.
pub fn shapes(collection: &Collection) -> Shapes {
    let shape = |kind: &FieldKind| match kind {
        FieldKind::PortableText => Some(Shape::Items),
        FieldKind::Repeater(_) => Some(Shape::Rows(Shapes::new())),
        _ => None,
    };
    let fields = collection.fields.iter();
    fields.filter_map(|field| Some((field.slug.to_string(), shape(&field.kind)?))).collect()
}

/// Puts together what was made of some values on two sides.
pub fn merge(base: &Map<String, Value>, mine: &Map<String, Value>, theirs: &Map<String, Value>, shapes: &Shapes) -> Merged {
    let mut merging = Merging { conflicts: Vec::new() };
    let value = merging.members(base, mine, theirs, shapes, &[]);
    Merged { value, conflicts: merging.conflicts }
}

struct Merging {
    conflicts: Vec<Conflict>,
}

type Members = Map<String, Value>;

/// Items by their keys, in order.
type Items<'a> = Vec<(&'a str, &'a Members)>;

impl Merging {
    fn members(&mut self, base: &Members, mine: &Members, theirs: &Members, shapes: &Shapes, path: &[String]) -> Members {
        let names = theirs.keys().chain(mine.keys().filter(|name| !theirs.contains_key(*name)));
        let parts = names.filter_map(|name| {
            let shape = shapes.get(name).unwrap_or(&Shape::Whole);
            let part = self.part(base.get(name), mine.get(name), theirs.get(name), shape, &below(path, name));
            Some((name.clone(), part?))
        });
        parts.collect()
    }

    fn part(
        &mut self,
        base: Option<&Value>,
        mine: Option<&Value>,
        theirs: Option<&Value>,
        shape: &Shape,
        path: &[String],
    ) -> Option<Value> {
        if let Some(side) = plain(base, mine, theirs) {
            return side.of(mine, theirs).cloned();
        }
        if *shape != Shape::Whole
            && let (Some(ours), Some(others)) = (mine.and_then(keyed), theirs.and_then(keyed))
            && let Some(was) = base.map_or(Some(Vec::new()), |base| if base.is_null() { Some(Vec::new()) } else { keyed(base) })
        {
            return Some(self.items(&was, &ours, &others, shape, path));
        }
        self.disputed(path, base.cloned(), mine.cloned(), theirs.cloned());
        theirs.cloned()
    }

    fn items(&mut self, base: &Items<'_>, mine: &Items<'_>, theirs: &Items<'_>, shape: &Shape, path: &[String]) -> Value {
        let [was, ours, others] = [base, mine, theirs].map(|items| items.iter().copied().collect::<HashMap<_, _>>());
        let keys = mine.iter().chain(theirs.iter().filter(|(key, _)| !ours.contains_key(key))).map(|(key, _)| *key);
        let mut items: HashMap<&str, Value> = keys
            .filter_map(|key| {
                let [was, ours, others] = [&was, &ours, &others].map(|side| side.get(key).copied());
                Some((key, Value::Object(self.item(was, ours, others, shape, &below(path, key))?)))
            })
            .collect();
        let [base, mine, theirs] = [base, mine, theirs].map(|items| items.iter().map(|(key, _)| *key).collect::<Vec<_>>());
        let order = self.order(&base, &mine, &theirs, path);
        order.into_iter().filter_map(|key| items.remove(key)).collect()
    }

    fn item(
        &mut self,
        base: Option<&Members>,
        mine: Option<&Members>,
        theirs: Option<&Members>,
        shape: &Shape,
        path: &[String],
    ) -> Option<Members> {
        let [was, ours, others] = [base, mine, theirs].map(|item| item.cloned().map(Value::Object));
        if let Some(side) = plain(was.as_ref(), ours.as_ref(), others.as_ref()) {
            return side.of(mine, theirs).cloned();
        }
        if let (Shape::Rows(shapes), Some(mine), Some(theirs)) = (shape, mine, theirs) {
            return Some(self.members(base.unwrap_or(&Map::new()), mine, theirs, shapes, path));
        }
        self.disputed(path, was, ours, others);
        theirs.or(mine).cloned()
    }

    /// All keys of both sides, in an order that keeps what each of them moved.
    fn order<'a>(&mut self, base: &[&'a str], mine: &[&'a str], theirs: &[&'a str], path: &[String]) -> Vec<&'a str> {
        let sets = [base, mine, theirs].map(|keys| keys.iter().copied().collect::<HashSet<_>>());
        let common = |keys: &[&'a str]| keys.iter().copied().filter(|key| sets.iter().all(|set| set.contains(key))).collect::<Vec<_>>();
        let (was, ours, others) = (common(base), common(mine), common(theirs));
        if ours == was || ours == others {
            return inserted(theirs, mine);
        }
        if others == was {
            return inserted(mine, theirs);
        }
        let (moved, moved_there) = (moves(&was, &ours), moves(&was, &others));
        if moved.is_disjoint(&moved_there) {
            let rest: Vec<_> = theirs.iter().copied().filter(|key| !moved.contains(key)).collect();
            return inserted(&rest, mine);
        }
        let [was, ours, others] = [was, ours, others].map(|keys| Some(keys.into()));
        self.disputed(&below(path, ""), was, ours, others);
        inserted(theirs, mine)
    }

    fn disputed(&mut self, path: &[String], base: Option<Value>, mine: Option<Value>, theirs: Option<Value>) {
        self.conflicts.push(Conflict { path: path.to_vec(), base, mine, theirs });
    }
}

fn below(path: &[String], name: &str) -> Vec<String> {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

/// Whose a value becomes.
enum Side {
    Mine,
    Theirs,
}

impl Side {
    fn of<T>(self, mine: T, theirs: T) -> T {
        match self {
            Self::Mine => mine,
            Self::Theirs => theirs,
        }
    }
}

/// Whose a value becomes that not both sides changed, or both in the same way.
fn plain(base: Option<&Value>, mine: Option<&Value>, theirs: Option<&Value>) -> Option<Side> {
    if is_same(mine, theirs) || is_same(base, mine) {
        return Some(Side::Theirs);
    }
    is_same(base, theirs).then_some(Side::Mine)
}

fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => says_the_same(one, other),
        (one, other) => one == other,
    }
}

/// Whether two values of JSON are the same: the order of members says nothing, and a number is what it is worth.
fn says_the_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| says_the_same(one, other))
        }
        (Value::Object(ones), Value::Object(others)) => {
            ones.len() == others.len() && ones.iter().all(|(name, one)| others.get(name).is_some_and(|other| says_the_same(one, other)))
        }
        (one, other) => one == other,
    }
}

/// The items of a list of objects with a key each; none where it is anything else.
fn keyed(value: &Value) -> Option<Items<'_>> {
    let items = value.as_array()?.iter().map(|item| {
        let members = item.as_object()?;
        let key = members.get("_key")?.as_str().filter(|key| !key.is_empty())?;
        Some((key, members))
    });
    let items: Items<'_> = items.collect::<Option<_>>()?;
    let keys: HashSet<_> = items.iter().map(|(key, _)| *key).collect();
    (keys.len() == items.len()).then_some(items)
}

/// A list with the keys of another one that it lacks, each behind the one that it is behind there.
fn inserted<'a>(into: &[&'a str], from: &[&'a str]) -> Vec<&'a str> {
    let known: HashSet<_> = into.iter().copied().collect();
    let mut behind: HashMap<Option<&str>, Vec<&'a str>> = HashMap::new();
    let mut last = None;
    for key in from {
        if known.contains(key) {
            last = Some(*key);
        } else {
            behind.entry(last).or_default().push(key);
        }
    }
    let mut all = behind.remove(&None).unwrap_or_default();
    for key in into {
        all.push(key);
        all.extend(behind.remove(&Some(*key)).unwrap_or_default());
    }
    all
}

/// The fewest keys that one moves to make one order of another: all but the longest run that is in order already.
fn moves<'a>(from: &[&'a str], to: &[&'a str]) -> HashSet<&'a str> {
    let place: HashMap<_, _> = from.iter().enumerate().map(|(n, key)| (*key, n)).collect();
    let places: Vec<_> = to.iter().filter_map(|key| place.get(key).copied()).collect();
    // At each length the run that ends earliest, by its last key, and what each key came behind.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (n, at) in places.iter().enumerate() {
        let length = ends.partition_point(|end| places.get(*end).is_some_and(|end| end < at));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = n,
            None => ends.push(n),
        }
    }
    let mut moved: HashSet<_> = to.iter().copied().collect();
    let mut stays = ends.last().copied();
    while let Some(n) = stays {
        to.get(n).map(|key| moved.remove(key));
        stays = before.get(n).copied().flatten();
    }
    moved
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize)]
    struct Vector {
        name: String,
        shapes: Shapes,
        base: Members,
        mine: Members,
        theirs: Members,
        /// What somebody chose, which is for browsers.
        choices: Option<Value>,
        value: Members,
        conflicts: Vec<Conflict>,
    }

    #[test]
    fn the_server_merges_as_the_admin_application_does() {
        let vectors: Vec<Vector> = serde_json::from_str(include_str!("merge_vectors.json")).unwrap();
        let vectors: Vec<_> = vectors.into_iter().filter(|vector| vector.choices.is_none()).collect();
        assert!(vectors.len() >= 25);
        for Vector { name, shapes, base, mine, theirs, value, conflicts, .. } in vectors {
            assert_eq!(merge(&base, &mine, &theirs, &shapes), Merged { value, conflicts }, "{name}");
        }
    }

    fn body(blocks: &[(&str, u8)]) -> Members {
        let blocks: Vec<_> = blocks.iter().map(|(key, text)| json!({ "_key": key, "text": text })).collect();
        json!({ "body": blocks }).as_object().cloned().unwrap()
    }

    const BASE: [(&str, u8); 5] = [("a", 0), ("b", 0), ("c", 0), ("d", 0), ("e", 0)];

    /// What somebody makes of the base: some blocks changed, some gone, some new, in any order.
    fn made(new: [&'static str; 2]) -> impl Strategy<Value = Vec<(&'static str, u8)>> {
        let kept = proptest::sample::subsequence(BASE.to_vec(), 0..=BASE.len());
        (kept, prop::collection::vec(0_u8..3, BASE.len()), proptest::sample::subsequence(new.to_vec(), 0..=new.len()))
            .prop_map(|(kept, texts, new)| {
                let kept = kept.into_iter().zip(texts).map(|((key, _), text)| (key, text));
                kept.chain(new.into_iter().map(|key| (key, 9))).collect::<Vec<_>>()
            })
            .prop_shuffle()
    }

    proptest! {
        #[test]
        fn two_sides_lose_nothing_and_double_nothing(mine in made(["m", "n"]), theirs in made(["t", "u"])) {
            let shapes = Shapes::from([("body".to_owned(), Shape::Items)]);
            let merged = merge(&body(&BASE), &body(&mine), &body(&theirs), &shapes);
            let items = keyed(&merged.value["body"]).expect("no key is there twice");
            for (key, text) in mine.iter().chain(&theirs).filter(|block| !BASE.contains(block)) {
                let block = json!({ "_key": key, "text": text });
                let is_there = items.iter().any(|(_, item)| Some(*item) == block.as_object());
                let is_told = merged.conflicts.iter().any(|conflict| [&conflict.mine, &conflict.theirs].contains(&&Some(block.clone())));
                prop_assert!(is_there || is_told, "{key} {text}: {merged:?}");
            }
            for (key, _) in BASE {
                let is_gone = ![&mine, &theirs].into_iter().all(|side| side.iter().any(|(other, _)| *other == key));
                let is_told = merged.conflicts.iter().any(|conflict| conflict.path.get(1).is_some_and(|at| at == key));
                prop_assert!(!is_gone || is_told || items.iter().all(|(other, _)| *other != key), "{key} is back: {merged:?}");
            }
        }

        #[test]
        fn what_one_side_did_alone_is_what_comes_of_it(mine in made(["m", "n"])) {
            let shapes = Shapes::from([("body".to_owned(), Shape::Items)]);
            let (base, mine) = (body(&BASE), body(&mine));
            let expected = Merged { value: mine.clone(), conflicts: Vec::new() };
            prop_assert_eq!(merge(&base, &mine, &base, &shapes), expected.clone());
            prop_assert_eq!(merge(&base, &base, &mine, &shapes), expected.clone());
            prop_assert_eq!(merge(&base, &mine, &mine, &shapes), expected);
        }
    }
}
