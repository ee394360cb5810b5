// The routes of signing in with providers.
import type { IncomingHttpHeaders } from "node:http";
import { giveCookie, originOf } from "#accounts/sessions/routes.js";
import { giveStepCookie, secondFactorPath } from "#accounts/sessions/steps.js";
import { inviteDigest } from "#accounts/users/invite-codes.js";
import { isFresh } from "#accounts/users/policy.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import { write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { readCookie, setCookie } from "#platform/http/cookies.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import { safeNext } from "#platform/http/next-path.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { JsonError } from "#platform/outbound/json.js";
import * as contract from "./contract.js";
import {
  type ConfiguredProvider,
  findProvider,
  knownProviders,
  listConfigured,
  type Profile,
  ProviderError,
  type ProviderTable,
} from "./known-providers.js";
import { authorizeUrl, fetchProfile } from "./oauth-client.js";
import { browserCookie, flowLifeMs, type Intent, isBegunHere, isOwnFlow, landingPages, redirectUri } from "./policy.js";
import { findLinkedUser, listLinkedAccounts, toLinkedProvider } from "./read.js";
import {
  type Arrival,
  createFlow,
  type Entry,
  linkAccount,
  signInLinked,
  signUp,
  takeFlow,
  unlinkAccount,
} from "./write.js";

export interface ProviderOptions {
  table: ProviderTable;
  /** Applies to each request to a provider. */
  timeoutMs: number;
}

export function providerRoutes({ table, timeoutMs }: ProviderOptions = defaults): Route[] {
  const getProvider = ({ config }: Resources, name: string): ConfiguredProvider => {
    const provider = findProvider(table, config.oauth, name);
    if (!provider) throw fail.providerUnknown(name);
    return provider;
  };

  /** Completes the flow and sets the cookie of the session, or of the step that is still missing. */
  async function finish(call: FinishCall, resources: Resources, answer: ProviderAnswer, intent?: Intent) {
    const provider = getProvider(resources, call.params.provider);
    const flow = await takeOwnFlow(call, resources, provider, answer.state);
    if (intent !== undefined && flow.intent !== intent) throw fail.providerRefused(provider.title);
    const sessionId = flow.intent === "link" ? sessionOf(call.viewer, flow) : undefined;
    const profile = await askProvider(resources, provider, flow, answer, timeoutMs);
    const arrival = { provider, profile, origin: originOf(call, provider.name) };
    if (sessionId !== undefined) {
      await write(resources, call.actor, (tx) => linkAccount(tx, { userId: flow.user_id!, sessionId }, arrival));
      return { flow, needsSecondFactor: false };
    }
    const entry = await enter(call, resources, arrival, flow);
    if ("step" in entry) giveStepCookie(call, resources, entry.step);
    else giveCookie(call, resources, entry.token);
    return { flow, needsSecondFactor: "step" in entry };
  }

  async function finishWithCode(call: FinishCall & { body: ProviderAnswer }, resources: Resources, intent: Intent) {
    const { needsSecondFactor } = await finish(call, resources, call.body, intent);
    if (needsSecondFactor) throw fail.secondFactorNeeded();
  }

  return [
    route(contract.listProviders, async (_call, { config }) => listConfigured(config.oauth)),

    route(contract.beginSignIn, (call, resources) =>
      begin(call, resources, getProvider(resources, call.params.provider), "signin"),
    ),

    route(contract.beginSignUp, (call, resources) =>
      begin(call, resources, getProvider(resources, call.params.provider), "signup", { invite: call.query.invite }),
    ),

    route(contract.beginLink, async (call, resources) => {
      const provider = getProvider(resources, call.params.provider);
      if (!isFresh(call.viewer, resources.clock.now())) throw fail.freshSessionNeeded();
      return begin(call, resources, provider, "link", { userId: call.viewer.user.id });
    }),

    route(contract.finishWithProvider, async (call, resources) => {
      const { flow, needsSecondFactor } = await finish(call, resources, call.query);
      const next = safeNext(flow.next ?? undefined, landingPages[flow.intent]);
      return call.reply.redirect(needsSecondFactor ? secondFactorPath(next) : next, 303);
    }),

    route(contract.finishSignIn, async (call, resources) => {
      await finishWithCode(call, resources, "signin");
      return done("Signed in");
    }),

    route(contract.finishSignUp, async (call, resources) => {
      await finishWithCode(call, resources, "signup");
      return done("Account created");
    }),

    route(contract.finishLink, async (call, resources) => {
      await finishWithCode(call, resources, "link");
      return done("Account linked");
    }),

    route(contract.unlinkProvider, async ({ params, viewer, actor }, resources) => {
      const { config } = resources;
      // A provider that is no longer set up can be unlinked too.
      const name = params.provider;
      const title = findProvider(table, config.oauth, name)?.title ?? name;
      await write(resources, actor, (tx) =>
        unlinkAccount(tx, viewer.user.id, { name, title }, listConfigured(config.oauth)),
      );
      return done(`${title} is unlinked`);
    }),

    route(contract.listLinkedProviders, async ({ viewer }, { db }) => {
      const rows = await listLinkedAccounts(db, viewer.user.id);
      return rows.map(toLinkedProvider);
    }),
  ];
}

