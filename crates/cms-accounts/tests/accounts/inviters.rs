//! What holds of links that admins make for others, once they are admins no more.

use cms_accounts::{
    accept_invitation::{BeginInvitation, CheckInvitation, CompleteInvitation},
    invitations::{Invite, ListInvitations, ResendInvitation},
    magic_link::VerifyMagicLink,
    recovery::SendRecovery,
    users::UpdateUser,
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{
    access::{Actor, Caller, to},
    event::Event,
    user::{Role, User},
};
use cms_frame::{Code, Door};
use serde_json::{Value, json};

use super::letters::{ask, refused, secret_of};

/// The editor, as the admin that they are for a while.
fn inviter() -> Actor {
    let Actor::User(caller) = TestApp::actor(Role::Editor) else { unreachable!() };
    Actor::User(Caller { role: Role::Admin, ..caller })
}

/// Gives the editor a role.
async fn set_role(app: &TestApp, role: Role) {
    app.call::<UpdateUser>(Role::Admin, json!({ "id": TestApp::user(Role::Editor), "role": role })).await.unwrap();
}

/// Changes the editor behind the back of all rules, as a transaction does that comes in between.
async fn meanwhile(app: &TestApp, change: impl FnOnce(&mut User)) {
    let permit = Actor::System.permit(to::ManageUsers).unwrap();
    let tx = app.store().write().await.unwrap();
    let mut user = tx.users().lock(TestApp::user(Role::Editor)).await.unwrap().unwrap();
    change(&mut user);
    tx.users().update(&permit, &user).await.unwrap();
    tx.commit().await.unwrap();
    app.cms().upkeep().follow(&[Event::User { user: user.id }]);
}

async fn invite(app: &TestApp, email: &str) -> Result<String, Code> {
    let invite: Invite = serde_json::from_value(json!({ "email": email, "role": 50 })).unwrap();
    let sent = app.cms().invoke(&inviter(), Door::Local, invite).await.map_err(|error| error.code())?;
    Ok(secret_of(&json!(sent.invite_url)))
}

async fn recover(app: &TestApp) -> Result<String, Code> {
    let recovery = SendRecovery { id: TestApp::user(Role::Admin) };
    let sent = app.cms().invoke(&inviter(), Door::Local, recovery).await.map_err(|error| error.code())?;
    Ok(secret_of(&json!(sent.recovery_url)))
}

async fn invitations(app: &TestApp) -> Vec<Value> {
    app.call::<ListInvitations>(Role::Admin, json!({})).await.unwrap()["items"].as_array().unwrap().clone()
}

async fn begin(browser: &mut Browser, secret: &str) -> Value {
    let asked = ask::<BeginInvitation>(browser, json!({ "token": secret })).await.unwrap();
    let credential = browser.authenticator.create(&asked.options);
    json!({ "token": secret, "credential": credential })
}

both! {
    async fn what_an_admin_sent_to_others_ends_when_they_are_demoted(app: TestApp) {
        set_role(&app, Role::Admin).await;
        let (invitation, recovery) = (invite(&app, "accomplice@example.org").await.unwrap(), recover(&app).await.unwrap());
        set_role(&app, Role::Editor).await;
        assert!(invitations(&app).await.is_empty());
        // Becoming an admin again is no way to wake them.
        set_role(&app, Role::Admin).await;
        assert_eq!(refused::<CheckInvitation>(&mut Browser::new(&app, 1), json!({ "token": invitation })).await, Code::InvalidLink);
        assert_eq!(refused::<VerifyMagicLink>(&mut Browser::new(&app, 1), json!({ "token": recovery })).await, Code::InvalidLink);
    }

    async fn a_link_is_good_as_long_as_its_maker_might_make_it(app: TestApp) {
        set_role(&app, Role::Admin).await;
        let (invitation, recovery) = (invite(&app, "accomplice@example.org").await.unwrap(), recover(&app).await.unwrap());
        let mut browser = Browser::new(&app, 1);
        let accept = begin(&mut browser, &invitation).await;
        for change in [|user: &mut User| user.role = Role::Editor, |user: &mut User| user.disabled = true] {
            meanwhile(&app, change).await;
            let token = json!({ "token": invitation });
            assert_eq!(refused::<CheckInvitation>(&mut browser, token.clone()).await, Code::InvalidLink);
            assert_eq!(refused::<BeginInvitation>(&mut browser, token).await, Code::InvalidLink);
            assert_eq!(refused::<CompleteInvitation>(&mut browser, accept.clone()).await, Code::InvalidLink);
            assert_eq!(refused::<VerifyMagicLink>(&mut browser, json!({ "token": recovery })).await, Code::InvalidLink);
            meanwhile(&app, |user| (user.role, user.disabled) = (Role::Admin, false)).await;
        }
        // It was not spent.
        let accept = begin(&mut browser, &invitation).await;
        assert_eq!(ask::<CompleteInvitation>(&mut browser, accept).await.unwrap().user.role, Role::Admin);
        ask::<VerifyMagicLink>(&mut Browser::new(&app, 2), json!({ "token": recovery })).await.unwrap();
    }

    async fn whoever_sends_an_invitation_again_answers_for_it(app: TestApp) {
        set_role(&app, Role::Admin).await;
        invite(&app, "guest@example.org").await.unwrap();
        let id = invitations(&app).await[0]["id"].clone();
        let sent = app.call::<ResendInvitation>(Role::Admin, json!({ "id": id })).await.unwrap();
        set_role(&app, Role::Author).await;
        let token = json!({ "token": secret_of(&sent["inviteUrl"]) });
        ask::<CheckInvitation>(&mut Browser::new(&app, 1), token).await.unwrap();
    }

    async fn whoever_was_demoted_since_their_request_came_in_makes_no_links(app: TestApp) {
        assert_eq!(invite(&app, "accomplice@example.org").await, Err(Code::InsufficientPermissions));
        assert_eq!(recover(&app).await, Err(Code::InsufficientPermissions));
        set_role(&app, Role::Admin).await;
        invite(&app, "accomplice@example.org").await.unwrap();
        let id = serde_json::from_value(invitations(&app).await[0]["id"].clone()).unwrap();
        meanwhile(&app, |user| user.role = Role::Editor).await;
        let resend = app.cms().invoke(&inviter(), Door::Local, ResendInvitation { id }).await;
        assert_eq!(resend.err().unwrap().code(), Code::InsufficientPermissions);
    }

    async fn an_admin_who_is_demoted_in_the_middle_of_inviting_leaves_no_invitation(app: TestApp) {
        for round in 0..10 {
            set_role(&app, Role::Admin).await;
            let email = format!("accomplice{round}@example.org");
            let (invited, ()) = tokio::join!(invite(&app, &email), set_role(&app, Role::Editor));
            assert!(matches!(invited, Ok(_) | Err(Code::InsufficientPermissions)), "{invited:?}");
            assert!(invitations(&app).await.is_empty(), "round {round}");
        }
    }

    async fn an_invitation_is_accepted_before_its_maker_is_demoted_or_not_at_all(app: TestApp) {
        for round in 0..6 {
            set_role(&app, Role::Admin).await;
            let secret = invite(&app, &format!("accomplice{round}@example.org")).await.unwrap();
            let mut browser = Browser::new(&app, round);
            let accept = begin(&mut browser, &secret).await;
            let (accepted, ()) = tokio::join!(ask::<CompleteInvitation>(&mut browser, accept), set_role(&app, Role::Editor));
            assert!(accepted.is_ok() || accepted.is_err_and(|error| error.code() == Code::InvalidLink), "round {round}");
            assert!(invitations(&app).await.is_empty(), "round {round}");
        }
    }
}
