//! The catalog as tools: one for each operation that agents may see.

use std::{borrow::Cow, collections::HashMap, sync::Arc, time::Duration};

use cms_domain::access::{Access, Actor};
use cms_frame::{
    Client, Cms, Code, Door, Error,
    catalog::Catalog,
    descriptor::{Answer, Descriptor},
    failures,
    operation::{Tool as Hint, to_the_end, tool_name},
};
use rmcp::model::{Tool, ToolAnnotations};
use schemars::{
    Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde_json::{Map, Value, json};

/// One operation as a tool.
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    pub(crate) operation: Arc<Descriptor>,
}

impl Entry {
    fn new(operation: &Arc<Descriptor>) -> Self {
        let schemas = Schemas {
            input: schema(|settings| operation.whole_input(settings.for_deserialize().into_generator())),
            output: schema(|settings| operation.whole_output(settings.for_serialize().into_generator())),
        };
        let tool = tool(tool_name(operation.id), operation.tool, schemas, &failures::declared(operation));
        Self { tool, operation: Arc::clone(operation) }
    }

    /// Calls the tool, for as long as `time` allows.
    pub(crate) async fn call(
        &self,
        cms: &Cms,
        actor: &Actor,
        client: &Client,
        arguments: Map<String, Value>,
        time: Duration,
    ) -> Result<Answer, Error> {
        let call = call(cms.clone(), Arc::clone(&self.operation), actor.clone(), client.clone(), arguments);
        to_the_end(self.operation.tool != Hint::Read, time, call).await
    }
}

/// Every tool, in the order of the catalog that they were made of.
#[derive(Default)]
pub(crate) struct Tools {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
}

impl Tools {
    pub(crate) fn of(catalog: &Catalog) -> Self {
        let entries: Vec<_> = catalog.iter().filter(|operation| operation.tool != Hint::Hidden).map(Entry::new).collect();
        let by_name = entries.iter().enumerate().map(|(at, entry)| (entry.tool.name.clone().into_owned(), at)).collect();
        Self { entries, by_name }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name).map(|at| &self.entries[*at])
    }

    /// At most `size` of the tools that a caller `may` call, whatever the scopes of their token, after the one named; and the name to go
    /// on from. What only the scopes keep back is shown: whoever calls it is told which scope to ask for.
    /// Nothing when there is no tool of the name.
    pub(crate) fn page(&self, may: impl Fn(Access) -> bool, after: Option<&str>, size: usize) -> Option<(Vec<Tool>, Option<String>)> {
        let start = match after {
            None => 0,
            Some(name) => self.by_name.get(name)? + 1,
        };
        let mut allowed = self.entries[start..].iter().filter(|entry| may(entry.operation.access));
        let page: Vec<_> = allowed.by_ref().take(size).map(|entry| entry.tool.clone()).collect();
        let next = allowed.next().and(page.last()).map(|last| last.name.clone().into_owned());
        Some((page, next))
    }
}

/// Every tool of a catalog as `tools/list` shows it to a caller who may do everything: the contract of this door.
pub fn describe(catalog: &Catalog) -> Value {
    let tools: Vec<_> = Tools::of(catalog).entries.into_iter().map(|entry| entry.tool).collect();
    json!({ "tools": tools })
}

async fn call(cms: Cms, operation: Arc<Descriptor>, actor: Actor, client: Client, arguments: Map<String, Value>) -> Result<Answer, Error> {
    // Who may not call learns nothing of how a call would look.
    actor.admit(cms.access(operation.access), cms.options().public_read)?;
    let invocation = operation.read(arguments)?;
    cms.perform(&actor, Door::Tool, &client, invocation, None).await
}

struct Schemas {
    input: Map<String, Value>,
    output: Map<String, Value>,
}

fn tool(name: String, hint: Hint, mut schemas: Schemas, failures: &[Code]) -> Tool {
    // The text is the tool's own; the schema need not repeat it.
    let mut text = take_text(&mut schemas.input, "description");
    take_text(&mut schemas.input, "title");
    let title = text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned();
    if !failures.is_empty() {
        let codes: Vec<_> = failures.iter().map(|code| code.as_str()).collect();
        text = format!("{text}\n\nFails with: {}.", codes.join(", "));
    }
    Tool::new(Cow::Owned(name), Cow::Owned(text), Arc::new(schemas.input))
        .with_title(title)
        .with_raw_output_schema(Arc::new(schemas.output))
        .with_annotations(annotations(hint))
}

