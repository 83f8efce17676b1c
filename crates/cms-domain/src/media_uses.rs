//! Which files of the library an entry's content names, and where.

use serde::Serialize;
use serde_json::Value;

use schemars::JsonSchema;

use crate::{
    collection::Collection,
    entry::Document,
    field::{Field, FieldKind, SubFieldType, media::LOCAL},
    media::MediaId,
};

/// How content names a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UseKind {
    /// As the value of an image field, or of one in a row of a repeater.
    ImageField,
    /// As the value of a file field.
    FileField,
    /// As a picture in rich text.
    PortableTextImage,
    /// As one of the pictures of a gallery in rich text.
    PortableTextGallery,
    /// As the picture that previews on other sites show.
    SeoImage,
}

/// A place where content names a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaUse {
    /// The file.
    pub media: MediaId,
    /// The field; `seo` for what search engines are told.
    pub field: String,
    /// The place in the entry: `gallery[2].picture`.
    pub path: String,
    /// How it is named there.
    pub kind: UseKind,
}

/// The places where an entry's content names files, in its order. An error means that what is stored is damaged.
pub fn uses(collection: &Collection, document: &Document) -> Result<Vec<MediaUse>, serde_json::Error> {
    let mut found = Found::default();
    if collection.fields.iter().any(looks_at) {
        let members = document.data.members(collection)?;
        for field in collection.fields.iter().filter(|field| looks_at(field)) {
            if let Some(value) = members.get(field.slug.as_str()) {
                found.of_field(field, value);
            }
        }
    }
    if let Some(media) = document.seo.image.as_deref().and_then(|image| image.parse().ok()) {
        found.add(media, "seo", "seo.image".to_owned(), UseKind::SeoImage);
    }
    Ok(found.uses)
}

/// What of a collection is looked at for files, as a text: where it is another one, its entries are to be looked at again.
pub fn looked_at(collection: &Collection) -> String {
    let mut fields: Vec<String> = collection
        .fields
        .iter()
        .filter(|field| looks_at(field))
        .map(|field| format!("{}:{}:{}", field.id, field.kind.field_type().name(), pictures_of(field).collect::<Vec<_>>().join(",")))
        .collect();
    fields.sort_unstable();
    fields.join(" ")
}

/// Whether a field can name files.
fn looks_at(field: &Field) -> bool {
    match &field.kind {
        FieldKind::Image(_) | FieldKind::File(_) | FieldKind::PortableText => true,
        FieldKind::Repeater(_) => pictures_of(field).next().is_some(),
        _ => false,
    }
}

/// The members of a repeater's rows that are pictures.
fn pictures_of(field: &Field) -> impl Iterator<Item = &str> {
    let rows = match &field.kind {
        FieldKind::Repeater(rows) => Some(rows),
        _ => None,
    };
    let members = rows.into_iter().flat_map(|rows| &rows.sub_fields).filter(|member| member.sub_type == SubFieldType::Image);
    members.map(|member| member.slug.as_str())
}

#[derive(Default)]
struct Found {
    uses: Vec<MediaUse>,
}

impl Found {
    fn add(&mut self, media: MediaId, field: &str, path: String, kind: UseKind) {
        self.uses.push(MediaUse { media, field: field.to_owned(), path, kind });
    }

