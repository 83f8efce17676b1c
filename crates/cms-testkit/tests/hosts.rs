//! What a host or a plugin adds to a running system is at every door with the next request, and gone with the next when it is taken away.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use cms_core::{
    Client, Cms, Code, CustomCode, Cx, Door, Error, Kind,
    catalog::kept,
    descriptor::{Declaration, Descriptor, Handler, Pending},
    failures::Failures,
    hooks::{AFTER_EVENT, After, Hook, HookError, Proposal},
    operation::{Gives, Http, Limit, Operation, Proof, Tool},
    tasks::driver::ForgetNode,
    testing::{self, TestApp, TestStore},
    topics::{Subject, Topic},
};
use cms_domain::{
    access::{Access, Actor, CustomPermission, Permission, Scope},
    event::Event,
    user::Role,
};
use cms_http_api::openapi;
use cms_testkit::{Doors, access_matrix, site};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

const REFUND: Permission = Permission::Custom(&CustomPermission { name: "shop:refund", least_role: Role::Editor });
const SOLD_OUT: Code = Code::Custom(&CustomCode { name: "SHOP_SOLD_OUT", kind: Kind::Conflict, message: "there is none left" });

/// Refund an order.
///
/// The customer is told.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Refund {
    /// Which order.
    order: u32,
}

/// What became of it.
#[derive(Debug, Serialize, JsonSchema)]
struct Refunded {
    /// The order.
    order: u32,
}

impl Operation for Refund {
    const ID: &'static str = "shop.refund";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, REFUND);
    const HTTP: Http = Http::post("refundOrder", "/shop/orders/{order}/refund");
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[&[SOLD_OUT]];
    type Output = Refunded;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Refunded, Error> {
        cx.permit(REFUND)?;
        if self.order == 0 {
            return Err(Error::new(SOLD_OUT));
        }
        cx.emit(Event::Custom { name: "shop:refunded".to_owned(), details: json!({ "order": self.order }) });
        Ok(Refunded { order: self.order })
    }
}

/// Hears of events.
#[derive(Clone, Default)]
struct Hears(Arc<Mutex<Vec<Value>>>);

impl After for Hears {
    fn run<'a>(&'a self, change: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
        self.0.lock().unwrap().push(Value::Object(change.clone()));
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn hooks_hear_of_the_events_of_a_host_that_they_are_about_and_of_no_others() {
    testing::run(TestStore::sqlite().await.map(Some), |app| async move {
        let [about, of_all, of_none] = [(), (), ()].map(|()| Hears::default());
        let hooks = [
            Hook::after("shop.about", AFTER_EVENT, about.clone()).about(["shop:refunded"]),
            Hook::after("shop.all", AFTER_EVENT, of_all.clone()),
            Hook::after("shop.none", AFTER_EVENT, of_none.clone()).about(["shop:sold"]),
        ];
        let app = app.having::<Refund>();
        app.cms().add_hooks(hooks).unwrap();
        site::build(&app).await;
        app.run(Role::Editor, Refund { order: 7 }).await.unwrap();
        app.run(Role::Editor, Refund { order: 0 }).await.unwrap_err();
        app.settle().await.unwrap();
        let told = json!([{ "event": "shop:refunded", "details": { "order": 7 } }]);
        let heard = |hears: &Hears| Value::Array(hears.0.lock().unwrap().clone());
        assert_eq!([heard(&about), heard(&of_all), heard(&of_none)], [told.clone(), told, json!([])]);
    })
    .await;
}

/// Forget a server, which only the system does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sneak {}

impl Operation for Sneak {
    const ID: &'static str = "shop.sneak";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = ();

