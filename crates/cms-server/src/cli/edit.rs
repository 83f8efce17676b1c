//! `cms content edit`: an entry as a file in the editor that its user has chosen, Markdown below front matter, and back.

use std::{
    fs, io,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitStatus,
};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::{Map, Value, json};

use super::{App, Usage, content::Which, place::Place};
use crate::output::text;

/// What encloses the front matter.
const FENCE: &str = "---";
/// How lines begin in which the editor is told what was wrong.
const REMARK: &str = "#! ";
/// Names the state of the entry that is edited.
const REV: &str = "_rev";
/// The last part of the entry's address.
const SLUG: &str = "slug";

#[derive(Debug, Args)]
pub(super) struct Edit {
    #[command(flatten)]
    entry: Which,
    /// A file that was edited before and kept: it is taken as it is, and no editor is opened.
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
}

/// An entry as it is edited.
struct Page {
    /// Its id.
    id: String,
    /// The field that is the text below the front matter.
    body: Option<String>,
    /// What the file says as long as nobody changed it.
    text: String,
}

/// What a file says.
#[derive(Debug, PartialEq)]
struct Said {
    /// The values of the front matter.
    values: Map<String, Value>,
    /// The text below it.
    body: String,
}

pub(super) async fn run(app: &App, place: &mut Place, edit: &Edit) -> anyhow::Result<()> {
    let page = Page::read(place, &edit.entry).await?;
    if let Some(file) = &edit.file {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        let answer = page.store(place, &edit.entry, &text).await.map_err(|error| kept(error, file, &edit.entry))?;
        return tell(app, &edit.entry, answer);
    }
    let editor = editor(app)?;
    let folder = folder().context("cannot make a folder for the file")?;
    let file = folder.path().join("entry.md");
    write_new(&file, &page.text)?;
    let mut before = page.text.clone();
    loop {
        let ended = open(&editor, &file).await?;
        ensure!(ended.success(), "the editor ended with {ended}: nothing was changed");
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
        let error = match page.store(place, &edit.entry, &text).await {
            Ok(answer) => return tell(app, &edit.entry, answer),
            Err(error) => error,
        };
        // Who leaves the file as it was has seen what is wrong, and gives up. What somebody else changed meanwhile no editing mends.
        if !(app.out.is_watched() && io::stdin().is_terminal()) || text == before || is_conflict(&error) {
            let file = folder.keep().join("entry.md");
            return Err(kept(error, &file, &edit.entry));
        }
        before = remarked(&text, &super::told(&error));
        fs::write(&file, &before).with_context(|| format!("cannot write `{}`", file.display()))?;
    }
}

fn tell(app: &App, entry: &Which, answer: Option<Value>) -> anyhow::Result<()> {
    let Some(answer) = answer else {
        return Ok(app.out.answer(&json!({ "changed": false }), || "Nothing was changed, and nothing was sent.".to_owned())?);
    };
    let item = &answer["item"];
    let told = json!({ "changed": true, "item": item, "_rev": answer["_rev"] });
    let staged = if item["hasDraft"] == true { ", with changes that are not published" } else { "" };
    Ok(app.out.answer(&told, || format!("{} is {}{staged}", entry.entry, text(item, "status")))?)
}

/// An error that says where the file is and how to go on. Programs get the failure as it is, with the same words.
fn kept(error: anyhow::Error, file: &Path, entry: &Which) -> anyhow::Error {
    let path = file.display();
    let command = format!("cms content edit {} {} --file {path}", entry.collection, entry.entry);
    let advice = if is_conflict(&error) {
        format!(
            "somebody changed the entry meanwhile, and nothing was overwritten: your text is in `{path}`; edit the entry anew and bring it in"
        )
    } else {
        format!("your text is in `{path}`; mend it, and send it with `{command}`")
    };
    eprintln!("cms: {advice}");
    error
}

fn is_conflict(error: &anyhow::Error) -> bool {
    let here = error.downcast_ref::<cms_core::Error>().map(|error| error.code().as_str().to_owned());
    let there = error.downcast_ref::<crate::remote::Told>().map(|told| told.code.clone());
    here.or(there).is_some_and(|code| code == "CONFLICT")
}

/// The editor and what it is called with.
fn editor(app: &App) -> Result<Vec<String>, Usage> {
    let Some(editor) = app.editor.as_deref().filter(|editor| !editor.trim().is_empty()) else {
        return Err(Usage("set `EDITOR` to the editor that you want, as in `EDITOR=nano`, or `EDITOR=\"code --wait\"`".to_owned()));
    };
    let words = shlex::split(editor).filter(|words| !words.is_empty());
    words.ok_or_else(|| Usage(format!("`EDITOR={editor}` cannot be read: a quotation mark is not closed")))
}

