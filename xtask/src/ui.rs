//! The admin application: built when its sources are newer than what is there, and checked.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::{Context, ensure};

use crate::{
    doors,
    shell::{command, output, root, run},
    tools,
};

pub(crate) const FOLDER: &str = "crates/cms-admin/ui";

/// The oldest Node that its tools run on.
const NODE: (u32, u32) = (20, 19);

/// Node and the packages that the application is made with.
pub(crate) fn ready() -> anyhow::Result<()> {
    tools::packages(FOLDER)?;
    let version = output(&mut command("node", &["--version"]))?;
    let mut numbers = version.trim().trim_start_matches('v').split('.').map_while(|number| number.parse::<u32>().ok());
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    ensure!(found >= NODE, "the admin application needs Node {}.{} or newer, and {} is installed", NODE.0, NODE.1, version.trim());
    Ok(())
}

/// Builds the application unless what is there is newer than all it is made of.
pub(crate) fn build() -> anyhow::Result<()> {
    let folder = root().join(FOLDER);
    let built = fs::metadata(folder.join("dist/index.html")).and_then(|page| page.modified()).ok();
    let changed = newest(&folder)?;
    if built.is_some_and(|built| built >= changed) {
        return Ok(());
    }
    run(npm(&["run", "build"]).current_dir(folder)).context("the admin application cannot be built")
}

/// Types, lints, that every text is in the catalogs, and the tests of what needs no page.
pub(crate) fn check() -> anyhow::Result<()> {
    run(npm(&["run", "check"]).current_dir(root().join(FOLDER)))?;
    run(npm(&["test"]).current_dir(root().join(FOLDER)))
}

/// The tests of parts of it in a browser.
pub(crate) fn check_in_browser() -> anyhow::Result<()> {
    run(npm(&["run", "test:browser"]).current_dir(root().join(FOLDER)))
}

pub(crate) fn npm(arguments: &[&str]) -> Command {
    command("npm", &[&["--silent"], arguments].concat())
}

/// When the newest source of the application was changed. What its own build writes does not count.
fn newest(folder: &Path) -> anyhow::Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for path in sources(folder)? {
        newest = newest.max(fs::metadata(path)?.modified()?);
    }
    Ok(newest)
}

fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_written = ["node_modules", "dist", "schema.d.ts", "routeTree.gen.ts"].contains(&name)
            || name.starts_with('.')
            || (folder.ends_with("locales") && path.extension().is_some_and(|extension| extension == "ts"));
        if is_written {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// Node in the folder of the browser tests, over the server as it is built here.
pub(crate) fn browse(arguments: &[&str]) -> anyhow::Result<Command> {
    ready()?;
    build()?;
    tools::browser()?;
    let program = doors::program()?;
    let mut node = command("node", arguments);
    node.env("CMS_BINARY", program).current_dir(root().join("tests/browser"));
    Ok(node)
}
