//! Reads the input of an operation from JSON. When it does not fit, says everything that is wrong with it at once.

use std::time::Duration;

use cms_domain::issue::Issue;
use jsonschema::{
    ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind as Rule},
};
use schemars::Schema;
use serde_json::{Map, Value};

/// How much of a refused body a door reads and throws away, in bytes, so that its sender gets to read the answer. Whoever sends
/// more finds the connection closed.
pub const LINGER: usize = 64 * 1024 * 1024;
/// For how long it is. Who is slower is cut off: each that is waited for holds a connection and its buffers.
pub const LINGER_TIME: Duration = Duration::from_secs(5);
/// The most problems that one answer tells. Nobody mends more by hand, and the answer stays small.
const MAX_ISSUES: usize = 100;
/// How much of a name or message that the caller wrote is said back. A name of ten megabytes is not echoed.
const MAX_ECHO: usize = 64;
/// The longest message that a type of ours gives; what is longer echoes the value.
const MAX_MESSAGE: usize = 300;

/// Members that are not known yet, and what to say to whoever sends one.
pub type Later = &'static [(&'static str, &'static str)];

/// What the types stumbled over, at the place where they did.
pub(crate) fn first_issue(found: Option<serde_path_to_error::Error<serde_json::Error>>, first: &serde_json::Error) -> Issue {
    let (path, error) = found.map_or_else(|| (String::new(), first.to_string()), |found| (dotted(found.path()), found.inner().to_string()));
    Issue::new(path, "INVALID_VALUE", shortened(&error, MAX_MESSAGE))
}

/// Adds the types' own finding: it is the better wording where the schema only has a pattern, and the only one where a
/// rule is not in the schema.
fn merge(issues: &mut Vec<Issue>, first: Issue) {
    if let Some(issue) = issues.iter_mut().find(|issue| issue.path == first.path) {
        if matches!(issue.code.as_str(), "PATTERN" | "INVALID_VALUE") {
            issue.message = first.message;
        }
        return;
    }
    // The types report a missing or unknown member at the object that it belongs to.
    if !issues.iter().any(|issue| is_below(&issue.path, &first.path)) {
        issues.push(first);
    }
}

fn is_below(path: &str, parent: &str) -> bool {
    parent.is_empty() || path.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
}

/// The schema of one operation, ready to be held against inputs.
pub(crate) struct Contract {
    /// Says whether an input suits. Formats are left to the types, which know them better, where there are types.
    accepts: Validator,
    /// Says what is wrong with one that does not, formats included.
    explains: Validator,
    /// Names of the members.
    members: Vec<String>,
}

impl Contract {
    /// `formats` says whether those that the schema names hold, because no types do.
    pub(crate) fn new(mut schema: Schema, formats: bool) -> Result<Self, String> {
        // Without members of its own, an unknown one would be reported without its name.
        schema.ensure_object().entry("properties").or_insert_with(|| Value::Object(Map::new()));
        let schema = schema.to_value();
        let validator = |formats| jsonschema::options().should_validate_formats(formats).build(&schema).map_err(|error| error.to_string());
        Ok(Self {
            accepts: validator(formats)?,
            explains: validator(true)?,
            members: schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect(),
        })
    }

    /// Whether an input suits.
    pub(crate) fn accepts(&self, input: &Value) -> bool {
        self.accepts.is_valid(input)
    }

    /// Everything that is wrong with an input, what the types found first among it.
    pub(crate) fn problems(&self, input: &Value, first: Option<Issue>, later: Later) -> Vec<Issue> {
        let mut issues = Vec::new();
        let mut left_out = 0;
        let known = Known { members: &self.members, later };
        for error in self.explains.iter_errors(input) {
            for issue in explain(&error, known) {
                if issues.len() < MAX_ISSUES - 1 { issues.push(issue) } else { left_out += 1 }
            }
        }
        if let Some(first) = first {
            merge(&mut issues, first);
        }
        if left_out > 0 {
            issues.push(Issue::new("", "MORE_ISSUES", format!("{left_out} more problems are not listed")));
        }
        issues
    }
}

/// What members an input may have at its top.
#[derive(Clone, Copy)]
struct Known<'a> {
    members: &'a [String],
    later: Later,
}

