// Reads a registry with this service's own interface, which others have served before (docs/quirks.md).
import Type, { type Static, type TSchema } from "typebox";
import { visibilities } from "#content/shapes/project.js";
import { Nullable } from "#platform/http/schemas.js";
import { Count, dateOf, Id, List, listPages, maybe, Sha1, Sha512, Size, shown, Text, UrlText } from "./answers.js";
import type { PoliteClient } from "./polite-client.js";
import {
  BadAnswer,
  type Selection,
  type Source,
  type SourceMember,
  type SourceOrg,
  type SourceProject,
  type SourceVersion,
} from "./source.js";

const Statement = Type.Object({ present: Type.Boolean(), details: maybe(Text(2048)), url: maybe(UrlText) });

const Member = Type.Object({
  userId: Id,
  userName: Text(64),
  role: maybe(Text(256)),
  isOwner: Type.Boolean(),
  accepted: Type.Boolean(),
});

const Picture = Type.Object({
  name: maybe(Text(512)),
  description: maybe(Text(4096)),
  image: UrlText,
  featured: Type.Boolean(),
  dateCreated: Text(64),
  orderIndex: Type.Number(),
});

const Project = Type.Object({
  id: Id,
  slug: Text(64),
  name: Text(256),
  summary: Text(4096),
  description: maybe(Text(1_000_000)),
  status: Text(32),
  visibility: Text(32),
  type: List(Text(64), 16),
  categories: List(Text(64), 500),
  featuredCategories: maybe(List(Text(64), 500)),
  licenseId: maybe(Text(256)),
  licenseName: maybe(Text(256)),
  licenseUrl: maybe(UrlText),
  issueTrackerUrl: maybe(UrlText),
  projectSourceUrl: maybe(UrlText),
  projectWikiUrl: maybe(UrlText),
  discordInviteUrl: maybe(UrlText),
  donationLinks: maybe(List(Type.Object({ platform: Text(256), url: UrlText }), 50)),
  disclosures: maybe(
    Type.Object({
      ai: maybe(List(Type.Enum(["code", "art", "text"]), 3)),
      telemetry: maybe(Statement),
      paidFeatures: maybe(Statement),
    }),
  ),
  clientSide: Text(32),
  serverSide: Text(32),
  icon: maybe(UrlText),
  gallery: maybe(List(Picture, 1000)),
  members: maybe(List(Member, 1000)),
  organisation: maybe(Type.Object({ id: Id })),
  datePublished: Text(64),
  dateUpdated: Text(64),
});

const File = Type.Object({
  name: Text(1024),
  isPrimary: Type.Boolean(),
  size: Size,
  url: UrlText,
  sha1_hash: Sha1,
  sha512_hash: Sha512,
});

const Version = Type.Object({
  id: Id,
  title: Text(512),
  versionNumber: Text(256),
  changelog: maybe(Text(1_000_000)),
  releaseChannel: Text(32),
  featured: Type.Boolean(),
  gameVersions: List(Text(64), 2000),
  loaders: List(Text(64), 200),
  datePublished: Text(64),
  files: Type.Array(File, { minItems: 1, maxItems: 200 }),
  author: maybe(Type.Object({ id: Id, userName: Text(64) })),
  dependencies: List(Type.Object({ projectId: Id, versionId: maybe(Id), dependencyType: Text(32) }), 2000),
  yanked: Type.Optional(Type.Boolean()),
  yankReason: maybe(Text(4096)),
  yankReplacementId: maybe(Id),
});

const Org = Type.Object({
  id: Id,
  slug: Text(64),
  name: Text(256),
  description: maybe(Text(4096)),
  icon: maybe(UrlText),
  members: List(Member, 1000),
});

const Item = Type.Object({ id: Id });
const Items = List(Item, 50_000);
const Found = Type.Object({ hits: List(Item, 1000), estimatedTotalHits: Type.Optional(Nullable(Count)) });

export const crmmProbe = { path: "/api/search?limit=1", schema: Found };

