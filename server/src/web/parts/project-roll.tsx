// Projects as rows, each with its picture and its actions.

import type { ProjectListItem } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { projectPath } from "#web/context/project-path.js";
import { Picture } from "./picture.js";
import { iconOf } from "./project-card.js";

interface Props {
  projects: readonly ProjectListItem[];
  act: (project: ProjectListItem) => Children;
  /** It is inside a card already. */
  isInside?: boolean;
}

export const ProjectRoll = ({ projects, act, isInside = false }: Props) => (
  <ul class={isInside ? "project-roll" : "project-roll card"}>
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
