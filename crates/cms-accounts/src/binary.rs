//! Bytes in the members of WebAuthn's messages: base64url, with or without padding.

use std::borrow::Cow;

use cms_auth::passkey::{from_base64, to_base64};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The most bytes of one member. Attestation objects with certificates have a few thousand.
const LIMIT: usize = 64 * 1024;

/// Bytes, spelled in base64url (RFC 4648 §5): written without padding, read with or without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binary(pub Vec<u8>);

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_base64(&self.0))
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let bytes = from_base64(&text).ok_or_else(|| D::Error::custom("not base64url"))?;
        if bytes.len() > LIMIT {
            return Err(D::Error::custom(format!("longer than {LIMIT} bytes")));
        }
        Ok(Self(bytes))
    }
}

impl JsonSchema for Binary {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Binary".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9_-]*={0,2}$" })
    }
}
