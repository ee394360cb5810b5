// The files that pages load: built from all style sheets of web and from web/scripts (scripts/compile.mjs), named after their content, so
// that browsers may keep them for ever.
import { readFileSync } from "node:fs";
import Type from "typebox";
import { builtForBrowsers } from "#lib/own-files.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { ReadyText } from "#platform/http/ready-text.js";

const read = (file: string): string => readFileSync(new URL(file, builtForBrowsers), "utf8");

/** One of them on every page, the others where a page names them. */
export const scriptNames = [
  "site",
  "passkeys",
  "lightbox",
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

/** Which links a browser may fetch while the pointer rests on them: pages, and nothing that counts, streams or is large. */
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

const assets: ReadonlyMap<string, ReadyText> = new Map([
  ["speculation.json", new ReadyText(JSON.stringify(speculationRules), "application/speculationrules+json")],
  ["site.css", new ReadyText(read("site.css"), "text/css; charset=utf-8")],
  ["mark.svg", new ReadyText(read("mark.svg"), "image/svg+xml")],
  ...scripts,
]);

/** "/assets/site.<hash>.css" */
export const assetPath = (name: "site.css" | "mark.svg"): string => `/assets/${hashedName(name)}`;
export const scriptPath = (name: ScriptName): string => `/assets/${hashedName(`${name}.js`)}`;

export const speculationRulesPath = "/assets/speculation.json";

const hashedName = (name: string): string => name.replace(".", `.${assets.get(name)!.tag.slice(0, 12)}.`);

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
    // A page of another release asks for another name: the present file serves it, but not under that name for ever.
    const isCurrent = params.file === hashedName(name);
    reply.header("cache-control", isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
    return asset.send(request, reply.header("vary", "Accept-Encoding, Origin"));
  }),
];
