// The frame of the version forms: the project, and a link back to it.

import type { Project } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { projectPath } from "#web/context/project-path.js";
import type { Page } from "#web/frame/layout.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";

interface Props extends Pick<Page, "status" | "scripts"> {
  project: Project;
  title: string;
  lead?: string;
}

export const authorPage = ({ project, title, lead, ...meta }: Props, children: Children): Page => ({
  ...meta,
  title: `${title} · ${project.name}`,
  content: (
    <div class="stack loose author-page">
      <a class="back-link" href={projectPath(project.slug)}>
        <Picture src={iconOf(project)} size={40} />
        <strong dir="auto">{project.name}</strong>
      </a>
      <div class="stack">
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children}
    </div>
  ),
});
