//! Blocks as Markdown: each is written, read back, and goes as JSON unless it comes back as it was.

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, LinkType, Tag, TagEnd};
use pulldown_cmark_to_cmark::{Options, cmark_with_options};
use serde_json::{Map, Value};

use super::{
    DIALECT, FENCE,
    inline::{self, Place, Signs},
    meaning, read,
};

/// Some blocks and their Markdown.
struct Chunk<'a> {
    blocks: &'a [Value],
    text: String,
    is_fence: bool,
}

impl<'a> Chunk<'a> {
    fn fence(block: &'a Value) -> Self {
        Self { blocks: std::slice::from_ref(block), text: fence(block), is_fence: true }
    }

    fn fences(&self) -> impl Iterator<Item = Self> + use<'a> {
        let blocks = self.blocks;
        blocks.iter().map(Self::fence)
    }
}

/// A document. Chunks that change each other's meaning side by side go as JSON, too.
pub(super) fn document(blocks: &[Value]) -> String {
    let mut chunks = chunks(blocks);
    let mut text = join(&chunks);
    if !says(&text, blocks) {
        chunks = apart(chunks);
        text = join(&chunks);
    }
    if !says(&text, blocks) {
        chunks = blocks.iter().map(Chunk::fence).collect();
        text = join(&chunks);
    }
    text
}

fn join(chunks: &[Chunk<'_>]) -> String {
    let mut text = chunks.iter().map(|chunk| chunk.text.as_str()).collect::<Vec<_>>().join("\n\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Whether a text says what blocks say.
fn says(text: &str, blocks: &[Value]) -> bool {
    read::blocks(text).is_ok_and(|read| read.len() == blocks.len() && meaning::all(&read) == meaning::all(blocks))
}

/// With fences in place of what does not stand beside the chunk before it.
fn apart(chunks: Vec<Chunk<'_>>) -> Vec<Chunk<'_>> {
    let mut done: Vec<Chunk<'_>> = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let Some(before) = done.last() else {
            done.push(chunk);
            continue;
        };
        let together: Vec<_> = before.blocks.iter().chain(chunk.blocks).cloned().collect();
        if says(&format!("{}\n\n{}\n", before.text, chunk.text), &together) {
            done.push(chunk);
        } else if chunk.is_fence {
            let fences: Vec<_> = before.fences().collect();
            done.pop();
            done.extend(fences);
            done.push(chunk);
        } else {
            done.extend(chunk.fences());
        }
    }
    done
}

fn chunks(blocks: &[Value]) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let mut rest = blocks;
    while let Some(block) = rest.first() {
        let (taken, mut made) = if is_item(block) { list(rest) } else { (1, vec![single(block)]) };
        chunks.append(&mut made);
        rest = &rest[taken..];
    }
    chunks
}

fn single(block: &Value) -> Chunk<'_> {
    let blocks = std::slice::from_ref(block);
    let written = block.as_object().and_then(|members| {
        let candidates = [Signs::Markdown, Signs::Tags].into_iter().filter_map(|signs| plain(members, signs));
        candidates.into_iter().find(|text| says(text, blocks))
    });
    written.map_or_else(|| Chunk::fence(block), |text| Chunk { blocks, text, is_fence: false })
}

/// A block in a fence that nothing in it ends.
fn fence(block: &Value) -> String {
    // A value that came from JSON has a text.
    let json = serde_json::to_string_pretty(block).unwrap_or_default();
    let longest = json.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest.max(2) + 1);
    format!("{ticks}{FENCE}\n{json}\n{ticks}")
}