export function createCrmm(client: PoliteClient): Source {
  const ask = async <S extends TSchema>(path: string, schema: S, what: string): Promise<Static<S>> => {
    const found = await client.json<Static<S>>(path, schema);
    if (found === undefined) throw new BadAnswer(`The source has no ${what}.`);
    return found;
  };
  const idsOf = async (path: string, what: string) => (await ask(path, Items, what)).map(({ id }) => id);
  const page = async (offset: number, limit: number) => {
    const path = `/api/search?sortby=recently_published&limit=${limit}&offset=${offset}`;
    const { hits, estimatedTotalHits } = await ask(path, Found, "search");
    return { ids: hits.map(({ id }) => id), total: estimatedTotalHits };
  };
  return {
    kind: "crmm",
    async *list(selection: Selection) {
      if (selection.by === "projects") yield* selection.refs;
      else if (selection.by === "user")
        yield* await idsOf(
          `/api/user/${encodeURIComponent(selection.name)}/projects`,
          `user "${shown(selection.name)}"`,
        );
      else if (selection.by === "organization")
        yield* await idsOf(
          `/api/organization/${encodeURIComponent(selection.name)}/projects`,
          `organization "${shown(selection.name)}"`,
        );
      else yield* listPages(page);
    },
    async project(ref) {
      const path = `/api/project/${encodeURIComponent(ref)}`;
      return toProject((await ask(path, Type.Object({ project: Project }), `project "${shown(ref)}"`)).project);
    },
    async versions(projectId) {
      const path = `/api/project/${encodeURIComponent(projectId)}/version`;
      return (await ask(path, Type.Object({ data: List(Version, 20_000) }), `versions of ${projectId}`)).data.map(
        toVersion,
      );
    },
    async organization(id) {
      return toOrg(await ask(`/api/organization/${encodeURIComponent(id)}`, Org, `organization "${shown(id)}"`));
    },
  };
}

function toProject(project: Static<typeof Project>): SourceProject {
  const { slug, status, visibility } = project;
  const public_ = visibilities.find((one) => one === visibility);
  if (status !== "approved" || public_ === undefined || public_ === "private")
    throw new BadAnswer(`The project "${shown(slug)}" is not public at the source.`);
  return {
    ...{ id: project.id, slug, name: project.name, summary: project.summary, description: project.description ?? "" },
    ...{ types: project.type, typesFollowLoaders: false, visibility: public_ },
    categories: project.categories,
    featuredCategories: project.featuredCategories ?? [],
    license: { id: project.licenseId ?? "", name: project.licenseName ?? "", url: project.licenseUrl ?? "" },
    links: {
      issueTracker: project.issueTrackerUrl ?? null,
      sourceCode: project.projectSourceUrl ?? null,
      wikiPage: project.projectWikiUrl ?? null,
      discordServer: project.discordInviteUrl ?? null,
    },
    donationLinks: project.donationLinks ?? [],
    disclosures: project.disclosures ? toDisclosures(project.disclosures) : undefined,
    ...{ clientSide: project.clientSide, serverSide: project.serverSide, iconUrl: project.icon ?? null },
    gallery: (project.gallery ?? [])
      .toSorted((a, b) => b.orderIndex - a.orderIndex)
      .map((picture) => ({
        ...{ url: picture.image, title: picture.name ?? "", description: picture.description ?? "" },
        ...{ featured: picture.featured, date: dateOf(picture.dateCreated) },
      })),
    members: toMembers(project.members ?? []),
    orgId: project.organisation?.id ?? null,
    ...{ datePublished: dateOf(project.datePublished), dateUpdated: dateOf(project.dateUpdated) },
  };
}

function toDisclosures({ ai, telemetry, paidFeatures }: NonNullable<Static<typeof Project>["disclosures"]>) {
  const toStatement = (stated: Static<typeof Statement> | null | undefined) =>
    stated ? { present: stated.present, details: stated.details ?? "", url: stated.url ?? null } : null;
  return { ai: ai ?? null, telemetry: toStatement(telemetry), paidFeatures: toStatement(paidFeatures) };
}

const toMembers = (members: readonly Static<typeof Member>[]): SourceMember[] =>
  members
    .filter(({ accepted }) => accepted)
    .map(({ userId, userName, role, isOwner }) => ({ userId, userName, role: role ?? "", isOwner }));

const toOrg = ({ id, slug, name, description, icon, members }: Static<typeof Org>): SourceOrg => ({
  ...{ id, slug, name, description: description ?? "", iconUrl: icon ?? null },
  members: toMembers(members),
});

const toVersion = (version: Static<typeof Version>): SourceVersion => ({
  ...{ id: version.id, number: version.versionNumber, title: version.title, changelog: version.changelog ?? "" },
  ...{ channel: version.releaseChannel, featured: version.featured, loaders: version.loaders },
  gameVersions: version.gameVersions,
  datePublished: dateOf(version.datePublished),
  ...{ authorId: version.author?.id ?? null, authorName: version.author?.userName ?? null },
  files: version.files
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map(({ name, url, size, sha1_hash, sha512_hash }) => ({ name, url, size, sha1: sha1_hash, sha512: sha512_hash })),
  dependencies: version.dependencies.map(({ projectId, versionId, dependencyType }) => ({
    ...{ projectId, versionId: versionId ?? null, type: dependencyType },
  })),
  yanked: version.yanked
    ? { reason: version.yankReason ?? "", replacementId: version.yankReplacementId ?? null }
    : null,
});
