// A date, a time, or both in a zone that is always said. What is typed stays as it was typed, also while it makes no sense.

import { Trans, useLingui } from "@lingui/react/macro";
import { CalendarDays, X } from "lucide-react";
import { Suspense, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { Field, Input } from "~/components/Field";
import { Popover } from "~/components/Popover";
import { Skeleton } from "~/components/states";
import { cx } from "~/lib/cx";
import { dateFormat } from "~/lib/intl";
import { lazily } from "~/lib/lazily";
import { useRegional } from "~/lib/region";
import { isZone } from "~/lib/zone";

import { writeDate, writeTime } from "./parse";
import { isSameValue, read, textsOf, type Kind, type Place, type Texts } from "./reading";
import { Turns } from "./Turns";
import { useProblemText } from "./useProblemText";
import { dateOf, timeOf, wallOf, zoneName } from "./zone";

const DatePanel = lazily(() => import("./DatePanel").then((of) => of.default));

export interface DateTimeFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What the server says is wrong; what is typed wrongly is said first. */
  error?: string | undefined;
  optional?: boolean;
  labelHidden?: boolean;
  name?: string;
  kind: Kind;
  /** An instant as in `2026-11-25T09:00:00Z`, a date as in `2026-11-25`, or a time as in `09:00`. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** The zone that dates and times are meant in, as in `Europe/Berlin`: the site's. */
  zone: string;
  /** The earliest value. */
  min?: string | undefined;
  disabled?: boolean;
  readOnly?: boolean;
  /** Whoever asked for it writes in it at once. */
  autoFocus?: boolean;
  /** Told what is wrong with what is typed, and `undefined` when nothing is: such a value is not passed on. */
  onProblem?: (problem: string | undefined) => void;
}

/** What the calendar fills in where no time was typed. */
const MORNING = "09:00";

