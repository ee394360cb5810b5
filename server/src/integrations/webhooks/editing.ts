// How every call to a webhook begins: who may edit the details of a project or organization may manage its webhooks, and
// for everybody else they do not exist. They may tell of what is private, because the team may know it.

import { allow, findOrgStanding, findProjectStanding } from "#content/members/standing.js";
import { getOrg } from "#content/organizations/read.js";
import { getEditableProject } from "#content/projects/editing.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { needScope, type SignedIn } from "#platform/http/viewer.js";
import { findWebhook, type Owner, type WebhookRow } from "./read.js";

export async function getManagedProject(db: Db, viewer: SignedIn, ref: string): Promise<Owner> {
  const { project } = await getEditableProject(db, viewer, ref, "edit_details");
  return { kind: "project", id: project.id };
}

export async function getManagedOrg(db: Db, viewer: SignedIn, ref: string): Promise<Owner> {
  const org = await getOrg(db, ref);
  allow(await findOrgStanding(db, viewer.user, org.id), "edit_details");
  return { kind: "organization", id: org.id };
}

export async function getManagedWebhook(db: Db, viewer: SignedIn, id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(db, id);
  if (!webhook || !(await canManage(db, viewer, webhook))) throw fail.webhookNotFound();
  needScope(viewer, webhook.owner_kind === "project" ? "project_write" : "organization_write");
  return webhook;
}

async function canManage(db: Db, { user }: SignedIn, { owner_kind, owner_id }: WebhookRow): Promise<boolean> {
  const { permissions } =
    owner_kind === "project"
      ? await findProjectStanding(db, user, owner_id)
      : await findOrgStanding(db, user, owner_id);
  return (permissions as ReadonlySet<string>).has("edit_details");
}
