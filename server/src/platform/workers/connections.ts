// Connections on their way from the port to a worker. node:cluster accepts them in the primary process, queues them and
// hands one after the other to each worker. It cannot stop accepting without closing the queue, and it forgets a
// connection that it was handing to a worker that dies. This class does both.
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { Server as HttpServer } from "node:http";
import type { Server } from "node:net";
import { acceptWaiting } from "#lib/accept-waiting.js";

interface Handle {
  /** Negative once it is closed, and on systems without descriptors. */
  fd?: number;
  close(): void;
}

/** The port. */
interface ListeningHandle extends Handle {
  onconnection(...given: unknown[]): void;
}

export class Connections {
  #listening: ListeningHandle | undefined;
  /** The last connection that each worker was given. It is closed here as soon as the worker has it. */
  readonly #last = new Map<ChildProcess, Handle>();
  #whenHandedOver: (() => void) | undefined;

  constructor() {
    subscribe("tracing:net.server.listen:asyncEnd", (message) => {
      const { server } = message as { server: Server & { _handle?: ListeningHandle } };
      // The metrics have a port of their own.
      if (!(server instanceof HttpServer)) this.#listening = server._handle;
    });
  }

  /** To be called for each new worker. */
  watch(child: ChildProcess): void {
    const send = child.send as (...given: unknown[]) => boolean;
    child.send = ((...given: unknown[]) => {
      const [message, handle] = given as [{ act?: string } | null, Handle | undefined];
      if (message?.act === "newconn" && handle) this.#last.set(child, handle);
      return send.apply(child, given);
    }) as ChildProcess["send"];
    // After node:cluster has heard that the worker has the connection, and has given it the next one of the queue.
    child.on("internalMessage", () => this.#check());
  }

  /** To be called when a worker has ended: the client of a connection that it did not take must not wait for an answer. */
  forget(child: ChildProcess): void {
    const last = this.#last.get(child);
    this.#last.delete(child);
    if (last && isOpen(last)) last.close();
    this.#check();
  }

  /** Closes the port. Resolves when the workers have all connections that were accepted, or the time is over. */
  async stopAccepting(limitMs: number): Promise<void> {
    const listening = this.#listening;
    if (!listening) return;
    await acceptWaiting((onAccepted) => {
      const accept = listening.onconnection;
      listening.onconnection = (...given) => {
        onAccepted();
        accept.apply(listening, given);
      };
    });
    listening.close();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenHandedOver = resolve;
    const timer = setTimeout(resolve, limitMs);
    this.#check();
    await promise;
    clearTimeout(timer);
  }

  #check(): void {
    // A worker that could take another connection while one is in the queue would have been given it.
    if (![...this.#last.values()].some(isOpen)) this.#whenHandedOver?.();
  }
}

const isOpen = ({ fd = -1 }: Handle): boolean => fd >= 0;
