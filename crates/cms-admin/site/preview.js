// Lets a page of a site follow what is being written in the CMS while the page is shown beside the editor. Copy this file into the site: it needs nothing
// else. In a page that is not shown there it does nothing. `docs/preview.md` has the rest.

/** The version of the messages. Both sides leave alone what has another one. */
const VERSION = 1;

/**
 * An entry, as `GET /_cms/api/preview/{token}` answers it.
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} type Slug of its collection.
 * @property {string | null} slug
 * @property {string} locale
 * @property {Record<string, unknown>} data Its fields by name; those without a value are left out.
 * @property {Record<string, unknown>} [seo] What search engines are told, where its collection has that.
 */

/**
 * Called with the entry, at once and at each change. What it returns is waited for before the next change comes.
 * @callback OnEntry
 * @param {Entry} entry
 * @param {{ saved: boolean }} state Whether the server has all of it: what the site would read there is this.
 * @returns {unknown}
 */

/**
 * A page beside the editor.
 * @typedef {object} Preview
 * @property {boolean} active Whether the page is shown in a frame, as the editor shows it.
 * @property {(callback: OnEntry) => () => void} onEntry Follows the entry, until what it returns is called.
 * @property {() => void} close Takes down everything.
 */

/**
 * Connects this page with the editor that shows it.
 * @param {{ admin: string }} options `admin` is where the admin application is, as in `https://cms.example.com`.
 * @returns {Preview}
 */
export function connectPreview({ admin }) {
  const { origin } = new URL(admin);
  const editor = window.parent;
  const active = editor !== window;
  /** @type {Set<OnEntry>} */
  const callbacks = new Set();
  const ending = new AbortController();
  /** @type {Entry | undefined} */
  let entry;
  let saved = false;
  let address = location.href;

  /** @param {string} type @param {object} more */
  const say = (type, more) => active && editor.postMessage({ cms: "preview", version: VERSION, type, ...more }, origin);
  // When a page began is no other page's.
  const ready = () => say("ready", { url: (address = location.href), page: performance.timeOrigin });

  /** @param {OnEntry} callback */
  const call = async (callback) => {
    try {
      if (entry) await callback(entry, { saved });
    } catch (error) {
      // One that fails keeps no other from what is written.
      console.error(error);
    }
  };

  /** Pages that change their address without being loaded anew say so. @param {boolean} replaced */
  const look = (replaced) => {
    if (location.href === address) return;
    address = location.href;
    say("moved", { url: address, replaced });
  };

  /** @param {MessageEvent} event */
  const hear = async ({ source, origin: from, data }) => {
    if (source !== editor || from !== origin || data?.cms !== "preview" || data.version !== VERSION) return;
    if (data.type === "hello") ready();
    if (data.type !== "entry") return;
    // What did not change is not sent again.
    const values = { ...(data.whole ? {} : entry?.data), ...data.entry.data };
    for (const [name, { at, drop, items }] of Object.entries(data.parts)) values[name] = values[name].toSpliced(at, drop, ...items);
    for (const name in values) if (values[name] === null) delete values[name];
    entry = { ...(data.whole ? {} : entry), ...data.entry, data: values };
    saved = data.saved;
    await Promise.all([...callbacks].map(call));
    say("shown", { number: data.number });
  };

  /** @param {MouseEvent} event */
  const follow = (event) => {
    const link = /** @type {HTMLAnchorElement | undefined} */ (event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href));
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || (link.target && link.target !== "_self")) return;
    // Nothing but this site is shown beside the editor: other sites open by themselves.
    if (/^http/.test(link.protocol) && link.origin !== location.origin) Object.assign(link, { target: "_blank", rel: "noopener" });
    else if (link.href.split("#")[0] !== location.href.split("#")[0]) say("link", { url: link.href });
    setTimeout(look, 300, false);
  };

  if (active) {
    const { signal } = ending;
    addEventListener("message", hear, { signal });
    addEventListener("popstate", () => look(false), { signal });
    // A page that the browser kept and shows again.
    addEventListener("pageshow", ({ persisted }) => persisted && ready(), { signal });
    addEventListener("click", follow, { capture: true, signal });
    // @ts-ignore Not every browser has it.
    globalThis.navigation?.addEventListener("currententrychange", ({ navigationType }) => look(navigationType === "replace"), { signal });
    ready();
  }

  return {
    active,
    onEntry(callback) {
      callbacks.add(callback);
      call(callback);
      return () => callbacks.delete(callback);
    },
    close() {
      callbacks.clear();
      ending.abort();
    },
  };
}
