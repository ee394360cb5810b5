// `modshelf admin …`: accounts from the command line. Changes take effect on a running server immediately.
import Type from "typebox";
import { removeSecondFactor } from "#accounts/second-factor/write.js";
import { createCode } from "#accounts/users/codes.js";
import { Email, UserName } from "#accounts/users/contract.js";
import { findAccount, findAccountByLogin } from "#accounts/users/read.js";
import { createAccount, setRole, setSuspension } from "#accounts/users/write.js";
import type { Config } from "#config/config.js";
import { write } from "#platform/changes/write.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Row, UserRole } from "#platform/db/tables.js";
import { Failure } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { type Call, CommandFailure, exitCodes, UsageError } from "./command.js";
import { byCommandLine, type Instance, withInstance } from "./instance.js";

export async function createAdmin(config: Config, { args: [userName = "", email = ""] }: Call): Promise<number> {
  checkWords({ userName, email });
  const create = (instance: Instance) =>
    write(instance, byCommandLine, async (tx) => {
      const account = { userName, email, emailVerified: true, passwordHash: null, role: "admin" } as const;
      return createCode(tx, "password_reset", await createAccount(tx, account));
    });
  // This command may run before the server has ever run.
  const code = await withInstance(config, create, { schema: "migrated" }).catch(explainTaken);
  console.error(`${userName} is an administrator. Set the password with this link within an hour:`);
  return printResetLink(config, code);
}

export function resetPassword(config: Config, { args: [name = ""] }: Call): Promise<number> {
  return withInstance(config, async (instance) => {
    const account = await getAccount(instance, name);
    const code = await write(instance, byCommandLine, async (tx) => {
      tx.audit("user.password.reset.request", { kind: "user", id: account.id });
      return createCode(tx, "password_reset", account.id);
    });
    if (account.date_suspended !== null)
      console.error(`${account.user_name} is suspended and cannot sign in before \`modshelf admin unsuspend\`.`);
    console.error(`${account.user_name} can set a new password with this link within an hour:`);
    return printResetLink(config, code);
  });
}

export function resetSecondFactor(config: Config, { args: [name = ""] }: Call): Promise<number> {
  return withInstance(config, async (instance) => {
    const account = await getAccount(instance, name);
    await write(instance, byCommandLine, (tx) => removeSecondFactor(tx, account.id));
    return tell(`${account.user_name} signs in without a second factor now.`);
  });
}

const roles: readonly UserRole[] = ["user", "moderator", "admin"];

export function changeRole(config: Config, { args: [name = "", wanted = ""] }: Call): Promise<number> {
  const role = roles.find((one) => one === wanted);
  if (!role) throw new UsageError(`ROLE must be one of ${roles.join(", ")}; not "${wanted}".`);
  return withInstance(config, async (instance) => {
    const account = await getAccount(instance, name);
    if (account.role === role) return tell(`${account.user_name} has the role ${role} already.`);
    await write(instance, byCommandLine, (tx) => setRole(tx, account.id, role));
    await noteLackOfAdmins(instance);
    return tell(`${account.user_name} has the role ${role} now.`);
  });
}

export function suspendUser(config: Config, { args: [name = "", ...reason] }: Call): Promise<number> {
  return withInstance(config, async (instance) => {
    const account = await getAccount(instance, name);
    await write(instance, byCommandLine, (tx) => setSuspension(tx, account.id, reason.join(" ")));
    await noteLackOfAdmins(instance);
    return tell(`${account.user_name} is suspended: no session and no token works any more.`);
  });
}

export function unsuspendUser(config: Config, { args: [name = ""] }: Call): Promise<number> {
  return withInstance(config, async (instance) => {
    const account = await getAccount(instance, name);
    if (account.date_suspended === null) return tell(`${account.user_name} is not suspended.`);
    await write(instance, byCommandLine, (tx) => setSuspension(tx, account.id, null));
    return tell(`${account.user_name} is no longer suspended.`);
  });
}

const wordsOfCreate = Type.Object({ userName: UserName, email: Email });

function checkWords(given: { userName: string; email: string }): void {
  try {
    parse("body", wordsOfCreate, given, "words");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problems = error.issues?.map(({ path, message }) => `${path === "email" ? "EMAIL" : "NAME"} ${message}.`);
    throw new UsageError([...new Set(problems)].join("\n"));
  }
}

function explainTaken(error: unknown): never {
  if (error instanceof Failure && (error.code === "userNameTaken" || error.code === "emailTaken"))
    throw new CommandFailure(
      "That name or email address belongs to an account. `modshelf admin role NAME admin` makes it an administrator's.",
    );
  throw error;
}

/** By username or email address in any case, or by id. The placeholder for deleted accounts is not found. */
async function getAccount({ db }: Instance, name: string): Promise<Row<"users">> {
  const account = (await findAccountByLogin(db, name)) ?? (await findAccount(db, name));
  if (!account || account.id === placeholderId) throw new CommandFailure(`There is no user "${name}".`);
  return account;
}

/** The operator may do this, unlike administrators themselves: the command line can always create a new one. */
async function noteLackOfAdmins({ db }: Instance): Promise<void> {
  const admin = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .where("date_suspended", "is", null)
    .executeTakeFirst();
  if (!admin) console.error("There is no administrator left. `modshelf admin create NAME EMAIL` makes one.");
}

function printResetLink(config: Config, code: string): number {
  return tell(`${config.http.url}/auth/reset?code=${code}`);
}

function tell(line: string): number {
  console.log(line);
  return exitCodes.ok;
}
