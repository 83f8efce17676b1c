//! What of operations is compiled into a door: nothing. They are data there.

use std::process::Stdio;

use anyhow::{Context, bail, ensure};
use cargo_metadata::{Message, camino::Utf8PathBuf};

use crate::shell::{command, output};

/// The crates that read operations as data.
const DOORS: [&str; 2] = ["cms_http_api", "cms_mcp"];
/// What stands in the name of each function that is a part of what an operation does.
const BODY: &str = "as cms_core::operation::Operation>::run";

/// Lists the functions of operations in the object code of each door, and fails when there are any.
pub(crate) fn doors() -> anyhow::Result<()> {
    let libraries = libraries()?;
    ensure!(libraries.len() == DOORS.len(), "cargo built {libraries:?} and not {DOORS:?}");
    let mut found = 0;
    for library in libraries {
        let listed = output(command("nm", &["--demangle", "--defined-only", library.as_str()]).stderr(Stdio::null()))
            .context("`nm` reads object code: it comes with the C compiler")?;
        ensure!(listed.contains("cms_"), "`nm` found nothing of ours in {library}");
        let bodies = listed.lines().filter(|line| line.contains(BODY));
        for body in bodies {
            println!("{}: {body}", library.file_name().unwrap_or_default());
            found += 1;
        }
    }
    if found > 0 {
        bail!(
            "{found} functions of operations are compiled into a door: whatever calls them is generic over operations outside of cms-core"
        );
    }
    println!("no operation is compiled into {}", DOORS.join(" or "));
    Ok(())
}

/// The libraries of the doors, as cargo built them.
fn libraries() -> anyhow::Result<Vec<Utf8PathBuf>> {
    let built = output(&mut command("cargo", &["build", "--quiet", "--package", "cms-server", "--message-format=json"]))?;
    let mut libraries = Vec::new();
    for message in Message::parse_stream(built.as_bytes()) {
        if let Message::CompilerArtifact(artifact) = message?
            && DOORS.contains(&artifact.target.name.as_str())
        {
            libraries.extend(artifact.filenames.into_iter().filter(|file| file.extension() == Some("rlib")));
        }
    }
    Ok(libraries)
}
