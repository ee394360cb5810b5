// Other projects below the description of a project.
import type { Project } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { useFormat } from "#web/context/frame.js";
import { fillHtml } from "#web/context/kept-html.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import type { PageVersion } from "#web/shared/project-view.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { authorOf, type IncludedProject, type RelatedProject, type RelatedProjects } from "./related-projects.js";

interface Props {
  project: Project;
  newest: PageVersion | undefined;
  related: RelatedProjects;
}

export const Included = ({ project, newest, related: { included, includedCount } }: Props) => {
  const t = useTexts(texts.project.page);
  const format = useFormat();
  if (included.length === 0 || !newest) return null;
  return (
    <section class="stack related">
      <h2>
        {t.included} <span class="muted">{format.number(includedCount)}</span>
      </h2>
      <Tiles projects={included} aside={(each) => <IncludedVersion included={each} />} />
      {includedCount > included.length && (
        <p>
          <a href={versionPath(project.slug, newest.slug)}>{t.allIncluded(format.number(includedCount))}</a>
        </p>
      )}
    </section>
  );
};

const IncludedVersion = ({ included: { slug, version } }: { included: IncludedProject }) =>
  version ? <a href={versionPath(slug, version.slug)}>{version.number}</a> : null;

export const Related = ({ project, related: { similar, ofAuthor } }: Omit<Props, "newest">) => {
  const t = useTexts(texts.project.page);
  const author = project.organisation?.name ?? authorOf(project);
  return (
    <>
      {similar.length > 0 && (
        <section class="stack related">
          <h2>{t.similar}</h2>
          <Tiles projects={similar} />
        </section>
      )}
      {ofAuthor.length > 0 && (
        <section class="stack related">
          <h2 dir="auto">{t.moreBy(author)}</h2>
          <Tiles projects={ofAuthor} />
        </section>
      )}
    </>
  );
};

interface TilesProps<P> {
  projects: readonly P[];
  /** Shown after the name. */
  aside?: (project: P) => Children;
}

const Tiles = <P extends RelatedProject>({ projects, aside }: TilesProps<P>) => (
  <ul class="related-tiles">{projects.map((project) => tileOf(project, aside?.(project)))}</ul>
);

const tileOf = (project: RelatedProject, aside: Children) => {
  const { slug, name, summary } = project;
  const texts = [iconOf(project), projectPath(slug), name, summary];
  return aside ? <Tile texts={texts} aside={aside} /> : fillHtml("tile", texts, (places) => <Tile texts={places} />);
};

const Tile = ({ texts: [icon, path, name, summary], aside }: { texts: readonly string[]; aside?: Children }) => (
  <li>
    <Picture src={icon!} size={40} />
    <div>
      <h3>
        <a href={path} dir="auto">
          {name}
        </a>{" "}
        {aside}
      </h3>
      <p>
        <bdi>{summary}</bdi>
      </p>
    </div>
  </li>
);
