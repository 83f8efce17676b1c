//! The table of who may what, said a second time: a slip in one of the two is a failing test.

use std::collections::BTreeSet;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::{
    Access, Actor, Caller, Permission, Refusal, Scope, Scopes, Via, Visibility,
    approval::{EDIT, PUBLISH},
    clamp, to,
};
use crate::{
    id::{GrantId, SessionId, TokenId, UserId},
    user::Role,
};

fn me() -> UserId {
    UserId::from_parts(0, 1)
}

fn somebody() -> UserId {
    UserId::from_parts(0, 2)
}

fn signed_in(role: Role) -> Actor {
    Actor::User(Caller { user: me(), role, via: Via::Session(SessionId::from_parts(0, 1)) })
}

fn program(role: Role, scopes: &[Scope]) -> Actor {
    let scopes: Scopes = scopes.iter().copied().collect();
    Actor::User(Caller { user: me(), role, via: Via::Token(TokenId::from_parts(0, 1), scopes) })
}

#[test]
fn each_role_has_the_permissions_of_its_line_and_of_the_lines_above() {
    let lines: [(Role, &[&str]); 5] = [
        (Role::Subscriber, &["content:read", "media:read", "auth:manage_own_credentials"]),
        (Role::Contributor, &["content:read_drafts", "content:create", "content:edit_own_draft", "media:upload"]),
        (Role::Author, &["content:edit_own", "content:delete_own", "content:publish_own", "media:edit_own", "media:delete_own"]),
        (
            Role::Editor,
            &["content:edit_any", "content:delete_any", "content:publish_any", "media:edit_any", "media:delete_any", "schema:read"],
        ),
        (
            Role::Admin,
            &[
                "content:delete_permanent",
                "schema:manage",
                "auth:manage_connections",
                "audit:read",
                "users:read",
                "users:invite",
                "users:manage",
                "jobs:manage",
                "import:execute",
                "content:export",
            ],
        ),
    ];
    let mut expected = BTreeSet::new();
    for (role, names) in lines {
        expected.extend(names.iter().copied());
        let held: BTreeSet<_> = Permission::ALL.iter().filter(|permission| signed_in(role).may(**permission)).map(|it| it.name()).collect();
        assert_eq!(held, expected, "{role}");
    }
    assert_eq!(expected.len(), Permission::ALL.len());
}

#[test]
fn nobody_has_no_permission_and_the_system_all() {
    for permission in Permission::ALL {
        assert!(!Actor::Anonymous.may(*permission) && Actor::System.may(*permission));
        assert_eq!(Actor::Anonymous.permit(*permission), Err(Refusal::NotAuthenticated));
    }
}

#[test]
fn a_permit_names_who_acts_and_what_was_permitted() {
    let permit = signed_in(Role::Editor).permit(Permission::SchemaRead).unwrap();
    assert_eq!((permit.user(), permit.permission()), (Some(me()), Some(Permission::SchemaRead)));
    let permit = Actor::System.permit(to::ManageUsers).unwrap();
    assert_eq!((permit.user(), permit.permission()), (None, Some(Permission::UsersManage)));
    assert_eq!(signed_in(Role::Author).permit(Permission::SchemaRead), Err(Refusal::Permission(Permission::SchemaRead)));
    assert_eq!((signed_in(Role::Admin).user(), Actor::Anonymous.user(), Actor::System.user()), (Some(me()), None, None));
}

#[test]
fn a_role_is_granted_the_scopes_of_its_line_and_of_the_lines_above() {
    use Scope::{
        Admin, ContentRead, ContentWrite, MediaRead, MediaWrite, MenusManage, SchemaRead, SchemaWrite, SettingsManage, SettingsRead,
        TaxonomiesManage,
    };
    let lines: [(Role, &[Scope]); 5] = [
        (Role::Subscriber, &[ContentRead, MediaRead]),
        (Role::Contributor, &[ContentWrite, MediaWrite]),
        (Role::Author, &[]),
        (Role::Editor, &[SchemaRead, TaxonomiesManage, MenusManage, SettingsRead]),
        (Role::Admin, &[SchemaWrite, SettingsManage, Admin]),
    ];
    let all: Scopes = Scope::ALL.iter().copied().collect();
    let mut expected = Scopes::new();
    for (role, scopes) in lines {
        expected.extend(scopes);
        assert_eq!(clamp(all.clone(), role), expected, "{role}");
    }
    assert_eq!(clamp(Scopes::from([ContentRead, Admin]), Role::Editor), Scopes::from([ContentRead]));
}

#[test]
fn a_scope_covers_itself_what_it_implies_and_nothing_else() {
    for held in Scope::ALL {
        for needed in Scope::ALL {
            let implied = *held == Scope::ContentWrite && matches!(needed, Scope::TaxonomiesManage | Scope::MenusManage);
            let expected = held == needed || *held == Scope::Admin || implied;
            assert_eq!(held.covers(*needed), expected, "{held} covers {needed}");
        }
    }
}

