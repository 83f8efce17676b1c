// Saved views: a name for what a list asks and shows. Where they are kept is behind an interface, so that the server can keep them too.

/** A saved view of a list. */
export interface View {
  id: string;
  name: string;
  /** What stands in the address: filters, order, columns, search. */
  search: Record<string, string>;
  /** Whether everybody sees it, or only whoever saved it. */
  isShared: boolean;
  /** Whether whoever looks may change and remove it. */
  isMine: boolean;
}

/** Where the views of a list are kept. */
export interface ViewStore {
  /** Whether views can be shared. */
  canShare: boolean;
  list: () => Promise<View[]>;
  /** Adds a view, or puts it in the place of the one with its id. */
  save: (view: View) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

/** The views of a user in this browser. */
export function browserViews(user: string, list: string): ViewStore {
  const key = `cms-views:${user}:${list}`;
  const read = (): View[] => {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
      return Array.isArray(found) ? found.filter(isView) : [];
    } catch {
      // Somebody else wrote there, or the browser keeps nothing.
      return [];
    }
  };
  const write = (views: View[]) => {
    localStorage.setItem(key, JSON.stringify(views));
    return Promise.resolve();
  };
  return {
    canShare: false,
    list: () => Promise.resolve(read()),
    save: (view) => {
      const views = read();
      const isKnown = views.some(({ id }) => id === view.id);
      return write(isKnown ? views.map((other) => (other.id === view.id ? view : other)) : [...views, view]);
    },
    remove: (id) => write(read().filter((view) => view.id !== id)),
  };
}

function isView(value: unknown): value is View {
  const { id, name, search } = (value ?? {}) as Partial<View>;
  return typeof id === "string" && typeof name === "string" && typeof search === "object" && Object.values(search).every((part) => typeof part === "string");
}
