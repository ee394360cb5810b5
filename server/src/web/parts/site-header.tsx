// The top of every page: where you are, where you can go, who you are.
import type { Viewer } from "../../http/viewer.js";
import { Mark } from "./mark.js";

const links = [{ href: "/api/docs", text: "API reference" }];

export const SiteHeader = ({ viewer, path }: { viewer: Viewer; path: string }) => (
  <header class="site-header">
    <div class="wrap">
      <a class="brand" href="/">
        <Mark /> Modshelf
      </a>
      <nav class="site-nav" aria-label="Site">
        {links.map(({ href, text }) => (
          <a key={href} href={href} aria-current={path === href ? "page" : undefined}>
            {text}
          </a>
        ))}
        {viewer.kind !== "anonymous" && <span class="muted">{viewer.user.userName}</span>}
      </nav>
    </div>
  </header>
);
