// Forms of a project's team: details, icon, description, tags, license, links, and deletion.
import { describe, expect, test } from "vitest";
import {
  type Fields,
  heading,
  location,
  readPage,
  submit,
  submitFiles,
  typed,
  wrongWith,
} from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeProject, setProject } from "#test/worlds/content.js";

const world = await testApp({
  settings: { MODSHELF_MAX_ICON_SIZE: "20 KiB" },
});
const { as, make, clock } = world;

async function ownProject(options = {}) {
  const user = await make.user();
  const project = await makeProject(world, user, { description: "Old text", ...options });
  const actor = as.user(user);
  const read = async () => (await actor.get(`/api/project/${project.id}`)).body.project;
  return { user, project, actor, read, path: `/project/${project.slug}/settings` };
}
const picture = async (name = "dusk-lamps.png") => new File([await drawPicture()], name);
const stampOf = (page: { text: string }) => /name="stamp" value="([^"]*)"/.exec(page.text)![1]!;

const sections = [
  "",
  "/description",
  "/tags",
  "/license",
  "/links",
  "/disclosures",
  "/gallery",
  "/members",
  "/publishing",
  "/analytics",
];

describe("every section", () => {
  test.each(sections)("%j is for the team only", async (section) => {
    const { actor, path, project } = await ownProject();
    const hidden = await ownProject({ visibility: "private" });
    const stranger = as.user(await make.user());
    expect((await readPage(actor, path + section)).status).toBe(200);
    expect((await readPage(stranger, path + section)).status).toBe(403);
    expect((await readPage(stranger, hidden.path + section)).status).toBe(404);
    expect(location(await readPage(as.anyone, path + section))).toMatch(/^\/auth\/sign-in\?next=/);
    expect(location(await readPage(actor, `/project/${project.id}/settings${section}`))).toBe(path + section);
  });

  test.each(sections.filter((name) => name !== "/members" && name !== "/analytics"))(
    "%j can be read by a member without permissions, who is told which one is missing",
    async (section) => {
      const { path, project } = await ownProject();
      const member = await make.user();
      await addMember(world, project.teamId, member, { permissions: [] });
      const page = await readPage(as.user(member), path + section);
      expect([page.status, page.text.includes("You do not have the permission")]).toEqual([200, true]);
    },
  );

  test("is in German if the browser prefers it", async () => {
    const { actor, path } = await ownProject();
    const page = await actor.get(`${path}/license`, { headers: { accept: "text/html", "accept-language": "de" } });
    expect(heading(page)).toBe("Lizenz");
  });
});

describe("getProjectSettingsPage and submitProjectSettings", () => {
  const fields = {
    name: "New name",
    summary: "New summary",
    type: ["mod"],
    clientSide: "required",
    serverSide: "optional",
    visibility: "unlisted",
  };

  test("save the details; the old path redirects to the new one", async () => {
    const { actor, path, project, read } = await ownProject();
    const slug = uniqueName("renamed");
    const reply = await submit(actor, path, { ...fields, slug });
    expect(location(reply)).toBe(`/project/${slug}/settings?done=saved`);
    expect(await read()).toMatchObject({ name: "New name", slug, clientSide: "required", visibility: "unlisted" });
    expect((await readPage(actor, location(reply)!)).text).toContain("Saved");
    expect(location(await readPage(actor, path))).toBe(`/project/${slug}/settings`);
    expect(project.slug).not.toBe(slug);
  });

  test("show what was typed again, with the problem beside its field", async () => {
    const { actor, path, project } = await ownProject();
    const other = await ownProject();
    const page = await submit(actor, path, { ...fields, slug: other.project.slug });
    expect([page.status, wrongWith(page, "slug"), typed(page, "name")]).toEqual([
      409,
      "This URL is taken. Choose another one.",
      "New name",
    ]);
    const bad = await submit(actor, path, { ...fields, slug: project.slug, name: " x ", type: ["mod", "shader"] });
    expect([bad.status, Boolean(wrongWith(bad, "name"))]).toEqual([400, true]);
    expect((await submit(actor, path, { ...fields, slug: "admin" })).status).toBe(400);
    expect((await submit(actor, path, { ...fields, slug: project.slug, visibility: "open" })).status).toBe(400);
  });

  test("never overwrite a newer change of another user silently", async () => {
    const { actor, path, project, read } = await ownProject();
    const stamp = stampOf(await readPage(actor, path));
    await setProject(world, project.id, { summary: "Saved by another" });
    const page = await submit(actor, path, { ...fields, slug: project.slug, stamp });
    expect(page.status).toBe(409);
    expect(page.text).toContain("Saved by another");
    expect(typed(page, "name")).toBe("New name");
    expect((await read()).name).toBe("Sample project");
    expect((await submit(actor, path, { ...fields, slug: project.slug, stamp: stampOf(page) })).status).toBe(303);
    expect((await read()).name).toBe("New name");
  });

  test("need edit_details, also without the form", async () => {
    const { path, project, read } = await ownProject();
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["edit_description"] });
    expect((await submit(as.user(member), path, { ...fields, slug: project.slug })).status).toBe(403);
    expect((await read()).name).toBe("Sample project");
  });

  test("give back what was typed when the session has ended", async () => {
    const { path } = await ownProject();
    const page = await submit(as.anyone, path, { ...fields, slug: "x" });
    expect([page.status, page.text.includes("New summary")]).toEqual([401, true]);
  });
});

