import { Suspense } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import { lazily, patiently } from "~/lib/lazily";
import { show } from "~/testing/render";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that answers, or does not, each time with what comes next. */
function server(...times: boolean[]) {
  const asked = vi.fn(() => {
    const isThere = times.shift() ?? true;
    return isThere ? Promise.resolve(new Response()) : Promise.reject(new TypeError("Failed to fetch"));
  });
  vi.stubGlobal("fetch", asked);
  return asked;
}

/** Code that cannot be fetched so many times. */
function failing<T>(times: number, code: T) {
  return vi.fn(() => (times-- > 0 ? Promise.reject(new TypeError("not there")) : Promise.resolve(code)));
}

it("is there as soon as the browser is back on the network", async () => {
  server(false);
  const fetched = failing(1, () => <p>Here</p>);
  const Late = lazily(fetched);
  await show(
    <Suspense fallback={<p>Waiting</p>}>
      <Late />
    </Suspense>,
  );
  await expect.element(page.getByText("Waiting")).toBeVisible();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  dispatchEvent(new Event("online"));
  await expect.element(page.getByText("Here")).toBeVisible();
});

it("is asked for again every few seconds while the server is away", async () => {
  vi.useFakeTimers();
  server(false, false);
  const fetched = failing(2, "code");
  const code = patiently(fetched);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(fetched).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await code).toBe("code");
});

it("is not waited for where the server answers and does not have it", async () => {
  const asked = server(true);
  await expect(patiently(failing(9, "code"))).rejects.toThrow("not there");
  expect(asked).toHaveBeenCalledTimes(1);
});

it("asks the server once for all that wait at the same time", async () => {
  const asked = server(true);
  const all = await Promise.allSettled([patiently(failing(9, "a")), patiently(failing(9, "b"))]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(asked).toHaveBeenCalledTimes(1);
});
