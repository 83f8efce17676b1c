//! What holds of files that are sent straight to a bucket, past this server.

use std::sync::Arc;

use bytes::Bytes;
use cms_core::testing::{TestApp, TestStore};
use cms_domain::user::Role;
use cms_files::{Bucket, Store};
use cms_frame::Code;
use cms_media::{announce::AnnounceMedia, confirm::ConfirmMedia};
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::files::{bytes, kept_for_good, pdf, text, upload};

/// A bucket of a server of S3 in this process, for as long as the folder is there.
async fn bucket() -> (Store, Arc<TempDir>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("media")).unwrap();
    let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    builder.set_auth(SimpleAuth::from_single("AKIAEXAMPLE", "a-secret"));
    let service = builder.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = service.clone();
            tokio::spawn(async move { auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await });
        }
    });
    let bucket = Bucket {
        endpoint: Some(endpoint.parse().unwrap()),
        region: "eu-central-1".to_owned(),
        bucket: "media".to_owned(),
        prefix: "site/".to_owned(),
        path_style: true,
        access_key_id: "AKIAEXAMPLE".to_owned(),
        secret_access_key: "a-secret".to_owned(),
        session_token: None,
    };
    (Store::bucket(bucket).unwrap(), Arc::new(folder))
}

async fn on_both<T: Future<Output = ()> + Send + 'static>(test: impl Fn(TestApp) -> T + Clone + Send + 'static) {
    for opened in [TestStore::sqlite().await.map(Some), TestStore::postgres().await] {
        let (store, folder) = bucket().await;
        let test = test.clone();
        cms_core::testing::run(opened, move |app| async move {
            test(app.keeping(|library| library.store = Some(store))).await;
            drop(folder);
        })
        .await;
    }
}

async fn announce(app: &TestApp, bytes: &[u8]) -> Value {
    let input = json!({ "filename": "a.pdf", "contentType": "application/pdf", "size": bytes.len() });
    app.call::<AnnounceMedia>(Role::Author, input).await.unwrap()
}

/// Sends bytes as somebody does who knows nothing but what was answered.
async fn send(target: &Value, bytes: &[u8]) -> StatusCode {
    let mut request = Request::builder().method(Method::PUT).uri(target["uploadUrl"].as_str().unwrap());
    for (name, value) in target["headers"].as_object().unwrap() {
        if !name.eq_ignore_ascii_case("content-length") {
            request = request.header(name, value.as_str().unwrap());
        }
    }
    let client = Client::builder(TokioExecutor::new()).build_http();
    client.request(request.body(Full::new(Bytes::copy_from_slice(bytes))).unwrap()).await.unwrap().status()
}

async fn confirm(app: &TestApp, target: &Value) -> Result<Value, cms_frame::Error> {
    app.call::<ConfirmMedia>(Role::Author, json!({ "id": target["mediaId"] })).await
}

#[tokio::test]
async fn what_is_sent_to_a_bucket_becomes_an_item_that_nobody_sends_to_again() {
    on_both(|app| async move {
        let target = announce(&app, &pdf(1)).await;
        assert!(target["uploadUrl"].as_str().unwrap().starts_with("http://127.0.0.1"));
        assert_eq!(confirm(&app, &target).await.unwrap_err().code(), Code::FileNotFound);
        assert!(send(&target, &pdf(1)).await.is_success());
        let item = confirm(&app, &target).await.unwrap()["item"].clone();
        let key = text(&item, "storageKey");
        assert_eq!(bytes(&app, &key).await, Some(pdf(1)));
        // The address is still good for an hour: what is sent there now is nobody's.
        send(&target, &pdf(2)).await;
        assert_eq!(bytes(&app, &key).await, Some(pdf(1)));
        assert_eq!(kept_for_good(&app).await, [key]);
    })
    .await;
}

#[tokio::test]
async fn what_is_sent_to_a_bucket_and_is_something_else_is_no_item_and_goes() {
    on_both(|app| async move {
        let target = announce(&app, &pdf(1)).await;
        // Some servers hold a sender to what was signed, and some do not: in the end nothing comes of it.
        let mut page = b"<!doctype html><script>alert(1)</script>".to_vec();
        page.resize(pdf(1).len(), b' ');
        if send(&target, &page).await.is_success() {
            assert_eq!(confirm(&app, &target).await.unwrap_err().code(), Code::InvalidType);
        }
        let first = upload(&app, Role::Editor, "known.pdf", &pdf(3)).await.unwrap()["item"].clone();
        let again = announce(&app, &pdf(3)).await;
        assert!(send(&again, &pdf(3)).await.is_success());
        let known = confirm(&app, &again).await.unwrap();
        assert_eq!((&known["item"]["id"], &known["deduplicated"]), (&first["id"], &json!(true)));
        assert_eq!(kept_for_good(&app).await, [text(&first, "storageKey")]);
    })
    .await;
}
