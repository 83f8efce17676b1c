//! Puts the answer of a tool into the message of the protocol as the bytes that it is.
//!
//! The protocol's library takes an answer as a tree and as a text, and writes both: a list of 50 entries was parsed again, copied twice and
//! written twice. It gets two words instead, and where they stand in what it wrote, the answer is put.

use std::sync::{Arc, OnceLock};

use axum::{
    body::{Body, Bytes, to_bytes},
    response::Response,
};
use cms_frame::Error;
use http::header;
use rmcp::model::CallToolResult;
use serde_json::Value;

/// What the library writes around an answer: an envelope with the id of the message, each byte of which may be escaped with six.
const LONGEST: usize = 64 * 1024;
/// What eight bytes of JSON take as a text, by experience: of eight, one or two are quotes and are escaped.
const ESCAPED: usize = 10;

/// Where the answer of one request is left. A clone is another handle to the same place.
#[derive(Clone, Default)]
pub(crate) struct Splice(Arc<OnceLock<Spliced>>);

struct Spliced {
    /// What stands for the answer: chance that nobody knows, so that it stands nowhere else.
    word: String,
    answer: Vec<u8>,
}

impl Splice {
    /// Leaves an answer, in JSON, and gives the result that stands for it.
    pub(crate) fn leave(&self, answer: Vec<u8>) -> Result<CallToolResult, Error> {
        let word = format!("{:016x}{:016x}", getrandom::u64().map_err(Error::internal)?, getrandom::u64().map_err(Error::internal)?);
        // As the text and as what is structured, in this order.
        let result = CallToolResult::structured(Value::String(word.clone()));
        // A request calls one tool.
        let _ = self.0.set(Spliced { word, answer });
        Ok(result)
    }

    /// Puts the answer, if there is one, where its word stands.
    pub(crate) async fn put(&self, response: Response) -> Result<Response, Error> {
        let Some(Spliced { word, answer }) = self.0.get() else { return Ok(response) };
        let (mut parts, body) = response.into_parts();
        let written = to_bytes(body, LONGEST).await.map_err(Error::internal)?;
        let whole = spliced(&written, word, answer)?.ok_or_else(|| Error::internal("the protocol wrote no place for the answer"))?;
        parts.headers.remove(header::CONTENT_LENGTH);
        Ok(Response::from_parts(parts, Body::from(whole)))
    }
}

/// What was written, with the answer where its word stands: first in a text, then as it is.
fn spliced(written: &[u8], word: &str, answer: &[u8]) -> Result<Option<Bytes>, Error> {
    let (written, text) = (std::str::from_utf8(written).map_err(Error::internal)?, std::str::from_utf8(answer).map_err(Error::internal)?);
    // The text is the word in quotes, and those of the text itself around them.
    let Some((before, rest)) = written.split_once(&format!("\"\\\"{word}\\\"\"")) else { return Ok(None) };
    let Some((between, after)) = rest.split_once(&format!("\"{word}\"")) else { return Ok(None) };
    let mut whole = Vec::with_capacity(written.len() + ESCAPED * answer.len() / 8 + answer.len());
    whole.extend_from_slice(before.as_bytes());
    serde_json::to_writer(&mut whole, text)?;
    for part in [between.as_bytes(), answer, after.as_bytes()] {
        whole.extend_from_slice(part);
    }
    Ok(Some(whole.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn an_answer_is_structured_and_the_same_as_text() {
        let (splice, answer) = (Splice::default(), r#"{"item":{"b":"a \"quoted\" é","a":0.1}}"#);
        let result = splice.leave(answer.into()).unwrap();
        let written = json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string();
        let whole = splice.put(Response::new(Body::from(written))).await.unwrap();
        let whole: Value = serde_json::from_slice(&to_bytes(whole.into_body(), LONGEST).await.unwrap()).unwrap();
        assert_eq!(whole["result"]["content"][0]["text"], answer);
        assert_eq!(whole["result"]["structuredContent"], json!({ "item": { "b": "a \"quoted\" é", "a": 0.1 } }));
        assert_eq!((&whole["result"]["isError"], &whole["id"]), (&json!(false), &json!(1)));
    }

    #[tokio::test]
    async fn what_has_no_answer_stays_as_it_is() {
        let response = Splice::default().put(Response::new(Body::from("{}"))).await.unwrap();
        assert_eq!(to_bytes(response.into_body(), LONGEST).await.unwrap(), "{}");
        let splice = Splice::default();
        splice.leave(b"{}".to_vec()).unwrap();
        assert!(splice.put(Response::new(Body::from("{}"))).await.is_err(), "an answer is not lost silently");
    }
}
