//! Event streams: the answer of an operation, sent again whenever it has become another one (Server-Sent Events, HTML Standard 9.2).
//!
//! What is sent is always the whole answer, so that whoever lost the connection asks anew and has missed nothing.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::response::{
    IntoResponse, Response,
    sse::{Event, KeepAlive, Sse},
};
use cms_domain::access::Actor;
use cms_frame::{Client, Code, Door, Error, Stream, descriptor::Descriptor};
use futures_util::stream;
use http::{HeaderName, HeaderValue, header};
use serde_json::json;
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, sleep},
};

use crate::{bind::Input, error, shared::Shared};

/// How often it is looked whether the answer is another one: people see that as at once.
const EVERY: Duration = Duration::from_millis(500);
/// How many streams there are at once: each looks into the database twice a second.
pub(crate) const MOST: usize = 100;
/// After how long without an event a comment is sent, so that nobody in between takes the connection for a dead one.
const ALIVE: Duration = Duration::from_secs(15);
/// How long a stream lasts.
const LIFE: Duration = Duration::from_mins(10);
/// How long a browser waits before it asks anew.
const RETRY: Duration = Duration::from_secs(1);
/// Proxies such as nginx hold answers back unless they are told not to.
const UNBUFFERED: (HeaderName, HeaderValue) = (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// What is asked again and again.
struct Watched {
    shared: Arc<Shared>,
    operation: Arc<Descriptor>,
    input: Input,
    actor: Actor,
    client: Client,
    /// Until when. Then whoever watches asks anew, and is identified as for any other request.
    until: Instant,
    /// What was sent last.
    sent: Vec<u8>,
    /// Its place among all streams.
    _place: OwnedSemaphorePermit,
}

/// The answers of an operation to somebody who may ask for it. The first one decides whether there is a stream at all.
pub(crate) async fn stream(
    shared: &Arc<Shared>,
    operation: &Arc<Descriptor>,
    input: Input,
    actor: Actor,
    client: Client,
) -> Result<Response, Error> {
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        return Err(error::note(Error::with(Code::Busy, "as many watch as this server lets: close other windows, or ask for the list")));
    };
    let client = Client { stream: Some(Stream::default()), ..client };
    let (shared, operation, until) = (Arc::clone(shared), Arc::clone(operation), Instant::now() + LIFE);
    let mut watched = Watched { shared, operation, input, actor, client, until, sent: Vec::new(), _place: place };
    let first = watched.ask().await?;
    watched.sent.clone_from(&first);
    let begun = Event::default().retry(RETRY).data(text(first));
    let events = stream::unfold((Some(begun), Some(watched)), |(begun, watched)| async move {
        if let Some(begun) = begun {
            return Some((Ok::<_, Infallible>(begun), (None, watched)));
        }
        let mut watched = watched?;
        let cms = watched.shared.cms.clone();
        while Instant::now() < watched.until {
            tokio::select! {
                () = cms.stops() => return None,
                () = sleep(EVERY) => {}
            }
            match watched.ask().await {
                Ok(answer) if answer == watched.sent => {}
                Ok(answer) => {
                    watched.sent.clone_from(&answer);
                    return Some((Ok(Event::default().data(text(answer))), (None, Some(watched))));
                }
                // A database that is busy is asked again.
                Err(error) if error.code() == Code::Busy => {}
                Err(error) => {
                    let told = json!({ "code": error.code().as_str(), "message": error.message() });
                    return Some((Ok(Event::default().event("failed").data(told.to_string())), (None, None)));
                }
            }
        }
        None
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(UNBUFFERED.0, UNBUFFERED.1);
    Ok(response)
}

impl Watched {
    /// The answer now, if whoever asked still may.
    async fn ask(&self) -> Result<Vec<u8>, Error> {
        let cms = &self.shared.cms;
        cms.must_stand(&self.actor).await?;
        let invocation = self.input.clone().read(&self.operation)?;
        cms.perform(&self.actor, Door::Rest, &self.client, invocation, None).await?.to_json()
    }
}

/// JSON as the text of an event: serde writes it in one line.
fn text(answer: Vec<u8>) -> String {
    String::from_utf8(answer).unwrap_or_default()
}
