// The icon and the gallery of a project.
import { createGalleryItem, highestIndex } from "#content/gallery/contract.js";
import { addGalleryItem, checkGalleryHasRoom, editGalleryItem } from "#content/gallery/write.js";
import { changeProject } from "#content/projects/change.js";
import { setIcon } from "#content/projects/edit.js";
import type { Tx } from "#platform/changes/write.js";
import { parseBody } from "#platform/http/validation.js";
import { addPicture, storeGalleryPicture, storeIcon } from "#platform/pictures/write.js";
import { actAs, type Context, orRefuse } from "./context.js";
import { short } from "./fit.js";
import { digestOf, findImported, type ImportRow, judge, localDigests, noteImported } from "./records.js";
import type { SourcePicture, SourceProject } from "./source.js";

const callFor = ({ actor, options }: Context, projectId: string) => ({
  ...{ params: { ref: projectId }, viewer: actAs(options.owner), actor },
});

export async function importIcon(context: Context, project: SourceProject, localId: string | undefined): Promise<void> {
  const { resources, client, options } = context;
  const row = await findImported(resources.db, client.base, "icon", project.id);
  const digest = project.iconUrl ?? "";
  if (options.dryRun || localId === undefined || (row?.digest ?? "") === digest) return;
  const isOwn = await isImportedIcon(context, localId, row);
  if (!isOwn && !options.overwrite)
    return context.book.note("pictures", `icon/${project.id}`, "changedHere", `icon of ${project.slug}`);
  const { iconBytes } = resources.config.limits;
  const stored = digest && (await storeIcon(resources, await client.picture(digest, iconBytes)));
  await changeProject(resources, callFor(context, localId), "edit_details", async (tx, here) => {
    const owner = { kind: "project", id: here.id } as const;
    const icon = stored ? { imageId: await addPicture(tx, resources, owner, stored), color: stored.color } : null;
    await setIcon(tx, here, icon);
    const noted = { source: client.base, kind: "icon", sourceId: project.id, digest } as const;
    await noteImported(tx, { ...noted, localId: icon?.imageId ?? "", localDigest: icon?.imageId ?? "" });
  });
}

/** Whether the project still has the icon of the last import, or none was ever there. */
async function isImportedIcon({ resources }: Context, projectId: string, row: ImportRow | undefined): Promise<boolean> {
  const project = resources.db.selectFrom("projects").select("icon_id").where("id", "=", projectId);
  return ((await project.executeTakeFirst())?.icon_id ?? "") === (row?.local_id ?? "");
}

interface Wanted {
  title: string;
  description: string;
  featured: boolean;
  orderIndex: number;
}

interface Placed {
  picture: SourcePicture;
  wanted: Wanted;
  digest: string;
}

export async function importGallery(
  context: Context,
  project: SourceProject,
  localId: string | undefined,
): Promise<void> {
  const { resources, client, options, book } = context;
  const created: Placed[] = [];
  const updated: (Placed & { row: ImportRow })[] = [];
  for (const [at, picture] of project.gallery.entries()) {
    const what = `picture ${at + 1} of ${project.slug}`;
    const wanted = fitPicture(context, picture, what, { orderIndex: project.gallery.length - at, at });
    const digest = digestOf(wanted);
    const row = await findImported(resources.db, client.base, "picture", `${project.id}/${picture.url}`);
    const verdict = judge(row, digest, row && (await localDigests.picture(resources.db, row.local_id)), options);
    book.note("pictures", `${project.id}/${picture.url}`, verdict.act, what);
    if (verdict.act === "created") created.push({ picture, wanted, digest });
    if (verdict.act === "updated") updated.push({ picture, wanted, digest, row: verdict.row });
  }
  if (options.dryRun || localId === undefined) return;
  const counted = { kind: "pictures", id: `${project.id}/order` } as const;
  if (updated.length > 0)
    await orRefuse(context, `gallery of ${project.slug}`, counted, () => rearrange(context, project, localId, updated));
  for (const placed of created) {
    const id = `${project.id}/${placed.picture.url}`;
    await orRefuse(context, `picture "${placed.wanted.title}" of ${project.slug}`, { kind: "pictures", id }, () =>
      add(context, project, localId, placed),
    );
  }
}

function fitPicture(
  { book }: Context,
  picture: SourcePicture,
  what: string,
  place: { orderIndex: number; at: number },
): Wanted {
  const remark = book.remark.bind(book);
  const title = short(picture.title.trim(), "galleryTitle", `The title of ${what}`, remark);
  return {
    // Modrinth's pictures need no title.
    title: title.length < 2 ? `Picture ${place.at + 1}` : title,
    description: short(picture.description, "galleryDescription", `The description of ${what}`, remark),
    ...{ featured: picture.featured, orderIndex: place.orderIndex },
  };
}

async function add(context: Context, project: SourceProject, localId: string, placed: Placed): Promise<void> {
  const { resources, client } = context;
  const { limits } = resources.config;
  const { picture, wanted, digest } = placed;
  parseBody(createGalleryItem, { ...wanted });
  await checkGalleryHasRoom(resources.db, localId, limits.galleryImages);
  const stored = await storeGalleryPicture(resources, await client.picture(picture.url, limits.galleryImageBytes));
  await changeProject(resources, callFor(context, localId), "edit_details", async (tx, here) => {
    await checkGalleryHasRoom(tx.db, here.id, limits.galleryImages);
    // Pictures that were added here may have its place: then it comes first.
    const isTaken = (await listPlaces(tx, here.id)).has(wanted.orderIndex);
    const input = { ...wanted, orderIndex: isTaken ? 0 : wanted.orderIndex };
    const itemId = await addGalleryItem(tx, resources, here.id, stored, input);
    await tx.db.updateTable("gallery_items").set({ date_created: picture.date }).where("id", "=", itemId).execute();
    await note(context, tx, project, { picture, digest, itemId });
  });
}

/** In one transaction: two pictures may have swapped their places, or the featured one may be another. */
async function rearrange(
  context: Context,
  project: SourceProject,
  localId: string,
  updated: readonly (Placed & { row: ImportRow })[],
): Promise<void> {
  await changeProject(context.resources, callFor(context, localId), "edit_details", async (tx, here) => {
    const taken = await listPlaces(tx, here.id);
    let free = highestIndex;
    for (const { row } of updated) {
      while (taken.has(free)) free--;
      await editGalleryItem(tx, here.id, row.local_id, { orderIndex: free--, featured: false });
    }
    for (const { picture, wanted, digest, row } of updated) {
      await editGalleryItem(tx, here.id, row.local_id, wanted);
      await note(context, tx, project, { picture, digest, itemId: row.local_id });
    }
  });
}

async function listPlaces({ db }: Tx, projectId: string): Promise<Set<number>> {
  const rows = await db.selectFrom("gallery_items").select("order_index").where("project_id", "=", projectId).execute();
  return new Set(rows.map(({ order_index }) => order_index));
}

async function note(
  { client }: Context,
  tx: Tx,
  project: SourceProject,
  { picture, digest, itemId }: { picture: SourcePicture; digest: string; itemId: string },
): Promise<void> {
  const noted = { source: client.base, kind: "picture", sourceId: `${project.id}/${picture.url}` } as const;
  const localDigest = (await localDigests.picture(tx.db, itemId)) ?? "";
  await noteImported(tx, { ...noted, localId: itemId, digest, localDigest });
}
