// An access gateway on a port of its own of this machine: its keys, its statements, and what it knows of people.

import { createServer } from "node:http";

import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** What a server is configured with to take the gateway's statements for its own. */
const AUDIENCE = "a-tag-of-the-site";

/** Where the gateway answers servers, as their configuration has it when it says nothing else. */
const [KEYS, IDENTITY] = ["/cdn-cgi/access/certs", "/cdn-cgi/access/get-identity"];

/** Listens, and vouches for whom it is told to. */
export async function openGateway() {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }];
  const people = new Map();
  const listener = createServer((request, response) => {
    const said = { [KEYS]: () => ({ keys }), [IDENTITY]: () => people.get(/CF_Authorization=([^;]+)/.exec(request.headers.cookie)?.[1]) }[request.url]?.();
    response.writeHead(said ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(said ?? {}));
  });
  await new Promise((ready) => listener.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${listener.address().port}`;
  return {
    origin,
    /** The server's configuration. */
    config: `[gateway]\nteam_domain = "${origin}"\naudience = "${AUDIENCE}"\n`,
    /** The headers with which the gateway passes on what somebody's browser asks. */
    async vouch(email, name) {
      const claims = new SignJWT({ email, type: "app" }).setProtectedHeader({ alg: "ES256", kid: "one" });
      const statement = await claims.setIssuer(origin).setAudience([AUDIENCE]).setSubject(email).setIssuedAt().setNotBefore("0s").setExpirationTime("1h").sign(privateKey);
      people.set(statement, { id: email, email, name, groups: [], idp: { id: "1", type: "saml" } });
      return { "gateway-jwt-assertion": statement };
    },
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
}
