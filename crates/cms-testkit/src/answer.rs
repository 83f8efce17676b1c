//! What came out of a door, and what both doors say of the same failure.

use http::{HeaderMap, StatusCode};
use serde_json::Value;

/// An answer, read whole.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body, if it is JSON; otherwise null.
    pub body: Value,
    /// Body as it came.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// What an operation came to, whichever door it went through.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// What it answered.
    Done(Value),
    /// Why it did not happen.
    Refused {
        /// The code.
        code: String,
        /// The details.
        details: Value,
    },
}

impl Outcome {
    /// What an answer of the REST API says.
    ///
    /// # Panics
    /// Panics when the answer is not in the envelope.
    pub fn of_rest(answer: &Answer) -> Self {
        let body = &answer.body;
        match (body["success"].as_bool(), answer.status.is_success()) {
            (Some(true), true) => Self::Done(body["data"].clone()),
            (Some(false), false) => Self::refused(&body["error"]["code"], &body["error"]["details"]),
            _ => panic!("not in the envelope: {} {body}", answer.status),
        }
    }

    /// What an answer of the tool endpoint says.
    ///
    /// # Panics
    /// Panics when the answer is neither a tool's result nor in the envelope.
    pub fn of_tool(answer: &Answer) -> Self {
        let body = &answer.body;
        if !answer.status.is_success() {
            return Self::refused(&body["error"]["code"], &body["error"]["details"]);
        }
        let result = &body["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {body}"));
        if result["isError"] == true {
            let code = &result["_meta"]["code"];
            assert!(
                text.starts_with(&format!("[{}] ", code.as_str().unwrap_or_default())),
                "the text does not begin with the code: {body}"
            );
            return Self::refused(code, &result["_meta"]["details"]);
        }
        let same: Option<Value> = serde_json::from_str(text).ok();
        assert_eq!(same.as_ref(), Some(&result["structuredContent"]), "the text differs from the structured content");
        Self::Done(result["structuredContent"].clone())
    }

    fn refused(code: &Value, details: &Value) -> Self {
        let code = code.as_str().unwrap_or_else(|| panic!("not a stable code: {code}")).to_owned();
        Self::Refused { code, details: details.clone() }
    }

    /// The code of a refusal, `OK` otherwise.
    pub fn code(&self) -> &str {
        match self {
            Self::Done(_) => "OK",
            Self::Refused { code, .. } => code,
        }
    }
}
