//! The built binary at the command line: what goes to which output, and the exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

/// A folder that commands run in, on a database of its own.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cms"));
        command.current_dir(self.path()).args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The standard output of a command that must succeed.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// A site with an admin and the collection `posts`.
    fn site() -> Self {
        let home = Self::new();
        home.ok(&["admin", "create", "--email", "ada@example.org"]);
        home.ok(&["call", "schema.create_collection", "--input", r#"{"slug":"posts","label":"Posts"}"#]);
        let title = r#"{"collection":"posts","slug":"title","label":"Title","type":"string"}"#;
        home.ok(&["call", "schema.create_field", "--input", title]);
        home
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_new_token_is_all_there_is_on_the_standard_output() {
    let home = Home::site();
    let token = home.ok(&["token", "create", "--user", "ada@example.org", "--name", "ci", "--scope", "content:read,content:write"]);
    assert!(token.starts_with("cms_pat_") && token.trim_end().len() == 51 && token.lines().count() == 1, "{token}");
    let listed = home.json(&["token", "list", "--user", "ada@example.org"]);
    assert_eq!(listed["items"][0]["scopes"], json!(["content:read", "content:write"]));
    home.ok(&["token", "revoke", listed["items"][0]["id"].as_str().unwrap()]);
    assert_eq!(home.json(&["token", "list", "--user", "ada@example.org"]), json!({ "items": [] }));
}

#[test]
fn an_admin_who_cannot_sign_in_is_let_in_by_a_link_alone_on_the_standard_output() {
    let home = Home::site();
    home.ok(&["--set", "server.public_origin=https://cms.example.org", "admin", "recover", "--email", "Ada@Example.org"]);
    let link = home.ok(&["--set", "server.public_origin=https://cms.example.org", "admin", "recover", "--email", "ada@example.org"]);
    let token = link.trim_end().strip_prefix("https://cms.example.org/_cms/admin/magic-link#token=").unwrap();
    assert_eq!((token.len(), link.lines().count()), (43, 1), "{link}");
    let told = home.json(&["admin", "recover", "--email", "ada@example.org"]);
    assert_eq!((&told["user"]["role"], told["url"].is_string(), told["expiresAt"].is_string()), (&json!(50), true, true));
    let elsewhere = home.run(&["--set", "server.listen=127.0.0.1:9321", "admin", "recover", "--email", "ada@example.org"]);
    assert!(text(&elsewhere.stdout).starts_with("http://localhost:9321/_cms/admin/magic-link#token="), "{}", text(&elsewhere.stdout));
    assert!(text(&elsewhere.stderr).contains("if yours printed another address when it started"), "{}", text(&elsewhere.stderr));
    let output = home.run(&["admin", "recover", "--email", "nobody@example.org"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("[NOT_FOUND]"), "{}", text(&output.stderr));
}

#[test]
fn a_wrong_command_line_or_configuration_exits_with_2() {
    let home = Home::new();
    for arguments in [
        &["fly"][..],
        &["token", "create", "--user", "not an address"],
        &["call", "content.fly"],
        &["call", "content.list", "--input", "["],
        &["--set", "server.listn=a", "config"],
        &["--set", "server.listen", "config"],
        &["--set", "server.listen=abc", "config"],
        &["serve", "--listen", "abc"],
        &["user", "role", "ada@example.org", "boss"],
        &["import", "ndjson", "in.ndjson", "--dry-run", "--resume"],
        &["--config", "nowhere.toml", "config"],
        &["--database", "mysql://a", "config"],
    ] {
        assert_eq!(home.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_failure_exits_with_1_and_says_why_in_json_when_asked() {
    let home = Home::site();
    let output = home.run(&["call", "content.list", "--input", r#"{"collection":"nowhere","x":1}"#, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let error: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&error["error"]["code"], &error["error"]["details"]["issues"][0]["path"]), (&json!("VALIDATION_ERROR"), &json!("x")));
    let output = home.run(&["admin", "create", "--email", "ada@example.org"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("[EMAIL_IN_USE]"), "{}", text(&output.stderr));
}

#[test]
fn settings_are_shown_with_where_they_came_from_and_without_the_password() {
    let home = Home::new();
    std::fs::write(home.path().join("cms.toml"), "[server]\nlisten = \"127.0.0.1:9\"\n").unwrap();
    let output = home
        .command(&["config", "--json", "--set", "api.public_read=true"])
        .env("CMS_DATABASE_URL", "postgres://cms:s3cret@db/cms")
        .output()
        .unwrap();
    assert!(!text(&output.stdout).contains("s3cret"));
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let setting = |key: &str| shown["items"].as_array().unwrap().iter().find(|item| item["key"] == key).unwrap().clone();
    assert_eq!(setting("server.listen"), json!({ "key": "server.listen", "value": "127.0.0.1:9", "source": "file cms.toml" }));
    assert_eq!(setting("database.url")["value"], "postgres://cms:***@db/cms");
    assert_eq!(setting("database.url")["source"], "environment CMS_DATABASE_URL");
    assert_eq!(setting("api.public_read"), json!({ "key": "api.public_read", "value": true, "source": "flag --set" }));
}

#[test]
fn a_command_that_only_looks_makes_no_database() {
    let home = Home::new();
    for arguments in [&["doctor"][..], &["backup", "b.tar.gz"], &["export", "ndjson"], &["migrate", "status"]] {
        assert_eq!(home.run(arguments).status.code(), Some(1), "{arguments:?}");
    }
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn tables_are_left_alone_when_the_operator_keeps_them() {
    let home = Home::new();
    let manual = ["--set", "database.migrate=manual"];
    let output = home.run(&[&manual[..], &["admin", "create", "--email", "ada@example.org"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cms migrate up"), "{}", text(&output.stderr));
    home.ok(&["migrate", "up"]);
    home.ok(&[&manual[..], &["admin", "create", "--email", "ada@example.org"]].concat());
    assert!(home.json(&["migrate", "status"])["items"].as_array().unwrap().iter().all(|migration| migration["applied"] == true));
}

#[test]
fn an_import_with_bad_lines_exits_with_1_and_tells_programs_of_each() {
    let home = Home::site();
    std::fs::write(home.path().join("in.ndjson"), "{\"collection\":\"posts\",\"data\":{\"title\":\"A\"}}\n{\"tags\":[]}\n").unwrap();
    let output = home.run(&["import", "ndjson", "in.ndjson", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&told[0]["refused"]["line"], &told[1]["summary"]["imported"], &told[1]["summary"]["failed"]),
        (&json!(2), &json!(1), &json!(1))
    );
}

#[test]
fn people_are_told_twenty_bad_lines_and_how_many_more_there_are() {
    let home = Home::site();
    std::fs::write(home.path().join("in.ndjson"), "{\"collection\":\"posts\",\"data\":{\"a\":1,\"b\":2}}\n".repeat(23)).unwrap();
    let output = home.run(&["import", "ndjson", "in.ndjson"]);
    let told = text(&output.stderr);
    let lines: Vec<_> = told.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!((lines.len(), told.contains("and 3 more"), told.contains("details.issues")), (20, true, false), "{told}");
    assert_eq!(text(&home.run(&["import", "ndjson", "in.ndjson", "--json"]).stdout).lines().count(), 24);
    let missing = text(&home.run(&["import", "ndjson", "nowhere.ndjson"]).stderr);
    assert_eq!(missing.matches("No such file").count(), 1, "{missing}");
}

#[test]
fn a_dry_run_says_what_an_import_would_do_and_writes_nothing() {
    let home = Home::site();
    home.ok(&["call", "content.create", "--input", r#"{"collection":"posts","slug":"a","data":{"title":"A"}}"#]);
    let lines = [
        r#"{"collection":"posts","slug":"a","data":{"title":"B"}}"#,
        r#"{"collection":"posts","slug":"c","data":{"title":"C"}}"#,
        r#"{"collection":"posts","slug":"d","translationOf":"nowhere","data":{}}"#,
        r#"{"collection":"posts","data":{"titel":"E"}}"#,
    ];
    std::fs::write(home.path().join("in.ndjson"), lines.join("\n")).unwrap();
    let before = home.ok(&["export", "ndjson"]);
    let output = home.run(&["import", "ndjson", "in.ndjson", "--dry-run", "--on-conflict", "update", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let told: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told[0]["refused"]["line"], 4);
    assert_eq!(told[1], json!({ "summary": { "imported": 1, "updated": 1, "skipped": 0, "failed": 1, "waiting": 1 }, "dryRun": true }));
    assert_eq!(home.ok(&["export", "ndjson"]), before);
    assert!(!home.path().join("in.ndjson.cms-import").exists());
    std::fs::write(home.path().join("in.ndjson"), lines[1]).unwrap();
    assert!(home.ok(&["import", "ndjson", "in.ndjson", "--dry-run"]).contains("1 would be imported"));
    // What was only tried is not in the way of doing it.
    assert_eq!(home.json(&["import", "ndjson", "in.ndjson"])["summary"]["imported"], 1);
    assert_eq!(Home::new().run(&["import", "ndjson", "in.ndjson", "--dry-run"]).status.code(), Some(1));
}

#[test]
fn an_operation_is_explained_and_a_name_that_is_almost_right_is_understood() {
    let home = Home::new();
    let schema: Value = serde_json::from_str(&home.ok(&["call", "content.get", "--schema"])).unwrap();
    assert_eq!(schema["input"]["required"], json!(["collection", "id"]));
    assert!(schema["output"]["properties"]["item"].is_object());
    for (arguments, meant) in [
        (&["call", "content.lst"][..], "content.list"),
        (&["call", "contnt.list", "--schema"], "content.list"),
        (&["imprt"], "import"),
        (&["--set", "server.listn=a:1", "config"], "server.listen"),
    ] {
        let told = text(&home.run(arguments).stderr);
        assert!(told.contains(meant), "{arguments:?}: {told}");
    }
    let told = text(&home.run(&["--set", "server.listen=abc", "config"]).stderr);
    assert!(told.contains("`server.listen` (flag --set): expected an address and a port"), "{told}");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn every_shell_gets_its_completions_whatever_the_configuration_says() {
    let home = Home::new();
    std::fs::write(home.path().join("cms.toml"), "[nonsense]").unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(home.ok(&["completions", shell]).contains("completions"), "{shell}");
    }
}

#[test]
fn people_are_invited_shown_locked_out_and_let_in_again() {
    let home = Home::site();
    let invited = home.json(&["user", "invite", "bo@example.org", "--role", "editor"]);
    assert_eq!((&invited["invitation"]["role"], invited["inviteUrl"].is_string()), (&json!(40), true));
    assert!(home.ok(&["user", "invite", "bo@example.org"]).starts_with("http"), "the link alone is on the standard output");
    home.ok(&["admin", "create", "--email", "cy@example.org", "--name", "Cy"]);
    let user = |command: &[&str]| home.json(&[&["user"], command].concat());
    let listed = user(&["list"]);
    let emails: Vec<_> = listed["items"].as_array().unwrap().iter().map(|user| user["email"].as_str().unwrap()).collect();
    assert_eq!(emails, ["cy@example.org", "ada@example.org"]);
    assert_eq!(user(&["list", "--search", "CY"])["items"].as_array().unwrap().len(), 1);
    let table = home.ok(&["user", "list", "--role", "admin"]);
    assert!(table.starts_with("EMAIL") && table.lines().count() == 3, "{table}");
    assert_eq!(user(&["role", "cy@example.org", "author"])["item"]["role"], 30);
    user(&["disable", "Cy@example.org"]);
    let id = listed["items"][0]["id"].as_str().unwrap();
    assert_eq!(user(&["show", id])["item"]["disabled"], true);
    assert!(home.ok(&["user", "show", id]).contains("disabled"));
    user(&["enable", "cy@example.org"]);
    assert_eq!(user(&["show", "cy@example.org"])["item"]["disabled"], false);
    let refused = home.run(&["user", "disable", "ada@example.org"]);
    assert!(refused.status.code() == Some(1) && text(&refused.stderr).contains("[LAST_ADMIN]"), "{}", text(&refused.stderr));
    let nobody = home.run(&["user", "show", "dee@example.org"]);
    assert!(nobody.status.code() == Some(1) && text(&nobody.stderr).contains("there is no user"), "{}", text(&nobody.stderr));
}

#[test]
fn an_export_goes_to_the_standard_output_or_whole_into_a_file() {
    let home = Home::site();
    home.ok(&["call", "content.create", "--input", r#"{"collection":"posts","status":"published","data":{"title":"A"}}"#]);
    let exported = home.ok(&["export", "ndjson", "posts"]);
    let line: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!((&line["slug"], &line["data"]), (&json!("a"), &json!({ "title": "A" })));
    home.ok(&["export", "ndjson", "-o", "out.ndjson"]);
    assert_eq!(std::fs::read_to_string(home.path().join("out.ndjson")).unwrap(), exported);
}

#[test]
fn documents_and_input_from_the_standard_input_work_without_a_terminal() {
    let home = Home::site();
    assert_eq!(serde_json::from_str::<Value>(&home.ok(&["openapi"])).unwrap()["openapi"], "3.1.0");
    assert!(serde_json::from_str::<Value>(&home.ok(&["tools"])).unwrap()["tools"].is_array());
    assert!(home.ok(&["errors"]).contains("`NOT_FOUND`"));
    assert!(serde_json::from_str::<Value>(&home.ok(&["config", "--schema"])).unwrap()["properties"]["server"].is_object());
    assert!(home.ok(&["types", "typescript"]).contains("interface Post"));
    let mut child = home.command(&["call", "content.list", "--input", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(br#"{"collection":"posts"}"#).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["items"], json!([]));
}

#[test]
fn doctor_exits_with_0_on_a_sound_database_and_a_backup_is_restored_elsewhere() {
    let home = Home::site();
    assert_eq!(home.json(&["doctor"])["status"], "pass");
    let saved = home.json(&["backup", "b.tar.gz"]);
    let restored = home.json(&["restore", "b.tar.gz", "--database", "sqlite:elsewhere/cms.db"]);
    assert_eq!(saved["tables"], restored["tables"]);
    assert_eq!(home.run(&["restore", "b.tar.gz", "--database", "sqlite:elsewhere/cms.db"]).status.code(), Some(1));
}

#[test]
fn the_model_is_kept_in_a_file_and_brought_to_another_site() {
    let (home, other) = (Home::site(), Home::new());
    let model = home.path().join("model.json");
    let model = model.to_str().unwrap();
    home.ok(&["schema", "export", "--output", model]);
    assert_eq!(home.ok(&["schema", "diff", model, "--check"]), "The model is the same.\n");
    other.ok(&["admin", "create", "--email", "ada@example.org"]);
    assert_eq!(other.ok(&["schema", "diff", model]), "+ posts  a new collection, with its fields\n");
    assert_eq!(other.run(&["schema", "diff", model, "--check"]).status.code(), Some(1));
    let unasked = other.run(&["schema", "apply", model]);
    assert_eq!(unasked.status.code(), Some(2));
    assert!(text(&unasked.stderr).contains("--yes"), "{}", text(&unasked.stderr));
    let done = other.json(&["schema", "apply", model, "--yes"]);
    assert_eq!(done["steps"][0]["name"], "posts");
    assert_eq!(other.ok(&["schema", "export"]), home.ok(&["schema", "export"]));
}

#[test]
fn values_are_deleted_with_a_model_only_where_that_is_said() {
    let home = Home::site();
    home.ok(&["call", "content.create", "--input", r#"{"collection":"posts","data":{"title":"A"}}"#]);
    let model = home.path().join("model.json");
    std::fs::write(&model, r#"{"collections":[{"slug":"posts","label":"Posts"}]}"#).unwrap();
    let model = model.to_str().unwrap();
    let told = home.ok(&["schema", "diff", model]);
    assert_eq!(told, "- posts.title  deleted; 1 entry may lose what is in it\n");
    let refused = home.run(&["schema", "apply", model, "--yes"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("`--lose posts.title`"), "{}", text(&refused.stderr));
    home.ok(&["schema", "apply", model, "--yes", "--lose", "posts.title"]);
    assert_eq!(home.ok(&["schema", "diff", model]), "The model is the same.\n");
}

#[test]
fn a_file_that_is_no_model_changes_nothing_and_says_why() {
    let home = Home::site();
    for (content, code, why) in [
        ("[]", 2, "is no model"),
        ("{", 2, "EOF"),
        (r#"{"collections":[],"plugins":[]}"#, 2, "does not know"),
        (r#"{"collections":[{"slug":"posts","label":"Posts","colour":"red"}]}"#, 1, "collections.0.colour"),
    ] {
        std::fs::write(home.path().join("model.json"), content).unwrap();
        let refused = home.run(&["schema", "apply", "model.json", "--yes"]);
        assert_eq!(refused.status.code(), Some(code), "{content}");
        assert!(text(&refused.stderr).contains(why), "{content}: {}", text(&refused.stderr));
    }
    assert!(home.ok(&["schema", "export"]).contains("\"title\""));
}

#[test]
fn an_entry_is_written_published_changed_and_taken_away() {
    let home = Home::site();
    let made = home.json(&["content", "create", "posts", "--data", r#"{"title":"A"}"#, "--slug", "a"]);
    assert_eq!((&made["item"]["status"], &made["item"]["slug"]), (&json!("draft"), &json!("a")));
    assert!(home.ok(&["content", "diff", "posts", "a"]).starts_with("Nothing of it is published yet"));
    assert_eq!(home.ok(&["content", "publish", "posts", "a"]), "a is published\n");
    let updated = home.ok(&["content", "update", "posts", "a", "--data", r#"{"title":"B"}"#]);
    assert_eq!(updated, "a is published, with changes that are not published\n");
    assert_eq!(home.ok(&["content", "diff", "posts", "a"]), "data.title: \"A\" → \"B\"\n");
    let listed = home.ok(&["content", "list", "posts", "--status", "published"]);
    assert!(listed.contains("published, changed"), "{listed}");
    home.ok(&["content", "publish", "posts", "a"]);
    assert!(home.ok(&["content", "get", "posts", "a"]).contains("\"title\": \"B\""));
    assert_eq!(home.ok(&["content", "unpublish", "posts", "a"]), "a is draft\n");
    assert_eq!(
        home.ok(&["content", "schedule", "posts", "a", "2999-01-01T00:00:00Z"]),
        "a is scheduled, to be published at 2999-01-01T00:00:00.000Z\n"
    );
    assert_eq!(home.ok(&["content", "unschedule", "posts", "a"]), "a is draft\n");
    assert_eq!(home.ok(&["content", "trash", "posts", "a"]), "a is in the trash\n");
    assert_eq!(home.ok(&["content", "list", "posts"]), "There are no such entries.\n");
    let id = made["item"]["id"].as_str().unwrap();
    assert_eq!(home.ok(&["content", "restore", "posts", id]), format!("{id} is draft\n"));
    let mut piped = home
        .command(&["content", "create", "posts", "--data", "-", "--publish", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    piped.stdin.take().unwrap().write_all(br#"{"title":"C"}"#).unwrap();
    let piped: Value = serde_json::from_slice(&piped.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!((&piped["item"]["status"], &piped["item"]["slug"]), (&json!("published"), &json!("c")));
    for (arguments, code) in [
        (&["content", "create", "posts", "--data", "[]"][..], 2),
        (&["content", "schedule", "posts", "a", "tomorrow"], 2),
        (&["content", "create", "posts", "--data", r#"{"titel":"A"}"#], 1),
        (&["content", "get", "posts", "nothing"], 1),
        (&["content", "list", "nowhere"], 1),
    ] {
        assert_eq!(home.run(arguments).status.code(), Some(code), "{arguments:?}");
    }
}

/// An entry with a text, and what an editor is that changes its file with `sed`.
fn with_text(home: &Home) -> String {
    let body = r#"{"collection":"posts","slug":"body","label":"Body","type":"portableText"}"#;
    home.ok(&["call", "schema.create_field", "--input", body]);
    let data = r#"{"title":"Essay","body":[{"_type":"block","_key":"a","children":[{"_type":"span","text":"First."}]},{"_type":"poll","_key":"b","n":1}]}"#;
    home.ok(&["content", "create", "posts", "--data", data, "--slug", "essay"]);
    let answer = home.json(&["content", "get", "posts", "essay", "--format", "markdown"]);
    assert!(answer["item"]["data"]["body"].as_str().unwrap().starts_with("First.\n\n```json:object\n"), "{answer}");
    answer["_rev"].as_str().unwrap().to_owned()
}

fn edit(home: &Home, editor: &str, more: &[&str]) -> Output {
    home.command(&[&["content", "edit", "posts", "essay"], more].concat()).env_remove("VISUAL").env("EDITOR", editor).output().unwrap()
}

/// The file that was kept, as the command says.
fn kept(output: &Output) -> String {
    let told = text(&output.stderr);
    told.split('`').find(|word| word.ends_with("entry.md")).unwrap_or_else(|| panic!("{told}")).to_owned()
}

#[test]
#[cfg(unix)]
fn an_entry_is_edited_as_a_file_and_only_what_was_changed_is_sent() {
    let home = Home::site();
    let rev = with_text(&home);
    let same = edit(&home, "true", &["--json"]);
    assert_eq!(serde_json::from_slice::<Value>(&same.stdout).unwrap(), json!({ "changed": false }), "{}", text(&same.stderr));
    assert_eq!(home.json(&["content", "get", "posts", "essay"])["_rev"], *rev);
    let edited = edit(&home, "sed -i -e 's/First/Second/' -e 's/title: Essay/title: Letter/'", &[]);
    assert_eq!(text(&edited.stdout), "essay is draft\n", "{}", text(&edited.stderr));
    let now = home.json(&["content", "get", "posts", "essay"]);
    let data = &now["item"]["data"];
    assert_eq!((&data["title"], &data["body"][0]["children"][0]["text"]), (&json!("Letter"), &json!("Second.")), "{now}");
    assert_eq!((&data["body"][0]["_key"], &data["body"][1]), (&json!("a"), &json!({ "_type": "poll", "_key": "b", "n": 1 })));
    let private = edit(&home, r#"sh -c 'stat -c %a "$0" "$(dirname "$0")" >&2'"#, &[]);
    assert_eq!(text(&private.stderr), "600\n700\n");
    let given_up = edit(&home, "sh -c 'echo x >> \"$0\"; exit 3'", &[]);
    assert_eq!(given_up.status.code(), Some(1));
    assert!(text(&given_up.stderr).contains("nothing was changed"), "{}", text(&given_up.stderr));
    assert_eq!(home.json(&["content", "get", "posts", "essay"])["_rev"], now["_rev"]);
    let unset = home.command(&["content", "edit", "posts", "essay"]).env_remove("VISUAL").env_remove("EDITOR").output().unwrap();
    assert_eq!((unset.status.code(), text(&unset.stderr).contains("set `EDITOR`")), (Some(2), true));
}

#[test]
#[cfg(unix)]
fn an_edited_file_that_is_refused_is_kept_and_can_be_sent_again() {
    let home = Home::site();
    with_text(&home);
    let refused = edit(&home, "sed -i -e 's/First/> > First/'", &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("line 1: a quotation within a quotation"), "{}", text(&refused.stderr));
    let file = kept(&refused);
    let mended = std::fs::read_to_string(&file).unwrap().replace("> > First", "> First");
    std::fs::write(&file, mended).unwrap();
    assert_eq!(text(&edit(&home, "false", &["--file", &file]).stdout), "essay is draft\n");
    let sent = home.json(&["content", "get", "posts", "essay"]);
    assert_eq!(sent["item"]["data"]["body"][0]["style"], "blockquote");
    // The file is of a state that is not the newest any more.
    let stale = std::fs::read_to_string(&file).unwrap().replace("First", "Other");
    std::fs::write(&file, stale).unwrap();
    let overtaken = edit(&home, "false", &["--file", &file, "--json"]);
    let told: Value = serde_json::from_slice(&overtaken.stdout).unwrap();
    assert_eq!((overtaken.status.code(), &told["error"]["code"]), (Some(1), &json!("CONFLICT")));
    assert_eq!(kept(&overtaken), file);
    assert_eq!(home.json(&["content", "get", "posts", "essay"])["_rev"], sent["_rev"]);
    let unread = edit(&home, "sed -i -e 's/^title: .*/title: [/'", &[]);
    assert!(text(&unread.stderr).contains("the front matter cannot be read"), "{}", text(&unread.stderr));
    for kept in [&file, &kept(&unread)] {
        std::fs::remove_dir_all(Path::new(kept).parent().unwrap()).unwrap();
    }
}

#[test]
fn jobs_are_listed_stopped_and_ended() {
    let home = Home::site();
    assert_eq!(home.ok(&["jobs", "list"]), "There are no jobs.\n");
    assert_eq!(home.ok(&["jobs", "tasks"]), "No server is running.\n");
    let started = home.json(&["call", "content.bulk", "--input", r#"{"collection":"posts","action":"trash","filter":{}}"#]);
    let id = started["job"].as_str().unwrap();
    for (command, state) in [("pause", "paused"), ("resume", "queued"), ("cancel", "cancelled"), ("wait", "cancelled")] {
        assert_eq!(home.json(&["jobs", command, id])["item"]["state"], state, "{command}");
    }
    assert_eq!(home.json(&["jobs", "list", "--state", "cancelled"])["items"][0]["id"], id);
    assert!(home.ok(&["jobs", "show", id]).starts_with(&format!("{id}  cancelled")));
    assert_eq!(home.run(&["jobs", "pause", id]).status.code(), Some(1), "it is over");
}

#[test]
fn every_command_has_a_page_in_the_manual() {
    let home = Home::new();
    home.ok(&["man", "man1"]);
    let pages: Vec<_> =
        std::fs::read_dir(home.path().join("man1")).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    for page in ["cms.1", "cms-content-list.1", "cms-schema-apply.1", "cms-jobs-wait.1"] {
        assert!(pages.iter().any(|known| known == page), "{page} is not among {pages:?}");
    }
    assert_eq!(home.run(&["man", "/dev/null/man1"]).status.code(), Some(1));
}