#[test]
fn what_limits_a_caller_is_what_they_came_with() {
    let scopes = Scopes::from([Scope::ContentRead]);
    assert_eq!(Via::Token(TokenId::from_parts(0, 1), scopes.clone()).scopes(), Some(&scopes));
    assert_eq!(Via::Grant(GrantId::from_parts(0, 1), scopes.clone()).scopes(), Some(&scopes));
    assert_eq!((Via::Session(SessionId::from_parts(0, 1)).scopes(), Via::Host.scopes()), (None, None));
}

#[test]
fn each_kind_of_access_admits_whom_it_says() {
    let needs = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    let account = Access::Account(Permission::UsersManage);
    let reading = &[Scope::ContentRead];
    let not_permitted = |permission| Err(Refusal::Permission(permission));
    let table = [
        (Access::Public, Actor::Anonymous, Ok(())),
        (Access::Public, program(Role::Subscriber, &[Scope::MediaRead]), Ok(())),
        (Access::SignedIn, Actor::Anonymous, Err(Refusal::NotAuthenticated)),
        (Access::SignedIn, program(Role::Subscriber, &[Scope::MediaRead]), Ok(())),
        (Access::SignedIn, signed_in(Role::Subscriber), Ok(())),
        (Access::Reader, Actor::Anonymous, Err(Refusal::NotAuthenticated)),
        (Access::Reader, signed_in(Role::Subscriber), Ok(())),
        (Access::Reader, program(Role::Subscriber, reading), Ok(())),
        (Access::Reader, program(Role::Admin, &[Scope::MediaRead]), Err(Refusal::Scope(Scope::ContentRead))),
        (needs, Actor::Anonymous, Err(Refusal::NotAuthenticated)),
        (needs, signed_in(Role::Editor), Ok(())),
        (needs, signed_in(Role::Author), not_permitted(Permission::SchemaRead)),
        (needs, program(Role::Editor, reading), Err(Refusal::Scope(Scope::SchemaRead))),
        (needs, program(Role::Editor, &[Scope::ContentRead, Scope::SchemaRead]), Ok(())),
        (needs, program(Role::Author, &[Scope::SchemaRead]), not_permitted(Permission::SchemaRead)),
        (account, Actor::Anonymous, Err(Refusal::NotAuthenticated)),
        (account, signed_in(Role::Admin), Ok(())),
        (account, signed_in(Role::Editor), not_permitted(Permission::UsersManage)),
        (account, program(Role::Admin, Scope::ALL), Err(Refusal::Session)),
        (EDIT, signed_in(Role::Contributor), Ok(())),
        (EDIT, signed_in(Role::Subscriber), not_permitted(Permission::ContentEditOwnDraft)),
        (EDIT.without_own_drafts(), signed_in(Role::Contributor), not_permitted(Permission::ContentEditOwn)),
        (EDIT.without_own_drafts(), signed_in(Role::Author), Ok(())),
        (EDIT, program(Role::Admin, reading), Err(Refusal::Scope(Scope::ContentWrite))),
        (PUBLISH, signed_in(Role::Contributor), not_permitted(Permission::ContentPublishOwn)),
        (PUBLISH, signed_in(Role::Author), Ok(())),
        (Access::System, Actor::Anonymous, Err(Refusal::System)),
        (Access::System, signed_in(Role::Admin), Err(Refusal::System)),
    ];
    for (access, actor, expected) in table {
        assert_eq!(actor.admit(access, false), expected, "{actor:?} for {access:?}");
        assert_eq!(Actor::System.admit(access, false), Ok(()), "the system for {access:?}");
        // What the public may read changes nothing for anybody else, nor of anything else.
        let is_let = actor == Actor::Anonymous && access == Access::Reader;
        assert_eq!(actor.admit(access, true), if is_let { Ok(()) } else { expected }, "{actor:?} for {access:?}, where the public reads");
    }
}

#[test]
fn with_another_token_a_user_could_do_what_their_role_may_except_what_no_token_can() {
    let needs = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    let account = Access::Account(Permission::UsersManage);
    for (access, actor, could) in [
        (needs, program(Role::Editor, &[]), true),
        (needs, program(Role::Author, Scope::ALL), false),
        (needs, signed_in(Role::Editor), true),
        (needs, signed_in(Role::Author), false),
        (needs, Actor::Anonymous, false),
        (needs, Actor::System, true),
        (account, program(Role::Admin, Scope::ALL), false),
        (account, signed_in(Role::Admin), true),
        (Access::System, program(Role::Admin, Scope::ALL), false),
    ] {
        assert_eq!(actor.could(access), could, "{actor:?} for {access:?}");
    }
}

#[test]
fn only_what_is_owned_is_told_apart_by_its_owner() {
    assert_eq!(Access::Public.without_own_drafts(), Access::Public);
    assert_eq!(PUBLISH.without_own_drafts(), PUBLISH);
    for access in [Access::Public, Access::SignedIn, Access::Reader, Access::System] {
        assert_eq!(signed_in(Role::Admin).permit_owned(access, Some(me()), false), Err(Refusal::System));
    }
}

