// Project types, loaders, game versions, categories and licences: looked at, taken home, and changed as one document.

import { parseTaxonomy, type TaxonomyDocument } from "#content/taxonomy/document.js";
import { findNewestTaxonomy } from "#content/taxonomy/read.js";
import { toYaml } from "#content/taxonomy/to-yaml.js";
import { setTaxonomy, webSource } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { say } from "#words/said.js";
import { adminPage } from "./admin-frame.js";
import { TaxonomyView } from "./taxonomy.js";

async function loadDocument({ db }: Resources): Promise<TaxonomyDocument> {
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
  summary: "The taxonomy in force as a file",
  answer: { raw: "application/yaml", description: "The document" },
  cacheControl: "no-store",
  internal: true,
});

const getTaxonomyJson = endpoint({
  ...getTaxonomyFile,
  id: "getTaxonomyJson",
  path: "/admin/taxonomy/taxonomy.json",
  summary: "The taxonomy in force as JSON",
  answer: { raw: "application/json", description: "The document" },
});

export const taxonomyRoutes: Route[] = [
  pageRoute(
    { id: "getAdminTaxonomyPage", path: "/admin/taxonomy", access: forAdmins, summary: "The taxonomy in force" },
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
      id: "submitTaxonomy",
      path: "/admin/taxonomy",
      access: forAdmins,
      summary: "Put another taxonomy in force",
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
