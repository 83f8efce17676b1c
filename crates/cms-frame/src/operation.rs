//! An operation is a type. What it states here once is read by every door.

use std::time::Duration;

use cms_domain::access::Access;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::timeout;
use tracing::Instrument;

use crate::{Code, Cx, Error, failures::Failures, input::Later, topics::Subject};

/// Something that can be done: the input is the type itself.
///
/// The doc comment of the type is its summary and description in every door, the doc comments of its fields are theirs.
pub trait Operation: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static {
    /// Name in the log, in the audit trail and, with an underscore, of the tool: `content.update`.
    const ID: &'static str;
    /// Who may.
    const ACCESS: Access;
    /// Where REST has it.
    const HTTP: Http;
    /// Whether and how agents see it.
    const TOOL: Tool;
    /// How often one address may ask for it. Every operation that takes or makes a credential has a limit.
    const LIMIT: Option<Limit> = None;
    /// How lately the user of a session must have proven who they are. Every operation that makes or widens access asks for it, or asks
    /// itself where that depends on the input: [`Cx::require_recent_proof`].
    const PROOF: Proof = Proof::Any;
    /// What it can fail with, besides what access, limit and the reading of its input imply. Tests panic at a code that is not here.
    const FAILURES: Failures = &[];
    /// Members that it will take, and what it says to whoever sends one already.
    const LATER: Later = &[];
    /// How long one that is added may take before it is given up: as long as a request waits unless it is told otherwise. It may have the one
    /// connection that writes, and nothing else ends its waiting. What is built in waits for nothing but the database, which has bounds of its own.
    const TIME: Duration = Duration::from_mins(1);
    /// What it answers.
    type Output: Serialize + JsonSchema + Send + 'static;

    /// Rules that concern several members of the input. Single members are parsed into types that know theirs.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Does it.
    fn run(self, cx: &mut Cx<'_>) -> impl Future<Output = Result<Self::Output, Error>> + Send;

    /// About how many bytes an answer takes, where that is known before it is written: room for it is made once.
    fn length(_: &Self::Output) -> usize {
        0
    }
}

/// How often something may be done. Windows are whole spans since 1970, the same on every server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// How often.
    pub times: u32,
    /// In which span.
    pub within: Duration,
}

impl Limit {
    /// Beginning to make or to prove a credential. A person does that once or twice; ten a minute leave room for several people behind
    /// one address, and none to try out addresses or secrets.
    pub const BEGIN: Self = Self::a_minute(10);
    /// What follows a beginning, or is asked of somebody who is signed in: wider than beginnings, so that whoever was let begin gets to
    /// the end, slips included.
    pub const FOLLOW: Self = Self::a_minute(30);
    /// What a browser or a program asks on its way and makes nothing: once a second.
    pub const ASK: Self = Self::a_minute(60);

    /// So often a minute.
    pub const fn a_minute(times: u32) -> Self {
        Self { times, within: Duration::from_mins(1) }
    }

    /// So often in five minutes.
    pub const fn five_minutes(times: u32) -> Self {
        Self { times, within: Duration::from_mins(5) }
    }
}

/// How lately the user of a session must have proven who they are. Others are not asked: tokens manage no credentials, and a gateway or
/// a host vouches for each request anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Whenever it was.
    Any,
    /// Within [`Proof::GRACE`], so that a stolen session alone makes nothing that outlives it (OWASP ASVS 5, 7.5.1).
    Recent,
}

impl Proof {
    /// How long a proof counts as recent: long enough to sign in and do what one came for, too short for most who find a session.
    pub const GRACE: Duration = Duration::from_mins(10);
}

/// Method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Does something.
    Post,
    /// Changes something, as often as one likes.
    Put,
    /// Changes some members of something.
    Patch,
    /// Removes something.
    Delete,
}

/// Who a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Everyone: it is in the OpenAPI document and stays as it is.
    Public,
    /// The admin application: it may change with it.
    Internal,
    /// Nobody: the command line and tasks invoke the operation directly.
    None,
}