async fn open(editor: &[String], file: &Path) -> anyhow::Result<ExitStatus> {
    let [program, arguments @ ..] = editor else { bail!("no editor is set") };
    let mut command = tokio::process::Command::new(program);
    command
        .args(arguments)
        .arg(file)
        .status()
        .await
        .with_context(|| format!("cannot open the editor `{program}`: set `EDITOR` to another one"))
}

/// A new folder that nobody else may look into.
fn folder() -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("cms-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Writes a file that nobody else may read.
fn write_new(file: &Path, text: &str) -> anyhow::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file).and_then(|mut opened| opened.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write `{}`", file.display()))
}

/// The file with remarks at the head of its front matter, in place of those that are there.
fn remarked(text: &str, problem: &str) -> String {
    let remarks: String = problem.lines().flat_map(|line| [REMARK, line, "\n"]).collect();
    let rest = text.strip_prefix(FENCE).and_then(|rest| rest.strip_prefix('\n'));
    match rest {
        Some(rest) => {
            let rest: String = rest.split_inclusive('\n').skip_while(|line| line.starts_with(REMARK)).collect();
            format!("{FENCE}\n{remarks}{rest}")
        }
        None => format!("{FENCE}\n{remarks}{text}"),
    }
}

impl Page {
    async fn read(place: &mut Place, entry: &Which) -> anyhow::Result<Self> {
        let model = place.ask("schema.get_collection", json!({ "slug": entry.collection })).await?;
        let found = place.ask("content.get", entry.with(json!({ "format": "markdown" }))).await?;
        Self::of(&model, &found)
    }

    fn of(model: &Value, found: &Value) -> anyhow::Result<Self> {
        let item = &found["item"];
        let fields: Vec<_> = model["item"]["fields"].as_array().into_iter().flatten().collect();
        let rich = fields.iter().find(|field| field["type"] == "portableText").map(|field| text(field, "slug").to_owned());
        let mut front = Map::from_iter([(REV.to_owned(), found[REV].clone()), (SLUG.to_owned(), item["slug"].clone())]);
        for field in fields {
            let name = text(field, "slug");
            if Some(name) != rich.as_deref() {
                front.insert(name.to_owned(), item["data"][name].clone());
            }
        }
        let body = rich.as_deref().map(|name| text(&item["data"], name)).unwrap_or_default();
        let text = written(&front, body)?;
        Ok(Self { id: self::text(item, "id").to_owned(), body: rich, text })
    }

    /// Stores what is different in an edited file. None when nothing is.
    async fn store(&self, place: &mut Place, entry: &Which, edited: &str) -> anyhow::Result<Option<Value>> {
        let change = self.change(edited)?;
        let Some(change) = change else { return Ok(None) };
        let Value::Object(mut input) = entry.with(json!({ "id": self.id, "format": "markdown" })) else { return Ok(None) };
        input.retain(|name, value| !value.is_null() && name != "locale");
        input.extend(change);
        place.call("content.update", input).await.map(Some)
    }

    /// What an edited file changes. Lines that were taken out change nothing; a field is emptied by `null`.
    fn change(&self, edited: &str) -> anyhow::Result<Option<Map<String, Value>>> {
        let (before, after) = (said(&self.text)?, said(edited)?);
        let Some(rev) = after.values.get(REV).filter(|rev| rev.is_string()) else {
            bail!("the line `{REV}` is missing: it says which state of the entry was edited, so that nobody's changes are overwritten");
        };
        let mut data = Map::new();
        for (name, value) in &after.values {
            let Some(known) = before.values.get(name) else { bail!("`{name}` is no field of the collection") };
            if name != REV && name != SLUG && known != value {
                data.insert(name.clone(), value.clone());
            }
        }
        if before.body != after.body {
            match &self.body {
                Some(field) => data.insert(field.clone(), after.body.clone().into()),
                None => bail!("the collection has no field for the text below the front matter"),
            };
        }
        let slug = after.values.get(SLUG).filter(|slug| before.values.get(SLUG) != Some(*slug));
        if data.is_empty() && slug.is_none() {
            return Ok(None);
        }
        let mut change = Map::from_iter([(REV.to_owned(), rev.clone()), ("data".to_owned(), Value::Object(data))]);
        change.extend(slug.map(|slug| (SLUG.to_owned(), slug.clone())));
        Ok(Some(change))
    }
}

