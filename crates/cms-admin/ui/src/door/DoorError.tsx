// A page before the door that could not be loaded.

import { useLingui } from "@lingui/react/macro";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";

import { Notice } from "~/components/Notice";
import { Button } from "~/components/Button";
import { messageOf } from "~/api/errors";
import { useTriesAgain } from "~/lib/triesAgain";

import { DoorPage } from "./DoorPage";

export function DoorError({ error }: ErrorComponentProps) {
  const { t } = useLingui();
  const router = useRouter();
  const again = () => void router.invalidate();
  useTriesAgain(error, again);
  return (
    <DoorPage title={t`This page could not be loaded`}>
      <Notice tone="bad">{messageOf(error)}</Notice>
      <Button variant="primary" size="lg" wide onClick={again}>
        {t`Try again`}
      </Button>
    </DoorPage>
  );
}
