//! Who may do what: permissions, scopes, and the proofs that storage asks for. The one table.

use std::{collections::BTreeSet, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    id::{GrantId, SessionId, TokenId, UserId},
    user::Role,
};

mod permit;

pub use permit::{Permit, Purpose, to};

/// A permission that a host or a plugin brings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CustomPermission {
    /// Its name, which begins with the name of who brings it: `shop:refund`.
    pub name: &'static str,
    /// The lowest role that has it.
    pub least_role: Role,
}

macro_rules! permissions {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $role:ident;)*) => {
        /// Something that a role may do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Permission {
            $($(#[$doc])* $name,)*
            /// One that a host or a plugin brought.
            Custom(&'static CustomPermission),
        }

        impl Permission {
            /// Every permission that is built in.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The lowest role that has the permission.
            pub const fn least_role(self) -> Role {
                match self {
                    $(Self::$name => Role::$role,)*
                    Self::Custom(custom) => custom.least_role,
                }
            }

            /// The permission's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Custom(custom) => custom.name,
                }
            }
        }
    };
}

permissions! {
    /// Read published content.
    ContentRead = "content:read", Subscriber;
    /// Read drafts, scheduled and trashed entries, revisions, and compare them.
    ContentReadDrafts = "content:read_drafts", Contributor;
    /// Create entries.
    ContentCreate = "content:create", Contributor;
    /// Edit one's own entries that nobody has approved: neither published, ever, nor scheduled.
    ContentEditOwnDraft = "content:edit_own_draft", Contributor;
    /// Edit one's own entries.
    ContentEditOwn = "content:edit_own", Author;
    /// Edit anyone's entries.
    ContentEditAny = "content:edit_any", Editor;
    /// Move one's own entries to the trash.
    ContentDeleteOwn = "content:delete_own", Author;
    /// Move anyone's entries to the trash.
    ContentDeleteAny = "content:delete_any", Editor;
    /// Remove trashed entries for ever.
    ContentDeletePermanent = "content:delete_permanent", Admin;
    /// Publish, unpublish and schedule one's own entries.
    ContentPublishOwn = "content:publish_own", Author;
    /// Publish, unpublish and schedule anyone's entries; set publication dates.
    ContentPublishAny = "content:publish_any", Editor;
    /// See the files of the library.
    MediaRead = "media:read", Subscriber;
    /// Add files to the library.
    MediaUpload = "media:upload", Contributor;
    /// Change one's own files.
    MediaEditOwn = "media:edit_own", Author;
    /// Change anyone's files, and sort the library into folders.
    MediaEditAny = "media:edit_any", Editor;
    /// Remove one's own files for ever.
    MediaDeleteOwn = "media:delete_own", Author;
    /// Remove anyone's files for ever.
    MediaDeleteAny = "media:delete_any", Editor;
    /// Read collections and fields.
    SchemaRead = "schema:read", Editor;
    /// Change collections and fields.
    SchemaManage = "schema:manage", Admin;
    /// Make, see and revoke one's own passkeys, sessions, access tokens and connections.
    AuthManageOwnCredentials = "auth:manage_own_credentials", Subscriber;
    /// Manage the applications that may ask users for access, and the domains whose people may sign up.
    AuthManageConnections = "auth:manage_connections", Admin;
    /// Read the audit log.
    AuditRead = "audit:read", Admin;
    /// See users.
    UsersRead = "users:read", Admin;
    /// Invite people.
    UsersInvite = "users:invite", Admin;
    /// Make and change users.
    UsersManage = "users:manage", Admin;
    /// See the jobs that go on beside requests, stop them and let them go on.
    JobsManage = "jobs:manage", Admin;
    /// Bring content in from files.
    ImportExecute = "import:execute", Admin;
    /// Take content out as a file.
    ContentExport = "content:export", Admin;
}

