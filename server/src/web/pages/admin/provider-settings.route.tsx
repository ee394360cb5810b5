// The routes of the pages in provider-settings.tsx. Changes need a recent sign-in, and one administrator must still be able to
// sign in after them.
import Type from "typebox";
import { knownProviders, listConfigured, type ProviderName } from "#accounts/providers/known-providers.js";
import { redirectUri } from "#accounts/providers/policy.js";
import { canAdministratorsSignIn } from "#accounts/providers/read.js";
import { isFresh } from "#accounts/users/policy.js";
import { type DescribedSetting, describeSettings, webSettings } from "#config/config.js";
import { fail, invalid } from "#platform/errors.js";
import type { Call, Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import type { SettingInput } from "#platform/settings/write.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { changeSettings, lockedNames, readStamp } from "#web/shared/changed-settings.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { say } from "#words/said.js";
import { adminPage } from "./admin-frame.js";
import {
  fieldNames,
  type ListedProvider,
  type ProviderFields,
  ProviderList,
  ProviderSettings,
  type ProviderState,
  providersPath,
} from "./provider-settings.js";

const params = Type.Object({ provider: Type.String({ maxLength: 32 }) });
const offName = "MODSHELF_OAUTH_OFF";
const defaultUrl = webSettings.find(({ name }) => name === settingsOf("gitlab").url)!.default!;
const allNames = Object.keys(knownProviders) as ProviderName[];

function getName(text: string): ProviderName {
  const name = allNames.find((each) => each === text);
  if (!name) throw fail.notFound();
  return name;
}

/** The settings of one provider. */
function settingsOf(provider: ProviderName) {
  const start = `MODSHELF_OAUTH_${provider.toUpperCase()}`;
  return {
    clientId: `${start}_CLIENT_ID`,
    clientSecret: `${start}_CLIENT_SECRET`,
    url: provider === "gitlab" ? `${start}_URL` : undefined,
  };
}

const describedBy = ({ config }: Resources): ReadonlyMap<string, DescribedSetting> =>
  new Map(describeSettings(config).map((each) => [each.name, each]));

function toListed(name: ProviderName, described: ReadonlyMap<string, DescribedSetting>): ListedProvider {
  const isSet = described.get(settingsOf(name).clientId)!.value !== "";
  const state = !isSet ? "missing" : listOff(described).includes(name) ? "off" : "on";
  return { name, title: knownProviders[name].title, state };
}

const listOff = (described: ReadonlyMap<string, DescribedSetting>): string[] =>
  described
    .get(offName)!
    .value.toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

export const providerSettingsRoutes: Route[] = [
  pageRoute(
    { id: "getProvidersPage", path: providersPath, access: forAdmins, summary: "The sign-in providers of the site" },
    async ({ request }, resources) => {
      const described = describedBy(resources);
      const providers = allNames.map((name) => toListed(name, described));
      return adminPage({ tab: "settings", locale: localeOf(request) }, <ProviderList providers={providers} />);
    },
  ),

  pageRoute(
    {
      id: "getProviderPage",
      path: `${providersPath}/:provider`,
      access: forAdmins,
      summary: "A sign-in provider of the site",
      params,
      query: Type.Object({ did: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async (call, resources) =>
      providerPage(call, resources, getName(call.params.provider), { isSaved: call.query.did === "saved" }),
  ),

  memberFormRoute(
    {
      id: "submitProvider",
      path: `${providersPath}/:provider`,
      access: forAdmins,
      summary: "Set up a sign-in provider",
      params,
      body: formFields(...fieldNames, "stamp"),
    },
    async (call, resources) => {
      const name = getName(call.params.provider);
      const { isOn, url = "" } = call.body;
      // Accounts that are linked to another GitLab do not work here.
      const isMoved = name === "gitlab" && url !== "" && url !== resources.config.oauth.gitlab?.url;
      return change(call, resources, name, () => toInputs(resources, name, call.body), isOn !== "on" || isMoved);
    },
  ),

  memberFormRoute(
    {
      id: "submitProviderRemoval",
      path: `${providersPath}/:provider/remove`,
      access: forAdmins,
      summary: "Remove a sign-in provider",
      params,
      body: formFields("stamp"),
    },
    async (call, resources) => {
      const name = getName(call.params.provider);
      const locked = lockedNames(resources.config);
      const inputs = namesOf(name)
        .filter((each) => each !== offName && !locked.has(each))
        .map((each) => ({ name: each, text: "" }));
      return change(call, resources, name, () => inputs, true);
    },
  ),
];

const namesOf = (provider: ProviderName): string[] =>
  [...Object.values(settingsOf(provider)), offName].filter((name) => name !== undefined);

/** The field of the form that a setting is entered in. */
const fieldOf = (provider: ProviderName, setting: string): string =>
  Object.entries(settingsOf(provider)).find(([, name]) => name === setting)?.[0] ?? setting;

type FormCall = Pick<Call, "request" | "reply" | "actor"> & {
  viewer: SignedIn;
  body: ProviderFields & { stamp?: string };
};

async function change(
  call: FormCall,
  resources: Resources,
  name: ProviderName,
  toInputs: () => SettingInput[],
  isGoing: boolean,
) {
  const { config, clock } = resources;
  if (!isFresh(call.viewer, clock.now())) return providerPage(call, resources, name, {});
  const rest = listConfigured(config.oauth).filter((each) => each !== name);
  const problems = await attempt(
    async () => {
      const inputs = toInputs();
      await changeSettings(call, resources, inputs, call.body.stamp, async ({ db }) => {
        if (!isGoing || !config.oauth[name] || (await canAdministratorsSignIn(db, rest))) return;
        if (await canAdministratorsSignIn(db, [name]))
          throw invalid({ path: "isOn", message: say.problems.neededByAdmins });
      });
    },
    { changedMeanwhile: "stamp" },
  );
  if (!problems) return seeOther(call.reply, `${providersPath}/${name}?did=saved`);
  const fields = Object.entries(problems.fields).map(([path, problem]) => [fieldOf(name, path), problem]);
  return providerPage(call, resources, name, {
    typed: call.body,
    problems: { ...problems, fields: Object.fromEntries(fields) },
  });
}

/** Where an application is registered. GitLab's is at its own URL. */
const consoles: Record<ProviderName, string> = {
  github: "https://github.com/settings/developers",
  gitlab: "/-/user_settings/applications",
  discord: "https://discord.com/developers/applications",
  google: "https://console.cloud.google.com/apis/credentials",
};

async function providerPage(
  { viewer, request }: Pick<Call, "request"> & { viewer: SignedIn },
  resources: Resources,
  name: ProviderName,
  state: ProviderState,
): Promise<Page> {
  const { config, clock } = resources;
  const described = describedBy(resources);
  const names = settingsOf(name);
  const url = names.url === undefined ? undefined : described.get(names.url)!;
  const view = {
    ...toListed(name, described),
    console: `${url?.value ?? ""}${consoles[name]}`,
    redirectUrl: redirectUri(config.http.url, name),
    clientId: described.get(names.clientId)!,
    clientSecret: described.get(names.clientSecret)!,
    url,
    off: described.get(offName)!,
    stamp: await readStamp(resources, namesOf(name)),
    isFresh: isFresh(viewer, clock.now()),
  };
  const status = state.problems?.status ?? (request.method === "POST" && !view.isFresh ? 403 : 200);
  return adminPage({ tab: "settings", locale: localeOf(request), status }, <ProviderSettings view={view} {...state} />);
}

/** The settings that the form stands for. */
function toInputs(resources: Resources, provider: ProviderName, body: ProviderFields) {
  const described = describedBy(resources);
  const locked = lockedNames(resources.config);
  const names = settingsOf(provider);
  const clientId = (body.clientId ?? "").trim();
  const url = (body.url ?? "").trim() || defaultUrl;
  const others = listOff(described).filter((name) => name !== provider);
  const off = (body.isOn === "on" ? others : [...others, provider]).sort().join(",");
  const inputs = [
    ...(names.url ? [{ name: names.url, text: url === defaultUrl ? "" : url }] : []),
    { name: names.clientId, text: clientId },
    { name: offName, text: off },
  ].filter(({ name }) => !locked.has(name));
  if (locked.has(names.clientSecret)) return inputs;
  const secret = body.clientSecret ?? "";
  if (secret) return [...inputs, { name: names.clientSecret, text: secret }];
  // The stored secret goes only to the client and the server that it was entered for.
  const isSame = (name: string | undefined, text: string) =>
    !name || locked.has(name) || described.get(name)!.value === text;
  const isKept =
    described.get(names.clientSecret)!.value !== "" && isSame(names.clientId, clientId) && isSame(names.url, url);
  if (!isKept)
    throw invalid({ path: "clientSecret", message: clientId ? say.problems.secretAgain : say.problems.missing });
  return [...inputs, { name: names.clientSecret }];
}
