// Who else has the entry open: their pictures in the head of the editor, and their names for whoever asks or hears the page.

import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";

import { Avatar } from "~/components/Avatar";
import { Popover } from "~/components/Popover";
import { useFormat } from "~/lib/format";

import { useSession } from "./model/context";
import { usePeople } from "./model/usePeople";

/** How many are shown; the others are a number. */
const SHOWN = 3;

export function Present() {
  const { t } = useLingui();
  const { list, number } = useFormat();
  const people = usePeople(useSession());
  const [isOpen, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  const known = useRef(new Set<string>());

  const names = people.map(({ userName }) => userName || t`Somebody`);
  const all = list(names);
  const text = people.length > 0 ? plural(people.length, { one: `${all} has this entry open too`, other: `${all} have this entry open too` }) : "";

  // Said when somebody comes: whoever goes interrupts nobody.
  useEffect(() => {
    const before = known.current;
    known.current = new Set(people.map(({ userId }) => userId));
    if (text === "" || people.some(({ userId }) => !before.has(userId))) setSaid(text);
  }, [people, text]);

  const more = people.length - SHOWN;
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {people.length > 0 && (
        <Popover
          open={isOpen}
          onOpenChange={setOpen}
          label={text}
          trigger={
            <button type="button" aria-label={text} title={text} className="flex shrink-0 items-center rounded-full p-0.5 hover:bg-hover aria-expanded:bg-hover pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center">
              {people.slice(0, SHOWN).map(({ userId, avatarUrl }, n) => (
                <Avatar key={userId} name={names[n] ?? ""} url={avatarUrl} className="-ms-1.5 size-7 text-xs ring-2 ring-canvas first:ms-0" />
              ))}
              {more > 0 && (
                <span aria-hidden className="ms-1 text-sm text-muted">
                  +{number(more)}
                </span>
              )}
            </button>
          }
        >
          <ul className="grid gap-2 p-3">
            {people.map(({ userId, avatarUrl }, n) => (
              <li key={userId} className="flex items-center gap-2.5">
                <Avatar name={names[n] ?? ""} url={avatarUrl} className="size-7 text-xs" />
                <bdi className="min-w-0 break-words">{names[n]}</bdi>
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  );
}
