// The queue of projects that wait for review, oldest first, with the forms that claim one and drop the claim.
import type { ModerationItem } from "#moderation/desk/contract.js";
import { type Mark, risks } from "#moderation/desk/risks.js";
import { useFrame } from "#web/context/frame.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { DeskFilters } from "./desk-filters.js";
import { ClaimMark } from "./desk-frame.js";

export interface Query {
  type?: string;
  author?: string;
  again?: string;
  claimed?: string;
  look?: string;
  page?: string;
}

interface Props {
  items: readonly ModerationItem[];
  newcomers: ReadonlySet<string>;
  marksOf: ReadonlyMap<string, readonly Mark[]>;
  query: Query;
  types: readonly string[];
  page: number;
  hasMore: boolean;
}

export const Queue = ({ items, newcomers, marksOf, query, types, page, hasMore }: Props) => {
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
  const { typeName } = useTypes();
  const choices = {
    type: [t.type, types.map((type) => [type, typeName(type)] as const)],
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

/** A longer wait is shown as a warning. */
const longMs = 48 * 60 * 60 * 1000;

const Row = ({ item, isNew, marks }: { item: ModerationItem; isNew: boolean; marks: readonly Mark[] }) => {
  const t = useTexts(texts.moderation.queue);
  const { viewer, now } = useFrame();
  const { typeName } = useTypes();
  const isOthers = item.claim !== null && viewer.kind !== "anonymous" && item.claim.userId !== viewer.user.id;
  return (
    <li class="card desk-row">
      <Picture src={iconOf(item)} size={40} />
      <div>
        <h2 dir="auto">
          <a href={`/moderation/queue/${item.id}`}>{item.name}</a>
        </h2>
        <p class="muted small" dir="auto">
          {item.author.name} · {item.type.map((type) => typeName(type)).join(", ")} · {item.summary}
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
