// The pages of one subject, as a row of links.
import { useFrame } from "#web/context/frame.js";

export interface Tab {
  href: string;
  /** The path that is compared with the current page, if `href` has more than a path. */
  path?: string;
  text: string;
  count?: number;
  /** A path prefix: the tab is also marked on pages below it. */
  below?: string;
}

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const { path } = useFrame();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, path: own = href, text, count, below }) => (
        <a
          key={href}
          href={href}
          aria-current={path === own ? "page" : below && path.startsWith(below) ? "true" : undefined}
        >
          {text}
          {count !== undefined && <span class="muted"> {count}</span>}
        </a>
      ))}
    </nav>
  );
};
