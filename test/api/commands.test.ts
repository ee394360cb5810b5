// The operator's commands, each a real process next to a running server, on both databases: their effects apply to the
// server's next request.
import { describe, expect, test } from "vitest";
import { auditHash } from "#platform/changes/write.js";
import { type Finished, run, type Settings, useProcesses } from "#test/process/program.js";
import { engine, siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { emptyDatabase } from "./empty-database.js";

useProcesses();
const { as, make, config, dataDir, resources } = await testApp();

const settings = {
  MODSHELF_URL: siteUrl,
  MODSHELF_DATA_DIR: dataDir,
  ...(config.database.engine === "postgres" && { MODSHELF_DATABASE_URL: config.database.url }),
};
const modshelf = (...args: string[]): Promise<Finished> => run(args, { settings });

const codeIn = ({ stdout }: Finished): string =>
  /^http:\/\/modshelf\.test\/auth\/reset\?code=(msc_\w{49})\n$/.exec(stdout)?.[1] ?? `no code in ${stdout}`;

const setPassword = (code: string, newPassword: string) => as.anyone.patch("/api/user/password", { code, newPassword });
const signIn = (email: string, password: string) => as.anyone.post("/api/auth/signin/credential", { email, password });

describe("admin create", () => {
  test("creates an administrator without a password, who sets one with the printed link and is then signed in", async () => {
    const name = uniqueName("keeper");
    const made = await modshelf("admin", "create", name, `${name}@example.org`);
    expect(made.code).toBe(0);
    expect(made.stderr).toContain(`${name} is an administrator.`);
    expect((await as.anyone.get(`/api/user/${name}`)).body).toMatchObject({ userName: name, role: "admin" });

    const code = codeIn(made);
    expect(await setPassword(code, "the keeper's own password")).toSucceed();
    expect(await setPassword(code, "a password by another user")).toFail(400, "codeInvalid");
    expect(await signIn(name, "the keeper's own password")).toSucceed();
  });

  test("refuses a name or an address that is taken, in any case, and creates nothing", async () => {
    const user = await make.user();
    const name = uniqueName();
    for (const args of [
      [user.userName.toUpperCase(), "other@example.org"],
      [name, user.email.toUpperCase()],
    ]) {
      const refused = await modshelf("admin", "create", ...args);
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toContain("modshelf admin role NAME admin");
    }
    expect(await as.anyone.get(`/api/user/${name}`)).toFail(404, "userNotFound");
    expect((await as.anyone.get(`/api/user/${user.userName}`)).body.role).toBe("user");
  });

  test("refuses a reserved name with the service's own message", async () => {
    const refused = await modshelf("admin", "create", "System", "system@example.org");
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, "", expect.stringContaining("is reserved")]);
  });
});

describe("admin reset", () => {
  test("prints a one-time link by name, address or id, and revokes nothing until the link is used", async () => {
    const user = await make.user({ password: "the forgotten password" });
    const session = as.user(user);
    const codes: string[] = [];
    for (const name of [user.userName.toUpperCase(), user.email, user.id])
      codes.push(codeIn(await modshelf("admin", "reset", name)));
    expect(await session.get("/api/auth/me")).toSucceed();
    expect(await signIn(user.email, "the forgotten password")).toSucceed();

    // Each new code invalidates the previous one.
    expect(await setPassword(codes[1] ?? "", "a new long password")).toFail(400, "codeInvalid");
    expect(await setPassword(codes[2] ?? "", "a new long password")).toSucceed();
    expect(await session.get("/api/auth/me")).toFail(401);
    expect(await signIn(user.email, "a new long password")).toSucceed();
    expect(await signIn(user.email, "the forgotten password")).toFail(401, "signInFailed");
  });

  test("does not mark the address as confirmed, because the link was not mailed", async () => {
    const { userName: name } = await make.user({ password: "the forgotten password" });
    await resources.db.updateTable("users").set({ email_verified: 0 }).where("user_name", "=", name).execute();
    await setPassword(codeIn(await modshelf("admin", "reset", name)), "a new long password");
    const account = await resources.db
      .selectFrom("users")
      .select("email_verified")
      .where("user_name", "=", name)
      .executeTakeFirstOrThrow();
    expect(account.email_verified).toBe(0);
  });

  test("finds no account under an unknown name, nor the placeholder for deleted ones", async () => {
    const names = ["nobody-of-that-name", "deleted_user", "nobody@example.org", "", "'; drop table users; --"];
    const answers = await Promise.all(names.map((name) => modshelf("admin", "reset", "--", name)));
    for (const [index, { code, stdout, stderr }] of answers.entries()) {
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`There is no user "${names[index]}".`);
    }
  });
});

