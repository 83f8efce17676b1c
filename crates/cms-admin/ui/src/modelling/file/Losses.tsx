// What would be lost for good: each field is agreed to by itself, and the name of each collection is typed by whoever means it.

import { Plural, Trans } from "@lingui/react/macro";

import { Card } from "~/components/Card";
import { Checkbox, TextField } from "~/components/Field";

import { consentOf, partsOf, type lossesOf, type Names } from "./plan";

/** What was agreed to, each as `consentOf` has it; of collections, what was typed. */
export interface Consents {
  ticked: ReadonlySet<string>;
  typed: ReadonlyMap<string, string>;
}

type Loss = ReturnType<typeof lossesOf>[number];

export function isMeant(loss: Loss, { ticked, typed }: Consents): boolean {
  const key = consentOf(loss);
  return loss.action === "delete_collection" ? typed.get(key)?.trim() === loss.name : ticked.has(key);
}

interface LossesProps {
  losses: Loss[];
  names: Names;
  consents: Consents;
  onChange: (consents: Consents) => void;
  disabled: boolean;
}

export function Losses({ losses, names, consents, onChange, disabled }: LossesProps) {
  const tick = (key: string, isTicked: boolean) => {
    const ticked = new Set(consents.ticked);
    if (isTicked) ticked.add(key);
    else ticked.delete(key);
    onChange({ ...consents, ticked });
  };
  return (
    <Card
      id="losses"
      title={<Trans>What is lost for good</Trans>}
      description={<Trans>This cannot be undone, not even with the model as it is now. Confirm each of these, or mend the file.</Trans>}
      className="border-bad-line"
    >
      <ul className="grid gap-4">
        {losses.map((loss) => {
          const key = consentOf(loss);
          const { collection, field = "" } = partsOf(loss.name);
          const [where, what, count, slug] = [names.collection(collection), names.field(collection, field), loss.loses, loss.name];
          return (
            <li key={key} className="min-w-0 wrap-anywhere">
              {loss.action === "delete_collection" ? (
                <div className="grid gap-2">
                  <p>
                    <Plural value={count} one={`The collection “${where}” with # entry, those in the trash included`} other={`The collection “${where}” with # entries, those in the trash included`} />
                  </p>
                  <TextField
                    label={
                      <span>
                        <Trans>
                          Type <code className="font-mono select-all">{slug}</code> to confirm
                        </Trans>
                      </span>
                    }
                    dir="ltr"
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    disabled={disabled}
                    value={consents.typed.get(key) ?? ""}
                    onChange={({ target }) => onChange({ ...consents, typed: new Map(consents.typed).set(key, target.value) })}
                  />
                </div>
              ) : (
                <Checkbox
                  disabled={disabled}
                  checked={consents.ticked.has(key)}
                  onChange={({ target }) => tick(key, target.checked)}
                  label={
                    <Plural
                      value={count}
                      one={`Delete what # entry of “${where}” has in the field “${what}”`}
                      other={`Delete what # entries of “${where}” have in the field “${what}”`}
                    />
                  }
                  hint={<code dir="ltr" className="font-mono text-xs">{slug}</code>}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
