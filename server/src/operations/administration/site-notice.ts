// A notice that administrators put on every page, for a time.

import Type, { type Static } from "typebox";
import { cachedValue } from "#platform/changes/cached-value.js";
import type { Tx } from "#platform/changes/write.js";
import { lockSettings } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import { storeValue } from "#platform/settings/store.js";
import { say } from "#words/said.js";

const name = "site-notice";
export const noticeLevels = ["plain", "warning", "problem"] as const;

const Moment = Type.String({
  pattern: "^(?:|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d)$",
  "x-problem": say.problems.dateTimeOrEmpty("2026-11-15T09:30"),
});

export const NoticeInput = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 1000, pattern: "\\S", "x-problem": say.problems.characters(1, 1000) }),
  level: Type.Enum([...noticeLevels]),
  from: Moment,
  until: Moment,
});
export type NoticeInput = Static<typeof NoticeInput>;

export interface SiteNotice {
  /** Markdown. */
  text: string;
  level: (typeof noticeLevels)[number];
  /** Milliseconds; null: from now, or until it is removed. */
  from: number | null;
  until: number | null;
}

/** Whether or not it is its time. */
export const findSiteNotice = cachedValue("siteNotice", "setting", async (db) => {
  const value = await loadNotice(db);
  return { value, bytes: 2 * (value?.text.length ?? 0) };
});

async function loadNotice(db: Db): Promise<SiteNotice | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row && (JSON.parse(row.value) as SiteNotice);
}

export const isShown = ({ from, until }: SiteNotice, now: number): boolean =>
  (from === null || from <= now) && (until === null || now < until);

/** `check` is called with the previous notice while the row is locked. */
export async function setSiteNotice(
  tx: Tx,
  userId: string,
  input: NoticeInput,
  check: (before: SiteNotice | undefined) => void = () => {},
): Promise<void> {
  await lockSettings(tx.db);
  check(await loadNotice(tx.db));
  const { text, level } = input;
  const [from, until] = [toTime("from", input.from), toTime("until", input.until)];
  if (from !== null && until !== null && until <= from)
    throw invalid({ path: "until", message: say.problems.afterBeginning });
  const value = { text, level, from, until } satisfies SiteNotice;
  await storeValue(tx, name, value, userId);
  tx.audit("notice.set", { kind: "setting", id: name }, { text, level, from, until });
  tx.changed("setting", name);
}

export async function removeSiteNotice(tx: Tx): Promise<void> {
  const { numDeletedRows } = await tx.db.deleteFrom("settings").where("name", "=", name).executeTakeFirst();
  if (numDeletedRows === 0n) throw fail.wrongState(say.states.noNotice);
  tx.audit("notice.remove", { kind: "setting", id: name });
  tx.changed("setting", name);
}

function toTime(path: string, text: string): number | null {
  if (text === "") return null;
  const time = Date.parse(`${text}Z`);
  if (Number.isNaN(time)) throw invalid({ path, message: say.problems.realDate });
  return time;
}
