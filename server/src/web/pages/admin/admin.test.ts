// The administration: only administrators have access, and each of its forms works.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { installTaxonomy } from "#content/taxonomy/write.js";
import type { Reply } from "#test/callers/actors.js";
import { submit, submitFiles } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-admin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const world = await testApp({ settings: { MODSHELF_METRICS_TOKEN: "metrics-secret-0123456789abcdef" } });
const { as, make, resources, clock } = world;
const { db } = resources;
const member = await make.user();
const moderator = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const office = as.user(admin);

const wrongWith = (page: Reply, name: string): string | undefined =>
  new RegExp(`id="${name}-wrong">([^<]*)<`).exec(page.text)?.[1];

describe("access", () => {
  test.each([
    ["getAdminPage", "/admin"],
    ["getAdminCheckPage", "/admin/check"],
    ["getAllSettingsPage", "/admin/settings/all"],
    ["getAdminTaxonomyPage", "/admin/taxonomy"],
    ["getTaxonomyEntryPage", "/admin/taxonomy/entry?list=loaders&name=quilt"],
    ["getTaxonomyFile", "/admin/taxonomy/taxonomy.yaml"],
    ["getTaxonomyJson", "/admin/taxonomy/taxonomy.json"],
    ["getAdminUsersPage", "/admin/users"],
    ["getAdminJobsPage", "/admin/jobs"],
    ["getJobDeletionPage", "/admin/jobs/1/delete"],
    ["getAdminStoragePage", "/admin/storage"],
    ["getAdminNoticesPage", "/admin/notices"],
    ["getAdminAuditPage", "/admin/audit"],
  ])("%s exists for administrators only", async (_id, path) => {
    expect((await look(as.anyone, path)).headers.get("location")).toMatch(/^\/auth\/sign-in\?next=/);
    expect((await look(as.user(member), path)).status).toBe(404);
    expect((await look(as.user(moderator), path)).status).toBe(404);
    if (!path.endsWith("/delete")) expect((await look(office, path)).status).toBe(200);
  });

  test.each([
    ["submitTaxonomy", "/admin/taxonomy"],
    ["submitTaxonomyEntry", "/admin/taxonomy/entry"],
    ["submitTaxonomyImport", "/admin/taxonomy/import"],
    ["submitJobRetry", "/admin/jobs/1/retry"],
    ["submitJobDeletion", "/admin/jobs/1/delete"],
    ["submitSiteNotice", "/admin/notices"],
    ["submitSiteNoticeRemoval", "/admin/notices/remove"],
  ])("%s accepts forms of administrators only", async (_id, path) => {
    for (const user of [member, moderator]) expect((await submit(as.user(user), path)).status).toBe(404);
    expect((await submit(as.anyone, path)).status).toBe(401);
  });
});

describe("getAdminPage", () => {
  test("shows the state of the service, in figures and in things to do", async () => {
    const { text } = await look(office, "/admin");
    expect(text).toContain("Checked a moment ago: it works.");
    expect(text).toContain("The site cannot send email");
    expect(text.split("Free disk").length, "both folders are on one disk").toBe(2);
    expect(text).toContain('<a href="/admin/settings/mail">');
  });

  test("names the latest requests that failed with a server error, as the log does", async () => {
    expect((await look(office, "/admin")).text).toContain("No internal errors");
    const at = clock.now();
    for (let n = 1; n <= 25; n++)
      resources.recentErrors.note({
        at,
        requestId: `request-${n}`,
        route: "GET /x",
        reason: `<b>${"long ".repeat(100)}`,
      });
    const { text } = await look(office, "/admin");
    expect(text).not.toContain("No internal errors");
    expect(text.match(/request-\d+/g)).toEqual(Array.from({ length: 20 }, (_, n) => `request-${25 - n}`));
    expect(text).not.toContain("<b>long");
  });

  test("shows the caches, in both languages", async () => {
    const { text } = await look(office, "/admin");
    expect(text).toMatch(/<th scope="row">Taxonomy<\/th><td data-label="Size">\d[^<]*\u00a0(?:B|KiB)</);
    expect(text).toContain("Prepared projects");
    expect((await look(office, "/admin?lang=de")).text).toContain("Zwischenspeicher dieses Servers");
  });

  test("getAdminCheckPage tests the storage", async () => {
    expect((await look(office, "/admin/check")).text).toContain("read and deleted");
  });
});

