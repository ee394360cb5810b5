// The rule about handing out permissions, as a table.
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
  ["whoever adds nothing needs nothing", inProject(false), none, undefined],
  ["a member of a project adds nothing", inProject(false, "edit_member"), upload, "ownerOnly"],
  ["not even what he has", inProject(false, "edit_member", "upload_version"), upload, "ownerOnly"],
  ["edit_member does not add defaults", inOrg(false, ["edit_member"], ["upload_version"]), upload, "permissionMissing"],
  [
    "edit_member_default_permissions adds what one has",
    inOrg(false, ["edit_member_default_permissions"], ["upload_version"]),
    upload,
    undefined,
  ],
  [
    "and not what one lacks",
    inOrg(false, ["edit_member_default_permissions"], ["edit_details"]),
    upload,
    "permissionMissing",
  ],
  [
    "organisation permissions are the owner's to give",
    inOrg(false, ["edit_member_default_permissions", "edit_details"]),
    orgEdit,
    "ownerOnly",
  ],
] as const)("%s", (_rule, standing, permissions, refusal) => {
  const attempt = () => allowAdding(standing, permissions);
  if (refusal === undefined) expect(attempt).not.toThrow();
  else expect(attempt).toThrow(expect.objectContaining<Partial<Failure>>({ code: refusal }));
});

test("what is added is what was not there, once each", () => {
  expect(added(["a", "b"], ["b", "c", "c", "d"])).toEqual(["c", "d"]);
  expect(added(["a"], [])).toEqual([]);
});
