import { expect, it, vi } from "vitest";

import { ApiError } from "~/api/errors";
import type { UploadTarget } from "~/api/types";

import { AT_ONCE, isFinal, Uploads, type Transport } from "./uploads";

const failure = (code: string, status = 400) => new ApiError({ status, code, message: "made for the test" });
const file = (name: string) => new File([name], name, { type: "image/png" });

/** A server that a test makes up: it notes each step. */
function pretend(steps: Partial<Transport> = {}) {
  const log: string[] = [];
  let isBack: () => void = () => undefined;
  const target = (name: string): UploadTarget => ({ existing: false, mediaId: name, storageKey: name, uploadUrl: "/", method: "PUT", headers: {} });
  const noted: Transport = {
    announce: async (file, folder, signal) => {
      log.push(`announce ${file.name}`);
      return (await steps.announce?.(file, folder, signal)) ?? target(file.name);
    },
    send: async (target, file, sending) => {
      log.push(`send ${file.name}`);
      sending.onProgress(0.5);
      await steps.send?.(target, file, sending);
    },
    confirm: async (id, signal) => {
      log.push(`confirm ${id}`);
      return (await steps.confirm?.(id, signal)) ?? { id, isKnown: false };
    },
    isBack: () => new Promise((resolve) => (isBack = resolve)),
  };
  return { uploads: new Uploads(noted), log, back: () => isBack() };
}

const states = (uploads: Uploads) => uploads.list().map(({ state }) => state);
const over = (uploads: Uploads) => vi.waitFor(() => expect(uploads.isBusy()).toBe(false));

it("announces, sends and confirms each file, some at once", async () => {
  let [now, most] = [0, 0];
  const { uploads, log } = pretend({
    send: async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
    },
  });
  uploads.add(Array.from({ length: 8 }, (_, n) => file(`${n}.png`)));
  await over(uploads);
  expect(states(uploads)).toEqual(Array(8).fill("done"));
  expect(most).toBe(AT_ONCE);
  expect(log).toHaveLength(24);
});

it("goes on from the step that it had got to when the server is back, and sends nothing twice", async () => {
  let isAway = true;
  const { uploads, log, back } = pretend({
    confirm: (id) => (isAway ? Promise.reject(failure("NETWORK", 0)) : Promise.resolve({ id, isKnown: false })),
  });
  uploads.add([file("a.png")]);
  await vi.waitFor(() => expect(uploads.list()[0]?.isOffline).toBe(true));
  expect(states(uploads)).toEqual(["waiting"]);
  uploads.add([file("b.png")]);
  expect(log).toEqual(["announce a.png", "send a.png", "confirm a.png"]);
  isAway = false;
  back();
  await over(uploads);
  expect(log.filter((step) => step.endsWith("a.png"))).toEqual(["announce a.png", "send a.png", "confirm a.png", "confirm a.png"]);
  expect(states(uploads)).toEqual(["done", "done"]);
});

it("sends no bytes that the library has, and says that it had them", async () => {
  const { uploads, log } = pretend({ announce: () => Promise.resolve({ existing: true, mediaId: "known", storageKey: "k" }) });
  uploads.add([file("a.png")]);
  await over(uploads);
  expect(uploads.list()[0]?.sent).toEqual({ id: "known", isKnown: true });
  expect(log).toEqual(["announce a.png"]);
});

it("offers no other try to what is refused for what it is, and lets others pass", async () => {
  const { uploads } = pretend({ announce: (file) => (file.name === "a.exe" ? Promise.reject(failure("INVALID_TYPE")) : Promise.resolve(undefined as never)) });
  uploads.add([file("a.exe"), file("b.png")]);
  await over(uploads);
  expect(states(uploads)).toEqual(["failed", "done"]);
  expect(isFinal(uploads.list()[0]?.error)).toBe(true);
  expect(isFinal(failure("INTERNAL_ERROR", 500))).toBe(false);
  expect(isFinal(failure("UPLOAD_LIMIT"))).toBe(false);
});

it("announces anew, once, what the server forgot meanwhile", async () => {
  const confirm = vi.fn().mockRejectedValueOnce(failure("NOT_FOUND", 404));
  const { uploads, log } = pretend({ confirm });
  uploads.add([file("a.png")]);
  await over(uploads);
  expect(states(uploads)).toEqual(["done"]);
  expect(log).toEqual(["announce a.png", "send a.png", "confirm a.png", "announce a.png", "send a.png", "confirm a.png"]);
  confirm.mockRejectedValue(failure("NOT_FOUND", 404));
  uploads.add([file("b.png")]);
  await over(uploads);
  expect(states(uploads)).toEqual(["done", "failed"]);
});

it("pauses, goes on, and cancels what is on its way", async () => {
  let finish: () => void = () => undefined;
  const stopped = vi.fn();
  const { uploads } = pretend({
    send: (_, __, { signal }) =>
      new Promise((resolve, reject) => {
        finish = resolve;
        signal.addEventListener("abort", () => {
          stopped();
          reject(new DOMException("stopped", "AbortError"));
        });
      }),
  });
  uploads.add([file("a.png")]);
  await vi.waitFor(() => expect(uploads.list()[0]?.share).toBe(0.5));
  const { id = "" } = uploads.list()[0] ?? {};
  uploads.pause(id);
  expect(states(uploads)).toEqual(["paused"]);
  expect(stopped).toHaveBeenCalledTimes(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(states(uploads)).toEqual(["paused"]);
  uploads.resume(id);
  await vi.waitFor(() => expect(states(uploads)).toEqual(["sending"]));
  finish();
  await over(uploads);
  expect(states(uploads)).toEqual(["done"]);
  uploads.add([file("b.png")]);
  await vi.waitFor(() => expect(states(uploads)).toEqual(["done", "sending"]));
  await vi.waitFor(() => expect(uploads.list()[1]?.share).toBe(0.5));
  uploads.cancelAll();
  expect(uploads.list()).toEqual([]);
  expect(stopped).toHaveBeenCalledTimes(2);
});
