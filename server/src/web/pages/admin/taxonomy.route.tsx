// Project types, loaders, game versions, categories and licenses: shown, downloaded, and replaced by a document that is
// typed, uploaded or fetched. Its effects are shown before it is applied.
import type { FastifyRequest } from "fastify";
import { findTaxonomyChanges } from "#content/taxonomy/changes.js";
import { parseTaxonomy, type TaxonomyDocument } from "#content/taxonomy/document.js";
import { presetNames, readPreset } from "#content/taxonomy/presets.js";
import { findNewestTaxonomy } from "#content/taxonomy/read.js";
import { toYaml } from "#content/taxonomy/to-yaml.js";
import { setTaxonomy, webSource } from "#content/taxonomy/write.js";
import { version } from "#lib/version.js";
import { write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { download, OutboundError } from "#platform/outbound/client.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import type { Locale } from "#words/languages.js";
import { say } from "#words/said.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { TaxonomyView } from "./taxonomy.js";
import { TaxonomyPreview } from "./taxonomy-preview.js";

/** As large as the parser accepts. */
const mostBytes = 1024 * 1024;

export async function loadTaxonomy({ db }: { db: Db }): Promise<{ document: TaxonomyDocument; digest: string }> {
  const row = await findNewestTaxonomy(db);
  if (!row) throw fail.notFound();
  return { document: JSON.parse(row.document) as TaxonomyDocument, digest: row.digest };
}

export function refuseIfLocked({ config }: Resources): void {
  if (config.taxonomyFile !== undefined) throw fail.wrongState(say.states.taxonomyFromFile);
}

type State = Omit<Parameters<typeof TaxonomyView>[0], "document" | "text" | "lockedBy"> & { text?: string };

/** The page with everything; `state` has the form that was refused. */
export async function taxonomyPage(request: FastifyRequest, resources: Resources, state?: State): Promise<Page> {
  const { document } = await loadTaxonomy(resources);
  return adminPage(
    { tab: "taxonomy", locale: localeOf(request), scripts: ["reorder"], ...(state && { status: 400 }) },
    <TaxonomyView document={document} text={toYaml(document)} lockedBy={resources.config.taxonomyFile} {...state} />,
  );
}

/** The effects of a document, with a button that applies it. */
export async function previewPage(
  request: FastifyRequest,
  resources: Resources,
  document: TaxonomyDocument,
  isStale = false,
): Promise<Page> {
  const present = await loadTaxonomy(resources);
  const changes = await findTaxonomyChanges(resources.db, present.document, document);
  return adminPage(
    { tab: "taxonomy", locale: localeOf(request) },
    <TaxonomyPreview changes={changes} document={document} base={present.digest} isStale={isStale} />,
  );
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
    ({ request }, resources) => taxonomyPage(request, resources),
  ),

  route(getTaxonomyFile, async ({ reply }, resources) => {
    reply.type("application/yaml; charset=utf-8").header("content-disposition", 'attachment; filename="taxonomy.yaml"');
    return reply.send(toYaml((await loadTaxonomy(resources)).document));
  }),

  route(getTaxonomyJson, async ({ reply }, resources) => {
    reply.type("application/json; charset=utf-8").header("content-disposition", 'attachment; filename="taxonomy.json"');
    return reply.send(JSON.stringify((await loadTaxonomy(resources)).document, null, 2));
  }),

  memberFormRoute(
    {
      id: "submitTaxonomy",
      path: "/admin/taxonomy",
      access: forAdmins,
      summary: "Show the effects of a taxonomy, or apply it",
      body: formFields("document", "base"),
      errors: ["wrongState"],
    },
    async ({ actor, request, body, reply }, resources) => {
      refuseIfLocked(resources);
      const text = body.document ?? "";
      const parsed = parseTaxonomy(text, "taxonomy.yaml");
      if (!parsed.ok) return taxonomyPage(request, resources, { text, problems: parsed.problems });
      if (body.base === undefined) return previewPage(request, resources, parsed.document);
      const isApplied = await write(resources, actor, async (tx) => {
        if ((await loadTaxonomy(tx)).digest !== body.base) return false;
        await setTaxonomy(tx, parsed.document, webSource);
        return true;
      });
      return isApplied ? seeOther(reply, "/admin/taxonomy") : previewPage(request, resources, parsed.document, true);
    },
  ),

  memberFormRoute(
    {
      id: "submitTaxonomyImport",
      path: "/admin/taxonomy/import",
      access: forAdmins,
      summary: "Show the effects of a template, or of a taxonomy from a file or a URL",
      body: formFields("url", "preset"),
      files: { file: { maxBytes: () => mostBytes, description: "YAML or JSON" } },
      errors: ["wrongState"],
    },
    async ({ request, body, files }, resources) => {
      refuseIfLocked(resources);
      const preset = presetNames.find((name) => name === body.preset);
      if (preset) return previewPage(request, resources, readPreset(preset));
      const url = (body.url ?? "").trim();
      let text = "";
      const problems = await attempt(async () => {
        text = (await readImport(resources, files.file?.bytes, url, localeOf(request))).toString("utf8");
      });
      if (problems) return taxonomyPage(request, resources, { imported: { url, problems } });
      const parsed = parseTaxonomy(text, "taxonomy.yaml");
      if (!parsed.ok) return taxonomyPage(request, resources, { text, problems: parsed.problems });
      return previewPage(request, resources, parsed.document);
    },
  ),
];

async function readImport(
  { config }: Resources,
  file: Buffer | undefined,
  url: string,
  locale: Locale,
): Promise<Buffer> {
  if (file && file.length > 0) return file;
  if (url === "") throw invalid({ path: "file", message: textsIn(texts.admin.taxonomy, locale).fileMissing });
  const headers = { accept: "application/yaml, application/json, text/plain", "user-agent": `Modshelf/${version}` };
  try {
    return await download({ url, headers, maxBytes: mostBytes }, { allowPrivate: config.privateWebhooks });
  } catch (error) {
    if (error instanceof OutboundError) throw invalid({ path: "url", message: error.said });
    throw error;
  }
}
