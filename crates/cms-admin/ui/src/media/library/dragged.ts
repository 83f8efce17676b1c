// What is dragged from the library onto a folder.

import type { MediaItem } from "~/api/types";

export interface Dragged {
  media: readonly MediaItem[];
}
