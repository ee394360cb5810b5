// The way back after a project moved into an organization.
import type { UndoableMove } from "#content/organizations/move-project.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { ButtonLink } from "./button.js";
import { Notice } from "./notice.js";

/** By its id: its slug may change, and he need not see it any more. */
export const undoPath = ({ project_id }: UndoableMove): string => `/project/${project_id}/settings/move/undo`;

export const UndoNotice = ({ move }: { move: UndoableMove }) => {
  const t = useTexts(texts.teams.waiting);
  const format = useFormat();
  return (
    <Notice title={t.moved(move.org_name)}>
      <p>{t.undoUntil(format.dateTime(move.date_expires))}</p>
      <p>
        <UndoLink move={move} />
      </p>
    </Notice>
  );
};

export const UndoLink = ({ move }: { move: UndoableMove }) => {
  const t = useTexts(texts.teams.waiting);
  return (
    <ButtonLink kind="quiet" small href={undoPath(move)}>
      {t.undo}
    </ButtonLink>
  );
};
