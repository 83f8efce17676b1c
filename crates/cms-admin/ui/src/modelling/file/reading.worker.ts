// Reads the file of a model where nobody waits for it, and says later on which line is what the server complains of.

import { Reading, type Model, type Problem } from "./reading";

export type Question = { file: Blob } | { paths: string[] };
export type Answer = { model?: Model | undefined; problem?: Problem | undefined } | { lines: (number | undefined)[] };

let reading: Reading | undefined;

self.onmessage = async ({ data }: MessageEvent<Question>) => self.postMessage(await answer(data));

async function answer(question: Question): Promise<Answer> {
  if ("paths" in question) return { lines: question.paths.map((path) => reading?.lineOf(path)) };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await question.file.arrayBuffer());
  } catch {
    return { problem: { kind: "encoding" } };
  }
  reading = new Reading(text);
  return { model: reading.model, problem: reading.problem };
}
