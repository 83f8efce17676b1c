//! Values of image and file fields: shapes and the media types that a field allows.

use serde_json::{Map, Value, json};

use super::{
    FieldKind, MediaRules,
    address::Address,
    findings::{Findings, Path},
    shape::{MAX_NAME, MAX_TEXT, Member, Shape},
};

const TEXT: Shape = Shape::Text(MAX_TEXT);
const NAME: Shape = Shape::Text(MAX_NAME);
const SOURCE: Shape = Shape::Address(Address::Source);

const IMAGE: &[Member] = &[
    Member::required("id", NAME),
    Member::optional("provider", NAME),
    Member::optional("src", SOURCE),
    Member::optional("previewUrl", SOURCE),
    Member::optional("filename", TEXT),
    Member::optional("mimeType", NAME),
    Member::optional("alt", TEXT),
    Member::optional("width", Shape::Number),
    Member::optional("height", Shape::Number),
    Member::optional("blurhash", TEXT),
    Member::optional("dominantColor", TEXT),
    Member::optional("meta", Shape::AnyObject),
];

const FILE: &[Member] = &[
    Member::required("id", NAME),
    Member::optional("provider", NAME),
    Member::optional("src", SOURCE),
    Member::optional("url", SOURCE),
    Member::optional("filename", TEXT),
    Member::optional("mimeType", NAME),
    Member::optional("size", Shape::Number),
    Member::optional("meta", Shape::AnyObject),
];

/// The library of this server. Values of other providers describe themselves.
pub(crate) const LOCAL: &str = "local";

fn shape(kind: &FieldKind) -> Shape {
    Shape::Object(if matches!(kind, FieldKind::File(_)) { FILE } else { IMAGE })
}

/// Checks the value of an image or file field. Whether the library has it is for others to ask.
pub(super) fn check(kind: &FieldKind, rules: &MediaRules, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    shape(kind).check(value, at, findings);
    let Value::Object(members) = value else { return };
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    if text("id") == Some("") && text("src").is_none_or(|src| src.starts_with('/')) {
        let message = format_args!("may be empty only beside a `src` on another server");
        findings.report(&at.member("id"), "REQUIRED", message);
    }
    check_media_type(rules, members, at, findings);
}

fn check_media_type(rules: &MediaRules, members: &Map<String, Value>, at: &Path<'_>, findings: &mut Findings) {
    if rules.allowed_mime_types.is_empty() {
        return;
    }
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let here = at.member("mimeType");
    match text("mimeType") {
        Some(media_type) if rules.allows(media_type) => {}
        Some(_) => {
            let message = format_args!("expected {}", rules.allowed_mime_types.join(", "));
            findings.report(&here, "INVALID_MIME_FOR_FIELD", message);
        }
        // The library knows the type of what it has.
        None if text("provider").is_none_or(|provider| provider == LOCAL) => {}
        None => findings.report(&here, "REQUIRED", format_args!("is missing; the field allows some media types only")),
    }
}

impl MediaRules {
    /// Whether a media type is allowed, in any case of letters.
    pub fn allows(&self, media_type: &str) -> bool {
        let media_type = media_type.to_ascii_lowercase();
        self.allowed_mime_types.is_empty()
            || self
                .allowed_mime_types
                .iter()
                .any(|allowed| *allowed == media_type || (allowed.ends_with('/') && media_type.starts_with(allowed.as_str())))
    }
}

/// The JSON Schema of the value of an image or file field.
pub(super) fn schema(kind: &FieldKind, rules: &MediaRules) -> Value {
    let mut schema = shape(kind).schema();
    schema["anyOf"] = json!([
        { "properties": { "id": { "minLength": 1 } } },
        { "properties": { "src": { "type": "string", "pattern": "^[^/]" } }, "required": ["src"] }
    ]);
    if !rules.allowed_mime_types.is_empty() {
        schema["properties"]["mimeType"]["pattern"] = json!(media_type_pattern(&rules.allowed_mime_types));
        schema["if"] = json!({ "properties": { "provider": { "type": "string", "not": { "const": LOCAL } } }, "required": ["provider"] });
        schema["then"] = json!({ "properties": { "mimeType": { "type": "string" } }, "required": ["mimeType"] });
    }
    schema
}

fn media_type_pattern(allowed: &[String]) -> String {
    let alternatives = allowed.iter().map(|media_type| {
        let mut pattern = String::new();
        for character in media_type.chars() {
            match character {
                'a'..='z' => pattern.extend(['[', character, character.to_ascii_uppercase(), ']']),
                '0'..='9' => pattern.push(character),
                _ => pattern.extend(['[', '\\', character, ']']),
            }
        }
        if !media_type.ends_with('/') {
            pattern.push('$');
        }
        pattern
    });
    format!("^(?:{})", alternatives.collect::<Vec<_>>().join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_is_told_in_any_case_of_letters() {
        let allowed = ["a/", "b/x-3.p+y"].map(str::to_owned);
        assert_eq!(media_type_pattern(&allowed), r"^(?:[aA][\/]|[bB][\/][xX][\-]3[\.][pP][\+][yY]$)");
    }
}
