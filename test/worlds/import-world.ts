// A registry with varied content, to be imported from over real HTTP, and functions that import it into another one.

import type { ImportOptions } from "#operations/importing/context.js";
import { openSource } from "#operations/importing/open-source.js";
import type { ImportReport } from "#operations/importing/report.js";
import { runImport } from "#operations/importing/run.js";
import type { SourceKind } from "#operations/importing/source.js";
import type { TestUser } from "#test/callers/actors.js";
import { jar, publishTo, type UploadParts } from "#test/callers/uploads.js";
import { drawPicture } from "#test/files/pictures.js";
import { type TestApp, TestClock, testApp } from "#test/server/harness.js";
import { onFreePort } from "#test/setup/ports.js";
import {
  addMember,
  makeOrg,
  makeProject,
  type ProjectOptions,
  setProject,
  type TestProject,
} from "#test/worlds/content.js";

const hour = 3_600_000;
const day = 24 * hour;
/** Less than the life of a session. */
const age = 25 * day;

/** A site whose URL names its real port, so that the URLs in its answers work. */
export const siteOnPort = (clock = new TestClock()): Promise<TestApp> =>
  onFreePort((port) => testApp({ port, clock, settings: { MODSHELF_URL: `http://127.0.0.1:${port}` } }));

export interface ImportWorld {
  site: TestApp;
  ada: TestUser;
  bob: TestUser;
  cleo: TestUser;
  /** By slug. */
  projects: Map<string, TestProject>;
  publish(slug: string, author: TestUser, parts: UploadParts): Promise<string>;
}

/**
 * Written over the last weeks. `isPlain`: only what Modrinth's API v2 can show, so no organization, withdrawn version or
 * disclosure. The projects "secret-draft", "withheld-mod" and "private-mod" are not public.
 */
export async function makeImportWorld({ isPlain = false } = {}): Promise<ImportWorld> {
  const clock = new TestClock();
  const site = await siteOnPort(clock);
  clock.advance(-age);
  const [ada, bob, cleo] = [
    await site.make.user({ userName: "ada" }),
    await site.make.user({ userName: "bob" }),
    await site.make.user({ userName: "cleo" }),
  ];
  // As in the registry that it is imported into.
  await site.make.user({ userName: "keeper" });
  const projects = new Map<string, TestProject>();
  const make = async (slug: string, owner: TestUser, options: ProjectOptions = {}) => {
    clock.advance(day);
    const made = await makeProject(site, owner, { slug, name: slug, description: `# ${slug}\n\nText.`, ...options });
    projects.set(slug, made);
    // Registries show one of these dates.
    const now = clock.now();
    await setProject(site, made.id, { date_approved: now, date_published: now });
    return made;
  };
  const publishAs: ImportWorld["publish"] = async (slug, author, parts) => {
    clock.advance(hour);
    const reply = await publishTo(site.as.user(author), slug, parts);
    if (reply.status !== 200) throw new Error(`${slug}: ${reply.text}`);
    return reply.body.data.id;
  };

  const org = isPlain ? undefined : await makeGuild(site, { cleo, bob }, clock);
  const core = await make("core-lib", ada);
  const old = await publishAs("core-lib", ada, { versionNumber: "0.9.0", gameVersions: ["0.4.8"] });
  const exact = await publishAs("core-lib", ada, { versionNumber: "1.0.0", featured: "true", gameVersions: ["0.4.8"] });
  await publishAs("core-lib", ada, { versionNumber: "1.1.0-beta", releaseChannel: "beta", changelog: "" });
  if (!isPlain)
    await site.as
      .user(ada)
      .post(`/api/project/core-lib/version/${old}/yank`, { reason: "Broken", replacement: "1.0.0" });

  const lamps = await make("fancy-lamps", ada, { types: ["mod", "plugin"] });
  await addMember(site, lamps.teamId, bob);
  await describeLamps(site, ada, clock, isPlain);
  await make("guild-lamps", cleo, { orgId: org?.id ?? null });
  const toGuild = { projectId: "guild-lamps", versionId: null, dependencyType: "optional" };
  await publishAs("fancy-lamps", ada, {
    versionNumber: "1.0.0",
    dependencies: [toGuild],
    loaders: ["quilt", "paradox"],
  });
  await publishAs("fancy-lamps", bob, {
    versionNumber: "2.0.0",
    title: "Two lamps",
    featured: "true",
    loaders: ["quilt"],
    gameVersions: ["0.4.8", "0.4.7"],
    dependencies: [{ projectId: core.id, versionId: exact, dependencyType: "required" }],
    additionalFiles: [{ name: "sources.jar", bytes: jar() }],
  });
  await publishAs("guild-lamps", cleo, {
    versionNumber: "1.0.0",
    dependencies: [{ projectId: lamps.id, versionId: null, dependencyType: "required" }],
  });

  await make("candle", cleo, { types: ["datamod"] });
  await publishAs("candle", cleo, {
    versionNumber: "0.1",
    loaders: [],
    primaryFile: { name: "candle.zip", bytes: jar() },
  });
  await make("night-sky", bob, { types: ["resource-pack"], license: "CC0-1.0" });
  await publishAs("night-sky", bob, {
    versionNumber: "1",
    loaders: [],
    primaryFile: { name: "night-sky.zip", bytes: jar() },
  });
  const shader = await make("old-shader", bob, { types: ["shader"] });
  await publishAs("old-shader", bob, { versionNumber: "3.0", loaders: ["simply_shaders"] });
  await setProject(site, shader.id, { visibility: "archived" });

  for (const [slug, options] of Object.entries(hidden)) {
    await make(slug, ada, options);
    await publishAs(slug, ada, {});
  }
  // Some hours ago, so that there is room for more acts.
  clock.advance(Date.now() - 4 * hour - clock.now());
  return { site, ada, bob, cleo, projects, publish: publishAs };
}

