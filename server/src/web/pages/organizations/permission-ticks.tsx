// Boxes for single permissions of a member of an organization, and what is read from them.

import {
  type OrgPermission,
  orgPermissions,
  type ProjectPermission,
  projectPermissions,
} from "#content/members/permissions.js";
import { listOf } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export interface Rights {
  project: ProjectPermission[];
  org: OrgPermission[];
}

type Ticked = string | readonly string[] | undefined;

/** What a form does not know is passed over. */
export const readRights = ({ project, org }: { project?: Ticked; org?: Ticked }): Rights => {
  const given = { project: listOf(project), org: listOf(org) };
  return {
    project: projectPermissions.filter((name) => given.project.includes(name)),
    org: orgPermissions.filter((name) => given.org.includes(name)),
  };
};

interface Props {
  rights: Rights;
  /** Those that the visitor may give. What somebody has, the visitor may always take away. */
  canGive(kind: "project" | "org", name: string): boolean;
}

export const PermissionTicks = ({ rights, canGive }: Props) => {
  const t = useTexts(texts.organizations.permissions);
  return (
    <>
      <fieldset class="permission-ticks">
        <legend>{t.inProjects}</legend>
        {projectPermissions.map((name) => (
          <Tick
            key={name}
            name="project"
            value={name}
            label={t.project[name]}
            isTicked={rights.project.includes(name)}
            canGive={canGive("project", name)}
          />
        ))}
      </fieldset>
      <fieldset class="permission-ticks">
        <legend>{t.inOrg}</legend>
        {orgPermissions.map((name) => (
          <Tick
            key={name}
            name="org"
            value={name}
            label={t.org[name]}
            isTicked={rights.org.includes(name)}
            canGive={canGive("org", name)}
          />
        ))}
      </fieldset>
    </>
  );
};

interface TickProps {
  name: string;
  value: string;
  label: string;
  isTicked: boolean;
  canGive: boolean;
}

const Tick = ({ name, value, label, isTicked, canGive }: TickProps) => (
  <label class="check">
    <input type="checkbox" name={name} value={value} checked={isTicked} disabled={!isTicked && !canGive} /> {label}
  </label>
);
