// A real S3 server for tests, in this process on a free loopback port: it checks signatures and keeps objects in a
// temporary folder. And a proxy that causes faults on the way to it.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { promisify } from "node:util";

export interface TestS3 {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The folder of the server's objects, for tests that inspect it directly. */
  folder: string;
  stop(): Promise<void>;
}

interface S3Server {
  httpServer: Server;
  logger: { silent: boolean };
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

// The package has no types.
const require = createRequire(import.meta.url);
const S3rver = require("@20minutes/s3rver") as new (options: object) => S3Server;
const { DUMMY_ACCOUNT: account } = require("@20minutes/s3rver/lib/models/account") as {
  DUMMY_ACCOUNT: { createKeyPair(id: string, secret: string): void; revokeAccessKey(id: string): void };
};

export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), "modshelf-s3-"));
  const bucket = "test-bucket";
  // A separate key pair: the server's built-in secret equals the name of its key, so tests could not search messages
  // for it.
  const accessKeyId = `TEST${randomBytes(8).toString("hex").toUpperCase()}`;
  const secretAccessKey = randomBytes(24).toString("base64");
  account.createKeyPair(accessKeyId, secretAccessKey);
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  });
  // Otherwise it logs requests that end after it was stopped.
  server.logger.silent = true;
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: "us-east-1",
    accessKeyId,
    secretAccessKey,
    folder,
    async stop() {
      server.httpServer.closeAllConnections();
      await server.close();
      account.revokeAccessKey(accessKeyId);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface FaultyAnswer {
  status: number;
  body?: string;
}

/**
 * The fault of a request: none; the connection breaks before, in the middle of its body, after the server has done its
 * work, or in the middle of the answer; there is no answer; the answer has another ETag; or the proxy answers by
 * itself.
 */
export type Fault =
  | "pass"
  | "reset"
  | "reset-mid-body"
  | "lose-reply"
  | "cut-answer"
  | "stall"
  | "wrong-etag"
  | FaultyAnswer;

export interface FaultyS3 extends Omit<TestS3, "stop"> {
  /** Called for every request. */
  decide: (request: { method: string; url: string; headers: IncomingHttpHeaders }) => Fault;
  /** Method and URL of every request. */
  seen: string[];
  /** The number of open connections. */
  countConnections(): Promise<number>;
  /** The number of connections ever made. */
  connectionsMade: number;
  closeIdleConnections(): void;
  stop(): Promise<void>;
}

/**
 * A proxy in front of the server that causes the chosen faults. It forwards the Host header, so signatures stay valid.
 */
export async function startFaultyS3(s3: TestS3): Promise<FaultyS3> {
  const proxy = createServer((incoming, answer) => {
    const { method = "", url = "", headers } = incoming;
    faulty.seen.push(`${method} ${url}`);
    const fault = faulty.decide({ method, url, headers });
    incoming.on("error", () => {});
    if (fault === "stall") return;
    if (fault === "reset") return void incoming.socket.destroy();
    if (typeof fault === "object") {
      incoming.resume();
      incoming.on("end", () => answer.writeHead(fault.status).end(method === "HEAD" ? undefined : fault.body));
      return;
    }
    const outgoing = request(s3.endpoint + url, { method, headers, agent: false });
    outgoing.on("error", () => incoming.socket.destroy());
    outgoing.on("response", (reply) => {
      reply.on("error", () => {});
      if (fault === "lose-reply") return void reply.resume().on("end", () => incoming.socket.destroy());
      if (fault === "wrong-etag") reply.headers.etag = '"0123456789abcdef0123456789abcdef"';
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      if (fault !== "cut-answer") return void reply.pipe(answer);
      forwardHalf(reply, answer, () => incoming.socket.destroy());
    });
    if (fault !== "reset-mid-body") return void incoming.pipe(outgoing);
    forwardHalf(incoming, outgoing, () => {
      outgoing.destroy();
      incoming.socket.destroy();
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const faulty: FaultyS3 = {
    ...s3,
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    decide: () => "pass",
    seen: [],
    connectionsMade: 0,
    countConnections: promisify(proxy.getConnections.bind(proxy)),
    closeIdleConnections: () => proxy.closeIdleConnections(),
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
  proxy.on("connection", () => {
    faulty.connectionsMade += 1;
  });
  return faulty;
}

function forwardHalf(from: IncomingMessage, to: Writable, then: () => void): void {
  let left = Math.floor(Number(from.headers["content-length"] ?? 0) / 2);
  from.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.byteLength;
    to.write(part, () => left > 0 || then());
  });
  from.on("end", then);
}