const hidden: Record<string, ProjectOptions> = {
  "secret-draft": { status: "draft" },
  "withheld-mod": { status: "withheld" },
  "private-mod": { visibility: "private" },
};
export const hiddenSlugs = Object.keys(hidden);

async function makeGuild(site: TestApp, { cleo, bob }: { cleo: TestUser; bob: TestUser }, clock: TestClock) {
  const org = await makeOrg(site, cleo, { slug: "lamp-guild", name: "Lamp guild", description: "Friends of lamps" });
  const icon = await drawPicture({ color: "#aa2200" });
  await site.as.user(cleo).form("PATCH", "/api/organization/lamp-guild/icon", { icon });
  clock.advance(hour);
  await addMember(site, org.teamId, bob);
  return org;
}

async function describeLamps(site: TestApp, ada: TestUser, clock: TestClock, isPlain: boolean): Promise<void> {
  const author = site.as.user(ada);
  const path = "/api/project/fancy-lamps";
  await author.patch(`${path}`, {
    clientSide: "required",
    serverSide: "optional",
    summary: "Lamps that light themselves",
  });
  await author.patch(`${path}/description`, { description: "# Lamps\r\n\r\n![x](https://example.org/x.png) *bright*" });
  await author.patch(`${path}/tags`, {
    categories: ["decoration", "utility", "magic", "economy"],
    featuredCategories: ["decoration", "magic"],
  });
  await author.patch(`${path}/external-links`, {
    issueTracker: "https://example.org/issues",
    sourceCode: "https://example.org/source",
    wikiPage: "https://example.org/wiki",
    discordServer: "https://example.org/chat",
    donationLinks: [{ platform: "Ko-fi", url: "https://example.org/give" }],
  });
  await author.patch(`${path}/license`, { name: "Lamp License", url: "https://example.org/license" });
  if (!isPlain)
    await author.patch(`${path}/disclosures`, {
      ai: ["art"],
      telemetry: { present: true, details: "Counts starts", url: "https://example.org/privacy" },
      paidFeatures: { present: false },
    });
  await author.form("PATCH", `${path}/icon`, { icon: await drawPicture({ color: "#22aa44" }) });
  for (const [title, featured] of [
    ["By day", "false"],
    ["At dusk", "true"],
  ] as const) {
    clock.advance(hour);
    const image = await drawPicture({ width: 640, height: 360, color: "#223344" });
    await author.form("POST", `${path}/gallery`, { image, title, featured, description: `The lamps: ${title}` });
  }
}

export interface Imported {
  kind?: SourceKind;
  options?: Partial<ImportOptions>;
  /** Ends the import like a kill: no request after this one is sent. */
  endAt?: number;
}

/** Imports everything, with accounts for all members, unless the options say otherwise. */
export async function importInto(
  target: TestApp,
  owner: TestUser,
  sourceUrl: string,
  { kind = "crmm", options, endAt }: Imported = {},
): Promise<ImportReport> {
  const { resources } = target;
  let requests = 0;
  const client = {
    ...{ base: sourceUrl, rate: 1, clock: resources.clock, privateHosts: new Set([new URL(sourceUrl).host]) },
    // Called before every request except the first: that rate is slower than they are.
    pause: async () => {
      if (++requests === endAt) throw new Error("The test ends the import.");
    },
    onWait: () => {},
  };
  const wanted: ImportOptions = {
    selection: { by: "all" },
    owner,
    mapped: new Map(),
    ...{ createUsers: true, overwrite: false, skipUnknown: false, dryRun: false, review: false },
    siteUrl: sourceUrl,
    ...options,
  };
  return runImport(resources, { credential: "command line" }, await openSource(client, kind), wanted, () => {});
}
