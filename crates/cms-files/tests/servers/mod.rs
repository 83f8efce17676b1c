//! Buckets on servers that others wrote: `s3s-fs` in this process, and `moto` beside it.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use bytes::Bytes;
use cms_files::{Bucket, Error, Signed, Store};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use url::Url;

use super::{get, key, names, put};

const ID: &str = "AKIAEXAMPLE";
const SECRET: &str = "a-secret-that-nobody-knows";

/// A bucket, and the server that it is on for as long as this runs.
struct Opened {
    store: Store,
    bucket: Bucket,
    _folder: tempfile::TempDir,
}

fn bucket(endpoint: &str, prefix: &str) -> Bucket {
    Bucket {
        endpoint: Some(Url::parse(endpoint).unwrap()),
        region: "eu-central-1".to_owned(),
        bucket: "media".to_owned(),
        prefix: prefix.to_owned(),
        path_style: true,
        access_key_id: ID.to_owned(),
        secret_access_key: SECRET.to_owned(),
        session_token: None,
    }
}

/// `s3s-fs` on a folder of its own.
async fn s3s() -> Opened {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("media")).unwrap();
    let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    builder.set_auth(SimpleAuth::from_single(ID, SECRET));
    let service = builder.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = service.clone();
            tokio::spawn(async move { auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await });
        }
    });
    let bucket = bucket(&format!("http://{address}"), "a/prefix");
    Opened { store: Store::bucket(bucket.clone()).unwrap(), bucket, _folder: folder }
}

mod in_a_bucket_of_s3s {
    all!(suite super::s3s().await;);
}

fn client() -> Client<HttpConnector, Full<Bytes>> {
    Client::builder(TokioExecutor::new()).build_http()
}

/// Sends bytes as somebody does who knows nothing of the store but what was signed.
async fn send(signed: &Signed, media_type: Option<&str>, bytes: &[u8]) -> StatusCode {
    let mut request = Request::builder().method(Method::PUT).uri(signed.url.as_str());
    for (name, value) in &signed.headers {
        let value = if name == "content-type" { media_type.unwrap_or(value) } else { value };
        // The client says itself how much it sends.
        if name != "content-length" {
            request = request.header(name, value);
        }
    }
    let answer = client().request(request.body(Full::new(Bytes::copy_from_slice(bytes))).unwrap()).await.unwrap();
    let status = answer.status();
    answer.into_body().collect().await.unwrap();
    status
}

async fn signed_uploads_are_taken(store: &Store) -> Signed {
    let signed = store.sign_put(&key("signed/upload.png"), "image/png", 5, Duration::from_mins(10)).await.unwrap().unwrap();
    assert!(signed.headers.contains(&("content-type".to_owned(), "image/png".to_owned())));
    assert!(signed.headers.contains(&("content-length".to_owned(), "5".to_owned())));
    let signature = signed.url.as_str();
    assert!(signature.contains("X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost"), "{signature}");
    assert!(!signature.contains(SECRET));
    assert_eq!(send(&signed, None, b"bytes").await, StatusCode::OK);
    assert_eq!(get(store, "signed/upload.png").await.unwrap(), b"bytes");
    signed
}

#[tokio::test]
async fn what_was_signed_is_taken_and_nothing_else() {
    let opened = s3s().await;
    let signed = signed_uploads_are_taken(&opened.store).await;
    opened.store.remove(&key("signed/upload.png")).await.unwrap();
    assert!(send(&signed, Some("text/html"), b"bytes").await.is_client_error(), "another type");
    assert!(send(&signed, None, b"more bytes than were signed").await.is_client_error(), "another size");
    let mut elsewhere = signed.clone();
    elsewhere.url.set_path("/media/a/prefix/signed/other.png");
    assert!(send(&elsewhere, None, b"bytes").await.is_client_error(), "another key");
    assert!(names(&opened.store, "", None, 10).await.is_empty());
}

