import { describe, expect, test } from "vitest";
import {
  emailChangedMail,
  emailChangeMail,
  invitationMail,
  newSessionMail,
  passwordChangedMail,
  passwordResetMail,
  tokenExpiryMail,
} from "./messages.js";

const ada = { siteUrl: "https://mods.example", userName: "ada" };
const withCode = { ...ada, code: "msc_abc", validMinutes: 60 };

const messages = {
  "password reset": passwordResetMail(withCode),
  "email change": emailChangeMail(withCode),
  "email changed": emailChangedMail(ada),
  "password changed": passwordChangedMail(ada),
  "a new sign-in": newSessionMail({
    ...ada,
    code: "msc_abc",
    browser: "Firefox",
    system: "Linux",
    address: "192.0.2.1",
    when: "2026-01-02 03:04 UTC",
  }),
};

describe.each(Object.entries(messages))("the mail about %s", (_, { subject, text }) => {
  test("greets by name, is short, names the site and says what to do if the user did not cause it", () => {
    expect(text).toMatch(/^Hello ada,\n/);
    expect(text.length).toBeLessThan(600);
    expect(text).toContain("\n-- \nhttps://mods.example/\n");
    expect(text).toMatch(/If (this was not you|you did not)/);
    expect(subject).toMatch(/^[ -~]{10,60}$/);
  });

  test("links only to the site", () => {
    for (const [link] of text.matchAll(/https?:\S+/g)) expect(link.startsWith("https://mods.example/")).toBe(true);
  });
});

test("an invitation names inviter and project, has its code in a link, and greets without a name", () => {
  const { subject, text } = invitationMail({
    siteUrl: "https://mods.example",
    code: "msc_abc",
    name: "Lamps",
    invitedBy: "bob",
  });
  expect(text).toMatch(/^Hello,\n/);
  expect(text).toContain("bob invites you to work on Lamps");
  expect(text.split("\n")).toContain("https://mods.example/auth/invitation?code=msc_abc");
  expect(subject).not.toMatch(/bob|Lamps/);
});

test.each([
  [14, "expires on 2026-01-15", "Your access token expires soon"],
  [0, "expired on 2026-01-15", "Your access token has expired"],
])("a token that ends in %d days %s", (daysLeft, words, title) => {
  const { subject, text } = tokenExpiryMail({ ...ada, name: "CI", daysLeft, expires: "2026-01-15" });
  expect(text).toContain(`Your token "CI" ${words}.`);
  expect(subject).toBe(title);
});

test("the code of a mail is in a link on its own line", () => {
  expect(messages["password reset"].text.split("\n")).toContain("https://mods.example/auth/reset?code=msc_abc");
  expect(messages["email change"].text.split("\n")).toContain("https://mods.example/auth/verify?code=msc_abc");
});

test("a site's address may end in a slash and a code is escaped", () => {
  const { text } = passwordResetMail({ ...withCode, siteUrl: "https://mods.example//", code: "a&b=c d" });
  expect(text.split("\n")).toContain("https://mods.example/auth/reset?code=a%26b%3Dc%20d");
});

test("a mail about a change contains no code, because another person may read it", () => {
  for (const { text } of [messages["email changed"], messages["password changed"]]) expect(text).not.toContain("code=");
});

test.each([
  [1, "1 minute"],
  [30, "30 minutes"],
  [60, "1 hour"],
  [90, "90 minutes"],
  [120, "2 hours"],
])("a code that is valid for %d minutes says %s", (validMinutes, words) => {
  expect(passwordResetMail({ ...withCode, validMinutes }).text).toContain(`expires after ${words}.`);
});
