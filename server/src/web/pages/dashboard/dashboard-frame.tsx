// The frame of all dashboard pages.

import type { FastifyRequest } from "fastify";
import type { Children } from "#lib/jsx-runtime.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { SectionFrame } from "#web/frame/section-frame.js";
import { texts, textsIn } from "#words/texts.js";

export const dashboardWords = (request: FastifyRequest) => textsIn(texts.dashboard.overview, localeOf(request));

interface Props {
  title: string;
  /** The result of the last action. */
  done?: string | undefined;
  children: Children;
}

export const dashboardPage = ({ title, done, children, status }: Props & Pick<Page, "status">): Page => ({
  title,
  status,
  content: (
    <Frame title={title} done={done}>
      {children}
    </Frame>
  ),
});

const Frame = (props: Props) => {
  const t = useTexts(texts.dashboard.overview);
  const names = [
    "notifications",
    "projects",
    "organizations",
    "collections",
    "library",
    "reports",
    "analytics",
  ] as const;
  const tabs = [
    { href: "/dashboard", text: t.overview },
    ...names.map((name) => ({
      ...{ href: `/dashboard/${name}`, text: t[name] },
      ...(name === "reports" && { below: "/dashboard/report/" }),
    })),
  ];
  return <SectionFrame {...props} label={t.dashboard} tabs={tabs} />;
};
