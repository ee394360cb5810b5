// An application of a third party, as its developer would write it: PKCE by hand, forms, and no library.
import { createHash, randomBytes } from "node:crypto";
import type { ApplicationFields } from "#accounts/applications/policy.js";
import { createApplication } from "#accounts/applications/write.js";
import { write } from "#platform/changes/write.js";
import type { Reply, TestUser } from "#test/callers/actors.js";
import { location, readPage, submit } from "#test/callers/page-forms.js";
import type { TestApp } from "#test/server/harness.js";

export const redirectUri = "https://launcher.example/callback";

type Changes = Partial<Record<string, string | readonly string[] | undefined>>;

export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");
export const newVerifier = (): string => randomBytes(32).toString("base64url");

export async function makeApplication(
  { resources }: TestApp,
  owner: TestUser,
  { isConfidential = false, ...changes }: Partial<ApplicationFields> & { isConfidential?: boolean } = {},
) {
  const fields: ApplicationFields = {
    name: "Launcher",
    description: "Installs mods",
    homepage: "https://launcher.example/",
    redirectUris: [redirectUri],
    scopes: ["user_read", "project_read", "project_write"],
    ...changes,
  };
  return write(resources, { credential: "test", userId: owner.id }, (tx) =>
    createApplication(tx, owner.id, fields, isConfidential),
  );
}

export class OAuthClient {
  readonly #world: TestApp;
  readonly id: string;
  readonly secret: string | undefined;
  verifier = newVerifier();

  constructor(world: TestApp, { id, secret }: { id: string; secret: string | undefined }) {
    this.#world = world;
    this.id = id;
    this.secret = secret;
  }

  /** The parameters of the authorization request. `undefined` leaves one out, and a list repeats it. */
  request(changes: Changes = {}): [string, string][] {
    const all: Changes = {
      response_type: "code",
      client_id: this.id,
      redirect_uri: redirectUri,
      scope: "user_read",
      state: "a state & more",
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: "S256",
      ...changes,
    };
    return Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
    );
  }

  /** The page that the browser opens. */
  open(user: TestUser, changes?: Changes): Promise<Reply> {
    return readPage(this.#world.as.user(user), `/oauth/authorize?${new URLSearchParams(this.request(changes))}`);
  }

  /** The user's choice on that page. */
  decide(user: TestUser, decision: "allow" | "deny", changes?: Changes): Promise<Reply> {
    const fields = [...this.request(changes), ["decision", decision] satisfies [string, string]];
    return submit(this.#world.as.user(user), "/oauth/authorize", fields, this.#world.config.http.url);
  }

  async code(user: TestUser, changes?: Changes): Promise<string> {
    return answerIn(await this.decide(user, "allow", changes)).code!;
  }

  post(path: string, form: Changes, headers: Record<string, string> = {}): Promise<Reply> {
    const own: Changes = { client_id: this.id, client_secret: this.secret, ...form };
    const pairs = Object.entries(own).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
    );
    return this.#world.as.anyone.call("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(pairs).toString(),
    });
  }

  redeem(code: string, changes: Changes = {}, headers?: Record<string, string>): Promise<Reply> {
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: this.verifier };
    return this.post("/oauth/token", { ...form, ...changes }, headers);
  }

  refresh(refreshToken: string, changes: Changes = {}): Promise<Reply> {
    return this.post("/oauth/token", { grant_type: "refresh_token", refresh_token: refreshToken, ...changes });
  }

  revoke(token: string, changes: Changes = {}): Promise<Reply> {
    return this.post("/oauth/revoke", { token, ...changes });
  }

  /** The whole flow: the tokens of a new connection. */
  async connect(user: TestUser, changes?: Changes): Promise<{ access: string; refresh: string }> {
    const { body } = await this.redeem(await this.code(user, changes));
    return { access: body.access_token, refresh: body.refresh_token };
  }
}

/** The parameters of the redirect to the application. */
export const answerIn = (reply: Reply): Record<string, string> =>
  Object.fromEntries(new URL(location(reply)!).searchParams);
