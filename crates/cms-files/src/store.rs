//! Where objects are: a folder of this machine, or a bucket.

#[cfg(feature = "s3")]
mod bucket;
mod folder;

use std::{
    fmt,
    ops::Range,
    path::Path,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures_util::stream::{BoxStream, TryStreamExt};
use url::Url;

#[cfg(feature = "s3")]
pub use self::bucket::Bucket;
use crate::{Error, Key};

/// Where objects are. A clone is the same store.
#[derive(Clone, Debug)]
pub struct Store(Place);

#[derive(Clone, Debug)]
enum Place {
    Folder(folder::Folder),
    #[cfg(feature = "s3")]
    Bucket(bucket::Place),
}

/// An object that is read.
pub struct Object {
    /// How many bytes the whole object has, however few of them were asked for.
    pub size: u64,
    /// What was asked for.
    pub bytes: BoxStream<'static, Result<Bytes, Error>>,
}

impl Object {
    /// All that was asked for, in memory.
    pub async fn collect(self) -> Result<Vec<u8>, Error> {
        let add = |mut all: Vec<u8>, more: Bytes| async move {
            all.extend_from_slice(&more);
            Ok(all)
        };
        self.bytes.try_fold(Vec::new(), add).await
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Object").field("size", &self.size).finish_non_exhaustive()
    }
}

/// An object of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub key: Key,
    /// How many bytes it has.
    pub size: u64,
    /// When it was written, by the clock of the store.
    pub modified: SystemTime,
}

/// What somebody may send to the store on their own, past the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Where to send it with `PUT`.
    pub url: Url,
    /// The headers that were signed, and must be sent like this.
    pub headers: Vec<(String, String)>,
}

/// An object that is being written. Nobody sees anything of it before [`Arriving::finish`]. One that is dropped leaves at most a file that
/// [`Store::sweep`] removes, or an unfinished upload that the bucket's own rules remove.
#[derive(Debug)]
pub struct Arriving(Written);

#[derive(Debug)]
enum Written {
    Folder(folder::Arriving),
    #[cfg(feature = "s3")]
    Bucket(bucket::Arriving),
}

/// The object that [`Store::is_well`] writes, and all others of its kind.
const PROBES: &str = "probes";

impl Store {
    /// Objects are files of a folder, which is made if it is missing. No key and no symbolic link leads out of it.
    pub fn folder(path: &Path) -> Result<Self, Error> {
        Ok(Self(Place::Folder(folder::Folder::open(path)?)))
    }

    /// Objects are in a bucket that speaks S3.
    #[cfg(feature = "s3")]
    pub fn bucket(bucket: Bucket) -> Result<Self, Error> {
        Ok(Self(Place::Bucket(bucket::Place::of(bucket)?)))
    }

    /// Begins to write an object. Whoever finishes last has written it.
    pub async fn begin(&self, key: &Key) -> Result<Arriving, Error> {
        match &self.0 {
            Place::Folder(folder) => Ok(Arriving(Written::Folder(folder.begin(key).await?))),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => Ok(Arriving(Written::Bucket(bucket.begin(key)))),
        }
    }

    /// Reads an object, or the part of it in `range`; what of the range lies beyond its end is left out. `None` when there is no such object.
    pub async fn read(&self, key: &Key, range: Option<Range<u64>>) -> Result<Option<Object>, Error> {
        match &self.0 {
            Place::Folder(folder) => folder.read(key, range).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.read(key, range).await,
        }
    }

    /// How many bytes an object has. `None` when there is no such object.
    pub async fn size(&self, key: &Key) -> Result<Option<u64>, Error> {
        match &self.0 {
            Place::Folder(folder) => folder.size(key).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.size(key).await,
        }
    }

    /// Removes an object, if it is there.
    pub async fn remove(&self, key: &Key) -> Result<(), Error> {
        match &self.0 {
            Place::Folder(folder) => folder.remove(key).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.remove(key).await,
        }
    }

    /// At most `limit` objects whose keys begin with `prefix` and come after `after`, in the order of keys. What is in the store under a name
    /// that is no key is left out.
    pub async fn list(&self, prefix: &str, after: Option<&Key>, limit: usize) -> Result<Vec<Listed>, Error> {
        match &self.0 {
            Place::Folder(folder) => folder.list(prefix, after, limit).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.list(prefix, after, limit).await,
        }
    }

    /// A URL to which somebody may send an object of this type and size, and no other, within a time. `None` when this store has no door of its own.
    #[cfg_attr(not(feature = "s3"), expect(unused_variables, reason = "a folder signs nothing"))]
    #[expect(clippy::unused_async, reason = "a store may have to ask somebody for what it signs with, and callers should not change then")]
    pub async fn sign_put(&self, key: &Key, media_type: &str, size: u64, within: Duration) -> Result<Option<Signed>, Error> {
        match &self.0 {
            Place::Folder(_) => Ok(None),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.sign_put(key, media_type, size, within).map(Some),
        }
    }

    /// Whether a small object can be written, read and removed.
    pub async fn is_well(&self) -> Result<(), Error> {
        let key = Key::parse(&format!("{PROBES}/{}", random_name()?))?;
        let written = Bytes::from(key.as_str().to_owned());
        let mut arriving = self.begin(&key).await?;
        arriving.write(written.clone()).await?;
        arriving.finish().await?;
        let read = match self.read(&key, None).await? {
            Some(object) => Some(object.collect().await?),
            None => None,
        };
        self.remove(&key).await?;
        if read.as_deref() == Some(&*written) { Ok(()) } else { Err(Error::Unavailable("what was written is not what is read".to_owned())) }
    }

    /// About how many bytes one [`Arriving`] keeps in memory.
    pub fn buffers(&self) -> usize {
        match &self.0 {
            Place::Folder(_) => folder::BUFFERS,
            #[cfg(feature = "s3")]
            Place::Bucket(_) => bucket::PART,
        }
    }

    /// Removes what was never finished and was last written to longer ago than that, and says how many there were. A bucket does it by rules of its own.
    pub async fn sweep(&self, older_than: Duration) -> Result<usize, Error> {
        match &self.0 {
            Place::Folder(folder) => folder.sweep(older_than).await,
            #[cfg(feature = "s3")]
            Place::Bucket(_) => Ok(0),
        }
    }
}

impl Arriving {
    /// Adds bytes at the end.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), Error> {
        match &mut self.0 {
            Written::Folder(file) => file.write(bytes).await,
            #[cfg(feature = "s3")]
            Written::Bucket(upload) => upload.write(bytes).await,
        }
    }

    /// Makes the object visible, whole, in place of what was there. When this is done it survives a loss of power.
    pub async fn finish(self) -> Result<(), Error> {
        match self.0 {
            Written::Folder(file) => file.finish().await,
            #[cfg(feature = "s3")]
            Written::Bucket(upload) => upload.finish().await,
        }
    }

    /// Leaves nothing behind.
    pub async fn abandon(self) {
        match self.0 {
            Written::Folder(file) => file.abandon().await,
            #[cfg(feature = "s3")]
            Written::Bucket(upload) => upload.abandon().await,
        }
    }
}

fn interrupted() -> Error {
    Error::Invalid("a write of this object failed or was interrupted: begin it again".to_owned())
}

/// A name that nobody else has.
fn random_name() -> Result<String, Error> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| Error::Unavailable(format!("the machine gives no random numbers: {error}")))?;
    Ok(format!("{:032x}", u128::from_be_bytes(random)))
}
