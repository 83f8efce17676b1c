//! Pictures are looked at and made in child processes of the same program: a bomb or a panic ends a child.

mod child;
mod cut;
mod encode;
mod frames;
mod look;
mod message;
mod picture;
mod recipe;

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
    sync::Semaphore,
    time::timeout,
};

use self::message::{Answer, Request, Task};
pub use self::{
    child::child,
    recipe::{Fit, Format, Looked, PictureError, Recipe},
};
use crate::Error;

/// The version of what encoders do, and all that is done before them. A picture that was made by another one may look different.
pub const ENCODERS: &str = "1";

/// A picture with more pixels is not decoded: as RGBA this is 400 MB.
pub const MOST_PIXELS: u64 = 100_000_000;

/// A picture with a longer side is not decoded.
pub const MOST_SIDE: u32 = 30_000;

/// A picture with more bytes is not read.
pub const MOST_SOURCE_BYTES: u64 = 256 * 1024 * 1024;

/// How long a child may take, from when it has the whole picture, and how long the picture may take to come.
const TIME: Duration = Duration::from_secs(30);

/// How many may wait for their turn. More of them would wait longer than anybody does.
const MOST_WAITING: usize = 256;

/// What a child answers at most: the largest picture that is made, as a PNG that cannot be made smaller.
const LARGEST_ANSWER: u64 = 320 * 1024 * 1024;

/// How much of what a child complains about is read.
const LONGEST_COMPLAINT: u64 = 1024;

/// Where pictures are looked at and made. A clone is the same workshop.
#[derive(Clone, Debug)]
pub struct Workshop(Arc<Inside>);

#[derive(Debug)]
struct Inside {
    program: PathBuf,
    arguments: Vec<OsString>,
    places: Semaphore,
    waiting: AtomicUsize,
    time: Duration,
}

impl Workshop {
    /// Starts `program` with `arguments` for each picture, and `at_once` of them at once. What is started calls [`child()`] and does nothing else.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, at_once: usize) -> Self {
        Self(Arc::new(Inside { program, arguments, places: Semaphore::new(at_once.max(1)), waiting: AtomicUsize::new(0), time: TIME }))
    }

    /// The same, with children that are killed after another time. Ask for it before there are clones.
    pub fn within(self, time: Duration) -> Self {
        let Inside { program, arguments, places, .. } = &*self.0;
        let places = Semaphore::new(places.available_permits());
        Self(Arc::new(Inside { program: program.clone(), arguments: arguments.clone(), places, waiting: AtomicUsize::new(0), time }))
    }

    /// What a picture of so many bytes is.
    pub async fn look(&self, source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin, size: u64) -> Result<Looked, PictureError> {
        match self.served(source, Request { task: Task::Look, size }).await? {
            (Answer::Looked(looked), _) => Ok(looked),
            (Answer::Failed(failure), _) => Err(failure.into()),
            (Answer::Made, _) => Err(nonsense()),
        }
    }

    /// What a recipe makes of a picture of so many bytes.
    pub async fn make(
        &self,
        source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin,
        size: u64,
        recipe: &Recipe,
    ) -> Result<Vec<u8>, PictureError> {
        // What is no number has no place in JSON.
        let middle = |at: f32| if at.is_finite() { at } else { 0.5 };
        let recipe = Recipe { focal: (middle(recipe.focal.0), middle(recipe.focal.1)), ..*recipe };
        match self.served(source, Request { task: Task::Make(recipe), size }).await? {
            (Answer::Made, made) if !made.is_empty() => Ok(made),
            (Answer::Failed(failure), _) => Err(failure.into()),
            _ => Err(nonsense()),
        }
    }

    async fn served(
        &self,
        source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin,
        request: Request,
    ) -> Result<(Answer, Vec<u8>), PictureError> {
        if request.size > MOST_SOURCE_BYTES {
            return Err(PictureError::TooLarge);
        }
        let Inside { program, arguments, places, waiting, time } = &*self.0;
        let place = {
            let _turn = Turn::take(waiting)?;
            places.acquire().await.map_err(|error| PictureError::Machine(error.to_string()))?
        };
        let mut command = Command::new(program);
        // It needs nothing of what this process knows.
        command.args(arguments).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| PictureError::Machine(format!("{} does not start: {error}", program.display())))?;
        let served = attended(&mut child, source, &request, *time).await;
        // Whatever it is doing, it is not needed any more, and nobody else waits for it to be gone.
        let _gone_already = child.kill().await;
        drop(place);
        served
    }
}

