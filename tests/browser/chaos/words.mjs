// The words that were typed, none of them twice, and what has become of each.

/** A word begins with who typed it and a number, of which there is one. One that stands right behind another begins with its own. */
const WORD = /[a-z]\d{5}(?:[a-z](?!\d{5}))*/g;
const NUMBERED = 6;

export class Words {
  /** By its beginning: what was seen of a word where it was typed, and where and when that was. */
  #accepted = new Map();
  /** Beginnings of words that somebody removed, and that a choice left out after it was shown. */
  #removed = new Set();
  #left = new Set();
  /** Beginnings of words that a choice put there twice. */
  #doubled = new Set();
  #last = 0;

  get count() {
    return this.#accepted.size;
  }

  /** A word that was never there before. */
  next(who, letters) {
    return `${who[0]}${String(++this.#last).padStart(NUMBERED - 1, "0")}${letters}`;
  }

  /** Notes what is seen of a word in the text that it was typed into. Answers with how many letters that is. */
  accept(word, text, told) {
    const seen = longest(word, text);
    if (seen < NUMBERED) return 0;
    this.#accepted.set(beginning(word), { word: word.slice(0, seen), told });
    return seen;
  }

  /** Somebody removed what was in a text and is not in it any more. */
  remove(before, after = "") {
    const still = new Set(beginnings(after));
    for (const id of beginnings(before)) if (!still.has(id)) this.#removed.add(id);
  }

  /** Somebody was shown two texts, and chose one or both; they may have been told that some of theirs is there already. */
  choose(choice, mine, theirs, isTold) {
    const [ours, others] = [beginnings(mine), beginnings(theirs)];
    if (isTold && choice !== "theirs") ours.forEach((id) => this.#doubled.add(id));
    if (choice === "both") ours.filter((id) => others.includes(id)).forEach((id) => this.#doubled.add(id));
    const [chosen, left] = choice === "mine" ? [ours, others] : [others, ours];
    if (choice !== "both") left.filter((id) => !chosen.includes(id)).forEach((id) => this.#left.add(id));
  }

  /** Words that are in a text more than once although nobody wanted it. */
  twice(text) {
    const all = beginnings(text);
    return all.filter((id, n) => all.indexOf(id) < n && !this.#doubled.has(id));
  }

  /** What was promised and is not so of a value and of what browsers kept. Afterwards, other words are looked at. */
  settle(value, kept) {
    const [text, left] = [value, kept].map((one) => textsIn(one).join("\n"));
    const found = text.match(WORD) ?? [];
    const lost = [];
    const tally = { typed: this.count, saved: 0, removed: 0, left: 0, kept: 0 };
    for (const [id, { word, told }] of this.#accepted) {
      const there = found.filter((other) => other.startsWith(id));
      if (there.some((other) => other.startsWith(word))) tally.saved++;
      else if (this.#removed.has(id)) tally.removed++;
      else if (this.#left.has(id)) tally.left++;
      else if (left.includes(word)) tally.kept++;
      else lost.push({ word, there, ...told });
    }
    const twice = this.twice(text).map((id) => ({ word: id, ...this.#accepted.get(id)?.told }));
    for (const known of [this.#accepted, this.#removed, this.#left, this.#doubled]) known.clear();
    return { tally, lost, twice };
  }
}

/** All texts in a value. Keys of blocks and rows are none, though they may look like words. */
export function textsIn(value) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === "_key" ? [] : textsIn(member)));
}

const beginning = (word) => word.slice(0, NUMBERED);
const beginnings = (text) => (text.match(WORD) ?? []).map(beginning);

function longest(word, text) {
  for (let length = word.length; length > 0; length--) if (text.includes(word.slice(0, length))) return length;
  return 0;
}
