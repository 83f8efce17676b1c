//! What holds of users, their roles, and of being locked out.

use std::time::Duration;

use cms_accounts::{
    account::{GetAccount, NoteSeen, UpdateAccount},
    rescue::RescueAdmin,
    sessions::ListSessions,
    tokens::ListTokens,
    users::{DisableUser, EnableUser, GetUser, ListUserSessions, ListUsers, RevokeUserSessions, UpdateUser},
};
use cms_auth::token;
use cms_core::{both, testing::TestApp};
use cms_domain::{
    access::{Actor, Scope, to},
    user::Role,
};
use cms_frame::{Cms, Code, Door};
use cms_storage::{Link, LinkKind, Store};
use serde_json::{Value, json};

fn user(role: Role) -> Value {
    json!({ "id": TestApp::user(role) })
}

fn update(role: Role, change: Value) -> Value {
    let mut input = user(role);
    input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    input
}

async fn refused<O: cms_frame::operation::Operation>(app: &TestApp, role: Role, input: Value) -> Code {
    app.call::<O>(role, input).await.unwrap_err().code()
}

/// Makes another user an admin.
async fn second_admin(app: &TestApp) {
    app.call::<UpdateUser>(Role::Admin, update(Role::Editor, json!({ "role": 50 }))).await.unwrap();
}

/// The other admin, as they are signed in.
fn other() -> Actor {
    let Actor::User(caller) = TestApp::actor(Role::Editor) else { unreachable!() };
    Actor::User(cms_domain::access::Caller { role: Role::Admin, ..caller })
}

async fn admins(store: &Store) -> i64 {
    store.reader().users().count_admins().await.unwrap()
}

async fn is_signed_in(cms: &Cms, secret: &str) -> bool {
    matches!(cms.identify_session(secret).await, Ok(Actor::User(_)))
}

