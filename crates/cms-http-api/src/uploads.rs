//! Files of the library as bodies: the part of a form or all of it, handed to the store as they arrive. None is ever whole in memory.

use std::{
    mem,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Poll, ready},
};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use cms_frame::{Cms, Code, Error, operation::Http};
use cms_media::arriving::{self, Arrived, Coming};
use futures_util::{Stream, StreamExt, stream};
use http::{HeaderMap, header, request::Parts};
use http_body_util::BodyDataStream;
use multer::{Field, Multipart, parse_boundary};
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    body::{self, Limits},
    members::Members,
};

/// The part that is the file.
const FILE: &str = "file";
/// A part that older clients send: a small version of a picture, which is made here.
const THUMBNAIL: &str = "thumbnail";
/// How long all other parts of a form may be together: they are names, descriptions and numbers.
const TEXTS: usize = 64 * 1024;
/// How many parts a form may have: several times as many as there are members.
const MOST_PARTS: usize = 50;
/// How much may come of a form without anything coming of it, such as the head of a part that does not end.
const STALLED: usize = 256 * 1024;

/// Whether a request brings its members as the parts of a form.
pub(crate) fn is_form(headers: &HeaderMap) -> Result<bool, Error> {
    Ok(body::media_type(headers)?.as_deref() == Some("multipart/form-data"))
}

/// All of a body, as a file.
pub(crate) async fn whole(cms: &Cms, parts: &Parts, body: &mut Body, limits: &Limits) -> Result<Arrived, Error> {
    let declared = body::media_type(&parts.headers)?;
    let library = cms_media::of(cms);
    library.must_fit(body.size_hint().lower())?;
    let mut coming = arriving::begin(cms, library.library().largest, declared)?;
    let mut bytes = BodyDataStream::new(body);
    let deadline = Instant::now() + arriving::TIME;
    let kept = async {
        while let Some(next) = in_time(bytes.next(), deadline, limits).await? {
            coming.write(next.map_err(|_| incomplete())?).await?;
        }
        Ok(())
    };
    let kept = kept.await;
    settled(coming, kept).await
}

/// The members and the file of a form. A form without a file is one without it: the operation says whether it needs one.
pub(crate) async fn form(
    cms: &Cms,
    http: &Http,
    members: &Members,
    parts: &Parts,
    body: &mut Body,
    limits: &Limits,
) -> Result<(Map<String, Value>, Option<Arrived>), Error> {
    debug_assert!(http.query.is_empty(), "the members of a form are its parts");
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let boundary =
        parse_boundary(content_type).map_err(|_| Error::issue("", "INVALID_FORM", "the form has no `boundary` in its `Content-Type`"))?;
    cms_media::of(cms).must_fit(body.size_hint().lower().saturating_sub(TEXTS as u64))?;
    let stalled = Arc::new(AtomicUsize::new(0));
    let mut form = Multipart::new(watched(BodyDataStream::new(body), Arc::clone(&stalled)), boundary);
    let deadline = Instant::now() + arriving::TIME;
    let mut read = Read { members: Map::new(), arrived: None, texts: 0 };
    let all = async {
        let mut count = 0;
        while let Some(part) = in_time(form.next_field(), deadline, limits).await?.map_err(broken)? {
            stalled.store(0, Ordering::Relaxed);
            count += 1;
            if count > MOST_PARTS {
                return Err(Error::issue("", "TOO_MANY", format!("the form has more than {MOST_PARTS} parts")));
            }
            read.take(cms, members, part, &stalled, deadline, limits).await?;
        }
        Ok(())
    };
    match all.await {
        Ok(()) => Ok((read.members, read.arrived)),
        Err(error) => {
            read.arrived.iter().for_each(|arrived| arriving::let_go(cms, arrived));
            Err(error)
        }
    }
}

/// What was read of a form so far.
struct Read {
    members: Map<String, Value>,
    arrived: Option<Arrived>,
    texts: usize,
}

