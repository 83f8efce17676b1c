//! The catalog as tools: one for each operation that agents may see.

use std::{borrow::Cow, collections::HashMap, pin::Pin, sync::Arc, time::Duration};

use cms_core::{
    Client, Cms, Code, Door, Error,
    catalog::catalog,
    failures, input,
    operation::{Operation, Tool as Hint, Visitor, tool_name},
};
use cms_domain::access::{Access, Actor};
use rmcp::model::{Tool, ToolAnnotations};
use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde_json::{Map, Value, json};
use tracing::Instrument;

/// A call on its way.
type Call = Pin<Box<dyn Future<Output = Result<Value, Error>> + Send>>;

/// One operation as a tool.
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    /// The operation's name, for the log.
    pub(crate) id: &'static str,
    access: Access,
    reads: bool,
    call: fn(Cms, Actor, Client, Map<String, Value>) -> Call,
}

impl Entry {
    /// Calls the tool, for as long as `time` allows.
    pub(crate) async fn call(
        &self,
        cms: &Cms,
        actor: &Actor,
        client: &Client,
        arguments: Map<String, Value>,
        time: Duration,
    ) -> Result<Value, Error> {
        let call = (self.call)(cms.clone(), actor.clone(), client.clone(), arguments);
        let ended = if self.reads {
            tokio::time::timeout(time, call).await
        } else {
            // A change is made to its end even if the caller goes away meanwhile: what this process remembers follows it.
            let task = tokio::spawn(call.in_current_span());
            tokio::time::timeout(time, task).await.map(|joined| joined.unwrap_or_else(|panic| Err(Error::internal(panic))))
        };
        ended.unwrap_or_else(|_| Err(Error::with(Code::Busy, "the tool took too long: look what is there before you repeat the call")))
    }
}

/// Every tool, in the order of the catalog.
#[derive(Default)]
pub(crate) struct Tools {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
}

impl Tools {
    pub(crate) fn of_catalog() -> Self {
        let mut tools = Self::default();
        catalog(&mut tools);
        tools
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
        let mut allowed = self.entries[start..].iter().filter(|entry| may(entry.access));
        let page: Vec<_> = allowed.by_ref().take(size).map(|entry| entry.tool.clone()).collect();
        let next = allowed.next().and(page.last()).map(|last| last.name.clone().into_owned());
        Some((page, next))
    }
}

impl Visitor for Tools {
    fn visit<O: Operation>(&mut self) {
        if O::TOOL == Hint::Hidden {
            return;
        }
        let name = tool_name(O::ID);
        let schemas = Schemas { input: schema::<O>(true), output: schema::<O::Output>(false) };
        let tool = tool(name.clone(), O::TOOL, schemas, &failures::declared::<O>());
        self.by_name.insert(name, self.entries.len());
        self.entries.push(Entry { tool, id: O::ID, access: O::ACCESS, reads: O::TOOL == Hint::Read, call: call::<O> });
    }
}

/// Every tool as `tools/list` shows it to a caller who may do everything: the contract of this door.
pub fn describe() -> Value {
    let tools: Vec<_> = Tools::of_catalog().entries.into_iter().map(|entry| entry.tool).collect();
    json!({ "tools": tools })
}

fn call<O: Operation>(cms: Cms, actor: Actor, client: Client, arguments: Map<String, Value>) -> Call {
    Box::pin(async move {
        // Who may not call learns nothing of how a call would look.
        actor.admit(cms.access(O::ACCESS), cms.options().public_read)?;
        let operation = input::read::<O>(arguments)?;
        Ok(serde_json::to_value(cms.call(&actor, Door::Tool, &client, operation).await?.output)?)
    })
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

/// The JSON Schema (2020-12) of a type, as it is read or as it is written.
fn schema<T: JsonSchema>(read: bool) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12();
    let settings = if read { settings.for_deserialize() } else { settings.for_serialize() };
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
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
        let described = describe();
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
        let described = describe();
        for tool in described["tools"].as_array().unwrap() {
            for (argument, schema) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
                assert!(schema["description"].is_string(), "{}: {argument}", tool["name"]);
            }
        }
    }

    #[test]
    fn a_caller_is_shown_what_the_role_may_call_whatever_the_scopes() {
        let tools = Tools::of_catalog();
        let all = |actor: &Actor| names(&tools.page(|access| actor.could(access), None, 1_000).unwrap().0);
        let everything = all(&TestApp::actor(Role::Admin));
        assert_eq!(all(&TestApp::token(Role::Admin, &[Scope::ContentRead])), everything);
        let subscriber = all(&TestApp::token(Role::Subscriber, &[Scope::Admin]));
        assert!(subscriber.contains(&"content_get".to_owned()) && !subscriber.contains(&"schema_create_collection".to_owned()));
        assert_eq!(everything.len(), tools.entries.len());
    }

    #[test]
    fn pages_of_tools_add_up_to_the_list() {
        let tools = Tools::of_catalog();
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
