// `shelf login`: gets a token by approval in the browser, or takes one from the standard input.
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, ForbiddenError, InvalidAnswerError, NetworkError, RegistryError } from "modshelf-client";
import { mayCarryToken } from "#shelf/accounts.js";
import { isOwnPage, openInBrowser } from "#shelf/browser.js";
import { type Context, defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { bold } from "#shelf/terminal.js";

/** What the commands of this program need. */
const scopes = [
  ...["user_read", "project_create", "project_read", "project_write"],
  ...["version_create", "version_read", "version_write", "collection_read"],
];

const options = {
  "token-stdin": { type: "boolean", help: "Read a token from the standard input in place of opening the browser." },
} as const;

export const login = defineCommand({
  name: "login",
  usage: "[--host URL] [--token-stdin]",
  summary: "Sign in to a registry by approval in your browser.",
  details: ["The token is stored in a file that only you can read. Builds use the variable SHELF_TOKEN instead."],
  options,
  words: [0, 0],
  async run(context) {
    const { host, accounts } = context;
    if (!mayCarryToken(host))
      throw new Failure(`Signing in to ${host} is not safe, because others could read your token on the way.`, {
        advice: "Use the address with https://.",
        code: "insecureHost",
      });
    const token = context.options["token-stdin"] ? await readToken(context) : await askForToken(context);
    const userName = await findName(context.connect(host, token), context.signal);
    await accounts.change((stored) => {
      stored.accounts[host] = { token, userName };
      stored.host ??= host;
    });
    return { data: { host, userName }, lines: [`You are signed in to ${host} as ${bold(userName)}.`] };
  },
});

async function readToken({ input }: Context): Promise<string> {
  const pieces: Buffer[] = [];
  // Reads on to the end: a program that writes there must not fail because of a closed pipe.
  for await (const piece of input) if (pieces.length < 10) pieces.push(Buffer.from(piece));
  const token = Buffer.concat(pieces).toString("utf8").trim();
  if (/^msp_[0-9A-Za-z]{20,200}$/.test(token)) return token;
  throw new Failure("The standard input is not a token.", {
    advice: "Create one in the settings of the registry, and pipe it in. It starts with msp_.",
    code: "usage",
  });
}

async function findName(registry: Client, signal: AbortSignal): Promise<string> {
  try {
    return (await registry.users.me({ signal })).userName;
  } catch (error) {
    // A token for builds need not be able to read the account.
    if (error instanceof ForbiddenError && error.code === "scopeMissing") return "unknown";
    throw error;
  }
}

/** The name that the user sees on the page, and later in the list of their tokens. */
const programName = (): string =>
  `shelf on ${hostname().replace(/[^\w.-]/g, "") || "a computer"}`.slice(0, 64).replace(/\W+$/, "");

async function askForToken(context: Context): Promise<string> {
  const { host, terminal, env, signal } = context;
  const registry = context.connect(host, undefined);
  const asked = await registry.call("createDeviceCode", {
    body: { client_id: programName(), scope: scopes.join(" ") },
    signal,
  });
  const { user_code: code, verification_uri: page, verification_uri_complete: whole } = asked;
  if (![code, page, asked.device_code].every((text) => typeof text === "string" && text.length < 1000))
    throw new InvalidAnswerError(`The answer of ${host} is not that of a Modshelf registry.`);
  terminal.tell(`Open ${bold(page)} and enter the code ${bold(code)}`);
  if (terminal.isInteractive && isOwnPage(whole, host)) await openInBrowser(whole, env);
  terminal.status("Waiting for your approval …");
  return poll(registry, asked, signal);
}

interface Asked {
  device_code: string;
  expires_in: number;
  interval: number;
}

const within = (value: number, least: number, most: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(value, least), most) : least;

/** Time is counted by the waits and not by the clock, which may be wrong or change. */
async function poll(registry: Client, { device_code, ...asked }: Asked, signal: AbortSignal): Promise<string> {
  let interval = within(asked.interval, 1, 60);
  for (let left = within(asked.expires_in, 60, 3600); left > 0; left -= interval) {
    await sleep(1000 * interval, undefined, { signal });
    try {
      const { access_token: token } = await registry.call("createDeviceToken", { body: { device_code }, signal });
      if (typeof token === "string" && /^[\x21-\x7e]{1,500}$/.test(token)) return token;
      throw new InvalidAnswerError("The registry has sent no token.");
    } catch (error) {
      const code = error instanceof RegistryError ? error.code : "";
      if (code === "approvalDenied")
        throw new Failure("The request was denied in the browser.", { exitCode: exitCodes.notAllowed, code });
      if (code === "deviceCodeExpired") break;
      if (code === "askedTooSoon") interval += 5;
      // A connection that was lost for a moment does not end the sign-in.
      else if (code !== "approvalPending" && !(error instanceof NetworkError)) throw error;
    }
  }
  throw new Failure("The code has expired.", {
    advice: "Try again with: shelf login",
    exitCode: exitCodes.notAllowed,
    code: "deviceCodeExpired",
  });
}
