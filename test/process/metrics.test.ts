// Metrics for Prometheus from the real server: on a separate port, or with a token on the main one, and without data
// from requests in their labels.
import { beforeAll, expect, test } from "vitest";
import { Actor } from "#test/callers/actors.js";
import { metricsPortOf, type RunningServer, startServer, useProcesses } from "./program.js";

useProcesses({ shared: true });

const token = "a-token-for-metrics-only";
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ settings: { MODSHELF_METRICS_TOKEN: token } });
});

test("metrics have their own port, and without a token they are not on the main one", async () => {
  const other = await startServer({ settings: { MODSHELF_METRICS_PORT: "0" } });
  const port = await metricsPortOf(other.program);
  await other.anyone.get("/api/user/nobody");
  const reply = await new Actor(`http://127.0.0.1:${port}`).get("/metrics");
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  expect(reply.text).toMatch(
    /^modshelf_request_seconds_count\{method="GET",route="\/api\/user\/:ref",status="4xx"\} 1$/m,
  );
  expect(reply.text).toMatch(/^modshelf_build_info\{version="[\d.]+"\} 1$/m);
  expect(await other.anyone.get("/metrics")).toFail(404, "notFound");
});

test("a metrics token gives access on the main port, and other callers are refused", async () => {
  const ask = (authorization: string) => server.anyone.get("/metrics", { headers: { authorization } });
  expect(await server.anyone.get("/metrics")).toFail(401, "credentialInvalid");
  for (const wrong of [
    "Bearer wrong",
    `Bearer ${token}x`,
    `Bearer ${token.toUpperCase()}`,
    "Bearer",
    `Digest ${token}`,
  ])
    expect(await ask(wrong)).toFail(401, "credentialInvalid");
  for (const right of [`Bearer ${token}`, `bearer ${token}`, `Basic ${btoa(`prometheus:${token}`)}`])
    expect(await ask(right)).toMatchObject({ status: 200, text: expect.stringContaining("modshelf_request_seconds") });
});

test("labels contain route templates only, for any request", async () => {
  const odd = "canary-in-the-path";
  const session = await server.signUp("Observer");
  await Promise.all([
    server.anyone.get(`/api/user/${odd}`),
    server.anyone.get(`/${odd}`),
    server.anyone.get(`/api/users?ids=${odd}&code=${odd}`),
    server.anyone.call("DELETE", `/api/user/${odd}`),
    server.anyone.get(`/api/%5c${odd}`),
    server.anyone.get(`/cdn/data/user/${odd}/${odd}.webp`),
    server.anyone.post("/api/auth/signin/credential", { email: odd, password: odd }),
    session.get("/api/auth/me", { headers: { "user-agent": odd } }),
    server.anyone.get("/api/auth/me", { headers: { authorization: `Bearer ${odd}` } }),
  ]);
  const { text } = await server.anyone.get("/metrics", { headers: { authorization: `Bearer ${token}` } });
  expect(text).not.toContain(odd);
  expect(text).not.toContain("Observer");
  const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
  expect(routes).toContain("/api/user/:ref");
  expect(routes).toContain("none");
});
