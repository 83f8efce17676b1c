//! Files that wait in the database, where every server finds them: what a job reads, and what one made. They arrive part by part, each in a transaction
//! of its own, so that nobody waits for a file and no file is ever whole in memory.

use std::time::Duration;

use cms_domain::{
    access::Actor,
    id::{FileId, JobId},
    time::Timestamp,
};
use cms_storage::Tx;
pub use cms_storage::{FileLine, StoredFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Cms, Code, Cx, Error, patience::patiently};

/// How long each part of a file is that arrives, but for the last one: SQLite writes so much in a millisecond, and whoever wants one line reads no more.
pub const PART: usize = 64 * 1024;
/// The largest file: a hundred thousand entries of five kilobytes each.
pub const LARGEST: u64 = 512 << 20;
/// How many files one person may have waiting at once: what is under way, and some that failed and may be tried again.
pub const MOST_OF_ONE: usize = 5;
/// How many files may wait in all.
pub const MOST: usize = 50;
/// How many bytes all files have together: the database, and the disk that it is on, are for content.
pub const ROOM: u64 = 2 << 30;
/// How long a file lasts of which nothing more arrives, and which no job has. It is longer than a part may take.
pub const STALLED: Duration = Duration::from_mins(2);

/// A file that an operation gives: where it is, and what whoever gets it calls it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// The file.
    pub file: FileId,
    /// What it is called.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
}

impl Cms {
    /// Begins a file that arrives from somebody.
    pub async fn begin_file(&self, sender: &Actor) -> Result<FileId, Error> {
        self.must_stand(sender).await?;
        let now = self.now();
        let owner = sender.user();
        let file =
            StoredFile { id: self.new_id(now), owner, job: None, bytes: 0, lines: 0, created_at: now, expires_at: now.after(STALLED) };
        patiently(|| async {
            let tx = self.store().write().await?;
            make_room(&tx, &file, now).await?;
            tx.files().insert(&file).await?;
            Ok(tx.commit().await?)
        })
        .await?;
        Ok(file.id)
    }

    /// Keeps the next part of a file that arrives from somebody who still may send it.
    pub async fn append_to_file(&self, sender: &Actor, file: FileId, number: u64, part: &[u8]) -> Result<(), Error> {
        self.must_stand(sender).await?;
        patiently(|| async {
            let (tx, now) = (self.store().write().await?, self.now());
            append(&tx, file, number, part, (now, now.after(STALLED))).await?;
            Ok(tx.commit().await?)
        })
        .await
    }

    /// A file did not arrive, or nobody took it: it goes.
    pub async fn drop_file(&self, file: FileId) -> Result<(), Error> {
        patiently(|| async {
            let tx = self.store().write().await?;
            tx.files().expire(file, self.now()).await?;
            Ok(tx.commit().await?)
        })
        .await
    }

    /// A part of a file for somebody who still may have it; none behind the last one.
    pub async fn part_of_file(&self, reader: &Actor, file: FileId, number: u64) -> Result<Option<Vec<u8>>, Error> {
        self.must_stand(reader).await?;
        Ok(self.store().reader().files().part(file, number).await?)
    }
}

impl Cx<'_> {
    /// Gives the file that the caller sent to a job, which has it until `until`.
    pub async fn give_file(&mut self, file: FileId, job: JobId, until: Timestamp) -> Result<StoredFile, Error> {
        let (now, owner) = (self.now(), self.actor().user());
        let given = self.tx().await?.files().give(file, job, (now, until)).await?;
        given.filter(|file| file.owner == owner).ok_or_else(|| Error::with(Code::NotFound, "the file is not there any more: send it again"))
    }

    /// Begins a file that a job of the caller makes, and keeps until `until`.
    pub async fn begin_file(&mut self, job: JobId, until: Timestamp) -> Result<FileId, Error> {
        let now = self.now();
        let owner = self.actor().user();
        let file = StoredFile { id: self.new_id(), owner, job: Some(job), bytes: 0, lines: 0, created_at: now, expires_at: until };
        let tx = self.tx().await?;
        make_room(tx, &file, now).await?;
        tx.files().insert(&file).await?;
        Ok(file.id)
    }

    /// Adds a part to a file that a job makes.
    pub async fn append_to_file(&mut self, file: &StoredFile, number: u64, part: &[u8]) -> Result<(), Error> {
        let now = self.now();
        append(self.tx().await?, file.id, number, part, (now, file.expires_at)).await
    }

    /// Nobody needs the file of a job any more.
    pub async fn drop_file_of(&mut self, job: JobId) -> Result<(), Error> {
        let now = self.now();
        Ok(self.tx().await?.files().expire_of_job(job, now).await?)
    }
}

