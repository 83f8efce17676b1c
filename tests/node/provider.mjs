// A provider of OpenID Connect that others wrote, on a port of its own of this machine.

import { createServer } from "node:http";

import Provider from "oidc-provider";

/** What a server is configured with to know the provider as `work`. */
export const CLIENT = { client_id: "cms", client_secret: "s3cret" };

// The addresses that somebody has there: what is before the `@` is the account, and says whether it is verified.
const account = (_, id) => ({
  accountId: id,
  claims: () => ({ sub: id, name: "Ada", email: `${id.replace(/^un/, "")}@example.org`, email_verified: !id.startsWith("un") }),
});

/** Listens. Servers are told the issuer when they start; only then is it known where they are, which `serve` tells the provider. */
export async function openProvider() {
  const listener = createServer();
  await new Promise((ready) => listener.listen(0, "127.0.0.1", ready));
  const issuer = `http://127.0.0.1:${listener.address().port}`;
  return {
    issuer,
    /** Signs people in for the server at a port. */
    serve(port) {
      const provider = new Provider(issuer, {
        clients: [{ ...CLIENT, redirect_uris: [`http://localhost:${port}/_cms/api/auth/oauth/work/callback`] }],
        findAccount: account,
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
        pkce: { required: () => true },
        cookies: { keys: ["test"] },
      });
      listener.on("request", provider.callback());
    },
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
}
