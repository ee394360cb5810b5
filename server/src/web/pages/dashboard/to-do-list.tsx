// The list of things that need the user's attention, the most urgent first, each with one action.

import type { OfferedTeam } from "#content/members/offers.js";
import type { UndoableMove } from "#content/organizations/move-project.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { PendingInvite } from "#content/teams/pending.js";
import type { Upload } from "#content/uploads/contract.js";
import type { Children } from "#lib/jsx-runtime.js";
import { type Decision, problemsOf } from "#moderation/desk/requested-changes.js";
import type { Row } from "#platform/db/tables.js";
import { useFormat } from "#web/context/frame.js";
import { isolated } from "#web/context/isolated.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { UndoLink } from "#web/parts/undo-move.js";
import { OfferAnswer } from "#web/shared/waiting.js";
import { texts } from "#words/texts.js";
import { InviteButtons } from "./invite-buttons.js";
import { DiscardButton, uploadPath } from "./uploads.js";

export interface OpenTasks {
  invites: PendingInvite[];
  offers: OfferedTeam[];
  projects: ProjectListItem[];
  /** The changes that moderators ask for, by project. */
  changes: ReadonlyMap<string, Decision>;
  tokens: Row<"tokens">[];
  uploads: Upload[];
  moves: UndoableMove[];
  isNew: boolean;
}

const openStates = ["rejected", "withheld", "draft"] as const;

export const ToDoList = ({ tasks }: { tasks: OpenTasks }) => {
  const t = useTexts(texts.dashboard.overview);
  const waiting = useTexts(texts.teams.waiting);
  const words = useTexts(texts.dashboard.waitingUpload);
  const format = useFormat();
  const { stop } = useTexts(texts.parts.common);
  const { reasons } = useTexts(texts.projectSettings.moderation);
  const shared = useTexts(texts.users.shared);
  const { invites, offers, projects, changes, tokens, uploads, moves, isNew } = tasks;
  const unpublished = openStates.flatMap((state) => projects.filter(({ status }) => status === state));
  const open = unpublished.toSorted((a, b) => Number(changes.has(b.id)) - Number(changes.has(a.id)));
  if (invites.length + offers.length + open.length + tokens.length + uploads.length + moves.length === 0)
    return isNew ? null : <p class="muted">{t.nothingToDo}</p>;
  return (
    <ul class="rows">
      {offers.map(({ teamId, name, offeredBy }) => (
        <ToDo key={teamId} text={t.offer(isolated(name), offeredBy)}>
          <OfferAnswer teamId={teamId} name={name} next="/dashboard" />
        </ToDo>
      ))}
      {invites.map(({ teamId, name, invitedBy, role }) => (
        <ToDo key={teamId} text={t.invite(isolated(name), invitedBy ?? "", isolated(shared.role(role)))}>
          <InviteButtons teamId={teamId} name={name} />
        </ToDo>
      ))}
      {open.map(({ id, name, slug, status }) => (
        <ToDo key={id} text={openWords(t, reasons, { name, status }, changes.get(id))}>
          <ButtonLink
            kind="quiet"
            small
            href={`${projectPath(slug)}${status === "draft" && !changes.has(id) ? "" : "/moderation"}#checklist`}
            aria-label={`${t.toProject}: ${name}`}
          >
            {t.toProject}
          </ButtonLink>
        </ToDo>
      ))}
      {tokens.map(({ id, name, date_expires }) => (
        <ToDo key={id} text={t.tokenEnds(isolated(name), format.date(date_expires))}>
          <ButtonLink kind="quiet" small href={`/settings/pats/${id}`} aria-label={`${t.toTokens}: ${name}`}>
            {t.toTokens}
          </ButtonLink>
        </ToDo>
      ))}
      {uploads.map((upload) => (
        <ToDo key={upload.id} text={uploadWords(words, format, upload)}>
          <div class="actions">
            {!upload.file?.problem && (
              <ButtonLink kind="quiet" small href={uploadPath(upload)} aria-label={`${words.goOn}: ${upload.name}`}>
                {words.goOn}
              </ButtonLink>
            )}
            <DiscardButton upload={upload} />
          </div>
        </ToDo>
      ))}
      {moves.map((move) => (
        <ToDo
          key={move.project_id}
          text={`${waiting.movedName(isolated(move.project_name), isolated(move.org_name))}${stop}${waiting.undoUntil(format.dateTime(move.date_expires))}`}
        >
          <UndoLink move={move} />
        </ToDo>
      ))}
    </ul>
  );
};

/** A project with requested changes says which; a draft without any is only unfinished. */
function openWords(
  t: ReturnType<typeof useTexts<(typeof texts.dashboard.overview)["en"]>>,
  reasons: (typeof texts.projectSettings.moderation)["en"]["reasons"],
  { name, status }: Pick<ProjectListItem, "name" | "status">,
  asked: Decision | undefined,
): string {
  if (status !== "draft" || !asked) return t[status as (typeof openStates)[number]](isolated(name));
  const points = problemsOf(asked).map((problem) => reasons[problem]);
  return t.changes(isolated(name), points.join("; "));
}

const uploadWords = (
  t: ReturnType<typeof useTexts<(typeof texts.dashboard.waitingUpload)["en"]>>,
  format: ReturnType<typeof useFormat>,
  { name, size, offset, dateExpires, file }: OpenTasks["uploads"][number],
): string => {
  if (file?.problem) return t.uploadRefused(file.problem);
  const until = format.dateTime(Date.parse(dateExpires));
  return offset < size
    ? t.uploadStopped(isolated(name), format.bytes(offset), format.bytes(size), until)
    : t.uploadWaits(isolated(name), until);
};

const ToDo = ({ text, children }: { text: string; children: Children }) => (
  <li class="card actions">
    <p>{text}</p>
    {children}
  </li>
);
