// Links to the pages of a list.
import { useTexts } from "../texts.js";
import { commonTexts } from "./common-texts.js";
import { Icon } from "./icon.js";

interface Props {
  /** From 1. */
  page: number;
  pages: number;
  /** The address of a page of the list. */
  hrefOf(page: number): string;
}

/** The first, the last, and those around the present one; zero stands for those left out. */
export function pagesShown(page: number, pages: number): number[] {
  const shown = new Set([1, pages, page - 1, page, page + 1].filter((number) => number >= 1 && number <= pages));
  const sorted = [...shown].sort((a, b) => a - b);
  return sorted.flatMap((number, index) =>
    number - (sorted[index - 1] ?? 0) > 1 && index > 0 ? [0, number] : [number],
  );
}

export const Pagination = ({ page, pages, hrefOf }: Props) => {
  const t = useTexts(commonTexts);
  if (pages < 2) return null;
  return (
    <nav class="pagination" aria-label={t.pages}>
      {page > 1 && (
        <a class="button quiet" href={hrefOf(page - 1)} rel="prev" aria-label={t.previous}>
          <Icon name="left" />
        </a>
      )}
      {pagesShown(page, pages).map((number, index) =>
        number === 0 ? (
          <span key={`gap-${index}`} aria-hidden="true">
            …
          </span>
        ) : (
          <a
            key={number}
            class="button quiet"
            href={hrefOf(number)}
            aria-label={t.page(number) as string}
            aria-current={number === page ? "page" : undefined}
          >
            {number}
          </a>
        ),
      )}
      {page < pages && (
        <a class="button quiet" href={hrefOf(page + 1)} rel="next" aria-label={t.next}>
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
};
