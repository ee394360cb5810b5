// The frame of all settings pages.
import type { FastifyRequest } from "fastify";
import type { Children } from "#lib/jsx-runtime.js";
import { useFrame } from "#web/context/frame.js";
import { signInAgainPath } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { SectionFrame } from "#web/frame/section-frame.js";
import { type Texts, texts, textsIn } from "#words/texts.js";

export { signInAgainPath };

/** The texts in the visitor's language, for titles. */
export const wordsFor = <T,>(request: FastifyRequest, words: Texts<T>) => textsIn(words, localeOf(request));

interface Props {
  title: string;
  lead?: string | undefined;
  /** The result of the last action. */
  done?: string | undefined;
  children: Children;
}

export const settingsPage = ({
  children,
  status,
  scripts = [],
  ...props
}: Props & Pick<Page, "status" | "scripts">): Page => ({
  title: props.title,
  status,
  scripts,
  content: <SettingsFrame {...props}>{children}</SettingsFrame>,
});

const SettingsFrame = (props: Props) => {
  const { viewer } = useFrame();
  const t = useTexts(texts.account.settings);
  const applications = { connected: useTexts(texts.applications.connections), own: useTexts(texts.applications.own) };
  const display = { href: "/settings", text: t.display };
  const ofMembers = [
    { href: "/settings/profile", text: t.profile },
    { href: "/settings/account", text: t.account },
    { href: "/settings/security", text: t.security },
    { href: "/settings/sessions", text: t.sessions },
    { href: "/settings/pats", text: t.tokens },
    { href: "/settings/connections", text: applications.connected.tab },
    { href: "/settings/applications", text: applications.own.tab },
    { href: "/settings/notifications", text: t.notifications },
    { href: "/settings/shortcuts", text: t.shortcuts },
    { href: "/settings/security-log", text: t.log },
  ];
  const tabs = viewer.kind === "anonymous" ? [display] : [display, ...ofMembers];
  return <SectionFrame {...props} label={t.settings} tabs={tabs} />;
};
