// The form of the mail server and its URL say the same, whatever a password contains.
import { expect, test } from "vitest";
import { smtpUrl } from "#config/locations.js";
import { fromSmtpUrl, type SmtpAddress, toSmtpUrl } from "./smtp-address.js";

const some: SmtpAddress = { host: "mail.example.org", port: "587", security: "starttls", user: "", password: "" };

test.each<[SmtpAddress, string]>([
  [some, "smtp://mail.example.org:587?requireTLS=true"],
  [{ ...some, security: "auto", port: "25" }, "smtp://mail.example.org:25"],
  [
    { ...some, security: "tls", port: "465", user: "a@b", password: "p:/?#@%  ü" },
    "smtps://a%40b:p%3A%2F%3F%23%40%25%20%20%C3%BC@mail.example.org:465",
  ],
  [{ ...some, security: "auto", host: "::1", port: "25" }, "smtp://[::1]:25"],
])("%j is %s", (address, url) => {
  expect(toSmtpUrl(address)).toBe(url);
  expect(smtpUrl(url)).toBe(url);
  expect(fromSmtpUrl(url)).toEqual(address);
});

test("an empty port is the usual one of the encryption", () => {
  expect(toSmtpUrl({ ...some, port: "" })).toContain(":587");
  expect(toSmtpUrl({ ...some, port: "", security: "tls" })).toContain(":465");
  expect(fromSmtpUrl("smtps://mail.example.org").port).toBe("465");
});
