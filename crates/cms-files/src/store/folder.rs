//! Objects as files of a folder.

use std::{
    cmp::Ordering,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::Path,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use cap_std::{
    ambient_authority,
    fs::{Dir, File, OpenOptions},
    time::SystemClock,
};
use futures_util::stream::{self, StreamExt};
use tokio::task;

use super::{Listed, Object, interrupted, random_name};
use crate::{Error, Key};

/// Where files are until they are finished. No key begins with a dot.
const UNFINISHED: &str = ".unfinished";

/// How much is read at once: few calls for large files, and little memory for many readers.
const CHUNK: usize = 64 * 1024;

/// What one file that is being written keeps in memory: what it was last given.
pub(super) const BUFFERS: usize = CHUNK;

/// How often a file is put into a folder that others remove meanwhile because it became empty.
const ATTEMPTS: usize = 16;

/// A folder that nothing leads out of.
#[derive(Clone, Debug)]
pub(super) struct Folder(Arc<Dir>);

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let named = |error: io::Error| match Error::of_disk(&error) {
            Error::Unavailable(why) => Error::Unavailable(format!("{}: {why}", path.display())),
            other => other,
        };
        Dir::create_ambient_dir_all(path, ambient_authority()).map_err(named)?;
        let folder = Dir::open_ambient_dir(path, ambient_authority()).map_err(named)?;
        folder.create_dir_all(UNFINISHED).map_err(named)?;
        Ok(Self(Arc::new(folder)))
    }

    /// What waits for the disk runs where waiting is allowed.
    async fn on_disk<T: Send + 'static>(&self, work: impl FnOnce(&Dir) -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
        let folder = Arc::clone(&self.0);
        off_the_road(move || work(&folder)).await
    }

    pub(super) async fn begin(&self, key: &Key) -> Result<Arriving, Error> {
        let name = format!("{UNFINISHED}/{}", random_name()?);
        let made = name.clone();
        let file = self
            .on_disk(move |folder| {
                let mut options = OpenOptions::new();
                options.write(true).create_new(true);
                let open = || folder.open_with(&made, &options);
                let opened = match open() {
                    // Somebody may have tidied up too well.
                    Err(error) if is_missing(&error) => folder.create_dir_all(UNFINISHED).and_then(|()| open()),
                    opened => opened,
                };
                opened.map_err(|error| Error::of_disk(&error))
            })
            .await?;
        Ok(Arriving { folder: self.clone(), key: key.clone(), name, file: Some(file) })
    }

    pub(super) async fn read(&self, key: &Key, range: Option<Range<u64>>) -> Result<Option<Object>, Error> {
        let key = key.clone();
        self.on_disk(move |folder| {
            let Some((mut file, size)) = opened(folder, &key)? else { return Ok(None) };
            let range = range.unwrap_or(0..size);
            let (start, end) = (range.start.min(size), range.end.min(size));
            file.seek(SeekFrom::Start(start)).map_err(|error| Error::of_disk(&error))?;
            let left = end.saturating_sub(start);
            let bytes = stream::try_unfold((file, left), |(file, left)| chunk(file, left)).boxed();
            Ok(Some(Object { size, bytes }))
        })
        .await
    }

    pub(super) async fn size(&self, key: &Key) -> Result<Option<u64>, Error> {
        let key = key.clone();
        self.on_disk(move |folder| match folder.symlink_metadata(key.as_str()) {
            Ok(found) => Ok(found.is_file().then(|| found.len())),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(Error::of_disk(&error)),
        })
        .await
    }

    pub(super) async fn remove(&self, key: &Key) -> Result<(), Error> {
        let key = key.clone();
        self.on_disk(move |folder| {
            match folder.symlink_metadata(key.as_str()) {
                Ok(found) if found.is_file() => {}
                Ok(_) => return Ok(()),
                Err(error) if is_missing(&error) => return Ok(()),
                Err(error) => return Err(Error::of_disk(&error)),
            }
            match folder.remove_file(key.as_str()) {
                Ok(()) => {}
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(Error::of_disk(&error)),
            }
            // A folder in which nothing is left goes too, or a store of a million objects that were would be slow for ever.
            let mut above = key.split().0;
            while let Some(path) = above {
                if folder.remove_dir(path).is_err() {
                    break;
                }
                above = path.rsplit_once('/').map(|(above, _)| above);
            }
            Ok(())
        })
        .await
    }

    pub(super) async fn list(&self, prefix: &str, after: Option<&Key>, limit: usize) -> Result<Vec<Listed>, Error> {
        let asked = Asked { prefix: prefix.to_owned(), after: after.map_or_else(String::new, |key| key.as_str().to_owned()), limit };
        self.on_disk(move |root| {
            let mut found = Vec::new();
            // At once down to where the prefix leads; the part of it after the last slash is the beginning of a name.
            let (start, path) = match asked.prefix.rsplit_once('/') {
                None => (root.try_clone().map_err(|error| Error::of_disk(&error))?, String::new()),
                Some((path, _)) => {
                    if Key::parse(path).is_err() {
                        return Ok(found);
                    }
                    match stepped_down(root, path)? {
                        Some(start) => (start, format!("{path}/")),
                        None => return Ok(found),
                    }
                }
            };
            asked.walk(&start, &path, &mut found)?;
            Ok(found)
        })
        .await
    }

    pub(super) async fn sweep(&self, older_than: Duration) -> Result<usize, Error> {
        self.on_disk(move |folder| {
            let mut removed = 0;
            let unfinished = match folder.open_dir(UNFINISHED) {
                Ok(unfinished) => unfinished,
                Err(error) if is_missing(&error) => return Ok(0),
                Err(error) => return Err(Error::of_disk(&error)),
            };
            // By the clock that the files have their times from.
            let now = SystemClock::new(ambient_authority()).now();
            for entry in unfinished.entries().map_err(|error| Error::of_disk(&error))? {
                let entry = entry.map_err(|error| Error::of_disk(&error))?;
                // Whoever finishes meanwhile takes it away.
                let Ok(written) = entry.metadata().and_then(|found| found.modified()) else { continue };
                let age = now.duration_since(written).unwrap_or_default();
                if age >= older_than && entry.remove_file().is_ok() {
                    removed += 1;
                }
            }
            Ok(removed)
        })
        .await
    }
}

