//! What a token that may only read leaves behind: nothing.

use cms_domain::access::{Access, Scope};

use crate::{Caller, Case, Twins, cases, chosen, samples};

/// The tables whose rows open the site to somebody.
const ACCESS: [&str; 8] = ["tokens", "passkeys", "connections", "links", "oauth_clients", "oauth_grants", "oauth_tokens", "preview_links"];

/// Whether an operation asks a token for the scope to read content, and for no other.
fn is_reading(access: Access) -> bool {
    match access {
        Access::Reader => true,
        Access::Needs(scope, _) | Access::Owned { scope, .. } => scope == Scope::ContentRead,
        _ => false,
    }
}

#[tokio::test]
async fn a_reading_token_against_everything_that_outlives_it() {
    let admitted = |access| Caller::Reading.actor().admit(access, false).is_ok() && access != Access::Public;
    let admitted: Vec<_> = cases().into_iter().filter(|case| admitted(case.access)).collect();
    assert!(admitted.iter().filter(|case| is_reading(case.access)).count() >= 10 || !chosen().is_empty());
    for case in admitted.into_iter().filter(|case| !samples::is_elsewhere(case.id)) {
        let twins = Twins::open().await;
        reading_leaves_nothing_behind(&twins, &case).await;
        twins.close().await;
    }
}

/// What a reading token that is admitted leaves behind.
pub(crate) async fn reading_leaves_nothing_behind(twins: &Twins, case: &Case) {
    let sample = twins.sample(case).await;
    let before = twins.rest.tables().await;
    twins.call(case, Caller::Reading, &sample).await;
    let after = twins.rest.tables().await;
    let changed: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).map(|(before, _)| &before.table).collect();
    if is_reading(case.access) {
        assert!(changed.is_empty(), "{} with a reading token writes {changed:?}", case.id);
    }
    // What any signed-in caller may do can change their own name, say, and never who gets in.
    let gives_access = changed.iter().any(|table| ACCESS.contains(&table.as_str()));
    assert!(!gives_access, "{} with a reading token makes access: {changed:?}", case.id);
}
