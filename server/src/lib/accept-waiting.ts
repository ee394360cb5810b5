// Before a port is closed: connections that wait to be accepted would be reset by the kernel. A connection that arrives
// between the last turn of the event loop and the closing still is; a program cannot avoid that.
import { setImmediate as nextTurn } from "node:timers/promises";

/** As many connections can wait for a port (the default of Node.js). */
const longestQueue = 511;

/** Resolves when a turn of the event loop has accepted nothing, or everything is accepted that waited at the call. */
export async function acceptWaiting(watch: (onAccepted: () => void) => void): Promise<void> {
  let isQuiet = false;
  watch(() => {
    isQuiet = false;
  });
  // The first turn may have begun before the call. A turn accepts one connection.
  await nextTurn();
  for (let turns = 0; !isQuiet && turns <= longestQueue; turns++) {
    isQuiet = true;
    await nextTurn();
  }
}
