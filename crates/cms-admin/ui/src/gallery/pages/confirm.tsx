import { useState, type ReactNode } from "react";

import { ApiError } from "~/api/errors";
import { Button } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";

import { State } from "../Gallery";

export const title = "Questions";

export default function Page() {
  return (
    <>
      <State title="Something that can be done again">
        <Asked label="Leave">{(close) => <ConfirmDialog open onOpenChange={close} title="Leave the team?" confirm="Leave" onConfirm={() => Promise.resolve()} />}</Asked>
      </State>
      <State title="Something that is lost for good is named by whoever means it">
        <Asked label="Delete">
          {(close) => (
            <ConfirmDialog open danger onOpenChange={close} title="Delete the collection “Articles”?" description="This cannot be undone." confirm="Delete collection" typed="articles" onConfirm={() => Promise.resolve()}>
              <p className="mb-4">300 entries are deleted for good.</p>
            </ConfirmDialog>
          )}
        </Asked>
      </State>
      <State title="It fails">
        <Asked label="Try">
          {(close) => (
            <ConfirmDialog open onOpenChange={close} title="Try it?" confirm="Try" onConfirm={() => Promise.reject(new ApiError({ status: 409, code: "CONFLICT", message: "" }))} />
          )}
        </Asked>
      </State>
    </>
  );
}

function Asked({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && children(() => setOpen(false))}
    </div>
  );
}
