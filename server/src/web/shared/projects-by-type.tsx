// The projects of a user, organization or collection: by type, in pages. Also reads type and page from the URL.

import Type from "typebox";
import { projectEntries } from "#content/projects/entries.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { useFormat } from "#web/context/frame.js";
import type { Setup } from "#web/context/preferences.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Pagination, pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { type Fit, ProjectCards } from "#web/parts/project-card.js";
import { type Tab, Tabs } from "#web/parts/tabs.js";
import { texts } from "#words/texts.js";
import { findFits } from "./fits.js";

const pageSize = 20;

/** The path segment after a user, organization or collection: "mods". */
export const typesParam = { types: Type.String({ maxLength: 64, examples: ["mods"] }) };
export const projectPagesQuery = { page: Type.Optional(Type.String({ maxLength: 16 })) };

export interface ProjectPages {
  /** The path without the type: "/user/ada". */
  base: string;
  all: readonly ProjectListItem[];
  /** The types of the projects, in the order of the taxonomy. */
  types: readonly string[];
  /** Undefined: all types. */
  type: string | undefined;
  /** The path without the page: "/user/ada/mods". */
  path: string;
  shown: readonly ProjectListItem[];
  page: number;
  pages: number;
  /** Part of the URL of every page and tab: "setup=on". */
  query?: string;
  /** How the shown projects fit the visitor's set-up. */
  fits?: ReadonlyMap<string, Fit> | undefined;
}

export async function listItems(resources: Resources, ids: readonly string[]): Promise<ProjectListItem[]> {
  const entries = await projectEntries(resources).load(ids);
  return ids.flatMap((id) => entries.get(id)?.listItem.value ?? []);
}

export async function withFits(resources: Resources, setup: Setup, list: ProjectPages): Promise<ProjectPages> {
  return { ...list, fits: await findFits(resources, setup, list.shown) };
}

interface Params {
  types?: string | undefined;
  page?: string | undefined;
}

/** An unknown type is not found; an invalid page number stands for the first page. */
export function toProjectPages(
  base: string,
  all: readonly ProjectListItem[],
  { types, page: given = "1" }: Params,
  taxonomy: Taxonomy,
): ProjectPages {
  const type = types === undefined ? undefined : taxonomy.projectTypeAt(types);
  if (type === undefined && types !== undefined) throw fail.notFound();
  const fitting = type === undefined ? all : all.filter((project) => project.type.includes(type));
  const page = /^[1-9]\d{0,5}$/.test(given) ? Number(given) : 1;
  const pages = Math.max(1, Math.ceil(fitting.length / pageSize));
  const path = types === undefined ? base : `${base}/${types}`;
  const used = new Set(all.flatMap((project) => project.type));
  return {
    base,
    all,
    types: taxonomy.projectTypes.filter((each) => used.has(each)),
    type,
    path,
    page,
    pages,
    shown: fitting.slice((page - 1) * pageSize, page * pageSize),
  };
}

export const isPastTheEnd = ({ page, pages }: ProjectPages): boolean => page > pages;

function hrefOf(list: ProjectPages, page: number): string {
  const query = [list.query ?? "", page > 1 ? `page=${page}` : ""].filter((part) => part !== "").join("&");
  return list.path + (query === "" ? "" : `?${query}`);
}

/** Links for the head of the page, and its cards. Each page of a list has its own canonical URL. */
export const projectPagesLinks = (list: ProjectPages) => ({
  canonical: hrefOf({ ...list, query: "" }, list.page),
  cards: list.shown.map(({ id }) => id),
  ...pageLinks({ page: list.page, pages: list.pages, hrefOf: (page) => hrefOf(list, page) }),
});

/** With a tab for each type that has projects. */
export const ProjectsByType = ({ list }: { list: ProjectPages }) => {
  const { typeNames, typePath } = useTypes();
  const t = useTexts(texts.users.shared);
  const { base, all, types, shown, page, pages, fits, query } = list;
  const withQuery = (path: string) => (query ? `${path}?${query}` : path);
  const tabs: Tab[] = [
    { href: withQuery(base), path: base, text: t.all, count: all.length },
    ...types.map((type) => ({
      href: withQuery(base + typePath(type)),
      path: base + typePath(type),
      text: typeNames(type),
      count: all.filter((project) => project.type.includes(type)).length,
    })),
  ];
  return (
    <>
      {types.length > 1 && <Tabs label={t.byType} tabs={tabs} />}
      {isPastTheEnd(list) ? (
        <PastTheEnd lastPage={hrefOf(list, pages)} />
      ) : (
        <ProjectCards projects={shown} {...(fits && { fits })} />
      )}
      <Pagination page={Math.min(page, pages)} pages={pages} hrefOf={(number) => hrefOf(list, number)} />
    </>
  );
};

export const Totals = ({ all, members }: { all: readonly ProjectListItem[]; members?: number }) => {
  const t = useTexts(texts.users.shared);
  const format = useFormat();
  const downloads = all.reduce((sum, project) => sum + project.downloads, 0);
  return (
    <>
      <span>{t.projectCount(format.count(all.length), all.length === 1)}</span>
      <span title={format.number(downloads)}>{t.downloadCount(format.count(downloads), downloads === 1)}</span>
      {members !== undefined && <span>{t.memberCount(format.count(members), members === 1)}</span>}
    </>
  );
};
