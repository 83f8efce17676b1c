//! Watch entries that somebody has open: what others do there.

use cms_domain::{
    access::Access,
    entry::EntryIds,
    id::{EntryId, UserId},
    user::User,
};
use cms_frame::{
    Cx, Error,
    operation::{Gives, Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READ_DRAFTS, lease::Holder};

/// Watch the entries that somebody has open.
///
/// An event stream: each event says of each entry how often it was changed so far, and who is editing it. It is sent again whenever one of them is
/// changed, taken, given back, or put into the trash. Whoever loses the connection asks anew, and has missed nothing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WatchEntries {
    /// The entries, with commas between their ids; fifty at most.
    pub ids: EntryIds,
}

/// Entries at one moment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WatchedEntries {
    /// Those of them that are there and not in the trash, by their ids.
    pub items: Vec<WatchedEntry>,
}

/// An entry at one moment.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchedEntry {
    /// The entry.
    pub id: EntryId,
    /// Counts every change, from 1.
    pub version: i64,
    /// Who holds the lease on it; null when nobody does.
    pub holder: Option<Holder>,
}

impl Operation for WatchEntries {
    const ID: &'static str = "content.watch";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("watchContent", "/content-events").gives(Gives::Events).internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = WatchedEntries;

    async fn run(self, cx: &mut Cx<'_>) -> Result<WatchedEntries, Error> {
        let ids = self.ids.to_vec();
        let stamps = cx.read().entries().stamps(cx.visibility(), &ids).await?;
        let held = cx.read().locks().of(&ids, cx.now()).await?;
        let users = match held.as_slice() {
            [] => Vec::new(),
            held => cx.read().users().by_ids(held.iter().map(|held| held.user)).await?,
        };
        let named = |id: UserId| users.iter().find(|user| user.id == id).map(User::known_as).unwrap_or_default();
        let holder = |id: EntryId| held.iter().find(|held| held.entry == id).map(|held| Holder::of(held, named(held.user)));
        let items = stamps.into_iter().map(|stamp| WatchedEntry { id: stamp.id, version: stamp.version, holder: holder(stamp.id) });
        Ok(WatchedEntries { items: items.collect() })
    }
}
