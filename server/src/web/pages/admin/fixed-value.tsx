// A value on a settings page that cannot be edited now, with the reason if the environment or the config file sets it.
import type { DescribedSetting } from "#config/config.js";
import type { Children } from "#lib/jsx-runtime.js";
import { useTexts } from "#web/context/texts.js";
import { lockedSource } from "#web/parts/setting-field.js";
import { texts } from "#words/texts.js";

interface Props {
  label: string;
  value: Children;
  /** The setting that the value belongs to. */
  described: DescribedSetting | undefined;
}

export const FixedValue = ({ label, value, described }: Props) => {
  const t = useTexts(texts.admin.webSettings);
  const source = described && lockedSource(described);
  return (
    <div class="field">
      <b>{label}</b>
      <span>
        {value || "–"} {source && <span class="muted small">{t.locked(described.name, t.sources[source])}</span>}
      </span>
    </div>
  );
};
