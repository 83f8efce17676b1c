// The script that sites copy, in pages of its own: each is loaded into a frame, and says here what it sees.

import { afterEach, expect, it, vi } from "vitest";

import script from "../../../site/preview.js?raw";

import { sealed, type ToPage } from "./messages";

const frames: HTMLIFrameElement[] = [];
const controller = new AbortController();

afterEach(() => frames.splice(0).forEach((frame) => frame.remove()));

interface Said {
  type: string;
  url?: string;
  page?: number;
  number?: number;
}

/** A page with the script, which follows as `onEntry` says. */
async function open(onEntry = "(entry, state) => document.title = JSON.stringify([entry, state])", admin = location.origin, body = "") {
  const source = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const frame = document.createElement("iframe");
  const said: Said[] = [];
  window.addEventListener("message", ({ source, data }) => source === frame.contentWindow && said.push(data as Said), { signal: controller.signal });
  frame.srcdoc = `${body}<script type="module">
    import { connectPreview } from "${source}";
    window.preview = connectPreview({ admin: "${admin}" });
    window.off = preview.onEntry(${onEntry});
  </script>`;
  document.body.append(frame);
  frames.push(frame);
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  await loaded;
  const inner = frame.contentWindow as Window & { preview: { active: boolean; close: () => void; onEntry: (callback: (entry: unknown) => void) => () => void }; off: () => void };
  const tell = (message: ToPage) => inner.postMessage(sealed(message), location.origin);
  return { frame, inner, said, tell, shown: () => JSON.parse(inner.document.title || "null") as unknown };
}

const whole = (data: Record<string, unknown>, number = 1): ToPage => ({ type: "entry", number, whole: true, entry: { id: "1", slug: "a", data }, parts: {}, saved: true });

it("is small enough for any page", () => {
  const bare = script.replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, "").replace(/^\s+/gm, "");
  expect(bare.length).toBeLessThan(3_000);
});

it("says that it is there, shows what it is told, and says so", async () => {
  const { said, tell, shown, inner } = await open();
  await expect.poll(() => said[0]).toMatchObject({ cms: "preview", version: 1, type: "ready", page: inner.performance.timeOrigin });
  tell(whole({ title: "A", summary: "gone soon" }));
  await expect.poll(() => said.at(-1)).toMatchObject({ type: "shown", number: 1 });
  expect(shown()).toEqual([{ id: "1", slug: "a", data: { title: "A", summary: "gone soon" } }, { saved: true }]);
  tell({ type: "entry", number: 2, whole: false, entry: { slug: "b", data: { title: "B", summary: null } }, parts: {}, saved: false });
  await expect.poll(() => said.at(-1)).toMatchObject({ type: "shown", number: 2 });
  expect(shown()).toEqual([{ id: "1", slug: "b", data: { title: "B" } }, { saved: false }]);
  tell(whole({ body: ["a", "b", "c"] }, 3));
  tell({ type: "entry", number: 4, whole: false, entry: {}, parts: { body: { at: 1, drop: 1, items: ["x", "y"] } }, saved: true });
  await expect.poll(() => said.at(-1)).toMatchObject({ type: "shown", number: 4 });
  expect(shown()).toEqual([{ id: "1", slug: "a", data: { body: ["a", "x", "y", "c"] } }, { saved: true }]);
});

it("tells whoever asks later what it knows already, and nobody who left", async () => {
  const { tell, inner, said } = await open();
  tell(whole({ title: "A" }));
  await expect.poll(() => said.at(-1)?.type).toBe("shown");
  const later = vi.fn();
  const leave = inner.preview.onEntry(later);
  await expect.poll(() => later.mock.calls).toEqual([[{ id: "1", slug: "a", data: { title: "A" } }, { saved: true }]]);
  leave();
  tell(whole({ title: "B" }, 2));
  await expect.poll(() => said.at(-1)?.number).toBe(2);
  expect(later).toHaveBeenCalledTimes(1);
});

it("answers for what it shows once that is there, also where a callback fails", async () => {
  const { tell, inner, said } = await open("() => new Promise((resolve) => (window.done = resolve))");
  inner.preview.onEntry(() => Promise.reject(new Error("made for the test")));
  const complain = vi.spyOn((inner as unknown as { console: Console }).console, "error").mockImplementation(() => undefined);
  tell(whole({}));
  await expect.poll(() => complain.mock.calls.length).toBe(1);
  expect(said.map(({ type }) => type)).toEqual(["ready"]);
  (inner as unknown as { done: () => void }).done();
  await expect.poll(() => said.at(-1)?.type).toBe("shown");
});

it("says again that it is there when it is asked, and when it is loaded again it is another page", async () => {
  const { tell, said, frame } = await open();
  await expect.poll(() => said.length).toBe(1);
  tell({ type: "hello" });
  await expect.poll(() => said.length).toBe(2);
  expect(said[1]).toEqual(said[0]);
  const { srcdoc } = frame;
  frame.srcdoc = `${srcdoc} `;
  await expect.poll(() => said.length).toBe(3);
  expect(said[2]?.page).not.toBe(said[0]?.page);
});

it("believes nobody but the application that its author named", async () => {
  const refused = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { said, tell, shown } = await open(undefined, "https://elsewhere.example");
  tell(whole({ title: "not for it" }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([said, shown()]).toEqual([[], null]);
  refused.mockRestore();
});

it("leaves alone what another window says, and messages of another version", async () => {
  const { inner, said, shown } = await open();
  await expect.poll(() => said.length).toBe(1);
  const message = JSON.stringify(sealed(whole({ title: "by another" })));
  await open(undefined, undefined, `<script>parent.frames[0].postMessage(${message}, "*")</script>`);
  inner.postMessage({ ...sealed(whole({ title: "from the future" })), version: 2 }, location.origin);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(shown()).toBeNull();
});

it("says which link of its site was pressed, and has other sites open by themselves", async () => {
  const { inner, said } = await open(undefined, undefined, `<a id="same" href="#part">Part</a><a id="other" href="https://other.example/">Other</a><a id="mail" href="mailto:ada@example.com">Mail</a>`);
  await expect.poll(() => said.length).toBe(1);
  const press = (id: string) => {
    const link = inner.document.getElementById(id) as HTMLAnchorElement;
    // Where it leads is what is looked at, and not that it leads there.
    inner.document.addEventListener("click", (event) => event.preventDefault(), { once: true });
    link.click();
    return [link.target, link.rel];
  };
  expect(press("mail")).toEqual(["", ""]);
  expect(press("other")).toEqual(["_blank", "noopener"]);
});

it("is silent once it is closed, and does nothing in a page that stands alone", async () => {
  const { inner, tell, said, shown } = await open();
  await expect.poll(() => said.length).toBe(1);
  inner.preview.close();
  tell(whole({ title: "too late" }));
  tell({ type: "hello" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([said.length, shown()]).toEqual([1, null]);
  expect(inner.preview.active).toBe(true);
});
