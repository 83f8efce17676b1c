//! Backup archives: a dump of the database in one compressed file, and what it was made by.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};
use cms_domain::time::Timestamp;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};

/// The version of the archive's form.
const FORMAT: u32 = 1;
/// The file that says what the archive is. It is the first, so that reading it needs no more.
const ABOUT: &str = "backup.json";

/// What an archive is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct About {
    format: String,
    format_version: u32,
    /// The version of the program that made it.
    pub(crate) version: String,
    /// When it was made.
    pub(crate) created_at: Timestamp,
}

impl About {
    const NAME: &'static str = "cms-backup";

    pub(crate) fn now(created_at: Timestamp) -> Self {
        Self { format: Self::NAME.to_owned(), format_version: FORMAT, version: env!("CARGO_PKG_VERSION").to_owned(), created_at }
    }
}

/// Packs the files of a folder.
pub(crate) fn pack(folder: &Path, about: &About, out: impl Write) -> anyhow::Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(out, Compression::fast()));
    let text = serde_json::to_vec_pretty(about)?;
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(about.created_at.milliseconds() / 1000).unwrap_or(0));
    archive.append_data(&mut header, ABOUT, text.as_slice())?;
    let mut files: Vec<_> = std::fs::read_dir(folder)?.map(|file| file.map(|file| file.file_name())).collect::<Result<_, _>>()?;
    files.sort();
    for file in files {
        archive.append_path_with_name(folder.join(&file), &file)?;
    }
    archive.into_inner()?.finish()?.flush()?;
    Ok(())
}

/// Unpacks an archive into an empty folder. Anything but plain files with plain names is damage.
pub(crate) fn unpack(archive: &Path, folder: &Path) -> anyhow::Result<About> {
    let name = || format!("`{}`", archive.display());
    let file = File::open(archive).with_context(|| format!("cannot read {}", name()))?;
    let mut reader = tar::Archive::new(GzDecoder::new(io::BufReader::new(file)));
    let mut about = None;
    for entry in reader.entries().with_context(|| damaged(&name()))? {
        let mut entry = entry.with_context(|| damaged(&name()))?;
        let path = entry.path()?.into_owned();
        let is_plain = entry.header().entry_type().is_file() && path.file_name() == Some(path.as_os_str());
        if !is_plain {
            bail!("{}: `{}` is not one of its files", damaged(&name()), path.display());
        }
        if path.as_os_str() == OsStr::new(ABOUT) {
            let mut text = Vec::new();
            entry.read_to_end(&mut text).with_context(|| damaged(&name()))?;
            about = Some(understood(&text).with_context(name)?);
        } else if about.is_none() {
            bail!("{} is not a backup", name());
        } else {
            let mut file = File::create_new(folder.join(&path)).with_context(|| damaged(&name()))?;
            io::copy(&mut entry, &mut file).with_context(|| damaged(&name()))?;
        }
    }
    // The end of the compressed file has its checksum: read up to it.
    io::copy(&mut reader.into_inner(), &mut io::sink()).with_context(|| damaged(&name()))?;
    about.with_context(|| format!("{} is not a backup", name()))
}

fn understood(text: &[u8]) -> anyhow::Result<About> {
    let about: About = serde_json::from_slice(text).context("it is not a backup, or one of a newer version")?;
    if about.format != About::NAME || about.format_version > FORMAT {
        bail!("it is a backup of a newer version, {}", about.version);
    }
    Ok(about)
}

fn damaged(name: &str) -> String {
    format!("{name} is damaged, or not a backup")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.ndjson"), "{}\n".repeat(10_000)).unwrap();
        std::fs::write(folder.path().join("manifest.json"), "{}").unwrap();
        let mut bytes = Vec::new();
        pack(folder.path(), &About::now(Timestamp::from_milliseconds(0)), &mut bytes).unwrap();
        bytes
    }

    fn unpacked(bytes: &[u8]) -> anyhow::Result<About> {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        std::fs::write(&archive, bytes).unwrap();
        let files = tempfile::tempdir().unwrap();
        let about = unpack(&archive, files.path())?;
        assert_eq!(std::fs::read_to_string(files.path().join("a.ndjson")).unwrap(), "{}\n".repeat(10_000));
        Ok(about)
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        assert_eq!(unpacked(&packed()).unwrap(), About::now(Timestamp::from_milliseconds(0)));
    }

    #[test]
    fn an_archive_that_is_cut_anywhere_is_refused() {
        let bytes = packed();
        for end in (0..bytes.len()).step_by(7) {
            assert!(unpacked(&bytes[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn an_archive_with_a_changed_byte_is_refused_or_still_says_the_same() {
        // The first ten bytes are the compressed file's head: a date and a system that mean nothing.
        let bytes = packed();
        let mut refused = 0;
        for place in (10..bytes.len()).step_by(5) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            // Some changes spell the same text in another way.
            match unpacked(&changed) {
                Ok(about) => assert_eq!(about, About::now(Timestamp::from_milliseconds(0)), "changed at {place}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > bytes.len() / 10, "{refused} of {} were refused", bytes.len() / 5);
    }

    #[test]
    fn a_file_of_another_kind_is_not_a_backup() {
        assert!(unpacked(b"hello").is_err());
        assert!(unpacked(b"").is_err());
    }
}
