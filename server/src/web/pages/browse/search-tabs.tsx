// Tabs with the same search for each project type, users, organizations and collections, if it finds anything there.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type NamedKind, namedKinds } from "#discovery/search/named.js";
import { useFormat } from "#web/context/frame.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export interface SearchTabsProps {
  q: string;
  path: string;
  /** The number of results by project type. */
  types: Readonly<Record<string, number>>;
  /** Undefined if the text is too short for a search by name. */
  named: Readonly<Record<NamedKind, number>> | undefined;
  taxonomy: Taxonomy;
}

export const SearchTabs = ({ q, path, types, named, taxonomy }: SearchTabsProps) => {
  const t = useTexts(texts.browse.list);
  const { typeNames, typePath } = useTypes();
  const query = q === "" ? "" : `q=${encodeURIComponent(q)}`;
  const hrefOf = (to: string) => (query === "" ? to : `${to}${to.includes("?") ? "&" : "?"}${query}`);
  const shownTypes = taxonomy.projectTypes.filter((type) => (types[type] ?? 0) > 0 || typePath(type) === path);
  // Without a text, the pages to search by name lead to each other.
  const isNamedPage = path !== "/search" && q === "";
  const shownNamed = namedKinds.filter((kind) => named?.[kind] || isNamedPage || `/search/${kind}` === path);
  return (
    <nav class="tabs" aria-label={t.types}>
      <SearchTab href={hrefOf("/search")} isHere={path === "/search"} text={t.everything} />
      {shownTypes.map((type) => (
        <SearchTab
          key={type}
          href={hrefOf(typePath(type))}
          isHere={path === typePath(type)}
          text={typeNames(type)}
          count={types[type] ?? 0}
        />
      ))}
      {shownNamed.map((kind) => (
        <SearchTab
          key={kind}
          href={hrefOf(`/search/${kind}`)}
          isHere={path === `/search/${kind}`}
          text={t.named[kind]}
          {...(named && { count: named[kind] })}
        />
      ))}
    </nav>
  );
};

interface TabProps {
  href: string;
  isHere: boolean;
  text: string;
  count?: number;
}

const SearchTab = ({ href, isHere, text, count }: TabProps) => {
  const format = useFormat();
  return (
    <a href={href} aria-current={isHere ? "page" : undefined}>
      {text} {count !== undefined && <span class="muted">{format.count(count)}</span>}
    </a>
  );
};
