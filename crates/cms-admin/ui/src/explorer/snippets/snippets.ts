// A call of the API, written for other programs. Pure: it knows nothing of the screen that shows it.

import type { Call, Site } from "./call";
import { curl } from "./curl";
import { mcp } from "./mcp";
import { TOOLS } from "./tools";
import { typescript } from "./typescript";

export interface Snippets {
  /** For a POSIX shell. The token is in the variable `CMS_TOKEN`. */
  curl: string;
  /** With `fetch`. The token is in the environment, under the same name. */
  typescript: string;
  /** The `tools/call` message of MCP. Nothing where no tool does what the operation does. */
  mcp: string | undefined;
}

export function snippets(call: Call, site: Site): Snippets {
  return { curl: curl(call, site), typescript: typescript(call, site), mcp: mcp(call, call.tool ?? TOOLS.get(call.operationId)) };
}
