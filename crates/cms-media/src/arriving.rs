//! Files on their way in: each is written down as an object that no item has before there is one, and goes unless an operation takes it in time.

use std::{mem, time::Duration};

use bytes::Bytes;
use cms_domain::{
    access::{Access, Actor},
    media::ArrivedFile,
};
use cms_files::{HEAD_BYTES, Key, Kind};
use cms_frame::{
    Cms, Code, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha1::{Digest, Sha1};
use sha2::Sha256;
use tokio::sync::OwnedSemaphorePermit;

use crate::{Library, Media, of, of_store};

/// How long a file may take to arrive: an hour is 2 GB at 5 Mbit/s.
pub const TIME: Duration = Duration::from_hours(1);
/// How long an object stays that no item has: whoever began to send it has arrived by then, and whoever announced it has confirmed it.
const LOOSE: Duration = Duration::from_hours(2);

/// How many files may arrive at once over all senders.
const MOST: usize = 128;
/// How much memory all that arrive may take: a store that keeps much of each takes fewer at once.
const MEMORY: usize = 256 << 20;

/// How many files may arrive at once.
pub(crate) fn at_once(library: &Library) -> usize {
    let each = library.store.as_ref().map_or(1, cms_files::Store::buffers).max(1);
    (MEMORY / each).clamp(1, MOST)
}

/// A file that arrives. What it is its first bytes tell; until these are there, nothing of it is in the store.
pub struct Coming {
    cms: Cms,
    object: Option<(cms_files::Arriving, Key, Kind)>,
    sha1: Sha1,
    sha256: Sha256,
    head: Vec<u8>,
    size: u64,
    largest: u64,
    declared: Option<String>,
    _place: OwnedSemaphorePermit,
}

/// A file that arrived, for the operation that takes it.
#[derive(Debug, Clone)]
pub struct Arrived {
    pub(crate) kind: Kind,
    pub(crate) key: Key,
    pub(crate) size: u64,
    pub(crate) sha1: [u8; 20],
    pub(crate) sha256: [u8; 32],
    /// What its sender calls it.
    pub name: Option<String>,
    /// The media type that its sender says it has.
    pub declared: Option<String>,
}

impl Arrived {
    /// What is known of it, to be kept.
    pub(crate) fn to_kept(&self) -> ArrivedFile {
        let (key, media_type) = (self.key.to_string(), self.kind.media_type().to_owned());
        ArrivedFile { key, media_type, size: self.size, sha1: self.sha1, sha256: self.sha256 }
    }

    /// What was kept.
    pub(crate) fn of_kept(kept: &ArrivedFile) -> Result<Self, Error> {
        let key = Key::parse(&kept.key).map_err(of_store)?;
        let kind = Kind::named(&kept.media_type).ok_or_else(|| Error::new(Code::InvalidType))?;
        Ok(Self { kind, key, size: kept.size, sha1: kept.sha1, sha256: kept.sha256, name: None, declared: None })
    }
}

/// Begins a file that arrives, of which so many bytes are taken at most, and which its sender says is of a media type.
pub fn begin(cms: &Cms, largest: u64, declared: Option<String>) -> Result<Coming, Error> {
    let media = of(cms);
    media.objects()?;
    let place = media.arriving.clone().try_acquire_owned();
    let place = place.map_err(|_| Error::with(Code::Busy, "as many files arrive as there is room for: try again in a moment"))?;
    let (sha1, sha256) = (Sha1::new(), Sha256::new());
    Ok(Coming { cms: cms.clone(), object: None, sha1, sha256, head: Vec::new(), size: 0, largest, declared, _place: place })
}

impl Coming {
    /// Adds bytes.
    ///
    /// # Errors
    ///
    /// [`Code::PayloadTooLarge`] when there are more than are taken, [`Code::InvalidType`] when no file of this type ever is, and
    /// [`Code::StorageUnavailable`].
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), Error> {
        self.size += bytes.len() as u64;
        if self.size > self.largest {
            return Err(too_large(self.largest));
        }
        self.sha1.update(&bytes);
        self.sha256.update(&bytes);
        if let Some((object, _, _)) = &mut self.object {
            return object.write(bytes).await.map_err(of_store);
        }
        self.head.extend_from_slice(&bytes);
        if self.head.len() >= HEAD_BYTES { self.start().await } else { Ok(()) }
    }

    /// Puts the first bytes into the store, once they tell what the file is.
    async fn start(&mut self) -> Result<(), Error> {
        let head = mem::take(&mut self.head);
        let kind = Kind::of(&head).filter(|kind| !kind.is_never_taken()).ok_or_else(|| {
            Error::with(
                Code::InvalidType,
                "the file is of no type that is known here, or of one that is never taken, such as a program or a page",
            )
        })?;
        let kind = kind.as_declared(self.declared.as_deref().unwrap_or_default());
        let name = self.cms.new_id::<Self>(self.cms.now()).to_string().to_ascii_lowercase();
        let key = Key::parse(&format!("{name}.{}", kind.extension())).map_err(of_store)?;
        // Written down first: whatever becomes of this server, nothing is in the store that nobody knows of.
        self.cms.invoke(&Actor::System, Door::Local, ExpectFile { key: key.to_string() }).await?;
        let mut object = of(&self.cms).objects()?.begin(&key).await.map_err(of_store)?;
        let written = object.write(head.into()).await;
        self.object = Some((object, key, kind));
        written.map_err(of_store)
    }

    /// All of it is there.
    ///
    /// # Errors
    ///
    /// As of [`Coming::write`], and [`Code::NoFile`] when nothing came.
    pub async fn finish(mut self) -> Result<Arrived, Error> {
        if self.size == 0 {
            return Err(Error::with(Code::NoFile, "the file is empty"));
        }
        if self.object.is_none() {
            self.start().await?;
        }
        let Self { object, sha1, sha256, size, declared, .. } = self;
        let (object, key, kind) = object.ok_or_else(|| Error::internal("a file arrived that nobody began"))?;
        object.finish().await.map_err(of_store)?;
        let (sha1, sha256) = (sha1.finalize().into(), sha256.finalize().into());
        Ok(Arrived { kind, key, size, sha1, sha256, name: None, declared })
    }

    /// No more of it comes.
    pub async fn abandon(self) {
        if let Some((object, key, _)) = self.object {
            object.abandon().await;
            let_go_of(&self.cms, key.to_string());
        }
    }
}

