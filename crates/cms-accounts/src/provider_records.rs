//! The room that a provider stands in: the time, the server's addresses, and a place of its own to keep things.

use cms_auth::provider::{Promise, ProviderError, Record, Room};
use cms_domain::{
    access::{Access, Actor},
    time::Timestamp,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest name of a provider's collection.
const COLLECTION: usize = 64;
/// The longest key: an account or a state.
const KEY: usize = 256;
/// The largest value, as JSON: tokens and their keys have some kilobytes.
const VALUE: usize = 64 * 1024;
/// The most values that a provider keeps: strangers may begin sign-ins, and must not fill the database.
const RECORDS: i64 = 10_000;

/// Where a provider stands while it signs somebody in.
pub(crate) struct ProviderRoom {
    cms: Cms,
    provider: String,
    redirect_uri: String,
}

impl ProviderRoom {
    pub(crate) fn new(cms: &Cms, provider: &str) -> Self {
        let redirect_uri = format!("{}{}/auth/oauth/{provider}/callback", cms.product().origin(), cms.product().api());
        Self { cms: cms.clone(), provider: provider.to_owned(), redirect_uri }
    }

    async fn run<O: Operation>(&self, operation: O) -> Result<O::Output, ProviderError> {
        self.cms.invoke(&Actor::System, Door::Local, operation).await.map_err(|error| ProviderError::Room(Box::new(error)))
    }
}

impl Room for ProviderRoom {
    fn now(&self) -> Timestamp {
        self.cms.now()
    }

    fn public_origin(&self) -> &str {
        self.cms.product().origin().as_str()
    }

    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    fn put(&self, record: Record) -> Promise<'_, Result<(), ProviderError>> {
        let Record { collection, key, value, expires_at } = record;
        let operation = PutRecord { provider: self.provider.clone(), collection, key, value, expires_at };
        Box::pin(async move { self.run(operation).await.map(|_| ()) })
    }

    fn get<'a>(&'a self, collection: &'a str, key: &'a str) -> Promise<'a, Result<Option<Value>, ProviderError>> {
        let operation = GetRecord { provider: self.provider.clone(), collection: collection.to_owned(), key: key.to_owned() };
        Box::pin(async move { self.run(operation).await.map(|found| found.value) })
    }

    fn take<'a>(&'a self, collection: &'a str, key: &'a str) -> Promise<'a, Result<Option<Value>, ProviderError>> {
        let operation = TakeRecord { provider: self.provider.clone(), collection: collection.to_owned(), key: key.to_owned() };
        Box::pin(async move { self.run(operation).await.map(|found| found.value) })
    }
}

/// Keep a value for a provider.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutRecord {
    /// The provider.
    pub provider: String,
    /// Its collection.
    pub collection: String,
    /// The key.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Until when.
    pub expires_at: Option<Timestamp>,
}

/// Read a value that a provider keeps.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetRecord {
    /// The provider.
    pub provider: String,
    /// Its collection.
    pub collection: String,
    /// The key.
    pub key: String,
}

/// Take a value that a provider keeps: nobody gets it after that.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TakeRecord {
    /// The provider.
    pub provider: String,
    /// Its collection.
    pub collection: String,
    /// The key.
    pub key: String,
}

/// The value is kept.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordKept {
    /// Always true.
    pub success: bool,
}

/// What a provider keeps under a key.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordFound {
    /// The value, if there is one whose time is not over.
    pub value: Option<Value>,
}

impl Operation for PutRecord {
    const ID: &'static str = "provider_record.put";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = RecordKept;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RecordKept, Error> {
        let value = self.value.to_string();
        for (name, length, most) in
            [("collection", self.collection.len(), COLLECTION), ("key", self.key.len(), KEY), ("value", value.len(), VALUE)]
        {
            if length == 0 || length > most {
                return Err(Error::issue(name, "INVALID_LENGTH", format!("has 1 to {most} bytes")));
            }
        }
        let now = cx.now();
        let tx = cx.tx().await?;
        if tx.reader().provider_records().count(&self.provider).await? >= RECORDS {
            tx.provider_records().prune(now, usize::MAX).await?;
            if tx.reader().provider_records().count(&self.provider).await? >= RECORDS {
                return Err(Error::issue("provider", "TOO_MANY", format!("a provider keeps at most {RECORDS} values")));
            }
        }
        tx.provider_records().put(&self.provider, &self.collection, &self.key, &value, self.expires_at).await?;
        Ok(RecordKept { success: true })
    }
}

impl Operation for GetRecord {
    const ID: &'static str = "provider_record.get";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = RecordFound;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RecordFound, Error> {
        let text = cx.read().provider_records().get(&self.provider, &self.collection, &self.key, cx.now()).await?;
        Ok(RecordFound { value: text.as_deref().map(serde_json::from_str).transpose()? })
    }
}

impl Operation for TakeRecord {
    const ID: &'static str = "provider_record.take";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = RecordFound;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RecordFound, Error> {
        let now = cx.now();
        let text = cx.tx().await?.provider_records().take(&self.provider, &self.collection, &self.key, now).await?;
        Ok(RecordFound { value: text.as_deref().map(serde_json::from_str).transpose()? })
    }
}
