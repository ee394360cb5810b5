// A local replacement for GitHub, GitLab, Discord and Google: real HTTP on loopback, the paths and answers of the real
// ones, and their checks: client, redirect URL, PKCE, single-use codes, scopes.
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { knownProviders, type ProviderName, type ProviderTable } from "#accounts/providers/known-providers.js";

export interface ProviderAccount {
  id: string;
  name: string;
  email: string | null;
  verified: boolean;
}

type Scopes = ReadonlySet<string>;
type Answer = (account: ProviderAccount, scopes: Scopes) => unknown;

interface Site {
  authorize: string;
  token: string;
  profile: Record<string, Answer>;
}

const oidcEmail = ({ email, verified }: ProviderAccount, scopes: Scopes) =>
  scopes.has("email") ? { email, email_verified: verified } : {};

/** By path; the first segment is the real host's name. GitLab is a self-hosted one below a path. */
const sites: Record<ProviderName, Site> = {
  github: {
    authorize: "/github.com/login/oauth/authorize",
    token: "/github.com/login/oauth/access_token",
    profile: {
      "/api.github.com/user": ({ id, name }) => ({ id: Number(id), login: name, email: null, two_factor: true }),
      "/api.github.com/user/emails": ({ email, verified }, scopes) =>
        scopes.has("user:email")
          ? [
              { email: "1+x@users.noreply.github.com", primary: false, verified: true, visibility: null },
              ...(email === null ? [] : [{ email, primary: true, verified, visibility: "private" }]),
            ]
          : undefined,
    },
  },
  gitlab: {
    authorize: "/git.example.org/gitlab/oauth/authorize",
    token: "/git.example.org/gitlab/oauth/token",
    profile: {
      "/git.example.org/gitlab/oauth/userinfo": (account, scopes) =>
        scopes.has("openid")
          ? { sub: account.id, nickname: account.name, groups: [], ...oidcEmail(account, scopes) }
          : undefined,
    },
  },
  discord: {
    authorize: "/discord.com/oauth2/authorize",
    token: "/discord.com/api/oauth2/token",
    profile: {
      "/discord.com/api/v10/users/@me": ({ id, name, email, verified }, scopes) =>
        scopes.has("identify")
          ? { id, username: name, global_name: null, ...(scopes.has("email") && { email, verified }) }
          : undefined,
    },
  },
  google: {
    authorize: "/accounts.google.com/o/oauth2/v2/auth",
    token: "/oauth2.googleapis.com/token",
    profile: {
      "/openidconnect.googleapis.com/v1/userinfo": (account, scopes) =>
        scopes.has("openid")
          ? { sub: account.id, ...(scopes.has("profile") && { name: account.name }), ...oidcEmail(account, scopes) }
          : undefined,
    },
  },
};

export const providerNames = Object.keys(sites) as ProviderName[];

