//! What callers rely on and nobody changes by accident: who may do what, and the codes of failures.

use cms_core::{
    Code,
    catalog::catalog,
    operation::{Operation, Visitor},
};
use cms_domain::{
    access::{Access, Actor},
    user::Role,
};
use cms_testkit::TestApp;

#[test]
fn who_may_do_what_is_this_table() {
    struct Matrix(String);
    impl Visitor for Matrix {
        fn visit<O: Operation>(&mut self) {
            let may = |actor: &Actor| if actor.admit(O::ACCESS, false).is_ok() { "yes" } else { "-" };
            let anonymous = may(&Actor::Anonymous);
            let roles = Role::ALL.map(|role| format!("{:<13}", may(&TestApp::actor(role)))).concat();
            self.0.push_str(format!("{:<32}{anonymous:<10}{roles}{}\n", O::ID, needs(O::ACCESS)).trim_end());
            self.0.push('\n');
        }
    }
    let roles = Role::ALL.map(|role| format!("{:<13}", role.name())).concat();
    let mut matrix = Matrix(format!("{:<32}{:<10}{roles}needs\n", "operation", "anonymous"));
    catalog(&mut matrix);
    insta::assert_snapshot!("access_matrix", matrix.0);
}

fn needs(access: Access) -> String {
    match access {
        Access::Public => "nothing".to_owned(),
        Access::SignedIn => "an account".to_owned(),
        Access::Account(permission) => format!("a session; role {}", permission.name()),
        Access::Reader => "scope content:read; role content:read; or nothing where the public may read".to_owned(),
        Access::Needs(scope, permission) => format!("scope {scope}; role {}", permission.name()),
        Access::Owned { scope, own, any, own_draft } => {
            let draft = own_draft.map(|permission| format!(", own and never published {}", permission.name())).unwrap_or_default();
            format!("scope {scope}; role {} for all, own {}{draft}", any.name(), own.name())
        }
        Access::System => "the server itself".to_owned(),
    }
}

#[test]
fn the_codes_of_failures_are_these() {
    let lines: Vec<_> =
        Code::ALL.iter().map(|code| format!("{:<26}{:<16}{}", code.as_str(), format!("{:?}", code.kind()), code.message())).collect();
    insta::assert_snapshot!("errors", lines.join("\n"));
}

#[test]
fn no_two_failures_share_a_code() {
    let mut texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), Code::ALL.len());
}
