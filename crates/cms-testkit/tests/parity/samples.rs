//! For each operation an input that succeeds for an administrator of the small site: the example that stands with it, or what is written here where it is
//! about things of the site.

use cms_core::operation::{Method, name_in};
use cms_domain::user::Role;
use cms_testkit::{Outcome, TestApp};
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::{
    Caller, Case, cases_of,
    world::{APPLICATION, DOMAIN, World},
};

/// Operations whose input is what somebody was sent, a file, or what an authenticator or a provider answers: no constant is a sample of
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
    ("content.watch", "cms-http-api/tests/rest/events.rs"),
    ("content.start_import", "cms-import/tests/jobs.rs"),
    ("content.download_export", "cms-import/tests/jobs.rs"),
    ("media.bring", "cms-media/tests/media/announced.rs"),
    ("media.confirm", "cms-media/tests/media/announced.rs"),
    ("user.revoke_grant", "cms-accounts/tests/accounts/oauth/refreshes.rs"),
];

/// Whether an operation has no sample because its own tests say what it does.
pub(crate) fn is_elsewhere(id: &str) -> bool {
    ELSEWHERE.iter().any(|(elsewhere, _)| *elsewhere == id)
}

/// What stands for an id that nothing has.
const NOTHING: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// The sample of an operation; of one that is tested elsewhere, only what its path needs.
pub(crate) async fn sample(case: &Case, world: &World) -> Map<String, Value> {
    match of(case.id, world) {
        Some(Value::Object(sample)) => sample,
        _ if is_elsewhere(case.id) => {
            let path = json!({ "id": NOTHING, "passkeyId": NOTHING, "grantId": NOTHING, "provider": "missing", "account": "missing" });
            path.as_object().unwrap().clone()
        }
        _ => example(case, world).await,
    }
}

