// Connections to a server with several workers. A line is one connection, and so all its requests go to the same worker.
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Program, RunningServer } from "./program.js";

export interface LineReply {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export interface LineOptions {
  headers?: Record<string, string>;
  json?: unknown;
  form?: FormData;
}

export class Line {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.#port = port;
  }

  /** Rejects if the connection is lost before the answer is complete; the next call opens another one. */
  async call(method: string, path: string, { headers = {}, json, form }: LineOptions = {}): Promise<LineReply> {
    const encoded = form && new Response(form);
    const body = encoded ? Buffer.from(await encoded.arrayBuffer()) : json === undefined ? "" : JSON.stringify(json);
    const type = encoded?.headers.get("content-type") ?? (json === undefined ? undefined : "application/json");
    const sent = request({
      ...{ host: "127.0.0.1", port: this.#port, agent: this.#agent, method, path },
      headers: { ...(type && { "content-type": type, "content-length": Buffer.byteLength(body) }), ...headers },
    });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const isJson = response.headers["content-type"]?.startsWith("application/json") && text !== "";
    const { statusCode: status = 0 } = response;
    return { status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** As many lines as there are workers, each to another one, in the order of their numbers. The log must be at level debug. */
export async function openLines(server: RunningServer, count = 2): Promise<Line[]> {
  const found = new Map<number, Line>();
  while (found.size < count) {
    const line = new Line(server.port);
    const worker = await workerOf(server.program, line);
    if (found.has(worker)) line.close();
    else found.set(worker, line);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, line]) => line);
}

/** The number of the worker at the other end. */
export async function workerOf(program: Program, line: Line): Promise<number> {
  const { headers } = await line.call("GET", "/healthz");
  return Number((await program.heard(new RegExp(`"worker":(\\d+),"reqId":"${headers["x-request-id"]}"`)))[1]);
}

/** The process ids of the workers, by number. */
export function workerPids(program: Program, count = 2): number[] {
  const pids: number[] = [];
  for (let number = 1; number <= count; number++) {
    const lines = [
      ...program.stdout.matchAll(new RegExp(`"worker":${number},"pid":(\\d+),"msg":"A worker answers"`, "g")),
    ];
    pids.push(Number(lines.at(-1)?.[1]));
  }
  return pids;
}
