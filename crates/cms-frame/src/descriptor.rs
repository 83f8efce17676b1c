//! An operation as data: everything that a door needs to know of it, and how it is done, without its type.
//!
//! What is generic over operations and does one is here, and is compiled where the operation is declared: a door holds no code of what it does.

mod handler;

use std::{
    any::Any,
    future::Future,
    marker::PhantomData,
    ops::Deref,
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use cms_domain::{access::Access, issue::Issue};
pub use handler::Handler;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    Cookie, Cx, Error,
    cx::Shown,
    failures::Failures,
    input::{self, Contract, Later},
    operation::{Http, Limit, Operation, Proof, Tool},
};

/// Something under way whose type nobody needs to know.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What operations that belong together are about: a heading of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// What the ids of the operations begin with.
    pub prefix: &'static str,
    /// What people call them.
    pub name: &'static str,
    /// What they are about, in a sentence.
    pub about: &'static str,
}

/// Operations, each with the group that its id begins with.
pub fn grouped(groups: &[Group], mut operations: Vec<Descriptor>) -> Vec<Descriptor> {
    for operation in &mut operations {
        let prefix = operation.id.split('.').next();
        operation.declaration.group = groups.iter().find(|group| Some(group.prefix) == prefix).copied();
    }
    operations
}

/// What an operation states of itself: the constants of [`Operation`], which tells what each means.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// [`Operation::ID`].
    pub id: &'static str,
    /// [`Operation::ACCESS`].
    pub access: Access,
    /// [`Operation::HTTP`].
    pub http: Http,
    /// [`Operation::TOOL`].
    pub tool: Tool,
    /// [`Operation::LIMIT`].
    pub limit: Option<Limit>,
    /// [`Operation::PROOF`].
    pub proof: Proof,
    /// [`Operation::FAILURES`].
    pub failures: Failures,
    /// [`Operation::LATER`].
    pub later: Later,
    /// [`Operation::TIME`].
    pub time: Duration,
    /// What it is about, where that is told: [`grouped`].
    pub group: Option<Group>,
}

impl Declaration {
    /// What an operation states.
    pub const fn of<O: Operation>() -> Self {
        Self {
            id: O::ID,
            access: O::ACCESS,
            http: O::HTTP,
            tool: O::TOOL,
            limit: O::LIMIT,
            proof: O::PROOF,
            failures: O::FAILURES,
            later: O::LATER,
            time: O::TIME,
            group: None,
        }
    }
}

/// An operation as data.
pub struct Descriptor {
    declaration: Declaration,
    source: Box<dyn Source>,
    /// What its input is held to, compiled at its first use.
    contract: OnceLock<Result<Contract, String>>,
}

impl Deref for Descriptor {
    type Target = Declaration;

    fn deref(&self) -> &Declaration {
        &self.declaration
    }
}

impl Descriptor {
    /// An operation as data. Call it where the operation is declared: its code is compiled here.
    pub fn of<O: Operation>() -> Self {
        Self { declaration: Declaration::of::<O>(), source: Box::new(Typed::<O>(PhantomData)), contract: OnceLock::new() }
    }

    /// The schema of the input, with its members in place.
    pub fn input(&self, schemas: &mut SchemaGenerator) -> Schema {
        self.source.input(schemas)
    }

    /// The schema of the input, alone and whole.
    pub fn whole_input(&self, schemas: SchemaGenerator) -> Schema {
        self.source.whole_input(schemas)
    }

    /// The schema of what is answered, by its name where it has one.
    pub fn output(&self, schemas: &mut SchemaGenerator) -> Schema {
        self.source.output(schemas)
    }

    /// The schema of what is answered, alone and whole.
    pub fn whole_output(&self, schemas: SchemaGenerator) -> Schema {
        self.source.whole_output(schemas)
    }

    /// Reads an input from its members: the parts of a REST request, or the arguments of a tool call.
    ///
    /// It must suit the operation's types and the JSON Schema that the doors publish of them: what the schema says is what holds. When it
    /// does not suit, every problem is reported, not the first.
    pub fn read(&self, members: Map<String, Value>) -> Result<Invocation, Error> {
        let input = Value::Object(members);
        let contract = self.contract()?;
        match self.source.read(&input) {
            Ok(work) if contract.accepts(&input) => Ok(Invocation { operation: self.declaration, work, attached: None }),
            read => Err(Error::invalid(contract.problems(&input, read.err(), self.later))),
        }
    }

    /// The input of a type that is known, where it is this operation's.
    pub(crate) fn begin<O: Operation>(&self, operation: O) -> Result<Invocation, Error> {
        let work = self.source.begin(Box::new(operation)).ok_or_else(|| Error::internal(format!("`{}` is another type", self.id)))?;
        Ok(Invocation { operation: self.declaration, work, attached: None })
    }

    fn contract(&self) -> Result<&Contract, Error> {
        let contract = self.contract.get_or_init(|| Contract::new(self.whole_input(SchemaGenerator::default()), false));
        contract.as_ref().map_err(|problem| Error::internal(problem.clone()))
    }
}

/// What a door hands to an operation beside its input: something that came with it and is no JSON, of a type that both know.
pub type Attached = Arc<dyn Any + Send + Sync>;

/// An operation with its input, ready to be done. It knows what it is, so that nobody admits it as something else.
pub struct Invocation {
    pub(crate) operation: Declaration,
    pub(crate) work: Box<dyn Work>,
    pub(crate) attached: Option<Attached>,
}

impl Invocation {
    /// The same with something that came beside the input.
    #[must_use]
    pub fn with(self, attached: Attached) -> Self {
        Self { attached: Some(attached), ..self }
    }

