import { RefreshCw } from "lucide-react";
import { useState } from "react";

import { Badge } from "~/components/Badge";
import { Button, IconButton } from "~/components/Button";
import { TextField } from "~/components/Field";
import { PanelSection } from "~/components/panel/PanelSection";
import { SidePanel } from "~/components/panel/SidePanel";

import { State } from "../Gallery";

export const title = "Side panel";

export default function Page() {
  const [isOpen, setOpen] = useState(true);
  const [isWholeOpen, setWholeOpen] = useState(false);
  return (
    <>
      <State title="Beside the content where there is room, above it where there is none">
        <div className="flex min-w-0 gap-6">
          <div className="min-w-0 grow">
            <Button onClick={() => setOpen(!isOpen)}>{isOpen ? "Hide panel" : "Show panel"}</Button>
            <p className="mt-4">The content of the screen.</p>
          </div>
          <SidePanel open={isOpen} onOpenChange={setOpen} title="Entry" widthKey="gallery" footer={<Button wide>Duplicate</Button>}>
            <PanelSection name="gallery-publish" title="Publish" badge={<Badge tone="good">Published</Badge>}>
              <TextField label="Slug" defaultValue="hello-world" />
            </PanelSection>
            <PanelSection name="gallery-seo" title="Search engines" folded>
              <TextField label="Title" optional />
            </PanelSection>
          </SidePanel>
        </div>
      </State>
      <State title="Wider, with tools in its head, and all of a screen on which there is no room beside the content">
        <div className="flex min-w-0 gap-6">
          <div className="min-w-0 grow">
            <Button onClick={() => setWholeOpen(!isWholeOpen)}>{isWholeOpen ? "Hide panel" : "Show panel"}</Button>
          </div>
          <SidePanel open={isWholeOpen} onOpenChange={setWholeOpen} title="Preview" widthKey="gallery-whole" usualWidth={30} mostWidth={90} whole tools={<IconButton size="sm" label="Reload" icon={<RefreshCw />} />}>
            <p className="p-4">What needs room.</p>
          </SidePanel>
        </div>
      </State>
    </>
  );
}
