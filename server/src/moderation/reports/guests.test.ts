// Reports of people without an account: only if the operator allows it, and only once the address is confirmed.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { makeProject } from "#test/worlds/content.js";
import { forgetGuests } from "./guests.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const world = await testApp({
  settings: {
    MODSHELF_SMTP_URL: smtp.url,
    MODSHELF_MAIL_FROM: "shelf@example.com",
    MODSHELF_GUEST_REPORTS: "on",
    MODSHELF_RATE_LIMITS: "off",
  },
});
const { as, make, resources, clock, app } = world;
const [owner, moderator] = [await make.user(), await make.user({ role: "moderator" })];
const guest = as.anyone;
const day = 24 * 60 * 60_000;
beforeEach(() => {
  resources.config.guestReports = true;
});

const newProject = (options = {}) => makeProject(world, owner, { name: "Lamps & more", ...options });
const address = () => `${uniqueName()}@elsewhere.example`;
const fieldsFor = (itemId: string, email: string, more = {}) => ({
  ...{ itemType: "project", itemId, reportType: "malicious", body: "It reads my saved passwords.", email },
  ...more,
});
const mailsTo = async (email: string) => {
  await app.jobs.settle();
  return smtp.messages.filter(({ to }) => to.includes(email.toLowerCase()));
};
const codeFor = async (email: string): Promise<string> =>
  /report\/confirm\?code=(msc_\w+)/.exec((await mailsTo(email)).at(-1)?.text ?? "")?.[1] ?? "";
const casesOf = async (id: string) =>
  (await as.user(moderator).get("/api/moderation/reports")).body.filter((one: { itemId: string }) => one.itemId === id);

describe("getReportPage, submitGuestReport, getGuestReportPage and confirmGuestReport", () => {
  test("take a report once its link is opened and its button pressed, and mail the outcome", async () => {
    const { id, slug } = await newProject();
    await as.user(await make.user()).post("/api/report", {
      ...{ reportType: "spam", itemType: "project", itemId: id, body: "Nothing but advertising." },
    });
    const page = await readPage(guest, `/report?itemType=project&itemId=${slug}`);
    expect(page.text).toContain('action="/report/guest"');
    expect(page.text).not.toContain('type="file"');
    const email = address();
    const sent = await submit(guest, "/report/guest", fieldsFor(id, email));
    expect([sent.status, location(sent)]).toEqual([303, "/report/confirm?sent"]);
    expect((await readPage(guest, "/report/confirm?sent")).text).toContain("Go to the home page");
    expect((await casesOf(id))[0].reportCount, "not confirmed yet").toBe(1);
    const code = await codeFor(email);
    const asked = await readPage(guest, `/report/confirm?code=${code}`);
    expect(asked.text).toContain("It reads my saved passwords.");
    expect(asked.text).toContain("Lamps &amp; more");
    const confirmed = await submit(guest, "/report/confirm", { code });
    expect(location(confirmed)).toBe("/report/confirm?done");
    const [found] = await casesOf(id);
    expect(found).toMatchObject({ reportCount: 2, isUrgent: true });
    const { reports } = (await as.user(moderator).get(`/api/moderation/report/${found.id}`)).body;
    expect(reports[0]).toMatchObject({ isGuest: true, reporter: null, reporterName: null });
    expect((await readPage(as.user(moderator), `/moderation/report/${found.id}`)).text).toContain("a guest, who gets");
    expect((await submit(guest, "/report/confirm", { code })).status, "the link works once").toBe(400);
    const closing = { closed: true, outcome: "action_taken", message: "We have taken it down." };
    expect(await as.user(moderator).patch(`/api/moderation/report/${found.id}`, closing)).toSucceed();
    const outcome = (await mailsTo(email)).at(-1)!.text;
    expect(outcome).toContain("Lamps & more");
    expect(outcome).toContain("They took action.");
    expect(outcome).toContain("We have taken it down.");
  });

  test("show the form again with the typed text and the problem", async () => {
    const { id } = await newProject();
    const bad = await submit(guest, "/report/guest", fieldsFor(id, "nobody@", { reportType: "", body: "Too short" }));
    expect([bad.status, wrongWith(bad, "reportType")]).toEqual([400, "Choose a reason"]);
    const worse = await submit(guest, "/report/guest", fieldsFor(id, "nobody@"));
    expect([worse.status, typed(worse, "email")]).toEqual([400, "nobody@"]);
    expect(wrongWith(worse, "email")).toContain("email address");
    expect(worse.text).toContain("It reads my saved passwords.");
    const hidden = await newProject({ visibility: "private" });
    for (const itemId of [hidden.id, "AAAAAAAA"])
      expect((await submit(guest, "/report/guest", fieldsFor(itemId, address()))).status).toBe(404);
  });

  test("send at most three mails to an address that is never confirmed", async () => {
    const { id } = await newProject();
    const email = address();
    for (let at = 0; at < 3; at++)
      expect((await submit(guest, "/report/guest", fieldsFor(id, email.toUpperCase()))).status).toBe(303);
    const refused = await submit(guest, "/report/guest", fieldsFor(id, email));
    expect(refused.status).toBe(409);
    expect(wrongWith(refused, "email")).toContain("open reports");
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test.each(["", "msc_wrong", "x".repeat(500)])("know nothing of the code %j", async (code) => {
    expect(heading(await readPage(guest, `/report/confirm?code=${code}`))).toBe("This link does not work");
    expect((await submit(guest, "/report/confirm", { code })).status).toBe(400);
  });

  test("delete unconfirmed reports after a day, and addresses a month after the case was closed", async () => {
    const { id } = await newProject();
    const [late, prompt] = [address(), address()];
    await submit(guest, "/report/guest", fieldsFor(id, late));
    const code = await codeFor(late);
    clock.advance(day + 1);
    await make.confirmed(moderator);
    expect((await submit(guest, "/report/confirm", { code })).status).toBe(400);
    await submit(guest, "/report/guest", fieldsFor(id, prompt));
    await submit(guest, "/report/confirm", { code: await codeFor(prompt) });
    const [found] = await casesOf(id);
    await as.user(moderator).patch(`/api/moderation/report/${found.id}`, { closed: true });
    const kept = () =>
      resources.db.selectFrom("reports").select("id").where("guest_email", "=", prompt).executeTakeFirst();
    await forgetGuests(resources.db, clock.now() + 29 * day);
    expect(await kept()).toBeDefined();
    await forgetGuests(resources.db, clock.now() + 30 * day);
    expect(await kept()).toBeUndefined();
  });

  test("ask guests to sign in if the operator has not allowed it", async () => {
    const { id } = await newProject();
    resources.config.guestReports = false;
    const page = await readPage(guest, `/report?itemType=project&itemId=${id}`);
    expect([page.status, location(page)?.startsWith("/auth/sign-in?next=")]).toEqual([303, true]);
    const email = address();
    expect((await submit(guest, "/report/guest", fieldsFor(id, email))).status).toBe(401);
    expect(await mailsTo(email)).toEqual([]);
  });
});
