// Trusted publishing: a build proves who it is with a token of its build service, and gets a token for one project. No
// secret is stored anywhere.
import type { Context } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";

type Env = Context["env"];

/** Whether the build service can vouch for this build. */
const canIdentify = (env: Env): boolean =>
  Boolean(env.SHELF_ID_TOKEN || (env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN));

export interface Credential {
  token: string;
  /** The build service vouches for this build. Its token can publish and do nothing else. */
  isTrusted: boolean;
}

/** The token of the user, or one that the build gets for itself. */
export async function findCredential(context: Context, host: string, project: string): Promise<Credential> {
  const { env } = context;
  const token = context.findToken(host);
  if (token) return { token, isTrusted: false };
  if (!canIdentify(env)) throw notSignedIn(env, host);
  return { token: await exchange(context, host, project), isTrusted: true };
}

function notSignedIn(env: Env, host: string): Failure {
  const advice =
    env.GITHUB_ACTIONS === "true"
      ? "Give the job the permission id-token: write, and add it as a trusted publisher of the project; or set SHELF_TOKEN."
      : env.GITLAB_CI === "true"
        ? `Add this to the job: id_tokens: { SHELF_ID_TOKEN: { aud: "${host}" } }; or set SHELF_TOKEN.`
        : "Sign in with: shelf login. Programs set SHELF_TOKEN.";
  return new Failure(`You are not signed in to ${host}.`, {
    advice,
    exitCode: exitCodes.notAllowed,
    code: "notSignedIn",
  });
}

async function exchange({ env, connect, signal }: Context, host: string, project: string): Promise<string> {
  const registry = connect(host, undefined);
  const { audience } = await registry.call("getPublishingAudience", { signal });
  // A token for another site could be used there, so a registry must not choose the audience freely.
  if (audience !== host)
    throw new Failure(`${host} asks for an identity token of another site: ${audience}`, {
      advice: `If this is the registry's own address, use it: --host ${audience}`,
      exitCode: exitCodes.notAllowed,
      code: "otherAudience",
    });
  const identity = env.SHELF_ID_TOKEN || (await askGithub(env, audience, signal));
  try {
    return (await registry.call("createPublishingToken", { path: { ref: project }, body: { token: identity }, signal }))
      .token;
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    if (code !== "identityRefused") throw error;
    throw new Failure(message, {
      advice: `Add this build as a trusted publisher: ${host}/project/${encodeURIComponent(project)}/settings/publishing`,
      exitCode: exitCodes.notAllowed,
      code,
    });
  }
}

const attempts = 3;
const maxTokenBytes = 1 << 16;

/** GitHub makes the token when the build asks for it. */
async function askGithub(env: Env, audience: string, signal: AbortSignal): Promise<string> {
  const url = new URL(env.ACTIONS_ID_TOKEN_REQUEST_URL!);
  url.searchParams.set("audience", audience);
  let problem = "";
  for (let attempt = 0; attempt < attempts; attempt++) {
    signal.throwIfAborted();
    try {
      const answer = await fetch(url, {
        headers: { Authorization: `Bearer ${env.ACTIONS_ID_TOKEN_REQUEST_TOKEN}`, Accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
      });
      const text = await answer.text();
      const { value } = (answer.ok && text.length <= maxTokenBytes ? JSON.parse(text) : {}) as { value?: unknown };
      if (typeof value === "string" && value !== "") return value;
      problem = `status ${answer.status}`;
      if (answer.status < 500) break;
    } catch (error) {
      problem = (error as Error).message;
    }
  }
  throw new Failure(`The build service gave no identity token (${problem}).`, {
    advice: "Run the job again.",
    exitCode: exitCodes.network,
    code: "noIdentity",
  });
}
