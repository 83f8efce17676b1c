//! The OpenAPI document: what the types of the operations say, in the form that clients are generated from.

mod responses;
mod schemas;
mod texts;

use std::sync::Arc;

use aide::{
    openapi::{
        ApiKeyLocation, Components, Info, License, MediaType, OpenApi, Operation as Described, Parameter, ParameterData,
        ParameterSchemaOrContent, PathStyle, Paths, QueryStyle, ReferenceOr, RequestBody, SchemaObject, SecurityRequirement,
        SecurityScheme, Server,
    },
    transform::TransformOpenApi,
};
use cms_domain::{
    access::Access,
    product::{Origin, Product},
};
use cms_frame::{
    catalog::Catalog,
    descriptor::{Declaration, Descriptor},
    operation::{Gives, Http, Method, SentFile, Surface, Takes, Upload},
};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use self::schemas::{Schemas, object};
use crate::{cookies::Cookies, route::Place};

/// The document of every public operation of a catalog, in version 3.1 of OpenAPI.
pub fn openapi(catalog: &Catalog, product: &Product) -> Value {
    document(catalog.iter().filter(|operation| operation.http.surface == Surface::Public), product)
}

/// The document of every operation that has a route, those of the admin application included: for its own client. It is no
/// contract and may change with the application.
pub fn internal_openapi(catalog: &Catalog, product: &Product) -> Value {
    document(catalog.iter().filter(|operation| operation.http.surface != Surface::None), product)
}

/// An operation and its types.
struct Entry<'a> {
    operation: &'a Declaration,
    input: Value,
    output: Value,
    /// What the answer is, in words.
    answer: String,
}

fn document<'a>(operations: impl Iterator<Item = &'a Arc<Descriptor>>, product: &Product) -> Value {
    let mut schemas = Schemas::new();
    let mut entries: Vec<_> = operations.map(|operation| Entry::new(operation, &mut schemas)).collect();
    let failure = responses::failure_schema(&entries, &mut schemas);
    let definitions = schemas.finish(entries.iter_mut().map(|entry| &mut entry.input));
    let schemas = definitions.into_iter().map(|(name, schema)| (name, object(schema))).collect();
    let mut components = Components { schemas, ..Components::default() };
    components.schemas.insert(responses::FAILURE.to_owned(), object(failure));
    let mut paths = Paths::default();
    for entry in &entries {
        let operation = describe(entry, &mut components);
        let path = paths
            .paths
            .entry(entry.operation.http.path.to_owned())
            .or_insert_with(|| ReferenceOr::Item(aide::openapi::PathItem::default()));
        if let ReferenceOr::Item(path) = path {
            let place = match entry.operation.http.method {
                Method::Get => &mut path.get,
                Method::Post => &mut path.post,
                Method::Put => &mut path.put,
                Method::Patch => &mut path.patch,
                Method::Delete => &mut path.delete,
            };
            *place = Some(operation);
        }
    }
    components.schemas.sort_unstable_keys();
    components.security_schemes.insert(BEARER.to_owned(), ReferenceOr::Item(bearer()));
    components.security_schemes.insert(SESSION.to_owned(), ReferenceOr::Item(session(product)));
    components.security_schemes.insert(CSRF.to_owned(), ReferenceOr::Item(csrf(product)));
    let mut document = OpenApi {
        info: info(product),
        servers: vec![server(product)],
        paths: Some(paths),
        components: Some(components),
        security: Vec::new(),
        tags: texts::tags(entries.iter().map(|entry| entry.operation)),
        ..OpenApi::default()
    };
    let _ = TransformOpenApi::new(&mut document).strip_null_from_query_params();
    // The document is made of text, numbers and maps with text keys: nothing that JSON cannot say.
    serde_json::to_value(document).unwrap_or_default()
}

impl<'a> Entry<'a> {
    fn new(operation: &'a Descriptor, schemas: &mut Schemas) -> Self {
        let input = schemas.input(|generator| operation.input(generator));
        let output = schemas.output(|generator| operation.output(generator));
        let answer = schemas.description(&output);
        Self { operation, input, output, answer }
    }
}

/// The names of the security schemes.
const BEARER: &str = "bearer";
const SESSION: &str = "session";
const CSRF: &str = "csrf";

