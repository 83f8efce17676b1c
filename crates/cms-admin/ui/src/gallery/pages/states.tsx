import { ApiError } from "~/api/errors";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { EmptyState, ErrorState, ForbiddenState, SkeletonRows } from "~/components/states";

import { State } from "../Gallery";

export const title = "Loading, empty, error, forbidden";

export default function Page() {
  return (
    <>
      <State title="Loading">
        <Card flush>
          <SkeletonRows rows={2} />
        </Card>
      </State>
      <State title="Empty">
        <Card flush>
          <EmptyState title="No entries yet" action={<Button variant="primary">Write the first</Button>}>
            What you write shows up here.
          </EmptyState>
        </Card>
      </State>
      <State title="The server cannot be reached; it failed; it is not there; it is not allowed">
        <Card flush>
          <ErrorState error={new ApiError({ status: 0, code: "NETWORK", message: "" })} onRetry={() => undefined} />
        </Card>
        <Card flush>
          <ErrorState error={new ApiError({ status: 500, code: "INTERNAL_ERROR", message: "", requestId: "01J9Z7" })} onRetry={() => undefined} />
        </Card>
        <Card flush>
          <ErrorState error={new ApiError({ status: 403, code: "INSUFFICIENT_PERMISSIONS", message: "" })} />
        </Card>
        <Card flush>
          <ForbiddenState />
        </Card>
      </State>
    </>
  );
}
