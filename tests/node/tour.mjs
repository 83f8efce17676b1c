// The README's tour over MCP, with the official SDK's client: node tests/node/tour.mjs URL TOKEN
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, token] = process.argv.slice(2);
const client = new Client({ name: "tour", version: "1.0.0" });
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
await client.connect(transport);

// The client checks each answer against the tool's output schema, once it knows the tools.
const { tools } = await client.listTools();
console.log(`${client.getServerVersion().name} ${client.getServerVersion().version} has ${tools.length} tools`);

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw Object.assign(new Error(result.content[0].text), { code: result._meta.code });
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

// What there is.
const { items: collections } = await call("schema_list_collections", {});
console.log(`collections: ${collections.map((collection) => collection.slug).join(", ")}`);
const { item: posts } = await call("schema_get_collection", { slug: "posts" });
console.log(`fields of posts: ${posts.fields.map((field) => `${field.slug}: ${field.type}`).join(", ")}`);

// Every published post, page by page.
let cursor;
let count = 0;
do {
  const page = await call("content_list", { collection: "posts", status: "published", limit: 25, cursor });
  count += page.items.length;
  cursor = page.nextCursor;
} while (cursor);
console.log(`${count} published posts`);

// Write, publish, and find it by the value of a field.
const slug = `from-an-agent-${Date.now()}`;
const { _rev: written } = await call("content_create", { collection: "posts", slug, data: { title: "From an agent", mood: "calm" } });
const { _rev: published } = await call("content_publish", { collection: "posts", id: slug, _rev: written });
const { items: calm } = await call("content_list", { collection: "posts", fieldFilters: JSON.stringify({ mood: "calm" }) });
assert.ok(calm.some((item) => item.slug === slug));

// Edit it: the edit is a draft until it is published.
const { _rev: edited } = await call("content_update", { collection: "posts", id: slug, _rev: published, data: { title: "From an agent, edited" } });
const { hasChanges, changes } = await call("content_compare", { collection: "posts", id: slug });
assert.ok(hasChanges);
console.log(`publishing would change: ${changes.map((change) => change.path).join(", ")}`);

// Who read it before the edit does not overwrite it.
await assert.rejects(call("content_update", { collection: "posts", id: slug, _rev: published, data: { title: "Too late" } }), { code: "CONFLICT" });
await call("content_publish", { collection: "posts", id: slug, _rev: edited });
const { item } = await call("content_get", { collection: "posts", id: slug });
assert.equal(item.data.title, "From an agent, edited");
assert.equal(item.hasDraft, false);
console.log(`published: ${item.data.title}`);

await client.close();
