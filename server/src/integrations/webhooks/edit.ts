// Managing webhooks: finding, creating, editing and deleting them, and rotating secrets. Members who may edit the
// details of a project or organization manage its webhooks; for all others they do not exist. Secrets and whole URLs,
// which contain secrets of other services, are not in the audit log.

import { allow, findOrgRights, findProjectRights } from "#content/members/rights.js";
import { getOrg } from "#content/organizations/read.js";
import { getEditableProject } from "#content/projects/change.js";
import { toJson } from "#lib/json.js";
import { lengths } from "#lib/lengths.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { needScope, type SignedIn } from "#platform/http/viewer.js";
import { parseTarget, TargetRefused } from "#platform/outbound/targets.js";
import { aboutWebhook, aboutWebhookUrl } from "#platform/secrets/about.js";
import { say } from "#words/said.js";
import { failPending } from "./enqueue.js";
import { maxPerOwner } from "./event-types.js";
import { hiddenPart, oldSecretMs } from "./policy.js";
import { findWebhook, listWebhooks, type Owner, readUrl, showUrl, type WebhookRow } from "./read.js";
import { newWebhookSecret } from "./signing.js";

export async function getManagedProject(db: Db, viewer: SignedIn, ref: string): Promise<Owner> {
  const { project } = await getEditableProject(db, viewer, ref, "edit_details");
  return { kind: "project", id: project.id };
}

export async function getManagedOrg(db: Db, viewer: SignedIn, ref: string): Promise<Owner> {
  const org = await getOrg(db, ref);
  allow(await findOrgRights(db, viewer.user, org.id), "edit_details");
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
    owner_kind === "project" ? await findProjectRights(db, user, owner_id) : await findOrgRights(db, user, owner_id);
  return (permissions as ReadonlySet<string>).has("edit_details");
}

export interface WebhookInput {
  url: string;
  form: WebhookRow["form"];
  events: readonly string[];
  enabled: boolean;
}

interface InputBody {
  url: string;
  form?: WebhookRow["form"];
  events: readonly string[];
  enabled?: boolean;
}

export const toInput = (body: InputBody, resources: Resources): WebhookInput => {
  const { url, form = "standard", events, enabled = true } = body;
  return { url: toUrl(url, resources), form, events, enabled };
};

/** The URL stays if it is absent or sent as it is shown. */
export function toEdit({ url, ...rest }: WebhookEdit, before: WebhookRow, resources: Resources): WebhookEdit {
  const stays = url === undefined || url === showUrl(resources.vault, before);
  return stays ? rest : { ...rest, url: toUrl(url, resources) };
}

/** The normalized URL, if it may be called at all. */
function toUrl(text: string, { config }: Resources): string {
  try {
    if (text.includes(hiddenPart)) throw new TargetRefused(say.problems.wholeAddress);
    const { href } = parseTarget(text, { allowPrivate: config.privateWebhooks });
    // A character beyond ASCII takes up to nine characters in the normalized URL.
    if (href.length > lengths.webhookUrl[1]) throw new TargetRefused(say.problems.tooLong);
    return href;
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw invalid({ path: "url", message: error.said });
  }
}

const newSealedSecret = ({ vault, random }: Tx, id: string): string =>
  vault.seal(newWebhookSecret(random), aboutWebhook(id));

const hostOf = (url: string): string => new URL(url).host;

/** The caller has locked the owner's row, so that the limit holds for concurrent requests. */
export async function createWebhook(tx: Tx, owner: Owner, userId: string, input: WebhookInput): Promise<WebhookRow> {
  if ((await listWebhooks(tx.db, owner)).length >= maxPerOwner)
    throw fail.wrongState(say.states.mostWebhooks(maxPerOwner));
  const { url, form, enabled } = input;
  const id = newId(tx.random);
  const row = await tx.db
    .insertInto("webhooks")
    .values({
      id,
      owner_kind: owner.kind,
      owner_id: owner.id,
      url: tx.vault.seal(url, aboutWebhookUrl(id)),
      form,
      secret: newSealedSecret(tx, id),
      old_secret: null,
      date_old_secret_ends: null,
      events: toJson([...new Set(input.events)]),
      enabled: enabled ? 1 : 0,
      disabled_reason: null,
      failures: 0,
      date_resume: null,
      date_busy: null,
      created_by: userId,
      date_created: tx.now,
      date_updated: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = { owner: `${owner.kind} ${owner.id}`, host: hostOf(url), form, events: input.events };
  tx.audit("webhook.create", { kind: "webhook", id: row.id }, detail);
  return row;
}

export type WebhookEdit = Partial<Omit<WebhookInput, "form">>;

export async function editWebhook(tx: Tx, before: WebhookRow, edit: WebhookEdit): Promise<WebhookRow> {
  const urlBefore = readUrl(tx.vault, before);
  const url = edit.url ?? urlBefore;
  const isNewTarget = url !== urlBefore;
  const isSwitchedOn = edit.enabled === true && before.enabled === 0;
  const row = await change(tx, before.id, {
    url: isNewTarget ? tx.vault.seal(url, aboutWebhookUrl(before.id)) : before.url,
    events: edit.events ? toJson([...new Set(edit.events)]) : before.events,
    enabled: (edit.enabled ?? before.enabled === 1) ? 1 : 0,
    // A new receiver, or one that was enabled again, starts without failures.
    ...((isNewTarget || isSwitchedOn) && { failures: 0, date_resume: null }),
    ...(edit.enabled !== undefined && { disabled_reason: null }),
    date_updated: tx.now,
  });
  tx.audit("webhook.edit", { kind: "webhook", id: row.id }, { host: hostOf(url), ...withoutUrl(edit) });
  if (edit.enabled === false) await failPending(tx, row.id);
  else if (isNewTarget) tx.enqueue("deliver-webhook", { webhookId: row.id });
  return row;
}

const withoutUrl = ({ url: _url, ...rest }: WebhookEdit) => rest;

async function change(tx: Tx, id: string, values: Partial<Omit<WebhookRow, "id">>): Promise<WebhookRow> {
  const row = await tx.db.updateTable("webhooks").set(values).where("id", "=", id).returningAll().executeTakeFirst();
  // Another request deleted it after this one found it.
  if (!row) throw fail.webhookNotFound();
  return row;
}

export async function deleteWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  const { id } = row;
  const { numDeletedRows } = await tx.db.deleteFrom("webhooks").where("id", "=", id).executeTakeFirst();
  if (numDeletedRows === 0n) throw fail.webhookNotFound();
  tx.audit("webhook.delete", { kind: "webhook", id }, { host: hostOf(readUrl(tx.vault, row)) });
}

export async function rotateSecret(tx: Tx, before: WebhookRow, keepOld: boolean): Promise<WebhookRow> {
  const row = await change(tx, before.id, {
    secret: newSealedSecret(tx, before.id),
    old_secret: keepOld ? before.secret : null,
    date_old_secret_ends: keepOld ? tx.now + oldSecretMs : null,
    date_updated: tx.now,
  });
  tx.audit("webhook.rotate", { kind: "webhook", id: row.id }, { keepOld });
  return row;
}