describe("submitProjectIcon", () => {
  test("saves and removes the icon, and says what is wrong with a picture", async () => {
    const { actor, path, read } = await ownProject();
    expect((await submitFiles(actor, `${path}/icon`, {}, { icon: [await picture()] })).status).toBe(303);
    expect((await read()).icon).toMatch(/_128\.webp$/);
    const broken = await submitFiles(actor, `${path}/icon`, {}, { icon: [new File(["x"], "a.png")] });
    expect([broken.status, Boolean(wrongWith(broken, "icon"))]).toEqual([400, true]);
    const none = await submitFiles(actor, `${path}/icon`, {}, { icon: undefined });
    expect([none.status, Boolean(wrongWith(none, "icon"))]).toEqual([400, true]);
    expect((await submitFiles(actor, `${path}/icon`, { remove: "yes" }, { icon: undefined })).status).toBe(303);
    expect((await read()).icon).toBeNull();
  });
});

describe("getDescriptionSettingsPage and submitDescription", () => {
  test("save markdown in every script, up to the maximum length", async () => {
    const { actor, path, read } = await ownProject();
    const text = `# Lampen\n${"光".repeat(65_000)}`;
    const reply = await submitFiles(actor, `${path}/description`, { description: text.replaceAll("\n", "\r\n") });
    expect(location(reply)).toBe(`${path}/description?done=saved`);
    expect((await read()).description).toBe(text);
    const long = await submitFiles(actor, `${path}/description`, { description: `${text}${"x".repeat(300)}` });
    expect([long.status, Boolean(wrongWith(long, "description"))]).toEqual([400, true]);
  });

  test("show both texts after concurrent changes", async () => {
    const { actor, path, project, read } = await ownProject();
    const stamp = stampOf(await readPage(actor, `${path}/description`));
    await setProject(world, project.id, { description: "Theirs" });
    const page = await submitFiles(actor, `${path}/description`, { description: "Mine", stamp });
    expect([page.status, page.text.includes("Theirs"), page.text.includes(">Mine</textarea>")]).toEqual([
      409,
      true,
      true,
    ]);
    expect((await read()).description).toBe("Theirs");
  });

  test("redirect back to the page of the form, and never to another site", async () => {
    const { actor, path, project } = await ownProject();
    const next = `/project/${project.slug}#checklist`;
    const reply = await submitFiles(actor, `${path}/description`, { description: "x", next });
    expect(location(reply)).toBe(`/project/${project.slug}?done=saved#checklist`);
    const evil = await submitFiles(actor, `${path}/description`, { description: "x", next: "//evil.example" });
    expect(location(evil)).toBe("/?done=saved");
  });

  test("show the text to members who may not change it", async () => {
    const { path, project } = await ownProject({ description: "**Old** text" });
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: [] });
    const page = await readPage(as.user(member), `${path}/description`);
    expect([page.text.includes("<strong>Old</strong>"), page.text.includes("<textarea")]).toEqual([true, false]);
  });
});

