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

/// The version of the archive's form. The first one did not say how much room it takes, nor name the columns of the tables.
pub(crate) const FORMAT: u32 = 2;
/// The file that says what the archive is. It is the first, so that reading it needs no more.
const ABOUT: &str = "backup.json";
/// How much room unpacking leaves on a disk for whatever else lives there.
const MARGIN: u64 = 64 * MEGABYTE;
/// How much is unpacked before it is looked again whether there is room: asking takes some microseconds, writing this much some milliseconds.
const STEP: u64 = 8 * MEGABYTE;
/// How many bytes of [`ABOUT`] are read: what it says takes a few hundred.
const LONGEST_ABOUT: u64 = 64 * 1024;
const MEGABYTE: u64 = 1024 * 1024;

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
    /// How many bytes its files have when they are unpacked. The first version did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unpacked_bytes: Option<u64>,
}

impl About {
    const NAME: &'static str = "cms-backup";

    fn new(created_at: Timestamp, unpacked_bytes: u64) -> Self {
        Self {
            format: Self::NAME.to_owned(),
            format_version: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            created_at,
            unpacked_bytes: Some(unpacked_bytes),
        }
    }
}

/// Packs the files of a folder.
pub(crate) fn pack(folder: &Path, now: Timestamp, out: impl Write) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let file = file?;
        files.push((file.file_name(), file.metadata()?.len()));
    }
    files.sort();
    let about = About::new(now, files.iter().map(|(_, bytes)| bytes).sum());
    let mut archive = tar::Builder::new(GzEncoder::new(out, Compression::fast()));
    let text = serde_json::to_vec_pretty(&about)?;
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(now.milliseconds() / 1000).unwrap_or(0));
    archive.append_data(&mut header, ABOUT, text.as_slice())?;
    for (file, _) in files {
        archive.append_path_with_name(folder.join(&file), &file)?;
    }
    archive.into_inner()?.finish()?.flush()?;
    Ok(())
}

/// Unpacks an archive into an empty folder, if there is room for it. Anything but plain files with plain names is damage.
pub(crate) fn unpack(archive: &Path, folder: &Path) -> anyhow::Result<About> {
    unpack_within(archive, &Room { folder, margin: MARGIN })
}

fn unpack_within(archive: &Path, room: &Room<'_>) -> anyhow::Result<About> {
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
            entry.by_ref().take(LONGEST_ABOUT).read_to_end(&mut text).with_context(|| damaged(&name()))?;
            let read = understood(&text).with_context(name)?;
            room.must_hold(read.unpacked_bytes.unwrap_or(0))?;
            about = Some(read);
        } else if about.is_none() {
            bail!("{} is not a backup", name());
        } else {
            let mut file = File::create_new(room.folder.join(&path)).with_context(|| damaged(&name()))?;
            // An archive that does not say how much room it takes, or does not tell the truth, does not fill the disk.
            while io::copy(&mut entry.by_ref().take(STEP), &mut file).with_context(|| damaged(&name()))? > 0 {
                room.must_hold(0)?;
            }
        }
    }
    // The end of the compressed file has its checksum: read up to it.
    io::copy(&mut reader.into_inner(), &mut io::sink()).with_context(|| damaged(&name()))?;
    about.with_context(|| format!("{} is not a backup", name()))
}

fn understood(text: &[u8]) -> anyhow::Result<About> {
    /// What every version of the form has.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Versioned {
        format: String,
        format_version: u32,
        version: String,
    }
    let Versioned { format, format_version, version } = serde_json::from_slice(text).context("it is not a backup")?;
    if format != About::NAME {
        bail!("it is not a backup");
    }
    if format_version > FORMAT {
        bail!("it is a backup of a newer version, {version}: restore it with that one");
    }
    serde_json::from_slice(text).context("it is damaged")
}

/// Where an archive is unpacked.
struct Room<'a> {
    folder: &'a Path,
    margin: u64,
}

impl Room<'_> {
    /// Refuses to put that many bytes more where they, and a margin, have no room.
    fn must_hold(&self, bytes: u64) -> anyhow::Result<()> {
        let free = free(self.folder).with_context(|| format!("cannot tell how much room there is in `{}`", self.folder.display()))?;
        let needed = bytes.saturating_add(self.margin);
        if free < needed {
            bail!(
                "there is no room to unpack the backup in `{}`: it needs {} MB, and {} MB are free. Name another place with `--temp`",
                self.folder.display(),
                needed.div_ceil(MEGABYTE),
                free / MEGABYTE
            );
        }
        Ok(())
    }
}

/// How many bytes may still be written below a folder.
#[cfg(unix)]
fn free(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Elsewhere, whoever writes to a full disk is told so then.
#[cfg(not(unix))]
fn free(_: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

fn damaged(name: &str) -> String {
    format!("{name} is damaged, or not a backup")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_milliseconds(0);

    /// Files of 30,002 bytes.
    fn packed() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.ndjson"), "{}\n".repeat(10_000)).unwrap();
        std::fs::write(folder.path().join("manifest.json"), "{}").unwrap();
        let mut bytes = Vec::new();
        pack(folder.path(), NOW, &mut bytes).unwrap();
        bytes
    }

    fn unpacked(bytes: &[u8]) -> anyhow::Result<About> {
        unpacked_beside(bytes, 0)
    }

    fn unpacked_beside(bytes: &[u8], margin: u64) -> anyhow::Result<About> {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        std::fs::write(&archive, bytes).unwrap();
        let files = tempfile::tempdir().unwrap();
        let about = unpack_within(&archive, &Room { folder: files.path(), margin })?;
        assert_eq!(std::fs::read_to_string(files.path().join("a.ndjson")).unwrap(), "{}\n".repeat(10_000));
        Ok(about)
    }

    /// An archive with a file, and something said about it.
    fn said(about: &serde_json::Value) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (name, text) in [(ABOUT, about.to_string()), ("a.ndjson", "{}\n".repeat(10_000))] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            archive.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    fn about(version: u32) -> serde_json::Value {
        serde_json::json!({ "format": "cms-backup", "formatVersion": version, "version": "9.9.9", "createdAt": NOW })
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        assert_eq!(unpacked(&packed()).unwrap(), About::new(NOW, 30_002));
    }

    #[test]
    fn an_archive_of_the_first_version_is_unpacked() {
        assert_eq!(unpacked(&said(&about(1))).unwrap().unpacked_bytes, None);
    }

    #[test]
    fn an_archive_of_a_later_version_is_refused_with_the_version_that_made_it() {
        let mut later = about(FORMAT + 1);
        later["compression"] = "zstd".into();
        let error = format!("{:#}", unpacked(&said(&later)).unwrap_err());
        assert!(error.contains("a newer version, 9.9.9"), "{error}");
    }

    #[test]
    fn an_archive_that_has_no_room_is_refused_before_it_is_unpacked() {
        let mut large = about(FORMAT);
        large["unpackedBytes"] = (1_u64 << 60).into();
        let error = unpacked(&said(&large)).unwrap_err().to_string();
        assert!(error.contains("needs 1099511627776 MB") && error.contains("`--temp`"), "{error}");
    }

    #[test]
    fn an_archive_that_does_not_say_its_size_leaves_a_margin_on_the_disk() {
        let error = unpacked_beside(&said(&about(1)), u64::MAX).unwrap_err().to_string();
        assert!(error.contains("there is no room"), "{error}");
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
                Ok(about) => assert_eq!(about, About::new(NOW, 30_002), "changed at {place}"),
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
