//! Markdown as blocks. What no value can hold is a problem with its line, never dropped.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd};
use serde_json::{Map, Value, json};

use super::{
    DIALECT, FENCE, MAX_BLOCKS,
    tags::{self, Piece},
};
use crate::{
    field::findings::{Findings, Path},
    issue::Issue,
    json,
    portable_text::blocks::MAX_LEVEL,
};

/// Something of Markdown that no value holds, or that cannot be read.
const LOSSY: &str = "MARKDOWN_LOSSY";
const INVALID: &str = "MARKDOWN_INVALID";

/// The deepest level of a list.
#[expect(clippy::cast_possible_truncation, reason = "a hundred")]
const MAX_LEVELS: usize = MAX_LEVEL as usize;

/// How many links may be open at once: nobody writes one in another, and each word carries all of them.
const MAX_LINKS: usize = 8;

/// The blocks of a text. New ones have no keys, unless they come as JSON and bring them along.
pub(super) fn blocks(text: &str) -> Result<Vec<Value>, Vec<Issue>> {
    let text = &lines(text);
    let mut parser = Parser::new_ext(text, DIALECT).into_offset_iter();
    let mut reader = Reader::new(text);
    for (event, range) in &mut parser {
        if reader.blocks.len() > MAX_BLOCKS {
            let message = format!("has more than {MAX_BLOCKS} blocks");
            return Err(vec![Issue::new("", "TOO_MANY", message)]);
        }
        reader.take(event, &range);
    }
    for (label, definition) in parser.reference_definitions().iter() {
        if !reader.labels.contains(&label.to_lowercase()) {
            reader.lossy(definition.span.start, format_args!("nothing refers to the link definition `[{label}]`: take it away, or use it"));
        }
    }
    reader.findings.or(reader.blocks)
}

/// A text whose lines end as they do here, wherever it was written.
pub(super) fn lines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// What a text stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    /// A quotation, and whether nothing was in it yet.
    Quote { is_empty: bool },
    /// A list, with the number of the item that comes next if it has numbers, and whether its first one is still to come.
    List { number: Option<u64>, is_first: bool },
    /// An item, and whether there is a block for it already.
    Item { has_block: bool },
}

/// What is being read.
enum Open {
    /// Nothing: blocks begin here.
    Nothing,
    Text(Words, Option<HeadingLevel>),
    Code {
        language: String,
        text: String,
        from: usize,
    },
    Html {
        text: String,
    },
    Table(Table),
    /// What is refused, up to its end: so many things are open in it.
    Refused(usize),
}

#[derive(Default)]
struct Table {
    header: Vec<Words>,
    rows: Vec<Vec<Words>>,
    /// The row that is being read, and the cell.
    row: Vec<Words>,
    cell: Words,
}

/// Words with their marks, and what else stands among them.
#[derive(Default)]
struct Words {
    spans: Vec<(String, Vec<String>)>,
    definitions: Vec<Value>,
    /// The keys of the definitions, by what else is in them.
    keys: HashMap<String, String>,
    /// The marks that are open, each with how often it was opened. There are few of them, however many tags there are.
    marks: Vec<(String, usize)>,
    /// The links that are open: which, and how many words there were when each began.
    links: Vec<(String, usize)>,
    /// Letters so far.
    length: usize,
    /// A picture.
    image: Option<Image>,
    /// Where opened tags are that nothing closed yet, by their marks.
    tags: BTreeMap<String, Vec<usize>>,
    from: usize,
}

struct Image {
    address: String,
    title: String,
    alt: String,
    is_open: bool,
}

impl Words {
    fn push(&mut self, text: &str, extra: Option<&str>) {
        if let Some(image) = self.image.as_mut().filter(|image| image.is_open) {
            image.alt.push_str(text);
            return;
        }
        if text.is_empty() {
            return;
        }
        let mut marks: Vec<String> = Vec::new();
        for mark in self.marks.iter().map(|(mark, _)| mark.as_str()).chain(self.links.iter().map(|(key, _)| key.as_str())).chain(extra) {
            if !marks.iter().any(|known| known == mark) {
                marks.push(mark.to_owned());
            }
        }
        self.length += text.len();
        match self.spans.last_mut() {
            Some((words, known)) if *known == marks => words.push_str(text),
            _ => self.spans.push((text.to_owned(), marks)),
        }
    }

