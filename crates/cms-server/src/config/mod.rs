//! The configuration: every setting with its default, in one type that also describes itself.

mod layers;
mod mail;
mod media;
mod policies;
mod settings;
mod sign_in;
mod values;

use std::num::NonZeroU32;

use cms_domain::{
    locale::Locales,
    product::{self, CookieName, HeaderName, Origin, Prefix, TokenPrefix},
    time_zone::TimeZone,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use layers::{ConfigError, Flag, Layers, Resolved};
pub(crate) use mail::Mail;
pub(crate) use media::{CHILD, Media};
pub(crate) use policies::{OAuth, SignIn, Tokens};
pub(crate) use settings::{Setting, schema, settings};
pub(crate) use sign_in::{Gateway, Providers};
pub(crate) use values::{DatabaseUrl, ListenAddress, SetupToken, Size, Span};

/// Configuration of the server `cms`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// How requests come in.
    pub(crate) server: Server,
    /// Names that a host may choose.
    pub(crate) product: Product,
    /// Where rows are kept.
    pub(crate) database: Database,
    /// The site.
    pub(crate) site: Site,
    /// Who may do what to content, where sites differ.
    pub(crate) content: Content,
    /// The library: where files are kept, and which are taken.
    pub(crate) media: Media,
    /// What the API gives to whom.
    pub(crate) api: Api,
    /// How long people stay signed in.
    pub(crate) sessions: Sessions,
    /// What ways in must be like.
    pub(crate) sign_in: SignIn,
    /// Access tokens of people.
    pub(crate) tokens: Tokens,
    /// What users grant to applications.
    pub(crate) oauth: OAuth,
    /// How mail is sent.
    pub(crate) mail: Mail,
    /// Providers where people sign in elsewhere.
    pub(crate) providers: Providers,
    /// An identity-aware proxy in front of the server.
    pub(crate) gateway: Gateway,
    /// Preview links.
    pub(crate) preview: Preview,
    /// How long history is kept.
    pub(crate) retention: Retention,
    /// What is logged. Logs go to the standard error output.
    pub(crate) log: Log,
    /// Measurements for Prometheus.
    pub(crate) metrics: Metrics,
}

/// How requests come in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Server {
    /// Address and port to listen on. Port 0 takes a free one.
    pub(crate) listen: ListenAddress,
    /// Origin under which clients reach the server, when there is a proxy before it.
    pub(crate) public_origin: Option<Origin>,
    /// What lets a browser set the site up, at least 16 characters. Without it each start of the server makes a new one and shows
    /// it; of several servers the last one that started has the one that counts. It does nothing once there is an admin.
    pub(crate) setup_token: Option<SetupToken>,
    /// Largest body of a request.
    pub(crate) body_limit: Size,
    /// Memory for bodies that are arriving, over all requests at once. A quarter is for bodies of up to 64 KiB alone; the rest has room for
    /// at least one of the largest. Who finds no room is told to send again.
    pub(crate) body_memory: Size,
    /// How long the body of a request may take to arrive.
    pub(crate) body_timeout: Span,
    /// How long the head of a request may take to arrive, and how long a connection may be idle.
    pub(crate) header_timeout: Span,
    /// How long an answer may take to be made.
    pub(crate) request_timeout: Span,
    /// How long the server goes on answering when it is stopped, while `/readyz` says that it is about to: what a proxy needs to notice.
    pub(crate) drain: Span,
    /// How long requests that are being answered may take to end when the server is stopped.
    pub(crate) shutdown_grace: Span,
    /// How many connections are served at once; others wait.
    pub(crate) max_connections: NonZeroU32,
    /// How many proxies in front of the server add the address that they saw to the header of `server.forwarded_header`. Rate limits and
    /// the audit log know clients by it; 0 takes the address of whoever connects.
    pub(crate) trusted_proxies: u8,
    /// Which header the trusted proxies add to: `x-forwarded-for`, or `forwarded` as RFC 7239 has it. The other one is never believed: it
    /// may be the caller's own.
    pub(crate) forwarded_header: ForwardedHeader,
    /// Origins whose scripts may call the API.
    pub(crate) cors_origins: Vec<Origin>,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: ListenAddress::default(),
            public_origin: None,
            setup_token: None,
            body_limit: Size::mib(10),
            body_memory: Size::mib(32),
            body_timeout: Span::seconds(30),
            header_timeout: Span::seconds(30),
            request_timeout: Span::seconds(60),
            drain: Span::seconds(0),
            shutdown_grace: Span::seconds(20),
            max_connections: NonZeroU32::MIN.saturating_add(9_999),
            trusted_proxies: 0,
            forwarded_header: ForwardedHeader::XForwardedFor,
            cors_origins: Vec::new(),
        }
    }
}

