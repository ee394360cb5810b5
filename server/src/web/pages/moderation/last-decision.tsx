// The last decision of the moderator, shown on the next page: until it takes effect, one button undoes it; afterwards
// the project has to be decided again.

import { getVisibleProject } from "#content/projects/read.js";
import type { Project } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { findHeldDecision } from "#moderation/desk/held.js";
import type { Resources } from "#platform/http/resources.js";
import { timestamp } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";
import { useDeskKeys } from "./desk-frame.js";

export interface LastDecision {
  id: string;
  name: string;
  status: Project["status"];
  /** When it takes effect; undefined if it has. */
  due: number | undefined;
  did: string | undefined;
}

/** Only the id comes from the URL: name and status are those of the project, or of the pending decision. */
export async function findLast(
  resources: Resources,
  viewer: SignedIn,
  id: string,
  did?: string,
): Promise<LastDecision | undefined> {
  if (id === "") return undefined;
  const entry = await getVisibleProject(resources, viewer, id).catch(() => undefined);
  if (!entry) return undefined;
  const held = await findHeldDecision(resources.db, entry.id);
  const own = held?.moderator_id === viewer.user.id ? held : undefined;
  const { name, status } = entry.project;
  return { id: entry.id, name, status: own?.status ?? status, due: own?.date_due, did };
}

/**
 * Without script the notice says when the decision is final; the script replaces that when the time has come
 * (scripts/desk.ts).
 */
export const LastNotice = ({ last: { id, name, status, due, did } }: { last: LastDecision }) => {
  const t = useTexts(texts.moderation.lastDecision);
  const { path, now } = useFrame();
  const { undo } = useDeskKeys();
  const action = `/moderation/queue/${id}`;
  if (did === "undone") return <Said title={t.undone(name)} />;
  if (due !== undefined)
    return (
      <div role="status" data-undo={Math.max(0, due - now)}>
        <Notice title={t.held[status](name)}>
          <p>{t.soon[status]}</p>
          <p data-final={t.final}>{t.finalAt(clockTime(due))}</p>
          <Form action={`${action}/undo`}>
            <Button kind="quiet" small data-act="undo" aria-keyshortcuts={undo || undefined}>
              {t.undo}
            </Button>
          </Form>
        </Notice>
      </div>
    );
  return (
    <Said title={did === "late" ? t.late : t.now[status](name)}>
      {path === action && status !== "processing" && (
        <Form action={`${action}/requeue`}>
          <p class="small">{t.requeueHint}</p>
          <Button kind="quiet" small>
            {t.requeue}
          </Button>
        </Form>
      )}
    </Said>
  );
};

/** 20:31:05 */
const clockTime = (at: number): string => timestamp(at).slice(11, 19);

const Said = ({ title, children }: { title: string; children?: Children }) => (
  <div role="status">
    <Notice title={title}>{children}</Notice>
  </div>
);
