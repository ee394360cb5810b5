// A project in a list. The whole card is one link, its tags are links to lists, and its edge has the project's colour.
// Names and texts that are written from right to left are isolated, so that they begin at the same edge as all others.
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Channel } from "#platform/db/tables.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { keepHtml } from "#web/context/kept-html.js";
import type { View } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import type { TagKind } from "#web/icons/marks.js";
import { texts } from "#words/texts.js";
import { ButtonLink } from "./button.js";
import { Icon } from "./icon.js";
import { drawnPicture, Picture } from "./picture.js";
import { SaveOnCard } from "./save-form.js";
import { Drawing, TagIcon } from "./tag-icon.js";
import { Time } from "./time.js";

/** Projects without an uploaded icon have a generated one. */
export const iconOf = ({ id, icon }: Pick<ProjectListItem, "id" | "icon">): string =>
  icon ?? drawnPicture("project", id);

/** How a project fits the visitor's set-up, in lists that check this. */
export interface Fit {
  /** The URL of a version that fits; absent if none does. */
  download?: string;
  /** The version needs others, so the URL leads to a page first. */
  needsOthers?: boolean;
  /** The newest game version that is supported with the visitor's loader. */
  newest?: string | undefined;
  /** The release channel of the version that fits. */
  channel?: Channel;
  /** The visitor's loaders for such projects, if no version supports any of them. */
  notFor?: readonly string[];
}

interface Props {
  projects: readonly ProjectListItem[];
  view?: View;
  /** By the id of the project. */
  fits?: ReadonlyMap<string, Fit>;
  /** The date to show: that by which the list is sorted. */
  date?: "updated" | "published";
}

export const classesOfCards: Record<View, string> = {
  list: "project-cards roomy",
  compact: "project-cards",
  gallery: "project-cards tiles",
};

export const ProjectCards = ({ projects, view = "compact", fits, date = "updated" }: Props) => (
  <ul class={classesOfCards[view]}>
    {projects.map((project) => (
      <ProjectCard
        key={project.id}
        project={project}
        fit={fits?.get(project.id)}
        hasCover={view === "gallery"}
        date={date}
      />
    ))}
  </ul>
);

export interface CardProps {
  project: ProjectListItem;
  fit: Fit | undefined;
  hasCover: boolean;
  date: NonNullable<Props["date"]>;
}

export const ProjectCard = ({ project, fit, hasCover, date }: CardProps) => {
  const { locale, loaderName, saves } = useFrame();
  const { typeName, typePath } = useTypes();
  const format = useFormat();
  const t = useTexts(texts.parts.common);
  const listPath = project.type[0] === undefined ? "/projects" : typePath(project.type[0]);
  return (
    <li class="project-card">
      <svg class="spine" width="4" height="100%" aria-hidden="true">
        <rect width="4" height="100%" fill={project.color || "currentColor"} />
      </svg>
      {hasCover && <Cover project={project} />}
      <Picture src={iconOf(project)} size={64} />
      <div class="project-card-text">
        <h3>
          <a href={projectPath(project.slug)} dir="auto">
            {project.name}
          </a>{" "}
          <Byline project={project} />
        </h3>
        <p>
          <bdi>{project.summary}</bdi>
        </p>
        <p class="tags">
          {project.type.map((type) => (
            <TagLink key={type} kind="type" name={type} text={typeName(type)} href={typePath(type)} />
          ))}
          <EnvironmentTag project={project} />
          {project.featuredCategories.slice(0, 3).map((category) => (
            <TagLink
              key={category}
              kind="category"
              name={category}
              text={categoryName(category, locale)}
              href={`${listPath}?c=${encodeURIComponent(category)}`}
            />
          ))}
          {project.loaders.slice(0, 4).map((loader) => (
            <TagLink
              key={loader}
              kind="loader"
              name={loader}
              text={loaderName(loader)}
              href={`${listPath}?l=${encodeURIComponent(loader)}`}
            />
          ))}
          {fit && <FitTag fit={fit} />}
        </p>
      </div>
      <p class="project-card-figures">
        <span title={t.downloads(format.number(project.downloads)) as string}>
          <Icon name="download" /> {format.count(project.downloads)}
        </span>
        <span title={t.followers(format.number(project.followers)) as string}>
          <Icon name="heart" /> {format.count(project.followers)}
        </span>
        <span>
          <Icon name="clock" /> <Time at={date === "published" ? project.datePublished : project.dateUpdated} />
        </span>
        {fit?.download !== undefined && <Get name={project.name} fit={fit} />}
      </p>
      {saves && <SaveOnCard project={project} saves={saves} />}
    </li>
  );
};