/// Makes sure that there is room for one more file. What nobody works on gives way.
async fn make_room(tx: &Tx, file: &StoredFile, now: Timestamp) -> Result<(), Error> {
    tx.files().hold().await?;
    let mut standing = standing(tx, now).await?;
    let own: Vec<_> = standing.iter().filter(|known| file.owner.is_some() && known.owner == file.owner).cloned().collect();
    if own.len() >= MOST_OF_ONE {
        let Some(gone) = give_way(tx, &own, now).await? else {
            let message = format!("{MOST_OF_ONE} files of yours are waiting already: let a job end, or cancel one");
            return Err(Error::with(Code::Conflict, message).details(json!({ "limit": MOST_OF_ONE })));
        };
        standing.retain(|known| known.id != gone.id);
    }
    if standing.len() >= MOST && give_way(tx, &standing, now).await?.is_none() { Err(no_room()) } else { Ok(()) }
}

/// The files that somebody may still need, the oldest first.
async fn standing(tx: &Tx, now: Timestamp) -> Result<Vec<StoredFile>, Error> {
    let all = tx.reader().files().all().await?;
    Ok(all.into_iter().filter(|file| file.expires_at > now).collect())
}

/// Has the oldest of some files expire whose job is over, and says which: what nobody works on makes room for what somebody does.
async fn give_way(tx: &Tx, files: &[StoredFile], now: Timestamp) -> Result<Option<StoredFile>, Error> {
    for file in files {
        let Some(job) = file.job else { continue };
        if tx.reader().jobs().get(job).await?.is_none_or(|job| job.state.is_over()) {
            tx.files().expire(file.id, now).await?;
            return Ok(Some(file.clone()));
        }
    }
    Ok(None)
}

#[expect(clippy::naive_bytecount, reason = "a part has 64 KiB, which takes microseconds")]
async fn append(tx: &Tx, file: FileId, number: u64, part: &[u8], (now, until): (Timestamp, Timestamp)) -> Result<(), Error> {
    let mut others = standing(tx, now).await?;
    let own = others.iter().find(|known| known.id == file).map_or(0, |known| known.bytes);
    let more = part.len() as u64;
    if own + more > LARGEST {
        return Err(too_large());
    }
    others.retain(|known| known.id != file);
    while others.iter().map(|known| known.bytes).sum::<u64>() + own + more > ROOM {
        let gone = give_way(tx, &others, now).await?.ok_or_else(no_room)?;
        others.retain(|known| known.id != gone.id);
    }
    let lines = part.iter().filter(|byte| **byte == b'\n').count() as u64;
    if tx.files().append(file, number, part.to_vec(), lines, (now, until)).await? {
        Ok(())
    } else {
        Err(Error::with(Code::RequestTimeout, "the file took too long to arrive: send it again"))
    }
}

/// The refusal of a file that is larger than any may be.
pub fn too_large() -> Error {
    Error::with(
        Code::PayloadTooLarge,
        format!("the file has more than {LARGEST} bytes, which is more than one may have: take fewer entries at once"),
    )
    .details(json!({ "limit": LARGEST }))
}

fn no_room() -> Error {
    Error::with(Code::Busy, "as many imports and exports are under way as there is room for: try again when some are over")
}
