//! Files that are written by the code they describe.

use std::{fs, path::Path};

use anyhow::{Context, ensure};

use crate::{
    doors,
    shell::{command, output, root},
};

/// Each generated file, and the command of the server that prints it.
const FILES: &[(&str, &[&str])] = &[
    ("docs/openapi.json", &["openapi"]),
    ("docs/tools.json", &["tools"]),
    ("crates/cms-admin/ui/openapi.json", &["openapi", "--internal"]),
    ("docs/errors.md", &["errors"]),
    ("docs/config.schema.json", &["config", "--schema"]),
];

pub(crate) fn codegen(check: bool) -> anyhow::Result<()> {
    let mut stale = Vec::new();
    for (file, printed) in printed(&doors::program()?)? {
        let path = root().join(file);
        if fs::read_to_string(&path).unwrap_or_default() == printed {
            continue;
        }
        stale.push(file);
        if !check {
            write(&path, &printed)?;
            println!("wrote {file}");
        }
    }
    ensure!(!check || stale.is_empty(), "stale: {}; run `cargo xtask bless` and look at the diff", stale.join(", "));
    Ok(())
}

/// Writes the files of a server into a tree.
pub(crate) fn write_into(tree: &Path, program: &Path) -> anyhow::Result<()> {
    printed(program)?.into_iter().try_for_each(|(file, printed)| write(&tree.join(file), &printed))
}

/// Whether a file is written by the code.
pub(crate) fn is_generated(file: &str) -> bool {
    FILES.iter().any(|(generated, _)| *generated == file)
}

/// What a server prints for each file.
fn printed(program: &Path) -> anyhow::Result<Vec<(&'static str, String)>> {
    let program = program.display().to_string();
    let print = |(file, arguments): &(&'static str, &[&str])| {
        // An operator's own configuration must not show in the contract.
        let printed = output(command(&program, arguments).env_clear().current_dir(std::env::temp_dir()));
        Ok((*file, printed.with_context(|| format!("cannot write {file}"))?))
    };
    FILES.iter().map(print).collect()
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}
