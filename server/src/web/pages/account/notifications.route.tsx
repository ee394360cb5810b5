// The routes of the page in notifications.tsx.
import Type from "typebox";
import { mutableTypes } from "#accounts/users/muted-notices.js";
import { editSettings, getSettings, type SettingsEdit } from "#community/notifications/settings.js";
import { setNotificationSettings as contract } from "#community/notifications/settings-contract.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Setup } from "#web/context/preferences.js";
import { setupOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { path, SettingsForm } from "./notifications.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

/** The choice in the form as settings. */
const followDefaultsFor = (
  mode: string | undefined,
  { gameVersion, loaders }: Setup,
): SettingsEdit["followDefaults"] =>
  mode === "setup"
    ? {
        mode: "filtered",
        gameVersions: gameVersion === "" ? null : [gameVersion],
        loaders: loaders.length === 0 ? null : [...loaders],
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
      summary: "The form for notification settings",
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
      summary: "Save notification settings",
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
