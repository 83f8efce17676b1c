//! A resource costs little: the steps of CONTRIBUTING, followed by a machine with the files of a toy.
//!
//! The steps are patches that the section shows to people. New files are kept in `tests/fixtures/toy`, where they are in the tree; lines are in the patches
//! themselves. What names a migration has `NNNN` for its number, which is the next one.

use std::{collections::BTreeMap, ffi::OsStr, fs, os::unix::fs::symlink, path::Path};

use anyhow::{Context, bail, ensure};

use crate::{
    codegen, doors,
    shell::{command, files, root, run},
    tools, ui,
};

/// The section of CONTRIBUTING that has the steps.
const SECTION: &str = "## A new resource";
/// Where the files of the toy are.
const FIXTURES: &str = "tests/fixtures/toy";
/// What stands for the number of the next migration.
const NUMBER: &str = "NNNN";
/// The most that a resource may take.
const MOST: Cost = Cost { files: 6, lines: 6 };

/// A step of CONTRIBUTING.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// A new file.
    File(String),
    /// Lines of a file that is there.
    Lines { file: String, patch: Vec<Line> },
}

/// A line of a patch.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// It is there, and stays.
    Kept(String),
    /// It is new.
    Added(String),
}

/// What a resource takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cost {
    files: usize,
    lines: usize,
}

/// The steps that CONTRIBUTING shows, with the number of the next migration.
fn steps(contributing: &str, number: &str) -> anyhow::Result<Vec<Step>> {
    let (_, section) = contributing.split_once(SECTION).with_context(|| format!("CONTRIBUTING has no section `{SECTION}`"))?;
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut steps = Vec::new();
    // Blocks stand in a list, as far from the margin as its text.
    let section = section.replace("\n   ", "\n");
    for block in section.split("```diff\n").skip(1) {
        let (block, _) = block.split_once("```").context("a block of a step does not end")?;
        steps.push(step(&block.replace(NUMBER, number))?);
    }
    Ok(steps)
}

/// The step of a block: `+++` names a new file, `---` one that is there.
fn step(block: &str) -> anyhow::Result<Step> {
    let (head, patch) = block.split_once('\n').context("a block of a step is empty")?;
    if let Some(file) = head.strip_prefix("+++ ") {
        ensure!(patch.is_empty(), "{file}: a new file comes whole");
        return Ok(Step::File(file.to_owned()));
    }
    let file = head.strip_prefix("--- ").with_context(|| format!("`{head}` names no file"))?.to_owned();
    let lines = patch.lines().map(|line| match (line.strip_prefix('+'), line.strip_prefix(' ')) {
        (Some(added), _) => Ok(Line::Added(added.to_owned())),
        (_, Some(kept)) => Ok(Line::Kept(kept.to_owned())),
        _ if line.is_empty() => Ok(Line::Kept(String::new())),
        _ => bail!("{file}: `{line}` is neither added nor kept"),
    });
    let patch = lines.collect::<Result<_, _>>()?;
    Ok(Step::Lines { file, patch })
}

/// What steps take.
fn cost(steps: &[Step]) -> Cost {
    let is_added = |line: &&Line| matches!(line, Line::Added(_));
    steps.iter().fold(Cost { files: 0, lines: 0 }, |cost, step| match step {
        Step::File(_) => Cost { files: cost.files + 1, ..cost },
        Step::Lines { patch, .. } => Cost { lines: cost.lines + patch.iter().filter(is_added).count(), ..cost },
    })
}

/// Puts what `after` has where a text has what `before` has, which it has once.
fn replaced(file: &str, text: &str, before: &str, after: &str) -> anyhow::Result<String> {
    // Whole lines: one that only ends or begins alike is another one.
    let text = format!("\n{text}");
    // The end of one line is the beginning of the next, so that two may have it in common.
    let found = text.match_indices('\n').filter(|(at, _)| text[*at..].starts_with(before)).count();
    match found {
        1 => Ok(text.replacen(before, after, 1)[1..].to_owned()),
        _ => bail!("{file} has these lines {found} times, and CONTRIBUTING says once:{before}"),
    }
}