/// What of the store was asked for.
struct Asked {
    prefix: String,
    after: String,
    limit: usize,
}

impl Asked {
    /// Adds what is in a folder, whose path ends with a slash, in the order of keys: that of names, of which those of folders end with a slash.
    fn walk(&self, folder: &Dir, path: &str, found: &mut Vec<Listed>) -> Result<(), Error> {
        let mut names = Vec::new();
        let entries = folder.entries().map_err(|error| Error::of_disk(&error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::of_disk(&error))?;
            let (Ok(mut name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            if kind.is_dir() {
                name.push('/');
            } else if !kind.is_file() {
                continue;
            }
            let full = format!("{path}{name}");
            if Key::parse(full.strip_suffix('/').unwrap_or(&full)).is_ok() && self.wants(&full) {
                names.push(name);
            }
        }
        names.sort_unstable();
        for name in names {
            if found.len() >= self.limit {
                break;
            }
            let full = format!("{path}{name}");
            if let Some(folder_name) = name.strip_suffix('/') {
                match stepped_down(folder, folder_name)? {
                    Some(below) => self.walk(&below, &full, found)?,
                    None => continue,
                }
                continue;
            }
            // What is removed meanwhile is not there.
            let Ok(file) = folder.symlink_metadata(&name) else { continue };
            let modified = file.modified().map_err(|error| Error::of_disk(&error))?.into_std();
            found.push(Listed { key: Key::parse(&full)?, size: file.len(), modified });
        }
        Ok(())
    }

    /// Whether a file is asked for, or anything in a folder may be.
    fn wants(&self, path: &str) -> bool {
        if path.ends_with('/') {
            let has_prefix = path.starts_with(&self.prefix) || self.prefix.starts_with(path);
            has_prefix && (path.cmp(&self.after) == Ordering::Greater || self.after.starts_with(path))
        } else {
            path.starts_with(&self.prefix) && path.cmp(&self.after) == Ordering::Greater
        }
    }
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct Arriving {
    folder: Folder,
    key: Key,
    name: String,
    file: Option<File>,
}

impl Arriving {
    pub(super) async fn write(&mut self, bytes: Bytes) -> Result<(), Error> {
        // A write that failed or was dropped has taken the file with it: what is in it now, nobody knows.
        let Some(mut file) = self.file.take() else { return Err(interrupted()) };
        let write = move || file.write_all(&bytes).map(|()| file).map_err(|error| Error::of_disk(&error));
        self.file = Some(off_the_road(write).await?);
        Ok(())
    }

    pub(super) async fn finish(mut self) -> Result<(), Error> {
        let Some(file) = self.file.take() else {
            self.abandon().await;
            return Err(interrupted());
        };
        let (key, name) = (self.key.clone(), self.name.clone());
        let done = self
            .folder
            .on_disk(move |folder| {
                file.sync_all().map_err(|error| Error::of_disk(&error))?;
                drop(file);
                placed(folder, &name, &key)
            })
            .await;
        if done.is_err() {
            self.abandon().await;
        }
        done
    }

    pub(super) async fn abandon(mut self) {
        drop(self.file.take());
        let name = self.name.clone();
        // What cannot be removed now is swept up later.
        let _swept_later = self.folder.on_disk(move |folder| folder.remove_file(name).map_err(|error| Error::of_disk(&error))).await;
    }
}

/// Renames a finished file to its key, in folders that are made for it, and has the disk remember that.
fn placed(root: &Dir, name: &str, key: &Key) -> Result<(), Error> {
    let (path, file_name) = key.split();
    for _ in 0..ATTEMPTS {
        let target = match path {
            None => root.try_clone().map_err(|error| Error::of_disk(&error))?,
            Some(path) => {
                match root.create_dir_all(path) {
                    Ok(()) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(in_the_way(&error, key)),
                }
                match stepped_down(root, path)? {
                    Some(target) => target,
                    None => continue,
                }
            }
        };
        match root.rename(name, &target, file_name) {
            Ok(()) => return remembered(root, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound && root.symlink_metadata(name).is_ok() => {}
            Err(error) => return Err(in_the_way(&error, key)),
        }
    }
    Err(Error::Unavailable(format!("the folder of `{key}` is removed again and again")))
}

/// Has the disk remember the names in a folder, and in those above it.
fn remembered(root: &Dir, path: Option<&str>) -> Result<(), Error> {
    let synced = |path: &str| match root.open(path) {
        Ok(folder) => folder.sync_all().map_err(|error| Error::of_disk(&error)),
        // It became empty again, and went.
        Err(error) if is_missing(&error) => Ok(()),
        Err(error) => Err(Error::of_disk(&error)),
    };
    let mut above = path;
    while let Some(path) = above {
        synced(path)?;
        above = path.rsplit_once('/').map(|(above, _)| above);
    }
    synced(".")
}

/// A folder below another one, unless something else is there, such as a symbolic link.
fn stepped_down(root: &Dir, path: &str) -> Result<Option<Dir>, Error> {
    let mut folder = root.try_clone().map_err(|error| Error::of_disk(&error))?;
    for name in path.split('/') {
        folder = match folder.symlink_metadata(name) {
            Ok(found) if found.is_dir() => match folder.open_dir(name) {
                Ok(below) => below,
                Err(error) if is_missing(&error) => return Ok(None),
                Err(error) => return Err(Error::of_disk(&error)),
            },
            Ok(_) => return Ok(None),
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(Error::of_disk(&error)),
        };
    }
    Ok(Some(folder))
}

/// The file of a key, and its size.
fn opened(root: &Dir, key: &Key) -> Result<Option<(File, u64)>, Error> {
    let file = match root.open(key.as_str()) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(Error::of_disk(&error)),
    };
    let found = file.metadata().map_err(|error| Error::of_disk(&error))?;
    Ok(found.is_file().then(|| (file, found.len())))
}

async fn chunk(mut file: File, left: u64) -> Result<Option<(Bytes, (File, u64))>, Error> {
    if left == 0 {
        return Ok(None);
    }
    off_the_road(move || {
        let mut chunk = vec![0; usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK))];
        let read = file.read(&mut chunk).map_err(|error| Error::of_disk(&error))?;
        if read == 0 {
            return Err(Error::Unavailable("a file became shorter while it was read".to_owned()));
        }
        chunk.truncate(read);
        let left = left.saturating_sub(read as u64);
        Ok(Some((Bytes::from(chunk), (file, left))))
    })
    .await
}

async fn off_the_road<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    task::spawn_blocking(work).await.map_err(|error| Error::Unavailable(format!("work on the disk ended: {error}")))?
}

/// Nothing is there, or a file where a folder would have to be.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A file and a folder cannot have the same name, which a bucket would allow.
fn in_the_way(error: &io::Error, key: &Key) -> Error {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory};
    match error.kind() {
        AlreadyExists | DirectoryNotEmpty | IsADirectory | NotADirectory => {
            Error::Invalid(format!("the key `{key}` lies below another object, or others lie below it"))
        }
        _ => Error::of_disk(error),
    }
}
