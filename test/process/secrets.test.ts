// Reliability O-7: secrets are planted wherever a secret can be, every route is called in many ways at the most verbose
// log level, parts are made to fail, and then all output of the server is searched for them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "#app.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { Actor, type Options, type Reply } from "#test/callers/actors.js";
import { sampleOf } from "#test/setup/long.js";
import { startS3, type TestS3 } from "#test/setup/s3.js";
import { type SmtpServer, startSmtp } from "#test/setup/smtp.js";
import { type RunningServer, siteUrl, startServer, useProcesses } from "./program.js";

useProcesses();

/** Unique and easy to find; `%` and `:` reveal encoded forms. */
const canary = (name: string) => `canary-${name}-5Xq:9%2`;

const planted = {
  adminPassword: canary("admin"),
  smtpPassword: canary("smtp"),
  metricsToken: "canary-metrics-5Xq92",
  github: "canary-github-5Xq92",
  gitlab: "canary-gitlab-5Xq92",
  discord: "canary-discord-5Xq92",
  google: "canary-google-5Xq92",
  password: canary("password"),
  newPassword: canary("new-password"),
  wrongPassword: canary("wrong"),
  // Parsers quote a few characters of the text that they cannot read.
  short: "c4n4ry!",
  authorization: canary("authorization"),
  cookie: "canary-cookie-5Xq92",
  query: "canary-query-5Xq92",
  idempotencyKey: "canary-key-5Xq92",
};
const codes = { code: "canary-code-5Xq92" };

/** Everything that must not be found, including secrets that the service itself generated. */
const secrets = new Map<string, string>(Object.entries(planted));
const refusals: Reply[] = [];

class Recorder extends Actor {
  override async call(method: string, path: string, options?: Options): Promise<Reply> {
    const reply = await super.call(method, path, options);
    if (reply.status >= 400) refusals.push(reply);
    return reply;
  }
}

let server: RunningServer;
let smtp: SmtpServer;
let s3: TestS3;
const caller = (headers: Record<string, string> = {}) => new Recorder(server.origin, headers);

beforeAll(async () => {
  smtp = await startSmtp({ user: "keeper", password: planted.smtpPassword });
  smtp.ignore(/^Subject: New sign-in/m);
  s3 = await startS3();
  secrets.set("s3 secret", s3.secretAccessKey).set("s3 key", s3.accessKeyId);
  const oauth = ["github", "gitlab", "discord", "google"] as const;
  server = await startServer({
    settings: {
      MODSHELF_LOG_LEVEL: "trace",
      MODSHELF_ADMIN_USER: "Keeper",
      MODSHELF_ADMIN_EMAIL: "keeper@example.org",
      MODSHELF_ADMIN_PASSWORD: planted.adminPassword,
      MODSHELF_SMTP_URL: smtp.url,
      MODSHELF_MAIL_FROM: "noreply@example.org",
      MODSHELF_METRICS_TOKEN: planted.metricsToken,
      MODSHELF_STORAGE_URL: `s3://${s3.bucket}?endpoint=${s3.endpoint}&region=${s3.region}`,
      MODSHELF_S3_ACCESS_KEY_ID: s3.accessKeyId,
      MODSHELF_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      ...Object.fromEntries(
        oauth.flatMap((name) => [
          [`MODSHELF_OAUTH_${name.toUpperCase()}_CLIENT_ID`, "client"],
          [`MODSHELF_OAUTH_${name.toUpperCase()}_CLIENT_SECRET`, planted[name]],
        ]),
      ),
    },
  });
}, 120_000);

// If the test has finished, both are stopped already.
afterAll(() => Promise.allSettled([smtp.stop(), s3.stop()]));

test("no secret is in the log, the metrics or a refusal, for any request and any failure", async () => {
  const { session, token } = await live();
  for (const [turn, { endpoint }] of routes.entries()) await ask(endpoint, { session, token, turn });
  await sendNonsense();
  await breakParts();
  const metrics = await caller({ authorization: `Bearer ${planted.metricsToken}` }).get("/metrics");
  const doctor = await server.command("doctor");
  const config = await server.command("config", "check");
  expect(metrics.status).toBe(200);
  expect(await server.stop()).toBe(0);

  const { stdout, stderr } = server.program;
  const forms = [...secrets, ...Object.entries(codes)].flatMap(([name, secret]) => encodings(name, secret));
  const find = (where: string, text: string, among = forms) =>
    among.filter(([, form]) => text.includes(form)).map(([name]) => `${name} in ${where}`);
  const found = [
    ...find("log", stdout + stderr),
    ...find("metrics", metrics.text),
    ...find("doctor", doctor.stdout + doctor.stderr),
    ...find("config check", config.stdout + config.stderr),
    ...refusals.flatMap(({ status, text, body }) =>
      // A page may contain the code that its form sends, and no other secret.
      find(
        `refusal ${status} ${text.slice(0, 200)}`,
        text,
        forms.filter(([name]) => body || !name.startsWith("code")),
      ),
    ),
  ];
  process.stdout.write(
    `${forms.length} forms of secrets, ${stdout.split("\n").length} log lines, ${refusals.length} refusals: ${found.length} hits\n`,
  );
  expect(found).toEqual([]);
  // Checks that the search finds existing text.
  expect(find("log", stdout, [["name", "Keeper"]])).toHaveLength(1);
  // Nor anything that looks like one of our tokens.
  expect(stdout + stderr).not.toMatch(/ms[psc]_\w{20}/);
  expect(stdout).toContain("A job failed");
  expect(stdout).toContain("The server is not ready");
  expect(refusals.length).toBeGreaterThan(routes.length);
});

