//! What an operation works with: who asks, what time it is, rows to read and one transaction to write.

use std::sync::Arc;

use cms_domain::{
    access::{Access, Actor, Permission, Permit, Visibility},
    collection::Collection,
    entry::Entry,
    event::Event,
    id::Id,
    locale::Locale,
    slug::CollectionSlug,
    time::Timestamp,
};
use cms_storage::{Reader, Tx};

use crate::{Cms, Code, Error, Options};

/// How a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The REST API. Edit locks apply here.
    Rest,
    /// A tool call.
    Tool,
    /// The command line, a task, or a host program.
    Local,
}

/// One invocation of an operation.
pub struct Cx<'a> {
    cms: &'a Cms,
    actor: &'a Actor,
    door: Door,
    access: Access,
    now: Timestamp,
    tx: Option<Tx>,
    events: Vec<Event>,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(cms: &'a Cms, actor: &'a Actor, door: Door, access: Access) -> Self {
        Self { cms, actor, door, access, now: cms.now(), tx: None, events: Vec::new() }
    }

    /// When the invocation began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// A new id.
    pub fn new_id<K>(&self) -> Id<K> {
        self.cms.new_id(self.now)
    }

    /// Who asks.
    pub fn actor(&self) -> &Actor {
        self.actor
    }

    /// How the request came in.
    pub fn door(&self) -> Door {
        self.door
    }

    /// What of the content the caller may see.
    pub fn visibility(&self) -> Visibility {
        self.actor.visibility()
    }

    /// How the site is set up.
    pub fn options(&self) -> &Options {
        self.cms.options()
    }

    /// The system that the invocation runs in.
    pub fn cms(&self) -> &Cms {
        self.cms
    }

    /// Proof that the caller has a permission.
    pub fn permit(&self, permission: Permission) -> Result<Permit, Error> {
        Ok(self.actor.permit(permission)?)
    }

    /// Proof that the caller may do this operation to this entry.
    pub fn permit_owned(&self, entry: &Entry) -> Result<Permit, Error> {
        Ok(self.actor.permit_owned(self.access, entry.author, entry.lifecycle.ever_live)?)
    }

    /// Rows: those of the open transaction, if there is one.
    pub fn read(&self) -> Reader<'_> {
        self.tx.as_ref().map_or_else(|| self.cms.store().reader(), Tx::reader)
    }

    /// The invocation's transaction, opened at its first use. The pipeline commits it when the operation succeeds.
    pub async fn tx(&mut self) -> Result<&Tx, Error> {
        if self.tx.is_none() {
            self.tx = Some(self.cms.store().write().await?);
        }
        // Filled above; the error only spares an unwrap.
        self.tx.as_ref().ok_or_else(|| Error::internal("no transaction"))
    }

    /// The collection, to read its entries.
    pub async fn collection(&self, slug: &CollectionSlug) -> Result<Arc<Collection>, Error> {
        self.cms.schema().collection(self.read(), slug).await?.ok_or_else(|| no_collection(slug))
    }

    /// The collection, to write its entries: nobody changes its fields before this invocation's transaction ends.
    pub async fn collection_for_write(&mut self, slug: &CollectionSlug) -> Result<Arc<Collection>, Error> {
        let known = self.collection(slug).await?;
        let version = self.tx().await?.collections().hold(known.id).await?;
        match version {
            Some(version) if version == known.version => Ok(known),
            // Another node, or an invocation that just ended, changed it.
            _ => {
                self.cms.schema().forget();
                self.collection(slug).await
            }
        }
    }

    /// The configured locale that a request names, or the default one.
    pub fn locale(&self, asked: Option<&Locale>) -> Result<Locale, Error> {
        let locales = &self.options().locales;
        match asked {
            None => Ok(locales.default_locale().clone()),
            Some(asked) => locales.resolve(asked).cloned().map_err(|unknown| Error::issue("locale", "UNKNOWN_LOCALE", unknown.to_string())),
        }
    }

    /// Tells what happened, once the transaction is committed.
    pub fn emit(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(crate) fn into_parts(self) -> (Option<Tx>, Vec<Event>) {
        (self.tx, self.events)
    }
}

/// There is no collection with the slug.
pub(crate) fn no_collection(slug: &CollectionSlug) -> Error {
    Error::with(Code::CollectionNotFound, format!("there is no collection `{slug}`"))
}
