//! What the compiler cannot check: arrows between crates, what they say of themselves, file headers, names, who may commit and connect.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::{
    package,
    shell::{command, output, root},
};

/// Which crate may use which of the workspace, apart from tests. `docs/ARCHITECTURE.md` draws it.
const ARROWS: &[(&str, &[&str])] = &[
    ("cms-domain", &[]),
    ("cms-files", &[]),
    ("cms-migrations", &[]),
    ("cms-storage", &["cms-domain", "cms-migrations"]),
    ("cms-admin", &["cms-domain"]),
    ("cms-auth", &["cms-domain"]),
    ("cms-frame", &["cms-domain", "cms-storage", "cms-auth"]),
    ("cms-content", &["cms-frame", "cms-domain", "cms-storage", "cms-auth"]),
    ("cms-accounts", &["cms-frame", "cms-domain", "cms-storage", "cms-auth"]),
    ("cms-media", &["cms-files", "cms-frame", "cms-domain", "cms-storage"]),
    ("cms-core", &["cms-accounts", "cms-content", "cms-frame", "cms-import", "cms-media", "cms-domain", "cms-storage", "cms-auth"]),
    ("cms-http-api", &["cms-accounts", "cms-frame", "cms-domain", "cms-media"]),
    ("cms-mcp", &["cms-accounts", "cms-frame", "cms-domain"]),
    ("cms-import", &["cms-accounts", "cms-content", "cms-frame", "cms-domain"]),
    ("cms-server", &["cms-admin", "cms-auth", "cms-core", "cms-domain", "cms-http-api", "cms-import", "cms-mcp", "cms-storage"]),
    ("cms-testkit", &["cms-core", "cms-domain", "cms-http-api", "cms-mcp", "cms-storage"]),
    ("cms-tests", &["cms-core", "cms-domain", "cms-testkit"]),
    ("blog", &["cms-core", "cms-domain", "cms-http-api", "cms-mcp", "cms-storage"]),
    ("xtask", &[]),
];

/// What a crate may not use directly, and why.
const BANNED: &[(&str, &[&str], &str)] = &[
    ("cms-domain", &["tokio", "axum", "sea-orm", "rmcp"], "rules must be testable without a machine"),
    ("cms-files", &["axum", "aide", "rmcp", "sea-orm"], "bytes know neither rows nor requests"),
    ("cms-frame", &["axum", "aide", "rmcp", "http", "sea-orm"], "what operations run in has no transport"),
    ("cms-content", &["axum", "aide", "rmcp", "http", "sea-orm"], "a use case has no transport"),
    ("cms-media", &["axum", "aide", "rmcp", "http", "sea-orm"], "a use case has no transport"),
    ("cms-accounts", &["axum", "aide", "rmcp", "http", "sea-orm"], "a use case has no transport"),
    ("cms-core", &["axum", "aide", "rmcp", "http", "sea-orm"], "a use case has no transport"),
    ("cms-http-api", &["sea-orm", "rmcp"], "a door that can reach rows will"),
    ("cms-mcp", &["sea-orm", "aide"], "a door that can reach rows will"),
    ("cms-import", &["sea-orm", "axum"], "imported content obeys the same rules as typed content"),
];

/// What a host embeds.
pub(crate) const EMBEDDED: &[&str] = &["cms-core", "cms-storage", "cms-http-api", "cms-mcp"];

/// What only a feature brings. A host that leaves it out does not compile it, and `docs/embedding.md` says so.
const OF_FEATURES: &[(&str, &[&str])] = &[
    ("passkeys", &["webauthn-rs-core"]),
    ("postgres", &["sqlx-postgres", "rustls"]),
    ("providers", &["openidconnect", "reqwest", "rustls"]),
    ("s3", &["object-store", "reqwest", "rustls", "rusty-s3"]),
    ("smtp", &["lettre", "rustls"]),
];

/// Names that say nothing.
const NAMELESS: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc", "manager"];

/// A file longer than this wants to be two.
const LONG: usize = 500;

/// How many statements of `cms-storage` are text. The others are made from entities, which say the columns of a table once; text is for what
/// needs a measured plan, or goes to the database in a batch. The number only shrinks.
const STATEMENTS_AS_TEXT: usize = 70;

