//! Objects in a bucket that speaks S3.

use std::{fmt, future::Future, ops::Range, sync::Arc, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use object_store::{
    ClientOptions, GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    client::{HttpClient, HttpConnector},
    list::{PaginatedListOptions, PaginatedListStore},
    path::Path,
};
use rusty_s3::{Credentials, S3Action, UrlStyle, actions::PutObject};
use url::Url;

use super::{Listed, Object, Signed, interrupted};
use crate::{Error, Key};

/// What is sent at once, and what one upload keeps in memory. A bucket takes parts of 5 MiB and more.
pub(super) const PART: usize = 8 * 1024 * 1024;

/// A bucket takes no more parts of one object.
const MOST_PARTS: usize = 10_000;

/// How long it may take to reach the bucket.
const CONNECTS_WITHIN: Duration = Duration::from_secs(5);

/// How long the bucket may be silent: as long as a part takes on a line of two megabits. There is no limit for the whole, or a large object would never reach somebody
/// with a slow line.
const SILENT_FOR: Duration = Duration::from_mins(1);

/// How often a request is repeated that may be, and for how long altogether: somebody waits for the answer.
const RETRIES: RetryConfig = RetryConfig {
    backoff: object_store::BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(2), base: 2. },
    max_retries: 3,
    retry_timeout: Duration::from_secs(30),
};

/// How many names one page of a list has at most: a bucket gives no more.
const PAGE: usize = 1000;

/// The longest time for which a bucket believes a signature.
const SIGNED_FOR: Duration = Duration::from_hours(7 * 24);

/// A bucket takes no more in one piece.
const MOST_PUT: u64 = 5 * 1024 * 1024 * 1024;

/// A bucket, and who may use it.
#[derive(Clone)]
pub struct Bucket {
    /// Where it is. `None` for Amazon's own.
    pub endpoint: Option<Url>,
    /// Its region, which is part of each signature.
    pub region: String,
    /// Its name.
    pub bucket: String,
    /// What each key begins with in the bucket, without slashes around it. Empty for nothing.
    pub prefix: String,
    /// Whether the name of the bucket is in the path of URLs, and not in the name of the host.
    pub path_style: bool,
    /// Who signs.
    pub access_key_id: String,
    /// What they sign with.
    pub secret_access_key: String,
    /// What makes the two valid for a while.
    pub session_token: Option<String>,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Bucket")
            .field("endpoint", &self.endpoint.as_ref().map(Url::as_str))
            .field("region", &self.region)
            .field("bucket", &self.bucket)
            .field("prefix", &self.prefix)
            .field("path_style", &self.path_style)
            .field("access_key_id", &self.access_key_id)
            .finish_non_exhaustive()
    }
}

/// A bucket that is spoken to.
#[derive(Clone, Debug)]
pub(super) struct Place {
    s3: Arc<AmazonS3>,
    signs: Arc<Signs>,
    /// Empty, or with a slash at its end.
    prefix: Arc<str>,
}

/// What signatures are made with.
struct Signs {
    bucket: rusty_s3::Bucket,
    credentials: Credentials,
}

impl fmt::Debug for Signs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Signs").field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

impl Place {
    pub(super) fn of(bucket: Bucket) -> Result<Self, Error> {
        let prefix = match bucket.prefix.trim_matches('/') {
            "" => String::new(),
            prefix => format!("{}/", Key::parse(prefix)?),
        };
        let unusable = |why: &dyn fmt::Display| Error::Invalid(format!("the bucket cannot be used: {why}"));
        let endpoint = match bucket.endpoint {
            Some(endpoint) => endpoint,
            None => Url::parse(&format!("https://s3.{}.amazonaws.com", bucket.region)).map_err(|error| unusable(&error))?,
        };
        let style = if bucket.path_style { UrlStyle::Path } else { UrlStyle::VirtualHost };
        let signed = rusty_s3::Bucket::new(endpoint.clone(), style, bucket.bucket.clone(), bucket.region.clone())
            .map_err(|error| unusable(&error))?;
        let credentials = match &bucket.session_token {
            Some(token) => Credentials::new_with_token(&*bucket.access_key_id, &*bucket.secret_access_key, token),
            None => Credentials::new(&*bucket.access_key_id, &*bucket.secret_access_key),
        };
        // With the name of the bucket in its host, if it is to be there.
        let address = if bucket.path_style { &endpoint } else { signed.base_url() };
        let mut builder = AmazonS3Builder::new()
            .with_endpoint(address.as_str().trim_end_matches('/'))
            .with_region(bucket.region)
            .with_bucket_name(bucket.bucket)
            .with_access_key_id(bucket.access_key_id)
            .with_secret_access_key(bucket.secret_access_key)
            .with_virtual_hosted_style_request(!bucket.path_style)
            .with_allow_http(true)
            .with_retry(RETRIES)
            .with_http_connector(Connector);
        if let Some(token) = bucket.session_token {
            builder = builder.with_token(token);
        }
        let s3 = builder.build().map_err(|error| unusable(&error))?;
        Ok(Self { s3: Arc::new(s3), signs: Arc::new(Signs { bucket: signed, credentials }), prefix: prefix.into() })
    }

