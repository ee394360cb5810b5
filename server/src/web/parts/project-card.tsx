// A project in a list: the whole card is one link; its own colour is the spine.
import type { ProjectListItem } from "../../projects/shapes.js";
import { useFormat, useFrame } from "../frame.js";
import { typeName } from "../project-types.js";
import { tagName } from "../tag-names.js";
import { useTexts } from "../texts.js";
import { commonTexts } from "./common-texts.js";
import { Icon } from "./icon.js";
import { Picture } from "./picture.js";
import { Time } from "./time.js";

export const projectPath = (slug: string): string => `/project/${slug}`;

/** What was not uploaded is drawn. */
export const iconOf = ({ id, icon }: Pick<ProjectListItem, "id" | "icon">): string =>
  icon ?? `/cdn/data/project/${id}/default.png`;

/** How a project goes with the visitor's set-up, where a list has looked at its versions. */
export interface Fit {
  /** The address of a version that fits, to download; absent where none does. */
  download?: string;
  /** The newest game version that it is made for. */
  newest?: string | undefined;
}

interface Props {
  projects: readonly ProjectListItem[];
  view?: "list" | "compact";
  /** By project. */
  fits?: ReadonlyMap<string, Fit>;
}

export const ProjectCards = ({ projects, view = "list", fits }: Props) => (
  <ul class={view === "list" ? "project-cards" : `project-cards ${view}`}>
    {projects.map((project) => (
      <ProjectCard key={project.id} project={project} fit={fits?.get(project.id)} />
    ))}
  </ul>
);

const ProjectCard = ({ project, fit }: { project: ProjectListItem; fit: Fit | undefined }) => {
  const { locale } = useFrame();
  const format = useFormat();
  const t = useTexts(commonTexts);
  return (
    <li class="project-card">
      <svg class="spine" width="4" height="100%" aria-hidden="true">
        <rect width="4" height="100%" fill={project.color || "currentColor"} />
      </svg>
      <Picture src={iconOf(project)} size={64} />
      <div class="project-card-text">
        <h3 dir="auto">
          <a href={projectPath(project.slug)}>{project.name}</a>{" "}
          {project.author && (
            <span class="by">
              {t.by} {project.author}
            </span>
          )}
        </h3>
        <p dir="auto">{project.summary}</p>
        <p class="tags">
          {project.type.map((type) => (
            <span key={type}>{typeName(type, locale)}</span>
          ))}
          {project.featuredCategories.slice(0, 3).map((category) => (
            <span key={category}>{tagName(category)}</span>
          ))}
          {project.loaders.slice(0, 4).map((loader) => (
            <span key={loader} class="loader">
              {tagName(loader)}
            </span>
          ))}
          {fit && <FitTag name={project.name} fit={fit} />}
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
          <Icon name="clock" /> <Time at={project.dateUpdated} />
        </span>
      </p>
    </li>
  );
};

const FitTag = ({ name, fit: { download, newest } }: { name: string; fit: Fit }) => {
  const t = useTexts(commonTexts);
  if (download !== undefined)
    return (
      <a class="fits" href={download} title={t.downloadFor(name)}>
        <Icon name="download" /> {t.fits}
      </a>
    );
  return newest === undefined ? null : <span class="misfit">{t.newestFor(newest)}</span>;
};
