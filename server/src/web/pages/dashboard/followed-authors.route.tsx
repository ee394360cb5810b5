// The routes of the pages in followed-authors.tsx.
import { listProfiles, toUser } from "#accounts/users/read.js";
import { listFollowedAuthors } from "#community/follows/authors.js";
import { listOrgs } from "#content/organizations/read.js";
import { needs } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/frame/page.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { FollowedAuthors, organizationsPath, peoplePath, toOrganizationRow, toUserRow } from "./followed-authors.js";

export const followedAuthorRoutes: Route[] = [
  pageRoute(
    { id: "getFollowedPeoplePage", path: peoplePath, access: needs("user_read"), summary: "The followed users" },
    async ({ request, viewer }, { db, config }) => {
      const profiles = await listProfiles(db, await listFollowedAuthors(db, viewer.user.id, "user"));
      const rows = profiles.map((profile) => toUserRow(toUser(profile, config.http.cdnUrl)));
      return dashboardPage({
        title: dashboardWords(request).library,
        children: <FollowedAuthors rows={rows} round />,
      });
    },
  ),
  pageRoute(
    {
      id: "getFollowedOrganizationsPage",
      path: organizationsPath,
      access: needs("user_read", "organization_read"),
      summary: "The followed organizations",
    },
    async ({ request, viewer }, { db, config }) => {
      const ids = await listFollowedAuthors(db, viewer.user.id, "organization");
      const orgs = await listOrgs({ db, viewer, cdnUrl: config.http.cdnUrl }, ids);
      return dashboardPage({
        title: dashboardWords(request).library,
        children: <FollowedAuthors rows={orgs.map(toOrganizationRow)} round={false} />,
      });
    },
  ),
];
