// Invite codes let users sign up while registration is closed, as often and as long as an administrator says.
import { describe, expect, test } from "vitest";
import { heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";

const world = await testApp({ settings: { MODSHELF_REGISTRATION: "closed", MODSHELF_RATE_LIMITS: "off" } });
const { as, make, resources, clock } = world;
const admin = await make.user({ role: "admin" });
const path = "/admin/invites";

const newMember = (more = {}) => {
  const userName = uniqueName("new");
  return { userName, email: `${userName}@example.org`, password: "correct horse", ...more };
};
const signUp = (invite: string | undefined) => as.anyone.post("/api/auth/signup", newMember({ invite }));

async function makeCode(fields = {}): Promise<string> {
  const page = await submit(as.user(admin), path, { note: "Friends", uses: "1", days: "7", ...fields });
  expect(page.status).toBe(200);
  return /sign-up\?invite=(msc_\w+)/.exec(page.text)?.[1] ?? "";
}
const rowOf = (note: string) =>
  resources.db.selectFrom("invite_codes").selectAll().where("note", "=", note).executeTakeFirst();

describe("submitInviteCode and getInviteCodesPage", () => {
  test("show a code once, and from then on how often it was used", async () => {
    const note = uniqueName("note");
    const code = await makeCode({ note, uses: "2" });
    expect(code).toMatch(/^msc_/);
    expect((await signUp(code)).status).toBe(200);
    const page = await readPage(as.user(admin), path);
    expect(page.text).not.toContain(code);
    expect(page.text).toContain(note);
    expect(page.text).toContain("1 of 2");
    expect(Buffer.from((await rowOf(note))!.digest).toString("hex")).not.toContain(code);
  });

  test.each([
    ["uses", { uses: "0" }],
    ["uses", { uses: "1001" }],
    ["uses", { uses: "many" }],
    ["uses", { uses: "" }],
    ["days", { days: "8" }],
    ["note", { note: "n".repeat(101) }],
  ])("show at %s the fault in %o", async (field, fields) => {
    const page = await submit(as.user(admin), path, { note: "kept", uses: "1", days: "7", ...fields });
    expect(page.status).toBe(400);
    expect(wrongWith(page, field)).toBeTruthy();
    if (field !== "note") expect(typed(page, "note")).toBe("kept");
  });

  test("are not there for anybody but administrators", async () => {
    const moderator = await make.user({ role: "moderator" });
    expect((await readPage(as.user(moderator), path)).status).toBe(404);
    expect((await submit(as.user(moderator), path, { note: "", uses: "1", days: "7" })).status).toBe(404);
    expect((await submit(as.user(moderator), `${path}/AAAAAAAA/revoke`)).status).toBe(404);
  });
});

describe("signUp with an invite code", () => {
  test("admits as many users as the code says, even if more arrive at the same time", async () => {
    const code = await makeCode({ uses: "2" });
    const replies = await Promise.all([1, 2, 3, 4].map(() => signUp(code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(403, "inviteCodeInvalid");
  });

  test("is not used up by a user who is refused for another reason", async () => {
    const code = await makeCode();
    const taken = newMember({ invite: code, userName: admin.userName });
    expect(await as.anyone.post("/api/auth/signup", taken)).toFail(409, "userNameTaken");
    expect((await signUp(code)).status).toBe(200);
  });

  test("is refused without one, and with one that is wrong, expired or revoked (submitInviteCodeRevocation)", async () => {
    for (const none of [undefined, ""]) expect(await signUp(none)).toFail(403, "registrationClosed");
    expect(await signUp("msc_wrong")).toFail(403, "inviteCodeInvalid");
    expect(await signUp("x".repeat(129))).toFail(400);
    const [note, late] = [uniqueName("note"), await makeCode({ days: "7" })];
    const endless = await makeCode({ note, days: "0", uses: "9" });
    clock.advance(7 * 24 * 60 * 60_000);
    expect(await signUp(late)).toFail(403, "inviteCodeInvalid");
    expect((await signUp(endless)).status).toBe(200);
    const again = as.user(await make.user({ role: "admin" }));
    const { id } = (await rowOf(note))!;
    expect(location(await submit(again, `${path}/${id}/revoke`))).toBe(path);
    expect((await submit(again, `${path}/${id}/revoke`)).status).toBe(404);
    expect(await signUp(endless)).toFail(403, "inviteCodeInvalid");
    const acts = await resources.db.selectFrom("audit_log").select("action").where("object_id", "=", id).execute();
    expect(acts.map(({ action }) => action)).toEqual(["invite_code.create", "invite_code.use", "invite_code.revoke"]);
  });
});

describe("getSignUpPage and submitSignUp while registration is closed", () => {
  test("open with the link, carry the code on, and make the account", async () => {
    const code = (await makeAgain()) ?? "";
    const page = await readPage(as.anyone, `/auth/sign-up?invite=${code}&next=%2Fmods`);
    expect(heading(page)).toBe("Sign up");
    expect(typed(page, "invite")).toBe(code);
    const wrong = await submit(as.anyone, "/auth/sign-up", newMember({ invite: code, password: "short" }));
    expect([wrong.status, typed(wrong, "invite")]).toEqual([400, code]);
    const made = await submit(as.anyone, "/auth/sign-up", newMember({ invite: code, next: "/mods" }));
    expect([made.status, location(made)]).toEqual([303, "/mods"]);
  });

  test("ask for a code, and show at the field that it is wrong", async () => {
    await makeAgain();
    const asked = await readPage(as.anyone, "/auth/sign-up");
    expect([asked.status, heading(asked)]).toEqual([200, "Registration is closed"]);
    expect(asked.text).toContain('name="invite"');
    const wrong = await readPage(as.anyone, "/auth/sign-up?invite=nonsense");
    expect([wrong.status, typed(wrong, "invite")]).toEqual([403, "nonsense"]);
    expect(wrongWith(wrong, "invite")).toContain("wrong, used up or expired");
    expect((await submit(as.anyone, "/auth/sign-up", newMember())).status).toBe(403);
  });

  /** The clock has moved on, and with it the first administrator's session. */
  async function makeAgain() {
    const other = as.user(await make.user({ role: "admin" }));
    const page = await submit(other, path, { note: "", uses: "1", days: "30" });
    return /sign-up\?invite=(msc_\w+)/.exec(page.text)?.[1];
  }
});