    fn path(&self, key: &Key) -> Path {
        Path::from(format!("{}{key}", self.prefix))
    }

    pub(super) fn begin(&self, key: &Key) -> Arriving {
        Arriving { s3: Arc::clone(&self.s3), path: self.path(key), waiting: BytesMut::new(), upload: None, parts: 0, has_hole: false }
    }

    pub(super) async fn read(&self, key: &Key, range: Option<Range<u64>>) -> Result<Option<Object>, Error> {
        let path = self.path(key);
        if let Some(range) = &range {
            // A bucket refuses a range that has nothing in it.
            let Some(size) = self.size(key).await? else { return Ok(None) };
            if range.start >= range.end.min(size) {
                return Ok(Some(Object { size, bytes: stream::empty().boxed() }));
            }
        }
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let Some(found) = there(self.s3.get_opts(&path, options)).await? else { return Ok(None) };
        Ok(Some(Object { size: found.meta.size, bytes: found.into_stream().map_err(of_bucket).boxed() }))
    }

    pub(super) async fn size(&self, key: &Key) -> Result<Option<u64>, Error> {
        Ok(there(self.s3.head(&self.path(key))).await?.map(|found| found.size))
    }

    pub(super) async fn remove(&self, key: &Key) -> Result<(), Error> {
        there(self.s3.delete(&self.path(key))).await?;
        Ok(())
    }

    pub(super) async fn list(&self, prefix: &str, after: Option<&Key>, limit: usize) -> Result<Vec<Listed>, Error> {
        let within = format!("{}{prefix}", self.prefix);
        let mut found = Vec::new();
        let mut page_token = None;
        while found.len() < limit {
            let options = PaginatedListOptions {
                offset: after.map(|key| format!("{}{key}", self.prefix)),
                max_keys: Some(PAGE.min(limit - found.len())),
                page_token,
                ..PaginatedListOptions::default()
            };
            let page = self.s3.list_paginated((!within.is_empty()).then_some(&*within), options).await.map_err(of_bucket)?;
            let objects = page.result.objects.into_iter().filter_map(|object| {
                let key = Key::parse(object.location.as_ref().strip_prefix(&*self.prefix)?).ok()?;
                Some(Listed { key, size: object.size, modified: object.last_modified.into() })
            });
            found.extend(objects);
            page_token = page.page_token;
            if page_token.is_none() {
                break;
            }
        }
        Ok(found)
    }

    pub(super) fn sign_put(&self, key: &Key, media_type: &str, size: u64, within: Duration) -> Result<Signed, Error> {
        if media_type.is_empty() || !media_type.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(Error::Invalid(format!("`{}` is no media type", media_type.escape_debug())));
        }
        if size > MOST_PUT {
            return Err(Error::Invalid(format!("a bucket takes at most {MOST_PUT} bytes in one piece")));
        }
        let headers = vec![("content-length".to_owned(), size.to_string()), ("content-type".to_owned(), media_type.to_owned())];
        let object = format!("{}{key}", self.prefix);
        let mut put = PutObject::new(&self.signs.bucket, Some(&self.signs.credentials), &object);
        for (name, value) in &headers {
            put.headers_mut().insert(name.as_str(), value.as_str());
        }
        let url = put.sign(within.clamp(Duration::from_secs(1), SIGNED_FOR));
        Ok(Signed { url, headers })
    }
}

/// An object that is being written: in one piece if it is small, otherwise in parts.
pub(super) struct Arriving {
    s3: Arc<AmazonS3>,
    path: Path,
    waiting: BytesMut,
    upload: Option<Box<dyn MultipartUpload>>,
    parts: usize,
    /// A part was not sent, or nobody waited to see whether it was: there is a hole in the object.
    has_hole: bool,
}

impl fmt::Debug for Arriving {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Arriving").field("path", &self.path).field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl Arriving {
    pub(super) async fn write(&mut self, mut bytes: Bytes) -> Result<(), Error> {
        while !bytes.is_empty() {
            let fits = bytes.len().min(PART - self.waiting.len());
            self.waiting.extend_from_slice(&bytes.split_to(fits));
            if self.waiting.len() == PART {
                self.send_part().await?;
            }
        }
        Ok(())
    }

