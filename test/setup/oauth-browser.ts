// A user's browser for sign-in with providers: it keeps cookies, and follows the way from our page to the provider and
// back.
import { afterAll } from "vitest";
import { type ProviderOptions, providerRoutes } from "#accounts/providers/routes.js";
import { routes } from "#app.js";
import { Actor, type Reply } from "#test/callers/actors.js";
import { siteUrl, type TestApp, type TestOptions, testApp, uniqueName } from "#test/server/harness.js";
import { type OAuthProvider, type ProviderAccount, startOAuthProvider } from "./oauth-provider.js";

export interface OAuthApp extends TestApp {
  provider: OAuthProvider;
  /** A new browser, with or without a session. */
  browser(sessionToken?: string): OAuthBrowser;
}

export interface OAuthOptions extends Pick<TestOptions, "settings" | "log" | "clock" | "random"> {
  providers?: (provider: OAuthProvider) => Partial<ProviderOptions>;
}

/** The whole service, configured to sign in with all four providers, which are one server on loopback. */
export async function oauthApp({ settings = {}, providers, ...options }: OAuthOptions = {}): Promise<OAuthApp> {
  const provider = await startOAuthProvider(settings.MODSHELF_URL ?? siteUrl);
  afterAll(() => provider.stop());
  const moved = providerRoutes({ table: provider.table, timeoutMs: 5000, ...providers?.(provider) });
  const ids = new Set(moved.map(({ endpoint }) => endpoint.id));
  const app = await testApp({
    ...options,
    settings: { ...provider.settings, ...settings },
    routes: [...routes.filter(({ endpoint }) => !ids.has(endpoint.id)), ...moved],
  });
  return { ...app, provider, browser: (sessionToken) => new OAuthBrowser(app, provider, sessionToken) };
}

let accounts = 1000;

/** A new account at a provider. */
export function newProviderAccount(more: Partial<ProviderAccount> = {}): ProviderAccount {
  const name = uniqueName("p");
  return { id: String(accounts++), name, email: `${name}@example.com`, verified: true, ...more };
}

export class OAuthBrowser {
  readonly cookies = new Map<string, string>();
  readonly #actor: Actor;
  readonly #provider: OAuthProvider;

  constructor({ origin }: Pick<TestApp, "origin">, provider: OAuthProvider, sessionToken?: string) {
    this.#actor = new Actor(origin);
    this.#provider = provider;
    if (sessionToken) this.cookies.set("auth-token", sessionToken);
  }

  async call(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await this.#actor.call(method, path, {
      headers: { ...(cookie && { cookie }), ...(method !== "GET" && { origin: siteUrl }), ...headers },
      ...(body !== undefined && { body }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }

  get = (path: string, headers?: Record<string, string>) => this.call("GET", path, headers);

  /** Sends a form of our own pages. */
  submit = (path: string, fields: Record<string, string>) =>
    this.call(
      "POST",
      path,
      { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
      new URLSearchParams(fields).toString(),
    );

  /** Returns the URL of the provider's page. */
  async begin(intent: "signin" | "signup" | "link", provider: string, query = {}): Promise<string> {
    const asked = new URLSearchParams({ redirect: "true", ...query });
    const reply = await this.get(`/api/auth/${intent}/${provider}?${asked}`);
    if (reply.status !== 302) throw new Error(`Expected 302, got ${reply.status} ${reply.text}`);
    return reply.headers.get("location")!;
  }

  /**
   * The visitor approves, or declines, on the provider's page. Returns the path on our site that the provider redirects
   * to.
   */
  async approve(page: string, visitor: ProviderAccount | undefined): Promise<string> {
    this.#provider.visitor = visitor;
    const response = await fetch(page, { redirect: "manual" });
    const back = response.headers.get("location");
    if (!back?.startsWith(`${siteUrl}/`)) throw new Error(`The provider refused: ${await response.text()}`);
    return back.slice(siteUrl.length);
  }

  /** The whole flow; returns the answer of our callback. */
  async walk(
    intent: "signin" | "signup" | "link",
    provider: string,
    visitor: ProviderAccount | undefined,
    query = {},
  ): Promise<Reply> {
    return this.get(await this.approve(await this.begin(intent, provider, query), visitor));
  }

  /** The user that this browser is signed in as. */
  me = () => this.get("/api/auth/me");
}
