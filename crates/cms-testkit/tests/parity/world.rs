//! The small site behind both doors, with a token for each caller, and what the samples refer to.

use std::collections::HashMap;

use cms_core::{
    Clock,
    accounts::{
        allowed_domains::AddAllowedDomain,
        invitations::{Invite, ListInvitations},
        oauth::clients::CreateOAuthClient,
        sessions::ListSessions,
        tokens::ListTokens,
    },
    content::{
        entries::{bulk::ChangeEntries, preview, revisions},
        schema::fields::ListFields,
    },
    user_access::GetUserAccess,
};
use cms_domain::{
    access::{Actor, Scope, to},
    id::JobId,
    job::JobCommand,
    locale::Locale,
    user::Role,
};
use cms_storage::{Error, NewJob, TableSummary};
use cms_testkit::{Credential, Doors, TestApp, TestStore, site};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::{Caller, scopes_of};

/// A system behind its doors, and what somebody of each role who is signed in sends along.
pub(crate) struct House {
    pub(crate) doors: Doors,
    pub(crate) sessions: HashMap<Role, String>,
}

/// The system as the server opens it.
pub(crate) async fn built_in(app: TestApp) -> House {
    let doors = Doors::open(&app);
    let mut sessions = HashMap::new();
    for role in Role::ALL {
        sessions.insert(role, doors.session(role).await);
    }
    House { doors, sessions }
}

/// The small site behind both doors.
pub(crate) struct World {
    store: TestStore,
    pub(crate) doors: Doors,
    tokens: HashMap<Caller, String>,
    sessions: HashMap<Role, String>,
    /// The last of the site's locales: another than the default one, where there are several.
    pub(crate) locale: Locale,
    /// The fields of the posts, the last one first.
    pub(crate) fields: Vec<Value>,
    /// The oldest revision of the post `edited`.
    pub(crate) revision: String,
    /// The token of a preview link to the post `edited`.
    pub(crate) preview: String,
    /// The id of that link.
    pub(crate) link: String,
    /// The token that the administrator can revoke.
    pub(crate) token: String,
    /// The other session of the administrator.
    pub(crate) session: String,
    /// A session of the author.
    pub(crate) authors_session: String,
    /// A token of the author.
    pub(crate) authors_token: String,
    /// An invitation that nobody has accepted.
    pub(crate) invitation: String,
    /// A job that waits, one that is paused, and one that has failed.
    pub(crate) jobs: [JobId; 3],
    /// A bulk change that is over.
    pub(crate) bulk: JobId,
    /// A bulk change that waits.
    pub(crate) waiting_bulk: JobId,
    /// What operations made of their examples, by their ids.
    pub(crate) things: Mutex<HashMap<&'static str, Value>>,
}

/// The domain whose people may sign up.
pub(crate) const DOMAIN: &str = "example.org";
/// The application that may ask for access.
pub(crate) const APPLICATION: &str = "https://app.example.org";

impl World {
    pub(crate) async fn open() -> Self {
        Self::over(TestStore::sqlite().await.unwrap(), built_in).await
    }

