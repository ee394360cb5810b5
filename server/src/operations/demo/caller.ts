// A client that uses the API with a session, over real HTTP, like any other client.

import { createSession } from "#accounts/sessions/write.js";
import { createAccount } from "#accounts/users/write.js";
import { type Actor, write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";

const byDemo: Actor = { credential: "demo" };

export class Caller {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, siteUrl: string, sessionToken: string) {
    this.#origin = origin;
    this.#headers = { cookie: `auth-token=${sessionToken}`, origin: siteUrl };
  }

  json = (method: string, path: string, body: unknown) =>
    this.#call(method, path, JSON.stringify(body), { "content-type": "application/json" });

  async read<T>(path: string): Promise<T> {
    const response = await fetch(this.#origin + path, { headers: this.#headers });
    return (await response.json()) as T;
  }

  form(method: string, path: string, parts: Record<string, string | { name: string; bytes: Buffer }>) {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part === "string") form.append(name, part);
      else form.append(name, new Blob([new Uint8Array(part.bytes)]), part.name);
    }
    return this.#call(method, path, form, {});
  }

  async #call(method: string, path: string, body: string | FormData, headers: Record<string, string>) {
    const response = await fetch(this.#origin + path, { method, body, headers: { ...this.#headers, ...headers } });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }
}

/** Signs up at the time of `resources`, which may be long ago. These accounts have no password. */
export async function createCaller(
  resources: Resources,
  { origin, now }: { origin: string; now: number },
  userName: string,
  role: "user" | "moderator",
): Promise<Caller> {
  const email = `${userName.toLowerCase()}@demo.invalid`;
  const account = { userName, email, emailVerified: true, passwordHash: null, role };
  const id = await write(resources, byDemo, (tx) => createAccount(tx, account));
  const device = { provider: "demo", address: "127.0.0.1", userAgent: "modshelf demo" };
  // The session begins now: one of last year would be over.
  const token = await write(resources, byDemo, (tx) => createSession({ ...tx, now }, id, device));
  return new Caller(origin, resources.config.http.url, token);
}
