// What one wants to be told, and whether by mail too.

import Type from "typebox";
import { mutableTypes } from "#accounts/users/muted-notices.js";
import { editSettings, getSettings, type SettingsEdit } from "#community/notifications/settings.js";
import { setNotificationSettings as contract } from "#community/notifications/settings-contract.js";
import type { NotificationSettings } from "#community/notifications/shapes.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { formFields } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import type { Setup } from "#web/context/preferences.js";
import { setupOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

const path = "/settings/notifications";

/** Choices of the form as the settings say them. */
const followDefaultsFor = (mode: string | undefined, { gameVersion, loader }: Setup): SettingsEdit["followDefaults"] =>
  mode === "setup"
    ? {
        mode: "filtered",
        gameVersions: gameVersion === "" ? null : [gameVersion],
        loaders: loader === "" ? null : [loader],
        channels: ["release"],
      }
    : mode === "all" || mode === "none"
      ? { mode }
      : undefined;

export const notificationSettingsRoutes: Route[] = [
  pageRoute(
    {
      id: "getNotificationSettingsPage",
      path,
      access: needs("notification_read"),
      summary: "The form for what one wants to be told",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, resources) => {
      const t = wordsFor(request, texts.account.settings);
      return settingsPage({
        title: t.notifications,
        lead: wordsFor(request, texts.account.notifications).lead,
        done: query.done === undefined ? undefined : t.saved,
        children: <SettingsForm settings={await getSettings(resources, viewer.user.id)} />,
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitNotificationSettings",
      path,
      access: readable("notification_write"),
      summary: "Save what one wants to be told",
      body: formFields("digest", "follows", ...mutableTypes),
    },
    async ({ request, reply, viewer, actor, body }, resources) => {
      const muted = mutableTypes.filter((type) => body[type] === undefined);
      const given = { muted, ...(body.digest !== undefined && { digest: body.digest }) };
      const edit = parse<SettingsEdit>("body", contract.body, given, "body");
      const followDefaults = followDefaultsFor(body.follows, setupOf(request));
      await write(resources, actor, (tx) => editSettings(tx, viewer.user.id, { ...edit, followDefaults }));
      return seeOther(reply, `${path}?done=saved`);
    },
  ),
];

const SettingsForm = ({ settings }: { settings: NotificationSettings }) => {
  const t = useTexts(texts.account.notifications);
  const common = useTexts(texts.parts.common);
  const { setup } = useFrame();
  const { mode } = settings.followDefaults;
  return (
    <Form class="form card" action={path}>
      <fieldset class="plain-list">
        <legend>{t.tellMe}</legend>
        {(["version_published", "team_invite", "organization_invite"] as const).map((type) => (
          <CheckboxField key={type} name={type} label={t.types[type]} checked={!settings.muted.includes(type)} />
        ))}
      </fieldset>
      <SelectField
        name="follows"
        label={t.follows}
        hint={t.followsHint}
        value={mode === "filtered" ? "setup" : mode}
        options={(["all", "setup", "none"] as const).map((value) => ({ value, text: t.modes[value] }))}
      />
      {setup.gameVersion === "" && setup.loader === "" && (
        <p class="muted small">
          {t.noSetup} <a href="/settings#setup">{t.chooseSetup}</a>
        </p>
      )}
      {settings.mail === "unavailable" ? (
        <p class="muted">{t.unavailable}</p>
      ) : (
        <SelectField
          name="digest"
          label={t.digest}
          value={settings.digest}
          options={(["off", "daily", "weekly"] as const).map((value) => ({ value, text: t.digests[value] }))}
        />
      )}
      {settings.mail === "addressUnconfirmed" && (
        <Notice kind="warning" title={t.unconfirmed}>
          <p>
            <a href="/settings/account">{t.toAccount}</a>
          </p>
        </Notice>
      )}
      <Button>{common.save}</Button>
    </Form>
  );
};
