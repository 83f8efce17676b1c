// A file that was chosen, read beside the page.

import { useCallback, useEffect, useRef, useState } from "react";

import { answers, beginAgain } from "~/lib/lazily";

import type { Model, Problem } from "./reading";
import type { Answer, Question } from "./reading.worker";

export interface Read {
  /** Names this reading: another file, or the same one again, has another number. */
  number: number;
  model: Model | undefined;
  problem: Problem | undefined;
}

export interface ReadingState {
  read: Read | undefined;
  isReading: boolean;
  /** The file could not be read at all, as when it was moved meanwhile. */
  isFailed: boolean;
  /** The lines of the file that the server's paths are about. */
  linesOf: (paths: string[]) => Promise<(number | undefined)[]>;
}

let last = 0;

export function useReading(file: Blob | undefined): ReadingState {
  const [state, setState] = useState<{ of: Blob; read?: Read | undefined; isFailed?: boolean }>();
  const ask = useRef<(question: Question) => Promise<Answer>>(undefined);
  useEffect(() => {
    if (!file) return;
    const worker = new Worker(new URL("./reading.worker.ts", import.meta.url), { type: "module", name: "cms-model-file" });
    const waiting: ((answer: Answer) => void)[] = [];
    worker.onmessage = ({ data }: MessageEvent<Answer>) => waiting.shift()?.(data);
    worker.onerror = (event) => {
      setState({ of: file, isFailed: true });
      // A worker whose file is gone, since the server has another version by now, has no message.
      if (!event.message) void answers().then((isThere) => isThere && beginAgain());
    };
    // Answers come in the order of the questions.
    const asked = (question: Question) =>
      new Promise<Answer>((resolve) => {
        waiting.push(resolve);
        worker.postMessage(question);
      });
    ask.current = asked;
    void asked({ file }).then((answer) => {
      if ("lines" in answer) return;
      setState({ of: file, read: { number: ++last, model: answer.model, problem: answer.problem } });
    });
    return () => {
      worker.terminate();
      ask.current = undefined;
    };
  }, [file]);
  const linesOf = useCallback(async (paths: string[]) => {
    const answer = await ask.current?.({ paths });
    return answer && "lines" in answer ? answer.lines : [];
  }, []);
  const current = state && state.of === file ? state : undefined;
  return { read: current?.read, isReading: file !== undefined && !current, isFailed: current?.isFailed ?? false, linesOf };
}
