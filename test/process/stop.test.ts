// Stopping for service managers: running requests finish, no new ones are accepted, and no client can delay it.
import { expect, test } from "vitest";
import {
  anyPort,
  metricsPortOf,
  type RunningServer,
  siteUrl,
  startProgram,
  startServer,
  useProcesses,
} from "./program.js";
import { isRefused, RawConnection } from "./raw-connection.js";

useProcesses();

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface HalfUpload {
  connection: RawConnection;
  /** The second half of the body. */
  rest: Buffer;
}

/** An upload of a new user that the server has started to read, and that stops in the middle. */
async function beginUpload(server: RunningServer, userName: string): Promise<HalfUpload> {
  const account = { userName, email: `${userName}@example.org`, password: "a long enough password" };
  const signUp = await server.anyone.post("/api/auth/signup", account);
  const body = Buffer.concat([
    Buffer.from('--cut\r\ncontent-disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n'),
    png,
    Buffer.from("\r\n--cut--\r\n"),
  ]);
  const connection = await RawConnection.open(server.port);
  connection.send(
    [
      "PATCH /api/user HTTP/1.1",
      `host: localhost:${server.port}`,
      `origin: ${siteUrl}`,
      `cookie: ${signUp.headers.get("set-cookie")?.split(";")[0]}`,
      "content-type: multipart/form-data; boundary=cut",
      `content-length: ${body.length}`,
      "expect: 100-continue",
      "\r\n",
    ].join("\r\n"),
  );
  await connection.heard(/^HTTP\/1\.1 100 Continue/);
  connection.send(body.subarray(0, 100));
  return { connection, rest: body.subarray(100) };
}

test("a request in progress at SIGTERM is answered completely, while the server is not ready and accepts no connections", async () => {
  const server = await startServer();
  const { connection: upload, rest } = await beginUpload(server, "uploader");
  const probe = await RawConnection.open(server.port);
  const host = `host: localhost:${server.port}\r\n`;
  probe.send(`GET /readyz HTTP/1.1\r\n${host}\r\n`);
  await probe.heard(/"ready":true/);
  probe.send(`GET /readyz HTTP/1.1\r\n${host}`);
  // Answered after the requests of the two connections, because the server reads in the order of arrival.
  await server.anyone.get("/healthz");

  server.program.child.kill("SIGTERM");
  await server.program.heard(/"Stopping"/);
  probe.send("\r\n");
  expect(await probe.heard(/"server":"stopping"/)).toMatch(/HTTP\/1\.1 503 .*"ready":false/s);
  await expect.poll(() => isRefused(server.port)).toBe(true);
  expect(server.program.child.exitCode).toBeNull();

  upload.send(rest);
  expect(await upload.heard(/"profileData"/)).toContain("HTTP/1.1 200 OK");
  expect((await server.program.exited).code).toBe(0);
  expect(server.program.stdout).toContain('"Stopped"');
  expect(server.program.stdout).not.toContain("deadline");

  const second = await server.restart();
  expect((await second.anyone.get("/api/user/uploader")).body.avatar).not.toContain("default");
});

test("many parallel requests are all answered although the server is told to stop during them", async () => {
  const server = await startServer();
  const asked = Array.from({ length: 40 }, (_, index) => server.anyone.get(`/api/user/nobody-${index}`));
  const signUps = Array.from({ length: 10 }, (_, index) => server.signUp(`signer-${index}`));
  await Promise.race(signUps);
  server.program.child.kill("SIGTERM");
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(40).fill(404));
  await Promise.all(signUps);
  expect((await server.program.exited).code).toBe(0);
});

test("clients that keep a connection open or never send anything do not delay the end", async () => {
  const server = await startServer({ settings: { MODSHELF_METRICS_PORT: "0" } });
  const request = `GET /healthz HTTP/1.1\r\nhost: localhost:${server.port}\r\n\r\n`;
  const ports = [server.port, await metricsPortOf(server.program)];
  const silent = await Promise.all(ports.map((port) => RawConnection.open(port)));
  const kept = await Promise.all(ports.map((port) => RawConnection.open(port)));
  for (const connection of kept) {
    connection.send(request);
    await connection.heard(/^HTTP\/1\.1 200 OK/);
  }
  expect(await server.stop()).toBe(0);
  expect(server.program.stdout).not.toContain("deadline");
  await Promise.all([...silent, ...kept].map(({ closed }) => closed));
});

test("a client that hangs in the middle of a request is cut off at the deadline, and its data is discarded", async () => {
  // A sixth of the time is reserved for closing everything, which takes long on a busy machine.
  const server = await startServer({ settings: { MODSHELF_SHUTDOWN_SECONDS: "6" } });
  const { connection: upload } = await beginUpload(server, "hanging");
  const begun = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - begun).toBeGreaterThan(4800);
  await upload.closed;
  expect(server.program.stdout).toContain("Requests are still running at the deadline");
  const second = await server.restart();
  expect((await second.anyone.get("/api/user/hanging")).body.avatar).toContain("default");
});

test("a part that keeps the process alive does not prevent a stopped server from ending", async () => {
  const server = await startServer({ nodeArgs: ["--import", "data:text/javascript,setInterval(() => {}, 1000)"] });
  expect(await server.stop()).toBe(0);
  expect(server.program.stdout).toContain('"Stopped"');
});

test("a part that never closes is cut off after the deadline", async () => {
  const deafServer = 'import { Server } from "node:http"; Server.prototype.close = function () { return this; };';
  const server = await startServer({
    settings: { MODSHELF_SHUTDOWN_SECONDS: "1" },
    nodeArgs: ["--import", `data:text/javascript,${encodeURIComponent(deafServer)}`],
  });
  expect(await server.stop()).toBe(1);
  expect(server.program.stdout).toContain("Something keeps the server from stopping");
});

test("a second signal ends the server immediately", async () => {
  const server = await startServer();
  await beginUpload(server, "impatient");
  server.program.child.kill("SIGTERM");
  await server.program.heard(/"Stopping"/);
  server.program.child.kill("SIGINT");
  expect(await server.program.exited).toEqual({ code: null, signal: "SIGINT" });
});

test("a signal that arrives while the server is starting stops it cleanly", async () => {
  const program = await startProgram(["serve"], { settings: anyPort });
  await program.heard(/The database is up to date/);
  program.child.kill("SIGTERM");
  expect((await program.exited).code).toBe(0);
  expect(program.stdout).toContain('"Stopped"');
});
