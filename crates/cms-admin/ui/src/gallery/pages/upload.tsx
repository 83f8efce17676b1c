import { useState } from "react";

import { FileChoice } from "~/components/upload/FileChoice";
import { UploadQueue, type Upload } from "~/components/upload/UploadQueue";

import { State } from "../Gallery";

export const title = "Uploads";

const UPLOADS: Upload[] = [
  { id: "1", name: "sunset-over-the-harbour-with-a-very-long-name-of-a-file.jpg", size: 4_200_000, state: "sending", share: 0.42 },
  { id: "2", name: "صورة.png", size: 820_000, state: "paused", share: 0.7 },
  { id: "3", name: "film.mov", size: 2_100_000_000, state: "failed", share: 0.1, problem: "The file is larger than this site takes." },
  { id: "4", name: "notes.pdf", size: 12_000, state: "done", share: 1 },
  { id: "5", name: "later.zip", size: 66_000, state: "waiting", share: 0 },
];

export default function Page() {
  const [file, setFile] = useState<File>();
  const [uploads, setUploads] = useState(UPLOADS);
  const put = (id: string, state: Upload["state"]) => setUploads(uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
  return (
    <>
      <State title="On the way">
        <UploadQueue
          uploads={uploads}
          onPause={(id) => put(id, "paused")}
          onResume={(id) => put(id, "sending")}
          onRetry={(id) => put(id, "waiting")}
          onCancel={(id) => setUploads(uploads.filter((upload) => upload.id !== id))}
          onClear={() => setUploads(uploads.filter(({ state }) => state !== "done"))}
        />
      </State>
      <State title="All done">
        <UploadQueue uploads={UPLOADS.slice(3, 4)} onRetry={() => undefined} onCancel={() => undefined} onClear={() => undefined} />
      </State>
      <State title="A choice of one file">
        <FileChoice file={file} onChange={setFile} accept=".json" hint="JSON, as the model is downloaded." />
      </State>
      <State title="A file on its way">
        <FileChoice file={new File(["{}"], "model.json")} onChange={() => undefined} accept=".json" hint="" disabled />
      </State>
    </>
  );
}
