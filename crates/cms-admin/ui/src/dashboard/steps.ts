// The first things that somebody does here, and which of them are left.

/** What is known of what somebody did; undefined as long as it is not known. */
export interface Done {
  model: boolean | undefined;
  write: boolean | undefined;
  publish: boolean | undefined;
  invite: boolean | undefined;
  passkey: boolean | undefined;
}

export type StepName = keyof Done;

/** What is left of the steps that somebody may take, how many are done, and whether all is known. */
export function stepsLeft(steps: readonly StepName[], done: Done): { left: StepName[]; count: number; isKnown: boolean } {
  const left = steps.filter((step) => done[step] === false);
  return { left, count: steps.filter((step) => done[step] === true).length, isKnown: steps.every((step) => done[step] !== undefined) };
}
