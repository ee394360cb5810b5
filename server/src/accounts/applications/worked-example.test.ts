// The program in docs/oauth.md, as its reader would run it: a process of its own, real HTTP, and a user who agrees.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeApplication } from "#test/callers/oauth-client.js";
import { location, readPage, submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { onFreePort } from "#test/setup/ports.js";

const [, program] = /```js\n(.*?)```/s.exec(readFileSync("docs/oauth.md", "utf8"))!;

test("the example of createOAuthToken in the documentation connects and refreshes", async () => {
  const world = await onFreePort((port) => testApp({ port, settings: { MODSHELF_URL: `http://127.0.0.1:${port}` } }));
  const { origin, make, as } = world;
  const redirectUris = ["http://127.0.0.1/callback"];
  const { id } = await makeApplication(world, await make.user(), { redirectUris });
  const user = await make.user();

  const run = async (decision: "allow" | "deny"): Promise<string> => {
    const env = { SITE: origin, CLIENT_ID: id };
    const child = spawn(process.execPath, ["--input-type=module", "-e", program!], { env });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (line: Buffer) => resolve(String(line).trim().replace("Open this page: ", "")));
      child.once("error", reject);
    });
    const output = text(child.stdout);
    const browser = as.user(user);
    expect((await readPage(browser, url.slice(origin.length))).status).toBe(200);
    const fields = [...new URL(url).searchParams, ["decision", decision] satisfies [string, string]];
    const answer = await submit(browser, "/oauth/authorize", fields, origin);
    expect((await fetch(location(answer)!)).status).toBe(200);
    return output;
  };
  expect(await run("allow")).toBe(`Connected to ${user.userName}\nStill connected to ${user.userName}\n`);
  expect(await run("deny")).toBe("Refused: access_denied\n");
});
