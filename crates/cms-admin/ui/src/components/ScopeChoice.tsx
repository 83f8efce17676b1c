// A choice of scopes, each said in words, with its technical name beside it.

import { Trans, useLingui } from "@lingui/react/macro";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { useId, type ReactNode } from "react";

import type { Scope } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Checkbox } from "~/components/Field";
import { roleName } from "~/session/roles";
import { isHighRisk, scopeWords } from "~/session/scopes";

/** A scope that can be chosen. */
export interface Choice {
  scope: Scope;
  /** Whether the role allows to give it. */
  allowed: boolean;
  leastRole: number;
  /** What the server says of it: for scopes that have no words here. */
  description?: string;
}

interface ScopeChoiceProps {
  legend: ReactNode;
  /** The name of the field, for issues about it. */
  name: string;
  choices: Choice[];
  value: Scope[];
  onChange: (value: Scope[]) => void;
  hint?: ReactNode;
  error?: string | undefined;
}

/** Boxes for scopes. What the role does not allow can be seen and not ticked. */
export function ScopeChoice({ legend, name, choices, value, onChange, hint, error }: ScopeChoiceProps) {
  const { t, i18n } = useLingui();
  const id = useId();
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      {hint && <p className="-mt-1.5 text-sm text-muted">{hint}</p>}
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {choices.map(({ scope, allowed, leastRole, description }) => {
          const words = scopeWords(scope);
          return (
            <Checkbox
              key={scope}
              name={name}
              className="px-3.5 py-2.5"
              disabled={!allowed}
              checked={allowed && value.includes(scope)}
              onChange={(event) => onChange(event.target.checked ? [...value, scope] : value.filter((other) => other !== scope))}
              label={
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className={allowed ? "font-medium" : "font-medium text-muted"}>{words ? i18n._(words.name) : scope}</span>
                  <code dir="ltr" className="font-mono text-xs text-faint">
                    {scope}
                  </code>
                  {isHighRisk(scope) && (
                    <Badge tone="warn" icon={<TriangleAlert aria-hidden />}>
                      <Trans>High risk</Trans>
                    </Badge>
                  )}
                </span>
              }
              hint={
                <>
                  {words ? i18n._(words.can) : description}
                  {!allowed && (
                    <>
                      {" "}
                      <Trans>Your role cannot give this: it needs {t(roleName(leastRole))}.</Trans>
                    </>
                  )}
                </>
              }
            />
          );
        })}
      </div>
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  );
}

/** Scopes in a row of words, as in “Read content, Write content”. */
export function ScopeList({ scopes }: { scopes: Scope[] }) {
  const { i18n } = useLingui();
  return (
    <span>
      {scopes.map((scope, index) => {
        const words = scopeWords(scope);
        return (
          <span key={scope} title={scope}>
            {index > 0 && ", "}
            {words ? i18n._(words.name) : scope}
          </span>
        );
      })}
    </span>
  );
}
