//! What each operation can answer: its success, and the failures that follow from how it is asked.

use std::collections::BTreeSet;

use aide::openapi::{
    Components, Header, HeaderStyle, MediaType, Parameter, ParameterData, ParameterSchemaOrContent, ReferenceOr, Response, Responses,
    StatusCode,
};
use cms_domain::issue::Issue;
use cms_frame::{
    Code, Kind,
    descriptor::Declaration,
    failures,
    operation::{Gives, Method, Takes, Upload},
};
use indexmap::IndexMap;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::{
    Entry,
    schemas::{Schemas, object},
};
use crate::{bind::has_body, error};

pub(super) const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The schema of every failure.
pub(super) const FAILURE: &str = "ApiError";

/// What the listener answers before it knows what is asked, without a body.
const CUT_OFF: [(u16, &str, &str); 2] = [
    (414, "AddressTooLong", "The address is too long. The answer has no body."),
    (431, "HeadTooLong", "The head of the request is too long. The answer has no body."),
];

/// The schema of the envelope around a failure.
pub(super) fn failure_schema(entries: &[Entry], schemas: &mut Schemas) -> Value {
    let custom: BTreeSet<_> =
        entries.iter().flat_map(|entry| codes(entry.operation)).filter(|code| !Code::ALL.contains(code)).map(Code::as_str).collect();
    let codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).chain(custom).collect();
    json!({
        "type": "object",
        "description": "What every failure looks like.",
        "required": ["success", "error"],
        "properties": {
            "success": { "type": "boolean", "const": false },
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": { "description": "Stable name of the failure.", "type": "string", "enum": codes },
                    "message": { "description": "What is wrong, for people.", "type": "string" },
                    "details": {
                        "description": "What is wrong, for programs. What there is depends on the code.",
                        "type": "object",
                        "properties": {
                            "issues": {
                                "description": "Every problem of the input.",
                                "type": "array",
                                "items": schemas.output(SchemaGenerator::subschema_for::<Issue>)
                            }
                        }
                    }
                }
            }
        }
    })
}

/// Everything that an operation can answer. Shared answers go into the components.
pub(super) fn of_operation(entry: &Entry, components: &mut Components) -> Responses {
    let http = &entry.operation.http;
    let mut responses = IndexMap::new();
    if http.created {
        responses.insert(StatusCode::Code(201), ReferenceOr::Item(success(entry, components)));
    }
    if !http.created || http.or_found {
        responses.insert(StatusCode::Code(200), ReferenceOr::Item(success(entry, components)));
    }
    if http.is_cached() || matches!(http.gives, Gives::File(_)) {
        responses.insert(StatusCode::Code(304), not_modified(components));
    }
    let mut kinds: IndexMap<Kind, Vec<Code>> = IndexMap::new();
    for code in codes(entry.operation) {
        kinds.entry(code.kind()).or_default().push(code);
    }
    for (kind, codes) in kinds {
        responses.insert(StatusCode::Code(error::status(kind).as_u16()), failure(kind, &codes, components));
    }
    for (status, name, description) in CUT_OFF {
        let response = Response { description: description.to_owned(), ..Response::default() };
        responses.insert(StatusCode::Code(status), shared(components, name, response));
    }
    Responses { responses, ..Responses::default() }
}

/// The codes that an operation can end with here: its own, and those of reading a request.
fn codes(operation: &Declaration) -> impl Iterator<Item = Code> {
    let (has_body, changes) = (has_body(operation.http.method), operation.http.method != Method::Get);
    let own = failures::of(operation);
    let custom: Vec<_> = own.iter().copied().filter(|code| matches!(code, Code::Custom(_))).collect();
    let listed = move |code: &Code| match code {
        // A browser's change is refused when a page of another site asks for it.
        Code::CsrfRejected => changes,
        Code::InvalidJson if matches!(operation.http.takes, Takes::File(_) | Takes::Upload(Upload::Whole)) => false,
        Code::InvalidJson | Code::PayloadTooLarge | Code::UnsupportedMediaType | Code::RequestTimeout => has_body,
        code => own.contains(code),
    };
    Code::ALL.iter().copied().filter(listed).chain(custom)
}

fn success(entry: &Entry, components: &mut Components) -> Response {
    let envelope = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": { "success": { "type": "boolean", "const": true }, "data": entry.output }
    });
    let mut response = Response {
        description: entry.answer.clone(),
        headers: headers(components, &[REQUEST_ID]),
        content: match entry.operation.http.gives {
            Gives::Events => events(entry),
            Gives::File(media_type) => IndexMap::from([(media_type.to_owned(), bytes())]),
            _ => content(envelope),
        },
        ..Response::default()
    };
    let is_file = matches!(entry.operation.http.gives, Gives::File(_));
    if is_file {
        "The file, as an attachment.".clone_into(&mut response.description);
    }
    if is_file || entry.operation.http.is_cached() {
        // Readers of drafts get an answer that is kept for others without a tag.
        response.headers.extend(headers(components, &[ETAG]));
    }
    response
}

/// Events, of which no JSON Schema says what a stream is: what the data of each is says an extension.
fn events(entry: &Entry) -> IndexMap<String, MediaType> {
    let schema = json!({
        "type": "string",
        "description": "An event stream (Server-Sent Events). The `data` of each event is JSON, as `x-event-data` says; an event `failed` is the last.",
        "x-event-data": entry.output
    });
    IndexMap::from([(EVENTS.to_owned(), MediaType { schema: Some(object(schema)), ..MediaType::default() })])
}

