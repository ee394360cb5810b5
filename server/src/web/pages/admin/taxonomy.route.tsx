// Project types, loaders, game versions, categories and licences: shown, downloaded, and changed as one document.

import Type from "typebox";
import { parseTaxonomy, type TaxonomyDocument } from "#content/taxonomy/document.js";
import { addEntry, type EntryList, entryLists, moveEntry } from "#content/taxonomy/edit-entry.js";
import { findNewestTaxonomy } from "#content/taxonomy/read.js";
import { toYaml } from "#content/taxonomy/to-yaml.js";
import { setTaxonomy, webSource } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { anyTexts, formFields, listOf } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { say } from "#words/said.js";
import { adminPage } from "./admin-frame.js";
import { TaxonomyView } from "./taxonomy.js";
import { entryPath } from "./taxonomy-entries.js";

const entryTexts = ["name", "label", "plural", "path", "icon", "color", "kind", "releaseType"] as const;

type EntryFields = Partial<Record<(typeof entryTexts)[number] | "action" | "major", string>> & {
  projectTypes?: string | string[];
};

function changeEntry(
  document: TaxonomyDocument,
  list: EntryList,
  { action, major, projectTypes, ...body }: EntryFields,
) {
  const { name = "", ...texts } = body;
  if (action === "up" || action === "down") return moveEntry(document, list, name, action === "up" ? -1 : 1);
  const given = Object.fromEntries(
    entryTexts.flatMap((field) => (field !== "name" && texts[field] ? [[field, texts[field]]] : [])),
  );
  return addEntry(document, list, {
    [list === "gameVersions" ? "value" : "name"]: name.trim(),
    ...given,
    ...(list === "gameVersions" && { major: major !== undefined }),
    ...((list === "loaders" || list === "categories") && { projectTypes: listOf(projectTypes) }),
  });
}

async function loadDocument({ db }: { db: Db }): Promise<TaxonomyDocument> {
  const row = await findNewestTaxonomy(db);
  if (!row) throw fail.notFound();
  return JSON.parse(row.document) as TaxonomyDocument;
}

const getTaxonomyFile = endpoint({
  id: "getTaxonomyFile",
  method: "GET",
  path: "/admin/taxonomy/taxonomy.yaml",
  access: forAdmins,
  rate: "read",
  tag: "Website",
  summary: "The current taxonomy as a file",
  answer: { raw: "application/yaml", description: "The document" },
  cacheControl: "no-store",
  internal: true,
});

const getTaxonomyJson = endpoint({
  ...getTaxonomyFile,
  id: "getTaxonomyJson",
  path: "/admin/taxonomy/taxonomy.json",
  summary: "The current taxonomy as JSON",
  answer: { raw: "application/json", description: "The document" },
});

export const taxonomyRoutes: Route[] = [
  pageRoute(
    { id: "getAdminTaxonomyPage", path: "/admin/taxonomy", access: forAdmins, summary: "The current taxonomy" },
    async ({ request }, resources) => {
      const document = await loadDocument(resources);
      return adminPage(
        { tab: "taxonomy", locale: localeOf(request), scripts: ["desk"] },
        <TaxonomyView document={document} text={toYaml(document)} lockedBy={resources.config.taxonomyFile} />,
      );
    },
  ),

  route(getTaxonomyFile, async ({ reply }, resources) => {
    reply.type("application/yaml; charset=utf-8").header("content-disposition", 'attachment; filename="taxonomy.yaml"');
    return reply.send(toYaml(await loadDocument(resources)));
  }),

  route(getTaxonomyJson, async ({ reply }, resources) => {
    reply.type("application/json; charset=utf-8").header("content-disposition", 'attachment; filename="taxonomy.json"');
    return reply.send(JSON.stringify(await loadDocument(resources), null, 2));
  }),

  memberFormRoute(
    {
      id: "submitTaxonomyEntry",
      path: entryPath,
      access: forAdmins,
      summary: "Add an entry to a list of the taxonomy, or move it",
      body: Type.Object({ ...formFields("list", "action", "major", ...entryTexts).properties, projectTypes: anyTexts }),
      errors: ["wrongState"],
    },
    async ({ actor, request, body, reply }, resources) => {
      if (resources.config.taxonomyFile !== undefined) throw fail.wrongState(say.states.taxonomyFromFile);
      const list = entryLists.find((name) => name === body.list);
      if (!list) throw fail.notFound();
      const refused = await write(resources, actor, async (tx) => {
        const document = await loadDocument(tx);
        const changed = changeEntry(document, list, body);
        if (!changed.ok) return changed.problems;
        await setTaxonomy(tx, changed.document, webSource);
        return undefined;
      });
      if (!refused) return seeOther(reply, "/admin/taxonomy");
      const document = await loadDocument(resources);
      const view = { document, text: toYaml(document), lockedBy: undefined };
      return adminPage(
        { tab: "taxonomy", locale: localeOf(request), scripts: ["desk"], status: 400 },
        <TaxonomyView {...view} refused={refused.map(({ message }) => message)} />,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitTaxonomy",
      path: "/admin/taxonomy",
      access: forAdmins,
      summary: "Replace the taxonomy",
      body: formFields("document"),
      errors: ["wrongState"],
    },
    async ({ actor, request, body, reply }, resources) => {
      const { taxonomyFile } = resources.config;
      if (taxonomyFile !== undefined) throw fail.wrongState(say.states.taxonomyFromFile);
      const text = body.document ?? "";
      const parsed = parseTaxonomy(text, "taxonomy.yaml");
      if (parsed.ok) {
        await write(resources, actor, (tx) => setTaxonomy(tx, parsed.document, webSource));
        return seeOther(reply, "/admin/taxonomy");
      }
      const document = await loadDocument(resources);
      return adminPage(
        { tab: "taxonomy", locale: localeOf(request), scripts: ["desk"], status: 400 },
        <TaxonomyView document={document} text={text} problems={parsed.problems} lockedBy={undefined} />,
      );
    },
  ),
];
