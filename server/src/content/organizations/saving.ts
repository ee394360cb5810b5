// Saves what was changed of an organization, its picture among it. A picture is decoded and stored before the transaction,
// so that it stays short; and for those only who may set it.

import { allow, findOrgStanding } from "#content/teams/standing.js";
import { type Actor, write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { addPicture, storeIcon } from "#platform/pictures/write.js";
import { getOrg } from "./read.js";
import { editOrg, type NewOrg, type OrgEdit } from "./write.js";

interface Edit extends Partial<NewOrg> {
  ref: string;
  /** The new picture; null to remove it; absent to keep it. */
  icon?: Buffer | null | undefined;
  /** Asked of the row once it is held; throws where it must not be changed. */
  check?: OrgEdit["check"];
}

/** Returns its id and slug as they are now. */
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
  allow(await findOrgStanding(db, viewer.user, org.id), "edit_details");
  const stored = await storeIcon(resources, icon);
  return write(resources, actor, (tx) =>
    editOrg(tx, viewer, org.id, {
      ...fields,
      icon: (id) => addPicture(tx, resources, { kind: "organization", id }, stored),
    }),
  );
}
