// The routes of the page in overview.tsx.
import { readSummary } from "#moderation/desk/summary.js";
import { pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { deskPage, wordsFor } from "./desk-frame.js";
import { Overview } from "./overview.js";

export const overviewRoute = pageRoute(
  { id: "getModerationPage", path: "/moderation", access: forModerators, summary: "The moderation desk" },
  async ({ viewer, request }, resources) => {
    const summary = await readSummary(resources, viewer);
    return deskPage({ title: wordsFor(request).t.desk }, <Overview summary={summary} />);
  },
);
