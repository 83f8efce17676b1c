//! The server on SQLite in ./data, built as it is shipped, with the admin application in it.

use crate::{
    shell::{command, run},
    ui,
};

pub(crate) fn serve(listen: &str) -> anyhow::Result<()> {
    ui::ready()?;
    ui::build()?;
    run(&mut command("cargo", &["build", "--release", "--package", "cms-server"]))?;
    std::fs::create_dir_all(crate::shell::root().join("data"))?;
    run(&mut command("target/release/cms", &["serve", "--listen", listen]))
}