#[tokio::test]
async fn a_prefix_is_not_left() {
    let opened = s3s().await;
    let beside = Store::bucket(Bucket { prefix: "a/prefix-2".to_owned(), ..opened.bucket.clone() }).unwrap();
    let whole = Store::bucket(Bucket { prefix: String::new(), ..opened.bucket.clone() }).unwrap();
    put(&beside, "theirs", b"1").await;
    put(&opened.store, "ours", b"2").await;
    assert_eq!(names(&opened.store, "", None, 10).await, ["ours"]);
    assert!(get(&opened.store, "theirs").await.is_none());
    assert_eq!(names(&whole, "", None, 10).await, ["a/prefix-2/theirs", "a/prefix/ours"]);
    for prefix in ["../a", "a b", "a//b"] {
        assert!(matches!(Store::bucket(Bucket { prefix: prefix.to_owned(), ..opened.bucket.clone() }), Err(Error::Invalid(_))), "{prefix}");
    }
}

#[tokio::test]
async fn a_bucket_that_is_away_is_told_from_nonsense() {
    let opened = s3s().await;
    let wrong = Store::bucket(Bucket { secret_access_key: "another".to_owned(), ..opened.bucket.clone() }).unwrap();
    let well = wrong.is_well().await;
    assert!(matches!(well, Err(Error::Unavailable(_))), "{well:?}");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let away = Store::bucket(bucket(&format!("http://{address}"), "")).unwrap();
    let size = away.size(&key("a")).await;
    assert!(matches!(size, Err(Error::Unavailable(_))), "{size:?}");
}

#[test]
fn nobody_prints_a_secret() {
    let printed = format!("{:?}", Bucket { session_token: Some("a-token".to_owned()), ..bucket("http://127.0.0.1:1", "") });
    assert!(!printed.contains(SECRET) && !printed.contains("a-token"), "{printed}");
    let store = Store::bucket(Bucket { session_token: Some("a-token".to_owned()), ..bucket("http://127.0.0.1:1", "") }).unwrap();
    let printed = format!("{store:?}");
    assert!(!printed.contains(SECRET) && !printed.contains("a-token"), "{printed}");
}

/// `moto`, which is a program of its own.
struct Moto(Child);

impl Drop for Moto {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[expect(clippy::disallowed_methods, reason = "test runners configure tests by their environment")]
fn is_set(name: &str) -> bool {
    std::env::var(name).is_ok_and(|value| !value.is_empty() && value != "false")
}

/// The program, unless the clients that others wrote are not installed.
fn moto_server() -> Option<PathBuf> {
    let installed = is_set("CMS_TEST_CLIENTS");
    assert!(installed || !is_set("CI"), "the clients must be installed when CI is true: run `cargo xtask test`");
    if !installed {
        eprintln!("left out: the clients are not installed; `cargo xtask test` installs them");
        return None;
    }
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/moto_server"))
}

/// Starts it on a port that the system chooses, and answers with its address.
fn started(program: &Path) -> (Moto, String) {
    let mut moto =
        Command::new(program).args(["--host", "127.0.0.1", "--port", "0"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(moto.stderr.take().unwrap()).lines();
    let moto = Moto(moto);
    let line = said.by_ref().map(|line| line.unwrap()).find(|line| line.contains("Running on http://127.0.0.1:")).unwrap();
    let address = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
    // What it says later is read as well, or it would wait for that.
    std::thread::spawn(move || said.for_each(drop));
    (moto, address)
}

macro_rules! one_after_another {
    ($address:expr; $($claim:ident),* $(,)?) => {
        $(
            let store = Store::bucket(bucket($address, stringify!($claim))).unwrap();
            crate::$claim(&store).await;
        )*
    };
}

/// It takes seconds to start: all claims are made of one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_holds_of_buckets_of_moto() {
    let Some(program) = moto_server() else { return };
    let (_moto, address) = started(&program);
    let made = Request::builder().method(Method::PUT).uri(format!("{address}/media")).body(Full::new(Bytes::new())).unwrap();
    assert_eq!(client().request(made).await.unwrap().status(), StatusCode::OK);
    all!(one_after_another &address;);
    one_after_another!(&address; what_others_lie_below_is_no_object, an_object_may_be_where_others_lay_below);
    let missing = Store::bucket(Bucket { bucket: "missing".to_owned(), ..bucket(&address, "") }).unwrap();
    let well = missing.is_well().await;
    assert!(matches!(well, Err(Error::Unavailable(_))), "{well:?}");
    signed_uploads_are_taken(&Store::bucket(bucket(&address, "signed")).unwrap()).await;
}
