// Who a person is and what they may do, to be changed.

import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { UserDetails } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { TextField } from "~/components/Field";
import { Notice } from "~/components/Notice";
import { RoleField } from "~/components/RoleField";
import { toast } from "~/components/toast";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { useMe } from "~/session/session";

import { user } from "./queries";

export function UserForm({ person }: { person: UserDetails }) {
  const queries = useQueryClient();
  const { id: own } = useMe();
  const isOwn = person.id === own;
  const form = useForm({
    values: { name: person.name ?? "", email: person.email, role: person.role },
    submit: async ({ name, email, role }) => {
      const body = {
        ...(name.trim() === (person.name ?? "") ? {} : { name: name.trim() || null }),
        ...(email.trim() === person.email ? {} : { email: email.trim() }),
        ...(role === person.role ? {} : { role }),
        _rev: person._rev,
      };
      const change = answer(api.PUT("/admin/users/{id}", { params: { path: { id: person.id } }, body }));
      // Somebody else may have been faster.
      change.catch(() => queries.invalidateQueries(user(person.id)));
      queries.setQueryData(user(person.id).queryKey, await change);
      void queries.invalidateQueries({ queryKey: ["users", "list"] });
      if (isOwn) void queries.invalidateQueries({ queryKey: ["me"] });
      toast.good(<Trans>Saved.</Trans>);
    },
  });
  return (
    <Form form={form} guarded>
      <Card
        title={<Trans>Details</Trans>}
        footer={
          <Button type="submit" variant="primary" pending={form.isSending} disabled={!form.isDirty}>
            <Trans>Save changes</Trans>
          </Button>
        }
      >
        <div className="grid gap-5">
          <TextField label={<Trans>Name</Trans>} optional maxLength={100} autoComplete="off" {...form.field("name")} />
          <TextField
            label={<Trans>E-mail address</Trans>}
            hint={form.values.email.trim() !== person.email && <Trans>The new address counts as not confirmed.</Trans>}
            type="email"
            dir="ltr"
            autoComplete="off"
            {...form.field("email")}
          />
          <RoleField
            name="role"
            value={form.values.role}
            error={form.error("role")}
            disabled={isOwn}
            hint={isOwn ? <Trans>You cannot change your own role. Another administrator can.</Trans> : undefined}
            onChange={(role) => form.set("role", role)}
          />
          {form.values.role < person.role && (
            <Notice tone="warn">
              <Trans>A lower role takes rights away at once, also from programs that act for this person.</Trans>
            </Notice>
          )}
        </div>
      </Card>
    </Form>
  );
}
