import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { sampleForEngine } from "#test/setup/long.js";
import { newProviderAccount, type OAuthApp, oauthApp } from "#test/setup/oauth-browser.js";
import { canary, faults, plain } from "#test/setup/oauth-provider.js";

/** A URL at which no server listens. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/token`;
}

const tokenUrl = await closedUrl();
const lines: string[] = [];
const patient = await oauthApp({
  log: pino({ level: "info" }, { write: (line: string) => void lines.push(line) }),
  providers: ({ table }) => ({ table: { ...table, google: { ...table.google, tokenUrl } } }),
});
/** The time is long enough for an ordinary answer on a busy machine. */
const impatient = await oauthApp({ providers: () => ({ timeoutMs: 1500 }) });

type Kind = keyof typeof faults;
type Step = "token" | "profile";
const stalls: readonly Kind[] = ["never answers", "stops in the middle"];
const steps: readonly Step[] = ["token", "profile"];
const cases = steps.flatMap((step) => (Object.keys(faults) as Kind[]).map((kind) => ({ step, kind })));

const countUsers = async ({ resources }: OAuthApp) =>
  (await resources.db.selectFrom("users").select("id").execute()).length;

afterEach(() => {
  for (const { provider } of [patient, impatient]) Object.assign(provider, { fault: undefined, dress: plain });
  lines.length = 0;
});

test.each(sampleForEngine(cases, { step: 4 }))(
  "a provider whose $step URL $kind has not confirmed the sign-in",
  async ({ step, kind }) => {
    const app = stalls.includes(kind) ? impatient : patient;
    for (const name of ["github", "discord"]) {
      const own = app.browser();
      const path = await own.approve(await own.begin("signup", name), newProviderAccount());
      const users = await countUsers(app);
      app.provider.seen.length = 0;
      app.provider.fault = { step, kind };
      const reply = await own.get(path);
      expect(reply).toFail(400, "providerRefused");
      expect(reply.text).not.toContain(canary);
      expect(reply.headers.getSetCookie()).toEqual([]);
      expect(app.provider.seen).not.toContain("/elsewhere");
      expect(app.provider.seen.length).toBeGreaterThanOrEqual(step === "token" ? 1 : 2);
      expect(await countUsers(app)).toBe(users);
      app.provider.fault = undefined;
      expect(await own.get(path)).toFail(400, "providerRefused");
    }
  },
);

test("a provider at whose URL no server listens has not confirmed the sign-in", async () => {
  const reply = await patient.browser().walk("signup", "google", newProviderAccount());
  expect(reply).toFail(400, "providerRefused");
  expect(reply.text).not.toContain("127.0.0.1");
});

test("answers of up to 1 MiB are read, larger ones are not", async () => {
  const visitor = newProviderAccount();
  patient.provider.dress = { ...plain, paddingBytes: 1000 * 1024 };
  expect((await patient.browser().walk("signup", "github", visitor)).status).toBe(303);
  patient.provider.dress = { ...plain, paddingBytes: 1025 * 1024 };
  expect(await patient.browser().walk("signin", "github", visitor)).toFail(400, "providerRefused");
});

test("only answers with a JSON content type are read", async () => {
  const visitor = newProviderAccount();
  for (const contentType of ["application/json", "Application/JSON;charset=UTF-8", "application/vnd.github+json"]) {
    patient.provider.dress = { ...plain, contentType };
    expect((await patient.browser().walk("signup", "github", visitor)).status).toBe(303);
  }
  for (const contentType of ["text/html", "text/plain", "application/jsonp", "text/html; a=application/json"]) {
    patient.provider.dress = { ...plain, contentType };
    expect(await patient.browser().walk("signin", "github", visitor)).toFail(400, "providerRefused");
  }
});

test("the operator finds the reason in the log, and no secret with it", async () => {
  const own = patient.browser();
  const path = await own.approve(await own.begin("signup", "github"), newProviderAccount());
  patient.provider.fault = { step: "token", kind: "answers with an error" };
  await own.get(path);
  const warning = lines.find((line) => line.includes("sign-in provider"));
  expect(JSON.parse(warning!)).toMatchObject({ provider: "github", err: { message: "It answered with status 500" } });
  const { code, state } = Object.fromEntries(new URL(path, "http://x").searchParams);
  const secret = patient.provider.settings.MODSHELF_OAUTH_GITHUB_CLIENT_SECRET;
  for (const secretText of [code, state, secret, canary, own.cookies.get("oauth-browser")])
    expect(lines.join("")).not.toContain(secretText!);
});

describe("an account that we cannot store", () => {
  test.each([
    ["an empty id", { id: "" }],
    ["an id with spaces", { id: "a b" }],
    ["an id with NUL", { id: "a\0b" }],
    ["an id without end", { id: "1".repeat(256) }],
  ])("with %s is refused", async (_what, more) => {
    const reply = await patient.browser().walk("signup", "discord", newProviderAccount(more));
    expect(reply).toFail(400, "providerRefused");
  });

  test.each(["no address", "a@b", "two@example.com, more@example.com", "nul\0@example.com", `${"x".repeat(252)}@b.cd`])(
    "with the email %j counts as an account without an email",
    async (email) => {
      const reply = await patient.browser().walk("signup", "discord", newProviderAccount({ email }));
      expect(reply).toFail(409, "providerEmailMissing");
    },
  );
});
