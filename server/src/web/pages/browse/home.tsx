// The start page: search first, then what moves at the moment. On an empty shelf, what to do about it.

import { hasAdmin } from "#accounts/users/read.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { searchProjects } from "#discovery/search/read.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { useFrame } from "#web/context/frame.js";
import { localeOf, setupOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Notice } from "#web/parts/notice.js";
import { type Fit, ProjectCards } from "#web/parts/project-card.js";
import { findFits } from "#web/shared/fits.js";
import { texts, textsIn } from "#words/texts.js";
import { type Filters, readFilters, type Sort, toQuestion } from "./filters.js";
import { SetupPicker } from "./setup-picker.js";

const perList = 8;
const listed = ["trending", "updated", "published"] as const satisfies Sort[];
type Listed = (typeof listed)[number];

interface HomeList {
  sort: Listed;
  projects: readonly ProjectListItem[];
}

export const homeRoutes: Route[] = [
  pageRoute(
    { id: "getHomePage", path: "/", access: readable("user_read"), summary: "The start page", keptWith: [] },
    async ({ request }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const lists = await Promise.all(listed.map((sort) => readList(resources, taxonomy, sort)));
      const all = [...new Map(lists.flatMap(({ projects }) => projects).map((each) => [each.id, each])).values()];
      const t = textsIn(texts.browse.home, localeOf(request));
      const { url } = resources.config.http;
      const { name, description } = resources.config.look;
      return {
        title: name,
        description: description || t.description,
        ...(description === "" && { isTranslated: true }),
        jsonLd: [
          {
            "@type": "WebSite",
            name,
            url: `${url}/`,
            potentialAction: {
              "@type": "SearchAction",
              target: { "@type": "EntryPoint", urlTemplate: `${url}/search?q={search_term_string}` },
              "query-input": "required name=search_term_string",
            },
          },
        ],
        feeds: [
          { href: "/feeds/projects.atom", type: "application/atom+xml", title: t.published },
          { href: "/feeds/releases.atom", type: "application/atom+xml", title: t.updated },
        ],
        content: (
          <Home
            lists={lists}
            taxonomy={taxonomy}
            fits={await findFits(resources, setupOf(request), all)}
            isSetUp={await hasAdmin(resources.db)}
          />
        ),
      };
    },
  ),
];

async function readList(resources: Resources, taxonomy: Taxonomy, sort: Listed): Promise<HomeList> {
  const filters: Filters = { ...readFilters({}, taxonomy).filters, sort, perPage: perList };
  const { items } = await searchProjects(resources, toQuestion(filters, { countFacets: false }));
  return { sort, projects: items.map(({ listItem }) => listItem.value) };
}

interface Props {
  lists: readonly HomeList[];
  taxonomy: Taxonomy;
  fits: ReadonlyMap<string, Fit> | undefined;
  isSetUp: boolean;
}

const Home = ({ lists, taxonomy, fits, isSetUp }: Props) => {
  const t = useTexts(texts.browse.home);
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
              <input type="search" name="q" maxLength={64} aria-label={t.search} placeholder={t.search} />
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
          <ProjectCards projects={projects} view="compact" {...(fits && { fits })} />
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
