// The tabs of the settings pages.

import { webSections } from "#config/setting.js";
import { useTexts } from "#web/context/texts.js";
import { Tabs } from "#web/parts/tabs.js";
import { texts } from "#words/texts.js";

export const SettingsTabs = () => {
  const t = useTexts(texts.admin.webSettings);
  const tabs = [
    ...webSections.map((section) => {
      const href = `/admin/settings/${section}`;
      return { href, text: t.sections[section], below: `${href}/` };
    }),
    { href: "/admin/settings/all", text: t.all },
  ];
  return <Tabs label={t.parts} tabs={tabs} />;
};
