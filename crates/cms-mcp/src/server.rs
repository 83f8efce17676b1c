//! The protocol's server: says who it is, lists tools and calls them.

use std::{panic::AssertUnwindSafe, sync::Arc};

use cms_domain::access::Actor;
use cms_frame::{Client, Cms, Code, Error, catalog::Made, panic_message, refusal};
use futures_util::FutureExt;
use http::request::Parts;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod, CompleteRequestParams, CompleteResult,
        CustomRequest, CustomResult, ErrorCode, Implementation, InitializeResult, ListPromptsRequestMethod, ListPromptsResult,
        ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use tracing::{Instrument, Span};

use crate::{McpOptions, discovery, reply, splice::Splice, step_up::StepUp, tools::Tools};

/// How many tools a page has. Clients that do not page see them all.
const PAGE: usize = 250;

/// What an agent is told before it begins.
const INSTRUCTIONS: &str = "\
Tools of a content management system. Content is entries in collections; a collection has fields.

- Begin with `schema_list_collections` and `schema_get_collection` to learn the collections and their fields.
- An edit of a published entry is a draft until `content_publish`; `content_compare` shows what it would change.
- Answers about an entry carry `_rev`. Send it with the next change of that entry: when somebody else changed it in between, the change is refused \
with CONFLICT; read the entry again and repeat the change.
- `id` takes an entry's id or its slug; with a slug, name the `locale`.
- Lists come in pages: send `nextCursor` back as `cursor`, with everything else unchanged.
- A failure begins with a stable code in brackets. VALIDATION_ERROR lists every problem with its path.
- `content_delete` moves to the trash, from which `content_restore` brings back; what is called permanent is for ever.";

/// One handle for all requests: the protocol is spoken without sessions.
#[derive(Clone)]
pub(crate) struct Server(Arc<Inner>);

struct Inner {
    cms: Cms,
    tools: Made<Tools>,
    options: Arc<McpOptions>,
}

impl Server {
    pub(crate) fn new(cms: Cms, options: Arc<McpOptions>) -> Self {
        Self(Arc::new(Inner { cms, tools: Made::default(), options }))
    }

    /// The tools that there are now.
    fn tools(&self) -> Arc<Tools> {
        self.0.tools.of(&self.0.cms.catalog(), |catalog| Tools::of(catalog))
    }

    async fn call(&self, request: CallToolRequestParams, http: &Parts) -> Result<CallToolResult, ErrorData> {
        let (actor, client) = (actor(http)?, client(http)?);
        let tools = self.tools();
        let splice = splice(http)?;
        let called = async {
            let entry = tools.get(&request.name).ok_or_else(|| Error::new(Code::UnknownTool))?;
            let arguments = request.arguments.unwrap_or_default();
            let called = entry.call(&self.0.cms, actor, client, arguments, self.0.options.request_timeout).await;
            called.inspect_err(|error| refusal::tell(client, actor.user(), entry.operation.id, error))?.to_json()
        };
        // The protocol waits for ever for the answer of a call that panics.
        let called = AssertUnwindSafe(called).catch_unwind().await.unwrap_or_else(|panic| {
            tracing::error!(panic = panic_message(&*panic), "a tool panicked");
            Err(Error::new(Code::InternalError))
        });
        Ok(match called.and_then(|answer| splice.leave(answer)) {
            Ok(result) => result,
            Err(error) => {
                let origin = discovery::origin(self.0.cms.product(), &http.headers);
                if let (Some(step_up), Some(scopes)) = (http.extensions.get::<StepUp>(), reply::wanted(&error, actor)) {
                    step_up.ask(&origin, &scopes);
                }
                reply::failure(&error, &origin, client.request_id.as_deref().unwrap_or_default())
            }
        })
    }
}

/// The HTTP request behind a message.
fn http(context: &RequestContext<RoleServer>) -> Result<&Parts, ErrorData> {
    context.extensions.get::<Parts>().ok_or_else(|| ErrorData::internal_error("the request has no transport", None))
}

/// Where the transport takes the answer from.
fn splice(http: &Parts) -> Result<&Splice, ErrorData> {
    http.extensions.get::<Splice>().ok_or_else(|| ErrorData::internal_error("the request has no place for an answer", None))
}

/// Who the transport let in.
fn actor(http: &Parts) -> Result<&Actor, ErrorData> {
    http.extensions.get::<Actor>().ok_or_else(|| ErrorData::internal_error("the request has no caller", None))
}

/// Where the request comes from, and its id.
fn client(http: &Parts) -> Result<&Client, ErrorData> {
    http.extensions.get::<Client>().ok_or_else(|| ErrorData::internal_error("the request has no sender", None))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let product = self.0.cms.product();
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("cms", &product.version).with_title(product.name.as_str()))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let (cms, actor) = (&self.0.cms, actor(http(&context)?)?);
        // This door has no anonymous callers, so what the public may read does not matter.
        let may = |access| actor.could(cms.access(access));
        let (tools, next) = self
            .tools()
            .page(may, cursor.as_deref(), PAGE)
            .ok_or_else(|| ErrorData::invalid_params("the cursor does not belong to this list", None))?;
        let mut page = ListToolsResult::with_all_items(tools);
        page.next_cursor = next;
        Ok(page)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let http = http(&context)?;
        // The protocol runs each call in a task of its own, which knows nothing of the request's span.
        let span = http.extensions.get().cloned().unwrap_or_else(Span::current);
        Ok(self.call(request, http).instrument(span).await?.into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().get(name).map(|entry| entry.tool.clone())
    }

    /// What no typed request matched: a method that is not ours, or one of ours whose parameters cannot be read.
    async fn on_custom_request(&self, request: CustomRequest, _: RequestContext<RoleServer>) -> Result<CustomResult, ErrorData> {
        let ours = ["initialize", "ping", "tools/call", "tools/list", "server/discover"];
        if ours.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(format!("the parameters of `{}` cannot be read", request.method), None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None))
    }

    // The library answers these with empty lists; a capability that is not offered is not there.

    async fn list_prompts(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }

    async fn complete(&self, _: CompleteRequestParams, _: RequestContext<RoleServer>) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }
}