/// In which header proxies say for whom they ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ForwardedHeader {
    XForwardedFor,
    Forwarded,
}

/// Names that a host may choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Product {
    /// Path below which everything is served.
    pub(crate) prefix: Prefix,
    /// What personal access tokens begin with.
    pub(crate) token_prefix: TokenPrefix,
    /// What access tokens of applications begin with.
    pub(crate) access_token_prefix: TokenPrefix,
    /// What refresh tokens of applications begin with.
    pub(crate) refresh_token_prefix: TokenPrefix,
    /// The header that a browser's requests must carry, with the value 1, when they change something.
    pub(crate) csrf_header: HeaderName,
    /// What the cookie of a session is called; over HTTPS it gets `__Host-` before it.
    pub(crate) session_cookie: CookieName,
}

impl Default for Product {
    fn default() -> Self {
        let product::Product { prefix, token_prefix, access_token_prefix, refresh_token_prefix, csrf_header, session_cookie, .. } =
            product::Product::default();
        Self { prefix, token_prefix, access_token_prefix, refresh_token_prefix, csrf_header, session_cookie }
    }
}

/// Where rows are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Database {
    /// `sqlite:` and a path, or `postgres://user:password@host/name`.
    pub(crate) url: DatabaseUrl,
    /// When a commit on SQLite is on disk: `normal` survives the end of the process, `full` a loss of power too.
    pub(crate) synchronous: Synchronous,
    /// How many connections of each server read for requests.
    pub(crate) max_readers: NonZeroU32,
    /// How many connections of each server write to PostgreSQL for requests; SQLite has one. The background has eight of its own besides.
    pub(crate) max_writers: NonZeroU32,
    /// Whether a pooler in transaction mode, such as PgBouncer, stands before PostgreSQL.
    pub(crate) transaction_pooling: bool,
    /// Whether commands bring the tables up to date when they start, or leave it to `cms migrate up`.
    pub(crate) migrate: Migrate,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: DatabaseUrl::default(),
            synchronous: Synchronous::Normal,
            max_readers: NonZeroU32::MIN.saturating_add(7),
            max_writers: NonZeroU32::MIN.saturating_add(7),
            transaction_pooling: false,
            migrate: Migrate::Auto,
        }
    }
}

/// When a commit on SQLite is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Synchronous {
    Normal,
    Full,
}

/// Who brings the tables up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Migrate {
    Auto,
    Manual,
}

/// The site.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Site {
    /// Languages of the content; the first is the default.
    pub(crate) locales: Locales,
    /// The time zone that editors mean when they write dates, as in `Europe/Berlin`. Without it each means their own.
    pub(crate) time_zone: Option<TimeZone>,
}

/// Who may do what to content, where sites differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Content {
    /// Whether contributors edit their own entries until somebody who may publish publishes or schedules them. Otherwise they only
    /// create.
    pub(crate) contributors_edit_own_drafts: bool,
}

impl Default for Content {
    fn default() -> Self {
        Self { contributors_edit_own_drafts: cms_core::Options::default().contributors_edit_own_drafts }
    }
}

/// What the API gives to whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Api {
    /// Whether published content may be read without signing in.
    pub(crate) public_read: bool,
    /// Memory for finished answers to readers of published content, and for finished entries of lists, by halves; `0B` for none.
    pub(crate) cache: Size,
}

impl Default for Api {
    fn default() -> Self {
        Self { public_read: false, cache: Size::mib(64) }
    }
}

/// How long people stay signed in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Sessions {
    /// How long a session may go unused.
    pub(crate) idle: Span,
    /// How long a session lasts at most.
    pub(crate) absolute: Span,
}

impl Default for Sessions {
    fn default() -> Self {
        let cms_core::SessionLife { idle, absolute } = cms_core::SessionLife::default();
        Self { idle: Span(idle), absolute: Span(absolute) }
    }
}

