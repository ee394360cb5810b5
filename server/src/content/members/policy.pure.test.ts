// The rule about granting permissions, as a table.
import { expect, test } from "vitest";
import type { Failure } from "#platform/errors.js";
import type { OrgPermission, ProjectPermission } from "./permissions.js";
import { added, allowAdding, type Permissions } from "./policy.js";

const none: Permissions = { project: [], org: [] };
const upload: Permissions = { project: ["upload_version"], org: [] };
const orgEdit: Permissions = { project: [], org: ["edit_details"] };

const inProject = (isOwner: boolean, ...permissions: ProjectPermission[]) => ({
  isOwner,
  permissions: new Set(permissions),
});
const inOrg = (isOwner: boolean, permissions: OrgPermission[], defaults: ProjectPermission[] = []) => ({
  isOwner,
  permissions: new Set(permissions),
  defaults: new Set(defaults),
});

test.each([
  ["an owner adds anything to a project", inProject(true), upload, undefined],
  ["an owner adds anything to an organization", inOrg(true, []), { ...upload, org: orgEdit.org }, undefined],
  ["a caller who adds nothing needs no permission", inProject(false), none, undefined],
  ["a member of a project adds nothing", inProject(false, "edit_member"), upload, "ownerOnly"],
  [
    "a member of a project does not even add their own permissions",
    inProject(false, "edit_member", "upload_version"),
    upload,
    "ownerOnly",
  ],
  ["edit_member does not add defaults", inOrg(false, ["edit_member"], ["upload_version"]), upload, "permissionMissing"],
  [
    "edit_member_default_permissions adds permissions that the caller has",
    inOrg(false, ["edit_member_default_permissions"], ["upload_version"]),
    upload,
    undefined,
  ],
  [
    "edit_member_default_permissions adds no permissions that the caller lacks",
    inOrg(false, ["edit_member_default_permissions"], ["edit_details"]),
    upload,
    "permissionMissing",
  ],
  [
    "only the owner adds organization permissions",
    inOrg(false, ["edit_member_default_permissions", "edit_details"]),
    orgEdit,
    "ownerOnly",
  ],
] as const)("%s", (_rule, rights, permissions, refusal) => {
  const attempt = () => allowAdding(rights, permissions);
  if (refusal === undefined) expect(attempt).not.toThrow();
  else expect(attempt).toThrow(expect.objectContaining<Partial<Failure>>({ code: refusal }));
});

test("added permissions are those that were not there before, without duplicates", () => {
  expect(added(["a", "b"], ["b", "c", "c", "d"])).toEqual(["c", "d"]);
  expect(added(["a"], [])).toEqual([]);
});
