//! Makes the table of the application's files out of `ui/dist`, where its own build left them, compressed copies included.

use std::{
    env, fs,
    io::{Error, Result},
    path::{Path, PathBuf},
};

fn main() -> Result<()> {
    let dist = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("ui/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let index = dist.join("index.html");
    let table = if index.is_file() {
        let files: Vec<String> = files(&dist.join("assets"))?.iter().map(|path| entry(&dist, path)).chain(beside(&dist)).collect();
        format!("Some(Built {{ index: include_str!({:?}), files: &[\n{}] }})", shown(&index), files.concat())
    } else {
        "None".to_owned()
    };
    fs::write(Path::new(&variable("OUT_DIR")?).join("built.rs"), format!("const BUILT: Option<Built> = {table};\n"))
}

fn variable(name: &str) -> Result<String> {
    #[expect(clippy::disallowed_methods, reason = "cargo speaks to a build script by its environment")]
    env::var(name).map_err(Error::other)
}

/// The files of a folder that are not copies of others.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| !matches!(path.extension().and_then(|extension| extension.to_str()), Some("br" | "gz" | "map")));
    files.sort();
    Ok(files)
}

/// What stands beside the page: its icon, and the licenses of what others wrote.
fn beside(dist: &Path) -> impl Iterator<Item = String> {
    let files = ["favicon.svg", "licenses.txt"].map(|name| dist.join(name));
    files.into_iter().filter(|file| file.is_file()).map(|file| entry(dist, &file))
}

/// A line of the table. A file without a compressed copy is not worth compressing.
fn entry(dist: &Path, path: &Path) -> String {
    let name = path.strip_prefix(dist).unwrap_or(path).display().to_string();
    let copy = |extension: &str| {
        let copy = PathBuf::from(format!("{}.{extension}", path.display()));
        if copy.is_file() { format!("Some(include_bytes!({:?}))", shown(&copy)) } else { "None".to_owned() }
    };
    format!("File {{ name: {name:?}, plain: include_bytes!({:?}), brotli: {}, gzip: {} }},\n", shown(path), copy("br"), copy("gz"))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
