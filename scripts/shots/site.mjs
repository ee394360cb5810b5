// A separate site for screenshots, in a temporary folder, and its users.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../files.mjs";

const program = join(root, "dist", "server", "src", "main.js");
export const password = "correct horse battery";

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

export async function until(isTrue) {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The site did not start in time");
}

/** `command`: "serve" or "demo". Users are created when they are needed: the first run has none. */
export async function startSite(command, settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-shots-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    MODSHELF_DATA_DIR: folder,
    MODSHELF_PORT: String(port),
    MODSHELF_URL: url,
    MODSHELF_RATE_LIMITS: "off",
    MODSHELF_LOG_LEVEL: "warn",
    MODSHELF_WORKERS: "1",
    ...settings,
  };
  const run = (words, stdout = "ignore") =>
    spawn(process.execPath, [program, ...words], { env, stdio: ["ignore", stdout, "inherit"] });
  const server = run([command]);
  await until(async () => (await fetch(`${url}/readyz`)).ok);
  return {
    url,
    people: {},
    /** The link of the first run. */
    async setupLink() {
      const child = run(["setup-link"], "pipe");
      const words = await Array.fromAsync(child.stdout);
      return new URL(Buffer.concat(words).toString().trim());
    },
    /** Creates the first administrator, as the form of the first run does. */
    async begin(code, userName) {
      const session = sessionOf(await post(url, "/setup", { code, ...accountOf(userName) }));
      this.people.admin = { session, userName, call: callerOf(url, session) };
    },
    /** Creates a user who can call the API. */
    async join(name, userName, role) {
      const session = sessionOf(await post(url, "/api/auth/signup", accountOf(userName)));
      if (role) await end(run(["admin", "role", userName, role]));
      this.people[name] = { session, userName, call: callerOf(url, session) };
    },
    /** Some pages need a recent sign-in. Users with a second factor keep their session. */
    async signInAgain() {
      for (const person of Object.values(this.people)) {
        const answer = await post(url, "/api/auth/signin/credential", { email: person.userName, password });
        person.session = sessionOf(answer) ?? person.session;
      }
    },
    async stop() {
      server.kill("SIGTERM");
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const end = (child) => new Promise((resolve) => child.once("exit", resolve));

const accountOf = (userName) => ({ userName, email: `${userName}@example.com`, password });

const post = (url, path, body) =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
    redirect: "manual",
  });

/** The value of the session cookie. */
const sessionOf = (response) => /auth-token=([^;]+)/.exec(response.headers.getSetCookie().join())?.[1];

/** Sends JSON, or a form if a value is a file ({ name, bytes }). Returns JSON, the text of a page, or where it leads. */
const callerOf = (url, session) => async (method, path, body) => {
  const isForm = Object.values(body ?? {}).some((value) => value?.bytes);
  const sent = isForm ? formOf(body) : body && JSON.stringify(body);
  const headers = { cookie: `auth-token=${session}`, origin: url };
  if (sent && !isForm) headers["content-type"] = "application/json";
  const response = await fetch(url + path, { method, headers, body: sent, redirect: "manual" });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 400)}`);
  if (response.headers.has("location")) return response.headers.get("location");
  return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
};

function formOf(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value.bytes) form.append(name, new Blob([value.bytes]), value.name);
    else form.append(name, value);
  }
  return form;
}
