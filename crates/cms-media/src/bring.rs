//! Bring the bytes of a file that was announced.

use cms_domain::{
    access::{Access, Permission, Scope},
    media::{BringMedia, MediaId},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool, Upload},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    arriving,
    intake::{self, REFUSALS, must_take},
};

/// Send the bytes of a file.
///
/// They have to be as many as were announced, and of the type that was announced. Sent again, they replace what came before, until they are confirmed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BringFile {
    /// The item that it will be.
    pub id: MediaId,
}

/// The bytes are there.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileBrought {
    /// Always true.
    pub uploaded: bool,
    /// How many there are.
    pub size: u64,
    /// Names them in the store, from now on.
    pub storage_key: String,
}

impl Operation for BringFile {
    const ID: &'static str = "media.bring";
    const ACCESS: Access = Access::Needs(Scope::MediaWrite, Permission::MediaUpload);
    const HTTP: Http = Http::put("uploadPendingMedia", "/media/{id}/upload").upload(Upload::Whole);
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[REFUSALS, THING, &[Code::UploadSizeMismatch]];
    type Output = FileBrought;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FileBrought, Error> {
        let allowed = intake::allowed(cx, None).await?;
        let (id, now) = (self.id, cx.now());
        let awaited = cx.read().awaited().by_id(id, now).await?.ok_or_else(|| not_awaited(id))?;
        let permit = cx.permit(BringMedia { owner: awaited.author })?;
        let arrived = intake::file(cx, None, None).await?;
        intake::must_be_taken(arrived.kind, Some(&awaited.media_type), &allowed)?;
        intake::must_be_taken(arrived.kind, arrived.declared.as_deref(), &allowed)?;
        must_be_as_many(awaited.size, arrived.size)?;
        let file = arrived.to_kept();
        let awaited = cx.tx().await?.awaited().lock(id, now).await?.ok_or_else(|| not_awaited(id))?;
        must_take(cx, &file.key, now).await?;
        let tx = cx.tx().await?;
        // What nobody confirms goes when it is awaited no more.
        tx.loose_files().note(&file.key, awaited.expires_at.after(arriving::TIME)).await?;
        if let Some(before) = &awaited.arrived {
            tx.loose_files().note(&before.key, now).await?;
        }
        tx.awaited().arrive(&permit, id, &file).await?;
        cx.audit(crate::SORT, id, &json!({ "size": file.size }));
        Ok(FileBrought { uploaded: true, size: file.size, storage_key: file.key })
    }
}

/// Refuses to go on with a file that nobody awaits.
pub(crate) fn not_awaited(id: MediaId) -> Error {
    Error::with(Code::NotFound, format!("no upload `{id}` is awaited: it was confirmed, or its hour is over"))
}

/// Refuses a file of another size than was said.
pub(crate) fn must_be_as_many(said: u64, is: u64) -> Result<(), Error> {
    if said == is {
        return Ok(());
    }
    let message = format!("the file has {is} bytes, and was said to have {said}: begin the upload again");
    Err(Error::with(Code::UploadSizeMismatch, message).details(json!({ "expected": said, "actual": is })))
}