export default function DateTimeField({ label, hint, error, optional, labelHidden, name, kind, value, onChange, zone: wanted, min, disabled, readOnly, autoFocus, onProblem }: DateTimeFieldProps) {
  const { t, i18n } = useLingui();
  const locale = useRegional(i18n.locale);
  // Better a field in UTC that says so than none.
  const zone = isZone(wanted) ? wanted : "UTC";
  const place: Place = { kind, locale, zone, min };
  const first = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [texts, setTexts] = useState(() => textsOf(value, place));
  const [isLeft, setLeft] = useState(true);
  // The boxes follow what comes from elsewhere, and not what they said themselves: that comes back later, one after the other, and as nothing where
  // they cannot be read.
  const [seen, setSeen] = useState({ value, locale, zone });
  const [told, setTold] = useState<(string | null | undefined)[]>([value]);
  const isSpelledOtherwise = locale !== seen.locale || zone !== seen.zone;
  if (!isSameValue(value, seen.value, kind) || isSpelledOtherwise) {
    setSeen({ value, locale, zone });
    if (isSpelledOtherwise || !told.some((one) => isSameValue(value, one ?? null, kind))) {
      setTold([value]);
      setTexts(textsOf(value, place));
    }
  }

  const reading = read(texts, place);
  const explain = useProblemText(place);
  const problem = reading.problem && explain(reading.problem);
  const said = isLeft ? problem : undefined;

  useLayoutEffect(() => {
    // The form around it asks its controls whether they may be sent.
    first.current?.setCustomValidity(problem ?? "");
    onProblem?.(problem);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- who is told does not matter, what is told does
  }, [problem]);

  function change(next: Texts) {
    setTexts(next);
    const { value: found } = read(next, place);
    const last = told.at(-1);
    setTold([...told, found]);
    if (found !== undefined && (last === undefined || !isSameValue(found, last, kind))) onChange(found);
  }

  function type(part: Partial<Texts>) {
    setLeft(false);
    change({ ...texts, ...part });
  }

  function leave(event: FocusEvent) {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    settle();
  }

  /** Shows what was understood as the value that it is. */
  function settle() {
    setLeft(true);
    setTold(told.slice(-1));
    if (reading.problem === undefined && reading.value !== null) setTexts(textsOf(reading.value, place));
  }

  function press(event: KeyboardEvent) {
    if (event.key === "Enter") settle();
    if (event.key === "ArrowDown" && event.altKey && kind !== "time" && !readOnly) setOpen(true);
  }

  function choose(next: string | null) {
    setLeft(true);
    change(textsOf(next, place));
    setOpen(false);
  }

  function chooseDay(day: string) {
    if (kind === "date") {
      choose(day);
      return;
    }
    const date = dateOf(day);
    const morning = timeOf(MORNING);
    setLeft(true);
    change({ ...texts, date: date ? writeDate(date, locale) : day, time: texts.time || (morning ? writeTime(morning, locale) : MORNING) });
    setOpen(false);
  }

  const example = { date: textsOf("2026-11-25", { ...place, kind: "date" }).date, time: textsOf("14:30", { ...place, kind: "time" }).time };
  const isEmpty = texts.date === "" && texts.time === "";
  const at = reading.value && kind === "datetime" ? new Date(reading.value) : new Date();
  const wall = kind === "datetime" ? wallOf(reading.value ?? "", zone)?.toString().slice(0, 10) : reading.value;

  return (
    <Field
      {...{ label, optional, labelHidden, error: said ?? error }}
      hint={
        <>
          {hint && <span className="block">{hint}</span>}
          <Zone zone={zone} locale={locale} at={at} own={kind === "datetime" ? reading.value : undefined} />
        </>
      }
    >
      {(control) => (
        <div role="group" aria-labelledby={`${control.id}-label`} onBlur={leave} onKeyDown={press} className="grid max-w-control gap-2">
          <div className="flex flex-wrap gap-2">
            {kind !== "time" && (
              <div className="relative min-w-36 grow basis-36">
                <Input
                  {...control}
                  ref={first}
                  autoFocus={autoFocus}
                  name={name}
                  required={!optional}
                  aria-label={kind === "datetime" ? t`Date` : undefined}
                  autoComplete="off"
                  inputMode="text"
                  dir="ltr"
                  disabled={disabled}
                  readOnly={readOnly}
                  placeholder={example.date}
                  value={texts.date}
                  onChange={(event) => type({ date: event.target.value })}
                  className="pe-10 text-left rtl:ps-10 rtl:pe-3 rtl:text-right"
                />
                {!disabled && !readOnly && (
                  <Popover
                    open={isOpen}
                    onOpenChange={setOpen}
                    label={t`Choose a date`}
                    align="end"
                    className="p-3"
                    trigger={<IconButton size="sm" label={t`Choose a date`} icon={<CalendarDays />} className="absolute! inset-y-0 end-0.5 my-auto" />}
                  >
                    <Suspense fallback={<Skeleton className="h-80 w-66" />}>
                      <DatePanel kind={kind} locale={locale} zone={zone} day={wall ?? null} min={min} onDay={chooseDay} onValue={choose} />
                    </Suspense>
                  </Popover>
                )}
              </div>
            )}
            {kind !== "date" && (
              <Input
                {...(kind === "time" ? { ...control, ref: first, name, autoFocus } : { "aria-label": t`Time`, "aria-describedby": control["aria-describedby"], "aria-invalid": control["aria-invalid"] })}
                required={!optional}
                autoComplete="off"
                disabled={disabled}
                readOnly={readOnly}
                placeholder={example.time}
                value={texts.time}
                onChange={(event) => type({ time: event.target.value })}
                className={cx("min-w-24 grow basis-24 text-left rtl:text-right", kind === "datetime" && "sm:max-w-36")}
              />
            )}
            {optional && !isEmpty && !disabled && !readOnly && <IconButton label={t`Clear`} icon={<X />} onClick={() => choose(null)} />}
          </div>
          {reading.problem === undefined && reading.twice && (
            <Turns twice={reading.twice} turn={texts.turn} locale={locale} zone={zone} disabled={disabled ?? readOnly ?? false} onChange={(turn) => change({ ...texts, turn })} />
          )}
        </div>
      )}
    </Field>
  );
}

/** Which zone is meant, and when that is for the reader. */
function Zone({ zone, locale, at, own }: { zone: string; locale: string; at: Date; own: string | null | undefined }) {
  const name = zoneName(zone, locale, at);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const write = (timeZone: string) => dateFormat(locale, { timeZone, dateStyle: "medium", timeStyle: "short" }).format(at);
  const [there, local] = [write(zone), write(here)];
  return (
    <span className="block">
      <Trans>Time zone: {name}</Trans>
      {own && there !== local && (
        <>
          {" · "}
          <Trans>{local} where you are</Trans>
        </>
      )}
    </span>
  );
}
