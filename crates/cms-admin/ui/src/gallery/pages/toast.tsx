import { useState } from "react";

import { Button } from "~/components/Button";
import { Dialog } from "~/components/Dialog";
import { toast } from "~/components/toast";

import { State } from "../Gallery";

export const title = "Toasts";

export default function Page() {
  const [isOpen, setOpen] = useState(false);
  const [undone, setUndone] = useState(0);
  return (
    <>
      <State title={`Undone ${undone} times`}>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => toast.good("Saved.")}>Done</Button>
          <Button onClick={() => toast.bad("The server is busy. Try again.")}>Failed</Button>
          <Button onClick={() => toast.undo("3 entries moved to the trash.", () => setUndone(undone + 1), 30_000)}>Can be undone</Button>
          <Button onClick={() => setOpen(true)}>A dialog</Button>
        </div>
      </State>
      <Dialog open={isOpen} onOpenChange={setOpen} title="A dialog" description="It does not hide what can be undone.">
        <Button onClick={() => toast.undo("Removed.", () => setUndone(undone + 1), 30_000)}>Remove something</Button>
      </Dialog>
    </>
  );
}