    async fn send_part(&mut self) -> Result<(), Error> {
        if self.parts == MOST_PARTS {
            return Err(Error::Invalid(format!("an object in a bucket has at most {MOST_PARTS} parts of {PART} bytes")));
        }
        if self.has_hole {
            return Err(interrupted());
        }
        self.has_hole = true;
        let part = self.waiting.split().freeze();
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => none.insert(self.s3.put_multipart(&self.path).await.map_err(of_bucket)?),
        };
        self.parts += 1;
        upload.put_part(PutPayload::from(part)).await.map_err(of_bucket)?;
        self.has_hole = false;
        Ok(())
    }

    pub(super) async fn finish(mut self) -> Result<(), Error> {
        let done = self.sent().await;
        if done.is_err() {
            self.abandon().await;
        }
        done
    }

    async fn sent(&mut self) -> Result<(), Error> {
        if self.has_hole {
            return Err(interrupted());
        }
        if self.upload.is_none() {
            let whole = PutPayload::from(self.waiting.split().freeze());
            return self.s3.put(&self.path, whole).await.map(drop).map_err(of_bucket);
        }
        if !self.waiting.is_empty() {
            self.send_part().await?;
        }
        match &mut self.upload {
            Some(upload) => upload.complete().await.map(drop).map_err(of_bucket),
            None => Ok(()),
        }
    }

    pub(super) async fn abandon(mut self) {
        if let Some(upload) = &mut self.upload {
            // What cannot be removed now, the bucket's own rules remove.
            let _removed_later = upload.abort().await;
        }
    }
}

/// What is there, if it is.
async fn there<T>(asked: impl Future<Output = object_store::Result<T>>) -> Result<Option<T>, Error> {
    match asked.await {
        Ok(found) => Ok(Some(found)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(of_bucket(error)),
    }
}

fn of_bucket(error: object_store::Error) -> Error {
    let text = error.to_string();
    // What those who speak like S3 say when nothing more fits.
    let is_full = ["<Code>XMinioStorageFull", "<Code>QuotaExceeded", "507 Insufficient Storage"].iter().any(|code| text.contains(code));
    if is_full { Error::NoSpace } else { Error::Unavailable(text) }
}

/// Speaks HTTP for `object_store`: TLS is rustls with ring and the roots of webpki-roots.
#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let wrong = |source: Box<dyn std::error::Error + Send + Sync>| object_store::Error::Generic { store: "S3", source };
        let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(error.into()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECTS_WITHIN)
            .read_timeout(SILENT_FOR)
            .user_agent(concat!("cms/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| wrong(error.into()))?;
        Ok(HttpClient::new(client))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(endpoint: Option<&str>, path_style: bool) -> Place {
        let bucket = Bucket {
            endpoint: endpoint.map(|endpoint| endpoint.parse().expect("a URL")),
            region: "eu-central-1".to_owned(),
            bucket: "media".to_owned(),
            prefix: "/site/".to_owned(),
            path_style,
            access_key_id: "id".to_owned(),
            secret_access_key: "secret".to_owned(),
            session_token: Some("token".to_owned()),
        };
        Place::of(bucket).expect("a bucket")
    }

    #[test]
    fn the_name_of_a_bucket_is_in_the_host_or_in_the_path() {
        for (endpoint, path_style, expected) in [
            (None, false, "https://media.s3.eu-central-1.amazonaws.com/site/a/b.png"),
            (None, true, "https://s3.eu-central-1.amazonaws.com/media/site/a/b.png"),
            (Some("http://127.0.0.1:9000"), true, "http://127.0.0.1:9000/media/site/a/b.png"),
            (Some("https://s3.example.org/"), false, "https://media.s3.example.org/site/a/b.png"),
        ] {
            let key = Key::parse("a/b.png").expect("a key");
            let signed = bucket(endpoint, path_style).sign_put(&key, "image/png", 10, Duration::from_mins(5)).expect("signed");
            let (address, query) = signed.url.as_str().split_once('?').expect("a signature");
            assert_eq!(address, expected);
            assert!(query.contains("X-Amz-Security-Token=token") && query.contains("X-Amz-Expires=300"), "{query}");
        }
    }

    #[test]
    fn what_no_bucket_takes_is_not_signed() {
        let key = Key::parse("a").expect("a key");
        let bucket = bucket(None, true);
        for (media_type, size) in [("", 1), ("image/png\r\nx: y", 1), ("image/png", MOST_PUT + 1)] {
            assert!(
                matches!(bucket.sign_put(&key, media_type, size, Duration::from_mins(5)), Err(Error::Invalid(_))),
                "{media_type:?} {size}"
            );
        }
    }

    #[test]
    fn a_full_bucket_is_told_from_one_that_is_away() {
        let generic = |text: &str| object_store::Error::Generic { store: "S3", source: text.into() };
        assert!(matches!(of_bucket(generic("500: <Error><Code>XMinioStorageFull</Code></Error>")), Error::NoSpace));
        assert!(matches!(of_bucket(generic("507 Insufficient Storage")), Error::NoSpace));
        assert!(matches!(of_bucket(generic("GET http://127.0.0.1:5070/QuotaExceeded.png")), Error::Unavailable(_)));
    }
}