impl Read {
    async fn take(
        &mut self,
        cms: &Cms,
        members: &Members,
        mut part: Field<'_>,
        stalled: &AtomicUsize,
        deadline: Instant,
        limits: &Limits,
    ) -> Result<(), Error> {
        let Some(name) = part.name().map(str::to_owned) else {
            return Err(Error::issue("", "INVALID_FORM", "a part of the form has no name"));
        };
        if name == FILE {
            if self.arrived.is_some() {
                return Err(Error::issue(FILE, "DUPLICATE", "is there twice: send one file at a time"));
            }
            let (given, declared) = (part.file_name().map(str::to_owned), part.content_type().map(|kind| kind.essence_str().to_owned()));
            let mut coming = arriving::begin(cms, cms_media::of(cms).library().largest, declared)?;
            let kept = async {
                while let Some(bytes) = in_time(part.chunk(), deadline, limits).await?.map_err(broken)? {
                    stalled.store(0, Ordering::Relaxed);
                    coming.write(bytes).await?;
                }
                Ok(())
            };
            let kept = kept.await;
            let mut arrived = settled(coming, kept).await?;
            arrived.name = given;
            self.arrived = Some(arrived);
            return Ok(());
        }
        let mut text = Vec::new();
        while let Some(bytes) = in_time(part.chunk(), deadline, limits).await?.map_err(broken)? {
            stalled.store(0, Ordering::Relaxed);
            self.texts += bytes.len();
            if self.texts > TEXTS {
                let message = format!("the parts of the form other than `file` have more than {TEXTS} bytes");
                return Err(Error::with(Code::PayloadTooLarge, message));
            }
            text.extend_from_slice(&bytes);
        }
        if name == THUMBNAIL {
            return Ok(());
        }
        let shown: String = name.chars().take(64).collect();
        let text = String::from_utf8(text).ok().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| Error::issue(&shown, "INVALID_ENCODING", "is not text in UTF-8"))?;
        let value = members.value(&name, text);
        if self.members.insert(name, value).is_some() {
            return Err(Error::issue(&shown, "DUPLICATE", "is there twice in the form"));
        }
        Ok(())
    }
}

/// A file that arrived, or nothing of one that did not.
async fn settled(coming: Coming, kept: Result<(), Error>) -> Result<Arrived, Error> {
    match kept {
        Ok(()) => coming.finish().await,
        Err(error) => {
            coming.abandon().await;
            Err(error)
        }
    }
}

/// Waits for the next bytes, as long as other bodies have in all, and for the whole file as long as one may take.
async fn in_time<T>(next: impl Future<Output = T>, deadline: Instant, limits: &Limits) -> Result<T, Error> {
    let next = timeout_at(deadline, timeout(limits.time, next)).await;
    next.ok().and_then(Result::ok).ok_or_else(|| Error::new(Code::RequestTimeout))
}

/// The bytes of a form, until too many came of which nothing became. Whoever reads forms takes all that is there before it hands on anything of it, which may
/// be more than memory has: so behind each piece there is nothing for a moment.
fn watched<'a>(
    mut bytes: impl Stream<Item = Result<Bytes, axum::Error>> + Send + Unpin + 'a,
    stalled: Arc<AtomicUsize>,
) -> impl Stream<Item = Result<Bytes, Stalled>> + Send + 'a {
    let mut rests = false;
    stream::poll_fn(move |context| {
        if mem::take(&mut rests) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = ready!(bytes.poll_next_unpin(context));
        rests = true;
        Poll::Ready(next.map(|next| {
            let next = next.map_err(|_| Stalled::Cut)?;
            if stalled.fetch_add(next.len(), Ordering::Relaxed) > STALLED { Err(Stalled::Endless) } else { Ok(next) }
        }))
    })
}

/// Why no more comes of a form.
#[derive(Debug, Clone, Copy)]
enum Stalled {
    Cut,
    Endless,
}

impl std::fmt::Display for Stalled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Cut => "it ended before its end",
            Self::Endless => "the head of a part does not end",
        })
    }
}

impl std::error::Error for Stalled {}

fn incomplete() -> Error {
    Error::issue("", "INCOMPLETE", "the file ended before its end")
}

fn broken(error: multer::Error) -> Error {
    if matches!(error, multer::Error::IncompleteFieldData { .. } | multer::Error::IncompleteStream) {
        return incomplete();
    }
    let message: String = error.to_string().chars().take(200).collect();
    Error::issue("", "INVALID_FORM", format!("the form cannot be read: {message}"))
}
