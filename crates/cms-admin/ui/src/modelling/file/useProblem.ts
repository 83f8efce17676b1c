// What is wrong with a file, in a sentence.

import { useLingui } from "@lingui/react/macro";

import type { Problem } from "./reading";

export function useProblem(): (problem: Problem) => string {
  const { t } = useLingui();
  return (problem) => {
    switch (problem.kind) {
      case "encoding":
        return t`This is not text in UTF-8. Choose a JSON file, like the one you download here.`;
      case "empty":
        return t`There is nothing in it.`;
      case "noModel":
        return t`This is JSON, but not a model: expected an object with a list of “collections”, like the one you download here.`;
      case "syntax": {
        const { line, column, near } = problem;
        return near ? t`Line ${line}, column ${column}: this is not JSON from “${near}” on.` : t`Line ${line}, column ${column}: the file ends before the JSON does.`;
      }
      case "twice": {
        const { line, key } = problem;
        return t`Line ${line}: “${key}” is there twice in the same object.`;
      }
      case "unknown": {
        const { line, key } = problem;
        return t`Line ${line}: “${key}” does not belong in a model.`;
      }
    }
  };
}
