// The routes of the page in setup-site.tsx.
import type { FastifyRequest } from "fastify";
import { describeSettings } from "#config/config.js";
import { isFirstRunDone } from "#operations/administration/first-run.js";
import { findSeenAddress } from "#operations/administration/seen-address.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { toSettingText } from "#web/parts/setting-field.js";
import { changeSettings, lockedNames, readStamp } from "#web/shared/changed-settings.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { asked, names, SiteForm, type State } from "./setup-site.js";

/** These pages exist only until the first run is complete. */
export async function duringFirstRun({ db }: Resources): Promise<void> {
  if (await isFirstRunDone(db)) throw fail.setupDone();
}

export const setupSiteRoutes: Route[] = [
  pageRoute(
    {
      id: "getSetupSitePage",
      path: "/setup/site",
      access: forAdmins,
      summary: "The first settings of the site",
      errors: ["setupDone"],
    },
    async ({ request }, resources) => {
      await duringFirstRun(resources);
      return sitePage(request, resources, {});
    },
  ),

  memberFormRoute(
    {
      id: "submitSetupSite",
      path: "/setup/site",
      access: forAdmins,
      summary: "Save the first settings of the site",
      body: formFields(...names, "stamp"),
      errors: ["setupDone"],
    },
    async ({ viewer, actor, request, body, reply }, resources) => {
      await duringFirstRun(resources);
      const locked = lockedNames(resources.config);
      const given = body as Record<string, string | undefined>;
      const inputs = asked
        .filter(({ name }) => !locked.has(name))
        .map((setting) => ({ name: setting.name, text: toSettingText(setting, given[setting.name]) }));
      const problems = await attempt(
        async () => {
          await changeSettings({ viewer, actor }, resources, inputs, body.stamp);
        },
        { changedMeanwhile: "MODSHELF_SITE_NAME" },
      );
      return problems ? sitePage(request, resources, { given, problems }) : seeOther(reply, "/setup/content");
    },
  ),
];

async function sitePage(request: FastifyRequest, resources: Resources, state: State): Promise<Page> {
  const { config } = resources;
  const t = textsIn(texts.setup.steps, localeOf(request));
  const described = new Map(describeSettings(config).map((each) => [each.name, each]));
  const stamp = await readStamp(
    resources,
    asked.map(({ name }) => name),
  );
  const seen = findSeenAddress(request.headers, false);
  return narrowPage(
    { title: t.step(2, t.steps.site), lead: t.siteLead, status: state.problems?.status ?? 200 },
    <SiteForm url={config.http.url} seen={seen} stamp={stamp} described={described} {...state} />,
  );
}
