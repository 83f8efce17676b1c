//! Mutation tests of what decides: a change of a rule that no test of its crate notices is a rule that nothing holds.

use anyhow::Context;

use crate::{
    shell::{command, run},
    tools,
};

/// The crates that decide without a machine, and the files of each that do.
const DECIDING: &[(&str, &[&str])] = &[
    ("cms-domain", &["crates/cms-domain/src/access.rs", "crates/cms-domain/src/entry.rs", "crates/cms-domain/src/field/**"]),
    ("cms-auth", &["crates/cms-auth/src/**"]),
];

/// Runs the tests of one crate, and of no other, against every mutant of its files. What survives is listed in
/// `target/mutants.out`; what may, and why, in `.cargo/mutants.toml`.
pub(crate) fn mutants(name: &str, files: Vec<String>) -> anyhow::Result<()> {
    let (_, deciding) = DECIDING.iter().find(|(listed, _)| *listed == name).with_context(|| {
        let names: Vec<_> = DECIDING.iter().map(|(listed, _)| *listed).collect();
        format!("`{name}` is not one of the crates whose mutants are tested: {}", names.join(", "))
    })?;
    tools::needed_cargo_tool(tools::MUTANTS)?;
    let files = if files.is_empty() { deciding.iter().map(ToString::to_string).collect() } else { files };
    // One at a time: each is a build, which uses all of the machine already.
    let mut mutants = command("cargo", &["mutants", "--package", name, "--jobs", "1", "--no-shuffle", "--output", "target"]);
    for file in &files {
        mutants.args(["--file", file]);
    }
    // All tests run for each: what only very many random cases notice, nothing claims. And nobody debugs a mutant.
    mutants.envs([("PROPTEST_CASES", "48"), ("PROPTEST_MAX_SHRINK_ITERS", "0")]);
    mutants.envs([("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_PROFILE_TEST_DEBUG", "0")]);
    run(mutants.args(["--", "--lib"]))
}