/// Previews of what is not public yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Preview {
    /// Origin of the site that shows entries beside the editor as they are written. Without it there is no such preview; links to previews need none.
    pub(crate) origin: Option<Origin>,
    /// Path of an entry on the site, with `{collection}`, `{id}`, `{slug}` and `{locale}` where they belong.
    pub(crate) path_pattern: String,
    /// Whether entries of the default locale have it in their path.
    pub(crate) prefix_default_locale: bool,
}

impl Default for Preview {
    fn default() -> Self {
        let cms_core::Preview { path_pattern, prefix_default_locale } = cms_core::Options::default().preview;
        Self { origin: None, path_pattern, prefix_default_locale }
    }
}

/// How long history is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Retention {
    /// How many revisions of an entry are kept besides the live one and the newest.
    pub(crate) revisions: u32,
    /// How long events are kept for servers that were away; a minute at least.
    pub(crate) events: Span,
    /// How long the audit log is kept.
    pub(crate) audit: Span,
}

impl Default for Retention {
    fn default() -> Self {
        let cms_core::Options { revisions_kept, events_kept, audit_kept, .. } = cms_core::Options::default();
        Self { revisions: revisions_kept, events: Span(events_kept), audit: Span(audit_kept) }
    }
}

/// What is logged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Log {
    /// Text on a terminal and JSON elsewhere, or always one of them.
    pub(crate) format: LogFormat,
    /// `error`, `warn`, `info`, `debug` or `trace`, also by module as in `info,cms_content=debug`. The variable `RUST_LOG` goes first.
    pub(crate) level: String,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Auto, level: "info".to_owned() }
    }
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Auto,
    Text,
    Json,
}

/// Measurements for Prometheus.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Metrics {
    /// Address and port of a second listener that serves `/metrics`. Without it nothing is measured.
    pub(crate) listen: Option<ListenAddress>,
}

impl Config {
    /// How the site is set up, for the core.
    pub(crate) fn options(&self) -> cms_core::Options {
        cms_core::Options {
            product: self.product(),
            locales: self.site.locales.clone(),
            time_zone: self.site.time_zone.clone(),
            public_read: self.api.public_read,
            sessions: cms_core::SessionLife { idle: self.sessions.idle.0, absolute: self.sessions.absolute.0 },
            policies: cms_core::Policies {
                require_user_verification: self.sign_in.require_user_verification,
                magic_links: self.sign_in.magic_links,
                token_max_age: self.tokens.max_age.as_ref().map(|age| age.0),
                not_linked_by_address: self.providers.not_linked_by_address(),
                grant_absolute: self.oauth.grant_absolute.0,
                security_notices: self.mail.security_notices,
            },
            audit_kept: self.retention.audit.0,
            contributors_edit_own_drafts: self.content.contributors_edit_own_drafts,
            preview: cms_core::Preview {
                path_pattern: self.preview.path_pattern.clone(),
                prefix_default_locale: self.preview.prefix_default_locale,
            },
            revisions_kept: self.retention.revisions,
            events_kept: self.retention.events.0,
            body_memory: self.server.body_memory.0,
            finished_memory: self.half_of_cache(),
            list_budget: cms_storage::ListQuery::BUDGET,
        }
    }

    /// Finished answers get one half of the memory for what is finished, and the entries that lists are made of the other.
    pub(crate) fn half_of_cache(&self) -> u64 {
        self.api.cache.0 as u64 / 2
    }

    /// What the product is called, and where it is.
    pub(crate) fn product(&self) -> product::Product {
        let Product { prefix, token_prefix, access_token_prefix, refresh_token_prefix, csrf_header, session_cookie } = self.product.clone();
        let product = product::Product::default();
        let port = self.server.listen.port();
        product::Product {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            prefix,
            public_origin: self.server.public_origin.clone(),
            local_origin: Origin::local(port),
            preview_origin: self.preview.origin.clone(),
            token_prefix,
            access_token_prefix,
            refresh_token_prefix,
            csrf_header,
            session_cookie,
            ..product
        }
    }

    /// How the store is opened.
    pub(crate) fn store(&self) -> cms_storage::StoreOptions {
        cms_storage::StoreOptions {
            url: self.database.url.reveal().to_owned(),
            sqlite_synchronous: match self.database.synchronous {
                Synchronous::Normal => cms_storage::Synchronous::Normal,
                Synchronous::Full => cms_storage::Synchronous::Full,
            },
            max_readers: self.database.max_readers.get(),
            max_writers: self.database.max_writers.get(),
            transaction_pooling: self.database.transaction_pooling,
        }
    }
}
