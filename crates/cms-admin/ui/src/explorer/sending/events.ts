// Server-Sent Events as they come in pieces: the data of each, as the HTML standard reads them (9.2.6).

export interface StreamEvent {
  type: string;
  data: string;
  id: string;
}

/** Reads a stream piece by piece. What an event ends with may come in another piece than it began in. */
export function eventReader(): (text: string) => StreamEvent[] {
  let rest = "";
  let event = { type: "", data: [] as string[] };
  let id = "";
  let isFirst = true;
  return (text) => {
    rest += isFirst ? text.replace(/^\uFEFF/, "") : text;
    isFirst &&= text === "";
    const events: StreamEvent[] = [];
    // A line break of two characters may be cut in two: the first is left until the second can be seen.
    for (let end; (end = /\r\n|\n|\r(?!$)/.exec(rest)); ) {
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (line === "") {
        if (event.data.length > 0) events.push({ type: event.type || "message", data: event.data.join("\n"), id });
        event = { type: "", data: [] };
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") event.data.push(value);
      else if (name === "event") event.type = value;
      else if (name === "id" && !value.includes("\0")) id = value;
    }
    return events;
  };
}
