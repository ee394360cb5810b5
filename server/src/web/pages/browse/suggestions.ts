// Projects that are suggested while a visitor types into the search field (scripts/site/search-box.ts).
import Type from "typebox";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { searchProjects, toListItem } from "#discovery/search/read.js";
import { toSearchQuery } from "#discovery/search/search-query.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { typeWords } from "#web/context/project-types.js";
import { iconOf } from "#web/parts/project-card.js";

const suggested = 6;

const suggestProjects = endpoint({
  id: "suggestProjects",
  method: "GET",
  path: "/search/suggestions",
  // Finds listed projects only, for every viewer.
  access: open,
  rate: "search",
  tag: "Website",
  summary: "Suggestions for the search field",
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 64 }) }),
  answer: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), icon: Type.String(), type: Type.String() }),
  ),
  cacheControl: "private, max-age=60",
  internal: true,
});

export const suggestionRoutes: Route[] = [
  route(suggestProjects, async ({ query, request }, resources) => {
    const taxonomy = await getTaxonomy(resources);
    const { typeName } = typeWords(taxonomy, localeOf(request));
    const { projects } = await searchProjects(resources, toSearchQuery({ q: query.q, limit: suggested }, taxonomy));
    return projects.map(toListItem).map((project) => ({
      name: project.name,
      href: projectPath(project.slug),
      icon: iconOf(project),
      type: project.type.map(typeName).join(", "),
    }));
  }),
];
