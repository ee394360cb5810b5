// The search for users. Moderators and administrators use the same list; administrators see email addresses too.
import { pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { loadPeople, People, peopleQuery } from "#web/shared/user-search.js";
import { deskPage, wordsFor } from "./desk-frame.js";

export const peopleRoute = pageRoute(
  {
    id: "getModeratedUsersPage",
    path: "/moderation/users",
    access: forModerators,
    rate: "search",
    summary: "Find users",
    query: peopleQuery,
  },
  async ({ request, query }, resources) => {
    const view = await loadPeople(resources, query, false);
    return deskPage({ title: wordsFor(request).t.tabs.users }, <People view={view} path="/moderation/users" />);
  },
);
