import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import { show } from "~/testing/render";

import { useKeyset, type Page } from "./useKeyset";

/** A list whose pages have these sizes, one after the other. */
function List({ sizes, asked }: { sizes: number[]; asked: (cursor: string | undefined) => void }) {
  const list = useKeyset<string>({
    key: ["list", sizes],
    page: (cursor): Promise<Page<string>> => {
      asked(cursor);
      const at = Number(cursor ?? 0);
      const items = Array.from({ length: sizes[at] ?? 0 }, (_, n) => `${at}-${n}`);
      return Promise.resolve({ items, nextCursor: at + 1 < sizes.length ? String(at + 1) : null });
    },
  });
  return <p>{list.isPending ? "pending" : `${list.count} ${list.hasMore ? "and more" : "in all"}`}</p>;
}

it("goes on where pages are empty or short, until there is enough", async () => {
  const asked = vi.fn();
  await show(<List sizes={[0, 0, 3, 0, 2]} asked={asked} />);
  await expect.element(page.getByText("5 in all")).toBeVisible();
  expect(asked.mock.calls.map(([cursor]) => cursor as string | undefined)).toEqual([undefined, "1", "2", "3", "4"]);
});

it("asks for no more than what is looked at needs", async () => {
  const asked = vi.fn();
  await show(<List sizes={[0, 100, 100, 100]} asked={asked} />);
  await expect.element(page.getByText("100 and more")).toBeVisible();
  expect(asked).toHaveBeenCalledTimes(2);
});

it("says that there is nothing only when there is nothing on any page", async () => {
  await show(<List sizes={[0, 0, 0]} asked={vi.fn()} />);
  await expect.element(page.getByText("0 in all")).toBeVisible();
});
