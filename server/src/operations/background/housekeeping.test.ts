import { randomBytes } from "node:crypto";
import { access, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { newId, systemRandom } from "#lib/random.js";
import { BlobVanished, graceMs, markOrphans, reserveBlob } from "#platform/blobs/rows.js";
import type { BlobDigest, BlobStore } from "#platform/blobs/store.js";
import { storeGalleryPicture } from "#platform/pictures/write.js";
import { drawPicture } from "#test/files/pictures.js";
import { engine, testApp, uniqueName } from "#test/server/harness.js";
import { listStatements } from "#test/server/statement-count.js";
import { collectBlobs, deleteExpired } from "./housekeeping.js";

const { app, resources, clock, make } = await testApp();
const { db, blobs } = resources;
// The worker is stopped, so that only the jobs called by a test run.
await app.jobs.stop();
const collect = (store: BlobStore = blobs) => collectBlobs({ ...resources, blobs: store });
const day = 24 * 60 * 60 * 1000;

describe("files left by failed uploads", () => {
  test("are deleted after a day, running uploads are not", async () => {
    const current = await blobs.stage(Readable.from([Buffer.from("half an upload")]), { maxBytes: 100 });
    const leave = () => join(dirname(current.path), `${randomBytes(16).toString("hex")}.upload`);
    const [old, young] = [leave(), leave()];
    for (const path of [old, young]) await writeFile(path, "half an upload");
    const yesterday = new Date(clock.now() - day - 60_000);
    for (const path of [old, current.path]) await utimes(path, yesterday, yesterday);
    await collectBlobs(resources);
    await expect(access(old)).rejects.toThrow("ENOENT");
    await access(young);
    await access(current.path);
    await current.discard();
  });
});

describe("deleteExpired", () => {
  test("deletes expired rows, and nothing else", async () => {
    const user = await make.user();
    const now = clock.now();
    const digest = () => randomBytes(32);
    for (const [word, date_expires] of [
      ["old", now - 1],
      ["new", now + day],
    ] as const) {
      const dates = { date_created: 0, date_expires };
      await db
        .insertInto("sessions")
        .values({
          ...dates,
          id: newId(systemRandom),
          user_id: user.id,
          token_digest: digest(),
          provider: word,
          date_authenticated: 0,
          date_last_active: 0,
          address: null,
          user_agent: null,
        })
        .execute();
      await db
        .insertInto("one_time_codes")
        .values({ ...dates, digest: digest(), purpose: "setup", user_id: user.id, detail: word })
        .execute();
      await db
        .insertInto("oauth_flows")
        .values({
          date_expires,
          state_digest: digest(),
          browser_digest: digest(),
          provider: word,
          intent: "signin",
          code_verifier: "",
          user_id: user.id,
        })
        .execute();
      await db
        .insertInto("idempotency_keys")
        .values({ ...dates, actor: user.id, key: word, request_digest: digest(), status: null, body: null })
        .execute();
      await db
        .insertInto("rate_buckets")
        .values({ key: `${user.id} ${word}`, state: 0, date_expires })
        .execute();
    }
    for (const [name, date_expires] of [
      ["long gone", now - 31 * day],
      ["gone", now - 29 * day],
    ] as const)
      await db
        .insertInto("tokens")
        .values({
          id: newId(systemRandom),
          user_id: user.id,
          name,
          token_digest: digest(),
          scopes: "[]",
          date_created: 0,
          date_expires,
          date_last_used: null,
        })
        .execute();

    await deleteExpired(resources);
    const { id } = user;
    const left = {
      sessions: await db
        .selectFrom("sessions")
        .select("provider as it")
        .where("user_id", "=", id)
        .orderBy("provider")
        .execute(),
      codes: await db.selectFrom("one_time_codes").select("detail as it").where("user_id", "=", id).execute(),
      flows: await db.selectFrom("oauth_flows").select("provider as it").where("user_id", "=", id).execute(),
      keys: await db.selectFrom("idempotency_keys").select("key as it").where("actor", "=", id).execute(),
      buckets: await db.selectFrom("rate_buckets").select("key as it").where("key", "like", `${id}%`).execute(),
      tokens: await db.selectFrom("tokens").select("name as it").where("user_id", "=", id).execute(),
    };
    expect(left).toEqual({
      sessions: [{ it: "credential" }, { it: "new" }],
      codes: [{ it: "new" }],
      flows: [{ it: "new" }],
      keys: [{ it: "new" }],
      buckets: [{ it: `${id} new` }],
      tokens: [{ it: "gone" }],
    });
  });

  test("keeps thirty days of the change log, and continues its numbering", async () => {
    const prefix = uniqueName("change");
    const insert = (count: number, date_created: number) =>
      db
        .insertInto("changes")
        .values(
          Array.from({ length: count }, (_, at) => ({ kind: "setting", object_id: `${prefix}-${at}`, date_created })),
        )
        .execute();
    clock.advance(40 * day);
    await insert(1200, clock.now() - 31 * day);
    await insert(1200, clock.now() - 31 * day);
    await insert(5, clock.now() - 29 * day);
    const last = await db.selectFrom("changes").select("seq").orderBy("seq", "desc").limit(1).executeTakeFirstOrThrow();
    await deleteExpired(resources);
    expect(await db.selectFrom("changes").select("seq").execute()).toHaveLength(5);
    clock.advance(40 * day);
    await deleteExpired(resources);
    expect(await db.selectFrom("changes").select("seq").execute()).toEqual([]);
    const next = await db
      .insertInto("changes")
      .values({ kind: "setting", object_id: prefix, date_created: clock.now() })
      .returning("seq")
      .executeTakeFirstOrThrow();
    expect(next.seq).toBe(last.seq + 1);
    await deleteExpired(resources);
  });
});

describe("collectBlobs", () => {
  /** Uploads the bytes and refers to them from a picture; answers the picture's id. */
  async function upload(bytes: Buffer): Promise<{ image: string; digest: BlobDigest }> {
    const digest = await blobs.put(bytes);
    const image = newId(systemRandom);
    await db.transaction().execute(async (tx) => {
      const sha512 = await reserveBlob(tx, blobs, digest, clock.now());
      await tx
        .insertInto("images")
        .values({
          id: image,
          owner_kind: "user",
          owner_id: "u",
          file_name: `${image}.webp`,
          sha512,
          width: 1,
          height: 1,
          date_created: clock.now(),
        })
        .execute();
    });
    return { image, digest };
  }
  const remove = (image: string) => db.deleteFrom("images").where("id", "=", image).execute();
  const findRow = ({ sha512 }: BlobDigest) =>
    db.selectFrom("blobs").selectAll().where("sha512", "=", Buffer.from(sha512, "hex")).executeTakeFirst();
  const isStored = async ({ sha512 }: BlobDigest) => (await blobs.find(sha512)) !== undefined;

  test("deletes bytes that nothing refers to any more, two days after it has noticed", async () => {
    const { image, digest } = await upload(randomBytes(100));
    await collect();
    expect((await findRow(digest))?.date_orphaned).toBeNull();
    await remove(image);
    await collect();
    expect((await findRow(digest))?.date_orphaned).toBeGreaterThan(0);
    clock.advance(graceMs - 60_000);
    await collect();
    expect(await isStored(digest)).toBe(true);
    clock.advance(60_000);
    await collect();
    expect(await isStored(digest)).toBe(false);
    expect(await findRow(digest)).toBeUndefined();
  });

  test("keeps bytes that were uploaded again in between, and gives them their whole grace the next time", async () => {
    const bytes = randomBytes(100);
    const { image, digest } = await upload(bytes);
    await remove(image);
    await collect();
    clock.advance(graceMs - 1000);
    const again = await upload(bytes);
    expect((await findRow(digest))?.date_orphaned).toBeNull();
    clock.advance(2 * graceMs);
    await collect();
    expect(await isStored(digest)).toBe(true);
    await remove(again.image);
    await collect();
    expect(await isStored(digest)).toBe(true);
  });

  test("takes a mark away from bytes that are in use", async () => {
    const { image, digest } = await upload(randomBytes(100));
    await db
      .updateTable("blobs")
      .set({ date_orphaned: 1 })
      .where("sha512", "=", Buffer.from(digest.sha512, "hex"))
      .execute();
    await collect();
    expect((await findRow(digest))?.date_orphaned).toBeNull();
    await remove(image);
    await collect();
    expect(await isStored(digest)).toBe(true);
  });

  test("checks everything in small batches, and marks only unreferenced blobs", async () => {
    const made = [];
    for (let n = 0; n < 9; n++) made.push(await upload(randomBytes(100)));
    for (const { image } of made.slice(0, 5)) await remove(image);
    for (const atOnce of [1, 4]) {
      await markOrphans(db, clock.now(), atOnce);
      for (const [n, { digest }] of made.entries())
        expect((await findRow(digest))?.date_orphaned === null, `blob ${n}, ${atOnce} at once`).toBe(n >= 5);
    }
    // Nothing is marked twice: the grace period starts at the first time.
    expect(await markOrphans(db, clock.now() + 1, 2)).toBe(0);
    for (const { image } of made.slice(5)) await remove(image);
    expect(await markOrphans(db, clock.now(), 2)).toBe(4);
  });

  test.runIf(engine === "postgres")(
    "joins the references of a batch instead of looking for each blob by itself",
    async () => {
      await upload(randomBytes(100));
      const statements = await listStatements(db, () => markOrphans(db, clock.now()));
      const marking = statements.map(({ query }) => query).filter(({ sql: text }) => text.includes("not exists"));
      expect(marking.length).toBeGreaterThan(0);
      for (const { sql: text, parameters } of marking) {
        const explain = { ...sql``.compile(db), sql: `explain ${text}`, parameters };
        const plan = (await db.executeQuery<{ "QUERY PLAN": string }>(explain)).rows.map((row) => row["QUERY PLAN"]);
        expect(plan.join("\n")).not.toContain("SubPlan");
      }
    },
  );

  test("finds unused pictures, even if only one of their sizes was stored", async () => {
    const bytes = Buffer.from(await (await drawPicture({ color: "#5a2d83" })).arrayBuffer());
    const put: string[] = [];
    const failing = Object.assign(Object.create(blobs) as typeof blobs, {
      put: async (some: Uint8Array) => {
        if (put.length === 1) throw new Error("the disk is gone");
        const digest = await blobs.put(some);
        put.push(digest.sha512);
        return digest;
      },
    });
    await expect(storeGalleryPicture({ ...resources, blobs: failing }, bytes)).rejects.toThrow("the disk is gone");
    const { image, thumbnail } = await storeGalleryPicture(resources, bytes);
    expect(put).toEqual([image.digest.sha512]);
    for (const { digest } of [image, thumbnail]) {
      expect((await findRow(digest))?.date_orphaned).toBeGreaterThan(0);
      expect(await isStored(digest)).toBe(true);
    }
    clock.advance(graceMs);
    await collect();
    for (const { digest } of [image, thumbnail]) {
      expect(await findRow(digest)).toBeUndefined();
      expect(await isStored(digest)).toBe(false);
    }
  });

  test("is not stopped by bytes that cannot be deleted, and tries those again", async () => {
    const stuck = await upload(randomBytes(100));
    const other = await upload(randomBytes(100));
    for (const { image } of [stuck, other]) await remove(image);
    await collect();
    clock.advance(graceMs);
    const failing = Object.assign(Object.create(blobs) as typeof blobs, {
      delete: (sha512: string) =>
        sha512 === stuck.digest.sha512 ? Promise.reject(new Error("not permitted")) : blobs.delete(sha512),
    });
    await expect(collect(failing)).rejects.toThrow("1 blobs could not be swept");
    expect(await isStored(other.digest)).toBe(false);
    expect(await findRow(stuck.digest)).toBeDefined();
    await collect();
    expect(await isStored(stuck.digest)).toBe(false);
  });

  test("never deletes bytes of a concurrent upload of the same content", async () => {
    let [kept, vanished] = [0, 0];
    for (let round = 0; round < 40; round++) {
      const bytes = randomBytes(50);
      const { image, digest } = await upload(bytes);
      await remove(image);
      await collect();
      clock.advance(graceMs);
      const [outcome] = await Promise.allSettled([
        round % 3 === 0 ? Promise.resolve().then(() => upload(bytes)) : upload(bytes),
        collect(),
        collect(),
      ]);
      if (outcome.status === "fulfilled") {
        kept++;
        expect(await isStored(digest)).toBe(true);
        expect(await findRow(digest)).toBeDefined();
        await remove(outcome.value.image);
      } else {
        vanished++;
        expect(outcome.reason).toBeInstanceOf(BlobVanished);
        // A second try is enough.
        const again = await upload(bytes);
        expect(await isStored(digest)).toBe(true);
        await remove(again.image);
      }
    }
    expect(kept + vanished).toBe(40);
  });
});