describe("admin suspend", () => {
  test("stops sessions, tokens and sign-in at the next request, and unsuspend restores them", async () => {
    const user = await make.user({ password: "a long enough password" });
    const session = as.user(user);
    const token = await as.token(user, { scopes: ["user_read"] });
    expect(await token.get("/api/user")).toSucceed();

    const done = await modshelf("admin", "suspend", user.userName, "spread", "malware");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(`${user.userName} is suspended`)]);
    expect(await token.get("/api/user")).toFail(401, "credentialInvalid");
    expect(await session.get("/api/auth/me")).toFail(401, "signInNeeded");
    expect(await signIn(user.email, "a long enough password")).toFail(403, "accountSuspended");
    const row = await resources.db.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();
    expect(row.suspension_reason).toBe("spread malware");

    expect((await modshelf("admin", "unsuspend", user.userName)).code).toBe(0);
    expect(await token.get("/api/user")).toSucceed();
    const again = await modshelf("admin", "unsuspend", user.userName);
    expect([again.code, again.stdout]).toEqual([0, `${user.userName} is not suspended.\n`]);
  });

  test("accepts a name that starts with a hyphen after --", async () => {
    const user = await make.user({ userName: uniqueName("--odd") });
    expect((await modshelf("admin", "suspend", user.userName)).code).toBe(64);
    expect((await modshelf("admin", "suspend", "--", user.userName, "--json")).code).toBe(0);
    expect(await as.user(user).get("/api/auth/me")).toFail(401);
  });
});

describe("admin role", () => {
  test("changes the role for the next request, and warns if no administrator is left", async () => {
    await resources.db.updateTable("users").set({ role: "user" }).where("role", "=", "admin").execute();
    const { userName } = await make.user();
    const granted = await modshelf("admin", "role", userName, "admin");
    expect(granted).toMatchObject({ code: 0, stdout: `${userName} has the role admin now.\n`, stderr: "" });
    expect((await as.anyone.get(`/api/user/${userName}`)).body.role).toBe("admin");
    const demoted = await modshelf("admin", "role", userName, "moderator");
    expect([demoted.code, demoted.stderr]).toEqual([0, expect.stringContaining("There is no administrator left")]);
    const same = await modshelf("admin", "role", userName, "moderator");
    expect([same.code, same.stdout]).toEqual([0, `${userName} has the role moderator already.\n`]);
  });
});

test("the server's change log receives the effects of a command within a quarter of a second", async () => {
  const user = await make.user();
  const lags: number[] = [];
  for (const [index, role] of (["moderator", "user", "moderator", "user", "moderator"] as const).entries()) {
    const heard = new Promise<number>((resolve) => {
      const stop = resources.changeLog.subscribe(({ kind, id }) => {
        if (kind !== "user" || id !== user.id) return;
        stop();
        resolve(Date.now());
      });
    });
    await modshelf("admin", "role", user.userName, role);
    const change = await resources.db
      .selectFrom("changes")
      .select("date_created")
      .where("object_id", "=", user.id)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    lags[index] = (await heard) - change.date_created;
  }
  lags.sort((a, b) => a - b);
  process.stdout.write(`change log between processes on ${engine}: ${lags.join(", ")} ms\n`);
  expect(lags[2]).toBeLessThan(250);
  expect(lags.at(-1)).toBeLessThan(2000);
});

test("every command is in the audit log with the command line as its actor, and the chain stays intact", async () => {
  const rows = await resources.db.selectFrom("audit_log").selectAll().orderBy("id").execute();
  const actions = rows.filter(({ credential }) => credential === "command line").map(({ action }) => action);
  for (const action of [
    "user.create",
    "user.password.reset.request",
    "user.suspend",
    "user.unsuspend",
    "user.role.set",
  ])
    expect(actions).toContain(action);
  let previous: Uint8Array = new Uint8Array(32);
  for (const row of rows) {
    expect(Buffer.from(row.hash)).toEqual(auditHash(previous, row));
    previous = row.hash;
  }
  expect(JSON.stringify(rows)).not.toMatch(/msc_\w{20}/);
});

describe("a database that is not up to date", async () => {
  const empty = await emptySettings();
  const forMigrate = await emptySettings();
  const forCreate = await emptySettings();

  test("makes commands give advice instead of failing with SQL", async () => {
    const calls = [["setup-link"], ["admin", "reset", "keeper"], ["admin", "suspend", "keeper"]];
    for (const refused of await Promise.all(calls.map((args) => run(args, { settings: empty })))) {
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toContain("Start the server or run `modshelf migrate` first.");
    }
  });

  test("is updated by migrate, which prints the migrations it ran, once", async () => {
    const first = await run(["migrate"], { settings: forMigrate });
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^0001-interface\n/)]);
    const second = await run(["migrate"], { settings: forMigrate });
    expect([second.code, second.stdout]).toEqual([0, ""]);
    expect(second.stderr).toContain("up to date already");
  });

  test("is updated by admin create, which may be an operator's first command", async () => {
    const made = await run(["admin", "create", "Keeper", "keeper@example.org"], { settings: forCreate });
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining("/auth/reset?code=msc_")]);
  });

  async function emptySettings(): Promise<Settings> {
    const database = await emptyDatabase();
    return { MODSHELF_DATABASE_URL: database.engine === "sqlite" ? `sqlite:${database.path}` : database.url };
  }
});
