import { i18n } from "@lingui/core";
import { beforeAll, expect, it } from "vitest";

import { ApiError } from "~/api/errors";

import { refusalOf, refusedBefore } from "./refusal";

beforeAll(() => i18n.loadAndActivate({ locale: "en", messages: {} }));

const refusal = (status: number, code: string, issue?: string) =>
  refusalOf(new ApiError({ status, code, message: "made for the test", issues: issue ? [{ path: "contentType", code: issue, message: "made for the test" }] : [] }));

it("says at once that a place does not take a type, and offers no other try", () => {
  expect(refusedBefore({ type: "video/mp4", size: 1 }, ["image/"])).toEqual({ text: "Files of this type are not allowed here.", isFinal: true });
  expect(refusedBefore({ type: "image/png", size: 1 }, ["image/"])).toBeUndefined();
  // What the browser does not know is the server's to judge.
  expect(refusedBefore({ type: "", size: 1 }, ["image/"])).toBeUndefined();
  expect(refusedBefore({ type: "image/png", size: 0 }, [])?.isFinal).toBe(true);
});

it("offers another try where that may help, and nowhere else", () => {
  expect(refusal(413, "PAYLOAD_TOO_LARGE").isFinal).toBe(true);
  expect(refusal(400, "INVALID_TYPE").isFinal).toBe(true);
  expect(refusal(400, "VALIDATION_ERROR", "INVALID_MIME_FOR_FIELD")).toEqual({ text: "Files of this type are not allowed here.", isFinal: true });
  expect(refusal(403, "INSUFFICIENT_PERMISSIONS").isFinal).toBe(true);
  expect(refusal(400, "UPLOAD_SIZE_MISMATCH").isFinal).toBe(false);
  expect(refusal(0, "NETWORK").isFinal).toBe(false);
  expect(refusal(503, "BUSY").isFinal).toBe(false);
  expect(refusalOf(new TypeError("odd")).isFinal).toBe(false);
});
