// Links from public pages to the moderation desk. Only members of staff see them: pages that are cached or made ahead are
// those of guests, who are none.

import type { Children } from "#lib/jsx-runtime.js";
import { accountRole } from "#platform/http/staff-powers.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Form } from "./form.js";
import { Icon } from "./icon.js";

/** Also if their powers are not in force: the desk then asks them to confirm their identity. */
function useIsStaff(): boolean {
  const { viewer } = useFrame();
  return viewer.kind === "session" && accountRole(viewer.user) !== "user";
}

interface ProjectProps {
  project: { id: string; status: string };
}

/** Entries for the menu of a project. */
export const StaffProjectLinks = ({ project: { id, status } }: ProjectProps) => {
  const t = useTexts(texts.moderation.staffMenu);
  if (!useIsStaff()) return null;
  return (
    <>
      <li>
        <a href={`/moderation/queue/${id}`}>{t.openProject}</a>
      </li>
      {status === "processing" && (
        <li>
          <Form action={`/moderation/queue/${id}/claim`}>
            <button type="submit">{t.claim}</button>
          </Form>
        </li>
      )}
      <li>
        <a href={`/moderation/queue/${id}#see-files`}>{t.quarantineFiles}</a>
      </li>
      <li>
        <a href={`/moderation/log?objectKind=project&objectId=${id}`}>{t.log}</a>
      </li>
    </>
  );
};

interface VersionProps {
  projectId: string;
  version: { id: string; primaryFile: { id: string } };
}

export const StaffVersionMenu = ({ projectId, version }: VersionProps) => {
  const t = useTexts(texts.moderation.staffMenu);
  return (
    <StaffMenu>
      <li>
        <a href={`/moderation/queue/${projectId}`}>{t.openProject}</a>
      </li>
      <li>
        <a href={`/moderation/scan/${version.primaryFile.id}`}>{t.lookInside}</a>
      </li>
      <li>
        <a href={`/moderation/quarantine?versionId=${version.id}`}>{t.quarantine}</a>
      </li>
    </StaffMenu>
  );
};

export const StaffUserMenu = ({ userName }: { userName: string }) => {
  const t = useTexts(texts.moderation.staffMenu);
  const path = `/moderation/user/${encodeURIComponent(userName)}`;
  return (
    <StaffMenu>
      <li>
        <a href={path}>{t.openUser}</a>
      </li>
      <li>
        <a href={`${path}#notes`}>{t.notes}</a>
      </li>
      <li>
        <a href={`${path}/suspend`}>{t.suspend}</a>
      </li>
      <li>
        <a href={`/moderation/log?actor=${encodeURIComponent(userName)}`}>{t.log}</a>
      </li>
    </StaffMenu>
  );
};

interface CollectionProps {
  /** The path of its page. */
  path: string;
  isFeatured: boolean;
}

export const StaffCollectionMenu = ({ path, isFeatured }: CollectionProps) => {
  const t = useTexts(texts.moderation.staffMenu);
  return (
    <StaffMenu>
      <li>
        <Form action={`${path}/feature`}>
          <button type="submit">{isFeatured ? t.featureFirst : t.feature}</button>
        </Form>
      </li>
      {isFeatured && (
        <li>
          <Form action={`${path}/unfeature`}>
            <button type="submit">{t.unfeature}</button>
          </Form>
        </li>
      )}
    </StaffMenu>
  );
};

const StaffMenu = ({ children }: { children: Children }) => {
  const t = useTexts(texts.moderation.staffMenu);
  if (!useIsStaff()) return null;
  return (
    <details class="menu staff-menu">
      <summary class="button quiet">
        <Icon name="flag" /> {t.moderate}
      </summary>
      <ul>{children}</ul>
    </details>
  );
};
