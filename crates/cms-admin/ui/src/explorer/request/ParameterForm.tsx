// What an operation or a tool is asked with: a control for each parameter, beside what the document says of it.

import { useLingui } from "@lingui/react/macro";
import { useMemo } from "react";

import { CodeBox } from "~/components/CodeField";
import { Field, Input, Select } from "~/components/Field";
import { useShownCollections } from "~/content/collections";

import { describe } from "../document/describe";
import type { Parameter } from "../document/operations";
import type { Root } from "../document/types";
import { Facts, ValueList } from "../parts/Facts";
import { Line } from "../parts/Prose";
import { controlOf, keyOf, problemOf, type Problem, type Values } from "../sending/values";

interface ParameterFormProps {
  root: Root;
  parameters: Parameter[];
  values: Values;
  onChange: (key: string, value: string) => void;
  /** Whether it is said what is wrong. */
  isChecked: boolean;
}

export function ParameterForm({ root, parameters, values, onChange, isChecked }: ParameterFormProps) {
  return (
    <div className="grid gap-5 lg:[--container-control:100%]">
      {parameters.map((parameter) => (
        <Row key={keyOf(parameter)} {...{ root, parameter, isChecked }} value={values.get(keyOf(parameter)) ?? ""} onChange={(value) => onChange(keyOf(parameter), value)} />
      ))}
    </div>
  );
}

function useProblemText(): (problem: Problem) => string {
  const { t } = useLingui();
  return (problem) =>
    ({
      required: t`A value is needed here.`,
      segment: t`This cannot be part of an address.`,
      json: t`This is not JSON yet.`,
      integer: t`A whole number is needed here.`,
      number: t`A number is needed here.`,
    })[problem];
}

interface RowProps {
  root: Root;
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
  isChecked: boolean;
}

function Row({ root, parameter, value, onChange, isChecked }: RowProps) {
  const { t } = useLingui();
  const textOf = useProblemText();
  const { name, required, schema, description } = parameter;
  const described = useMemo(() => describe(root, schema), [root, schema]);
  const problem = problemOf(root, parameter, value);
  // What is not there yet is only missed once it is sent; what is wrong is wrong at once.
  const error = problem && (isChecked || problem !== "required") ? textOf(problem) : undefined;
  const about = description ?? described.about;
  return (
    <Field
      label={
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <code dir="ltr" className="font-mono wrap-anywhere">
            {name}
          </code>
          <code dir="ltr" className="font-mono text-sm font-normal text-muted">
            {described.type}
          </code>
          {parameter.in === "header" && <span className="text-sm font-normal text-muted">{t`header`}</span>}
          {required && <span className="text-xs font-medium text-warn">{t`required`}</span>}
        </span>
      }
      hint={
        <>
          {about && <Line text={about} />}
          {about && described.facts.length > 0 && <br />}
          <Facts facts={described.facts} />
        </>
      }
      error={error}
    >
      {(control) => (
        <>
          <Control {...{ root, parameter, value, onChange, control }} />
          <ValueList values={described.values.filter(({ about }) => about !== undefined)} />
        </>
      )}
    </Field>
  );
}

type ControlAttributes = Parameters<Parameters<typeof Field>[0]["children"]>[0];

function Control({ root, parameter, value, onChange, control }: Omit<RowProps, "isChecked"> & { control: ControlAttributes }) {
  const { t } = useLingui();
  const collections = useShownCollections();
  const kind = controlOf(root, parameter);
  const { name, required } = parameter;
  if (kind.kind === "choice") {
    return (
      <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{required ? t`Choose…` : t`Not sent`}</option>
        {kind.values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </Select>
    );
  }
  if (kind.kind === "json") {
    return <CodeBox id={control.id} isInvalid={control["aria-invalid"] === true} description={undefined} label={name} language="json" verbatim value={value} onChange={onChange} />;
  }
  const isCollection = name === "collection" && collections.length > 0;
  const list = isCollection ? `${control.id}-list` : undefined;
  return (
    <>
      <Input
        {...control}
        dir="ltr"
        {...(kind.kind === "number" ? { inputMode: kind.isInteger ? "numeric" : "decimal" } : {})}
        aria-required={required}
        autoComplete="off"
        spellCheck={false}
        list={list}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="font-mono"
      />
      {list && (
        <datalist id={list}>
          {collections.map(({ slug, label }) => (
            <option key={slug} value={slug}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
