// The contents of a pack on the page of its version, and the forms around it.
import { expect, test } from "vitest";
import { readPage } from "#test/callers/page-forms.js";
import { publishTo } from "#test/callers/uploads.js";
import { indexFile, mrpack } from "#test/files/packs.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock } = world;
const author = await make.user();
const me = as.user(author);
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll("&#39;", "'");

test("getVersionPage lists projects with updates, other files with their hosts, and the pack's own files, in pages", async () => {
  const lamps = await makeProject(world, author, { name: "Bright Lamps" });
  const secret = await makeProject(world, author, { name: "Secret Thing", visibility: "private" });
  const first = await makeVersion(world, author, lamps.id, { versionNumber: "1.0.0" });
  const hidden = await makeVersion(world, author, secret.id);
  clock.advance(3_600_000);
  await makeVersion(world, author, lamps.id, { versionNumber: "1.4.2" });
  const pack = await makeProject(world, author, { types: ["modpack"] });
  const files = [
    indexFile("mods/a.jar", first.bytes, { env: { client: "optional", server: "unsupported" } }),
    indexFile("mods/b.jar", hidden.bytes),
    ...Array.from({ length: 58 }, (_, at) => indexFile(`mods/z${String(at).padStart(2, "0")}.jar`, `${at}`)),
  ];
  const bytes = mrpack(files, [{ name: "overrides/config/a.json", content: "{}" }, { name: "overrides/options.txt" }]);
  const primaryFile = { name: "pack.mrpack", bytes };
  expect(await publishTo(me, pack.id, { versionNumber: "1.0.0", primaryFile })).toSucceed();

  const path = `/project/${pack.slug}/version/1.0.0`;
  const { text: html } = await readPage(as.anyone, path);
  const text = textOf(html);
  expect(text).toContain("Contents 60");
  expect(text).toMatch(/Bright Lamps 1\.0\.0 Client, optional Update available: 1\.4\.2/);
  expect(html).toContain(`href="/project/${lamps.slug}/version/1.4.2"`);
  expect(text).toContain("b.jar Client and server · Not on this site, from cdn.modrinth.com");
  expect(text).not.toContain("Secret Thing");
  expect(text).toMatch(/The pack’s own files: 2 \(2.B\), in .*the top folder \(1\).*config \(1\)/);
  expect(html).toContain(`${path}?page=2#contents`);
  // The contents are not repeated among the dependencies.
  expect(html).not.toContain("need-embedded");
  const second = textOf((await readPage(as.anyone, `${path}?page=2`)).text);
  expect([second.includes("z57.jar"), second.includes("Bright Lamps")]).toEqual([true, false]);
  for (const wrong of ["0", "3", "9999", "x", "-1", "2x"])
    expect(textOf((await readPage(as.anyone, `${path}?page=${wrong}`)).text)).toContain("Bright Lamps");
  // The project page shows them too, and the form of the version does not ask for them.
  expect(textOf((await readPage(as.anyone, `/project/${pack.slug}`)).text)).toContain("Bright Lamps");
  const form = (await readPage(me, `${path}/edit`)).text;
  expect(form).toContain('name="dependencyProject"');
  expect(form).not.toContain(`value="${lamps.slug}"`);
});
