// Settings of the site that administrators change on the web, effective at once, and all settings as one file.
import type { DescribedSetting } from "#config/config.js";
import type { WebSection } from "#config/setting.js";
import type { ListedSetting } from "#config/table.js";
import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { SettingField } from "#web/parts/setting-field.js";
import { texts } from "#words/texts.js";
import { LogoForm } from "./logo-view.js";
import { SettingsTabs } from "./settings-tabs.js";

export interface View {
  section: WebSection;
  members: readonly ListedSetting[];
  described: ReadonlyMap<string, DescribedSetting>;
  stamp: string;
}

export interface State {
  /** Shown before the form. */
  intro?: Children;
  isSaved?: boolean;
  /** The settings cannot be changed now. */
  isFixed?: boolean;
  typed?: ReadonlyMap<string, string>;
  problems?: FormProblems;
  logoProblems?: FormProblems;
}

export const Section = ({
  view,
  intro,
  isSaved = false,
  isFixed = false,
  typed,
  problems,
  logoProblems,
}: { view: View } & State) => {
  const t = useTexts(texts.admin.webSettings);
  const { section, members, described, stamp } = view;
  const isStale = problems?.fields.stamp !== undefined;
  const labels = t.labels as Record<string, string>;
  return (
    <>
      <SettingsTabs />
      <div class="stack desk-form">
        <h2>{t.sections[section]}</h2>
        {isSaved ? <Notice title={t.saved} /> : <p class="lead">{t.lead}</p>}
        {intro}
        {isStale && (
          <Notice kind="warning" title={t.meanwhile}>
            <p>{t.meanwhileText}</p>
          </Notice>
        )}
        {!isFixed && (
          <FormCard
            action={`/admin/settings/${section}`}
            button={t.save}
            labels={labels}
            problems={!isStale ? problems : undefined}
          >
            <input type="hidden" name="stamp" value={stamp} />
            {members.map((setting) => {
              const present = described.get(setting.name)!;
              const text = typed && (typed.get(setting.name) || setting.default);
              return (
                <div key={setting.name} class="stack">
                  <SettingField setting={setting} described={present} typed={text} problems={problems} />
                  {isStale && text !== present.value && <p class="small muted">{t.now(present.value || "–")}</p>}
                </div>
              );
            })}
          </FormCard>
        )}
        {section === "branding" && <LogoForm problems={logoProblems} />}
      </div>
    </>
  );
};
