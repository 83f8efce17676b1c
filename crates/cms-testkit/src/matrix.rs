//! Who may do what, as a table.

use cms_core::{catalog::Catalog, descriptor::Declaration, testing::TestApp};
use cms_domain::{
    access::{Access, Actor},
    user::Role,
};

/// Who may do what of a catalog, a line for each operation: for a snapshot, so that it changes only where somebody sees it. A host takes one of its
/// own operations.
pub fn access_matrix(catalog: &Catalog) -> String {
    let roles = Role::ALL.map(|role| format!("{:<13}", role.name())).concat();
    let mut matrix = format!("{:<32}{:<10}{roles}needs\n", "operation", "anonymous");
    for Declaration { id, access, .. } in catalog.iter().map(|operation| ***operation) {
        let may = |actor: &Actor| if actor.admit(access, false).is_ok() { "yes" } else { "-" };
        let anonymous = may(&Actor::Anonymous);
        let roles = Role::ALL.map(|role| format!("{:<13}", may(&TestApp::actor(role)))).concat();
        matrix.push_str(format!("{id:<32}{anonymous:<10}{roles}{}\n", needs(access)).trim_end());
        matrix.push('\n');
    }
    matrix
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
