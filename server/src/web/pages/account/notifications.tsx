// Which notifications a user gets, and whether by mail too.
import type { NotificationSettings } from "#community/notifications/shapes.js";
import { useFrame } from "#web/context/frame.js";
import { hasSetup } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

export const path = "/settings/notifications";

export const SettingsForm = ({ settings }: { settings: NotificationSettings }) => {
  const t = useTexts(texts.account.notifications);
  const common = useTexts(texts.parts.common);
  const { setup } = useFrame();
  const { mode } = settings.followDefaults;
  return (
    <Form class="form card" action={path}>
      <fieldset class="plain-list">
        <legend>{t.tellMe}</legend>
        {(["version_published", "project_published", "team_invite", "organization_invite"] as const).map((type) => (
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
      {!hasSetup(setup) && (
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
