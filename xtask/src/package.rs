//! The crates as others would get them: what each says of itself, what its package holds, and whether all of them could be published.

use anyhow::{Context, ensure};
use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};

use crate::{
    shell::{command, output, root, run},
    ui,
};

/// What every package holds besides sources.
const ALWAYS: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Packs every crate that others can have, as if it were published now. With `verify` each is compiled as its package has it, all dependencies included.
pub(crate) fn package(verify: bool) -> anyhow::Result<()> {
    // It is in the package of `cms-admin` as it was built: who installs the server has no Node.
    ui::ready()?;
    ui::build()?;
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().context("cargo metadata")?;
    let mut problems = unfit(&metadata);
    for package in published(&metadata) {
        let name = package.name.as_str();
        let listed = output(&mut command("cargo", &["package", "--package", name, "--list", "--allow-dirty", "--locked", "--quiet"]))?;
        let needed = ALWAYS.into_iter().chain((name == "cms-admin").then_some("ui/dist/index.html"));
        problems
            .extend(needed.filter(|file| !listed.lines().any(|line| line == *file)).map(|file| format!("{name} is packed without {file}")));
        println!("{name}: {} files", listed.lines().count());
    }
    ensure!(problems.is_empty(), "package:\n  {}", problems.join("\n  "));
    let mut publish = command("cargo", &["publish", "--workspace", "--dry-run", "--allow-dirty", "--locked", "--quiet"]);
    if !verify {
        publish.arg("--no-verify");
    }
    run(&mut publish)?;
    println!("package: every crate can be published");
    Ok(())
}

/// The crates that others can have. What is for tests and tasks says `publish = false`.
fn published(metadata: &Metadata) -> impl Iterator<Item = &Package> {
    metadata.workspace_packages().into_iter().filter(|package| package.publish.is_none())
}

/// What keeps crates from being published.
pub(crate) fn unfit(metadata: &Metadata) -> Vec<String> {
    published(metadata).flat_map(|package| lacks(package).into_iter().chain(needs(metadata, package))).collect()
}

/// What a package does not say of itself.
fn lacks(package: &Package) -> Vec<String> {
    let is_there = |file: &&str| package.manifest_path.with_file_name(file).is_file();
    let says = [
        ("a description", package.description.as_ref().is_some_and(|text| !text.is_empty())),
        ("a license", package.license.is_some()),
        ("a rust-version", package.rust_version.is_some()),
        ("keywords", !package.keywords.is_empty()),
        ("categories", !package.categories.is_empty()),
        ("a readme", package.readme.is_some()),
    ];
    let unsaid = says.into_iter().filter(|(_, said)| !said).map(|(what, _)| what);
    let missing = ALWAYS.into_iter().filter(|file| !is_there(file));
    unsaid.chain(missing).map(|what| format!("{} has no {}", package.name, what.trim_start_matches("a "))).collect()
}

/// What a package asks of the other crates, where nobody could give it: they fit each other at one version alone, and those that it needs for its
/// tests are not in it, or crates would wait for each other to be published first.
fn needs(metadata: &Metadata, package: &Package) -> Vec<String> {
    let members = metadata.workspace_packages();
    let unfit = |dependency: &Dependency| {
        let used = members.iter().find(|member| member.name.as_str() == dependency.name)?;
        let asked = dependency.req.to_string();
        let problem = match dependency.kind {
            DependencyKind::Development if asked != "*" => "name it by its path, without a version, where it is for tests alone".to_owned(),
            DependencyKind::Development => return None,
            _ if used.publish.is_some() => "it is not published".to_owned(),
            _ if asked != format!("={}", used.version) => format!("ask for version ={}", used.version),
            _ => return None,
        };
        Some(format!("{} uses {}: {problem}", package.name, used.name))
    };
    package.dependencies.iter().filter_map(unfit).collect()
}
