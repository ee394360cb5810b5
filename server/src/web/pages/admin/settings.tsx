// Every setting with its value, source and description.

import { type DescribedSetting, settings } from "#config/config.js";
import type { SettingName } from "#config/setting.js";
import type { Children } from "#lib/jsx-runtime.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { wordsIn } from "#words/languages.js";
import { texts } from "#words/texts.js";
import { SettingsTabs } from "./settings-tabs.js";

export const Settings = ({ described }: { described: ReadonlyMap<string, DescribedSetting> }) => {
  const t = useTexts(texts.admin.overview);
  const web = useTexts(texts.admin.webSettings);
  const words = wordsIn(useFrame().locale).settings;
  const groups = Map.groupBy(settings, ({ group }) => group);
  return (
    <>
      <SettingsTabs />
      <p class="lead">{t.settingsLead}</p>
      <p class="actions">
        <ButtonLink kind="quiet" href="/admin/settings/modshelf.env">
          {web.exportAll}
        </ButtonLink>
        <span class="muted small">{web.exportHint}</span>
      </p>
      {[...groups].map(([group, members]) => (
        <section key={group} class="stack">
          <h2>{words.groups[group]}</h2>
          <div class="desk-table even">
            <table>
              <thead>
                <tr>
                  <th>{t.name}</th>
                  <th>{t.value}</th>
                  <th>{t.source}</th>
                </tr>
              </thead>
              <tbody>
                {members.map(({ name }) => (
                  <SettingRow key={name} name={name} described={described.get(name)} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </>
  );
};

interface RowProps {
  name: SettingName;
  described: DescribedSetting | undefined;
}

const SettingRow = ({ name, described }: RowProps) => {
  const t = useTexts(texts.admin.overview);
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        <p class="muted small">{withCode(wordsIn(useFrame().locale).settings.descriptions[name])}</p>
      </th>
      <td data-label={t.value}>
        {described?.value ? <code>{described.value}</code> : <span class="muted">{t.unset}</span>}
      </td>
      <td data-label={t.source}>{t.sources[described?.source ?? "default"]}</td>
    </tr>
  );
};

/** Descriptions are Markdown for the documentation: backticks mark code. */
const withCode = (text: string): Children =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={`${at}`}>{part}</code> : part));