fn annotations(hint: Hint) -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(hint == Hint::Read)
        .destructive(hint == Hint::Destructive)
        .idempotent(matches!(hint, Hint::Read | Hint::Idempotent))
        // Nothing here reaches beyond the site.
        .open_world(false)
}

fn take_text(schema: &mut Map<String, Value>, key: &str) -> String {
    match schema.remove(key) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}

/// A JSON Schema (2020-12) of a type, as it is read or as it is written.
fn schema(of: impl FnOnce(SchemaSettings) -> Schema) -> Map<String, Value> {
    let mut schema = of(SchemaSettings::draft2020_12());
    RecursiveTransform(without_widths).transform(&mut schema);
    match schema.to_value() {
        Value::Object(members) => members,
        // `true` and `false` are schemas too; no type of ours has one.
        _ => Map::new(),
    }
}

/// Removes the widths of Rust's numbers, which are no formats of JSON Schema: validators warn about each.
fn without_widths(schema: &mut Schema) {
    let is_width =
        |format: &str| matches!(format.trim_start_matches('u'), "int8" | "int16" | "int32" | "int64" | "int" | "float" | "double");
    if schema.get("format").and_then(Value::as_str).is_some_and(is_width) {
        schema.remove("format");
    }
}

#[cfg(test)]
mod tests {
    use cms_core::testing::TestApp;
    use cms_domain::{access::Scope, user::Role};

    use super::*;

    fn names(page: &[Tool]) -> Vec<String> {
        page.iter().map(|tool| tool.name.clone().into_owned()).collect()
    }

    #[test]
    fn every_tool_says_what_it_does_what_it_takes_and_what_it_gives() {
        let described = describe(&cms_core::built_in());
        for tool in described["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            assert!(name.chars().all(|character| character.is_ascii_lowercase() || character == '_'), "{name}");
            assert!(tool["title"].as_str().is_some_and(|title| !title.is_empty()), "{name}: title");
            assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: description");
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(tool[schema]["type"], "object", "{name}: {schema}");
                jsonschema::draft202012::meta::validate(&tool[schema]).unwrap_or_else(|error| panic!("{name}: {schema}: {error}"));
            }
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}: unknown arguments must be refused");
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(tool["annotations"][hint].is_boolean(), "{name}: {hint}");
            }
        }
    }

    #[test]
    fn every_argument_is_described() {
        let described = describe(&cms_core::built_in());
        for tool in described["tools"].as_array().unwrap() {
            for (argument, schema) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
                assert!(schema["description"].is_string(), "{}: {argument}", tool["name"]);
            }
        }
    }

    #[test]
    fn a_caller_is_shown_what_the_role_may_call_whatever_the_scopes() {
        let tools = Tools::of(&cms_core::built_in());
        let all = |actor: &Actor| names(&tools.page(|access| actor.could(access), None, 1_000).unwrap().0);
        let everything = all(&TestApp::actor(Role::Admin));
        assert_eq!(all(&TestApp::token(Role::Admin, &[Scope::ContentRead])), everything);
        let subscriber = all(&TestApp::token(Role::Subscriber, &[Scope::Admin]));
        assert!(subscriber.contains(&"content_get".to_owned()) && !subscriber.contains(&"schema_create_collection".to_owned()));
        assert_eq!(everything.len(), tools.entries.len());
    }

    #[test]
    fn pages_of_tools_add_up_to_the_list() {
        let tools = Tools::of(&cms_core::built_in());
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let (page, next) = tools.page(|_| true, after.as_deref(), 7).unwrap();
            assert!((1..=7).contains(&page.len()));
            seen.extend(names(&page));
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, names(&tools.page(|_| true, None, 1_000).unwrap().0));
        assert!(tools.page(|_| true, Some("nothing"), 7).is_none());
    }
}
