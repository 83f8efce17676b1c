// What lists need seldom, and fetch when they do: questions with forms, and what this browser keeps.

import { lazily } from "~/lib/lazily";

export const LeftNew = lazily(() => import("./LeftNew").then((of) => of.default));
export const AuthorDialog = lazily(() => import("./AuthorDialog").then((of) => of.AuthorDialog));
export const Failures = lazily(() => import("./Failures").then((of) => of.Failures));
export const ScheduleDialog = lazily(() => import("./ScheduleDialog").then((of) => of.ScheduleDialog));