describe("getTagSettingsPage and submitTags", () => {
  test("save categories, and count featured ones as chosen", async () => {
    const { actor, path, read } = await ownProject();
    const given = { categories: ["adventure", "magic"], featuredCategories: ["library", "", ""] };
    expect((await submit(actor, `${path}/tags`, given)).status).toBe(303);
    expect(await read()).toMatchObject({
      categories: ["adventure", "library", "magic"],
      featuredCategories: ["library"],
    });
    // Without its tick, a category that was featured before is not kept.
    await submit(actor, `${path}/tags`, { categories: ["magic"], featuredCategories: ["library", "", ""] });
    expect(await read()).toMatchObject({ categories: ["magic"], featuredCategories: ["magic"] });
    expect((await submit(actor, `${path}/tags`, {})).status).toBe(303);
    expect((await read()).categories).toEqual([]);
    // The first three are featured if none is chosen.
    const many = ["adventure", "library", "magic", "storage"];
    await submit(actor, `${path}/tags`, { categories: many, featuredCategories: ["", "", ""] });
    expect(await read()).toMatchObject({ categories: many, featuredCategories: many.slice(0, 3) });
    expect((await submit(actor, `${path}/tags`, { categories: ["nonsense"] })).status).toBe(400);
  });
});

describe("getLicenseSettingsPage and submitLicense", () => {
  test("save one of the list, or another with its URL", async () => {
    const { actor, path, read } = await ownProject({ license: "" });
    await submit(actor, `${path}/license`, { id: "MIT", name: "ignored", url: "" });
    expect(await read()).toMatchObject({ licenseId: "MIT", licenseName: "MIT License" });
    await submit(actor, `${path}/license`, { id: "", name: "Mine", url: "https://example.org/license" });
    expect(await read()).toMatchObject({
      licenseId: "",
      licenseName: "Mine",
      licenseUrl: "https://example.org/license",
    });
    const bad = await submit(actor, `${path}/license`, { id: "", name: "Mine", url: "javascript:alert(1)" });
    expect([bad.status, Boolean(wrongWith(bad, "url")), typed(bad, "url")]).toEqual([400, true, "javascript:alert(1)"]);
    expect((await submit(actor, `${path}/license`, { id: "mit" })).status).toBe(400);
  });
});

describe("getLinkSettingsPage and submitLinks", () => {
  test("save, remove and refuse URLs", async () => {
    const { actor, path, read } = await ownProject();
    const good = { issueTracker: " https://example.org/issues ", sourceCode: "", wikiPage: "", discordServer: "" };
    expect((await submit(actor, `${path}/links`, good)).status).toBe(303);
    expect((await read()).issueTrackerUrl).toBe("https://example.org/issues");
    const bad = await submit(actor, `${path}/links`, {
      ...good,
      sourceCode: "ftp://x",
      wikiPage: "https://keep.example",
    });
    expect([bad.status, Boolean(wrongWith(bad, "sourceCode")), typed(bad, "wikiPage")]).toEqual([
      400,
      true,
      "https://keep.example",
    ]);
    await submit(actor, `${path}/links`, { ...good, issueTracker: "" });
    expect((await read()).issueTrackerUrl).toBeNull();
    expect((await submit(actor, `${path}/links`, { ...good, stamp: "old" })).status).toBe(409);
  });

  test.each(["", "/links", "/description"])(
    "tell one of two users who save the form at %j at the same time",
    async (section) => {
      const { actor, path, project } = await ownProject();
      const stamp = stampOf(await readPage(actor, path + section));
      const details = { name: "N", slug: project.slug, summary: "S", type: ["mod"], visibility: "listed" };
      const sides = { clientSide: "required", serverSide: "optional" };
      const fields = (word: string): Fields =>
        section === ""
          ? { ...details, ...sides, name: `Name ${word}`, stamp }
          : section === "/links"
            ? { wikiPage: `https://${word}.example`, stamp }
            : { description: word, stamp };
      const send = (word: string) =>
        section === "/description"
          ? submitFiles(actor, path + section, fields(word))
          : submit(actor, path + section, fields(word));
      const replies = await Promise.all([send("one"), send("two")]);
      expect(replies.map(({ status }) => status).sort()).toEqual([303, 409]);
    },
  );

  test("accept donation links in any row, and show them on the project's page", async () => {
    const { actor, path, read, project } = await ownProject({ status: "approved" });
    const rows = { platform1: "", donation1: "", platform2: " Ko-fi ", donation2: "https://ko-fi.com/ada" };
    expect((await submit(actor, `${path}/links`, rows)).status).toBe(303);
    expect((await read()).donationLinks).toEqual([{ platform: "Ko-fi", url: "https://ko-fi.com/ada" }]);
    const page = await readPage(as.anyone, `/project/${project.slug}`);
    expect(page.text).toContain('<a href="https://ko-fi.com/ada" rel="ugc nofollow noopener">');
    const bad = await submit(actor, `${path}/links`, { ...rows, donation2: "http://ko-fi.com/ada", platform4: "x" });
    expect([bad.status, typed(bad, "donation2")]).toEqual([400, "http://ko-fi.com/ada"]);
    expect([wrongWith(bad, "donation2"), wrongWith(bad, "donation1")].map(Boolean)).toEqual([true, false]);
    expect(Boolean(wrongWith(bad, "donation4"))).toBe(true);
    // A form without these fields leaves them unchanged.
    expect((await submit(actor, `${path}/links`, { wikiPage: "https://example.org" })).status).toBe(303);
    expect((await read()).donationLinks).toHaveLength(1);
    expect((await submit(actor, `${path}/links`, { platform1: "", donation1: "" })).status).toBe(303);
    expect((await read()).donationLinks).toEqual([]);
  });
});

