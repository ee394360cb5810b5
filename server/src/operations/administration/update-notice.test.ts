// The update notice: nothing is requested unless an address is set, and then only the version is sent.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { version } from "#lib/version.js";
import { submit, typed } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { look } from "#test/worlds/desk-world.js";
import { checkForUpdate, isNewer } from "./update-notice.js";

const requests: IncomingMessage[] = [];
let answer: unknown = {};
const server = createServer((request, response) => {
  requests.push(request);
  response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());
const world = await testApp();
const { as, make, resources } = world;
const office = as.user(await make.user({ role: "admin" }));

async function setAddress(text: string) {
  const page = await look(office, "/admin/settings/general");
  const present = { MODSHELF_SITE_NAME: "Modshelf", MODSHELF_LANGUAGE: "en", MODSHELF_REMOTE_PICTURES: "on" };
  const fields = { stamp: typed(page, "stamp")!, ...present, MODSHELF_UPDATE_URL: text };
  return submit(office, "/admin/settings/general", fields);
}

test("without an address nothing is requested and nothing is shown", async () => {
  await checkForUpdate(resources);
  expect(requests).toEqual([]);
  expect((await look(office, "/admin")).text).not.toContain("Modshelf 99");
  expect((await setAddress("ftp://updates.example.org")).status).toBe(400);
});

test("with an address one request sends the version and nothing else, and /admin shows a newer one", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/newest.json`;
  expect((await setAddress(url)).status).toBe(303);
  answer = { version: "99.1.0", url: "https://modshelf.example/notes" };
  await checkForUpdate(resources);
  expect(requests).toHaveLength(1);
  const { headers, url: path, method } = requests[0]!;
  expect([method, path, headers["user-agent"]]).toEqual(["GET", "/newest.json", `Modshelf/${version}`]);
  expect(Object.keys(headers).filter((name) => /cookie|referer|origin|authorization|forwarded/.test(name))).toEqual([]);
  const { text } = await look(office, "/admin");
  expect(text).toContain("Modshelf 99.1.0 is available");
  expect(text).toContain("https://modshelf.example/notes");
  expect((await look(as.anyone, "/")).text).not.toContain("99.1.0");
  answer = { version };
  await checkForUpdate(resources);
  expect((await look(office, "/admin")).text).toContain(`Modshelf ${version} is the newest version`);
});

test.each([{}, [], null, { version: 3 }, { version: "<b>1.0.0" }, { version: "1.0" }, "1.0.0"])(
  "an unusable answer changes nothing: %j",
  async (unusable) => {
    answer = unusable;
    await checkForUpdate(resources);
    expect((await look(office, "/admin")).text).toContain("is the newest version");
  },
);

test("a URL that is not https is not shown, and switching off hides everything", async () => {
  answer = { version: "99.2.0", url: "javascript:alert(1)" };
  await checkForUpdate(resources);
  const { text } = await look(office, "/admin");
  expect(text).toContain("Modshelf 99.2.0 is available");
  expect(text).not.toContain("javascript:alert");
  await setAddress("");
  const counted = requests.length;
  await checkForUpdate(resources);
  expect(requests).toHaveLength(counted);
  expect((await look(office, "/admin")).text).not.toContain("99.2.0");
});

test("versions are compared by their numbers", () => {
  expect(isNewer("0.10.0", "0.9.9")).toBe(true);
  expect(isNewer("0.9.9", "0.10.0")).toBe(false);
  expect(isNewer("1.0.0", "1.0.0-beta.1")).toBe(false);
  expect(isNewer("2.0.0", "1.99.99")).toBe(true);
});
