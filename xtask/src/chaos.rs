//! The chaos test of the editor, over the server as it is built here.

use crate::{shell::run, ui};

pub(crate) fn chaos(arguments: Vec<String>) -> anyhow::Result<()> {
    run(ui::browse(&["chaos.mjs"])?.args(arguments))
}
