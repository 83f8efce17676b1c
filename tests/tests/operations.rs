//! `docs/operations.md`: its files and commands, in their order, on machines that are folders of this one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use cms_tests::{Client, Site, clients, posts, repository, run, variable};
use http::{Method, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinSet;
use url::Url;

/// What stands before the server's own site in the proxy's file: certificates of its own, since nobody else gives one to this machine.
const PROXY: &str = "{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n}\n\n";

/// Commands that change the machine itself, of which a test has none: they do what they do within the folder, or nothing.
const STAND_INS: [(&str, &str); 7] = [
    ("useradd", "exit 0"),
    ("chown", "exit 0"),
    // What would be installed has to be there.
    ("apt-get", "for package in \"$@\"; do case $package in install|-y) ;; *) command -v \"$package\" >/dev/null ;; esac; done"),
    ("runuser", "shift 3; exec \"$@\""),
    ("sudo", "shift 2; exec \"$@\""),
    (
        "install",
        r#"kept=(); while [ $# -gt 0 ]; do case $1 in -o|-g) shift 2 ;; *) kept+=("$1"); shift ;; esac; done; exec /usr/bin/install "${kept[@]}""#,
    ),
    (
        "systemctl",
        r#"
command=$1; shift; [ "${1-}" != --now ] || shift
[ $# -gt 0 ] || exit 0
unit=${1%.service}; file=$ROOT/etc/systemd/system/$unit.service; pid=$ROOT/$unit.pid
of_unit() { sed -n "s/^$1=//p" "$file" | sed 's/%%/%/g'; }
stop() {
  [ -f "$pid" ] || return 0
  kill -TERM "$(cat "$pid")" 2>/dev/null || true
  while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.05; done
  rm "$pid"
}
start() {
  case $unit in
    *.timer|postgresql) return ;;
    caddy) program="caddy run --config $ROOT/etc/caddy/Caddyfile --adapter caddyfile" ;;
    pgbouncer) program="pgbouncer $([ "$(id -u)" != 0 ] || echo '-u nobody') $ROOT/etc/pgbouncer/pgbouncer.ini" ;;
    *) program=$(of_unit ExecStart) ;;
  esac
  if [ -f "$file" ] && [ "$(of_unit Type)" = oneshot ]; then eval "$(of_unit ExecStartPre)"; eval "$program"; return; fi
  eval "exec setsid $program" >>"$ROOT/$unit.log" 2>&1 </dev/null &
  echo $! >"$pid"
}
case $command in
  enable|start) start ;;
  stop) stop ;;
  restart) stop; start ;;
esac"#,
    ),
];

/// Free ports for everything that listens.
struct Ports {
    node: u16,
    metrics: [u16; 3],
    pooler: u16,
    /// The proxy's, with TLS and without.
    proxy: [u16; 2],
}

impl Ports {
    fn new() -> Self {
        let held: Vec<_> = (0..7).map(|_| TcpListener::bind("0.0.0.0:0").unwrap()).collect();
        let ports: Vec<_> = held.iter().map(|listener| listener.local_addr().unwrap().port()).collect();
        Self { node: ports[0], metrics: [ports[1], ports[2], ports[3]], pooler: ports[4], proxy: [ports[5], ports[6]] }
    }
}

/// A machine: a folder with what the page puts on one.
struct Machine {
    root: PathBuf,
    database: Url,
}

