// Fills an empty registry with the demo content through the API, over real HTTP: sign-up, create, upload, submit, approve.
// The same code as for everybody, so that a demo that fills is a registry that works.
import { type Actor, write } from "../changes/write.js";
import type { Resources } from "../http/resources.js";
import { createSession } from "../sessions/write.js";
import { createAccount } from "../users/write.js";
import { makeArchive } from "./archive.js";
import { type DemoContent, type DemoProject, slugOf } from "./content.js";
import { changelogOf, describeProject } from "./markdown.js";
import { drawIcon, drawScene } from "./pictures.js";

const byDemo: Actor = { credential: "demo" };

/** A caller of the API with a session. */
class Caller {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, siteUrl: string, sessionToken: string) {
    this.#origin = origin;
    this.#headers = { cookie: `auth-token=${sessionToken}`, origin: siteUrl };
  }

  json = (method: string, path: string, body: unknown) =>
    this.#call(method, path, JSON.stringify(body), { "content-type": "application/json" });

  async read<T>(path: string): Promise<T> {
    const response = await fetch(this.#origin + path, { headers: this.#headers });
    return (await response.json()) as T;
  }

  form(method: string, path: string, parts: Record<string, string | { name: string; bytes: Buffer }>) {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part === "string") form.append(name, part);
      else form.append(name, new Blob([new Uint8Array(part.bytes)]), part.name);
    }
    return this.#call(method, path, form, {});
  }

  async #call(method: string, path: string, body: string | FormData, headers: Record<string, string>) {
    const response = await fetch(this.#origin + path, { method, body, headers: { ...this.#headers, ...headers } });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }
}

/** Nobody knows a password of these accounts: they have none. */
async function createCaller(
  resources: Resources,
  origin: string,
  userName: string,
  role: "user" | "moderator",
): Promise<Caller> {
  const token = await write(resources, byDemo, async (tx) => {
    const email = `${userName.toLowerCase()}@demo.invalid`;
    const id = await createAccount(tx, { userName, email, emailVerified: true, passwordHash: null, role });
    return createSession(tx, id, { provider: "demo", address: "127.0.0.1", userAgent: "modshelf demo" });
  });
  return new Caller(origin, resources.config.http.url, token);
}

export async function fillWithDemo(
  resources: Resources,
  origin: string,
  { authors, organizations, projects }: DemoContent,
  say: (name: string) => void = () => {},
): Promise<number> {
  const callers = new Map<string, Caller>();
  for (const name of authors) callers.set(name, await createCaller(resources, origin, name, "user"));
  const curator = await createCaller(resources, origin, "curator", "moderator");
  const orgIds = await createOrganizations(callers, organizations);
  for (const project of projects) {
    await createDemoProject(callers.get(project.author)!, project, orgIds);
    if (!project.status)
      await curator.json("POST", `/api/moderation/project/${slugOf(project.name)}`, { status: "approved" });
    say(project.name);
  }
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

/** Invited by the owner, accepted by himself, and then allowed to work. */
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
  caller: Caller,
  project: DemoProject,
  orgIds: ReadonlyMap<string, string>,
): Promise<void> {
  const slug = slugOf(project.name);
  const base = `/api/project/${slug}`;
  const { name, summary, type } = project;
  const orgId = project.org ? orgIds.get(project.org) : null;
  await caller.json("POST", "/api/project", { name, slug, type, summary, visibility: "listed", orgId });
  await caller.json("PATCH", `${base}/description`, { description: describeProject(project) });
  await caller.json("PATCH", `${base}/tags`, {
    categories: project.categories,
    featuredCategories: project.categories.slice(0, 2),
  });
  await caller.json("PATCH", `${base}/license`, { id: project.license ?? "MIT" });
  await caller.json("PATCH", `${base}/external-links`, {
    sourceCode: `https://example.org/${slug}`,
    issueTracker: `https://example.org/${slug}/issues`,
  });
  if (!project.noIcon)
    await caller.form("PATCH", `${base}/icon`, { icon: { name: "icon.png", bytes: await drawIcon(name) } });
  for (let index = 0; index < (project.pictures ?? 0); index++)
    await caller.form("POST", `${base}/gallery`, {
      image: { name: "scene.png", bytes: await drawScene(name, index) },
      title: index === 0 ? "At dusk" : `View ${index + 1}`,
      description: "Taken in a world of its own.",
      featured: String(index === 0),
    });
  for (const [index, version] of project.versions.entries()) await publish(caller, project, version, index);
  // An archived project takes no versions, so that this comes last.
  if (project.visibility) await caller.json("PATCH", base, { visibility: project.visibility });
  if (project.status === "processing") await caller.json("POST", `${base}/submit-for-review`, {});
}

const channels: readonly (readonly [RegExp, string])[] = [
  [/-d/, "dev"],
  [/-a/, "alpha"],
  [/-b/, "beta"],
];
const channelOf = (version: string): string => channels.find(([form]) => form.test(version))?.[1] ?? "release";

async function publish(caller: Caller, project: DemoProject, version: string, index: number): Promise<void> {
  const slug = slugOf(project.name);
  const isJar = project.type.includes("mod") || project.type.includes("plugin");
  const relations = { required: project.needs, optional: project.likes, incompatible: project.clashes };
  const dependencies = Object.entries(relations).flatMap(([dependencyType, slugs = []]) =>
    slugs.map((projectId) => ({ projectId, versionId: null, dependencyType })),
  );
  const archive = makeArchive([
    {
      name: isJar ? "quilt.mod.json" : "pack.json",
      text: JSON.stringify({ schema_version: 1, quilt_loader: { id: slug, version } }),
    },
    { name: "README.txt", text: `${project.name} ${version}\n\n${project.summary}\n` },
  ]);
  await caller.form("POST", `/api/project/${slug}/version`, {
    title: `${project.name} ${version}`.slice(0, 64),
    changelog: changelogOf(version, index),
    featured: String(index === project.versions.length - 1),
    releaseChannel: channelOf(version),
    versionNumber: version,
    loaders: JSON.stringify(project.loaders),
    gameVersions: JSON.stringify(project.gameVersions),
    dependencies: JSON.stringify(dependencies),
    primaryFile: { name: `${slug}-${version}.${isJar ? "jar" : "zip"}`, bytes: archive },
  });
}
