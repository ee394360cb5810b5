// Links to the pages of a list.

import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Button, ButtonLink } from "./button.js";
import { Form } from "./form.js";
import { Icon } from "./icon.js";

interface Props {
  /** From 1. */
  page: number;
  pages: number;
  /** The URL of a page of the list. */
  hrefOf(page: number): string;
}

/** The previous and next page, for the head of the HTML page. */
export const pageLinks = ({ page, pages, hrefOf }: Props): { previous?: string; next?: string } => ({
  ...(page > 1 && { previous: hrefOf(Math.min(page - 1, pages)) }),
  ...(page < pages && { next: hrefOf(page + 1) }),
});

/** The first, the last and the neighbouring pages; zero stands for a gap. */
export function pagesShown(page: number, pages: number): number[] {
  const shown = new Set([1, pages, page - 1, page, page + 1].filter((number) => number >= 1 && number <= pages));
  const sorted = [...shown].sort((a, b) => a - b);
  return sorted.flatMap((number, index) =>
    number - (sorted[index - 1] ?? 0) > 1 && index > 0 ? [0, number] : [number],
  );
}

/** Up to this number, each page has its own link. */
const fewPages = 5;

/** A form that leads to any page by its number. `href` is the URL of the first page. */
const Jump = ({ page, pages, href }: { page: number; pages: number; href: string }) => {
  const t = useTexts(texts.parts.common);
  const [path, query = ""] = href.split("?");
  const others = [...new URLSearchParams(query)].filter(([name]) => name !== "page");
  return (
    <Form method="get" class="pagination-jump" action={path}>
      {others.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <label>
        {t.goToPage}{" "}
        <input type="number" name="page" min={1} max={pages} required inputmode="numeric" placeholder={String(page)} />
      </label>
      <Button kind="quiet">{t.go}</Button>
    </Form>
  );
};

export const Pagination = ({ page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.parts.common);
  if (pages < 2) return null;
  return (
    <nav class="pagination" aria-label={t.pages}>
      {page > 1 && (
        <ButtonLink kind="quiet" href={hrefOf(page - 1)} rel="prev" aria-label={t.previous}>
          <Icon name="left" />
        </ButtonLink>
      )}
      {pagesShown(page, pages).map((number, index) =>
        number === 0 ? (
          <span key={`gap-${index}`} aria-hidden="true">
            …
          </span>
        ) : (
          <ButtonLink
            key={number}
            kind="quiet"
            href={hrefOf(number)}
            aria-label={t.page(number) as string}
            aria-current={number === page ? "page" : undefined}
          >
            {number}
          </ButtonLink>
        ),
      )}
      {page < pages && (
        <ButtonLink kind="quiet" href={hrefOf(page + 1)} rel="next" aria-label={t.next}>
          <Icon name="right" />
        </ButtonLink>
      )}
      {pages > fewPages && <Jump page={page} pages={pages} href={hrefOf(1)} />}
    </nav>
  );
};
