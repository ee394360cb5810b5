// packages/client in a real browser, on a page of another site: reads, a verified download, and an upload in parts with
// a token.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { jar } from "#test/callers/uploads.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { openPage, openSite } from "./browser.js";

type Library = typeof import("#client/entry.js");
declare const client: Library;

const site = await openSite();
const author = await site.make.user();
const project = await makeProject(site, author, { slug: "lamps" });
const version = await makeVersion(site, author, project.id, { bytes: Buffer.alloc(100_000, 7) });
const { value: token } = await site.make.token(author, { scopes: ["version_create", "version_read"] });

const bundle = await build({
  entryPoints: ["packages/client/src/entry.ts"],
  bundle: true,
  format: "iife",
  globalName: "client",
  write: false,
  logLevel: "silent",
});
const elsewhere = createServer((_, response) =>
  response.setHeader("content-type", "text/html").end("<title>x</title>"),
);
await once(elsewhere.listen(0, "127.0.0.1"), "listening");
afterAll(() => elsewhere.close());

test("the client works on a page of another site", async () => {
  const page = await openPage();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  await page.addScriptTag({ content: bundle.outputFiles[0]!.text });
  const input = { host: site.config.http.url, token, id: version.id, sha512: version.sha512, jar: [...jar()] };

  const read = await page.evaluate(async ({ host, id, sha512 }) => {
    const registry = client.createClient({ host });
    const { stream } = await registry.versions.download("lamps", id);
    const found = await registry.files.identify([sha512]);
    const failure = await registry.projects.get("nothing").catch((error) => error);
    const lie = { ...found[sha512]!.primaryFile, sha512_hash: "0".repeat(128) };
    return {
      bytes: (await new Response(stream).blob()).size,
      found: Object.keys(found),
      isTyped: failure instanceof client.NotFoundError,
      lie: await registry.files.blob(lie).catch((error) => error.name),
    };
  }, input);
  expect(read).toEqual({ bytes: 100_000, found: [version.sha512], isTyped: true, lie: "IntegrityError" });

  const published = await page.evaluate(async (given) => {
    const registry = client.createClient({ host: given.host, token: given.token });
    const steps: number[] = [];
    const file = new File([new Uint8Array(given.jar)], "lamps-9.jar");
    const upload = await registry.uploads.send(file, { onProgress: ({ bytes }) => steps.push(bytes) });
    const meta = { versionNumber: "9.0.0", gameVersions: ["0.4.8"], loaders: ["quilt"] };
    const { version: made } = await registry.versions.publish("lamps", meta, [file]);
    return { steps, hash: upload.sha512 === made.primaryFile.sha512_hash, number: made.versionNumber };
  }, input);
  expect(published).toEqual({ steps: [0, input.jar.length], hash: true, number: "9.0.0" });
  await page.context().close();
});