/// The lines of a patch, with those that are added or without.
fn side(patch: &[Line], added: bool) -> String {
    let lines = patch.iter().filter_map(|line| match line {
        Line::Kept(kept) => Some(kept),
        Line::Added(line) => added.then_some(line),
    });
    lines.fold("\n".to_owned(), |text, line| text + line + "\n")
}

/// Follows the steps in a tree.
fn follow(steps: &[Step], tree: &Path, number: &str) -> anyhow::Result<()> {
    for step in steps {
        match step {
            Step::File(file) => {
                let fixture = root().join(FIXTURES).join(file.replace(number, NUMBER));
                let text = fs::read_to_string(&fixture).with_context(|| format!("cannot read {}", fixture.display()))?;
                let path = tree.join(file);
                ensure!(!path.exists(), "{file} is there already");
                fs::write(path, text.replace(NUMBER, number))?;
            }
            Step::Lines { file, patch } => edit(tree, file, &side(patch, false), &side(patch, true))?,
        }
    }
    Ok(())
}

/// Takes the steps back.
fn take_back(steps: &[Step], tree: &Path) -> anyhow::Result<()> {
    for step in steps {
        match step {
            Step::File(file) => fs::remove_file(tree.join(file))?,
            Step::Lines { file, patch } => edit(tree, file, &side(patch, true), &side(patch, false))?,
        }
    }
    Ok(())
}

fn edit(tree: &Path, file: &str, before: &str, after: &str) -> anyhow::Result<()> {
    let path = tree.join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
    Ok(fs::write(path, replaced(file, &text, before, after)?)?)
}

/// The number of the next migration.
fn next_number() -> anyhow::Result<String> {
    let names = fs::read_dir(root().join("migrations/src"))?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names = names.collect::<anyhow::Result<Vec<_>>>()?;
    let numbers = names.iter().filter_map(|name| name.strip_prefix('m')?.get(..4)?.parse::<u32>().ok());
    Ok(format!("{:04}", numbers.max().unwrap_or_default() + 1))
}

/// Copies the tree. Files keep the times at which they were changed, by which cargo knows what it has built.
fn copy(to: &Path) -> anyhow::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    for file in files()? {
        let (from, to) = (root().join(&file), to.join(&file));
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(&from, &to)?;
        fs::File::options().write(true).open(&to)?.set_modified(fs::metadata(&from)?.modified()?)?;
    }
    Ok(())
}

/// Gives the crates of a copy another version. Cargo names what it builds by the version and by the place in the workspace: with the same version it would
/// take what is built of the copy for what is built here.
fn set_apart(tree: &Path) -> anyhow::Result<()> {
    const VERSION: &str = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n");
    // What is behind the plus decides nothing: crates that ask for the version get it.
    const APART: &str = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "+toy\"\n");
    edit(tree, "Cargo.toml", VERSION, APART)
}

/// What is in the files of a tree, by their names. Whoever goes on writing here meanwhile changes nothing of the copy.
type Contents = BTreeMap<String, Vec<u8>>;

fn contents(tree: &Path) -> anyhow::Result<Contents> {
    files()?.into_iter().filter(|file| tree.join(file).is_file()).map(|file| Ok((file.clone(), fs::read(tree.join(file))?))).collect()
}

/// The files of a tree that are not as they were.
fn differing(tree: &Path, before: &Contents) -> Vec<String> {
    let is_other = |(file, content): &(&String, &Vec<u8>)| fs::read(tree.join(file)).ok().as_ref() != Some(*content);
    before.iter().filter(is_other).map(|(file, _)| file.clone()).collect()
}

/// Follows the steps with a copy of the tree, builds and tests it, and takes them back.
pub(crate) fn toy() -> anyhow::Result<()> {
    let number = next_number()?;
    let steps = steps(&fs::read_to_string(root().join("CONTRIBUTING.md"))?, &number)?;
    let Cost { files, lines } = cost(&steps);
    println!("a resource takes {files} files and {lines} lines elsewhere");
    ensure!(files <= MOST.files && lines <= MOST.lines, "that is more than {} files and {} lines", MOST.files, MOST.lines);

    let tree = root().join("target/toy");
    copy(&tree)?;
    let before = contents(&tree)?;
    set_apart(&tree)?;
    follow(&steps, &tree, &number)?;
    bless(&tree)?;
    test(&tree)?;
    application(&tree)?;

    take_back(&steps, &tree)?;
    for file in ["Cargo.toml", "Cargo.lock"] {
        fs::write(tree.join(file), &before[file])?;
    }
    let left = differing(&tree, &before);
    let unexplained: Vec<_> = left.iter().filter(|file| !is_generated(file)).collect();
    ensure!(unexplained.is_empty(), "what the steps took back left a difference: {unexplained:?}");
    println!("taken back, and all is as before but for what is written by itself: {}", left.join(", "));
    Ok(())
}

