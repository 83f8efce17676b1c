import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import type { UserDetails } from "~/api/types";
import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";

import { UserForm } from "./UserForm";

const PERSON = { id: "1", name: "Ada", email: "ada@example.org", role: 20, disabled: false, updatedAt: "2026-11-25T09:00:00Z", _rev: "1" } as UserDetails;

function surroundings() {
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: "2", permissions: [] } as never);
  return { queries };
}

const name = () => page.getByRole("textbox", { name: /^Name/ });
const email = () => page.getByRole("textbox", { name: /^E-mail/ });

it("keeps a typed name when the account is suspended or changed elsewhere, and shows what changed", async () => {
  const { again } = await show(<UserForm person={PERSON} />, surroundings());
  await userEvent.fill(name(), "Ada Lovelace");
  const field = name().element();
  await again(<UserForm person={{ ...PERSON, disabled: true, updatedAt: "2026-11-25T09:05:00Z", _rev: "2" }} />);
  await expect.element(name()).toHaveValue("Ada Lovelace");
  await again(<UserForm person={{ ...PERSON, name: "Augusta", email: "new@example.org", updatedAt: "2026-11-25T09:06:00Z", _rev: "3" }} />);
  await expect.element(email()).toHaveValue("new@example.org");
  await expect.element(name()).toHaveValue("Ada Lovelace");
  // The same field, with the focus still in it: nothing was drawn anew.
  expect(name().element()).toBe(field);
  expect(document.activeElement).toBe(field);
  await expect.element(page.getByRole("button", { name: "Save changes" })).toBeEnabled();
});

it("follows what is changed elsewhere where nobody typed, and has nothing to save then", async () => {
  const { again } = await show(<UserForm person={PERSON} />, surroundings());
  await again(<UserForm person={{ ...PERSON, name: "Augusta", _rev: "2" }} />);
  await expect.element(name()).toHaveValue("Augusta");
  await expect.element(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
});
