// Checkboxes for the permissions of an organization's member, and reading them.

import {
  type OrgPermission,
  orgPermissions,
  type ProjectPermission,
  projectPermissions,
} from "#content/members/permissions.js";
import { listOf } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export interface Granted {
  project: ProjectPermission[];
  org: OrgPermission[];
}

type Ticked = string | readonly string[] | undefined;

/** Unknown values are ignored. */
export const readGranted = ({ project, org }: { project?: Ticked; org?: Ticked }): Granted => {
  const given = { project: listOf(project), org: listOf(org) };
  return {
    project: projectPermissions.filter((name) => given.project.includes(name)),
    org: orgPermissions.filter((name) => given.org.includes(name)),
  };
};

interface Props {
  granted: Granted;
  /** The permissions that the visitor may give. They may always remove one that a member has. */
  canGive(kind: "project" | "org", name: string): boolean;
}

export const PermissionTicks = ({ granted, canGive }: Props) => {
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
            isTicked={granted.project.includes(name)}
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
            isTicked={granted.org.includes(name)}
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
