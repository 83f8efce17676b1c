//! What holds for all content of the site.

use cms_domain::{
    access::{Access, Permission, Scope},
    locale::Locales,
    time_zone::TimeZone,
};
use cms_frame::{
    Cx, Error,
    descriptor::{self, Descriptor, Group},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const GROUPS: [Group; 1] = [Group { prefix: "site", name: "Site", about: "What holds for all content of the site." }];

/// The operations of the site.
pub(crate) fn operations() -> Vec<Descriptor> {
    descriptor::grouped(&GROUPS, vec![Descriptor::of::<GetSite>()])
}

/// Get what holds for all content.
///
/// The languages that it can have, and the time zone that its dates are meant in.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetSite {}

/// What holds for all content.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteView {
    /// The languages of the content; the first is that of new entries which name none.
    pub locales: Locales,
    /// The time zone that people mean when they write dates; null for the one of each of them.
    pub time_zone: Option<TimeZone>,
}

impl Operation for GetSite {
    const ID: &'static str = "site.get";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentReadDrafts);
    const HTTP: Http = Http::get("getSite", "/site").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = SiteView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SiteView, Error> {
        let options = cx.options();
        Ok(SiteView { locales: options.locales.clone(), time_zone: options.time_zone.clone() })
    }
}