both! {
    async fn an_address_that_an_admin_sets_is_lower_case_unique_and_not_confirmed(app: TestApp) {
        let permit = Actor::System.permit(to::ManageUsers).unwrap();
        let tx = app.store().write().await.unwrap();
        let mut author = tx.users().lock(TestApp::user(Role::Author)).await.unwrap().unwrap();
        author.email_verified = true;
        tx.users().update(&permit, &author).await.unwrap();
        tx.commit().await.unwrap();
        let change = update(Role::Author, json!({ "email": "Ada@Example.COM", "name": " Ada " }));
        let item = app.call::<UpdateUser>(Role::Admin, change).await.unwrap()["item"].clone();
        assert_eq!((&item["email"], &item["emailVerified"], &item["name"]), (&json!("ada@example.com"), &json!(false), &json!("Ada")));
        let taken = refused::<UpdateUser>(&app, Role::Admin, update(Role::Author, json!({ "email": "EDITOR@example.com" }))).await;
        assert_eq!(taken, Code::EmailInUse);
        let cleared = app.call::<UpdateUser>(Role::Admin, update(Role::Author, json!({ "name": null }))).await.unwrap();
        assert_eq!((&cleared["item"]["name"], &cleared["item"]["email"]), (&Value::Null, &json!("ada@example.com")));
    }

    async fn nobody_changes_their_own_role_or_disables_themselves(app: TestApp) {
        second_admin(&app).await;
        assert_eq!(refused::<UpdateUser>(&app, Role::Admin, update(Role::Admin, json!({ "role": 40 }))).await, Code::SelfRoleChange);
        assert_eq!(refused::<DisableUser>(&app, Role::Admin, user(Role::Admin)).await, Code::SelfRoleChange);
        app.call::<UpdateUser>(Role::Admin, update(Role::Admin, json!({ "role": 50, "name": "Me" }))).await.unwrap();
    }

    async fn the_last_admin_who_is_not_disabled_stays_one(app: TestApp) {
        let system = async |change: Value| {
            let operation: UpdateUser = serde_json::from_value(update(Role::Admin, change)).unwrap();
            app.cms().invoke(&Actor::System, Door::Local, operation).await.map_err(|error| error.code())
        };
        assert_eq!(system(json!({ "role": 40 })).await.unwrap_err(), Code::LastAdmin);
        let disable = DisableUser { id: TestApp::user(Role::Admin) };
        assert_eq!(app.cms().invoke(&Actor::System, Door::Local, disable.clone()).await.unwrap_err().code(), Code::LastAdmin);
        second_admin(&app).await;
        app.call::<DisableUser>(Role::Admin, user(Role::Editor)).await.unwrap();
        assert_eq!(system(json!({ "role": 40 })).await.unwrap_err(), Code::LastAdmin, "a disabled admin is none");
        app.call::<UpdateUser>(Role::Admin, update(Role::Editor, json!({ "role": 40 }))).await.unwrap();
        assert_eq!(admins(app.store()).await, 1);
    }

    async fn of_two_admins_who_take_each_others_place_at_once_one_is_left(app: TestApp) {
        second_admin(&app).await;
        for round in 0..10 {
            let take = async |actor: Actor, role: Role| {
                if round % 2 == 0 {
                    let demote: UpdateUser = serde_json::from_value(update(role, json!({ "role": 40 }))).unwrap();
                    app.cms().invoke(&actor, Door::Rest, demote).await.is_ok()
                } else {
                    app.cms().invoke(&actor, Door::Rest, DisableUser { id: TestApp::user(role) }).await.is_ok()
                }
            };
            let won = tokio::join!(take(TestApp::actor(Role::Admin), Role::Editor), take(other(), Role::Admin));
            assert!(matches!(won, (true, false) | (false, true)), "round {round}: {won:?}");
            assert_eq!(admins(app.store()).await, 1);
            for role in [Role::Admin, Role::Editor] {
                let email = format!("{role}@example.com").parse().unwrap();
                app.cms().invoke(&Actor::System, Door::Local, RescueAdmin { email }).await.unwrap();
            }
        }
    }

    async fn a_disabled_user_is_out_at_once_and_gets_nothing_back_when_enabled(app: TestApp) {
        let secret = app.sign_in(Role::Author).await.unwrap();
        let token = app.token_of(Role::Author, &[Scope::ContentRead]).await.unwrap();
        let link = Link {
            id: app.cms().new_id(app.cms().now()),
            kind: LinkKind::MagicLink,
            email: "author@example.com".parse().unwrap(),
            user: Some(TestApp::user(Role::Author)),
            role: None,
            invited_by: None,
            created_at: app.cms().now(),
            expires_at: app.cms().now().after(Duration::from_hours(1)),
        };
        let sent = Link {
            id: app.cms().new_id(app.cms().now()),
            kind: LinkKind::Invitation,
            email: "guest@example.com".parse().unwrap(),
            user: None,
            role: Some(Role::Author),
            invited_by: link.user,
            ..link.clone()
        };
        let tx = app.store().write().await.unwrap();
        let account = Actor::System.permit(to::Account(TestApp::user(Role::Author))).unwrap();
        tx.links().insert_for_user(&account, &link, &[1; 32]).await.unwrap();
        tx.links().insert(&Actor::System.permit(to::InviteUsers).unwrap(), &sent, &[2; 32]).await.unwrap();
        tx.commit().await.unwrap();
        assert!(is_signed_in(app.cms(), &secret).await && app.cms().identify(&token).await.is_ok());

        app.call::<DisableUser>(Role::Admin, user(Role::Author)).await.unwrap();
        assert!(!is_signed_in(app.cms(), &secret).await);
        assert_eq!(app.cms().identify(&token).await.unwrap_err().code(), Code::InvalidToken);
        assert_eq!(app.sign_in(Role::Author).await.unwrap_err().code(), Code::AccountDisabled);

        app.call::<EnableUser>(Role::Admin, user(Role::Author)).await.unwrap();
        assert!(!is_signed_in(app.cms(), &secret).await);
        assert_eq!(app.cms().identify(&token).await.unwrap_err().code(), Code::InvalidToken);
        assert!(app.run(Role::Author, ListSessions {}).await.unwrap().items.is_empty());
        assert!(app.run(Role::Author, ListTokens {}).await.unwrap().items.is_empty());
        for hash in [[1; 32], [2; 32]] {
            assert_eq!(app.store().reader().links().by_hash(&hash).await.unwrap(), None);
        }
        assert!(is_signed_in(app.cms(), &app.sign_in(Role::Author).await.unwrap()).await);
    }

    async fn a_role_that_was_lowered_narrows_tokens_that_were_made_before(app: TestApp) {
        second_admin(&app).await;
        let token = app.token_of(Role::Editor, &[Scope::Admin, Scope::ContentRead]).await.unwrap();
        app.call::<UpdateUser>(Role::Admin, update(Role::Editor, json!({ "role": 30 }))).await.unwrap();
        let Actor::User(caller) = app.cms().identify(&token).await.unwrap() else { unreachable!() };
        assert_eq!((caller.role, caller.via.scopes()), (Role::Author, Some(&[Scope::ContentRead].into())));
    }

    async fn an_admin_sees_and_ends_the_sessions_of_a_user(app: TestApp) {
        let secret = app.sign_in(Role::Author).await.unwrap();
        app.sign_in(Role::Author).await.unwrap();
        let listed = app.call::<ListUserSessions>(Role::Admin, user(Role::Author)).await.unwrap();
        assert_eq!(listed["items"].as_array().unwrap().len(), 2);
        assert_eq!(app.call::<RevokeUserSessions>(Role::Admin, user(Role::Author)).await.unwrap(), json!({ "revoked": 2 }));
        assert!(!is_signed_in(app.cms(), &secret).await);
    }

    async fn users_are_listed_page_by_page_and_found(app: TestApp) {
        let (mut input, mut emails) = (json!({ "limit": 2 }), Vec::new());
        loop {
            let page = app.call::<ListUsers>(Role::Admin, input.clone()).await.unwrap();
            emails.extend(page["items"].as_array().unwrap().iter().map(|item| item["email"].as_str().unwrap().to_owned()));
            match page.get("nextCursor") {
                Some(cursor) => input["cursor"] = cursor.clone(),
                None => break,
            }
        }
        emails.sort_unstable();
        assert_eq!(emails, ["admin", "author", "contributor", "editor", "subscriber"].map(|role| format!("{role}@example.com")));
        let found = app.call::<ListUsers>(Role::Admin, json!({ "search": "EDIT", "role": 40 })).await.unwrap();
        assert_eq!((found["items"].as_array().unwrap().len(), &found["items"][0]["credentialCount"]), (1, &json!(0)));
        assert_eq!(refused::<ListUsers>(&app, Role::Admin, json!({ "search": "x", "cursor": input["cursor"] })).await, Code::InvalidCursor);
        assert_eq!(refused::<ListUsers>(&app, Role::Editor, json!({})).await, Code::InsufficientPermissions);
        assert_eq!(refused::<GetUser>(&app, Role::Admin, json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).await, Code::NotFound);
    }

    async fn everyone_knows_and_names_themselves(app: TestApp) {
        let me = app.call::<GetAccount>(Role::Author, json!({})).await.unwrap();
        assert_eq!((&me["email"], &me["role"], &me["isFirstLogin"]), (&json!("author@example.com"), &json!(30), &json!(true)));
        let permissions = me["permissions"].as_array().unwrap();
        assert!(permissions.contains(&json!("content:publish_own")) && !permissions.contains(&json!("content:publish_any")));
        app.call::<NoteSeen>(Role::Author, json!({ "action": "dismissWelcome" })).await.unwrap();
        let me = app.call::<UpdateAccount>(Role::Author, json!({ "name": "Ada" })).await.unwrap();
        assert_eq!((&me["name"], &me["isFirstLogin"], me.get("scopes")), (&json!("Ada"), &json!(false), None));
        let narrow = TestApp::token(Role::Author, &[Scope::MediaRead]);
        let me = app.cms().invoke(&narrow, Door::Rest, GetAccount {}).await.unwrap();
        assert_eq!(me.scopes, Some([Scope::MediaRead].into()), "a program may ask who it acts for");
        let renamed = UpdateAccount { name: cms_domain::patch::Patch::Clear, rev: None };
        assert_eq!(app.cms().invoke(&narrow, Door::Rest, renamed).await.unwrap_err().code(), Code::SessionRequired);
    }

    async fn an_operator_gets_back_in_whatever_happened_to_the_account(app: TestApp) {
        second_admin(&app).await;
        let admin: UpdateUser = serde_json::from_value(update(Role::Admin, json!({ "role": 10 }))).unwrap();
        app.cms().invoke(&Actor::System, Door::Local, admin).await.unwrap();
        app.cms().invoke(&Actor::System, Door::Local, DisableUser { id: TestApp::user(Role::Admin) }).await.unwrap();
        let rescue = RescueAdmin { email: "admin@example.com".parse().unwrap() };
        let asked = app.cms().invoke(&TestApp::actor(Role::Admin), Door::Rest, rescue.clone()).await;
        assert_eq!(asked.err().unwrap().code(), Code::InsufficientPermissions);
        let rescued = app.cms().invoke(&Actor::System, Door::Local, rescue).await.unwrap();
        let token = rescued.url.strip_prefix("http://localhost:8080/_cms/admin/magic-link#token=").unwrap();
        let link = app.store().reader().links().by_hash(&token::hash(token)).await.unwrap().unwrap();
        assert_eq!((link.kind, link.user), (LinkKind::Recovery, Some(TestApp::user(Role::Admin))));
        let user = app.store().reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap();
        assert_eq!((user.role, user.disabled), (Role::Admin, false));
    }
}
