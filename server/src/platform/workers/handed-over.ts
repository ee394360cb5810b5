// node:cluster hands a connection over and closes its own copy when the worker says that it has it. If the worker dies
// before, the copy stays open, and the client waits for an answer that never comes. This closes it.
import type { ChildProcess } from "node:child_process";

interface Handle {
  /** Negative once it is closed, and on systems without descriptors. */
  fd?: number;
  close?(): void;
}

/** Returns a function for the end of the worker. There is one connection on its way to a worker at most. */
export function watchHandOver(child: ChildProcess): () => void {
  let last: Handle | undefined;
  const send = child.send as (...given: unknown[]) => boolean;
  child.send = ((...given: unknown[]) => {
    const [message, handle] = given as [{ act?: string } | null, Handle | undefined];
    if (message?.act === "newconn") last = handle;
    return send.apply(child, given);
  }) as ChildProcess["send"];
  return () => {
    if ((last?.fd ?? -1) >= 0) last?.close?.();
  };
}
