import { describe, expect, test } from "vitest";
import { findProvider, knownProviders, listConfigured, ProviderError, type ProviderName } from "./known-providers.js";

const client = { clientId: "id", clientSecret: "s" };
const names = Object.keys(knownProviders) as ProviderName[];

describe.each(names)("%s", (name) => {
  const provider = knownProviders[name];

  test("is called over https only", () => {
    const addresses = [provider.authorizeUrl, provider.tokenUrl, ...provider.profileUrls];
    for (const address of addresses) expect(address).toMatch(name === "gitlab" ? /^\{url\}\// : /^https:\/\//);
  });

  test.each([
    undefined,
    null,
    "text",
    5,
    [],
    {},
    { id: {}, login: "x", username: "x", sub: 5 },
    { id: null, sub: null },
    { id: 1.5, login: "x", sub: [] },
  ])("refuses the profile %j", (answer) => {
    expect(() => provider.toProfile([answer, []])).toThrow(ProviderError);
    expect(() => provider.toProfile([answer, answer])).toThrow(ProviderError);
  });
});

describe("GitHub's emails", () => {
  const emailOf = (emails: unknown) => knownProviders.github.toProfile([{ id: 1, login: "x" }, emails]).email;
  const primary = { email: "a@example.com", primary: true, verified: true };

  test("count when primary and verified", () => {
    expect(emailOf([{ ...primary, email: "b@example.com", primary: false }, primary])).toBe("a@example.com");
    expect(
      emailOf([
        { ...primary, verified: false },
        { ...primary, email: "b@example.com", primary: false },
      ]),
    ).toBe(undefined);
    expect(emailOf([])).toBe(undefined);
  });

  test("must be a list of the expected form", () => {
    for (const emails of [null, {}, [null], [{ email: "a@example.com" }], [{ ...primary, verified: "true" }]])
      expect(() => emailOf(emails)).toThrow(ProviderError);
  });
});

test.each([
  ["gitlab", { sub: "1", email: "a@example.com" }],
  ["google", { sub: "1", email: "a@example.com", email_verified: null }],
  ["discord", { id: "1", username: "x", email: "a@example.com", verified: false }],
  ["discord", { id: "1", username: "x", email: null, verified: true }],
  ["discord", { id: "1", username: "x", email: "", verified: true }],
] as const)("an email that %s does not call verified is ignored: %j", (name, answer) => {
  expect(knownProviders[name].toProfile([answer]).email).toBe(undefined);
});

test("the URL of a self-hosted GitLab is inserted unchanged", () => {
  const gitlab = { ...client, url: "https://git.example.org/$&/gitlab" };
  const found = findProvider(knownProviders, { gitlab }, "gitlab");
  expect(found?.tokenUrl).toBe("https://git.example.org/$&/gitlab/oauth/token");
  expect(found?.profileUrls).toEqual(["https://git.example.org/$&/gitlab/oauth/userinfo"]);
});

test("only providers that are set up are found", () => {
  const oauth = { google: client };
  expect(listConfigured(oauth)).toEqual(["google"]);
  for (const name of ["github", "Google", "constructor", "__proto__", "hasOwnProperty", ""])
    expect(findProvider(knownProviders, oauth, name)).toBe(undefined);
});