    async fn run(self, cx: &mut Cx<'_>) -> Result<(), Error> {
        cx.part(ForgetNode { node: "another".to_owned() }).await.map(drop)
    }
}

#[tokio::test]
async fn an_operation_that_a_host_adds_does_nothing_for_its_caller_that_they_may_not() {
    testing::run(TestStore::sqlite().await.map(Some), |app| async move {
        let refused = app.having::<Sneak>().cms().invoke(&Actor::Anonymous, Door::Local, Sneak {}).await.unwrap_err();
        assert_eq!(refused.code(), Code::InternalError);
    })
    .await;
}

/// What a plugin brings: it is known at run time alone, and waits until it is let go on.
struct Slow(Arc<Notify>);

impl Handler for Slow {
    fn run<'a>(&'a self, input: Value, _: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>> {
        Box::pin(async move {
            self.0.notified().await;
            Ok(json!({ "said": input["say"] }))
        })
    }
}

fn slow(id: &str, gate: &Arc<Notify>) -> Descriptor {
    slow_at(id, &format!("/plugins/{id}/echo"), gate)
}

fn slow_at(id: &str, path: &str, gate: &Arc<Notify>) -> Descriptor {
    slow_over(id, Http::post(kept(&format!("{id}Echo")), kept(path)), gate)
}

fn slow_over(id: &str, http: Http, gate: &Arc<Notify>) -> Descriptor {
    let declaration = Declaration {
        id: kept(id),
        access: Access::Needs(Scope::ContentRead, Permission::ContentRead),
        http,
        tool: Tool::Read,
        limit: Some(Limit::a_minute(100)),
        proof: Proof::Any,
        failures: &[],
        later: &[],
        time: Duration::from_mins(1),
        group: None,
    };
    let text = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name], "additionalProperties": false });
    Descriptor::of_handler(declaration, text("say"), text("said"), Slow(Arc::clone(gate))).unwrap()
}

async fn with_doors<T: Future<Output = ()> + Send + 'static>(test: impl FnOnce(TestApp, Doors) -> T + Send + 'static) {
    testing::run(TestStore::sqlite().await.map(Some), |app| async move {
        let doors = Doors::open(&app);
        test(app, doors).await;
    })
    .await;
}

async fn tools(doors: &Doors, token: &str) -> Vec<Value> {
    let listed = doors.message(Some(token), &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })).await;
    listed.body["result"]["tools"].as_array().unwrap().clone()
}

async fn document(doors: &Doors) -> Value {
    doors.rest(None, Method::GET, "/openapi.json", None).await.body
}

