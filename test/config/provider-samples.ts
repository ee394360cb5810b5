// Valid and invalid values for the settings of sign-in providers.
import { badAddresses, client, list, type Samples } from "./sample-kinds.js";

export const providerSamples: Record<string, Samples> = {
  ...client("GITHUB", ({ github }) => github),
  ...client("GITLAB", ({ gitlab }) => gitlab),
  MODSHELF_OAUTH_GITLAB_URL: {
    pick: (c) => c.oauth.gitlab?.url,
    company: { MODSHELF_OAUTH_GITLAB_CLIENT_ID: "id", MODSHELF_OAUTH_GITLAB_CLIENT_SECRET: "k3y" },
    good: [["https://git.example/gitlab/", "https://git.example/gitlab"]],
    bad: badAddresses,
  },
  ...client("DISCORD", ({ discord }) => discord),
  ...client("GOOGLE", ({ google }) => google),
  MODSHELF_OAUTH_OFF: {
    pick: (c) => c.oauth.google,
    company: { MODSHELF_OAUTH_GOOGLE_CLIENT_ID: "id", MODSHELF_OAUTH_GOOGLE_CLIENT_SECRET: "k3y" },
    good: [
      ["github, Google", undefined],
      ["github", { clientId: "id", clientSecret: "k3y" }],
    ],
    bad: list("all | google;github | CANARY | on"),
  },
};