/// Route of an operation: inert data for the REST door.
#[derive(Debug, Clone, Copy)]
pub struct Http {
    /// Method.
    pub method: Method,
    /// `operationId` in the OpenAPI document.
    pub operation_id: &'static str,
    /// Path below the API's root; members of the input in braces.
    pub path: &'static str,
    /// Members of the input that come from the query though the method has a body. Without a body all of them do.
    pub query: &'static [&'static str],
    /// Whether success is `201 Created`.
    pub created: bool,
    /// Whether success is `200 OK` all the same where what was to be made was there already ([`Cx::found`]).
    pub or_found: bool,
    /// Who the route is for.
    pub surface: Surface,
    /// What the answer to readers of published content is made of, where it depends on the path and query alone: then it is kept until one of
    /// these changes. Otherwise empty.
    pub made_of: &'static [Subject],
    /// What the body of a request is.
    pub takes: Takes,
    /// What an answer is.
    pub gives: Gives,
    /// Whether a gateway in front of the site replaces it.
    pub replaced_by_gateway: bool,
}

/// What the body of a request is, where its method has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Members, as a JSON object.
    Json,
    /// Members, as a form or as a JSON object (RFC 6749, 3.2).
    Form,
    /// Bytes that whoever answers reads.
    Bytes,
    /// A file, which is kept as it arrives.
    File(SentFile),
    /// A file of the library, which is kept as it arrives and handed to the operation beside its input ([`Cx::attached`]).
    Upload(Upload),
}

/// How a file of the library comes in the body of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upload {
    /// As the part `file` of a form whose other parts are members (RFC 7578). A JSON object will do too, whose members hold the file themselves.
    Form,
    /// As all of it. The members are in the address.
    Whole,
}

/// A file as the body of a request. All other members are in the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentFile {
    /// The member of the input that says which file it became.
    pub member: &'static str,
    /// What it is.
    pub media_type: &'static str,
}

/// What an answer is. Failures are told in the envelope, or as the standard of the route has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// JSON in the envelope.
    Envelope,
    /// JSON in the envelope, or one member of it as text.
    Text(PlainText),
    /// JSON as it is.
    Plain,
    /// The way to the address that this member of the answer has.
    Redirect(&'static str),
    /// Bytes that whoever answers makes.
    Bytes,
    /// A file of this media type: the answer says which one ([`crate::files::Given`]).
    File(&'static str),
    /// What is answered, as an event, and again whenever it has become another one (Server-Sent Events). Only what reads is asked again and again.
    Events,
}

/// An answer that is sent as it is, and not in the envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainText {
    /// The member of the answer that is the text. An answer without it is enveloped as ever.
    pub member: &'static str,
    /// Its media type.
    pub media_type: &'static str,
}

impl Http {
    /// An operation without a route.
    pub const NONE: Self = Self { surface: Surface::None, ..Self::get("", "") };

    const fn new(method: Method, operation_id: &'static str, path: &'static str) -> Self {
        Self {
            method,
            operation_id,
            path,
            query: &[],
            created: false,
            or_found: false,
            surface: Surface::Public,
            made_of: &[],
            takes: Takes::Json,
            gives: Gives::Envelope,
            replaced_by_gateway: false,
        }
    }

    /// A route that reads.
    pub const fn get(operation_id: &'static str, path: &'static str) -> Self {
        Self::new(Method::Get, operation_id, path)
    }

    /// A route that does something.
    pub const fn post(operation_id: &'static str, path: &'static str) -> Self {
        Self::new(Method::Post, operation_id, path)
    }

    /// A route that changes something.
    pub const fn put(operation_id: &'static str, path: &'static str) -> Self {
        Self::new(Method::Put, operation_id, path)
    }

    /// A route that changes some members of something.
    pub const fn patch(operation_id: &'static str, path: &'static str) -> Self {
        Self::new(Method::Patch, operation_id, path)
    }

    /// A route that removes something.
    pub const fn delete(operation_id: &'static str, path: &'static str) -> Self {
        Self::new(Method::Delete, operation_id, path)
    }

