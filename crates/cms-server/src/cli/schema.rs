//! `cms schema`: the model as a file that is kept beside a site's code, compared with what a site has, and brought to it.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::{
    App, Usage,
    login::SignedIn,
    place::{self, Place, Remote},
};
use crate::output::changed;

#[derive(Debug, Args)]
pub(super) struct Schemas {
    #[command(subcommand)]
    command: Schema,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Debug, Subcommand)]
enum Schema {
    /// Print the collections and their fields, to be kept in a file.
    Export {
        /// Where to write them; the standard output without.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Show what would change for the collections to be those of a file or of another server.
    Diff {
        #[command(flatten)]
        wanted: Wanted,
        /// Exit with 1 if anything would change.
        #[arg(long)]
        check: bool,
    },
    /// Change the collections to be those of a file or of another server: all of them, or nothing.
    Apply {
        #[command(flatten)]
        wanted: Wanted,
        /// Delete this collection (`posts`) or field (`posts.body`) though entries have something in it. May be repeated.
        #[arg(long, value_name = "NAME")]
        lose: Vec<String>,
        /// Apply the plan without asking.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
struct Wanted {
    /// A file that `cms schema export` wrote, `-` for the standard input, or the address of a server that you are signed in to.
    model: String,
    /// Keep the collections that the model leaves out. Without this they are deleted.
    #[arg(long)]
    partial: bool,
    /// Say that a field has another name in the model, and keeps its values: `posts.title=headline`. May be repeated.
    #[arg(long, value_name = "FIELD=NAME", value_parser = renamed)]
    rename: Vec<(String, String)>,
    /// Convert the values of this field that are none of the type that the model gives it, such as `posts.price`. What says nothing in that type is kept, and comes
    /// back with the former type. May be repeated.
    #[arg(long, value_name = "FIELD")]
    convert: Vec<String>,
}

/// A field as `posts.title`, and the name that it gets.
fn renamed(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').filter(|(field, name)| field.contains('.') && !name.is_empty());
    let (field, name) = parts.ok_or("expected the field as it is called now, and its name in the model: `posts.title=headline`")?;
    Ok((field.to_owned(), name.to_owned()))
}

pub(super) async fn run(app: &App, command: Schemas) -> anyhow::Result<ExitCode> {
    let mut place = Place::open(app, command.remote).await?;
    let code = answer(app, &mut place, command.command).await;
    place.close(app).await;
    code
}

async fn answer(app: &App, place: &mut Place, command: Schema) -> anyhow::Result<ExitCode> {
    match command {
        Schema::Export { output } => {
            let model = place.call("schema.export", Map::new()).await?;
            let text = format!("{}\n", serde_json::to_string_pretty(&model)?);
            match output {
                Some(path) => std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?,
                None => app.out.text(&text)?,
            }
            Ok(ExitCode::SUCCESS)
        }
        Schema::Diff { wanted, check } => {
            let input = wanted.read(app).await?;
            let plan = place.call("schema.plan", input).await?;
            app.out.answer(&plan, || told(&plan))?;
            Ok(if check && differs(&plan) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
        }
        Schema::Apply { wanted, mut lose, yes } => {
            let mut input = wanted.read(app).await?;
            let plan = place.call("schema.plan", input.clone()).await?;
            if !differs(&plan) {
                return Ok(app.out.answer(&plan, || told(&plan)).map(|()| ExitCode::SUCCESS)?);
            }
            if !yes {
                app.out.remark(&told(&plan));
                ask(&plan, &mut lose)?;
            }
            input.insert("version".to_owned(), plan["version"].clone());
            input.insert("lose".to_owned(), json!(lose));
            let done = place.call("schema.apply", input).await?;
            app.out.answer(&done, || if yes { told(&done) } else { "done".to_owned() })?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

impl Wanted {
    /// What operations are told of the model that is wanted.
    async fn read(&self, app: &App) -> anyhow::Result<Map<String, Value>> {
        let name = &self.model;
        let model = if name.starts_with("https://") || name.starts_with("http://") {
            let export = place::find(&cms_core::built_in(), "schema.export")?;
            SignedIn::at(app, Some(name)).await?.call(&export, &Map::new()).await?
        } else {
            let text = if name == "-" {
                io::read_to_string(io::stdin()).context("cannot read the standard input")?
            } else {
                std::fs::read_to_string(name).with_context(|| format!("cannot read `{name}`"))?
            };
            cms_domain::json::parse(text.as_bytes()).map_err(|error| Usage(format!("`{name}` cannot be read as JSON: {error}")))?
        };
        let Value::Object(mut model) = model else { return Err(no_model(name).into()) };
        let collections = model.shift_remove("collections").filter(Value::is_array).ok_or_else(|| no_model(name))?;
        // What version it was where it is from says nothing here.
        model.shift_remove("version");
        if let Some(unknown) = model.keys().next() {
            return Err(Usage(format!("`{name}` has `{unknown}`, which this version of the program does not know")).into());
        }
        let renames: Map<_, _> = self.rename.iter().map(|(field, name)| (field.clone(), json!(name))).collect();
        let (partial, convert) = (json!(self.partial), json!(self.convert));
        let members = [("collections", collections), ("partial", partial), ("renames", json!(renames)), ("convert", convert)];
        Ok(members.map(|(member, value)| (member.to_owned(), value)).into_iter().collect())
    }
}

fn no_model(name: &str) -> Usage {
    Usage(format!("`{name}` is no model: expected an object with `collections`, as `cms schema export` writes it"))
}

fn steps(plan: &Value) -> &[Value] {
    plan["steps"].as_array().map_or(&[], Vec::as_slice)
}

fn differs(plan: &Value) -> bool {
    !steps(plan).is_empty()
}

/// Asks whoever is there whether the plan is what they want, and has them type what would be lost.
fn ask(plan: &Value, lose: &mut Vec<String>) -> anyhow::Result<()> {
    if !io::stdin().is_terminal() {
        return Err(Usage(
            "there is no terminal to ask at: look at the plan with `cms schema diff`, then add `--yes` to apply it".to_owned(),
        )
        .into());
    }
    let lost = steps(plan).iter().filter(|step| !step["loses"].is_null()).filter_map(|step| step["name"].as_str());
    for name in lost.filter(|name| !lose.iter().any(|named| named == name)).collect::<Vec<_>>() {
        let typed = prompt(&format!("Type {name} to confirm that it is deleted: "))?;
        anyhow::ensure!(typed == name, "nothing was changed");
        lose.push(typed);
    }
    let typed = prompt("Change the model? [y/N] ")?.to_lowercase();
    anyhow::ensure!(matches!(typed.as_str(), "y" | "yes"), "nothing was changed");
    Ok(())
}

fn prompt(question: &str) -> io::Result<String> {
    eprint!("{question}");
    io::stderr().flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// A plan for people: a line for each step, and one below it for each member that changes.
fn told(plan: &Value) -> String {
    let mut lines = Vec::new();
    for step in steps(plan) {
        let name = step["name"].as_str().unwrap_or_default();
        let (sign, what) = match step["action"].as_str().unwrap_or_default() {
            "create_collection" => ('+', "a new collection, with its fields"),
            "create_field" => ('+', "a new field"),
            "delete_collection" | "delete_field" => ('-', "deleted"),
            _ => ('~', ""),
        };
        let lost = step["loses"].as_i64().map(|entries| format!("; {} may lose what is in it", counted(entries))).unwrap_or_default();
        lines.push(format!("{sign} {name}  {what}{lost}").trim_end().to_owned());
        for change in step["changes"].as_array().into_iter().flatten() {
            let member = change["member"].as_str().unwrap_or_default();
            lines.push(format!("    {}", changed(member, &change["from"], &change["to"])));
        }
    }
    lines.extend(perhaps_renamed(steps(plan)));
    if lines.is_empty() { "The model is the same.".to_owned() } else { lines.join("\n") }
}

/// What to do where a field that goes may be one that comes, under another name.
fn perhaps_renamed(steps: &[Value]) -> Option<String> {
    let fields = |action: &'static str| {
        let steps = steps.iter().filter(move |step| step["action"] == action);
        steps.filter_map(|step| step["name"].as_str()?.split_once('.'))
    };
    let (collection, gone) = fields("delete_field").find(|(collection, _)| fields("create_field").any(|(of, _)| of == *collection))?;
    let (_, new) = fields("create_field").find(|(of, _)| *of == collection)?;
    Some(format!("If a field only has another name, say so, and its values stay: --rename {collection}.{gone}={new}"))
}

fn counted(entries: i64) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_is_made_changed_and_lost() {
        let step = |action: &str, name: &str, changes: Value, loses: Value| json!({ "action": action, "name": name, "changes": changes, "loses": loses });
        let required = json!([{ "member": "required", "from": false, "to": true }]);
        let plan = json!({ "steps": [
            step("create_collection", "pages", json!([]), Value::Null),
            step("update_field", "posts.title", required, Value::Null),
            step("delete_field", "posts.body", json!([]), json!(12)),
        ] });
        let lines = "+ pages  a new collection, with its fields\n~ posts.title\n    required: false → true\n\
                     - posts.body  deleted; 12 entries may lose what is in it";
        assert_eq!(told(&plan), lines);
        assert_eq!(told(&json!({ "steps": [] })), "The model is the same.");
        let renames = json!([{ "member": "slug", "from": "title", "to": "headline" }]);
        let renamed = json!({ "steps": [step("rename_field", "posts.title", renames, Value::Null)] });
        assert_eq!(told(&renamed), "~ posts.title\n    slug: \"title\" → \"headline\"");
    }

    #[test]
    fn whoever_deletes_one_field_and_makes_another_is_told_how_to_rename() {
        let step = |action: &str, name: &str| json!({ "action": action, "name": name, "changes": [], "loses": null });
        let told = |steps: Value| told(&json!({ "steps": steps }));
        let plan = told(json!([step("create_field", "posts.headline"), step("delete_field", "posts.title")]));
        assert!(plan.ends_with("say so, and its values stay: --rename posts.title=headline"), "{plan}");
        let elsewhere = told(json!([step("create_field", "pages.headline"), step("delete_field", "posts.title")]));
        assert!(!elsewhere.contains("--rename"), "{elsewhere}");
    }
}
