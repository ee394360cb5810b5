// Users of the source and their accounts here. An account is never taken for a person because of its name: it counts only
// if the operator says so, or if an import has made it. Accounts that are made have no password and no usable email
// address, so no one can sign in before the operator hands them over (docs/moving.md).
import { UserName } from "#accounts/users/contract.js";
import { findAccount, findAccountByLogin } from "#accounts/users/read.js";
import { createAccount } from "#accounts/users/write.js";
import { findEntry, findTeam } from "#content/members/read.js";
import { addMember, markChanged } from "#content/members/write.js";
import { editMember } from "#content/teams/members.js";
import { newId } from "#lib/random.js";
import { write } from "#platform/changes/write.js";
import { parse } from "#platform/http/validation.js";
import { shown } from "./answers.js";
import { actAs, type Context, type LocalUser, orRefuse } from "./context.js";
import { short } from "./fit.js";
import { digestOf, findImported, noteImported } from "./records.js";
import type { SourceMember } from "./source.js";

type Person = Pick<SourceMember, "userId" | "userName">;

/** The account of a user of the source; it is made if the operator wants that. */
export async function findLocalUser(context: Context, person: Person): Promise<LocalUser | undefined> {
  const { resources, client, options, book } = context;
  const mapped = options.mapped.get(person.userName.toLowerCase());
  if (mapped) return mapped;
  const row = await findImported(resources.db, client.base, "user", person.userId);
  const account = row && (await findAccount(resources.db, row.local_id));
  if (account) {
    book.note("users", person.userId, "unchanged", person.userName);
    return { id: account.id, userName: account.user_name };
  }
  if (row || !options.createUsers) return undefined;
  const what = `user ${shown(person.userName)}`;
  if (await findAccountByLogin(resources.db, person.userName)) {
    const name = shown(person.userName);
    book.unmapped(`${what}: an account here has that name. If it is theirs, say --map-user ${name}=${name}`);
    return undefined;
  }
  return orRefuse(context, what, { kind: "users", id: person.userId }, async () => {
    const userName = parse<string>("body", UserName, person.userName, "userName");
    book.note("users", person.userId, "created", what);
    return { id: options.dryRun ? "" : await createUser(context, { ...person, userName }), userName };
  });
}

const createUser = ({ resources, actor, client }: Context, { userId, userName }: Person): Promise<string> =>
  write(resources, actor, async (tx) => {
    const email = `${newId(tx.random).toLowerCase()}@imported.invalid`;
    const account = { userName, email, emailVerified: false, emailHeld: false, passwordHash: null };
    const id = await createAccount(tx, { ...account, role: "user" });
    const digest = digestOf(userName);
    const noted = { source: client.base, kind: "user", sourceId: userId, localId: id } as const;
    await noteImported(tx, { ...noted, digest, localDigest: digest });
    return id;
  });

/** The owner here: that of the source if they have an account, otherwise the one whom the operator names. */
export async function findLocalOwner(context: Context, members: readonly SourceMember[]): Promise<LocalUser> {
  const owner = members.find(({ isOwner }) => isOwner);
  return (owner && (await findLocalUser(context, owner))) ?? context.options.owner;
}

interface SourceTeam {
  /** The id of the project or organization. */
  id: string;
  what: string;
  members: readonly SourceMember[];
}

/**
 * Adds the members with an account here, each once: members who were removed here stay removed. Registries do not show
 * what members may do, so they may do nothing until the owner decides.
 */
export async function importMembers(
  context: Context,
  team: SourceTeam,
  localTeamId: string | undefined,
): Promise<void> {
  const { resources, actor, client, options, book } = context;
  const added: { member: SourceMember; user: LocalUser }[] = [];
  for (const member of team.members) {
    const user = await findLocalUser(context, member);
    if (!user) book.unmapped(`${team.what}: ${shown(member.userName)}${member.role ? ` (${shown(member.role)})` : ""}`);
    else if (!(await findImported(resources.db, client.base, "member", `${team.id}/${member.userId}`)))
      added.push({ member, user });
  }
  const local = localTeamId === undefined ? undefined : await findTeam(resources.db, localTeamId);
  if (options.dryRun || added.length === 0 || !local) return;
  await write(resources, actor, async (tx) => {
    for (const [at, { member, user }] of added.entries()) {
      const role = short(
        member.role.trim(),
        "memberRole",
        `The role of ${shown(member.userName)}`,
        book.remark.bind(book),
      );
      const entry = await findEntry(tx.db, local.id, user.id);
      // In the order of the source: each joined a moment after the other.
      const later = { ...tx, now: tx.now + at };
      if (entry && entry.role !== role && member.isOwner && entry.is_owner === 1)
        await editMember(tx, actAs(options.owner), local.id, entry.id, { role });
      const memberId = entry?.id ?? (await addMember(later, { teamId: local.id, userId: user.id, role }));
      if (!entry) tx.audit("team.member.add", { kind: "team", id: local.id }, { userId: user.id, permissions: [] });
      const digest = digestOf(role);
      const noted = { source: client.base, kind: "member", sourceId: `${team.id}/${member.userId}` } as const;
      await noteImported(tx, { ...noted, localId: memberId, digest, localDigest: digest });
    }
    markChanged(tx, local);
  });
}