/// A place in the queue.
struct Turn<'a>(&'a AtomicUsize);

impl<'a> Turn<'a> {
    fn take(waiting: &'a AtomicUsize) -> Result<Self, PictureError> {
        let turn = Self(waiting);
        if waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING { Err(PictureError::Busy) } else { Ok(turn) }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Gives a child its picture and takes what it answers.
async fn attended(
    child: &mut Child,
    source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin,
    request: &Request,
    time: Duration,
) -> Result<(Answer, Vec<u8>), PictureError> {
    let (Some(input), Some(output), Some(complaints)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
        return Err(nonsense());
    };
    // What it answers is read while it is fed: it may know enough before it has everything.
    let fed_in_time = async {
        match timeout(TIME, fed(input, source, request, time)).await {
            Ok(fed) => fed,
            Err(_) => Err(PictureError::Machine("the picture took too long to come".to_owned())),
        }
    };
    let answered = async { tokio::join!(read_up_to(output, LARGEST_ANSWER), read_up_to(complaints, LONGEST_COMPLAINT)) };
    tokio::pin!(answered);
    let early = tokio::select! {
        fed = fed_in_time => { fed?; None }
        read = &mut answered => Some(read),
    };
    let (answer, complaint) = match early {
        Some(read) => read,
        None => timeout(time, answered).await.map_err(|_| PictureError::Died)?,
    };
    let status = timeout(time, child.wait()).await.map_err(|_| PictureError::Died)?.map_err(of_machine)?;
    let mut answer = answer.map_err(of_machine)?;
    let mut rest = &answer[..];
    match message::read(&mut rest) {
        Ok(message) if status.success() => {
            let begins = answer.len() - rest.len();
            answer.drain(..begins);
            Ok((message, answer))
        }
        _ => Err(ended(status, &complaint.unwrap_or_default())),
    }
}

/// Gives a child what it is to do, and the picture. A child that does not want all of it has its reasons, and says them.
async fn fed(
    mut input: ChildStdin,
    mut source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin,
    request: &Request,
    time: Duration,
) -> Result<(), PictureError> {
    let mut left = request.size;
    let header = message::framed(request).map_err(of_machine)?;
    if timeout(time, input.write_all(&header)).await.map_err(|_| PictureError::Died)?.is_err() {
        return Ok(());
    }
    while let Some(bytes) = source.next().await {
        let bytes = bytes.map_err(|error| PictureError::Machine(error.to_string()))?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| PictureError::Machine("the picture has more bytes than was said".to_owned()))?;
        if timeout(time, input.write_all(&bytes)).await.map_err(|_| PictureError::Died)?.is_err() {
            return Ok(());
        }
    }
    if left > 0 {
        return Err(PictureError::Machine("the picture has fewer bytes than was said".to_owned()));
    }
    Ok(())
}

async fn read_up_to(source: impl AsyncRead + Unpin, most: u64) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    source.take(most).read_to_end(&mut read).await?;
    Ok(read)
}

/// Why a child ended without an answer: a signal took it, or it never began.
fn ended(status: ExitStatus, complaint: &[u8]) -> PictureError {
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status).is_some() {
        return PictureError::Died;
    }
    let complaint = String::from_utf8_lossy(complaint);
    PictureError::Machine(format!("{status}: {}", complaint.lines().next().unwrap_or_default()))
}

fn of_machine(error: io::Error) -> PictureError {
    PictureError::Machine(error.to_string())
}

fn nonsense() -> PictureError {
    PictureError::Machine("what was started is no workshop".to_owned())
}
