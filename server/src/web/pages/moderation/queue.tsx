// The queue of projects that wait for review, oldest first, with the forms that take one in hand and let it go.

import Type from "typebox";
import { listByNewcomers } from "#content/submissions/newcomers.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { ModerationItem } from "#moderation/desk/contract.js";
import { listQueue, type QueueFilter } from "#moderation/desk/read.js";
import { listMarks, type Mark, risks } from "#moderation/desk/risks.js";
import { useFrame } from "#web/context/frame.js";
import { typeName } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import { forModerators } from "#web/shared/staff-access.js";
import { texts } from "#words/texts.js";
import { DeskFilters } from "./desk-filters.js";
import { ClaimMark, deskPage, wordsFor } from "./desk-frame.js";
import { findLast, LastNotice } from "./last-decision.js";
import { NextForm } from "./overview.js";

const pageSize = 50;
const word = Type.Optional(Type.String({ maxLength: 64 }));

interface Query {
  type?: string;
  author?: string;
  again?: string;
  claimed?: string;
  look?: string;
  page?: string;
}

/** What is not known is passed over: an old link still shows the queue. */
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

interface Props {
  items: readonly ModerationItem[];
  newcomers: ReadonlySet<string>;
  marksOf: ReadonlyMap<string, readonly Mark[]>;
  query: Query;
  types: readonly string[];
  page: number;
  hasMore: boolean;
}

const Queue = ({ items, newcomers, marksOf, query, types, page, hasMore }: Props) => {
  const t = useTexts(texts.moderation.queue);
  const isFiltered = Boolean(query.type || query.author || query.again || query.claimed || query.look);
  const hrefOf = (to: number) => `/moderation/queue?${new URLSearchParams({ ...query, page: String(to) })}`;
  return (
    <>
      <Filters query={query} types={types} />
      {items.length === 0 ? (
        isFiltered ? (
          <EmptyState title={t.noneFits} action={{ href: "/moderation/queue", text: t.clear }} />
        ) : (
          <EmptyState title={t.empty} action={{ href: "/moderation/reports", text: t.toReports }}>
            <p>{t.emptyText}</p>
          </EmptyState>
        )
      ) : (
        <ol class="plain-list desk-rows" data-rows start={items[0]!.position}>
          {items.map((item) => (
            <Row key={item.id} item={item} isNew={newcomers.has(item.id)} marks={marksOf.get(item.id) ?? []} />
          ))}
        </ol>
      )}
      <p class="actions">
        {page > 1 && (
          <ButtonLink kind="quiet" rel="prev" href={hrefOf(page - 1)}>
            {t.earlier}
          </ButtonLink>
        )}
        {hasMore && (
          <ButtonLink kind="quiet" rel="next" href={hrefOf(page + 1)}>
            {t.later}
          </ButtonLink>
        )}
      </p>
    </>
  );
};

const Filters = ({ query, types }: Pick<Props, "query" | "types">) => {
  const t = useTexts(texts.moderation.queue);
  const { locale } = useFrame();
  const choices = {
    type: [t.type, types.map((type) => [type, typeName(type, locale)] as const)],
    author: [t.author, [["new", t.newOnly]]],
    again: [t.decisions, [["yes", t.againOnly]]],
    claimed: [
      t.claimed,
      [
        ["free", t.freeOnly],
        ["mine", t.mineOnly],
      ],
    ],
    look: [
      t.files,
      [
        ["code", t.codeOnly],
        ["risk", t.riskOnly],
      ],
    ],
  } as const;
  return (
    <DeskFilters
      action="/moderation/queue"
      choices={(Object.keys(choices) as (keyof typeof choices)[]).map((name) => {
        const [label, options] = choices[name];
        return { name, label, value: query[name], options };
      })}
    />
  );
};

/** Waiting longer than that is a warning. */
const longMs = 48 * 60 * 60 * 1000;

const Row = ({ item, isNew, marks }: { item: ModerationItem; isNew: boolean; marks: readonly Mark[] }) => {
  const t = useTexts(texts.moderation.queue);
  const { locale, viewer, now } = useFrame();
  const isOthers = item.claim !== null && viewer.kind !== "anonymous" && item.claim.userId !== viewer.user.id;
  return (
    <li class="card desk-row">
      <Picture src={iconOf(item)} size={40} />
      <div>
        <h2 dir="auto">
          <a href={`/moderation/queue/${item.id}`}>{item.name}</a>
        </h2>
        <p class="muted small" dir="auto">
          {item.author.name} · {item.type.map((type) => typeName(type, locale)).join(", ")} · {item.summary}
        </p>
        <p class="tags">
          {isNew && <span>{t.newAuthor}</span>}
          {item.decisions > 0 && <span>{t.submittedAgain(item.decisions)}</span>}
          {now - Date.parse(item.dateQueued) > longMs && <span>{t.waitsLong}</span>}
          {marks.map((mark) => (
            <span key={mark} class={risks.includes(mark) ? "pill beta" : undefined}>
              {t.marks[mark]}
            </span>
          ))}
        </p>
      </div>
      <p class="small">
        <Time at={item.dateQueued} />
        <br />
        <ClaimMark claim={item.claim} />
      </p>
      {isOthers ? (
        <ButtonLink kind="quiet" small href={`/moderation/queue/${item.id}`}>
          {t.look}
        </ButtonLink>
      ) : (
        <Form action={`/moderation/queue/${item.id}/claim`}>
          <Button small aria-label={t.reviewOf(item.name)}>
            {t.review}
          </Button>
        </Form>
      )}
    </li>
  );
};
