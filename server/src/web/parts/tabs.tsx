// The pages of one subject, as a row of links.
import { useFrame } from "#web/context/frame.js";

export interface Tab {
  href: string;
  /** The path that is compared with the current page, if `href` has more than a path. */
  path?: string;
  text: string;
  count?: number;
  /** Prefixes of paths: the tab is also marked on pages below them. */
  below?: string | readonly string[];
}

const isBelow = (path: string, below: Tab["below"]): boolean =>
  typeof below === "string" ? path.startsWith(below) : (below?.some((prefix) => path.startsWith(prefix)) ?? false);

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const { path } = useFrame();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, path: own = href, text, count, below }) => (
        <a key={href} href={href} aria-current={path === own ? "page" : isBelow(path, below) ? "true" : undefined}>
          {text}
          {count !== undefined && <span class="muted"> {count}</span>}
        </a>
      ))}
    </nav>
  );
};
