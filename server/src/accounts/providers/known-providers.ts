// The sign-in providers as data: their URLs, the scopes to request, and how to read their answers. Tests replace the
// URLs with those of a local provider.
import Type, { type Static, type TSchema } from "typebox";
import type { Config, OAuthClient } from "#config/config.js";
import { Nullable } from "#platform/http/schemas.js";
import { validatorFor } from "#platform/http/validation.js";

export type ProviderName = keyof Config["oauth"];

/** The parts of the account at the provider that this site uses. */
export interface Profile {
  id: string;
  name: string;
  /** Set only if the provider has verified it. */
  email: string | undefined;
}

export interface Provider {
  title: string;
  /** {url} is replaced with the URL in the configuration. */
  authorizeUrl: string;
  tokenUrl: string;
  profileUrls: readonly string[];
  scope: string;
  /** Takes the answers of the profile URLs, in their order. */
  toProfile(answers: readonly unknown[]): Profile;
}

export type ProviderTable = Readonly<Record<ProviderName, Provider>>;

/** A fault of a provider. The message is for the log, never for the visitor, and never quotes the provider's answer. */
export class ProviderError extends Error {}

const Text = Type.Optional(Nullable(Type.String()));
const Flag = Type.Optional(Nullable(Type.Boolean()));

const GitHubUser = Type.Object({ id: Type.Integer(), login: Type.String() });
const GitHubEmails = Type.Array(
  Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() }),
);
const GitLabUser = Type.Object({ sub: Type.String(), nickname: Text, email: Text, email_verified: Flag });
const DiscordUser = Type.Object({ id: Type.String(), username: Type.String(), email: Text, verified: Flag });
const GoogleUser = Type.Object({ sub: Type.String(), name: Text, email: Text, email_verified: Flag });

function shaped<S extends TSchema>(schema: S, answer: unknown): Static<S> {
  if (!validatorFor("body", schema)(answer)) throw new ProviderError("The profile does not have the expected fields");
  return answer as Static<S>;
}

const ifVerified = (email: string | null | undefined, verified: boolean | null | undefined): string | undefined =>
  verified === true && email ? email : undefined;

export const knownProviders: ProviderTable = {
  github: {
    title: "GitHub",
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    profileUrls: ["https://api.github.com/user", "https://api.github.com/user/emails"],
    scope: "user:email",
    toProfile([user, emails]) {
      const { id, login } = shaped(GitHubUser, user);
      // Other addresses may be GitHub's own no-reply address, which counts as verified there but receives no mail.
      const primary = shaped(GitHubEmails, emails).find((each) => each.primary);
      return { id: String(id), name: login, email: ifVerified(primary?.email, primary?.verified) };
    },
  },
  gitlab: {
    title: "GitLab",
    authorizeUrl: "{url}/oauth/authorize",
    tokenUrl: "{url}/oauth/token",
    profileUrls: ["{url}/oauth/userinfo"],
    scope: "openid email",
    toProfile([user]) {
      const { sub, nickname, email, email_verified } = shaped(GitLabUser, user);
      return { id: sub, name: nickname ?? "", email: ifVerified(email, email_verified) };
    },
  },
  discord: {
    title: "Discord",
    authorizeUrl: "https://discord.com/oauth2/authorize",
    tokenUrl: "https://discord.com/api/oauth2/token",
    profileUrls: ["https://discord.com/api/v10/users/@me"],
    scope: "identify email",
    toProfile([user]) {
      const { id, username, email, verified } = shaped(DiscordUser, user);
      return { id, name: username, email: ifVerified(email, verified) };
    },
  },
  google: {
    title: "Google",
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    profileUrls: ["https://openidconnect.googleapis.com/v1/userinfo"],
    scope: "openid profile email",
    toProfile([user]) {
      const { sub, name, email, email_verified } = shaped(GoogleUser, user);
      return { id: sub, name: name ?? "", email: ifVerified(email, email_verified) };
    },
  },
};

/** A provider that the operator has set up, with its complete URLs. */
export interface ConfiguredProvider extends Provider {
  name: ProviderName;
  client: OAuthClient;
}

export function findProvider(
  table: ProviderTable,
  oauth: Config["oauth"],
  name: string,
): ConfiguredProvider | undefined {
  if (!Object.hasOwn(table, name)) return undefined;
  const known = name as ProviderName;
  const [provider, client] = [table[known], oauth[known]];
  if (!client) return undefined;
  const at = (address: string) => ("url" in client ? address.replace("{url}", () => client.url) : address);
  return {
    ...provider,
    name: known,
    client,
    authorizeUrl: at(provider.authorizeUrl),
    tokenUrl: at(provider.tokenUrl),
    profileUrls: provider.profileUrls.map(at),
  };
}

export const listConfigured = (oauth: Config["oauth"]): ProviderName[] =>
  (Object.keys(knownProviders) as ProviderName[]).filter((name) => oauth[name] !== undefined);
