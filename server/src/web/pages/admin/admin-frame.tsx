// The frame of the administration's pages.
import type { Children } from "#lib/jsx-runtime.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { SectionFrame } from "#web/frame/section-frame.js";
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
    content: <AdminFrame title={title}>{children}</AdminFrame>,
  };
}

const AdminFrame = (props: { title: string; children: Children }) => {
  const t = useTexts(texts.admin.overview);
  const tabs = (Object.keys(t.tabs) as TabName[]).map((name) => ({
    href: name === "home" ? "/admin" : name === "settings" ? "/admin/settings/general" : `/admin/${name}`,
    text: t.tabs[name],
    ...(name !== "home" && { below: `/admin/${name}` }),
  }));
  return <SectionFrame {...props} label={t.parts} tabs={tabs} />;
};
