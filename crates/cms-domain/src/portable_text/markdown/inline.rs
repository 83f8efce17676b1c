//! The words of a block as events of Markdown.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};
use serde_json::{Map, Value};

use super::{meaning::is_span, tags};
use crate::field::KEY;

/// How marks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// As Markdown, where it has signs.
    Markdown,
    /// As tags, which can stand where signs cannot: at a space, or within a word.
    Tags,
}

/// Where the words stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a paragraph, a heading or an item.
    Line,
    /// In the cell of a table, which is one line.
    Cell,
}

/// A mark as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark<'a> {
    Decorator(&'a str),
    Link { href: &'a str, title: &'a str, blank: bool },
}

/// The events of some words. None when there is something among them that Markdown cannot say.
pub(super) fn events<'a>(holder: &'a Map<String, Value>, name: &str, signs: Signs, place: Place) -> Option<Vec<Event<'a>>> {
    let links = links(holder)?;
    let children = holder.get(name)?.as_array()?;
    let spans = children.iter().map(|child| span(child.as_object()?, &links)).collect::<Option<Vec<_>>>()?;
    let spans: Vec<_> = spans.into_iter().filter(|(text, _)| !text.is_empty()).collect();
    let runs = runs(&spans);
    let mut events = Vec::new();
    let mut open: Vec<(&str, Mark<'_>)> = Vec::new();
    for (n, ((text, marks), runs)) in spans.iter().zip(&runs).enumerate() {
        while open.iter().any(|(name, _)| !marks.contains_key(name)) {
            events.extend(open.pop().map(|(_, mark)| close(mark, signs)));
        }
        let mut begun: Vec<_> = marks.iter().filter(|(name, _)| !open.iter().any(|(known, _)| known == *name)).collect();
        // What goes on longest is outside; of two that go on as long, always the same.
        begun.sort_unstable_by_key(|(name, _)| (std::cmp::Reverse(runs.get(*name)), **name));
        for (name, mark) in begun {
            if *mark != Mark::Decorator("code") {
                open.push((name, *mark));
                events.push(self::open(*mark, signs));
            }
        }
        if marks.values().any(|mark| *mark == Mark::Decorator("code")) {
            events.push(Event::Code((*text).into()));
        } else {
            let ends_line = spans.get(n + 1).is_none_or(|(next, _)| next.starts_with('\n'));
            words(text, place, ends_line, &mut events);
        }
    }
    events.extend(open.into_iter().rev().map(|(_, mark)| close(mark, signs)));
    Some(events)
}

/// The links that are defined beside the words, by their keys.
fn links(holder: &Map<String, Value>) -> Option<HashMap<&str, Mark<'_>>> {
    let Some(definitions) = holder.get("markDefs") else { return Some(HashMap::new()) };
    definitions.as_array()?.iter().map(|definition| Some((definition.get(KEY)?.as_str()?, link(definition.as_object()?)?))).collect()
}

fn link(definition: &Map<String, Value>) -> Option<Mark<'_>> {
    let mut link = ("", "", false);
    for (name, value) in definition {
        match name.as_str() {
            KEY => {}
            "_type" if value == "link" => {}
            "href" => link.0 = value.as_str()?,
            "title" => link.1 = value.as_str()?,
            "blank" => link.2 = value.as_bool()?,
            _ => return None,
        }
    }
    let (href, title, blank) = link;
    Some(Mark::Link { href, title, blank })
}

/// The words of a span and its marks by their names.
fn span<'a>(child: &'a Map<String, Value>, links: &HashMap<&'a str, Mark<'a>>) -> Option<(&'a str, HashMap<&'a str, Mark<'a>>)> {
    let text = child.get("text").and_then(Value::as_str).filter(|_| is_span(child))?;
    let marks = child.get("marks").map_or(Some([].as_slice()), |marks| marks.as_array().map(Vec::as_slice))?;
    let marks = marks.iter().map(|mark| {
        let name = mark.as_str()?;
        let known = links.get(name).copied().or_else(|| tags::of(name).map(|_| Mark::Decorator(name)))?;
        Some((name, known))
    });
    Some((text, marks.collect::<Option<_>>()?))
}

/// For each span, how many spans in a row have each of its marks, from there on.
fn runs<'a>(spans: &[(&str, HashMap<&'a str, Mark<'a>>)]) -> Vec<HashMap<&'a str, usize>> {
    let mut runs: Vec<HashMap<&str, usize>> = Vec::with_capacity(spans.len());
    for (_, marks) in spans.iter().rev() {
        let next = runs.last();
        let run = marks.keys().map(|name| (*name, 1 + next.and_then(|next| next.get(name)).unwrap_or(&0))).collect();
        runs.push(run);
    }
    runs.reverse();
    runs
}

fn open(mark: Mark<'_>, signs: Signs) -> Event<'_> {
    match mark {
        Mark::Decorator("strong") if signs == Signs::Markdown => Event::Start(Tag::Strong),
        Mark::Decorator("em") if signs == Signs::Markdown => Event::Start(Tag::Emphasis),
        Mark::Decorator("strike-through") if signs == Signs::Markdown => Event::Start(Tag::Strikethrough),
        Mark::Decorator(name) => Event::InlineHtml(format!("<{}>", tags::of(name).unwrap_or(name)).into()),
        Mark::Link { href, title, blank: false } if signs == Signs::Markdown || !title.is_empty() => {
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url: href.into(), title: title.into(), id: CowStr::from("") })
        }
        Mark::Link { href, blank, .. } => Event::InlineHtml(tags::link(href, blank).into()),
    }
}

fn close(mark: Mark<'_>, signs: Signs) -> Event<'_> {
    match mark {
        Mark::Decorator("strong") if signs == Signs::Markdown => Event::End(TagEnd::Strong),
        Mark::Decorator("em") if signs == Signs::Markdown => Event::End(TagEnd::Emphasis),
        Mark::Decorator("strike-through") if signs == Signs::Markdown => Event::End(TagEnd::Strikethrough),
        Mark::Decorator(name) => Event::InlineHtml(format!("</{}>", tags::of(name).unwrap_or(name)).into()),
        Mark::Link { title, blank: false, .. } if signs == Signs::Markdown || !title.is_empty() => Event::End(TagEnd::Link),
        Mark::Link { .. } => Event::InlineHtml("</a>".into()),
    }
}

/// Words, whose line breaks are letters in a value. A space at the end of a line would be dropped, hence its number.
fn words<'a>(text: &'a str, place: Place, ends_line: bool, events: &mut Vec<Event<'a>>) {
    let last_line = text.matches('\n').count();
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            events.push(if place == Place::Cell { Event::InlineHtml("<br>".into()) } else { Event::HardBreak });
        }
        match line.chars().last() {
            None => {}
            Some(last @ (' ' | '\t')) if n < last_line || ends_line => {
                let (rest, _) = line.split_at(line.len() - 1);
                if !rest.is_empty() {
                    events.push(Event::Text(rest.into()));
                }
                events.push(Event::InlineHtml(format!("&#{};", u32::from(last)).into()));
            }
            Some(_) => events.push(Event::Text(line.into())),
        }
    }
}
