//! Give an item other bytes.

use cms_domain::{
    access::{Access, Permission, Scope},
    media::{MediaId, MediaItem},
    rev::Rev,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, STALE, THING},
    must_be_current,
    operation::{Http, Operation, Tool, Upload},
};
use cms_storage::MEDIA_BYTES;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    arriving,
    intake::{self, Base64, REFUSALS, must_take},
    item::{MediaAnswer, MediaShown},
    items::found,
    tell,
};

/// Replace the bytes of an item.
///
/// What people say of it stays, and so does its id. Its bytes get another key, so that nobody goes on to show what a cache has of the former ones. A picture
/// is replaced by a picture. Bytes that another item has are refused: use that one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "data": "JVBERi0xLjQKJeLjz9MKMSAwIG9iago8PC9BIDE+PgplbmRvYmoKdHJhaWxlcgo8PD4+CiUlRU9GCg==" }))]
pub struct ReplaceMedia {
    /// The item.
    pub id: MediaId,
    /// Its media type, which the bytes have to have.
    pub content_type: Option<String>,
    /// Its bytes in base64, where they are no part `file` of a form.
    pub data: Option<Base64>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for ReplaceMedia {
    const ID: &'static str = "media.replace";
    const ACCESS: Access =
        Access::Owned { scope: Scope::MediaWrite, own: Permission::MediaEditOwn, any: Permission::MediaEditAny, own_draft: None };
    const HTTP: Http = Http::put("replaceMediaImage", "/media/{id}/replace").upload(Upload::Form);
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[REFUSALS, THING, STALE];
    type Output = MediaAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaAnswer, Error> {
        let allowed = intake::allowed(cx, None).await?;
        let before = found(cx.read().media().by_id(self.id).await?, self.id)?;
        cx.permit(before.changing())?;
        must_be_current(self.rev.as_ref(), &before.rev())?;
        let arrived = intake::file(cx, self.data, self.content_type.clone()).await?;
        intake::must_be_taken(arrived.kind, self.content_type.as_deref().or(arrived.declared.as_deref()), &allowed)?;
        let filename = intake::name(Some(&before.filename), arrived.kind)?;
        if before.file.sha256 == arrived.sha256 {
            arriving::let_go(cx.cms(), &arrived);
            return Ok(MediaAnswer { item: MediaShown::new(cx, before), deduplicated: true });
        }
        if before.file.picture.is_some() && !arrived.kind.is_picture() {
            return Err(Error::with(Code::InvalidType, "a picture is replaced by a picture, or whatever shows it breaks"));
        }
        let file = intake::look(cx, arrived).await?;
        let now = cx.now();
        let locked = cx.tx().await?.media().lock(self.id).await?;
        let before = found(locked, self.id)?;
        let permit = cx.permit(before.changing())?;
        must_be_current(self.rev.as_ref(), &before.rev())?;
        let item = MediaItem { file, filename, updated_at: now.later_than(before.updated_at), ..before.clone() };
        match cx.tx().await?.media().replace(&permit, &item).await {
            Ok(()) => {}
            Err(cms_storage::Error::Conflict(constraint)) if constraint == MEDIA_BYTES => {
                return Err(Error::with(Code::Conflict, "another item has these bytes: use that one, or delete it first"));
            }
            Err(error) => return Err(error.into()),
        }
        must_take(cx, &item.file.key, now).await?;
        cx.tx().await?.loose_files().note(&before.file.key, now).await?;
        tell(cx, item.id);
        cx.audit_named(crate::SORT, item.id, Some(&item.filename), &json!({ "mimeType": item.file.media_type, "size": item.file.size }));
        Ok(MediaAnswer { item: MediaShown::new(cx, item), deduplicated: false })
    }
}