#[test]
fn whose_an_entry_is_and_whether_it_is_approved_decide_who_may_edit_and_publish_it() {
    use Permission::{ContentEditAny, ContentEditOwn, ContentEditOwnDraft, ContentPublishAny, ContentPublishOwn};
    let own = (Some(me()), "own");
    let other = (Some(somebody()), "somebody's");
    let nobodys = (None, "nobody's");
    let any = |permission| [(own, permission), (other, permission), (nobodys, permission)];
    for (access, role, approved, expected) in [
        (EDIT, Role::Editor, true, any(Ok(ContentEditAny))),
        (EDIT, Role::Editor, false, any(Ok(ContentEditAny))),
        (EDIT, Role::Author, true, edited(own, other, nobodys, Ok(ContentEditOwn), ContentEditAny)),
        (EDIT, Role::Author, false, edited(own, other, nobodys, Ok(ContentEditOwn), ContentEditAny)),
        (EDIT, Role::Contributor, true, edited(own, other, nobodys, Err(Refusal::Approved(ContentEditOwn)), ContentEditAny)),
        (EDIT, Role::Contributor, false, edited(own, other, nobodys, Ok(ContentEditOwnDraft), ContentEditAny)),
        (EDIT, Role::Subscriber, false, edited(own, other, nobodys, Err(Refusal::Permission(ContentEditOwnDraft)), ContentEditAny)),
        (PUBLISH, Role::Editor, true, any(Ok(ContentPublishAny))),
        (PUBLISH, Role::Author, true, edited(own, other, nobodys, Ok(ContentPublishOwn), ContentPublishAny)),
        (PUBLISH, Role::Contributor, false, edited(own, other, nobodys, Err(Refusal::Permission(ContentPublishOwn)), ContentPublishAny)),
    ] {
        for ((owner, whose), expected) in expected {
            let permitted = signed_in(role).permit_owned(access, owner, approved).map(|permit| permit.permission().unwrap());
            assert_eq!(permitted, expected, "{role}, {whose} entry, approved: {approved}, {access:?}");
        }
    }
    assert_eq!(Actor::Anonymous.permit_owned(EDIT, Some(me()), false), Err(Refusal::NotAuthenticated));
    assert_eq!(Actor::Anonymous.permit_owned(EDIT, None, false), Err(Refusal::NotAuthenticated));
    assert_eq!(Actor::System.permit_owned(EDIT, Some(me()), true).unwrap().permission(), Some(ContentEditAny));
}

type Whose = (Option<UserId>, &'static str);

/// What one may do with one's own entry, and that all others take the permission for everyone's.
fn edited(
    own: Whose,
    other: Whose,
    nobodys: Whose,
    expected: Result<Permission, Refusal>,
    any: Permission,
) -> [(Whose, Result<Permission, Refusal>); 3] {
    [(own, expected), (other, Err(Refusal::Permission(any))), (nobodys, Err(Refusal::Permission(any)))]
}

#[test]
fn drafts_are_seen_from_contributors_up() {
    for (role, sees) in [
        (Role::Subscriber, Visibility::Published),
        (Role::Contributor, Visibility::Working),
        (Role::Author, Visibility::Working),
        (Role::Editor, Visibility::Working),
        (Role::Admin, Visibility::Working),
    ] {
        assert_eq!((Visibility::of(role), signed_in(role).visibility()), (sees, sees), "{role}");
    }
    assert_eq!((Actor::Anonymous.visibility(), Actor::System.visibility()), (Visibility::Published, Visibility::Working));
}

#[test]
fn permissions_and_scopes_are_spelled_by_their_names_and_described_so() {
    fn described<T: JsonSchema>(name: &str, names: &[&str]) {
        assert!(T::inline_schema() && T::schema_name() == name);
        let schema = T::json_schema(&mut SchemaGenerator::default()).to_value();
        assert_eq!(schema, json!({ "type": "string", "enum": names }));
    }
    let permissions: Vec<_> = Permission::ALL.iter().map(|permission| permission.name()).collect();
    described::<Permission>("Permission", &permissions);
    for permission in Permission::ALL {
        assert_eq!(serde_json::to_value(permission).unwrap(), permission.name());
    }
    let scopes: Vec<_> = Scope::ALL.iter().map(|scope| scope.name()).collect();
    described::<Scope>("Scope", &scopes);
    for scope in Scope::ALL {
        assert_eq!((scope.to_string(), scope.name().parse()), (scope.name().to_owned(), Ok(*scope)));
        assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
        assert_eq!(serde_json::from_value::<Scope>(json!(scope.name())).unwrap(), *scope);
    }
    for wrong in [json!("content"), json!("CONTENT:READ"), json!(""), Value::Null, json!(["content:read"])] {
        assert!(serde_json::from_value::<Scope>(wrong.clone()).is_err(), "{wrong}");
    }
    assert!("content".parse::<Scope>().unwrap_err().to_string().starts_with("`content` is not a scope: expected one of content:read, "));
}