#[tokio::test]
async fn an_operation_of_a_host_is_at_every_door_at_once_and_gone_at_once() {
    with_doors(|app, doors| async move {
        let (editor, author) = (doors.widest_token(Role::Editor).await, doors.widest_token(Role::Author).await);
        let refund = |token: String, order: u32| {
            let doors = doors.clone();
            async move { doors.rest(Some(&token), Method::POST, &format!("/shop/orders/{order}/refund"), None).await }
        };
        let order: Map<String, Value> = [("order".to_owned(), json!(7))].into_iter().collect();
        let before = (document(&doors).await, tools(&doors, &editor).await.len());
        assert_eq!(refund(editor.clone(), 7).await.status, 404);

        let head = app.store().reader().outbox().head().await.unwrap();
        app.cms().add_operations([Descriptor::of::<Refund>()]).unwrap();
        let done = refund(editor.clone(), 7).await;
        assert_eq!((done.status.as_u16(), &done.body), (200, &json!({ "success": true, "data": { "order": 7 } })));
        let refused = refund(author.clone(), 7).await;
        assert_eq!((refused.status.as_u16(), &refused.body["error"]["code"]), (403, &json!("INSUFFICIENT_PERMISSIONS")));
        assert!(refused.body["error"]["message"].as_str().unwrap().contains("shop:refund"));
        let failed = refund(editor.clone(), 0).await;
        assert_eq!((failed.status.as_u16(), &failed.body["error"]["code"]), (409, &json!("SHOP_SOLD_OUT")));
        let told = app.store().reader().outbox().read_after(head, 10).await.unwrap();
        let told: Vec<_> = told.into_iter().filter_map(|(_, event)| event).collect();
        assert_eq!(told, [Event::Custom { name: "shop:refunded".to_owned(), details: json!({ "order": 7 }) }]);

        let described = document(&doors).await;
        let operation = &described["paths"]["/shop/orders/{order}/refund"]["post"];
        assert_eq!((&operation["operationId"], &operation["summary"]), (&json!("refundOrder"), &json!("Refund an order")));
        assert!(operation["responses"]["409"].to_string().contains("SHOP_SOLD_OUT"), "{operation}");
        assert_eq!(described, openapi(&app.cms().catalog(), app.cms().product()));

        let matrix = access_matrix(&app.cms().catalog());
        let line = matrix.lines().find(|line| line.starts_with("shop.refund ")).unwrap();
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[1..7], ["-", "-", "-", "-", "yes", "yes"], "{line}");
        assert!(line.ends_with("scope content:write; role shop:refund"), "{line}");

        let listed = tools(&doors, &editor).await;
        assert_eq!(listed.len(), before.1 + 1);
        let tool = listed.iter().find(|tool| tool["name"] == "shop_refund").unwrap();
        assert!(tool["description"].as_str().unwrap().contains("SHOP_SOLD_OUT"));
        assert!(tools(&doors, &author).await.iter().all(|tool| tool["name"] != "shop_refund"));
        let called = doors.call_tool(Some(&editor), "shop_refund", &order).await;
        assert_eq!(called.body["result"]["structuredContent"], json!({ "order": 7 }));

        app.cms().remove_operations(&["shop.refund"]);
        assert_eq!(refund(editor.clone(), 7).await.status, 404);
        let gone = doors.call_tool(Some(&editor), "shop_refund", &order).await;
        assert!(gone.body.to_string().contains("UNKNOWN_TOOL"), "{:?}", gone.body);
        assert_eq!((document(&doors).await, tools(&doors, &editor).await.len()), before);
        assert!(!access_matrix(&app.cms().catalog()).contains("shop.refund"));
    })
    .await;
}

#[tokio::test]
async fn a_call_of_what_is_taken_away_meanwhile_comes_to_its_end() {
    with_doors(|app, doors| async move {
        let token = doors.widest_token(Role::Author).await;
        let gate = Arc::new(Notify::new());
        app.cms().add_operations([slow("plugin.echo", &gate)]).unwrap();
        let call = |say: Value| {
            let (doors, token) = (doors.clone(), token.clone());
            tokio::spawn(
                async move { doors.rest(Some(&token), Method::POST, "/plugins/plugin.echo/echo", Some(&json!({ "say": say }))).await },
            )
        };
        let refused = call(json!(1)).await.unwrap();
        assert_eq!(refused.body["error"]["details"]["issues"][0]["path"], "say", "the schema holds");
        let under_way = call(json!("hello"));
        tokio::time::sleep(Duration::from_millis(200)).await;
        app.cms().remove_operations(&["plugin.echo"]);
        assert_eq!(call(json!("again")).await.unwrap().status, 404);
        gate.notify_one();
        assert_eq!(under_way.await.unwrap().body["data"], json!({ "said": "hello" }));

        app.cms().add_operations([slow("plugin.echo", &gate)]).unwrap();
        gate.notify_one();
        assert_eq!(call(json!("back")).await.unwrap().body["data"], json!({ "said": "back" }), "what was taken away can come again");
    })
    .await;
}

