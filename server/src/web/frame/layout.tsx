// The frame of every page: head, skip link, header, footer. It works without script.

import type { Children } from "#lib/jsx-runtime.js";
import { readShortcuts } from "#lib/shortcuts.js";
import { accentPath } from "#web/assets/accent.js";
import { assetPath, fontNames, type ScriptName, scriptPath } from "#web/assets/assets.js";
import type { Frame } from "#web/context/frame.js";
import { keepHtml } from "#web/context/kept-html.js";
import { type Described, JsonLd } from "#web/parts/json-ld.js";
import { Markdown } from "#web/parts/markdown.js";
import { locales, tagOf } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { BottomBar } from "./bottom-bar.js";
import { ConfirmBanner } from "./confirm-banner.js";
import { KeyHelp } from "./key-help.js";
import { SiteFooter } from "./site-footer.js";
import { type HeaderParts, SiteHeader } from "./site-header.js";

type FeedType = "application/atom+xml" | "application/feed+json" | "application/json+oembed";

export interface PageMeta extends HeaderParts {
  title: string;
  /** One sentence for search engines. Pages without one are not indexed. */
  description?: string;
  /** The canonical path, for pages that have several. */
  canonical?: string;
  /** The page has no text of users, so it exists completely in every language of the site. */
  isTranslated?: boolean;
  /** The picture for link previews: a URL, or a path on this site. */
  image?: string;
  /** Structured data for search engines, only on pages that are indexed. */
  jsonLd?: readonly Described[];
  /** Feeds of the page, and its oEmbed card. */
  feeds?: readonly { href: string; type: FeedType; title: string }[];
  /** The previous and next page of a list. */
  previous?: string | undefined;
  next?: string | undefined;
  /** The ids of the projects on cards, which signed-in users can save there. */
  cards?: readonly string[];
  /** Additional to the script that every page loads. */
  scripts?: readonly ScriptName[];
}

export interface Page extends PageMeta {
  status?: number | undefined;
  /** The request has ended the visitor's session, so the page is shown as to a guest. */
  isSignedOut?: boolean;
  /** The ids of all projects that the page shows something of; without it, the page may show anything. */
  projects?: readonly string[];
  /** The projects among them that it shows only as a tile (pages/project/project-tiles.ts). */
  tiles?: readonly string[];
  /** The project whose page it is: the view is counted. */
  viewed?: string | undefined;
  /** Where its forms may lead besides this site, as a source of the Content-Security-Policy. */
  formTarget?: string;
  content: Children;
}

const areKeysOff = ({ viewer }: Frame): boolean =>
  viewer.kind !== "anonymous" && !readShortcuts(viewer.user.shortcuts).isOn;

interface Props extends HeaderParts {
  frame: Frame;
  head: Children;
  children: Children;
}

export const Layout = ({ frame, head, section, search, children }: Props) => (
  <html
    lang={tagOf(frame.locale)}
    data-theme={frame.theme}
    data-density={frame.density === "compact" ? "compact" : undefined}
  >
    {head}
    <body
      data-busy={textsIn(texts.frame.shell, frame.locale).busy}
      data-failed={frame.viewer.kind === "session" ? textsIn(texts.frame.shell, frame.locale).failed : undefined}
      data-keys={areKeysOff(frame) ? "off" : undefined}
    >
      <a class="skip" href="#main">
        {textsIn(texts.frame.shell, frame.locale).skip}
      </a>
      <SiteHeader section={section} search={search} />
      {frame.notice && (
        <aside class={`site-notice ${frame.notice.level}`} aria-label={textsIn(texts.frame.shell, frame.locale).notice}>
          <div class="wrap">
            <Markdown html={frame.notice.html} />
          </div>
        </aside>
      )}
      {frame.viewer.kind === "session" && frame.viewer.user.isUnconfirmed && <ConfirmBanner />}
      <main id="main">
        <div class="wrap">{children}</div>
      </main>
      <SiteFooter />
      <BottomBar />
      <KeyHelp />
    </body>
  </html>
);

export const Head = ({
  title,
  description,
  canonical,
  isTranslated,
  image,
  jsonLd,
  feeds,
  previous,
  next,
  scripts = [],
  frame,
}: PageMeta & { frame: Frame }) => {
  const { name: siteName, accent } = frame.look;
  const address = `${frame.siteUrl}${canonical ?? frame.path}`;
  const whole = title === siteName ? title : `${title} · ${siteName}`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{whole}</title>
      {description ? <meta name="description" content={description} /> : <meta name="robots" content="noindex" />}
      <SharedLinks siteName={siteName} accent={accent} />
      {description && <link rel="canonical" href={address} />}
      {description && isTranslated && (
        <>
          {locales.map((locale) => (
            <link
              key={locale}
              rel="alternate"
              hreflang={tagOf(locale)}
              href={`${address}${address.includes("?") ? "&" : "?"}lang=${locale}`}
            />
          ))}
          <link rel="alternate" hreflang="x-default" href={address} />
        </>
      )}
      {previous && <link rel="prev" href={previous} />}
      {next && <link rel="next" href={next} />}
      {feeds?.map((feed) => (
        <link key={feed.href} rel="alternate" {...feed} />
      ))}
      {description && (
        <>
          <meta property="og:site_name" content={siteName} />
          <meta property="og:type" content="website" />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={address} />
          {image && <meta property="og:image" content={new URL(image, frame.siteUrl).href} />}
          <meta name="twitter:card" content={image ? "summary_large_image" : "summary"} />
        </>
      )}
      {description && jsonLd && jsonLd.length > 0 && <JsonLd things={jsonLd} />}
      <script type="module" src={scriptPath("site")} />
      {scripts.map((name) => (
        <script key={name} type="module" src={scriptPath(name)} />
      ))}
    </head>
  );
};

/** The links that all pages have. */
const SharedLinks = ({ siteName, accent }: { siteName: string; accent: string }) =>
  keepHtml(`links ${accent} ${siteName}`, () => (
    <>
      {fontNames.map((name) => (
        <link key={name} rel="preload" as="font" type="font/woff2" crossorigin="" href={assetPath(name)} />
      ))}
      <link rel="stylesheet" href={assetPath("site.css")} />
      {accent !== "" && <link rel="stylesheet" href={accentPath(accent)} />}
      <link rel="icon" type="image/svg+xml" href={assetPath("mark.svg")} />
      <link rel="search" type="application/opensearchdescription+xml" title={siteName} href="/opensearch.xml" />
      <link rel="manifest" href="/site.webmanifest" />
    </>
  ));
