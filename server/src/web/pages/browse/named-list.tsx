// Search results among users, organizations and collections, by name.
import type { NamedKind } from "#discovery/search/named.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Pagination } from "#web/parts/pagination.js";
import { Picture } from "#web/parts/picture.js";
import { texts } from "#words/texts.js";
import { SearchTabs, type SearchTabsProps } from "./search-tabs.js";

export interface FoundThing {
  href: string;
  name: string;
  /** Shown beside the name, smaller. */
  aside: string | { by: string } | undefined;
  text: string | null;
  picture: string;
  /** The number of projects of a collection. */
  projects?: number;
}

interface Props {
  kind: NamedKind;
  title: string;
  tabs: SearchTabsProps;
  found: readonly FoundThing[];
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

/** The form of the search field in the header. */
export const namedFormId = "named";

export const NamedList = ({ kind, title, tabs, found, page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.browse.list);
  const format = useFormat();
  const { q, path, named } = tabs;
  const total = named?.[kind] ?? 0;
  return (
    <div class="stack">
      <div class="browse-head">
        <h1 dir="auto">{title}</h1>
        <SearchTabs {...tabs} />
      </div>
      {total === 0 ? (
        <EmptyState
          title={q === "" ? t.searchNamed : kind === "users" ? t.noUsers : t.nothingNamed}
          action={{ href: q === "" ? "/search" : `/search?q=${encodeURIComponent(q)}`, text: t.searchProjects }}
        >
          <p>{t.namedHint[kind]}</p>
        </EmptyState>
      ) : (
        <>
          <p class="muted">{t.namedCount[kind](format.number(total), total === 1)}</p>
          <h2 class="visually-hidden">{t.named[kind]}</h2>
          <ul class="project-cards">
            {found.map((thing) => (
              <FoundCard key={thing.href} thing={thing} isRound={kind === "users"} />
            ))}
          </ul>
        </>
      )}
      <Pagination page={page} pages={pages} hrefOf={hrefOf} />
      <Form method="get" id={namedFormId} action={path} />
    </div>
  );
};

const FoundCard = ({ thing, isRound }: { thing: FoundThing; isRound: boolean }) => {
  const t = useTexts(texts.browse.list);
  const format = useFormat();
  const { href, name, aside, text, picture, projects } = thing;
  return (
    <li class="project-card">
      <Picture src={picture} size={40} round={isRound} />
      <div class="project-card-text">
        <h3>
          <a href={href} dir="auto">
            {name}
          </a>{" "}
          {aside !== undefined && (
            <span class="project-card-by">
              {typeof aside === "string" ? aside : [`${t.by} `, <bdi key="by">{aside.by}</bdi>]}
            </span>
          )}
        </h3>
        {text && (
          <p>
            <bdi>{text}</bdi>
          </p>
        )}
        {projects !== undefined && <p class="muted">{t.inCollection(format.count(projects), projects === 1)}</p>}
      </div>
    </li>
  );
};
