// Gives somebody a file that was made in the page.

/** How long a browser may take to begin with it, in milliseconds. */
const KEPT = 60_000;

export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
