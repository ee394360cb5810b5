// Managing webhooks, for callers with and without the permission.
import { beforeEach, describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { createLog } from "#platform/http/log-lines.js";
import type { Actor } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { toNewDelivery } from "./enqueue.js";
import { readSecret, readUrl } from "./read.js";

const logged: string[] = [];
const world = await testApp({ log: createLog("debug", { write: (line) => void logged.push(line) }) });
const { as, make, resources } = world;
const { db } = resources;
const [owner, editor, member, invitee, stranger, moderator, admin] = await Promise.all([
  ...Array.from({ length: 5 }, () => make.user()),
  make.user({ role: "moderator" }),
  make.user({ role: "admin" }),
]);
const project = await makeProject(world, owner!, { visibility: "private" });
const org = await makeOrg(world, owner!);
for (const { teamId } of [project, org]) {
  await addMember(world, teamId, editor!, { permissions: ["edit_details"], orgPermissions: ["edit_details"] });
  await addMember(world, teamId, member!, { permissions: ["upload_version"], orgPermissions: ["add_project"] });
  await addMember(world, teamId, invitee!, {
    ...{ permissions: ["edit_details"], orgPermissions: ["edit_details"], accepted: false },
  });
}
const author = as.user(owner!);
const ofProject = `/api/project/${project.slug}/webhooks`;
const ofOrg = `/api/organization/${org.slug}/webhooks`;
const input = { url: "https://hooks.example.org/a?token=canary-7", events: ["version.published"] };
/** The URL as answers show it. */
const shownUrl = "https://hooks.example.org/…ry-7";
const add = async (path = ofProject, change: object = {}, actor: Actor = author) => {
  const reply = await actor.post(path, { ...input, ...change });
  expect(reply).toSucceed();
  return reply.body as { webhook: { id: string; events: string[] }; secret: string };
};

beforeEach(() => db.deleteFrom("webhooks").execute());

describe("createProjectWebhook and createOrganizationWebhook", () => {
  test.each([
    ["project", ofProject, project.id],
    ["organization", ofOrg, org.id],
  ])("adds a webhook to a %s and shows its secret once", async (ownerKind, path, ownerId) => {
    const reply = await author.post(path, input);
    expect(reply).toSucceed();
    expect(reply.headers.get("cache-control")).toBe("private, no-store");
    const { webhook, secret } = reply.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(String),
      ...{
        ownerKind,
        ownerId,
        ...input,
        url: shownUrl,
        form: "standard",
        enabled: true,
        disabledReason: null,
        failures: 0,
      },
      ...{ dateResumes: null, dateOldSecretEnds: null },
      dateCreated: expect.stringMatching(/Z$/),
      dateUpdated: webhook.dateCreated,
    });
    for (const path2 of [path, `/api/webhook/${webhook.id}`])
      expect((await author.get(path2)).text).not.toContain(secret.slice(6));
  });

  test.each([
    ["loopback", { url: "https://127.0.0.1/" }],
    ["loopback as one number", { url: "https://2130706433/" }],
    ["loopback in octal", { url: "https://0177.1/" }],
    ["an IPv4-mapped IPv6 address", { url: "https://[::ffff:127.0.0.1]/" }],
    ["the metadata address of cloud providers", { url: "https://169.254.169.254/latest" }],
    ["localhost", { url: "https://localhost:8443/" }],
    ["http", { url: "http://hooks.example.org/" }],
    ["a password", { url: "https://a:b@hooks.example.org/" }],
    ["another scheme", { url: "file:///etc/passwd" }],
    ["the port of SMTP", { url: "https://hooks.example.org:25/" }],
    ["a URL that is too long", { url: `https://hooks.example.org/${"a".repeat(2048)}` }],
    ["a URL that is too long once it is encoded", { url: `https://hooks.example.org/${"é".repeat(1000)}` }],
    ["no address", { url: undefined }],
    ["an event that does not exist", { events: ["version.eaten"] }],
    ["an event that is a property of Object.prototype", { events: ["constructor"] }],
    ["ping as an event", { events: ["ping"] }],
    ["no events", { events: [] }],
    ["events that are not a list", { events: "version.published" }],
    ["another form", { form: "slack" }],
    ["enabled as a string", { enabled: "yes" }],
  ])("refuses %s", async (_what, change) => {
    for (const path of [ofProject, ofOrg])
      expect(await author.post(path, { ...input, ...change })).toFail(400, "invalidRequest");
    expect(await db.selectFrom("webhooks").select("id").execute()).toEqual([]);
  });

  test("allows ten and no more, even for concurrent requests", async () => {
    const replies = await Promise.all(Array.from({ length: 14 }, () => author.post(ofProject, input)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toFail(409, "wrongState");
    await add(ofOrg);
  });

  test("stores an event that is named twice once", async () => {
    const { webhook } = await add(ofProject, { events: ["version.edited", "version.published", "version.edited"] });
    expect(webhook.events).toEqual(["version.edited", "version.published"]);
  });

  test("creates no secret for Discord, which does not check signatures", async () => {
    expect((await add(ofProject, { form: "discord" })).secret).toBeNull();
  });

  test("does not repeat the secret for an Idempotency-Key", async () => {
    const keyed = { headers: { "idempotency-key": "once" } };
    expect(await author.post(ofProject, input, keyed)).toSucceed();
    expect(await author.post(ofProject, input, keyed)).toFail(409, "idempotencyAnswerGone");
    expect((await author.get(ofProject)).body).toHaveLength(1);
  });
});

describe("managing webhooks", () => {
  const managing: [string, string, (id: string) => string][] = [
    ["getWebhook", "GET", (id) => `/api/webhook/${id}`],
    ["editWebhook", "PATCH", (id) => `/api/webhook/${id}`],
    ["rotateWebhookSecret", "POST", (id) => `/api/webhook/${id}/secret`],
    ["pingWebhook", "POST", (id) => `/api/webhook/${id}/ping`],
    ["listWebhookDeliveries", "GET", (id) => `/api/webhook/${id}/deliveries`],
    ["getWebhookDelivery", "GET", (id) => `/api/webhook/${id}/deliveries/nothing`],
    ["redeliverWebhook", "POST", (id) => `/api/webhook/${id}/deliveries/nothing/redeliver`],
    ["deleteWebhook", "DELETE", (id) => `/api/webhook/${id}`],
  ];
  const outsiders = { member, invitee, stranger, moderator };

  test.each([
    ["project", ofProject],
    ["organization", ofOrg],
  ])("for a %s: members with edit_details, the owner and administrators", async (_kind, path) => {
    for (const user of [owner, editor, admin]) {
      const { webhook } = await add(path, {}, as.user(user!));
      expect((await as.user(user!).get(path)).body).toHaveLength(1);
      for (const [id, method, at] of managing) {
        const reply = await as.user(user!).call(method, at(webhook.id), method === "GET" ? {} : { json: {} });
        const isUnknown = at("").includes("nothing");
        if (isUnknown) expect(reply, id).toFail(404, "deliveryNotFound");
        else expect(reply, id).toSucceed();
      }
    }
  });

  test.each([
    ["project", ofProject],
    ["organization", ofOrg],
  ])("for a %s: no other callers, for whom they do not exist", async (_kind, path) => {
    const { webhook } = await add(path);
    const before = await db.selectFrom("webhooks").selectAll().execute();
    for (const [name, user] of Object.entries(outsiders)) {
      const actor = as.user(user!);
      const seesOwner = path === ofOrg || ["member", "moderator"].includes(name);
      for (const method of ["GET", "POST"]) {
        const reply = await actor.call(method, path, method === "GET" ? {} : { json: input });
        if (seesOwner) expect(reply, name).toFail(403, "permissionMissing");
        else expect(reply, name).toFail(404, "projectNotFound");
      }
      for (const [id, method, at] of managing) {
        const json = method === "GET" ? {} : { json: {} };
        const [real, none] = [
          await actor.call(method, at(webhook.id), json),
          await actor.call(method, at("none"), json),
        ];
        expect(real, `${id} as ${name}`).toFail(404, "webhookNotFound");
        expect({ ...real.body, requestId: "" }).toEqual({ ...none.body, requestId: "" });
      }
    }
    expect(await db.selectFrom("webhooks").selectAll().execute()).toEqual(before);
  });

  test("a token needs the scope of the webhook's owner", async () => {
    const [mine, ours] = [(await add(ofProject)).webhook.id, (await add(ofOrg)).webhook.id];
    const forProjects = await as.token(owner!, { scopes: ["project_write"] });
    const forOrgs = await as.token(owner!, { scopes: ["organization_write"] });
    expect(await forProjects.get(`/api/webhook/${mine}`)).toSucceed();
    expect(await forOrgs.get(`/api/webhook/${ours}`)).toSucceed();
    expect(await forProjects.get(`/api/webhook/${ours}`)).toFail(403, "scopeMissing");
    expect(await forOrgs.delete(`/api/webhook/${mine}`)).toFail(403, "scopeMissing");
  });

  test("a user who left the team can no longer manage them", async () => {
    const { webhook } = await add();
    const leaving = await make.user();
    await addMember(world, project.teamId, leaving, { permissions: ["edit_details"] });
    expect(await as.user(leaving).get(`/api/webhook/${webhook.id}`)).toSucceed();
    await db.deleteFrom("team_members").where("user_id", "=", leaving.id).execute();
    expect(await as.user(leaving).get(`/api/webhook/${webhook.id}`)).toFail(404, "webhookNotFound");
  });
});

describe("editWebhook, rotateWebhookSecret and deleteWebhook", () => {
  test("absent fields stay, and invalid ones are refused as on creation", async () => {
    const { webhook } = await add();
    const path = `/api/webhook/${webhook.id}`;
    const edited = await author.patch(path, { events: ["project.deleted", "version.yanked"] });
    expect(edited.body.webhook).toMatchObject({ url: shownUrl, events: ["project.deleted", "version.yanked"] });
    expect((await author.patch(path, { url: "https://other.example.org" })).body.webhook.url).toBe(
      "https://other.example.org/",
    );
    expect((await author.patch(path, { enabled: false })).body.webhook).toMatchObject({ enabled: false });
    for (const bad of [{ url: "https://127.1/" }, { url: "" }, { events: [] }, { events: ["x"] }, { enabled: "no" }])
      expect(await author.patch(path, bad)).toFail(400, "invalidRequest");
    expect((await author.get(path)).body).toMatchObject({ url: "https://other.example.org/", enabled: false });
  });

  test("a URL is stored encrypted, shown without its secret part, and stays when it is sent as it is shown", async () => {
    const { webhook } = await add();
    const path = `/api/webhook/${webhook.id}`;
    const stored = () => db.selectFrom("webhooks").selectAll().executeTakeFirstOrThrow();
    const whole = async () => readUrl(resources.vault, await stored());
    expect((await stored()).url.startsWith(resources.vault.prefix)).toBe(true);
    for (const each of [path, ofProject]) expect((await author.get(each)).text).not.toContain("canary");
    expect((await author.patch(path, { url: shownUrl, enabled: false })).body.webhook.url).toBe(shownUrl);
    expect(await whole()).toBe(input.url);
    for (const cut of ["https://hooks.example.org/…ry-8", "https://other.example.org/…"]) {
      expect(await author.patch(path, { url: cut })).toFail(400, "invalidRequest");
      expect(await author.post(ofProject, { ...input, url: cut })).toFail(400, "invalidRequest");
    }
    const longest = `https://hooks.example.org/${"a".repeat(2048 - 26)}`;
    expect((await author.patch(path, { url: longest })).body.webhook.url).toBe("https://hooks.example.org/…aaaa");
    expect(await whole()).toBe(longest);
  });

  test("a webhook that the service disabled starts again when it is enabled", async () => {
    const { webhook } = await add();
    const trouble = { enabled: 0, disabled_reason: "failing", failures: 15, date_resume: 9e12 } as const;
    await db.updateTable("webhooks").set(trouble).where("id", "=", webhook.id).execute();
    const { body } = await author.patch(`/api/webhook/${webhook.id}`, { enabled: true });
    expect(body.webhook).toMatchObject({ enabled: true, disabledReason: null, failures: 0, dateResumes: null });
  });

  test("a new secret replaces the old one, immediately or after a day", async () => {
    const first = await add();
    const path = `/api/webhook/${first.webhook.id}/secret`;
    const second = await author.post(path, {});
    expect(second.body.secret).not.toBe(first.secret);
    const ends = Date.parse(second.body.webhook.dateOldSecretEnds) - world.clock.now();
    expect(Math.abs(ends - 24 * 3_600_000)).toBeLessThan(60_000);
    const third = await author.post(path, { keepOld: false });
    expect(third.body.webhook.dateOldSecretEnds).toBeNull();
    const row = await db.selectFrom("webhooks").selectAll().executeTakeFirstOrThrow();
    expect([readSecret(resources.vault, row), row.old_secret]).toEqual([third.body.secret, null]);
  });

  test("each operation is in the audit log, and neither that nor the server's log contains secrets or the URL", async () => {
    const { webhook, secret } = await add();
    const path = `/api/webhook/${webhook.id}`;
    await author.patch(path, { url: "https://other.example.org/canary-8" });
    const rotated = await author.post(`${path}/secret`, {});
    const ping = await author.post(`${path}/ping`);
    await author.post(`${path}/deliveries/${ping.body.delivery.id}/redeliver`);
    await author.delete(path);
    const rows = await db
      .selectFrom("audit_log")
      .selectAll()
      .where("object_id", "=", webhook.id)
      .orderBy("id")
      .execute();
    expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual(
      ["create", "edit", "rotate", "redeliver", "delete"].map((act) => [`webhook.${act}`, owner!.id]),
    );
    await world.app.jobs.settle();
    expect(logged.join()).toContain("/api/webhook/:webhookId/ping");
    for (const hidden of ["canary", secret.slice(6), rotated.body.secret.slice(6)])
      expect(JSON.stringify(rows) + logged.join()).not.toContain(hidden);
    expect(JSON.stringify(rows)).toContain("hooks.example.org");
    expect(await author.get(path)).toFail(404, "webhookNotFound");
    expect(await db.selectFrom("webhook_deliveries").select("id").execute()).toEqual([]);
  });
});

describe("lists", () => {
  const fill = (webhookId: string, count: number) =>
    write(resources, {}, async (tx) => {
      for (let n = 0; n < count; n++) {
        const row = toNewDelivery(tx, webhookId, `msg_${n}`, { type: "ping", date: n });
        const values = { ...row, status: "failed" as const, date_created: tx.now - count + n };
        await tx.db.insertInto("webhook_deliveries").values(values).execute();
      }
    });

  test("listWebhookDeliveries returns pages, newest first, and getWebhookDelivery the body", async () => {
    const { webhook } = await add();
    await fill(webhook.id, 7);
    const page = async (query: string) => (await author.get(`/api/webhook/${webhook.id}/deliveries${query}`)).body;
    const ids = ({ deliveries }: { deliveries: { messageId: string }[] }) => deliveries.map((each) => each.messageId);
    expect(ids(await page(""))).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `msg_${n}`));
    const [first, second] = [await page("?limit=4"), await page("?limit=4&offset=4")];
    expect([ids(first), first.more]).toEqual([["msg_6", "msg_5", "msg_4", "msg_3"], true]);
    expect([ids(second), second.more]).toEqual([["msg_2", "msg_1", "msg_0"], false]);
    expect(await page("?offset=10000")).toEqual({ deliveries: [], more: false });
    for (const query of ["?limit=0", "?limit=101", "?offset=-1", "?offset=1e999", "?limit=x"])
      expect(await author.get(`/api/webhook/${webhook.id}/deliveries${query}`)).toFail(400, "invalidRequest");
    const one = await author.get(`/api/webhook/${webhook.id}/deliveries/${first.deliveries[0].id}`);
    expect(JSON.parse(one.body.body)).toMatchObject({ type: "ping" });
    const other = await add();
    expect(await author.get(`/api/webhook/${other.webhook.id}/deliveries/${first.deliveries[0].id}`)).toFail(
      ...([404, "deliveryNotFound"] as const),
    );
  });

  test("listProjectWebhooks, listOrganizationWebhooks and the deliveries need as many statements for ten as for one", async () => {
    for (const path of [ofProject, ofOrg]) {
      const { webhook } = await add(path);
      const paths = [path, `/api/webhook/${webhook.id}/deliveries?limit=100`];
      const cost = async () => {
        const counts: number[] = [];
        for (const each of paths) {
          const ask = () => countStatements(db, () => author.get(each));
          counts.push(Math.min(await ask(), await ask(), await ask()));
        }
        return counts;
      };
      const few = await cost();
      for (let n = 0; n < 9; n++) await add(path);
      await fill(webhook.id, 50);
      expect(await cost()).toEqual(few);
    }
  });
});
