// The organizations that a project can move to.
import { listOrgsOfUser } from "#content/organizations/read.js";
import type { Organization } from "#content/organizations/shapes.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";

/** Organizations that he may add projects to. */
export async function listTargets({ db, config }: Resources, viewer: SignedIn): Promise<Organization[]> {
  const orgs = await listOrgsOfUser({ db, viewer, cdnUrl: config.http.cdnUrl }, viewer.user.id);
  return orgs.filter(({ members }) =>
    members.some(
      ({ userId, isOwner, organisationPermissions }) =>
        userId === viewer.user.id && (isOwner || organisationPermissions.includes("add_project")),
    ),
  );
}
