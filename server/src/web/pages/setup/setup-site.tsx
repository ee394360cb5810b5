// The second step of the first run: the name of the site, registration and language.
import { type DescribedSetting, webSettings } from "#config/config.js";
import type { SeenAddress } from "#operations/administration/seen-address.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { SettingField } from "#web/parts/setting-field.js";
import { texts } from "#words/texts.js";

export const names = ["MODSHELF_SITE_NAME", "MODSHELF_LANGUAGE", "MODSHELF_REGISTRATION"] as const;

export const asked = webSettings.filter(({ name }) => (names as readonly string[]).includes(name));

export interface State {
  given?: Record<string, string | undefined>;
  problems?: FormProblems;
}

interface Props extends State {
  url: string;
  seen: SeenAddress | undefined;
  stamp: string;
  described: ReadonlyMap<string, DescribedSetting>;
}

export const SiteForm = ({ url, seen, stamp, described, given, problems }: Props) => {
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

/** The URL of the site cannot be changed here: cookies and sign-in depend on it from the start. */
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
