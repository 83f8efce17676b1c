//! `cms content`: entries, one by one. All of it is operations of the catalog, here or at another server.

use std::process::ExitCode;

use clap::{Args, Subcommand, builder::PossibleValuesParser};
use cms_domain::{entry::Status, time::Timestamp};
use serde_json::{Value, json};

use super::{
    App,
    edit::{self, Edit},
    place::{self, Place, Remote},
};
use crate::output::{changed, items, short, table, text};

#[derive(Debug, Args)]
pub(super) struct Entries {
    #[command(subcommand)]
    command: Content,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Debug, Subcommand)]
enum Content {
    /// List the entries of a collection, the newest first.
    List {
        /// The collection.
        collection: String,
        /// Only entries that stand so.
        #[arg(long, value_parser = PossibleValuesParser::new(Status::ALL.map(Status::name)))]
        status: Option<String>,
        /// Only entries of this language.
        #[arg(long)]
        locale: Option<String>,
        /// The most that are listed.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u8).range(1..=100))]
        limit: u8,
        /// Where to go on, as the page before said.
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Show an entry.
    Get {
        #[command(flatten)]
        entry: Which,
        /// How rich text is shown.
        #[arg(long, value_parser = PossibleValuesParser::new(["json", "markdown"]))]
        format: Option<String>,
    },
    /// Edit an entry as a file, in the editor that `VISUAL` or `EDITOR` names: Markdown below the other fields.
    Edit(Edit),
    /// Create an entry.
    Create {
        /// The collection.
        collection: String,
        /// The values of its fields, a JSON object; `-` reads it from the standard input.
        #[arg(long)]
        data: String,
        /// Last part of its address; made from the title without.
        #[arg(long)]
        slug: Option<String>,
        /// Its language.
        #[arg(long)]
        locale: Option<String>,
        /// Publish it at once.
        #[arg(long)]
        publish: bool,
    },
    /// Change some fields of an entry. What somebody else changes in the meantime is not overwritten.
    Update {
        #[command(flatten)]
        entry: Which,
        /// The fields that change, a JSON object; null empties one. `-` reads it from the standard input.
        #[arg(long)]
        data: String,
    },
    /// Show what publishing an entry would change.
    Diff(Which),
    /// Publish an entry, or what was changed in it.
    Publish(Which),
    /// Take an entry off the site.
    Unpublish(Which),
    /// Publish an entry at a later time.
    Schedule {
        #[command(flatten)]
        entry: Which,
        /// When, as in `2027-01-31T09:00:00+01:00`.
        at: Timestamp,
    },
    /// Call off what is scheduled.
    Unschedule(Which),
    /// Move an entry to the trash.
    Trash(Which),
    /// Take an entry out of the trash.
    Restore(Which),
}

#[derive(Debug, Args)]
pub(super) struct Which {
    /// The collection.
    pub(super) collection: String,
    /// Id or slug of the entry.
    pub(super) entry: String,
    /// The language in which the slug is looked up.
    #[arg(long)]
    locale: Option<String>,
}

impl Which {
    /// What operations are told of it, with more.
    pub(super) fn with(&self, more: Value) -> Value {
        let mut input = json!({ "collection": self.collection, "id": self.entry, "locale": self.locale });
        if let (Value::Object(input), Value::Object(more)) = (&mut input, more) {
            input.extend(more);
        }
        input
    }