    fn open(&mut self, mark: &str) {
        match self.marks.iter_mut().find(|(open, _)| open == mark) {
            Some((_, times)) => *times += 1,
            None => self.marks.push((mark.to_owned(), 1)),
        }
    }

    fn close(&mut self, mark: &str) -> bool {
        let Some(at) = self.marks.iter().position(|(open, _)| open == mark) else { return false };
        self.marks[at].1 -= 1;
        if self.marks[at].1 == 0 {
            self.marks.remove(at);
        }
        true
    }

    /// Takes the last tag of a mark for closed. False: none is open.
    fn close_tag(&mut self, mark: &str) -> bool {
        self.tags.get_mut(mark).and_then(Vec::pop).is_some()
    }

    fn open_link(&mut self, href: &str, title: &str, blank: bool) {
        let mut definition = json!({ "_type": "link", "href": href });
        if !title.is_empty() {
            definition["title"] = title.into();
        }
        if blank {
            definition["blank"] = true.into();
        }
        let definitions = &mut self.definitions;
        let key = self.keys.entry(definition.to_string()).or_insert_with(|| {
            let key = format!("m{}", definitions.len());
            let mut keyed = json!({ "_type": "link", "_key": key });
            if let (Value::Object(keyed), Value::Object(rest)) = (&mut keyed, definition) {
                keyed.extend(rest);
            }
            definitions.push(keyed);
            key
        });
        self.links.push((key.clone(), self.length));
    }

    /// The spans and the definitions of their marks.
    fn finish(self) -> (Value, Vec<Value>) {
        let mut spans = self.spans;
        if spans.is_empty() {
            spans.push((String::new(), Vec::new()));
        }
        let spans = spans.into_iter().map(|(text, marks)| json!({ "_type": "span", "text": text, "marks": marks }));
        (spans.collect(), self.definitions)
    }
}

