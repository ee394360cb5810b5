// The shared part of an organization's settings pages: access, and the frame.

import type { OrgPermission } from "#content/members/permissions.js";
import { findOrgRights, type OrgRights } from "#content/members/rights.js";
import type { Member } from "#content/members/shapes.js";
import { getOrg, listOrgs } from "#content/organizations/read.js";
import type { Organization } from "#content/organizations/shapes.js";
import type { Children } from "#lib/jsx-runtime.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { useTexts } from "#web/context/texts.js";
import { SectionFrame } from "#web/frame/section-frame.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

export interface Managed {
  org: Organization;
  rights: OrgRights;
  owner: Member;
  viewerId: string;
  /** "/organization/grass-makers/settings" */
  path: string;
}

/** For members and administrators. Organizations are public, so others are refused instead of getting a 404. */
export async function getManaged(resources: Resources, viewer: SignedIn, ref: string): Promise<Managed> {
  const { db, config } = resources;
  const { id, slug } = await getOrg(db, ref);
  const [org] = await listOrgs({ db, viewer, cdnUrl: config.http.cdnUrl }, [id]);
  const owner = org?.members.find(({ isOwner }) => isOwner);
  if (!org || !owner) throw fail.organizationNotFound();
  const isMember = org.members.some(({ userId, accepted }) => accepted && userId === viewer.user.id);
  if (!isMember && viewer.user.role !== "admin") throw fail.permissionMissing("edit_details");
  const rights = await findOrgRights(db, viewer.user, id);
  return { org, rights, owner, viewerId: viewer.user.id, path: `/organization/${slug}/settings` };
}

interface FrameProps {
  managed: Managed;
  section: "general" | "members" | "projects" | "analytics";
  children: Children;
}

export const OrgFrame = ({ managed, section, children }: FrameProps) => {
  const t = useTexts(texts.organizations.settings);
  const { org, path } = managed;
  const tabs = [
    { href: path, text: t.general },
    { href: `${path}/members`, text: t.members },
    { href: `${path}/projects`, text: t.projects },
    { href: `${path}/analytics`, text: t.analytics },
  ];
  return (
    <SectionFrame
      title={t[section]}
      label={t.sections}
      tabs={tabs}
      subject={{ name: org.name, href: `/organization/${org.slug}`, picture: org.icon }}
    >
      {children}
    </SectionFrame>
  );
};

/** Shown in place of a form that needs a permission. */
export const Missing = ({ managed, permission }: { managed: Managed; permission: OrgPermission }) => {
  const t = useTexts(texts.organizations.settings);
  const { org } = useTexts(texts.organizations.permissions);
  return <Notice title={t.missing(org[permission], managed.owner.userName)} />;
};