    /// The site in a store that is empty, and the system that is started over it afterwards.
    pub(crate) async fn over(store: TestStore, start: impl AsyncFnOnce(TestApp) -> House) -> Self {
        let app = TestApp::open(store.store().clone()).await.unwrap();
        site::build(&app).await;
        let app = site::lose(&app).await;
        for role in [Role::Admin, Role::Author] {
            app.sign_in(role).await.unwrap();
        }
        let House { doors, sessions } = start(app).await;
        let app = doors.app().clone();
        let mut tokens = HashMap::new();
        for (caller, scope) in [(Caller::Narrow, Scope::MediaRead), (Caller::Reading, Scope::ContentRead)] {
            tokens.insert(caller, doors.token(Role::Admin, &[scope]).await);
        }
        for role in Role::ALL {
            tokens.insert(Caller::Role(role), doors.token(role, &scopes_of(role)).await);
        }
        let open = site::done::<ListSessions>(&app, Role::Admin, json!({})).await;
        site::done::<Invite>(&app, Role::Admin, json!({ "email": "guest@example.net" })).await;
        let invitations = site::done::<ListInvitations>(&app, Role::Admin, json!({})).await;
        site::done::<AddAllowedDomain>(&app, Role::Admin, json!({ "domain": DOMAIN, "defaultRole": 20 })).await;
        let application = json!({ "id": APPLICATION, "name": "App", "redirectUris": ["https://app.example.org/done"] });
        site::done::<CreateOAuthClient>(&app, Role::Admin, application).await;
        let listed = site::done::<ListFields>(&app, Role::Admin, json!({ "collection": "posts" })).await;
        let edited = json!({ "collection": "posts", "id": "edited" });
        let history = site::done::<revisions::ListRevisions>(&app, Role::Admin, edited.clone()).await;
        let oldest = history["items"].as_array().and_then(|items| items.last()).unwrap();
        let link = site::done::<preview::MakePreviewUrl>(&app, Role::Admin, edited).await;
        let preview = link["url"].as_str().and_then(|url| url.split_once("_preview=")).unwrap().1;
        let own = site::done::<ListTokens>(&app, Role::Admin, json!({})).await;
        let author = json!({ "id": TestApp::user(Role::Author) });
        let held = site::done::<GetUserAccess>(&app, Role::Admin, author).await;
        Self {
            doors,
            tokens,
            sessions,
            locale: app.cms().options().locales.all().last().unwrap().clone(),
            fields: listed["items"].as_array().unwrap().iter().rev().map(|field| field["slug"].clone()).collect(),
            revision: text(&oldest["id"]),
            preview: preview.to_owned(),
            link: text(&link["id"]),
            token: text(&own["items"][0]["id"]),
            session: text(&open["items"].as_array().and_then(|items| items.last()).unwrap()["id"]),
            authors_session: text(&held["sessions"]["items"][0]["id"]),
            authors_token: text(&held["tokens"]["items"][0]["id"]),
            invitation: text(&invitations["items"][0]["id"]),
            jobs: jobs(&app).await.unwrap(),
            bulk: cancelled_bulk(&app).await.unwrap(),
            waiting_bulk: bulk(&app).await,
            things: Mutex::default(),
            store,
        }
    }

    /// The token that a caller of tools sends; a caller with a session cannot call any.
    pub(crate) fn token(&self, caller: Caller) -> Result<Option<&str>, ()> {
        match caller {
            Caller::Session(_) => Err(()),
            _ => Ok(self.tokens.get(&caller).map(String::as_str)),
        }
    }

    /// What a caller sends to the REST API.
    pub(crate) fn credential(&self, caller: Caller) -> Credential<'_> {
        match (caller, self.tokens.get(&caller)) {
            (Caller::Session(role), _) => Credential::Session(&self.sessions[&role]),
            (_, Some(token)) => Credential::Token(token),
            (_, None) => Credential::None,
        }
    }

    /// What the store holds, table by table.
    pub(crate) async fn tables(&self) -> Vec<TableSummary> {
        let folder = tempfile::tempdir().unwrap();
        cms_storage::dump(self.store.store(), folder.path()).await.unwrap().tables
    }

    pub(crate) async fn close(self) {
        self.store.remove().await.unwrap();
    }
}

/// Makes a job that waits, one that is paused, and one that has failed.
async fn jobs(app: &TestApp) -> Result<[JobId; 3], Error> {
    const KIND: &str = "site.sample_content";
    let now = app.clock().now();
    let [waits, paused, failed] = [1, 2, 3].map(|n| JobId::from_parts(1, n));
    let tx = app.store().write().await?;
    for id in [failed, paused, waits] {
        let (input, created_at) = ("{}".to_owned(), now);
        tx.jobs()
            .insert(&NewJob {
                id,
                kind: KIND,
                version: 1,
                input,
                name: None,
                asked_by: None,
                acts_for: None,
                priority: 0,
                checkpoint: None,
                done: 0,
                total: None,
                created_at,
            })
            .await?;
        if id == failed
            && let Some(job) = tx.jobs().claim("a", &[(KIND, 1)], now, now).await?
        {
            tx.jobs().fail(id, job.claim, "no disk", None, now).await?;
        }
    }
    tx.jobs().command(&Actor::System.permit(to::ManageJobs).unwrap(), paused, JobCommand::Pause, now).await?;
    tx.commit().await?;
    Ok([waits, paused, failed])
}

/// Makes a bulk change that waits.
async fn bulk(app: &TestApp) -> JobId {
    let change = json!({ "collection": "posts", "action": "publish", "filter": { "status": "draft" } });
    let asked = site::done::<ChangeEntries>(app, Role::Admin, change).await;
    text(&asked["job"]).parse().unwrap()
}

/// Makes a bulk change that was cancelled before it began.
async fn cancelled_bulk(app: &TestApp) -> Result<JobId, Error> {
    let id = bulk(app).await;
    let tx = app.store().write().await?;
    tx.jobs().command(&Actor::System.permit(to::ManageJobs).unwrap(), id, JobCommand::Cancel, app.clock().now()).await?;
    tx.commit().await?;
    Ok(id)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not text: {value}")).to_owned()
}
