//! The library of a headless CMS: files that are uploaded, described, sorted into folders, replaced and served.
//!
//! A file is an object in a [`Store`] and a row. The object is there first, and written down as one that no item has
//! ([`arriving`]); the operation that makes the item takes it, or it goes. So no row is ever without its bytes, and no bytes are without a row for long.
//!
//! # Where to go on
//!
//! - [`Library`]: what a host says of its library, which `cms_core::Parts` takes.
//! - [`arriving`]: how a door hands a file over as it arrives.
//! - [`serve`]: what is served of a file, and the pictures that are made of it.

pub mod announce;
pub mod arriving;
pub mod bring;
pub mod confirm;
pub mod folders;
mod intake;
mod item;
pub mod items;
pub mod replace;
pub mod serve;
pub mod sweep;
pub mod upload;
pub mod usage;

use std::sync::Arc;

use cms_domain::event::Event;
pub use cms_files as files;
use cms_files::{AllowList, Store, Workshop};
use cms_frame::{
    Cms, Code, Cx, Error,
    area::Area,
    catalog::Wire,
    descriptor::{self, Descriptor, Group},
    jobs::Kind,
    operation::{Gives, Http},
};
pub use item::{MediaShown, MediaStatus};
use tokio::sync::Semaphore;

/// What items are called where events, topics and the audit log tell of them.
pub const SORT: &str = "media";

/// How a site's library is set up.
#[derive(Debug, Clone)]
pub struct Library {
    /// Where files are kept; without a place nothing is uploaded.
    pub store: Option<Store>,
    /// Where pictures are looked at and made; without one, pictures have no dimensions and no smaller versions.
    pub workshop: Option<Workshop>,
    /// The largest file, in bytes.
    pub largest: u64,
    /// Which types of files are taken.
    pub allowed: AllowList,
}

impl Library {
    /// The largest file unless a site says otherwise: 50 MiB, which is a photograph of any camera or some minutes of video.
    pub const LARGEST: u64 = 50 << 20;
}

impl Default for Library {
    fn default() -> Self {
        Self { store: None, workshop: None, largest: Self::LARGEST, allowed: AllowList::default() }
    }
}

/// What the area keeps in memory for a system.
pub struct Media {
    library: Library,
    arriving: Arc<Semaphore>,
    making: serve::Making,
}

impl Media {
    /// For a site whose library is set up so.
    pub fn new(library: Library) -> Self {
        let arriving = Arc::new(Semaphore::new(arriving::at_once(&library)));
        Self { library, arriving, making: serve::Making::default() }
    }

    /// How the library is set up.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Where files are kept, or why there are none.
    fn objects(&self) -> Result<&Store, Error> {
        self.library.store.as_ref().ok_or_else(|| Error::new(Code::NoStorage))
    }
}

/// Nothing of the library is kept in memory.
impl Area for Media {
    fn follow(&self, _: &Event) {}

    fn forget(&self) {}
}

/// The area of a system.
pub fn of(cms: &Cms) -> &Media {
    cms.area()
}

/// The kinds of jobs of the library.
pub fn jobs() -> Vec<Kind> {
    vec![Kind::of(usage::index::IndexUsage), Kind::of(usage::clear::ClearUsage)]
}

/// The route of files, which a door answers itself.
pub const FILE: Wire = Wire::new("media.file", Http::get("", "/media/file/{key}").gives(Gives::Bytes));

/// The operations of the library.
pub fn operations() -> Vec<Descriptor> {
    const GROUPS: [Group; 3] = [
        Group { prefix: "media", name: "Media", about: "The files of the library: pictures, documents, sound and video." },
        Group { prefix: "media_folder", name: "Media folders", about: "The folders that the library is sorted into." },
        Group { prefix: "media_usage", name: "Media usage", about: "Which entries use which files, and how far that is known." },
    ];
    let operations = vec![
        Descriptor::of::<items::ListMedia>(),
        Descriptor::of::<items::GetMedia>(),
        Descriptor::of::<upload::UploadMedia>(),
        Descriptor::of::<announce::AnnounceMedia>(),
        Descriptor::of::<bring::BringFile>(),
        Descriptor::of::<confirm::ConfirmMedia>(),
        Descriptor::of::<items::UpdateMedia>(),
        Descriptor::of::<replace::ReplaceMedia>(),
        Descriptor::of::<items::DeleteMedia>(),
        Descriptor::of::<folders::ListFolders>(),
        Descriptor::of::<folders::CreateFolder>(),
        Descriptor::of::<folders::GetFolder>(),
        Descriptor::of::<folders::UpdateFolder>(),
        Descriptor::of::<folders::DeleteFolder>(),
        Descriptor::of::<arriving::ExpectFile>(),
        Descriptor::of::<serve::FindFile>(),
        Descriptor::of::<sweep::ListLooseFiles>(),
        Descriptor::of::<sweep::ForgetLooseFile>(),
        Descriptor::of::<sweep::PruneAwaited>(),
        Descriptor::of::<usage::places::GetMediaUsage>(),
        Descriptor::of::<usage::repair::RepairMediaUsage>(),
        Descriptor::of::<usage::progress::GetMediaUsageProgress>(),
        Descriptor::of::<usage::progress::AdvanceMediaUsageProgress>(),
        Descriptor::of::<usage::follow::FollowUsage>(),
        Descriptor::of::<usage::follow::ResumeUsage>(),
    ];
    descriptor::grouped(&GROUPS, operations)
}

/// A failure of the place where files are kept.
fn of_store(error: cms_files::Error) -> Error {
    match error {
        cms_files::Error::NoSpace => {
            Error::with(Code::StorageUnavailable, "there is no space left where files are kept: tell whoever runs this site").because(error)
        }
        cms_files::Error::Unavailable(_) => Error::new(Code::StorageUnavailable).because(error),
        cms_files::Error::Invalid(_) => Error::internal(error),
    }
}

/// Tells whoever keeps answers, or follows what happens, that an item changed.
fn tell(cx: &mut Cx<'_>, id: cms_domain::media::MediaId) {
    cx.emit(Event::of_thing(SORT, id));
}
