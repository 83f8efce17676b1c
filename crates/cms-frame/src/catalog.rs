//! The operations of a system: those that are built in, one line each, and those that its host and its plugins add.

use std::{
    collections::{BTreeSet, HashMap},
    convert::Infallible,
    mem,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use cms_domain::access::Scopes;
use schemars::SchemaGenerator;

use crate::{
    Cms, Code, Error,
    descriptor::Descriptor,
    operation::{Gives, Http, Method, Operation, Proof, Surface, Tool, name_in, tool_name},
};

/// The longest name of a tool, in characters (Model Context Protocol, 2025-11-25).
const LONGEST_TOOL_NAME: usize = 128;

/// Every operation of a system at one moment. Doors make what they show of it ([`Made`]).
#[derive(Clone)]
pub struct Catalog {
    operations: Vec<Arc<Descriptor>>,
    /// How many of them are built in: the first.
    built_in: usize,
    wires: Arc<Vec<Wire>>,
    by_id: HashMap<&'static str, usize>,
    revision: u64,
}

impl Catalog {
    /// The operations that a system always has, and the routes that doors have beside them.
    pub fn new(built_in: Vec<Descriptor>, wires: Vec<Wire>) -> Self {
        let operations: Vec<_> = built_in.into_iter().map(Arc::new).collect();
        let built_in = operations.len();
        // They are the same in every build: tests look, and servers need not at each start.
        if cfg!(debug_assertions) {
            for (at, operation) in operations.iter().enumerate() {
                let problem = operations[..at].iter().find_map(|known| taken(known, operation));
                assert!(problem.is_none(), "`{}` is in the way: {problem:?}", operation.id);
            }
        }
        Self::of(operations, built_in, Arc::new(wires), 0)
    }

    fn of(operations: Vec<Arc<Descriptor>>, built_in: usize, wires: Arc<Vec<Wire>>, revision: u64) -> Self {
        let by_id = operations.iter().enumerate().map(|(at, operation)| (operation.id, at)).collect();
        Self { operations, built_in, wires, by_id, revision }
    }

    /// The operations, those that are built in first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Descriptor>> {
        self.operations.iter()
    }

    /// The operation of an id.
    pub fn get(&self, id: &str) -> Option<&Arc<Descriptor>> {
        self.by_id.get(id).map(|at| &self.operations[*at])
    }

    /// Whether an operation is one that the system always has.
    pub fn is_built_in(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|at| *at < self.built_in)
    }

    /// The scopes that open something: others may be held, and are offered to nobody.
    pub fn scopes(&self) -> Scopes {
        self.operations
            .iter()
            .filter(|operation| operation.http.surface != Surface::None)
            .filter_map(|operation| operation.access.scope())
            .collect()
    }

    /// A number that grows with each change.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The routes that doors have beside operations.
    pub fn wires(&self) -> &[Wire] {
        &self.wires
    }

    /// The same with more operations. Refuses one that is in the way of another.
    fn with(&self, more: &[Arc<Descriptor>]) -> Result<Self, Error> {
        let mut operations = self.operations.clone();
        for operation in more {
            let problem = operations.iter().find_map(|known| taken(known, operation));
            let problem = problem.or_else(|| unfit(operation)).or_else(|| misplaced(operation, &operations, &self.wires));
            if let Some(problem) = problem {
                return Err(Error::with(Code::Conflict, format!("`{}` cannot be added: {problem}", operation.id)));
            }
            operations.push(Arc::clone(operation));
        }
        Ok(Self::of(operations, self.built_in, Arc::clone(&self.wires), self.revision + 1))
    }

    /// The same without some operations; those that are built in stay.
    fn without(&self, ids: &[&str]) -> Self {
        let (built_in, added) = self.operations.split_at(self.built_in);
        let stay = added.iter().filter(|operation| !ids.contains(&operation.id));
        Self::of(built_in.iter().chain(stay).cloned().collect(), self.built_in, Arc::clone(&self.wires), self.revision + 1)
    }
}

