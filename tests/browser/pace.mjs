// What people would notice on a page, in milliseconds: how long inputs wait for their paint, frames that come late, and tasks that hold everything up.

import { setTimeout } from "node:timers/promises";

/** Gathers in a page from its beginning. */
export function gather() {
  const seen = { inputs: new Map(), tasks: [] };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) seen.inputs.set(interactionId, Math.max(duration, seen.inputs.get(interactionId) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask", buffered: true });
}

/** Browsers tell how long an input took in steps of 8 ms, and nothing of those that took less than this. */
const LEAST = 16;

/** How long each of some inputs waits until its effect is painted. */
export async function inputs(page, count, act, pause) {
  await page.evaluate(() => {
    globalThis.seen.inputs.clear();
    globalThis.seen.tasks.length = 0;
  });
  for (let n = 0; n < count; n++) {
    await act(n);
    await setTimeout(pause);
  }
  // The last ones are told a moment later.
  await setTimeout(500);
  const slow = await page.evaluate(() => [...globalThis.seen.inputs.values()]);
  return [...slow, ...Array(Math.max(0, count - slow.length)).fill(LEAST)];
}

/** The longest task since the inputs that were measured last began; 50 where none was longer, as browsers tell of no others. */
export function longest(page) {
  return page.evaluate(() => Math.max(50, ...globalThis.seen.tasks));
}

/** The page's time, which begins with its opening. */
export function now(page) {
  return page.evaluate(() => performance.now());
}

/** The page's time when something is there. */
export async function until(page, condition, given) {
  await page.waitForFunction(condition, given, { polling: "raf" });
  return now(page);
}

/** How long each frame takes while somebody turns the wheel. */
export async function scroll(page, turns = 120) {
  await page.mouse.move(640, 430);
  const frames = page.evaluate(async () => {
    const times = [];
    globalThis.isTurning = true;
    for (let last = await frame(); globalThis.isTurning; ) {
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    return times;
    function frame() {
      return new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  for (let n = 0; n < turns; n++) {
    await page.mouse.wheel(0, n % 40 < 30 ? -600 : 900);
    await setTimeout(16);
  }
  await page.evaluate(() => (globalThis.isTurning = false));
  return frames;
}
