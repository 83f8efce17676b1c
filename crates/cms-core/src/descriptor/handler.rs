//! An operation whose types are known at run time alone: what a plugin brings.

use std::{any::Any, sync::Arc};

use cms_domain::issue::Issue;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Declaration, Descriptor, Pending, Source, Work};
use crate::{Code, Cx, Error};

/// Does an operation with an input that fits its schema.
pub trait Handler: Send + Sync + 'static {
    /// Does it.
    fn run<'a>(&'a self, input: Value, cx: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>>;
}

impl Descriptor {
    /// An operation of a handler. The schemas are those of an object, with everything in place: what another schema refers to is not found.
    pub fn of_handler(declaration: Declaration, input: Value, output: Value, handler: impl Handler) -> Result<Self, Error> {
        let schema = |what: &str, value: Value| {
            let problem = match &value {
                Value::Object(members) if members.get("type").is_none_or(|kind| kind != "object") => "is not the schema of an object",
                Value::Object(_) if has_reference(&value) => "refers to another schema",
                Value::Object(_) => return Schema::try_from(value).map_err(Error::internal),
                _ => "is not a JSON Schema",
            };
            Err(Error::with(Code::ValidationError, format!("`{}`: the {what} {problem}", declaration.id)))
        };
        let source = Handled { input: schema("input", input)?, output: schema("output", output)?, handler: Arc::new(handler) };
        Ok(Self::new(declaration, Box::new(source)))
    }
}

fn has_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, member)| (name == "$ref" && member.is_string()) || has_reference(member)),
        Value::Array(items) => items.iter().any(has_reference),
        _ => false,
    }
}

struct Handled {
    input: Schema,
    output: Schema,
    handler: Arc<dyn Handler>,
}

impl Source for Handled {
    fn input(&self, _: &mut SchemaGenerator) -> Schema {
        self.input.clone()
    }

    fn whole_input(&self, _: SchemaGenerator) -> Schema {
        self.input.clone()
    }

    fn output(&self, _: &mut SchemaGenerator) -> Schema {
        self.output.clone()
    }

    fn whole_output(&self, _: SchemaGenerator) -> Schema {
        self.output.clone()
    }

    fn read(&self, input: &Value) -> Result<Box<dyn Work>, Issue> {
        // The schema is all that is known of the input.
        Ok(Box::new(HandledWork { input: Some(input.clone()), output: None, handler: Arc::clone(&self.handler) }))
    }

    fn begin(&self, _: Box<dyn Any + Send>) -> Option<Box<dyn Work>> {
        None
    }
}

struct HandledWork {
    input: Option<Value>,
    output: Option<Value>,
    handler: Arc<dyn Handler>,
}

impl Work for HandledWork {
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn attempt<'a>(&'a mut self, cx: &'a mut Cx<'_>, again: bool) -> Pending<'a, Result<(), Error>> {
        let input = if again { self.input.clone() } else { self.input.take() };
        Box::pin(async move {
            let input = input.ok_or_else(super::done_already)?;
            self.output = Some(self.handler.run(input, cx).await?);
            Ok(())
        })
    }

    fn write(&self, into: &mut Vec<u8>) -> Result<(), Error> {
        super::write(self.output.as_ref(), into)
    }

    fn into_operation(self: Box<Self>) -> Option<Box<dyn Any>> {
        None
    }

    fn into_output(self: Box<Self>) -> Option<Box<dyn Any>> {
        None
    }
}
