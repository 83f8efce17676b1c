//! An operation whose types are known at run time alone: what a plugin brings.

use std::{any::Any, sync::Arc};

use cms_domain::issue::Issue;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Declaration, Descriptor, Pending, Source, Work};
use crate::{Code, Cx, Error, input::Contract};

/// Does an operation with an input that fits its schema.
pub trait Handler: Send + Sync + 'static {
    /// Does it. What it answers must fit the schema of the output. Like any operation it is done again when it loses against another transaction
    /// on PostgreSQL: what it does elsewhere must bear that. What takes longer than its [`TIME`] is given up, as
    /// far as it waits for something.
    ///
    /// [`TIME`]: crate::operation::Operation::TIME
    fn run<'a>(&'a self, input: Value, cx: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>>;
}

impl Descriptor {
    /// An operation of a handler. The schemas are those of objects, with everything in place: what another schema refers to is not found. Members
    /// that the schema of the input does not know are refused, formats included that it names.
    pub fn of_handler(declaration: Declaration, input: Value, output: Value, handler: impl Handler) -> Result<Self, Error> {
        let refused = |what: &str, problem: &str| Error::with(Code::ValidationError, format!("`{}`: the {what} {problem}", declaration.id));
        let schema = |what: &str, value: Value, is_input: bool| {
            let refers = has_reference(&value);
            let problem = match value {
                Value::Object(members) if members.get("type").is_none_or(|kind| kind != "object") => "is not the schema of an object",
                Value::Object(_) if refers => "refers to another schema",
                Value::Object(mut members) => {
                    if is_input {
                        members.insert("additionalProperties".to_owned(), Value::Bool(false));
                    }
                    let schema = Schema::from(members);
                    return Contract::new(schema.clone(), true)
                        .map(|contract| (schema, contract))
                        .map_err(|problem| refused(what, &problem));
                }
                _ => "is not a JSON Schema",
            };
            Err(refused(what, problem))
        };
        let (input, accepts) = schema("input", input, true)?;
        let (output, gives) = schema("output", output, false)?;
        let source = Box::new(Handled { input, output, gives: Arc::new(gives), handler: Arc::new(handler) });
        Ok(Self { declaration, source, contract: Ok(accepts).into() })
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
    /// What answers are held to.
    gives: Arc<Contract>,
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
        // The schema is all that is known of the input, and the descriptor holds it to that.
        let (gives, handler) = (Arc::clone(&self.gives), Arc::clone(&self.handler));
        Ok(Box::new(HandledWork { input: Some(input.clone()), output: None, gives, handler }))
    }

    fn begin(&self, _: Box<dyn Any + Send>) -> Option<Box<dyn Work>> {
        None
    }
}

struct HandledWork {
    input: Option<Value>,
    output: Option<Value>,
    gives: Arc<Contract>,
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
            let output = self.handler.run(input, cx).await?;
            if let Some(issue) = self.gives.problems(&output, None, &[]).into_iter().next() {
                return Err(Error::internal(format!("the answer does not fit its schema: `{}` {}", issue.path, issue.message)));
            }
            self.output = Some(output);
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
