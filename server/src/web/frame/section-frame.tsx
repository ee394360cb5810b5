// The frame of pages that belong together (dashboard, settings, moderation, administration): navigation and title.
import type { Children } from "#lib/jsx-runtime.js";
import { Notice } from "#web/parts/notice.js";
import { Picture } from "#web/parts/picture.js";
import { type Tab, Tabs } from "#web/parts/tabs.js";

interface Props {
  title: string;
  /** The name of the navigation. */
  label: string;
  /** The first is the overview; the others are also marked on the pages below them. */
  tabs: readonly Tab[];
  /** The project or organization that the pages are about. */
  subject?: { name: string; href: string; picture: string };
  /** Shown beside the title. */
  aside?: Children;
  lead?: string | undefined;
  /** The result of the last action. */
  done?: string | undefined;
  children: Children;
}

/** Beside the content on wide screens, the navigation is a row of tabs on others. */
export const SectionFrame = ({ title, label, tabs, subject, aside, lead, done, children }: Props) => (
  <div class="section-frame">
    <div class="section-side">
      {subject && (
        <a class="back-link" href={subject.href}>
          <Picture src={subject.picture} size={40} />
          <strong dir="auto">{subject.name}</strong>
        </a>
      )}
      <Tabs label={label} tabs={tabs.map((tab, at) => (at === 0 ? tab : { below: `${tab.href}/`, ...tab }))} />
    </div>
    <div class="stack loose section-body">
      <div class="stack">
        <div class="section-title">
          <h1 dir="auto">{title}</h1>
          {aside}
        </div>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {done && (
        <div role="status">
          <Notice title={done} />
        </div>
      )}
      {children}
    </div>
  </div>
);
