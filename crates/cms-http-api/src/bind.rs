//! Gathers the members of an operation's input from path, query and body into one object.

use axum::body::Body;
use cms_domain::{id::FileId, issue::Issue};
use cms_frame::{
    Error,
    descriptor::{Descriptor, Invocation},
    operation::{Http, Method, SentFile},
};
use http::request::Parts;
use serde_json::{Map, Value};

use crate::{
    body::{self, Limits},
    members::Members,
    path::{self, Parameters},
    query::{self, echo},
};

/// The members of an input, and what is wrong with where they were sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    members: Map<String, Value>,
    issues: Vec<Issue>,
}

/// Gathers the members that a route takes.
pub(crate) async fn bind(
    http: &Http,
    members: &Members,
    parameters: &Parameters,
    parts: &Parts,
    body: &mut Body,
    limits: &Limits,
) -> Result<Input, Error> {
    let mut input = address(http, members, parameters, parts)?;
    if has_body(http.method) {
        input.take_body(http, body::members(http.takes, &parts.headers, body, limits).await?);
    } else {
        body::none(body, limits).await?;
    }
    Ok(input)
}

/// Gathers the members that the address of a route has.
pub(crate) fn address(http: &Http, members: &Members, parameters: &Parameters, parts: &Parts) -> Result<Input, Error> {
    let mut input = Input::default();
    input.take_path(http, members, parameters)?;
    input.take_query(http, members, parts.uri.query().unwrap_or_default());
    Ok(input)
}

/// Whether requests of a method have a body.
pub(crate) const fn has_body(method: Method) -> bool {
    match method {
        Method::Get | Method::Delete => false,
        Method::Post | Method::Put | Method::Patch => true,
    }
}

impl Input {
    /// The same with the file that the body became.
    pub(crate) fn with_file(mut self, sent: SentFile, file: FileId) -> Self {
        self.members.insert(sent.member.to_owned(), file.to_string().into());
        self
    }

    /// The same with the members that came as the parts of a form.
    pub(crate) fn with_parts(mut self, http: &Http, parts: Map<String, Value>) -> Self {
        self.take_body(http, parts);
        self
    }

    /// Reads the operation, or says everything that is wrong.
    pub(crate) fn read(self, operation: &Descriptor) -> Result<Invocation, Error> {
        let read = operation.read(self.members);
        if self.issues.is_empty() { read } else { Err(refused(self.issues, read.err())) }
    }

    fn take_path(&mut self, http: &Http, members: &Members, parameters: &Parameters) -> Result<(), Error> {
        for (name, text) in path::names(http.path).zip(parameters.decoded()) {
            let text = text.ok_or_else(not_text)?;
            if text.contains('\0') {
                self.issues.push(Issue::new(name, "INVALID_ENCODING", "has the character U+0000"));
            } else {
                self.members.insert(name.to_owned(), members.value(name, text));
            }
        }
        Ok(())
    }

    fn take_query(&mut self, http: &Http, members: &Members, text: &str) {
        let (pairs, issues) = query::pairs(text);
        self.issues.extend(issues);
        for (name, text) in pairs {
            if self.members.contains_key(&name) {
                self.misplaced(&name, "the path");
            } else if has_body(http.method) && !http.query.contains(&name.as_str()) {
                self.issues.push(Issue::new(echo(&name), "UNKNOWN_KEY", unknown_in_query(http)));
            } else {
                let value = members.value(&name, text);
                self.members.insert(name, value);
            }
        }
    }

    fn take_body(&mut self, http: &Http, body: Map<String, Value>) {
        for (name, value) in body {
            if http.query.contains(&name.as_str()) {
                self.misplaced(&name, "the query");
            } else if self.members.contains_key(&name) {
                self.misplaced(&name, "the path");
            } else {
                self.members.insert(name, value);
            }
        }
    }

    fn misplaced(&mut self, name: &str, place: &str) {
        self.issues.push(Issue::new(echo(name), "MISPLACED", format!("belongs into {place}")));
    }
}

fn not_text() -> Error {
    Error::issue("", "INVALID_ENCODING", "the path is not UTF-8")
}

fn unknown_in_query(http: &Http) -> String {
    if http.query.is_empty() {
        "is not known in the query; its members go into the body".to_owned()
    } else {
        format!("is not known in the query; known are {}", http.query.join(", "))
    }
}

/// What is wrong with the places of members, together with what is wrong with the members.
fn refused(mut issues: Vec<Issue>, error: Option<Error>) -> Error {
    let others = error.as_ref().and_then(|error| error.details_json()).and_then(|details| details["issues"].as_array());
    for issue in others.into_iter().flatten() {
        let text = |key: &str| issue[key].as_str().unwrap_or_default();
        // A member that was left out because of its place is not missing.
        if issues.iter().all(|known| known.path != text("path")) {
            issues.push(Issue::new(text("path"), text("code"), text("message")));
        }
    }
    Error::invalid(issues)
}
