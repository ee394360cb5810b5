import { Agent, request } from "node:http";
import { describe, expect, test } from "vitest";
import { readConfig } from "#config/config.js";
import { operationRoutes } from "#operations/health/routes.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { type TestApp, testApp } from "#test/server/harness.js";
import { stopLimits } from "./stop-limits.js";

async function serve(settings: Record<string, string> = {}): Promise<{ site: TestApp; control: FrameControl }> {
  const control = new FrameControl();
  const site = await testApp({ routes: [...frameRoutes(control), ...operationRoutes], settings });
  return { site, control };
}

function get(
  origin: string,
  path: string,
  agent: Agent,
): Promise<{ status: number; body: string; connection: string }> {
  return new Promise((resolve, reject) => {
    request(`${origin}${path}`, { agent }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      answer.on("end", () => resolve({ status: answer.statusCode!, body, connection: answer.headers.connection! }));
      answer.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}

describe("a server that stops", () => {
  test("answers every request that had begun, reports at once that it is not ready, and then closes everything", async () => {
    const { site, control } = await serve();
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    control.gate = gate;
    const agent = new Agent({ keepAlive: true, maxSockets: 200 });
    const requests = Array.from({ length: 100 }, () => get(site.origin, "/frame/slow", agent));
    await expect.poll(() => control.arrived).toBe(100);

    const stopped = site.stop();
    expect(site.resources.readiness.isReady).toBe(false);
    // Connections that arrive in the same moment are still answered; soon the port is closed.
    const connectAgain = () =>
      get(site.origin, "/healthz", new Agent()).then(
        ({ status }) => `answered with ${status}`,
        (error: Error) => error.message,
      );
    await expect.poll(connectAgain).toMatch(/ECONNREFUSED|ECONNRESET/);
    letGo();
    const answers = await Promise.all(requests);
    expect(answers.every(({ status, body }) => status === 200 && body === '{"who":"anonymous"}')).toBe(true);
    await stopped;
    agent.destroy();
    await expect(site.resources.db.selectFrom("users").select("id").execute()).rejects.toThrow();
  });

  test("answers further requests on an open connection, and closes it with the answer", async () => {
    const { site, control } = await serve();
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    control.gate = gate;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = get(site.origin, "/frame/slow", agent);
    await expect.poll(() => control.arrived).toBe(1);
    // Queued behind the first on the same connection.
    const second = get(site.origin, "/readyz", agent);
    const stopped = site.stop();
    letGo();
    expect((await first).status).toBe(200);
    const outcome = await second.catch(() => undefined);
    // Its connection may be closed before it is sent; an answer is always complete.
    if (outcome) expect([outcome.status, JSON.parse(outcome.body).ready]).toEqual([503, false]);
    await stopped;
    agent.destroy();
  });

  test("does not wait for idle connections", async () => {
    const { site } = await serve({ MODSHELF_SHUTDOWN_SECONDS: "3600" });
    const agent = new Agent({ keepAlive: true });
    await Promise.all(Array.from({ length: 20 }, () => get(site.origin, "/healthz", agent)));
    // The deadline is later than the timeout of this test.
    await site.stop();
    await expect(get(site.origin, "/healthz", new Agent())).rejects.toThrow("ECONNREFUSED");
    agent.destroy();
  });

  test.each([1, 2, 30, 3600])("reserves a part of its %i seconds for closing everything", (shutdownSeconds) => {
    const { http } = readConfig({ MODSHELF_SHUTDOWN_SECONDS: `${shutdownSeconds}` }, "/");
    const { allMs, requestsMs } = stopLimits({ http });
    expect(allMs).toBe(shutdownSeconds * 1000);
    expect(allMs - requestsMs).toBeCloseTo(Math.min(5000, allMs / 6));
  });

  test("aborts requests that never end at the deadline", async () => {
    const { site, control } = await serve({ MODSHELF_SHUTDOWN_SECONDS: "1" });
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    control.gate = gate;
    const agent = new Agent();
    const hanging = get(site.origin, "/frame/slow", agent);
    const cutOff = expect(hanging).rejects.toThrow(/hang up|ECONNRESET/);
    await expect.poll(() => control.arrived).toBe(1);
    const start = performance.now();
    await site.stop();
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(0.8);
    await cutOff;
    letGo();
  });
});
