//! What clients learn of this server before they have anything: the one source of its discovery documents.

use cms_domain::access::Actor;
use cms_frame::{Cms, Door, Error};
use serde_json::{Value, json};

use super::{client::GrantType, origin, pkce};
use crate::{Services, providers::GetAuthMode};

/// Where the document of the authorization server is, below an origin and before the path of its issuer (RFC 8414, 3).
pub const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
/// Where the document of the protected resource is, below an origin and before the path of the resource (RFC 9728, 3).
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// What the authorization server is and can do (RFC 8414).
pub fn authorization_server(cms: &Cms, origin: &str) -> Value {
    let issuer = origin::issuer(cms.product(), origin);
    let grants = GrantType::ALL.map(GrantType::name);
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/api/oauth/token"),
        "registration_endpoint": format!("{issuer}/api/oauth/register"),
        "revocation_endpoint": format!("{issuer}/api/oauth/revoke"),
        "device_authorization_endpoint": format!("{issuer}/api/oauth/device/code"),
        "scopes_supported": cms.catalog().scopes(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": grants,
        "code_challenge_methods_supported": [pkce::METHOD],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [format!("{issuer}/api/mcp")],
    })
}

/// What the tool endpoint is, and who gives tokens for it (RFC 9728).
pub fn protected_resource(cms: &Cms, origin: &str) -> Value {
    let issuer = origin::issuer(cms.product(), origin);
    json!({
        "resource": format!("{issuer}/api/mcp"),
        "resource_name": cms.product().name,
        "authorization_servers": [issuer],
        "scopes_supported": cms.catalog().scopes(),
        "bearer_methods_supported": ["header"],
    })
}

/// How programs of this product's own find their way in: names and paths, below whatever address they were given.
pub async fn ways_in(cms: &Cms) -> Result<Value, Error> {
    let product = cms.product();
    let (prefix, api) = (&product.prefix, product.api());
    let name = cms.invoke(&Actor::Anonymous, Door::Local, GetAuthMode {}).await?.title;
    Ok(json!({
        "instance": { "name": name.as_deref().unwrap_or(product.name.as_str()), "version": product.version },
        "auth": {
            "mode": if Services::of(cms).gateway.is_some() { "external" } else { "passkey" },
            "methods": {
                "device_flow": {
                    "client_id": super::client::COMMAND_LINE,
                    "device_authorization_endpoint": format!("{api}/oauth/device/code"),
                    "token_endpoint": format!("{api}/oauth/token"),
                },
                "authorization_code": {
                    "authorization_endpoint": format!("{prefix}/oauth/authorize"),
                    "token_endpoint": format!("{api}/oauth/token"),
                },
                "api_tokens": true,
            },
        },
    }))
}
