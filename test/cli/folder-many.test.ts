// 200 mods: few requests, and eight downloads at once.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockOf, namesIn, startRegistry, useFolders } from "./folder-world.js";

const newFolder = useFolders();
const { world, mods, run, bytes } = await startRegistry();

test("200 mods are checked and updated with at most 6 requests besides the downloads, of which 8 run at once", async () => {
  const names = Array.from({ length: 200 }, (_, n) => `mod-${n}`);
  await mods.plant(Object.fromEntries(names.map((name) => [`${name}@1.0`, ""])));
  world.clock.advance(1000);
  for (const name of names) await mods.version(`${name}@1.1`, { fileName: `${name}-1.1.jar` });
  const folder = newFolder();
  for (const name of names) writeFileSync(join(folder, `${name}-1.0.jar`), bytes(`${name}@1.0`));

  const seen = { api: [] as string[], files: 0, running: 0, most: 0 };
  world.app.http.server.prependListener("request", ({ url = "" }, response) => {
    if (url.startsWith("/api/")) seen.api.push(url);
    else {
      seen.files++;
      seen.most = Math.max(seen.most, ++seen.running);
      response.once("close", () => seen.running--);
    }
  });
  const args = ["update", folder, "-v", "0.4.8", "-l", "quilt", "--yes"];
  const first = await run([...args, "--pin", "mod-7-1.0.jar"]);
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining("199 files updated") });
  expect(seen.files).toBe(199);
  expect(seen.api.length).toBeLessThanOrEqual(6);
  expect(seen.most).toBeLessThanOrEqual(8);
  expect(seen.most).toBeGreaterThan(1);
  expect(lockOf(folder).projects).toHaveLength(200);
  expect(namesIn(folder)).toEqual(names.map((name) => `${name}-1.${name === "mod-7" ? 0 : 1}.jar`).sort());
});