describe("getAllSettingsPage", () => {
  test("getAdminSettingsPage opens on the general settings", async () => {
    expect((await look(as.user(moderator), "/admin/settings")).status).toBe(404);
    const reply = await look(office, "/admin/settings");
    expect([reply.status, reply.headers.get("location")]).toEqual([302, "/admin/settings/general"]);
    const { text } = await look(office, "/admin/settings/general");
    expect(text).toMatch(
      /<a href="\/admin\/settings\/general" aria-current="page">General<.*href="\/admin\/settings\/all"/s,
    );
  });

  test("shows each setting with its source, and no secret", async () => {
    const { text } = await look(office, "/admin/settings/all");
    expect(text).toContain("MODSHELF_RATE_LIMITS");
    expect(text).toContain("environment");
    expect(text).toContain("config file");
    expect(text).toContain("********");
    expect(text).not.toContain("metrics-secret");
  });
});

describe("submitTaxonomy", () => {
  const documentOf = async () => (await look(office, "/admin/taxonomy/taxonomy.yaml")).text;
  /** Shows the effects, then applies the document with the button of that page. */
  async function apply(document: string) {
    const preview = await submit(office, "/admin/taxonomy", { document });
    expect(preview.status).toBe(200);
    const base = /name="base" value="(\w+)"/.exec(preview.text)?.[1] ?? "";
    return { preview, applied: await submit(office, "/admin/taxonomy", { document, base }) };
  }

  test("refuses a document with mistakes, names their lines, and gives the document back", async () => {
    const before = await documentOf();
    const page = await submit(office, "/admin/taxonomy", { document: "projectTypes: [mod]\nloders: <b>[]" });
    expect(page.status).toBe(400);
    expect(page.text).toContain("Line 2, column 1");
    expect(page.text).toContain("loders: &lt;b>[]");
    for (const document of ["", "a: [", "x".repeat(100_000)])
      expect((await submit(office, "/admin/taxonomy", { document })).status).toBe(400);
    expect(await documentOf()).toBe(before);
  });

  test("shows the effects of a valid document, and applies it at once; it stays after a restart", async () => {
    const before = await documentOf();
    const document = before.replace("gameVersions:", "gameVersions:\n  - value: 9.9.9-web");
    const preview = await submit(office, "/admin/taxonomy", { document });
    expect(preview.text).toContain("1 added: 9.9.9-web");
    expect(await documentOf()).toBe(before);
    expect((await apply(document)).applied.status).toBe(303);
    expect((await look(office, "/admin/taxonomy")).text).toContain("9.9.9-web");
    const versions = (await as.anyone.get("/api/tags/game-versions")).text;
    expect(versions).toContain("9.9.9-web");
    expect(await installTaxonomy(resources, undefined)).toBe(false);
    expect((await look(office, "/admin/audit?action=taxonomy.set")).text).toContain(admin.userName);
  });

  test("accepts the JSON that was downloaded before", async () => {
    const document = (await look(office, "/admin/taxonomy/taxonomy.json")).text;
    expect(JSON.parse(document)).toMatchObject({ projectTypes: expect.any(Array) });
    expect((await submit(office, "/admin/taxonomy", { document })).text).toContain("Nothing would change");
    const less = { ...JSON.parse(document), combinations: [] };
    expect((await apply(JSON.stringify(less))).applied.status).toBe(303);
    expect((await apply(document)).applied.status).toBe(303);
    expect((await look(office, "/admin/taxonomy/taxonomy.json")).text).toBe(document);
  });

  test("shows the effects again if the taxonomy was changed in between", async () => {
    const document = (await documentOf()).replace("gameVersions:", "gameVersions:\n  - value: 9.9.8-web");
    const late = await submit(office, "/admin/taxonomy", { document, base: "0".repeat(64) });
    expect(late.status).toBe(200);
    expect(late.text).toContain("The taxonomy was changed since you opened the preview");
    expect(await documentOf()).not.toContain("9.9.8-web");
  });

  test("is locked if the operator has configured a file", async () => {
    const file = join(folder, "taxonomy.yaml");
    writeFileSync(file, await documentOf());
    const locked = await testApp({ settings: { MODSHELF_TAXONOMY_FILE: file } });
    const owner = locked.as.user(await locked.make.user({ role: "admin" }));
    expect((await look(owner, "/admin/taxonomy")).text).not.toContain("<textarea");
    for (const [path, fields] of [
      ["/admin/taxonomy", { document: await documentOf() }],
      ["/admin/taxonomy/entry", { list: "loaders", action: "remove:quilt" }],
    ] as const)
      expect((await submit(owner, path, fields)).status).toBe(409);
    expect((await submitFiles(owner, "/admin/taxonomy/import", { url: "https://example.org/x" })).status).toBe(409);
    expect((await look(owner, "/admin/taxonomy/entry?list=loaders&name=quilt")).status).toBe(409);
  });
});

