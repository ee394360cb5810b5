// The links in the documents of docs/. They are written for readers of the repository, and here they lead to pages of this
// site: to other guides, and from names of routes to the API reference. A link to a file that is not served becomes text.
import { guideNames, guidePath } from "#lib/guides.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { anchorOf } from "#platform/markdown/headings.js";
import { getApiReference } from "#web/docs/contract.js";
import { slugOf } from "#web/docs/navigation.js";

/** Every fourth part is prose; the others are blocks of code and the lines of backticks around them. */
const splitAtCode = (markdown: string): string[] => markdown.split(/^(```.*)$/m);
const isProse = (_part: string, at: number): boolean => at % 4 === 0;

/** Code is matched too, so that a link inside of it stays as it is. */
const linkOrCode = /\[([^\][]*)\]\(([^()\s]*)\)|`[^`]*`/g;
const otherFile = /^([\w./-]*)(?:#([\w-]+))?$/;

/** The anchor that the repository's site gives a heading. */
const repositoryAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** From the anchors of the repository's site to those of this one. */
const anchorsIn = (markdown: string): Map<string, string> =>
  new Map(
    splitAtCode(markdown)
      .filter(isProse)
      .flatMap((part) => [...part.matchAll(/^#{2,6} (.+)$/gm)])
      .map(([, heading = ""]) => [repositoryAnchor(heading), anchorOf(heading)]),
  );

/** `all`: the text of every guide by its name. */
export function withSiteLinks(name: string, all: ReadonlyMap<string, string>): string {
  const toAnchor = (page: string, part: string | undefined): string =>
    part === undefined ? "" : `#${anchorsIn(all.get(page) ?? "").get(part) ?? part}`;
  const toAddress = (target: string): string | undefined => {
    if (/^(?:https?:|mailto:|\/)/.test(target)) return target;
    const [, path = "", part] = otherFile.exec(target) ?? [];
    if (path === "") return toAnchor(name, part);
    const page = path.replace(/\.md$/, "");
    return guideNames.includes(page) ? guidePath(page) + toAnchor(page, part) : undefined;
  };
  return splitAtCode(all.get(name) ?? "")
    .map((part, at) =>
      isProse(part, at)
        ? part.replace(linkOrCode, (whole, text: string | undefined, target: string) => {
            if (text === undefined) return whole;
            const address = toAddress(target);
            return address === undefined ? text : `[${text}](${address})`;
          })
        : part,
    )
    .join("");
}

/** "GET /api/project/{ref}" and "GET /api/project/:slug" are the same route. */
const routeKey = (method: string, path: string): string => `${method} ${path.replace(/:\w+|\{[^{}]*\}/g, "{}")}`;

/** Makes links to the API reference of the routes and places that a text names: `GET /api/search`, `/api/docs`. */
export function referenceLinks(described: readonly EndpointSpec[]): (html: string) => string {
  const places = new Map(
    described
      .filter(({ internal }) => !internal)
      .map(({ id, method, path, tag }) => [routeKey(method, path), `${getApiReference.path}/${slugOf(tag)}#${id}`]),
  );
  return (html) =>
    html
      .replace(/<code>([A-Z]+) (\/[^<]*)<\/code>/g, (code, method: string, path: string) => {
        const place = places.get(routeKey(method, path.replace(/\?.*/, "")));
        return place === undefined ? code : `<a href="${place}">${code}</a>`;
      })
      .replace(/<code>(\/api\/docs(?:#\w+)?)<\/code>/g, (code, place: string) => `<a href="${place}">${code}</a>`);
}
