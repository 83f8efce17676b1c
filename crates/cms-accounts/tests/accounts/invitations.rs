//! What holds of invitations.

use std::time::Duration;

use cms_accounts::{
    accept_invitation::{BeginInvitation, CheckInvitation, CompleteInvitation},
    invitations::{Invite, ListInvitations, ResendInvitation, RevokeInvitation},
    magic_link::VerifyMagicLink,
    testing::TakeInvitation,
    users::CreateUser,
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::{access::Actor, user::Role};
use cms_frame::{Code, Door, Error};
use serde_json::{Value, json};

use super::letters::{ask, at_once, audited, fifty_times, letters, refused, secret, secret_of, wire, with_mail};

async fn invite(app: &TestApp, email: &str) -> Value {
    app.call::<Invite>(Role::Admin, json!({ "email": email, "role": 40 })).await.unwrap()
}

/// Invites somebody where there is no mail. Answers with the invitation's id and secret.
async fn invited(app: &TestApp, email: &str) -> (Value, String) {
    let made = invite(app, email).await;
    (made["invitation"]["id"].clone(), secret_of(&made["inviteUrl"]))
}

async fn list(app: &TestApp) -> Vec<Value> {
    app.call::<ListInvitations>(Role::Admin, json!({})).await.unwrap()["items"].as_array().unwrap().clone()
}

/// Makes a passkey for an invitation. Answers with what accepts it.
async fn begin(browser: &mut Browser, token: &str) -> Result<Value, Error> {
    let asked = ask::<BeginInvitation>(browser, json!({ "token": token, "name": "Grace" })).await?;
    let credential = browser.authenticator.create(&asked.options);
    Ok(json!({ "token": token, "name": "Grace", "credential": credential }))
}

both! {
    async fn an_invited_person_makes_an_account_and_is_signed_in(app: TestApp) {
        let (app, post) = with_mail(&app);
        let answer = invite(&app, "grace@example.org").await;
        assert_eq!((&answer["sent"], answer.get("inviteUrl")), (&json!(true), None), "{answer}");
        let token = secret(&app, &post, "invite/accept").await;
        let mut browser = Browser::new(&app, 1);
        let welcome = wire(ask::<CheckInvitation>(&mut browser, json!({ "token": token })).await.unwrap());
        assert_eq!(welcome, json!({ "success": true, "email": "grace@example.org", "role": 40, "roleName": "editor" }));
        let accept = begin(&mut browser, &token).await.unwrap();
        let signed_in = ask::<CompleteInvitation>(&mut browser, accept.clone()).await.unwrap();
        let user = app.store().reader().users().by_id(signed_in.user.id).await.unwrap().unwrap();
        assert_eq!((user.role, user.email_verified, user.name.as_deref()), (Role::Editor, true, Some("Grace")));
        assert_eq!(browser.actor().await.unwrap().user(), Some(user.id));
        assert_eq!(list(&app).await, [json!(null); 0]);
        // The account and its session have a line each.
        assert_eq!(audited(&app).await, ["invitation.make", "invitation.complete", "invitation.complete"]);
        assert_eq!(refused::<CompleteInvitation>(&mut browser, accept).await, Code::InvalidLink);
        assert_eq!(refused::<CheckInvitation>(&mut browser, json!({ "token": token })).await, Code::InvalidLink);
    }

    async fn a_link_that_was_handed_over_by_hand_confirms_no_address(app: TestApp) {
        let (_, token) = invited(&app, "grace@example.org").await;
        let mut browser = Browser::new(&app, 1);
        // Whoever makes one of it that looks like the letter's opens nothing.
        assert_eq!(refused::<CheckInvitation>(&mut browser, json!({ "token": format!("mailed-{token}") })).await, Code::InvalidLink);
        let accept = begin(&mut browser, &token).await.unwrap();
        let signed_in = ask::<CompleteInvitation>(&mut browser, accept).await.unwrap();
        let user = app.store().reader().users().by_id(signed_in.user.id).await.unwrap().unwrap();
        assert_eq!((user.role, user.email_verified), (Role::Editor, false));
    }

    async fn of_fifty_who_accept_an_invitation_at_once_one_gets_the_account(app: TestApp) {
        let (_, token) = invited(&app, "grace@example.org").await;
        let mut begun = Vec::new();
        for n in 0..50 {
            let mut browser = Browser::new(&app, n);
            let accept = begin(&mut browser, &token).await.unwrap();
            begun.push((browser, accept));
        }
        let (won, refused) = at_once::<CompleteInvitation>(begun).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
    }

    async fn of_fifty_whom_a_provider_vouches_for_at_once_one_spends_the_invitation(app: TestApp) {
        let (_, token) = invited(&app, "grace@example.org").await;
        let app = app.having::<TakeInvitation>();
        let (won, refused) = fifty_times::<TakeInvitation>(&app, &json!({ "token": token, "email": "grace@example.org" })).await;
        assert_eq!((won, refused), (1, vec![Code::InvalidLink; 49]));
    }

    async fn a_passkey_is_made_for_one_invitation_in_one_browser(app: TestApp) {
        let (_, token) = invited(&app, "grace@example.org").await;
        let (_, other) = invited(&app, "ada@example.org").await;
        let mut browser = Browser::new(&app, 1);
        let mut accept = begin(&mut browser, &token).await.unwrap();
        assert_eq!(refused::<CompleteInvitation>(&mut Browser::new(&app, 2), accept.clone()).await, Code::ChallengeExpired);
        accept["token"] = json!(other);
        assert_eq!(refused::<CompleteInvitation>(&mut browser, accept.clone()).await, Code::ChallengeExpired);
        // What was refused spent nothing.
        accept["token"] = json!(token);
        ask::<CompleteInvitation>(&mut browser, accept).await.unwrap();
        assert_eq!(list(&app).await[0]["email"], "ada@example.org");
    }

    async fn inviting_again_takes_the_place_of_the_earlier_invitation(app: TestApp) {
        let (_, first) = invited(&app, "grace@example.org").await;
        let again = app.call::<Invite>(Role::Admin, json!({ "email": "Grace@Example.org" })).await.unwrap();
        assert_eq!(again["invitation"]["role"], 30);
        assert_eq!(list(&app).await, [again["invitation"].clone()]);
        let mut browser = Browser::new(&app, 1);
        assert_eq!(refused::<CheckInvitation>(&mut browser, json!({ "token": first })).await, Code::InvalidLink);
        ask::<CheckInvitation>(&mut browser, json!({ "token": secret_of(&again["inviteUrl"]) })).await.unwrap();
    }

    async fn an_invitation_that_is_sent_again_has_another_link_and_another_week(app: TestApp) {
        let (id, first) = invited(&app, "grace@example.org").await;
        let mut browser = Browser::new(&app, 1);
        app.clock().advance(Duration::from_hours(7 * 24));
        assert_eq!(refused::<CheckInvitation>(&mut browser, json!({ "token": first })).await, Code::TokenExpired);
        assert_eq!(list(&app).await[0]["expired"], true);
        let again = app.call::<ResendInvitation>(Role::Admin, json!({ "id": id })).await.unwrap();
        assert_eq!((&again["invitation"]["id"], &again["invitation"]["expired"]), (&id, &json!(false)));
        assert_eq!(refused::<CheckInvitation>(&mut browser, json!({ "token": first })).await, Code::InvalidLink);
        ask::<CheckInvitation>(&mut browser, json!({ "token": secret_of(&again["inviteUrl"]) })).await.unwrap();
    }

    async fn an_invitation_that_is_taken_back_opens_nothing(app: TestApp) {
        let (id, token) = invited(&app, "grace@example.org").await;
        let mut browser = Browser::new(&app, 1);
        let accept = begin(&mut browser, &token).await.unwrap();
        app.call::<RevokeInvitation>(Role::Admin, json!({ "id": id })).await.unwrap();
        assert_eq!(refused::<CompleteInvitation>(&mut browser, accept).await, Code::InvalidLink);
        assert_eq!(app.call::<RevokeInvitation>(Role::Admin, json!({ "id": id })).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(app.call::<ResendInvitation>(Role::Admin, json!({ "id": id })).await.unwrap_err().code(), Code::NotFound);
    }

    async fn nobody_is_invited_who_has_an_account(app: TestApp) {
        let taken = app.call::<Invite>(Role::Admin, json!({ "email": "author@example.com" })).await.unwrap_err();
        assert_eq!(taken.code(), Code::UserExists);
        let (id, token) = invited(&app, "grace@example.org").await;
        let mut browser = Browser::new(&app, 1);
        let accept = begin(&mut browser, &token).await.unwrap();
        let made = CreateUser { email: "grace@example.org".parse().unwrap(), name: None, role: Role::Author };
        app.cms().invoke(&Actor::System, Door::Local, made).await.unwrap();
        assert_eq!(refused::<CheckInvitation>(&mut browser, json!({ "token": token })).await, Code::UserExists);
        assert_eq!(refused::<CompleteInvitation>(&mut browser, accept).await, Code::UserExists);
        assert_eq!(app.call::<ResendInvitation>(Role::Admin, json!({ "id": id })).await.unwrap_err().code(), Code::UserExists);
    }

    async fn an_admin_is_told_that_the_letter_was_not_delivered_and_gets_the_link(app: TestApp) {
        let (app, post) = with_mail(&app);
        post.refuse(true);
        let answer = invite(&app, "grace@example.org").await;
        assert_eq!((&answer["success"], &answer["sent"]), (&json!(true), &json!(false)));
        assert!(answer["message"].as_str().unwrap().contains("550 no such user here"), "{answer}");
        let token = secret_of(&answer["inviteUrl"]);
        ask::<CheckInvitation>(&mut Browser::new(&app, 1), json!({ "token": token })).await.unwrap();
        post.refuse(false);
        let id = answer["invitation"]["id"].clone();
        let again = app.call::<ResendInvitation>(Role::Admin, json!({ "id": id })).await.unwrap();
        assert_eq!((&again["sent"], again.get("inviteUrl")), (&json!(true), None));
        assert_eq!(letters(&app, &post).await.len(), 1);
    }

    async fn only_admins_invite(app: TestApp) {
        let input = json!({ "email": "grace@example.org" });
        assert_eq!(app.call::<Invite>(Role::Editor, input).await.unwrap_err().code(), Code::InsufficientPermissions);
        assert_eq!(app.call::<ListInvitations>(Role::Editor, json!({})).await.unwrap_err().code(), Code::InsufficientPermissions);
    }

    async fn pages_of_invitations_follow_each_other(app: TestApp) {
        for n in 0..5 {
            invite(&app, &format!("guest{n}@example.org")).await;
        }
        let (mut emails, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let page = app.call::<ListInvitations>(Role::Admin, json!({ "limit": 2, "cursor": cursor })).await.unwrap();
            emails.extend(page["items"].as_array().unwrap().iter().map(|item| item["email"].as_str().unwrap().to_owned()));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(emails, ["guest4@example.org", "guest3@example.org", "guest2@example.org", "guest1@example.org", "guest0@example.org"]);
    }

    async fn an_invitation_signs_nobody_in_and_is_not_spent_where_it_does_not_belong(app: TestApp) {
        let (_, token) = invited(&app, "grace@example.org").await;
        let mut browser = Browser::new(&app, 1);
        for made_up in [token.as_str(), "", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
            assert_eq!(refused::<VerifyMagicLink>(&mut browser, json!({ "token": made_up })).await, Code::InvalidLink);
        }
        ask::<CheckInvitation>(&mut browser, json!({ "token": token })).await.unwrap();
    }

    async fn a_provider_vouches_for_the_invited_address_and_for_no_other(app: TestApp) {
        let (_, token) = invited(&app, "grace@example.org").await;
        let mut browser = Browser::new(&app.having::<TakeInvitation>(), 1);
        let mismatch = refused::<TakeInvitation>(&mut browser, json!({ "token": token, "email": "eve@example.org" })).await;
        assert_eq!(mismatch, Code::EmailMismatch);
        let taken = ask::<TakeInvitation>(&mut browser, json!({ "token": token, "email": "grace@example.org" })).await.unwrap();
        assert_eq!((taken.email.as_str(), taken.role), ("grace@example.org", Role::Editor));
        let again = refused::<TakeInvitation>(&mut browser, json!({ "token": token, "email": "grace@example.org" })).await;
        assert_eq!(again, Code::InvalidLink);
    }
}
