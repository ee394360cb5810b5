// Recognizes a client again without storing its address: a digest with one secret for all nodes, so that a client has
// the same digest on each of them.
import { hash } from "node:crypto";
import { limitKey } from "#lib/client-address.js";
import { toJson } from "#lib/json.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

/** An account, or an address. */
export const clientOf = (viewer: Viewer, address: string): string =>
  viewer.kind === "anonymous" ? `address ${limitKey(address)}` : `user ${viewer.user.id}`;

const saltName = "downloads.salt";

/** Reads the secret at the first use; a failure is not remembered. */
const saltOf = perServer((resources: Resources) => {
  let salt: Promise<string> | undefined;
  return () => {
    salt ??= findOrMakeSalt(resources).catch((error) => {
      salt = undefined;
      throw error;
    });
    return salt;
  };
});

/** No HMAC, which takes four times as long: the digest and its input are never shown. */
export async function clientDigests(resources: Resources): Promise<(client: string) => string> {
  const salt = await saltOf(resources)();
  return (client) => hash("sha256", `${salt} ${client}`, "hex").slice(0, 32);
}

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
