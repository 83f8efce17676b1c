//! Exports leave a line in the audit log, though they change nothing: they take out at once what else is read page by page.

use cms_domain::access::Access;
use cms_frame::{
    Cx, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Note that something is exported.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteExport {
    /// What is exported.
    pub what: Exported,
    /// Which of it; nothing stands for all.
    #[serde(default)]
    pub parts: Vec<String>,
}

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Exported {
    /// The entries of collections.
    Content,
    /// The audit log.
    Audit,
}

/// The line is written.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExportNoted {
    /// Always true.
    pub noted: bool,
}

impl Operation for NoteExport {
    const ID: &'static str = "export.begin";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = ExportNoted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ExportNoted, Error> {
        let what = match self.what {
            Exported::Content => "content",
            Exported::Audit => "audit",
        };
        cx.audit(what, "", &json!({ "parts": self.parts }));
        Ok(ExportNoted { noted: true })
    }
}
