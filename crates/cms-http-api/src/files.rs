//! Files as bodies: kept part by part as they arrive, and sent part by part. None is ever whole in memory.

use std::sync::Arc;

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use bytes::Bytes;
use cms_domain::{access::Actor, id::FileId};
use cms_frame::{
    Code, Error,
    files::{Given, LARGEST, PART, too_large},
    intake::Share,
    operation::SentFile,
};
use futures_util::stream;
use http::{HeaderValue, StatusCode, header, request::Parts};
use http_body_util::BodyExt;
use serde::Deserialize;
use tokio::time::timeout;

use crate::{
    body::{self, Limits},
    error::note,
    reply,
    shared::Shared,
};

/// Keeps the body of a request, which may be as large as a file may be, and says where. Each part has as much time as other bodies have in all.
pub(crate) async fn receive(
    shared: &Shared,
    sender: &Actor,
    sent: SentFile,
    parts: &Parts,
    body: &mut Body,
    limits: &Limits,
) -> Result<FileId, Error> {
    if body::media_type(&parts.headers)?.as_deref() != Some(sent.media_type) {
        return Err(Error::with(Code::UnsupportedMediaType, format!("send the file as `Content-Type: {}`", sent.media_type)));
    }
    if body.size_hint().lower() > LARGEST {
        return Err(too_large());
    }
    let file = shared.cms.begin_file(sender).await.map_err(note)?;
    let kept = keep(shared, sender, file, body, limits).await;
    if kept.is_err() {
        forget(shared, file).await;
    }
    kept.map(|()| file)
}

async fn keep(shared: &Shared, sender: &Actor, file: FileId, body: &mut Body, limits: &Limits) -> Result<(), Error> {
    let (mut number, mut rest) = (0, Vec::new());
    loop {
        let next = timeout(limits.time, part(body, rest, limits)).await;
        let (part, more, _share) = next.unwrap_or_else(|_| Err(Error::new(Code::RequestTimeout)))?;
        if part.is_empty() {
            return Ok(());
        }
        shared.cms.append_to_file(sender, file, number, &part).await.map_err(note)?;
        (number, rest) = (number + 1, more);
    }
}

/// The next part of a body behind what is left of the one before, and what is left of this one. The last part may be shorter, and the one behind it is
/// empty. What waits in memory has a share of the room for all bodies, until it is kept.
async fn part(body: &mut Body, rest: Vec<u8>, limits: &Limits) -> Result<(Vec<u8>, Vec<u8>, Share), Error> {
    let mut share = limits.intake.begin();
    share.append(&rest)?;
    while share.arrived() < PART
        && let Some(frame) = body.frame().await
    {
        let frame = frame.map_err(|_| Error::issue("", "INCOMPLETE", "the file ended before its end"))?;
        if let Ok(data) = frame.into_data() {
            share.append(&data)?;
        }
    }
    let mut arrived = share.finish();
    let more = arrived.split_off(arrived.len().min(PART));
    Ok((arrived, more, share))
}

/// Nobody takes a file that arrived.
pub(crate) async fn forget(shared: &Shared, file: FileId) {
    if let Err(error) = shared.cms.drop_file(file).await {
        tracing::debug!(%error, %file, "a file stays until it expires");
    }
}

/// The envelope around what an operation gives.
#[derive(Deserialize)]
struct Enveloped {
    data: Given,
}

/// Sends a file that an operation gives to somebody for as long as they may have it.
pub(crate) fn send(shared: &Arc<Shared>, reader: Actor, answer: &[u8], media_type: &'static str, parts: &Parts) -> Result<Response, Error> {
    let Enveloped { data: Given { file, name, bytes } } = serde_json::from_slice(answer).map_err(|error| note(error.into()))?;
    let header = |text: String| HeaderValue::try_from(text).map_err(|error| note(Error::internal(error)));
    // What is in a file never changes.
    let tag = header(format!("\"{file}\""))?;
    let mut response = Response::default();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, reply::NO_STORE);
    headers.insert(header::ETAG, tag.clone());
    if reply::names(&parts.headers, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CONTENT_LENGTH, bytes.into());
    headers.insert(header::CONTENT_DISPOSITION, header(format!("attachment; filename=\"{name}\""))?);
    let shared = Arc::clone(shared);
    *response.body_mut() = Body::from_stream(stream::try_unfold((0, bytes), move |(number, left)| {
        let (shared, reader) = (Arc::clone(&shared), reader.clone());
        async move {
            if left == 0 {
                return Ok(None);
            }
            // A sender that is cut off tells more than one that goes on without it: the length was said before.
            let part = shared.cms.part_of_file(&reader, file, number).await.map_err(note)?;
            let part = part.ok_or_else(|| note(Error::internal("a part of a file is missing")))?;
            let left = left.saturating_sub(part.len() as u64);
            Ok::<_, Error>(Some((Bytes::from(part), (number + 1, left))))
        }
    }));
    Ok(response)
}
