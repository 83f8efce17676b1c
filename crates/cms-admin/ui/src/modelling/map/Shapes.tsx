// Shapes on the screen, in the colours of the theme.

import { CORNER, TYPE, type Role, type Shape } from "./shapes";

const LOOKS: Record<Role, string> = {
  box: "fill-surface stroke-line-strong",
  missing: "fill-bad-soft stroke-bad [stroke-dasharray:5_4]",
  beside: "fill-sunken stroke-line",
  rule: "fill-none stroke-line",
  name: "fill-ink",
  slug: "fill-muted",
  field: "fill-ink",
  mark: "fill-muted",
  line: "fill-none stroke-line-strong [stroke-width:1.25]",
  head: "fill-line-strong",
};

/** The arrows of what is looked at. */
const LIT: Partial<Record<Role, string>> = { line: "fill-none stroke-accent [stroke-width:2]", head: "fill-accent" };

export function Shapes({ of, isLit = false }: { of: readonly Shape[]; isLit?: boolean }) {
  return of.map((shape, n) => <Drawn key={n} shape={shape} className={(isLit ? LIT[shape.role] : undefined) ?? LOOKS[shape.role]} />);
}

function Drawn({ shape, className }: { shape: Shape; className: string }) {
  switch (shape.as) {
    case "rect":
      return <rect x={shape.x} y={shape.y} width={shape.width} height={shape.height} rx={CORNER} className={className} />;
    case "path":
      return <path d={shape.path} className={className} />;
    case "text": {
      const { size, weight, isMono } = TYPE[shape.role] ?? { size: 12, weight: 400, isMono: false };
      return (
        <text x={shape.x} y={shape.y} direction={shape.direction} textAnchor={shape.anchor} fontSize={size} fontWeight={weight} className={isMono ? `${className} font-mono` : className}>
          {shape.text}
        </text>
      );
    }
  }
}
