// Pages and forms as a browser without script uses them: the sent form, and the content of the returned page.
import { randomBytes } from "node:crypto";
import type { Actor, Reply } from "#test/callers/actors.js";
import { siteUrl } from "#test/server/harness.js";
import { formToken, formTokenField, guestCookie } from "#web/context/form-token.js";

/** A name with a list is sent once for each value, like ticked boxes. */
export type Fields = Record<string, string | readonly string[]>;

const pairsOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));

/** The values that our own page would have given this caller's browser: a cookie, and a field in each of its forms. */
export function onOurPage(actor: Actor): { actor: Actor; field: readonly [name: string, value: string] } {
  const secret = randomBytes(24).toString("base64url");
  const token = formToken(randomBytes(12).toString("base64url"), secret);
  const cookie = [actor.cookie, `${guestCookie}=${secret}`].filter(Boolean).join("; ");
  return { actor: actor.with({ cookie }), field: [formTokenField, `${token}.0`] };
}

/** A form as a browser sends it from our own page. */
export function submit(actor: Actor, path: string, fields: Fields | [string, string][] = {}, origin = siteUrl) {
  const { actor: sender, field } = onOurPage(actor);
  const pairs = Array.isArray(fields) ? fields : pairsOf(fields as Fields);
  return sender.call("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", origin },
    body: new URLSearchParams([...pairs, [...field]]).toString(),
  });
}

/** A form with file inputs. An empty one is sent without a file name and content. */
export function submitFiles(
  actor: Actor,
  path: string,
  fields: Fields,
  files: Record<string, readonly File[] | undefined> = {},
): Promise<Reply> {
  const { actor: sender, field } = onOurPage(actor);
  const form = new FormData();
  form.append(...field);
  for (const [name, value] of pairsOf(fields)) form.append(name, value);
  for (const [name, chosen] of Object.entries(files))
    for (const file of chosen ?? [new File([], "")]) form.append(name, file);
  return sender.call("POST", path, { headers: { accept: "text/html", origin: siteUrl }, body: form });
}

export const readPage = (actor: Actor, path: string): Promise<Reply> =>
  actor.get(path, { headers: { accept: "text/html" } });

/** The value of a field on a returned form. */
export const typed = (page: Reply, name: string): string | undefined =>
  new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`).exec(page.text)?.[1];
export const wrongWith = (page: Reply, name: string): string | undefined =>
  new RegExp(`id="${name}-wrong">([^<]*)<`).exec(page.text)?.[1];
export const heading = (page: Reply): string | undefined => /<h1[^>]*>([^<]*)<\/h1>/.exec(page.text)?.[1];
export const location = (reply: Reply): string | null => reply.headers.get("location");

/** The caller with the session from the answer. */
export const withSessionOf = (actor: Actor, reply: Reply): Actor => {
  const cookie = reply.headers.getSetCookie().find((text) => text.startsWith("auth-token=")) ?? "";
  return actor.with({ cookie: cookie.split(";")[0]!, origin: siteUrl });
};
