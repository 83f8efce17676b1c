import { expect, it } from "vitest";

import { saidBy } from "./said";

const message = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

it("takes what a tool gives to programs out of the protocol, every digit of it", () => {
  const said = saidBy(message('{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":12345678901234567890},"isError":false}'));
  expect(said).toEqual({ text: '{"n":12345678901234567890}', isError: false });
});

it("tells a failure by its words", () => {
  const said = saidBy(message('{"content":[{"type":"text","text":"[NOT_FOUND] there is none"},{"type":"text","text":"more"}],"isError":true,"_meta":{}}'));
  expect(said).toEqual({ text: "[NOT_FOUND] there is none\n\nmore", isError: true });
});

it("leaves alone what is no answer of a tool", () => {
  for (const text of ["", "<p>", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}', '{"success":false}']) expect(saidBy(text)).toBeUndefined();
});
