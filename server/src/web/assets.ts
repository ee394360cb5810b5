// The files that pages load: put together at start, named after their content, so that browsers may keep them for ever.
import { readFileSync } from "node:fs";
import Type from "typebox";
import { fail } from "../errors.js";
import { open } from "../http/access.js";
import { endpoint, type Route, route } from "../http/endpoint.js";
import { ReadyText } from "../http/ready-text.js";

const read = (file: string): string => readFileSync(new URL(`assets/${file}`, import.meta.url), "utf8");

const styleSheets = ["1-tokens.css", "2-base.css", "3-parts.css", "4-docs.css"];

const assets = {
  "site.css": new ReadyText(styleSheets.map(read).join("\n"), "text/css; charset=utf-8"),
  "mark.svg": new ReadyText(read("mark.svg"), "image/svg+xml"),
};
type AssetName = keyof typeof assets;

/** "/assets/site.<hash>.css" */
export const assetPath = (name: AssetName): string => `/assets/${hashedName(name)}`;

const hashedName = (name: AssetName): string => name.replace(".", `.${assets[name].tag.slice(0, 12)}.`);

const getAsset = endpoint({
  id: "getAsset",
  method: "GET",
  path: "/assets/:file",
  access: open,
  rate: "content",
  tag: "Website",
  summary: "A style sheet or picture of the website",
  params: Type.Object({ file: Type.String({ maxLength: 64 }) }),
  answer: { raw: "*/*", description: "The file" },
  errors: ["fileNotFound"],
  internal: true,
});

export const assetRoutes: Route[] = [
  route(getAsset, async ({ params, request, reply }) => {
    const name = params.file.replace(/\.[\w-]{12}\./, ".");
    if (!isAsset(name)) throw fail.fileNotFound();
    // A page of another release asks for another name: the present file serves it, but not under that name for ever.
    const isCurrent = params.file === hashedName(name);
    reply.header("cache-control", isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
    return assets[name].send(request, reply.header("vary", "Accept-Encoding, Origin"));
  }),
];

const isAsset = (name: string): name is AssetName => Object.hasOwn(assets, name);
