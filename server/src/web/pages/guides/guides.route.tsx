// The routes of the pages in guides.tsx.
import Type from "typebox";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { EndpointSpec, Route } from "#platform/http/endpoint.js";
import { formLists } from "#web/context/form.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { guideShelf } from "./guide.js";
import { GuidePage, GuidesHome } from "./guides.js";
import { referenceLinks } from "./links.js";
import { longestQuestion, searchGuides } from "./search.js";

/** Guests get both pages from the cache of pages; a change of a project does not change them. */
const shared = { access: readable("user_read"), cacheParameters: [] as string[] } as const;
const fixed = { projects: [] as string[] };

/** `described`: the endpoints in the API reference, to which the guides link. */
export function guideRoutes(described: readonly EndpointSpec[]): Route[] {
  const load = guideShelf(referenceLinks(described));
  return [
    pageRoute(
      {
        ...{ ...shared, id: "getDocsPage", path: "/docs", summary: "The documentation, and a search in it" },
        query: formLists("q"),
      },
      async ({ request, query }, resources) => {
        const t = textsIn(texts.site.guides, localeOf(request));
        const guides = [...(await load(resources)).values()];
        const question = ([query.q].flat()[0] ?? "").slice(0, longestQuestion).trim();
        const found = searchGuides(guides, question);
        const content = <GuidesHome guides={guides} question={question} found={found} />;
        // Results of a search are not indexed.
        return question === ""
          ? { ...fixed, title: t.title, description: t.lead, content }
          : { ...fixed, title: t.found(question), content };
      },
    ),
    pageRoute(
      {
        ...{ ...shared, id: "getGuidePage", path: "/docs/:name", summary: "One page of the documentation" },
        params: Type.Object({ name: Type.String({ maxLength: 64, examples: ["search"] }) }),
        errors: ["notFound"],
      },
      async ({ params }, resources) => {
        const guides = await load(resources);
        const guide = guides.get(params.name);
        if (!guide) throw fail.notFound();
        const content = <GuidePage guide={guide} guides={[...guides.values()]} />;
        return { ...fixed, title: guide.title, description: guide.summary, content };
      },
    ),
  ];
}
