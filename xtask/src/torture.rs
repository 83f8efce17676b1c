//! The torture of a site, which the tests' crate knows how to do.

use crate::shell::{command, run};

pub(crate) fn torture(arguments: Vec<String>) -> anyhow::Result<()> {
    run(command("cargo", &["run", "--quiet", "--package", "cms-tests", "--example", "torture", "--"]).args(arguments))
}
