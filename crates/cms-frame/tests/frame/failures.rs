//! An operation fails with what it declares.

use cms_core::testing::{TestApp, TestStore};
use cms_domain::{access::Access, user::Role};
use cms_frame::{
    Code, Cx, Door, Error,
    descriptor::Declaration,
    failures::{Failures, THING, declared, of},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Clone, Deserialize, JsonSchema)]
struct Undeclared {}

impl Operation for Undeclared {
    const ID: &'static str = "test.undeclared";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = ();

    async fn run(self, _: &mut Cx<'_>) -> Result<(), Error> {
        Err(Error::new(Code::PasskeyLimit))
    }
}

#[test]
fn an_operation_fails_with_what_it_declares_and_what_its_access_implies() {
    let undeclared = Declaration::of::<Undeclared>();
    assert_eq!(declared(&undeclared), [Code::NotFound]);
    let listed = of(&undeclared);
    assert!(listed.contains(&Code::ValidationError) && !listed.contains(&Code::NotAuthenticated));
    let listed = of(&Declaration::of::<cms_accounts::passkeys::BeginPasskey>());
    for code in [Code::PasskeyLimit, Code::SessionRequired, Code::RateLimited, Code::NotFound] {
        assert!(listed.contains(&code), "{code:?}");
    }
    assert!(!listed.contains(&Code::InsufficientScope) && !listed.contains(&Code::SlugConflict));
}

#[tokio::test]
#[should_panic(expected = "`test.undeclared` does not declare that it fails with [PASSKEY_LIMIT]")]
async fn a_code_that_was_not_declared_is_a_panic_in_tests() {
    let store = TestStore::sqlite().await.unwrap();
    let app = TestApp::open(store.store().clone()).await.unwrap();
    let _ = app.having::<Undeclared>().cms().invoke(&TestApp::actor(Role::Admin), Door::Local, Undeclared {}).await;
}
