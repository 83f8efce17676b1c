//! Both doors give the same answer: every operation, every caller. An operation without a sample fails.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

mod example;
mod races;
mod reading;
mod samples;
mod trail;
mod world;

use std::sync::Arc;

use cms_core::{
    Code, Kind,
    catalog::Catalog,
    descriptor::{Declaration, Descriptor},
    operation::{Http, Surface, Tool, tool_name},
};
use cms_domain::{
    access::{Access, Actor, Refusal, Scope},
    user::Role,
};
use cms_testkit::{Outcome, TestApp, TestStore};
use serde_json::{Map, Value, json};
use world::{House, World, built_in};

/// One operation as the doors show it.
#[derive(Clone)]
struct Case {
    id: &'static str,
    access: Access,
    http: Http,
    tool: Option<String>,
}

/// Those of the system that are looked at: every one, unless whoever works at some says by which ids.
fn cases() -> Vec<Case> {
    let chosen = chosen();
    every().into_iter().filter(|case| case.id.starts_with(&chosen)).collect()
}

/// Every operation of the system that has a route or a tool.
fn every() -> Vec<Case> {
    cases_of(&cms_core::built_in())
}

/// What the ids of the operations begin with that are looked at.
fn chosen() -> String {
    #[expect(clippy::disallowed_methods, reason = "who runs tests says by the environment which")]
    std::env::var("CMS_TEST_OPERATIONS").unwrap_or_default()
}

fn cases_of(catalog: &Catalog) -> Vec<Case> {
    let case = |operation: &Arc<Descriptor>| {
        let Declaration { id, access, http, tool, .. } = ***operation;
        let tool = (tool != Tool::Hidden).then(|| tool_name(id));
        assert!(http.surface != Surface::None || tool.is_none(), "{id}: a tool without a route");
        (http.surface != Surface::None).then_some(Case { id, access, http, tool })
    };
    catalog.iter().filter_map(case).collect()
}

/// Two worlds that are alike to the last id: what goes through one door of the first goes through the other of the second.
struct Twins {
    rest: World,
    tools: World,
}

impl Twins {
    async fn open() -> Self {
        Self::of(built_in).await
    }

    /// The worlds of a system that somebody has put together.
    async fn of(start: impl AsyncFn(TestApp) -> House) -> Self {
        let open = async || World::over(TestStore::sqlite().await.unwrap(), &start).await;
        Self { rest: open().await, tools: open().await }
    }

    /// Whether a caller may, as the table has it.
    fn admits(&self, caller: Caller, case: &Case) -> Result<(), Refusal> {
        caller.actor().admit(case.access, self.rest.doors.app().cms().options().public_read)
    }

    /// The sample of an operation. What it is about is made in both worlds, which differ in secrets alone.
    async fn sample(&self, case: &Case) -> Map<String, Value> {
        samples::sample(case, &self.tools).await;
        samples::sample(case, &self.rest).await
    }

    /// The outcome through REST, which is the one through tools as well where there is a tool.
    async fn call(&self, case: &Case, caller: Caller, input: &Map<String, Value>) -> Outcome {
        let rest = Outcome::of_rest(&self.rest.doors.call_rest(self.rest.credential(caller), &case.http, input).await);
        if let (Some(tool), Ok(token)) = (&case.tool, self.tools.token(caller)) {
            let answer = Outcome::of_tool(&self.tools.doors.call_tool(token, tool, input).await);
            if caller == Caller::Anonymous && self.admits(caller, case).is_ok() {
                assert_eq!(answer.code(), "NOT_AUTHENTICATED", "{}: agents sign in, also where the public may read", case.id);
                return rest;
            }
            assert_eq!(rest, answer, "{} differs for {caller:?} with {}", case.id, json!(input));
        }
        rest
    }

    async fn close(self) {
        self.rest.close().await;
        self.tools.close().await;
    }
}

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Caller {
    /// Nobody.
    Anonymous,
    /// The user of a role, with every scope the role can have.
    Role(Role),
    /// The user of a role, signed in. Tool calls know no sessions.
    Session(Role),
    /// An administrator whose token is good for media alone, which no operation is about.
    Narrow,
    /// An administrator whose token is good for reading content alone.
    Reading,
}

impl Caller {
    /// The caller as the core sees it.
    fn actor(self) -> Actor {
        match self {
            Self::Anonymous => Actor::Anonymous,
            Self::Role(role) => TestApp::token(role, &scopes_of(role)),
            Self::Session(role) => TestApp::actor(role),
            Self::Narrow => TestApp::token(Role::Admin, &[Scope::MediaRead]),
            Self::Reading => TestApp::token(Role::Admin, &[Scope::ContentRead]),
        }
    }

    fn all() -> Vec<Self> {
        let callers = [Self::Anonymous, Self::Narrow, Self::Reading].into_iter();
        callers.chain(Role::ALL.map(Self::Role)).chain(Role::ALL.map(Self::Session)).collect()
    }

    /// The administrator, as the operation asks for one: no access token manages credentials.
    fn admin(case: &Case) -> Self {
        if matches!(case.access, Access::Account(_)) { Self::Session(Role::Admin) } else { Self::Role(Role::Admin) }
    }
}

fn scopes_of(role: Role) -> Vec<Scope> {
    Scope::ALL.iter().copied().filter(|scope| scope.least_role() <= role).collect()
}

