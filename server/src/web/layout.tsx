// The shell of every page: head, skip link, header, footer. Complete without script.
import type { ComponentChildren } from "preact";
import type { Viewer } from "../http/viewer.js";
import { assetPath } from "./assets.js";
import { SiteFooter } from "./parts/site-footer.js";
import { SiteHeader } from "./parts/site-header.js";

/** Chosen by the visitor; undefined follows the device. */
export type Theme = "light" | "dark" | undefined;

export interface Frame {
  theme: Theme;
  viewer: Viewer;
  /** The path of the page, to mark its link in the navigation. */
  path: string;
}

export interface PageMeta {
  title: string;
  /** One sentence for search engines. Pages without it are not indexed. */
  description?: string;
}

interface Props extends PageMeta {
  frame: Frame;
  children: ComponentChildren;
}

const siteName = "Modshelf";

export const Layout = ({ title, description, frame, children }: Props) => (
  <html lang="en" data-theme={frame.theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title === siteName ? title : `${title} · ${siteName}`}</title>
      {description ? <meta name="description" content={description} /> : <meta name="robots" content="noindex" />}
      <link rel="stylesheet" href={assetPath("site.css")} />
      <link rel="icon" type="image/svg+xml" href={assetPath("mark.svg")} />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <SiteHeader viewer={frame.viewer} path={frame.path} />
      <main id="main">
        <div class="wrap">{children}</div>
      </main>
      <SiteFooter />
    </body>
  </html>
);