/// One broken rule of the schema in our words.
fn explain(error: &ValidationError<'_>, known: Known) -> Vec<Issue> {
    let path = location(error);
    let one = |code, message: String| vec![Issue::new(path.clone(), code, message)];
    let below = |name: &str| cms_domain::issue::join(&path, &shortened(name, MAX_ECHO));
    match error.kind() {
        Rule::Required { property } => vec![Issue::new(below(property.as_str().unwrap_or_default()), "REQUIRED", "is required")],
        Rule::AdditionalProperties { unexpected } | Rule::UnevaluatedProperties { unexpected } => {
            let known = if path.is_empty() { known } else { Known { members: &[], later: &[] } };
            unexpected.iter().take(MAX_ISSUES).map(|name| Issue::new(below(name), "UNKNOWN_KEY", unknown(name, known))).collect()
        }
        Rule::Type { kind } => one("INVALID_TYPE", format!("expected {}, found {}", types(kind), type_of(error.instance()))),
        Rule::Enum { options } => {
            let options: Vec<_> = options.as_array().into_iter().flatten().map(plain).collect();
            one("INVALID_OPTION", format!("expected one of {}", options.join(", ")))
        }
        Rule::Constant { expected_value } => one("INVALID_OPTION", format!("expected {}", plain(expected_value))),
        Rule::Pattern { pattern } => one("PATTERN", format!("does not match `{pattern}`")),
        Rule::Format { format } => one("INVALID_VALUE", format!("expected the format `{format}`")),
        Rule::Minimum { limit } => one("TOO_SMALL", format!("is less than {limit}")),
        Rule::ExclusiveMinimum { limit } => one("TOO_SMALL", format!("is not more than {limit}")),
        Rule::Maximum { limit } => one("TOO_LARGE", format!("is greater than {limit}")),
        Rule::ExclusiveMaximum { limit } => one("TOO_LARGE", format!("is not less than {limit}")),
        Rule::MinLength { limit: 1 } => one("TOO_SHORT", "is empty".to_owned()),
        Rule::MinItems { limit: 1 } | Rule::MinProperties { limit: 1 } => one("TOO_FEW", "is empty".to_owned()),
        Rule::MinLength { limit } => one("TOO_SHORT", format!("has less than {limit} characters")),
        Rule::MaxLength { limit } => one("TOO_LONG", format!("has more than {limit} characters")),
        Rule::MinItems { limit } => one("TOO_FEW", format!("has less than {limit} items")),
        Rule::MaxItems { limit } => one("TOO_MANY", format!("has more than {limit} items")),
        Rule::MinProperties { limit } => one("TOO_FEW", format!("has less than {limit} members")),
        Rule::MaxProperties { limit } => one("TOO_MANY", format!("has more than {limit} members")),
        Rule::UniqueItems => one("DUPLICATE", "has an item twice".to_owned()),
        Rule::AnyOf { context } | Rule::OneOfNotValid { context } => alternatives(error, context, known),
        _ => one("INVALID_VALUE", "has none of the forms that are allowed here".to_owned()),
    }
}

