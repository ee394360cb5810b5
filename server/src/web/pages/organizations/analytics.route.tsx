// The views and downloads of an organization's projects, for members who may see them.
import Type from "typebox";
import { listProjectIdsOfOrg, listVisibleProjects } from "#content/projects/read.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { pageRoute } from "#web/frame/page.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Notice } from "#web/parts/notice.js";
import { AnalyticsView } from "#web/shared/analytics.js";
import { readAnalytics } from "#web/shared/analytics-view.js";
import { texts, textsIn } from "#words/texts.js";
import { getManaged, OrgFrame } from "./settings-frame.js";

export const orgAnalyticsRoutes: Route[] = [
  pageRoute(
    {
      id: "getOrganizationAnalyticsPage",
      path: "/organization/:ref/settings/analytics",
      access: sessionOnly("analytics_read"),
      errors: ["organizationNotFound", "permissionMissing"],
      rate: "bulk",
      summary: "Views and downloads of an organization's projects",
      params: Type.Object({ ref: Ref("Organization id or slug") }),
      query: Type.Object({ range: Type.Optional(Type.String({ maxLength: 32 })) }),
    },
    async ({ params, query, viewer, request }, resources): Promise<Page> => {
      const managed = await getManaged(resources, viewer, params.ref);
      const { org, owner, path } = managed;
      const ids = await listProjectIdsOfOrg(resources.db, viewer, org.id, false);
      const entries = await listVisibleProjects(resources, viewer, ids);
      const items = entries.map((entry) => entry.listItem.value);
      const analytics = await readAnalytics(resources, viewer, items, query.range);
      const t = textsIn(texts.organizations.settings, localeOf(request));
      const { project } = textsIn(texts.organizations.permissions, localeOf(request));
      const isRefused = analytics.hasProjects && analytics.projects.length === 0;
      return {
        title: `${t.analytics} · ${org.name}`,
        status: isRefused ? 403 : undefined,
        content: (
          <OrgFrame managed={managed} section="analytics">
            {isRefused ? (
              <Notice title={t.missing(project.view_analytics, owner.userName)} />
            ) : analytics.hasProjects ? (
              <AnalyticsView analytics={analytics} path={`${path}/analytics`} />
            ) : (
              <EmptyState title={t.noProjects} action={{ href: `${path}/projects`, text: t.addProject }} />
            )}
          </OrgFrame>
        ),
      };
    },
  ),
];