struct Reader<'t> {
    text: &'t str,
    blocks: Vec<Value>,
    containers: Vec<Container>,
    open: Open,
    labels: HashSet<String>,
    findings: Findings,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let (blocks, containers, labels) = (Vec::new(), Vec::new(), HashSet::new());
        Self { text, blocks, containers, open: Open::Nothing, labels, findings: Findings::default() }
    }

    fn lossy(&mut self, at: usize, message: std::fmt::Arguments<'_>) {
        self.report(at, LOSSY, message);
    }

    fn report(&mut self, at: usize, code: &str, message: std::fmt::Arguments<'_>) {
        if self.findings.is_full() {
            // The line is what takes time to find.
            return self.findings.report(&Path::Root(""), code, message);
        }
        let line = 1 + self.text.get(..at).unwrap_or(self.text).matches('\n').count();
        self.findings.report(&Path::Root(""), code, format_args!("line {line}: {message}"));
    }

    /// Refuses something with all that is in it.
    fn refuse(&mut self, at: usize, message: &str) {
        self.fill_quote();
        self.lossy(at, format_args!("{message}"));
        self.open = Open::Refused(1);
    }

    fn take(&mut self, event: Event<'t>, range: &Range<usize>) {
        if let Open::Refused(depth) = &mut self.open {
            match event {
                Event::Start(_) => *depth += 1,
                Event::End(_) => *depth -= 1,
                _ => {}
            }
            if *depth == 0 {
                self.open = Open::Nothing;
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => match &mut self.open {
                Open::Code { text: code, .. } => code.push_str(&text),
                Open::Html { text: html } => html.push_str(&text),
                _ => self.words(range).push(&text, None),
            },
            Event::Code(text) => self.words(range).push(&text, Some("code")),
            Event::SoftBreak => self.words(range).push(" ", None),
            Event::HardBreak => self.words(range).push("\n", None),
            Event::Html(html) => match &mut self.open {
                Open::Html { text } => text.push_str(&html),
                _ => self.inline_html(&html, range),
            },
            Event::InlineHtml(html) => self.inline_html(&html, range),
            Event::Rule => self.block(range, "a line across", json!({ "_type": "break", "style": "lineBreak" })),
            // None of these is in the dialect.
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                self.lossy(range.start, format_args!("footnotes cannot be kept: write the note into the text"));
            }
        }
    }

    fn start(&mut self, tag: Tag<'t>, range: &Range<usize>) {
        let at = range.start;
        match tag {
            Tag::Paragraph => self.open = Open::Text(Words { from: at, ..Words::default() }, None),
            Tag::Heading { level, .. } => self.open = Open::Text(Words { from: at, ..Words::default() }, Some(level)),
            Tag::BlockQuote(_) => {
                self.end_of_item_text();
                if self.is_quoted() {
                    return self.refuse(at, "a quotation within a quotation cannot be kept: write it as one of its own");
                }
                self.containers.push(Container::Quote { is_empty: true });
            }
            Tag::List(number) => {
                self.end_of_item_text();
                if self.is_quoted() {
                    return self.refuse(at, "a list within a quotation cannot be kept: write it outside");
                }
                if self.containers.len() >= 2 * MAX_LEVELS {
                    return self.refuse(at, "a list this deep cannot be kept: its levels are 100 at most");
                }
                // An item that has nothing but a list of its own is there all the same.
                if let Some(Container::Item { has_block: false }) = self.containers.last() {
                    self.text_block(Words { from: at, ..Words::default() }, None);
                }
                self.containers.push(Container::List { number, is_first: true });
            }
            Tag::Item => self.containers.push(Container::Item { has_block: false }),
            Tag::CodeBlock(kind) => {
                self.end_of_item_text();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.open = Open::Code { language, text: String::new(), from: at };
            }
            Tag::HtmlBlock => {
                self.end_of_item_text();
                self.open = Open::Html { text: String::new() };
            }
            Tag::Table(alignments) => {
                self.end_of_item_text();
                if alignments.iter().any(|alignment| *alignment != Alignment::None) {
                    self.lossy(at, format_args!("the alignment of a column cannot be kept: write `---` without colons below its header"));
                }
                self.open = Open::Table(Table::default());
            }
            Tag::TableHead | Tag::TableRow => {}
            Tag::TableCell => {
                if let Open::Table(table) = &mut self.open {
                    table.cell = Words { from: at, ..Words::default() };
                }
            }
            Tag::Emphasis => self.words(range).open("em"),
            Tag::Strong => self.words(range).open("strong"),
            Tag::Strikethrough => self.words(range).open("strike-through"),
            Tag::Link { link_type, dest_url, title, id } => self.link(link_type, &dest_url, &title, &id, range),
            Tag::Image { link_type, dest_url, title, id } => self.image(link_type, dest_url, title, &id, range),
            Tag::FootnoteDefinition(_) => self.refuse(at, "footnotes cannot be kept: write the note into the text"),
            // None of these is in the dialect.
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.refuse(at, "this cannot be kept"),
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.end_text(),
            TagEnd::BlockQuote(_) => {
                // A quotation of nothing is a quotation.
                if let Some(Container::Quote { is_empty: true }) = self.containers.last() {
                    self.text_block(Words { from: range.start, ..Words::default() }, None);
                }
                self.containers.pop();
            }
            TagEnd::List(_) => {
                self.containers.pop();
            }
            TagEnd::Item => {
                self.end_of_item_text();
                if let Some(Container::Item { has_block: false }) = self.containers.last() {
                    self.text_block(Words { from: range.start, ..Words::default() }, None);
                }
                self.containers.pop();
            }
            TagEnd::CodeBlock => {
                if let Open::Code { language, text, from } = std::mem::replace(&mut self.open, Open::Nothing) {
                    self.code(&language, &text, from, range);
                }
            }
            TagEnd::HtmlBlock => {
                if let Open::Html { text } = std::mem::replace(&mut self.open, Open::Nothing) {
                    self.html(&text, range);
                }
            }
            TagEnd::Table => {
                if let Open::Table(table) = std::mem::replace(&mut self.open, Open::Nothing) {
                    self.block(range, "a table", finished(table));
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let cells = cells_in(self.text.get(range.clone()).unwrap_or_default());
                let Open::Table(table) = &mut self.open else { return };
                let width = if tag == TagEnd::TableHead { cells } else { table.header.len() };
                if cells > width {
                    self.lossy(
                        range.start,
                        format_args!(
                            "a row has {cells} cells, and the table {width} columns: widen its header, or write `\\|` for a stroke"
                        ),
                    );
                }
                if let Open::Table(table) = &mut self.open {
                    let row = std::mem::take(&mut table.row);
                    if tag == TagEnd::TableHead { table.header = row } else { table.rows.push(row) }
                }
            }
            TagEnd::TableCell => {
                if let Open::Table(table) = &mut self.open {
                    let cell = std::mem::take(&mut table.cell);
                    let cell = self.closed(cell);
                    let misplaced = cell.image.is_some();
                    if misplaced {
                        self.lossy(range.start, format_args!("a picture in a table cannot be kept: write it outside"));
                    }
                    if let Open::Table(table) = &mut self.open {
                        table.row.push(cell);
                    }
                }
            }
            TagEnd::Emphasis => self.close_mark("em", range),
            TagEnd::Strong => self.close_mark("strong", range),
            TagEnd::Strikethrough => self.close_mark("strike-through", range),
            TagEnd::Link => self.close_link(range),
            TagEnd::Image => {
                if let Some(image) = &mut self.words(range).image {
                    image.is_open = false;
                }
            }
            TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn is_quoted(&self) -> bool {
        self.containers.iter().any(|container| matches!(container, Container::Quote { .. }))
    }

    /// Something is in the quotation that is being read, if one is.
    fn fill_quote(&mut self) {
        if let Some(Container::Quote { is_empty }) = self.containers.last_mut() {
            *is_empty = false;
        }
    }

    /// The words that are being read. The text of an item begins with its first word.
    fn words(&mut self, range: &Range<usize>) -> &mut Words {
        if !matches!(self.open, Open::Text(..) | Open::Table(_)) {
            self.open = Open::Text(Words { from: range.start, ..Words::default() }, None);
        }
        match &mut self.open {
            Open::Text(words, _) => words,
            Open::Table(table) => &mut table.cell,
            _ => unreachable!("there are words now"),
        }
    }

    fn close_mark(&mut self, mark: &str, range: &Range<usize>) {
        self.words(range).close(mark);
    }

    fn link(&mut self, link_type: LinkType, address: &str, title: &str, id: &str, range: &Range<usize>) {
        self.refers(link_type, id);
        let words = self.words(range);
        if words.image.as_ref().is_some_and(|image| image.is_open) {
            return;
        }
        let address = if link_type == LinkType::Email { format!("mailto:{address}") } else { address.to_owned() };
        words.open_link(&address, title, false);
    }

    fn close_link(&mut self, range: &Range<usize>) {
        let words = self.words(range);
        if words.image.as_ref().is_some_and(|image| image.is_open) {
            return;
        }
        let length = words.length;
        match words.links.pop() {
            Some((_, begun)) if begun == length => {
                self.lossy(range.start, format_args!("a link without words cannot be kept: write some between the brackets"));
            }
            Some(_) => {}
            None => self.report(range.start, INVALID, format_args!("`</a>` closes no link")),
        }
    }

    fn image(&mut self, link_type: LinkType, address: CowStr<'t>, title: CowStr<'t>, id: &str, range: &Range<usize>) {
        self.refers(link_type, id);
        let words = self.words(range);
        let stands_alone = words.image.is_none() && words.links.is_empty() && words.marks.is_empty();
        let is_empty = address.is_empty();
        if words.image.is_none() {
            let (address, title) = (address.into_string(), title.into_string());
            words.image = Some(Image { address, title, alt: String::new(), is_open: true });
        }
        if is_empty {
            self.lossy(range.start, format_args!("a picture without an address cannot be kept: write one between the parentheses"));
        } else if !stands_alone {
            self.lossy(range.start, format_args!("a picture among words cannot be kept: write it in a paragraph of its own"));
        }
    }

    fn refers(&mut self, link_type: LinkType, id: &str) {
        if matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut) {
            self.labels.insert(id.to_lowercase());
        }
    }

    fn inline_html(&mut self, html: &str, range: &Range<usize>) {
        match tags::read(html.trim_end_matches('\n')) {
            Some(Piece::Break) => self.words(range).push("\n", None),
            Some(Piece::Open(mark)) => {
                let words = self.words(range);
                words.open(mark);
                words.tags.entry(mark.to_owned()).or_default().push(range.start);
            }
            Some(Piece::Close(mark)) => {
                let words = self.words(range);
                if !(words.close_tag(mark) && words.close(mark)) {
                    self.report(range.start, INVALID, format_args!("`{html}` closes nothing"));
                }
            }
            Some(Piece::OpenLink { href, blank }) => {
                let words = self.words(range);
                if words.links.len() < MAX_LINKS {
                    words.tags.entry("a".to_owned()).or_default().push(range.start);
                    words.open_link(&href, "", blank);
                } else {
                    self.report(range.start, INVALID, format_args!("`{html}` begins a link within {MAX_LINKS} others"));
                }
            }
            Some(Piece::CloseLink) => {
                if self.words(range).close_tag("a") {
                    self.close_link(range);
                } else {
                    self.report(range.start, INVALID, format_args!("`</a>` closes no link"));
                }
            }
            None => {
                let shown: String = html.chars().take(40).collect();
                self.lossy(
                    range.start,
                    format_args!(
                        "`{shown}` cannot be kept among words: known are <u>, <sub>, <sup>, <br> and <a href=\"…\" target=\"_blank\">"
                    ),
                );
            }
        }
    }

    /// Words at their end, where all tags should be closed.
    fn closed(&mut self, mut words: Words) -> Words {
        let mut open: Vec<_> = std::mem::take(&mut words.tags)
            .into_iter()
            .flat_map(|(mark, places)| places.into_iter().map(move |at| (at, mark.clone())))
            .collect();
        open.sort_unstable();
        for (at, mark) in open {
            let tag = tags::of(&mark).unwrap_or("a");
            self.report(at, INVALID, format_args!("`<{tag}>` is not closed in its paragraph: write `</{tag}>` behind the words"));
        }
        words
    }

    fn end_text(&mut self) {
        if let Open::Text(words, level) = std::mem::replace(&mut self.open, Open::Nothing) {
            self.text_block(words, level);
        }
    }

    /// The text of an item ends where the next thing in it begins.
    fn end_of_item_text(&mut self) {
        if matches!(self.open, Open::Text(..)) {
            self.end_text();
        }
    }

    fn text_block(&mut self, words: Words, level: Option<HeadingLevel>) {
        self.fill_quote();
        let mut words = self.closed(words);
        let at = words.from;
        if let Some(image) = words.image.take() {
            if words.length > 0 {
                self.lossy(at, format_args!("a picture among words cannot be kept: write it in a paragraph of its own"));
            } else if level.is_some() {
                self.lossy(at, format_args!("a picture in a heading cannot be kept: write it in a paragraph of its own"));
            }
            return self.picture(image, at);
        }
        let quoted = self.is_quoted();
        let style = match level {
            Some(_) if quoted => return self.lossy(at, format_args!("a heading within a quotation cannot be kept: write it outside")),
            Some(level) => format!("h{}", level as usize),
            None if quoted => "blockquote".to_owned(),
            None => "normal".to_owned(),
        };
        let (children, definitions) = words.finish();
        let mut block = Map::from_iter([("_type".to_owned(), json!("block")), ("style".to_owned(), style.into())]);
        if !self.list_item(&mut block) {
            return self.lossy(
                at,
                format_args!(
                    "an item of a list holds one paragraph: join it with a line break, or write it as an item or outside of the list"
                ),
            );
        }
        block.insert("markDefs".to_owned(), Value::Array(definitions));
        block.insert("children".to_owned(), children);
        self.blocks.push(Value::Object(block));
    }

    /// Makes a block the item that it stands in, if it does; says whether that has room for it.
    fn list_item(&mut self, block: &mut Map<String, Value>) -> bool {
        let level = self.containers.iter().filter(|container| matches!(container, Container::List { .. })).count();
        let Some(at) = self.containers.iter().rposition(|container| matches!(container, Container::Item { .. })) else { return true };
        if self.containers[at] != (Container::Item { has_block: false }) {
            return false;
        }
        self.containers[at] = Container::Item { has_block: true };
        let Some(Container::List { number, is_first }) = at.checked_sub(1).and_then(|at| self.containers.get_mut(at)) else { return true };
        let kind = if number.is_some() { "number" } else { "bullet" };
        block.insert("listItem".to_owned(), kind.into());
        block.insert("level".to_owned(), level.into());
        // A list right behind another one counts on, unless it says where it begins.
        let number = number.filter(|number| *is_first && (*number != 1 || goes_on(&self.blocks, level)));
        if let Some(number) = number {
            block.insert("listStart".to_owned(), number.into());
        }
        *is_first = false;
        true
    }

    fn picture(&mut self, image: Image, at: usize) {
        let mut block = json!({ "_type": "image", "asset": { "url": image.address } });
        if !image.alt.is_empty() {
            block["alt"] = image.alt.into();
        }
        if !image.title.is_empty() {
            block["caption"] = image.title.into();
        }
        self.block(&(at..at), "a picture", block);
    }

    fn code(&mut self, language: &str, text: &str, from: usize, range: &Range<usize>) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        if language == FENCE {
            return match json::parse(text.as_bytes()) {
                Ok(block) => self.block(range, "a block in JSON", block),
                Err(error) => self.report(from, INVALID, format_args!("the JSON in this fence cannot be read: {error}")),
            };
        }
        let mut block = json!({ "_type": "code", "code": text });
        if !language.is_empty() {
            block["language"] = language.into();
        }
        self.block(range, "code", block);
    }

    fn html(&mut self, html: &str, range: &Range<usize>) {
        let html = html.strip_suffix('\n').unwrap_or(html);
        if tags::read(html.trim()) == Some(Piece::Break) {
            return self.text_block(Words { from: range.start, ..Words::default() }, None);
        }
        self.block(range, "HTML", json!({ "_type": "htmlBlock", "html": html }));
    }

    /// A block that holds no text, which stands nowhere but at the top.
    fn block(&mut self, range: &Range<usize>, what: &str, block: Value) {
        self.end_of_item_text();
        self.fill_quote();
        match self.containers.last() {
            None => self.blocks.push(block),
            Some(Container::Quote { .. }) => {
                self.lossy(range.start, format_args!("{what} within a quotation cannot be kept: write it outside"));
            }
            Some(_) => self.lossy(range.start, format_args!("{what} within a list cannot be kept: write it outside, not indented")),
        }
    }
}

