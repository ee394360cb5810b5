// The mail server is set up on the web: it takes effect without a restart, its password is never shown, and a test message
// says what became of it.
import { createServer } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { type Fields, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { look } from "#test/worlds/desk-world.js";
import { tryMail } from "./mail-trial.js";

const password = "pass word/é?#@1";
const smtp = await startSmtp({ user: "mods@example.org", password });
const fixed = await startSmtp();
afterAll(() => Promise.all([smtp.stop(), fixed.stop()]));
const world = await testApp();
const { as, make, resources, clock } = world;
const { db, config } = resources;
const admin = await make.user({ role: "admin" });
const office = as.user(admin);
const path = "/admin/settings/mail";
const port = new URL(smtp.url).port;
const server = {
  host: "127.0.0.1",
  port,
  security: "auto",
  user: "mods@example.org",
  from: "Mods <noreply@mods.example>",
};

async function save(fields: Fields, action = path) {
  const stamp = typed(await look(office, path), "stamp") ?? "";
  return submit(office, action, { stamp, ...fields });
}

test("getMailSettingsPage, submitMailSettings, submitMailTest and submitMailRemoval are only for administrators", async () => {
  const moderator = as.user(await make.user({ role: "moderator" }));
  expect((await look(moderator, path)).status).toBe(404);
  for (const action of [path, `${path}/test`, `${path}/remove`]) {
    expect((await submit(moderator, action)).status).toBe(404);
    expect((await submit(as.anyone, action)).status).toBe(401);
  }
});

describe("submitMailSettings", () => {
  test.each<[string, Fields]>([
    ["host", { host: "http://x" }],
    ["host", { host: "" }],
    ["port", { port: "0" }],
    ["port", { port: "65536" }],
    ["port", { port: "25;" }],
    ["security", { security: "none" }],
    ["user", { user: "x".repeat(513) }],
    ["password", { password: "" }],
    ["from", { from: "Mods" }],
    ["from", { from: "" }],
  ])("shows the form again if %s is wrong: %j", async (name, fields) => {
    const page = await save({ ...server, password, ...fields });
    expect(page.status).toBe(400);
    expect(wrongWith(page, name)).toMatch(/\w/);
    expect(page.text).not.toContain(password);
    expect(config.mail).toBeUndefined();
  });

  test("takes effect at once and on other servers, and the password is neither shown nor stored readably", async () => {
    const second = await testApp({ sharedWith: world });
    expect(resources.mailer.enabled).toBe(false);
    expect((await save({ ...server, password })).headers.get("location")).toBe(`${path}?did=saved`);
    expect(resources.mailer.enabled).toBe(true);
    await resources.mailer.send({ to: "ada@example.org", subject: "Now", text: "At once\n" });
    expect((await smtp.nextMessage()).from).toBe("noreply@mods.example");
    await second.resources.changeLog.catchUp();
    await expect.poll(() => second.resources.mailer.enabled).toBe(true);
    await second.stop();

    const { text } = await look(office, path);
    expect(text).toContain('value="mods@example.org"');
    expect(text).toContain("A password is stored");
    const shown = [
      text,
      (await look(office, "/admin/settings/all")).text,
      (await look(office, "/admin/settings/modshelf.env")).text,
    ];
    const rows = [
      await db.selectFrom("settings").selectAll().execute(),
      await db.selectFrom("sealed_settings").selectAll().execute(),
    ];
    const audit = await db.selectFrom("audit_log").select("detail").where("action", "=", "setting.set").execute();
    for (const place of [...shown, JSON.stringify([rows, audit])])
      for (const secret of [password, encodeURIComponent(password)]) expect(place).not.toContain(secret);
    expect(audit.map(({ detail }) => detail)).toContain('{"from":"","to":"********"}');
  });

  test("keeps the stored password only for the same server and username", async () => {
    const before = config.mail!.smtpUrl;
    expect((await save({ ...server, from: "other@mods.example" })).status).toBe(303);
    expect(config.mail).toEqual({ smtpUrl: before, from: "other@mods.example" });
    for (const other of [{ host: "attacker.example" }, { port: "2525" }, { user: "someone" }, { security: "tls" }])
      expect(wrongWith(await save({ ...server, ...other }), "password")).toContain("entered again");
    expect(config.mail!.smtpUrl).toBe(before);
  });

  test("the second of two concurrent editors is warned", async () => {
    const stamp = typed(await look(office, path), "stamp")!;
    await save({ ...server, from: "first@mods.example" });
    const page = await submit(office, path, { stamp, ...server, from: "second@mods.example" });
    expect(page.status).toBe(409);
    expect(page.text).toContain("Someone else has changed these settings");
    expect(config.mail!.from).toBe("first@mods.example");
  });

  test("needs a recent sign-in, like the test and the removal", async () => {
    clock.advance(11 * 60 * 1000);
    const { text } = await look(office, path);
    expect(text).toContain("Sign in again");
    expect(text).toContain("mods@example.org");
    expect(text).not.toContain('name="host"');
    const before = { ...config.mail };
    for (const action of [path, `${path}/test`, `${path}/remove`])
      expect((await submit(office, action, { ...server, password, host: "attacker.example" })).status).toBe(403);
    expect(config.mail).toEqual(before);
    await make.confirmed(admin);
  });
});

describe("submitMailTest", () => {
  test("sends a real mail to the caller, and not more than a few in an hour", async () => {
    const page = await submit(office, `${path}/test`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("The mail server accepted the message");
    expect((await smtp.nextMessage()).to).toEqual([admin.email]);
    const limited = await testApp({
      settings: { MODSHELF_RATE_LIMITS: "on", MODSHELF_SMTP_URL: fixed.url, MODSHELF_MAIL_FROM: "a@mods.example" },
    });
    const keeper = limited.as.user(await limited.make.user({ role: "admin" }));
    const facts = await look(keeper, path);
    expect(facts.text).toContain("Set by MODSHELF_SMTP_URL in the environment");
    expect(facts.text).not.toContain('name="host"');
    for (let n = 0; n < 5; n++) expect((await submit(keeper, `${path}/test`)).status).toBe(200);
    expect((await submit(keeper, `${path}/test`)).status).toBe(429);
    // A form that is sent all the same does not change a setting of the environment.
    expect((await submit(keeper, path, { ...server, password, stamp: typed(facts, "stamp") ?? "" })).status).not.toBe(
      500,
    );
    expect(limited.config.mail!.smtpUrl).toBe(fixed.url);
    await limited.stop();
  });

  test("says in words what the server answered", async () => {
    await save({ ...server, password: "wrong" });
    const page = await submit(office, `${path}/test`);
    expect(page.text).toContain("The server refused the username or the password");
    expect(page.text).toContain('<code dir="auto">535 wrong user or password</code>');
    await save({ ...server, password });
  });

  test("every failure has a category, and only mail servers are quoted", async () => {
    const mute = createServer(() => {}).listen(0, "127.0.0.1");
    const talker = createServer((socket) => socket.on("error", () => {}).end("SSH-2.0-secret\r\n")).listen(
      0,
      "127.0.0.1",
    );
    const portOf = (other: typeof mute) => (other.address() as { port: number }).port;
    const mail = { to: "ada@example.org", subject: "Test", text: "Test\n" };
    const trial = (smtpUrl: string, from = "a@mods.example") => tryMail({ smtpUrl, from }, mail, 1500);
    expect(await trial("smtp://127.0.0.1:1")).toEqual({ outcome: "refused" });
    expect(await trial("smtp://no-such-host.invalid:25")).toEqual({ outcome: "unknownHost" });
    expect(await trial(`smtp://127.0.0.1:${portOf(mute)}`)).toEqual({ outcome: "silent" });
    expect(await trial(`smtp://127.0.0.1:${portOf(talker)}`)).toEqual({ outcome: "noMailServer" });
    expect(await trial(`smtps://127.0.0.1:${portOf(talker)}`)).toEqual({ outcome: "insecure" });
    expect(await trial(`${fixed.url}?requireTLS=true`)).toEqual({ outcome: "insecure" });
    expect(await trial(smtp.url.replace(/\/\/.*@/, "//"))).toEqual({
      outcome: "wrongAddress",
      reply: "530 sign in first",
    });
    mute.close();
    talker.close();
  });
});

describe("submitMailRemoval", () => {
  test("stops the mail, and deletes the password", async () => {
    expect((await save({}, `${path}/remove`)).headers.get("location")).toBe(`${path}?did=saved`);
    expect(resources.mailer.enabled).toBe(false);
    expect(await db.selectFrom("sealed_settings").selectAll().execute()).toEqual([]);
    expect((await look(office, path)).text).toContain("No mail server is set up");
  });

  test("a stored server whose sender or key is missing is ignored, and the site starts", async () => {
    await save({ ...server, password });
    await db.deleteFrom("settings").where("name", "=", "MODSHELF_MAIL_FROM").execute();
    const second = await testApp({ sharedWith: world });
    expect(second.config.mail).toBeUndefined();
    await db
      .updateTable("sealed_settings")
      .set({ secret: `sealed1.${"0".repeat(16)}.AAAA` })
      .execute();
    await second.stop();
    const third = await testApp({ sharedWith: world });
    expect(third.config.mail).toBeUndefined();
    await third.stop();
  });
});
