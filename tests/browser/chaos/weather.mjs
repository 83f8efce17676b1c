// What lies between a browser and the server, and what befalls both.

import { setTimeout } from "node:timers/promises";

const API = "**/_cms/api/**";

/** The network of one browser: cut, slow, or losing answers. */
export async function openWeather(context, chance, note) {
  const weather = { isCut: false, slow: 0, loses: false };
  await context.route(API, async (route) => {
    try {
      const request = route.request();
      if (weather.isCut) return await route.abort("internetdisconnected");
      if (weather.loses && chance.happens(60)) {
        const answer = await route.fetch();
        note("lost", { method: request.method(), url: request.url(), status: answer.status() });
        return await route.abort("connectionreset");
      }
      const wait = chance.between(0, weather.slow);
      if (wait > 0 && chance.happens(50)) {
        const response = await route.fetch();
        await setTimeout(wait);
        return await (weather.isCut ? route.abort("connectionreset") : route.fulfill({ response }));
      }
      await setTimeout(wait);
      await route.continue();
    } catch {
      // The server is not there, or the page is gone.
      await route.abort("connectionreset").catch(() => undefined);
    }
  });
  return weather;
}

/** What can go wrong. Each takes its time, and is over afterwards. */
const FAULTS = {
  async cut({ context, weather }, chance) {
    weather.isCut = true;
    await context.setOffline(true);
    await setTimeout(chance.between(500, 9_000));
    weather.isCut = false;
    await context.setOffline(false);
  },
  async slow({ weather }, chance) {
    weather.slow = chance.between(300, 4_000);
    await setTimeout(chance.between(2_000, 10_000));
    weather.slow = 0;
  },
  async loses({ weather }, chance) {
    weather.loses = true;
    await setTimeout(chance.between(1_000, 5_000));
    weather.loses = false;
  },
  async kill({ site }, chance) {
    await site.crash(chance.between(0, 5_000));
  },
  async expire({ context }) {
    await context.clearCookies();
  },
};

/** Lets one thing after the other go wrong for a victim, until it is over. Resolves when nothing is wrong any more. */
export async function befall(victim, kinds, { chance, isOver, note, pause }) {
  while (!isOver()) {
    await setTimeout(chance.between(...pause));
    if (isOver()) return;
    const kind = chance.pick(kinds);
    note(kind, { victim: victim.name });
    await FAULTS[kind](victim, chance);
    note("over", { victim: victim.name, kind });
  }
}