/// Says always the same to readers, until it is told that something else would be said.
struct Says(&'static str);

impl Handler for Says {
    fn run<'a>(&'a self, _: Value, cx: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>> {
        cx.shows(Topic::Custom("plugin:says".into()));
        Box::pin(async { Ok(if self.0.is_empty() { json!(3) } else { json!({ "said": self.0 }) }) })
    }
}

fn says(text: &'static str) -> Descriptor {
    let declaration = Declaration {
        access: Access::Reader,
        http: Http::get("says", "/plugins/says/{collection}").cached(&[Subject::Custom]),
        ..*slow("plugin.says", &Arc::default())
    };
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let input = object(json!({ "collection": { "type": "string" }, "day": { "type": "string", "format": "date" } }));
    Descriptor::of_handler(declaration, input, object(json!({ "said": { "type": "string" } })), Says(text)).unwrap()
}

#[tokio::test]
async fn what_another_operation_answered_at_an_address_is_not_kept_for_the_next() {
    with_doors(|app, doors| async move {
        site::build(&app).await;
        let reader = doors.widest_token(Role::Subscriber).await;
        let said = async || doors.rest(Some(&reader), Method::GET, "/plugins/says/posts", None).await.body["data"]["said"].clone();
        app.cms().add_operations([says("one")]).unwrap();
        assert_eq!((said().await, said().await), (json!("one"), json!("one")));
        app.cms().remove_operations(&["plugin.says"]);
        app.cms().add_operations([says("two")]).unwrap();
        assert_eq!(said().await, json!("two"));
    })
    .await;
}

/// Names its answer alike whatever it says, as operations do that show the same things in another form.
struct Signs(&'static str);

impl Handler for Signs {
    fn run<'a>(&'a self, _: Value, cx: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>> {
        cx.shows(Topic::Custom("plugin:says".into()));
        cx.sign(|| Some(7));
        Box::pin(async { Ok(json!({ "said": self.0 })) })
    }
}

#[tokio::test]
async fn what_another_operation_answered_is_not_confirmed_by_its_name() {
    with_doors(|app, doors| async move {
        site::build(&app).await;
        let reader = doors.widest_token(Role::Subscriber).await;
        let said = async || doors.rest(Some(&reader), Method::GET, "/plugins/says/posts", None).await.body["data"]["said"].clone();
        let signs = |text| {
            let object = |properties: Value| json!({ "type": "object", "properties": properties });
            let input = object(json!({ "collection": { "type": "string" } }));
            Descriptor::of_handler(*says(""), input, object(json!({ "said": { "type": "string" } })), Signs(text)).unwrap()
        };
        app.cms().add_operations([signs("one")]).unwrap();
        assert_eq!((said().await, said().await), (json!("one"), json!("one")));
        app.cms().remove_operations(&["plugin.says"]);
        app.cms().add_operations([signs("two")]).unwrap();
        assert_eq!(said().await, json!("two"));
    })
    .await;
}

/// Goes wrong in a way that nobody wrote down.
struct Panics;

impl Handler for Panics {
    fn run<'a>(&'a self, _: Value, _: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>> {
        Box::pin(async { panic!("a handler that panics") })
    }
}

#[tokio::test]
async fn a_call_that_panics_is_answered_at_both_doors() {
    with_doors(|app, doors| async move {
        let token = doors.widest_token(Role::Author).await;
        for tool in [Tool::Read, Tool::Write] {
            let declaration = Declaration { tool, ..*slow("plugin.panics", &Arc::default()) };
            let object = json!({ "type": "object" });
            app.cms().add_operations([Descriptor::of_handler(declaration, object.clone(), object, Panics).unwrap()]).unwrap();
            let rest = doors.rest(Some(&token), Method::POST, "/plugins/plugin.panics/echo", Some(&json!({}))).await;
            assert_eq!((rest.status.as_u16(), &rest.body["error"]["code"]), (500, &json!("INTERNAL_ERROR")), "{tool:?}");
            let arguments = Map::new();
            let called = doors.call_tool(Some(&token), "plugin_panics", &arguments);
            let called = tokio::time::timeout(Duration::from_secs(10), called).await.unwrap();
            assert!(called.body.to_string().contains("INTERNAL_ERROR"), "{tool:?}: {:?}", called.body);
            app.cms().remove_operations(&["plugin.panics"]);
        }
    })
    .await;
}

/// Begins to write, and waits for what never comes.
struct Hangs(Arc<Notify>);

impl Handler for Hangs {
    fn run<'a>(&'a self, _: Value, cx: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>> {
        Box::pin(async {
            cx.tx().await?;
            self.0.notify_one();
            std::future::pending().await
        })
    }
}

#[tokio::test]
async fn an_operation_of_a_host_that_never_ends_is_given_up_and_others_write() {
    with_doors(|app, _| async move {
        let time = Duration::from_secs(1);
        let declaration = Declaration { tool: Tool::Write, access: Access::System, time, ..*slow("plugin.hangs", &Arc::default()) };
        let (object, began) = (json!({ "type": "object" }), Arc::new(Notify::new()));
        let hangs = Descriptor::of_handler(declaration, object.clone(), object, Hangs(Arc::clone(&began))).unwrap();
        app.cms().add_operations([hangs]).unwrap();
        let invocation = app.cms().catalog().get("plugin.hangs").unwrap().read(Map::new()).unwrap();
        let cms = app.cms().clone();
        let hanging =
            tokio::spawn(
                async move { cms.perform(&Actor::System, Door::Local, &Client::default(), invocation, None).await.err().unwrap() },
            );
        began.notified().await;
        assert_eq!(tokio::time::timeout(Duration::from_secs(10), hanging).await.unwrap().unwrap().code(), Code::Busy);
        let forget = ForgetNode { node: "another".to_owned() };
        tokio::time::timeout(Duration::from_secs(10), app.cms().invoke(&Actor::System, Door::Local, forget)).await.unwrap().unwrap();
    })
    .await;
}

/// Takes operations away when it goes, as what installs them may.
struct Leaves(Cms);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.remove_operations(&["plugin.leaves"]);
    }
}