/// Keeps bytes that are in memory.
pub(crate) async fn keep(cms: &Cms, bytes: Vec<u8>, declared: Option<String>) -> Result<Arrived, Error> {
    let mut coming = begin(cms, of(cms).library.largest, declared)?;
    match coming.write(bytes.into()).await {
        Ok(()) => coming.finish().await,
        Err(error) => {
            coming.abandon().await;
            Err(error)
        }
    }
}

/// Nobody takes a file that arrived: it goes at once, or when it is due.
pub fn let_go(cms: &Cms, arrived: &Arrived) {
    let_go_of(cms, arrived.key.to_string());
}

pub(crate) fn let_go_of(cms: &Cms, key: String) {
    let cms = cms.clone();
    tokio::spawn(async move {
        if let Err(error) = crate::sweep::remove(&cms, &key, false).await {
            tracing::debug!(%error, key, "an object that nobody took stays until it is due");
        }
    });
}

/// The refusal of a file that is larger than any may be.
pub fn too_large(largest: u64) -> Error {
    Error::with(Code::PayloadTooLarge, format!("the file has more than {largest} bytes")).details(json!({ "limit": largest }))
}

impl Media {
    /// Refuses a file that is larger than any may be, by what is said of it before it comes.
    pub fn must_fit(&self, size: u64) -> Result<(), Error> {
        if size > self.library.largest { Err(too_large(self.library.largest)) } else { Ok(()) }
    }
}

/// Write down that an object is about to be there which no item has.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpectFile {
    /// Where it will be.
    pub key: String,
}

/// It is written down.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileExpected {
    /// Always true.
    pub expected: bool,
}

impl Operation for ExpectFile {
    const ID: &'static str = "media.expect_file";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = FileExpected;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FileExpected, Error> {
        let due = cx.now().after(LOOSE);
        cx.tx().await?.loose_files().note(&self.key, due).await?;
        Ok(FileExpected { expected: true })
    }
}
