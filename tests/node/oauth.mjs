// A certified client library against the authorization server, unmodified: discovery, registration, code with PKCE, refresh,
// revocation and the device grant: node oauth.mjs ORIGIN LINK
import assert from "node:assert/strict";
import * as oauth from "openid-client";
import { approve, approveDevice, signIn } from "./person.mjs";

const [origin, link] = process.argv.slice(2);
const session = await signIn(origin, link);
const issuer = new URL(`${origin}/_cms`);
const options = { algorithm: "oauth2", execute: [oauth.allowInsecureRequests] };
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";

// A native application: it registers an address without a port, and is answered at the one it got.
const callback = "http://127.0.0.1:49321/callback";
const metadata = {
  client_name: "Journey",
  redirect_uris: ["http://127.0.0.1/callback"],
  grant_types: ["authorization_code", "refresh_token", DEVICE],
  token_endpoint_auth_method: "none",
};
const config = await oauth.dynamicClientRegistration(issuer, metadata, oauth.None(), options);
assert.equal(config.serverMetadata().issuer, issuer.href);
console.log("pass discovery");
console.log("pass registration");

async function letIn() {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const address = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: "content:read schema:read",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  });
  const answer = await approve(address, session);
  // The library checks state and issuer.
  return oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state });
}

async function status(token) {
  const collections = new URL(`${origin}/_cms/api/schema/collections`);
  return (await oauth.fetchProtectedResource(config, token, collections, "GET")).status;
}

const first = await letIn();
assert.equal(first.scope, "content:read schema:read");
assert.equal(await status(first.access_token), 200);
console.log("pass code with PKCE");

const second = await oauth.refreshTokenGrant(config, first.refresh_token);
assert.notEqual(second.refresh_token, first.refresh_token);
assert.equal(await status(second.access_token), 200);
await assert.rejects(oauth.refreshTokenGrant(config, first.refresh_token), { error: "invalid_grant" });
await assert.rejects(oauth.refreshTokenGrant(config, second.refresh_token), { error: "invalid_grant" });
console.log("pass refresh, once each");

const third = await letIn();
await oauth.tokenRevocation(config, third.refresh_token, { token_type_hint: "refresh_token" });
await assert.rejects(status(third.access_token));
await assert.rejects(oauth.refreshTokenGrant(config, third.refresh_token), { error: "invalid_grant" });
console.log("pass revocation");

const waiting = await oauth.initiateDeviceAuthorization(config, { scope: "content:read schema:read" });
assert.equal(new URL(waiting.verification_uri_complete).searchParams.get("code"), waiting.user_code);
const polling = oauth.pollDeviceAuthorizationGrant(config, waiting);
await approveDevice(origin, waiting.user_code, session);
const device = await polling;
assert.equal(await status(device.access_token), 200);
console.log("pass device grant");
