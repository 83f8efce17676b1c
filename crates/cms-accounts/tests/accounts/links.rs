//! What holds of every link: it is good for one thing, as it was made, and wherever else it is tried it is not spent.

use std::time::Duration;

use cms_accounts::{
    accept_invitation::{BeginInvitation, CheckInvitation},
    allowed_domains::AddAllowedDomain,
    email_change::{ChangeEmail, ConfirmEmail, RefuseEmailChange},
    invitations::Invite,
    magic_link::{SendMagicLink, VerifyMagicLink},
    mail::testing::{PostBox, token},
    recovery::SendRecovery,
    sign_up::{BeginSignUp, CheckSignUp, RequestSignUp},
};
use cms_core::{
    both,
    testing::{Browser, TestApp},
};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::json;

use super::letters::{ask, letters, with_mail};

/// Where the secret of a link can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    SignIn,
    Invitation,
    BeginInvitation,
    SignUp,
    BeginSignUp,
    ConfirmEmail,
    RefuseEmail,
}

impl Page {
    const ALL: [Self; 7] =
        [Self::SignIn, Self::Invitation, Self::BeginInvitation, Self::SignUp, Self::BeginSignUp, Self::ConfirmEmail, Self::RefuseEmail];

    /// Sends it there.
    async fn take(self, app: &TestApp, browser: &Browser, secret: &str) -> Result<(), Code> {
        let (mut browser, input) = (browser.clone(), json!({ "token": secret }));
        // So many may be tried in a minute.
        app.clock().advance(Duration::from_secs(5));
        let done = match self {
            Self::SignIn => ask::<VerifyMagicLink>(&mut browser, input).await.map(drop),
            Self::Invitation => ask::<CheckInvitation>(&mut browser, input).await.map(drop),
            Self::BeginInvitation => ask::<BeginInvitation>(&mut browser, input).await.map(drop),
            Self::SignUp => ask::<CheckSignUp>(&mut browser, input).await.map(drop),
            Self::BeginSignUp => ask::<BeginSignUp>(&mut browser, input).await.map(drop),
            Self::ConfirmEmail => ask::<ConfirmEmail>(&mut browser, input).await.map(drop),
            Self::RefuseEmail => ask::<RefuseEmailChange>(&mut browser, input).await.map(drop),
        };
        done.map_err(|error| error.code())
    }
}

/// The secret that has just been sent to somebody.
async fn sent(app: &TestApp, post: &PostBox) -> String {
    letters(app, post).await.iter().find_map(token).unwrap().to_owned()
}

/// A link of each sort, with the pages that take it, in a browser that asked for those that are one browser's.
async fn links(app: &TestApp, browser: &mut Browser, post: &PostBox) -> Vec<(String, Vec<Page>)> {
    let mut links = Vec::new();
    ask::<SendMagicLink>(browser, json!({ "email": "author@example.com" })).await.unwrap();
    links.push((sent(app, post).await, vec![Page::SignIn]));
    app.call::<SendRecovery>(Role::Admin, json!({ "id": TestApp::user(Role::Editor) })).await.unwrap();
    links.push((sent(app, post).await, vec![Page::SignIn]));
    app.call::<Invite>(Role::Admin, json!({ "email": "guest@example.net" })).await.unwrap();
    links.push((sent(app, post).await, vec![Page::BeginInvitation, Page::Invitation]));
    app.call::<AddAllowedDomain>(Role::Admin, json!({ "domain": "example.org", "defaultRole": 20 })).await.unwrap();
    ask::<RequestSignUp>(browser, json!({ "email": "grace@example.org" })).await.unwrap();
    links.push((sent(app, post).await, vec![Page::BeginSignUp, Page::SignUp]));
    app.call::<ChangeEmail>(Role::Contributor, json!({ "email": "other@example.net" })).await.unwrap();
    let letters = letters(app, post).await;
    let [notice, confirm] = letters.as_slice() else { panic!("{letters:?}") };
    links.push((token(confirm).unwrap().to_owned(), vec![Page::ConfirmEmail]));
    // The one ends what the other does: it is tried with an account of its own.
    assert!(token(notice).is_some());
    app.call::<ChangeEmail>(Role::Subscriber, json!({ "email": "third@example.net" })).await.unwrap();
    let letters = self::letters(app, post).await;
    links.push((token(&letters[0]).unwrap().to_owned(), vec![Page::RefuseEmail]));
    links
}

both! {
    async fn a_link_is_good_for_what_it_was_made_for_and_is_not_spent_elsewhere(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = Browser::new(&app, 1);
        let links = links(&app, &mut browser, &post).await;
        for (secret, own) in &links {
            for page in Page::ALL.into_iter().filter(|page| !own.contains(page)) {
                assert_eq!(page.take(&app, &browser, secret).await, Err(Code::InvalidLink), "{own:?} at {page:?}");
            }
        }
        for (secret, own) in &links {
            for page in own {
                assert_eq!(page.take(&app, &browser, secret).await, Ok(()), "{page:?}");
            }
        }
    }

    async fn a_link_that_somebody_altered_is_none(app: TestApp) {
        let (app, post) = with_mail(&app);
        let mut browser = Browser::new(&app, 1);
        for (secret, own) in links(&app, &mut browser, &post).await {
            let first = if secret.starts_with('A') { "B" } else { "A" };
            let altered = [format!("{first}{}", &secret[1..]), secret[1..].to_owned(), format!("{secret}A"), format!("{secret} "), String::new()];
            for altered in altered {
                assert_eq!(own[0].take(&app, &browser, &altered).await, Err(Code::InvalidLink), "{own:?}");
            }
            assert_eq!(own[0].take(&app, &browser, &secret).await, Ok(()), "{own:?}");
        }
    }
}