fn describe(entry: &Entry, components: &mut Components) -> Described {
    let Entry { operation: Declaration { access, http, .. }, input, .. } = entry;
    let (summary, description) = texts::of_operation(input["description"].as_str().unwrap_or_default(), *access);
    let mut body = Map::new();
    let mut parameters = Vec::new();
    for (name, member) in input["properties"].as_object().into_iter().flatten() {
        let place = Place::of(http, name);
        if place == Place::Body {
            body.insert(name.clone(), member.clone());
        } else {
            parameters.push(ReferenceOr::Item(parameter(place, name, member, is_required(input, name))));
        }
    }
    if http.is_cached() || matches!(http.gives, Gives::File(_)) {
        parameters.push(responses::if_none_match(components));
    }
    Described {
        tags: vec![texts::tag(entry.operation).0.to_owned()],
        summary: Some(summary),
        description: Some(description),
        operation_id: Some(http.operation_id.to_owned()),
        parameters,
        request_body: match http.takes {
            Takes::File(sent) => Some(ReferenceOr::Item(file(sent, &body))),
            Takes::Upload(Upload::Whole) => Some(ReferenceOr::Item(whole_upload())),
            Takes::Upload(Upload::Form) => Some(ReferenceOr::Item(form_upload(http, input, body, components))),
            _ => (!body.is_empty()).then(|| ReferenceOr::Item(request_body(http, input, body, components))),
        },
        responses: Some(responses::of_operation(entry, components)),
        security: security(*access, http.method),
        ..Described::default()
    }
}

fn is_required(input: &Value, name: &str) -> bool {
    input["required"].as_array().is_some_and(|required| required.iter().any(|known| known == name))
}

fn parameter(place: Place, name: &str, member: &Value, required: bool) -> Parameter {
    let mut schema = member.clone();
    let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    let parameter_data = ParameterData {
        name: name.to_owned(),
        description: description.as_ref().and_then(Value::as_str).map(str::to_owned),
        required: required || place == Place::Path,
        deprecated: None,
        format: spelling(schema),
        example: None,
        examples: IndexMap::new(),
        explode: None,
        extensions: IndexMap::new(),
    };
    match place {
        Place::Path => Parameter::Path { parameter_data, style: PathStyle::Simple },
        Place::Query | Place::Body => {
            Parameter::Query { parameter_data, allow_reserved: false, style: QueryStyle::Form, allow_empty_value: None }
        }
    }
}

/// How a parameter's value is spelled: plainly, or in JSON where it has members.
fn spelling(mut schema: Value) -> ParameterSchemaOrContent {
    let has_members =
        schema["type"] == "object" || schema["type"].as_array().is_some_and(|types| types.iter().any(|known| known == "object"));
    if !has_members {
        // A parameter that has no value is left out: none can be null.
        if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            values.retain(|value| !value.is_null());
        }
        return ParameterSchemaOrContent::Schema(object(schema));
    }
    schema["type"] = "object".into();
    let content = MediaType { schema: Some(object(schema)), ..MediaType::default() };
    ParameterSchemaOrContent::Content(IndexMap::from([(responses::JSON.to_owned(), content)]))
}

fn request_body(http: &Http, input: &Value, members: Map<String, Value>, components: &mut Components) -> RequestBody {
    let required: Vec<Value> = members.keys().filter(|name| is_required(input, name)).cloned().map(Value::String).collect();
    let is_needed = !required.is_empty();
    let is_sent = |(name, _): &(&String, &Value)| members.contains_key(*name);
    let stated = input.pointer("/examples/0").and_then(Value::as_object);
    let example = stated.map(|stated| stated.iter().filter(is_sent).map(|(name, value)| (name.clone(), value.clone())).collect());
    let mut schema = serde_json::json!({ "type": "object", "properties": members, "additionalProperties": false });
    if is_needed {
        schema["required"] = Value::Array(required);
    }
    let name = body_name(http.operation_id);
    let reference =
        SchemaObject { json_schema: schemars::Schema::new_ref(format!("#/components/schemas/{name}")), external_docs: None, example: None };
    components.schemas.insert(name, object(schema));
    let content = MediaType { schema: Some(reference), example: example.map(Value::Object), ..MediaType::default() };
    RequestBody { content: IndexMap::from([(responses::JSON.to_owned(), content)]), required: is_needed, ..RequestBody::default() }
}

