// Settings for the appearance of the site. All of them can also be edited on the web.

import { contrast, parseColour } from "#lib/colours.js";
import { locales } from "#words/languages.js";
import { say } from "#words/said.js";
import { baseUrl } from "./addresses.js";
import { oneOf } from "./parsers.js";
import { InvalidSetting, invalidSetting, setting } from "./setting.js";

/** The background of the accent in the light theme (web/styles/tokens.css). */
const paper = parseColour("#f6f5f1")!;
/** The minimum of WCAG 2.2 AA for text. */
const leastContrast = 4.5;
const mostLinks = 8;

const lineOf =
  (least: number, most: number) =>
  (text: string): string => {
    const letters = [...text].length;
    if (letters < least || letters > most)
      throw invalidSetting((shape) => say.problems.settingLength(least, most, shape), text);
    return text;
  };

/** Empty means the default accent of the site. */
function accentColour(text: string): string {
  if (text === "") return "";
  const colour = parseColour(text);
  if (!colour) throw invalidSetting((shape) => say.problems.settingColour("#0b6b63", shape), text);
  const found = contrast(colour, paper);
  if (found < leastContrast)
    throw new InvalidSetting(
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
  if (links.length > mostLinks) throw new InvalidSetting(`must be at most ${mostLinks} links`);
  return links;
}

function footerLink(part: string): FooterLink {
  const [, text = "", url = ""] = /^([^<>]{1,40}?)\s*<([^<>\s]+)>$/u.exec(part) ?? [];
  if (text.trim() === "")
    throw invalidSetting((shape) => say.problems.settingLinks("Forum <https://forum.example.org>", shape), part);
  return { text: text.trim(), url: baseUrl(url) };
}

export const look = {
  name: setting("MODSHELF_SITE_NAME", lineOf(1, 40), {
    default: "Modshelf",
    example: "Comet Mods",
    web: "general",
  }),
  description: setting("MODSHELF_SITE_DESCRIPTION", lineOf(0, 200), {
    default: "",
    example: "Mods and packs for the Comet community",
    web: "general",
  }),
  language: setting("MODSHELF_LANGUAGE", oneOf(...locales), {
    default: "en",
    example: "de",
    web: "general",
  }),
  footerLinks: setting("MODSHELF_FOOTER_LINKS", footerLinks, {
    default: "",
    example: "Forum <https://forum.example.org>, Imprint <https://example.org/imprint>",
    web: "general",
  }),
  theme: setting("MODSHELF_THEME", oneOf("auto", "light", "dark"), {
    default: "auto",
    example: "dark",
    web: "branding",
  }),
  accent: setting("MODSHELF_ACCENT", accentColour, {
    default: "",
    example: "#7a1f6b",
    web: "branding",
  }),
} as const;