/// None of several forms fits. When only one has the right type, what is wrong with that one is what is meant.
fn alternatives(error: &ValidationError<'_>, forms: &[Vec<ValidationError<'static>>], known: Known) -> Vec<Issue> {
    let path = location(error);
    let wrong_type = |form: &[ValidationError<'_>]| form.iter().find_map(|error| of_another_type(error, &path));
    let meant: Vec<_> = forms.iter().filter(|form| wrong_type(form).is_none()).collect();
    match meant.as_slice() {
        [only] => only.iter().flat_map(|error| explain(error, known)).collect(),
        [] => {
            let expected: Vec<_> = forms.iter().filter_map(|form| wrong_type(form)).collect();
            vec![Issue::new(path, "INVALID_TYPE", format!("expected {}, found {}", expected.join(" or "), type_of(error.instance())))]
        }
        _ => vec![Issue::new(path, "INVALID_VALUE", "has none of the forms that are allowed here")],
    }
}

/// The types a form expects, when the value at `path` itself is of another one.
fn of_another_type(error: &ValidationError<'_>, path: &str) -> Option<String> {
    match error.kind() {
        Rule::Type { kind } if location(error) == path => Some(types(kind)),
        _ => None,
    }
}

fn unknown(name: &str, Known { members, later }: Known) -> String {
    if members.is_empty() {
        return "is not known here".to_owned();
    }
    match later.iter().find(|(later, _)| *later == name) {
        Some((_, message)) => (*message).to_owned(),
        None => format!("is not known here; known are {}", members.join(", ")),
    }
}

/// A value of the schema as one would say it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(only) => only.to_string(),
        TypeKind::Multiple(several) => {
            let mut names: Vec<_> = several.iter().map(|kind| kind.to_string()).collect();
            // Null is what else there may be.
            names.sort_by_key(|name| name == "null");
            names.join(" or ")
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn location(error: &ValidationError<'_>) -> String {
    let steps: Vec<_> = error.instance_path().segments().map(|step| shortened(&step.to_string(), MAX_ECHO)).collect();
    steps.join(".")
}

fn dotted(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let steps = path.iter().filter_map(|step| match step {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(shortened(key, MAX_ECHO)),
        // The schema's paths follow the JSON, which has no such step.
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    steps.collect::<Vec<_>>().join(".")
}

fn shortened(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

#[cfg(test)]
mod tests {
    use cms_domain::{access::Access, bounded::Bounded, slug::CollectionSlug, time::Timestamp};
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::{
        Cx, Error,
        descriptor::Descriptor,
        operation::{Http, Operation, Tool},
    };

    const LATER: Later = &[("terms", "terms are not available yet"), ("credits", "credits are not available yet")];

    #[derive(Clone, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Sample {
        collection: CollectionSlug,
        at: Option<Timestamp>,
        count: Option<u8>,
        order: Option<Order>,
        row: Option<Row>,
        #[schemars(length(min = 1))]
        rows: Option<Vec<Row>>,
    }

    #[derive(Clone, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        Asc,
        Desc,
    }

    #[derive(Clone, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Row {
        slug: CollectionSlug,
        label: Option<Bounded<1, 80>>,
    }

    impl Operation for Sample {
        const ID: &'static str = "test.sample";
        const ACCESS: Access = Access::Public;
        const HTTP: Http = Http::NONE;
        const TOOL: Tool = Tool::Hidden;
        const LATER: Later = LATER;
        type Output = ();

        async fn run(self, _: &mut Cx<'_>) -> Result<(), Error> {
            let _ = (self.collection, self.at, self.count, self.order, self.row.map(|row| (row.slug, row.label)), self.rows);
            Ok(())
        }
    }

    /// The problems of an input, as `path CODE message`.
    fn refused(input: Value) -> Vec<String> {
        let Value::Object(input) = input else { panic!("not an object") };
        let Err(error) = Descriptor::of::<Sample>().read(input) else { panic!("accepted") };
        let issues = error.details_json().unwrap()["issues"].as_array().unwrap().clone();
        issues.iter().map(|issue| ["path", "code", "message"].map(|key| issue[key].as_str().unwrap()).join(" ")).collect()
    }

    #[test]
    fn every_problem_is_listed_with_its_path() {
        let input =
            json!({ "at": 1, "count": -1, "order": "up", "row": { "slug": "a", "b": 1 }, "rows": [{ "slug": "a" }, { "slug": 7 }] });
        assert_eq!(
            refused(input),
            [
                "at INVALID_TYPE expected string or null, found a number",
                "count TOO_SMALL is less than 0",
                "order INVALID_OPTION expected one of asc, desc",
                "row.b UNKNOWN_KEY is not known here",
                "rows.1.slug INVALID_TYPE expected string, found a number",
                "collection REQUIRED is required",
            ]
        );
    }

    #[test]
    fn an_unknown_key_is_told_what_is_known() {
        let expected = "colection UNKNOWN_KEY is not known here; known are collection, at, count, order, row, rows";
        assert!(refused(json!({ "colection": "posts" })).contains(&expected.to_owned()));
    }

    #[test]
    fn a_member_that_comes_later_says_so() {
        for (name, message) in LATER {
            assert_eq!(refused(json!({ "collection": "posts", *name: [] })), [format!("{name} UNKNOWN_KEY {message}")]);
        }
    }

    #[test]
    fn the_types_own_words_replace_a_pattern() {
        let expected =
            "collection PATTERN expected a lower-case letter followed by lower-case letters, digits and underscores, 63 characters at most";
        assert_eq!(refused(json!({ "collection": "Posts" })), [expected]);
    }

    #[test]
    fn what_the_schema_forbids_is_refused_though_the_types_would_read_it() {
        // A struct can be read from an array of its members, and a bound may be stated for the schema alone.
        assert_eq!(refused(json!({ "collection": "a", "row": ["b"] })), ["row INVALID_TYPE expected object or null, found an array"]);
        assert_eq!(refused(json!({ "collection": "a", "rows": [] })), ["rows TOO_FEW is empty"]);
        let unnamed = json!({ "collection": "a", "row": { "slug": "b", "label": "" } });
        assert_eq!(refused(unnamed), ["row.label TOO_SHORT is empty"]);
    }

    #[test]
    fn what_is_sent_is_not_echoed_without_end() {
        let long = "x".repeat(1_000_000);
        for input in [json!({ long.as_str(): 1 }), json!({ "collection": long }), json!({ "collection": "a", "order": long })] {
            assert!(refused(input).concat().len() < 1_000);
        }
        let many: Vec<_> = (0..10_000).map(|n| json!({ "slug": n })).collect();
        assert_eq!(refused(json!({ "collection": "a", "rows": many })).len(), MAX_ISSUES);
    }
}