export const Byline = ({ project: { author, orgName = author } }: Pick<CardProps, "project">) => {
  const { by } = useTexts(texts.parts.common);
  return orgName ? (
    <span class="project-card-by">
      {by} <bdi>{orgName}</bdi>
    </span>
  ) : null;
};

/** Not a stop of the Tab key: the filters and the project's page have the same links, and a card has up to ten. */
const TagLink = ({ kind, name, text, href }: { kind: TagKind; name: string; text: string; href: string }) =>
  keepHtml(`link ${kind} ${href} ${name}`, () => (
    <a href={href} tabindex={-1}>
      <TagIcon kind={kind} name={name} /> {text}
    </a>
  ));

const environmentShapes = { client: "screen", server: "server", both: "network" } as const;

/** Where the project runs. Nothing is shown if its author has not said so. */
const EnvironmentTag = ({ project: { clientSide, serverSide } }: Pick<CardProps, "project">) => {
  const t = useTexts(texts.parts.common);
  const runs = (side: ProjectListItem["clientSide"]) => side === "required" || side === "optional";
  if (!runs(clientSide) && !runs(serverSide)) return null;
  const where = runs(clientSide) && runs(serverSide) ? "both" : runs(clientSide) ? "client" : "server";
  return keepHtml(`environment ${where}`, () => (
    <span>
      <Drawing shape={environmentShapes[where]} /> {t.runsOn[where]}
    </span>
  ));
};

const FitTag = ({ fit: { download, channel = "release", newest, notFor } }: { fit: Fit }) => {
  const t = useTexts(texts.parts.common);
  const { loaderName } = useFrame();
  if (notFor !== undefined) return <span class="tag-misfit">{t.notFor(notFor.map(loaderName).join(" / "))}</span>;
  if (download !== undefined)
    return (
      <span class="tag-fits">
        <Icon name="check" /> {channel === "release" ? t.fits : t.fitsAs(t.channels[channel])}
      </span>
    );
  return newest === undefined ? null : <span class="tag-misfit">{t.newestFor(newest)}</span>;
};

/** Links to the file itself, or to the download page if the version needs others. */
const Get = ({ name, fit: { download, needsOthers, channel = "release" } }: { name: string; fit: Fit }) => {
  const t = useTexts(texts.parts.common);
  const isRelease = channel === "release";
  const label = isRelease ? t.downloadFor(name) : t.downloadForAs(name, t.channels[channel]);
  return (
    <ButtonLink
      kind="quiet"
      small
      class="project-card-get"
      href={download!}
      aria-label={label}
      title={needsOthers ? t.downloadWithAll : label}
    >
      <Icon name="download" /> <span>{isRelease ? t.download : t.downloadAs(t.channels[channel])}</span>
    </ButtonLink>
  );
};

/** The featured picture of the gallery; a project without one shows its icon on its colour. */
const Cover = ({ project }: { project: ProjectListItem }) =>
  project.featured_gallery === null ? (
    <span class="project-card-cover" aria-hidden="true">
      <svg width="100%" height="100%" aria-hidden="true">
        <rect width="100%" height="100%" fill={project.color || "currentColor"} />
      </svg>
      <Picture src={iconOf(project)} size={96} />
    </span>
  ) : (
    <img
      class="project-card-cover"
      src={project.featured_gallery}
      alt=""
      width={420}
      height={236}
      loading="lazy"
      decoding="async"
    />
  );
