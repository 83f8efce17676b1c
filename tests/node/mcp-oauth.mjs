// The official MCP SDK's client finds its own way in from a bare address: node mcp-oauth.mjs ENDPOINT LINK
import assert from "node:assert/strict";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { approve, signIn } from "./person.mjs";

const [endpoint, link] = process.argv.slice(2);
const session = await signIn(new URL(endpoint).origin, link);
const kept = {};
let answer;
const provider = {
  redirectUrl: "http://localhost:49322/callback",
  clientMetadata: {
    client_name: "Agent",
    redirect_uris: ["http://localhost:49322/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: async (address) => (answer = await approve(address, session)),
};

async function connect() {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider });
  return { transport, connected: client.connect(transport), client };
}

const refused = await connect();
await assert.rejects(refused.connected, UnauthorizedError);
assert.ok(kept.client.client_id && answer.searchParams.get("iss"));
await refused.transport.finishAuth(answer.searchParams.get("code"));
const { client, connected } = await connect();
await connected;
const { tools } = await client.listTools();
assert.ok(tools.some((tool) => tool.name === "content_list"));
console.log(`pass connected from a bare address: ${tools.length} tools`);
await client.close();

// When its access token is no good any more, the SDK gets another one by itself.
const before = kept.tokens.refresh_token;
kept.tokens = { ...kept.tokens, access_token: `${kept.tokens.access_token.slice(0, -2)}AA` };
const again = await connect();
await again.connected;
assert.notEqual(kept.tokens.refresh_token, before);
console.log("pass refreshed");
await again.client.close();
