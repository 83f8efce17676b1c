//! TypeScript types of collections, for programs that read and write content.

use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use crate::{
    collection::Collection,
    field::{FieldKind, Rows, SubField, infer::capitalized},
};

/// What every generated file begins with. The names in it are taken, see [`TAKEN`].
const PRELUDE: &str = r#"// Generated from the schema. Changes to this file are lost when it is generated again.

/** An entry as the API sends it, with the data of its collection. */
export interface EntryOf<Data> {
  id: string;
  type: string;
  slug: string | null;
  status: "draft" | "published" | "scheduled";
  data: Data;
  authorId: string | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  liveRevisionId: string | null;
  locale: string;
  translationGroup: string;
  seo?: {
    title: string | null;
    description: string | null;
    image: string | null;
    canonical: string | null;
    noIndex: boolean;
  };
  /** The published data while a draft waits. This and what follows is sent to those who may read drafts. */
  liveData?: Data;
  scheduledAt?: string | null;
  draftRevisionId?: string | null;
  hasDraft?: boolean;
  version?: number;
}

/** A block of rich text. */
export interface PortableTextBlock {
  _type: string;
  _key: string;
  [member: string]: unknown;
}

/** The value of an image field. */
export interface ImageValue {
  id: string;
  provider?: string;
  src?: string;
  previewUrl?: string;
  filename?: string;
  mimeType?: string;
  alt?: string;
  width?: number;
  height?: number;
  blurhash?: string;
  dominantColor?: string;
  meta?: { [member: string]: unknown };
}

/** The value of a file field. */
export interface FileValue {
  id: string;
  provider?: string;
  src?: string;
  url?: string;
  filename?: string;
  mimeType?: string;
  size?: number;
  meta?: { [member: string]: unknown };
}
"#;

/// Names that no collection's interface may have.
const TAKEN: [&str; 5] = ["EntryOf", "PortableTextBlock", "ImageValue", "FileValue", "Collections"];

/// TypeScript types of collections: an interface for each one's data, and `Collections`, which finds it by slug.
///
/// The same collections give the same text in whatever order they come. Dates are texts, as JSON sends them.
pub fn typescript(collections: &[Collection]) -> String {
    let mut sorted: Vec<&Collection> = collections.iter().collect();
    sorted.sort_by(|a, b| a.slug.cmp(&b.slug));
    let mut names = Names::default();
    let named: Vec<_> = sorted.into_iter().map(|collection| (names.of(collection.slug.as_str()), collection)).collect();
    let mut out = PRELUDE.to_owned();
    // Writing to a string cannot fail.
    let _ = write_all(&mut out, &named);
    out
}

fn write_all(out: &mut String, named: &[(String, &Collection)]) -> fmt::Result {
    for (name, collection) in named {
        writeln!(out, "\n{}export interface {name} {{", doc("", collection.description.as_deref().unwrap_or(&collection.label)))?;
        for field in &collection.fields {
            let optional = if field.required { "" } else { "?" };
            writeln!(out, "{}  {}{optional}: {};", doc("  ", &field.label), field.slug, type_of(&field.kind, "  "))?;
        }
        out.push_str("}\n");
    }
    out.push_str("\n/** The entries of each collection, by its slug. */\nexport interface Collections {\n");
    for (name, collection) in named {
        writeln!(out, "  {}: EntryOf<{name}>;", collection.slug)?;
    }
    out.push_str("}\n");
    Ok(())
}

fn doc(indent: &str, text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "*\\/");
    format!("{indent}/** {line} */\n")
}

fn type_of(kind: &FieldKind, indent: &str) -> String {
    match kind {
        FieldKind::Number(_) | FieldKind::Integer(_) => "number".to_owned(),
        FieldKind::Boolean => "boolean".to_owned(),
        FieldKind::Select(choices) => union(&choices.options),
        FieldKind::MultiSelect(choices) if choices.options.len() > 1 => format!("({})[]", union(&choices.options)),
        FieldKind::MultiSelect(choices) => format!("{}[]", union(&choices.options)),
        FieldKind::PortableText => "PortableTextBlock[]".to_owned(),
        FieldKind::Image(_) => "ImageValue".to_owned(),
        FieldKind::File(_) => "FileValue".to_owned(),
        FieldKind::Reference(target) if target.many => "string[]".to_owned(),
        FieldKind::String(_)
        | FieldKind::Text(_)
        | FieldKind::Url(_)
        | FieldKind::Slug(_)
        | FieldKind::Datetime(_)
        | FieldKind::Reference(_) => "string".to_owned(),
        FieldKind::Json => "unknown".to_owned(),
        FieldKind::Repeater(rows) => rows_type(rows, indent),
    }
}