/// Bytes, of which no JSON Schema says what they are (OpenAPI 3.1, 4.8.14.1).
pub(super) fn bytes() -> MediaType {
    MediaType { schema: Some(object(json!({ "type": "string", "format": "binary" }))), ..MediaType::default() }
}

fn not_modified(components: &mut Components) -> ReferenceOr<Response> {
    let headers = headers(components, &[REQUEST_ID, ETAG]);
    let description = "The caller has the answer already, under the tag in `If-None-Match`.".to_owned();
    shared(components, "NotModified", Response { description, headers, ..Response::default() })
}

/// A failure of one kind with the codes it can have. Operations that fail alike share it.
fn failure(kind: Kind, codes: &[Code], components: &mut Components) -> ReferenceOr<Response> {
    let (name, description) = texts(kind);
    let codes: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
    let listed: Vec<_> = codes.iter().map(|code| format!("`{code}`")).collect();
    let description = format!("{description} Codes: {}.", listed.join(", "));
    let mut names = vec![REQUEST_ID];
    match kind {
        Kind::Unauthenticated => names.push(CHALLENGE),
        Kind::Unavailable | Kind::RateLimited => names.push(RETRY_AFTER),
        _ => {}
    }
    let headers = headers(components, &names);
    let content = content(json!({
        "allOf": [{ "$ref": format!("#/components/schemas/{FAILURE}") }],
        "properties": { "error": { "properties": { "code": { "enum": codes } } } }
    }));
    let name = format!("{name}.{}", codes.join("."));
    shared(components, &name, Response { description, headers, content, ..Response::default() })
}

const fn texts(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Invalid => ("Invalid", "The request cannot be obeyed as it is written."),
        Kind::Unauthenticated => ("Unauthenticated", "There are no credentials, or they are not valid."),
        Kind::Forbidden => ("Forbidden", "The scopes of the token or the role of its user do not allow it."),
        Kind::RateLimited => ("RateLimited", "There were too many requests in too short a time."),
        Kind::Gone => ("Gone", "The thing was there, and its time is over."),
        Kind::NotFound => ("NotFound", "There is no such thing, or none that the caller may see."),
        Kind::Method => ("MethodNotAllowed", "The address does not have the method."),
        Kind::Conflict => ("Conflict", "The thing is not in a state that allows it."),
        Kind::Refused => ("Refused", "The request is well, and a rule of the site refuses it."),
        Kind::TooLarge => ("TooLarge", "The body is too large."),
        Kind::Unsupported => ("Unsupported", "The body is not JSON."),
        Kind::Timeout => ("Timeout", "The body did not arrive in time."),
        Kind::Internal => ("Internal", "The server failed; `details.requestId` names the request in its log."),
        Kind::Unavailable => ("Unavailable", "The server cannot do it now."),
    }
}

fn content(schema: Value) -> IndexMap<String, MediaType> {
    IndexMap::from([(JSON.to_owned(), MediaType { schema: Some(object(schema)), ..MediaType::default() })])
}

fn shared(components: &mut Components, name: &str, response: Response) -> ReferenceOr<Response> {
    components.responses.entry(name.to_owned()).or_insert(ReferenceOr::Item(response));
    ReferenceOr::ref_(&format!("#/components/responses/{name}"))
}

/// A header of an answer: its name, whether it is always there, and what it says.
type Described = (&'static str, bool, &'static str);

const REQUEST_ID: Described = ("X-Request-Id", true, "Names the request in the server's log. A well-formed one that is sent is kept.");
const ETAG: Described =
    ("ETag", false, "Names the bytes of an answer: of a file, or of what is the same for every reader of published content.");
const CHALLENGE: Described = ("WWW-Authenticate", true, "The credentials that are needed.");
const RETRY_AFTER: Described = ("Retry-After", true, "Seconds after which to try again.");

fn headers(components: &mut Components, headers: &[Described]) -> IndexMap<String, ReferenceOr<Header>> {
    let described = headers.iter().map(|(name, required, description)| {
        let key = name.replace('-', "");
        let header = Header {
            description: Some((*description).to_owned()),
            style: HeaderStyle::Simple,
            required: *required,
            deprecated: None,
            format: text_schema(),
            example: None,
            examples: IndexMap::new(),
            extensions: IndexMap::new(),
        };
        let reference = ReferenceOr::ref_(&format!("#/components/headers/{key}"));
        components.headers.entry(key).or_insert(ReferenceOr::Item(header));
        ((*name).to_owned(), reference)
    });
    described.collect()
}

/// The header with which a caller says what it has already.
pub(super) fn if_none_match(components: &mut Components) -> ReferenceOr<Parameter> {
    let name = "If-None-Match";
    let parameter = Parameter::Header {
        parameter_data: ParameterData {
            name: name.to_owned(),
            description: Some("Tags of answers that the caller has. If one is still good, the answer is 304 without a body.".to_owned()),
            required: false,
            deprecated: None,
            format: text_schema(),
            example: None,
            examples: IndexMap::new(),
            explode: None,
            extensions: IndexMap::new(),
        },
        style: HeaderStyle::Simple,
    };
    let key = name.replace('-', "");
    let reference = ReferenceOr::ref_(&format!("#/components/parameters/{key}"));
    components.parameters.entry(key).or_insert(ReferenceOr::Item(parameter));
    reference
}

fn text_schema() -> ParameterSchemaOrContent {
    ParameterSchemaOrContent::Schema(object(json!({ "type": "string" })))
}