fn written(front: &Map<String, Value>, body: &str) -> anyhow::Result<String> {
    let front = serde_saphyr::to_string(front).context("cannot write the front matter")?;
    // What ends with line ends says so by having them.
    let end = if front.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{FENCE}\n{front}{end}{FENCE}\n\n{body}"))
}

/// Reads a file.
fn said(file: &str) -> anyhow::Result<Said> {
    let file = file.replace("\r\n", "\n");
    let enclosed = file.strip_prefix("---\n").and_then(|rest| {
        let end = if rest.starts_with("---\n") {
            0
        } else {
            rest.find("\n---\n").map(|at| at + 1).or_else(|| rest.strip_suffix("\n---").map(|front| front.len() + 1))?
        };
        Some((&rest[..end], rest[end..].strip_prefix("---\n").unwrap_or_default()))
    });
    let Some((front, body)) = enclosed else {
        bail!("the front matter is missing: the file begins with a line `{FENCE}`, and another one stands below the values");
    };
    let values = serde_saphyr::from_str(front).map_err(|error| anyhow::anyhow!("the front matter cannot be read: {error}"))?;
    let body = body.strip_prefix('\n').unwrap_or(body);
    // Editors end the last line, whether it was ended before or not.
    Ok(Said { values, body: body.trim_end_matches('\n').to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(data: Value) -> Page {
        let field = |slug: &str, kind: &str| json!({ "slug": slug, "type": kind });
        let fields = [field("title", "string"), field("count", "integer"), field("body", "portableText"), field("note", "portableText")];
        let model = json!({ "item": { "fields": fields } });
        Page::of(&model, &json!({ "item": { "id": "1", "slug": "essay", "data": data }, "_rev": "r" })).unwrap()
    }

    #[test]
    fn whatever_the_values_are_a_file_that_nobody_changed_changes_nothing() {
        let texts = [
            "",
            "no",
            "1",
            "1.0",
            "null",
            "~",
            "a: b",
            "# x",
            "- x",
            "---",
            "x\n---\ny",
            " a ",
            "a\n\n",
            "\tx",
            "'\"",
            "2027-01-31",
            "é\u{85}",
            "\\n",
            "%",
            "@",
            "{a",
            "a\n b\n  c\n",
            "\u{feff}",
            "yes\n",
        ];
        for text in texts {
            let page = page(json!({ "title": text, "count": 7, "body": "# Body\n", "note": format!("{text}\nmore\n") }));
            let read = said(&page.text).unwrap();
            assert_eq!(read.values["title"], text, "{}", page.text);
            assert_eq!(read.values["note"], format!("{text}\nmore\n"), "{}", page.text);
            assert_eq!(page.change(&page.text).unwrap(), None, "{}", page.text);
        }
    }

    #[test]
    fn what_was_changed_is_sent_and_nothing_else() {
        let page = page(json!({ "title": "Essay", "count": 7, "body": "First.\n\nSecond.\n" }));
        let edited = page.text.replace("Essay", "Letter").replace("count: 7\n", "").replace("Second", "Last");
        let change = page.change(&edited).unwrap().unwrap();
        assert_eq!(Value::Object(change), json!({ "_rev": "r", "data": { "title": "Letter", "body": "First.\n\nLast." } }));
        let emptied = page.change(&page.text.replace("slug: essay", "slug: null").replace("count: 7", "count: null")).unwrap().unwrap();
        assert_eq!(Value::Object(emptied), json!({ "_rev": "r", "data": { "count": null }, "slug": null }));
    }

    #[test]
    fn a_file_that_cannot_be_read_says_why() {
        let page = page(json!({ "title": "Essay" }));
        for (file, problem) in [
            ("no front matter", "the front matter is missing"),
            ("---\ntitle: [\n---\n", "the front matter cannot be read"),
            ("---\ntitle: A\n---\n", "`_rev` is missing"),
            ("---\n_rev: r\ntitel: A\n---\n", "`titel` is no field"),
        ] {
            let error = page.change(file).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn remarks_stand_at_the_head_and_are_replaced() {
        let once = remarked("---\ntitle: A\n---\n\nx", "wrong\nindeed");
        assert_eq!(once, "---\n#! wrong\n#! indeed\ntitle: A\n---\n\nx");
        assert_eq!(remarked(&once, "still"), "---\n#! still\ntitle: A\n---\n\nx");
        assert_eq!(said(&once).unwrap(), said("---\ntitle: A\n---\n\nx").unwrap());
    }
}
