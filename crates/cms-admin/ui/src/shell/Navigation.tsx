// The list of places at the side.

import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";

import { GROUPS } from "./places";
import { usePlaces } from "./usePlaces";

export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { t, i18n } = useLingui();
  const places = usePlaces();
  return (
    <nav aria-label={t`Main`} className="grid grid-cols-1 gap-5">
      {GROUPS.map((group) => {
        const inside = places.filter((place) => place.group === group.id);
        if (inside.length === 0) return null;
        return (
          <div key={group.id}>
            {group.label && (
              <h2 id={`nav-${group.id}`} className="mb-1 px-2.5 text-xs font-medium text-faint">
                {i18n._(group.label)}
              </h2>
            )}
            <ul aria-labelledby={group.label && `nav-${group.id}`} className="grid grid-cols-1 gap-0.5">
              {inside.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === "/" || to === "/account" || to === "/content" }}
                    {...(onChosen ? { onClick: onChosen } : {})}
                    className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 py-1.5 text-muted transition-colors duration-100 hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
                    activeProps={{ className: "bg-active font-medium text-ink! [&_svg]:text-accent-ink" }}
                  >
                    <Icon aria-hidden className="size-4 shrink-0" />
                    <bdi className="min-w-0 truncate">{label}</bdi>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
