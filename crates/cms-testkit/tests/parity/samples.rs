//! For each operation an input that succeeds for an administrator of the small site.

use cms_domain::user::Role;
use cms_testkit::TestApp;
use serde_json::{Map, Value, json};

use crate::world::{APPLICATION, DOMAIN, World};

/// Operations whose input is what somebody was sent or what an authenticator or a provider answers: no constant is a sample of
/// it. They have no tool, so that REST is their only door; their own tests, named here, say what they do and what the audit log says of
/// it.
pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    ("setup.begin", "cms-accounts/tests/accounts/setup.rs"),
    ("setup.begin_admin", "cms-accounts/tests/accounts/setup.rs"),
    ("setup.finish", "cms-accounts/tests/accounts/setup.rs"),
    ("passkey.register", "cms-accounts/tests/accounts/passkeys.rs"),
    ("passkey.rename", "cms-accounts/tests/accounts/passkeys.rs"),
    ("passkey.remove", "cms-accounts/tests/accounts/passkeys.rs"),
    ("passkey.sign_in", "cms-accounts/tests/accounts/passkey_sign_in.rs"),
    ("proof.passkey", "cms-accounts/tests/accounts/proofs.rs"),
    ("proof.begin_passkey", "cms-accounts/tests/accounts/proofs.rs"),
    ("proof.send_link", "cms-accounts/tests/accounts/proofs.rs"),
    ("proof.link", "cms-accounts/tests/accounts/proofs.rs"),
    ("proof.begin_provider", "cms-http-api/tests/sign_in/proofs.rs"),
    ("magic_link.send", "cms-accounts/tests/accounts/magic_links.rs"),
    ("magic_link.verify", "cms-accounts/tests/accounts/magic_links.rs"),
    ("sign_up.request", "cms-accounts/tests/accounts/sign_up.rs"),
    ("sign_up.check", "cms-accounts/tests/accounts/sign_up.rs"),
    ("sign_up.begin", "cms-accounts/tests/accounts/sign_up.rs"),
    ("sign_up.complete", "cms-accounts/tests/accounts/sign_up.rs"),
    ("invitation.check", "cms-accounts/tests/accounts/invitations.rs"),
    ("invitation.begin", "cms-accounts/tests/accounts/invitations.rs"),
    ("invitation.complete", "cms-accounts/tests/accounts/invitations.rs"),
    ("account.change_email", "cms-accounts/tests/accounts/addresses.rs"),
    ("account.confirm_email", "cms-accounts/tests/accounts/addresses.rs"),
    ("account.refuse_email_change", "cms-accounts/tests/accounts/stolen_sessions.rs"),
    ("provider.begin", "cms-http-api/tests/sign_in/providers.rs"),
    ("connection.begin", "cms-http-api/tests/sign_in/providers.rs"),
    ("connection.remove", "cms-http-api/tests/sign_in/providers.rs"),
    ("oauth.describe_request", "cms-accounts/tests/accounts/oauth/codes.rs"),
    ("oauth.decide", "cms-accounts/tests/accounts/oauth/codes.rs"),
    ("oauth.describe_device", "cms-accounts/tests/accounts/oauth/devices.rs"),
    ("oauth.decide_device", "cms-accounts/tests/accounts/oauth/devices.rs"),
    ("oauth.narrow_grant", "cms-accounts/tests/accounts/oauth/management.rs"),
    ("oauth.revoke_grant", "cms-accounts/tests/accounts/oauth/management.rs"),
    ("user.revoke_passkey", "cms-accounts/tests/accounts/staff.rs"),
    ("jobs.watch", "cms-http-api/tests/rest/events.rs"),
    ("user.revoke_grant", "cms-accounts/tests/accounts/oauth/refreshes.rs"),
];

/// Whether an operation has no sample because its own tests say what it does.
pub(crate) fn is_elsewhere(id: &str) -> bool {
    ELSEWHERE.iter().any(|(elsewhere, _)| *elsewhere == id)
}

/// The sample of an operation; of one that is tested elsewhere, only what its path needs.
pub(crate) fn map(id: &str, world: &World) -> Map<String, Value> {
    match of(id, world) {
        Some(Value::Object(sample)) => sample,
        None if is_elsewhere(id) => {
            let id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
            let path = json!({ "id": id, "passkeyId": id, "grantId": id, "provider": "missing", "account": "missing" });
            path.as_object().unwrap().clone()
        }
        _ => panic!("{id} has no sample input: add one to samples.rs"),
    }
}

