// The name of the window.

/** Names the window after the screen. */
export function Title({ children }: { children: string }) {
  return <title>{`${children} · CMS`}</title>;
}
