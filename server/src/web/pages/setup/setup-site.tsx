// The second step of the first run: what the site is called, who may join, in which language it speaks.

import type { FastifyRequest } from "fastify";
import { type DescribedSetting, describeSettings, webSettings } from "#config/config.js";
import { isFirstRunDone } from "#operations/administration/first-run.js";
import { findSeenAddress, type SeenAddress } from "#operations/administration/seen-address.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { applySettings } from "#platform/settings/live.js";
import { listWebSettings } from "#platform/settings/read.js";
import { saveSettings, stampOf } from "#platform/settings/write.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { lockedSource, SettingField, toSettingText } from "#web/parts/setting-field.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";

const names = ["MODSHELF_SITE_NAME", "MODSHELF_LANGUAGE", "MODSHELF_REGISTRATION"] as const;
const asked = webSettings.filter(({ name }) => (names as readonly string[]).includes(name));

/** Each answers only while the first run is not over. */
export async function duringFirstRun({ db }: Resources): Promise<void> {
  if (await isFirstRunDone(db)) throw fail.setupDone();
}

export const setupSiteRoutes: Route[] = [
  pageRoute(
    {
      id: "getSetupSitePage",
      path: "/setup/site",
      access: forAdmins,
      summary: "The first questions about the site",
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
      summary: "Answer the first questions about the site",
      body: formFields(...names, "stamp"),
      errors: ["setupDone"],
    },
    async ({ viewer, actor, request, body, reply }, resources) => {
      await duringFirstRun(resources);
      const described = describeSettings(resources.config);
      const locked = new Set(described.flatMap((each) => (lockedSource(each) ? each.name : [])));
      const given = body as Record<string, string | undefined>;
      const inputs = asked
        .filter(({ name }) => !locked.has(name))
        .map((setting) => ({ name: setting.name, text: toSettingText(setting, given[setting.name]) }));
      const problems = await attempt(
        async () => {
          const stamp = body.stamp ?? "";
          await write(resources, actor, (tx) => saveSettings(tx, viewer.user.id, inputs, { locked, stamp }));
          await applySettings(resources);
        },
        { changedMeanwhile: "MODSHELF_SITE_NAME" },
      );
      return problems ? sitePage(request, resources, { given, problems }) : seeOther(reply, "/setup/content");
    },
  ),
];

interface State {
  given?: Record<string, string | undefined>;
  problems?: FormProblems;
}

async function sitePage(request: FastifyRequest, { db, config }: Resources, state: State): Promise<Page> {
  const t = textsIn(texts.setup.steps, localeOf(request));
  const described = new Map(describeSettings(config).map((each) => [each.name, each]));
  const stamp = stampOf(
    await listWebSettings(db),
    asked.flatMap(({ name }) => (lockedSource(described.get(name)!) ? [] : name)),
  );
  const seen = findSeenAddress(request.headers, false);
  return narrowPage(
    { title: t.step(2, t.steps.site), lead: t.siteLead, status: state.problems?.status ?? 200 },
    <SiteForm url={config.http.url} seen={seen} stamp={stamp} described={described} {...state} />,
  );
}

interface Props extends State {
  url: string;
  seen: SeenAddress | undefined;
  stamp: string;
  described: ReadonlyMap<string, DescribedSetting>;
}

const SiteForm = ({ url, seen, stamp, described, given, problems }: Props) => {
  const t = useTexts(texts.setup.steps);
  const { labels } = useTexts(texts.admin.webSettings);
  return (
    <>
      <AddressNotice url={url} seen={seen} />
      <FormCard action="/setup/site" button={t.next} labels={labels} problems={problems}>
        <input type="hidden" name="stamp" value={stamp} />
        {asked.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            described={described.get(setting.name)!}
            typed={given?.[setting.name]}
            problems={problems}
          />
        ))}
      </FormCard>
      <p>
        <a href="/setup/content">{t.skip}</a>
      </p>
    </>
  );
};

/** The address is the one thing that cannot be decided here: cookies and sign-in rest on it from the start. */
const AddressNotice = ({ url, seen }: Pick<Props, "url" | "seen">) => {
  const t = useTexts(texts.setup.steps);
  if (!seen || seen.origin === url)
    return (
      <Notice title={t.address}>
        <p>{t.addressFits(url)}</p>
      </Notice>
    );
  return (
    <Notice kind="warning" title={t.address}>
      <p>{t.addressDiffers(url, seen.origin)}</p>
      <p>{t.addressTodo}</p>
      <p>
        <code>MODSHELF_URL={seen.origin}</code>
      </p>
    </Notice>
  );
};