    /// Members that come from the query though the method has a body.
    pub const fn query(self, query: &'static [&'static str]) -> Self {
        Self { query, ..self }
    }

    /// Success is `201 Created`.
    pub const fn created(self) -> Self {
        Self { created: true, ..self }
    }

    /// Success is `201 Created`, or `200 OK` where what was to be made was there already.
    pub const fn created_or_found(self) -> Self {
        Self { created: true, or_found: true, ..self }
    }

    /// The body is a file of the library. Where it is all of the body, the other members of the input are in the address.
    pub const fn upload(self, upload: Upload) -> Self {
        Self { takes: Takes::Upload(upload), ..self }
    }

    /// It is of a way into an account, and not there where a gateway in front of the site is the only way in. Personal access tokens,
    /// applications and the sessions that are left to end stay.
    pub const fn replaced_by_gateway(self) -> Self {
        Self { replaced_by_gateway: true, ..self }
    }

    /// The route is the admin application's.
    pub const fn internal(self) -> Self {
        Self { surface: Surface::Internal, ..self }
    }

    /// A member of the answer is text that is sent as it is.
    pub const fn text(self, text: PlainText) -> Self {
        Self { gives: Gives::Text(text), ..self }
    }

    /// The body may be a form.
    pub const fn form(self) -> Self {
        Self { takes: Takes::Form, ..self }
    }

    /// The body is bytes.
    pub const fn bytes(self) -> Self {
        Self { takes: Takes::Bytes, ..self }
    }

    /// The body is a file: `member` says which one it became. The other members of the input are `query`.
    pub const fn file(self, member: &'static str, media_type: &'static str, query: &'static [&'static str]) -> Self {
        Self { takes: Takes::File(SentFile { member, media_type }), query, ..self }
    }

    /// The answer is this, and not JSON in the envelope.
    pub const fn gives(self, gives: Gives) -> Self {
        Self { gives, ..self }
    }

    /// Whether members come in and what is answered goes out in a way that doors know without being told.
    pub const fn is_enveloped(&self) -> bool {
        matches!(
            (self.takes, self.gives),
            (Takes::Json | Takes::File(_) | Takes::Upload(_), Gives::Envelope | Gives::Text(_) | Gives::File(_) | Gives::Events)
        )
    }

    /// The answer to readers of published content is kept, and is made of these. What it is made of each time the operation says while it runs:
    /// [`Cx::shows`].
    ///
    /// # Panics
    ///
    /// When it is made of nothing, which does not compile in a constant: nobody would know until when the answer is good.
    pub const fn cached(self, made_of: &'static [Subject]) -> Self {
        assert!(!made_of.is_empty(), "an answer that is kept is made of something");
        Self { made_of, ..self }
    }

    /// Whether answers to readers of published content are kept.
    pub const fn is_cached(&self) -> bool {
        !self.made_of.is_empty()
    }
}

/// Does something within a time. What changes something is done to its end even if whoever asked goes away meanwhile, or is told that it
/// took too long: what this process remembers follows it.
pub async fn to_the_end<T: Send + 'static>(
    changes: bool,
    time: Duration,
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let too_slow = |_| Err(Error::with(Code::Busy, "it took too long: look what is there before you repeat it"));
    if !changes {
        return timeout(time, work).await.unwrap_or_else(too_slow);
    }
    let ended = timeout(time, tokio::spawn(work.in_current_span())).await;
    ended.map_or_else(too_slow, |joined| {
        joined.unwrap_or_else(|broken| {
            tracing::error!(%broken, "what was to be done to its end broke off");
            Err(Error::internal(broken))
        })
    })
}

/// How agents see an operation. The hints are those of the Model Context Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Changes nothing.
    Read,
    /// Adds or changes, and loses nothing that cannot be had back.
    Write,
    /// Like `Write`, and doing it twice is doing it once.
    Idempotent,
    /// May lose something.
    Destructive,
    /// Agents do not see it.
    Hidden,
}

/// The name in a segment of the template of an address, if it has one: that of a member of the input.
pub fn name_in(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// The name of an operation's tool.
pub fn tool_name(id: &str) -> String {
    id.replace('.', "_")
}
