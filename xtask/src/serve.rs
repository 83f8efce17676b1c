//! The server on SQLite in ./data, built as it is shipped.

use crate::shell::{command, run};

pub(crate) fn serve(listen: &str) -> anyhow::Result<()> {
    run(&mut command("cargo", &["build", "--release", "--package", "cms-server"]))?;
    std::fs::create_dir_all(crate::shell::root().join("data"))?;
    run(&mut command("target/release/cms", &["serve", "--listen", listen]))
}
