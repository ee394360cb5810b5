// Shown to the team of a project that needs changes: what the moderators ask for, with a link to the field of each point,
// and the button that submits the project again.

import type { Project } from "#content/shapes/project.js";
import type { ReasonId } from "#moderation/desk/reasons.js";
import { type Decision, problemsOf } from "#moderation/desk/requested-changes.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

/** The field for each point. */
export const places: Partial<Record<ReasonId, string>> = {
  description: "/settings/description#description",
  spam: "/settings/description#description",
  metadata: "/settings/tags#categories",
  media: "/settings/gallery#image",
  inappropriate: "/settings/gallery#image",
  licence: "/settings/license#id",
  links: "/settings/links#issueTracker",
  name: "/settings#name",
  malicious: "/versions",
  others_work: "/versions",
};

export const ChangesBanner = ({ project, asked }: { project: Project; asked: Decision }) => {
  const t = useTexts(texts.projectSettings.moderation);
  const { resubmit, ownerOnly } = useTexts(texts.projectSettings.checklist);
  const path = projectPath(project.slug);
  return (
    <section id="checklist">
      <Notice kind="warning" title={stateTitle(t, asked)}>
        <p>{t.changesText}</p>
        <ul>
          {problemsOf(asked).map((problem) => (
            <li key={problem}>
              {places[problem] ? <a href={`${path}${places[problem]}`}>{t.reasons[problem]}</a> : t.reasons[problem]}
            </li>
          ))}
        </ul>
        {asked.message && (
          <blockquote class="said-text" dir="auto">
            {asked.message}
          </blockquote>
        )}
        {useIsOwner(project) ? (
          <Form class="actions" action={`${path}/submit`}>
            <Button small>{resubmit}</Button>
            <a href={`${path}/moderation#checklist`}>{t.answerPoints}</a>
          </Form>
        ) : (
          <p>{ownerOnly}</p>
        )}
      </Notice>
    </section>
  );
};

type Words = (typeof texts.projectSettings.moderation)["en"];

/** A project that was sent back has the status of a draft, which is not what its team should read. */
export const stateTitle = (t: Words, { status }: Decision): string =>
  status === "draft" ? t.changesTitle : t.statuses[status].title;

/** Whether the visitor may submit the project. */
export function useIsOwner({ members, organisation }: Project): boolean {
  const { viewer } = useFrame();
  const owners = [...members, ...(organisation?.members ?? [])].filter(({ isOwner }) => isOwner);
  return (
    viewer.kind !== "anonymous" &&
    (viewer.user.role === "admin" || owners.some(({ userId }) => userId === viewer.user.id))
  );
}