/// The example that stands with an operation. What its address names is made at the address above that, by the example of the operation that makes it.
async fn example(case: &Case, world: &World) -> Map<String, Value> {
    let catalog = world.doors.app().cms().catalog();
    let schema = input(case, world);
    let stated = schema.pointer("/examples/0").and_then(Value::as_object).cloned();
    let mut example = stated.unwrap_or_default();
    for (at, _) in case.http.path.match_indices("/{") {
        let (above, below) = case.http.path.split_at(at);
        let name = below[1..].split('/').next().and_then(name_in).unwrap();
        let makes = |maker: &Case| maker.http.method == Method::Post && maker.http.path == above;
        let maker =
            cases_of(&catalog).into_iter().find(makes).unwrap_or_else(|| panic!("{} has no sample: add one to samples.rs", case.id));
        let thing = thing(&maker, world).await;
        let found = nearest(&thing, name).or_else(|| nearest(&thing, "id"));
        example.insert(name.to_owned(), found.unwrap_or_else(|| panic!("{} answers without `{name}`", maker.id)).clone());
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<_> = required.filter(|name| !example.contains_key(*name)).collect();
    assert!(missing.is_empty(), "{} needs {missing:?}: give its input `#[schemars(example = json!({{ … }}))]`", case.id);
    example
}

/// The schema of what an operation takes.
fn input(case: &Case, world: &World) -> Value {
    world.doors.app().cms().catalog().get(case.id).unwrap().whole_input(SchemaGenerator::default()).to_value()
}

/// The thing of a world that an operation makes of its example: one, however often it is asked for.
async fn thing(maker: &Case, world: &World) -> Value {
    if let Some(thing) = world.things.lock().await.get(maker.id) {
        return thing.clone();
    }
    let example = Box::pin(example(maker, world)).await;
    let answer = world.doors.call_rest(world.credential(Caller::admin(maker)), &maker.http, &example).await;
    let Outcome::Done(thing) = Outcome::of_rest(&answer) else { panic!("{}: its example must succeed: {answer:?}", maker.id) };
    world.things.lock().await.insert(maker.id, thing.clone());
    thing
}

/// The member of this name that is nearest to the beginning of an answer.
pub(crate) fn nearest<'a>(answer: &'a Value, name: &str) -> Option<&'a Value> {
    let inner = || match answer {
        Value::Object(members) => members.values().find_map(|member| nearest(member, name)),
        Value::Array(items) => items.iter().find_map(|item| nearest(item, name)),
        _ => None,
    };
    answer.get(name).filter(|found| found.is_string()).or_else(inner)
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
        "content.calendar" => json!({ "from": "2027-01-01T00:00:00Z", "to": "2027-02-01T00:00:00Z" }),
        "content.list" => {
            json!({ "collection": "posts", "orderBy": "title", "order": "asc", "limit": 2, "includeTotal": true, "fields": "title,tags", "include": "", "format": "markdown" })
        }
        "content.create" => {
            json!({ "collection": "posts", "data": { "title": "New", "tags": ["red"], "body": "# Head\n\nWords.\n" }, "format": "markdown", "locale": world.locale })
        }
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
        "content.update" => {
            with("live", json!({ "data": { "title": "Changed", "body": "Words.\n" }, "format": "markdown", "seo": { "title": "Found" } }))
        }
        "content.merge" => with("live", json!({ "base": {}, "data": { "tags": ["red"] } })),
        "content.unpublish" | "content.release_lock" => post("live"),
        "content.schedule" => with("draft", json!({ "scheduledAt": "2027-05-01T02:00:00+02:00" })),
        "content.unschedule" => post("planned"),
        "content.schedule_unpublish" => with("live", json!({ "unpublishAt": "2027-05-01T02:00:00+02:00" })),
        "content.bulk" => json!({ "collection": "posts", "action": "trash", "filter": { "status": "draft" } }),
        "content.cancel_bulk" => json!({ "id": world.waiting_bulk }),
        "content.get_bulk" | "content.undo_bulk" => json!({ "id": world.bulk }),
        "content.restore" | "content.permanent_delete" => post("trashed"),
        "content.authors" | "content.list_trashed" | "schema.list_fields" | "view.list" => json!({ "collection": "posts" }),
        "content.preview" => json!({ "token": world.preview }),
        "revision.get" | "revision.restore" => json!({ "revisionId": world.revision }),
        "schema.create_collection" => json!({ "slug": "pages", "label": "Pages" }),
        "schema.get_collection" => json!({ "slug": "posts", "includeSchema": true }),
        "schema.get_model" => json!({ "slug": "posts" }),
        "schema.update_collection" => json!({ "slug": "posts", "label": "Articles", "description": null }),
        "schema.delete_collection" => json!({ "slug": "posts", "force": true }),
        "schema.create_field" => json!({ "collection": "posts", "slug": "subtitle", "label": "Subtitle", "type": "string" }),
        "schema.get_field" | "schema.delete_field" => json!({ "collection": "posts", "fieldSlug": "price" }),
        "schema.update_field" => json!({ "collection": "posts", "fieldSlug": "price", "label": "Cost" }),
        "schema.check_type" => json!({ "collection": "posts", "fieldSlug": "price", "type": "string" }),
        "schema.rename_field" => json!({ "collection": "posts", "fieldSlug": "price", "slug": "cost" }),
        "schema.reorder_collections" => json!({ "slugs": ["posts"] }),
        "schema.reorder_fields" => json!({ "collection": "posts", "fieldSlugs": world.fields }),
        "schema.plan" | "schema.apply" => json!({ "collections": [{ "slug": "pages", "label": "Pages" }], "partial": true }),
        "schema.register_orphan" => json!({ "slug": "lost" }),
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
        "allowed_domain.update" => json!({ "domain": DOMAIN, "enabled": false }),
        "allowed_domain.delete" => json!({ "domain": DOMAIN }),
        "oauth_client.get" | "oauth_client.delete" => json!({ "id": APPLICATION }),
        "oauth_client.update" => json!({ "id": APPLICATION, "name": "Other" }),
        "jobs.get" | "jobs.pause" | "jobs.cancel" | "jobs.list_failed_items" => json!({ "id": world.jobs[0] }),
        "jobs.resume" => json!({ "id": world.jobs[1] }),
        "jobs.retry" => json!({ "id": world.jobs[2] }),
        "token.revoke" => json!({ "id": world.token }),
        // Of the example.
        "blog.like" => json!({ "id": "live" }),
        _ => return None,
    })
}

/// A value for a member of a path that names nothing: the first of these that the input takes.
pub(crate) fn missing(case: &Case, name: &str, world: &World) -> Value {
    let schema = input(case, world);
    let shared = schema.get("$defs").cloned().unwrap_or_else(|| json!({}));
    let alone = json!({ "properties": { name: schema["properties"][name] }, "$defs": shared });
    let takes = jsonschema::validator_for(&alone).unwrap();
    let names = ["missing", NOTHING, "missing.example"].map(|nothing| json!({ name: nothing }));
    let taken = names.into_iter().find(|named| takes.is_valid(named)).unwrap_or_else(|| panic!("{}: what is no `{name}`?", case.id));
    taken[name].clone()
}
