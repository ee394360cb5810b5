// Fills an empty registry with the demo content through the API, over real HTTP: sign-up, create, upload, submit,
// approve. It uses the same code as other clients, so it also tests the registry.
import type { Resources } from "#platform/http/resources.js";
import { makeArchive } from "./archive.js";
import { type Caller, createCaller } from "./caller.js";
import { type DemoContent, type DemoProject, slugOf } from "./content.js";
import { collect, followAll, visitAll } from "./life.js";
import { changelogOf, describeProject } from "./markdown.js";
import { makePack } from "./pack.js";
import { beginning, type MovableClock, type Plan, planOf } from "./past.js";
import { drawIcon, drawScene } from "./pictures.js";

const yesterday = 26 * 3_600_000;

/** The server at `origin` uses the clock of `resources`, so that events have the planned dates. */
export async function fillWithDemo(
  resources: Resources & { clock: MovableClock },
  origin: string,
  content: DemoContent,
  say: (name: string) => void = () => {},
): Promise<number> {
  const { clock } = resources;
  const { authors, organizations, projects } = content;
  const now = clock.now();
  clock.moveTo(now - beginning);
  const callers = new Map<string, Caller>();
  for (const name of authors) callers.set(name, await createCaller(resources, { origin, now }, name, "user"));
  const curator = await createCaller(resources, { origin, now }, "curator", "moderator");
  const orgIds = await createOrganizations(callers, organizations);
  for (const [index, project] of projects.entries()) {
    // An organization's project is submitted by the owner of the organization.
    const owner = organizations.find(({ slug }) => slug === project.org)?.owner ?? project.author;
    const people = { author: callers.get(project.author)!, owner: callers.get(owner)!, curator };
    await createDemoProject(people, clock, planOf(project, index / projects.length, now), project, orgIds);
    say(project.name);
  }
  clock.moveTo(now);
  await visitAll(resources, curator, projects);
  clock.moveTo(now - yesterday);
  await followAll(callers, projects);
  await collect(resources, callers, content);
  clock.moveTo(now);
  return projects.length;
}

async function createOrganizations(
  callers: ReadonlyMap<string, Caller>,
  organizations: DemoContent["organizations"],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { owner, members, ...org } of organizations) {
    const caller = callers.get(owner)!;
    const { id } = await caller.json("POST", "/api/organization", org);
    ids.set(org.slug, String(id));
    const icon = { name: "icon.png", bytes: await drawIcon(org.name) };
    await caller.form("PATCH", `/api/organization/${org.slug}/icon`, { icon });
    for (const userName of members) await addMember(caller, callers.get(userName)!, org.slug, userName);
  }
  return ids;
}

interface Organization {
  teamId: string;
  members: { id: string; userName: string }[];
}

/** The owner invites the member, the member accepts, and the owner gives permissions. */
async function addMember(owner: Caller, member: Caller, slug: string, userName: string): Promise<void> {
  const { teamId } = await owner.read<Organization>(`/api/organization/${slug}`);
  await owner.json("POST", `/api/team/${teamId}/invite`, { userName });
  await member.json("PATCH", `/api/team/${teamId}/invite`, {});
  const { members } = await owner.read<Organization>(`/api/organization/${slug}`);
  const { id } = members.find((one) => one.userName === userName)!;
  await owner.json("PATCH", `/api/team/${teamId}/member/${id}`, {
    role: "Developer",
    permissions: ["upload_version", "edit_details", "edit_description"],
    organisationPermissions: ["add_project"],
  });
}

async function createDemoProject(
  { author, owner, curator }: Record<"author" | "owner" | "curator", Caller>,
  clock: MovableClock,
  plan: Plan,
  project: DemoProject,
  orgIds: ReadonlyMap<string, string>,
): Promise<void> {
  const base = `/api/project/${slugOf(project.name)}`;
  clock.moveTo(plan.created);
  await describe(author, project, project.org ? orgIds.get(project.org) : null);
  const publishNext = async (index: number) => {
    clock.moveTo(plan.versions[index]!);
    await publish(author, project, index);
  };
  if (project.versions.length > 0) await publishNext(0);
  if (project.status !== "draft") {
    clock.moveTo(plan.submitted);
    await owner.json("POST", `${base}/submit-for-review`, {});
  }
  clock.moveTo(plan.decided);
  if (!project.status)
    await curator.json("POST", `/api/moderation/project/${slugOf(project.name)}`, { status: "approved" });
  if (project.status === "rejected") await curator.json("POST", `/api/moderation/project/${slugOf(project.name)}`, no);
  for (const index of project.versions.keys()) if (index > 0) await publishNext(index);
  // An archived project accepts no versions, so this comes last.
  if (project.visibility) await author.json("PATCH", base, { visibility: project.visibility });
}

