// Lays a map out where nobody waits for it.

import { arrange, type Asked } from "./layout";

self.onmessage = ({ data }: MessageEvent<Asked>) => self.postMessage(arrange(data));
