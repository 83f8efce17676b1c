//! What applications ask for: scopes as requests spell them, held to what may be given, and said in words.

use cms_domain::{
    access::{Scope, Scopes},
    user::Role,
};
use schemars::JsonSchema;
use serde::Serialize;

/// What an application that names no scope asks for: to work with content, and nothing that manages the site.
const UNLESS_NAMED: [Scope; 5] = [Scope::ContentRead, Scope::ContentWrite, Scope::MediaRead, Scope::MediaWrite, Scope::SchemaRead];

/// The scopes of a request, which are names with spaces between them (RFC 6749, 3.3). Names that mean nothing here are left
/// out, as that section allows: the answer says what was given.
/// Without a name, it is the ordinary ones, as far as they are `offered`.
pub(super) fn asked(text: Option<&str>, offered: &Scopes) -> Scopes {
    match text {
        Some(text) => text.split(' ').filter_map(|name| name.parse().ok()).collect(),
        None => UNLESS_NAMED.into_iter().filter(|scope| offered.contains(scope)).collect(),
    }
}

/// Scopes as answers spell them.
pub(super) fn text(scopes: &Scopes) -> String {
    scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ")
}

/// What of some scopes an application may have: those that it is held to, if it is held to any.
pub(super) fn of_client(scopes: &Scopes, client: Option<&Scopes>) -> Scopes {
    scopes.iter().copied().filter(|scope| client.is_none_or(|held| held.contains(scope))).collect()
}

/// What of some scopes an application may have from a user: no more than the user's role allows.
pub(crate) fn held_to(scopes: &Scopes, client: Option<&Scopes>, role: Role) -> Scopes {
    of_client(scopes, client).into_iter().filter(|scope| scope.least_role() <= role).collect()
}

/// A scope that an application asks for, as the user who decides sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeView {
    /// Its name.
    pub scope: Scope,
    /// What the application could do with it.
    pub description: &'static str,
    /// Whether the user's role allows to grant it.
    pub allowed: bool,
    /// The lowest role that can grant it.
    pub least_role: Role,
}

/// Scopes, as a user of a role sees them.
pub(super) fn views(scopes: &Scopes, role: Role) -> Vec<ScopeView> {
    let view = |scope: &Scope| ScopeView {
        scope: *scope,
        description: words(*scope),
        allowed: scope.least_role() <= role,
        least_role: scope.least_role(),
    };
    scopes.iter().map(view).collect()
}

/// What somebody with a scope can do.
const fn words(scope: Scope) -> &'static str {
    match scope {
        Scope::ContentRead => "Read and search your content and its history",
        Scope::ContentWrite => "Create, change, publish and delete content on your behalf",
        Scope::MediaRead => "See your media library",
        Scope::MediaWrite => "Upload, change and delete media",
        Scope::SchemaRead => "See how content is structured: collections and their fields",
        Scope::SchemaWrite => "Change how content is structured: create, change and delete collections and fields",
        Scope::TaxonomiesManage => "Manage categories, tags and other terms",
        Scope::MenusManage => "Manage menus",
        Scope::SettingsRead => "See the settings of the site",
        Scope::SettingsManage => "Change the settings of the site",
        Scope::Admin => "Do everything that you can do: treat this as handing over your account",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_nothing_here_are_left_out_and_no_name_is_the_ordinary_ones() {
        let offered = [Scope::ContentRead, Scope::ContentWrite, Scope::Admin].into();
        let asked = |text| asked(text, &offered);
        assert_eq!(text(&asked(Some("openid  content:read content:read admin"))), "content:read admin");
        assert!(asked(Some("openid")).is_empty() && asked(Some("")).is_empty());
        assert_eq!(text(&asked(None)), "content:read content:write");
    }

    #[test]
    fn nobody_grants_what_their_role_or_the_client_does_not_allow() {
        let all: Scopes = Scope::ALL.iter().copied().collect();
        assert_eq!(text(&held_to(&all, None, Role::Subscriber)), "content:read media:read");
        assert_eq!(text(&held_to(&all, Some(&[Scope::MediaRead, Scope::Admin].into()), Role::Editor)), "media:read");
    }
}
