// Questions with forms, which are fetched when they are asked: lists are looked at far more often.

import { lazy } from "react";

export const AuthorDialog = lazy(() => import("./AuthorDialog").then(({ AuthorDialog }) => ({ default: AuthorDialog })));
export const ScheduleDialog = lazy(() => import("./ScheduleDialog").then(({ ScheduleDialog }) => ({ default: ScheduleDialog })));
