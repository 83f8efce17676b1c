import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Feed, type News, type Stream } from "./feed";

class Fake implements Stream {
  readyState = 1;
  isClosed = false;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();

  readonly ids: string[];

  constructor(ids: string[]) {
    this.ids = ids;
  }

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.#listeners.set(type, listener);
  }

  say(type: string, data = "") {
    this.#listeners.get(type)?.({ data } as MessageEvent<string>);
  }

  close() {
    this.isClosed = true;
  }
}

const opened: Fake[] = [];

function open(ids: string[]): Stream {
  const stream = new Fake(ids);
  opened.push(stream);
  return stream;
}

const news = (id: string, version: number): News => ({ id, version, holder: null });

function last(): Fake {
  const stream = opened.at(-1);
  if (!stream) throw new Error("no stream was opened");
  return stream;
}

const say = (...items: News[]) => last().say("message", JSON.stringify({ items }));

beforeEach(() => {
  opened.length = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe("one stream for all tabs", () => {
  it("each is told of its own entry, and of none that is not there any more", () => {
    const feed = new Feed(open);
    const [one, other] = [vi.fn(), vi.fn()];
    feed.follow({}, "b", one);
    feed.follow({}, "a", other);
    expect(last().ids).toEqual(["a", "b"]);
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    say(news("b", 3));
    expect(one).toHaveBeenLastCalledWith(news("b", 3));
    expect(other).toHaveBeenLastCalledWith(null);
  });

  it("a second tab with the same entry opens none, and the last one that leaves closes it", () => {
    const feed = new Feed(open);
    const [one, other] = [{}, {}];
    feed.follow(one, "a", vi.fn());
    feed.follow(other, "a", vi.fn());
    feed.leave(one);
    expect(opened).toHaveLength(1);
    expect(last().isClosed).toBe(false);
    feed.leave(other);
    feed.leave(other);
    expect(last().isClosed).toBe(true);
    expect(opened).toHaveLength(1);
  });
});

describe("a stream that ends", () => {
  it("is opened by the browser where the connection broke, and told of", () => {
    const feed = new Feed(open);
    const tell = vi.fn();
    feed.follow({}, "a", tell);
    last().say("error");
    expect(tell).toHaveBeenLastCalledWith(undefined);
    vi.advanceTimersByTime(600_000);
    expect(opened).toHaveLength(1);
  });

  it("is opened anew where the server refused it, later each time, and at once when somebody comes", () => {
    const feed = new Feed(open);
    feed.follow({}, "a", vi.fn());
    const times = [];
    for (let n = 0; n < 3; n++) {
      last().readyState = 2;
      last().say("error");
      const before = opened.length;
      let waited = 0;
      for (; opened.length === before; waited += 1_000) vi.advanceTimersByTime(1_000);
      times.push(waited);
    }
    expect(times).toEqual([5_000, 10_000, 20_000]);
    last().say("failed");
    feed.follow({}, "b", vi.fn());
    expect(last().ids).toEqual(["a", "b"]);
    say(news("a", 1));
    last().say("failed");
    const before = opened.length;
    vi.advanceTimersByTime(5_000);
    expect(opened).toHaveLength(before + 1);
  });

  it("says nothing more once another one is there", () => {
    const feed = new Feed(open);
    const tell = vi.fn();
    feed.follow({}, "a", tell);
    const first = last();
    feed.follow({}, "b", vi.fn());
    first.say("error");
    expect(tell).not.toHaveBeenCalled();
  });
});
