// The limit on projects per user.
import { expect, test } from "vitest";
import { readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg } from "#test/worlds/content.js";

const world = await testApp({ settings: { MODSHELF_MAX_PROJECTS_PER_USER: "2" } });
const { as, make } = world;

const input = (more = {}) => ({
  name: "Lamps",
  slug: uniqueName("lamps-"),
  type: ["mod"],
  visibility: "listed",
  summary: "Lamps of every colour, for every room",
  ...more,
});

test("createProject stops at the limit, even for concurrent requests", async () => {
  const user = await make.user();
  const replies = await Promise.all(Array.from({ length: 5 }, () => as.user(user).post("/api/project", input())));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
  const refused = replies.find(({ status }) => status !== 200)!;
  expect(refused).toFail(409, "projectLimitReached");
  expect(refused.body.message).toContain("You own 2 projects");
});

test("createProject does not count projects of organizations, and does not limit administrators", async () => {
  const [user, admin] = [await make.user(), await make.user({ role: "admin" })];
  const org = await makeOrg(world, user);
  for (let made = 0; made < 3; made++) {
    expect(await as.user(user).post("/api/project", input({ orgId: org.id }))).toSucceed();
    expect(await as.user(admin).post("/api/project", input())).toSucceed();
  }
  expect(await as.user(user).post("/api/project", input())).toSucceed();
});

test("getNewProjectPage shows the limit before the form is filled in, and submitNewProject keeps the entered text", async () => {
  const user = await make.user();
  expect((await readPage(as.user(user), "/new")).text).not.toContain("which is the limit");
  for (let made = 0; made < 2; made++) await as.user(user).post("/api/project", input());
  expect((await readPage(as.user(user), "/new")).text).toContain("You own 2 projects, which is the limit");
  const { slug, ...fields } = input();
  const page = await submit(as.user(user), "/new", { ...fields, slug });
  expect([page.status, Boolean(wrongWith(page, "name")), page.text.includes(slug)]).toEqual([409, true, true]);
});
