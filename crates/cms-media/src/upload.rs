//! Upload a file.

use cms_domain::{
    access::{Access, Permission, Scope},
    id::FieldId,
    media::{AddMedia, AltText, Caption, FocalPoint, FolderId, MediaItem, Tags, Translations},
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool, Upload},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    arriving,
    folders::must_be_there,
    intake::{self, Base64, REFUSALS},
    item::MediaAnswer,
};

/// Upload a file.
///
/// Bytes that the library has already are no second item: the one that has them is answered, as it is, with `deduplicated: true`. What the file is its
/// bytes say: a declared type that they do not have is refused. Drawings (SVG) are kept without whatever acts in them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "filename": "hello.pdf", "data": "JVBERi0xLjQKJeLjz9MKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4KJSVFT0YK" }))]
pub struct UploadMedia {
    /// What it is called; in a form, the name of the part `file` unless it is given. The extension becomes that of the bytes.
    pub filename: Option<String>,
    /// Its media type, which the bytes have to have.
    pub content_type: Option<String>,
    /// Its bytes in base64, where they are no part `file` of a form.
    pub data: Option<Base64>,
    /// Width of a picture, which has to be the one that it has.
    #[schemars(range(min = 1))]
    pub width: Option<u32>,
    /// Height of a picture, which has to be the one that it has.
    #[schemars(range(min = 1))]
    pub height: Option<u32>,
    /// The field that it is for: its types are taken alone.
    pub field_id: Option<FieldId>,
    /// The folder that it goes into.
    pub folder_id: Option<FolderId>,
    /// What it shows, for whoever does not see it.
    pub alt: Option<AltText>,
    /// What is written below it.
    pub caption: Option<Caption>,
    /// What must stay in sight where it is cropped.
    pub focal_point: Option<FocalPoint>,
}

impl Operation for UploadMedia {
    const ID: &'static str = "media.upload";
    const ACCESS: Access = Access::Needs(Scope::MediaWrite, Permission::MediaUpload);
    const HTTP: Http = Http::post("uploadMedia", "/media").created_or_found().upload(Upload::Form);
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[REFUSALS, THING];
    type Output = MediaAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaAnswer, Error> {
        cx.permit(AddMedia)?;
        let allowed = intake::allowed(cx, self.field_id).await?;
        let arrived = intake::file(cx, self.data, self.content_type.clone()).await?;
        let name = self.filename.as_deref().or(arrived.name.as_deref());
        intake::must_be_taken(arrived.kind, self.content_type.as_deref().or(arrived.declared.as_deref()), &allowed)?;
        let filename = intake::name(name, arrived.kind)?;
        if let Some(known) = intake::known(cx, &arrived.sha256).await? {
            arriving::let_go(cx.cms(), &arrived);
            return Ok(known);
        }
        let file = intake::look(cx, arrived).await?;
        intake::must_measure(&file, [("width", self.width), ("height", self.height)])?;
        if let Some(folder) = self.folder_id {
            must_be_there(cx, folder).await?;
        }
        let now = cx.now();
        let item = MediaItem {
            id: cx.new_id(),
            file,
            filename,
            alt: self.alt,
            caption: self.caption,
            translations: Translations::new(),
            tags: Tags::default(),
            focal_point: self.focal_point,
            folder: self.folder_id,
            author: cx.actor().user(),
            created_at: now,
            updated_at: now,
        };
        intake::add(cx, item, None).await
    }
}
