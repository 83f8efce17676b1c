//! A blog that has all of the CMS inside: its pages are read from published entries in process, its people are known by its own sessions, and the REST API
//! and the tools of the CMS are below a prefix of its own.

pub mod likes;
mod model;
pub mod pages;
pub mod rules;
pub mod sessions;

use anyhow::bail;
use axum::{Router, middleware::from_fn_with_state};
use cms_core::{
    Cms, Door, Error, Options, Parts,
    accounts::users::{CreateUser, ListUsers},
    catalog::Wire,
    content::entries::hooks::{AFTER_PUBLISH, BEFORE_SAVE},
    descriptor::Descriptor,
    hooks::{AFTER_EVENT, Hook},
    operation::Operation,
};
use cms_domain::{
    access::Actor,
    product::Product,
    user::{Email, PersonName, Role},
};
use cms_http_api::{HttpOptions, Raw};
use cms_mcp::McpOptions;
use cms_storage::{SchemaState, Store, StoreOptions};
use serde_json::{Value, json};

use crate::{
    likes::{LIKED, LikePost},
    rules::{Announce, Board, NoShouting, ReadingTime, Thank},
    sessions::{Member, Sessions},
};

/// Where the CMS is in this program's addresses.
pub const PREFIX: &str = "/studio";
/// The collection that the pages are made of.
pub const POSTS: &str = "posts";

/// The blog. A clone is another handle to the same one.
#[derive(Clone)]
pub struct Blog {
    /// The CMS inside.
    pub cms: Cms,
    /// Who is signed in.
    pub sessions: Sessions,
    /// What the blog's people are told of.
    pub board: Board,
}

/// Opens the database, SQLite or PostgreSQL by its address, and brings its tables up to date.
pub async fn open_store(url: &str) -> anyhow::Result<Store> {
    let store = Store::open(&StoreOptions::new(url)).await?;
    store.migrate().await?;
    match store.schema_state().await? {
        SchemaState::Ready => Ok(store),
        state => bail!("{state}"),
    }
}

impl Blog {
    /// The blog over a migrated database. `origin` is where the world reaches it: `https://blog.example`.
    pub async fn open(store: Store, origin: &str) -> anyhow::Result<Self> {
        Self::assemble(store, origin, Parts::default()).await
    }

    /// The blog with what tests bring along, such as a clock.
    pub async fn assemble(store: Store, origin: &str, parts: Parts) -> anyhow::Result<Self> {
        let product = Product {
            name: "The blog".parse()?,
            api_name: "API of the blog".parse()?,
            prefix: PREFIX.parse()?,
            public_origin: Some(origin.parse()?),
            ..Product::default()
        };
        let options = Options { product, public_read: true, ..Options::default() };
        let cms = cms_core::assemble(store, options, parts);
        let blog = Self { cms, sessions: Sessions::default(), board: Board::default() };
        blog.extend()?;
        model::ensure(&blog.cms).await?;
        Ok(blog)
    }

    /// Adds what the blog has of its own: an operation, rules for what is saved, and what follows what happened.
    fn extend(&self) -> Result<(), Error> {
        self.cms.add_operations([Descriptor::of::<LikePost>()])?;
        self.cms.add_hooks([
            Hook::new("blog.no_shouting", BEFORE_SAVE, NoShouting).about([POSTS]).reads(["title"]),
            Hook::new("blog.reading_time", BEFORE_SAVE, ReadingTime).about([POSTS]).reads(["body"]),
            Hook::after("blog.announce", AFTER_PUBLISH, Announce(self.board.clone())).about([POSTS]).reads(["title"]),
            Hook::after("blog.thank", AFTER_EVENT, Thank(self.board.clone())).about([LIKED]),
        ])
    }

    /// Everything that the blog answers: its pages, the REST API and the tools. Each request has a caller before it gets there.
    pub fn router(&self) -> Router {
        let api = cms_http_api::router_with(self.cms.clone(), HttpOptions::default(), vec![self.tools()]);
        pages::router(self).merge(api).layer(from_fn_with_state(self.sessions.clone(), sessions::name_caller))
    }

    /// The endpoint for tools, in the frame of the REST API.
    fn tools(&self) -> Raw {
        let endpoint = cms_mcp::Endpoint::new(self.cms.clone(), McpOptions::default());
        let refusing = endpoint.clone();
        let route = Raw::new(Wire::TOOLS, move |asked| {
            let endpoint = endpoint.clone();
            Box::pin(async move { endpoint.answer(asked.parts, asked.client, asked.body.read()).await })
        });
        route.refusing(move |parts, error, status| Some(refusing.refused(parts, error, status)))
    }

    /// Somebody whom the blog knows, with an account in the CMS: it is what entries name as their author, and the audit log as whoever did something.
    pub async fn member(&self, email: &str, name: &str, role: Role) -> anyhow::Result<Member> {
        let email: Email = email.parse()?;
        let found = ask::<ListUsers>(&self.cms, &Actor::System, json!({ "search": email })).await?;
        let known = found.items.into_iter().map(|found| found.user).find(|user| user.email == email);
        let user = if let Some(user) = known {
            user
        } else {
            let name: PersonName = name.parse()?;
            self.cms.invoke(&Actor::System, Door::Local, CreateUser { email, name: Some(name), role }).await?
        };
        Ok(Member { user: user.id, role })
    }

    /// Whether browsers come encrypted.
    fn is_secure(&self) -> bool {
        self.cms.product().is_secure()
    }

    /// Whether this is the blog's origin.
    fn is_own(&self, origin: &str) -> bool {
        self.cms.product().origin().as_str() == origin
    }
}

/// Does an operation in process, with an input as the REST API would have it.
pub async fn ask<O: Operation>(cms: &Cms, actor: &Actor, input: Value) -> Result<O::Output, Error> {
    let operation: O = cms.read(input.as_object().cloned().unwrap_or_default())?;
    cms.invoke(actor, Door::Local, operation).await
}
