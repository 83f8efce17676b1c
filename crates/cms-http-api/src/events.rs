//! Event streams: the answer of an operation, sent again whenever it has become another one (Server-Sent Events, HTML Standard 9.2).
//!
//! What is sent is always the whole answer, so that whoever lost the connection asks anew and has missed nothing.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::response::{
    IntoResponse, Response,
    sse::{Event, KeepAlive, Sse},
};
use cms_domain::{access::Actor, id::UserId};
use cms_frame::{Client, Code, Door, Error, Stream, descriptor::Descriptor};
use futures_util::stream;
use http::{HeaderName, HeaderValue, header};
use serde_json::json;
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, sleep},
};

use crate::{bind::Input, error, reply, shared::Shared};

/// How often it is looked whether the answer is another one: people see that as at once.
const EVERY: Duration = Duration::from_millis(500);
/// How many streams there are at once: each looks into the database twice a second.
pub(crate) const MOST: usize = 100;
/// How many of them one person has: a browser has one for each list that is open, and people have a few browsers.
pub(crate) const MOST_EACH: usize = 20;
/// After how long without an event a comment is sent, so that nobody in between takes the connection for a dead one.
const ALIVE: Duration = Duration::from_secs(15);
/// How long a stream lasts.
const LIFE: Duration = Duration::from_mins(10);
/// How long a browser waits before it asks anew.
const RETRY: Duration = Duration::from_secs(1);
/// Proxies such as nginx hold answers back unless they are told not to.
const UNBUFFERED: (HeaderName, HeaderValue) = (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// How many streams each person has, so that nobody takes the places of all others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seats(Arc<Mutex<HashMap<Option<UserId>, usize>>>);

/// A stream of somebody; given back when dropped.
struct Seat {
    seats: Seats,
    user: Option<UserId>,
}

impl Seats {
    fn taken(&self) -> MutexGuard<'_, HashMap<Option<UserId>, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more for somebody, unless they have as many as one may.
    fn take(&self, user: Option<UserId>) -> Option<Seat> {
        let mut taken = self.taken();
        let count = taken.entry(user).or_default();
        if *count >= MOST_EACH {
            return None;
        }
        *count += 1;
        Some(Seat { seats: self.clone(), user })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        if let Some(count) = taken.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

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
    /// Its place among all streams, and among those of whoever watches.
    _place: (OwnedSemaphorePermit, Seat),
}

/// The answers of an operation to somebody who may ask for it. The first one decides whether there is a stream at all.
pub(crate) async fn stream(
    shared: &Arc<Shared>,
    operation: &Arc<Descriptor>,
    input: Input,
    actor: Actor,
    client: Client,
) -> Result<Response, Error> {
    let busy = |message| error::note(Error::with(Code::Busy, message));
    let seat = shared
        .seats
        .take(actor.user())
        .ok_or_else(|| busy("you watch as much as one person may: close other windows, or ask for the list"))?;
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        return Err(busy("as many watch as this server lets: close other windows, or ask for the list"));
    };
    let client = Client { stream: Some(Stream::default()), ..client };
    let (shared, operation, until) = (Arc::clone(shared), Arc::clone(operation), Instant::now() + LIFE);
    let mut watched = Watched { shared, operation, input, actor, client, until, sent: Vec::new(), _place: (place, seat) };
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
    headers.insert(header::CACHE_CONTROL, reply::NO_STORE);
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