fn kind_of(outcome: &Outcome) -> Option<Kind> {
    Code::ALL.iter().find(|code| code.as_str() == outcome.code()).map(|code| code.kind())
}

#[tokio::test]
async fn an_administrator_gets_the_same_through_both_doors() {
    for case in cases().iter().filter(|case| !samples::is_elsewhere(case.id)) {
        let twins = Twins::open().await;
        let outcome = twins.call(case, Caller::admin(case), &twins.sample(case).await).await;
        assert!(matches!(outcome, Outcome::Done(_)), "{}: the sample must succeed: {outcome:?}", case.id);
        twins.close().await;
    }
}

#[tokio::test]
async fn what_a_tool_answers_fits_its_output_schema() {
    let described = cms_mcp::describe(&cms_core::built_in());
    for case in cases().iter().filter(|case| case.tool.is_some()) {
        let world = World::open().await;
        let tool = case.tool.as_deref().unwrap();
        let sample = samples::sample(case, &world).await;
        let answer = world.doors.call_tool(world.token(Caller::Role(Role::Admin)).unwrap(), tool, &sample).await;
        let Outcome::Done(output) = Outcome::of_tool(&answer) else { panic!("{tool}: {answer:?}") };
        fits(&described, tool, &output);
        world.close().await;
    }
}

/// Whether what a tool has answered is what it says that it answers.
fn fits(described: &Value, tool: &str, output: &Value) {
    let schema = &described["tools"].as_array().unwrap().iter().find(|described| described["name"] == tool).unwrap()["outputSchema"];
    let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
    let problems: Vec<_> = validator.iter_errors(output).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{tool}: {problems:#?}");
}

#[tokio::test]
async fn every_caller_gets_the_same_through_both_doors_and_no_more_than_the_table_allows() {
    for case in cases() {
        let twins = Twins::open().await;
        // Whoever may lock out another caller comes after them.
        refused_callers_are_told_why(&twins, &case).await;
        admitted_callers_are_answered(&twins, &case).await;
        twins.close().await;
    }
}

async fn refused_callers_are_told_why(twins: &Twins, case: &Case) {
    for caller in Caller::all() {
        if let Err(refusal) = twins.admits(caller, case) {
            let outcome = twins.call(case, caller, &twins.sample(case).await).await;
            let expected = cms_core::Error::from(refusal).code();
            assert_eq!(outcome.code(), expected.as_str(), "{} for {caller:?}", case.id);
        }
    }
}

async fn admitted_callers_are_answered(twins: &Twins, case: &Case) {
    for caller in Caller::all().into_iter().filter(|caller| twins.admits(*caller, case).is_ok()) {
        let outcome = twins.call(case, caller, &twins.sample(case).await).await;
        if !samples::is_elsewhere(case.id) {
            // Whose thing it is decides afterwards, and an earlier caller may have changed it.
            let failed = matches!(kind_of(&outcome), Some(Kind::Unauthenticated | Kind::Internal));
            assert!(!failed, "{} for {caller:?}: {outcome:?}", case.id);
        }
    }
}

#[tokio::test]
async fn an_unknown_member_is_refused_alike_and_only_to_who_may_call() {
    for case in cases().into_iter().filter(|case| !samples::is_elsewhere(case.id)) {
        let twins = Twins::open().await;
        nonsense_is_refused(&twins, &case).await;
        twins.close().await;
    }
}

async fn nonsense_is_refused(twins: &Twins, case: &Case) {
    let mut input = twins.sample(case).await;
    input.insert("nonsense".to_owned(), json!(1));
    for caller in [Caller::admin(case), Caller::Role(Role::Subscriber)] {
        let outcome = twins.call(case, caller, &input).await;
        if twins.admits(caller, case).is_err() {
            assert_eq!(kind_of(&outcome), Some(Kind::Forbidden), "{}", case.id);
            continue;
        }
        let Outcome::Refused { code, details } = &outcome else { panic!("{}: accepted", case.id) };
        assert_eq!(code, "VALIDATION_ERROR", "{}", case.id);
        assert_eq!(details["issues"][0]["path"], "nonsense", "{}", case.id);
        assert_eq!(details["issues"][0]["code"], "UNKNOWN_KEY", "{}", case.id);
    }
}

#[tokio::test]
async fn a_thing_that_is_not_there_is_not_found_through_both_doors() {
    for case in cases().into_iter().filter(|case| !samples::is_elsewhere(case.id)) {
        if named(&case).is_none() {
            continue;
        }
        let twins = Twins::open().await;
        what_is_missing_is_not_found(&twins, &case).await;
        twins.close().await;
    }
}

/// The member of an operation's address that names what it is about.
fn named(case: &Case) -> Option<&'static str> {
    case.http.path.rsplit('{').next()?.split_once('}').map(|(name, _)| name)
}

async fn what_is_missing_is_not_found(twins: &Twins, case: &Case) {
    let Some(name) = named(case) else { return };
    let mut input = twins.sample(case).await;
    input.insert(name.to_owned(), samples::missing(case, name, &twins.rest));
    let outcome = twins.call(case, Caller::admin(case), &input).await;
    assert_eq!(kind_of(&outcome), Some(Kind::NotFound), "{}: {outcome:?}", case.id);
}
