// A person at a browser, who is signed in and approves what they are asked: the admin application's half of the journey.
import assert from "node:assert/strict";

async function ask(address, session, body) {
  const response = await fetch(address, {
    method: body ? "POST" : "GET",
    headers: { Cookie: `cms_session=${session}`, "X-CMS-Request": "1", "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(answer.success, JSON.stringify(answer));
  return answer.data;
}

// Opens the link that `cms admin recover` printed, and answers with what the browser keeps.
export async function signIn(origin, link) {
  const response = await fetch(`${origin}/_cms/api/auth/magic-link/verify`, {
    method: "POST",
    headers: { "X-CMS-Request": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ token: link.split("#token=")[1] }),
  });
  assert.equal(response.status, 200, await response.text());
  const [cookie] = response.headers.getSetCookie().filter((cookie) => cookie.startsWith("cms_session="));
  return cookie.slice("cms_session=".length).split(";")[0];
}

// Follows an authorization request to the page, approves everything the role allows, and answers with where the browser is sent.
export async function approve(address, session) {
  const sentOn = await fetch(address, { redirect: "manual" });
  assert.equal(sentOn.status, 302, await sentOn.text());
  const page = new URL(sentOn.headers.get("location"), address);
  assert.equal(page.pathname, "/_cms/admin/authorize");
  const api = new URL("/_cms/api/oauth/authorize", page);
  const asked = await ask(`${api}/request${page.search}`, session);
  const scopes = asked.scopes.filter((scope) => scope.allowed).map((scope) => scope.scope);
  const decided = await ask(api, session, { request: Object.fromEntries(page.searchParams), scopes, action: "approve" });
  return new URL(decided.redirect);
}

// Types the code that another device shows, and approves it.
export async function approveDevice(origin, code, session) {
  const asked = await ask(`${origin}/_cms/api/oauth/device?code=${code}`, session);
  assert.equal(asked.userCode, code);
  const scopes = asked.scopes.filter((scope) => scope.allowed).map((scope) => scope.scope);
  assert.deepEqual(await ask(`${origin}/_cms/api/oauth/device/authorize`, session, { user_code: code, action: "approve", scopes }), { authorized: true });
}