pub(crate) fn tidy() -> anyhow::Result<()> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).exec().context("cargo metadata")?;
    let mut problems = arrows(&metadata);
    problems.extend(domain_needs_no_machine()?);
    problems.extend(package::unfit(&metadata));
    problems.extend(features_leave_out()?);
    let (mut long, mut as_text) = (Vec::new(), 0);
    for file in rust_files(&root())? {
        let text = fs::read_to_string(&file)?;
        let shown = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
        problems.extend(header(&shown, &text));
        problems.extend(name(&shown, &file));
        problems.extend(commits(&shown, &text));
        problems.extend(connects(&shown, &text));
        problems.extend(waits(&shown, &text));
        problems.extend(believes(&shown, &text));
        problems.extend(vouches(&shown, &text));
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        as_text += statements(&shown, code);
        let lines = code.lines().count();
        if lines > LONG {
            long.push(format!("{shown}: {lines} lines without tests"));
        }
    }
    for line in long {
        println!("long: {line}");
    }
    println!("statements as text: {as_text} of at most {STATEMENTS_AS_TEXT}");
    if as_text > STATEMENTS_AS_TEXT {
        problems.push(format!("{as_text} statements of cms-storage are text: make the new ones from entities"));
    }
    ensure!(problems.is_empty(), "tidy:\n  {}", problems.join("\n  "));
    println!("tidy: all is well");
    Ok(())
}

fn arrows(metadata: &Metadata) -> Vec<String> {
    let mut problems = Vec::new();
    let members: BTreeSet<&str> = metadata.workspace_packages().iter().map(|package| package.name.as_str()).collect();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let Some((_, allowed)) = ARROWS.iter().find(|(listed, _)| *listed == name) else {
            problems.push(format!("{name} is not in the table of arrows"));
            continue;
        };
        let manifest = fs::read_to_string(&package.manifest_path).unwrap_or_default();
        if !manifest.contains("[lints]\nworkspace = true") {
            problems.push(format!("{name} does not inherit the workspace's lints"));
        }
        for dependency in package.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Normal) {
            let used = dependency.name.as_str();
            if members.contains(used) && !allowed.contains(&used) {
                problems.push(format!("{name} must not use {used}"));
            }
            if let Some((_, _, why)) = BANNED.iter().find(|(listed, banned, _)| *listed == name && banned.contains(&used)) {
                problems.push(format!("{name} must not use {used}: {why}"));
            }
        }
    }
    problems
}

fn domain_needs_no_machine() -> anyhow::Result<Vec<String>> {
    let reached = reached(&["cms-domain"], &[])?;
    let banned = ["tokio", "axum", "sea-orm", "sqlx"].into_iter().filter(|name| reached.contains(*name));
    Ok(banned.map(|name| format!("cms-domain reaches {name}")).collect())
}

/// Whatever a feature is said to bring it brings, and nothing else does.
fn features_leave_out() -> anyhow::Result<Vec<String>> {
    let mut problems = Vec::new();
    let least = reached(EMBEDDED, &["--no-default-features"])?;
    for (feature, brought) in OF_FEATURES {
        let with = reached(EMBEDDED, &["--no-default-features", "--features", &format!("cms-core/{feature}")])?;
        let others = OF_FEATURES.iter().filter(|(other, _)| other != feature).flat_map(|(_, names)| *names);
        let foreign: Vec<_> = others.filter(|name| !brought.contains(name)).collect();
        problems.extend(
            brought.iter().filter(|name| least.contains(**name)).map(|name| format!("{name} is there without the feature `{feature}`")),
        );
        problems.extend(
            brought.iter().filter(|name| !with.contains(**name)).map(|name| format!("the feature `{feature}` does not bring {name}")),
        );
        problems
            .extend(foreign.into_iter().filter(|name| with.contains(**name)).map(|name| format!("the feature `{feature}` brings {name}")));
    }
    Ok(problems)
}

/// What is compiled for some crates, apart from their tests.
fn reached(packages: &[&str], more: &[&str]) -> anyhow::Result<BTreeSet<String>> {
    let mut tree = command("cargo", &["tree", "--edges", "normal", "--prefix", "none", "--format", "{lib}", "--locked"]);
    tree.args(packages.iter().flat_map(|package| ["--package", package])).args(more);
    Ok(output(&mut tree)?.lines().map(|name| name.replace('_', "-")).collect())
}

fn header(shown: &str, text: &str) -> Option<String> {
    (!text.starts_with("//! ")).then(|| format!("{shown}: begin with one `//!` sentence that says what the file is for"))
}

fn name(shown: &str, file: &Path) -> Option<String> {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    NAMELESS.contains(&stem).then(|| format!("{shown}: name it by what is in it"))
}

