// The start page: a featured project, the visitor's set-up, current projects with pictures, and figures of the site. On
// an empty site it shows the first steps.
import type { CollectionTile } from "#community/collections/tiles.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Statistics } from "#discovery/statistics/contract.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Notice } from "#web/parts/notice.js";
import { Picture } from "#web/parts/picture.js";
import { Byline, type Fit, iconOf, ProjectCards } from "#web/parts/project-card.js";
import { texts } from "#words/texts.js";
import { CollectionTiles } from "./collection-tiles.js";
import { dateOf, type Sort } from "./filters.js";
import { SetupPicker } from "./setup-picker.js";

export const listed = ["trending", "updated", "published"] as const satisfies Sort[];

export type Listed = (typeof listed)[number];

export interface HomeList {
  sort: Listed;
  projects: readonly ProjectListItem[];
}

/** Pictures in one row of a wide screen. */
export const perRow = 4;
/** A row stays full without the featured project and the row above it. */
export const perTrending = 2 * perRow + 1;

interface Props {
  lists: readonly HomeList[];
  /** Popular projects for the visitor's set-up; undefined if none is chosen. */
  fitting: HomeList | undefined;
  /** Undefined if no popular project has a picture. */
  featured: ProjectListItem | undefined;
  statistics: Statistics;
  collections: readonly CollectionTile[];
  taxonomy: Taxonomy;
  fits: ReadonlyMap<string, Fit> | undefined;
  isSetUp: boolean;
}

export const Home = (props: Props) => {
  const { lists, featured, statistics, taxonomy, isSetUp } = props;
  const t = useTexts(texts.browse.home);
  const { look } = useFrame();
  const isEmpty = lists.every(({ projects }) => projects.length === 0);
  return (
    <div class="stack loose">
      <div class={featured ? "hero" : "hero plain"}>
        <div class="stack">
          <h1>{t.heading}</h1>
          <p class="lead" dir="auto">
            {look.description || t.lead}
          </p>
        </div>
        {featured && <Featured project={featured} />}
        <SetupPicker taxonomy={taxonomy} />
      </div>
      {!isSetUp && (
        <Notice kind="warning" title={t.noAdmin}>
          <p>{t.noAdminText("modshelf setup-link")}</p>
        </Notice>
      )}
      {isEmpty ? (
        <EmptyShelf />
      ) : (
        <>
          <Lists {...props} />
          <SiteFigures statistics={statistics} />
        </>
      )}
    </div>
  );
};

/** One project with its picture. The whole card is one link. */
const Featured = ({ project }: { project: ProjectListItem }) => {
  const t = useTexts(texts.browse.home);
  const { name, slug, summary, featured_gallery } = project;
  return (
    <section class="featured" aria-label={t.featured}>
      <img src={featured_gallery!} alt="" width={720} height={405} fetchpriority="high" />
      <div class="featured-text">
        <Picture src={iconOf(project)} size={64} />
        <div>
          <p class="small muted">{t.featured}</p>
          <h2>
            <a href={projectPath(slug)} dir="auto">
              {name}
            </a>{" "}
            <Byline project={project} />
          </h2>
          <p>
            <bdi>{summary}</bdi>
          </p>
        </div>
      </div>
    </section>
  );
};

const Lists = ({ lists, fitting, featured, collections, fits }: Props) => {
  const [trending, updated, published] = lists;
  // No project is in two rows of pictures.
  const above = new Set(fitting?.projects.map(({ id }) => id));
  const below = ({ projects }: HomeList) => projects.filter(({ id }) => !above.has(id));
  const pictured = below(trending!)
    .filter(({ id }) => id !== featured?.id)
    .slice(0, perRow);
  const rest = below(published!);
  const t = useTexts(texts.browse.home);
  // A new site shows each of its projects once.
  const isSmall = published!.projects.length <= perRow;
  const isSame = updated!.projects.every(({ id }, at) => published!.projects[at]?.id === id);
  return (
    <>
      {fitting && fitting.projects.length > 0 && (
        <section class="stack">
          <h2>{t.forSetup}</h2>
          <ProjectCards projects={fitting.projects} view="gallery" {...(fits && { fits })} />
        </section>
      )}
      {isSmall && rest.length > 0 && (
        <section class="stack">
          <ListHead sort={published!.sort} />
          <ProjectCards projects={rest} view="gallery" date="published" {...(fits && { fits })} />
        </section>
      )}
      {!isSmall && pictured.length > 0 && (
        <section class="stack">
          <ListHead sort={trending!.sort} />
          <ProjectCards projects={pictured} view="gallery" {...(fits && { fits })} />
        </section>
      )}
      {collections.length > 0 && <CollectionTiles tiles={collections} />}
      {!isSmall && (
        <div class="home-lists">
          {(isSame ? [published!] : [updated!, published!]).map(({ sort, projects }) => (
            <section key={sort} class="stack">
              <ListHead sort={sort} />
              <ProjectCards projects={projects} date={dateOf(sort)} {...(fits && { fits })} />
            </section>
          ))}
        </div>
      )}
    </>
  );
};

const ListHead = ({ sort }: { sort: Listed }) => {
  const t = useTexts(texts.browse.home);
  return (
    <div class="section-head">
      <h2>{t[sort]}</h2>
      <a href={`/projects?sort=${sort}`} aria-label={`${t.more}: ${t[sort]}`}>
        {t.more}
      </a>
    </div>
  );
};

const SiteFigures = ({ statistics }: Pick<Props, "statistics">) => {
  const { counts } = useTexts(texts.site.about);
  const format = useFormat();
  return (
    <dl class="figures">
      {(["projects", "versions", "files", "authors"] as const).map((name) => (
        <div key={name}>
          <dt>{counts[name]}</dt>
          <dd>{format.number(statistics[name])}</dd>
        </div>
      ))}
    </dl>
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
