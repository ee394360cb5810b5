// What belongs to the user besides projects: organizations, collections.

import type { ComponentChildren } from "preact";
import { listCollectionsOf } from "#community/collections/read.js";
import type { Collection } from "#community/collections/shapes.js";
import { listOrgsOfUser } from "#content/organizations/read.js";
import type { Organization } from "#content/organizations/shapes.js";
import { needs } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Picture } from "#web/parts/picture.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";

const seeing = ({ db, config }: Resources, viewer: Viewer) => ({ db, viewer, cdnUrl: config.http.cdnUrl });

export const listRoutes: Route[] = [
  pageRoute(
    {
      id: "getOwnOrganizationsPage",
      path: "/dashboard/organizations",
      access: needs("user_read", "organization_read"),
      summary: "The own organizations",
    },
    async ({ request, viewer }, resources) => {
      const organizations = await listOrgsOfUser(seeing(resources, viewer), viewer.user.id);
      return dashboardPage({
        title: dashboardWords(request).organizations,
        children: <Organizations organizations={organizations} />,
      });
    },
  ),

  pageRoute(
    {
      id: "getOwnCollectionsPage",
      path: "/dashboard/collections",
      access: needs("user_read", "collection_read"),
      summary: "The own collections",
    },
    async ({ request, viewer }, resources) => {
      const collections = await listCollectionsOf(seeing(resources, viewer), viewer.user.id);
      return dashboardPage({
        title: dashboardWords(request).collections,
        children: <Collections collections={collections} />,
      });
    },
  ),
];

const New = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <p>
    <ButtonLink href={href}>{children}</ButtonLink>
  </p>
);

const Organizations = ({ organizations }: { organizations: readonly Organization[] }) => {
  const t = useTexts(texts.dashboard.overview);
  if (organizations.length === 0)
    return (
      <EmptyState title={t.noOrganizations} action={{ href: "/organizations/new", text: t.newOrganization }}>
        <p>{t.noOrganizationsText}</p>
      </EmptyState>
    );
  return (
    <>
      <New href="/organizations/new">{t.newOrganization}</New>
      <ul class="rows">
        {organizations.map(({ id, name, slug, icon, members }) => (
          <li key={id} class="card row">
            <Picture src={icon} size={40} />
            <div class="grow stack">
              <h2>
                <a href={`/organization/${slug}`} dir="auto">
                  {name}
                </a>
              </h2>
              <p class="muted small">{t.members(members.length)}</p>
            </div>
            <ButtonLink
              kind="quiet"
              small
              href={`/organization/${slug}/settings`}
              aria-label={`${t.settings}: ${name}`}
            >
              {t.settings}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  );
};

const Collections = ({ collections }: { collections: readonly Collection[] }) => {
  const t = useTexts(texts.dashboard.overview);
  if (collections.length === 0)
    return (
      <EmptyState title={t.noCollections} action={{ href: "/collections/new", text: t.newCollection }}>
        <p>{t.noCollectionsText}</p>
      </EmptyState>
    );
  return (
    <>
      <New href="/collections/new">{t.newCollection}</New>
      <ul class="rows">
        {collections.map(({ id, name, visibility, projects, dateUpdated }) => (
          <li key={id} class="card stack">
            <h2>
              <a href={`/collection/${id}`} dir="auto">
                {name}
              </a>
            </h2>
            <p class="muted small">
              {t.collectionVisibilities[visibility]} · {t.projectCount(projects.length)} · {t.updated}{" "}
              <Time at={dateUpdated} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
};