/// A route below the API's root that a door has itself: pages, the endpoint for tools, and what standards of an area say of the wire.
/// Operations that are added keep off its address.
#[derive(Debug, Clone, Copy)]
pub struct Wire {
    /// What it is called where requests are counted: the operation that it leads to, if it leads to one.
    pub id: &'static str,
    /// The route.
    pub http: Http,
}

impl Wire {
    /// The document of the API.
    pub const DOCUMENT: Self = Self::new("openapi", Http::get("", "/openapi.json").gives(Gives::Plain));
    /// The page that shows the document.
    pub const READER: Self = Self::new("docs", Http::get("", "/docs").gives(Gives::Bytes));
    /// The endpoint for tools.
    pub const TOOLS: Self = Self::new("mcp", Http::post("", "/mcp").bytes().gives(Gives::Plain));

    /// Those that every system has.
    pub const ALWAYS: [Self; 3] = [Self::DOCUMENT, Self::READER, Self::TOOLS];

    /// A route, and what it is called.
    pub const fn new(id: &'static str, http: Http) -> Self {
        Self { id, http }
    }
}

/// What keeps an operation that is added from being what it states.
fn unfit(operation: &Descriptor) -> Option<String> {
    // Model Context Protocol, 2025-11-25, "Tool Names" and "Tool".
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if operation.tool != Tool::Hidden {
        let name = tool_name(operation.id);
        if !(1..=LONGEST_TOOL_NAME).contains(&name.len()) || !name.chars().all(is_plain) {
            return Some(format!("`{name}` is not the name of a tool: at most {LONGEST_TOOL_NAME} letters, digits, `_` and `-`"));
        }
        if operation.whole_output(SchemaGenerator::default()).get("type").is_none_or(|kind| kind != "object") {
            return Some("what a tool answers is an object, and its output is none".to_owned());
        }
    }
    // Kept by the address alone, and given to whoever asks there before anything else of the request is looked at.
    let is_keepable = operation.http.method == Method::Get && operation.proof == Proof::Any;
    (operation.http.is_cached() && !is_keepable).then(|| "only answers to GET that need no recent proof are kept".to_owned())
}

/// What keeps the route of an operation that is added from being one, or puts it in front of another's.
fn misplaced(operation: &Descriptor, known: &[Arc<Descriptor>], wires: &[Wire]) -> Option<String> {
    let Http { path, query, surface, .. } = operation.http;
    if surface == Surface::None {
        return None;
    }
    let plain =
        |text: &str| !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric() || "-._~".contains(character));
    let Some(segments) = path.strip_prefix('/') else { return Some(format!("the address `{path}` does not begin with a slash")) };
    if !segments.split('/').all(|segment| plain(name_in(segment).unwrap_or(segment))) {
        return Some(format!("`{path}` is not the template of an address"));
    }
    if let Some(wire) = wires.iter().find(|wire| overlap(wire.http.path, path)) {
        return Some(format!("`{}` is the address of a door", wire.http.path));
    }
    if !operation.http.is_enveloped() {
        return Some(format!("no door answers `{path}` other than in the envelope"));
    }
    let schema = operation.whole_input(SchemaGenerator::default()).to_value();
    let mut told = BTreeSet::new();
    for member in path.split('/').filter_map(name_in).chain(query.iter().copied()) {
        if schema["properties"].get(member).is_none() {
            return Some(format!("its input has no member `{member}`, which its address names"));
        }
        if !told.insert(member) {
            return Some(format!("its address names `{member}` twice"));
        }
    }
    let routed = known.iter().filter(|known| known.http.surface != Surface::None);
    let in_the_way = routed.filter(|known| known.http.path != path && overlap(known.http.path, path)).min_by_key(|known| known.http.path);
    in_the_way.map(|known| format!("addresses of `{}` would be found at `{path}`", known.id))
}

