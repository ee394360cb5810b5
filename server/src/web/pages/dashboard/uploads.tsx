// Uploaded files without a version: continue with them, or discard them.
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Upload } from "#content/uploads/contract.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { texts } from "#words/texts.js";

export const uploadPath = ({ id }: Upload): string => `/dashboard/upload/${id}`;

export const DiscardButton = ({ upload }: { upload: Upload }) => {
  const t = useTexts(texts.dashboard.waitingUpload);
  return (
    <Form class="actions" action={uploadPath(upload)}>
      <Button kind="quiet" small aria-label={`${t.discard}: ${upload.name}`}>
        {t.discard}
      </Button>
    </Form>
  );
};

export const ContinueUpload = ({ upload, projects }: { upload: Upload; projects: readonly ProjectListItem[] }) => {
  const t = useTexts(texts.dashboard.waitingUpload);
  const format = useFormat();
  const { id, name, size, offset, dateExpires, file } = upload;
  return (
    <>
      <div class="card stack wraps">
        <p>
          <strong dir="auto">{name}</strong> <span class="muted">{format.bytes(size)}</span>
        </p>
        {file?.problem ? (
          <p class="wrong">{t.uploadRefused(file.problem)}</p>
        ) : (
          <p>
            {offset < size
              ? t.uploadPart(format.bytes(offset), format.bytes(size))
              : t.uploadWhole(format.dateTime(Date.parse(dateExpires)))}
          </p>
        )}
        <DiscardButton upload={upload} />
      </div>
      {!file?.problem && <Uses id={id} projects={projects} />}
    </>
  );
};

const Uses = ({ id, projects }: { id: string; projects: readonly ProjectListItem[] }) => {
  const t = useTexts(texts.dashboard.waitingUpload);
  const { newProject } = useTexts(texts.dashboard.overview);
  return (
    <section class="stack">
      <h2>{t.goOnWhere}</h2>
      <ul class="rows">
        {projects.map((project) => (
          <li key={project.id} class="card row">
            <Picture src={iconOf(project)} size={40} />
            <a class="grow" href={`${projectPath(project.slug)}/version/new?upload=${id}`} dir="auto">
              {t.newVersionOf(project.name)}
            </a>
          </li>
        ))}
        <li class="card row">
          <a class="grow" href={`/new?upload=${id}`}>
            {newProject}
          </a>
        </li>
      </ul>
    </section>
  );
};
