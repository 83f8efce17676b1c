// A choice of role, with what it lets people do.

import { Trans, useLingui } from "@lingui/react/macro";
import type { ChangeEvent, ReactNode } from "react";

import type { RoleLevel } from "~/api/types";
import { ROLES, roleCan } from "~/session/roles";

import { SelectField } from "./Field";

interface RoleFieldProps {
  label?: ReactNode;
  name: string;
  value: RoleLevel;
  onChange: (role: RoleLevel) => void;
  error?: string | undefined;
  disabled?: boolean;
  /** Said instead of what the role lets people do. */
  hint?: ReactNode;
}

export function RoleField({ label, name, value, onChange, error, disabled, hint }: RoleFieldProps) {
  const { i18n } = useLingui();
  const can = roleCan(value);
  return (
    <SelectField
      label={label ?? <Trans>Role</Trans>}
      name={name}
      value={String(value)}
      error={error}
      disabled={disabled}
      hint={hint ?? (can && i18n._(can))}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => onChange(Number(event.target.value) as RoleLevel)}
    >
      {ROLES.map(({ level, name }) => (
        <option key={level} value={level}>
          {i18n._(name)}
        </option>
      ))}
    </SelectField>
  );
}