impl Machine {
    /// Does commands, as somebody who types them, and answers with what they printed.
    fn type_in(&self, commands: &str) -> String {
        let (root, path) = (self.root.display(), variable("PATH").unwrap_or_default());
        let mut shell = Command::new("bash");
        shell.args(["-euxo", "pipefail", "-c", commands]).current_dir(&self.root).env_clear();
        shell.env("ROOT", &self.root).env("HOME", &self.root).env("CURL_HOME", &self.root);
        shell.env("PATH", format!("{root}/stand-ins:{root}/usr/local/bin:{root}/usr/local/sbin:{path}:/usr/sbin"));
        shell.env("PGHOST", self.database.host_str().unwrap()).env("PGPORT", self.database.port().unwrap_or(5432).to_string());
        shell.env("PGUSER", self.database.username()).env("PGDATABASE", self.database.path().trim_start_matches('/'));
        if let Some(password) = self.database.password() {
            shell.env("PGPASSWORD", password);
        }
        run(&mut shell)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The same machine again, under another address.
    fn again(&self, name: &str, replaced: &[(String, String)]) -> Self {
        let root = self.root.with_file_name(name);
        fs::create_dir_all(root.join("var/lib/cms")).unwrap();
        run(Command::new("cp").arg("-al").args(["usr", "stand-ins", "cms-next"].map(|part| self.root.join(part))).arg(&root));
        let again = Self { root, database: self.database.clone() };
        for path in ["etc/cms/cms.toml", "etc/systemd/system/cms.service", "usr/local/sbin/cmsadm"] {
            let text =
                fs::read_to_string(self.path(path)).unwrap().replace(&self.root.display().to_string(), &again.root.display().to_string());
            let text = replaced.iter().fold(text, |text, (from, to)| text.replace(from, to));
            // Not into the file that both have.
            let _ = fs::remove_file(again.path(path));
            again.write(path, &text);
        }
        fs::set_permissions(again.path("usr/local/sbin/cmsadm"), fs::Permissions::from_mode(0o755)).unwrap();
        again
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let stop = "for pid in *.pid; do [ ! -f \"$pid\" ] || kill -KILL \"$(cat \"$pid\")\" || true; done; tail -n 20 *.log";
        let said = self.type_in(stop);
        if std::thread::panicking() {
            eprintln!("{}: {said}", self.root.display());
        }
    }
}

/// What is done on the page: a file, or commands.
enum Step {
    File(String, String),
    Commands(String),
}

/// The page, section by section: heading, and what is done.
fn sections(page: &str) -> Vec<(String, Vec<Step>)> {
    let sections = page.split("\n## ").skip(1).map(|section| {
        let (heading, text) = section.split_once('\n').unwrap();
        let parts: Vec<_> = text.split("```").collect();
        let steps = parts.chunks_exact(2).map(|part| {
            let (language, block) = part[1].split_once('\n').unwrap();
            let paragraph = part[0].trim_end().rsplit("\n\n").next().unwrap();
            let file = paragraph.split('`').skip(1).step_by(2).filter(|code| code.starts_with("/etc/") || code.starts_with("/usr/")).last();
            if let Some(file) = file.filter(|_| paragraph.ends_with(':') && !paragraph.starts_with("Do ")) {
                return Step::File(file.to_owned(), block.to_owned());
            }
            assert_eq!(language, "sh", "{heading}: a file without a name: {block}");
            Step::Commands(block.to_owned())
        });
        (heading.to_owned(), steps.collect())
    });
    sections.collect()
}

/// The page with the addresses and names of this test.
fn page(root: &Path, database: &Url, ports: &Ports) -> String {
    let (root, server) = (root.display(), format!("{}:{}", database.host_str().unwrap(), database.port().unwrap_or(5432)));
    let (host, port) = server.split_once(':').unwrap();
    let [tls, plain] = ports.proxy;
    let page = fs::read_to_string(repository().join("docs/operations.md")).unwrap();
    let replaced = [
        ("host=10.0.0.20 port=5432".to_owned(), format!("host={host} port={port}")),
        ("10.0.0.20:5432".to_owned(), server.clone()),
        ("10.0.0.".to_owned(), "127.0.0.".to_owned()),
        ("6432".to_owned(), ports.pooler.to_string()),
        (":8080".to_owned(), format!(":{}", ports.node)),
        (":9180".to_owned(), format!(":{}", ports.metrics[0])),
        // Nobody waits for a test as they wait for a person.
        ("drain = \"5s\"".to_owned(), "drain = \"2s\"".to_owned()),
        ("https://cms.example.org".to_owned(), format!("https://cms.example.org:{tls}")),
        ("\ncms.example.org {".to_owned(), format!("\n{PROXY}https://cms.example.org:{tls}, http://127.0.0.1:{plain} {{")),
        ("cms_server".to_owned(), format!("cms_server_{}", std::process::id())),
        ("cms_production".to_owned(), format!("cms_production_{}", std::process::id())),
        (" /var/".to_owned(), format!(" {root}/var/")),
        ("=/var/".to_owned(), format!("={root}/var/")),
        ("sqlite:/var/".to_owned(), format!("sqlite:{root}/var/")),
        (" /etc/".to_owned(), format!(" {root}/etc/")),
        ("=/etc/".to_owned(), format!("={root}/etc/")),
        (" /usr/local/".to_owned(), format!(" {root}/usr/local/")),
        ("=/usr/local/".to_owned(), format!("={root}/usr/local/")),
    ];
    replaced.iter().fold(page, |page, (from, to)| {
        assert!(page.contains(from.as_str()), "the page has no `{from}` any more");
        page.replace(from, to)
    })
}

/// Writes and reads until it is told to stop. Everything must succeed.
async fn work(client: Client, number: usize, stop: Arc<AtomicBool>) -> usize {
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            return n;
        }
        let slug = format!("post-{number}-{n}");
        client.post("/content/posts", &posts::new(&slug, 1)).await;
        client.post(&format!("/content/posts/{slug}/publish"), &json!({})).await;
        assert_eq!(client.get(&format!("/content/posts/{slug}")).await["item"]["status"], "published");
    }
    unreachable!("the numbers do not end")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_on_operations_works_as_it_stands_there() {
    let Some(database) = variable("TEST_DATABASE_URL").filter(|_| clients()) else { return };
    let (database, ports, folder) = (Url::parse(&database).unwrap(), Ports::new(), TempDir::new().unwrap());
    // PgBouncer is not run by root.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let one = Machine { root: folder.path().join("one"), database: database.clone() };
    let binary = Site::sqlite().command(&[]).get_program().to_owned();
    for folder in ["usr/local/bin", "usr/local/sbin", "var/lib", "etc"] {
        fs::create_dir_all(one.path(folder)).unwrap();
    }
    for name in ["cms", "cms-next"] {
        fs::copy(&binary, one.path(name)).unwrap();
    }
    for (name, does) in STAND_INS {
        one.write(&format!("stand-ins/{name}"), &format!("#!/bin/bash\nset -eu\n{does}\n"));
        fs::set_permissions(one.path(&format!("stand-ins/{name}")), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let [tls, plain] = ports.proxy;
    let authority = one.path(".local/share/caddy/pki/authorities/local/root.crt");
    one.write(".curlrc", &format!("resolve = cms.example.org:{tls}:127.0.0.1\ncacert = {}\n", authority.display()));

    let page = page(&one.root, &database, &ports);
    let mut nodes = vec![one];
    for (heading, steps) in sections(&page) {
        eprintln!("== {heading}");
        for (number, step) in steps.iter().enumerate() {
            let commands = match step {
                Step::File(path, text) => {
                    nodes[0].write(path, text);
                    if path.starts_with("/etc/systemd/") {
                        verify(&nodes[0].path(path));
                    }
                    continue;
                }
                Step::Commands(commands) => commands,
            };
            match (heading.as_str(), number) {
                ("Three nodes", 0) => {
                    nodes[0].type_in(commands);
                    for (n, name) in [(2, "two"), (3, "three")] {
                        let address = ("127.0.0.11".to_owned(), format!("127.0.0.1{n}"));
                        let metrics = (format!(":{}", ports.metrics[0]), format!(":{}", ports.metrics[n - 1]));
                        nodes.push(nodes[0].again(name, &[address, metrics]));
                        nodes[n - 1]
                            .type_in(&format!("systemctl start cms; {}", ready(commands).replace("127.0.0.11", &format!("127.0.0.1{n}"))));
                    }
                }
                // On each node.
                ("PgBouncer", 4) | ("Upgrades", 1) => {
                    let stop = Arc::new(AtomicBool::new(false));
                    let mut crew = JoinSet::new();
                    if heading == "Upgrades" {
                        for number in 0..3 {
                            crew.spawn(work(proxied(&nodes[0], plain), number, Arc::clone(&stop)));
                        }
                    }
                    let root = nodes[0].root.display().to_string();
                    let typed = (1..).zip(&nodes).map(|(n, node)| {
                        let own = commands.replace("127.0.0.11", &format!("127.0.0.1{n}")).replace(&root, &node.root.display().to_string());
                        (node, own)
                    });
                    let typed: Vec<_> = typed.collect();
                    tokio::task::block_in_place(|| typed.iter().for_each(|(node, commands)| drop(node.type_in(commands))));
                    stop.store(true, Ordering::Relaxed);
                    while let Some(ended) = crew.join_next().await {
                        assert!(ended.unwrap() > 0, "nobody got on while the nodes were restarted");
                    }
                }
                _ => drop(nodes[0].type_in(commands)),
            }
        }
        match heading.as_str() {
            "A proxy with TLS" => posts::make(&proxied(&nodes[0], plain)).await,
            "Backups" => {
                let client = proxied(&nodes[0], plain);
                client.post("/content/posts", &posts::new("kept", 1)).await;
            }
            // What was written before it moved is there, at all nodes, for whoever was let in before.
            "To PostgreSQL" | "Three nodes" | "PgBouncer" => {
                for _ in 0..nodes.len() {
                    let reply = proxied(&nodes[0], plain).ask(Method::GET, "/content/posts/kept", None).await;
                    assert_eq!(reply.status, StatusCode::OK, "{heading}: {}", reply.body);
                }
            }
            "What to watch" => watched(&nodes[0], ports.metrics[0]),
            _ => {}
        }
    }
    for node in &nodes {
        node.type_in("systemctl stop cms");
        let log = fs::read_to_string(node.path("cms.log")).unwrap();
        assert!(!log.contains("panicked") && !log.contains("\"ERROR\""), "{log}");
    }
    let id = std::process::id();
    nodes[0].type_in(&format!(
        "systemctl stop pgbouncer; psql -c 'DROP DATABASE cms_production_{id} WITH (FORCE)' -c 'DROP ROLE cms_server_{id}'"
    ));
}

/// The last line of commands, which waits until a node is ready.
fn ready(commands: &str) -> &str {
    commands.trim_end().lines().last().unwrap()
}

/// A client of the proxy with the token that the page makes.
fn proxied(node: &Machine, port: u16) -> Client {
    let token = fs::read_to_string(node.path("etc/cms/operations.token")).unwrap();
    Client::at(&format!("http://127.0.0.1:{port}"), token.trim())
}

/// Fails when systemd would not understand a unit.
fn verify(unit: &Path) {
    let output = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(unit).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let about_it = said.lines().filter(|line| line.contains(&unit.display().to_string())).collect::<Vec<_>>();
    assert!(about_it.is_empty(), "{about_it:#?}");
}

/// Fails when the rules look at something that is not measured.
fn watched(node: &Machine, port: u16) {
    let rules = fs::read_to_string(node.path("etc/prometheus/rules/cms.yml")).unwrap();
    let measured = node.type_in(&format!("curl --silent --show-error --fail http://127.0.0.11:{port}/metrics"));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names: Vec<_> = rules.split(|c| !is_name(c)).filter(|name| name.starts_with("cms_")).collect();
    assert!(names.len() > 5, "{rules}");
    for name in names {
        assert!(measured.contains(name), "nothing is called {name}:\n{measured}");
    }
    assert!(measured.contains("task=\"publish_due\"") && measured.contains("state=\"waited_for\""), "{measured}");
}
