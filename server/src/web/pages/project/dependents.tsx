// The projects with versions that depend on a project.
import type { ProjectListItem } from "#content/shapes/project.js";
import { dependencyTypes } from "#content/shapes/version.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Pagination } from "#web/parts/pagination.js";
import { ProjectCards } from "#web/parts/project-card.js";
import { texts } from "#words/texts.js";

interface Props {
  path: string;
  type: (typeof dependencyTypes)[number] | undefined;
  total: number;
  projects: readonly ProjectListItem[];
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

export const Dependents = ({ path, type, total, projects, page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.project.dependents);
  const { tabs } = useTexts(texts.project.page);
  const { show } = useTexts(texts.project.version);
  if (total === 0 && type === undefined)
    return (
      <EmptyState title={t.none}>
        <p>{t.noneSoFar}</p>
      </EmptyState>
    );
  return (
    <>
      <h2 class="visually-hidden">{tabs.dependents}</h2>
      <Form method="get" class="filter-row" action={path}>
        <Choose
          name="type"
          label={t.kind}
          chosen={type ?? ""}
          options={(["", ...dependencyTypes] as const).map((kind) => [kind, t.kinds[kind]] as const)}
        />
        <Button kind="quiet">{show}</Button>
      </Form>
      <p class="small muted">{t.count(total)}</p>
      {total === 0 ? (
        <EmptyState title={t.none} action={{ href: path, text: t.clear }} />
      ) : (
        <ProjectCards projects={projects} />
      )}
      <Pagination page={page} pages={pages} hrefOf={hrefOf} />
    </>
  );
};
