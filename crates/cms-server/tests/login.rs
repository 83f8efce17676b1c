//! The built binary as a user of another one: signing in by the device grant, asking who one is, signing out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use serde_json::{Value, json};

/// A server on a database of its own, and a user's home beside it.
struct Home {
    folder: tempfile::TempDir,
    server: Child,
    address: String,
}

impl Home {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let created = command(folder.path(), &["admin", "create", "--email", "ada@example.org", "--name", "Ada"]).output().unwrap();
        assert!(created.status.success(), "{}", text(&created.stderr));
        let posts = r#"{"slug":"posts","label":"Posts","fields":[{"slug":"title","label":"Title","type":"string"}]}"#;
        let made = command(folder.path(), &["call", "schema.create_collection", "--input", posts]).output().unwrap();
        assert!(made.status.success(), "{}", text(&made.stderr));
        let mut server = command(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
        let greeting = line(&mut BufReader::new(server.stdout.take().unwrap()));
        let address = greeting["listening"].as_str().unwrap().to_owned();
        Self { folder, server, address }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command(self.folder.path(), arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {} {}", text(&output.stdout), text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What the user's file of keys has of the server.
    fn key(&self) -> Value {
        let keys: Value = serde_json::from_slice(&std::fs::read(self.keys()).unwrap()).unwrap();
        keys["servers"][format!("{}/_cms", self.address)].clone()
    }

    fn keys(&self) -> PathBuf {
        self.folder.path().join("config/cms/credentials.json")
    }

    /// Sends a request, and answers with its status, its cookie, and the JSON of its body.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, Option<String>, Value) {
        let authority = self.address.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(authority).unwrap();
        let body = if method == "GET" { String::new() } else { body.to_string() };
        write!(stream, "{method} /_cms/api{path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n").unwrap();
        for (name, value) in headers {
            write!(stream, "{name}: {value}\r\n").unwrap();
        }
        write!(stream, "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let cookie = head.lines().filter_map(|line| line.split_once(": ")).find(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
        let cookie = cookie.map(|(_, value)| value.split(';').next().unwrap().to_owned());
        (status, cookie, serde_json::from_str(body).unwrap_or_default())
    }

    /// A browser's session, through the link that the operator makes.
    fn sign_in(&self) -> String {
        let link = self.json(&["admin", "recover", "--email", "ada@example.org"]);
        let token = link["url"].as_str().unwrap().split_once("#token=").unwrap().1.to_owned();
        let (status, cookie, body) = self.send("POST", "/auth/magic-link/verify", &[], &json!({ "token": token }));
        assert_eq!((status, &body["data"]["user"]["email"]), (200, &json!("ada@example.org")), "{body}");
        cookie.unwrap()
    }

    /// Signs the program in, and decides in the browser what becomes of it.
    fn login(&self, action: &str) -> (bool, Value) {
        self.login_for("content:read,content:write", action)
    }

    fn login_for(&self, scopes: &str, action: &str) -> (bool, Value) {
        let arguments = ["login", &self.address, "--scope", scopes, "--json"];
        let mut login = command(self.folder.path(), &arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(login.stdout.take().unwrap());
        let asked = line(&mut said);
        let cookie = self.sign_in();
        let browser = [("cookie", cookie.as_str()), ("x-cms-request", "1")];
        let decision = json!({ "user_code": asked["userCode"], "action": action });
        let (status, _, body) = self.send("POST", "/oauth/device/authorize", &browser, &decision);
        assert_eq!(status, 200, "{body}");
        let last = line(&mut said);
        (login.wait().unwrap().success(), last)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cms"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).env("XDG_CONFIG_HOME", folder.join("config"));
    command
}

fn line(from: &mut impl BufRead) -> Value {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_signs_in_by_a_code_stays_in_by_itself_and_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::open();
    let (done, account) = home.login("approve");
    assert!(done, "{account}");
    let scopes = json!(["content:read", "content:write"]);
    assert_eq!((&account["account"]["email"], &account["account"]["scopes"]), (&json!("ada@example.org"), &scopes));
    assert_eq!(std::fs::metadata(home.keys()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(home.json(&["whoami"])["account"]["name"], "Ada");

    // When its token has ended, it gets another one by itself.
    let before = home.key();
    let text = std::fs::read_to_string(home.keys()).unwrap();
    std::fs::write(home.keys(), text.replace(before["expiresAt"].as_str().unwrap(), "2020-01-01T00:00:00.000Z")).unwrap();
    assert_eq!(home.json(&["whoami"])["account"]["scopes"], scopes);
    let after = home.key();
    assert!(before["accessToken"] != after["accessToken"] && before["refreshToken"] != after["refreshToken"]);

    assert_eq!(home.json(&["logout"])["signedOut"], true);
    assert_eq!(home.key(), Value::Null);
    let bearer = format!("Bearer {}", after["accessToken"].as_str().unwrap());
    assert_eq!(home.send("GET", "/auth/me", &[("authorization", &bearer)], &Value::Null).0, 401);
    assert_eq!(home.run(&["whoami"]).status.code(), Some(1));
}

/// A command that knows nothing but what `cms login` kept.
fn from_elsewhere(home: &Home, arguments: &[&str]) -> Command {
    let mut command = command(&std::env::temp_dir(), arguments);
    command.env("XDG_CONFIG_HOME", home.folder.path().join("config")).env_remove("VISUAL");
    command
}

/// In another folder, as on another machine: nothing but what `cms login` kept is there.
fn elsewhere(home: &Home, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let output = from_elsewhere(home, arguments).current_dir(folder.path()).output().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{arguments:?} made something here");
    output
}

#[test]
fn operations_are_done_at_the_server_that_one_is_signed_in_to() {
    let home = Home::open();
    assert!(home.login_for("content:read,content:write,schema:read", "approve").0);
    let call = |arguments: &[&str]| {
        let output = elsewhere(&home, &[&["call"], arguments, &["--json"]].concat());
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap_or_default())
    };
    let created = call(&["content.create", "--input", r#"{"collection":"posts","data":{"title":"A & B"}}"#, "--remote"]);
    assert_eq!((created.0, &created.1["item"]["data"]["title"]), (Some(0), &json!("A & B")), "{created:?}");
    // The same input and the same answer as here.
    let input = r#"{"collection":"posts","limit":5}"#;
    let there = call(&["content.list", "--input", input, "--remote", &home.address]);
    assert_eq!(there.1, home.json(&["call", "content.list", "--input", input]));
    let refused = call(&["content.create", "--input", r#"{"collection":"posts","data":{"titel":"A"}}"#, "--remote"]);
    assert_eq!((refused.0, &refused.1["error"]["code"]), (Some(1), &json!("VALIDATION_ERROR")), "{refused:?}");
    let written = elsewhere(&home, &["content", "create", "posts", "--data", r#"{"title":"Essay"}"#, "--publish", "--remote"]);
    assert!(text(&written.stdout).contains("published"), "{}", text(&written.stderr));
    let told = elsewhere(&home, &["content", "update", "posts", "essay", "--data", r#"{"title":"Letter"}"#, "--remote"]);
    assert_eq!(text(&told.stdout), "essay is published, with changes that are not published\n", "{}", text(&told.stderr));
    let told = elsewhere(&home, &["content", "diff", "posts", "essay", "--remote"]);
    assert_eq!(text(&told.stdout), "data.title: \"Essay\" → \"Letter\"\n", "{}", text(&told.stderr));
    let listed = elsewhere(&home, &["content", "list", "posts", "--remote"]);
    assert!(text(&listed.stdout).contains("Letter"), "{}", text(&listed.stdout));
    let edited = from_elsewhere(&home, &["content", "edit", "posts", "essay", "--remote"])
        .env("EDITOR", "sed -i -e s/Letter/Note/")
        .output()
        .unwrap();
    assert_eq!(text(&edited.stdout), "essay is published, with changes that are not published\n", "{}", text(&edited.stderr));
    let told = elsewhere(&home, &["content", "diff", "posts", "essay", "--remote"]);
    assert_eq!(text(&told.stdout), "data.title: \"Essay\" → \"Note\"\n", "{}", text(&told.stderr));
    let beyond = call(&["user.list", "--remote"]);
    assert_eq!((beyond.0, &beyond.1["error"]["code"]), (Some(1), &json!("INSUFFICIENT_SCOPE")), "{beyond:?}");
    let people = elsewhere(&home, &["user", "list", "--remote", "--json"]);
    assert!(text(&people.stdout).contains("INSUFFICIENT_SCOPE"), "{}", text(&people.stdout));
    // What has no route, and what is a file.
    for id in ["user.create", "content.start_import", "content.lsit"] {
        assert_ne!(call(&[id, "--remote"]).0, Some(0), "{id}");
    }
}

#[test]
fn the_model_of_a_server_is_compared_and_changed_from_elsewhere_and_its_jobs_are_seen() {
    let home = Home::open();
    assert!(home.login_for("schema:read,schema:write,admin", "approve").0);
    let exported = elsewhere(&home, &["schema", "export", "--remote"]);
    assert_eq!(text(&exported.stdout), text(&home.run(&["schema", "export"]).stdout));
    assert_eq!(text(&elsewhere(&home, &["jobs", "list", "--remote"]).stdout), "There are no jobs.\n");
    let tasks = elsewhere(&home, &["jobs", "tasks", "--remote"]);
    assert!(text(&tasks.stdout).contains("  well  "), "{} {}", text(&tasks.stdout), text(&tasks.stderr));
    // From the server to a site here, which has nothing yet.
    let here = tempfile::tempdir().unwrap();
    let at_site = |arguments: &[&str]| {
        let output = from_elsewhere(&home, arguments).current_dir(here.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    at_site(&["admin", "create", "--email", "bo@example.org"]);
    assert_eq!(at_site(&["schema", "apply", &home.address, "--yes"]), "+ posts  a new collection, with its fields\n");
    assert_eq!(at_site(&["schema", "diff", &home.address, "--check"]), "The model is the same.\n");
    // And the other way round.
    at_site(&["call", "schema.update_collection", "--input", r#"{"slug":"posts","label":"Articles"}"#]);
    at_site(&["schema", "export", "--output", "model.json"]);
    let told = "~ posts\n    label: \"Posts\" → \"Articles\"\n";
    assert_eq!(at_site(&["schema", "diff", "model.json", "--remote"]), told);
    assert_eq!(at_site(&["schema", "apply", "model.json", "--yes", "--remote"]), told);
    assert_eq!(at_site(&["schema", "diff", "model.json", "--remote"]), "The model is the same.\n");
}

#[test]
fn a_sign_in_that_ended_before_its_time_is_renewed_by_a_call() {
    let home = Home::open();
    assert!(home.login("approve").0);
    let before = home.key();
    let kept = std::fs::read_to_string(home.keys()).unwrap();
    std::fs::write(home.keys(), kept.replace(before["accessToken"].as_str().unwrap(), "cms_oat_nothing")).unwrap();
    let output = elsewhere(&home, &["call", "content.list", "--input", r#"{"collection":"posts"}"#, "--remote", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_ne!(home.key()["refreshToken"], before["refreshToken"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_was_denied_is_told_so_and_keeps_nothing() {
    let home = Home::open();
    let (done, said) = home.login("deny");
    assert!(!done && said["error"]["message"].as_str().unwrap().contains("denied"), "{said}");
    assert!(!home.keys().exists());
}

#[test]
fn nobody_signs_in_over_an_open_line_or_at_what_is_no_server() {
    let home = Home::open();
    for address in ["http://cms.example.org", "cms.example.org", &format!("{}/elsewhere", home.address)] {
        assert_eq!(home.run(&["login", address]).status.code(), Some(1), "{address}");
    }
}
