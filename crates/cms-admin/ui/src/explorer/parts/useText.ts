// The text of an answer, once it is read.

import { useEffect, useState } from "react";

/** The text of a body, or of its first `most` bytes; nothing until it is read. */
export function useText(body: Blob | undefined, most = Infinity): string | undefined {
  const [read, setRead] = useState<{ of: Blob; text: string }>();
  useEffect(() => {
    let isNewest = true;
    if (body) {
      const part = body.size > most ? body.slice(0, most) : body;
      void part.text().then((text) => isNewest && setRead({ of: body, text }));
    }
    return () => void (isNewest = false);
  }, [body, most]);
  return read && read.of === body ? read.text : undefined;
}
