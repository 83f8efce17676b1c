// A little site of its own origin, as people build them: it renders entries on its server, by the token of a preview or by their slug, and its pages follow
// what is written by `preview.js`. Ways to build it wrong are in its hand.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const script = new URL("../../crates/cms-admin/site/preview.js", import.meta.url);

const escape = (text) => String(text ?? "").replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Opens the site. Tell it where the CMS is by setting `cms`, and how its pages are wrong by setting `wrong`. */
export async function openLittleSite() {
  const site = {
    /** Origin of the CMS. */
    cms: "",
    /** `script` leaves it out, `admin` names another application in it, `frame` forbids frames, `version` speaks another one. */
    wrong: undefined,
    /** What was asked for. */
    asked: [],
    /** The entry as its page was sent it by the CMS. */
    async entry(token) {
      const answer = await fetch(`${site.cms}/_cms/api/preview/${token}`);
      return answer.ok ? (await answer.json()).data.item : undefined;
    },
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, site.origin);
    site.asked.push(pathname);
    if (pathname === "/preview.js") {
      const source = await readFile(script, "utf8");
      response.writeHead(200, { "content-type": "text/javascript" });
      return response.end(site.wrong === "version" ? source.replace("const VERSION = 1;", "const VERSION = 99;") : source);
    }
    const headers = { "content-type": "text/html; charset=utf-8", "referrer-policy": "no-referrer" };
    if (site.wrong === "frame") headers["x-frame-options"] = "DENY";
    response.writeHead(200, headers);
    if (pathname === "/about") return response.end("<!doctype html><title>About</title><h1>About this site</h1><p>No script here.</p>");
    if (pathname === "/journal") return response.end(page({ title: "All notes", body: "<p>A list.</p>", site }));
    const token = searchParams.get("_preview");
    const item = token && (await site.entry(token));
    if (!item) return response.end(page({ title: "Not found", body: "<p>There is no such note.</p>", site }));
    return response.end(page({ title: item.data.title, body: `<p id="summary">${escape(item.data.summary)}</p><p id="slug">${escape(item.slug)}</p>`, site }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.origin = `http://127.0.0.1:${server.address().port}`;
  site.config = `[preview]\norigin = "${site.origin}"\n`;
  site.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return site;
}

function page({ title, body, site }) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escape(title)}</title>
    <style>body { margin: 2rem auto; max-width: 40rem; padding: 0 1rem; font: 1.1rem/1.5 serif; color: #222 }</style>
  </head>
  <body>
    <main>
      <h1>${escape(title)}</h1>
      ${body}
      <p><a href="/about">About this site</a> <a href="/journal">All notes</a> <a id="push" href="#">Elsewhere without loading</a> <a href="https://example.com/">Another site</a></p>
    </main>
    ${site.wrong === "script" ? "" : follow(site.wrong === "admin" ? "https://elsewhere.example" : site.cms)}
  </body>
</html>`;
}

/** What a page does with what it is told. How many letters were painted when is noted, for whoever measures. */
function follow(admin) {
  return `<script type="module">
      import { connectPreview } from "/preview.js";
      const preview = connectPreview({ admin: ${JSON.stringify(admin)} });
      const show = (selector, text) => { const element = document.querySelector(selector); if (element) element.textContent = text ?? ""; };
      globalThis.painted = [];
      globalThis.told = [];
      preview.onEntry((entry, { saved }) => {
        told.push({ ...entry, saved });
        show("h1", entry.data.title);
        show("#summary", entry.data.summary);
        show("#slug", entry.slug);
        document.body.dataset.saved = saved;
        const { title = "", body = [] } = entry.data;
        const letters = body.reduce((sum, { children = [] }) => sum + children.reduce((sum, { text = "" }) => sum + text.length, 0), title.length);
        requestAnimationFrame(() => setTimeout(() => painted.push([letters, performance.timeOrigin + performance.now()])));
      });
      document.querySelector("#push")?.addEventListener("click", (event) => { event.preventDefault(); history.pushState(null, "", "/pushed"); });
    </script>`;
}
