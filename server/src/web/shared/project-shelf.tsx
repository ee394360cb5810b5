// The projects of somebody or something: by type, some at a time. Also which of them an address asks for.

import Type from "typebox";
import { projectEntries } from "#content/projects/entries.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import type { Setup } from "#web/context/preferences.js";
import { projectTypes, typeNames, typePath } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Pagination, pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { type Fit, ProjectCards } from "#web/parts/project-card.js";
import { type Tab, Tabs } from "#web/parts/tabs.js";
import { texts } from "#words/texts.js";
import { findFits } from "./fits.js";

const pageSize = 20;

/** Part of the address behind a user, organization or collection: "mods". */
export const typesParam = { types: Type.String({ maxLength: 64, examples: ["mods"] }) };
export const shelfQuery = { page: Type.Optional(Type.String({ maxLength: 16 })) };

export interface Shelf {
  /** Without the type: "/user/ada". */
  base: string;
  all: readonly ProjectListItem[];
  /** Undefined: of every type. */
  type: string | undefined;
  shown: readonly ProjectListItem[];
  page: number;
  pages: number;
  /** Of the address, on every page and tab: "setup=on". */
  query?: string;
  /** How those that are shown go with the visitor's set-up. */
  fits?: ReadonlyMap<string, Fit> | undefined;
}

export async function listItems(resources: Resources, ids: readonly string[]): Promise<ProjectListItem[]> {
  const entries = await projectEntries(resources).load(ids);
  return ids.flatMap((id) => entries.get(id)?.listItem.value ?? []);
}

export async function withFits(resources: Resources, setup: Setup, shelf: Shelf): Promise<Shelf> {
  return { ...shelf, fits: await findFits(resources, setup, shelf.shown) };
}

interface Asked {
  types?: string | undefined;
  page?: string | undefined;
}

/** A type that the site does not know has no page; a page that is none is the first. */
export function toShelf(base: string, all: readonly ProjectListItem[], { types, page: given = "1" }: Asked): Shelf {
  const type = types === undefined ? undefined : findType(types, all);
  const fitting = type === undefined ? all : all.filter((project) => project.type.includes(type));
  const page = /^[1-9]\d{0,5}$/.test(given) ? Number(given) : 1;
  const pages = Math.max(1, Math.ceil(fitting.length / pageSize));
  return { base, all, type, page, pages, shown: fitting.slice((page - 1) * pageSize, page * pageSize) };
}

/** Also one that an operator added to the taxonomy, where something here has it. */
function findType(plural: string, all: readonly ProjectListItem[]): string {
  const known = [...projectTypes, ...all.flatMap((project) => project.type)];
  const type = known.find((name) => typePath(name) === `/${plural}`);
  if (type === undefined) throw fail.notFound();
  return type;
}

export const isPastTheEnd = ({ page, pages }: Shelf): boolean => page > pages;

const pathOf = ({ base, type }: Shelf): string => (type === undefined ? base : base + typePath(type));

function shelfHref(shelf: Shelf, page: number): string {
  const query = [shelf.query ?? "", page > 1 ? `page=${page}` : ""].filter((part) => part !== "").join("&");
  return pathOf(shelf) + (query === "" ? "" : `?${query}`);
}

/** Where the page belongs among the others, for its head. Every page of a list is known by its own address. */
export const shelfLinks = (shelf: Shelf) => ({
  canonical: shelfHref({ ...shelf, query: "" }, shelf.page),
  ...pageLinks({ page: shelf.page, pages: shelf.pages, hrefOf: (page) => shelfHref(shelf, page) }),
});

/** With the tabs of those types that there is something of. */
export const ProjectShelf = ({ shelf }: { shelf: Shelf }) => {
  const { locale } = useFrame();
  const t = useTexts(texts.users.shared);
  const { base, all, shown, page, pages, fits, query } = shelf;
  const withQuery = (path: string) => (query ? `${path}?${query}` : path);
  const types = [...new Set(all.flatMap((project) => project.type))];
  const order = (type: string) => {
    const at = (projectTypes as readonly string[]).indexOf(type);
    return at < 0 ? projectTypes.length : at;
  };
  const tabs: Tab[] = [
    { href: withQuery(base), path: base, text: t.all, count: all.length },
    ...types
      .toSorted((a, b) => order(a) - order(b))
      .map((type) => ({
        href: withQuery(base + typePath(type)),
        path: base + typePath(type),
        text: typeNames(type, locale),
        count: all.filter((project) => project.type.includes(type)).length,
      })),
  ];
  return (
    <>
      {types.length > 1 && <Tabs label={t.byType} tabs={tabs} />}
      {isPastTheEnd(shelf) ? (
        <PastTheEnd lastPage={shelfHref(shelf, pages)} />
      ) : (
        <ProjectCards projects={shown} {...(fits && { fits })} />
      )}
      <Pagination page={Math.min(page, pages)} pages={pages} hrefOf={(number) => shelfHref(shelf, number)} />
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
