// A mail server that others wrote, and the letters that arrive there.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const root = new URL("../../", import.meta.url).pathname;

/** How long a letter may take, in milliseconds. */
const PATIENCE = 30_000;

export async function openMailbox() {
  const server = spawn(`${root}target/python/bin/python`, [`${root}tests/python/mail_server.py`], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  async function next() {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no letter came")), PATIENCE)));
    try {
      const { value, done } = await Promise.race([lines.next(), late]);
      if (done) throw new Error("the mail server has ended");
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }
  const { port } = await next();
  return {
    /** What a server is configured with to send its mail here. */
    config: `[mail]\nurl = "smtp://127.0.0.1:${port}?tls=none"\nfrom = "Gazette <cms@example.org>"\n`,
    /** The next letter to an address. Those to others that come before it are not looked at. */
    async letter(to) {
      return (await this.letters({ to }))[0];
    },
    /** The next letter of each kind that is wanted, in whatever order they come: `to` an address, saying what it `says`. */
    async letters(...wanted) {
      const found = wanted.map(() => undefined);
      while (found.includes(undefined)) {
        const letter = await next();
        const at = wanted.findIndex(({ to, says = "" }, at) => !found[at] && letter.recipients.includes(to) && letter.text.includes(says));
        if (at >= 0) found[at] = letter;
      }
      return found;
    },
    close: () => server.kill(),
  };
}

/** The link in a letter. */
export function linkIn(letter) {
  return letter.text.match(/https?:\/\/\S+#token=\S+/)[0];
}
