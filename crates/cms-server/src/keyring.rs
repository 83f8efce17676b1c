//! What `cms login` keeps: tokens of other servers, in one file that only its owner can read.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use cms_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::private;

/// The file of keys, held: other commands wait until this one is done, because a refresh token is good for one refresh.
pub(crate) struct Keyring {
    path: PathBuf,
    keys: Keys,
    _lock: File,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Keys {
    /// The server that was signed in to last.
    current: Option<String>,
    #[serde(default)]
    servers: BTreeMap<String, Key>,
}

/// What opens a server.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Key {
    /// Sent with each request.
    pub(crate) access_token: String,
    /// Makes new ones.
    pub(crate) refresh_token: Option<String>,
    /// When the access token ends.
    pub(crate) expires_at: Option<Timestamp>,
    /// What it may be used for.
    pub(crate) scope: Option<String>,
}

impl Keyring {
    /// Opens the file in a folder; waits while another command holds it.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        private::make_folder(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let path = folder.join("credentials.json");
        let lock = File::create(folder.join("credentials.lock"))?;
        lock.lock()?;
        let keys = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .with_context(|| format!("`{}` cannot be read: remove it and sign in again", path.display()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => Keys::default(),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", path.display())),
        };
        Ok(Self { path, keys, _lock: lock })
    }

    /// The server that was signed in to last.
    pub(crate) fn current(&self) -> Option<&str> {
        self.keys.current.as_deref()
    }

    /// What opens a server.
    pub(crate) fn get(&self, issuer: &str) -> Option<&Key> {
        self.keys.servers.get(issuer)
    }

    /// Keeps what opens a server, which is the one that is meant from now on.
    pub(crate) fn put(&mut self, issuer: &str, key: Key) -> anyhow::Result<()> {
        self.keys.servers.insert(issuer.to_owned(), key);
        self.keys.current = Some(issuer.to_owned());
        self.write()
    }

    /// Forgets a server.
    pub(crate) fn remove(&mut self, issuer: &str) -> anyhow::Result<()> {
        self.keys.servers.remove(issuer);
        if self.keys.current.as_deref() == Some(issuer) {
            self.keys.current = self.keys.servers.keys().next().cloned();
        }
        self.write()
    }

    /// Writes a new file beside the old one, which only its owner can read from its beginning, and puts it in its place.
    fn write(&self) -> anyhow::Result<()> {
        let folder = self.path.parent().context("the file of keys is in no folder")?;
        let mut file = tempfile::Builder::new().prefix(".credentials").tempfile_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(&self.keys)?)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).with_context(|| format!("cannot write `{}`", self.path.display()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(token: &str) -> Key {
        Key { access_token: token.to_owned(), refresh_token: None, expires_at: None, scope: None }
    }

    #[test]
    fn only_its_owner_reads_the_file_of_keys() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("config/cms");
        Keyring::open(&folder).unwrap().put("https://a.example/_cms", key("one")).unwrap();
        Keyring::open(&folder).unwrap().put("https://b.example/_cms", key("two")).unwrap();
        let ring = Keyring::open(&folder).unwrap();
        assert_eq!(
            (ring.current(), ring.get("https://a.example/_cms").unwrap().access_token.as_str()),
            (Some("https://b.example/_cms"), "one")
        );
        #[cfg(unix)]
        for (path, mode) in [(folder.join("credentials.json"), 0o600), (folder, 0o700)] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
        }
    }

    #[test]
    fn a_server_that_is_forgotten_is_not_the_one_that_is_meant() {
        let home = tempfile::tempdir().unwrap();
        let mut ring = Keyring::open(home.path()).unwrap();
        ring.put("a", key("one")).unwrap();
        ring.put("b", key("two")).unwrap();
        ring.remove("b").unwrap();
        assert_eq!((ring.current(), ring.get("b").is_none()), (Some("a"), true));
        ring.remove("a").unwrap();
        assert_eq!(ring.current(), None);
    }
}