    fn of_field(&mut self, field: &Field, value: &Value) {
        let slug = field.slug.as_str();
        match &field.kind {
            FieldKind::Image(_) => self.of_value(slug, slug.to_owned(), value, UseKind::ImageField),
            FieldKind::File(_) => self.of_value(slug, slug.to_owned(), value, UseKind::FileField),
            FieldKind::PortableText => self.of_text(slug, slug.to_owned(), value, UseKind::PortableTextImage),
            FieldKind::Repeater(_) => {
                for (n, row) in value.as_array().into_iter().flatten().enumerate() {
                    for member in pictures_of(field) {
                        if let Some(value) = row.get(member) {
                            self.of_value(slug, format!("{slug}[{n}].{member}"), value, UseKind::ImageField);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The value of an image or a file.
    fn of_value(&mut self, field: &str, path: String, value: &Value, kind: UseKind) {
        if let Some(media) = local(value, "id") {
            self.add(media, field, path, kind);
        }
    }

    /// Rich text: pictures at any depth, in blocks that nobody here knows, too. It is no deeper than JSON may be.
    fn of_text(&mut self, field: &str, path: String, value: &Value, kind: UseKind) {
        match value {
            Value::Array(items) => {
                for (n, item) in items.iter().enumerate() {
                    self.of_text(field, format!("{path}[{n}]"), item, kind);
                }
            }
            Value::Object(members) => {
                let kind = match members.get("_type").and_then(Value::as_str) {
                    Some("gallery") => UseKind::PortableTextGallery,
                    _ => kind,
                };
                for (name, member) in members {
                    let here = format!("{path}.{name}");
                    if name == "asset"
                        && let Some(media) = local(member, "_ref").or_else(|| local(member, "id"))
                    {
                        self.add(media, field, here, kind);
                    } else if member.is_array() || member.is_object() {
                        self.of_text(field, here, member, kind);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The file of this server's library that a value names by a member.
fn local(value: &Value, member: &str) -> Option<MediaId> {
    let is_ours = value.get("provider").and_then(Value::as_str).is_none_or(|provider| provider == LOCAL);
    value.get(member)?.as_str().filter(|_| is_ours)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        entry::Seo,
        field::{
            FieldType,
            testing::{collection, object, ruled, spec},
            validate::{self, Defaults},
        },
    };

    const A: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const B: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAW";

    fn site() -> Collection {
        let rows = json!({ "subFields": [{ "slug": "logo", "type": "image", "label": "Logo" }, { "slug": "name", "type": "string", "label": "Name" }] });
        collection([
            spec("title", FieldType::String),
            spec("cover", FieldType::Image),
            spec("sheet", FieldType::File),
            ruled("logos", FieldType::Repeater, rows),
            spec("body", FieldType::PortableText),
        ])
    }

    fn places(data: Value, image: Option<&str>) -> Vec<String> {
        let site = site();
        let data = validate::complete(&site, object(data), Defaults::Apply).unwrap().into_json();
        let seo = Seo { image: image.map(str::to_owned), ..Seo::default() };
        let found = uses(&site, &Document { data, slug: None, seo }).unwrap();
        found
            .into_iter()
            .map(|at| format!("{} {} {:?} {}", at.path, at.field, at.kind, if at.media.to_string() == A { "A" } else { "B" }))
            .collect()
    }

    #[test]
    fn files_are_found_wherever_content_names_them() {
        let gallery = json!({ "_type": "gallery", "_key": "g", "images": [{ "_key": "i", "asset": { "_ref": A } }, { "_key": "j", "asset": { "_ref": B } }] });
        let body = json!([
            { "_type": "image", "_key": "a", "asset": { "_ref": A, "url": "/x" } },
            gallery,
            { "_type": "columns", "_key": "c", "left": [{ "_type": "image", "asset": { "id": B } }] },
            { "_type": "image", "_key": "d", "asset": { "_ref": A, "provider": "elsewhere" } },
        ]);
        let data = json!({ "title": A, "cover": { "id": A }, "sheet": { "id": B }, "logos": [{ "name": A }, { "logo": { "id": B } }], "body": body });
        let expected = [
            "cover cover ImageField A",
            "sheet sheet FileField B",
            "logos[1].logo logos ImageField B",
            "body[0].asset body PortableTextImage A",
            "body[1].images[0].asset body PortableTextGallery A",
            "body[1].images[1].asset body PortableTextGallery B",
            "body[2].left[0].asset body PortableTextImage B",
            "seo.image seo SeoImage A",
        ];
        assert_eq!(places(data, Some(A)), expected);
    }

    #[test]
    fn what_is_elsewhere_is_no_file_of_the_library() {
        let elsewhere = json!({ "id": "", "src": "https://example.org/a.png", "provider": "external" });
        assert_eq!(places(json!({ "cover": elsewhere }), Some("https://example.org/a.png")), [""; 0]);
    }

    #[test]
    fn another_name_is_nothing_else_to_look_at_and_another_type_is() {
        let before = site();
        let mut renamed = before.clone();
        renamed.fields[1].label = "Another".to_owned();
        assert_eq!(looked_at(&renamed), looked_at(&before));
        let mut other = before.clone();
        other.fields.remove(1);
        assert_ne!(looked_at(&other), looked_at(&before));
    }
}
