// The files that pages load, built from all style sheets of web and from web/scripts (scripts/compile.mjs). Their names
// contain a hash of their content, so browsers may cache them forever.
import { readFileSync } from "node:fs";
import Type from "typebox";
import { builtForBrowsers } from "#lib/own-files.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { ReadyFont, ReadyText } from "#platform/http/ready-text.js";
import { sprite } from "#web/icons/shapes.js";

const read = (file: string): string => readFileSync(new URL(file, builtForBrowsers), "utf8");

/** Every page loads "site"; the others are loaded by pages that name them. */
export const scriptNames = [
  "site",
  "passkeys",
  "lightbox",
  "reorder",
  "filters",
  "desk",
  "editor",
  "uploader",
  "suggest",
  "chart",
  "docs",
] as const;
export type ScriptName = (typeof scriptNames)[number];

const scripts = scriptNames.map((name): [string, ReadyText] => [
  `${name}.js`,
  new ReadyText(read(`${name}.js`), "text/javascript; charset=utf-8"),
]);

/**
 * The links that a browser may prefetch while the pointer rests on them: pages, but nothing that counts, streams or is
 * large.
 */
const speculationRules = {
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { not: { href_matches: "/(api|cdn|maven|auth|admin|moderation|feeds|badge|og)/*" } },
          { not: { href_matches: "/*.(zip|atom|json|csv|xml|png)*" } },
          { not: { selector_matches: "[rel~=nofollow], [download]" } },
        ],
      },
      eagerness: "moderate",
    },
  ],
};

/** The faces of texts and of headings (styles/tokens.css). */
export const fontNames = ["figtree.woff2", "gabarito.woff2"] as const;

const assets = new Map<string, ReadyText | ReadyFont>([
  ["speculation.json", new ReadyText(JSON.stringify(speculationRules), "application/speculationrules+json")],
  ["mark.svg", new ReadyText(read("mark.svg"), "image/svg+xml")],
  ["tags.svg", new ReadyText(sprite(), "image/svg+xml")],
  ...fontNames.map((name) => [name, new ReadyFont(readFileSync(new URL(name, builtForBrowsers)))] as const),
  ...scripts,
]);
assets.set("site.css", new ReadyText(withFonts(read("site.css")), "text/css; charset=utf-8"));

/** "/assets/site.<hash>.css" */
export const assetPath = (name: "site.css" | "mark.svg" | "tags.svg" | (typeof fontNames)[number]): string =>
  `/assets/${hashedName(name)}`;
export const scriptPath = (name: ScriptName): string => `/assets/${hashedName(`${name}.js`)}`;

export const speculationRulesPath = "/assets/speculation.json";

function hashedName(name: string): string {
  return name.replace(".", `.${assets.get(name)!.tag.slice(0, 12)}.`);
}

/** The names of fonts in the style sheet have a hash too. */
function withFonts(styles: string): string {
  return fontNames.reduce((text, name) => text.replace(name, hashedName(name)), styles);
}

const getAsset = endpoint({
  id: "getAsset",
  method: "GET",
  path: "/assets/:file",
  access: open,
  rate: "content",
  tag: "Website",
  summary: "A style sheet, script or picture of the website",
  params: Type.Object({ file: Type.String({ maxLength: 64 }) }),
  answer: { raw: "*/*", description: "The file" },
  errors: ["fileNotFound"],
  internal: true,
});

export const assetRoutes: Route[] = [
  route(getAsset, async ({ params, request, reply }) => {
    const name = params.file.replace(/\.[\w-]{12}\./, ".");
    const asset = assets.get(name);
    if (!asset) throw fail.fileNotFound();
    // A page of another release requests another name: it gets the current file, but must not cache it under that name.
    const isCurrent = params.file === hashedName(name);
    reply.header("cache-control", isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
    return asset.send(request, reply.header("vary", "Accept-Encoding, Origin"));
  }),
];
