// What a version's team can do to it, as links to the pages that ask.

import type { ProjectPermission } from "#content/members/permissions.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { ButtonLink } from "./button.js";
import { Icon } from "./icon.js";

interface Props {
  /** The address of the version. */
  path: string;
  isYanked: boolean;
  permissions: ReadonlySet<ProjectPermission>;
  /** On the page that the first link leads to. */
  isEditing?: boolean;
}

export const VersionLinks = ({ path, isYanked, permissions, isEditing = false }: Props) => {
  const t = useTexts(texts.publish.versionLinks);
  return (
    <>
      {permissions.has("upload_version") && !isEditing && (
        <ButtonLink kind="quiet" href={`${path}/edit`}>
          <Icon name="edit" /> {t.edit}
        </ButtonLink>
      )}
      {permissions.has("upload_version") && (
        <ButtonLink kind="quiet" href={`${path}/yank`}>
          {isYanked ? t.unyank : t.yank}
        </ButtonLink>
      )}
      {permissions.has("delete_version") && (
        <ButtonLink kind="quiet" href={`${path}/delete`}>
          {t.delete}
        </ButtonLink>
      )}
    </>
  );
};
