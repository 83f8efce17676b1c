// What a browser calls itself, said so that its owner knows it again.

const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/Linux/, "Linux"],
];

/** A browser and its system, as in `Firefox` and `Windows`. Names of products are the same in every language. */
export interface Device {
  browser: string | undefined;
  system: string | undefined;
  /** Whether it is held in the hand. */
  isPhone: boolean;
}

/** Reads what a browser calls itself. */
export function deviceOf(agent: string): Device {
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(agent))?.[1];
  return { browser: find(BROWSERS), system: find(SYSTEMS), isPhone: /iPhone|iPad|Android/.test(agent) };
}
