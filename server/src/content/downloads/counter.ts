// Collects downloads in memory and counts them every few seconds in one transaction (count.ts).
import { hash } from "node:crypto";
import { figuresOf } from "#content/records/figures.js";
import { limitKey } from "#lib/client-address.js";
import { reach } from "#lib/fail-points.js";
import { toJson } from "#lib/json.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { countDownloads } from "./count.js";
import type { Download } from "./policy.js";

/** A crash loses at most this much. */
const flushMs = 3000;
const flushAt = 5000;
/** Downloads in one transaction. */
const batchSize = 10_000;
/** While the database cannot be reached, downloads beyond these are not counted: memory is bounded. */
const mostNoted = 200_000;
const byCounter = { credential: "download counter" };

export class DownloadCounter {
  readonly #resources: Resources;
  #noted: Download[] = [];
  #isFull = false;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #salt: Promise<string> | undefined;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#tryFlush(), flushMs);
    this.#timer.unref();
  }

  /** Never delays or fails the download. */
  note(
    viewer: Viewer,
    address: string,
    { projectId, versionId }: { projectId: string; versionId: string },
    country = "",
  ): void {
    if (this.#noted.length >= mostNoted) {
      if (!this.#isFull) this.#resources.log.error("Too many downloads wait to be counted; new ones are not counted");
      this.#isFull = true;
      return;
    }
    const who = viewer.kind === "anonymous" ? `address ${limitKey(address)}` : `user ${viewer.user.id}`;
    this.#noted.push({ client: who, projectId, versionId, country, time: this.#resources.clock.now() });
    if (this.#noted.length % flushAt === 0) void this.#tryFlush();
  }

  async #tryFlush(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.#resources.log.warn({ err: error }, "Downloads could not be counted yet; they are kept for another try");
    }
  }

  /** When this resolves, everything noted before the call is counted, and this server shows the figures. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    if (this.#noted.length === 0) return;
    this.#flushing = this.#countAll().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #countAll(): Promise<void> {
    for (let left = this.#noted.length; left > 0; left -= batchSize)
      await this.#count(this.#noted.slice(0, Math.min(left, batchSize)));
    await figuresOf(this.#resources).settled();
  }

  /** A batch that fails stays noted. If it was committed nevertheless, counting it again has no effect. */
  async #count(batch: readonly Download[]): Promise<void> {
    reach("downloads: before flush");
    const salt = await this.#readSalt();
    const digests = new Map<string, string>();
    // Addresses are not stored: it is only necessary to recognize the same one.
    const digested = batch.map((download) => {
      const client = digests.get(download.client) ?? digestOf(salt, download.client);
      digests.set(download.client, client);
      return { ...download, client };
    });
    await write(this.#resources, byCounter, (tx) => countDownloads(tx, digested));
    this.#noted.splice(0, batch.length);
    this.#isFull = false;
    reach("downloads: flushed");
  }

  /** One secret for all nodes, so that a client has the same digest on each of them. */
  #readSalt(): Promise<string> {
    this.#salt ??= findOrMakeSalt(this.#resources).catch((error) => {
      this.#salt = undefined;
      throw error;
    });
    return this.#salt;
  }
}

/** No HMAC, which takes four times as long: the digest and its input are never shown. */
const digestOf = (salt: string, client: string): string => hash("sha256", `${salt} ${client}`, "hex").slice(0, 32);

const saltName = "downloads.salt";

async function findOrMakeSalt({ db, random, clock }: Resources): Promise<string> {
  const fresh = {
    name: saltName,
    value: toJson<unknown>(random.bytes(32).toString("hex")),
    date_updated: clock.now(),
    updated_by: null,
  };
  await db
    .insertInto("settings")
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom("settings").select("value").where("name", "=", saltName).executeTakeFirstOrThrow();
  return JSON.parse(row.value) as string;
}
