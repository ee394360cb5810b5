// A form that creates something, sent in parallel to two servers on one database: it is created once, and both give the
// same answer.
import { expect, test } from "vitest";
import { routes } from "#app.js";
import type { Actor } from "#test/callers/actors.js";
import { readPage } from "#test/callers/page-forms.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const first = await testApp();
const second = await testApp({ sharedWith: first });

const send = (actor: Actor, path: string, fields: Record<string, string>) =>
  actor.call("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", origin: siteUrl },
    body: new URLSearchParams(fields).toString(),
  });

const tokenOn = async (actor: Actor, path: string): Promise<string> => {
  const { text } = await readPage(actor, path);
  const [main = ""] = /<main.*<\/main>/s.exec(text) ?? [];
  return /name="form-token" value="([^"]*)"/.exec(main)![1]!;
};

const owner = await first.make.user();
const project = await makeProject(first, await first.make.user());
const forms: [string, string, (slug: string) => Record<string, string>, "projects" | "organizations" | "reports"][] = [
  [
    "submitNewProject",
    "/new",
    (slug) => ({ name: "Twice", slug, type: "mod", summary: "Sent twice", visibility: "listed" }),
    "projects",
  ],
  [
    "submitNewOrganization",
    "/organizations/new",
    (slug) => ({ name: "Twice", slug, description: "Sent twice" }),
    "organizations",
  ],
  [
    "submitReport",
    `/report?itemType=project&itemId=${project.id}`,
    () => ({ itemType: "project", itemId: project.id, reportType: "spam", body: "This is sent twice at once" }),
    "reports",
  ],
];

test.each(forms)("%s creates one object", async (id, path, fieldsFor, table) => {
  expect(routes.some(({ endpoint }) => endpoint.id === id)).toBe(true);
  const count = async () => (await first.resources.db.selectFrom(table).select("id").execute()).length;
  const actors = [first, second, first, second].map(({ as }) => as.user(owner));
  const fields = { ...fieldsFor(uniqueName("twice")), "form-token": await tokenOn(actors[0]!, path) };
  const before = await count();
  const replies = await Promise.all(actors.map((actor) => send(actor, path.split("?")[0]!, fields)));
  expect(replies.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect(new Set(replies.map(({ headers }) => headers.get("location"))).size).toBe(1);
  expect(await count()).toBe(before + 1);
});