/// Whether an item with a number would be counted with the ones that were read last.
fn goes_on(blocks: &[Value], level: usize) -> bool {
    let level_of = |block: &Value| block.get("level").and_then(Value::as_u64).and_then(|level| usize::try_from(level).ok());
    let before = blocks.iter().rev().find(|block| level_of(block).is_none_or(|before| before <= level));
    before.is_some_and(|block| level_of(block) == Some(level) && block.get("listItem").is_some_and(|kind| kind == "number"))
}

/// How many cells a line is written with; those beyond the header would be gone.
fn cells_in(line: &str) -> usize {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut escaped = false;
    let mut strokes = 0;
    let mut ends_with_stroke = false;
    for letter in line.chars() {
        ends_with_stroke = letter == '|' && !escaped;
        strokes += usize::from(ends_with_stroke);
        escaped = letter == '\\' && !escaped;
    }
    strokes + usize::from(!ends_with_stroke)
}

fn finished(table: Table) -> Value {
    let has_header = table.header.iter().any(|cell| cell.length > 0);
    let header = has_header.then_some((table.header, true));
    let rows = header.into_iter().chain(table.rows.into_iter().map(|row| (row, false)));
    let rows: Vec<_> = rows.map(|(cells, is_header)| json!({ "_type": "tableRow", "cells": cells.into_iter().map(|words| cell(words, is_header)).collect::<Vec<_>>() })).collect();
    let mut block = json!({ "_type": "table" });
    if has_header {
        block["hasHeaderRow"] = true.into();
    }
    block["rows"] = rows.into();
    block
}

fn cell(words: Words, is_header: bool) -> Value {
    let (content, definitions) = words.finish();
    let mut cell = json!({ "_type": "tableCell", "content": content });
    if !definitions.is_empty() {
        cell["markDefs"] = definitions.into();
    }
    if is_header {
        cell["isHeader"] = true.into();
    }
    cell
}