    fn alone(&self) -> Value {
        self.with(Value::Null)
    }
}

pub(super) async fn run(app: &App, command: Entries) -> anyhow::Result<ExitCode> {
    let mut place = Place::open(app, command.remote).await?;
    let answered = answer(app, &mut place, command.command).await;
    place.close(app).await;
    answered.map(|()| ExitCode::SUCCESS)
}

async fn answer(app: &App, place: &mut Place, command: Content) -> anyhow::Result<()> {
    let (entry, operation, input) = match &command {
        Content::List { collection, status, locale, limit, cursor } => {
            let input = json!({ "collection": collection, "status": status, "locale": locale, "limit": limit, "cursor": cursor });
            let page = place.ask("content.list", input).await?;
            app.out.answer(&page, || listed(&page))?;
            if let Some(next) = page["nextCursor"].as_str() {
                app.out.remark(&format!("There are more: --cursor {next}"));
            }
            return Ok(());
        }
        Content::Create { collection, data, slug, locale, publish } => {
            let status = publish.then_some("published");
            let input = json!({ "collection": collection, "data": place::object("--data", data)?, "slug": slug, "locale": locale, "status": status });
            let made = place.ask("content.create", input).await?;
            return Ok(app.out.answer(&made, || shown(&made["item"]))?);
        }
        Content::Get { entry, format } => {
            let found = place.ask("content.get", entry.with(json!({ "format": format }))).await?;
            return Ok(app.out.answer(&found, || shown(&found["item"]))?);
        }
        Content::Edit(edit) => return edit::run(app, place, edit).await,
        Content::Diff(entry) => {
            let compared = place.ask("content.compare", entry.alone()).await?;
            return Ok(app.out.answer(&compared, || told(&compared))?);
        }
        Content::Update { entry, data } => {
            let found = place.ask("content.get", entry.alone()).await?;
            // What is told by the id is told of the entry that was looked at, whatever its slug is by now.
            let input = json!({ "id": found["item"]["id"], "locale": null, "data": place::object("--data", data)?, "_rev": found["_rev"] });
            (entry, "content.update", entry.with(input))
        }
        Content::Schedule { entry, at } => (entry, "content.schedule", entry.with(json!({ "scheduledAt": at }))),
        Content::Publish(entry) => (entry, "content.publish", entry.alone()),
        Content::Unpublish(entry) => (entry, "content.unpublish", entry.alone()),
        Content::Unschedule(entry) => (entry, "content.unschedule", entry.alone()),
        Content::Trash(entry) => (entry, "content.delete", entry.alone()),
        Content::Restore(entry) => (entry, "content.restore", entry.alone()),
    };
    let done = place.ask(operation, input).await?;
    let stands = || match done["item"]["status"].as_str() {
        Some(status) => format!("{} is {status}{}", entry.entry, staged(&done["item"])),
        None => format!("{} is in the trash", entry.entry),
    };
    Ok(app.out.answer(&done, stands)?)
}

/// What people know an entry by.
fn title(item: &Value) -> String {
    let named = ["title", "name"].into_iter().find_map(|name| item["data"][name].as_str());
    short(named.or_else(|| item["slug"].as_str()).unwrap_or_default())
}

/// What else there is to say of how an entry stands.
fn staged(item: &Value) -> String {
    let planned = item["scheduledAt"].as_str().map(|at| format!(", to be published at {at}")).unwrap_or_default();
    let changed = if item["hasDraft"] == true { ", with changes that are not published" } else { "" };
    format!("{planned}{changed}")
}

fn listed(page: &Value) -> String {
    let row = |item: &Value| {
        let status = if item["hasDraft"] == true { format!("{}, changed", text(item, "status")) } else { text(item, "status").to_owned() };
        vec![title(item), status, text(item, "locale").to_owned(), text(item, "updatedAt").to_owned(), text(item, "id").to_owned()]
    };
    let items = items(page);
    if items.is_empty() {
        return "There are no such entries.".to_owned();
    }
    table(&["TITLE", "STATUS", "LOCALE", "CHANGED", "ID"], &items.iter().map(row).collect::<Vec<_>>())
}

fn shown(item: &Value) -> String {
    let rows = [
        ("id", text(item, "id").to_owned()),
        ("slug", text(item, "slug").to_owned()),
        ("status", format!("{}{}", text(item, "status"), staged(item))),
        ("locale", text(item, "locale").to_owned()),
        ("created", text(item, "createdAt").to_owned()),
        ("changed", text(item, "updatedAt").to_owned()),
        ("published", text(item, "publishedAt").to_owned()),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{name:<10} {value}"));
    let data = serde_json::to_string_pretty(&item["data"]).unwrap_or_default();
    rows.chain([data]).collect::<Vec<_>>().join("\n")
}

/// What publishing changes, a line for each value.
fn told(compared: &Value) -> String {
    if compared["live"].is_null() {
        return "Nothing of it is published yet: publishing makes all of it public.".to_owned();
    }
    let differences = compared["changes"].as_array().map_or(&[][..], Vec::as_slice);
    if differences.is_empty() {
        return "What is published is the newest.".to_owned();
    }
    let line = |difference: &Value| changed(text(difference, "path"), &difference["live"], &difference["draft"]);
    let mut lines: Vec<_> = differences.iter().map(line).collect();
    for along in compared["translations"].as_array().into_iter().flatten() {
        let fields: Vec<_> = along["fields"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        lines.push(format!("the translation `{}` changes along: {}", text(along, "locale"), fields.join(", ")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_told_in_rows_and_say_when_they_were_changed_since() {
        let item = |title: &str, has_draft: bool| json!({ "id": "1", "data": { "title": title }, "status": "published", "locale": "en", "hasDraft": has_draft, "updatedAt": "2027-01-01T00:00:00.000Z" });
        let told = listed(&json!({ "items": [item("Essay", false), item(&"x".repeat(70), true)] }));
        let rows: Vec<_> = told.lines().collect();
        assert!(rows[1].starts_with("Essay  ") && rows[1].contains("published  "), "{told}");
        assert!(rows[2].starts_with(&format!("{}…  published, changed  en", "x".repeat(60))), "{told}");
        assert_eq!(listed(&json!({ "items": [] })), "There are no such entries.");
    }

    #[test]
    fn what_publishing_changes_is_told_value_by_value() {
        let compared = json!({
            "live": {}, "changes": [{ "path": "data.title", "kind": "changed", "live": "A", "draft": "B" }],
            "translations": [{ "locale": "de", "fields": ["brand"] }],
        });
        assert_eq!(told(&compared), "data.title: \"A\" → \"B\"\nthe translation `de` changes along: brand");
        assert_eq!(told(&json!({ "live": {}, "changes": [] })), "What is published is the newest.");
        assert!(told(&json!({ "live": null })).starts_with("Nothing of it is published yet"));
    }
}
