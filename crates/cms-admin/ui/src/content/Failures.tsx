// The entries with which work on many did not work, and why not.

import { Plural } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";

import { ApiError } from "~/api/errors";
import type { BulkChange } from "~/api/types";
import { Notice } from "~/components/Notice";

import { reasonOf } from "./reasons";

type Failed = BulkChange["failedItems"][number];

export function Failures({ change: { collection, failed, failedItems }, staysSelected }: { change: BulkChange; staysSelected: boolean }) {
  const more = failed - failedItems.length;
  const why = ({ code, message }: Failed) => reasonOf(new ApiError({ status: 200, code: code ?? "", message }));
  return (
    <div className="mt-4">
      <Notice tone="warn" title={<Plural value={failed} one="It did not work for # entry" other="It did not work for # entries" />}>
        {staysSelected && <Plural value={failed} one="It stays selected." other="They stay selected." />}
      </Notice>
      <ul className="mt-3 grid max-h-64 gap-2 overflow-y-auto" tabIndex={0}>
        {failedItems.map((one) => (
          <li key={one.id ?? one.item} className="grid justify-items-start">
            {one.id !== null && one.code !== "NOT_FOUND" ? (
              <Link to="/content/$collection/$id" params={{ collection, id: one.id }} className="max-w-full truncate rounded-sm font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current pointer-coarse:py-2.5">
                <bdi>{one.item}</bdi>
              </Link>
            ) : (
              <bdi className="max-w-full truncate font-medium">{one.item}</bdi>
            )}
            <span className="text-sm text-muted">{why(one)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-2 text-sm text-muted">
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </div>
  );
}
