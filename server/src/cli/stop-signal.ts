// The signal that stops a server.

/**
 * A signal to a whole process group or container arrives several times: from its sender, from npm and from the program that
 * started this one.
 */
const echoMs = 1000;

export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const signals = ["SIGTERM", "SIGINT"] as const;
  const hear = (signal: NodeJS.Signals) => {
    // Another signal, or the same one later, finds no listener and ends the process immediately.
    for (const one of signals) if (one !== signal) process.off(one, hear);
    setTimeout(() => process.off(signal, hear), echoMs).unref();
    resolve(signal);
  };
  for (const one of signals) process.on(one, hear);
  // scripts/modshelf.mjs, which started this process and waits for it, was killed.
  process.once("disconnect", () => resolve("SIGTERM"));
  process.channel?.unref();
  return promise;
}
