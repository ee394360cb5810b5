// The pages of one thing, as a row of links.
import { useFrame } from "../frame.js";

export interface Tab {
  href: string;
  text: string;
  count?: number;
}

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const { path } = useFrame();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, count }) => (
        <a key={href} href={href} aria-current={path === href ? "page" : undefined}>
          {text}
          {count !== undefined && <span class="muted"> {count}</span>}
        </a>
      ))}
    </nav>
  );
};