const defaults: ProviderOptions = { table: knownProviders, timeoutMs: 5000 };

type BeginCall = Pick<Call<typeof contract.beginSignIn>, "query" | "request" | "reply" | "actor">;

async function begin(
  { query, request, reply, actor }: BeginCall,
  resources: Resources,
  provider: ConfiguredProvider,
  intent: Intent,
  { userId = null, invite = "" }: { userId?: string | null; invite?: string | undefined } = {},
) {
  const { config, random } = resources;
  if (!isBegunHere(request.headers, [config.http.url, ...config.http.corsOrigins])) throw fail.originRefused();
  const secure = config.http.url.startsWith("https:");
  // An existing cookie is kept, so that a second tab does not break the flow that the first one began.
  const browser = browserOf(request.headers, secure) ?? newSecretToken("msc_", random);
  const browserDigest = tokenDigest(browser);
  const flow = await write(resources, actor, (tx) =>
    createFlow(tx, {
      ...{ intent, provider: provider.name, browserDigest, userId, next: query.next ?? null },
      inviteDigest: inviteDigest(invite) ?? null,
    }),
  );
  setCookie(reply, browserCookie(secure), browser, { maxAgeSeconds: flowLifeMs / 1000, secure });
  const url = authorizeUrl(provider, { ...flow, redirectUri: redirectUri(config.http.url, provider.name) });
  if (query.redirect) reply.code(302).header("location", url);
  return { success: true as const, url };
}

function browserOf(headers: IncomingHttpHeaders, secure: boolean): string | undefined {
  const value = readCookie(headers.cookie, browserCookie(secure));
  return value !== undefined && readSecretToken(value)?.kind === "code" ? value : undefined;
}

type FinishCall = Pick<Call, "request" | "reply" | "actor" | "viewer" | "address"> & { params: { provider: string } };

/** The parameters of the URL to which the provider redirected the browser. */
interface ProviderAnswer {
  code?: string;
  state?: string;
  error?: string;
}

/** Returns the flow that this browser began with this provider, and uses it up. */
async function takeOwnFlow(
  { request, actor }: FinishCall,
  resources: Resources,
  provider: ConfiguredProvider,
  state = "",
): Promise<Row<"oauth_flows">> {
  const { config, clock } = resources;
  const flow = await write(resources, actor, (tx) => takeFlow(tx, state));
  const browser = browserOf(request.headers, config.http.url.startsWith("https:"));
  const now = clock.now();
  const isOwn =
    flow && browser && isOwnFlow(flow, { browserDigest: tokenDigest(browser), provider: provider.name, now });
  if (!isOwn) throw fail.providerRefused(provider.title);
  return flow;
}

/** Only the user who began the link can finish it, in one of their sessions. */
function sessionOf(viewer: Viewer, flow: Row<"oauth_flows">): string {
  if (viewer.kind !== "session" || viewer.user.id !== flow.user_id) throw fail.freshSessionNeeded();
  return viewer.sessionId;
}

async function askProvider(
  { config, log }: Resources,
  provider: ConfiguredProvider,
  flow: Row<"oauth_flows">,
  { code, error }: ProviderAnswer,
  timeoutMs: number,
): Promise<Profile> {
  if (error !== undefined || !code) throw fail.providerRefused(provider.title);
  const grant = { code, codeVerifier: flow.code_verifier, redirectUri: redirectUri(config.http.url, provider.name) };
  try {
    return await fetchProfile(provider, grant, timeoutMs);
  } catch (trouble) {
    if (!(trouble instanceof ProviderError || trouble instanceof JsonError)) throw trouble;
    log.warn({ err: trouble, provider: provider.name }, "A sign-in provider could not confirm a sign-in");
    throw fail.providerRefused(provider.title);
  }
}

/** Signs in, or signs up if that was requested. */
async function enter(
  { actor }: FinishCall,
  resources: Resources,
  arrival: Arrival,
  { intent, invite_digest: invite }: Row<"oauth_flows">,
): Promise<Entry> {
  const { provider, profile } = arrival;
  const user = await findLinkedUser(resources.db, provider.name, profile.id);
  if (intent === "signup" && !user) {
    const isOpen = resources.config.registration === "open";
    return signUp(resources, actor, arrival, { isOpen, invite });
  }
  const entry = user && (await write(resources, { ...actor, userId: user.id }, (tx) => signInLinked(tx, arrival)));
  if (!entry) throw fail.providerNotKnown(provider.title);
  return entry;
}
