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
import { formFields } from "#web/form.js";
import { useFrame } from "#web/frame.js";
import { memberFormRoute, pageRoute } from "#web/page.js";
import { Button } from "#web/parts/button.js";
import { commonTexts } from "#web/parts/common-texts.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { seeOther } from "#web/paths.js";
import type { Setup } from "#web/preferences.js";
import { setupOf } from "#web/preferences.js";
import { defineTexts, useTexts } from "#web/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";
import { settingsTexts } from "./settings-texts.js";

const texts = defineTexts({
  en: {
    lead: "What moderators have to say about your projects and reports always reaches you.",
    tellMe: "Tell me about",
    types: {
      version_published: "New versions of projects I follow",
      team_invite: "Invitations to projects",
      organization_invite: "Invitations to organizations",
    },
    digest: "By mail",
    digests: { off: "No mails", daily: "Once a day, what is unread", weekly: "Once a week, what is unread" },
    unavailable: "This site sends no mail, so you find all news here only.",
    unconfirmed: "Mails can only reach you once your address is confirmed.",
    toAccount: "Confirm it on the account page",
    follows: "New versions",
    followsHint: "For every project that you follow and have not set otherwise in your library.",
    modes: { all: "All of them", setup: "Those for my setup, releases only", none: "None" },
    noSetup: "You have not chosen a setup yet; without one every game version and loader counts.",
    chooseSetup: "Choose your setup",
  },
  de: {
    lead: "Was die Moderation zu deinen Projekten und Meldungen sagt, erreicht dich immer.",
    tellMe: "Sag mir Bescheid über",
    types: {
      version_published: "Neue Versionen von Projekten, denen ich folge",
      team_invite: "Einladungen zu Projekten",
      organization_invite: "Einladungen zu Organisationen",
    },
    digest: "Per Mail",
    digests: {
      off: "Keine Mails",
      daily: "Einmal am Tag, was ungelesen ist",
      weekly: "Einmal in der Woche, was ungelesen ist",
    },
    unavailable: "Diese Seite verschickt keine Mails; alles Neue findest du hier.",
    unconfirmed: "Mails erreichen dich erst, wenn deine Adresse bestätigt ist.",
    toAccount: "Bestätige sie auf der Kontoseite",
    follows: "Neue Versionen",
    followsHint: "Für jedes Projekt, dem du folgst und zu dem du in deiner Bibliothek nichts anderes gewählt hast.",
    modes: { all: "Alle", setup: "Solche für mein Setup, nur Releases", none: "Keine" },
    noSetup: "Du hast noch kein Setup gewählt; ohne eines zählt jede Spielversion und jeder Loader.",
    chooseSetup: "Wähle dein Setup",
  },
});

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
      const t = wordsFor(request, settingsTexts);
      return settingsPage({
        title: t.notifications,
        lead: wordsFor(request, texts).lead,
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
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  const { setup } = useFrame();
  const { mode } = settings.followDefaults;
  return (
    <Form class="form card" action={path}>
      <fieldset class="plain">
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
