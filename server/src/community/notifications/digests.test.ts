// Mails with unread notifications: one for each user who is due, never two, and with a link that ends them. Also tests
// the deletion of old notifications.
import { afterAll, describe, expect, test } from "vitest";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { type ReceivedMail, startSmtp } from "#test/setup/smtp.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { deleteOldNotifications, mailDigest, startDigests } from "./jobs.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const settings = { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" };
const world = await testApp({ settings });
const { as, make, resources, clock, app } = world;
const { db } = resources;
const owner = await make.user();
const project = await makeProject(world, owner, { name: "Lamps & <b>more</b>" });

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;

let made = 0;
async function plant(
  user: TestUser,
  body: object = { projectId: project.id, new_status: "approved" },
): Promise<string> {
  const id = `News${made++}`;
  const row = { id, user_id: user.id, type: "status_change", group_key: null, body: JSON.stringify(body) };
  await db
    .insertInto("notifications")
    .values({ ...row, date_created: clock.now(), date_read: null })
    .execute();
  return id;
}

async function subscriber(digest: "daily" | "weekly" | "off" = "daily"): Promise<TestUser> {
  const user = await make.user();
  expect(await as.user(user).patch("/api/notifications/settings", { digest })).toSucceed();
  clock.advance(1000);
  return user;
}

/** Advances the clock by this many hours, and runs every job that becomes due. */
async function pass(hours: number): Promise<void> {
  clock.advance(hours * hour);
  await startDigests(resources);
  await app.jobs.settle();
}

const mailsTo = (user: TestUser): ReceivedMail[] => smtp.messages.filter(({ to }) => to.includes(user.email));

/** A part of the mail as a reader sees it. */
function partOf({ data }: ReceivedMail, type: string): string {
  const boundary = /boundary="([^"]+)"/.exec(data)![1]!;
  const part = data.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`))!;
  const [head = "", ...body] = part.split("\r\n\r\n");
  const text = body.join("\r\n\r\n");
  if (head.includes("base64")) return Buffer.from(text, "base64").toString();
  if (!head.includes("quoted-printable")) return text.replace(/ \r\n(?=\S)/g, " ");
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
const headerOf = ({ data }: ReceivedMail, name: string): string =>
  new RegExp(`^${name}:((?:.*)(?:\\r\\n[ \\t].*)*)`, "im")
    .exec(data)![1]!
    .replace(/\r\n(?=[ \t])/g, "")
    .trim();

describe("a digest", () => {
  test("lists unread notifications since the last mail, as text and HTML, with a link to unsubscribe", async () => {
    const user = await subscriber();
    await plant(user);
    const secret = await makeProject(world, owner, { name: "Unseen" });
    await plant(user, { projectId: secret.id, new_status: "rejected" });
    await setProject(world, secret.id, { visibility: "private" });
    expect(mailsTo(user)).toEqual([]);
    await pass(24);
    const [mail, ...more] = mailsTo(user);
    expect(more).toEqual([]);
    expect(headerOf(mail!, "Subject")).toBe("2 new notifications");
    const text = partOf(mail!, "text/plain");
    expect(text).toContain(`* Lamps & <b>more</b> was approved\r\n  ${siteUrl}/project/${project.slug}`);
    expect(text).toContain("Your project was not approved");
    expect(text + mail!.data).not.toContain("Unseen");
    const html = partOf(mail!, "text/html");
    expect(html).toContain("Lamps &amp; &lt;b&gt;more&lt;/b&gt; was approved");
    expect(html).not.toContain("<b>");
    for (const [link] of text.matchAll(/https?:\S+/g)) expect(link.startsWith(`${siteUrl}/`)).toBe(true);
    expect(headerOf(mail!, "List-Unsubscribe")).toMatch(/^<http:\/\/modshelf\.test\/unsubscribe\?token=msc_\w+>$/);
    expect(headerOf(mail!, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(headerOf(mail!, "Message-ID")).toMatch(new RegExp(`^<digest-${user.id}-\\d+@modshelf\\.test>$`));
    // Nothing is new, so no mail is sent.
    await pass(48);
    expect(mailsTo(user)).toHaveLength(1);
    await plant(user);
    await pass(1);
    expect(mailsTo(user)).toHaveLength(2);
    expect(headerOf(mailsTo(user)[1]!, "Subject")).toBe("1 new notification");
  });

  test("is not sent to users who read everything, want none, have no confirmed address or are suspended", async () => {
    const reader = await subscriber();
    const id = await plant(reader);
    expect(await as.user(reader).patch(`/api/notifications/${id}`)).toSucceed();
    const off = await subscriber("off");
    const never = await make.user();
    const [unconfirmed, suspended] = [await subscriber(), await subscriber()];
    await db.updateTable("users").set({ email_verified: 0 }).where("id", "=", unconfirmed.id).execute();
    await db.updateTable("users").set({ date_suspended: 1 }).where("id", "=", suspended.id).execute();
    for (const user of [off, never, unconfirmed, suspended]) await plant(user);
    await pass(25);
    for (const user of [reader, off, never, unconfirmed, suspended]) expect(mailsTo(user)).toEqual([]);
    // Once the address is confirmed, the pending notifications are mailed.
    await db.updateTable("users").set({ email_verified: 1 }).where("id", "=", unconfirmed.id).execute();
    await pass(1);
    expect(mailsTo(unconfirmed)).toHaveLength(1);
  });

  test("comes once a day or a week, and does not contain notifications from before it was turned on", async () => {
    const [daily, weekly] = [await make.user(), await make.user()];
    for (const user of [daily, weekly]) await plant(user);
    clock.advance(1000);
    for (const [user, digest] of [
      [daily, "daily"],
      [weekly, "weekly"],
    ] as const)
      expect(await as.user(user).patch("/api/notifications/settings", { digest })).toSucceed();
    const counts: [number, number][] = [];
    for (let days = 0; days < 8; days++) {
      await pass(24);
      counts.push([mailsTo(daily).length, mailsTo(weekly).length]);
      for (const user of [daily, weekly]) await plant(user);
    }
    expect(counts.map(([count]) => count)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(counts.map(([, count]) => count)).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
  });

  test("lists at most 25 and counts the rest", async () => {
    const user = await subscriber();
    for (let at = 0; at < 30; at++) await plant(user);
    await pass(24);
    const text = partOf(mailsTo(user)[0]!, "text/plain");
    expect(text.match(/^\* /gm)).toHaveLength(25);
    expect(text).toContain("And 5 more.");
    expect(headerOf(mailsTo(user)[0]!, "Subject")).toBe("30 new notifications");
  });

  test("is sent once, on any number of servers and after any number of runs", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => subscriber()));
    for (const user of users) await plant(user);
    const there = await testApp({ sharedWith: world, settings });
    clock.advance(day);
    await Promise.all([startDigests(resources), startDigests(there.resources), startDigests(resources)]);
    await Promise.all([app.jobs.settle(), there.app.jobs.settle()]);
    await Promise.all([startDigests(resources), startDigests(there.resources)]);
    await Promise.all([app.jobs.settle(), there.app.jobs.settle()]);
    await there.stop();
    await app.jobs.settle();
    expect(users.map((user) => mailsTo(user).length)).toEqual([1, 1, 1, 1, 1]);
  });

  test("that is retried has the same message id, and lists the notifications that are unread by then", async () => {
    const user = await subscriber();
    const first = await plant(user);
    await plant(user);
    const payload = { userId: user.id, since: clock.now() - hour, until: clock.now() };
    await mailDigest(resources, payload);
    expect(await as.user(user).patch(`/api/notifications/${first}`)).toSucceed();
    await mailDigest(resources, payload);
    const mails = mailsTo(user);
    expect(mails.map((mail) => headerOf(mail, "Subject"))).toEqual(["2 new notifications", "1 new notification"]);
    expect(new Set(mails.map((mail) => headerOf(mail, "Message-ID"))).size).toBe(1);
    expect(await as.user(user).patch("/api/notifications?all=true")).toSucceed();
    await mailDigest(resources, payload);
    expect(mailsTo(user)).toHaveLength(2);
  });
});

describe("getUnsubscribePage and submitUnsubscribe", () => {
  const press = (path: string, actor: Actor = as.anyone) =>
    actor.call("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });

  test("the mailed link ends the mails by a button or a mail program's own, and opening it does nothing", async () => {
    const user = await subscriber();
    await plant(user);
    await pass(24);
    const link = new URL(headerOf(mailsTo(user)[0]!, "List-Unsubscribe").slice(1, -1));
    const path = link.pathname + link.search;
    const digest = async () => (await as.user(user).get("/api/notifications/settings")).body.digest;
    const page = await as.anyone.get(path);
    expect(page.text).toContain(`action="${path}"`);
    await as.anyone.head(path);
    expect(await digest()).toBe("daily");
    for (let times = 0; times < 2; times++) {
      const ended = await press(path);
      expect([ended.status, ended.text.includes("You are unsubscribed")]).toEqual([200, true]);
      expect(await digest()).toBe("off");
    }
    await plant(user);
    await pass(48);
    expect(mailsTo(user)).toHaveLength(1);
    expect(await as.user(user).get("/api/notifications", { headers: { authorization: link.search } })).toFail(401);
    // The token expires.
    await as.user(user).patch("/api/notifications/settings", { digest: "weekly" });
    clock.advance(91 * day);
    expect((await press(path)).status).toBe(400);
    expect(
      await db.selectFrom("notification_settings").select("digest").where("user_id", "=", user.id).execute(),
    ).toEqual([{ digest: "weekly" }]);
  });

  test("a link that is mistyped, missing or another kind of secret changes nothing", async () => {
    const user = await subscriber();
    for (const token of ["", "nope", "%00", user.sessionToken, "msc_".padEnd(53, "a"), "<script>"]) {
      const reply = await press(`/unsubscribe?token=${encodeURIComponent(token)}`);
      expect([reply.status, reply.text.includes("<script>")]).toEqual([400, false]);
    }
    expect((await press("/unsubscribe")).status).toBe(400);
    expect((await as.user(user).get("/api/notifications/settings")).body.digest).toBe("daily");
  });
});

describe("old notifications", () => {
  test("are deleted: read ones after three months, all others after a year", async () => {
    const user = await make.user();
    const ids = {
      fresh: await plant(user),
      read: await plant(user),
      old: await plant(user),
      ancient: await plant(user),
    };
    const now = clock.now();
    const set = (id: string, change: object) =>
      db.updateTable("notifications").set(change).where("id", "=", id).execute();
    await set(ids.read, { date_created: now - 91 * day, date_read: now });
    await set(ids.old, { date_created: now - 364 * day });
    await set(ids.ancient, { date_created: now - 366 * day });
    const many = Array.from({ length: 1500 }, (_, at) => ({
      ...{ id: `Many${at}`, user_id: user.id, type: "x", group_key: null, body: "{}" },
      ...{ date_created: now - 100 * day, date_read: now - 99 * day },
    }));
    for (let start = 0; start < many.length; start += 500)
      await db
        .insertInto("notifications")
        .values(many.slice(start, start + 500))
        .execute();
    await deleteOldNotifications(db, now);
    const left = await db.selectFrom("notifications").select("id").where("user_id", "=", user.id).execute();
    expect(left.map(({ id }) => id).sort()).toEqual([ids.fresh, ids.old].sort());
  });
});
