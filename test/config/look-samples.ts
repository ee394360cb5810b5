// Sample values for the settings of the site's appearance.
import { locales } from "#words/languages.js";
import { asIs, choice, list, type Samples } from "./sample-kinds.js";

export const lookSamples: Record<string, Samples> = {
  MODSHELF_SITE_NAME: {
    pick: (c) => c.look.name,
    good: asIs(`M | Comet Mods & Co. | 日本の棚 | ${"x".repeat(40)}`),
    bad: list(`${"x".repeat(41)} | CANARYLONG`),
  },
  MODSHELF_SITE_DESCRIPTION: {
    pick: (c) => c.look.description,
    good: asIs(`Mods for all | ${"x".repeat(200)}`),
    bad: list(`${"x".repeat(201)} | CANARYLONG`),
  },
  MODSHELF_LANGUAGE: choice((c) => c.look.language, Object.fromEntries(locales.map((each) => [each, each]))),
  MODSHELF_FOOTER_LINKS: {
    pick: (c) => c.look.footerLinks,
    good: [
      ["Forum <https://f.example/>", [{ text: "Forum", url: "https://f.example" }]],
      [
        "Über uns<http://a.example/b>, C # <https://c.example>",
        [
          { text: "Über uns", url: "http://a.example/b" },
          { text: "C #", url: "https://c.example" },
        ],
      ],
    ],
    bad: list(
      "CANARY | https://a.example | <https://a.example> | a <javascript:CANARY> | a <https://u:CANARY@b.example> | a <b <https://c.example>> | a <https://b.example> CANARY | LONG <https://a.example> | " +
        Array.from({ length: 9 }, (_, at) => `l${at} <https://a.example>`).join(", "),
    ),
  },
  MODSHELF_THEME: choice((c) => c.look.theme, { auto: "auto", light: "light", dark: "dark" }),
  MODSHELF_ACCENT: {
    pick: (c) => c.look.accent,
    good: [
      ["#7A1F6B", "#7a1f6b"],
      ["#000000", "#000000"],
    ],
    bad: list("red | #fff | 7a1f6b | #ffffff | #888888 | #7a1f6b00 | #CANARY | #gggggg"),
  },
};
