// The routes of the page in reports.tsx.
import Type from "typebox";
import { listCases } from "#moderation/reports/cases-read.js";
import { itemTypes } from "#moderation/reports/words.js";
import { pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { deskPage, wordsFor } from "./desk-frame.js";
import { Reports } from "./reports.js";

const word = Type.Optional(Type.String({ maxLength: 64 }));

export const reportsRoute = pageRoute(
  {
    id: "getReportsPage",
    path: "/moderation/reports",
    access: forModerators,
    summary: "Reports, grouped by their target",
    query: Type.Object({ status: word, about: word }),
  },
  async ({ request, query }, { db, clock }) => {
    const itemType = itemTypes.find((type) => type === query.about);
    const status = query.status === "closed" ? "closed" : "open";
    const cases = await listCases(db, { status, ...(itemType && { itemType }) }, clock.now());
    return deskPage({ title: wordsFor(request).t.tabs.reports }, <Reports cases={cases} query={query} />);
  },
);