describe("getDisclosureSettingsPage and submitDisclosures", () => {
  const answers = {
    ai: "yes",
    aiKinds: ["code", "art"],
    telemetry: "no",
    "telemetry-details": "left over from another answer",
    paidFeatures: "yes",
    "paidFeatures-details": " Extra skins ",
    "paidFeatures-url": "https://example.org/prices",
  };

  test("save the answers, which the project's page shows in the visitor's language", async () => {
    const { actor, path, read, project } = await ownProject({ status: "approved" });
    const shown = async (locale: string) => {
      const headers = { accept: "text/html", "accept-language": locale };
      const { text } = await as.anyone.get(`/project/${project.slug}`, { headers });
      return text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    };
    expect(await shown("en")).not.toContain("Stated by the author");
    expect((await submit(actor, `${path}/disclosures`, answers)).status).toBe(303);
    expect((await read()).disclosures).toEqual({
      ai: ["code", "art"],
      telemetry: { present: false, details: "", url: null },
      paidFeatures: { present: true, details: "Extra skins", url: "https://example.org/prices" },
    });
    expect(await shown("en")).toContain(
      "Stated by the author AI Used for: code, art or sound Telemetry None Paid features Extra skins More about this example.org",
    );
    expect(await shown("de")).toContain("Angaben des Autors KI Verwendet für: Code, Grafik oder Ton Telemetrie Keine");
    expect(await shown("zh")).toContain("作者声明 AI 用于：代码、美术或音频 数据收集 无");
    // An empty answer withdraws a statement; a form without a subject leaves it unchanged.
    await submit(actor, `${path}/disclosures`, { ai: "", telemetry: "no" });
    expect((await read()).disclosures).toMatchObject({ ai: null, paidFeatures: { details: "Extra skins" } });
  });

  test("say beside the field what is missing, and keep the answers", async () => {
    const { actor, path, read } = await ownProject();
    const bad = { ...answers, ai: "no", "paidFeatures-details": " ", "paidFeatures-url": "ftp://example.org" };
    const page = await submit(actor, `${path}/disclosures`, bad);
    expect([page.status, typed(page, "paidFeatures-url")]).toEqual([400, "ftp://example.org"]);
    for (const field of ["paidFeatures-details", "paidFeatures-url"])
      expect(Boolean(wrongWith(page, field)), field).toBe(true);
    const none = await submit(actor, `${path}/disclosures`, { ai: "yes" });
    expect([none.status, none.text.includes("Choose what AI was used for.")]).toEqual([400, true]);
    expect((await read()).disclosures.ai).toBeNull();
  });
});

describe("getDeleteProjectPage and submitDeleteProject", () => {
  test("delete after the slug was typed, soon after a sign-in", async () => {
    const { actor, path, project } = await ownProject();
    expect((await readPage(actor, `${path}/delete`)).text).toContain(`Type &quot;${project.slug}&quot; to confirm`);
    const wrong = await submit(actor, `${path}/delete`, { confirm: "something" });
    expect([wrong.status, Boolean(wrongWith(wrong, "confirm"))]).toEqual([400, true]);
    await clock.during(11 * 60_000, async () => {
      expect((await readPage(actor, `${path}/delete`)).text).toContain("/auth/sign-in?again=1");
      expect((await submit(actor, `${path}/delete`, { confirm: project.slug })).status).toBe(403);
    });
    expect(location(await submit(actor, `${path}/delete`, { confirm: project.slug }))).toMatch(/^\/dashboard/);
    expect(await actor.get(`/api/project/${project.id}`)).toFail(404, "projectNotFound");
  });

  test("need delete_project", async () => {
    const { path, project } = await ownProject();
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["edit_details"] });
    expect((await submit(as.user(member), `${path}/delete`, { confirm: project.slug })).status).toBe(403);
    expect((await readPage(as.user(member), `${path}/delete`)).text).not.toContain("to confirm");
  });
});
