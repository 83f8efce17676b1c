// What lists need seldom, and fetch when they do: questions with forms, and what this browser keeps.

import { lazy } from "react";

export const LeftNew = lazy(() => import("./LeftNew"));
export const AuthorDialog = lazy(() => import("./AuthorDialog").then(({ AuthorDialog }) => ({ default: AuthorDialog })));
export const Failures = lazy(() => import("./Failures").then(({ Failures }) => ({ default: Failures })));
export const ScheduleDialog = lazy(() => import("./ScheduleDialog").then(({ ScheduleDialog }) => ({ default: ScheduleDialog })));
