// The routes of the page in web-settings.tsx.
import Type from "typebox";
import { describeSettings, webSettings } from "#config/config.js";
import { type WebSection, webSections } from "#config/setting.js";
import { fail } from "#platform/errors.js";
import { type Call, endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formLists } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { toSettingText } from "#web/parts/setting-field.js";
import { changeSettings, lockedNames, readStamp } from "#web/shared/changed-settings.js";
import { forAdmins } from "#web/shared/staff-access.js";
import type { Locale } from "#words/languages.js";
import { adminPage } from "./admin-frame.js";
import { toConfigFile } from "./settings-file.js";
import { Section, type State, type View } from "./web-settings.js";

const params = Type.Object({ section: Type.String({ maxLength: 32 }) });

export const settingsBody = Type.Object({
  ...formLists(...webSettings.map(({ name }) => name)).properties,
  stamp: Type.Optional(Type.String({ maxLength: 64 })),
});

function getSection(text: string): WebSection {
  const section = webSections.find((name) => name === text);
  if (!section) throw fail.notFound();
  return section;
}

export async function loadSection(resources: Resources, section: WebSection): Promise<View> {
  const members = webSettings.filter(({ web }) => web === section);
  return {
    section,
    members,
    described: new Map(describeSettings(resources.config).map((each) => [each.name, each])),
    stamp: await readStamp(
      resources,
      members.map(({ name }) => name),
    ),
  };
}

const getSettingsFile = endpoint({
  id: "getSettingsFile",
  method: "GET",
  path: "/admin/settings/modshelf.env",
  access: forAdmins,
  rate: "read",
  tag: "Website",
  summary: "All settings as a config file, without secrets",
  answer: { raw: "text/plain", description: "A config file" },
  cacheControl: "no-store",
  internal: true,
});

export const webSettingsRoutes: Route[] = [
  route(getSettingsFile, async ({ reply }, { config }) => {
    reply.type("text/plain; charset=utf-8").header("content-disposition", 'attachment; filename="modshelf.env"');
    return reply.send(toConfigFile(describeSettings(config)));
  }),

  pageRoute(
    {
      id: "getWebSettingsPage",
      path: "/admin/settings/:section",
      access: forAdmins,
      summary: "Settings of the site that take effect at once",
      params,
      query: Type.Object({ did: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async ({ request, params, query }, resources) => {
      const view = await loadSection(resources, getSection(params.section));
      return shown(view, localeOf(request), { isSaved: query.did === "saved" });
    },
  ),

  memberFormRoute(
    {
      id: "submitWebSettings",
      path: "/admin/settings/:section",
      access: forAdmins,
      summary: "Change settings of the site",
      params,
      body: settingsBody,
    },
    async (call, resources) => saveSection(call, resources, getSection(call.params.section)),
  ),
];

type FormCall = Pick<Call, "actor" | "request" | "reply"> & { viewer: SignedIn; body: object };

/** Also for sections whose page shows more than their settings. */
export async function saveSection(call: FormCall, resources: Resources, section: WebSection) {
  const locked = lockedNames(resources.config);
  const { stamp = "", ...given } = call.body as Record<string, string | string[]> & { stamp?: string };
  const inputs = webSettings
    .filter(({ web, name }) => web === section && !locked.has(name))
    .map((setting) => ({ name: setting.name, text: toSettingText(setting, given[setting.name]) }));
  const problems = await attempt(async () => changeSettings(call, resources, inputs, stamp), {
    changedMeanwhile: "stamp",
  });
  if (!problems) return seeOther(call.reply, `/admin/settings/${section}?did=saved`);
  const typed = new Map(inputs.map(({ name, text }) => [name, text]));
  return shown(await loadSection(resources, section), localeOf(call.request), { typed, problems });
}

/** The page with the logo form, shown again. */
export const brandingWith = async (resources: Resources, locale: Locale, logoProblems: FormProblems): Promise<Page> =>
  shown(await loadSection(resources, "branding"), locale, { logoProblems });

const shown = (view: View, locale: Locale, state: State): Page =>
  adminPage(
    { tab: "settings", locale, status: (state.problems ?? state.logoProblems)?.status },
    <Section view={view} {...state} />,
  );
