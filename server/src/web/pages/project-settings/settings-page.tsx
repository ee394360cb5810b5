// A page of a project's settings as a route, and the forms on it: finds the project, redirects to its canonical URL,
// and adds the navigation of the settings.

import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type TObject, type TProperties } from "typebox";
import { projectRef } from "#content/projects/contract.js";
import type { Children } from "#lib/jsx-runtime.js";
import type { Actor } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { EndpointSpec, FilePart, Route, StagedFile, UploadedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { movedTo, safeNext, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { SectionFrame } from "#web/frame/section-frame.js";
import { Notice } from "#web/parts/notice.js";
import { iconOf } from "#web/parts/project-card.js";
import { ChangesBanner } from "#web/shared/changes-banner.js";
import { canonicalUrl } from "#web/shared/project-view.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

export interface SettingsCall {
  request: FastifyRequest;
  reply: FastifyReply;
  viewer: SignedIn;
  actor: Actor;
  locale: Locale;
  params: { ref: string } & Record<string, string>;
}

interface Spec extends Pick<EndpointSpec, "id" | "summary"> {
  /** The path after the project. */
  below: string;
  params?: TProperties;
  rate?: EndpointSpec["rate"];
}

const refusals = ["projectNotFound", "membersOnly"] as const;
const paramsOf = (params: TProperties = {}) => Type.Object({ ...projectRef.properties, ...params });

interface Shown extends Pick<Page, "status" | "scripts"> {
  title: string;
  content: Children;
  /** The page itself shows what moderators ask for. */
  isAboutChanges?: boolean;
}

export type PageCall = SettingsCall & { query: { done?: string; [name: string]: string | undefined } };

/** A section that is read by GET. */
export const settingsPageRoute = (
  { below, params, query, ...spec }: Spec & { query?: TObject },
  show: (view: SettingsView, call: PageCall, resources: Resources) => Promise<Shown | FastifyReply>,
): Route =>
  pageRoute(
    {
      ...spec,
      path: `/project/:ref${below}`,
      access: needs("project_write"),
      params: paramsOf(params),
      query: Type.Object({ done: Type.Optional(Type.String()), ...query?.properties }),
      errors: refusals,
    },
    async (call, resources) => {
      const given = call.params as SettingsCall["params"];
      const view = await getSettingsView(resources, call.viewer, given.ref);
      const { slug } = view.project;
      if (given.ref !== slug) return movedTo(call.reply, canonicalUrl(call.request, slug));
      const locale = localeOf(call.request);
      const shown = await show(view, { ...call, params: given, query: call.query ?? {}, locale }, resources);
      return "content" in shown ? settingsPage(view, shown, locale, call.query.done) : shown;
    },
  );

export interface FormCall<B> extends SettingsCall {
  body: B;
  files: Record<string, UploadedFile | undefined>;
  staged: Record<string, StagedFile[]>;
}

/** A form of a section. It answers with the section again, or with a redirect. */
export const settingsFormRoute = <B extends TObject>(
  spec: Spec & { body: B; files?: Record<string, FilePart>; streams?: true; once?: true },
  handle: (view: SettingsView, call: FormCall<Type.Static<B>>, resources: Resources) => Promise<Shown | FastifyReply>,
): Route => {
  const { below, params, files, ...rest } = spec;
  return memberFormRoute(
    {
      ...rest,
      path: `/project/:ref${below}`,
      access: readable("project_write"),
      params: paramsOf(params),
      ...(files && { files }),
      errors: refusals,
    },
    async (call, resources) => {
      const given = call.params as SettingsCall["params"];
      const view = await getSettingsView(resources, call.viewer, given.ref);
      const locale = localeOf(call.request);
      const shown = await handle(view, { ...call, params: given, locale } as FormCall<Type.Static<B>>, resources);
      return "content" in shown ? settingsPage(view, shown, locale) : shown;
    },
  );
};

/** After a form: redirects to the page that it names, or else to the section itself. */
export const backTo = (reply: FastifyReply, next: string | undefined, path: string): FastifyReply =>
  seeOther(reply, next ? withDone(safeNext(next)) : withDone(path));
const withDone = (path: string): string => {
  const [before = "", anchor] = path.split("#", 2);
  return `${before}${before.includes("?") ? "&" : "?"}done=saved${anchor ? `#${anchor}` : ""}`;
};

function settingsPage(
  view: SettingsView,
  { title, content, isAboutChanges = false, ...meta }: Shown,
  locale: Locale,
  done?: string,
): Page {
  return {
    ...meta,
    title: `${title} · ${view.project.name}`,
    content: (
      <SettingsFrame
        view={view}
        title={title}
        asked={isAboutChanges ? undefined : view.asked}
        done={done === undefined ? undefined : textsIn(texts.projectSettings.frame, locale).saved}
      >
        {content}
      </SettingsFrame>
    ),
  };
}

interface FrameProps {
  view: SettingsView;
  title: string;
  asked: SettingsView["asked"];
  done: string | undefined;
  children: Children;
}

const SettingsFrame = ({ view: { project }, title, asked, done, children }: FrameProps) => {
  const t = useTexts(texts.projectSettings.frame);
  const path = projectPath(project.slug);
  const below = `${path}/settings`;
  const tabs = [
    { href: below, text: t.general },
    { href: `${below}/description`, text: t.description },
    { href: `${below}/tags`, text: t.tags },
    { href: `${below}/license`, text: t.license },
    { href: `${below}/links`, text: t.links },
    { href: `${below}/disclosures`, text: t.disclosures },
    { href: `${below}/gallery`, text: t.gallery },
    {
      href: `${below}/members`,
      text: t.members,
      below: [`${below}/members/`, `${below}/move`, `${below}/leave`],
    },
    { href: `${below}/publishing`, text: t.publishing },
    { href: `${below}/analytics`, text: t.analytics },
    { href: `${path}/moderation`, text: t.moderation },
  ];
  return (
    <SectionFrame
      {...{ title, done, tabs }}
      label={t.sections}
      subject={{ name: project.name, href: path, picture: iconOf(project) }}
    >
      {asked && <ChangesBanner project={project} asked={asked} />}
      {children}
    </SectionFrame>
  );
};

/** Shown in place of a form: the missing permission, and who can give it. */
export const PermissionMissing = ({
  permission,
}: {
  permission: keyof (typeof texts.projectSettings.frame)["en"]["permissions"];
}) => {
  const t = useTexts(texts.projectSettings.frame);
  return (
    <Notice kind="warning" title={t.readOnly}>
      <p>{t.missing(t.permissions[permission])}</p>
    </Notice>
  );
};
