//! Watch entries that somebody has open: what others do there.

use std::collections::BTreeSet;

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
use cms_storage::{EntryStamp, Watcher};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    READ_DRAFTS,
    lease::Holder,
    presence::{self, Person},
};

/// Watch the entries that somebody has open.
///
/// An event stream: each event says of each entry how often it was changed so far, who is editing it, and who else has it open. It is sent again whenever
/// one of them is changed, taken, given back, or put into the trash, and when somebody comes or goes. Whoever loses the connection asks anew, and has
/// missed nothing.
///
/// As long as the stream lasts, others who watch an entry are told that the user has it open: a few seconds longer if it ends, and for 45 if its
/// server is killed. Programs that come with a token are told who is there, and are not there themselves.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WatchEntries {
    /// The entries, with commas between their ids; fifty at most.
    pub ids: EntryIds,
}

/// Entries at one moment.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(example = json!({ "items": [{
    "id": "01JD9Z7Q2M8R4V6X0Y1ZA3BC5D",
    "version": 12,
    "holder": null,
    "people": [{ "userId": "01JD9Z7Q2M8R4V6X0Y1ZA3BC5E", "userName": "Ada Lovelace", "avatarUrl": null }],
}] }))]
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
    /// Who else has it open, by name.
    pub people: Vec<Person>,
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
        let there: Vec<_> = stamps.iter().map(|stamp| stamp.id).collect();
        presence::show(cx, &there);
        let held = cx.read().locks().of(&there, cx.now()).await?;
        let watchers = presence::others(cx, &there).await?;
        let named: BTreeSet<_> = held.iter().map(|held| held.user).chain(watchers.iter().map(|watcher| watcher.user)).collect();
        let mut users = if named.is_empty() { Vec::new() } else { cx.read().users().by_ids(named).await? };
        users.sort_by_cached_key(|user| (user.known_as().to_lowercase(), user.id));
        let name = |id: UserId| users.iter().find(|user| user.id == id).map(User::known_as).unwrap_or_default();
        let items = stamps.into_iter().map(|EntryStamp { id, version, .. }| WatchedEntry {
            id,
            version,
            holder: held.iter().find(|held| held.entry == id).map(|held| Holder::of(held, name(held.user))),
            people: users.iter().filter(|user| watchers.contains(&Watcher { entry: id, user: user.id })).map(Person::of).collect(),
        });
        Ok(WatchedEntries { items: items.collect() })
    }
}
