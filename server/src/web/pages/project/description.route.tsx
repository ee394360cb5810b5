// The routes of the page in description.tsx.
import { projectPage, versionPage } from "#lib/page-urls.js";
import type { Resources } from "#platform/http/resources.js";
import { renderMarkdown, type SafeHtml } from "#platform/markdown/render.js";
import { typeWords } from "#web/context/project-types.js";
import type { Described } from "#web/parts/json-ld.js";
import { Markdown } from "#web/parts/markdown.js";
import { newestVersion, type PageView } from "#web/shared/project-view.js";
import { PublishChecklist } from "#web/shared/publish-checklist.js";
import { NoDescription } from "./description.js";
import { type ProjectPage, plainProjectPageRoute } from "./project-page.js";
import { Included, Related } from "./related.js";
import { listRelated, type RelatedProjects } from "./related-projects.js";
import { listRequired, type RequiredProject } from "./required-projects.js";

export const descriptionRoute = plainProjectPageRoute(
  { id: "getProjectPage", cacheParameters: [], below: "", summary: "A project's page" },
  async (view, { viewer }, resources) => {
    const html = view.description ?? (await renderMarkdown(view.project.description, resources.config.http));
    const others = {
      requires: await listRequired(resources, viewer, view),
      related: await listRelated(resources, view),
    };
    return toDescriptionPage(view, html, others, resources);
  },
);

/** The other projects on the page. */
interface Others {
  requires: readonly RequiredProject[];
  related: RelatedProjects;
}

export const toDescriptionPage = (
  view: PageView,
  html: SafeHtml,
  { requires, related }: Others,
  resources: Resources,
): ProjectPage => ({
  title: "",
  requires,
  otherProjects: related.included.map(({ id }) => id),
  tiles: [...related.similar, ...related.ofAuthor].map(({ id }) => id),
  jsonLd: [toJsonLd(view, resources)],
  content: (
    <>
      {!view.asked && <PublishChecklist view={view} />}
      <div class="description">
        {view.project.description.trim() === "" ? <NoDescription /> : <Markdown html={html} />}
      </div>
      <Included project={view.project} newest={newestVersion(view.versions)} related={related} />
      <Related project={view.project} related={related} />
    </>
  ),
});

/** The project as a SoftwareApplication of schema.org. */
function toJsonLd({ project, versions, taxonomy }: PageView, { config }: Resources): Described {
  const { url } = config.http;
  const newest = newestVersion(versions);
  const owner = project.members.find(({ isOwner }) => isOwner);
  const author = project.organisation
    ? {
        "@type": "Organization",
        name: project.organisation.name,
        url: `${url}/organization/${project.organisation.slug}`,
      }
    : owner && { "@type": "Person", name: owner.userName, url: `${url}/user/${owner.userName}` };
  const counted = (type: string, count: number) => ({
    "@type": "InteractionCounter",
    interactionType: `https://schema.org/${type}`,
    userInteractionCount: count,
  });
  return {
    "@type": "SoftwareApplication",
    name: project.name,
    description: project.summary,
    url: projectPage(url, project.slug),
    applicationCategory: "GameApplication",
    applicationSubCategory: project.type.map(typeWords(taxonomy, "en").typeName).join(", "),
    offers: { "@type": "Offer", price: 0, priceCurrency: "USD" },
    datePublished: project.datePublished,
    dateModified: project.dateUpdated,
    interactionStatistic: [counted("DownloadAction", project.downloads), counted("FollowAction", project.followers)],
    ...(author && { author }),
    ...(project.icon && { image: project.icon }),
    ...(project.licenseUrl && { license: project.licenseUrl }),
    ...(newest && {
      softwareVersion: newest.versionNumber,
      downloadUrl: versionPage(url, project.slug, newest.slug),
    }),
  };
}
