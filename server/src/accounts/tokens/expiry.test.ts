// Owners are notified before their tokens expire: once 14 days before, once 3 days before, and once afterwards.
import { afterAll, describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { mailTokenExpiries } from "./jobs.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const settings = { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" };
const { as, make, resources, clock, app } = await testApp({ settings });
const day = 24 * 60 * 60_000;

async function withToken(days: number): Promise<{ user: TestUser; tokenId: string }> {
  const user = await make.user();
  const { id } = await make.token(user, { scopes: [], dateExpires: clock.now() + days * day });
  return { user, tokenId: id };
}

/** So many days pass, and the job runs twice in them. */
async function pass(days: number): Promise<void> {
  clock.advance(days * day);
  for (let times = 0; times < 2; times++) await mailTokenExpiries(resources);
  await app.jobs.settle();
}

const told = async (user: TestUser): Promise<number[]> =>
  (await resources.db.selectFrom("notifications").select("body").where("user_id", "=", user.id).execute()).map(
    ({ body }) => JSON.parse(body).daysLeft,
  );
const mailsTo = (user: TestUser) => smtp.messages.filter(({ to }) => to.includes(user.email)).map(({ text }) => text);

describe("mailTokenExpiries", () => {
  test("tells 14 and 3 days before, and at the end, each once and by mail as well", async () => {
    const { user, tokenId } = await withToken(30);
    await pass(10);
    expect(await told(user)).toEqual([]);
    await pass(6.5);
    expect(await told(user)).toEqual([14]);
    const [news] = (await as.user(user).get("/api/notifications")).body;
    expect(news).toMatchObject({ type: "token_expiring", body: { tokenId, tokenName: "test" } });
    expect(news.text).toBe("Your token test expires in 14 days");
    await pass(5);
    expect(mailsTo(user)).toHaveLength(1);
    await pass(6);
    expect(await told(user)).toEqual([3]);
    await pass(3);
    expect(await told(user)).toEqual([0]);
    await pass(1);
    expect(mailsTo(user)).toHaveLength(3);
    expect(mailsTo(user)[2]).toContain("expired on");
  });

  test("does not speak of the end of a token that was made for a short time before it comes", async () => {
    const { user } = await withToken(2);
    await pass(1);
    expect(await told(user)).toEqual([]);
    await pass(1.5);
    expect(await told(user)).toEqual([0]);
    const week = await withToken(7);
    await pass(1);
    expect(await told(week.user)).toEqual([]);
    await pass(4);
    expect(await told(week.user)).toEqual([2]);
  });

  test("notifies again about a token that was extended", async () => {
    const { user, tokenId } = await withToken(30);
    await pass(20);
    expect(await told(user)).toEqual([10]);
    const dateExpires = new Date(clock.now() + 60 * day).toISOString();
    expect(await as.user(user).patch(`/api/pat/${tokenId}`, { dateExpires })).toSucceed();
    await pass(1);
    expect(await told(user)).toEqual([10]);
    await pass(48);
    expect(await told(user)).toEqual([11]);
  });

  test("writes to confirmed addresses only, and tells on the site all the same", async () => {
    const { user } = await withToken(20);
    await resources.db.updateTable("users").set({ email_verified: 0 }).where("id", "=", user.id).execute();
    await pass(10);
    expect(await told(user)).toEqual([10]);
    expect(mailsTo(user)).toEqual([]);
  });

  test("tells hundreds of owners in one run", async () => {
    const user = await make.user();
    for (let made = 0; made < 205; made++) await make.token(user, { scopes: [], dateExpires: clock.now() + 20 * day });
    await pass(10);
    expect(await told(user)).toHaveLength(205);
  });

  test("says nothing of tokens that were revoked", async () => {
    const { user, tokenId } = await withToken(20);
    expect(await as.user(user).delete(`/api/pat/${tokenId}`)).toSucceed();
    await pass(20);
    expect(await told(user)).toEqual([]);
  });
});
