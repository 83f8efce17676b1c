//! What strangers learn of who has an account here: nothing, neither from an answer nor from how long it takes.

use std::time::{Duration, Instant};

use cms_accounts::{
    allowed_domains::AddAllowedDomain,
    magic_link::SendMagicLink,
    passkey_sign_in::{BeginSignIn, FinishSignIn},
    sign_up::RequestSignUp,
};
use cms_core::{both, testing::Browser};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::json;

use super::letters::{ask, letters, refused, with_mail};

/// What strangers may ask, with an address or a passkey.
#[derive(Debug, Clone, Copy)]
enum Question {
    MagicLink,
    SignUp,
    Passkeys,
    Passkey,
}

/// How long it takes to answer a stranger who asks about somebody who has an account, or has none.
async fn time(mut browser: Browser, question: Question, has_account: bool) -> Duration {
    let email = json!({ "email": if has_account { "author@example.com" } else { "nobody@example.com" } });
    // A signature that is none, of a passkey that is known or not.
    let asked = browser.call(BeginSignIn { email: None }).await.unwrap();
    let mut forged = browser.authenticator.sign(&asked.options);
    forged.response.signature.0[20] ^= 1;
    if !has_account {
        forged.raw_id.0[0] ^= 1;
    }
    let forged = json!({ "credential": forged });
    let began = Instant::now();
    match question {
        Question::MagicLink => drop(ask::<SendMagicLink>(&mut browser, email).await.unwrap()),
        Question::SignUp => drop(ask::<RequestSignUp>(&mut browser, email).await.unwrap()),
        Question::Passkeys => drop(ask::<BeginSignIn>(&mut browser, email).await.unwrap()),
        Question::Passkey => assert_eq!(refused::<FinishSignIn>(&mut browser, forged).await, Code::SignInFailed),
    }
    began.elapsed()
}

both! {
    async fn an_answer_takes_as_long_whether_or_not_there_is_an_account(app: TestApp) {
        let (app, post) = with_mail(&app);
        app.call::<AddAllowedDomain>(Role::Admin, json!({ "domain": "example.com", "defaultRole": 20 })).await.unwrap();
        let mut author = Browser { session: Some(app.sign_in(Role::Author).await.unwrap()), ..Browser::new(&app, 100) };
        author.register("Key").await.unwrap();
        for question in [Question::MagicLink, Question::SignUp, Question::Passkeys, Question::Passkey] {
            let mut took = [Vec::new(), Vec::new()];
            // Turn by turn, so that whatever slows the machine down slows both down.
            for n in 0..60 {
                app.clock().advance(Duration::from_mins(5));
                let browser = Browser { authenticator: author.authenticator.clone(), ..Browser::new(&app, n) };
                took[usize::from(n % 2)].push(time(browser, question, n % 2 == 0).await);
                letters(&app, &post).await;
            }
            let [known, unknown] = took.map(|mut took| {
                took.sort();
                took[took.len() / 2]
            });
            let difference = known.abs_diff(unknown);
            assert!(difference < Duration::from_millis(20).max(known / 2), "{question:?}: {known:?} and {unknown:?}");
        }
    }
}
