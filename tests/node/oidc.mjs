// Signs in at a provider of OpenID Connect that others wrote, as a browser does.
//
// Prints the issuer, reads the address of the server from its input, and then what happened, a line each.

import { createInterface } from "node:readline/promises";

import { openProvider } from "./provider.mjs";

const provider = await openProvider();
const { issuer } = provider;
console.log(issuer);

const input = createInterface({ input: process.stdin });
const address = (await input[Symbol.asyncIterator]().next()).value.trim();
const port = new URL(address).port;
provider.serve(port);

/** A browser: it keeps the cookies of each host, and follows redirects only when it is told to. */
class Browser {
  jars = new Map();

  async open(url, form) {
    const jar = this.jars.get(new URL(url).host) ?? new Map();
    this.jars.set(new URL(url).host, jar);
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
    const answer = await fetch(url, {
      method: form ? "POST" : "GET",
      body: form && new URLSearchParams(form),
      headers,
      redirect: "manual",
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    const next = answer.headers.get("location");
    return { status: answer.status, text: await answer.text(), next: next && new URL(next, url).href };
  }

  /** Goes on until the server's callback is next. */
  async signIn(login) {
    let at = await this.open(`http://localhost:${port}/_cms/api/auth/oauth/work?return=/_cms/admin/content`);
    for (let step = 0; step < 12; step += 1) {
      if (at.next?.includes("/callback?")) return at.next;
      if (at.next) {
        at = await this.open(at.next);
        continue;
      }
      const action = at.text.match(/action="([^"]+)"/)?.[1];
      const prompt = at.text.match(/name="prompt" value="([^"]+)"/)?.[1];
      if (!action) throw new Error(`no way on: ${at.status} ${at.text}`);
      at = await this.open(new URL(action, issuer).href, { prompt, login, password: "x" });
    }
    throw new Error("the provider does not come to an end");
  }

  /** Where the callback leads, and as whom. */
  async end(callback) {
    const landed = await this.open(callback);
    const me = await this.open(`http://localhost:${port}/_cms/api/auth/me`);
    const { pathname, search } = new URL(landed.next);
    return `${pathname}${search} as ${me.status === 200 ? JSON.parse(me.text).data.email : "nobody"}`;
  }
}

const ada = new Browser();
const callback = await ada.signIn("ada");
console.log("foreign browser:", await new Browser().end(callback));
console.log("signed in:", await ada.end(callback));
console.log("again:", await ada.end(callback).then((said) => said.split(" as ")[0]));
const mixed = new Browser();
const altered = new URL(await mixed.signIn("ada"));
altered.searchParams.set("iss", "https://evil.example");
console.log("other issuer:", await mixed.end(altered.href));
const silent = new Browser();
const without = new URL(await silent.signIn("ada"));
without.searchParams.delete("iss");
console.log("no issuer:", await silent.end(without.href));
const wrong = new Browser();
const code = new URL(await wrong.signIn("ada"));
code.searchParams.set("code", "made-up");
console.log("made-up code:", await wrong.end(code.href));
const unverified = new Browser();
console.log("unverified:", await unverified.end(await unverified.signIn("unada")));
const stranger = new Browser();
console.log("stranger:", await stranger.end(await stranger.signIn("eve")));
process.exit(0);