/// Events as Markdown. None where there is none for them.
fn text(events: &[Event<'_>]) -> Option<String> {
    let options = Options {
        code_block_token_count: 3,
        list_token: '-',
        emphasis_token: '_',
        increment_ordered_list_bullets: true,
        ..Options::default()
    };
    let mut text = String::new();
    cmark_with_options(events.iter(), &mut text, DIALECT, options).ok()?;
    // Lines around it are for whoever puts it beside others.
    Some(text.trim_matches('\n').to_owned())
}

/// A block that is no item of a list.
fn plain(block: &Map<String, Value>, signs: Signs) -> Option<String> {
    let events = match block.get("_type")?.as_str()? {
        "block" if block.get("style").is_some_and(|style| style == "blockquote") => return quotation(block, signs),
        "block" => return text(&text_block(block, signs)?).map(visible_breaks),
        "image" => image(block)?,
        "code" => code(block)?,
        "table" => table(block, signs)?,
        "break" => vec![Event::Rule],
        "htmlBlock" => return Some(block.get("html")?.as_str()?.to_owned()),
        _ => return None,
    };
    text(&events)
}

/// A paragraph behind the signs of a quotation.
fn quotation(block: &Map<String, Value>, signs: Signs) -> Option<String> {
    let words = inline::events(block, "children", signs, Place::Line)?;
    if words.is_empty() {
        return Some(">".to_owned());
    }
    let text = visible_breaks(text(&within(Tag::Paragraph, words))?);
    Some(text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"))
}

/// Line breaks that are seen, and that no editor takes away: a backslash instead of two spaces.
fn visible_breaks(text: String) -> String {
    if text.contains("  \n") { text.replace("  \n", "\\\n") } else { text }
}

/// What a block of text is in Markdown, by its style.
fn text_block(block: &Map<String, Value>, signs: Signs) -> Option<Vec<Event<'_>>> {
    let words = inline::events(block, "children", signs, Place::Line)?;
    let style = block.get("style").map_or(Some("normal"), Value::as_str)?;
    if style == "normal" && words.is_empty() {
        return Some(vec![Event::InlineHtml("<br>".into())]);
    }
    Some(match style {
        "normal" => within(Tag::Paragraph, words),
        "blockquote" => {
            within(Tag::BlockQuote(None::<BlockQuoteKind>), if words.is_empty() { words } else { within(Tag::Paragraph, words) })
        }
        style => {
            let level = HeadingLevel::try_from(style.strip_prefix('h')?.parse::<usize>().ok()?).ok()?;
            within(Tag::Heading { level, id: None, classes: Vec::new(), attrs: Vec::new() }, words)
        }
    })
}

fn within<'a>(tag: Tag<'a>, inner: Vec<Event<'a>>) -> Vec<Event<'a>> {
    let end = tag.to_end();
    let mut events = Vec::with_capacity(inner.len() + 2);
    events.push(Event::Start(tag));
    events.extend(inner);
    events.push(Event::End(end));
    events
}

fn image(image: &Map<String, Value>) -> Option<Vec<Event<'_>>> {
    let text = |name: &str| image.get(name).map_or(Some(""), Value::as_str);
    let link = Tag::Image {
        link_type: LinkType::Inline,
        dest_url: image.get("asset")?.get("url")?.as_str()?.into(),
        title: text("caption")?.into(),
        id: "".into(),
    };
    let alt = text("alt")?;
    let alt = if alt.is_empty() { Vec::new() } else { vec![Event::Text(alt.into())] };
    Some(within(Tag::Paragraph, within(link, alt)))
}

fn code(code: &Map<String, Value>) -> Option<Vec<Event<'_>>> {
    let language = code.get("language").map_or(Some(""), Value::as_str)?;
    let text = code.get("code")?.as_str()?;
    let text = if text.is_empty() { Vec::new() } else { vec![Event::Text(format!("{text}\n").into())] };
    Some(within(Tag::CodeBlock(CodeBlockKind::Fenced(language.into())), text))
}

fn table(table: &Map<String, Value>, signs: Signs) -> Option<Vec<Event<'_>>> {
    let rows = table.get("rows")?.as_array()?;
    let rows = rows.iter().map(|row| row.get("cells")?.as_array()).collect::<Option<Vec<_>>>()?;
    let width = rows.first()?.len();
    let has_header = table.get("hasHeaderRow").is_some_and(|has| has == true);
    let mut events = Vec::new();
    // Markdown has no table without a header: one without words stands for none.
    let (header, body) = if has_header { (cells(rows.first()?, signs)?, &rows[1..]) } else { (no_header(width), rows.as_slice()) };
    events.extend(within(Tag::TableHead, header));
    for row in body {
        events.extend(within(Tag::TableRow, cells(row, signs)?));
    }
    Some(within(Tag::Table(vec![Alignment::None; width]), events))
}

fn no_header<'a>(width: usize) -> Vec<Event<'a>> {
    (0..width).flat_map(|_| within(Tag::TableCell, Vec::new())).collect()
}