describe("getAdminUsersPage", () => {
  test("finds users by the beginning of their email address", async () => {
    const { email } = member;
    for (const q of [email, email.slice(0, -3).toUpperCase()]) {
      const { text } = await look(office, `/admin/users?q=${encodeURIComponent(q)}`);
      expect(text).toContain(`/moderation/user/${member.userName}`);
      expect(text).not.toContain(`/moderation/user/${moderator.userName}`);
    }
    const { text } = await look(office, `/admin/users?q=${encodeURIComponent(email.slice(-9))}`);
    expect(text).not.toContain(`/moderation/user/${member.userName}`);
  });
});

describe("jobs", () => {
  const insertJob = async (more: object = {}) => {
    const { id } = await db
      .insertInto("jobs")
      .values({
        kind: "unknown-kind",
        payload: "{}",
        dedupe_key: null,
        run_after: clock.now(),
        attempts: 10,
        lease_until: null,
        date_created: clock.now(),
        date_parked: clock.now(),
        last_error: "The <server> said no",
        ...more,
      } as never)
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };
  const findJob = (id: number) => db.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();

  test("getAdminJobsPage shows failed jobs with the reason; submitJobRetry resets their attempts", async () => {
    const id = await insertJob();
    await insertJob({ kind: "deliver-webhook", run_after: clock.now() + 1 });
    const { text } = await look(office, "/admin/jobs");
    expect(text).toContain("The &lt;server> said no");
    expect(text).toMatch(/>Deliver a webhook <span class="muted small"><code>deliver-webhook<\/code>/);
    expect((await submit(office, `/admin/jobs/${id}/retry`)).status).toBe(303);
    expect(await findJob(id)).toMatchObject({ attempts: 0, date_parked: null, last_error: null });
    expect((await submit(office, "/admin/jobs/999999/retry")).status).toBe(409);
    expect((await submit(office, "/admin/jobs/x/retry")).status).toBe(400);
  });

  test("a job that was never tried is run, not retried; housekeeping cannot be deleted", async () => {
    const fresh = await insertJob({ attempts: 0, date_parked: null, last_error: null });
    const tried = await insertJob();
    const scheduled = await insertJob({ attempts: 0, dedupe_key: "schedule unknown-kind" });
    const { text } = await look(office, "/admin/jobs");
    expect(text).toContain(`aria-label="Run now: job ${fresh}"`);
    expect(text).toContain(`aria-label="Retry now: job ${tried}"`);
    expect(text).toContain(`href="/admin/jobs/${tried}/delete"`);
    expect(text).not.toContain(`href="/admin/jobs/${scheduled}/delete"`);
    expect((await look(office, `/admin/jobs/${scheduled}/delete`)).status).toBe(404);
    expect((await submit(office, `/admin/jobs/${scheduled}/delete`)).status).toBe(409);
    expect(await findJob(scheduled)).toBeDefined();
  });

  test("getJobDeletionPage asks for confirmation; submitJobDeletion deletes, but no running job", async () => {
    const id = await insertJob();
    expect((await look(office, `/admin/jobs/${id}/delete`)).text).toContain(`Job ${id}`);
    expect(await findJob(id)).toBeDefined();
    expect((await submit(office, `/admin/jobs/${id}/delete`)).status).toBe(303);
    expect(await findJob(id)).toBeUndefined();
    const running = await insertJob({ date_parked: null, lease_until: clock.now() + 3_600_000 });
    expect((await submit(office, `/admin/jobs/${running}/delete`)).status).toBe(409);
    expect((await look(office, `/admin/jobs/${id}/delete`)).status).toBe(404);
  });
});