/// Only the pipeline ends an operation's transaction. Tasks are no operations, what is counted against a limit stands whatever
/// becomes of the request, who does which job nobody asked for, and a file arrives before the operation begins that is about it.
fn commits(shown: &str, text: &str) -> Option<String> {
    const MAY: &[&str] = &[
        "cms-frame/src/pipeline.rs",
        "cms-frame/src/limits.rs",
        "cms-frame/src/files.rs",
        "cms-frame/src/jobs/claims.rs",
        "cms-core/src/testing.rs",
    ];
    calls(shown, text, MAY, &[".commit()", ".commit_with("]).then(|| format!("{shown}: only the pipeline commits"))
}

/// An operation reads through its invocation, which has one connection at most: who holds one in a transaction and waits for another one
/// waits for those who wait for them. The frame goes to the database where no transaction is open.
fn connects(shown: &str, text: &str) -> Option<String> {
    const MAY: &[&str] = &[
        "cms-frame/src/cms.rs",
        "cms-frame/src/cx.rs",
        "cms-frame/src/limits.rs",
        "cms-frame/src/files.rs",
        "cms-frame/src/jobs/claims.rs",
        "cms-frame/src/pipeline.rs",
        "cms-frame/src/standing.rs",
        "cms-core/src/testing.rs",
    ];
    calls(shown, text, MAY, &[".store()"]).then(|| format!("{shown}: read with `cx.read()`, which knows whether a transaction is open"))
}

/// Nothing waits for a network, a child process or a hook while a transaction is open, or everybody who writes waits as well. What goes outside is called
/// in few places: before an operation begins, after it is done, or behind `before_any_write`.
fn waits(shown: &str, text: &str) -> Option<String> {
    const MAY: &[&str] = &["cms-accounts/src/gateway.rs", "cms-accounts/src/mail/post.rs", "cms-accounts/src/mail/smtp.rs"];
    const OUTSIDE: &[&str] = &[
        "provider.begin(",
        "provider.finish(",
        ".vouch(",
        ".deliver(",
        ".send(message)",
        "before.run(",
        "after.run(",
        "hook.tell(",
        "process::Command",
        "reqwest",
        "TcpStream",
    ];
    let asks_first = text.contains("before_any_write()?");
    (!asks_first && calls(shown, text, MAY, OUTSIDE))
        .then(|| format!("{shown}: call `cx.before_any_write()?` before waiting for something outside"))
}

/// What is stored was checked: nobody but storage, which wrote it, takes a text to be data that was.
fn believes(shown: &str, text: &str) -> Option<String> {
    const MAY: &[&str] = &["crates/cms-domain/", "crates/cms-storage/", "xtask/"];
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_looked_at = !shown.contains("/tests/") && !MAY.iter().any(|may| shown.starts_with(may));
    (is_looked_at && code.contains("ValidJson::from_stored(")).then(|| format!("{shown}: data is checked by `cms_domain::field::validate`"))
}

/// Whoever is nobody yet may do something because of what they brought. One place knows what that can be.
fn vouches(shown: &str, text: &str) -> Option<String> {
    const MAY: &[&str] = &["cms-accounts/src/vouched.rs", "cms-core/src/testing.rs"];
    calls(shown, text, MAY, &["System.permit(", "System.permit_owned("])
        .then(|| format!("{shown}: ask for a permit with `cx.permit()`, or say by what the server vouches (`vouched.rs`)"))
}

/// Whether a file of the frame or of an area calls something outside of its tests that only tasks and some files may.
fn calls(shown: &str, text: &str, may: &[&str], calls: &[&str]) -> bool {
    const LOOKED_AT: [&str; 5] = ["cms-frame/src/", "cms-content/src/", "cms-media/src/", "cms-accounts/src/", "cms-core/src/"];
    let Some(file) = shown.strip_prefix("crates/").filter(|file| LOOKED_AT.iter().any(|folder| file.starts_with(folder))) else {
        return false;
    };
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_test = file.ends_with("/tests.rs");
    !is_test && !file.starts_with("cms-core/src/tasks/") && !may.contains(&file) && calls.iter().any(|call| code.contains(call))
}

/// How many string literals of a file of `cms-storage` begin a statement.
fn statements(shown: &str, code: &str) -> usize {
    const BEGINNINGS: [&str; 5] = ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE ", "\"WITH "];
    const OF_TESTS: [&str; 4] = ["/tests.rs", "_tests.rs", "/testing.rs", "/fixtures.rs"];
    if !shown.starts_with("crates/cms-storage/src/") || OF_TESTS.iter().any(|end| shown.ends_with(end)) {
        return 0;
    }
    BEGINNINGS.iter().map(|beginning| code.matches(beginning).count()).sum()
}

pub(crate) fn rust_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules", "data"].contains(&name) {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