/** The faulty behaviour of the provider. Texts that must never reach a visitor contain `canary`. */
export const canary = "words-of-the-provider";
export const faults = {
  "breaks the connection": (request) => request.socket.destroy(),
  "never answers": () => undefined,
  "stops in the middle": (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write("{");
  },
  "answers without end": (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const chunk = Buffer.alloc(64 * 1024, " ");
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  },
  "answers with HTML": (_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`<p>${canary}</p>`),
  "answers with broken JSON": (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(`{"${canary}`),
  "answers with null": (_request, response) => sendJson(response, 200, null),
  "answers with another shape": (_request, response) => sendJson(response, 200, { [canary]: [] }),
  "redirects elsewhere": (_request, response) => response.writeHead(307, { location: "/elsewhere" }).end(),
  "answers with an error": (_request, response) => sendJson(response, 500, { error: canary }),
} as const satisfies Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>;

export interface OAuthProvider {
  /** The settings of an operator who has registered all four. */
  settings: Record<string, string>;
  /** The known providers with their URLs replaced by those of this server. */
  table: ProviderTable;
  /** The visitor who is signed in at the provider and approves; undefined: a visitor who declines. */
  visitor: ProviderAccount | undefined;
  fault: { step: "token" | "profile"; kind: keyof typeof faults } | undefined;
  /** The form of valid answers: the number of spaces before them, and the content type. */
  dress: Dress;
  /** Resolves when the next such request has arrived; it is answered when the returned function is called. */
  hold(step: "token" | "profile"): Promise<() => void>;
  /** The paths of all requests, in order. */
  seen: string[];
  stop(): Promise<void>;
}

export interface Dress {
  paddingBytes: number;
  contentType: string;
}

export const plain: Dress = { paddingBytes: 0, contentType: "application/json; charset=utf-8" };

interface Client {
  id: string;
  secret: string;
}

interface Approval {
  provider: ProviderName;
  account: ProviderAccount;
  challenge: string;
  scopes: Scopes;
}

export async function startOAuthProvider(siteUrl: string): Promise<OAuthProvider> {
  const clients = Object.fromEntries(
    providerNames.map((name) => [name, { id: `${name}-client`, secret: randomBytes(16).toString("hex") }]),
  ) as Record<ProviderName, Client>;
  const callbacks = new Map(providerNames.map((name) => [name, `${siteUrl}/auth/callback/${name}`]));
  const codes = new Map<string, Approval>();
  const tokens = new Map<string, Approval>();
  let held: { step: string; arrived: PromiseWithResolvers<() => void> } | undefined;

  const authorize = (name: ProviderName, query: URLSearchParams, response: ServerResponse) => {
    const redirectUri = callbacks.get(name)!;
    const expected = {
      client_id: clients[name].id,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge_method: "S256",
    };
    const wrong = Object.entries(expected).find(([key, value]) => query.get(key) !== value)?.[0];
    if (wrong) return void response.writeHead(400).end(`wrong ${wrong}`);
    if (!query.get("state") || !/^[\w-]{43}$/.test(query.get("code_challenge") ?? ""))
      return void response.writeHead(400).end("state and code_challenge are needed");
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state")!);
    if (provider.visitor) {
      const code = randomBytes(16).toString("hex");
      const scopes = new Set(query.get("scope")?.split(" "));
      codes.set(code, { provider: name, account: provider.visitor, challenge: query.get("code_challenge")!, scopes });
      back.searchParams.set("code", code);
    } else {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", canary);
    }
    response.writeHead(302, { location: back.href }).end();
  };

  const giveToken = async (name: ProviderName, request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request));
    const code = form.get("code") ?? "";
    const approval = codes.get(code);
    codes.delete(code);
    const verified = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      request.method === "POST" &&
      form.get("grant_type") === "authorization_code" &&
      form.get("client_id") === clients[name].id &&
      form.get("client_secret") === clients[name].secret &&
      form.get("redirect_uri") === callbacks.get(name) &&
      approval?.provider === name &&
      approval.challenge === verified;
    // GitHub's errors have status 200; without this header its answers are forms, not JSON.
    if (request.headers.accept !== "application/json") return void response.writeHead(200).end("access_token=");
    if (!isRight) return sendJson(response, name === "github" ? 200 : 400, { error: "invalid_grant" });
    const token = randomBytes(16).toString("hex");
    tokens.set(token, approval);
    const answer = { access_token: token, token_type: name === "github" ? "bearer" : "Bearer", expires_in: 9 };
    sendJson(response, 200, answer, provider.dress);
  };

  const giveProfile = (answer: Answer, name: ProviderName, request: IncomingMessage, response: ServerResponse) => {
    const approval = tokens.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    // GitHub refuses callers without a User-Agent.
    if (!request.headers["user-agent"]?.startsWith("Modshelf/")) return sendJson(response, 403, {});
    if (approval?.provider !== name) return sendJson(response, 401, {});
    const body = answer(approval.account, approval.scopes);
    return body === undefined ? sendJson(response, 403, {}) : sendJson(response, 200, body, provider.dress);
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://provider");
    provider.seen.push(pathname);
    for (const name of providerNames) {
      const site = sites[name];
      const answer = site.profile[pathname];
      if (pathname === site.authorize) return authorize(name, searchParams, response);
      const step = pathname === site.token ? "token" : answer ? "profile" : undefined;
      if (step === undefined) continue;
      if (held?.step === step) {
        const released = Promise.withResolvers<void>();
        held.arrived.resolve(released.resolve);
        held = undefined;
        await released.promise;
      }
      if (provider.fault?.step === step) return void faults[provider.fault.kind](request, response);
      return answer ? giveProfile(answer, name, request, response) : giveToken(name, request, response);
    }
    sendJson(response, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: OAuthProvider = {
    settings: {
      ...Object.fromEntries(
        providerNames.flatMap((name) => [
          [`MODSHELF_OAUTH_${name.toUpperCase()}_CLIENT_ID`, clients[name].id],
          [`MODSHELF_OAUTH_${name.toUpperCase()}_CLIENT_SECRET`, clients[name].secret],
        ]),
      ),
      MODSHELF_OAUTH_GITLAB_URL: `${url}/git.example.org/gitlab`,
    },
    table: movedTo(url),
    visitor: undefined,
    fault: undefined,
    dress: plain,
    seen: [],
    hold(step) {
      held = { step, arrived: Promise.withResolvers() };
      return held.arrived.promise;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

/** https://github.com/x becomes http://127.0.0.1:port/github.com/x. */
function movedTo(url: string): ProviderTable {
  const moved = (address: string) => address.replace(/^https:\/\//, `${url}/`);
  return Object.fromEntries(
    Object.entries(knownProviders).map(([name, provider]) => [
      name,
      {
        ...provider,
        authorizeUrl: moved(provider.authorizeUrl),
        tokenUrl: moved(provider.tokenUrl),
        profileUrls: provider.profileUrls.map(moved),
      },
    ]),
  ) as unknown as ProviderTable;
}

function sendJson(response: ServerResponse, status: number, body: unknown, dress = plain): void {
  response.writeHead(status, { "content-type": dress.contentType });
  response.end(" ".repeat(dress.paddingBytes) + JSON.stringify(body));
}
