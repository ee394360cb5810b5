// Settings of how the site presents itself. All of them can also be edited on the web.
import { contrast, parseColour } from "#lib/colours.js";
import { baseUrl } from "./addresses.js";
import { oneOf } from "./parsers.js";
import { setting, Unfit, unfit } from "./setting.js";

/** What the accent stands on in the light theme (web/styles/tokens.css). */
const paper = parseColour("#f6f5f1")!;
/** WCAG 2.2 AA for text. */
const leastContrast = 4.5;
const mostLinks = 8;

const lineOf =
  (least: number, most: number) =>
  (text: string): string => {
    const letters = [...text].length;
    if (letters < least || letters > most) throw unfit(`${least} to ${most} characters long`, text);
    return text;
  };

/** Empty: the site's own. */
function accentColour(text: string): string {
  if (text === "") return "";
  const colour = parseColour(text);
  if (!colour) throw unfit("a colour such as #0b6b63", text);
  const found = contrast(colour, paper);
  if (found < leastContrast)
    throw new Unfit(
      `must be a darker colour: its contrast on the page is ${found.toFixed(1)}:1, and text needs ${leastContrast}:1`,
    );
  return text.toLowerCase();
}

export interface FooterLink {
  readonly text: string;
  readonly url: string;
}

function footerLinks(text: string): FooterLink[] {
  const links = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map(footerLink);
  if (links.length > mostLinks) throw new Unfit(`must be at most ${mostLinks} links`);
  return links;
}

function footerLink(part: string): FooterLink {
  const [, text = "", url = ""] = /^([^<>]{1,40}?)\s*<([^<>\s]+)>$/u.exec(part) ?? [];
  if (text.trim() === "") throw unfit("links such as Forum <https://forum.example.org>, separated by commas", part);
  return { text: text.trim(), url: baseUrl(url) };
}

export const look = {
  name: setting("MODSHELF_SITE_NAME", lineOf(1, 40), {
    description: "What the site is called: in its header, in titles, feeds and cards.",
    default: "Modshelf",
    example: "Comet Mods",
    web: "general",
  }),
  description: setting("MODSHELF_SITE_DESCRIPTION", lineOf(0, 200), {
    description: "One sentence about the site, on its first page and for search engines. Empty: a general one.",
    default: "",
    example: "Mods and packs for the Comet community",
    web: "general",
  }),
  language: setting("MODSHELF_LANGUAGE", oneOf("en", "de"), {
    description: "Language for visitors whose browser asks for none that the site has: `en` or `de`.",
    default: "en",
    example: "de",
    web: "general",
  }),
  footerLinks: setting("MODSHELF_FOOTER_LINKS", footerLinks, {
    description:
      "Links at the bottom of every page, at most 8, each as `Name <https://…>`, separated by commas; for an imprint, a forum, a chat.",
    default: "",
    example: "Forum <https://forum.example.org>, Imprint <https://example.org/imprint>",
    web: "general",
  }),
  theme: setting("MODSHELF_THEME", oneOf("auto", "light", "dark"), {
    description: "Colours for visitors who have not chosen: `auto` (like their device), `light` or `dark`.",
    default: "auto",
    example: "dark",
    web: "branding",
  }),
  accent: setting("MODSHELF_ACCENT", accentColour, {
    description:
      "Colour of buttons and marks, as `#rrggbb`; it must be dark enough to be read on a light page (4.5:1). A lighter one for the dark theme is made from it. Empty: teal.",
    default: "",
    example: "#7a1f6b",
    web: "branding",
  }),
} as const;
