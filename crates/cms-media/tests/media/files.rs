//! Files for tests, and what of them is kept.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use cms_core::{tasks::settle, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Error;
use cms_media::upload::UploadMedia;
use serde_json::{Value, json};

/// The `n`th document, whose bytes no other has.
pub(crate) fn pdf(n: usize) -> Vec<u8> {
    format!("%PDF-1.4\n%\u{e2}\n{n} 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n").into_bytes()
}

/// Bytes as a member of an input.
pub(crate) fn data(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Uploads bytes under a name.
pub(crate) async fn upload(app: &TestApp, role: Role, name: &str, bytes: &[u8]) -> Result<Value, Error> {
    app.call::<UploadMedia>(role, json!({ "filename": name, "data": data(bytes) })).await
}

/// The keys of all that is in the store.
pub(crate) async fn kept(app: &TestApp) -> Vec<String> {
    let store = cms_media::of(app.cms()).library().store.clone().unwrap();
    store.list("", None, 1000).await.unwrap().into_iter().map(|object| object.key.to_string()).collect()
}

/// The keys of what is in the store when all is gone that nobody has.
pub(crate) async fn kept_for_good(app: &TestApp) -> Vec<String> {
    app.clock().advance(Duration::from_hours(4));
    settle(app.cms()).await.unwrap();
    kept(app).await
}

/// What an item's bytes are.
pub(crate) async fn bytes(app: &TestApp, key: &str) -> Option<Vec<u8>> {
    let wanted = cms_media::serve::Wanted::default();
    let served = cms_media::serve::serve(app.cms(), key, &wanted, false).await.ok()?;
    Some(served.read(app.cms(), None).await.unwrap().collect().await.unwrap())
}

/// The text of a member of an item.
pub(crate) fn text(item: &Value, member: &str) -> String {
    item[member].as_str().unwrap().to_owned()
}
