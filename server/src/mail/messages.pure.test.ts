import { describe, expect, test } from "vitest";
import { emailChangedMail, emailChangeMail, passwordChangedMail, passwordResetMail } from "./messages.js";

const ada = { siteUrl: "https://mods.example", userName: "ada" };
const withCode = { ...ada, code: "msc_abc", validMinutes: 60 };

const messages = {
  "password reset": passwordResetMail(withCode),
  "e-mail change": emailChangeMail(withCode),
  "e-mail changed": emailChangedMail(ada),
  "password changed": passwordChangedMail(ada),
};

describe.each(Object.entries(messages))("the mail about %s", (_, { subject, text }) => {
  test("greets by name, is short, names the site and says what to do when it was not you", () => {
    expect(text).toMatch(/^Hello ada,\n/);
    expect(text.length).toBeLessThan(600);
    expect(text).toContain("\n-- \nhttps://mods.example/\n");
    expect(text).toMatch(/If (it was not|you did not)/);
    expect(subject).toMatch(/^[ -~]{10,60}$/);
  });

  test("leads nowhere but to the site", () => {
    for (const [link] of text.matchAll(/https?:\S+/g)) expect(link.startsWith("https://mods.example/")).toBe(true);
  });
});

test("the code of a mail is in a link on a line of its own", () => {
  expect(messages["password reset"].text.split("\n")).toContain("https://mods.example/auth/reset?code=msc_abc");
  expect(messages["e-mail change"].text.split("\n")).toContain("https://mods.example/auth/verify?code=msc_abc");
});

test("a site's address may end in a slash and a code is escaped", () => {
  const { text } = passwordResetMail({ ...withCode, siteUrl: "https://mods.example//", code: "a&b=c d" });
  expect(text.split("\n")).toContain("https://mods.example/auth/reset?code=a%26b%3Dc%20d");
});

test("a notice of a change holds no code, for it may be read by someone else", () => {
  for (const { text } of [messages["e-mail changed"], messages["password changed"]])
    expect(text).not.toContain("code=");
});

test.each([
  [1, "1 minute"],
  [30, "30 minutes"],
  [60, "1 hour"],
  [90, "90 minutes"],
  [120, "2 hours"],
])("a code that is valid for %d minutes says %s", (validMinutes, words) => {
  expect(passwordResetMail({ ...withCode, validMinutes }).text).toContain(`within ${words}.`);
});
