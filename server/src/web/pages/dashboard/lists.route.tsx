// The routes of the page in lists.tsx.
import { listCollectionsOf } from "#community/collections/read.js";
import { listOrgsOfUser } from "#content/organizations/read.js";
import { needs } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { pageRoute } from "#web/frame/page.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { Collections, Organizations } from "./lists.js";

const context = ({ db, config }: Resources, viewer: Viewer) => ({ db, viewer, cdnUrl: config.http.cdnUrl });

export const listRoutes: Route[] = [
  pageRoute(
    {
      id: "getOwnOrganizationsPage",
      path: "/dashboard/organizations",
      access: needs("user_read", "organization_read"),
      summary: "The user's organizations",
    },
    async ({ request, viewer }, resources) => {
      const organizations = await listOrgsOfUser(context(resources, viewer), viewer.user.id);
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
      summary: "The user's collections",
    },
    async ({ request, viewer }, resources) => {
      const collections = await listCollectionsOf(context(resources, viewer), viewer.user.id);
      return dashboardPage({
        title: dashboardWords(request).collections,
        children: <Collections collections={collections} />,
      });
    },
  ),
];
