// The looks that screens had, kept beside the tests: small grey pictures, with which a new one is compared.
//
// `CMS_TEST_PICTURES=compare` compares, and `bless` keeps what there is as it should be; otherwise pictures are only taken. What differs from run to run,
// such as times and addresses, is made the same for the picture.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { PNG } from "pngjs";

const ASKED = process.env.CMS_TEST_PICTURES ?? "";
const BASELINE = fileURLToPath(new URL("baseline/", import.meta.url));
const DIFFERING = fileURLToPath(new URL("../../target/pictures/", import.meta.url));

/** How many pixels of a page become one: letters are gone then, and where they stood is not. */
const SCALE = 4;
/** How far the grey of a pixel may be from what it was, of 255. Edges are drawn a little differently now and then. */
const FAR = 40;
/** How many pixels may be further off: less than a word, and more than a rounded corner. */
const MOST = 24;

/** The fonts that this machine has, as far as pictures show them: the widths of words in all that is not brought along. */
const PROBES = ["monospace", "sans-serif", "system-ui", "emoji"];

/** Whether pictures are compared, or kept to be compared with. */
const isCompared = ASKED === "compare" || ASKED === "bless";

/** Takes a picture, and says how it differs from what is kept under its name; nothing where it does not, or where nobody asked. */
export async function compared(page, name, take) {
  if (!isCompared) {
    await take();
    return [];
  }
  const thaw = await freeze(page);
  const image = PNG.sync.read(await take());
  await thaw();
  const now = small(image);
  const path = `${BASELINE}${name}.png`;
  if (ASKED === "bless") {
    keep(path, now);
    return [];
  }
  const letters = JSON.parse(readFileSync(`${BASELINE}letters.json`, "utf8"));
  if (JSON.stringify(letters) !== JSON.stringify(await lettersOf(page))) return ["this machine has other fonts than the one that kept the pictures"];
  if (!existsSync(path)) return [`nothing is kept as ${name}`];
  const before = PNG.sync.read(readFileSync(path));
  const problem = difference(before, now);
  if (!problem) return [];
  keep(`${DIFFERING}${name}.png`, now);
  keep(`${DIFFERING}${name}-before.png`, grey(before.width, before.height, before.data));
  return [`${name}: ${problem}; see target/pictures`];
}

/** Notes the fonts of this machine with the pictures that are kept. */
export async function blessLetters(page) {
  if (ASKED !== "bless") return;
  mkdirSync(BASELINE, { recursive: true });
  writeFileSync(`${BASELINE}letters.json`, `${JSON.stringify(await lettersOf(page), null, 2)}\n`);
}

function lettersOf(page) {
  return page.evaluate((fonts) => {
    const context = document.createElement("canvas").getContext("2d");
    return Object.fromEntries(
      fonts.map((font) => {
        context.font = `100px ${font}`;
        return [font, ["Looms 0123", "مرحبا", "☕"].map((text) => Math.round(context.measureText(text).width))];
      }),
    );
  }, PROBES);
}

/** Makes what differs from run to run the same, until the answer is called. */
async function freeze(page) {
  await page.evaluate(() => {
    const SAME = [
      [/\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}/g, "1 January 2026"],
      [/\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec) \d{4}/g, "1 Jan 2026"],
      [/\b\d{1,2}\/\d{1,2}\/\d{4}/g, "01/01/2026"],
      [/\b\d{1,2}:\d{2}(?::\d{2})?/g, "12:00"],
      [/\b(?:\d+ (?:second|minute|hour|day)s? ago|in \d+ (?:second|minute|hour|day)s?|now|yesterday|tomorrow)\b/g, "now"],
      [/\b(localhost|127\.0\.0\.1):\d+/g, "$1:8080"],
      [/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
      [/\b[\w-]{43,}\b/g, "x".repeat(43)],
      [/\b[0-9a-f]{32,64}\b/g, "0".repeat(32)],
      [/\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/g, "ABCD-2345"],
    ];
    const same = (text) => SAME.reduce((text, [pattern, other]) => text.replace(pattern, other), text);
    const frozen = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = same(node.nodeValue);
      if (text !== node.nodeValue) {
        frozen.push([node, "nodeValue", node.nodeValue]);
        node.nodeValue = text;
      }
    }
    for (const input of document.querySelectorAll("input:not([type=checkbox], [type=radio]), textarea")) {
      const text = same(input.value);
      if (text === input.value) continue;
      const prototype = Object.getPrototypeOf(input);
      const set = Object.getOwnPropertyDescriptor(prototype, "value").set;
      frozen.push([input, set, input.value]);
      set.call(input, text);
    }
    globalThis.thaw = () => frozen.forEach(([node, how, text]) => (typeof how === "string" ? (node[how] = text) : how.call(node, text)));
  });
  return () => page.evaluate(() => globalThis.thaw());
}

/** A picture as a small grey one: each pixel is the mean of a square. */
function small({ width, height, data }) {
  const [across, down] = [Math.ceil(width / SCALE), Math.ceil(height / SCALE)];
  const mean = new Uint8Array(across * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      let [sum, count] = [0, 0];
      for (let row = y * SCALE; row < Math.min((y + 1) * SCALE, height); row++) {
        for (let column = x * SCALE; column < Math.min((x + 1) * SCALE, width); column++) {
          const at = (row * width + column) * 4;
          // ITU-R BT.601, in thousandths.
          sum += data[at] * 299 + data[at + 1] * 587 + data[at + 2] * 114;
          count++;
        }
      }
      mean[y * across + x] = Math.round(sum / count / 1000);
    }
  }
  return { width: across, height: down, data: mean };
}

/** The grey of a picture that was read, which has four members a pixel. */
function grey(width, height, data) {
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, n) => data[n * 4]) };
}

function difference(before, now) {
  if (before.width !== now.width || before.height !== now.height) {
    return `it is ${now.width * SCALE} by ${now.height * SCALE} pixels, and was ${before.width * SCALE} by ${before.height * SCALE}`;
  }
  let far = 0;
  for (let n = 0; n < now.data.length; n++) if (Math.abs(now.data[n] - before.data[n * 4]) > FAR) far++;
  return far > MOST ? `${far} of ${now.data.length} squares look different` : undefined;
}

function keep(path, { width, height, data }) {
  mkdirSync(new URL(".", `file://${path}`), { recursive: true });
  const image = new PNG({ width, height });
  for (let n = 0; n < data.length; n++) image.data.set([data[n], data[n], data[n], 255], n * 4);
  writeFileSync(path, PNG.sync.write(image, { colorType: 0, deflateLevel: 9 }));
}