    /// The input, as its type.
    pub(crate) fn into_operation<O: Operation>(self) -> Result<O, Error> {
        let operation = self.work.into_operation().and_then(|operation| operation.downcast::<O>().ok());
        operation.map(|operation| *operation).ok_or_else(|| Error::internal(format!("`{}` is another type", O::ID)))
    }
}

/// What an operation answered, and what the caller's browser is to keep.
pub struct Answer {
    pub(crate) work: Box<dyn Work>,
    /// For the browser.
    pub cookies: Vec<Cookie>,
    /// What it shows, for whoever keeps it.
    pub shown: Shown,
    /// Whether what was to be made was there already.
    pub found: bool,
}

impl Answer {
    /// Writes the answer, in JSON.
    pub fn write(&self, into: &mut Vec<u8>) -> Result<(), Error> {
        self.work.write(into)
    }

    /// The answer, in JSON.
    pub fn to_json(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// The answer, as its type.
    pub(crate) fn into_output<O: Operation>(self) -> Result<O::Output, Error> {
        let output = self.work.into_output().and_then(|output| output.downcast::<O::Output>().ok());
        output.map(|output| *output).ok_or_else(|| Error::internal(format!("`{}` answered nothing of its type", O::ID)))
    }
}

/// Where the types of an operation are known.
trait Source: Send + Sync {
    fn input(&self, schemas: &mut SchemaGenerator) -> Schema;
    fn whole_input(&self, schemas: SchemaGenerator) -> Schema;
    fn output(&self, schemas: &mut SchemaGenerator) -> Schema;
    fn whole_output(&self, schemas: SchemaGenerator) -> Schema;
    /// Reads an input, or says what it stumbled over first.
    fn read(&self, input: &Value) -> Result<Box<dyn Work>, Issue>;
    /// Takes an input that is read already, if it is of the type.
    fn begin(&self, operation: Box<dyn Any + Send>) -> Option<Box<dyn Work>>;
}

/// An input on its way to its answer.
pub(crate) trait Work: Send {
    /// [`Operation::check`].
    fn check(&self) -> Result<(), Error>;
    /// Does it, and keeps the answer. What is to be done `again` when it fails keeps its input as well.
    fn attempt<'a>(&'a mut self, cx: &'a mut Cx<'_>, again: bool) -> Pending<'a, Result<(), Error>>;
    /// Writes the answer, in JSON.
    fn write(&self, into: &mut Vec<u8>) -> Result<(), Error>;
    fn into_operation(self: Box<Self>) -> Option<Box<dyn Any>>;
    fn into_output(self: Box<Self>) -> Option<Box<dyn Any>>;
}

fn done_already() -> Error {
    Error::internal("an operation is done that was done already")
}

fn write(output: Option<&impl Serialize>, into: &mut Vec<u8>) -> Result<(), Error> {
    let output = output.ok_or_else(|| Error::internal("an answer is written that is not there"))?;
    Ok(serde_json::to_writer(into, output)?)
}

struct Typed<O>(PhantomData<fn() -> O>);

impl<O: Operation> Source for Typed<O> {
    fn input(&self, schemas: &mut SchemaGenerator) -> Schema {
        O::json_schema(schemas)
    }

    fn whole_input(&self, schemas: SchemaGenerator) -> Schema {
        schemas.into_root_schema_for::<O>()
    }

    fn output(&self, schemas: &mut SchemaGenerator) -> Schema {
        schemas.subschema_for::<O::Output>()
    }

    fn whole_output(&self, schemas: SchemaGenerator) -> Schema {
        schemas.into_root_schema_for::<O::Output>()
    }

    fn read(&self, input: &Value) -> Result<Box<dyn Work>, Issue> {
        match O::deserialize(input) {
            Ok(operation) => Ok(Box::new(TypedWork::<O>::new(operation))),
            // Read once more to learn where it stumbled: most inputs fit, and knowing the place costs.
            Err(first) => Err(input::first_issue(serde_path_to_error::deserialize::<_, O>(input).err(), &first)),
        }
    }

    fn begin(&self, operation: Box<dyn Any + Send>) -> Option<Box<dyn Work>> {
        Some(Box::new(TypedWork::<O>::new(*operation.downcast().ok()?)))
    }
}

struct TypedWork<O: Operation> {
    operation: Option<O>,
    output: Option<O::Output>,
}

impl<O: Operation> TypedWork<O> {
    fn new(operation: O) -> Self {
        Self { operation: Some(operation), output: None }
    }
}

impl<O: Operation> Work for TypedWork<O> {
    fn check(&self) -> Result<(), Error> {
        self.operation.as_ref().map_or(Ok(()), O::check)
    }

    fn attempt<'a>(&'a mut self, cx: &'a mut Cx<'_>, again: bool) -> Pending<'a, Result<(), Error>> {
        let operation = if again { self.operation.clone() } else { self.operation.take() };
        Box::pin(async move {
            let operation = operation.ok_or_else(done_already)?;
            self.output = Some(operation.run(cx).await?);
            Ok(())
        })
    }

    fn write(&self, into: &mut Vec<u8>) -> Result<(), Error> {
        into.reserve(self.output.as_ref().map_or(0, O::length));
        write(self.output.as_ref(), into)
    }

    fn into_operation(self: Box<Self>) -> Option<Box<dyn Any>> {
        Some(Box::new(self.operation?))
    }

    fn into_output(self: Box<Self>) -> Option<Box<dyn Any>> {
        Some(Box::new(self.output?))
    }
}
