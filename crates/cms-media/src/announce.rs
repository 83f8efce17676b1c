//! Announce a file, and learn where to send it.

use std::time::Duration;

use cms_domain::{
    access::{Access, Permission, Scope},
    id::FieldId,
    media::{AddMedia, AwaitedMedia, FolderId, LARGEST, MediaId},
    time::Timestamp,
};
use cms_files::{FileName, Key};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{folders::must_be_there, intake, item::address, of, of_store};

/// How long an announced file is awaited.
const AWAITED: Duration = Duration::from_hours(1);
/// How many files somebody may have announced at once: a folder of photographs that a browser sends a few at a time.
const MOST_OF_ONE: i64 = 200;

/// Begin an upload.
///
/// Tells where to send the bytes, and with which headers; then the upload is confirmed. An address that begins with a slash is one of this server, and
/// takes the credentials that any request takes. If the library has the bytes that `contentHash` names, nothing needs to be sent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "filename": "hello.pdf", "contentType": "application/pdf", "size": 54 }))]
pub struct AnnounceMedia {
    /// What it is called. The extension becomes that of the bytes.
    pub filename: String,
    /// Its media type, which the bytes have to have.
    pub content_type: String,
    /// How many bytes it has.
    #[schemars(range(min = 1, max = LARGEST))]
    pub size: u64,
    /// The SHA-1 of its bytes, behind `sha1:`.
    #[schemars(regex(pattern = r"^sha1:[0-9a-fA-F]{40}$"))]
    pub content_hash: Option<String>,
    /// The field that it is for: its types are taken alone.
    pub field_id: Option<FieldId>,
    /// The folder that it goes into. Is it gone once the upload is confirmed, the file goes into the main library.
    pub folder_id: Option<FolderId>,
}

/// Where to send the bytes of a file, or which item has them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadTarget {
    /// Whether the library has these bytes already: nothing needs to be sent, and nothing confirmed.
    pub existing: bool,
    /// The item that it will be, or is.
    pub media_id: MediaId,
    /// Names its bytes in the store. It may be another one once they are confirmed.
    pub storage_key: String,
    /// Where its bytes are, if the library has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Where to send them otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload_url: Option<String>,
    /// With which method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<&'static str>,
    /// With which headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<std::collections::BTreeMap<String, String>>,
    /// Until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl Operation for AnnounceMedia {
    const ID: &'static str = "media.upload_url";
    const ACCESS: Access = Access::Needs(Scope::MediaWrite, Permission::MediaUpload);
    const HTTP: Http = Http::post("getMediaUploadUrl", "/media/upload-url");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures =
        &[THING, &[Code::InvalidType, Code::PayloadTooLarge, Code::NoStorage, Code::StorageUnavailable, Code::UploadLimit]];
    type Output = UploadTarget;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UploadTarget, Error> {
        let (permit, owner, now) = (cx.permit(AddMedia)?, cx.actor().user(), cx.now());
        let allowed = intake::allowed(cx, self.field_id).await?;
        let media_type = plain(&self.content_type);
        if !allowed.allows_type(&media_type) {
            let message = format!("files of the type `{}` are not taken", media_type.escape_debug());
            return Err(Error::with(Code::InvalidType, message));
        }
        let name = FileName::parse(&self.filename).map_err(|error| Error::issue("filename", "INVALID_VALUE", error.to_string()))?;
        let media = of(cx.cms());
        media.must_fit(self.size)?;
        if let Some(sha1) = self.content_hash.as_deref().and_then(sha1_of)
            && let Some(item) = cx.read().media().by_claim(&sha1, self.size, &media_type).await?
        {
            let url = Some(address(cx, &item.file.key));
            let (media_id, storage_key) = (item.id, item.file.key);
            return Ok(UploadTarget {
                existing: true,
                media_id,
                storage_key,
                url,
                upload_url: None,
                method: None,
                headers: None,
                expires_at: None,
            });
        }
        let id: MediaId = cx.new_id();
        // What is sent past this server is not yet what it is said to be, and is never served from here.
        let key = Key::parse(&format!("incoming/{}", id.to_string().to_ascii_lowercase())).map_err(of_store)?;
        let signed = media.objects()?.sign_put(&key, &media_type, self.size, AWAITED).await.map_err(of_store)?;
        let expires_at = now.after(AWAITED);
        let awaited = AwaitedMedia {
            id,
            key: key.to_string(),
            filename: name.as_str().to_owned(),
            media_type: media_type.clone(),
            size: self.size,
            arrived: None,
            folder: self.folder_id,
            author: owner,
            created_at: now,
            expires_at,
        };
        if let Some(folder) = self.folder_id {
            must_be_there(cx, folder).await?;
        }
        let tx = cx.tx().await?;
        if let Some(owner) = owner {
            // Of two that announce at once, the other one counts afterwards.
            tx.users().lock(owner).await?;
        }
        if tx.reader().awaited().count(owner, now).await? >= MOST_OF_ONE {
            return Err(Error::new(Code::UploadLimit));
        }
        if signed.is_some() {
            // It may come until the last moment, and goes a while after that.
            tx.loose_files().note(&awaited.key, expires_at.after(AWAITED)).await?;
        }
        tx.awaited().insert(&permit, &awaited).await?;
        let (upload_url, headers) = if let Some(signed) = signed {
            (signed.url.to_string(), signed.headers.into_iter().collect())
        } else {
            let own = [("Content-Type".to_owned(), media_type), (cx.product().csrf_header.to_string(), "1".to_owned())];
            (format!("{}/media/{id}/upload", cx.product().api()), own.into_iter().collect())
        };
        Ok(UploadTarget {
            existing: false,
            media_id: id,
            storage_key: awaited.key,
            url: None,
            upload_url: Some(upload_url),
            method: Some("PUT"),
            headers: Some(headers),
            expires_at: Some(expires_at),
        })
    }
}

/// A media type without parameters, in lower case.
pub(crate) fn plain(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The hash that a text has behind `sha1:`.
fn sha1_of(text: &str) -> Option<[u8; 20]> {
    let digits = text.strip_prefix("sha1:")?;
    let mut hash = [0; 20];
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(hash)
}