/// A cargo command in the copy, which has the dependencies that are built here. Only what is in the workspace is built once more, at its other address.
fn cargo(tree: &Path, arguments: &[&str]) -> std::process::Command {
    let mut cargo = command("cargo", arguments);
    cargo.current_dir(tree).env("CARGO_TARGET_DIR", root().join("target"));
    cargo
}

/// Writes what the code writes: contracts, and the table of who may do what.
fn bless(tree: &Path) -> anyhow::Result<()> {
    let program = doors::program_of(cargo(tree, doors::BUILD))?;
    codegen::write_into(tree, &program)?;
    run(tests(tree, &["cms-testkit"], &["--test", "contract"]).env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1"))?;
    for file in ["docs/openapi.json", "docs/tools.json", "crates/cms-testkit/tests/snapshots/contract__access_matrix.snap"] {
        let text = fs::read_to_string(tree.join(file))?;
        ensure!(text.contains("sticker"), "{file} does not know the resource");
    }
    Ok(())
}

/// Tests of some packages. The server is always among what is built, since with it the dependencies have the features that they have in the whole workspace,
/// and are not built once more.
fn tests(tree: &Path, packages: &[&str], targets: &[&str]) -> std::process::Command {
    let mut tests = cargo(tree, &["test", "--quiet", "--package", "cms-server"]);
    tests.args(packages.iter().flat_map(|package| ["--package", package])).args(targets);
    tests
}

/// The tests of the resource, and those that walk the catalog with it, on both databases.
fn test(tree: &Path) -> anyhow::Result<()> {
    let postgres = tools::test_postgres()?;
    let tests = |packages: &[&str], targets: &[&str]| {
        // What walks the catalog stops at the resource, and has looked at the other operations elsewhere.
        run(tests(tree, packages, targets).env("TEST_DATABASE_URL", &postgres).env("CMS_TEST_OPERATIONS", "sticker."))
    };
    tests(&["cms-testkit"], &["--test", "parity"])?;
    tests(&["cms-content"], &["--test", "content", "--", "stickers::"])?;
    tests(&["cms-domain", "cms-storage"], &["--lib", "--", "sticker", "every_table_is_dumped_whole_or_derived"])
}

/// The admin application with the screen: types, lints, texts, and a place in the navigation.
fn application(tree: &Path) -> anyhow::Result<()> {
    let folder = tree.join(ui::FOLDER);
    ui::ready()?;
    symlink(root().join(ui::FOLDER).join("node_modules"), folder.join("node_modules"))?;
    run(ui::npm(&["run", "extract"]).current_dir(&folder))?;
    translate(&folder)?;
    run(ui::npm(&["run", "check"]).current_dir(&folder))?;
    let routes = fs::read_to_string(folder.join("src/routeTree.gen.ts"))?;
    ensure!(routes.contains("'/stickers'") || routes.contains("\"/stickers\""), "no address leads to the screen");
    Ok(())
}

/// What the toy's texts are in each language: by words, then by language.
fn translations() -> anyhow::Result<BTreeMap<String, BTreeMap<String, String>>> {
    Ok(serde_json::from_slice(&fs::read(root().join(FIXTURES).join("translations.json"))?)?)
}

/// The languages that a copy of the application is translated into: all that have a catalog but the one that it is written in.
fn languages(folder: &Path) -> anyhow::Result<Vec<String>> {
    let files = fs::read_dir(folder.join("src/locales"))?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let files = files.collect::<anyhow::Result<Vec<_>>>()?;
    let languages = files.iter().filter_map(|file| file.strip_suffix(".po")).filter(|language| *language != "en");
    Ok(languages.map(str::to_owned).collect())
}

/// Puts translations where the catalogs have none, as those do who speak the languages.
fn translate(folder: &Path) -> anyhow::Result<()> {
    let known = translations()?;
    for language in languages(folder)? {
        let path = folder.join(format!("src/locales/{language}.po"));
        let mut text = fs::read_to_string(&path)?;
        for (words, translations) in &known {
            let translation = translations.get(&language).with_context(|| format!("`{words}` is not translated into {language}"))?;
            text = text.replace(&format!("msgid \"{words}\"\nmsgstr \"\"\n"), &format!("msgid \"{words}\"\nmsgstr \"{translation}\"\n"));
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// Whether a file is written by what it describes, or, as catalogs are, by what looks for texts.
fn is_generated(file: &str) -> bool {
    let is_written = |extension: &OsStr| extension == "snap" || extension == "po";
    codegen::is_generated(file) || Path::new(file).extension().is_some_and(is_written)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_steps_for_a_new_resource_can_be_followed_and_taken_back_and_are_few() {
        let contributing = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
        let number = next_number().unwrap();
        let steps = steps(&contributing, &number).unwrap();
        let Cost { files, lines } = cost(&steps);
        assert!((1..=MOST.files).contains(&files) && (1..=MOST.lines).contains(&lines), "{files} files, {lines} lines");

        let tree = tempfile::tempdir().unwrap();
        copy(tree.path()).unwrap();
        let before = contents(tree.path()).unwrap();
        assert!(before.len() > 100, "{} files", before.len());
        follow(&steps, tree.path(), &number).unwrap();
        let changed = differing(tree.path(), &before).len();
        let edited = steps.iter().filter(|step| matches!(step, Step::Lines { .. })).count();
        assert!((1..=edited).contains(&changed), "{changed} files have changed in {edited} steps");
        take_back(&steps, tree.path()).unwrap();
        assert_eq!(differing(tree.path(), &before), [""; 0]);
        for step in &steps {
            let Step::File(file) = step else { continue };
            assert!(!tree.path().join(file).exists(), "{file} is left");
        }
    }

    #[test]
    fn every_file_of_the_toy_is_in_a_step() {
        let steps = steps(&fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap(), NUMBER).unwrap();
        let named: BTreeSet<_> = steps.into_iter().filter_map(|step| if let Step::File(file) = step { Some(file) } else { None }).collect();
        let kept = files().unwrap().into_iter().filter_map(|file| file.strip_prefix(FIXTURES)?.strip_prefix('/').map(str::to_owned));
        assert_eq!(kept.filter(|file| file != "translations.json").collect::<BTreeSet<_>>(), named);
    }

    #[test]
    fn the_toys_screen_uses_what_the_application_has_and_speaks_its_languages() {
        let folder = root().join(ui::FOLDER);
        let languages = languages(&folder).unwrap();
        assert!(languages.len() > 1, "{languages:?}");
        for (words, translations) in translations().unwrap() {
            assert_eq!(translations.into_keys().collect::<BTreeSet<_>>(), languages.iter().cloned().collect(), "{words}");
        }
        let screen = fs::read_to_string(root().join(FIXTURES).join(ui::FOLDER).join("src/routes/_shell/stickers.tsx")).unwrap();
        let modules: Vec<_> = screen.split("\"~/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(!modules.is_empty());
        for module in modules {
            let is_there = ["ts", "tsx"].iter().any(|extension| folder.join("src").join(format!("{module}.{extension}")).is_file());
            assert!(is_there, "the application has no {module}");
        }
    }

    #[test]
    fn lines_that_are_not_where_a_step_says_are_told() {
        let patch = |text: &str| step(text).unwrap();
        let Step::Lines { patch, .. } = patch("--- a.rs\n mod b;\n+mod c;\n") else { panic!("no lines") };
        let add = |text| replaced("a.rs", text, &side(&patch, false), &side(&patch, true));
        assert_eq!(add("mod a;\nmod b;\nmod d;\n").unwrap(), "mod a;\nmod b;\nmod c;\nmod d;\n");
        assert!(add("mod a;\npub mod b;\n").is_err());
        assert!(add("mod b;\nmod b;\n").is_err());
    }
}
