//! Letters of a test's system, what is done with what they say, and what the audit log says of it.

use std::sync::Arc;

use cms_accounts::mail::{
    Letter,
    testing::{PostBox, token},
};
use cms_core::testing::{Browser, TestApp};
use cms_frame::{Code, Error, operation::Operation};
use cms_storage::AuditFilter;
use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinSet;

/// Does an operation with an input in JSON, in a browser.
pub(super) async fn ask<O: Operation>(browser: &mut Browser, input: Value) -> Result<O::Output, Error> {
    let operation: O = serde_json::from_value(input).map_err(|error| Error::issue("", "INVALID_INPUT", error.to_string()))?;
    browser.call(operation).await
}

/// The same, for those who only want to know what is refused.
pub(super) async fn refused<O: Operation>(browser: &mut Browser, input: Value) -> Code {
    match ask::<O>(browser, input).await {
        Ok(_) => panic!("{} was not refused", O::ID),
        Err(error) => error.code(),
    }
}

/// Does an operation in many browsers at once, each with an input of its own. Counts who succeeds, and answers with why the others did
/// not.
pub(super) async fn at_once<O: Operation>(uses: impl IntoIterator<Item = (Browser, Value)>) -> (usize, Vec<Code>) {
    let mut running = JoinSet::new();
    for (mut browser, input) in uses {
        running.spawn(async move { ask::<O>(&mut browser, input).await.map(drop).map_err(|error| error.code()) });
    }
    let used = running.join_all().await;
    (used.iter().filter(|used| used.is_ok()).count(), used.into_iter().filter_map(Result::err).collect())
}

/// Uses one secret fifty times at once, each time in another browser.
pub(super) async fn fifty_times<O: Operation>(app: &TestApp, input: &Value) -> (usize, Vec<Code>) {
    at_once::<O>((0..50).map(|n| (Browser::new(app, n), input.clone()))).await
}

/// The actions of the audit log, the first one first.
pub(super) async fn audited(app: &TestApp) -> Vec<String> {
    let lines = app.store().reader().audit().list(&AuditFilter::default(), 100).await.unwrap();
    lines.into_iter().rev().map(|line| line.action).collect()
}

/// The same system with mail, and where its letters arrive.
pub(super) fn with_mail(app: &TestApp) -> (TestApp, Arc<PostBox>) {
    let post = Arc::new(PostBox::default());
    let mail = post.clone();
    (app.serving(move |services| services.mail = Some(mail)), post)
}

/// The letters that have arrived.
pub(super) async fn letters(app: &TestApp, post: &PostBox) -> Vec<Letter> {
    app.cms().finish_background().await;
    post.empty()
}

/// The secret of the link in the one letter that has arrived, which opens a page.
pub(super) async fn secret(app: &TestApp, post: &PostBox, page: &str) -> String {
    let letters = letters(app, post).await;
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.text.contains(&format!("\nhttp://localhost:8080/_cms/admin/{page}#token=")), "{}", letter.text);
    token(letter).unwrap().to_owned()
}

/// The secret in the address of a link.
pub(super) fn secret_of(url: &Value) -> String {
    url.as_str().unwrap().split_once("#token=").unwrap().1.to_owned()
}

/// An answer as the wire has it.
pub(super) fn wire(output: impl Serialize) -> Value {
    serde_json::to_value(output).unwrap()
}
