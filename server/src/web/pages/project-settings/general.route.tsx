// The routes of the page in general.tsx.
import type { Static } from "typebox";
import { saveDetails, saveIcon } from "#content/projects/edit.js";
import { updateProject } from "#content/projects/edit-contract.js";
import { fromJson } from "#lib/json.js";
import type { Row } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { checkStamp, isStale, staleField } from "#web/parts/conflict.js";
import { getSettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { below, body, General, removeIcon, saved } from "./general.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

type Details = Required<Static<typeof updateProject.body>> & { type: string[] };

const savedIn = (row: Row<"projects">) =>
  saved({
    ...{ name: row.name, slug: row.slug, summary: row.summary, type: fromJson(row.types) },
    ...{ clientSide: row.client_side, serverSide: row.server_side, visibility: row.visibility },
  });

export const generalRoutes = [
  settingsPageRoute(
    { id: "getProjectSettingsPage", below, summary: "The settings of a project" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).general,
      content: <General view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitProjectSettings", below, summary: "Save a project's details", body },
    async (view, call, resources) => {
      const typed = call.body;
      let slug = view.project.slug;
      const problems = await attempt(
        async () => {
          const { stamp, next: _next, ...fields } = typed;
          // The whole form carries a stamp, and must have a type; the checklist only sends the client and server sides.
          const given = { ...fields, ...((stamp || typed.type) && { type: listOf(typed.type) }) };
          const { type, icon: _icon, ...details } = parse<Details>("body", updateProject.body, given, "body");
          slug = await saveDetails(resources, call, { ...details, types: type }, undefined, (project) =>
            checkStamp(stamp, savedIn(project)),
          );
        },
        { slugTaken: "slug", nameReserved: "slug", nameRetired: "slug", ...staleField },
      );
      if (!problems) return backTo(call.reply, typed.next, `${projectPath(slug)}${below}`);
      const present = isStale(problems) ? await getSettingsView(resources, call.viewer, view.project.id) : view;
      return {
        title: textsIn(texts.projectSettings.frame, call.locale).general,
        status: problems.status,
        content: <General view={present} typed={typed} problems={problems} />,
      };
    },
  ),

  settingsFormRoute(
    {
      id: "submitProjectIcon",
      below: `${below}/icon`,
      summary: "Save or remove a project's icon",
      body: formFields("remove"),
      files: {
        // Twice the limit, so that a picture that is slightly too large is refused on the page.
        icon: { maxBytes: ({ config }) => config.limits.iconBytes * 2, description: "PNG, JPEG, GIF or WebP" },
      },
    },
    async (view, call, resources) => {
      const { icon } = call.files;
      const t = textsIn(texts.projectSettings.general, call.locale);
      const problems = call.body.remove
        ? await attempt(() => removeIcon(call, resources))
        : await attempt(
            async () => {
              if (!icon) throw noPicture(t.noPicture);
              await saveIcon(resources, call, icon.bytes);
            },
            { imageUnusable: "icon", quotaReached: "icon" },
          );
      if (!problems) return backTo(call.reply, undefined, `${projectPath(view.project.slug)}${below}`);
      const title = textsIn(texts.projectSettings.frame, call.locale).general;
      return { title, status: problems.status, content: <General view={view} iconProblems={problems} /> };
    },
  ),
];

const noPicture = (message: string) => invalid({ path: "icon", message });
