// Whether a newer Modshelf exists. Only if the operator has set an address (MODSHELF_UPDATE_URL): it is then requested once a
// day, and the request says nothing but the version of this server, in its User-Agent.

import { fromJson } from "#lib/json.js";
import { version } from "#lib/version.js";
import { type Condition, ok, warning } from "#operations/checks/check.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { askForJson, JsonError } from "#platform/outbound/json.js";
import { storeValue } from "#platform/settings/store.js";
import { say } from "#words/said.js";

const name = "update.notice";
const timeoutMs = 10_000;
const form = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

interface UpdateNotice {
  version: string;
  /** Where the new version is described. */
  url: string | null;
}

/** The answer is JSON: `{ "version": "1.2.3", "url": "https://…" }`, where the URL is optional. */
export async function checkForUpdate(resources: Resources): Promise<void> {
  const { config, log } = resources;
  if (!config.updateUrl) return;
  try {
    const notice = toNotice(await askForJson(config.updateUrl, {}, timeoutMs));
    await write(resources, { credential: "job" }, async (tx) => {
      await storeValue(tx, name, notice);
    });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // The next try is tomorrow: nothing depends on it.
    log.warn({ err: error }, "The update notice could not be read");
  }
}

function toNotice(answer: unknown): UpdateNotice {
  const { version: newest, url } = (answer ?? {}) as Record<string, unknown>;
  if (typeof newest !== "string" || !form.test(newest)) throw new JsonError("It answered without a version");
  const isUsable = typeof url === "string" && url.length <= 500 && /^https:\/\/[^\s"<>]+$/.test(url);
  return { version: newest, url: isUsable ? url : null };
}

export function isNewer(newest: string, own: string): boolean {
  const [a, b] = [newest, own].map((text) => text.split(/[-+]/, 1)[0]!.split(".").map(Number));
  const at = a!.findIndex((part, index) => part !== b![index]);
  return at >= 0 && a![at]! > b![at]!;
}

/** Nothing if no address is set, or if it was not requested yet. */
export async function checkVersion({ db, config }: Resources): Promise<Condition[]> {
  if (!config.updateUrl) return [];
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  if (!row) return [];
  const notice = fromJson(row.value) as UpdateNotice;
  if (!isNewer(notice.version, version)) return [ok(say.checkup.newestVersion(version))];
  return [
    warning(
      say.checkup.newerVersion(notice.version, version),
      notice.url ? say.checkup.readAbout(notice.url) : say.checkup.updateSoon,
    ),
  ];
}
