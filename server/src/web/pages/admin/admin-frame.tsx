// The frame of the administration's pages.
import type { Children } from "#lib/jsx-runtime.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { Tabs } from "#web/parts/tabs.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

type TabName = keyof (typeof texts.admin.overview)["en"]["tabs"];

interface Opening extends Pick<Page, "status" | "scripts"> {
  tab: TabName;
  locale: Locale;
}

export function adminPage({ tab, locale, ...meta }: Opening, children: Children): Page {
  const t = textsIn(texts.admin.overview, locale);
  const title = tab === "home" ? t.title : t.tabs[tab];
  return {
    ...meta,
    title,
    content: (
      <div class="stack desk">
        <h1>{title}</h1>
        <AdminTabs />
        {children}
      </div>
    ),
  };
}

const AdminTabs = () => {
  const t = useTexts(texts.admin.overview);
  const tabs = (Object.keys(t.tabs) as TabName[]).map((name) => ({
    href: name === "home" ? "/admin" : name === "settings" ? "/admin/settings/general" : `/admin/${name}`,
    text: t.tabs[name],
    ...(name !== "home" && { below: `/admin/${name}` }),
  }));
  return <Tabs label={t.parts} tabs={tabs} />;
};
