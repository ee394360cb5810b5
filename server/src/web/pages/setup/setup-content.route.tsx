// The routes of the page in setup-content.tsx.
import type { FastifyRequest } from "fastify";
import { parseTaxonomy, type TaxonomyDocument } from "#content/taxonomy/document.js";
import { presetNames, readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy, webSource } from "#content/taxonomy/write.js";
import { finishFirstRun } from "#operations/administration/first-run.js";
import { write } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { ContentForm, type State } from "./setup-content.js";
import { duringFirstRun } from "./setup-site.route.js";

const mostBytes = 256 * 1024;

export const setupContentRoutes: Route[] = [
  pageRoute(
    {
      id: "getSetupContentPage",
      path: "/setup/content",
      access: forAdmins,
      summary: "The initial project types of a new site",
      errors: ["setupDone"],
    },
    async ({ request }, resources) => {
      await duringFirstRun(resources);
      return contentPage(request, resources, {});
    },
  ),

  memberFormRoute(
    {
      id: "submitSetupContent",
      path: "/setup/content",
      access: forAdmins,
      summary: "Choose the initial project types of a new site, and complete the set-up",
      body: formFields("preset"),
      files: { file: { maxBytes: () => mostBytes, description: "YAML or JSON" } },
      errors: ["setupDone"],
    },
    async ({ viewer, actor, request, body, files, reply }, resources) => {
      await duringFirstRun(resources);
      const isFixed = (await findHurdle(resources)) !== undefined;
      const problems = await attempt(async () => {
        const document = isFixed ? undefined : readChoice(body.preset, files.file?.bytes, localeOf(request));
        await write(resources, actor, async (tx) => {
          if (document) await setTaxonomy(tx, document, webSource);
          await finishFirstRun(tx, viewer.user.id);
        });
      });
      return problems ? contentPage(request, resources, { preset: body.preset, problems }) : seeOther(reply, "/admin");
    },
  ),
];

/** Undefined keeps the present taxonomy. */
function readChoice(
  choice: string | undefined,
  file: Buffer | undefined,
  locale: Locale,
): TaxonomyDocument | undefined {
  const t = textsIn(texts.setup.steps, locale);
  if (choice !== "file") {
    const preset = presetNames.find((name) => name === choice) ?? "included";
    return preset === "included" ? undefined : readPreset(preset);
  }
  if (!file || file.length === 0) throw invalid({ path: "file", message: t.fileMissing });
  const parsed = parseTaxonomy(file.toString("utf8"), "taxonomy.yaml");
  if (parsed.ok) return parsed.document;
  const { line, message } = parsed.problems[0]!;
  throw invalid({ path: "file", message: t.fileWrong(line, message.in(locale)) });
}

/** The reason why the taxonomy cannot be chosen here. */
async function findHurdle({ db, config }: Resources): Promise<"file" | "inUse" | undefined> {
  if (config.taxonomyFile !== undefined) return "file";
  const project = await db.selectFrom("projects").select("id").limit(1).executeTakeFirst();
  return project && "inUse";
}

async function contentPage(request: FastifyRequest, resources: Resources, state: State): Promise<Page> {
  const t = textsIn(texts.setup.steps, localeOf(request));
  const hurdle = await findHurdle(resources);
  const remark = hurdle && (hurdle === "file" ? t.locked(resources.config.taxonomyFile!) : t.inUse);
  return narrowPage(
    { title: t.step(3, t.steps.content), lead: t.contentLead, status: state.problems?.status ?? 200 },
    <ContentForm remark={remark} {...state} />,
  );
}
