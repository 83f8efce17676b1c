//! Confirm an upload: what was announced and sent becomes an item.

use cms_domain::{
    access::{Access, Permission, Scope},
    media::{AwaitedMedia, BringMedia, MediaId, MediaItem, Tags, Translations},
};
use cms_files::Key;
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use futures_util::TryStreamExt;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    arriving::{self, Arrived},
    bring::{must_be_as_many, not_awaited},
    intake::{self, REFUSALS},
    item::{MediaAnswer, MediaShown},
    of, of_store,
};

/// Confirm an upload.
///
/// The bytes that were sent become an item, if they are what was announced. Confirmed again, it is what it is. Bytes that the library has already are no
/// second item: the one that has them is answered, with `deduplicated: true`, and the announced one does not come to be.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmMedia {
    /// The item that it will be.
    pub id: MediaId,
    /// How many bytes were sent.
    pub size: Option<u64>,
    /// Width of a picture, which has to be the one that it has.
    #[schemars(range(min = 1))]
    pub width: Option<u32>,
    /// Height of a picture, which has to be the one that it has.
    #[schemars(range(min = 1))]
    pub height: Option<u32>,
}

impl Operation for ConfirmMedia {
    const ID: &'static str = "media.confirm";
    const ACCESS: Access = Access::Needs(Scope::MediaWrite, Permission::MediaUpload);
    const HTTP: Http = Http::post("confirmMediaUpload", "/media/{id}/confirm");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[REFUSALS, THING, &[Code::FileNotFound, Code::UploadSizeMismatch]];
    type Output = MediaAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaAnswer, Error> {
        let (id, now) = (self.id, cx.now());
        let Some(awaited) = cx.read().awaited().by_id(id, now).await? else { return confirmed(cx, id).await };
        cx.permit(BringMedia { owner: awaited.author })?;
        if let Some(said) = self.size {
            must_be_as_many(said, awaited.size)?;
        }
        let allowed = intake::allowed(cx, None).await?;
        let arrived = arrived(cx, &awaited).await?;
        intake::must_be_taken(arrived.kind, Some(&awaited.media_type), &allowed)?;
        must_be_as_many(awaited.size, arrived.size)?;
        let known = intake::known(cx, &arrived.sha256).await?;
        let file = match &known {
            Some(_) => None,
            None => Some(intake::look(cx, arrived.clone()).await?),
        };
        if let Some(file) = &file {
            intake::must_measure(file, [("width", self.width), ("height", self.height)])?;
        }
        // Of two that confirm at once, the other one finds the item.
        let Some(awaited) = cx.tx().await?.awaited().lock(id, now).await? else { return confirmed(cx, id).await };
        let (Some(file), None) = (file, &known) else {
            let permit = cx.permit(BringMedia { owner: awaited.author })?;
            let tx = cx.tx().await?;
            tx.awaited().delete(&permit, id).await?;
            tx.loose_files().note(arrived.key.as_str(), now).await?;
            cx.audit(crate::SORT, id, &serde_json::json!({ "deduplicated": true }));
            return known.ok_or_else(|| Error::internal("neither a new file nor one that is known"));
        };
        // Nobody who brought a file is told that somebody else tidied up meanwhile.
        let folder = match awaited.folder {
            Some(folder) => cx.tx().await?.folders().hold(folder).await?.map(|folder| folder.id),
            None => None,
        };
        let item = MediaItem {
            id,
            file,
            filename: intake::name(Some(&awaited.filename), arrived.kind)?,
            alt: None,
            caption: None,
            translations: Translations::new(),
            tags: Tags::default(),
            focal_point: None,
            folder,
            author: awaited.author,
            created_at: now,
            updated_at: now,
        };
        intake::add(cx, item, Some(awaited)).await
    }
}

/// The item that was confirmed before.
async fn confirmed(cx: &mut Cx<'_>, id: MediaId) -> Result<MediaAnswer, Error> {
    let item = cx.read().media().by_id(id).await?.ok_or_else(|| not_awaited(id))?;
    cx.permit(BringMedia { owner: item.author })?;
    Ok(MediaAnswer { item: MediaShown::new(cx, item), deduplicated: false })
}

/// The bytes that were sent: through this server, or straight to the store. Of the latter a copy is made, since whoever was given an address may send
/// there again.
async fn arrived(cx: &Cx<'_>, awaited: &AwaitedMedia) -> Result<Arrived, Error> {
    cx.before_any_write()?;
    let store = of(cx.cms()).objects()?;
    if let Some(kept) = &awaited.arrived {
        return Arrived::of_kept(kept);
    }
    let key = Key::parse(&awaited.key).map_err(of_store)?;
    let Some(object) = store.read(&key, None).await.map_err(of_store)? else { return Err(Error::new(Code::FileNotFound)) };
    must_be_as_many(awaited.size, object.size)?;
    let mut coming = arriving::begin(cx.cms(), awaited.size, Some(awaited.media_type.clone()))?;
    let mut bytes = object.bytes;
    let copied = async {
        while let Some(next) = bytes.try_next().await.map_err(of_store)? {
            coming.write(next).await?;
        }
        Ok(())
    };
    match copied.await {
        Ok(()) => coming.finish().await,
        Err(error) => {
            coming.abandon().await;
            Err(error)
        }
    }
}
