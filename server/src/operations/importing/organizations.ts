// Organizations of the source: created or brought up to date, with their picture and members.
import { getEditableOrg } from "#content/organizations/change.js";
import * as contract from "#content/organizations/contract.js";
import { createOrg, saveOrg } from "#content/organizations/edit.js";
import { write } from "#platform/changes/write.js";
import { parseBody } from "#platform/http/validation.js";
import { actAs, type Context, type LocalUser, orRefuse } from "./context.js";
import { short } from "./fit.js";
import { findLocalOwner, importMembers } from "./people.js";
import { digestOf, findImported, judge, localDigests, noteImported, notePending, pending } from "./records.js";
import type { SourceOrg } from "./source.js";

/** Returns its id here: undefined in a dry run that would create it. Throws a refusal if there is none. */
export async function importOrganization(context: Context, org: SourceOrg): Promise<string | undefined> {
  const { resources, client, options, book } = context;
  const { db } = resources;
  const what = `organization ${org.slug}`;
  const remark = book.remark.bind(book);
  const wanted = {
    name: short(org.name.trim(), "orgName", `The name of ${what}`, remark),
    slug: org.slug,
    description: short(org.description, "orgDescription", `The description of ${what}`, remark),
  };
  parseBody(contract.createOrganization, { name: wanted.name, slug: wanted.slug });
  const digest = digestOf(wanted);
  const row = await findImported(db, client.base, "organization", org.id);
  const verdict = judge(row, digest, row && (await localDigests.organization(db, row.local_id)), options);
  book.note("organizations", org.id, verdict.act, what);
  const owner = await findLocalOwner(context, org.members);
  const state = { org, wanted, digest, owner };
  const isDone = options.dryRun || (verdict.act !== "created" && verdict.act !== "updated");
  const id = isDone ? verdict.row?.local_id : await save(context, state, verdict.row?.local_id);
  if (verdict.act === "deletedHere") return undefined;
  await orRefuse(context, `icon of ${what}`, undefined, () => importIcon(context, org, id, owner));
  const team = id && (await db.selectFrom("organizations").select("team_id").where("id", "=", id).executeTakeFirst());
  await importMembers(context, { id: org.id, what, members: org.members }, team ? team.team_id : undefined);
  return id;
}

interface Wanted {
  org: SourceOrg;
  wanted: { name: string; slug: string; description: string };
  digest: string;
  owner: LocalUser;
}

async function save(
  { resources, actor, client, options }: Context,
  { org, wanted, digest, owner }: Wanted,
  known: string | undefined,
): Promise<string> {
  const noted = { source: client.base, kind: "organization", sourceId: org.id, digest } as const;
  if (known !== undefined) {
    await write(resources, actor, (tx) => notePending(tx, noted));
    await saveOrg(resources, actAs(options.owner), actor, { ref: known, ...wanted });
  }
  return write(resources, actor, async (tx) => {
    const localId = known ?? (await createOrg(tx, owner.id, wanted));
    const localDigest = (await localDigests.organization(tx.db, localId)) ?? pending;
    await noteImported(tx, { ...noted, localId, localDigest });
    return localId;
  });
}

/** The picture is sent again if the import is interrupted before it is noted; it then replaces itself. */
async function importIcon(context: Context, org: SourceOrg, id: string | undefined, owner: LocalUser): Promise<void> {
  const { resources, actor, client, options } = context;
  const row = await findImported(resources.db, client.base, "icon", `organization/${org.id}`);
  const digest = org.iconUrl ?? "";
  // Organizations without a picture have a drawn one, which is not imported.
  if (options.dryRun || id === undefined || (row?.digest ?? "") === digest || !isUpload(digest)) return;
  const bytes = await client.picture(digest, resources.config.limits.iconBytes);
  await saveOrg(resources, actAs(owner), actor, { ref: id, icon: bytes });
  await write(resources, actor, async (tx) => {
    const { icon_id } = await getEditableOrg(tx, actAs(owner), id, "edit_details");
    const noted = { source: client.base, kind: "icon", sourceId: `organization/${org.id}`, digest } as const;
    await noteImported(tx, { ...noted, localId: icon_id ?? "", localDigest: icon_id ?? "" });
  });
}

const isUpload = (url: string): boolean => url !== "" && !url.endsWith("/default.png");
