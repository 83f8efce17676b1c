//! The library: where files are kept, and which are taken.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cms_core::media::{
    Library,
    files::{AllowList, Bucket as Place, Store, Workshop},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    sign_in::Secret,
    values::{DatabaseUrl, Size},
};

/// The subcommand of this program in which one picture is looked at or made.
pub(crate) const CHILD: &str = "image-child";
/// How many pictures are looked at and made at once: each takes a core, and up to 400 MB where the picture is huge.
const PICTURES_AT_ONCE: usize = 2;

/// The library: where files are kept, and which are taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Media {
    /// The folder that files are kept in; it is made when it is missing. Without it, and without a bucket, they are kept beside a SQLite database, in
    /// `media`; with PostgreSQL nothing is uploaded until a place is set.
    pub(crate) folder: Option<PathBuf>,
    /// A bucket that speaks S3, in which files are kept instead: `name`, `region`, `endpoint`, `path_style`, `prefix`, `access_key_id` and
    /// `secret_access_key`.
    pub(crate) bucket: Option<Bucket>,
    /// The largest file that is taken.
    pub(crate) max_upload_size: Size,
    /// Which types of files are taken: `type/subtype`, or `type/` for all of a type. What a browser would run is never taken, and drawings
    /// (`image/svg+xml`) are kept without what acts in them.
    pub(crate) allowed_types: Vec<String>,
}

impl Default for Media {
    fn default() -> Self {
        let types = AllowList::default().entries().to_vec();
        Self { folder: None, bucket: None, max_upload_size: Size::mib(50), allowed_types: types }
    }
}

/// A bucket that speaks S3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Bucket {
    /// Its name.
    pub(crate) name: String,
    /// Where it is; the value does not matter to most servers other than Amazon's.
    pub(crate) region: String,
    /// The address of a server other than Amazon's, as in `https://s3.example.org`.
    pub(crate) endpoint: Option<String>,
    /// Whether the name of the bucket stands in the path of addresses, and not in the name of the host. Most servers of one's own want that.
    pub(crate) path_style: bool,
    /// What the keys of all objects begin with, as in `site/`; nothing unless the bucket is shared with something else.
    pub(crate) prefix: String,
    /// The key that opens it.
    pub(crate) access_key_id: String,
    /// Its secret.
    pub(crate) secret_access_key: Secret,
    /// The token of a temporary key.
    pub(crate) session_token: Option<Secret>,
}

impl Default for Bucket {
    fn default() -> Self {
        Self {
            name: String::new(),
            region: "us-east-1".to_owned(),
            endpoint: None,
            path_style: false,
            prefix: String::new(),
            access_key_id: String::new(),
            secret_access_key: Secret::default(),
            session_token: None,
        }
    }
}

impl Media {
    /// The library of a site whose rows are in a database.
    pub(crate) fn library(&self, database: &DatabaseUrl) -> anyhow::Result<Library> {
        let allowed = AllowList::parse(&self.allowed_types).map_err(anyhow::Error::msg).context("`media.allowed_types`")?;
        // Also when its file was replaced by that of a newer release, which may do it otherwise.
        let program = if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() };
        let program = program.context("this program does not know where it is, and starts itself to look at pictures")?;
        let workshop = Some(Workshop::new(program, vec![CHILD.into()], PICTURES_AT_ONCE));
        Ok(Library { store: self.store(database)?, workshop, largest: self.max_upload_size.0 as u64, allowed })
    }

    fn store(&self, database: &DatabaseUrl) -> anyhow::Result<Option<Store>> {
        match (&self.folder, &self.bucket) {
            (Some(_), Some(_)) => bail!("`media.folder` and `media.bucket` are both set: files are kept in one place"),
            (None, Some(bucket)) => Ok(Some(bucket.store().context("`media.bucket`")?)),
            (Some(folder), None) => Ok(Some(open(folder, "`media.folder`")?)),
            (None, None) => {
                let beside = database.file().map(|file| file.parent().unwrap_or(Path::new("")).join("media"));
                beside.map(|folder| open(&folder, "the folder of the library beside the database")).transpose()
            }
        }
    }
}

fn open(folder: &Path, what: &str) -> anyhow::Result<Store> {
    Store::folder(folder).with_context(|| format!("{what}: cannot keep files in `{}`", folder.display()))
}

impl Bucket {
    fn store(&self) -> anyhow::Result<Store> {
        if self.name.is_empty() || self.access_key_id.is_empty() || self.secret_access_key.reveal().is_empty() {
            bail!("`name`, `access_key_id` and `secret_access_key` say which bucket, and what opens it");
        }
        let endpoint = self.endpoint.as_deref().map(str::parse).transpose().context("`endpoint` is not an address")?;
        let place = Place {
            endpoint,
            region: self.region.clone(),
            bucket: self.name.clone(),
            prefix: self.prefix.clone(),
            path_style: self.path_style,
            access_key_id: self.access_key_id.clone(),
            secret_access_key: self.secret_access_key.reveal().to_owned(),
            session_token: self.session_token.as_ref().map(|token| token.reveal().to_owned()),
        };
        Ok(Store::bucket(place)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_beside_a_database_that_is_a_file_unless_a_place_is_named() {
        let home = tempfile::tempdir().unwrap();
        let beside: DatabaseUrl = format!("sqlite:{}", home.path().join("data/cms.db").display()).parse().unwrap();
        assert!(Media::default().library(&beside).unwrap().store.is_some());
        assert!(home.path().join("data/media").is_dir());
        for nowhere in ["postgres://localhost/site", "sqlite::memory:"] {
            assert!(Media::default().library(&nowhere.parse().unwrap()).unwrap().store.is_none(), "{nowhere}");
        }
        let named = Media { folder: Some(home.path().join("files")), ..Media::default() };
        assert!(named.library(&"postgres://localhost/site".parse().unwrap()).unwrap().store.is_some());
    }

    #[test]
    fn what_cannot_be_is_told_by_its_setting() {
        let database: DatabaseUrl = "sqlite::memory:".parse().unwrap();
        let refused = |media: Media| format!("{:#}", media.library(&database).err().unwrap());
        let both = Media { folder: Some("a".into()), bucket: Some(Bucket::default()), ..Media::default() };
        assert!(refused(both).contains("media.folder"));
        let unnamed = Media { bucket: Some(Bucket::default()), ..Media::default() };
        assert!(refused(unnamed).contains("media.bucket"));
        let types = Media { allowed_types: vec!["pictures".to_owned()], ..Media::default() };
        assert!(refused(types).contains("media.allowed_types"));
    }

    #[test]
    fn the_secrets_of_a_bucket_are_masked() {
        let bucket = Bucket { secret_access_key: "s3cret".parse().unwrap(), ..Bucket::default() };
        for shown in [serde_json::to_string(&bucket).unwrap(), format!("{bucket:?}")] {
            assert!(shown.contains("***") && !shown.contains("s3cret"), "{shown}");
        }
    }
}
