// A screen whose code could not be fetched: it is there once the server is back.

import { useEffect, useState } from "react";

import { ApiError } from "~/api/errors";
import { ErrorState } from "~/components/states";
import { answers, beginAgain } from "~/lib/lazily";

function unanswered(): ApiError {
  return new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" });
}

export function Unfetched({ error }: { error: unknown }) {
  const [away, setAway] = useState<ApiError | null>(unanswered);
  const tried = (isThere: boolean) => {
    if (!isThere) setAway(unanswered());
    // A server that answers, and does not have it even after a new start, is not asked on and on.
    else if (!beginAgain()) setAway(null);
  };
  // It may be that it was not to be had when somebody only pointed at its link, and the server has been back for long.
  useEffect(() => void answers().then((isThere) => isThere && beginAgain()), []);
  return <ErrorState error={away ?? error} onRetry={away ? () => void answers().then(tried) : () => location.reload()} />;
}
