// SELECTs of notifications and the one function that builds their answers.
import { sql } from "kysely";
import { projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { Locale } from "#words/languages.js";
import { sentenceFor } from "./sentences.js";
import type { Notification, NotificationAbout } from "./shapes.js";

export interface NotificationPage {
  limit?: number | undefined;
  offset?: number | undefined;
  unreadOnly?: boolean | undefined;
  /** Only notifications that are read. */
  readOnly?: boolean | undefined;
  type?: string | undefined;
  types?: readonly string[] | undefined;
  /** Inclusive bounds of the creation time. */
  after?: number | undefined;
  upTo?: number | undefined;
  /** The language of the sentences; English by default. */
  locale?: Locale | undefined;
}

const longestPage = 100;

/** Newest first. Names are included as far as the viewer can see them. */
export async function listNotifications(
  resources: Resources,
  viewer: Viewer,
  userId: string,
  { limit = longestPage, offset = 0, unreadOnly, readOnly, type, types, after, upTo, locale }: NotificationPage = {},
): Promise<Notification[]> {
  let query = resources.db.selectFrom("notifications").selectAll().where("user_id", "=", userId);
  if (unreadOnly) query = query.where("date_read", "is", null);
  if (readOnly) query = query.where("date_read", "is not", null);
  if (types) query = query.where("type", "in", types);
  if (type !== undefined) query = query.where("type", "=", type);
  if (after !== undefined) query = query.where("date_created", ">", after);
  if (upTo !== undefined) query = query.where("date_created", "<=", upTo);
  const rows = await query.orderBy("date_created", "desc").orderBy("id").limit(limit).offset(offset).execute();
  return toNotifications(resources, viewer, rows, locale);
}

export async function findNotification(
  resources: Resources,
  viewer: Viewer,
  userId: string,
  id: string,
): Promise<Notification | undefined> {
  const rows = await resources.db
    .selectFrom("notifications")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .execute();
  return (await toNotifications(resources, viewer, rows))[0];
}

/** The number at the bell: read from its own index, independent of the number of read ones. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const { unread } = await db
    .selectFrom("notifications")
    .select(db.fn.countAll<number>().as("unread"))
    .where("user_id", "=", userId)
    .where("date_read", "is", null)
    .executeTakeFirstOrThrow();
  return unread;
}

type Body = Record<string, unknown>;

const textIn = (body: Body, name: string): string | undefined =>
  typeof body[name] === "string" ? body[name] : undefined;
const textsIn = (body: Body, name: string): string[] =>
  Array.isArray(body[name]) ? body[name].filter((item) => typeof item === "string") : [];

/** Runs the same number of statements for a hundred notifications as for one. */
async function toNotifications(
  resources: Resources,
  viewer: Viewer,
  rows: readonly Row<"notifications">[],
  locale?: Locale,
): Promise<Notification[]> {
  if (rows.length === 0) return [];
  const { db, config } = resources;
  const bodies = rows.map((row) => fromJson(row.body) as Body);
  const named = (name: string) => [...new Set(bodies.flatMap((body) => textIn(body, name) ?? []))];
  const entries = await projectEntries(resources).load(named("projectId"));
  const visible = await visibleProjects(db, viewer, entries.values());
  const orgs = await listOrgs(db, named("orgId"));
  const people = await listUserNames(db, [...new Set([...named("invitedBy"), ...named("userId")])]);
  const numbers = await listVersionNumbers(db, [...new Set(bodies.flatMap((body) => textsIn(body, "versionIds")))]);
  const pageOf = (kind: string, slug: string) => `${config.http.url}/${kind}/${slug}`;

  const aboutProject = (id: string | undefined): NotificationAbout | undefined => {
    const entry = id !== undefined && visible.has(id) ? entries.get(id) : undefined;
    if (!entry) return undefined;
    const { name, slug, icon } = entry.listItem.value;
    return { kind: "project", id: entry.id, name, slug, icon, url: pageOf("project", slug) };
  };
  const aboutOrg = (id: string | undefined): NotificationAbout | undefined => {
    const org = id === undefined ? undefined : orgs.get(id);
    if (!org) return undefined;
    const icon = pictureUrl(config.http.cdnUrl, "organization", org.id, org.icon_file);
    return {
      kind: "organization",
      id: org.id,
      name: org.name,
      slug: org.slug,
      icon,
      url: pageOf("organization", org.slug),
    };
  };

  return rows.map((row, at) => {
    const stored = bodies[at]!;
    const versionIds = textsIn(stored, "versionIds").filter((id) => numbers.has(id));
    // Versions that were deleted or withdrawn since are left out.
    const author = people.get(textIn(stored, "userId") ?? "") ?? orgs.get(textIn(stored, "orgId") ?? "")?.name ?? null;
    const body = {
      ...stored,
      ...("versionIds" in stored && { versionIds }),
      ...(row.type === "project_published" && { author }),
    };
    const projectId = textIn(stored, "projectId");
    const about = aboutProject(projectId) ?? aboutOrg(textIn(stored, "orgId")) ?? null;
    // An invitee is told the name of the project, although they cannot see anything else of it before they accept.
    const invitedTo = row.type === "team_invite" ? entries.get(projectId ?? "")?.listItem.value.name : undefined;
    const names = {
      project: about?.kind === "project" ? about.name : invitedTo,
      organization: about?.kind === "organization" ? about.name : undefined,
      inviter: people.get(textIn(stored, "invitedBy") ?? ""),
      user: people.get(textIn(stored, "userId") ?? ""),
      author: author ?? undefined,
      token: textIn(stored, "tokenName") ?? "",
      daysLeft: typeof stored.daysLeft === "number" ? stored.daysLeft : 0,
      versions: versionIds.map((id) => numbers.get(id)!),
      versionCount: typeof stored.versionCount === "number" ? stored.versionCount : versionIds.length,
      role: textIn(stored, "role") ?? "",
      status: textIn(stored, "new_status") ?? "",
    };
    return {
      id: row.id,
      userId: row.user_id,
      type: row.type,
      dateCreated: timestamp(row.date_created),
      read: row.date_read !== null,
      dateRead: maybeTimestamp(row.date_read),
      body,
      text: sentenceFor(row.type, names, locale),
      about,
    };
  });
}

async function listOrgs(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom("organizations")
    .leftJoin("images as icon", "icon.id", "organizations.icon_id")
    .select(["organizations.id", "organizations.name", "organizations.slug", "icon.file_name as icon_file"])
    .where(inList(db, sql.ref("organizations.id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function listUserNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "user_name"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.user_name]));
}

async function listVersionNumbers(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("versions")
    .select(["id", "version_number"])
    .where(inList(db, sql.ref("id"), ids))
    .where("date_quarantined", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.id, row.version_number]));
}
