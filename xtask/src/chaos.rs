//! The chaos test of the editor, over the server as it is built here.

use crate::{
    doors,
    shell::{command, root, run},
    tools, ui,
};

pub(crate) fn chaos(arguments: Vec<String>) -> anyhow::Result<()> {
    ui::ready()?;
    ui::build()?;
    tools::browser()?;
    let program = doors::program()?;
    run(command("node", &["chaos.mjs"]).args(arguments).env("CMS_BINARY", program).current_dir(root().join("tests/browser")))
}
