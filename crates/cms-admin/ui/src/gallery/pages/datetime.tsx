import { useState } from "react";

import { DateTimeField } from "~/components/DateTimeField";

import { State } from "../Gallery";

export const title = "Date and time";

export default function Page() {
  const [instant, setInstant] = useState<string | null>("2026-12-24T17:00:00Z");
  const [twice, setTwice] = useState<string | null>("2026-10-25T00:30:00Z");
  const [date, setDate] = useState<string | null>("2026-11-25");
  const [time, setTime] = useState<string | null>("14:30");
  const [early, setEarly] = useState<string | null>("2020-01-01T08:00:00Z");
  return (
    <>
      <State title={`Date and time in another zone: ${instant ?? "nothing"}`}>
        <DateTimeField label="Publish at" kind="datetime" zone="America/New_York" value={instant} onChange={setInstant} optional />
      </State>
      <State title={`A time that comes twice: ${twice ?? "nothing"}`}>
        <DateTimeField label="Publish at" kind="datetime" zone="Europe/Berlin" value={twice} onChange={setTwice} />
      </State>
      <State title={`Too early: ${early ?? "nothing"}`}>
        <DateTimeField label="Publish at" kind="datetime" zone="Asia/Kathmandu" value={early} onChange={setEarly} min="2026-11-25T00:00:00Z" hint="Readers see it from then on." />
      </State>
      <State title={`A date: ${date ?? "nothing"}`}>
        <DateTimeField label="Day of the event" kind="date" zone="Europe/Berlin" value={date} onChange={setDate} />
      </State>
      <State title={`A time: ${time ?? "nothing"}`}>
        <DateTimeField label="Doors open" kind="time" zone="Europe/Berlin" value={time} onChange={setTime} />
      </State>
      <State title="A value that is none, from another program">
        <DateTimeField label="Publish at" kind="datetime" zone="Europe/Berlin" value="next week" onChange={() => undefined} />
      </State>
      <State title="Read only">
        <DateTimeField label="Published at" kind="datetime" zone="Europe/Berlin" value="2026-11-25T09:00:00Z" onChange={() => undefined} readOnly />
      </State>
    </>
  );
}
