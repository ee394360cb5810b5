// Creating and editing organizations. A picture is decoded and stored before the transaction, to keep that short, and
// only if the member may set it.
import { allow, findOrgRights } from "#content/members/rights.js";
import { createTeam } from "#content/members/write.js";
import { leaveSlug, takeSlug } from "#content/projects/slugs.js";
import { newId } from "#lib/random.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { addPicture, removePicture, storeIcon } from "#platform/pictures/write.js";
import { getEditableOrg } from "./change.js";
import { getOrg } from "./read.js";

export interface NewOrg {
  name: string;
  slug: string;
  description: string;
}

export async function createOrg(tx: Tx, ownerId: string, input: NewOrg): Promise<string> {
  const id = newId(tx.random);
  const teamId = await createTeam(tx, "organization", ownerId);
  await takeSlug(tx, "organization", { id, slug: input.slug }, () =>
    tx.db
      .insertInto("organizations")
      .values({ id, team_id: teamId, ...input, icon_id: null, date_created: tx.now })
      .execute(),
  );
  tx.audit("organization.create", { kind: "organization", id }, { slug: input.slug });
  tx.changed("organization", id);
  return id;
}

interface Edit extends Partial<NewOrg> {
  ref: string;
  /** The new picture; null removes it; absent keeps it. */
  icon?: Buffer | null | undefined;
  /** Called with the locked row; throws if it must not be changed. */
  check?: OrgEdit["check"];
}

/** Returns its id and its current slug. */
export async function saveOrg(
  resources: Resources,
  viewer: SignedIn,
  actor: Actor,
  { ref, icon, ...fields }: Edit,
): Promise<{ id: string; slug: string }> {
  const { db } = resources;
  if (!icon)
    return write(resources, actor, (tx) => editOrg(tx, viewer, ref, icon === null ? { ...fields, icon } : fields));
  const org = await getOrg(db, ref);
  allow(await findOrgRights(db, viewer.user, org.id), "edit_details");
  const stored = await storeIcon(resources, icon);
  return write(resources, actor, (tx) =>
    editOrg(tx, viewer, org.id, {
      ...fields,
      icon: (id) => addPicture(tx, resources, { kind: "organization", id }, stored),
    }),
  );
}

interface OrgEdit extends Partial<NewOrg> {
  /** Inserts the row of the new image and returns its id; null removes the picture; absent keeps it. */
  icon?: ((orgId: string) => Promise<string>) | null;
  /** Called with the locked row; throws if it must not be changed. */
  check?: ((before: Row<"organizations">) => void) | undefined;
}

/** Returns its id and its current slug. */
async function editOrg(
  tx: Tx,
  viewer: SignedIn,
  ref: string,
  { icon, check, ...edit }: OrgEdit,
): Promise<{ id: string; slug: string }> {
  const before = await getEditableOrg(tx, viewer, ref, "edit_details");
  check?.(before);
  const after = {
    name: edit.name ?? before.name,
    slug: edit.slug ?? before.slug,
    description: edit.description ?? before.description,
    icon_id: icon === undefined ? before.icon_id : icon && (await icon(before.id)),
  };
  const save = () => tx.db.updateTable("organizations").set(after).where("id", "=", before.id).execute();
  if (after.slug === before.slug) await save();
  else {
    await takeSlug(tx, "organization", { id: before.id, slug: after.slug }, save);
    await leaveSlug(tx, "organization", before);
  }
  if (icon !== undefined) await removePicture(tx, before.icon_id);
  tx.audit("organization.edit", { kind: "organization", id: before.id }, { from: before.slug, to: after.slug });
  tx.changed("organization", before.id);
  return { id: before.id, slug: after.slug };
}