/// What two operations would have in common that only one can have.
fn taken(known: &Descriptor, new: &Descriptor) -> Option<String> {
    if known.id == new.id {
        return Some("there is an operation of this id".to_owned());
    }
    if known.tool != Tool::Hidden && new.tool != Tool::Hidden && tool_name(known.id) == tool_name(new.id) {
        return Some(format!("`{}` has a tool of the same name", known.id));
    }
    let (known_http, new_http) = (&known.http, &new.http);
    if known_http.surface == Surface::None || new_http.surface == Surface::None {
        return None;
    }
    // Generators of clients make names of types and files of them.
    if known_http.operation_id.eq_ignore_ascii_case(new_http.operation_id) {
        return Some(format!("`{}` has the same `operationId`", known.id));
    }
    let same_address = known_http.method == new_http.method && known_http.path == new_http.path;
    same_address.then(|| format!("`{}` has the same address", known.id))
}

/// Whether an address may be one of both templates.
fn overlap(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split('/'), other.split('/'));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one == other || name_in(one).is_some() || name_in(other).is_some() => {}
            _ => return false,
        }
    }
}

/// What a door makes of a catalog, made anew when it is another one.
pub struct Made<T> {
    known: RwLock<Option<(u64, Arc<T>)>>,
    making: Mutex<()>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self { known: RwLock::new(None), making: Mutex::new(()) }
    }
}

impl<T> Made<T> {
    /// What is made of a catalog, or of a newer one. Others wait for the first who asks.
    pub fn of(&self, catalog: &Arc<Catalog>, make: impl FnOnce(&Arc<Catalog>) -> T) -> Arc<T> {
        if let Some(known) = self.known(catalog.revision) {
            return known;
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.known(catalog.revision) {
            return known;
        }
        let made = Arc::new(make(catalog));
        let before = self.known.write().unwrap_or_else(PoisonError::into_inner).replace((catalog.revision, Arc::clone(&made)));
        // Handlers that nobody else has are dropped outside of the lock.
        drop(before);
        made
    }

    fn known(&self, revision: u64) -> Option<Arc<T>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(known, _)| *known >= revision).map(|(_, made)| Arc::clone(made))
    }
}

impl Cms {
    /// The operations that the system has now.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.operations().read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds operations: each door has them with the next request. All of them, or none when one is in the way of another operation: by its id, its
    /// tool, its `operationId`, or an address that is another's too. One that takes longer than its [`Operation::TIME`] is given up, and nothing of it
    /// is written.
    pub fn add_operations(&self, operations: impl IntoIterator<Item = Descriptor>) -> Result<(), Error> {
        // Lent to the change: those that are refused are dropped outside of the lock, too.
        let operations: Vec<_> = operations.into_iter().map(Arc::new).collect();
        self.change_operations(|catalog| catalog.with(&operations))
    }

    /// Takes operations away that were added: no door has them with the next request. Calls that are under way come to their end, as far as they
    /// invoke nothing else that is taken away. Those that are built in stay: the system itself does them.
    pub fn remove_operations(&self, ids: &[&str]) {
        let Ok(()) = self.change_operations(|catalog| Ok::<_, Infallible>(catalog.without(ids)));
    }

    fn change_operations<E>(&self, change: impl FnOnce(&Catalog) -> Result<Catalog, E>) -> Result<(), E> {
        let mut catalog = self.operations().write().unwrap_or_else(PoisonError::into_inner);
        let changed = Arc::new(change(&catalog)?);
        let before = mem::replace(&mut *catalog, changed);
        drop(catalog);
        // Handlers that nobody else has are dropped outside of the lock: they are a host's.
        drop(before);
        Ok(())
    }

    /// An operation of the catalog, by its type.
    pub(crate) fn descriptor<O: Operation>(&self) -> Result<Arc<Descriptor>, Error> {
        self.catalog().get(O::ID).cloned().ok_or_else(|| Error::internal(format!("`{}` is in no catalog", O::ID)))
    }
}

/// A text that is kept for as long as the program runs, once however often it is asked for: the name of an operation, a permission or a code
/// that is known at run time alone. There are as many as people install things.
pub fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    kept.insert(text);
    text
}
