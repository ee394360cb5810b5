// The pages of one thing, as a row of links.
import { useFrame } from "#web/context/frame.js";

export interface Tab {
  href: string;
  /** Where the address has more than that: what to know the present one by. */
  path?: string;
  text: string;
  count?: number;
  /** How the addresses begin whose pages belong to this one. */
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
