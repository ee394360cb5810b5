// The accounts and rows of the fuzz tests: accounts that may be changed, and rows that must not.

import { createCode } from "#accounts/users/codes.js";
import { createCollection } from "#community/collections/edit.js";
import { addFollows } from "#community/follows/write.js";
import { notifyAboutVersions } from "#community/notifications/grouping.js";
import { orgPermissions } from "#content/members/permissions.js";
import { postMessage } from "#content/threads/write.js";
import { createWebhook } from "#integrations/webhooks/edit.js";
import { pingWebhook } from "#integrations/webhooks/enqueue.js";
import { assignableScopes } from "#lib/scopes.js";
import { newSecretToken } from "#lib/secret-token.js";
import { createReport } from "#moderation/reports/write.js";
import { write } from "#platform/changes/write.js";
import type { TestUser } from "#test/callers/actors.js";
import { siteUrl, type TestApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import type { Hints } from "./fitting-values.js";
import type { Cast } from "./fuzz-requests.js";

/** New accounts, tokens and codes, and the names of objects. */
export async function makeCast(app: TestApp): Promise<Cast> {
  const { make, clock, resources } = app;
  const password = "sample-1234";
  const [plain, other, withPassword] = await Promise.all([make.user(), make.user(), make.user({ password })]);
  const cookie = (token: string) => ({ cookie: `auth-token=${token}`, origin: siteUrl });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const all = await make.token(other, { scopes: assignableScopes });
  const few = await make.token(other, { scopes: ["user_read"] });
  const expired = await make.token(other, { scopes: assignableScopes, dateExpires: clock.now() - 1 });
  const own = await make.token(plain, { scopes: [] });
  const codes = await write(resources, {}, async (tx) => [
    await createCode(tx, "password_reset", withPassword.id),
    await createCode(tx, "email_change", plain.id, `${uniqueName()}@example.com`),
  ]);
  const content = await makeContent(app, other, [plain, withPassword]);
  const talk = await makeTalk(app, plain, other);
  const newNames = Array.from({ length: 20 }, () => uniqueName("fuzz"));
  return {
    sessions: [cookie(plain.sessionToken), cookie(withPassword.sessionToken), cookie(withPassword.sessionToken)],
    tokens: [
      bearer(all.value),
      { authorization: all.value },
      { authorization: `Basic ${Buffer.from(`x:${all.value}`).toString("base64")}` },
    ],
    strangers: [
      {},
      {},
      bearer(few.value),
      bearer(expired.value),
      bearer(newSecretToken("msp_", resources.random)),
      bearer(other.sessionToken),
      cookie(all.value),
      { ...cookie(other.sessionToken), origin: "https://evil.example" },
      { cookie: `auth-token=x; auth-token=${other.sessionToken}; =; ;;a` },
      { authorization: "Basic \x80\xff====" },
    ],
    hints: {
      ...content,
      ...talk,
      "user ref": ["bystander", plain.id, other.userName],
      id: [plain.id, "MIT", ...content.projectId!],
      ids: [`${plain.id},${content.projectId},${content.versionId},${content.notificationId}`, plain.id],
      userId: [plain.id, withPassword.id],
      slug: newNames,
      versionNumber: newNames,
      file: ["default.png"],
      patId: [own.id],
      sessionId: [plain.id],
      name: ["A name", "名前"],
      userName: newNames,
      email: [`${newNames[0]}@example.com`, `${newNames[1]}@example.com`, withPassword.email, "bystander"],
      password: [password],
      currentPassword: [password],
      newPassword: [password, "another-1234"],
      confirmNewPassword: [password, "another-1234"],
      code: codes,
      provider: ["github"],
      "collections id": [...content.collectionId!, "follows"],
      "collection id": content.collectionId!,
      "notifications id": content.notificationId!,
      "user id": [...content.notificationId!, plain.id],
      projects: content.projectId!,
      dateExpires: ["2099-01-31", "2099-01-31T12:00:00Z"],
      authScopes: ["user_read", "user_write"],
    },
  };
}

/**
 * A project with a version and an organization, of which all these users are members, so that they have many
 * permissions.
 */
async function makeContent(app: TestApp, owner: TestUser, members: TestUser[]): Promise<Hints> {
  const project = await makeProject(app, owner);
  const hidden = await makeProject(app, owner, { visibility: "private" });
  const org = await makeOrg(app, owner);
  for (const member of members)
    for (const { teamId } of [project, org]) await addMember(app, teamId, member, { orgPermissions });
  const version = await makeVersion(app, owner, project.id);
  const belongings = await makeBelongings(app, [owner, ...members], project.id);
  const { db } = app.resources;
  const team = await db.selectFrom("team_members").select("id").where("team_id", "=", project.teamId).execute();
  return {
    "project ref": [project.slug, project.id, project.slug, hidden.slug, "bystanders-project", "bystanders-secret"],
    "moderation ref": [project.slug],
    "badge ref": [project.slug, project.id, hidden.slug],
    "sitemaps file": ["pages-1.xml", "projects-1.xml", "versions-1.xml"],
    badge: ["downloads.svg", "version.json", "game-versions.svg", "license.json", "loaders.svg"],
    format: ["atom", "json", "csv"],
    url: [`${siteUrl}/project/${project.slug}`, `${siteUrl}/mod/${hidden.id}/versions`, "https://hooks.example.org/a"],
    projectIds: [project.id, `${project.id},${hidden.id}`],
    startDate: ["2026-01-01"],
    endDate: ["2026-01-31"],
    "organization ref": [org.slug, org.id],
    ...belongings,
    ...(await makeWebhook(app, owner, project.id)),
    ...{ issuer: ["https://gitlab.com"], repository: ["octo/lamps"], workflow: ["publish.yml"], platform: ["Ko-fi"] },
    projectRef: [project.slug],
    projectId: [project.id],
    orgId: [org.id],
    teamId: [project.teamId, org.teamId],
    memberId: team.map(({ id }) => id),
    version: [version.id, version.versionNumber, "latest"],
    versionId: [version.id],
    fileName: [`file-${version.versionNumber}.jar`, "primary-file"],
    project: [project.slug, project.id, hidden.slug],
    installed: [version.sha1, version.sha512],
    path: ["maven-metadata.xml", `${version.id}/${project.slug}-${version.id}.jar`, `${version.id}/x.pom.sha1`].map(
      (file) => `maven/modshelf/${project.slug}/${file}`,
    ),
    hash: [version.sha1, version.sha512],
    hashes: [version.sha1, version.sha512],
    type: ["mod"],
    title: ["A title"],
    gameVersion: ["0.4.8"],
    gameVersions: ["0.4.8", '["0.4.8"]'],
    loader: ["quilt"],
    loaders: ["quilt", '["quilt"]'],
    ...{ l: ["quilt", "!puzzle_loader"], v: ["0.4.8", "!0.4.7"], c: ["magic", "!library"], ch: ["beta", "!dev-only"] },
    ...{ e: ["client"], li: ["oss", "!oss"], sortby: ["downloads", "relevance"], facets: ["1"] },
    dependencies: [`[{"projectId":"${hidden.id}","versionId":null,"dependencyType":"required"}]`, "[]"],
    releaseChannel: ["release", "beta"],
    q: ["sample", "smaple", "示例", "a b"],
    l: ["quilt", "!quilt"],
    v: ["0.4.8", "!0.4.8"],
    c: ["magic", "!512x+"],
    e: ["client", "server"],
    li: ["oss", "!oss"],
    sortby: ["relevance", "downloads", "trending"],
    facets: ["1", "0"],
  };
}

/** A followed project, a collection and notifications for each of them. */
async function makeBelongings({ resources }: TestApp, users: readonly TestUser[], projectId: string): Promise<Hints> {
  return write(resources, {}, async (tx) => {
    const [collectionId, notificationId]: [string[], string[]] = [[], []];
    for (const { id, userName } of users) {
      const user = { id, userName, role: "user" } as const;
      const viewer = { kind: "session", user, sessionId: "", dateAuthenticated: 0 } as const;
      const fields = { name: "Collected", description: "", visibility: "unlisted" } as const;
      collectionId.push(await createCollection(tx, viewer, fields, [projectId]));
      await addFollows(tx, id, [projectId]);
      await notifyAboutVersions(tx, projectId, new Map([[id, ["AAAAAAAA"]]]));
      const told = await tx.db.selectFrom("notifications").select("id").where("user_id", "=", id).execute();
      notificationId.push(...told.map((row) => row.id));
    }
    return { collectionId, notificationId };
  });
}

/** Its test message never arrives, because example hosts do not exist. */
async function makeWebhook({ resources }: TestApp, { id }: TestUser, projectId: string): Promise<Hints> {
  const input = {
    url: "https://hooks.example.org/",
    form: "standard",
    events: ["project.edited"],
    enabled: true,
  } as const;
  const delivery = await write(resources, {}, async (tx) =>
    pingWebhook(tx, await createWebhook(tx, { kind: "project", id: projectId }, id, input)),
  );
  return { webhookId: [delivery.webhook_id], deliveryId: [delivery.id], since: ["0"] };
}

/** A report of one of them, with its thread. */
async function makeTalk({ resources }: TestApp, reporter: TestUser, about: TestUser): Promise<Hints> {
  const user = { id: reporter.id, userName: reporter.userName, role: "user" } as const;
  const viewer = { kind: "session", user, sessionId: "", dateAuthenticated: 0 } as const;
  const report = { reportType: "spam", itemType: "user", itemId: about.id, body: "Sends advertising" } as const;
  const said = { text: "And more of it", replyingTo: null, isPrivate: false };
  const { reportId, threadId, messageId } = await write(resources, {}, async (tx) => {
    const made = await createReport(tx, viewer, report);
    return { ...made, messageId: await postMessage(tx, viewer, made.threadId, said) };
  });
  return {
    reportId: [reportId],
    threadId: [threadId],
    messageId: [messageId],
    replyingTo: [messageId],
    itemId: [about.id, about.userName],
    itemType: ["user"],
  };
}

/**
 * A user for whom no request is made, with a public and a private project; and an administrator. Returns the user's id.
 */
export async function plant(app: TestApp): Promise<string> {
  const bystander = await app.make.user({ userName: "bystander", password: "bystander-1234" });
  await app.make.token(bystander, { scopes: assignableScopes });
  await app.make.user({ userName: "the-admin", role: "admin" });
  const open = await makeProject(app, bystander, { slug: "bystanders-project" });
  const secret = await makeProject(app, bystander, { slug: "bystanders-secret", visibility: "private" });
  for (const { id } of [open, secret]) await makeVersion(app, bystander, id);
  return bystander.id;
}

/** The rows that no request may change. */
export async function planted({ resources: { db } }: TestApp, userId: string): Promise<unknown> {
  const projects = await db
    .selectFrom("projects")
    .selectAll()
    .where("slug", "like", "bystanders-%")
    .orderBy("id")
    .execute();
  const ids = projects.map(({ id }) => id);
  const versions = await db.selectFrom("versions").selectAll().where("project_id", "in", ids).orderBy("id").execute();
  const teams = projects.map(({ team_id }) => team_id);
  const users = await db.selectFrom("users").selectAll().where("id", "=", userId).execute();
  const follows = await db.selectFrom("user_follows").selectAll().where("author_id", "=", userId).execute();
  return {
    // Any user may follow, but the figure must be that of the rows.
    user: users.map((row) => ({ ...row, followers: row.followers - follows.length })),
    sessions: await db.selectFrom("sessions").selectAll().where("user_id", "=", userId).execute(),
    tokens: await db.selectFrom("tokens").selectAll().where("user_id", "=", userId).execute(),
    privileged: await db.selectFrom("users").selectAll().where("role", "!=", "user").execute(),
    placeholder: await db.selectFrom("users").selectAll().where("id", "=", "deleted_user").execute(),
    taxonomies: await db.selectFrom("taxonomies").selectAll().execute(),
    // Downloads are counted for every caller, and any user may follow.
    projects: projects.map((row) => ({ ...row, downloads: 0, followers: 0 })),
    versions: versions.map((row) => ({ ...row, downloads: 0 })),
    files: await db.selectFrom("version_files").selectAll().where("project_id", "in", ids).orderBy("id").execute(),
    members: await db.selectFrom("team_members").selectAll().where("team_id", "in", teams).execute(),
  };
}
