//! The looks of every screen, over the server as it is built here.

use std::fs;

use crate::{
    shell::{root, run},
    ui,
};

/// Compares the screens with the pictures that are kept, or keeps them as they are now.
pub(crate) fn pictures(bless: bool) -> anyhow::Result<()> {
    let mut journeys = ui::browse(&["--test", "screens.test.mjs", "pictures.test.mjs"])?;
    if bless {
        // A screen that is gone leaves no picture.
        fs::remove_dir_all(root().join("tests/browser/baseline"))?;
    }
    run(journeys.env("CMS_TEST_PICTURES", if bless { "bless" } else { "compare" }))
}
