//! Both doors of one system, in process: requests go through the real routers without a socket.

use axum::{
    Router,
    body::{Body, to_bytes},
};
use cms_core::{Cms, Door, accounts::tokens::CreateToken, catalog::Wire, operation::Http, testing::TestApp};
use cms_domain::{
    access::{Actor, Scope},
    user::Role,
};
use cms_http_api::{HttpOptions, Raw, RouteRequest};
use cms_mcp::McpOptions;
use http::{HeaderValue, Method, Request, header};
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use crate::Answer;

/// The longest answer that a test reads.
const LONGEST: usize = 64 * 1024 * 1024;

/// What a request says of its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential<'a> {
    /// Nothing.
    None,
    /// An access token.
    Token(&'a str),
    /// The secret of a session, as a page of the site sends it.
    Session(&'a str),
}

/// Both doors of one system.
#[derive(Clone)]
pub struct Doors {
    app: TestApp,
    router: Router,
    prefix: String,
    cookie: String,
}

impl Doors {
    /// The doors as the server opens them.
    pub fn open(app: &TestApp) -> Self {
        Self::with(app, HttpOptions::default(), McpOptions::default())
    }

    /// The doors, set up by the test.
    pub fn with(app: &TestApp, http: HttpOptions, mcp: McpOptions) -> Self {
        // The pages that may call are one list in the configuration.
        let http = HttpOptions { cors_origins: [http.cors_origins, mcp.allowed_origins.clone()].concat(), ..http };
        let router = cms_http_api::router_with(app.cms().clone(), http, vec![tools(app.cms(), mcp)]);
        let product = app.cms().product();
        Self::of_host(app, router, product.prefix.as_str(), product.session_cookie.as_str())
    }

    /// The doors as a host has opened them in a router of its own: below which prefix, and what the cookie of its sessions is called.
    pub fn of_host(app: &TestApp, router: Router, prefix: &str, cookie: &str) -> Self {
        Self { app: app.clone(), router, prefix: prefix.to_owned(), cookie: cookie.to_owned() }
    }

    /// The system behind the doors.
    pub fn app(&self) -> &TestApp {
        &self.app
    }

    /// A new token for the user of a role.
    ///
    /// # Panics
    /// Panics when the role cannot have one of the scopes.
    pub async fn token(&self, role: Role, scopes: &[Scope]) -> String {
        let user = format!("{role}@example.com").parse().ok();
        let operation = CreateToken { user, name: "test".to_owned(), scopes: scopes.iter().copied().collect(), expires_at: None };
        match self.app.cms().invoke(&Actor::System, Door::Local, operation).await {
            Ok(created) => created.token,
            Err(error) => panic!("no token for {role}: {error:?}"),
        }
    }

    /// A new token for the user of a role, with every scope that the role can have.
    pub async fn widest_token(&self, role: Role) -> String {
        let scopes: Vec<_> = Scope::ALL.iter().copied().filter(|scope| scope.least_role() <= role).collect();
        self.token(role, &scopes).await
    }

    /// Sends a request.
    ///
    /// # Panics
    /// Panics when the answer breaks off.
    pub async fn send(&self, mut request: Request<Body>) -> Answer {
        // Every client says which host it asks.
        request.headers_mut().entry(header::HOST).or_insert(HeaderValue::from_static("localhost"));
        let Ok(response) = self.router.clone().oneshot(request).await;
        let (parts, body) = response.into_parts();
        let bytes = match to_bytes(body, LONGEST).await {
            Ok(bytes) => bytes.to_vec(),
            Err(error) => panic!("the answer broke off: {error}"),
        };
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        Answer { status: parts.status, headers: parts.headers, body, bytes }
    }

    /// The secret of a new session of the user of a role.
    ///
    /// # Panics
    /// Panics when the user may not sign in.
    pub async fn session(&self, role: Role) -> String {
        match self.app.sign_in(role).await {
            Ok(secret) => secret,
            Err(error) => panic!("no session for {role}: {error:?}"),
        }
    }

    /// Sends a request with a token to the REST API, whose paths begin below its root.
    pub async fn rest(&self, token: Option<&str>, method: Method, path: &str, body: Option<&Value>) -> Answer {
        self.rest_as(token.map_or(Credential::None, Credential::Token), method, path, body).await
    }

    /// Sends a request to the REST API.
    ///
    /// # Panics
    /// Panics when the path is not one.
    pub async fn rest_as(&self, credential: Credential<'_>, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let request = Request::builder().method(method).uri(format!("{}/api{path}", self.prefix));
        let request = match credential {
            Credential::None => request,
            Credential::Token(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            Credential::Session(secret) => request.header(header::COOKIE, format!("{}={secret}", self.cookie)).header("x-cms-request", "1"),
        };
        let request = match body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        match request {
            Ok(request) => self.send(request).await,
            Err(error) => panic!("not a request: {path}: {error}"),
        }
    }

    /// Calls an operation through REST: each member of the input goes where the route has it.
    ///
    /// # Panics
    /// Panics when a member of the path is missing.
    pub async fn call_rest(&self, credential: Credential<'_>, http: &Http, input: &Map<String, Value>) -> Answer {
        let request = match RouteRequest::new(http, input) {
            Ok(request) => request,
            Err(error) => panic!("no request to {}: {error}", http.operation_id),
        };
        self.rest_as(credential, request.method, &request.path, request.body.as_ref()).await
    }

    /// Sends one message to the tool endpoint.
    ///
    /// # Panics
    /// Never: the request is well-formed.
    pub async fn message(&self, token: Option<&str>, message: &Value) -> Answer {
        let request = Request::post(format!("{}/api/mcp", self.prefix))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream");
        let request = match token {
            Some(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        };
        match request.body(Body::from(message.to_string())) {
            Ok(request) => self.send(request).await,
            Err(error) => panic!("not a request: {error}"),
        }
    }

    /// Calls a tool.
    pub async fn call_tool(&self, token: Option<&str>, name: &str, arguments: &Map<String, Value>) -> Answer {
        let params = json!({ "name": name, "arguments": arguments });
        self.message(token, &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await
    }
}

/// The endpoint for tools, in the frame of the REST door.
fn tools(cms: &Cms, options: McpOptions) -> Raw {
    let endpoint = cms_mcp::Endpoint::new(cms.clone(), options);
    let refusing = endpoint.clone();
    let route = Raw::new(Wire::TOOLS, move |asked| {
        let endpoint = endpoint.clone();
        Box::pin(async move { endpoint.answer(asked.parts, asked.client, asked.body.read()).await })
    });
    route.refusing(move |parts, error, status| Some(refusing.refused(parts, error, status)))
}
