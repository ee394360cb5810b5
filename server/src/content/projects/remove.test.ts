// deleteProject: no row of the project remains, no read shows it, and other projects are unchanged.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { versionNews } from "#community/notifications/consumer.js";
import { galleryRoutes } from "#content/gallery/routes.js";
import { moderationRoutes } from "#moderation/desk/routes.js";
import { catchUp } from "#platform/changes/consumer.js";
import { type Tables, tables } from "#platform/db/tables.js";
import type { TestUser } from "#test/callers/actors.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { projectEditRoutes } from "./edit-routes.js";

const world = await testApp({
  routes: [...new Set([...routes, ...projectEditRoutes, ...galleryRoutes, ...moderationRoutes])],
});
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();
const actor = as.user(owner);
const admin = as.user(await make.user({ role: "admin" }));
const picture = await drawPicture();

/** A project with rows in every table that can have them. */
async function makeWhole() {
  const oldSlug = uniqueName("old");
  const { id, teamId } = await makeProject(world, owner, { slug: oldSlug, description: "Words" });
  const slug = uniqueName("present");
  const path = `/api/project/${id}`;
  const bytes = Buffer.from(uniqueName("bytes"));
  const version = await makeVersion(world, owner, id, {
    bytes,
    additional: [{ name: "more.zip", bytes: Buffer.from(slug) }],
  });
  const dependent = await makeProject(world, owner);
  await makeVersion(world, owner, dependent.id, {
    dependencies: [{ projectId: id, versionId: version.id, type: "required" }],
  });
  await makeVersion(world, owner, id, {
    dependencies: [{ projectId: dependent.id, versionId: null, type: "optional" }],
  });
  const member = await make.user();
  await addMember(world, teamId, member);
  for (const reply of [
    await actor.patch(path, { slug }),
    await actor.form("PATCH", `${path}/icon`, { icon: picture }),
    await actor.form("POST", `${path}/gallery`, { image: picture, title: "Dusk", featured: "true" }),
    await actor.patch(`${path}/tags`, { categories: ["magic"], featuredCategories: ["magic"] }),
    await actor.post(`${path}/trusted-publishers`, {
      ...{ issuer: "https://gitlab.com", repository: "octo/lamps", workflow: ".gitlab-ci.yml" },
    }),
    await admin.post(`/api/moderation/project/${id}`, { status: "withheld", message: "Why" }),
    await admin.post(`/api/moderation/project/${id}`, { status: "approved" }),
  ])
    expect(reply).toSucceed();
  await addFollowers(id, version.id, member);
  return { id, teamId, slug, oldSlug, version, dependent, member };
}

async function addFollowers(project_id: string, version_id: string, user: TestUser): Promise<void> {
  const collection = uniqueName("c");
  await db.insertInto("follows").values({ user_id: user.id, project_id, preferences: "{}", date_created: 0 }).execute();
  await db
    .insertInto("collections")
    .values({
      id: collection,
      user_id: user.id,
      name: "Mine",
      description: "",
      visibility: "public",
      icon_id: null,
      date_created: 0,
      date_updated: 0,
    })
    .execute();
  await db.insertInto("collection_projects").values({ collection_id: collection, project_id, date_added: 0 }).execute();
  const client = Buffer.alloc(16);
  await db.insertInto("recent_downloads").values({ client, project_id, version_1: version_id, time_1: 0 }).execute();
  await db.insertInto("download_days").values({ project_id, version_id, day: 1, country: "", count: 3 }).execute();
  await db.insertInto("view_days").values({ project_id, day: 1, country: "", count: 3 }).execute();
  await db.insertInto("view_referrers").values({ project_id, day: 1, host: "direct", count: 3 }).execute();
}

type TableName = keyof Tables;

/** The columns that contain an id, as "table.column". */
async function findTraces(ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(tables) as TableName[])
    for (const [column, { kind }] of Object.entries(tables[table])) {
      if (kind !== "text") continue;
      const { rows } = await sql<{ id: string }>`
        select ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} in (${sql.join([...ids])})`.execute(db);
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
  return found;
}

/** Logs that record the deletion and so keep the id. */
const chronicles = [
  "audit_log.object_id",
  "changes.object_id",
  "events.project_id",
  "public_changes.object_id",
  "public_changes.project_id",
  // Records that the project is no longer listed.
  "search_documents.project_id",
  // Reserve its name for a while.
  "retired_names.name",
  "retired_names.object_id",
  // Deleted when the window is over in which a client counts once.
  "recent_downloads.project_id",
  "recent_downloads.version_1",
];