impl Handler for Leaves {
    fn run<'a>(&'a self, _: Value, _: &'a mut Cx<'_>) -> Pending<'a, Result<Value, Error>> {
        Box::pin(async { Ok(json!({})) })
    }
}

#[tokio::test]
async fn a_handler_that_is_refused_may_change_the_catalog_as_it_goes() {
    with_doors(|app, _| async move {
        let declaration = *slow_at("plugin.leaves", "/shop/", &Arc::default());
        let object = json!({ "type": "object" });
        let leaves = Descriptor::of_handler(declaration, object.clone(), object, Leaves(app.cms().clone())).unwrap();
        let cms = app.cms().clone();
        let refused = tokio::task::spawn_blocking(move || cms.add_operations([leaves]).unwrap_err());
        let refused = tokio::time::timeout(Duration::from_secs(10), refused).await.unwrap().unwrap();
        assert!(refused.message().contains("is not the template of an address"), "{refused}");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_what_it_states_is_not_added() {
    with_doors(|app, _| async move {
        let gate = Arc::default();
        let refused = |operation: Descriptor| app.cms().add_operations([operation]).unwrap_err().message().to_owned();
        let cached = |http: Http| http.cached(&[Subject::Custom]);
        let kept = "`plugin.b` cannot be added: only answers to GET that need no recent proof are kept";
        assert_eq!(refused(slow_over("plugin.b", cached(Http::post("echo", "/plugins/echo")), &gate)), kept);
        let declaration = Declaration { proof: Proof::Recent, ..*slow_over("plugin.b", cached(Http::get("echo", "/plugins/echo")), &gate) };
        let object = json!({ "type": "object" });
        assert_eq!(refused(Descriptor::of_handler(declaration, object.clone(), object, Says("")).unwrap()), kept);
        let name = "`shop:refund` cannot be added: `shop:refund` is not the name of a tool: at most 128 letters, digits, `_` and `-`";
        assert_eq!(refused(slow_at("shop:refund", "/plugins/echo", &gate)), name);
        assert!(refused(Descriptor::of::<Count>()).ends_with("what a tool answers is an object, and its output is none"));
    })
    .await;
}

/// Count the orders.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Count {}

impl Operation for Count {
    const ID: &'static str = "shop.count";
    const ACCESS: Access = Access::Needs(Scope::ContentRead, REFUND);
    const HTTP: Http = Http::get("countOrders", "/shop/orders/count");
    const TOOL: Tool = Tool::Read;
    type Output = u32;

    async fn run(self, _: &mut Cx<'_>) -> Result<u32, Error> {
        Ok(0)
    }
}

#[tokio::test]
async fn the_schemas_of_a_handler_are_what_holds() {
    with_doors(|app, doors| async move {
        let reader = doors.widest_token(Role::Subscriber).await;
        app.cms().add_operations([says("")]).unwrap();
        let get = async |path: &str| doors.rest(Some(&reader), Method::GET, path, None).await;
        let unknown = get("/plugins/says/posts?nonsense=1").await;
        assert_eq!(unknown.body["error"]["details"]["issues"][0]["code"], "UNKNOWN_KEY", "{unknown:?}");
        let no_day = get("/plugins/says/posts?day=tomorrow").await;
        assert_eq!(no_day.body["error"]["details"]["issues"][0]["path"], "day", "{no_day:?}");
        assert_eq!(get("/plugins/says/posts").await.status, 500, "an answer that does not fit is none");
        let declaration = *slow("plugin.other", &Arc::default());
        let object = || json!({ "type": "object" });
        for (input, problem) in [
            (json!({ "type": "string" }), "is not the schema of an object"),
            (json!({ "type": "object", "properties": { "a": { "$ref": "#/b" } } }), "refers to another schema"),
            (json!(true), "is not a JSON Schema"),
            (json!({ "type": "object", "properties": { "a": { "type": "wrong" } } }), "wrong"),
        ] {
            let refused = Descriptor::of_handler(declaration, input, object(), Says("")).err().unwrap();
            assert!(refused.message().contains(problem), "{refused}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_in_the_way_of_another_operation_is_not_added_and_nothing_with_it() {
    with_doors(|app, _| async move {
        let cms = app.cms();
        let before = cms.catalog().iter().count();
        let gate = Arc::default();
        let twice = cms.add_operations([slow("plugin.a", &gate), Descriptor::of::<Refund>(), slow("plugin.a", &gate)]).unwrap_err();
        assert_eq!(twice.message(), "`plugin.a` cannot be added: there is an operation of this id");
        assert_eq!(cms.catalog().iter().count(), before);
        let same_tool = cms.add_operations([slow("content_list", &gate)]).unwrap_err();
        assert_eq!(same_tool.message(), "`content_list` cannot be added: `content.list` has a tool of the same name");
        cms.add_operations([Descriptor::of::<Refund>()]).unwrap();
        assert!(cms.add_operations([Descriptor::of::<Refund>()]).is_err());
        for (path, problem) in [
            ("shop", "the address `shop` does not begin with a slash"),
            ("/shop/", "`/shop/` is not the template of an address"),
            ("/shop/{*rest}", "`/shop/{*rest}` is not the template of an address"),
            ("/oauth/token", "`/oauth/token` is the address of a door"),
            ("/auth/oauth/status", "`/auth/oauth/{provider}` is the address of a door"),
            ("/shop/{order}", "its input has no member `order`, which its address names"),
            ("/content/orders/say", "addresses of `content.get` would be found at `/content/orders/say`"),
        ] {
            let refused = cms.add_operations([slow_at("plugin.b", path, &gate)]).unwrap_err();
            assert_eq!(refused.message(), format!("`plugin.b` cannot be added: {problem}"));
        }
        let plain = Http::post("pluginEcho", "/plugins/echo").gives(Gives::Plain);
        let refused = cms.add_operations([slow_over("plugin.b", plain, &gate)]).unwrap_err();
        assert_eq!(refused.message(), "`plugin.b` cannot be added: no door answers `/plugins/echo` other than in the envelope");
        cms.remove_operations(&["content.create", "shop.refund"]);
        assert!(cms.catalog().get("content.create").is_some(), "what is built in stays");
        assert!(cms.catalog().get("shop.refund").is_none());
    })
    .await;
}