/// A file as a body: bytes, which no JSON Schema describes.
fn file(sent: SentFile, members: &Map<String, Value>) -> RequestBody {
    let description = members.get(sent.member).and_then(|member| member["description"].as_str()).map(str::to_owned);
    let content = IndexMap::from([(sent.media_type.to_owned(), responses::bytes())]);
    RequestBody { description, content, required: true, ..RequestBody::default() }
}

/// A file of the library as all of a body: of whatever type it is.
fn whole_upload() -> RequestBody {
    let description = Some("The bytes of the file. `Content-Type` is their media type.".to_owned());
    RequestBody { description, content: IndexMap::from([("*/*".to_owned(), responses::bytes())]), required: true, ..RequestBody::default() }
}

/// A file of the library as a part of a form whose other parts are members, or within a JSON object.
fn form_upload(http: &Http, input: &Value, members: Map<String, Value>, components: &mut Components) -> RequestBody {
    let mut parts = members.clone();
    // What holds the file in JSON is the part `file` here.
    parts.remove("data");
    parts.insert("file".to_owned(), serde_json::json!({ "type": "string", "format": "binary", "description": "The file." }));
    let form = serde_json::json!({ "type": "object", "properties": parts, "required": ["file"], "additionalProperties": false });
    let mut body = request_body(http, input, members, components);
    body.content.insert("multipart/form-data".to_owned(), MediaType { schema: Some(object(form)), ..MediaType::default() });
    body.required = true;
    body
}

/// `updateContent` has `UpdateContentBody`.
fn body_name(operation_id: &str) -> String {
    let mut characters = operation_id.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).chain("Body".chars()).collect()
}

/// What a request proves who sends it with: a token, or the session of a browser, which needs the header too where it changes something.
fn security(access: Access, method: Method) -> Vec<SecurityRequirement> {
    let session = if method == Method::Get { requirement(&[SESSION]) } else { requirement(&[SESSION, CSRF]) };
    match access {
        Access::Public => vec![requirement(&[])],
        Access::Reader => vec![requirement(&[BEARER]), session, requirement(&[])],
        Access::Account(_) => vec![session],
        Access::SignedIn | Access::Needs(..) | Access::Owned { .. } | Access::System => vec![requirement(&[BEARER]), session],
    }
}

fn requirement(schemes: &[&str]) -> SecurityRequirement {
    schemes.iter().map(|scheme| ((*scheme).to_owned(), Vec::new())).collect()
}

fn bearer() -> SecurityScheme {
    SecurityScheme::Http {
        scheme: BEARER.to_owned(),
        bearer_format: None,
        description: Some("An access token. It is limited by its scopes and by the role of its user.".to_owned()),
        extensions: IndexMap::new(),
    }
}

fn session(product: &Product) -> SecurityScheme {
    SecurityScheme::ApiKey {
        location: ApiKeyLocation::Cookie,
        name: Cookies::new(product).session_name().to_owned(),
        description: Some("The session of a browser. It is limited by the role of its user.".to_owned()),
        extensions: IndexMap::new(),
    }
}

fn csrf(product: &Product) -> SecurityScheme {
    SecurityScheme::ApiKey {
        location: ApiKeyLocation::Header,
        name: product.csrf_header.to_string(),
        description: Some(
            "Always `1`: it shows that a page of this site sends the request. Changes need it beside a session. Where anyone may make one, a \
             browser needs it unless the page's `Origin` is the site's own. A token needs none."
                .to_owned(),
        ),
        extensions: IndexMap::new(),
    }
}

fn info(product: &Product) -> Info {
    Info {
        title: product.api_name.to_string(),
        description: Some(texts::ABOUT.to_owned()),
        version: product.version.clone(),
        license: Some(License { name: LICENSE.to_owned(), identifier: Some(LICENSE.to_owned()), ..License::default() }),
        ..Info::default()
    }
}

const LICENSE: &str = env!("CARGO_PKG_LICENSE");

fn server(product: &Product) -> Server {
    let origin = product.public_origin.as_ref().map_or("", Origin::as_str);
    Server { url: format!("{origin}{}", product.api()), ..Server::default() }
}
