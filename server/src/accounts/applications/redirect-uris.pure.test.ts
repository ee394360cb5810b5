// Redirect URIs: those that can be registered, and those that lead nowhere else than the registered ones.
import { describe, expect, test } from "vitest";
import { findUriProblem, isRegistered, policySource, withParameters } from "./redirect-uris.js";

describe("a redirect URI can be registered", () => {
  test.each([
    "https://launcher.example/callback",
    "https://launcher.example/",
    "https://launcher.example:8443/a/b?tenant=7",
    "https://xn--bcher-kva.example/cb",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:3000/callback",
    "http://[::1]/callback",
    "com.example.app:/oauth",
    "com.example.app://oauth/done",
    "com.example.app:done",
  ])("%s", (uri) => {
    expect(findUriProblem(uri)).toBeUndefined();
  });
});

describe("a redirect URI is refused", () => {
  test.each([
    ["plain http", "http://launcher.example/callback"],
    ["a name for the own machine", "http://localhost/callback"],
    ["an address that only looks local", "http://127.0.0.1.evil.example/"],
    ["another loopback address", "http://127.0.0.2/callback"],
    ["a username", "https://user@launcher.example/"],
    ["a username and a password", "https://user:secret@launcher.example/"],
    ["an empty username", "https://@launcher.example/"],
    ["a host behind a username", "http://127.0.0.1:80@evil.example/"],
    ["a fragment", "https://launcher.example/#done"],
    ["an empty fragment", "https://launcher.example/#"],
    ["upper case in the host", "https://Launcher.Example/callback"],
    ["upper case in the scheme", "HTTPS://launcher.example/callback"],
    ["a dot after the host", "https://launcher.example./callback"],
    ["a semicolon in the host", "https://launcher;sandbox/callback"],
    ["a comma in the host", "https://launcher,x.example/callback"],
    ["steps up", "https://launcher.example/a/../b"],
    ["encoded steps up", "https://launcher.example/a/%2e%2e/b"],
    ["a backslash", "https://launcher.example\\@evil.example/"],
    ["no path", "https://launcher.example"],
    ["the usual port", "https://launcher.example:443/"],
    ["a port that does not exist", "http://127.0.0.1:99999/"],
    ["too few slashes", "https:launcher.example/"],
    ["too many slashes", "https:///launcher.example/"],
    ["a space", "https://launcher.example/a b"],
    ["a line break", "https://launcher.example/\nx"],
    ["a tabulator in the scheme", "java\tscript:alert(1)"],
    ["a quotation mark", 'https://launcher.example/"'],
    ["letters beyond ASCII", "https://bücher.example/"],
    ["a parameter of the answer", "https://launcher.example/?code=1"],
    ["an encoded parameter of the answer", "https://launcher.example/?st%61te=1"],
    ["a scheme without a dot", "launcher:/oauth"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["a file", "file:///etc/passwd"],
    ["a relative path", "/callback"],
    ["nothing", ""],
    ["256 characters", `https://launcher.example/${"a".repeat(231)}`],
  ])("with %s", (_what, uri) => {
    expect(findUriProblem(uri)).toBeDefined();
  });
});

describe("the destination of a request", () => {
  const registered = ["https://launcher.example/callback", "http://127.0.0.1/done", "http://[::1]:3000/done?x=1"];

  test.each([
    "https://launcher.example/callback",
    "http://127.0.0.1/done",
    "http://127.0.0.1:1/done",
    "http://127.0.0.1:65535/done",
    "http://[::1]:4000/done?x=1",
    "http://[::1]/done?x=1",
  ])("%s is the application's", (uri) => {
    expect(isRegistered(registered, uri)).toBe(true);
  });

  test.each([
    "https://launcher.example/callback/",
    "https://launcher.example/callback?x=1",
    "https://launcher.example/callback#x",
    "https://launcher.example/callback%2f",
    "https://launcher.example/Callback",
    "https://LAUNCHER.example/callback",
    "https://launcher.example./callback",
    "https://launcher.example:443/callback",
    "https://launcher.example:8443/callback",
    "https://launcher.example/x/../callback",
    "https://user@launcher.example/callback",
    "https://launcher.example.evil.example/callback",
    "https://evil.example/callback",
    "http://launcher.example/callback",
    " https://launcher.example/callback",
    "http://127.0.0.1:65536/done",
    "http://127.0.0.1:/done",
    "http://127.0.0.1:80@evil.example/done",
    "http://127.0.0.1:80.evil.example/done",
    "http://127.0.0.1:8080/other",
    "http://127.0.0.1:8080/done/../other",
    "http://[::1]:8080/done",
    "http://localhost:8080/done",
    "",
  ])("%s is not the application's", (uri) => {
    expect(isRegistered(registered, uri)).toBe(false);
  });

  test("gets the parameters in addition to its own", () => {
    const given = { code: "a b&c", state: undefined, iss: "https://site" };
    expect(withParameters("https://a.example/", given)).toBe("https://a.example/?code=a+b%26c&iss=https%3A%2F%2Fsite");
    expect(withParameters("com.example.app:done?x=1", { error: "e" })).toBe("com.example.app:done?x=1&error=e");
  });

  test("is named in the policy for forms", () => {
    expect(policySource("https://a.example:8443/x?y")).toBe("https://a.example:8443");
    expect(policySource("http://127.0.0.1:5000/x")).toBe("http://127.0.0.1:5000");
    expect(policySource("http://[::1]:5000/x")).toBe("http:");
    expect(policySource("com.example.app:/x")).toBe("com.example.app:");
  });
});
