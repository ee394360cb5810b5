// Values of projects cannot change the meaning of a link or of a command.
import { describe, expect, test } from "vitest";
import { fillCommand, fillLink, isSafeLink, type LauncherValues, linkWords } from "./launcher-templates.js";

const hostile = [
  "x&y=z#?/../",
  "javascript:alert(1)",
  '"><script>alert(1)</script>',
  "a b\nrm -rf ~",
  "$(touch x) `id` ; | & ' \\ %41 {url}",
  "名前 \ud800",
];

const all = (value: string) => Object.fromEntries(linkWords.map((word) => [word, value])) as LauncherValues;

describe("a link", () => {
  test.each(hostile)("keeps its shape with the value %j", (value) => {
    const href = fillLink("comet://install?file={url}&name={name}", all(value));
    const url = new URL(href);
    expect([url.protocol, url.host, url.pathname, url.hash]).toEqual(["comet:", "install", "", ""]);
    expect([...url.searchParams.keys()]).toEqual(["file", "name"]);
    expect(url.searchParams.get("name")).toBe(value.toWellFormed());
    expect(href).toMatch(/^[!-~]+$/);
  });

  test.each(["comet://{url}", "web+comet:{project}", "https://launcher.example/open?{url}"])("%s is safe", (template) =>
    expect(isSafeLink(template)).toBe(true),
  );

  test.each([
    ..."javascript:{url} JAVASCRIPT:{url} java\tscript:{url} data:,{url} file:///{file} vbscript:{url}".split(" "),
    ..."http://a/{url} about:{url} blob:{url} ms-appinstaller:?source={url} chrome-extension://{url}".split(" "),
    ..."{url} //a/{url} /a/{url} {loader}:{url} https: comet:".split(" "),
    " javascript:{url}",
    "comet://\u0000{url}",
  ])("%j is refused", (template) => expect(isSafeLink(template)).toBe(false));
});

describe("a command", () => {
  test("leaves plain values as they are", () => {
    const values = { ...all("x"), project: "better-grass", version: "1.2.0+b", url: "https://a.example/f%20g.jar" };
    expect(fillCommand("comet install {project}@{version} {url}", values)).toBe(
      "comet install better-grass@1.2.0+b https://a.example/f%20g.jar",
    );
  });

  test.each(hostile)("quotes the value %j as one word on one line", (value) => {
    const line = fillCommand("comet {loader}", all(value));
    expect(line).not.toMatch(/\p{Cc}/u);
    if (!/^[\w:/-]+$/.test(value)) expect(line).toMatch(/^comet '(?:[^']|'\\'')*'$/);
  });
});
