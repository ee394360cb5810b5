// Answers of a server byte for byte: which of them are taken as they are, and which are left to a client that says what is
// wrong.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { createAuthority } from "#test/setup/certificates.js";
import { ObjectConnections, type ObjectHead, type Receiver } from "./s3-connections.js";

const opened: { close(): void }[] = [];
afterAll(() => {
  for (const one of opened) one.close();
});

/** Calls `answer` for every request. */
async function listen(answer: (socket: Socket) => void, create = createServer as () => Server): Promise<number> {
  const server = create();
  server.on(create === createServer ? "connection" : "secureConnection", (socket: Socket) =>
    socket.on("error", () => {}).on("data", () => answer(socket)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(server);
  return (server.address() as AddressInfo).port;
}

function connect(port: number, { isSecure = false, idleMs = 120_000 } = {}): ObjectConnections {
  const connections = new ObjectConnections({ host: isSecure ? "localhost" : "127.0.0.1", port, isSecure }, idleMs);
  opened.push(connections);
  return connections;
}

/** Reads into a space of a few bytes, and pauses each time. */
class Collector implements Receiver {
  head: ObjectHead | undefined;
  text = "";
  #space = Buffer.alloc(0);
  readonly #over = Promise.withResolvers<"complete" | "lost">();
  readonly over = this.#over.promise;
  #resume = () => {};

  begin(head: ObjectHead, connection: { resume(): void }): void {
    this.head = head;
    this.#resume = () => connection.resume();
    if (head.length === 0) this.#over.resolve("complete");
  }

  space(): Buffer {
    // The bytes that arrive with the head are at most as many as its buffer has room for.
    this.#space = Buffer.alloc(this.text === "" ? 32 * 1024 : 7);
    return this.#space;
  }

  arrived(count: number): boolean {
    this.text += this.#space.toString("latin1", 0, count);
    if (this.text.length === this.head!.length) this.#over.resolve("complete");
    else void turn().then(this.#resume);
    return false;
  }

  lose(): void {
    this.#over.resolve("lost");
  }
}

async function ask(connections: ObjectConnections): Promise<ObjectHead | "other" | "lost"> {
  const collector = new Collector();
  if (!(await connections.ask("GET /object HTTP/1.1\r\n\r\n", collector))) return "other";
  if ((await collector.over) === "lost") return "lost";
  expect(collector.text).toBe(bytes.slice(0, collector.head!.length));
  return collector.head!;
}

const plain = "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n";
const bytes = "abcdefghijklmnopqrstuvwxyz0123";

describe("the answer of an object store", () => {
  test.each([
    ["a whole object", `${plain}${bytes}`, { start: 0, length: 30, size: 30 }],
    ["a status without words", `HTTP/1.1 200\r\ncontent-length:30\r\n\r\n${bytes}`, { start: 0, length: 30, size: 30 }],
    [
      "a part",
      `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-34/100\r\ncontent-length: 30\r\n\r\n${bytes}`,
      { start: 5, length: 30, size: 100 },
    ],
    ["an empty object", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", { start: 0, length: 0, size: 0 }],
  ])("is taken: %s", async (_, answer, head) => {
    const connections = connect(await listen((socket) => void socket.write(answer)));
    for (let times = 0; times < 3; times++) expect(await ask(connections)).toMatchObject(head);
  });

  test("is taken when it arrives byte by byte", async () => {
    const port = await listen(async (socket) => {
      socket.setNoDelay(true);
      for (const byte of `${plain}${bytes}`) {
        socket.write(byte);
        await turn();
      }
    });
    const connections = connect(port);
    for (let times = 0; times < 2; times++) expect(await ask(connections)).toMatchObject({ length: 30 });
  });

  test.each([
    ["missing", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"],
    ["a redirect", "HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"],
    ["an answer in advance", `HTTP/1.1 100 Continue\r\n\r\n${plain}${bytes}`],
    ["of an older protocol", `HTTP/1.0 200 OK\r\nContent-Length: 30\r\n\r\n${bytes}`],
    ["without a length", `HTTP/1.1 200 OK\r\n\r\n${bytes}`],
    ["with a length that is no number", `HTTP/1.1 200 OK\r\nContent-Length: +30\r\n\r\n${bytes}`],
    ["in chunks", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1e\r\n${bytes}\r\n0\r\n\r\n`],
    ["compressed", `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n${bytes}`],
    ["a part without its place", `HTTP/1.1 206 Partial Content\r\nContent-Length: 30\r\n\r\n${bytes}`],
    [
      "a part of another length",
      `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-35/100\r\ncontent-length: 30\r\n\r\n${bytes}`,
    ],
    ["longer than it says", `${plain}${bytes}x`],
    ["an endless head", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(40_000)}\r\n\r\n`],
    ["no HTTP", "220 ready\r\n\r\n"],
  ])("is left to another client: %s", async (_, answer) => {
    const connections = connect(await listen((socket) => void socket.write(answer)));
    expect(await ask(connections)).toBe("other");
  });

  test("is lost if it ends early, and left to another client if its head does", async () => {
    const lost = connect(await listen((socket) => void socket.end(plain + bytes.slice(1))));
    expect(await ask(lost)).toBe("lost");
    const headless = connect(await listen((socket) => void socket.end(plain.slice(2))));
    expect(await ask(headless)).toBe("other");
  });

  test("is not waited for without end, neither its head nor its rest", async () => {
    const silent = connect(await listen(() => {}), { idleMs: 200 });
    expect(await ask(silent)).toBe("other");
    const stopped = connect(await listen((socket) => void socket.write(plain + bytes.slice(1))), { idleMs: 200 });
    expect(await ask(stopped)).toBe("lost");
  });

  test("ends the connection if it says so, or if more bytes follow than were asked for", async () => {
    const last = plain.replace("\r\n", "\r\nConnection: close\r\n") + bytes;
    const more = (socket: Socket) => {
      socket.write(plain + bytes);
      setTimeout(() => socket.write("more"), 20);
    };
    for (const answer of [(socket: Socket) => void socket.write(last), more]) {
      const closed: Promise<unknown>[] = [];
      const connections = connect(
        await listen((socket) => {
          closed.push(once(socket, "close"));
          answer(socket);
        }),
      );
      for (let times = 0; times < 2; times++) {
        expect(await ask(connections)).toMatchObject({ length: 30 });
        await closed[times];
      }
      expect(closed).toHaveLength(2);
    }
  });

  test("is read over TLS, and refused with a certificate that is not trusted", async () => {
    const authority = createAuthority();
    const certificate = authority.issue("localhost");
    const port = await listen(
      (socket) => void socket.write(plain + bytes),
      () => createSecureServer(certificate),
    );
    expect(await ask(connect(port, { isSecure: true }))).toBe("other");
    const trusted = getCACertificates("default");
    setDefaultCACertificates([authority.certificate]);
    try {
      const connections = connect(port, { isSecure: true });
      for (let times = 0; times < 3; times++) expect(await ask(connections)).toMatchObject({ length: 30 });
    } finally {
      setDefaultCACertificates(trusted);
    }
  });
});