/** A user's actions during which the service generates secrets. */
async function live(): Promise<{ session: string; token: string }> {
  const account = { userName: "canary-bird", email: "bird@example.org", password: planted.password };
  const signUp = await caller().post("/api/auth/signup", account);
  expect(signUp).toSucceed();
  const session = keep("session", signUp.headers.get("set-cookie")?.match(/auth-token=([^;]+)/)?.[1]);
  const origin = siteUrl;
  const user = caller({ cookie: `auth-token=${session}`, origin });
  await caller().post("/api/auth/signin/credential", { email: account.email, password: planted.wrongPassword });
  const made = await user.post("/api/pat", { name: "ci", dateExpires: "2099-01-01", authScopes: ["user_read"] });
  const token = keep("token", made.body.token);
  for (const authorization of [
    token,
    `Bearer ${token}`,
    `Basic ${btoa(`bird:${token}`)}`,
    `Bearer ${token.slice(0, -1)}0`,
  ])
    await caller({ authorization }).get("/api/user");

  await caller().post("/api/user/change-password", { email: account.email });
  keep("mailed confirmation", (await smtp.nextMessage()).text.match(/code=(msc_\w+)/)?.[1]);
  const code = keep("mailed code", (await smtp.nextMessage()).text.match(/code=(msc_\w+)/)?.[1]);
  await caller().get(`/auth/reset?code=${code}`);
  expect(await caller().patch("/api/user/password", { code, newPassword: planted.newPassword })).toSucceed();
  expect(await caller().patch("/api/user/password", { code, newPassword: planted.newPassword })).toFail(400);
  keep("printed code", /code=(msc_\w+)/.exec((await server.command("admin", "reset", "canary-bird")).stdout)?.[1]);

  const signIn = await caller().post("/api/auth/signin/credential", {
    email: account.email,
    password: planted.newPassword,
  });
  return { session: keep("second session", signIn.headers.get("set-cookie")?.match(/auth-token=([^;]+)/)?.[1]), token };
}

function keep(name: string, secret: string | undefined): string {
  if (!secret) throw new Error(`There is no ${name}`);
  secrets.set(name, secret);
  return secret;
}

/**
 * Calls one route as an anonymous caller, with invalid credentials, with a token and with a session, with secrets in
 * every part of the request.
 */
async function ask(
  { method, path, body }: EndpointSpec,
  { session, token, turn }: { session: string; token: string; turn: number },
): Promise<void> {
  const query = `?code=${codes.code}&token=${planted.query}&password=${planted.query}&state=${planted.query}`;
  const url = path.replace(/:(\w+)|\*/g, "github") + query;
  const json =
    method === "GET"
      ? undefined
      : {
          password: planted.wrongPassword,
          currentPassword: planted.wrongPassword,
          newPassword: planted.newPassword,
          code: codes.code,
          token: planted.query,
          ...(body && "email" in body.properties && { email: "bird@example.org" }),
        };
  const options = { json, headers: { "idempotency-key": planted.idempotencyKey } };
  const origin = siteUrl;
  const ways: Record<string, string>[] = [
    {},
    { authorization: planted.authorization },
    { authorization: `Basic ${btoa(`keeper:${planted.authorization}`)}` },
    { authorization: `Bearer ${token}` },
    { cookie: `auth-token=${planted.cookie}`, origin },
    { cookie: `auth-token=${session}; other=${planted.cookie}`, origin },
  ];
  // Every route is called in three ways, neighboring routes in different ones.
  for (const headers of sampleOf(ways, { step: 2, turn })) await caller(headers).call(method, url, options);
}

async function sendNonsense(): Promise<void> {
  const send = (body: string, type = "application/json") =>
    caller().call("POST", "/api/auth/signin/credential", { body, headers: { "content-type": type } });
  await send(`{"password":"${planted.password}`);
  await send(`{"password":${planted.newPassword}}`);
  await send(`{"password":${planted.short}}`);
  await send(`{"password":"${planted.short}"x}`);
  await send(planted.short);
  await send(`{"email":{"a":"${planted.password}"},"password":["${planted.password}"]}`);
  await send(`password=${planted.password}`, "application/x-www-form-urlencoded");
  await send(
    `--x\r\ncontent-disposition: form-data; name="password"\r\n\r\n${planted.password}`,
    "multipart/form-data; boundary=x",
  );
  await send(planted.password, "text/xml");
  for (const path of ["/nothing-here", "/api/%5c", "/api/%00", "/api/user/%zz", "/auth/reset", "/%c0%af"])
    await caller({ authorization: planted.authorization, cookie: `auth-token=${planted.cookie}` }).get(
      `${path}?code=${codes.code}&token=${planted.query}`,
    );
  await caller()
    .get(`/${"a".repeat(20_000)}?code=${codes.code}`)
    .catch(() => undefined);
}

/** Mail server and storage stop during the test: failures cause most log output. */
async function breakParts(): Promise<void> {
  await smtp.stop();
  await caller().post("/api/user/change-password", { email: "keeper@example.org" });
  await server.program.heard(/A job failed/);
  await s3.stop();
  await server.program.heard(/The server is not ready/);
  const session = await server.signUp("late-bird", planted.password);
  expect((await session.get("/readyz")).status).toBe(503);
}

/** Unchanged, and as encoded in a header, a URL or JSON. */
function encodings(name: string, secret: string): [name: string, form: string][] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64.slice(0, -1)];
  return [...new Set(forms)].map((form) => [name, form]);
}
