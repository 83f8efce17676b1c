//! What of operations is compiled into the doors and into the frame: nothing. They are data there.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, bail, ensure};
use cargo_metadata::{Artifact, Message};

use crate::shell::{command, output};

/// The crates that read operations as data: the doors, and the frame that they run in.
const READERS: [&str; 3] = ["cms_http_api", "cms_mcp", "cms_frame"];
/// Where operations are declared, and compiled.
const HOMES: [&str; 3] = ["cms_content", "cms_accounts", "cms_core"];
/// What stands in the name of each function that is a part of what an operation does.
const BODY: &str = "as cms_frame::operation::Operation>::run";

/// Lists the functions of operations in the object code of those that read operations as data, and fails when there are any.
pub(crate) fn doors() -> anyhow::Result<()> {
    let artifacts = artifacts()?;
    for home in HOMES {
        ensure!(
            !bodies(&artifacts, home)?.is_empty(),
            "no operation is found in {home} either: `nm` writes names in another way than it is looked for"
        );
    }
    let mut found = 0;
    for reader in READERS {
        for body in bodies(&artifacts, reader)? {
            println!("{reader}: {body}");
            found += 1;
        }
    }
    if found > 0 {
        bail!("{found} functions of operations are compiled where they are data: whatever calls them there is generic over operations");
    }
    println!("no operation is compiled into {}", READERS.join(", "));
    Ok(())
}

/// The functions of operations in a library.
fn bodies(artifacts: &[Artifact], name: &str) -> anyhow::Result<Vec<String>> {
    let files = artifacts.iter().filter(|artifact| artifact.target.name == name).flat_map(|artifact| &artifact.filenames);
    let library = files.into_iter().find(|file| file.extension() == Some("rlib")).with_context(|| format!("cargo built no {name}"))?;
    let listed = output(&mut command("nm", &["--demangle", "--defined-only", library.as_str()]))
        .context("`nm` reads object code: it comes with the C compiler")?;
    Ok(listed.lines().filter(|line| line.contains(BODY)).map(str::to_owned).collect())
}

/// The server as it was built, wherever cargo puts it.
pub(crate) fn program() -> anyhow::Result<PathBuf> {
    program_of(command("cargo", BUILD))
}

/// The server as a command like [`BUILD`] makes it.
pub(crate) fn program_of(build: Command) -> anyhow::Result<PathBuf> {
    let program = artifacts_of(build)?.into_iter().find_map(|artifact| artifact.executable).context("cargo built no program")?;
    Ok(program.into_std_path_buf())
}

/// What builds the server and says what of.
pub(crate) const BUILD: &[&str] = &["build", "--quiet", "--package", "cms-server", "--message-format=json"];

/// Everything that the server is built of.
fn artifacts() -> anyhow::Result<Vec<Artifact>> {
    artifacts_of(command("cargo", BUILD))
}

fn artifacts_of(mut build: Command) -> anyhow::Result<Vec<Artifact>> {
    let built = output(&mut build)?;
    let messages = Message::parse_stream(built.as_bytes()).collect::<Result<Vec<_>, _>>()?;
    Ok(messages
        .into_iter()
        .filter_map(|message| if let Message::CompilerArtifact(artifact) = message { Some(artifact) } else { None })
        .collect())
}