const no = {
  status: "rejected",
  reason: "description",
  message: "Please say in the description what the project does, and show one picture of it.",
};

/** Everything except its versions. */
async function describe(author: Caller, project: DemoProject, orgId: string | null | undefined): Promise<void> {
  const { name, summary, type } = project;
  const slug = slugOf(name);
  const base = `/api/project/${slug}`;
  await author.json("POST", "/api/project", { name, slug, type, summary, visibility: "listed", orgId });
  await author.json("PATCH", base, sidesOf(project));
  await author.json("PATCH", `${base}/description`, { description: describeProject(project) });
  await author.json("PATCH", `${base}/tags`, {
    categories: project.categories,
    featuredCategories: project.categories.slice(0, 2),
  });
  await author.json("PATCH", `${base}/license`, { id: project.license ?? "MIT" });
  if (project.disclosures) await author.json("PATCH", `${base}/disclosures`, project.disclosures);
  await author.json("PATCH", `${base}/external-links`, {
    sourceCode: `https://example.org/${slug}`,
    issueTracker: `https://example.org/${slug}/issues`,
  });
  if (!project.noIcon)
    await author.form("PATCH", `${base}/icon`, { icon: { name: "icon.png", bytes: await drawIcon(name) } });
  // A new picture comes first, so the first one is added last.
  for (let index = (project.pictures ?? 0) - 1; index >= 0; index--)
    await author.form("POST", `${base}/gallery`, {
      image: { name: "scene.png", bytes: await drawScene(name, index) },
      title: index === 0 ? "At dusk" : `View ${index + 1}`,
      description: "Taken in a world of its own.",
      featured: String(index === 0),
    });
}

function sidesOf({ type }: DemoProject): { clientSide: string; serverSide: string } {
  if (type.includes("plugin")) return { clientSide: "unsupported", serverSide: "required" };
  if (type.includes("shader") || type.includes("resource-pack"))
    return { clientSide: "required", serverSide: "unsupported" };
  return { clientSide: "required", serverSide: "optional" };
}

const channels: readonly (readonly [RegExp, string])[] = [
  [/-d/, "dev"],
  [/-a/, "alpha"],
  [/-b/, "beta"],
];
const channelOf = (version: string): string => channels.find(([form]) => form.test(version))?.[1] ?? "release";

/** Versions follow the game: each supports the newest game version of its time and the one before. */
function gameVersionsOf({ versions, gameVersions }: DemoProject, index: number): string[] {
  const from = Math.floor(((versions.length - 1 - index) / versions.length) * gameVersions.length);
  return gameVersions.slice(from, from + 2);
}

async function publish(caller: Caller, project: DemoProject, index: number): Promise<void> {
  const slug = slugOf(project.name);
  const version = project.versions[index]!;
  const isJar = project.type.includes("mod") || project.type.includes("plugin");
  const { needs, likes, clashes, includes } = project;
  // The contents of a pack follow from its file.
  const relations = { required: needs, optional: likes, incompatible: clashes };
  const dependencies = Object.entries(relations).flatMap(([dependencyType, slugs = []]) =>
    slugs.map((projectId) => ({ projectId, versionId: null, dependencyType })),
  );
  const archive = includes
    ? await makePack(caller, project, version)
    : makeArchive([
        {
          name: isJar ? "quilt.mod.json" : "pack.json",
          text: JSON.stringify({ schema_version: 1, quilt_loader: { id: slug, version } }),
        },
        { name: "README.txt", text: `${project.name} ${version}\n\n${project.summary}\n` },
      ]);
  await caller.form("POST", `/api/project/${slug}/version`, {
    title: `${project.name} ${version}`.slice(0, 64),
    changelog: changelogOf(index),
    featured: String(index === project.versions.length - 1),
    releaseChannel: channelOf(version),
    versionNumber: version,
    // The first one was for one loader only.
    loaders: JSON.stringify(index === 0 && project.versions.length > 1 ? project.loaders.slice(0, 1) : project.loaders),
    gameVersions: JSON.stringify(gameVersionsOf(project, index)),
    dependencies: JSON.stringify(dependencies),
    primaryFile: { name: `${slug}-${version}.${isJar ? "jar" : "zip"}`, bytes: archive },
  });
}
