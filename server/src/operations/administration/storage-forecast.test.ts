// The forecast as the administration shows it, from files of the last months.
import { expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { look } from "#test/worlds/desk-world.js";

const day = 24 * 60 * 60 * 1000;
const world = await testApp();
const { as, make, resources, clock } = world;
const admin = await make.user({ role: "admin" });

async function addFile(size: number, ageDays: number): Promise<void> {
  const row = { sha512: Buffer.alloc(64, ageDays), sha1: Buffer.alloc(20, ageDays), size, date_orphaned: null };
  await resources.db
    .insertInto("blobs")
    .values({ ...row, date_created: clock.now() - ageDays * day })
    .execute();
}

/** As after ten minutes, when the figures are measured again. */
async function see(path: string): Promise<string> {
  clock.advance(11 * 60 * 1000);
  await make.confirmed(admin);
  return (await look(as.user(admin), path)).text;
}

test("there is no forecast with too little data, then the arithmetic, then a warning", async () => {
  expect(await see("/admin/storage")).toContain("There is no forecast yet");
  expect(await see("/admin")).not.toContain("Disk forecast");
  await addFile(1000, 40);
  expect(await see("/admin/storage")).toContain("There is no forecast yet");
  await addFile(3_000_000, 20);
  const slow = await see("/admin/storage");
  expect(slow).toContain("At this rate the disk lasts for more than ten years.");
  expect(slow).toContain("a day as in the last 30 days: > 3,650 days");
  expect(await see("/admin")).toMatch(/Disk forecast.*?OK/s);
  // A petabyte in a month fills every disk within days.
  await addFile(2 ** 50, 10);
  expect(await see("/admin/storage")).toContain("At this rate the disk lasts until about");
  expect(await see("/admin")).toContain("before uploads are refused");
});
