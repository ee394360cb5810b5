// The start page: search, then current projects. On an empty site it shows the first steps.
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Notice } from "#web/parts/notice.js";
import { type Fit, ProjectCards } from "#web/parts/project-card.js";
import { texts } from "#words/texts.js";
import { dateOf, type Sort } from "./filters.js";
import { SetupPicker } from "./setup-picker.js";

export const listed = ["trending", "updated", "published"] as const satisfies Sort[];

export type Listed = (typeof listed)[number];

export interface HomeList {
  sort: Listed;
  projects: readonly ProjectListItem[];
}

interface Props {
  lists: readonly HomeList[];
  taxonomy: Taxonomy;
  fits: ReadonlyMap<string, Fit> | undefined;
  isSetUp: boolean;
}

export const Home = ({ lists, taxonomy, fits, isSetUp }: Props) => {
  const t = useTexts(texts.browse.home);
  const shell = useTexts(texts.frame.shell);
  const { look } = useFrame();
  const isEmpty = lists.every(({ projects }) => projects.length === 0);
  return (
    <div class="stack loose">
      <div class="hero">
        <div class="stack">
          <h1>{t.heading}</h1>
          <p class="lead" dir="auto">
            {look.description || t.lead}
          </p>
          <search>
            <Form method="get" class="home-search" action="/search">
              <input
                type="search"
                name="q"
                maxlength={64}
                aria-label={t.search}
                placeholder={t.search}
                data-suggests={shell.suggestions}
              />
              <Button>
                <Icon name="search" /> {t.find}
              </Button>
            </Form>
          </search>
        </div>
        <SetupPicker taxonomy={taxonomy} />
      </div>
      {!isSetUp && (
        <Notice kind="warning" title={t.noAdmin}>
          <p>{t.noAdminText("modshelf setup-link")}</p>
        </Notice>
      )}
      {isEmpty ? <EmptyShelf /> : <Lists lists={lists} fits={fits} />}
    </div>
  );
};

const Lists = ({ lists, fits }: Pick<Props, "lists" | "fits">) => {
  const t = useTexts(texts.browse.home);
  return (
    <div class="home-lists">
      {lists.map(({ sort, projects }) => (
        <section key={sort} class="stack">
          <div class="section-head">
            <h2>{t[sort]}</h2>
            <a href={`/projects?sort=${sort}`}>{t.more}</a>
          </div>
          <ProjectCards projects={projects} view="compact" date={dateOf(sort)} {...(fits && { fits })} />
        </section>
      ))}
    </div>
  );
};

const steps = {
  settings: "/admin/settings",
  taxonomy: "/admin/taxonomy",
  legal: "/legal/rules",
  publish: "/new",
} as const;

const EmptyShelf = () => {
  const t = useTexts(texts.browse.home);
  const { viewer } = useFrame();
  const isOperator = viewer.kind !== "anonymous" && viewer.user.role === "admin";
  if (!isOperator)
    return (
      <EmptyState title={t.nothing} action={{ href: "/new", text: t.publish }}>
        <p>{t.nothingGuest}</p>
      </EmptyState>
    );
  return (
    <section class="stack">
      <h2>{t.checklist}</h2>
      <p class="muted">{t.checklistLead}</p>
      <ol class="cards">
        {(Object.keys(steps) as (keyof typeof steps)[]).map((step) => (
          <li key={step} class="card">
            <h3>
              <a href={steps[step]}>{t.steps[step].title}</a>
            </h3>
            <p>{t.steps[step].text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
};
