// Projects one below the other, each with its picture and what can be done about it.
import type { ComponentChildren } from "preact";
import type { ProjectListItem } from "#content/shapes/project.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf, projectPath } from "#web/parts/project-card.js";

interface Props {
  projects: readonly ProjectListItem[];
  act: (project: ProjectListItem) => ComponentChildren;
  /** It stands in a card already. */
  isInside?: boolean;
}

export const ProjectRoll = ({ projects, act, isInside = false }: Props) => (
  <ul class={isInside ? "roll" : "roll card"}>
    {projects.map((project) => (
      <li key={project.id}>
        <Picture src={iconOf(project)} size={40} />
        <span>
          <a href={projectPath(project.slug)} dir="auto">
            {project.name}
          </a>
        </span>
        {act(project)}
      </li>
    ))}
  </ul>
);
