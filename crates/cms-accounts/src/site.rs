//! What the site is called, and what it is about.

use cms_domain::access::{Permit, to};
use cms_frame::Error;
use cms_storage::{Reader, SettingWriter};

/// Setting: what the site is called.
const TITLE: &str = "site_title";
/// Setting: what the site is about.
const TAGLINE: &str = "site_tagline";

/// What the site is called; none until somebody has named it.
pub(crate) async fn title(reader: Reader<'_>) -> Result<Option<String>, Error> {
    Ok(reader.settings().get(TITLE).await?.filter(|title| !title.trim().is_empty()))
}

/// Names the site, and says what it is about or takes that back.
pub(crate) async fn name(
    settings: SettingWriter<'_>,
    permit: &Permit<to::KeepSettings>,
    title: &str,
    tagline: Option<&str>,
) -> Result<(), Error> {
    settings.set(permit, TITLE, title.trim()).await?;
    match tagline {
        Some(tagline) => settings.set(permit, TAGLINE, tagline).await?,
        None => drop(settings.remove(permit, TAGLINE).await?),
    }
    Ok(())
}