/// An input that succeeds once.
pub(crate) fn of(id: &str, world: &World) -> Option<Value> {
    let post = |slug: &str| json!({ "collection": "posts", "id": slug, "locale": "en" });
    let with = |slug: &str, more: Value| {
        let mut input = post(slug);
        for (name, value) in more.as_object().unwrap() {
            input[name] = value.clone();
        }
        input
    };
    Some(match id {
        "content.list" => {
            json!({ "collection": "posts", "orderBy": "title", "order": "asc", "limit": 2, "includeTotal": true, "fields": "title,tags", "include": "" })
        }
        "content.create" => json!({ "collection": "posts", "data": { "title": "New", "tags": ["red"] }, "locale": world.locale }),
        "content.get"
        | "content.compare"
        | "content.discard_draft"
        | "content.translations"
        | "content.publish"
        | "content.delete"
        | "content.duplicate"
        | "content.get_lock"
        | "content.acquire_lock"
        | "content.preview_url"
        | "content.previews"
        | "content.revoke_previews"
        | "revision.list" => post("edited"),
        "content.revoke_preview" => with("edited", json!({ "previewId": world.link })),
        "content.update" => with("live", json!({ "data": { "title": "Changed" }, "seo": { "title": "Found" } })),
        "content.unpublish" | "content.release_lock" => post("live"),
        "content.schedule" => with("draft", json!({ "scheduledAt": "2027-05-01T02:00:00+02:00" })),
        "content.unschedule" => post("planned"),
        "content.restore" | "content.permanent_delete" => post("trashed"),
        "content.authors" | "content.list_trashed" | "schema.list_fields" => json!({ "collection": "posts" }),
        "content.preview" => json!({ "token": world.preview }),
        "revision.get" | "revision.restore" => json!({ "revisionId": world.revision }),
        "schema.create_collection" => json!({ "slug": "pages", "label": "Pages" }),
        "schema.get_collection" => json!({ "slug": "posts", "includeSchema": true }),
        "schema.update_collection" => json!({ "slug": "posts", "label": "Articles", "description": null }),
        "schema.delete_collection" => json!({ "slug": "posts", "force": true }),
        "schema.create_field" => json!({ "collection": "posts", "slug": "subtitle", "label": "Subtitle", "type": "string" }),
        "schema.get_field" | "schema.delete_field" => json!({ "collection": "posts", "fieldSlug": "price" }),
        "schema.update_field" => json!({ "collection": "posts", "fieldSlug": "price", "label": "Cost" }),
        "schema.reorder_collections" => json!({ "slugs": ["posts"] }),
        "schema.reorder_fields" => json!({ "collection": "posts", "fieldSlugs": world.fields }),
        "schema.register_orphan" => json!({ "slug": "lost" }),
        "schema.list_collections"
        | "schema.list_orphans"
        | "schema.export"
        | "schema.typescript"
        | "token.list"
        | "account.get"
        | "account.cancel_email_change"
        | "user.list"
        | "audit.list"
        | "policy.list"
        | "session.list"
        | "session.revoke_others"
        | "session.sign_out"
        | "setup.status"
        | "auth.mode"
        | "passkey.list"
        | "proof.get"
        | "passkey.begin"
        | "passkey.begin_sign_in"
        | "invitation.list"
        | "allowed_domain.list"
        | "connection.list"
        | "oauth.list_grants"
        | "oauth_client.list"
        | "jobs.list"
        | "jobs.list_tasks" => json!({}),
        "account.update" => json!({ "name": "Ada" }),
        "account.note_seen" => json!({ "action": "dismissWelcome" }),
        "session.revoke" => json!({ "id": world.session }),
        "user.get"
        | "user.get_access"
        | "user.end_access"
        | "user.disable"
        | "user.enable"
        | "user.list_sessions"
        | "user.revoke_sessions"
        | "user.send_recovery" => json!({ "id": TestApp::user(Role::Author) }),
        "user.revoke_session" => json!({ "id": TestApp::user(Role::Author), "sessionId": world.authors_session }),
        "user.revoke_token" => json!({ "id": TestApp::user(Role::Author), "tokenId": world.authors_token }),
        "user.update" => json!({ "id": TestApp::user(Role::Author), "name": "Ada" }),
        "invitation.create" => json!({ "email": "other@example.net", "role": 20 }),
        "invitation.resend" | "invitation.revoke" => json!({ "id": world.invitation }),
        "allowed_domain.create" => json!({ "domain": "example.net", "defaultRole": 30 }),
        "allowed_domain.update" => json!({ "domain": DOMAIN, "enabled": false }),
        "allowed_domain.delete" => json!({ "domain": DOMAIN }),
        "oauth_client.create" => json!({ "id": "app", "name": "App", "redirectUris": ["https://app.example/done"] }),
        "oauth_client.get" | "oauth_client.delete" => json!({ "id": APPLICATION }),
        "oauth_client.update" => json!({ "id": APPLICATION, "name": "Other" }),
        "token.create" => json!({ "name": "another", "scopes": ["content:read"] }),
        "jobs.get" | "jobs.pause" | "jobs.cancel" | "jobs.list_failed_items" => json!({ "id": world.jobs[0] }),
        "jobs.resume" => json!({ "id": world.jobs[1] }),
        "jobs.retry" => json!({ "id": world.jobs[2] }),
        "token.revoke" => json!({ "id": world.token }),
        // Of the example.
        "blog.like" => json!({ "id": "live" }),
        _ => return None,
    })
}

/// A value for a member of a path that names nothing.
pub(crate) fn missing(id: &str, name: &str) -> Value {
    match (id, name) {
        (_, "revisionId" | "previewId" | "sessionId" | "tokenId") => json!("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        (_, "id") if ["token.", "user.", "session.", "invitation.", "jobs."].iter().any(|area| id.starts_with(area)) => {
            json!("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        }
        (_, "domain") => json!("missing.example"),
        _ => json!("missing"),
    }
}
