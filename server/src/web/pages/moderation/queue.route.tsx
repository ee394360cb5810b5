// The routes of the page in queue.tsx.
import Type from "typebox";
import { listByNewcomers } from "#content/submissions/newcomers.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { listQueue, type QueueFilter } from "#moderation/desk/read.js";
import { listMarks } from "#moderation/desk/risks.js";
import { pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { deskPage, wordsFor } from "./desk-frame.js";
import { findLast, LastNotice } from "./last-decision.js";
import { NextForm } from "./overview.js";
import { type Query, Queue } from "./queue.js";

const pageSize = 50;

const word = Type.Optional(Type.String({ maxLength: 64 }));

/** Unknown values are ignored, so that an old link still shows the queue. */
const toFilter = ({ type = "", author, again, claimed, look }: Query, types: readonly string[]): QueueFilter => ({
  ...(types.includes(type) && { type }),
  ...((claimed === "free" || claimed === "mine") && { claimed }),
  byNewcomers: author === "new",
  again: again === "yes",
  hasCode: look === "code",
  isRisky: look === "risk",
});

export const queueRoute = pageRoute(
  {
    id: "getQueuePage",
    path: "/moderation/queue",
    access: forModerators,
    summary: "Projects that wait for review",
    query: Type.Object({ type: word, author: word, again: word, claimed: word, look: word, page: word, last: word }),
  },
  async ({ viewer, request, query: { last = "", ...query } }, resources) => {
    const decided = await findLast(resources, viewer, last);
    const types = (await getTaxonomy(resources)).projectTypes;
    const filter = toFilter(query, types);
    const page = Math.min(1000, Math.max(1, Math.trunc(Number(query.page)) || 1));
    const found = await listQueue(resources, viewer, {
      ...filter,
      limit: pageSize + 1,
      offset: (page - 1) * pageSize,
    });
    const items = found.slice(0, pageSize);
    const ids = items.map(({ id }) => id);
    const newcomers = await listByNewcomers(resources.db, ids);
    const marksOf = await listMarks(resources.db, ids);
    return deskPage(
      { title: wordsFor(request).t.tabs.queue, scripts: ["desk"], aside: items.length > 0 && <NextForm /> },
      <>
        {decided && <LastNotice last={decided} />}
        <Queue {...{ items, newcomers, marksOf, query, types, page }} hasMore={found.length > pageSize} />
      </>,
    );
  },
);