impl Serialize for Permission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for Permission {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Permission".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.iter().map(|permission| permission.name()).collect::<Vec<_>>() })
    }
}

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $role:ident;)*) => {
        /// What an access token may be used for. A token never does more than its user's role allows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scope {
            $($(#[$doc])* $name,)*
        }

        impl Scope {
            /// Every scope.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The lowest role that can be granted the scope.
            pub const fn least_role(self) -> Role {
                match self { $(Self::$name => Role::$role,)* }
            }

            /// The scope's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

scopes! {
    /// Read and search content, bylines, taxonomies, terms, menus and revisions.
    ContentRead = "content:read", Subscriber;
    /// Create and change content, bylines and revisions; implies `taxonomies:manage` and `menus:manage`.
    ContentWrite = "content:write", Contributor;
    /// Read media records.
    MediaRead = "media:read", Subscriber;
    /// Upload, register, update and delete media.
    MediaWrite = "media:write", Contributor;
    /// Read collections and fields.
    SchemaRead = "schema:read", Editor;
    /// Create, update and delete collections and fields.
    SchemaWrite = "schema:write", Admin;
    /// Manage taxonomy definitions and terms.
    TaxonomiesManage = "taxonomies:manage", Editor;
    /// Manage menus and items.
    MenusManage = "menus:manage", Editor;
    /// Read site settings.
    SettingsRead = "settings:read", Editor;
    /// Update site settings.
    SettingsManage = "settings:manage", Admin;
    /// Everything but plugin tools.
    Admin = "admin", Admin;
}

impl Scope {
    /// Whether holding `self` is as good as holding `needed`.
    pub const fn covers(self, needed: Self) -> bool {
        matches!(
            (self, needed),
            (Self::Admin, _)
                | (Self::ContentWrite, Self::ContentWrite | Self::TaxonomiesManage | Self::MenusManage)
                | (Self::ContentRead, Self::ContentRead)
                | (Self::MediaRead, Self::MediaRead)
                | (Self::MediaWrite, Self::MediaWrite)
                | (Self::SchemaRead, Self::SchemaRead)
                | (Self::SchemaWrite, Self::SchemaWrite)
                | (Self::TaxonomiesManage, Self::TaxonomiesManage)
                | (Self::MenusManage, Self::MenusManage)
                | (Self::SettingsRead, Self::SettingsRead)
                | (Self::SettingsManage, Self::SettingsManage)
        )
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{asked}` is not a scope: expected one of {}", Scope::ALL.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(", "))]
pub struct ScopeError {
    asked: String,
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, ScopeError> {
        Self::ALL.iter().copied().find(|scope| scope.name() == text).ok_or_else(|| ScopeError { asked: text.to_owned() })
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer)
    }
}

impl JsonSchema for Scope {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scope".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.iter().map(|scope| scope.name()).collect::<Vec<_>>() })
    }
}

/// The scopes of a token.
pub type Scopes = BTreeSet<Scope>;

/// Those of the scopes that a role can be granted. A role may have become lower since they were granted.
pub fn clamp(scopes: Scopes, role: Role) -> Scopes {
    scopes.into_iter().filter(|scope| scope.least_role() <= role).collect()
}

/// What an operation asks of its caller. Every operation states one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone, signed in or not.
    Public,
    /// Anyone who is signed in, with any scope.
    SignedIn,
    /// A person with a session and a permission. An access token will not do, whatever its scopes: whoever steals one must
    /// not be able to make credentials that outlive it.
    Account(Permission),
    /// Anyone who may read published content. Callers who are not signed in count as Subscribers when the site lets the
    /// public read.
    Reader,
    /// A scope and a permission.
    Needs(Scope, Permission),
    /// A scope, and one of two permissions: which one depends on whose thing it is.
    Owned {
        /// The scope.
        scope: Scope,
        /// Enough for the caller's own things.
        own: Permission,
        /// Enough for everyone's.
        any: Permission,
        /// Enough for the caller's own things that nobody has approved yet.
        own_draft: Option<Permission>,
    },
    /// The server itself and its operator at the command line; no request can.
    System,
}

impl Access {
    /// The scope that it asks of a token, if it asks for one. Where a token will not do, none opens it.
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Self::Reader => Some(Scope::ContentRead),
            Self::Needs(scope, _) | Self::Owned { scope, .. } => Some(scope),
            Self::Public | Self::SignedIn | Self::Account(_) | Self::System => None,
        }
    }

    /// The same where one's own drafts are nothing special: what it takes to act on one's own things, it takes for drafts too.
    #[must_use]
    pub const fn without_own_drafts(self) -> Self {
        match self {
            Self::Owned { scope, own, any, own_draft: _ } => Self::Owned { scope, own, any, own_draft: None },
            other => other,
        }
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// Nobody in particular.
    Anonymous,
    /// A user, through a token or not.
    User(Caller),
    /// The server itself: tasks and the operator's command line. No request can become it.
    System,
}

/// A user who acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Caller {
    /// Whose rights.
    pub user: UserId,
    /// Their role.
    pub role: Role,
    /// How they proved who they are.
    pub via: Via,
}

/// How a user proved who they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Via {
    /// A session of a browser. It is not limited by scopes.
    Session(SessionId),
    /// A personal access token.
    Token(TokenId, Scopes),
    /// An access token that an application got from the user.
    Grant(GrantId, Scopes),
    /// The program that embeds the system vouches for them, or the gateway in front of it.
    Host,
}

impl Via {
    /// What limits the caller besides their role.
    pub fn scopes(&self) -> Option<&Scopes> {
        match self {
            Self::Token(_, scopes) | Self::Grant(_, scopes) => Some(scopes),
            Self::Session(_) | Self::Host => None,
        }
    }
}

/// Why a caller may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The caller is nobody.
    #[error("sign in first: send an access token as `Authorization: Bearer <token>`")]
    NotAuthenticated,
    /// The token was not made for this.
    #[error("the access token needs the scope `{0}`")]
    Scope(Scope),
    /// The role is too low.
    #[error("this needs the permission `{}`, which the role {} has", .0.name(), .0.least_role())]
    Permission(Permission),
    /// What somebody who may publish has approved stays as it was approved.
    #[error(
        "the entry was published or is scheduled, so it stays as it was approved: changing it needs the permission `{}`, which the role {} has",
        .0.name(), .0.least_role()
    )]
    Approved(Permission),
    /// An access token will not do.
    #[error("this needs a person who is signed in: an access token cannot make or widen access")]
    Session,
    /// Only the server itself may.
    #[error("only the server itself may do this")]
    System,
}

impl Actor {
    /// The acting user.
    pub fn user(&self) -> Option<UserId> {
        match self {
            Self::User(caller) => Some(caller.user),
            Self::Anonymous | Self::System => None,
        }
    }

    /// Refuses a program, whatever its token may be used for: for operations that learn only on their way whether what they do makes or
    /// widens somebody's access. [`Access::Account`] is the same for those that always do.
    pub fn in_person(&self) -> Result<(), Refusal> {
        match self {
            Self::Anonymous => Err(Refusal::NotAuthenticated),
            Self::User(caller) if caller.via.scopes().is_some() => Err(Refusal::Session),
            Self::User(_) | Self::System => Ok(()),
        }
    }

    /// Whether the actor's role has a permission.
    pub fn may(&self, permission: Permission) -> bool {
        match self {
            Self::Anonymous => false,
            Self::User(caller) => caller.role >= permission.least_role(),
            Self::System => true,
        }
    }

    /// Checks scope, then role. For owned things the lowest role that could own one is enough here; the operation asks
    /// again with [`Actor::permit_owned`] when it knows whose thing it is.
    ///
    /// `public_read` says whether callers who are not signed in may read published content.
    pub fn admit(&self, access: Access, public_read: bool) -> Result<(), Refusal> {
        let permission = match access {
            Access::Public => return Ok(()),
            Access::Reader if *self == Self::Anonymous && public_read => return Ok(()),
            Access::Reader => Some(Permission::ContentRead),
            Access::SignedIn => None,
            Access::Account(permission) | Access::Needs(_, permission) => Some(permission),
            Access::Owned { own, own_draft, .. } => Some(own_draft.unwrap_or(own)),
            Access::System => return if *self == Self::System { Ok(()) } else { Err(Refusal::System) },
        };
        let Self::User(caller) = self else {
            return if *self == Self::System { Ok(()) } else { Err(Refusal::NotAuthenticated) };
        };
        if let Some(held) = caller.via.scopes() {
            if matches!(access, Access::Account(_)) {
                return Err(Refusal::Session);
            }
            if let Some(scope) = access.scope()
                && !held.iter().any(|held| held.covers(scope))
            {
                // Whoever is told of a scope goes and asks for it. One that the role cannot have, or that would not be enough, is no help.
                let helps = scope.least_role() <= caller.role && permission.is_none_or(|permission| self.may(permission));
                return Err(permission.filter(|_| !helps).map_or(Refusal::Scope(scope), Refusal::Permission));
            }
        }
        match permission {
            Some(permission) if !self.may(permission) => Err(Refusal::Permission(permission)),
            _ => Ok(()),
        }
    }

    /// Whether the actor's role is enough, whatever scopes their token has: with another token the same user may.
    pub fn could(&self, access: Access) -> bool {
        match self {
            Self::User(caller) if caller.via.scopes().is_some() && !matches!(access, Access::Account(_)) => {
                let all = clamp(Scope::ALL.iter().copied().collect(), caller.role);
                Self::User(Caller { via: Via::Token(TokenId::from_parts(0, 0), all), ..caller.clone() }).admit(access, false).is_ok()
            }
            actor => actor.admit(access, false).is_ok(),
        }
    }

    /// What of the content the actor may see.
    pub fn visibility(&self) -> Visibility {
        match self {
            Self::Anonymous => Visibility::Published,
            Self::User(caller) => Visibility::of(caller.role),
            Self::System => Visibility::Working,
        }
    }
}

/// What of the content a reader may see. Every read of entries takes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// Published values of published entries, and nothing that tells of others.
    Published,
    /// Everything, with pending drafts laid over published values.
    Working,
}

impl Visibility {
    /// What the users of a role see.
    pub fn of(role: Role) -> Self {
        if role >= Permission::ContentReadDrafts.least_role() { Self::Working } else { Self::Published }
    }
}

#[cfg(test)]
mod approval;
#[cfg(test)]
mod tables;

#[cfg(test)]
mod tests {
    use super::{approval::EDIT, *};

    fn caller(role: Role, scopes: Option<&[Scope]>) -> Actor {
        let via = scopes.map_or(Via::Host, |scopes| Via::Token(TokenId::from_parts(0, 1), scopes.iter().copied().collect()));
        Actor::User(Caller { user: UserId::from_parts(0, 7), role, via })
    }

    #[test]
    fn a_scope_is_asked_for_where_it_would_help_and_nowhere_else() {
        let narrow = |role| caller(role, Some(&[Scope::ContentRead]));
        assert_eq!(narrow(Role::Contributor).admit(EDIT, false), Err(Refusal::Scope(Scope::ContentWrite)));
        assert_eq!(narrow(Role::Subscriber).admit(EDIT, false), Err(Refusal::Permission(Permission::ContentEditOwnDraft)));
        // The role could have the scope, and would still not be enough.
        let above = Access::Needs(Scope::ContentWrite, Permission::SchemaManage);
        assert_eq!(narrow(Role::Author).admit(above, false), Err(Refusal::Permission(Permission::SchemaManage)));
        // The role would be enough, and cannot have the scope.
        let beyond = Access::Needs(Scope::SchemaRead, Permission::ContentRead);
        assert_eq!(narrow(Role::Author).admit(beyond, false), Err(Refusal::Permission(Permission::ContentRead)));
        assert!(!narrow(Role::Author).could(beyond) && narrow(Role::Editor).could(beyond));
    }

    #[test]
    fn a_token_never_does_more_than_its_users_role() {
        let wide = caller(Role::Contributor, Some(&[Scope::Admin]));
        let access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
        assert_eq!(wide.admit(access, false), Err(Refusal::Permission(Permission::SchemaManage)));
    }

    #[test]
    fn no_access_token_manages_credentials() {
        let access = Access::Account(Permission::AuthManageOwnCredentials);
        assert_eq!(caller(Role::Admin, Some(&[Scope::Admin])).admit(access, false), Err(Refusal::Session));
        assert_eq!(caller(Role::Subscriber, None).admit(access, false), Ok(()));
        assert_eq!(caller(Role::Admin, Some(&[Scope::Admin])).in_person(), Err(Refusal::Session));
        assert_eq!((caller(Role::Admin, None).in_person(), Actor::Anonymous.in_person()), (Ok(()), Err(Refusal::NotAuthenticated)));
        assert_eq!(
            caller(Role::Editor, None).admit(Access::Account(Permission::UsersManage), false),
            Err(Refusal::Permission(Permission::UsersManage))
        );
    }

    #[test]
    fn a_contributor_edits_own_entries_until_they_are_approved() {
        let contributor = caller(Role::Contributor, None);
        let own = contributor.user();
        assert!(contributor.permit_owned(EDIT, own, false).is_ok());
        assert_eq!(contributor.permit_owned(EDIT, own, true), Err(Refusal::Approved(Permission::ContentEditOwn)));
        assert_eq!(contributor.permit_owned(EDIT, None, false), Err(Refusal::Permission(Permission::ContentEditAny)));
    }

    #[test]
    fn a_thing_without_an_owner_is_nobodys_own() {
        assert!(caller(Role::Author, None).permit_owned(EDIT, None, true).is_err());
        assert!(caller(Role::Editor, None).permit_owned(EDIT, None, true).is_ok());
    }

    #[test]
    fn the_public_reads_only_where_it_is_let() {
        assert_eq!(Actor::Anonymous.admit(Access::Reader, false), Err(Refusal::NotAuthenticated));
        assert_eq!(Actor::Anonymous.admit(Access::Reader, true), Ok(()));
        assert_eq!(Actor::Anonymous.visibility(), Visibility::Published);
    }

    #[test]
    fn no_user_is_the_system() {
        assert_eq!(caller(Role::Admin, None).admit(Access::System, true), Err(Refusal::System));
        assert_eq!(Actor::System.admit(Access::System, false), Ok(()));
    }

    #[test]
    fn every_scope_covers_itself_and_admin_covers_all() {
        for scope in Scope::ALL {
            assert!(scope.covers(*scope) && Scope::Admin.covers(*scope), "{scope}");
        }
        assert!(!Scope::ContentWrite.covers(Scope::ContentRead));
    }
}