fn rows_type(rows: &Rows, indent: &str) -> String {
    let member = |sub_field: &SubField| {
        let optional = if sub_field.required { "" } else { "?" };
        format!("{indent}  {}{optional}: {};\n", sub_field.slug, type_of(&sub_field.kind(), indent))
    };
    // Rows that were written before there were keys have none.
    format!("{{\n{indent}  _key?: string;\n{}{indent}}}[]", rows.sub_fields.iter().map(member).collect::<String>())
}

/// The options as literals; any text when there are none. A JSON text is a TypeScript literal.
fn union(options: &[String]) -> String {
    if options.is_empty() {
        return "string".to_owned();
    }
    options.iter().map(|option| serde_json::Value::from(option.as_str()).to_string()).collect::<Vec<_>>().join(" | ")
}

/// Gives each collection a name of its own.
#[derive(Default)]
struct Names {
    used: BTreeSet<String>,
}

impl Names {
    fn of(&mut self, slug: &str) -> String {
        let stem = pascal_case(&singular(slug));
        let mut name = stem.clone();
        let mut number = 1;
        while TAKEN.contains(&name.as_str()) || !self.used.insert(name.clone()) {
            number += 1;
            name = format!("{stem}{number}");
        }
        name
    }
}

fn singular(slug: &str) -> String {
    if let Some(stem) = slug.strip_suffix("ies") {
        format!("{stem}y")
    } else if ["sses", "xes", "ches", "shes"].iter().any(|plural| slug.ends_with(plural)) {
        slug[..slug.len() - 2].to_owned()
    } else if slug.ends_with('s') && !slug.ends_with("ss") && slug.len() > 1 {
        slug[..slug.len() - 1].to_owned()
    } else {
        slug.to_owned()
    }
}

fn pascal_case(slug: &str) -> String {
    slug.split('_').map(capitalized).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::field::{
        FieldType,
        testing::{collection, references, required, ruled, spec},
    };

    fn named(slug: &str) -> Collection {
        Collection { slug: slug.parse().unwrap(), ..collection([]) }
    }

    #[test]
    fn every_type_of_field_has_its_type() {
        let mut fields: Vec<_> =
            FieldType::ALL.iter().map(|field_type| spec(&format!("a_{}", field_type.name().to_lowercase()), *field_type)).collect();
        fields.push(required(spec("title", FieldType::String)));
        fields.push(references("related"));
        fields.push(ruled("size", FieldType::Select, json!({ "options": ["s", "it's", "\"q\"\\\n"] })));
        fields.push(ruled("sizes", FieldType::MultiSelect, json!({ "options": ["s", "m"] })));
        fields.push(ruled("only", FieldType::MultiSelect, json!({ "options": ["s"] })));
        fields.push(ruled(
            "rows",
            FieldType::Repeater,
            json!({ "subFields": [
                { "slug": "name", "type": "string", "label": "Name", "required": true },
                { "slug": "logo", "type": "image", "label": "Logo" }
            ] }),
        ));
        let collection = Collection { description: Some("Posts */ of the\nblog".to_owned()), ..collection(fields) };
        let text = typescript(&[collection]);
        insta::assert_snapshot!(text.strip_prefix(PRELUDE).unwrap());
    }

    #[test]
    fn names_are_singular_and_each_is_used_once() {
        let mut names = Names::default();
        let names: Vec<_> =
            ["boxes", "buses", "categories", "category", "class", "classes", "dishes", "news_items", "s", "series", "status"]
                .iter()
                .map(|slug| names.of(slug))
                .collect();
        assert_eq!(names, ["Box", "Buse", "Category", "Category2", "Class", "Class2", "Dish", "NewsItem", "S", "Sery", "Statu"]);
    }

    #[test]
    fn a_name_of_the_file_itself_is_not_taken_twice() {
        assert!(typescript(&[named("collections"), named("image_values")]).contains("interface ImageValue2 {"));
        for name in TAKEN.into_iter().filter(|name| *name != "Collections") {
            assert!(PRELUDE.contains(&format!("interface {name}")), "{name}");
        }
    }

    #[test]
    fn the_order_of_collections_makes_no_difference() {
        assert_eq!(typescript(&[named("a"), named("b")]), typescript(&[named("b"), named("a")]));
    }
}