describe("getAdminStoragePage", () => {
  test("names the largest projects", async () => {
    const project = await makeProject(world, member, { name: "Very large" });
    await makeVersion(world, member, project.id, { bytes: Buffer.alloc(12_345, 1) });
    expect((await look(office, "/admin/storage")).text).toContain("Very large");
  });
});

describe("the notice", () => {
  const shown = async () => (await look(as.anyone, "/")).text.includes("Tonight we");

  test("submitSiteNotice shows both texts to an administrator who would overwrite a newer notice", async () => {
    const stamp = /name="stamp" value="([^"]*)"/.exec((await look(office, "/admin/notices")).text)![1]!;
    await submit(office, "/admin/notices", { text: "Saved by another", level: "plain", stamp });
    const clash = await submit(office, "/admin/notices", { text: "My own", level: "plain", stamp });
    expect([clash.status, clash.text.includes("Saved by another"), clash.text.includes("My own")]).toEqual([
      409,
      true,
      true,
    ]);
    await submit(office, "/admin/notices/remove");
  });

  test("submitSiteNotice shows it on every page in its time, submitSiteNoticeRemoval removes it", async () => {
    const text = "Tonight we **move** <script>x</script>";
    expect((await submit(office, "/admin/notices", { text, level: "warning" })).status).toBe(303);
    const { text: page } = await look(as.anyone, "/");
    expect(page).toContain('class="site-notice warning"');
    expect(page).toContain("<strong>move</strong>");
    expect(page).not.toContain("<script>x");
    const day = 86_400_000;
    const at = (time: number) => new Date(time).toISOString().slice(0, 16);
    await submit(office, "/admin/notices", { text, level: "plain", from: at(clock.now() + day) });
    expect(await shown()).toBe(false);
    clock.advance(2 * day);
    await make.confirmed(admin);
    expect(await shown()).toBe(true);
    await submit(office, "/admin/notices", { text, level: "plain", until: at(clock.now() - day) });
    expect(await shown()).toBe(false);
    await submit(office, "/admin/notices", { text, level: "plain" });
    expect(await shown()).toBe(true);
    expect((await submit(office, "/admin/notices/remove")).status).toBe(303);
    expect(await shown()).toBe(false);
    expect((await submit(office, "/admin/notices/remove")).status).toBe(409);
  });

  test.each([
    [{ text: "", level: "plain" }, "text"],
    [{ text: " \n", level: "plain" }, "text"],
    [{ text: "x".repeat(1001), level: "plain" }, "text"],
    [{ text: "Kept", level: "loud" }, "level"],
    [{ text: "Kept", level: "plain", from: "tomorrow" }, "from"],
    [{ text: "Kept", level: "plain", from: "2026-13-40T00:00" }, "from"],
    [{ text: "Kept", level: "plain", from: "2026-11-15T00:00", until: "2026-11-14T00:00" }, "until"],
  ])("is refused as %o, with the problem at %s", async (fields, field) => {
    const page = await submit(office, "/admin/notices", fields);
    expect(page.status).toBe(400);
    expect(wrongWith(page, field)).toMatch(/\w/);
    if (fields.text === "Kept") expect(page.text).toContain("Kept</textarea>");
  });
});

describe("getAdminAuditPage", () => {
  test("shows the whole log, and whether it was tampered with", async () => {
    expect((await look(office, "/admin/audit")).text).toContain("session.create");
    expect((await look(office, "/admin/audit?check=yes")).text).toContain("the log was not changed");
    expect((await look(office, "/admin/audit?until=never")).status).toBe(400);
  });
});
