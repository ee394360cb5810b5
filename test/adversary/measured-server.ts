// The real server in its own process, with a probe inside: sends it requests and returns their cost. A server that
// stops answering is killed and started again.
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { type RunningServer, startServer, temporaryFolder } from "#test/process/program.js";
import { siteUrl } from "#test/server/harness.js";

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export interface Cost {
  /** In the order of the requests; undefined if the connection was closed before an answer. */
  statuses: (number | undefined)[];
  /** CPU time of the main thread in the longest period without a turn of the event loop. */
  heldMs: number;
  /** The growth of memory after a garbage collection. */
  grownBytes: number;
}

/** Within this time every request is answered or cut off, even on a busy machine. */
const patienceMs = 20_000;
export const probe = fileURLToPath(new URL("./probe.mjs", import.meta.url));

export class MeasuredServer {
  readonly #content: string;
  readonly #mostBytes: number;
  readonly #agent = new Agent({ keepAlive: true });
  #server: RunningServer | undefined;

  /** `content`: a data folder; every start gets a copy of it. */
  constructor(content: string, mostBytes: number) {
    this.#content = content;
    this.#mostBytes = mostBytes;
  }

  async #running(): Promise<RunningServer> {
    if (this.#server) return this.#server;
    const folder = temporaryFolder();
    cpSync(this.#content, folder, { recursive: true });
    this.#server = await startServer({
      hasChannel: true,
      nodeArgs: ["--expose-gc", "--import", probe],
      cwd: folder,
      settings: {
        MODSHELF_URL: siteUrl,
        MODSHELF_DATA_DIR: folder,
        ADVERSARY_MOST_BYTES: String(this.#mostBytes),
      },
    });
    return this.#server;
  }

  async #ask<T>(question: "cost" | "collect"): Promise<T> {
    const { child } = (await this.#running()).program;
    const answered = once(child, "message", { signal: AbortSignal.timeout(patienceMs) });
    child.send(question);
    return (await answered)[0] as T;
  }

  /** Collects garbage and resets the measurement, so that the memory of the next requests is measured exactly. */
  settle = (): Promise<void> => this.#ask("collect");

  /**
   * Sends all requests together, and returns their total cost. Undefined if the server did not answer in a time in
   * which it could have answered thousands of others.
   */
  async send(requests: readonly Sent[]): Promise<Cost | undefined> {
    const { port } = await this.#running();
    try {
      const statuses = await Promise.all(requests.map((sent) => this.#exchange(port, sent)));
      const { held, grown } = await this.#ask<{ held: number; grown: number }>("cost");
      return { statuses, heldMs: held, grownBytes: grown };
    } catch {
      await this.kill();
      return undefined;
    }
  }

  #exchange(port: number, { method, path, headers, body }: Sent): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const length = body && { "content-length": String(body.length) };
      const options = { agent: this.#agent, port, host: "127.0.0.1", method, path, headers: { ...length, ...headers } };
      const call = request(options, (response) => {
        const done = () => {
          clearTimeout(late);
          resolve(response.statusCode);
        };
        response.resume().on("end", done).on("close", done);
      });
      const late = setTimeout(() => {
        reject(new Error("no answer"));
        call.destroy();
      }, patienceMs);
      // A closed connection counts as a refusal.
      call.on("error", () => {
        clearTimeout(late);
        resolve(undefined);
      });
      call.end(body);
    });
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#agent.destroy();
    await server?.kill();
    if (server) rmSync(server.cwd, { recursive: true, force: true });
  }
}
