//! The looks of every screen, over the server as it is built here.

use std::fs;

use crate::{
    doors,
    shell::{command, root, run},
    tools, ui,
};

/// Compares the screens with the pictures that are kept, or keeps them as they are now.
pub(crate) fn pictures(bless: bool) -> anyhow::Result<()> {
    ui::ready()?;
    ui::build()?;
    tools::browser()?;
    let program = doors::program()?;
    let asked = if bless { "bless" } else { "compare" };
    let folder = root().join("tests/browser");
    if bless {
        // A screen that is gone leaves no picture.
        fs::remove_dir_all(folder.join("baseline"))?;
    }
    let mut journeys = command("node", &["--test", "screens.test.mjs", "pictures.test.mjs"]);
    run(journeys.env("CMS_BINARY", program).env("CMS_TEST_PICTURES", asked).current_dir(folder))
}
