// Which Host headers name the content host.
import { expect, test } from "vitest";
import { contentHostTest } from "./content-host.js";

const base = "http://modshelf.test:3000";

test.each([
  ["http://files.test", ["files.test", "FILES.test", "files.test.", "files.test:80", "Files.Test.:80", "files.test:"]],
  ["http://files.test:9", ["files.test:9", "FILES.TEST:9", "files.test.:9", "files.test"]],
  ["https://files.test", ["files.test", "files.test:443", "FILES.TEST.:443"]],
  ["https://FILES.test./", ["files.test", "files.test."]],
  ["http://[::1]:9", ["[::1]:9", "[::1]"]],
  ["http://modshelf.test:4000", ["modshelf.test:4000", "MODSHELF.test.:4000"]],
  ["http://modshelf.test", ["modshelf.test", "modshelf.test:80", "MODSHELF.TEST.", "modshelf.test:0080"]],
])("the content host %s is recognized", (cdnUrl, hosts) => {
  const isContentHost = contentHostTest({ url: base, cdnUrl });
  for (const host of hosts) expect(isContentHost(host), host).toBe(true);
  for (const host of [
    "modshelf.test:3000",
    "MODSHELF.TEST.:3000",
    "other.test",
    "xfiles.test",
    "files.test.org",
    "",
    undefined,
  ])
    expect(isContentHost(host), host).toBe(false);
});

test("there is none if both URLs have the same host", () => {
  for (const cdnUrl of [base, "http://MODSHELF.test.:3000"])
    expect(contentHostTest({ url: base, cdnUrl })("modshelf.test:3000")).toBe(false);
});