fn cells(cells: &[Value], signs: Signs) -> Option<Vec<Event<'_>>> {
    let cells = cells.iter().map(|cell| Some(within(Tag::TableCell, inline::events(cell.as_object()?, "content", signs, Place::Cell)?)));
    Some(cells.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// An item of a list that Markdown can say.
struct Item<'a> {
    level: usize,
    /// The number that its list begins with; none for bullets.
    number: Option<u64>,
    /// Whether it begins to count anew.
    restarts: bool,
    events: Vec<Event<'a>>,
}

fn is_item(block: &Value) -> bool {
    block.get("_type").is_some_and(|name| name == "block") && block.get("listItem").is_some()
}

/// The items that blocks begin with, as chunks, and how many they are.
fn list(blocks: &[Value]) -> (usize, Vec<Chunk<'_>>) {
    let mut items: Vec<Item<'_>> = Vec::new();
    for block in blocks.iter().take_while(|block| is_item(block)) {
        let Some(item) = item(block) else { break };
        let deepest = items.last().map_or(1, |last| last.level + 1);
        if item.level > deepest {
            break;
        }
        items.push(item);
    }
    let taken = items.len();
    if taken == 0 {
        return (1, vec![Chunk::fence(&blocks[0])]);
    }
    let run = &blocks[..taken];
    // Items stand close together, unless they only come back with lines between them.
    let written =
        [false, true].into_iter().filter_map(|loose| text(&nested(&items, loose))).map(visible_breaks).find(|text| says(text, run));
    match written {
        Some(text) => (taken, vec![Chunk { blocks: run, text, is_fence: false }]),
        None => (taken, run.iter().map(Chunk::fence).collect()),
    }
}

fn item(block: &Value) -> Option<Item<'_>> {
    let members = block.as_object()?;
    if members.contains_key("listId") {
        return None;
    }
    let level = members.get("level").map_or(Some(1), |level| usize::try_from(level.as_u64()?).ok())?;
    let start = members.get("listStart").map_or(Some(1), Value::as_u64)?;
    let number = match members.get("listItem")?.as_str()? {
        "bullet" => None,
        "number" => Some(start),
        _ => return None,
    };
    let restarts = members.contains_key("listStart");
    // By itself it is at the first level.
    let is_said = |name: &str| name != "level" && !(name == "listStart" && start == 1);
    let alone: Map<_, _> = members.iter().filter(|(name, _)| is_said(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
    let alone = [Value::Object(alone)];
    [Signs::Markdown, Signs::Tags].into_iter().find_map(|signs| {
        let item = Item { level: 1, number, restarts, events: item_text(members, signs)? };
        let text = visible_breaks(text(&nested(std::slice::from_ref(&item), false))?);
        says(&text, &alone).then_some(Item { level, ..item })
    })
}

fn item_text(block: &Map<String, Value>, signs: Signs) -> Option<Vec<Event<'_>>> {
    let is_empty = |words: &[Event<'_>]| words.iter().all(|event| matches!(event, Event::InlineHtml(html) if html.as_ref() == "<br>"));
    let words = text_block(block, signs)?;
    Some(if is_empty(&words) { Vec::new() } else { words })
}

/// Items as lists within lists.
fn nested<'a>(items: &[Item<'a>], loose: bool) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    let mut open: Vec<Option<u64>> = Vec::new();
    for item in items {
        while open.len() > item.level {
            close(&mut open, &mut events);
        }
        if open.len() == item.level {
            if open.last().is_some_and(|number| number.is_some() == item.number.is_some()) && !item.restarts {
                events.push(Event::End(TagEnd::Item));
            } else {
                close(&mut open, &mut events);
            }
        }
        while open.len() < item.level {
            open.push(item.number);
            events.push(Event::Start(Tag::List(item.number)));
        }
        events.push(Event::Start(Tag::Item));
        let inner = match item.events.as_slice() {
            [Event::Start(Tag::Paragraph), inner @ .., Event::End(TagEnd::Paragraph)] if !loose => inner,
            all => all,
        };
        events.extend(inner.iter().cloned());
    }
    while !open.is_empty() {
        close(&mut open, &mut events);
    }
    events
}

fn close(open: &mut Vec<Option<u64>>, events: &mut Vec<Event<'_>>) {
    if let Some(number) = open.pop() {
        events.extend([Event::End(TagEnd::Item), Event::End(TagEnd::List(number.is_some()))]);
    }
}
