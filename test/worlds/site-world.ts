// A site on which every page has content, and the list of its pages from the routes: a new page is covered by every
// test over all pages, or makes them fail until its URL is added here.

import { beginTotp } from "#accounts/second-factor/write.js";
import { createCode } from "#accounts/users/codes.js";
import { routes } from "#app.js";
import { featureCollection } from "#operations/administration/featured-collections.js";
import { write } from "#platform/changes/write.js";
import type { EndpointSpec, RawAnswer } from "#platform/http/endpoint.js";
import type { TestUser } from "#test/callers/actors.js";
import { makeApplication, OAuthClient } from "#test/callers/oauth-client.js";
import { drawPicture } from "#test/files/pictures.js";
import type { TestApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { queueProject } from "#test/worlds/desk-world.js";
import { TestMods } from "#test/worlds/test-mods.js";

/** All users' texts here start with it, to distinguish them from the site's own. */
export const userWord = "Qx";

export type Who = "guest" | "author" | "moderator" | "admin";

export interface SitePage {
  id: string;
  /** With all parameters filled in. */
  path: string;
  who: Who;
  status: 200 | 404;
}

export interface SiteWorld {
  people: Record<Exclude<Who, "guest">, TestUser>;
  pages: SitePage[];
}

/** URLs that only redirect. */
const leadingElsewhere = new Set([
  "getAdminSettingsPage",
  "getOldSignInPage",
  "getOldSignUpPage",
  "getChangePasswordPage",
  "getLatestVersionPage",
  "moveApiReference",
  "moveOpenApi",
]);

/**
 * These pages exist only until there is an administrator, or between two steps of a sign-in; their own tests cover
 * them.
 */
const onlyForAMoment = new Set(["getSetupPage", "getSetupSitePage", "getSetupContentPage", "getSecondFactorPage"]);

/**
 * Without the code of a mail these pages say that the link has expired. The files of this world are no archives, so that
 * there is nothing to read in them (test/browser/moderation.test.ts reads a real one).
 */
const goneWithoutCode = new Set([
  ...["getMailedInvitationPage", "getRevokeSessionPage", "getScannedEntryPage", "getScannedChangesPage"],
]);

export async function siteWorld(world: TestApp): Promise<SiteWorld> {
  const { make, as, resources, clock } = world;
  const author = await make.user({ userName: `${userWord}author` });
  const member = await make.user({ userName: `${userWord}member` });
  const moderator = await make.user({ userName: `${userWord}moderator`, role: "moderator" });
  const admin = await make.user({ userName: `${userWord}admin`, role: "admin" });
  const text = `${userWord}text ${userWord}more`;
  const shelf = new TestMods(world, author);
  const words = { summary: text, description: `# ${userWord}heading\n\n${text}\n\n- [x] ${userWord}task` };
  await shelf.project(`${userWord}core`, words);
  await shelf.version(`${userWord}core@1.0`, { title: `${userWord}one`, changelog: text });
  await shelf.project(`${userWord}lamps`, words);
  for (const [at, channel] of (["release", "beta", "alpha", "dev"] as const).entries())
    await shelf.version(`${userWord}lamps@1.${at}`, {
      channel,
      title: `${userWord}title`,
      changelog: text,
      needs: `${userWord}core`,
      gameVersions: [`0.4.${at}`],
      loaders: ["quilt", "puzzle_loader"].slice(0, 1 + (at % 2)),
    });
  const { id, slug, teamId } = shelf.projects.get(`${userWord}lamps`)!;
  const core = shelf.projects.get(`${userWord}core`)!;
  const version = shelf.versions.get(`${userWord}lamps@1.0`)!;
  const me = as.user(author);
  await addMember(world, teamId, member);
  await as.user(member).post(`/api/project/${slug}/follow`);
  await me.post(`/api/project/${core.slug}/follow`);
  const image = await drawPicture({ width: 64, height: 48 });
  await me.form("POST", `/api/project/${slug}/gallery`, { image, title: `${userWord}picture` });
  const org = await makeOrg(world, author, { name: `${userWord}org`, slug: "qx-org", description: text });
  await addMember(world, org.teamId, member);
  const inOrg = await makeProject(world, author, { name: `${userWord}inside`, orgId: org.id, summary: text });
  const queued = await queueProject(world, author, { name: `${userWord}queued`, summary: text, description: text });
  const shared = { name: `${userWord}shelf`, visibility: "public", projects: [id, core.id] };
  const { collectionId } = (await me.post("/api/collections", shared)).body;
  await write(resources, { userId: moderator.id }, (tx) => featureCollection(tx, null, collectionId));
  const complaint = { reportType: "spam", itemType: "project", itemId: core.id, body: `${text} ${text}` };
  const { reportId } = (await me.post("/api/report", complaint)).body;
  await as.user(member).post("/api/report", complaint);
  const report = await resources.db
    .selectFrom("reports")
    .select("case_id")
    .where("id", "=", reportId)
    .executeTakeFirstOrThrow();
  const hook = { url: "https://hooks.example.org/x", events: ["version.published"] };
  await me.post(`/api/project/${slug}/webhooks`, hook);
  const [webhook] = (await me.get(`/api/project/${slug}/webhooks`)).body;
  const token = await make.token(author, { scopes: ["user_read"] });
  await resources.db
    .updateTable("tokens")
    .set({ name: `${userWord}token` })
    .where("id", "=", token.id)
    .execute();
  const application = await makeApplication(world, author, {
    ...{ name: `${userWord}launcher`, description: text, isConfidential: true },
    homepage: "https://qx-launcher.example/",
  });
  const client = new OAuthClient(world, application);
  await client.connect(author);
  const upload = (await me.post("/api/upload", { name: `${userWord}.jar`, size: 10 })).body;
  const [picture] = (await me.get(`/api/project/${slug}`)).body.project.gallery;
  const { id: job } = await resources.db
    .insertInto("jobs")
    .values({
      ...{ kind: "delete-expired", payload: "{}", dedupe_key: null, run_after: clock.now(), attempts: 10 },
      ...{ lease_until: null, date_created: clock.now(), date_parked: clock.now(), last_error: `${userWord}error` },
    } as never)
    .returning("id")
    .executeTakeFirstOrThrow();
  const file = await resources.db
    .selectFrom("version_files")
    .select("id")
    .where("version_id", "=", version.id)
    .executeTakeFirstOrThrow();
  const memberEntry = async (team: string) =>
    (
      await resources.db
        .selectFrom("team_members")
        .select("id")
        .where("team_id", "=", team)
        .where("user_id", "=", member.id)
        .executeTakeFirstOrThrow()
    ).id;

  /** By the beginning of the path. The first match counts. */
  const values: [RegExp, Record<string, string>][] = [
    [/^\/project\/:ref\/settings\/members/, { ref: slug, memberId: await memberEntry(teamId) }],
    [/^\/project\/:ref\/settings\/gallery/, { ref: slug, id: picture?.id ?? "" }],
    [/^\/project/, { ref: slug, version: version.versionNumber, webhookId: webhook?.id ?? "" }],
    [
      /^\/organization/,
      { ref: org.slug, types: "mods", memberId: await memberEntry(org.teamId), projectRef: inOrg.slug },
    ],
    [/^\/:types/, { types: "mods" }],
    [/^\/collection/, { id: collectionId, types: "mods" }],
    [/^\/user/, { ref: author.userName, types: "mods" }],
    [/^\/moderation\/scan/, { fileId: file.id }],
    [/^\/moderation\/user/, { name: member.userName }],
    [/^\/moderation\/queue/, { ref: queued.slug }],
    [/^\/moderation\/report/, { id: report.case_id! }],
    [/^\/admin\/jobs/, { id: String(job) }],
    [/^\/admin\/settings/, { section: "general", provider: "github" }],
    [/^\/dashboard\/report/, { reportId }],
    [/^\/dashboard\/upload/, { id: upload.upload?.id ?? upload.id ?? "" }],
    [/^\/settings\/pats/, { patId: token.id }],
    [/^\/settings\/applications/, { id: application.id }],
    [/^\/legal/, { page: "rules" }],
    [/^\/docs/, { name: "search" }],
  ];
  const moved = await makeProject(world, author, { name: `${userWord}moved`, summary: text });
  await me.post(`/api/organization/${org.slug}/projects`, { projectId: moved.id });
  const { sessionId } = (await me.get("/api/auth/me")).body;
  const codes = await write(resources, { credential: "test" }, async (tx) => {
    await beginTotp(tx, { userId: author.id, sessionId });
    return {
      reset: await createCode(tx, "password_reset", member.id, member.email),
      verify: await createCode(tx, "email_change", member.id, "qx-other@example.org"),
      deletion: await createCode(tx, "account_deletion", member.id, member.email),
    };
  });
  const device = await as.anyone.post("/api/device/code", { client_id: `${userWord}shelf`, scope: "project_write" });
  const queries: Record<string, string> = {
    getOrganizationMovePage: `?project=${core.slug}`,
    getRolePage: "?role=moderator",
    getVerifyPage: `?code=${codes.verify}`,
    getResetPage: `?code=${codes.reset}`,
    getConfirmActionPage: `?code=${codes.deletion}`,
    getReportPage: `?itemType=project&itemId=${id}`,
    getGuestReportPage: "?sent",
    getQuarantinePage: `?versionId=${version.id}`,
    getDownloadPage: "?v=0.4.0&l=quilt",
    getConsentPage: `?${new URLSearchParams(client.request({ scope: "project_write" }))}`,
    getDevicePage: `?code=${device.body.user_code}`,
    getTaxonomyEntryPage: "?list=loaders&name=quilt",
  };

  const unknown: string[] = [];
  const lasting = pageEndpoints().filter(({ id }) => !onlyForAMoment.has(id));
  const pages = lasting.map((endpoint): SitePage => {
    if (endpoint.id === "getUndoMovePage") return { ...seen(endpoint), path: endpoint.path.replace(":ref", moved.id) };
    const known = values.find(([beginning]) => beginning.test(endpoint.path))?.[1] ?? {};
    const path = endpoint.path.replace(/:(\w+)/g, (part, name) => {
      if (!known[name]) unknown.push(`${name} in ${endpoint.path}`);
      return known[name] ? encodeURIComponent(known[name]) : part;
    });
    return { ...seen(endpoint), path: path + (queries[endpoint.id] ?? "") };
  });
  if (unknown.length > 0)
    throw new Error(`test/worlds/site-world.ts does not know what to put for ${unknown.join(", ")}`);
  return { people: { author, moderator, admin }, pages };
}

/** Every endpoint that shows a page. */
export const pageEndpoints = (): EndpointSpec[] =>
  routes
    .map(({ endpoint }) => endpoint)
    .filter(({ method, tag, answer }) => method === "GET" && tag === "Website" && "raw" in answer)
    .filter(
      ({ id, path, answer }) =>
        (answer as RawAnswer).raw === "text/html" && !path.endsWith("*") && !leadingElsewhere.has(id),
    );

const seen = (endpoint: EndpointSpec) => ({
  id: endpoint.id,
  who: whoSees(endpoint),
  status: goneWithoutCode.has(endpoint.id) ? (404 as const) : (200 as const),
});

function whoSees({ id, path, access }: EndpointSpec): Who {
  if (path.startsWith("/admin") || id === "getRolePage") return "admin";
  if (path.startsWith("/moderation")) return "moderator";
  if (/^\/(?:auth|unsubscribe)/.test(path) && access.kind === "open") return "guest";
  return access.kind === "open" ? "guest" : "author";
}