/** Written by consumers of the change log, some time later and not for every project. */
const derived: ReadonlySet<string> = new Set([
  ...["events", "public_changes", "public_things", "project_counts", "search_documents", "search_figures"],
  ...["announcements", "reviews", "held_decisions", "submissions", "tokens", "project_moves"],
]);

const expectGone = (ids: readonly string[]) =>
  expect.poll(async () => (await findTraces(ids)).filter((trace) => !chronicles.includes(trace))).toEqual([]);

describe("deleteProject", () => {
  test("deletes all its rows and no others", async () => {
    const { id, teamId, version, slug, oldSlug, dependent, member } = await makeWhole();
    const threads = await db.selectFrom("threads").select("id").where("entity_id", "=", id).execute();
    const versions = await db.selectFrom("versions").select("id").where("project_id", "=", id).execute();
    const images = await db.selectFrom("images").select("id").where("owner_id", "=", id).execute();
    const files = await db.selectFrom("version_files").select("id").where("project_id", "=", id).execute();
    const ids = [id, teamId, slug, oldSlug, ...[...threads, ...versions, ...images, ...files].map((row) => row.id)];
    await catchUp(resources, versionNews);
    const traces = await findTraces(ids);
    const referring = (Object.keys(tables) as TableName[]).filter(
      (table) => "project_id" in tables[table] && !derived.has(table),
    );
    expect(traces).toEqual(expect.arrayContaining(referring.map((table) => `${table}.project_id`)));
    for (const place of [
      "dependencies.on_project_id",
      "images.owner_id",
      "threads.entity_id",
      "thread_messages.thread_id",
    ])
      expect(traces).toContain(place);

    expect((await actor.delete(`/api/project/${oldSlug}`)).body).toEqual({
      success: true,
      message: expect.any(String),
    });
    await expectGone(ids);
    const others = await db.selectFrom("versions").select("id").where("project_id", "=", dependent.id).execute();
    expect(others).toHaveLength(1);
    expect(await db.selectFrom("collections").select("id").where("user_id", "=", member.id).execute()).toHaveLength(1);
    const blob = await db
      .selectFrom("blobs")
      .select("size")
      .where("sha512", "=", Buffer.from(version.sha512, "hex"))
      .execute();
    expect(blob).toHaveLength(1);
    const audits = await db
      .selectFrom("audit_log")
      .select(["actor_id", "detail"])
      .where("object_id", "=", id)
      .where("action", "=", "project.delete")
      .execute();
    expect(audits).toHaveLength(1);
    expect(audits[0]!.actor_id).toBe(owner.id);
    expect(JSON.parse(audits[0]!.detail)).toMatchObject({ slug, oldSlugs: [oldSlug] });
  });

  test("is visible to every read at once, even if the project was in memory", async () => {
    const { id, slug, oldSlug, version, dependent } = await makeWhole();
    const project = (await actor.get(`/api/project/${id}`)).body.project;
    const file = project.icon && (await actor.get(`/api/project/${id}/version/${version.id}`)).body.data.primaryFile;
    const single = [
      ...[id, slug, oldSlug].flatMap((ref) => [
        `/api/project/${ref}`,
        `/api/project/${ref}/check`,
        `/api/project/${ref}/version`,
        `/api/project/${ref}/version/latest`,
        `/api/project/${ref}/version/${version.id}`,
        `/api/project/${ref}/version/${version.versionNumber}/primary-file`,
      ]),
      `/api/version-file/${version.sha512}`,
      `/api/version-file/${version.sha1}?algorithm=sha1`,
      ...[project.icon, project.gallery[0].image, project.gallery[0].imageThumbnail, file.url].map(
        (url) => new URL(url).pathname,
      ),
    ];
    const lists = [
      `/api/projects?ids=${id}`,
      `/api/projects/versions?ids=${id}`,
      "/api/project",
      `/api/user/${owner.id}/projects`,
      "/api/projects/random?count=100",
    ];
    const hashes = { algorithm: "sha1", hashes: [version.sha1] };
    for (const reader of [actor, as.anyone]) {
      for (const path of single) expect((await reader.get(path)).status, path).toBe(200);
      for (const path of lists.filter((each) => each !== "/api/project"))
        expect((await reader.get(path)).text).toContain(id);
      expect((await reader.post("/api/version-files", hashes)).body).toHaveProperty(version.sha1);
    }
    const listOf = async () => (await as.anyone.get(`/api/project/${dependent.id}/version`)).body.data[0].dependencies;
    expect(await listOf()).toMatchObject([{ projectId: id }]);

    expect(await actor.delete(`/api/project/${id}`)).toSucceed();
    for (const reader of [actor, admin, as.anyone]) {
      for (const path of single) expect((await reader.get(path)).status, path).toBe(404);
      for (const path of lists.filter((each) => reader !== as.anyone || each !== "/api/project"))
        expect((await reader.get(path)).text, path).not.toContain(id);
      expect((await reader.post("/api/version-files", hashes)).body).toEqual({});
      expect((await reader.post("/api/version-files/update", hashes)).body).toEqual({});
    }
    expect(await listOf()).toEqual([]);
  });

  test("deletes a project with more files than one statement can name", async () => {
    const { id } = await makeProject(world, owner);
    const version = await makeVersion(world, owner, id);
    const count = 11_000;
    const hashes = Array.from({ length: count }, (_, at) => createHash("sha512").update(`${id} ${at}`).digest());
    const times = { date_created: 0 };
    for (let start = 0; start < count; start += 1000) {
      const part = hashes.slice(start, start + 1000);
      const shared = part.map((sha512) => ({ sha512, sha1: sha512.subarray(0, 20), size: 1, ...times }));
      await db
        .insertInto("blobs")
        .values(shared.map((row) => ({ ...row, date_orphaned: null })))
        .execute();
      const file = { version_id: version.id, project_id: id, type: "jar" };
      await db
        .insertInto("version_files")
        .values(shared.map((row, at) => ({ ...row, ...file, id: `${id}-${start + at}`, name: `${start + at}.jar` })))
        .execute();
    }
    const { position } = resources.changeLog;
    expect(await actor.delete(`/api/project/${id}`)).toSucceed();
    expect(resources.changeLog.position - position).toBeGreaterThan(count);
    expect(await db.selectFrom("version_files").select("id").where("project_id", "=", id).execute()).toEqual([]);
  });

  test("keeps files that other projects also have", async () => {
    const bytes = Buffer.from(uniqueName("same"));
    const [one, other] = [await makeProject(world, owner), await makeProject(world, owner)];
    const { sha512 } = await makeVersion(world, owner, one.id, { bytes });
    await makeVersion(world, owner, other.id, { bytes });
    const find = async () => (await as.anyone.post("/api/version-files", { hashes: [sha512] })).body[sha512]?.projectId;
    expect([one.id, other.id]).toContain(await find());
    expect(await actor.delete(`/api/project/${one.id}`)).toSucceed();
    expect(await find()).toBe(other.id);
    const { primaryFile } = (await as.anyone.get(`/api/project/${other.id}/version/latest`)).body.data;
    expect((await as.anyone.get(new URL(primaryFile.url).pathname)).bytes).toEqual(bytes);
  });

  test("happens once, however many requests ask for it", async () => {
    const { id } = await makeProject(world, owner);
    const replies = await Promise.all(Array.from({ length: 10 }, () => actor.delete(`/api/project/${id}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(404, "projectNotFound");
  });

  test("is safe against concurrent edits of the same project", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, slug } = await makeProject(world, owner);
      const edits = [
        actor.patch(`/api/project/${id}`, { slug: `${slug}-2` }),
        actor.patch(`/api/project/${id}/tags`, { categories: ["magic"] }),
        actor.form("POST", `/api/project/${id}/gallery`, { image: picture, title: "Dusk" }),
        admin.post(`/api/moderation/project/${id}`, { status: "rejected" }),
      ];
      const [gone, ...others] = await Promise.all([actor.delete(`/api/project/${id}`), ...edits]);
      expect(gone).toSucceed();
      // 403: the team was already deleted when the permission was checked.
      for (const reply of others) expect([200, 403, 404]).toContain(reply.status);
      await expectGone([id, slug, `${slug}-2`]);
    }
  });

  test("frees the slug that the project had left before for a new project", async () => {
    const { id, oldSlug } = await makeWhole();
    await actor.delete(`/api/project/${id}`);
    const { id: next } = await makeProject(world, owner, { slug: oldSlug });
    expect(next).not.toBe(id);
    const { project } = (await as.anyone.get(`/api/project/${oldSlug}`)).body;
    expect(project).toMatchObject({ id: next, gallery: [], icon: null });
    expect(await as.anyone.get(`/api/project/${id}`)).toFail(404, "projectNotFound");
  });
});
