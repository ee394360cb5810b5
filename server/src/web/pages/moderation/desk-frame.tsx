// The frame of the moderation desk's pages: tabs, and the claims of other moderators.

import type { FastifyRequest } from "fastify";
import type { Project } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { type DeskKeys, readShortcuts } from "#lib/shortcuts.js";
import type { Claim } from "#moderation/desk/shapes.js";
import { useFrame } from "#web/context/frame.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { SectionFrame } from "#web/frame/section-frame.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

interface Opening extends Pick<Page, "status" | "scripts"> {
  title: string;
  /** Shown beside the heading. */
  aside?: Children;
}

/** `title` in the language of the page. */
export const deskPage = ({ title, aside, ...meta }: Opening, children: Children): Page => ({
  ...meta,
  title,
  content: (
    <Desk title={title} aside={aside}>
      {children}
    </Desk>
  ),
});

/** The moderator's own shortcuts, for buttons and for actions of the script. */
export function useDeskKeys(): DeskKeys {
  const { viewer } = useFrame();
  return readShortcuts(viewer.kind === "anonymous" ? null : viewer.user.shortcuts).desk;
}

const Desk = (props: { title: string; aside: Children; children: Children }) => {
  const t = useTexts(texts.moderation.desk);
  const tabs = [
    { href: "/moderation", text: t.tabs.overview },
    { href: "/moderation/queue", text: t.tabs.queue, below: "/moderation/queue/" },
    { href: "/moderation/reports", text: t.tabs.reports, below: "/moderation/report/" },
    { href: "/moderation/files", text: t.tabs.files, below: ["/moderation/scan/", "/moderation/quarantine"] },
    { href: "/moderation/users", text: t.tabs.users, below: "/moderation/user/" },
    { href: "/moderation/applications", text: useTexts(texts.applications.desk).title },
    { href: "/moderation/log", text: t.tabs.log },
  ];
  return (
    <div data-desk-keys={JSON.stringify(useDeskKeys())}>
      <SectionFrame {...props} label={t.parts} tabs={tabs} />
    </div>
  );
};

/** The texts of a page, and its language. */
export function wordsFor(request: FastifyRequest): { locale: Locale; t: ReturnType<typeof deskWords> } {
  const locale = localeOf(request);
  return { locale, t: deskWords(locale) };
}

const deskWords = (locale: Locale) => textsIn(texts.moderation.desk, locale);

const shapes: Record<Project["status"], [shape: string, pill: string]> = {
  draft: ["○", "beta"],
  processing: ["◔", "dev"],
  approved: ["✓", "release"],
  withheld: ["▲", "beta"],
  rejected: ["✕", "alpha"],
};

/** A shape and a word, never colour alone. */
export const StatusPill = ({ status }: { status: Project["status"] }) => {
  const t = useTexts(texts.moderation.desk);
  const [shape, pill] = shapes[status];
  return (
    <span class={`pill ${pill}`}>
      <span aria-hidden="true">{shape}</span> {t.statuses[status]}
    </span>
  );
};

export const ClaimMark = ({ claim }: { claim: Claim | null }) => {
  const t = useTexts(texts.moderation.desk);
  const { viewer } = useFrame();
  if (!claim) return <span class="muted">{t.free}</span>;
  const isMine = viewer.kind !== "anonymous" && viewer.user.id === claim.userId;
  return <span class="pill dev">{isMine ? t.inYourHand : t.inHandOf(claim.userName)}</span>;
};
