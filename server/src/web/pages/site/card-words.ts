// The texts on the card of a project, a user, an organization or a collection. They are the same for every viewer,
// because other sites show a card to everyone.

import { findProfile, toUser } from "#accounts/users/read.js";
import { getCollection } from "#community/collections/read.js";
import { getOrg, listOrgs } from "#content/organizations/read.js";
import { projectEntries } from "#content/projects/entries.js";
import { getVisibleProject, listProjectIdsOfOrg, listProjectIdsOfUser } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { ImageOwner } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous, type Viewer } from "#platform/http/viewer.js";
import type { CardWords } from "#platform/images/card.js";
import { defaultColor } from "#platform/images/default-picture.js";
import { formatIn } from "#web/context/format.js";
import { typeWords } from "#web/context/project-types.js";
import { texts, textsIn } from "#words/texts.js";

export interface Card {
  kind: ImageOwner;
  id: string;
  /** The URL of an uploaded picture. */
  picture: string | null;
  isPublic: boolean;
  words: Omit<CardWords, "site">;
}

export async function projectCard(resources: Resources, viewer: Viewer, ref: string): Promise<Card> {
  const { id, isPublic, listItem } = await getVisibleProject(resources, viewer, ref);
  const { name, summary, type, author, orgName = author, loaders, gameVersions, color, icon } = listItem.value;
  const newest = gameVersions[0];
  const oldest = gameVersions.at(-1);
  const range = newest === oldest ? newest : `${oldest} – ${newest}`;
  const taxonomy = await getTaxonomy(resources);
  const types = type.map(typeWords(taxonomy, "en").typeName).join(", ");
  const tags = [...loaders.map(taxonomy.loaderLabel), ...(range === undefined ? [] : [range])];
  const words = { name, summary, line: orgName ? `${types} · ${orgName}` : types, tags, color };
  return { kind: "project", id, picture: icon, isPublic, words };
}

/** "12 projects", "4.1K downloads" */
async function toTotals(resources: Resources, ids: readonly string[]): Promise<string[]> {
  const projects = await projectEntries(resources).load(ids);
  const downloads = [...projects.values()].reduce((sum, { listItem }) => sum + listItem.value.downloads, 0);
  const format = formatIn("en", resources.clock.now());
  const t = textsIn(texts.users.shared, "en");
  return [
    t.projectCount(format.count(projects.size), projects.size === 1),
    t.downloadCount(format.count(downloads), downloads === 1),
  ];
}

export async function userCard(resources: Resources, _viewer: Viewer, ref: string): Promise<Card> {
  const profile = await findProfile(resources.db, ref);
  if (!profile || profile.id === placeholderId) throw fail.userNotFound();
  const { id, name, userName, bio, avatar } = toUser(profile, resources.config.http.cdnUrl);
  const tags = await toTotals(resources, await listProjectIdsOfUser(resources.db, anonymous, id, true));
  const words = { name, summary: bio ?? "", line: `@${userName}`, tags, color: defaultColor(id) };
  return { kind: "user", id, picture: avatar, isPublic: true, words };
}

export async function organizationCard(resources: Resources, _viewer: Viewer, ref: string): Promise<Card> {
  const { db, config } = resources;
  const row = await getOrg(db, ref);
  const [org] = await listOrgs({ db, viewer: anonymous, cdnUrl: config.http.cdnUrl }, [row.id]);
  if (!org) throw fail.organizationNotFound();
  const tags = await toTotals(resources, await listProjectIdsOfOrg(db, anonymous, org.id, true));
  const words = { name: org.name, summary: org.description, line: "Organization", tags, color: defaultColor(org.id) };
  return { kind: "organization", id: org.id, picture: org.icon, isPublic: true, words };
}

export async function collectionCard(resources: Resources, viewer: Viewer, ref: string): Promise<Card> {
  const { db, config } = resources;
  const collection = await getCollection({ db, viewer, cdnUrl: config.http.cdnUrl }, ref);
  const curator = await findProfile(db, collection.userId);
  const { projects } = await getCollection({ db, viewer: anonymous, cdnUrl: config.http.cdnUrl }, ref).catch(() => ({
    projects: [] as string[],
  }));
  const [count = ""] = await toTotals(resources, projects);
  const { id, name, description, icon, visibility } = collection;
  const words = {
    name,
    summary: description ?? "",
    line: curator ? `Collection by ${curator.name ?? curator.user_name}` : "Collection",
    tags: [count],
    color: defaultColor(id),
  };
  return { kind: "collection", id, picture: icon, isPublic: visibility === "public", words };
}
